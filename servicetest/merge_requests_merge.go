package servicetest

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
	"example.com/serviceapi/servicetest/internal/gitrepo"
)

// A mergeWish says how to merge.
type mergeWish struct {
	message       string
	squashMessage string
	squash        bool
	removeSource  bool
	sha           string // head of the source branch; empty means any
	whenSucceeds  bool
	byTrain       bool // waits for a merge train, or on it
	sparesTrain   bool // merges without it, which goes on as it is
}

// defaultWish is the mergeWish of a call without parameters.
func (m *MergeRequest) defaultWish() mergeWish {
	return mergeWish{
		message: fmt.Sprintf("Merge branch '%s' into '%s'\n\n%s\n\nSee merge request %s!%d",
			m.sourceBranch, m.targetBranch, m.title, m.project.fullPath(), m.iid),
		squashMessage: m.title,
		squash:        m.squash,
		removeSource:  m.removeSource,
	}
}

// accept merges as the caller, or schedules the merge. It returns nil, or the first
// refusal in the order of the checks.
func (c *call) accept(m *MergeRequest, wish mergeWish) *reply {
	if !m.mayMerge(c.user) {
		return frame.Unauthorized()
	}
	m.check()
	waits := wish.whenSucceeds && m.mayWait()
	switch blocker := m.blocker(); blocker {
	case "commits_status", "conflict", "need_rebase":
		return cannotBeMerged()
	case "ci_still_running", "ci_must_pass":
		if !waits {
			return notAllowed()
		}
	case "":
		if wish.whenSucceeds && m.headPipeline().failed() {
			return notAllowed()
		}
	default:
		return notAllowed()
	}
	if wish.sha != "" && wish.sha != m.headSHA() {
		return frame.Conflict("SHA does not match HEAD of source branch: " + m.headSHA())
	}
	if waits {
		m.wait(wish, c.user)
		return nil
	}
	if c.svc.moving(m.project) {
		return frame.Forbidden(readOnly)
	}
	if m.merge(wish, c.user) != nil {
		return cannotBeMerged()
	}
	return nil
}

func notAllowed() *reply { return frame.Message(http.StatusMethodNotAllowed, "405 Method Not Allowed") }

func cannotBeMerged() *reply {
	return frame.Message(http.StatusNotAcceptable, "Branch cannot be merged")
}

// unfinished reports whether there is a pipeline that has not ended.
func (p *Pipeline) unfinished() bool {
	return p != nil && slices.Contains([]string{"created", "waiting_for_resource", "pending", "running"}, p.status)
}

// mayWait reports whether the merge request can wait for a pipeline: an unfinished one,
// or the first one.
func (m *MergeRequest) mayWait() bool {
	pipeline := m.headPipeline()
	return pipeline == nil || pipeline.unfinished()
}

func (p *Pipeline) failed() bool { return p != nil && p.status == "failed" }

// merge merges an open merge request.
func (m *MergeRequest) merge(wish mergeWish, user *User) error {
	if m.state != "opened" {
		return errors.New("it is " + m.state)
	}
	refs := m.refs()
	if refs.head == nil || refs.start == nil {
		return errors.New("it has lost a branch")
	}
	if m.mustRebase() {
		return errors.New("the source branch must be rebased onto the target branch")
	}
	head, merged, squashed, err := m.join(refs, wish, user.signature(m.svc.now()))
	if err != nil {
		return err
	}
	m.freeze()
	m.landed, m.mergeCommit, m.squashCommit = head, merged, squashed
	m.finishMerge(wish, user)
	return nil
}

// finishMerge carries out the consequences of a merge.
func (m *MergeRequest) finishMerge(wish mergeWish, user *User) {
	now := m.svc.now()
	closes := m.closes()
	m.project.repository().SetBranch(m.targetBranch, m.landed)
	if wish.removeSource && !m.source.isProtected(m.sourceBranch) && m.sourceBranch != m.source.defaultBranch {
		m.source.repository().DeleteBranch(m.sourceBranch)
	}
	m.state, m.mergeUser, m.mergedAt = "merged", user, now
	m.squash, m.removedBy, m.mergeError = m.squashes(wish.squash), wish.removeSource, ""
	m.leaveTrain(wish.sparesTrain)
	m.stopWaiting()
	m.tell(user, "merged")
	m.svc.recordState(m, user, "merged", nil)
	m.change()
	m.tellDependents(m.dependencies(false))
	if m.project.setting("autoclose_referenced_issues") {
		for _, issue := range closes {
			issue.close(user, now, m)
		}
	}
}

