package servicetest

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/gitrepo"
)

// mergeRequestJSON is the JSON of a merge request in lists.
type mergeRequestJSON struct {
	ID                        int64            `json:"id"`
	IID                       int64            `json:"iid"`
	ProjectID                 int64            `json:"project_id"`
	Title                     string           `json:"title"`
	Description               string           `json:"description"`
	State                     string           `json:"state"`
	MergedBy                  *userSummary     `json:"merged_by"`
	MergeUser                 *userSummary     `json:"merge_user"`
	MergedAt                  jsonTime         `json:"merged_at"`
	ClosedBy                  *userSummary     `json:"closed_by"`
	ClosedAt                  jsonTime         `json:"closed_at"`
	CreatedAt                 jsonTime         `json:"created_at"`
	UpdatedAt                 jsonTime         `json:"updated_at"`
	TargetBranch              string           `json:"target_branch"`
	SourceBranch              string           `json:"source_branch"`
	SourceProjectID           int64            `json:"source_project_id"`
	TargetProjectID           int64            `json:"target_project_id"`
	Upvotes                   int              `json:"upvotes"`
	Downvotes                 int              `json:"downvotes"`
	Author                    *userSummary     `json:"author"`
	Assignee                  *userSummary     `json:"assignee"`
	Assignees                 []*userSummary   `json:"assignees"`
	Reviewers                 []*userSummary   `json:"reviewers"`
	Labels                    any              `json:"labels"` // names, or details
	Draft                     bool             `json:"draft"`
	WorkInProgress            bool             `json:"work_in_progress"`
	Milestone                 *collection.Form `json:"milestone"`
	MergeWhenPipelineSucceeds bool             `json:"merge_when_pipeline_succeeds"`
	MergeStatus               string           `json:"merge_status"`
	DetailedMergeStatus       string           `json:"detailed_merge_status"`
	DiscussionsResolved       bool             `json:"blocking_discussions_resolved"`
	PreparedAt                jsonTime         `json:"prepared_at"`
	MergeAfter                jsonTime         `json:"merge_after"`
	HasConflicts              bool             `json:"has_conflicts"`
	SHA                       jsonText         `json:"sha"`
	MergeCommitSHA            jsonText         `json:"merge_commit_sha"`
	SquashCommitSHA           jsonText         `json:"squash_commit_sha"`
	UserNotesCount            int              `json:"user_notes_count"`
	DiscussionLocked          *bool            `json:"discussion_locked"`
	ShouldRemoveSourceBranch  bool             `json:"should_remove_source_branch"`
	ForceRemoveSourceBranch   bool             `json:"force_remove_source_branch"`
	AllowCollaboration        *bool            `json:"allow_collaboration,omitempty"` // only if it is from a fork
	AllowMaintainerToPush     *bool            `json:"allow_maintainer_to_push,omitempty"`
	WebURL                    string           `json:"web_url"`
	Reference                 string           `json:"reference"`
	References                object           `json:"references"`
	TimeStats                 timeStats        `json:"time_stats"`
	Squash                    bool             `json:"squash"`
	SquashOnMerge             bool             `json:"squash_on_merge"`
	TaskCompletionStatus      object           `json:"task_completion_status"`
	ApprovalsBeforeMerge      *int64           `json:"approvals_before_merge"`
	Imported                  bool             `json:"imported"`
	ImportedFrom              string           `json:"imported_from"`
	TitleHTML                 *string          `json:"title_html,omitempty"`
	DescriptionHTML           *string          `json:"description_html,omitempty"`
}

// mergeRequestDetails is the JSON of a single merge request.
type mergeRequestDetails struct {
	mergeRequestJSON

	RebaseInProgress            *bool            `json:"rebase_in_progress,omitempty"`
	MergeError                  jsonText         `json:"merge_error"`
	Subscribed                  bool             `json:"subscribed"`
	FirstContribution           bool             `json:"first_contribution"`
	User                        object           `json:"user"`
	ChangesCount                jsonText         `json:"changes_count"`
	LatestBuildStartedAt        jsonTime         `json:"latest_build_started_at"`
	LatestBuildFinishedAt       jsonTime         `json:"latest_build_finished_at"`
	FirstDeployedToProductionAt jsonTime         `json:"first_deployed_to_production_at"`
	Pipeline                    *requestPipeline `json:"pipeline"`
	HeadPipeline                *pipelineObject  `json:"head_pipeline"`
	DiffRefs                    object           `json:"diff_refs"`
	DivergedCommitsCount        *int             `json:"diverged_commits_count,omitempty"`
}

