package servicetest

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// lookAtPlaces reports changes of users, keys, groups, projects and their members.
func (w *hookWatch) lookAtPlaces() {
	lookAt(w, (*User).ID, w.lookAtUser, func(u *User) { w.tellUser(u, "user_destroy", "") })
	lookAt(w, func(k *sshKey) int64 { return k.id }, w.lookAtKey, func(k *sshKey) { w.tellKey(k, "key_destroy") })
	lookAt(w, (*Group).ID, w.lookAtGroup, func(g *Group) {
		w.tellGroup(g, "destroy")
		w.svc.removeHooks(g)
	})
	lookAt(w, (*Project).ID, w.lookAtProject, func(p *Project) {
		w.tellProject(p, "project_destroy", "")
		w.svc.removeHooks(p)
	})
	w.tellOfRemovals()
}

func (w *hookWatch) lookAtUser(u *User) {
	before, known := w.saw(u, u.username)
	switch {
	case !known:
		w.tellUser(u, "user_create", "")
	case before != u.username:
		w.tellUser(u, "user_rename", before.(string))
	}
}

func (w *hookWatch) lookAtKey(k *sshKey) {
	if _, known := w.saw(k, true); !known {
		w.tellKey(k, "key_create")
	}
}

func (w *hookWatch) tellUser(u *User, event, old string) {
	w.tell(hookEvent{system: "always", body: func() object {
		body := w.svc.stamped(event, u.createdAt, object{"user_id": u.id, "name": u.name, "username": u.username,
			"email": u.email})
		if old != "" {
			body["old_username"] = old
		}
		return body
	}})
}

func (w *hookWatch) tellKey(k *sshKey, event string) {
	w.tell(hookEvent{system: "always", body: func() object {
		return object{
			"event_name": event, "created_at": hookTime(k.createdAt), "updated_at": hookTime(w.svc.now()),
			"id": k.id, "username": k.user.username, "key": k.text,
		}
	}})
}

// A seenGroup is what hooks know of a group.
type seenGroup struct {
	path    string
	version uint64
}

func (w *hookWatch) lookAtGroup(g *Group) {
	seen, known := w.saw(g, seenGroup{g.fullPath(), g.Changed})
	before, _ := seen.(seenGroup)
	switch {
	case !known:
		w.tellGroup(g, "create")
	case lastElement(before.path) != g.path:
		w.tell(hookEvent{system: "always", body: func() object {
			body := w.svc.groupBody(g, "group_rename")
			body["old_path"], body["old_full_path"] = lastElement(before.path), before.path
			return body
		}})
	}
	w.lookAtMembers(g, &g.members)
}

func lastElement(path string) string { return path[strings.LastIndex(path, "/")+1:] }

func (s *Service) groupBody(g *Group, event string) object {
	return s.stamped(event, g.createdAt, object{
		"group_id": g.id, "name": g.name, "path": g.path, "full_path": g.fullPath(), "owner_name": nil,
		"owner_email": nil,
	})
}

// tellGroup reports that a group was created or destroyed: to system hooks and, for a
// subgroup, to the hooks of the groups above.
func (w *hookWatch) tellGroup(g *Group, what string) {
	w.tell(hookEvent{system: "always", body: func() object { return w.svc.groupBody(g, "group_"+what) }})
	parent := g.parent
	if parent == nil {
		return
	}
	w.tell(hookEvent{
		header: "Subgroup Hook", on: "subgroup_events", group: parent,
		body: func() object {
			return w.svc.stamped("subgroup_"+what, g.createdAt, object{
				"group_id": g.id, "name": g.name, "path": g.path, "full_path": g.fullPath(),
				"parent_group_id": parent.id, "parent_name": parent.name, "parent_path": parent.path,
				"parent_full_path": parent.fullPath(),
			})
		},
	})
}

// A seenProject is what hooks know of a project.
type seenProject struct {
	path, settings string
	group          *Group
	version        uint64
}

