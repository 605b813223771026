package servicetest

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
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
	SourceProjectID           *int64           `json:"source_project_id"` // null if the fork is gone
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
	AllowCollaboration        *bool            `json:"allow_collaboration,omitempty"` // only for a fork
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
	Subscribed                  *bool            `json:"subscribed,omitempty"`
	FirstContribution           *bool            `json:"first_contribution,omitempty"`
	User                        object           `json:"user"`
	ChangesCount                jsonText         `json:"changes_count"`
	LatestBuildStartedAt        jsonTime         `json:"latest_build_started_at"`
	LatestBuildFinishedAt       jsonTime         `json:"latest_build_finished_at"`
	FirstDeployedToProductionAt jsonTime         `json:"first_deployed_to_production_at"`
	Pipeline                    *collection.Form `json:"pipeline"`
	HeadPipeline                any              `json:"head_pipeline"`
	DiffRefs                    object           `json:"diff_refs"`
	DivergedCommitsCount        *int             `json:"diverged_commits_count,omitempty"`
}

// inRequest returns the JSON of a pipeline in a merge request.
func (p *Pipeline) inRequest() *collection.Form {
	e := p.entry()
	return inOrder("id", e.ID, "iid", e.IID, "project_id", e.ProjectID, "sha", e.SHA, "ref", e.Ref,
		"status", e.Status, "source", e.Source, "created_at", e.CreatedAt, "updated_at", e.UpdatedAt,
		"web_url", e.WebURL)
}

type timeStats struct {
	TimeEstimate        int64    `json:"time_estimate"`
	TotalTimeSpent      int64    `json:"total_time_spent"`
	HumanTimeEstimate   jsonText `json:"human_time_estimate"`
	HumanTotalTimeSpent jsonText `json:"human_total_time_spent"`
}

