package servicetest

import (
	"slices"
	"time"
)

// A MergeRequestOption sets a property of a merge request. By, CreatedAt,
// Description, ID and every TopicOption are MergeRequestOptions, too.
type MergeRequestOption interface{ applyMergeRequest(m *MergeRequest) }

type mergeRequestOption func(*MergeRequest)

func (f mergeRequestOption) applyMergeRequest(m *MergeRequest) { f(m) }

func (o IDOption) applyMergeRequest(m *MergeRequest)          { m.id = int64(o) }
func (o DescriptionOption) applyMergeRequest(m *MergeRequest) { m.description = string(o) }
func (o CreatedAtOption) applyMergeRequest(m *MergeRequest)   { m.createdAt = time.Time(o).UTC() }
func (o ByOption) applyMergeRequest(m *MergeRequest)          { m.author = o.user }

// Title sets the title of a merge request. The default is derived from the
// source branch. A title that begins with "Draft: " makes it a draft.
func Title(text string) MergeRequestOption {
	return mergeRequestOption(func(m *MergeRequest) { m.title = text })
}

// Draft makes a merge request that is not ready to be merged.
func Draft() MergeRequestOption {
	return mergeRequestOption(func(m *MergeRequest) { m.setDraft(true) })
}

// Into sets the target branch. The default is the default branch.
func Into(branch string) MergeRequestOption {
	return mergeRequestOption(func(m *MergeRequest) { m.targetBranch = branch })
}

// FromFork sets the project of the source branch. The default is the project of
// the target branch.
func FromFork(fork *Project) MergeRequestOption {
	return mergeRequestOption(func(m *MergeRequest) { m.source = fork })
}

// AllowsPush lets users who may merge push to the fork that a merge request
// comes from.
func AllowsPush() MergeRequestOption {
	return mergeRequestOption(func(m *MergeRequest) { m.allowsPush = true })
}

// ReviewedBy sets the reviewers of a merge request.
func ReviewedBy(users ...*User) MergeRequestOption {
	return mergeRequestOption(func(m *MergeRequest) { m.reviewers = users })
}

// MergeAfter sets the earliest time at which a merge request can be merged.
func MergeAfter(at time.Time) MergeRequestOption {
	return mergeRequestOption(func(m *MergeRequest) { m.mergeAfter = at.UTC() })
}

// SquashOnMerge combines all commits into one when a merge request is merged,
// unless the call that merges says otherwise.
func SquashOnMerge() MergeRequestOption {
	return mergeRequestOption(func(m *MergeRequest) { m.squash = true })
}

// RemoveSourceOnMerge removes the source branch when a merge request is merged,
// unless the call that merges says otherwise.
func RemoveSourceOnMerge() MergeRequestOption {
	return mergeRequestOption(func(m *MergeRequest) { m.removeSource = true })
}

// RebaseTakes sets how long a rebase of the merge request takes, by the
// service's clock. By default, it has finished when the next request arrives.
func RebaseTakes(d time.Duration) MergeRequestOption {
	return mergeRequestOption(func(m *MergeRequest) { m.rebaseTakes = d })
}

func (m *MergeRequest) setDraft(draft bool) {
	if draft && !m.isDraft() {
		m.title = draftPrefix + m.title
	} else if !draft && m.isDraft() {
		m.title = m.title[len(draftPrefix):]
	}
}

// ID returns the merge request's ID.
func (m *MergeRequest) ID() int64 { return m.id }

// IID returns the merge request's number in its project.
func (m *MergeRequest) IID() int64 { return m.iid }

// State returns opened, closed or merged.
func (m *MergeRequest) State() string {
	defer m.svc.lock()()
	return m.state
}

// SHA returns the hash of the head of the source branch. It is empty if the
// merge request is open and its source branch was deleted.
func (m *MergeRequest) SHA() string {
	defer m.svc.lock()()
	return m.headSHA()
}

// MergeCommitSHA returns the hash of the merge commit. It is empty until the
// merge request is merged, and if the merge method of the project is ff.
func (m *MergeRequest) MergeCommitSHA() string {
	defer m.svc.lock()()
	return shaOf(m.mergeCommit)
}

// WaitsForPipeline reports whether the merge request will be merged when its
// pipeline succeeds.
func (m *MergeRequest) WaitsForPipeline() bool {
	defer m.svc.lock()()
	return m.later != nil
}

// RebaseInProgress reports whether a rebase is in progress.
func (m *MergeRequest) RebaseInProgress() bool {
	defer m.svc.lock()()
	return m.rebasing
}

// MergeError returns why the last rebase failed, or "" if it did not.
func (m *MergeRequest) MergeError() string {
	defer m.svc.lock()()
	return m.mergeError
}

// Subscribed reports whether a user is subscribed to the merge request.
func (m *MergeRequest) Subscribed(user *User) bool {
	defer m.svc.lock()()
	return m.subscribers[user]
}

// Title returns the merge request's title.
func (m *MergeRequest) Title() string {
	defer m.svc.lock()()
	return m.title
}

// LabelNames returns the names of the merge request's labels.
func (m *MergeRequest) LabelNames() []string {
	defer m.svc.lock()()
	return slices.Clone(m.labels)
}

// Assignees returns the users that the merge request is assigned to.
func (m *MergeRequest) Assignees() []*User {
	defer m.svc.lock()()
	return slices.Clone(m.assignees)
}

// Reviewers returns the users who are asked to review the merge request.
func (m *MergeRequest) Reviewers() []*User {
	defer m.svc.lock()()
	return slices.Clone(m.reviewers)
}

// Reactions returns the names of the emojis that a user reacted with.
func (m *MergeRequest) Reactions(user *User) []string {
	defer m.svc.lock()()
	return m.reactionsOf(user)
}

// SetDraft marks the merge request as a draft or as ready.
func (m *MergeRequest) SetDraft(draft bool) {
	defer m.svc.lock()()
	m.setDraft(draft)
	m.change()
}

// Close closes the merge request without merging it, as Root.
func (m *MergeRequest) Close() {
	defer m.svc.lock()()
	m.close(m.svc.admin)
}

func (m *MergeRequest) close(by *User) {
	if m.state != "opened" {
		return
	}
	m.freeze()
	m.state, m.closedBy, m.closedAt = "closed", by, m.svc.now()
	m.stopWaiting()
	m.tell(by, "closed")
	m.change()
}

// Reopen undoes Close.
func (m *MergeRequest) Reopen() {
	defer m.svc.lock()()
	m.reopen(m.svc.admin)
}

func (m *MergeRequest) reopen(by *User) {
	if m.state != "closed" {
		return
	}
	m.state, m.closedBy, m.closedAt, m.final = "opened", nil, time.Time{}, nil
	m.tell(by, "reopened")
	m.check()
	m.change()
}

// Merge merges the merge request as Root, whatever its pipeline says. A merge
// request with conflicts fails the test.
func (m *MergeRequest) Merge() {
	if m.svc.tb != nil {
		m.svc.tb.Helper()
	}
	defer m.svc.lock()()
	if err := m.merge(m.defaultWish(), m.svc.admin); err != nil {
		m.svc.fail("merge request !%d of %s: %v", m.iid, m.project.fullPath(), err)
	}
}

// DeployedTo records that the merge request was deployed to an environment.
// Deploying a commit that contains it does so, too.
func (m *MergeRequest) DeployedTo(environment string, at time.Time) {
	defer m.svc.lock()()
	m.deployed(environment, environment == "production", at.UTC())
}
