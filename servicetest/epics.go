package servicetest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
)

func listEpics(c *call, group *Group) *reply {
	f := c.epicFilter()
	above, below := c.Bool("include_ancestor_groups"), c.BoolOr("include_descendant_groups", true)
	orderBy, ascending := c.StringIn("order_by", "created_at", "updated_at", "title"),
		c.StringIn("sort", "asc", "desc") == "asc"
	details := c.Bool("with_labels_details")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	found := f.Apply(state[epicState](c.svc).epics.all(func(e *Epic) bool {
		of := e.group == group || above && group.within(e.group) || below && e.group.within(group)
		return of && c.svc.canSeeGroup(c.user, e.group) && e.visibleTo(c.user)
	}))
	slices.SortFunc(found, func(a, b *Epic) int {
		if !ascending {
			a, b = b, a
		}
		return cmp.Or(compareEpics(a, b, orderBy), cmp.Compare(a.id, b.id))
	})
	return frame.ListOf(c, found, func(e *Epic) *epicJSON { return c.epicJSON(e, details) })
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

func compareEpics(a, b *Epic, orderBy string) int {
	switch orderBy {
	case "title":
		return cmp.Compare(strings.ToLower(a.title), strings.ToLower(b.title))
	case "updated_at":
		return a.updatedAt.Compare(b.updatedAt)
	}
	return a.createdAt.Compare(b.createdAt)
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
	found := state[epicState](g.svc).epics.all(func(e *Epic) bool {
		return e.group == g && (e.iid == iid || e.id == id)
	})
	if len(found) == 0 {
		return nil, false
	}
	return found[0], true
}

// epicDetails returns the JSON of a single epic as the caller sees it.
func (c *call) epicDetails(e *Epic) *epicJSON {
	form := c.epicJSON(e, false)
	form.Subscribed = new(e.subscribed(c.user))
	return form
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
func (e *Epic) Reactions(user *User) []string {
	defer e.group.svc.lock()()
	return e.reactionsOf(user)
}

// visibleTo reports whether a user who can see the group can see the epic.
func (e *Epic) visibleTo(user *User) bool {
	return !e.confidential || user != nil && (user == e.author || slices.Contains(e.assignees, user) ||
		e.group.svc.groupLevel(user, e.group) >= Reporter)
}

// epicJSON is the JSON of an epic in lists.
type epicJSON struct {
	ID           int64        `json:"id"`
	IID          int64        `json:"iid"`
	GroupID      int64        `json:"group_id"`
	ParentID     *int64       `json:"parent_id"`
	ParentIID    *int64       `json:"parent_iid"`
	Title        string       `json:"title"`
	Description  jsonText     `json:"description"`
	State        string       `json:"state"`
	Confidential bool         `json:"confidential"`
	WebURL       string       `json:"web_url"`
	WebEditURL   string       `json:"web_edit_url"`
	Reference    string       `json:"reference"`
	References   object       `json:"references"`
	Author       *userSummary `json:"author"`
	StartDate    jsonDate     `json:"start_date"`
	DueDate      jsonDate     `json:"due_date"`
	EndDate      jsonDate     `json:"end_date"`
	CreatedAt    jsonTime     `json:"created_at"`
	UpdatedAt    jsonTime     `json:"updated_at"`
	ClosedAt     jsonTime     `json:"closed_at"`
	Labels       any          `json:"labels"` // names, or details
	Upvotes      int          `json:"upvotes"`
	Downvotes    int          `json:"downvotes"`
	Color        string       `json:"color"`
	TextColor    string       `json:"text_color"`
	Links        object       `json:"_links"`
	Imported     bool         `json:"imported"`
	ImportedFrom string       `json:"imported_from"`
	Subscribed   *bool        `json:"subscribed,omitempty"` // only for a single epic

	*editedEpic
}

// editedEpic has the members that only users who may edit the epic see.
type editedEpic struct {
	StartDateFixed               jsonDate `json:"start_date_fixed"`
	StartDateFromInheritedSource jsonDate `json:"start_date_from_inherited_source"`
	StartDateFromMilestones      jsonDate `json:"start_date_from_milestones"`
	StartDateIsFixed             bool     `json:"start_date_is_fixed"`
	DueDateFixed                 jsonDate `json:"due_date_fixed"`
	DueDateFromInheritedSource   jsonDate `json:"due_date_from_inherited_source"`
	DueDateFromMilestones        jsonDate `json:"due_date_from_milestones"`
	DueDateIsFixed               bool     `json:"due_date_is_fixed"`
}

const epicColor = "#1068bf"

// epicJSON returns the JSON of an epic as the caller sees it.
func (c *call) epicJSON(e *Epic, labelDetails bool) *epicJSON {
	api := fmt.Sprintf("%s/api/v4/groups/%d", c.svc.address(), e.group.id)
	self := fmt.Sprintf("%s/epics/%d", api, e.iid)
	links := object{"self": self, "epic_issues": self + "/issues", "group": api, "parent": nil}
	form := &epicJSON{
		ID: e.id, IID: e.iid, GroupID: e.group.id, Title: e.title, Description: jsonText(e.description), State: e.state,
		Confidential: e.confidential,
		WebURL:       c.svc.webURL("groups", e.group.fullPath(), "-/epics", frame.Itoa(e.iid)), WebEditURL: e.path(),
		Reference: "&" +
			frame.Itoa(e.iid),
		References: references("&", e.iid, e.group.fullPath()), Author: e.author.summary(),
		StartDate: jsonDate(e.start()),
		DueDate:   jsonDate(e.due()), EndDate: jsonDate(e.due()), CreatedAt: jsonTime(e.createdAt),
		UpdatedAt: jsonTime(e.updatedAt),
		ClosedAt:  jsonTime(e.closedAt), Labels: texts(e.labels), Upvotes: e.count("thumbsup"),
		Downvotes: e.count("thumbsdown"),
		Color:     e.color, TextColor: textColor(e.color), Links: links, ImportedFrom: "none",
	}
	if e.parent != nil {
		form.ParentID, form.ParentIID = &e.parent.id, &e.parent.iid
		links["parent"] = fmt.Sprintf("%s/api/v4/groups/%d/epics/%d", c.svc.address(), e.parent.group.id, e.parent.iid)
	}
	if labelDetails {
		form.Labels = c.svc.labelDetails(e.labels, func(l *label) bool { return e.group.within(l.group) })
	}
	if c.svc.groupLevel(c.user, e.group) >= Reporter {
		start, due := jsonDate(e.inheritedStart()), jsonDate(e.inheritedDue())
		form.editedEpic = &editedEpic{
			StartDateFixed: jsonDate(e.startDate), StartDateIsFixed: e.startIsFixed,
			StartDateFromInheritedSource: start, StartDateFromMilestones: start,
			DueDateFixed: jsonDate(e.dueDate), DueDateIsFixed: e.dueIsFixed,
			DueDateFromInheritedSource: due, DueDateFromMilestones: due,
		}
	}
	return form
}