func (w *hookWatch) lookAtProject(p *Project) {
	now := seenProject{p.fullPath(), fmt.Sprint(p.name, p.description, p.visibility, p.defaultBranch, p.archived),
		p.group, p.Changed}
	seen, known := w.saw(p, now)
	before, _ := seen.(seenProject)
	switch {
	case !known:
		w.made[p] = true
		p.repository() // so that it is known before the first push
		w.tellProject(p, "project_create", "")
	case before.group != p.group:
		w.tellProject(p, "project_transfer", before.path)
	case lastElement(before.path) != p.path:
		w.tellProject(p, "project_rename", before.path)
	case before.settings != now.settings:
		w.tellProject(p, "project_update", "")
	}
	w.lookAtMembers(p, &p.members)
}

// tellProject reports a change of a project. Hooks of groups get only its creation and
// its deletion.
func (w *hookWatch) tellProject(p *Project, event, oldPath string) {
	if event == "project_create" || event == "project_destroy" {
		w.tell(hookEvent{header: "Project Hook", on: "project_events", group: p.group,
			body: func() object { return w.svc.projectBody(p, event) }})
	}
	w.tell(hookEvent{system: "always", body: func() object {
		body := w.svc.projectBody(p, event)
		if oldPath != "" {
			body["old_path_with_namespace"] = oldPath
		}
		body["owner_name"], body["owner_email"] = p.namespaceName(), ""
		if p.owner != nil {
			body["owner_email"] = p.owner.email
		}
		return body
	}})
}

// projectBody returns the event about a project, as hooks of groups get it.
func (s *Service) projectBody(p *Project, event string) object {
	return s.stamped(event, p.createdAt, object{
		"name": p.name, "path": p.path, "path_with_namespace": p.fullPath(), "project_id": p.id,
		"project_namespace_id": p.id,
		"owners":               p.hookOwners(), "project_visibility": p.visibility,
	})
}

// hookOwners returns the users who own the project.
func (p *Project) hookOwners() []any {
	owners := []any{}
	add := func(u *User) { owners = append(owners, object{"name": u.name, "email": u.email}) }
	if p.owner != nil {
		add(p.owner)
	}
	members := &p.members
	if p.group != nil {
		members = &p.group.members
	}
	for _, m := range members.all(func(m *member) bool { return m.level == Owner && m.user != p.owner }) {
		add(m.user)
	}
	return owners
}

// A seenHome is what hooks know of the members of a project or a group.
type seenHome struct {
	levels   map[*User]string
	requests []*User // for access
}

func (w *hookWatch) lookAtMembers(home any, members *table[*member]) {
	now := seenHome{levels: make(map[*User]string)}
	seen, _ := w.known[membersOf{home}]
	before, _ := seen.(seenHome)
	for i := range members.len() {
		m := members.at(i)
		if m.user.gone {
			continue
		}
		now.levels[m.user] = fmt.Sprint(m.level, m.expiresAt)
		switch level, known := before.levels[m.user]; {
		case !known:
			w.tellMember(home, m.user, m, "add")
		case level != now.levels[m.user]:
			w.tellMember(home, m.user, m, "update")
		}
	}
	for _, r := range w.svc.requestsFor(members) {
		now.requests = append(now.requests, r.user)
		if !slices.Contains(before.requests, r.user) {
			w.tellRequest(home, r.user, true)
		}
	}
	w.saw(membersOf{home}, now)
	for _, u := range slices.SortedFunc(maps.Keys(before.levels), byID) {
		if _, still := now.levels[u]; !still {
			w.gone = append(w.gone, func() { w.tellMember(home, u, nil, "remove") })
		}
	}
	for _, u := range before.requests {
		if _, joined := now.levels[u]; !joined && !slices.Contains(now.requests, u) {
			w.gone = append(w.gone, func() { w.tellRequest(home, u, false) })
		}
	}
}

func byID(a, b *User) int { return cmp.Compare(a.id, b.id) }

