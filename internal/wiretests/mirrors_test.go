package wiretests

import (
	"fmt"
	"strings"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMirrors(t *testing.T) {
	const path, whole = "/projects/acme%2Fshop/remote_mirrors", "mirrors/remote_mirror.json"
	body := "[" + fixture(t, whole) +
		`,{"id":2,"last_error":null,"last_update_at":null,"keep_divergent_refs":null,"mirror_branch_regex":null}]`
	const settings = `"enabled":true,"only_protected_branches":false,"keep_divergent_refs":true,
		"auth_method":"password","mirror_branch_regex":"^v","host_keys":["ssh-ed25519 AAAA"]}`
	client := onWire(t,
		exchange{Method: "GET", Path: path, Query: "page=2", Body: body},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: body},
		exchange{Method: "GET", Path: path + "/7", Fixture: whole},
		exchange{Method: "POST", Path: path, JSON: `{"url":"https://a.example"}`, Status: 201, Fixture: whole},
		exchange{Method: "POST", Path: path, JSON: `{"url":"https://a.example",` + settings, Status: 201,
			Fixture: whole},
		exchange{Method: "PUT", Path: path + "/7", JSON: `{}`, Fixture: whole},
		exchange{Method: "PUT", Path: path + "/7", JSON: `{` + settings, Fixture: whole},
		exchange{Method: "DELETE", Path: path + "/7", Status: 204},
		exchange{Method: "DELETE", Path: path + "/7", Status: 401, Body: `{"message":"401 Unauthorized"}`})
	s, ctx, shop := client.Mirrors, t.Context(), serviceapi.ProjectPath("acme/shop")
	want := []*serviceapi.RemoteMirror{{
		ID: 101486, Enabled: true, URL: "https://*****:*****@mirror.example/shop.git",
		UpdateStatus: serviceapi.MirrorUpdateStatusFailed, LastUpdateAt: at(t, "2026-03-01T08:46:00Z"),
		LastUpdateStartedAt: at(t, "2026-03-01T08:45:00Z"), LastSuccessfulUpdateAt: at(t, "2026-02-01T08:46:00Z"),
		LastError: "The remote hung up.", OnlyProtectedBranches: true, KeepDivergentRefs: new(true),
		AuthMethod: serviceapi.MirrorAuthMethodSSHPublicKey, MirrorBranchRegex: "^release/",
		HostKeys: []*serviceapi.MirrorHostKey{{FingerprintSHA256: "SHA256:AAAA"}},
	}, {ID: 2}}
	mirrors, _, err := s.List(ctx, shop, &serviceapi.ListOptions{Page: 2})
	require.NoError(t, err)
	assert.Equal(t, want, mirrors)
	assertFilled(t, mirrors[0])
	mirrors, err = serviceapi.Collect(s.All(ctx, shop, nil))
	require.NoError(t, err)
	assert.Equal(t, want, mirrors)
	wantWhole := func(mirror *serviceapi.RemoteMirror, _ *serviceapi.Response, err error) {
		t.Helper()
		require.NoError(t, err)
		assert.Equal(t, want[0], mirror)
	}
	wantWhole(s.Get(ctx, shop, 7))
	address := serviceapi.NewSecret("https://a.example")
	wantWhole(s.Create(ctx, shop, serviceapi.CreateRemoteMirrorOptions{URL: address}))
	wantWhole(s.Create(ctx, shop, serviceapi.CreateRemoteMirrorOptions{
		URL: address, Enabled: new(true), OnlyProtectedBranches: new(false), KeepDivergentRefs: new(true),
		AuthMethod: new(
			serviceapi.MirrorAuthMethodPassword,
		), MirrorBranchRegex: new("^v"), HostKeys: []string{"ssh-ed25519 AAAA"},
	}))
	wantWhole(s.Update(ctx, shop, 7, serviceapi.UpdateRemoteMirrorOptions{}))
	wantWhole(s.Update(ctx, shop, 7, serviceapi.UpdateRemoteMirrorOptions{
		Enabled: new(true), OnlyProtectedBranches: new(false), KeepDivergentRefs: new(true),
		AuthMethod: new(
			serviceapi.MirrorAuthMethodPassword,
		), MirrorBranchRegex: new("^v"), HostKeys: []string{"ssh-ed25519 AAAA"},
	}))
	_, err = s.Delete(ctx, shop, 7)
	require.NoError(t, err)
	_, err = s.Delete(ctx, shop, 7)
	require.ErrorIs(t, err, serviceapi.ErrUnauthorized)
	assertRefused(t, "URL", errorOf(s.Create(ctx, shop, serviceapi.CreateRemoteMirrorOptions{})))
	assertRefused(t, "mirror_id", errorOf(s.Get(ctx, shop, 0)))
}