// requestPipeline is the JSON of a pipeline in a merge request.
type requestPipeline struct {
	ID        int64    `json:"id"`
	IID       int64    `json:"iid"`
	ProjectID int64    `json:"project_id"`
	SHA       string   `json:"sha"`
	Ref       string   `json:"ref"`
	Status    string   `json:"status"`
	Source    string   `json:"source"`
	CreatedAt jsonTime `json:"created_at"`
	UpdatedAt jsonTime `json:"updated_at"`
	WebURL    string   `json:"web_url"`
}

func (p *Pipeline) inRequest() *requestPipeline {
	e := p.entry()
	return &requestPipeline{e.ID, e.IID, e.ProjectID, e.SHA, e.Ref, e.Status, e.Source, e.CreatedAt, e.UpdatedAt, e.WebURL}
}

type timeStats struct {
	TimeEstimate        int64    `json:"time_estimate"`
	TotalTimeSpent      int64    `json:"total_time_spent"`
	HumanTimeEstimate   jsonText `json:"human_time_estimate"`
	HumanTotalTimeSpent jsonText `json:"human_total_time_spent"`
}

// json returns the JSON for lists. simple and full are for the parameters view
// and with_labels_details.
func (m *MergeRequest) json(labelDetails bool) mergeRequestJSON {
	iid := strconv.FormatInt(m.iid, 10)
	form := mergeRequestJSON{
		ID: m.id, IID: m.iid, ProjectID: m.project.id, Title: m.title, Description: m.description, State: m.state,
		MergeUser: m.mergeUser.summary(), MergedAt: jsonTime(m.mergedAt), ClosedBy: m.closedBy.summary(), ClosedAt: jsonTime(m.closedAt),
		CreatedAt: jsonTime(m.createdAt), UpdatedAt: jsonTime(m.updatedAt), TargetBranch: m.targetBranch, SourceBranch: m.sourceBranch,
		SourceProjectID: m.source.id, TargetProjectID: m.project.id, Upvotes: m.count("thumbsup"), Downvotes: m.count("thumbsdown"),
		Author: m.author.summary(), Assignee: first(m.assignees).summary(), Assignees: summaries(m.assignees), Reviewers: summaries(m.reviewers),
		Labels: texts(m.labels), Draft: m.isDraft(), WorkInProgress: m.isDraft(), Milestone: m.milestone.json(),
		MergeWhenPipelineSucceeds: m.later != nil, MergeStatus: m.mergeStatus(), HasConflicts: m.conflicts,
		DetailedMergeStatus: m.detailedMergeStatus(), DiscussionsResolved: m.discussionsResolved(), PreparedAt: jsonTime(m.preparedAt), MergeAfter: jsonTime(m.mergeAfter),
		SHA: jsonText(m.headSHA()), MergeCommitSHA: jsonText(shaOf(m.mergeCommit)), SquashCommitSHA: jsonText(shaOf(m.squashCommit)),
		UserNotesCount: m.userNotes(), ShouldRemoveSourceBranch: m.removedBy, ForceRemoveSourceBranch: m.removeSource,
		DiscussionLocked: m.lockedFlag(), WebURL: m.project.webURL("-/merge_requests", iid),
		Reference: "!" + iid, References: references("!", m.iid, m.project.fullPath()),
		TimeStats: m.timeStats(), Squash: m.squash, SquashOnMerge: m.squashes(m.squash), ImportedFrom: "none", TaskCompletionStatus: tasks(m.description), ApprovalsBeforeMerge: m.approvals,
	}
	if labelDetails {
		form.Labels = m.project.labelDetails(m.labels)
	}
	if m.state == "merged" {
		form.MergedBy = form.MergeUser
	}
	if m.source != m.project {
		form.AllowCollaboration, form.AllowMaintainerToPush = &m.allowsPush, &m.allowsPush
	}
	return form
}

