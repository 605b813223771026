package servicetest

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
)

// todoState keeps the to-do items of all users.
type todoState struct {
	todos table[*todo]
	of    map[todoOwner][]*todo
}

// A todoOwner is a user and a target of the user's items.
type todoOwner struct {
	user   *User
	target any
}

// A todo is a to-do item. See follow.
type todo struct {
	id        int64
	user      *User
	author    *User
	action    string
	target    any
	project   *Project // nil for an epic
	note      *Note    // the note that made it; nil if none
	done      bool
	createdAt time.Time
	updatedAt time.Time
}

// These expressions find usernames in texts.
var (
	addressed = regexp.MustCompile(`^\s*(?:@\w[\w.-]*[\s,:]*)+`)
	code      = regexp.MustCompile("(?s)```.*?(?:```|$)|`[^`\n]*`")
)

// mentionedIn returns the users whom a text mentions outside of code. direct is how
// many of them the text addresses at its beginning.
func (s *Service) mentionedIn(text string) (users []*User, direct int) {
	if !strings.Contains(text, "@") {
		return nil, 0
	}
	text = code.ReplaceAllString(text, "`")
	begins := len(addressed.FindString(text))
	for _, at := range mention.FindAllStringSubmatchIndex(text, -1) {
		u := s.findUser(strings.TrimRight(text[at[2]:at[3]], ".-"))
		if u == nil || u.gone || slices.Contains(users, u) {
			continue
		}
		users = append(users, u)
		if at[3] <= begins {
			direct = len(users)
		}
	}
	return users, direct
}

// seesInternal reports whether a user may see internal notes.
func (s *Service) seesInternal(u *User, change *topicChange) bool {
	if change.project == nil {
		return s.groupLevel(u, change.target.(*Epic).group) >= Reporter
	}
	return s.projectLevel(u, change.project) >= Reporter
}

// severalTodos lists the actions for which a user can have several pending items on one
// target.
var severalTodos = []string{"mentioned", "directly_addressed"}

// addTodo adds a to-do item, unless the user already has one of that kind.
func (s *Service) addTodo(t *todo) bool {
	if t.user == nil || t.user.gone || t.user.bot || !s.canReadTarget(t.user, t.target) {
		return false
	}
	all, owner := state[todoState](s), todoOwner{t.user, t.target}
	same := func(o *todo) bool { return !o.done && o.action == t.action }
	if slices.ContainsFunc(all.of[owner], same) && !slices.Contains(severalTodos, t.action) {
		return false
	}
	t.updatedAt = t.createdAt
	t.id, _ = all.todos.add(0, t)
	put(&all.of, owner, append(all.of[owner], t))
	return true
}

// finishTodos marks the pending items of a user for a target as done. If thread is not
// "", it marks only the items of that thread.
func (s *Service) finishTodos(user *User, target any, thread string) {
	for _, t := range state[todoState](s).of[todoOwner{user, target}] {
		if !t.done && (thread == "" || t.note != nil && t.note.threadID() == thread) {
			t.finish()
		}
	}
}

func (t *todo) finish() {
	if !t.done {
		t.done, t.updatedAt = true, t.user.svc.now()
	}
}

// group returns the group of an item, or nil if it belongs to a project.
func (t *todo) group() *Group {
	if epic, ok := t.target.(*Epic); ok {
		return epic.group
	}
	return nil
}

// kind returns the kind of the target.
func (t *todo) kind() string {
	switch t.target.(type) {
	case *MergeRequest:
		return "MergeRequest"
	case *Epic:
		return "Epic"
	case *commitDiscussion:
		return "Commit"
	}
	return "Issue"
}