func TestPullMirror(t *testing.T) {
	const path, whole = "/projects/3/mirror/pull", "mirrors/pull_mirror.json"
	client := onWire(t,
		exchange{Method: "PUT", Path: path, JSON: `{"enabled":false}`, Fixture: whole},
		exchange{Method: "PUT", Path: path, Fixture: whole, JSON: `{"enabled":true,"url":"https://a.example",
			"auth_user":"ada","auth_password":"secret word","mirror_trigger_builds":true,
			"only_mirror_protected_branches":false,
			"mirror_overwrites_diverged_branches":true,"mirror_branch_regex":""}`},
		exchange{Method: "PUT", Path: path, JSON: `{}`, Body: `{"id":3,"only_mirror_protected_branches":null,
			"mirror_overwrites_diverged_branches":null,"mirror_branch_regex":null,"last_update_at":null}`})
	s, ctx := client.Mirrors, t.Context()
	want := &serviceapi.PullMirror{
		ID: 3, UpdateStatus: serviceapi.MirrorUpdateStatusFinished, URL: "https://*****:*****@origin.example/shop.git",
		LastError: "The last one.", LastUpdateAt: at(t, "2026-03-01T08:46:00Z"),
		LastUpdateStartedAt: at(t, "2026-03-01T08:45:00Z"), LastSuccessfulUpdateAt: at(t, "2026-02-01T08:46:00Z"),
		Enabled: true, MirrorTriggerBuilds: true, OnlyMirrorProtectedBranches: new(true),
		MirrorOverwritesDivergedBranches: new(false), MirrorBranchRegex: "^release/",
	}
	mirror, _, err := s.UpdatePull(
		ctx,
		serviceapi.ProjectID(3),
		serviceapi.UpdatePullMirrorOptions{Enabled: new(false)},
	)
	require.NoError(t, err)
	assert.Equal(t, want, mirror)
	assertFilled(t, mirror)
	mirror, _, err = s.UpdatePull(ctx, serviceapi.ProjectID(3), serviceapi.UpdatePullMirrorOptions{
		Enabled: new(true), URL: new(serviceapi.NewSecret("https://a.example")), AuthUser: new("ada"),
		AuthPassword: new(serviceapi.NewSecret("secret word")), MirrorTriggerBuilds: new(true),
		OnlyMirrorProtectedBranches: new(false), MirrorOverwritesDivergedBranches: new(true),
		MirrorBranchRegex: new(""),
	})
	require.NoError(t, err)
	assert.Equal(t, want, mirror)
	mirror, _, err = s.UpdatePull(ctx, serviceapi.ProjectID(3), serviceapi.UpdatePullMirrorOptions{})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.PullMirror{ID: 3}, mirror)
}

