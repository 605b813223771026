package servicetest

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
	"example.com/serviceapi/servicetest/internal/gitrepo"
)

const noHash = "0000000000000000000000000000000000000000"

// pushBody returns the event about a changed branch or tag.
func (p *Project) pushBody(by *User, ref, before, after string) object {
	kind := "push"
	if strings.HasPrefix(ref, "refs/tags/") {
		kind = "tag_push"
	}
	by = by.shown()
	o := object{
		"object_kind": kind, "event_name": kind, "before": either(before, noHash), "after": either(after, noHash),
		"ref":           ref,
		"ref_protected": p.protects(ref), "checkout_sha": nil, "message": nil,
		"user_id": idOf(by), "user_name": "", "user_username": "", "user_email": nil, "user_avatar": nil,
		"project_id": p.id,
		"project":    p.hookProject(true), "repository": p.hookRepository(true), "commits": []any{},
		"total_commits_count": 0,
		"push_options":        object{},
	}
	if by != nil {
		o["user_name"], o["user_username"] = by.name, by.username
		o["user_email"], o["user_avatar"] = jsonText(by.publicEmail), by.summary().AvatarURL
	}
	r := p.repository()
	if name, ok := strings.CutPrefix(ref, "refs/tags/"); ok {
		if tag := r.Tag(name); tag != nil && after != "" {
			o["checkout_sha"] = tag.Commit.SHA
			o["message"] = jsonText(tag.Message)
		}
		return o
	}
	if after != "" {
		o["checkout_sha"] = after
		o["commits"], o["total_commits_count"] = p.pushedCommits(r, ref, before, after)
	}
	return o
}

// protects reports whether a ref is protected.
func (p *Project) protects(ref string) bool {
	if tag, ok := strings.CutPrefix(ref, "refs/tags/"); ok {
		return p.protectsTag(tag)
	}
	return p.isProtected(strings.TrimPrefix(ref, "refs/heads/"))
}

// pushedCommits returns the newest 20 commits that a push added to a branch, oldest
// first, and the total number.
func (p *Project) pushedCommits(r *repository, ref, before, after string) ([]any, int) {
	from, to := r.Commit(before), r.Commit(after)
	if from == nil && ref != "refs/heads/"+p.defaultBranch {
		from = r.Branch(p.defaultBranch) // for a new branch, only the new commits
	}
	if to == nil {
		return []any{}, 0
	}
	added := r.Between(from, to)
	slices.Reverse(added)
	all := []any{}
	for _, c := range added[max(0, len(added)-20):] {
		o := p.hookCommit(c).(object)
		o["added"], o["modified"], o["removed"] = p.touchedFiles(r, c)
		all = append(all, o)
	}
	return all, len(added)
}

func (p *Project) touchedFiles(r *repository, c *gitrepo.Commit) (added, modified, removed []string) {
	added, modified, removed = []string{}, []string{}, []string{}
	for _, change := range gitrepo.DiffTrees(r.ParentTree(c), c.Tree) {
		switch {
		case change.Added():
			added = append(added, change.NewPath)
		case change.Removed():
			removed = append(removed, change.OldPath)
		default:
			modified = append(modified, change.NewPath)
		}
	}
	return added, modified, removed
}

// issueBody returns the event about an issue.
func (i *Issue) issueBody(by *User, action string, before object) object {
	form := i.hookForm()
	changes := changesBetween(before, i.hookState(form))
	form["action"] = action
	o := object{
		"object_kind": "issue", "event_type": "issue", "user": by.hookUser(), "project": i.project.hookProject(true),
		"repository": i.project.hookRepository(false), "object_attributes": form, "labels": form["labels"],
		"changes": changes,
	}
	if i.confidential {
		o["event_type"] = "confidential_issue"
	}
	if len(i.assignees) > 0 {
		o["assignees"], o["assignee"] = hookUsers(i.assignees), i.assignees[0].hookUser()
	}
	return o
}

// hookState returns a form with the people, because changes show them as objects.
func (i *Issue) hookState(form object) object {
	o := maps.Clone(form)
	o["assignees"] = hookUsers(i.assignees)
	return o
}

// hookState returns a form with the people, because changes show them as objects.
func (m *MergeRequest) hookState(form object) object {
	o := maps.Clone(form)
	o["assignees"], o["reviewers"] = hookUsers(m.assignees), m.hookReviewers()
	return o
}