func (c *call) todoForm(t *todo) object {
	o := object{
		"id": t.id, "author": t.author.summary(), "action_name": t.action, "target_type": t.kind(),
		"state": map[bool]string{true: "done", false: "pending"}[t.done], "created_at": jsonTime(t.createdAt),
		"updated_at": jsonTime(t.updatedAt),
	}
	title, address := "", ""
	switch target := t.target.(type) {
	case *Issue:
		form := target.json(false)
		title, address, o["target"] = form.Title, form.WebURL, form
	case *MergeRequest:
		form := target.json(false)
		title, address, o["target"] = form.Title, form.WebURL, form
	case *Epic:
		title, address, o["target"] = target.title, target.webURL(), c.epicJSON(target, false)
	case *commitDiscussion:
		form := target.project.repository().commitObject(target.commit)
		title, address, o["target"] = form.Title, form.WebURL, form
	}
	if t.note != nil {
		title, address = t.note.body, address+"#note_"+frame.Itoa(t.note.id)
	}
	o["body"], o["target_url"] = title, address
	if t.project != nil {
		o["project"] = t.project.summary()
	}
	if g := t.group(); g != nil {
		o["group"] = namespace{group: g}.form()
	}
	return o
}

// isWithin reports whether an item belongs to a group or to anything below it.
func (t *todo) isWithin(g *Group) bool {
	if own := t.group(); own != nil {
		return own.within(g)
	}
	return t.project.within(g)
}

var (
	todoActions = []string{
		"assigned", "mentioned", "build_failed", "marked", "approval_required", "unmergeable", "directly_addressed",
		"merge_train_removed", "review_requested", "member_access_requested", "review_submitted", "ssh_key_expired",
		"ssh_key_expiring_soon",
	}
	todoKinds = []string{
		"Issue", "MergeRequest", "Commit", "Epic", "DesignManagement::Design", "AlertManagement::Alert", "Project",
		"Namespace", "Vulnerability", "WikiPage::Meta", "Key",
	}
)

func listTodos(c *call) *reply {
	c.svc.follow(nil)
	action, kind := c.StringIn("action", todoActions...), c.StringIn("type", todoKinds...)
	done := c.StringIn("state", "pending", "done") == "done"
	author, project, groupID := c.Int64("author_id"), c.Int64("project_id"), c.Int64("group_id")
	group, _ := c.svc.groups.get(groupID)
	found := state[todoState](c.svc).todos.all(func(t *todo) bool {
		return t.user == c.user && t.done == done && c.svc.hasTarget(t.target) &&
			(action == "" || t.action == action) && (kind == "" || t.kind() == kind) &&
			(author == 0 || t.author != nil && t.author.id == author) &&
			(project == 0 || t.project != nil && t.project.id == project) &&
			(groupID == 0 || group != nil && t.isWithin(group))
	})
	slices.Reverse(found)
	return listVisible(c, found, func(t *todo) bool { return c.svc.canReadTarget(c.user, t.target) }, c.todoForm)
}

func markTodoAsDone(c *call) *reply {
	t, ok := state[todoState](c.svc).todos.get(c.PathInt64("id"))
	if !ok || t.user != c.user || !c.svc.hasTarget(t.target) || !c.svc.canReadTarget(c.user, t.target) {
		return frame.NotFound("")
	}
	t.finish()
	return c.Created(c.todoForm(t))
}

func markAllTodosAsDone(c *call) *reply {
	for _, t := range state[todoState](c.svc).todos.all(func(t *todo) bool { return t.user == c.user }) {
		t.finish()
	}
	return c.NoContent()
}

func createTodo(c *call, on *noteable) *reply {
	t := &todo{
		user: c.user, author: c.user, action: "marked", target: on.issue, project: on.project(), createdAt: c.now(),
	}
	switch {
	case on.mergeRequest != nil:
		t.target = on.mergeRequest
	case on.epic != nil:
		t.target = on.epic
	}
	pending := func(other *todo) bool { return !other.done }
	if slices.ContainsFunc(state[todoState](c.svc).of[todoOwner{c.user, t.target}], pending) {
		return &reply{Status: http.StatusNotModified}
	}
	c.svc.addTodo(t)
	return c.Created(c.todoForm(t))
}
