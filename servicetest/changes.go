package servicetest

import (
	"cmp"
	"slices"
)

// A single change set is the source of everything that follows from changes: events of
// hooks, events of users, to-do items and kept encodings. Code that makes, changes or
// removes a record touches it. Hooks look at the records touched since the lock was
// last released. follow looks at those touched since it last ran. Both compare only
// these records with what they knew of them. So the cost of a call depends only on what
// it changes. Touching an unchanged record does no harm: nobody is told of it.

// A changeSet has the records that may have changed since the last look. Its zero value
// is empty.
type changeSet struct {
	records []any
	index   map[any]bool // of the records, if there are many
	all     bool         // any record may have changed
}

func (c *changeSet) has(record any) bool {
	if c.index != nil {
		return c.index[record]
	}
	return slices.Contains(c.records, record)
}

func (c *changeSet) add(record any) {
	if c.has(record) {
		return
	}
	c.records = append(c.records, record)
	switch {
	case c.index != nil:
		c.index[record] = true
	case len(c.records) > 16:
		c.index = make(map[any]bool)
		each(c.records, func(record any) { c.index[record] = true })
	}
}

func (c *changeSet) empty() bool { return len(c.records) == 0 && !c.all }

// take takes the records of one kind out of the set, in the order of their numbers.
func take[T comparable](c *changeSet, number func(T) int64) (taken []T) {
	kept := c.records[:0]
	for _, record := range c.records {
		if of, is := record.(T); is {
			taken = append(taken, of)
			delete(c.index, record)
		} else {
			kept = append(kept, record)
		}
	}
	c.records = kept
	slices.SortFunc(taken, func(a, b T) int { return cmp.Compare(number(a), number(b)) })
	return taken
}

// A gitRef is a branch or a tag of a project, by its full name. The name is empty for the
// repository itself, when it was made.
type gitRef struct {
	project *Project
	name    string
}

// touch records that a record was made, changed or removed. It also invalidates the
// kept encodings of the record.
func (s *Service) touch(record any) {
	s.stamp(record)
	s.suspect(record)
}

// A stamp says when a record last changed, as a count of all changes in the service. Records
// whose encodings are kept embed it.
type stamp struct{ Changed uint64 }

func (t *stamp) set(version uint64) { t.Changed = version }

// stamp invalidates the kept encodings of a record.
func (s *Service) stamp(record any) {
	if of, is := record.(interface{ set(version uint64) }); is {
		s.version++
		of.set(s.version)
	}
}

// suspect adds a record to the change set.
func (s *Service) suspect(record any) {
	s.unfollowed.add(record)
	if s.watch != nil {
		s.watch.changed.add(record)
	}
}

// touchAll is for changes to records of many kinds, such as removing a project. The
// next look compares all records.
func (s *Service) touchAll() {
	s.unfollowed.all = true
	if s.watch != nil {
		s.watch.changed.all = true
	}
}

// found adds a record that the path names to the change set if the call may change
// something.
func (c *call) found(record any) {
	if c.route.writes() {
		c.svc.suspect(record)
	}
}

// everything calls add with every record that somebody looks at.
func (s *Service) everything(add func(record any)) {
	each(s.users.all(nil), add)
	each(state[sshKeyState](s).keys.all(nil), add)
	each(s.groups.all(nil), add)
	for _, p := range s.projects.all(nil) {
		add(p)
		each(p.releases(), add)
		each(p.refs(), add)
	}
	each(s.wikiPages(), add)
	each(state[issueState](s).issues.all(nil), add)
	each(state[mergeRequestState](s).requests.all(nil), add)
	each(state[snippetState](s).snippets.all(nil), add)
	each(state[epicState](s).epics.all(nil), add)
	each(state[commitDiscussions](s).on, add)
	for _, d := range s.discussions() {
		each(d.notes, add)
	}
	each(state[pipelineState](s).pipelines.all(nil), add)
	each(state[jobState](s).jobs.all(nil), add)
	each(state[deploymentState](s).deployments.all(nil), add)
	each(state[milestoneState](s).milestones.all(nil), add)
	for _, t := range s.tokens {
		add(t)
	}
}

func each[T any](records []T, add func(record any)) {
	for _, record := range records {
		add(record)
	}
}

// refs returns the branches and tags of the project, if it has a repository yet.
func (p *Project) refs() []gitRef {
	r := state[repositories](p.svc).of[p]
	if r == nil {
		return nil
	}
	refs := []gitRef{{p, ""}}
	for _, name := range r.Branches() {
		refs = append(refs, gitRef{p, "refs/heads/" + name})
	}
	for _, name := range r.Tags() {
		refs = append(refs, gitRef{p, "refs/tags/" + name})
	}
	return refs
}

// exists reports whether a record has not been removed.
func (s *Service) exists(record any) bool {
	switch r := record.(type) {
	case *User:
		return !r.gone && has(&s.users, r.id)
	case *sshKey:
		return has(&state[sshKeyState](s).keys, r.id)
	case *Group:
		return r != nil && has(&s.groups, r.id)
	case *Project:
		return r != nil && s.hasProject(r)
	case *Release:
		return s.hasProject(r.project) && slices.Contains(r.project.releases(), r)
	case *WikiPage:
		return r.wikiHome.exists() && slices.Contains(r.wiki().pages, r)
	case *Note:
		return !r.deleted && s.exists(r.on)
	case *Pipeline:
		return has(&state[pipelineState](s).pipelines, r.id)
	case *Deployment:
		return has(&state[deploymentState](s).deployments, r.id)
	case *Milestone:
		return has(&state[milestoneState](s).milestones, r.id)
	case *commitDiscussion:
		return s.hasProject(r.project)
	}
	return s.hasTarget(record)
}

func has[T any](t *table[T], id int64) bool {
	_, ok := t.find(id)
	return ok
}
