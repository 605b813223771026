// Package events decodes the events of a webhook.
package events

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	gitlab "gitlab.com/gitlab-org/api/client-go"
)

const push = `{"object_kind":"push","ref":"refs/heads/main","user_username":"ada","project_id":7,
"project":{"id":7,"name":"Shop","path_with_namespace":"acme/shop"},"commits":[{"id":"abc","message":"Fix"}]}`

const merge = `{"object_kind":"merge_request","user":{"id":1,"username":"ada"},
"project":{"id":7,"path_with_namespace":"acme/shop"},
"object_attributes":{"id":1,"iid":3,"title":"T","state":"opened","action":"open","source_branch":"fix",
"source":{"path_with_namespace":"ada/shop","homepage":"https://example.com/ada/shop","visibility":"public"},
"target":{"path_with_namespace":"acme/shop"}},"repository":{"name":"Shop","homepage":"https://example.com/acme/shop"}}`

const noteOnMerge = `{"object_kind":"note","user":{"username":"ada"},"project":{"path_with_namespace":"acme/shop"},
"object_attributes":{"id":5,"note":"Fine","noteable_type":"MergeRequest"},"merge_request":{"iid":3,"title":"T"}}`

const noteOnCommit = `{"object_kind":"note","user":{"username":"ada"},"project":{"path_with_namespace":"acme/shop"},
"object_attributes":{"id":6,"note":"Hm","noteable_type":"Commit"},"commit":{"id":"abc","message":"Fix"}}`

const noteOnIssue = `{"object_kind":"note","user":{"username":"ada"},"project":{"path_with_namespace":"acme/shop"},
"object_attributes":{"id":7,"note":"Why","noteable_type":"Issue"},"issue":{"iid":4,"title":"Slow"}}`

// comment tells comments apart. Those on issues are none of its business.
func comment(payload string) string {
	event, err := gitlab.ParseWebhook(gitlab.EventTypeNote, []byte(payload))
	if err != nil {
		return err.Error()
	}
	if merge, ok := event.(*gitlab.MergeCommentEvent); ok {
		return fmt.Sprint("also ", merge.MergeRequest.IID)
	}
	switch event := event.(type) {
	case *gitlab.MergeCommentEvent:
		return fmt.Sprint("merge request ", event.MergeRequest.IID, event.ObjectAttributes.Note)
	case *gitlab.CommitCommentEvent:
		return fmt.Sprint("commit ", event.Commit.ID, event.ObjectAttributes.Note)
	default:
		return "other"
	}
}

// system tells tokens of projects and of groups apart, and knows jobs by two names.
func system(kind gitlab.EventType, payload string) string {
	event, err := gitlab.ParseWebhook(kind, []byte(payload))
	if err != nil {
		return err.Error()
	}
	switch event := event.(type) {
	case *gitlab.BuildEvent:
		return "build " + event.BuildName
	case *gitlab.JobEvent:
		return "job " + event.BuildName
	case *gitlab.ProjectResourceAccessTokenEvent:
		return "project " + event.Project.PathWithNamespace
	case *gitlab.GroupResourceAccessTokenEvent:
		return "group " + event.Group.GroupPath
	default:
		return "other"
	}
}

// paths returns what the service sends of the source, and what it does not of the repository.
func paths(event *gitlab.MergeEvent) []string {
	source, repository := event.ObjectAttributes.Source, event.Repository
	return []string{event.ObjectAttributes.Source.PathWithNamespace, event.ObjectAttributes.Target.PathWithNamespace,
		source.PathWithNamespace, source.Homepage, string(source.Visibility), repository.Homepage,
		repository.PathWithNamespace, event.Repository.PathWithNamespace}
}

const dated = `{"object_kind":"merge_request","user":{"id":1,"username":"ada"},"object_attributes":{"id":1,"iid":3,
"title":"T","created_at":"2018-12-12 16:15:21 UTC","updated_at":"2018-12-12 16:15:21 UTC"}}`

// decoded reads a body without asking what event it is, in both ways of encoding/json.
func decoded() string {
	var whole, read gitlab.MergeEvent
	err := json.Unmarshal([]byte(dated), &whole)
	failed := json.NewDecoder(strings.NewReader(dated)).Decode(&read)
	return fmt.Sprint(whole.ObjectAttributes.IID, whole.User.Username, err, read.ObjectAttributes.Title, failed)
}

// Run sends two events to a handler, and tells comments apart.
func Run(_, _ string) (string, error) {
	var out strings.Builder
	var forks []string
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		payload, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		event, err := gitlab.ParseWebhook(gitlab.HookEventType(r), payload)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		switch event := event.(type) {
		case *gitlab.PushEvent:
			fmt.Fprintln(&out, event.Ref, event.ProjectID, event.Project.PathWithNamespace, len(event.Commits))
		case *gitlab.MergeEvent:
			attributes := event.ObjectAttributes
			fmt.Fprintln(&out, attributes.IID, event.ObjectAttributes.Title, event.User.Username)
			fmt.Fprintln(&out, attributes.Action == "open")
			forks = append(forks, paths(event)...)
		}
	})
	for kind, body := range map[string]string{"Push Hook": push, "Merge Request Hook": merge} {
		r := httptest.NewRequest(http.MethodPost, "/hook", strings.NewReader(body))
		r.Header.Set("X-Gitlab-Event", kind)
		handler.ServeHTTP(httptest.NewRecorder(), r)
	}
	for _, payload := range []string{noteOnMerge, noteOnCommit, noteOnIssue} {
		fmt.Fprintln(&out, comment(payload))
	}
	job := system(gitlab.EventTypeJob, `{"object_kind":"build","build_id":5,"build_name":"test"}`)
	tokens := []string{
		system(gitlab.EventTypeResourceAccessToken, `{"object_kind":"access_token","project":{"id":7,
"path_with_namespace":"acme/shop"},"object_attributes":{"id":1,"name":"ci"},"event_name":"expiring_access_token"}`),
		system(gitlab.EventTypeResourceAccessToken, `{"object_kind":"access_token","group":{"group_id":3,
"group_path":"acme"},"object_attributes":{"id":2,"name":"ci"},"event_name":"expiring_access_token"}`),
	}
	comments := out.String()[strings.LastIndex(out.String(), "also"):]
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	found := strings.Contains(out.String(), "acme/shop")
	return fmt.Sprint(len(lines), found, comments, job, tokens, forks, webhook{"main"}.title(), decoded()), nil
}
