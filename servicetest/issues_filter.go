package servicetest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// issueFilter reads the parameters that filter a list of issues.
func (c *call) issueFilter(of listOwner) (filter[*Issue], *reply) {
	var f filter[*Issue]
	if state := c.StringIn("state", "opened", "closed", "all"); state != "" && state != "all" {
		f.Add(func(i *Issue) bool { return i.state == state })
	}
	if kind := c.StringIn("issue_type", issueKinds...); kind != "" {
		f.Add(func(i *Issue) bool { return i.kind == kind })
	}
	if of != ofProject && c.BoolOr("non_archived", true) {
		f.Add(func(i *Issue) bool { return !i.project.archived })
	}
	if closer := c.Int64("closed_by_id"); closer != 0 {
		f.Add(func(i *Issue) bool { return i.closedBy != nil && i.closedBy.id == closer })
	}
	c.filterDueDates(&f)
	if refusal := c.filterCounted(&f, of); refusal != nil {
		return nil, refusal
	}
	return f, c.Refusal()
}

// filterCounted reads the parameters that statistics have, too.
func (c *call) filterCounted(f *filter[*Issue], of listOwner) *reply {
	c.Exclusive("milestone", "milestone_id")
	c.Exclusive("assignee_id", "assignee_username")
	c.Exclusive("iteration_id", "iteration_title")
	filterTopics(c, f)
	filterSearch(c, f, true)
	filterScope(c, f, of == ofInstance)
	if c.Has("confidential") {
		confidential := c.Bool("confidential")
		f.Add(func(i *Issue) bool { return i.confidential == confidential })
	}
	if iids := c.Int64s("iids"); len(iids) > 0 {
		f.Add(func(i *Issue) bool { return slices.Contains(iids, i.iid) })
	}
	c.filterIssuePeople(f)
	c.filterMilestoneDates(f)
	return c.filterPremiumIssues(f)
}

var issueKinds = []string{"issue", "incident", "test_case", "task"}

func (c *call) filterIssuePeople(f *filter[*Issue]) {
	names := c.SplitStrings("assignee_username")
	for i := range names {
		names[i] = strings.ToLower(names[i])
	}
	f.Has(idsOf(assignees[*Issue]), c.WantedIDOrWord("assignee_id"))
	f.Has(usernamesOf(assignees[*Issue]), names)
	not := c.Sub("not")
	f.Lacks(idsOf(assignees[*Issue]), not.WantedID("assignee_id"))
	unwanted := not.SplitStrings("assignee_username")
	for i := range unwanted {
		unwanted[i] = strings.ToLower(unwanted[i])
	}
	f.Lacks(usernamesOf(assignees[*Issue]), unwanted)
	if iids := not.Int64s("iids"); len(iids) > 0 {
		f.Add(func(i *Issue) bool { return !slices.Contains(iids, i.iid) })
	}
}

func (c *call) filterDueDates(f *filter[*Issue]) {
	if word := c.StringIn("due_date", "0", "any", "today", "tomorrow", "overdue", "week", "month",
		"next_month_and_previous_two_weeks"); word != "" {
		today := c.now().Truncate(24 * time.Hour)
		f.Add(func(i *Issue) bool { return i.isDue(word, today) })
	}
}

// filterMilestoneDates reads milestone_id, which is a word about dates.
func (c *call) filterMilestoneDates(f *filter[*Issue]) {
	words := []string{"None", "Any", "Upcoming", "Started"}
	if word := c.StringIn("milestone_id", words...); word != "" {
		now := c.now()
		f.Add(func(i *Issue) bool { return i.milestone.is(word, now) })
	}
	if word := c.Sub("not").StringIn("milestone_id", words...); word != "" {
		now := c.now()
		f.Add(func(i *Issue) bool { return !i.milestone.is(word, now) })
	}
}

