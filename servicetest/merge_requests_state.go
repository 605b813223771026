package servicetest

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/gitrepo"
)

// A MergeRequest asks to merge one branch into another. Make one with
// Project.MergeRequest.
type MergeRequest struct {
	topic

	svc          *Service
	project      *Project // project of the target branch
	source       *Project // project of the source branch
	id           int64
	iid          int64
	sourceBranch string
	targetBranch string
	state        string // opened, closed or merged

	reviewers    []*User
	asked        map[*User]time.Time // when the reviewers were asked
	rules        []*ApprovalRule
	ownRules     bool // its own rules replace those of the project
	approvedBy   []*User
	approvedAt   map[*User]time.Time
	approvedHead string // head of the source branch

	mergeUser  *User // who merged it, or set it to be merged
	mergedAt   time.Time
	reviews    map[*User]string // states that reviewers have set themselves
	mergeAfter time.Time
	preparing  bool // the diff is not computed yet
	preparedAt time.Time
	versions   []*diffVersion // of the diff, oldest first
	final      *diffRefs      // the last diff, if it is no longer open
	car        *trainCar      // the last one, nil if it was removed from its train
	later      *mergeWish     // set if it merges when the pipeline succeeds

	landed       *gitrepo.Commit // the new head of the target branch
	mergeCommit  *gitrepo.Commit // nil if it was fast-forwarded
	squashCommit *gitrepo.Commit
	squash       bool
	removeSource bool // what the author wants
	removedBy    bool // what the user who merged wanted
	allowsPush   bool // users who may merge may push to the fork

	rebasing    bool
	rebaseTakes time.Duration
	mergeError  string
	conflicts   bool              // as of the last check
	context     []*gitrepo.Commit // shown beside the diff

	deployments    []arrival
	productionTime time.Time
}

// An arrival is the deployment of a merge request.
type arrival struct {
	environment string
	at          time.Time
}

// mergeRequestState keeps the merge requests of a service.
type mergeRequestState struct {
	requests  table[*MergeRequest]
	iids      map[*Project]int64
	byProject map[*Project]*table[*MergeRequest] // by IID
	waiting   []*MergeRequest                    // those that wait for their pipelines
}

// MergeRequest makes an open merge request by Root from a branch into the default
// branch. The options Into, FromFork and By change that. If there is no source branch,
// MergeRequest makes it, with one commit that adds a file.
func (p *Project) MergeRequest(sourceBranch string, opts ...MergeRequestOption) *MergeRequest {
	if p.svc.tb != nil {
		p.svc.tb.Helper()
	}
	defer p.svc.lock()()
	m := p.draftMergeRequest(p, p.svc.admin)
	m.sourceBranch, m.targetBranch = sourceBranch, p.defaultBranch
	m.title = titled(strings.ReplaceAll(sourceBranch, "/", " "))
	apply(m, opts, MergeRequestOption.applyMergeRequest)
	m.makeBranches()
	m.store()
	m.preparedAt = m.createdAt
	m.check()
	return m
}

// draftMergeRequest returns a merge request into the project without storing it.
func (p *Project) draftMergeRequest(source *Project, author *User) *MergeRequest {
	return &MergeRequest{
		svc: p.svc, project: p, source: source, state: "opened", topic: topic{author: author, createdAt: p.svc.now()},
	}
}

func (m *MergeRequest) store() {
	if m.updatedAt.IsZero() {
		m.updatedAt = m.createdAt
	}
	all := state[mergeRequestState](m.svc)
	seed(m.svc, &all.requests, &m.id, m, "a merge request")
	m.iid = nextIID(&all.iids, m.project)
	m.project.mergeRequests().add(m.iid, m)
	m.belongTo(m.svc, m)
	m.openWithApprovalRules()
	m.svc.excludeLabels(&m.topic, nil, m.labels)
	m.project.keepLabels(m.labels)
}

// remove removes the merge request with all notes and reactions.
func (m *MergeRequest) remove() {
	m.stopWaiting()
	m.endDependencies()
	if m.car != nil {
		state[shelf[*Project, trainCar]](m.svc).remove(m.project, m.car)
	}
	state[mergeRequestState](m.svc).requests.remove(m.id)
	m.project.mergeRequests().remove(m.iid)
	m.svc.touch(m)
}

