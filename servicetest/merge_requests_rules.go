package servicetest

import (
	"slices"

	"example.com/serviceapi/servicetest/internal/gitrepo"
)

// setting returns a setting of the project that is a flag.
func (p *Project) setting(name string) bool { return p.preferences.flag(projectPreferences, name) }

// mergeMethod returns merge, rebase_merge or ff.
func (p *Project) mergeMethod() string {
	return p.preferences.choice(projectPreferences, "merge_method")
}

// blocker says what prevents the merge request from being merged, in the words
// of detailed_merge_status. It returns "" if nothing does.
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
	case m.conflicts:
		return "conflict"
	case m.mustRebase():
		return "need_rebase"
	}
	return ""
}

// pipelineBlocker says what is wrong with the pipeline, if the project wants one
// that succeeded.
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
	case pipeline.status == "success", pipeline.status == "skipped" && m.project.setting("allow_merge_on_skipped_pipeline"):
		return ""
	}
	return "ci_must_pass"
}

// discussionsResolved reports whether no discussion prevents the merge.
func (m *MergeRequest) discussionsResolved() bool {
	return !m.project.setting("only_allow_merge_if_all_discussions_are_resolved") ||
		!slices.ContainsFunc(m.threads(), (*thread).unresolved)
}

// mustRebase reports whether the target branch has commits that the source
// branch lacks, in a project whose merge method forbids that.
func (m *MergeRequest) mustRebase() bool {
	return m.project.mergeMethod() != "merge" && m.diverged() > 0
}

// squashes reports whether a merge that was asked to squash does so.
func (m *MergeRequest) squashes(asked bool) bool {
	switch m.project.preferences.choice(projectPreferences, "squash_option") {
	case "always":
		return true
	case "never":
		return false
	}
	return asked
}

// applyDefaults sets what the settings of the project say about a merge request
// that is opened through the API.
func (m *MergeRequest) applyDefaults() {
	m.removeSource = m.project.setting("remove_source_branch_after_merge")
	m.squash = m.project.preferences.choice(projectPreferences, "squash_option") == "default_on"
	if n, _ := m.project.preferences.value(projectPreferences, "approvals_before_merge").(int64); n > 0 && m.svc.settings.tier >= Premium {
		m.approvals = &n
	}
}

// join makes the commits that a merge consists of: the new head of the target
// branch, the merge commit and the squashed commit, which are nil if there are
// none.
func (m *MergeRequest) join(refs diffRefs, wish mergeWish, by gitrepo.Signature) (head, merged, squashed *gitrepo.Commit, err error) {
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