func TestMirrorsStart(t *testing.T) {
	const path, pull, whole = "/projects/3/remote_mirrors/7", "/projects/3/mirror/pull", "mirrors/pull_mirror.json"
	client := onWire(t,
		exchange{Method: "GET", Path: path + "/public_key", Fixture: "mirrors/public_key.json"},
		exchange{Method: "GET", Path: path + "/public_key", Status: 401, Body: `{"message":"401 Unauthorized"}`},
		exchange{Method: "POST", Path: path + "/sync", Status: 204},
		exchange{Method: "POST", Path: path + "/sync", Status: 400, Body: `{"message":"Cannot proceed"}`},
		exchange{Method: "GET", Path: pull, Fixture: whole},
		exchange{Method: "GET", Path: pull, Status: 400, Body: `{"message":"The project is not mirrored"}`},
		exchange{Method: "POST", Path: pull, Body: "200"},
		exchange{Method: "POST", Path: pull, Status: 202},
		exchange{Method: "POST", Path: pull, Status: 403, Body: `{"message":"Mirroring for the project is on pause"}`})
	s, ctx, app := client.Mirrors, t.Context(), serviceapi.ProjectID(3)
	key, _, err := s.GetPublicKey(ctx, app, 7)
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.MirrorPublicKey{
		PublicKey: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHfsTAAkxwkBB4mXBIHAoAjRdiKIS8LLZ8fXlQoIEmGK mirror",
	}, key)
	assert.ErrorIs(t, errorOf(s.GetPublicKey(ctx, app, 7)), serviceapi.ErrUnauthorized)
	for _, want := range []error{nil, serviceapi.ErrBadRequest} {
		_, err := s.Sync(ctx, app, 7)
		assert.ErrorIs(t, err, want)
	}
	mirror, _, err := s.GetPull(ctx, app)
	require.NoError(t, err)
	assert.Equal(t, []any{int64(3), serviceapi.MirrorUpdateStatusFinished, "The last one."},
		[]any{mirror.ID, mirror.UpdateStatus, mirror.LastError})
	assertFilled(t, mirror)
	assert.ErrorIs(t, errorOf(s.GetPull(ctx, app)), serviceapi.ErrBadRequest)
	for _, want := range []error{nil, nil, serviceapi.ErrForbidden} {
		_, err := s.StartPull(ctx, app)
		assert.ErrorIs(t, err, want)
	}
	assertRefused(t, "mirror_id", second(s.Sync(ctx, app, 0)))
	assertRefused(t, "mirror_id", errorOf(s.GetPublicKey(ctx, app, -1)))
}

// TestMirrorsHideCredentials checks that what is in a URL is in no error and no dump, also
// if the service echoes it.
func TestMirrorsHideCredentials(t *testing.T) {
	const address, word = "https://ada:hunter2@a.example/x.git", "correct horse"
	echo := fmt.Sprintf(`{"message":{"url":["%s is blocked, with %s"]}}`, address, word)
	client := onWire(t,
		exchange{Method: "POST", Path: "/projects/3/remote_mirrors", JSON: `{"url":"` + address + `"}`, Status: 400,
			Body: echo},
		exchange{
			Method: "PUT", Path: "/projects/3/mirror/pull", Status: 400, Body: echo,
			JSON: `{"url":"` + address + `","auth_user":"ada","auth_password":"` + word + `"}`,
		})
	var dump strings.Builder
	dumped := serviceapi.WithDump(&dump, serviceapi.DumpOptions{Bodies: true, MaxBody: 1 << 20})
	options := serviceapi.CreateRemoteMirrorOptions{URL: serviceapi.NewSecret(address)}
	_, _, created := client.Mirrors.Create(t.Context(), serviceapi.ProjectID(3), options, dumped)
	_, _, updated := client.Mirrors.UpdatePull(t.Context(), serviceapi.ProjectID(3), serviceapi.UpdatePullMirrorOptions{
		URL: new(serviceapi.NewSecret(address)), AuthUser: new("ada"), AuthPassword: new(serviceapi.NewSecret(word)),
	}, dumped)
	require.ErrorIs(t, created, serviceapi.ErrBadRequest)
	require.ErrorIs(t, updated, serviceapi.ErrBadRequest)
	assert.Contains(t, dump.String(), "/projects/3/remote_mirrors")
	said := fmt.Sprintf("%v %v %+v %s", created, updated, options, dump.String())
	assert.NotContains(t, said, "hunter2")
	assert.NotContains(t, updated.Error(), word)
}
