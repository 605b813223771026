package servicetest

import (
	"fmt"
	"slices"
	"strings"
)

// tell adds a system note about what a user did to the object of a discussion.
func (s *Service) tell(on *discussion, by *User, format string, args ...any) {
	s.addNote(on, fmt.Sprintf(format, args...), by, SystemNote())
}

// tellChanges adds a system note for each difference between a topic and what
// it was before. noun is what users call the topic, such as "issue".
func (t *topic) tellChanges(before topic, p *Project, by *User, noun string) {
	svc := p.svc
	tell := func(format string, args ...any) { svc.tell(&t.discussion, by, format, args...) }
	wasDraft, isDraft := isDraftTitle(before.title), isDraftTitle(t.title)
	old, title := strings.TrimPrefix(before.title, draftPrefix), strings.TrimPrefix(t.title, draftPrefix)
	if noun != mergeRequestNoun {
		wasDraft, isDraft, old, title = false, false, before.title, t.title
	}
	if old != title {
		tell("changed title from **%s** to **%s**", old, title)
	}
	if wasDraft != isDraft {
		tell("marked this merge request as **%s**", map[bool]string{true: "draft", false: "ready"}[isDraft])
	}
	if before.description != t.description {
		tell("changed the description")
	}
	if text := exchanged(before.assignees, t.assignees, (*User).mention, "assigned to %s",
		"unassigned %s"); text != "" {
		tell("%s", text)
	}
	named := func(name string) string {
		return fmt.Sprintf("~%d", svc.label(name, func(l *label) bool { return l.isOf(p) }).id)
	}
	if text := exchanged(before.labels, t.labels, named, "added %s label", "removed %s label"); text != "" {
		tell("%s", text)
	}
	if before.milestone != t.milestone {
		if t.milestone == nil {
			tell("removed milestone")
		} else {
			tell("changed milestone to %%%d", t.milestone.iid)
		}
	}
	t.recordChanges(svc, before, by, p)
	if before.locked != t.locked {
		tell("%s the discussion in this %s", map[bool]string{true: "locked", false: "unlocked"}[t.locked], noun)
	}
}

// exchanged says which items were added and removed. It returns "" if none were.
func exchanged[T comparable](before, after []T, named func(T) string, added, removed string) string {
	var parts []string
	list := func(format string, these, those []T) {
		var names []string
		for _, item := range these {
			if !slices.Contains(those, item) {
				names = append(names, named(item))
			}
		}
		if strings.HasSuffix(format, " label") && len(names) > 1 {
			format += "s"
		}
		if len(names) > 0 {
			parts = append(parts, fmt.Sprintf(format, strings.Join(names, " ")))
		}
	}
	list(added, after, before)
	list(removed, before, after)
	return strings.Join(parts, " and ")
}

func (u *User) mention() string { return "@" + u.username }

const mergeRequestNoun = "merge request"

// tellChanges is like topic.tellChanges, and adds what only merge requests have.
func (m *MergeRequest) tellChanges(before MergeRequest, by *User) {
	m.topic.tellChanges(before.topic, m.project, by, mergeRequestNoun)
	if before.targetBranch != m.targetBranch {
		m.tell(by, "changed target branch from `%s` to `%s`", before.targetBranch, m.targetBranch)
	}
	review := exchanged(before.reviewers, m.reviewers, (*User).mention, "requested review from %s",
		"removed review request for %s")
	if review != "" {
		m.tell(by, "%s", review)
	}
}

// tellOpening adds system notes about the properties of a new merge request. Opening it
// makes no note by itself.
func (m *MergeRequest) tellOpening(by *User) {
	given := *m
	given.assignees, given.reviewers, given.labels, given.milestone = nil, nil, nil, nil
	m.tellChanges(given, by)
}

func (m *MergeRequest) tell(by *User, format string, args ...any) {
	m.svc.tell(&m.discussion, by, format, args...)
}

// tellChanges is like topic.tellChanges, and adds what only issues have.
func (i *Issue) tellChanges(before Issue, by *User) {
	i.topic.tellChanges(before.topic, i.project, by, "issue")
	i.recordPlan(before, by)
	if before.confidential != i.confidential {
		i.tell(by, "made the issue %s",
			map[bool]string{true: "confidential", false: "visible to everyone"}[i.confidential])
	}
	switch {
	case before.dueDate.Equal(i.dueDate):
	case i.dueDate.IsZero():
		i.tell(by, "removed due date %s", before.dueDate.Format("January 2, 2006"))
	default:
		i.tell(by, "changed due date to %s", i.dueDate.Format("January 2, 2006"))
	}
}

// tellOpening is like MergeRequest.tellOpening.
func (i *Issue) tellOpening(by *User) {
	given := *i
	given.assignees, given.labels, given.milestone, given.weight = nil, nil, nil, nil
	i.tellChanges(given, by)
}

func (i *Issue) tell(by *User, format string, args ...any) {
	i.project.svc.tell(&i.discussion, by, format, args...)
}

// reference returns the form in which other projects refer to the issue.
func (i *Issue) reference() string { return fmt.Sprintf("%s#%d", i.project.fullPath(), i.iid) }