// isDue reports whether the due date of the issue is in the span that a word stands
// for.
func (i *Issue) isDue(word string, today time.Time) bool {
	if i.dueDate.IsZero() || word == "0" {
		return i.dueDate.IsZero() && word == "0"
	}
	due := i.dueDate.Truncate(24 * time.Hour)
	between := func(from, to time.Time) bool { return !due.Before(from) && due.Before(to) }
	monday := today.AddDate(0, 0, -(int(today.Weekday())+6)%7)
	first := today.AddDate(0, 0, 1-today.Day())
	switch word {
	case "today":
		return due.Equal(today)
	case "tomorrow":
		return due.Equal(today.AddDate(0, 0, 1))
	case "overdue":
		return due.Before(today)
	case "week":
		return between(monday, monday.AddDate(0, 0, 7))
	case "month":
		return between(first, first.AddDate(0, 1, 0))
	case "next_month_and_previous_two_weeks":
		return between(today.AddDate(0, 0, -14), first.AddDate(0, 2, 0))
	}
	return true // any
}

// is reports whether a milestone, or nil for no milestone, matches a word.
func (m *Milestone) is(word string, now time.Time) bool {
	switch {
	case m == nil || word == "None":
		return m == nil && word == "None"
	case word == "Upcoming":
		return !m.closed && m.dueDate.After(now)
	case word == "Started":
		return !m.closed && !m.startDate.IsZero() && !m.startDate.After(now)
	}
	return true // Any
}

// filterPremiumIssues reads the parameters of the Premium tier. The embedded service
// has no health statuses.
func (c *call) filterPremiumIssues(f *filter[*Issue]) *reply {
	not := c.Sub("not")
	names := []string{"weight", "epic_id", "iteration_id", "iteration_title", "health_status"}
	if !slices.ContainsFunc(names, func(name string) bool { return c.Has(name) || not.Has(name) }) {
		return nil
	}
	if refusal := c.requireTier(Premium); refusal != nil {
		return refusal
	}
	nothing := func(*Issue) []string { return nil }
	f.Has(weightOf, c.WantedIDOrWord("weight"))
	f.Has(epicOf, c.WantedIDOrWord("epic_id"))
	f.Has(iterationOf, c.WantedIDOrWord("iteration_id"))
	f.Has(iterationTitleOf, c.WantedString("iteration_title"))
	f.Has(nothing, c.WantedString("health_status"))
	f.Lacks(weightOf, not.WantedIDOrWord("weight"))
	f.Lacks(iterationOf, not.WantedIDOrWord("iteration_id"))
	f.Lacks(iterationTitleOf, not.WantedString("iteration_title"))
	return nil
}

func weightOf(i *Issue) []string {
	return facet(i.weight, func(n *int64) string { return frame.Itoa(*n) })
}
func epicOf(i *Issue) []string {
	return facet(i.epic, func(e *Epic) string { return frame.Itoa(e.id) })
}
func iterationOf(i *Issue) []string {
	return facet(i.iteration, func(it *Iteration) string { return frame.Itoa(it.ID) })
}

// facet returns the value of what an issue may have, for filters. Without it, there is none.
func facet[T any](of *T, value func(*T) string) []string {
	if of == nil {
		return nil
	}
	return []string{value(of)}
}

func iterationTitleOf(i *Issue) []string {
	if i.iteration == nil || i.iteration.Title == "" {
		return nil
	}
	return []string{i.iteration.Title}
}

// issueOrders are the orders of a list of issues. The default is the newest first.
var issueOrders = []collection.Order[Issue]{
	collection.ByTime("created_at", func(i *Issue) time.Time { return i.createdAt }),
	collection.ByTime("updated_at", func(i *Issue) time.Time { return i.updatedAt }),
	collection.By("priority", (*Issue).labelPriority),
	collection.ByTime("due_date", func(i *Issue) time.Time { return i.dueDate }),
	collection.By("relative_position", func(i *Issue) float64 { return i.position }),
	collection.By("label_priority", (*Issue).labelPriority),
	collection.ByTime("milestone_due", func(i *Issue) time.Time { return i.milestone.due() }),
	collection.By("popularity", func(i *Issue) int { return i.count("thumbsup") }),
	collection.By("weight", func(i *Issue) int64 { return valueOr(i.weight, -1) }),
	collection.By("title", func(i *Issue) string { return strings.ToLower(i.title) }),
}

