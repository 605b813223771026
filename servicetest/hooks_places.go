package servicetest

import (
	"fmt"
	"maps"
	"strings"
)

// lookAtPlaces tells of users, keys, groups, projects and their members.
func (w *hookWatch) lookAtPlaces() {
	for i := range w.svc.users.len() {
		w.lookAtUser(w.svc.users.at(i))
	}
	for _, k := range state[sshKeyState](w.svc).keys.all(nil) {
		if _, known := w.saw(k, true); !known {
			w.tellKey(k, "key_create")
		}
	}
	for i := range w.svc.groups.len() {
		w.lookAtGroup(w.svc.groups.at(i))
	}
	for i := range w.svc.projects.len() {
		w.lookAtProject(w.svc.projects.at(i))
	}
	w.lookForDeletions()
}

func (w *hookWatch) lookAtUser(u *User) {
	if u.gone {
		return
	}
	before, known := w.saw(u, u.username)
	switch {
	case !known:
		w.tellUser(u, "user_create", "")
	case before != u.username:
		w.tellUser(u, "user_rename", before.(string))
	}
}

func (w *hookWatch) tellUser(u *User, event, old string) {
	body := w.svc.stamped(event, u.createdAt, object{"user_id": u.id, "name": u.name, "username": u.username,
		"email": u.email})
	if old != "" {
		body["old_username"] = old
	}
	w.tell(hookEvent{system: "always", body: body})
}

func (w *hookWatch) tellKey(k *sshKey, event string) {
	w.tell(hookEvent{system: "always", body: object{
		"event_name": event, "created_at": hookTime(k.createdAt), "updated_at": hookTime(w.svc.now()),
		"id": k.id, "username": k.user.username, "key": k.text,
	}})
}

func (w *hookWatch) lookAtGroup(g *Group) {
	before, known := w.saw(g, g.fullPath())
	old, _ := before.(string)
	switch {
	case !known:
		w.tellGroup(g, "create")
	case lastElement(old) != g.path:
		body := w.svc.groupBody(g, "group_rename")
		body["old_path"], body["old_full_path"] = lastElement(old), old
		w.tell(hookEvent{system: "always", body: body})
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

// tellGroup tells system hooks of a group, and the hooks of the groups above of a
// subgroup, that it was created or destroyed.
func (w *hookWatch) tellGroup(g *Group, what string) {
	w.tell(hookEvent{system: "always", body: w.svc.groupBody(g, "group_"+what)})
	parent := g.parent
	if parent == nil {
		return
	}
	w.tell(hookEvent{
		header: "Subgroup Hook", on: "subgroup_events", group: parent,
		body: w.svc.stamped("subgroup_"+what, g.createdAt, object{
			"group_id": g.id, "name": g.name, "path": g.path, "full_path": g.fullPath(), "parent_group_id": parent.id,
			"parent_name": parent.name, "parent_path": parent.path, "parent_full_path": parent.fullPath(),
		}),
	})
}

// A seenProject is what was known of a project.
type seenProject struct {
	path, settings string
	group          *Group
}

func (w *hookWatch) lookAtProject(p *Project) {
	now := seenProject{p.fullPath(), fmt.Sprint(p.name, p.description, p.visibility, p.defaultBranch, p.archived),
		p.group}
	seen, known := w.saw(p, now)
	before, _ := seen.(seenProject)
	switch {
	case !known:
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

// tellProject tells of a project. Hooks of groups get only its beginning and its end.
func (w *hookWatch) tellProject(p *Project, event, oldPath string) {
	body := w.svc.projectBody(p, event)
	if oldPath != "" {
		body["old_path_with_namespace"] = oldPath
	}
	if event == "project_create" || event == "project_destroy" {
		w.tell(hookEvent{header: "Project Hook", on: "project_events", group: p.group, body: maps.Clone(body)})
	}
	body["owner_name"], body["owner_email"] = p.namespaceName(), ""
	if p.owner != nil {
		body["owner_email"] = p.owner.email
	}
	w.tell(hookEvent{system: "always", body: body})
}

// projectBody is the event about a project, as hooks of groups get it.
func (s *Service) projectBody(p *Project, event string) object {
	return s.stamped(event, p.createdAt, object{
		"name": p.name, "path": p.path, "path_with_namespace": p.fullPath(), "project_id": p.id,
		"project_namespace_id": p.id,
		"owners":               p.hookOwners(), "project_visibility": p.visibility,
	})
}

// hookOwners are the users who own the project.
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

func (w *hookWatch) lookAtMembers(home any, members *table[*member]) {
	for _, m := range members.all(nil) {
		if m.user.gone {
			continue
		}
		now := fmt.Sprint(m.level, m.expiresAt)
		before, known := w.saw(watchedMember{home, m.user}, now)
		switch {
		case !known:
			w.tellMember(home, m.user, m, "add")
		case before != now:
			w.tellMember(home, m.user, m, "update")
		}
	}
	for _, r := range w.svc.requestsFor(members) {
		if _, known := w.saw(watchedRequest{home, r.user}, true); !known {
			w.tellRequest(home, r.user, true)
		}
	}
}

// tellRequest tells of a request for access that was made, or that ended without a
// membership. It is for the role that users get by default.
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
			body: w.svc.stamped(event("denied")+kind, w.svc.now(), maps.Clone(system))})
	}
	w.tell(hookEvent{system: "always", body: w.svc.stamped(event("revoked")+kind, w.svc.now(), system)})
}

// memberBody has what an event says of a user and the project or group.
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

// tellMember tells of a membership. m is nil for one that has ended.
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
			body: w.svc.stamped(event, created, form)})
	case *Project:
		event := map[string]string{"add": "user_add_to_team", "update": "user_update_for_team",
			"remove": "user_remove_from_team"}[what]
		w.tell(hookEvent{system: "always", body: w.svc.stamped(event, created, form)})
	}
}

// lookForDeletions tells of what is gone.
func (w *hookWatch) lookForDeletions() {
	for _, key := range w.was {
		if _, still := w.next[key]; still {
			continue
		}
		switch gone := key.(type) {
		case *User:
			w.tellUser(gone, "user_destroy", "")
		case *sshKey:
			w.tellKey(gone, "key_destroy")
		case *Project:
			w.tellProject(gone, "project_destroy", "")
			w.svc.removeHooks(gone)
		case *Group:
			w.tellGroup(gone, "destroy")
			w.svc.removeHooks(gone)
		case watchedMember:
			if _, still := w.next[gone.home]; still {
				w.tellMember(gone.home, gone.user, nil, "remove")
			}
		case watchedRequest:
			_, still := w.next[gone.home]
			if _, joined := w.next[watchedMember(gone)]; still && !joined {
				w.tellRequest(gone.home, gone.user, false)
			}
		}
	}
}
