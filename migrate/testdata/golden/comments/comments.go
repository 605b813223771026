// Package comments hands events on as values of any type, and not as pointers.
package comments

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	gitlab "gitlab.com/gitlab-org/api/client-go"
)

func name(v any) string {
	switch v := v.(type) {
	case gitlab.MergeCommentEvent:
		return "merge request " + v.MergeRequest.Title
	case *gitlab.IssueCommentEvent:
		return "issue " + v.Issue.Title
	case gitlab.MergeEvent:
		return "event of a merge request"
	case gitlab.CommitCommentEvent:
		return "commit"
	case *gitlab.SnippetCommentEvent:
		return "snippet"
	default:
		return "something else"
	}
}

// parse decodes events itself.
func parse(kind string, body []byte) (any, error) {
	switch kind {
	case "Commit":
		var e gitlab.CommitCommentEvent
		err := json.Unmarshal(body, &e)
		return e, err
	case "Issue":
		var e *gitlab.IssueCommentEvent
		err := json.Unmarshal(body, &e)
		return e, err
	}
	var e gitlab.MergeCommentEvent
	err := json.Unmarshal(body, &e)
	return e, err
}

func isMerge(v any) bool {
	_, ok := v.(gitlab.MergeCommentEvent)
	return ok
}

// made returns events as a test makes them.
func made() []any {
	return []any{gitlab.MergeCommentEvent{}, &gitlab.IssueCommentEvent{ObjectKind: "note"}, gitlab.MergeEvent{},
		gitlab.CommitCommentEvent{}, &gitlab.SnippetCommentEvent{}, gitlab.IssueCommentEvent{}, 1}
}

// Run names events.
func Run(_, _ string) (string, error) {
	var lines []string
	for _, v := range made() {
		lines = append(lines, fmt.Sprintln(name(v), isMerge(v)))
	}
	for kind, body := range map[string]string{
		"Commit":       `"commit":{"id":"a"}`,
		"Issue":        `"issue":{"title":"A"}`,
		"MergeRequest": `"merge_request":{"title":"B"}`,
	} {
		v, err := parse(kind, []byte(`{"object_kind":"note",`+body+`}`))
		if err != nil {
			return "", err
		}
		lines = append(lines, fmt.Sprintln(kind, name(v), isMerge(v)))
	}
	slices.Sort(lines)
	return strings.Join(lines, ""), nil
}
