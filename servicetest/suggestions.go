package servicetest

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"example.com/serviceapi/servicetest/internal/frame"
	"example.com/serviceapi/servicetest/internal/gitrepo"
)

// maxSuggestions is more than a note has: the ID of a suggestion is that of its note times
// this, and its place.
const maxSuggestions = 100

// linesOf returns the lines of a file on the source branch.
func (m *MergeRequest) linesOf(path string) []string {
	if head := m.head(); head != nil {
		return head.Tree[path].Blob.Lines()
	}
	return nil
}

// A placedSuggestion is a suggestion with the note that it is in.
type placedSuggestion struct {
	suggestion

	request *MergeRequest
	note    *Note
}

func (s *placedSuggestion) path() string { return s.note.position.NewPath }

// findSuggestion returns a suggestion that the caller can see, or nil.
func (c *call) findSuggestion(id int64) *placedSuggestion {
	for _, m := range c.visibleRequests(func(*Project) bool { return true }) {
		at := slices.IndexFunc(m.notes, func(n *Note) bool { return n.id == id/maxSuggestions })
		if at < 0 {
			continue
		}
		found, place := (&noteable{mergeRequest: m}).suggestionsIn(m.notes[at]), id%maxSuggestions
		if place < int64(len(found)) {
			return &placedSuggestion{found[place], m, m.notes[at]}
		}
	}
	return nil
}

func applySuggestion(c *call) *reply {
	applied, refusal := c.applySuggestions([]int64{c.PathInt64("id")},
		"Suggestion is not applicable as the suggestion was not found.")
	if refusal != nil {
		return refusal
	}
	return c.OK(applied[0])
}

func applySuggestions(c *call) *reply {
	c.Require("ids")
	ids := c.Int64s("ids")
	if c.Has("ids") && len(ids) == 0 {
		c.Problem("ids is empty")
	}
	applied, refusal := c.applySuggestions(ids,
		"Suggestions are not applicable as one or more suggestions were not found.")
	if refusal != nil {
		return refusal
	}
	return c.OK(applied)
}

// applySuggestions makes one commit on the source branch, resolves the threads, and returns
// the suggestions as they are then.
func (c *call) applySuggestions(ids []int64, missing string) (applied []suggestion, refusal *reply) {
	message := c.String("commit_message")
	if refusal := c.Refusal(); refusal != nil {
		return nil, refusal
	}
	var wanted []*placedSuggestion
	for _, id := range ids {
		s := c.findSuggestion(id)
		if s == nil {
			return nil, frame.Message(http.StatusNotFound, missing)
		}
		wanted = append(wanted, s)
	}
	if refusal := c.suggestionProblem(wanted); refusal != nil {
		return nil, refusal
	}
	if refusal := c.commitSuggestions(wanted, message); refusal != nil {
		return nil, refusal
	}
	for _, s := range wanted {
		s.finish(c.user)
		applied = append(applied, c.findSuggestion(s.ID).suggestion)
	}
	return applied, nil
}

// suggestionProblem refuses suggestions that cannot be applied together.
func (c *call) suggestionProblem(wanted []*placedSuggestion) *reply {
	refuse := func(text string) *reply { return frame.Message(http.StatusBadRequest, text) }
	for i, s := range wanted {
		for _, other := range wanted[:i] {
			switch {
			case other.request.source != s.request.source || other.request.sourceBranch != s.request.sourceBranch:
				return refuse("Suggestions must all be on the same branch.")
			case other.path() == s.path() && other.FromLine == s.FromLine:
				return refuse("Suggestions are not applicable as their lines cannot overlap.")
			}
		}
		switch {
		case !s.request.mayPush(c.user):
			return frame.Forbidden("")
		case s.Applied:
			return refuse("Can't apply this suggestion.")
		case s.request.state != "opened":
			return refuse("This merge request is closed. To apply this suggestion, edit this file directly.")
		case !s.Appliable:
			return refuse("Can't apply as this line was changed in a more recent version.")
		}
	}
	return nil
}

func (c *call) commitSuggestions(wanted []*placedSuggestion, message string) *reply {
	m := wanted[0].request
	tree, by := maps.Clone(m.head().Tree), c.user.signature(c.now())
	files := map[string]bool{}
	bottomUp := slices.SortedFunc(slices.Values(wanted), func(a, b *placedSuggestion) int {
		return cmp.Compare(b.FromLine, a.FromLine) // a line that is gone moves those below it
	})
	for _, s := range bottomUp {
		entry := tree[s.path()]
		lines := entry.Lines()
		lines[s.FromLine-1] = s.ToContent
		entry.Blob = gitrepo.NewBlob([]byte(strings.Join(lines, "")))
		tree[s.path()], files[s.path()] = entry, true
	}
	made := m.source.repository().NewCommit(gitrepo.Draft{
		Tree: tree, Parents: []*gitrepo.Commit{m.head()}, Author: by, Committer: by,
		Message: either(message, fmt.Sprintf("Apply %d suggestion(s) to %d file(s)", len(wanted), len(files))),
	})
	if refusal := m.source.refuseCommit(m.sourceBranch, made); refusal != nil {
		return refusal
	}
	m.source.repository().SetBranch(m.sourceBranch, made)
	m.check()
	return nil
}

// finish marks the suggestion as applied, and resolves its thread.
func (s *placedSuggestion) finish(by *User) {
	put(&s.note.applied, s.ID, true)
	for _, n := range s.request.notes {
		if n.threaded && n.threadID() == s.note.threadID() {
			n.resolve(true, by, by.svc.now())
			by.svc.touch(n)
		}
	}
	s.request.change()
}
