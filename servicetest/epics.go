package servicetest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

func listEpics(c *call, group *Group) *reply {
	f := c.epicFilter()
	above, below := c.Bool("include_ancestor_groups"), c.BoolOr("include_descendant_groups", true)
	details := c.Bool("with_labels_details")
	found := f.Apply(state[epicState](c.svc).epics.all(func(e *Epic) bool {
		of := e.group == group || above && group.within(e.group) || below && e.group.within(group)
		return of && c.svc.canSeeGroup(c.user, e.group) && e.visibleTo(c.user)
	}))
	collection.Sort(c.Fields, found, "desc", (*Epic).ID, epicOrders)
	return frame.ListOf(c, found, func(e *Epic) *collection.Form { return c.epicJSON(e, details) })
}

var epicOrders = []collection.Order[Epic]{
	collection.ByTime("created_at", func(e *Epic) time.Time { return e.createdAt }),
	collection.ByTime("updated_at", func(e *Epic) time.Time { return e.updatedAt }),
	collection.By("title", func(e *Epic) string { return strings.ToLower(e.title) }),
}

func (c *call) epicFilter() filter[*Epic] {
	var f filter[*Epic]
	filterTopics(c, &f)
	filterSearch(c, &f, false)
	if state := c.StringIn("state", "opened", "closed", "all"); state != "" && state != "all" {
		f.Add(func(e *Epic) bool { return e.state == state })
	}
	if c.Has("confidential") {
		confidential := c.Bool("confidential")
		f.Add(func(e *Epic) bool { return e.confidential == confidential })
	}
	return f
}

func getEpic(c *call, e *Epic) *reply { return c.OK(c.epicDetails(e)) }

// findEpic returns the group's epic with the number or the ID in the path.
func (c *call) findEpic() (*Epic, *reply) {
	group, refusal := c.group()
	if refusal != nil {
		return nil, refusal
	}
	e, ok := group.epic(c.PathInt64("epic_iid"), c.PathInt64("epic_id"))
	if !ok || !e.visibleTo(c.user) {
		return nil, frame.NotFound("Epic")
	}
	c.found(e)
	return e, nil
}

// epic returns the epic of the group with a number or an ID.
func (g *Group) epic(iid, id int64) (*Epic, bool) {
	found := first(state[epicState](g.svc).epics.all(func(e *Epic) bool {
		return e.group == g && (e.iid == iid || e.id == id)
	}))
	return found, found != nil
}

// An Epic is an epic of a group. Make one with Group.Epic.
type Epic struct {
	topic

	group        *Group
	id           int64
	iid          int64
	state        string // opened or closed
	parent       *Epic
	place        int64 // among the children of the parent
	confidential bool
	color        string
	startDate    time.Time // the fixed date; zero if none
	dueDate      time.Time
	startIsFixed bool // otherwise it is inherited
	dueIsFixed   bool
}

// An EpicOption sets a property of an epic: Between, By, Confidential,
// CreatedAt, Description, ID and every TopicOption are EpicOptions.
type EpicOption interface{ applyEpic(e *Epic) }

type epicOption func(*Epic)

func (f epicOption) applyEpic(e *Epic) { f(e) }

func (o IDOption) applyEpic(e *Epic)          { e.id = int64(o) }
func (o ByOption) applyEpic(e *Epic)          { e.author = o.user }
func (o CreatedAtOption) applyEpic(e *Epic)   { e.createdAt = time.Time(o) }
func (o DescriptionOption) applyEpic(e *Epic) { e.description = string(o) }

// ChildOf makes an epic the child of another one.
func ChildOf(parent *Epic) EpicOption { return epicOption(func(e *Epic) { e.setParent(parent) }) }

type epicState struct {
	epics            table[*Epic]
	iids             map[*Group]int64
	issues, children int64 // links that were ever made
}

// Epic makes an epic of the group, written by Root unless By says otherwise.
// Its ID counts the epics of the service, and its IID those of the group.
func (g *Group) Epic(title string, opts ...EpicOption) *Epic {
	defer g.svc.lock()()
	e := g.draftEpic(g.svc.admin)
	e.title = title
	apply(e, opts, EpicOption.applyEpic)
	e.startIsFixed, e.dueIsFixed = !e.startDate.IsZero(), !e.dueDate.IsZero()
	e.store()
	return e
}

// ID returns the epic's ID.
func (e *Epic) ID() int64 { return e.id }

// IID returns the epic's number in its group.
func (e *Epic) IID() int64 { return e.iid }

// Close closes the epic.
func (e *Epic) Close() {
	defer e.group.svc.lock()()
	if now := e.group.svc.now(); e.state == "opened" {
		e.state, e.closedAt, e.updatedAt = "closed", now, now
		e.group.svc.recordState(e, e.group.svc.admin, "closed", nil)
	}
}

// Reactions returns the names of the emojis that a user reacted with.
func (e *Epic) Reactions(user *User) []string { return e.givenBy(e.group.svc, user) }

// visibleTo reports whether a user who can see the group can see the epic.
func (e *Epic) visibleTo(user *User) bool {
	return !e.confidential || user != nil && (user == e.author || slices.Contains(e.assignees, user) ||
		e.group.svc.groupLevel(user, e.group) >= Reporter)
}

