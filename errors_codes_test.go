package serviceapi

import (
	"bytes"
	"log/slog"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestErrorsInALog checks what slog writes of an error: parts that can be searched
// for, without the body, the headers, the credential or control characters.
func TestErrorsInALog(t *testing.T) {
	for want, e := range map[string]*Error{
		`{"err":{"status":0,"attempts":0}}`: nil,
		`{"err":{"status":400,"attempts":2,"method":"POST","operation":"/projects/:id","url":"https://x.test/a",` +
			`"message":"bad\\x1b[2J","description":"why\\t","code":"empty\\n","reason":"r\\u2028","request_id":"id\\a"}}`: {
			CallInfo:   CallInfo{Method: "POST", Operation: "/projects/:id", URL: "https://x.test/a"},
			StatusCode: 400, Attempts: 2, Message: "bad\x1b[2J", Code: "empty\n", Reason: "r\u2028", RequestID: "id\a",
			Body: []byte("from the body"), header: http.Header{"X": {"from the header"}}, credential: "PrivateToken",
			Description: "why\t", Scope: "api", Fields: map[string][]string{"name": {"said twice"}},
		},
		`{"err":{"status":400,"attempts":1,"description":"why"}}`: {StatusCode: 400, Attempts: 1, Description: "why"},
	} {
		var log bytes.Buffer
		onlyError := func(groups []string, a slog.Attr) slog.Attr {
			if len(groups) == 0 {
				return slog.Attr{}
			}
			return a
		}
		slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{ReplaceAttr: onlyError})).Error("logged", "err", e)
		assert.Equal(t, want+"\n", log.String())
	}
}

// TestErrorsInALogAreSealed checks that an error of a call says as little in a log as
// anywhere: a secret that the service echoes is hidden.
func TestErrorsInALogAreSealed(t *testing.T) {
	const secret = "s3cr3t-t0ken-value"
	client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1},
		status(400, `{"message":"m `+secret+`","error_code":"c `+secret+`","error":"r `+secret+`"}`, "X-Request-Id", secret))
	_, _, err := client.Jobs.Get(t.Context(), ProjectID(1), 8, WithCredential(PrivateToken(secret)))
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Error("failed", "err", err)
	assert.NotContains(t, log.String(), secret)
	assert.Contains(t, log.String(), `err.message="m [redacted]" err.code="c [redacted]" err.reason="r [redacted]"`)
}