// tellRequest reports a request for access that was made, or that ended without a
// membership. The event has the role that users get by default.
func (w *hookWatch) tellRequest(home any, u *User, made bool) {
	event := func(ended string) string {
		if made {
			return "user_access_request_to_"
		}
		return "user_access_request_" + ended + "_for_"
	}
	system, kind := memberBody(home, u, Developer), "project"
	if g, ok := home.(*Group); ok {
		kind = "group"
		system["expires_at"] = nil
		w.tell(hookEvent{header: "Member Hook", on: "member_events", group: g,
			body: func() object { return w.svc.stamped(event("denied")+kind, w.svc.now(), maps.Clone(system)) }})
	}
	w.tell(hookEvent{system: "always",
		body: func() object { return w.svc.stamped(event("revoked")+kind, w.svc.now(), system) }})
}

// memberBody returns the members of an event about a user and the project or group.
func memberBody(home any, u *User, level AccessLevel) object {
	form := object{"user_id": u.id, "user_name": u.name, "user_username": u.username, "user_email": u.email}
	switch home := home.(type) {
	case *Group:
		form["group_id"], form["group_name"], form["group_path"], form["group_plan"] = home.id, home.name, home.path,
			nil
		form["group_access"] = level.String()
	case *Project:
		form["project_id"], form["project_name"], form["project_path"] = home.id, home.name, home.path
		form["project_path_with_namespace"], form["project_visibility"] = home.fullPath(), home.visibility
		form["access_level"] = level.String()
	}
	return form
}

// tellMember reports a change of a membership. m is nil if the membership has ended.
func (w *hookWatch) tellMember(home any, u *User, m *member, what string) {
	level, created, expires := NoAccess, w.svc.now(), jsonTime{}
	if m != nil {
		level, created, expires = m.level, m.createdAt, jsonTime(m.expiresAt)
	}
	form := memberBody(home, u, level)
	switch home := home.(type) {
	case *Group:
		form["expires_at"] = expires
		event := map[string]string{"add": "user_add_to_group", "update": "user_update_for_group",
			"remove": "user_remove_from_group"}[what]
		w.tell(hookEvent{header: "Member Hook", on: "member_events", system: "always", group: home,
			body: func() object { return w.svc.stamped(event, created, form) }})
	case *Project:
		event := map[string]string{"add": "user_add_to_team", "update": "user_update_for_team",
			"remove": "user_remove_from_team"}[what]
		w.tell(hookEvent{system: "always", body: func() object { return w.svc.stamped(event, created, form) }})
	}
}

// number orders the tokens that hooks get events about: deploy tokens come last.
func (t *token) number() int64 {
	if t.kind == deploy {
		return t.id + 1<<32
	}
	return t.id
}

// lookAtToken reports a token of a project or a group that expires in a week.
func (w *hookWatch) lookAtToken(t *token) {
	if d, ok := state[deployTokenState](w.svc).tokens.get(t.id); ok && d.token == t {
		if project, ok := d.home.(*Project); ok && w.endsSoon(t) { // hooks of groups cannot subscribe to them
			w.tell(hookEvent{header: "Resource Deploy Token Hook", on: "resource_deploy_token_events",
				body: d.deployTokenBody, project: project})
		}
		return
	}
	if t.home == nil || w.svc.tokens[t.secret] != t || !w.endsSoon(t) {
		return
	}
	e := hookEvent{header: "Resource Access Token Hook", on: "resource_access_token_events", body: t.tokenBody}
	e.project, _ = t.home.(*Project)
	e.group, _ = t.home.(*Group)
	w.tell(e)
}

// endsSoon reports, once for each token, whether it expires in a week.
func (w *hookWatch) endsSoon(t *token) bool {
	if t.revoked || t.expires.IsZero() {
		return false
	}
	w.wake(t.expires.Add(-7 * 24 * time.Hour))
	left := t.expires.Sub(w.svc.now())
	if left > 7*24*time.Hour || left <= 0 {
		return false
	}
	_, told := w.saw(t, true)
	return !told
}
