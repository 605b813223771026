package servicetests

import (
	"net/http"
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestServiceWritesUnderACondition checks that an object that has changed since
// the caller read it is neither changed nor deleted.
func TestServiceWritesUnderACondition(t *testing.T) {
	svc := servicetest.New(t)
	looked := svc.Now()
	svc.Advance(time.Minute)
	app, ada := svc.Project("acme/app"), svc.User("ada")
	environment := app.Environment("staging")
	stopped := app.Environment("review/x", servicetest.EnvironmentState("stopped"))
	deployment := environment.Deployment(servicetest.DeploymentStatus("running"))
	issue, request := app.Issue("Crash"), app.MergeRequest("greeting")
	note, file := issue.Note("Seen."), app.SecureFile("release.jks", "keys")
	root, ctx, project := asRoot(t, svc), t.Context(), serviceapi.ProjectID(app.ID())
	notes := project.Issue(issue.IID())

	for _, write := range []struct {
		name string
		call func(serviceapi.RequestOption) error
	}{
		{"deployment", func(when serviceapi.RequestOption) error {
			_, _, err := root.Deployments.Update(ctx, project, deployment.ID(),
				serviceapi.UpdateDeploymentOptions{Status: serviceapi.DeploymentStatusFailed}, when)
			return err
		}},
		{"environment", func(when serviceapi.RequestOption) error {
			_, _, err := root.Environments.Update(ctx, project, environment.ID(), serviceapi.UpdateEnvironmentOptions{},
				when)
			return err
		}},
		{"environment, removed", func(when serviceapi.RequestOption) error {
			_, err := root.Environments.Delete(ctx, project, stopped.ID(), when)
			return err
		}},
		{"note", func(when serviceapi.RequestOption) error {
			_, _, err := root.Notes.UpdateForIssue(ctx, notes, note.ID(),
				serviceapi.UpdateIssueNoteOptions{Body: new("Fixed.")}, when)
			return err
		}},
		{"note, removed", func(when serviceapi.RequestOption) error {
			_, err := root.Notes.Delete(ctx, notes, note.ID(), when)
			return err
		}},
		{"secure file, removed", func(when serviceapi.RequestOption) error {
			_, err := root.SecureFiles.Delete(ctx, project, file.ID(), when)
			return err
		}},
		{"merge", func(when serviceapi.RequestOption) error {
			_, _, err := root.MergeRequests.Merge(ctx, project.MergeRequest(request.IID()),
				serviceapi.MergeOptions{}, when)
			return err
		}},
		{"user", func(when serviceapi.RequestOption) error {
			_, _, err := root.Users.Update(ctx, serviceapi.UserID(ada.ID()),
				serviceapi.UpdateUserOptions{Name: new("Countess")}, when)
			return err
		}},
		{"user, removed", func(when serviceapi.RequestOption) error {
			_, err := root.Users.Delete(ctx, serviceapi.UserID(ada.ID()), nil, when)
			return err
		}},
	} {
		assert.ErrorIs(t, write.call(serviceapi.WithIfUnmodifiedSince(looked)), serviceapi.ErrPreconditionFailed,
			write.name)
		require.NoError(t, write.call(serviceapi.WithIfUnmodifiedSince(svc.Now())), write.name)
	}
}

// TestServiceComparesFractions checks that what a response shows of the time of an object is
// enough to change the object, and that the service compares more than that.
func TestServiceComparesFractions(t *testing.T) {
	for _, fraction := range []time.Duration{0, 400 * time.Microsecond, 123456 * time.Microsecond, 999999999} {
		svc := servicetest.New(t)
		svc.Advance(time.Minute + fraction)
		environment := svc.Project("acme/app").Environment("staging")
		s, project := asRoot(t, svc).Environments, serviceapi.ProjectPath("acme/app")
		read, _, err := s.Get(t.Context(), project, environment.ID())
		require.NoError(t, err)
		update := func(when serviceapi.RequestOption) error {
			_, _, err := s.Update(t.Context(), project, environment.ID(), serviceapi.UpdateEnvironmentOptions{}, when)
			return err
		}
		cut := serviceapi.WithHeader("If-Unmodified-Since", read.UpdatedAt.UTC().Format(http.TimeFormat))
		if fraction != 0 {
			require.ErrorIs(t, update(cut), serviceapi.ErrPreconditionFailed, "%v", fraction)
		}
		require.NoError(t, update(serviceapi.WithIfUnmodifiedSince(read.UpdatedAt)), "%v", fraction)
		svc.Advance(2 * time.Second)
		require.NoError(t, update(serviceapi.WithIfUnmodifiedSince(svc.Now())), "%v", fraction)
		require.ErrorIs(t, update(serviceapi.WithIfUnmodifiedSince(read.UpdatedAt)), serviceapi.ErrPreconditionFailed)
		exact := serviceapi.WithHeader("If-Unmodified-Since", svc.Now().Format(time.RFC3339Nano))
		require.NoError(t, update(exact), "a time with a fraction")
	}
}