// freeze keeps the current commits of a merge request, because its branches may change
// later.
func (m *MergeRequest) freeze() { m.final = new(m.refs()) }

// wait sets the merge request to be merged when its pipeline succeeds.
func (m *MergeRequest) wait(wish mergeWish, user *User) {
	all := state[mergeRequestState](m.svc)
	if m.later == nil {
		all.waiting = append(all.waiting, m)
	}
	if m.later == nil && !wish.byTrain {
		m.tell(user, "enabled an automatic merge when the pipeline for %s succeeds", m.headSHA())
	}
	m.later, m.mergeUser = &wish, user
	m.change()
}

func (m *MergeRequest) stopWaiting() {
	m.leaveTrain(false)
	m.later = nil
	all := state[mergeRequestState](m.svc)
	all.waiting = without(all.waiting, m)
}

// mergeWaiting merges the merge requests that wait for the pipeline, if it has
// succeeded.
func (p *Pipeline) mergeWaiting() {
	all := state[mergeRequestState](p.svc)
	if len(all.waiting) == 0 {
		return
	}
	p.settle()
	for _, m := range slices.Clone(all.waiting) {
		if m.source == p.project && m.headPipeline() == p {
			m.mergeIfReady()
			m.project.moveTrain(m.targetBranch)
		}
	}
}

// passing lists blockers that let a merge request go on waiting.
var passing = []string{"draft_status", "merge_time", "discussions_not_resolved", "not_approved",
	"merge_request_blocked"}

// mergeIfReady merges the merge request if it waits for a pipeline that has succeeded,
// and nothing else must happen first. If it can no longer be merged, it stays open and
// says why.
func (m *MergeRequest) mergeIfReady() {
	if m.later == nil || m.headPipeline() == nil || m.headPipeline().status != "success" ||
		slices.Contains(passing, m.blocker()) {
		return
	}
	if m.later.byTrain {
		if m.car == nil || !m.car.active() {
			m.board()
		}
		return
	}
	wish, user := *m.later, m.mergeUser
	m.stopWaiting()
	if err := m.mergeLater(wish, user); err != nil {
		m.mergeError = "Merge failed: " + err.Error()
		m.mergeUser = nil
		m.change()
	}
}

func (m *MergeRequest) mergeLater(wish mergeWish, user *User) error {
	if m.svc.moving(m.project) {
		return errors.New(readOnly)
	}
	return m.merge(wish, user)
}

// rebase starts a rebase, unless one is in progress.
func (m *MergeRequest) rebase(user *User, skipCI bool) {
	if m.rebasing {
		return
	}
	m.rebasing, m.mergeError = true, ""
	m.svc.later(m.rebaseTakes, func() { m.endRebase(user, skipCI) })
}

// rebaseFailed is the service's message for a rebase with conflicts.
const rebaseFailed = "Rebase failed: Rebase locally, resolve all conflicts, then push the branch."

func (m *MergeRequest) endRebase(user *User, skipCI bool) {
	m.rebasing = false
	defer m.change()
	refs := m.refs()
	if m.state != "opened" || refs.head == nil || refs.start == nil {
		m.mergeError = "Rebase failed: the merge request has changed meanwhile."
		return
	}
	if m.svc.moving(m.source) {
		m.mergeError = "Rebase failed: " + readOnly
		return
	}
	r := m.project.repository()
	head, err := r.Rebase(refs.head, refs.start, user.signature(m.svc.now()))
	if err != nil {
		m.mergeError = rebaseFailed
		return
	}
	hadPipeline := m.headPipeline() != nil
	own := m.source.repository()
	own.Fetch(r.Repository, head)
	own.SetBranch(m.sourceBranch, head)
	m.check()
	if hadPipeline && !skipCI && head != refs.head {
		m.source.newPipeline(m.sourceBranch, []PipelineOption{By(user), CreatedAt(m.svc.now())})
	}
}

// PreparingTakes sets how long the service takes to compute the diff of a merge request
// that is opened through the API. The time is that of the service's clock. By default,
// the diff is ready when the next request arrives.
func PreparingTakes(d time.Duration) Option {
	return func(s *settings) { s.preparing = d }
}