// simple returns the JSON for view=simple.
func (m *MergeRequest) simple() object {
	return object{
		"iid": m.iid, "web_url": m.project.webURL("-/merge_requests", strconv.FormatInt(m.iid, 10)),
		"title": m.title, "description": m.description, "state": m.state,
	}
}

// details returns the JSON of a single merge request, as the caller sees it. It
// checks for conflicts first.
func (c *call) details(m *MergeRequest) *mergeRequestDetails {
	m.check()
	form := &mergeRequestDetails{
		mergeRequestJSON: m.json(false), MergeError: jsonText(m.mergeError), Subscribed: m.subscribers[c.user],
		FirstContribution: m.isFirst(), User: object{"can_merge": m.mayMerge(c.user)}, FirstDeployedToProductionAt: jsonTime(m.productionTime),
	}
	if p := m.headPipeline(); p != nil {
		form.Pipeline, form.HeadPipeline = p.inRequest(), p.object()
		started, finished := p.period()
		form.LatestBuildStartedAt, form.LatestBuildFinishedAt = jsonTime(started), jsonTime(finished)
	}
	switch {
	case m.preparing:
		form.DiffRefs = object{"base_sha": nil, "start_sha": jsonText(shaOf(m.refs().start)), "head_sha": nil}
		form.SHA = ""
	case len(m.versions) > 0:
		newest := m.versions[len(m.versions)-1]
		form.ChangesCount = jsonText(strconv.Itoa(gitrepo.CountFiles(newest.base.Tree, newest.head.Tree)))
		form.DiffRefs = object{"base_sha": newest.base.SHA, "start_sha": newest.start.SHA, "head_sha": newest.head.SHA}
	default:
		form.ChangesCount = "0"
	}
	return form
}

// diverged returns the number of commits of the target branch that the source
// branch does not have.
func (m *MergeRequest) diverged() int {
	refs := m.refs()
	if refs.head == nil || refs.start == nil {
		return 0
	}
	return len(m.project.repository().Between(refs.head, refs.start))
}

// isFirst reports whether no earlier merge request of the author was merged in
// the project.
func (m *MergeRequest) isFirst() bool {
	return len(m.project.mergeRequests().all(func(other *MergeRequest) bool {
		return other.author == m.author && other.state == "merged" && other.id < m.id
	})) == 0
}

// workingTime formats a duration as "1w 2d 3h 30m". A week has five days, and a
// day has eight hours.
func workingTime(d time.Duration) string {
	var parts []string
	for _, unit := range []struct {
		name string
		size time.Duration
	}{{"w", 40 * time.Hour}, {"d", 8 * time.Hour}, {"h", time.Hour}, {"m", time.Minute}} {
		if n := d / unit.size; n > 0 {
			parts = append(parts, fmt.Sprintf("%d%s", n, unit.name))
			d -= n * unit.size
		}
	}
	return strings.Join(parts, " ")
}

var task = regexp.MustCompile(`(?m)^\s*(?:[-*+]|\d+\.)\s+\[([ xX])\]\s`)

// tasks counts the check boxes in a description.
func tasks(description string) object {
	all := task.FindAllStringSubmatch(description+"\n", -1)
	done := 0
	for _, match := range all {
		if match[1] != " " {
			done++
		}
	}
	return object{"count": len(all), "completed_count": done}
}

// texts returns a slice that is not encoded as null.
func texts(items []string) []string { return append([]string{}, items...) }

// first returns the first user, or nil if there is none.
func first(users []*User) *User {
	if len(users) == 0 {
		return nil
	}
	return users[0]
}

// summaries returns the short JSON of users, never null.
func summaries(users []*User) []*userSummary {
	forms := make([]*userSummary, 0, len(users))
	for _, user := range users {
		forms = append(forms, user.summary())
	}
	return forms
}