// MergeRequests returns the project's merge requests, oldest first.
func (p *Project) MergeRequests() []*MergeRequest {
	defer p.svc.lock()()
	return p.mergeRequests().all(nil)
}

// mergeRequests returns the project's merge requests by IID.
func (p *Project) mergeRequests() *table[*MergeRequest] {
	return kept(&state[mergeRequestState](p.svc).byProject, p)
}

// makeBranches makes the branches that do not exist.
func (m *MergeRequest) makeBranches() {
	target := m.project.head(m.targetBranch)
	r := m.source.repository()
	if r.Branch(m.sourceBranch) != nil {
		return
	}
	r.Fetch(m.project.repository().Repository, target)
	files := make(gitrepo.Tree, len(target.Tree)+1)
	maps.Copy(files, target.Tree)
	files[strings.ReplaceAll(m.sourceBranch, "/", "-")+".md"] = gitrepo.NewEntry([]byte(m.title + "\n"))
	author := m.signer().signature(m.createdAt)
	r.SetBranch(m.sourceBranch, r.NewCommit(gitrepo.Draft{
		Tree: files, Parents: []*gitrepo.Commit{target}, Message: m.title, Author: author, Committer: author,
	}))
}

// signer returns the author of commits that the merge request makes.
func (m *MergeRequest) signer() *User {
	if m.author == nil {
		return m.svc.admin
	}
	return m.author
}

// diffRefs are the commits that the diff compares. head is nil if the source branch was
// deleted.
type diffRefs struct{ base, start, head *gitrepo.Commit }

// refs returns the current commits of an open merge request, or the last
// commits of one that is no longer open.
func (m *MergeRequest) refs() diffRefs {
	if m.final != nil {
		return *m.final
	}
	r := m.project.repository()
	refs := diffRefs{start: r.Branch(m.targetBranch), head: m.head()}
	if refs.head != nil {
		r.Fetch(m.source.repository().Repository, refs.head)
		refs.base = r.MergeBase(refs.start, refs.head)
	}
	return refs
}

// headSHA returns the hash of the source branch's head, or "" if it is gone.
func (m *MergeRequest) headSHA() string { return shaOf(m.head()) }

func (m *MergeRequest) head() *gitrepo.Commit {
	if m.final != nil {
		return m.final.head
	}
	return m.source.repository().Branch(m.sourceBranch)
}

// check determines whether the merge request has conflicts.
func (m *MergeRequest) check() {
	refs := m.refs()
	if m.state != "opened" {
		return
	}
	m.observe(refs)
	conflicts := refs.head == nil || refs.start == nil
	if !conflicts {
		_, err := m.project.repository().MergedTree(refs.start, refs.head)
		conflicts = errors.Is(err, gitrepo.ErrConflict)
	}
	if m.conflicts != conflicts {
		m.conflicts = conflicts
		m.svc.touch(m)
	}
}

// isDraft reports whether the title says that it is not ready.
func (m *MergeRequest) isDraft() bool { return isDraftTitle(m.title) }

func isDraftTitle(title string) bool { return strings.HasPrefix(title, draftPrefix) }

const draftPrefix = "Draft: "

// headPipeline returns the newest pipeline of the source branch's head, or nil
// if there is none.
func (m *MergeRequest) headPipeline() *Pipeline {
	sha := m.headSHA()
	for i := len(m.source.pipelines) - 1; i >= 0; i-- {
		p := m.source.pipelines[i]
		if p.ref == m.sourceBranch && !p.tag && p.parent == nil && p.commit.SHA == sha {
			p.settle()
			return p
		}
	}
	return nil
}

// change records that the merge request has changed.
func (m *MergeRequest) change() {
	m.updatedAt = m.svc.now()
	m.svc.touch(m)
}

// mayMerge reports whether a user may merge into the target branch.
func (m *MergeRequest) mayMerge(user *User) bool {
	return m.project.mayMergeInto(user, m.targetBranch)
}

// mayPush reports whether a user may push to the source branch.
func (m *MergeRequest) mayPush(user *User) bool {
	return m.source.mayPush(user, m.sourceBranch) || m.allowsPush && m.mayMerge(user)
}

// deployed records that the merge request was deployed to an environment.
func (m *MergeRequest) deployed(environment string, production bool, at time.Time) {
	m.deployments = append(m.deployments, arrival{environment, at})
	if production && (m.productionTime.IsZero() || at.Before(m.productionTime)) {
		m.productionTime = at
	}
}