// prepare computes the diff of a merge request that was just opened.
func (m *MergeRequest) prepare() {
	m.preparing = true
	m.svc.later(m.svc.settings.preparing, func() {
		m.preparing, m.preparedAt = false, m.svc.now()
		m.svc.touch(m)
		m.check()
	})
}

func (m *MergeRequest) mergeStatus() string {
	switch {
	case m.preparing:
		return "unchecked"
	case m.conflicts:
		return "cannot_be_merged"
	}
	return "can_be_merged"
}

// detailedMergeStatus says what prevents the merge request from being merged.
func (m *MergeRequest) detailedMergeStatus() string { return either(m.blocker(), "mergeable") }

// setting returns a boolean setting of the project. In newer releases, a group above
// can set some of them, too.
func (p *Project) setting(name string) bool {
	on := p.preferences.flag(projectPreferences, name)
	for g := p.group; g != nil && !on; g = g.parent {
		on, _ = g.preferences[name].(bool)
	}
	return on
}

// mergeMethod returns merge, rebase_merge or ff.
func (p *Project) mergeMethod() string {
	return p.preferences.choice(projectPreferences, "merge_method")
}

// blocker says what prevents the merge request from being merged, in the terms of
// detailed_merge_status. It returns "" if nothing does.
func (m *MergeRequest) blocker() string {
	switch pipeline := m.pipelineBlocker(); {
	case m.preparing:
		return "preparing"
	case m.state != "opened":
		return "not_open"
	case m.head() == nil:
		return "commits_status"
	case m.isDraft():
		return "draft_status"
	case m.mergeAfter.After(m.svc.now()):
		return "merge_time"
	case pipeline != "":
		return pipeline
	case !m.discussionsResolved():
		return "discussions_not_resolved"
	case m.approvalsLeft() > 0:
		return "not_approved"
	case m.waits():
		return "merge_request_blocked"
	case m.conflicts:
		return "conflict"
	case m.mustRebase():
		return "need_rebase"
	}
	return ""
}

// pipelineBlocker says what is wrong with the pipeline, if the project requires a
// successful one.
func (m *MergeRequest) pipelineBlocker() string {
	if !m.project.setting("only_allow_merge_if_pipeline_succeeds") {
		return ""
	}
	pipeline := m.headPipeline()
	switch {
	case pipeline.unfinished():
		return "ci_still_running"
	case pipeline == nil:
		return "ci_must_pass"
	case pipeline.status == "success", pipeline.status == "skipped" &&
		m.project.setting("allow_merge_on_skipped_pipeline"):
		return ""
	}
	return "ci_must_pass"
}

// discussionsResolved reports whether no discussion prevents the merge.
func (m *MergeRequest) discussionsResolved() bool {
	return !m.project.setting("only_allow_merge_if_all_discussions_are_resolved") ||
		!slices.ContainsFunc(m.threads(), (*thread).unresolved)
}

// mustRebase reports whether the source branch lacks commits of the target branch
// although the merge method requires them.
func (m *MergeRequest) mustRebase() bool {
	return m.project.mergeMethod() != "merge" && m.diverged() > 0
}

// squashes reports whether a merge squashes. asked is what the caller wants.
func (m *MergeRequest) squashes(asked bool) bool {
	switch m.project.preferences.choice(projectPreferences, "squash_option") {
	case "always":
		return true
	case "never":
		return false
	}
	return asked
}

// applyDefaults applies the settings of the project to a merge request that is opened
// through the API.
func (m *MergeRequest) applyDefaults() {
	m.removeSource = m.project.setting("remove_source_branch_after_merge")
	m.squash = m.project.preferences.choice(projectPreferences, "squash_option") == "default_on"
}

// join makes the commits of a merge: the new head of the target branch, the merge
// commit and the squashed commit. They are nil if there are none.
func (m *MergeRequest) join(
	refs diffRefs, wish mergeWish, by gitrepo.Signature,
) (head, merged, squashed *gitrepo.Commit, err error) {
	r := m.project.repository()
	head = refs.head
	if r.Contains(refs.start, head) {
		return nil, nil, nil, gitrepo.ErrEmptyChange
	}
	if m.squashes(wish.squash) {
		if squashed, err = r.SquashCommit(refs.start, head, wish.squashMessage, by); err != nil {
			return nil, nil, nil, err
		}
		head = squashed
	}
	if m.project.mergeMethod() == "ff" {
		return head, nil, squashed, nil
	}
	merged, err = r.MergeCommit(refs.start, head, wish.message, by)
	return merged, merged, squashed, err
}