const epicColor = "#1068bf"

// epicFields are the members of an epic that everybody sees.
var epicFields = []collection.Field[Epic]{
	collection.Shown("id", (*Epic).ID),
	collection.Shown("iid", (*Epic).IID),
	collection.Shown("group_id", func(e *Epic) int64 { return e.group.id }),
	collection.Shown("parent_id", func(e *Epic) any { return ofParent(e, (*Epic).ID) }),
	collection.Shown("parent_iid", func(e *Epic) any { return ofParent(e, (*Epic).IID) }),
	collection.Text("title", func(e *Epic) *string { return &e.title }),
	collection.Note("description", func(e *Epic) *string { return &e.description }),
	collection.Shown("state", func(e *Epic) string { return e.state }),
	collection.Flag("confidential", func(e *Epic) *bool { return &e.confidential }),
	collection.Shown("web_url", (*Epic).webURL),
	collection.Shown("web_edit_url", (*Epic).path),
	collection.Shown("reference", func(e *Epic) string { return "&" + frame.Itoa(e.iid) }),
	collection.Shown("references", func(e *Epic) object { return references("&", e.iid, e.group.fullPath()) }),
	collection.Shown("author", func(e *Epic) *userSummary { return e.author.summary() }),
	collection.Shown("start_date", func(e *Epic) jsonDate { return jsonDate(e.start()) }),
	collection.Shown("due_date", func(e *Epic) jsonDate { return jsonDate(e.due()) }),
	collection.Shown("end_date", func(e *Epic) jsonDate { return jsonDate(e.due()) }),
	collection.Moment("created_at", func(e *Epic) *time.Time { return &e.createdAt }),
	collection.Moment("updated_at", func(e *Epic) *time.Time { return &e.updatedAt }),
	collection.Moment("closed_at", func(e *Epic) *time.Time { return &e.closedAt }),
	collection.Shown("labels", func(e *Epic) []string { return texts(e.labels) }),
	collection.Shown("upvotes", func(e *Epic) int { return e.count("thumbsup") }),
	collection.Shown("downvotes", func(e *Epic) int { return e.count("thumbsdown") }),
	collection.Shown("color", func(e *Epic) string { return e.color }),
	collection.Shown("text_color", func(e *Epic) string { return textColor(e.color) }),
	collection.Shown("_links", (*Epic).links),
	collection.Shown("imported", func(*Epic) bool { return false }),
	collection.Shown("imported_from", func(*Epic) string { return "none" }),
}

// editedEpicFields are those that only users who may edit the epic see.
var editedEpicFields = []collection.Field[Epic]{
	collection.Day("start_date_fixed", func(e *Epic) *time.Time { return &e.startDate }),
	collection.Shown("start_date_from_inherited_source", func(e *Epic) jsonDate {
		return jsonDate(e.inheritedStart())
	}),
	collection.Shown("start_date_from_milestones", func(e *Epic) jsonDate { return jsonDate(e.inheritedStart()) }),
	collection.Flag("start_date_is_fixed", func(e *Epic) *bool { return &e.startIsFixed }),
	collection.Day("due_date_fixed", func(e *Epic) *time.Time { return &e.dueDate }),
	collection.Shown("due_date_from_inherited_source", func(e *Epic) jsonDate { return jsonDate(e.inheritedDue()) }),
	collection.Shown("due_date_from_milestones", func(e *Epic) jsonDate { return jsonDate(e.inheritedDue()) }),
	collection.Flag("due_date_is_fixed", func(e *Epic) *bool { return &e.dueIsFixed }),
}

// ofParent returns a number of the epic's parent, or nil.
func ofParent(e *Epic, number func(*Epic) int64) any {
	if e.parent == nil {
		return nil
	}
	return number(e.parent)
}

// api returns the address of the epic in the API.
func (e *Epic) api() string {
	return fmt.Sprintf("%s/api/v4/groups/%d/epics/%d", e.group.svc.address(), e.group.id, e.iid)
}

func (e *Epic) links() object {
	links := object{"self": e.api(), "epic_issues": e.api() + "/issues", "parent": nil,
		"group": fmt.Sprintf("%s/api/v4/groups/%d", e.group.svc.address(), e.group.id)}
	if e.parent != nil {
		links["parent"] = e.parent.api()
	}
	return links
}

// epicDetails returns the JSON of a single epic as the caller sees it.
func (c *call) epicDetails(e *Epic) *collection.Form {
	form := collection.Show(epicFields, e)
	form.Add("subscribed", e.subscribed(c.user))
	return c.completeEpic(e, form)
}

// epicJSON returns the JSON of an epic in lists as the caller sees it.
func (c *call) epicJSON(e *Epic, labelDetails bool) *collection.Form {
	form := collection.Show(epicFields, e)
	if labelDetails {
		form.Add("labels", c.svc.labelDetails(e.labels, func(l *label) bool { return e.group.within(l.group) }))
	}
	return c.completeEpic(e, form)
}

// completeEpic adds what only users who may edit the epic see.
func (c *call) completeEpic(e *Epic, form *collection.Form) *collection.Form {
	if c.svc.groupLevel(c.user, e.group) >= Reporter {
		form.Join(collection.Show(editedEpicFields, e))
	}
	return form
}
