// Package events decodes the events of a webhook.
package events

import (
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
"object_attributes":{"id":1,"iid":3,"title":"T","state":"opened","action":"open","source_branch":"fix"}}`

// Run sends two events to a handler.
func Run(_, _ string) (string, error) {
	var out strings.Builder
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
		}
	})
	for kind, body := range map[string]string{"Push Hook": push, "Merge Request Hook": merge} {
		r := httptest.NewRequest(http.MethodPost, "/hook", strings.NewReader(body))
		r.Header.Set("X-Gitlab-Event", kind)
		handler.ServeHTTP(httptest.NewRecorder(), r)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	return fmt.Sprint(len(lines), strings.Contains(out.String(), "acme/shop")), nil
}
