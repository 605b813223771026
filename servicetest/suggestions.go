package servicetest

import (
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

// A wantedSuggestion is a suggestion that a call applies.
type wantedSuggestion struct {
	suggestion

	request *MergeRequest
	note    *Note
}

// path returns the file that the suggestion changes.
func (w *wantedSuggestion) path() string { return w.note.position.NewPath }

// findSuggestion returns a suggestion that the caller can see, or nil.
func (c *call) findSuggestion(id int64) *wantedSuggestion {
	for _, m := range c.visibleRequests(func(*Project) bool { return true }) {
		for _, n := range m.notes {
			if n.id != id/maxSuggestions {
				continue
			}
			for _, s := range (&noteable{mergeRequest: m}).suggestionsIn(n) {
				if s.ID == id {
					return &wantedSuggestion{s, m, n}
				}
			}
		}
	}
	return nil
}

func applySuggestion(c *call) *reply {
	w, message := c.findSuggestion(c.PathInt64("id")), c.String("commit_message")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if w == nil {
		return frame.Message(http.StatusNotFound,
			"Suggestion is not applicable as the suggestion was not found.")
	}
	wanted := []*wantedSuggestion{w}
	if refusal := c.applySuggestions(wanted, message); refusal != nil {
		return refusal
	}
	return c.OK(w.again())
}

func applySuggestions(c *call) *reply {
	c.Require("ids")
	ids, message := c.Int64s("ids"), c.String("commit_message")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	var wanted []*wantedSuggestion
	for _, id := range ids {
		w := c.findSuggestion(id)
		if w == nil {
			return frame.Message(http.StatusNotFound,
				"Suggestions are not applicable as one or more suggestions were not found.")
		}
		wanted = append(wanted, w)
	}
	if len(wanted) == 0 {
		return frame.JSONReply(http.StatusBadRequest, object{"error": "ids is empty"})
	}
	if refusal := c.applySuggestions(wanted, message); refusal != nil {
		return refusal
	}
	forms := []suggestion{}
	for _, w := range wanted {
		forms = append(forms, w.again())
	}
	return c.OK(forms)
}

// again returns the suggestion as it is now.
func (w *wantedSuggestion) again() suggestion {
	return (&noteable{mergeRequest: w.request}).suggestionsIn(w.note)[w.ID%maxSuggestions]
}

// suggestionProblem refuses suggestions that cannot be applied together.
func (c *call) suggestionProblem(wanted []*wantedSuggestion) *reply {
	refuse := func(text string) *reply { return frame.Message(http.StatusBadRequest, text) }
	for i, w := range wanted {
		for _, other := range wanted[:i] {
			switch {
			case other.request.source != w.request.source || other.request.sourceBranch != w.request.sourceBranch:
				return refuse("Suggestions must all be on the same branch.")
			case other.path() == w.path() && other.FromLine == w.FromLine:
				return refuse("Suggestions are not applicable as their lines cannot overlap.")
			}
		}
		switch {
		case !w.request.mayPush(c.user):
			return frame.Forbidden("")
		case w.Applied:
			return refuse("Can't apply this suggestion.")
		case w.request.state != "opened":
			return refuse("This merge request is closed. To apply this suggestion, edit this file directly.")
		case !w.Appliable:
			return refuse("Can't apply as this line was changed in a more recent version.")
		}
	}
	return nil
}

// applySuggestions makes one commit on the source branch, and resolves the threads.
func (c *call) applySuggestions(wanted []*wantedSuggestion, message string) *reply {
	if refusal := c.suggestionProblem(wanted); refusal != nil {
		return refusal
	}
	m := wanted[0].request
	head, files := m.head(), map[string][]string{}
	for _, w := range wanted {
		if files[w.path()] == nil {
			files[w.path()] = m.linesOf(w.path())
		}
		files[w.path()][w.FromLine-1] = w.ToContent
	}
	tree := maps.Clone(head.Tree)
	for path, lines := range files {
		entry := tree[path]
		entry.Blob = gitrepo.NewBlob([]byte(strings.Join(lines, "")))
		tree[path] = entry
	}
	by := c.user.signature(c.now())
	paths := slices.Sorted(maps.Keys(files))
	made := m.source.repository().NewCommit(gitrepo.Draft{
		Tree: tree, Parents: []*gitrepo.Commit{head}, Author: by, Committer: by,
		Message: either(message, c.suggestionMessage(m, len(wanted), paths)),
	})
	if refusal := m.source.refuseCommit(m.sourceBranch, made); refusal != nil {
		return refusal
	}
	m.source.repository().SetBranch(m.sourceBranch, made)
	for _, w := range wanted {
		w.finish(c.user)
	}
	m.check()
	return nil
}

// finish marks the suggestion as applied, and resolves its thread.
func (w *wantedSuggestion) finish(by *User) {
	if w.note.applied == nil {
		w.note.applied = make(map[int64]bool)
	}
	w.note.applied[w.ID] = true
	for _, t := range w.request.threads() {
		if slices.Contains(t.notes, w.note) && t.isThread() {
			for _, n := range t.notes {
				n.resolve(true, by, by.svc.now())
				by.svc.touch(n)
			}
		}
	}
	w.request.change()
}

// suggestionMessage fills in the template of the project for the messages of such commits.
func (c *call) suggestionMessage(m *MergeRequest, count int, paths []string) string {
	template, _ := m.project.preferences.value(projectPreferences, "suggestion_commit_message").(string)
	return strings.NewReplacer(
		"%{branch_name}", m.sourceBranch, "%{project_name}", m.project.name, "%{project_path}", m.project.path,
		"%{files_count}", fmt.Sprint(len(paths)), "%{file_paths}", strings.Join(paths, ", "),
		"%{suggestions_count}", fmt.Sprint(count), "%{username}", c.user.username, "%{user_full_name}", c.user.name,
	).Replace(either(template, "Apply %{suggestions_count} suggestion(s) to %{files_count} file(s)"))
}
