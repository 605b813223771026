package wiretests

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPlainRefusalsNameTheRole checks what a 403 that gives no reason says, and that one which
// does says no more than that.
func TestPlainRefusalsNameTheRole(t *testing.T) {
	var body string
	client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		if strings.HasPrefix(body, "<") {
			w.Header().Set("Content-Type", "text/html")
		}
		w.WriteHeader(http.StatusForbidden)
		_, _ = io.WriteString(w, body)
	})
	project, group := serviceapi.ProjectPath("acme/app"), serviceapi.GroupPath("acme")
	key := serviceapi.CreateVariableOptions{Key: "A", Value: serviceapi.NewSecret("b")}
	variables := func(owner serviceapi.VariableOwner) func(context.Context) error {
		return func(ctx context.Context) error { return third(client.Variables.Create(ctx, owner, key)) }
	}
	const plain = `{"message":"403 Forbidden"}`
	for name, tc := range map[string]struct {
		body string
		call func(context.Context) error
		role serviceapi.AccessLevel
		says string // after the status
	}{
		"project": {plain, variables(project), serviceapi.AccessLevelMaintainer,
			" (this call needs at least the Maintainer role)"},
		"group": {plain, variables(group), serviceapi.AccessLevelOwner, " (this call needs at least the Owner role)"},
		"instance": {plain, variables(serviceapi.Instance), serviceapi.AccessLevelAdmin,
			" (this call needs an administrator)"},
		"without a number": {`{"message":"Forbidden"}`, variables(project), serviceapi.AccessLevelMaintainer,
			" (this call needs at least the Maintainer role)"},
		"without a body": {"", variables(project), serviceapi.AccessLevelMaintainer,
			" (this call needs at least the Maintainer role)"},
		"list": {plain, func(ctx context.Context) error {
			_, err := serviceapi.Collect(client.Variables.All(ctx, project, nil))
			return err
		}, serviceapi.AccessLevelMaintainer, " (this call needs at least the Maintainer role)"},
		"role that depends on more": {plain, func(ctx context.Context) error {
			return third(client.Projects.Get(ctx, project, nil))
		}, serviceapi.AccessLevelNone, ""},
		"generic": {plain, func(ctx context.Context) error {
			return third(serviceapi.Get[serviceapi.Project](ctx, client, serviceapi.Route("/things"), nil))
		}, serviceapi.AccessLevelNone, ""},
		"reason": {`{"message":"403 Forbidden - Your account is blocked."}`, variables(project), 0,
			" - Your account is blocked."},
		"scope":   {`{"error":"insufficient_scope","scope":"api"}`, variables(project), 0, ""},
		"fields":  {`{"message":{"key":["is taken"]}}`, variables(project), 0, ""},
		"a proxy": {"<html>403 Forbidden</html>", variables(project), 0, ""},
	} {
		body = tc.body
		err := tc.call(t.Context())
		var e *serviceapi.Error
		require.ErrorAs(t, err, &e, name)
		assert.Equal(t, tc.role, e.RequiredRole, name)
		assert.Equal(t, tc.role != 0, strings.Contains(err.Error(), "this call needs"), name)
		if tc.says != "" {
			assert.Contains(t, err.Error(), "Forbidden"+tc.says, name)
		}
		var log bytes.Buffer
		slog.New(slog.NewTextHandler(&log, nil)).Error("failed", "err", err)
		assert.Equal(t, tc.role != 0, strings.Contains(log.String(), "err.required_role="), name)
	}
}

// TestPlainNotFoundMayBeHidden checks what a 404 that does not say more says.
func TestPlainNotFoundMayBeHidden(t *testing.T) {
	var body string
	client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, body)
	})
	for _, tc := range []struct {
		body string
		cred serviceapi.Credential
		says string
	}{
		{`{"message":"404 Not Found"}`, serviceapi.PrivateToken("token-S3cr3t"),
			"404 Not Found (or not visible to this token)"},
		{"", serviceapi.JobToken("token-S3cr3t"), "404 Not Found (or not visible to this token)"},
		{`{"message":"Not Found"}`, serviceapi.Anonymous(), "404 Not Found (or not visible without a credential)"},
		{`{"message":"404 Branch Not Found"}`, serviceapi.PrivateToken("token-S3cr3t"), "404 Branch Not Found"},
		{`{"error":"404 Not Found"}`, serviceapi.PrivateToken("token-S3cr3t"), "404 Not Found"},
	} {
		body = tc.body
		err := third(client.Branches.Get(t.Context(), somewhere, "main", serviceapi.WithCredential(tc.cred)))
		require.ErrorIs(t, err, serviceapi.ErrNotFound)
		_, said, _ := strings.Cut(err.Error(), ": ")
		assert.Equal(t, tc.says, said)
		e, _ := errors.AsType[*serviceapi.Error](err)
		assert.Equal(t, serviceapi.AccessLevelNone, e.RequiredRole)
	}
}