// mergeRequestBody returns the event about a merge request.
func (m *MergeRequest) mergeRequestBody(by *User, action string, before object, oldrev string) object {
	form := m.hookForm()
	changes := changesBetween(before, m.hookState(form))
	form["action"], form["actioned_at"] = action, hookTime(m.svc.now())
	if oldrev != "" {
		form["oldrev"] = oldrev
	}
	o := object{
		"object_kind": "merge_request", "event_type": "merge_request", "user": by.hookUser(),
		"project":    m.project.hookProject(true),
		"repository": m.project.hookRepository(false), "object_attributes": form, "labels": form["labels"],
		"changes": changes,
	}
	if len(m.assignees) > 0 {
		o["assignees"] = hookUsers(m.assignees)
	}
	if len(m.reviewers) > 0 {
		o["reviewers"] = m.hookReviewers()
	}
	return o
}

// pipelineBody returns the event about a pipeline.
func (p *Pipeline) pipelineBody() object {
	started, finished := p.period()
	form := object{
		"id": p.id, "iid": p.iid, "name": jsonText(p.name), "ref": p.ref, "tag": p.tag, "sha": shaOf(p.commit),
		"before_sha": noHash,
		"source":     p.source, "status": p.status, "detailed_status": statusLabel(p.status),
		"stages":     texts(p.stageNames()),
		"created_at": hookTime(p.createdAt), "finished_at": hookTime(finished),
		"duration":        wholeSeconds(started, finished),
		"queued_duration": p.queued(), "protected_ref": p.onProtectedRef(),
		"variables": p.hookVariables(), "url": p.project.webURL("-/pipelines", frame.Itoa(p.id)),
	}
	o := object{
		"object_kind": "pipeline", "object_attributes": form, "user": p.user.hookUser(),
		"project": p.project.hookProject(false),
		"commit":  p.project.hookCommit(p.commit), "merge_request": p.hookMergeRequest(), "builds": []any{},
	}
	builds := []any{}
	for _, job := range p.jobs {
		if !job.retried && job.external == nil {
			builds = append(builds, job.hookBuild())
		}
	}
	o["builds"] = builds
	if p.parent != nil {
		o["source_pipeline"] = p.hookSource()
	}
	return o
}

func (p *Pipeline) hookVariables() []any {
	return mapped(p.variables, func(v pipelineVariable) any { return object{"key": v.Key, "value": v.Value} })
}

// hookSource returns the pipeline and the bridge that started this one.
func (p *Pipeline) hookSource() object {
	var job any
	for _, bridge := range p.parent.bridges {
		if bridge.downstream == p {
			job = bridge.id
		}
	}
	project := p.parent.project
	return object{
		"project":     object{"id": project.id, "web_url": project.webURL(), "path_with_namespace": project.fullPath()},
		"pipeline_id": p.parent.id, "job_id": job,
	}
}

// hookMergeRequest returns the merge request of the pipeline, or null.
func (p *Pipeline) hookMergeRequest() any {
	for _, m := range state[mergeRequestState](p.svc).requests.all(nil) {
		if m.source == p.project && m.sourceBranch == p.ref && m.state == "opened" &&
			p.source == "merge_request_event" {
			return object{
				"id": m.id, "iid": m.iid, "title": m.title, "source_branch": m.sourceBranch,
				"target_branch":     m.targetBranch,
				"source_project_id": m.source.id, "target_project_id": m.project.id, "state": m.state,
				"merge_status": m.mergeStatus(), "detailed_merge_status": m.detailedMergeStatus(),
				"url": m.project.webURL("-/merge_requests", frame.Itoa(m.iid)),
			}
		}
	}
	return nil
}

func statusLabel(status string) string {
	if status == "success" {
		return "passed"
	}
	return status
}

// hookBuild returns a job in the event about its pipeline.
func (j *Job) hookBuild() object {
	o := object{
		"id": j.id, "stage": j.stage, "name": j.name, "status": j.status, "created_at": hookTime(j.createdAt),
		"started_at": hookTime(j.startedAt), "finished_at": hookTime(j.finishedAt), "duration": j.duration(),
		"queued_duration": seconds(j.waitsSince(), j.startedAt), "failure_reason": jsonText(j.failureReason),
		"when":   "on_success",
		"manual": j.status == "manual", "allow_failure": j.allowFailure, "user": j.user.hookUser(),
		"runner":         j.runner.hookRunner(),
		"artifacts_file": object{"filename": nil, "size": nil}, "environment": nil,
	}
	if j.status == "manual" || j.played {
		o["when"], o["manual"] = "manual", true
	}
	if j.archive != nil {
		o["artifacts_file"] = object{"filename": archiveName, "size": j.archive.size}
	}
	o["environment"] = j.hookEnvironment()
	return o
}

