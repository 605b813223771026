package webhook

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestBodiesDecide sends each event, signed, with the header of each kind. The type is what
// the body says, and a problem says that the header differs.
func TestBodiesDecide(t *testing.T) {
	opts := []Option{SigningToken(signingToken)}
	var received Event
	server := httptest.NewServer(Handler(verifier(t, opts...), ReceiverFunc(func(_ context.Context, e Event) error {
		received = e
		return nil
	})))
	defer server.Close()
	client := server.Client()
	seen := map[string]bool{}
	for _, s := range samples(t) {
		if seen[s.typ] {
			continue
		}
		seen[s.typ] = true
		for kind, made := range byKind {
			r, err := NewRequest(server.URL, kind, s.body, opts...)
			require.NoError(t, err)
			resp, err := client.Do(r)
			require.NoError(t, err)
			require.NoError(t, resp.Body.Close())
			require.Equal(t, http.StatusNoContent, resp.StatusCode)
			require.Equal(t, s.typ, typeName(received), "with the header %s", kind)
			info := received.Info()
			assert.Equal(t, kind, info.Kind)
			if typeName(made()) == s.typ {
				require.NoError(t, info.Problem)
				continue
			}
			problem, ok := errors.AsType[*KindError](info.Problem)
			require.True(t, ok, "%s with the header %s: %v", s.typ, kind, info.Problem)
			assert.Equal(t, kind, problem.Kind)
		}
	}
	assert.Greater(t, len(seen), 20)
}

// TestKindsOfBodies checks headers and bodies of which one is unknown or says nothing.
func TestKindsOfBodies(t *testing.T) {
	for _, c := range []struct {
		kind       Kind
		body, want string
		problem    string
	}{
		{"Push Hook", `{}`, "PushEvent", ""},
		{"Push Hook", `{"event_name":"push"}`, "PushEvent", ""},
		{"Push Hook", `{"object_kind":"note","event_name":"push"}`, "NoteEvent",
			`webhook: the body is not what the header says, "Push Hook"`},
		{"Push Hook", `{"object_kind":"telepathy"}`, "UnknownEvent",
			`webhook: the body is not what the header says, "Push Hook"`},
		{"Push Hook", `{"event_name":"telepathy"}`, "UnknownEvent",
			`webhook: the body is not what the header says, "Push Hook"`},
		{"Push Hook", `{"object_kind":7}`, "PushEvent", `webhook: the member at "/object_kind" is of the wrong kind`},
		{"Push Hook", `{"object_kind":"note","project_id":"x"}`, "NoteEvent",
			"webhook: the body is not what the header says, \"Push Hook\"\n" +
				`webhook: the member at "/project_id" is of the wrong kind`},
		{"Issue Hook", `{"object_kind":"work_item"}`, "IssueEvent", ""},
		{"Member Hook", `{"event_name":"user_of_later"}`, "MemberEvent", ""},
		{"Member Hook", `{"event_name":"user_create"}`, "UserEvent",
			`webhook: the body is not what the header says, "Member Hook"`},
		{"Repository Update Hook", `{"event_name":"repository_update"}`, "RepositoryUpdateEvent", ""},
		{"Telepathy Hook", `{"object_kind":"push"}`, "PushEvent", ""},
		{"Telepathy Hook", `{"object_kind":"telepathy"}`, "UnknownEvent", ""},
		{"Telepathy Hook", `{}`, "UnknownEvent", ""},
		{KindSystem, `{"object_kind":"push","event_name":"repository_update"}`, "RepositoryUpdateEvent", ""},
		{KindService, `{"object_kind":"push","event_name":"repository_update"}`, "PushEvent", ""},
		{"", `{"event_name":"key_create"}`, "KeyEvent", ""},
	} {
		event, err := Decode(c.kind, []byte(c.body))
		require.NoError(t, err)
		assert.Equal(t, c.want, typeName(event), "%s: %s", c.kind, c.body)
		if c.problem == "" {
			assert.NoError(t, event.Info().Problem, c.body)
			continue
		}
		assert.EqualError(t, event.Info().Problem, c.problem)
	}
}