func (m *Milestone) due() time.Time {
	if m == nil {
		return time.Time{}
	}
	return m.dueDate
}

func valueOr(p *int64, fallback int64) int64 {
	if p == nil {
		return fallback
	}
	return *p
}

// labelPriority returns the highest priority of the issue's labels.
func (i *Issue) labelPriority() int64 { return i.project.topPriority(i.labels) }

// topPriority returns the highest priority of labels in the project.
func (p *Project) topPriority(names []string) int64 {
	const none = int64(1) << 62
	best := none
	for _, name := range names {
		if l := p.svc.label(name, func(l *label) bool { return l.isOf(p) }); l != nil {
			best = min(best, valueOr(l.priorityIn(p), none))
		}
	}
	return best
}

// issueJSON is the JSON of an issue in lists.
type issueJSON struct {
	ID                   int64            `json:"id"`
	IID                  int64            `json:"iid"`
	ProjectID            int64            `json:"project_id"`
	Title                string           `json:"title"`
	Description          jsonText         `json:"description"`
	State                string           `json:"state"`
	IssueType            string           `json:"issue_type"`
	Type                 string           `json:"type"`
	Author               *userSummary     `json:"author"`
	Assignees            []*userSummary   `json:"assignees"`
	Assignee             *userSummary     `json:"assignee"`
	Milestone            *collection.Form `json:"milestone"`
	Labels               any              `json:"labels"` // names, or details
	CreatedAt            jsonTime         `json:"created_at"`
	UpdatedAt            jsonTime         `json:"updated_at"`
	ClosedAt             jsonTime         `json:"closed_at"`
	ClosedBy             *userSummary     `json:"closed_by"`
	StartDate            jsonDate         `json:"start_date"` // which only work items can set
	DueDate              jsonDate         `json:"due_date"`
	Upvotes              int              `json:"upvotes"`
	Downvotes            int              `json:"downvotes"`
	UserNotesCount       int              `json:"user_notes_count"`
	MergeRequestsCount   int              `json:"merge_requests_count"`
	Confidential         bool             `json:"confidential"`
	DiscussionLocked     *bool            `json:"discussion_locked"`
	WebURL               string           `json:"web_url"`
	References           object           `json:"references"`
	TimeStats            timeStats        `json:"time_stats"`
	TaskCompletionStatus object           `json:"task_completion_status"`
	HasTasks             bool             `json:"has_tasks"`
	TaskStatus           string           `json:"task_status,omitempty"`
	Links                object           `json:"_links"`
	MovedToID            *int64           `json:"moved_to_id"`
	ServiceDeskReplyTo   jsonText         `json:"service_desk_reply_to"`
	Severity             string           `json:"severity"`
	BlockingIssuesCount  int              `json:"blocking_issues_count"`
	Imported             bool             `json:"imported"`
	ImportedFrom         string           `json:"imported_from"`
	Subscribed           *bool            `json:"subscribed,omitempty"` // only for a single issue

	*premiumIssue
}

// premiumIssue has the members that the Premium tier adds.
type premiumIssue struct {
	Weight       *int64           `json:"weight"`
	Epic         object           `json:"epic"`
	EpicIID      *int64           `json:"epic_iid"`
	Iteration    *collection.Form `json:"iteration"`
	HealthStatus any              `json:"health_status"`
}