// hookEnvironment returns the environment that the job deploys to, or null.
func (j *Job) hookEnvironment() any {
	for _, d := range state[deploymentState](j.svc).deployments.all(func(d *Deployment) bool { return d.job == j }) {
		return object{"name": d.environment.name, "action": "start", "deployment_tier": d.environment.tier}
	}
	return nil
}

func (r *Runner) hookRunner() any {
	if r == nil {
		return nil
	}
	return object{
		"id": r.id, "description": r.description, "runner_type": r.kind, "active": !r.paused,
		"is_shared": r.kind == "instance_type", "tags": texts(r.tags),
	}
}

// jobBody returns the event about a job.
func (j *Job) jobBody(status string) object {
	p := j.pipeline
	started, finished := p.period()
	reason := j.failureReason
	if status != "failed" {
		reason = "unknown_failure"
	}
	project := strings.ReplaceAll(p.project.fullName(), "/", " / ")
	if strings.Contains(p.project.fullName(), " / ") {
		project = p.project.fullName()
	}
	author := p.commit.Author
	o := object{
		"object_kind": "build", "ref": p.ref, "tag": p.tag, "before_sha": noHash, "sha": shaOf(p.commit),
		"build_id":   j.id,
		"build_name": j.name, "build_stage": j.stage, "build_status": status, "build_created_at": hookTime(j.createdAt),
		"build_started_at": hookTime(j.startedAt), "build_finished_at": hookTime(j.finishedAt),
		"build_created_at_iso": jsonTime(j.createdAt), "build_started_at_iso": jsonTime(j.startedAt),
		"build_finished_at_iso": jsonTime(j.finishedAt), "build_duration": j.duration(),
		"build_queued_duration": seconds(j.waitsSince(), j.startedAt), "build_allow_failure": j.allowFailure,
		"build_failure_reason": reason, "retries_count": j.retriesBefore(), "pipeline_id": p.id,
		"project_id":   p.project.id,
		"project_name": project, "user": j.user.hookUser(), "repository": p.project.hookRepository(true),
		"project": p.project.hookProject(false), "runner": j.runner.hookRunner(), "environment": j.hookEnvironment(),
		"commit": object{
			"id": p.id, "name": jsonText(p.name), "sha": shaOf(p.commit), "message": p.commit.Message,
			"author_name":  author.Name,
			"author_email": author.Email, "author_url": "mailto:" + author.Email, "status": p.status,
			"duration":   wholeSeconds(started, finished),
			"started_at": hookTime(started), "finished_at": hookTime(finished),
			"started_at_iso": jsonTime(started), "finished_at_iso": jsonTime(finished),
		},
	}
	if p.parent != nil {
		o["source_pipeline"] = p.hookSource()
	}
	return o
}

// retriesBefore returns the number of times that the job was retried before.
func (j *Job) retriesBefore() int {
	n := 0
	for _, other := range j.pipeline.jobs {
		if other.name == j.name && other.id < j.id {
			n++
		}
	}
	return n
}

// deploymentBody returns the event about a deployment.
func (d *Deployment) deploymentBody() object {
	p := d.environment.project
	o := object{
		"object_kind": "deployment", "status": d.status,
		"status_changed_at": d.updatedAt.Format("2006-01-02 15:04:05 -0700"),
		"deployment_id":     d.id, "deployable_id": nil, "deployable_url": nil, "environment": d.environment.name,
		"environment_slug": d.environment.slug(), "environment_external_url": jsonText(d.environment.externalURL),
		"environment_tier": d.environment.tier, "project": p.hookProject(true), "short_sha": d.sha[:min(8, len(d.sha))],
		"ref":  d.ref,
		"user": d.user.hookUser(), "user_url": nil, "commit_url": p.webURL("-/commit", d.sha), "commit_title": nil,
	}
	if d.job != nil {
		o["deployable_id"], o["deployable_url"] = d.job.id, p.webURL("-/jobs", frame.Itoa(d.job.id))
	}
	if u := d.user.shown(); u != nil {
		o["user_url"] = p.svc.webURL(u.username)
	}
	if c := p.repository().Commit(d.sha); c != nil {
		o["commit_title"] = c.Title()
	}
	return o
}

