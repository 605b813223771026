package servicetests

import (
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const hostKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f"

func TestServiceHasMirrors(t *testing.T) {
	svc := servicetest.New(t)
	ada, dev := svc.User("ada"), svc.User("dev")
	app := svc.Project("acme/app", servicetest.Member(ada, servicetest.Maintainer),
		servicetest.Member(dev, servicetest.Developer))
	seeded := app.RemoteMirror("https://ada:secret@mirror.example/app.git")
	s, ctx := as(t, svc, ada).Mirrors, t.Context()
	made, _, err := s.Create(ctx, acmeApp, serviceapi.CreateRemoteMirrorOptions{
		URL: serviceapi.NewSecret("ssh://git@mirror.example/app.git"), Enabled: new(true), KeepDivergentRefs: new(true),
		AuthMethod: new(serviceapi.MirrorAuthMethodSSHPublicKey), HostKeys: []string{hostKey},
	})
	require.NoError(t, err)
	assert.Equal(t, []any{"ssh://*****@mirror.example/app.git", serviceapi.MirrorUpdateStatusNone, new(true), 1}, []any{
		made.URL, made.UpdateStatus, made.KeepDivergentRefs, len(made.HostKeys),
	})
	assert.Regexp(t, `^SHA256:`, made.HostKeys[0].FingerprintSHA256)
	changed, _, err := s.Update(ctx, acmeApp, made.ID, serviceapi.UpdateRemoteMirrorOptions{
		Enabled: new(false), MirrorBranchRegex: new("^release/"), HostKeys: []string{},
	})
	require.NoError(t, err)
	made.Enabled, made.MirrorBranchRegex, made.HostKeys = false, "^release/", []*serviceapi.MirrorHostKey{}
	assert.Equal(t, made, changed)

	seeded.Update("")
	svc.Advance(time.Hour)
	seeded.Update("The remote hung up.")
	first, _, err := s.Get(ctx, acmeApp, seeded.ID())
	require.NoError(t, err)
	assert.Equal(t, []any{"https://*****:*****@mirror.example/app.git", serviceapi.MirrorUpdateStatusFailed,
		"The remote hung up."},
		[]any{first.URL, first.UpdateStatus, first.LastError})
	assert.Equal(t, time.Hour, first.LastUpdateAt.Sub(*first.LastSuccessfulUpdateAt))
	all, err := serviceapi.Collect(s.All(ctx, acmeApp, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.RemoteMirror{first, changed}, all)

	for _, address := range []string{"ftp://a.example/x", "a.example", "https://"} {
		options := serviceapi.CreateRemoteMirrorOptions{URL: serviceapi.NewSecret(address)}
		_, _, err = s.Create(ctx, acmeApp, options)
		assert.ErrorIs(t, err, serviceapi.ErrBadRequest, address)
	}
	_, _, err = s.Create(ctx, acmeApp, serviceapi.CreateRemoteMirrorOptions{
		URL: serviceapi.NewSecret("https://a.example"), OnlyProtectedBranches: new(true), MirrorBranchRegex: new("x"),
	})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
	_, _, err = as(t, svc, dev).Mirrors.List(ctx, acmeApp, nil)
	assert.ErrorIs(t, err, serviceapi.ErrUnauthorized)
	_, err = s.Delete(ctx, acmeApp, made.ID)
	require.NoError(t, err)
	_, _, err = s.Get(ctx, acmeApp, made.ID)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}

// TestServicePullsMirrors checks that the settings of the project show the same state.
func TestServicePullsMirrors(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app")
	client, ctx := asRoot(t, svc), t.Context()
	mirror, _, err := client.Mirrors.UpdatePull(ctx, acmeApp, serviceapi.UpdatePullMirrorOptions{
		Enabled: new(true), URL: new(serviceapi.NewSecret("https://origin.example/app.git")), AuthUser: new("ada"),
		AuthPassword: new(serviceapi.NewSecret("secret word")), MirrorTriggerBuilds: new(true),
		OnlyMirrorProtectedBranches: new(true), MirrorBranchRegex: new("^v"),
	})
	require.NoError(t, err)
	assert.Equal(t, []any{"https://*****:*****@origin.example/app.git", true, true, new(true), "^v"}, []any{
		mirror.URL, mirror.Enabled, mirror.MirrorTriggerBuilds, mirror.OnlyMirrorProtectedBranches,
		mirror.MirrorBranchRegex,
	})
	project, _, err := client.Projects.Get(ctx, acmeApp, nil)
	require.NoError(t, err)
	assert.Equal(t, []any{new(true), new(true), "https://origin.example/app.git"},
		[]any{project.Mirror, project.OnlyMirrorProtectedBranches, project.ImportURL})
	_, _, err = client.Projects.Update(ctx, acmeApp, serviceapi.UpdateProjectOptions{MirrorTriggerBuilds: new(false)})
	require.NoError(t, err)
	mirror, _, err = client.Mirrors.UpdatePull(ctx, acmeApp, serviceapi.UpdatePullMirrorOptions{
		URL: new(serviceapi.NewSecret("https://other.example/app.git")),
	})
	require.NoError(t, err)
	assert.Equal(t, []any{"https://other.example/app.git", true, false},
		[]any{mirror.URL, mirror.Enabled, mirror.MirrorTriggerBuilds})
	_, _, err = client.Mirrors.UpdatePull(ctx, acmeApp, serviceapi.UpdatePullMirrorOptions{
		URL: new(serviceapi.NewSecret("")),
	})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest, "it is enabled")
}

func TestServiceStartsMirrors(t *testing.T) {
	r := newReviewTeam(t)
	seeded := r.app.RemoteMirror("https://mirror.example/app.git")
	s, ctx := as(t, r.svc, r.ada).Mirrors, t.Context()
	_, _, err := s.GetPublicKey(ctx, mergeApp, seeded.ID())
	assert.ErrorIs(t, err, serviceapi.ErrNotFound, "it has a password")
	byKey := serviceapi.UpdateRemoteMirrorOptions{AuthMethod: new(serviceapi.MirrorAuthMethodSSHPublicKey)}
	_, _, err = s.Update(ctx, mergeApp, seeded.ID(), byKey)
	require.NoError(t, err)
	key, _, err := s.GetPublicKey(ctx, mergeApp, seeded.ID())
	require.NoError(t, err)
	assert.Regexp(t, "^ssh-ed25519 AAAA", key.PublicKey)

	seeded.Update("The remote hung up.")
	r.svc.Advance(time.Hour)
	_, err = s.Sync(ctx, mergeApp, seeded.ID())
	require.NoError(t, err)
	mirror, _, err := s.Get(ctx, mergeApp, seeded.ID())
	require.NoError(t, err)
	now := r.svc.Now()
	assert.Equal(t, []any{serviceapi.MirrorUpdateStatusFinished, "", &now, &now, &now}, []any{
		mirror.UpdateStatus, mirror.LastError, mirror.LastUpdateAt, mirror.LastUpdateStartedAt,
		mirror.LastSuccessfulUpdateAt,
	})
	_, _, err = s.Update(ctx, mergeApp, seeded.ID(), serviceapi.UpdateRemoteMirrorOptions{Enabled: new(false)})
	require.NoError(t, err)
	_, err = s.Sync(ctx, mergeApp, seeded.ID())
	assert.ErrorContains(t, err, "Cannot proceed with the push mirroring. Please verify your mirror configuration.")
	for _, call := range []func(*serviceapi.MirrorsService) error{
		func(s *serviceapi.MirrorsService) error { _, err := s.Sync(ctx, mergeApp, seeded.ID()); return err },
		func(s *serviceapi.MirrorsService) error {
			_, _, err := s.GetPublicKey(ctx, mergeApp, seeded.ID())
			return err
		},
	} {
		assert.ErrorIs(t, call(as(t, r.svc, r.bob).Mirrors), serviceapi.ErrUnauthorized)
	}
}

// TestServiceStartsPullMirrors checks that too many failures pause a pull mirror until it is
// enabled again.
func TestServiceStartsPullMirrors(t *testing.T) {
	r := newReviewTeam(t)
	s, ctx := as(t, r.svc, r.ada).Mirrors, t.Context()
	_, _, err := s.GetPull(ctx, mergeApp)
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
	_, err = s.StartPull(ctx, mergeApp)
	assert.ErrorContains(t, err, "The project is not mirrored")
	on := serviceapi.UpdatePullMirrorOptions{
		Enabled: new(true), URL: new(serviceapi.NewSecret("https://ada:secret@origin.example/app.git")),
	}
	made, _, err := s.UpdatePull(ctx, mergeApp, on)
	require.NoError(t, err)
	mirror, _, err := s.GetPull(ctx, mergeApp)
	require.NoError(t, err)
	assert.Equal(t, made, mirror)
	_, err = s.StartPull(ctx, mergeApp)
	require.NoError(t, err)
	mirror, _, err = s.GetPull(ctx, mergeApp)
	require.NoError(t, err)
	now := r.svc.Now()
	assert.Equal(t, []any{
		serviceapi.MirrorUpdateStatusFinished, &now, &now, &now, "https://*****:*****@origin.example/app.git",
	}, []any{
		mirror.UpdateStatus, mirror.LastUpdateAt, mirror.LastUpdateStartedAt, mirror.LastSuccessfulUpdateAt,
		mirror.URL,
	})
	for range 14 {
		r.app.UpdatePullMirror("It is gone.")
	}
	_, err = s.StartPull(ctx, mergeApp)
	require.NoError(t, err, "which begins to count again")
	_, _, err = s.GetPull(ctx, mergeApp)
	require.NoError(t, err)
	for range 15 {
		r.app.UpdatePullMirror("It is gone.")
	}
	mirror, _, err = s.GetPull(ctx, mergeApp)
	require.NoError(t, err)
	assert.Equal(t, []any{serviceapi.MirrorUpdateStatusFailed, "It is gone."},
		[]any{mirror.UpdateStatus, mirror.LastError})
	_, err = s.StartPull(ctx, mergeApp)
	require.ErrorIs(t, err, serviceapi.ErrForbidden)
	assert.ErrorContains(t, err, "Mirroring for the project is on pause")
	_, _, err = s.UpdatePull(ctx, mergeApp, serviceapi.UpdatePullMirrorOptions{MirrorTriggerBuilds: new(true)})
	require.NoError(t, err)
	_, err = s.StartPull(ctx, mergeApp)
	require.ErrorIs(t, err, serviceapi.ErrForbidden, "it was not enabled")
	_, _, err = s.UpdatePull(ctx, mergeApp, on)
	require.NoError(t, err)
	_, err = s.StartPull(ctx, mergeApp)
	require.NoError(t, err)
	_, err = as(t, r.svc, r.bob).Mirrors.StartPull(ctx, mergeApp)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
}

func TestServiceHasNoPullMirrorsWithoutTier(t *testing.T) {
	r := newReviewTeam(t, servicetest.WithTier(servicetest.Free))
	r.app.Set("mirror", true)
	_, _, err := as(t, r.svc, r.ada).Mirrors.GetPull(t.Context(), mergeApp)
	assert.ErrorContains(t, err, "The project is not mirrored")
}
