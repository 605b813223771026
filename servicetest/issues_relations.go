package servicetest

import (
	"cmp"
	"net/http"
	"regexp"
	"slices"

	"example.com/serviceapi/servicetest/internal/frame"
)

// changeSubscription makes a handler that subscribes the caller to an issue or a merge
// request, or unsubscribes the caller. It responds with 304 if nothing changes.
func changeSubscription(wanted bool) func(*call, *noteable) *reply {
	return func(c *call, on *noteable) *reply {
		t := on.topic()
		if m := on.mergeRequest; m != nil && !m.mayChange(c.user) {
			return frame.Forbidden("")
		}
		if t.subscribed(c.user) == wanted {
			return &reply{Status: http.StatusNotModified}
		}
		t.subscribe(c.user, wanted)
		if on.issue != nil {
			return c.Created(c.issueDetails(on.issue))
		}
		return c.Created(c.details(on.mergeRequest))
	}
}

// topic returns what an issue and a merge request have in common.
func (on *noteable) topic() *topic {
	if on.issue != nil {
		return &on.issue.topic
	}
	return &on.mergeRequest.topic
}

// mayChange reports whether a user may change the merge request.
func (m *MergeRequest) mayChange(user *User) bool {
	return m.mayMerge(user) || user == m.author || slices.Contains(m.assignees, user)
}

var mention = regexp.MustCompile(`(?:^|[^\w/])@([\w][\w.-]*)`)

// isMentionedIn reports whether a text mentions the user.
func (u *User) isMentionedIn(text string) bool {
	users, _ := u.svc.mentionedIn(text)
	return slices.Contains(users, u)
}

// listParticipants lists who takes part in an issue or a merge request: its people, and
// who wrote a note that the caller can see or is mentioned.
func listParticipants(c *call, on *noteable) *reply {
	t, project := on.topic(), on.project()
	var found []*User
	add := func(users ...*User) {
		for _, user := range users {
			if user = user.shown(); user != nil && !slices.Contains(found, user) && c.svc.canSeeProject(user, project) {
				found = append(found, user)
			}
		}
	}
	read := func(text string) {
		users, _ := c.svc.mentionedIn(text)
		add(users...)
	}
	add(t.author)
	add(t.assignees...)
	if on.mergeRequest != nil {
		add(on.mergeRequest.reviewers...)
	}
	read(t.description)
	for _, note := range t.notes {
		if on.shows(note, c.user) && !note.system {
			add(note.author)
			read(note.body)
		}
	}
	return frame.ListOf(c, found, (*User).summary)
}

// listClosingRequests lists the open merge requests that close the issue of the path.
func listClosingRequests(c *call, issue *Issue) *reply {
	closing := c.visibleRequests(func(p *Project) bool { return p == issue.project })
	closing = slices.DeleteFunc(closing, func(m *MergeRequest) bool {
		return m.state != "opened" || !slices.Contains(m.closes(), issue)
	})
	return frame.ListOf(c, closing, func(m *MergeRequest) mergeRequestJSON { return m.json(false) })
}

// listRelatedRequests lists the merge requests that mention the issue of the path, or
// that it mentions.
func listRelatedRequests(c *call, issue *Issue) *reply {
	related := c.visibleRequests(func(*Project) bool { return true })
	related = slices.DeleteFunc(related, func(m *MergeRequest) bool {
		return !names(m.texts(), "#", issue.iid, issue.project, m.project) &&
			!names(issue.texts(), "!", m.iid, m.project, issue.project)
	})
	return frame.ListOf(c, related, c.related)
}

// texts returns everything that people wrote in the issue or the merge request.
func (t *topic) texts() []string {
	texts := []string{t.title, t.description}
	for _, note := range t.notes {
		if !note.system && !note.confidential {
			texts = append(texts, note.body)
		}
	}
	return texts
}

// texts also includes the messages of the commits.
func (m *MergeRequest) texts() []string { return append(m.topic.texts(), m.closingTexts()...) }

// names reports whether texts of one project refer to a numbered object of another, by
// its full path. Within a project, the path may be missing.
func names(texts []string, sign string, iid int64, home, from *Project) bool {
	path := regexp.QuoteMeta(home.fullPath())
	if home == from {
		path = "(?:" + path + ")?"
	}
	reference := regexp.MustCompile(`(?:^|[^\w/.#!-])` + path + sign + frame.Itoa(iid) + `\b`)
	return slices.ContainsFunc(texts, reference.MatchString)
}

// reorderIssue puts the issue of the path between others of its project.
func reorderIssue(c *call, issue *Issue) *reply {
	if !issue.mayChange(c.user) {
		return frame.Forbidden("")
	}
	others := issue.project.issues().all(func(other *Issue) bool { return other != issue })
	slices.SortFunc(others, func(a, b *Issue) int { return cmp.Compare(a.position, b.position) })
	next, fits := placeBetween(c, others, func(i *Issue) int64 { return i.id })
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if !fits || next < 0 {
		return frame.JSONReply(http.StatusUnprocessableEntity,
			object{"message": object{"error": "Unprocessable Entity"}})
	}
	issue.putBefore(others, next)
	return c.OK(c.issueDetails(issue))
}

// placeBetween returns the place in a list that move_before_id and move_after_id name: that of the
// record which comes next, or -1 if both are missing. It reports false if the list has no such
// records, or has them in another order.
func placeBetween[T any](c *call, others []T, id func(T) int64) (next int, fits bool) {
	place := func(name string) (at int, known bool) {
		wanted := c.Int64(name)
		at = slices.IndexFunc(others, func(other T) bool { return id(other) == wanted })
		return at, at >= 0 || wanted == 0
	}
	previous, first := place("move_before_id")
	next, last := place("move_after_id")
	switch {
	case !first || !last || next >= 0 && previous >= next:
		return 0, false
	case next < 0 && previous >= 0:
		next = previous + 1
	}
	return next, true
}

// putBefore gives the issue a position between those of two neighbors in a sorted list.
func (i *Issue) putBefore(others []*Issue, next int) {
	switch {
	case next == len(others):
		i.position = others[next-1].position + 1
	case next == 0:
		i.position = others[0].position - 1
	default:
		i.position = (others[next-1].position + others[next].position) / 2
	}
}