func (i *Issue) json(labelDetails bool) *issueJSON {
	p, svc := i.project, i.project.svc
	api := fmt.Sprintf("%s/api/v4/projects/%d", svc.address(), p.id)
	self := fmt.Sprintf("%s/issues/%d", api, i.iid)
	form := &issueJSON{
		ID: i.id, IID: i.iid, ProjectID: p.id, Title: i.title, Description: jsonText(i.description), State: i.state,
		IssueType: i.kind, Type: strings.ToUpper(i.kind), Author: i.author.summary(), Assignees: summaries(i.assignees),
		Assignee: first(i.assignees).summary(), Milestone: i.milestone.json(), Labels: texts(i.labels),
		CreatedAt: jsonTime(i.createdAt),
		UpdatedAt: jsonTime(i.updatedAt), ClosedAt: jsonTime(i.closedAt), ClosedBy: i.closedBy.summary(),
		DueDate: jsonDate(i.dueDate),
		Upvotes: i.count("thumbsup"), Downvotes: i.count("thumbsdown"), UserNotesCount: i.userNotes(),
		MergeRequestsCount: len(i.closers()),
		Confidential:       i.confidential, DiscussionLocked: i.lockedFlag(),
		WebURL:     p.webURL("-/issues", frame.Itoa(i.iid)),
		References: references("#", i.iid, p.fullPath()), TimeStats: i.timeStats(),
		TaskCompletionStatus: tasks(i.description),
		Links: object{
			"self": self, "notes": self + "/notes", "award_emoji": self + "/award_emoji", "project": api,
			"closed_as_duplicate_of": nil,
		},
		Severity: "UNKNOWN", BlockingIssuesCount: i.blocked(), ImportedFrom: "none",
	}
	if count := form.TaskCompletionStatus["count"]; count != 0 {
		form.HasTasks = true
		form.TaskStatus = fmt.Sprintf("%d of %d checklist items completed",
			form.TaskCompletionStatus["completed_count"], count)
	}
	if labelDetails {
		form.Labels = p.labelDetails(i.labels)
	}
	if i.movedTo != nil {
		form.MovedToID = &i.movedTo.id
	}
	if svc.settings.tier >= Premium {
		form.premiumIssue = i.premium()
	}
	return form
}

func (i *Issue) premium() *premiumIssue {
	form := &premiumIssue{Weight: i.weight, Iteration: i.iteration.json(i)}
	if e := i.epic; e != nil {
		form.EpicIID = &e.iid
		form.Epic = object{
			"id": e.id, "iid": e.iid, "title": e.title, "group_id": e.group.id, "url": e.path(),
		}
		if due := e.due(); !due.IsZero() {
			form.Epic["human_readable_end_date"] = due.Format("Jan 2, 2006")
			if start := e.start(); !start.IsZero() {
				form.Epic["human_readable_timestamp"] = remaining(start, due, e.group.svc.now())
			}
		}
	}
	return form
}

// remaining returns what is left of a span of days, as HTML.
func remaining(start, due, now time.Time) string {
	today := now.Truncate(24 * time.Hour)
	switch days := int(due.Sub(today).Hours() / 24); {
	case days < 0:
		return "<strong>Past due</strong>"
	case start.After(today):
		return "<strong>Upcoming</strong>"
	case days == 1:
		return "<strong>1</strong> day remaining"
	default:
		return fmt.Sprintf("<strong>%d</strong> days remaining", days)
	}
}

// issueDetails returns the JSON of a single issue as the caller sees it.
func (c *call) issueDetails(i *Issue) *issueJSON {
	form := i.json(false)
	form.Subscribed = new(i.subscribed(c.user))
	return form
}

// closers returns the open merge requests whose descriptions say that they close
// the issue.
func (i *Issue) closers() []*MergeRequest {
	ref := frame.Itoa(i.iid)
	return i.project.mergeRequests().all(func(m *MergeRequest) bool {
		return m.state == "opened" && slices.Contains(closingRefs(m.description), ref)
	})
}