// milestoneBody returns the event about a milestone.
func (m *Milestone) milestoneBody(action string) object {
	form := object{
		"id": m.id, "iid": m.iid, "title": m.title, "description": jsonText(m.description), "state": m.state(),
		"created_at": hookTime(m.createdAt), "updated_at": hookTime(m.updatedAt), "due_date": jsonDate(m.dueDate),
		"start_date": jsonDate(m.startDate), "group_id": nil, "project_id": nil,
	}
	o := object{"object_kind": "milestone", "event_type": "milestone", "action": action, "object_attributes": form}
	if m.group != nil {
		form["group_id"] = m.group.id
		o["group"] = m.group.hookGroup()
	} else {
		form["project_id"] = m.project.id
		o["project"] = m.project.hookProject(true)
	}
	return o
}

func (g *Group) hookGroup() object {
	return object{"group_id": g.id, "group_name": g.name, "group_path": g.path, "full_path": g.fullPath()}
}

// tokenBody returns the event about an access token that is about to expire.
func (t *token) tokenBody() object {
	o := object{
		"object_kind": "access_token", "event_name": "expiring_access_token", "interval": "seven_days",
		"object_attributes": object{
			"id": t.id, "user_id": t.user.id, "name": t.name, "created_at": hookTime(t.createdAt),
			"expires_at": jsonDate(t.expires), "last_used_at": hookTime(t.usedAt),
		},
	}
	switch home := t.home.(type) {
	case *Project:
		o["project"] = home.hookProject(true)
	case *Group:
		o["group"] = home.hookGroup()
	}
	return o
}

// deployTokenBody returns the event about a deploy token of a project that is about to
// expire.
func (t *DeployToken) deployTokenBody() object {
	return object{
		"object_kind": "deploy_token", "event_name": "expiring_deploy_token", "interval": "seven_days",
		"project": t.home.(*Project).hookProject(true),
		"object_attributes": object{
			"id": t.token.id, "name": t.token.name, "created_at": hookTime(t.token.createdAt),
			"expires_at": hookTime(t.token.expires), "revoked": t.token.revoked, "deploy_token_type": "project_type",
		},
	}
}

// stamped adds the times of an event about a group, a project, a user or a member.
func (s *Service) stamped(name string, created time.Time, o object) object {
	o["event_name"], o["created_at"], o["updated_at"] = name, created.UTC().Format(time.RFC3339),
		s.now().Format(time.RFC3339)
	return o
}

// lookAtRelease reports changes of a release. Changes of its links are not reported.
func (w *hookWatch) lookAtRelease(r *Release) {
	now := fmt.Sprint(r.name, "\x00", r.description, "\x00", r.releasedAt, r.milestones)
	switch before, known := w.saw(r, now); {
	case !known:
		w.tellRelease(r, "create")
	case before != now:
		w.tellRelease(r, "update")
	}
}

func (w *hookWatch) tellRelease(r *Release, action string) {
	w.tell(hookEvent{header: "Release Hook", on: "releases_events", project: r.project,
		body: func() object { return r.releaseBody(action) }})
}

// releaseBody returns the event about a release.
func (r *Release) releaseBody(action string) object {
	links := mapped(r.newestLinks(), func(l *releaseLink) object {
		return object{"id": l.id, "link_type": l.kind, "name": l.name, "url": l.url}
	})
	o := object{
		"object_kind": "release", "id": r.id, "action": action, "name": r.name, "tag": r.tag,
		"description": jsonText(r.description), "created_at": hookTime(r.createdAt),
		"released_at": hookTime(r.releasedAt),
		"url":         r.project.webURL("-/releases", url.PathEscape(r.tag)), "project": r.project.hookProject(true),
		"commit": nil,
		"assets": object{"count": len(links) + 4, "links": links, "sources": r.sources()},
	}
	if tag := r.project.repository().Tag(r.tag); tag != nil {
		o["commit"] = r.project.hookCommit(tag.Commit)
	}
	return o
}