// json returns the JSON for lists. labelDetails is the parameter with_labels_details.
func (m *MergeRequest) json(labelDetails bool) mergeRequestJSON {
	iid := strconv.FormatInt(m.iid, 10)
	form := mergeRequestJSON{
		ID: m.id, IID: m.iid, ProjectID: m.project.id, Title: m.title, Description: m.description, State: m.state,
		MergeUser: m.mergeUser.summary(), MergedAt: jsonTime(m.mergedAt), ClosedBy: m.closedBy.summary(),
		ClosedAt:  jsonTime(m.closedAt),
		CreatedAt: jsonTime(m.createdAt), UpdatedAt: jsonTime(m.updatedAt), TargetBranch: m.targetBranch,
		SourceBranch:    m.sourceBranch,
		TargetProjectID: m.project.id, Upvotes: m.count("thumbsup"),
		Downvotes: m.count("thumbsdown"),
		Author:    m.author.summary(), Assignee: first(m.assignees).summary(), Assignees: summaries(m.assignees),
		Reviewers: summaries(m.reviewers),
		Labels:    texts(m.labels), Draft: m.isDraft(), WorkInProgress: m.isDraft(), Milestone: m.milestone.json(),
		MergeWhenPipelineSucceeds: m.later != nil, MergeStatus: m.mergeStatus(), HasConflicts: m.conflicts,
		DetailedMergeStatus: m.detailedMergeStatus(), DiscussionsResolved: m.discussionsResolved(),
		PreparedAt: jsonTime(m.preparedAt), MergeAfter: jsonTime(m.mergeAfter),
		SHA: jsonText(m.headSHA()), MergeCommitSHA: jsonText(shaOf(m.mergeCommit)),
		SquashCommitSHA: jsonText(shaOf(m.squashCommit)),
		UserNotesCount:  m.userNotes(), ShouldRemoveSourceBranch: m.removedBy, ForceRemoveSourceBranch: m.removeSource,
		DiscussionLocked: m.lockedFlag(), WebURL: m.project.webURL("-/merge_requests", iid),
		Reference: "!" + iid, References: references("!", m.iid, m.project.fullPath()),
		TimeStats: m.timeStats(), Squash: m.squash, SquashOnMerge: m.squashes(m.squash), ImportedFrom: "none",
		TaskCompletionStatus: tasks(m.description), ApprovalsBeforeMerge: m.approvalsNeeded(),
	}
	if labelDetails {
		form.Labels = m.project.labelDetails(m.labels)
	}
	if m.state == "merged" {
		form.MergedBy = form.MergeUser
	}
	if m.svc.hasProject(m.source) {
		form.SourceProjectID = &m.source.id
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

// details returns the JSON of a single merge request as the caller sees it. It checks
// for conflicts first.
func (c *call) details(m *MergeRequest) *mergeRequestDetails {
	form := c.related(m)
	form.Subscribed, form.FirstContribution = new(m.subscribed(c.user)), new(m.isFirst())
	return form
}

// related returns the JSON of a merge request in the list of those that an issue is
// related to, which is almost that of a single one.
func (c *call) related(m *MergeRequest) *mergeRequestDetails {
	m.check()
	form := &mergeRequestDetails{
		mergeRequestJSON: m.json(false), MergeError: jsonText(m.mergeError),
		User:                        object{"can_merge": m.mayMerge(c.user)},
		FirstDeployedToProductionAt: jsonTime(m.productionTime),
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

// diverged returns how many commits of the target branch are missing in the source
// branch.
func (m *MergeRequest) diverged() int {
	refs := m.refs()
	if refs.head == nil || refs.start == nil {
		return 0
	}
	return len(m.project.repository().Between(refs.head, refs.start))
}

// isFirst reports whether this is the author's first merge request in the project: none
// was merged before.
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

// texts returns a copy that is never encoded as null.
func texts(items []string) []string { return append([]string{}, items...) }

// summaries returns the short JSON of users, never null.
func summaries(users []*User) []*userSummary { return mapped(users, (*User).summary) }

var (
	closing = regexp.MustCompile(
		`(?i)\b(?:clos(?:e|es|ed|ing)|fix(?:es|ed|ing)?|resolv(?:e|es|ed|ing)|implement(?:s|ed|ing)?):? +`)
	issueRef = regexp.MustCompile(`^(?:#(\d+)|([A-Z][A-Z0-9_]*-\d+))(?:,? *(?:and +)?)`)
)

// closingRefs returns the issues that a string closes: the numbers and keys in
// phrases such as "Closes #1", "Fixes #1, #2 and #3" and "Closes #1, closes
// #2".
func closingRefs(text string) []string {
	var refs []string
	for _, keyword := range closing.FindAllStringIndex(text, -1) {
		for rest := text[keyword[1]:]; ; {
			ref := issueRef.FindStringSubmatch(rest)
			if ref == nil {
				break
			}
			refs = append(refs, ref[1]+ref[2])
			rest = rest[len(ref[0]):]
		}
	}
	return refs
}

// closingTexts are the strings of a merge request that can close issues.
func (m *MergeRequest) closingTexts() []string {
	texts := []string{m.description}
	refs := m.refs()
	if refs.head != nil && refs.base != nil {
		commits := m.project.repository().Between(refs.base, refs.head)
		texts = append(texts, mapped(commits, func(c *gitrepo.Commit) string { return c.Message })...)
	}
	return texts
}

// mentioned returns the issues that merging closes, as written.
func (m *MergeRequest) mentioned() []string {
	var refs []string
	for _, text := range m.closingTexts() {
		for _, ref := range closingRefs(text) {
			if !slices.Contains(refs, ref) {
				refs = append(refs, ref)
			}
		}
	}
	return refs
}

// closes returns the issues of the built-in tracker that merging into the
// default branch closes.
func (m *MergeRequest) closes() []*Issue {
	if m.targetBranch != m.project.defaultBranch || !m.project.has("issues") {
		return nil
	}
	var issues []*Issue
	for _, ref := range m.mentioned() {
		iid, err := strconv.ParseInt(ref, 10, 64)
		if err != nil {
			continue
		}
		if issue, ok := m.project.issues().get(iid); ok && issue.state == "opened" {
			issues = append(issues, issue)
		}
	}
	return issues
}

// externalIssue is the JSON of an issue in an external tracker.
type externalIssue struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

// closesExternal returns the issues of the external tracker that merging
// closes.
func (m *MergeRequest) closesExternal(titles map[string]string) []externalIssue {
	var issues []externalIssue
	for _, ref := range m.mentioned() {
		if title, ok := titles[ref]; ok {
			issues = append(issues, externalIssue{ref, title})
		}
	}
	return issues
}

// closed returns the JSON of an issue of the built-in tracker that merging closes.
func (i *Issue) closed(changes int) jsonBytes {
	whole, weight := i.json(false), object{}
	if whole.premiumIssue != nil {
		weight["weight"] = whole.Weight
	}
	return joined(inOrder("id", i.id, "iid", i.iid, "project_id", i.project.id, "title", i.title,
		"description", whole.Description, "state", i.state, "author", whole.Author, "assignee", whole.Assignee,
		"milestone", whole.Milestone, "labels", whole.Labels, "created_at", whole.CreatedAt,
		"updated_at", whole.UpdatedAt, "user_notes_count", whole.UserNotesCount,
		"changes_count", strconv.Itoa(changes), "assignees", whole.Assignees, "issue_type", whole.IssueType,
		"type", whole.Type, "web_url", whole.WebURL, "closed_at", whole.ClosedAt, "closed_by", whole.ClosedBy,
		"start_date", whole.StartDate, "due_date", whole.DueDate, "discussion_locked", whole.DiscussionLocked,
		"confidential", whole.Confidential, "upvotes", whole.Upvotes, "downvotes", whole.Downvotes,
		"merge_requests_count", whole.MergeRequestsCount, "blocking_issues_count", whole.BlockingIssuesCount,
		"time_stats", whole.TimeStats, "task_completion_status", whole.TaskCompletionStatus), weight)
}

// pipelines returns the pipelines of the merge request's commits, newest first.
func (m *MergeRequest) pipelines() []*Pipeline {
	own := make(map[string]bool)
	for _, commit := range m.commits() {
		own[commit.SHA] = true
	}
	found := slices.DeleteFunc(slices.Clone(m.source.pipelines), func(p *Pipeline) bool {
		return p.ref != m.sourceBranch || p.tag || p.parent != nil || !own[p.commit.SHA]
	})
	slices.Reverse(found)
	return found
}

func listMergeRequestPipelines(c *call, m *MergeRequest) *reply {
	return frame.ListOf(c, m.pipelines(), (*Pipeline).entry)
}

// createMergeRequestPipeline starts a pipeline: at once, or with the next request if
// the caller does not wait.
func createMergeRequestPipeline(c *call, m *MergeRequest) *reply {
	async := c.Bool("async")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if !m.source.serves(c.user, "builds") {
		return frame.Forbidden("")
	}
	if m.state != "opened" || m.head() == nil {
		return notAllowed()
	}
	if problem := m.source.plan().problem; problem != "" {
		return frame.FieldErrors("base", problem)
	}
	user := c.user
	if async {
		c.svc.later(0, func() {
			if m.head() != nil {
				m.startPipeline(user)
			}
		})
		return c.Accepted(nil)
	}
	return c.OK(m.startPipeline(user).object())
}

func (m *MergeRequest) startPipeline(user *User) *Pipeline {
	return m.source.startPipeline(m.sourceBranch, "merge_request_event", user, nil)
}
