package servicetest

import (
	"fmt"
	"slices"
	"strings"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

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
	Subscribed           *bool            `json:"subscribed,omitempty"` // only of a single one

	*premiumIssue
}

// premiumIssue has the members that the Premium tier adds.
type premiumIssue struct {
	Weight       *int64 `json:"weight"`
	Epic         object `json:"epic"`
	EpicIID      *int64 `json:"epic_iid"`
	Iteration    object `json:"iteration"`
	HealthStatus any    `json:"health_status"`
}

func (i *Issue) json(labelDetails bool) *issueJSON {
	p, svc := i.project, i.project.svc
	api := fmt.Sprintf("%s/api/v4/projects/%d", svc.address(), p.id)
	self := fmt.Sprintf("%s/issues/%d", api, i.iid)
	form := &issueJSON{
		ID: i.id, IID: i.iid, ProjectID: p.id, Title: i.title, Description: jsonText(i.description), State: i.state,
		IssueType: i.kind, Type: strings.ToUpper(i.kind), Author: i.author.summary(), Assignees: summaries(i.assignees),
		Assignee: first(i.assignees).summary(), Milestone: i.milestone.json(), Labels: texts(i.labels), CreatedAt: jsonTime(i.createdAt),
		UpdatedAt: jsonTime(i.updatedAt), ClosedAt: jsonTime(i.closedAt), ClosedBy: i.closedBy.summary(), DueDate: jsonDate(i.dueDate),
		Upvotes: i.count("thumbsup"), Downvotes: i.count("thumbsdown"), UserNotesCount: i.userNotes(), MergeRequestsCount: len(i.closers()),
		Confidential: i.confidential, DiscussionLocked: i.lockedFlag(), WebURL: p.webURL("-/issues", frame.Itoa(i.iid)),
		References: references("#", i.iid, p.fullPath()), TimeStats: i.timeStats(), TaskCompletionStatus: tasks(i.description),
		Links: object{
			"self": self, "notes": self + "/notes", "award_emoji": self + "/award_emoji", "project": api, "closed_as_duplicate_of": nil,
		},
		Severity: "UNKNOWN", ImportedFrom: "none",
	}
	if count := form.TaskCompletionStatus["count"]; count != 0 {
		form.HasTasks = true
		form.TaskStatus = fmt.Sprintf("%d of %d checklist items completed", form.TaskCompletionStatus["completed_count"], count)
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
	form := &premiumIssue{Weight: i.weight}
	if e := i.epic; e != nil {
		form.EpicIID = &e.iid
		form.Epic = object{
			"id": e.id, "iid": e.iid, "title": e.title, "group_id": e.group.id, "url": "/groups/" + e.group.fullPath() + "/-/epics/" + frame.Itoa(e.iid),
		}
	}
	return form
}

// issueDetails returns the JSON of a single issue, as the caller sees it.
func (c *call) issueDetails(i *Issue) *issueJSON {
	form := i.json(false)
	form.Subscribed = new(i.subscribers[c.user])
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