// mergedIn returns the merge requests that a commit or its ancestors contain.
func (p *Project) mergedIn(c *gitrepo.Commit) []*MergeRequest {
	has := p.repository().Reachable(c)
	return p.mergeRequests().all(func(m *MergeRequest) bool {
		return m.landed != nil && has[m.landed]
	})
}

// A MergeRequestOption sets a property of a merge request. By, CreatedAt,
// Description, ID and every TopicOption are MergeRequestOptions, too.
type MergeRequestOption interface{ applyMergeRequest(m *MergeRequest) }

type mergeRequestOption func(*MergeRequest)

func (f mergeRequestOption) applyMergeRequest(m *MergeRequest) { f(m) }

func (o IDOption) applyMergeRequest(m *MergeRequest)          { m.id = int64(o) }
func (o DescriptionOption) applyMergeRequest(m *MergeRequest) { m.description = string(o) }
func (o CreatedAtOption) applyMergeRequest(m *MergeRequest)   { m.createdAt = time.Time(o) }
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
	return mergeRequestOption(func(m *MergeRequest) { m.reviewers = slices.Clone(users) })
}

// MergeAfter sets the earliest time at which a merge request can be merged.
func MergeAfter(at time.Time) MergeRequestOption {
	return mergeRequestOption(func(m *MergeRequest) { m.mergeAfter = at.UTC() })
}

// SquashOnMerge makes a merge request combine all commits into one when it is merged,
// unless the call that merges says otherwise.
func SquashOnMerge() MergeRequestOption {
	return mergeRequestOption(func(m *MergeRequest) { m.squash = true })
}

// RemoveSourceOnMerge makes a merge request remove its source branch when it is merged,
// unless the call that merges says otherwise. For merge requests opened through the
// API, the settings of the project decide.
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
func (m *MergeRequest) State() string { return read(m.svc, &m.state) }

// SHA returns the hash of the head of the source branch. It is empty if the merge
// request is open without its source branch.
func (m *MergeRequest) SHA() string { return locked(m.svc, m.headSHA) }

// MergeCommitSHA returns the hash of the merge commit. It is empty before the merge,
// and if the project's merge method is ff.
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
func (m *MergeRequest) RebaseInProgress() bool { return read(m.svc, &m.rebasing) }

// MergeError returns why the last rebase failed, or "" if it did not.
func (m *MergeRequest) MergeError() string { return read(m.svc, &m.mergeError) }

// Subscribed reports whether a user is subscribed to the merge request.
func (m *MergeRequest) Subscribed(user *User) bool {
	defer m.svc.lock()()
	return m.subscribed(user)
}

// Title returns the merge request's title.
func (m *MergeRequest) Title() string { return read(m.svc, &m.title) }

// LabelNames returns the names of the merge request's labels.
func (m *MergeRequest) LabelNames() []string { return copied(m.svc, &m.labels) }

// Assignees returns the users that the merge request is assigned to.
func (m *MergeRequest) Assignees() []*User { return copied(m.svc, &m.assignees) }

// Reviewers returns the users who are asked to review the merge request.
func (m *MergeRequest) Reviewers() []*User { return copied(m.svc, &m.reviewers) }

// Reactions returns the names of the emojis that a user reacted with.
func (m *MergeRequest) Reactions(user *User) []string { return m.givenBy(m.svc, user) }

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
	m.svc.recordState(m, by, "closed", nil)
	m.change()
	m.tellDependents(m.dependencies(false))
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
	m.svc.recordState(m, by, "reopened", nil)
	m.tellDependents(m.dependencies(false))
	m.check()
	m.change()
}

// Merge merges the merge request as Root, regardless of its pipeline. A merge request
// with conflicts, or one that must be rebased, fails the test.
func (m *MergeRequest) Merge() {
	if m.svc.tb != nil {
		m.svc.tb.Helper()
	}
	defer m.svc.lock()()
	if err := m.merge(m.defaultWish(), m.svc.admin); err != nil {
		m.svc.fail("merge request !%d of %s: %v", m.iid, m.project.fullPath(), err)
	}
}

// DeployedTo records that the merge request was deployed to an environment. A
// deployment of a commit that contains it records the same.
func (m *MergeRequest) DeployedTo(environment string, at time.Time) {
	defer m.svc.lock()()
	m.deployed(environment, environment == "production", at.UTC())
}
