package serviceapi

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// wholeDeployKey is testdata/deploy_keys/deploy_key.json.
func wholeDeployKey(t *testing.T) *DeployKey {
	return &DeployKey{
		ID: 7, Title: "build machine",
		Key:               "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHfsTAAkxwkBB4mXBIHAoAjRdiKIS8LLZ8fXlQoIEmGK build@example.com",
		Fingerprint:       "b1:45:0d:15:db:9c:2c:c6:97:b7:07:86:ed:eb:ae:7a",
		FingerprintSHA256: "SHA256:NOVFendTkvWydxc5D1saoSPEB/womVpOo/j3k42KJ80",
		CreatedAt:         at(t, "2026-03-01T10:12:29Z"), CanPush: true, ExpiresAt: at(t, "2027-03-01T00:00:00Z"),
		ProjectsWithWriteAccess: []ProjectSummary{{
			ID: 73, Name: "project2", NameWithNamespace: "Sidney Jones / project2", Path: "project2",
			PathWithNamespace: "sidney_jones/project2", CreatedAt: at(t, "2025-10-25T18:33:17.550Z"),
		}},
	}
}

func TestDeployKeysLists(t *testing.T) {
	const projectPath, userPath = "/projects/acme%2Fapp/deploy_keys", "/users/ada.l/project_deploy_keys"
	whole := "[" + fixture(t, "deploy_keys/deploy_key.json") + "]"
	client := onWire(t,
		exchange{Method: "GET", Path: "/deploy_keys", Body: whole},
		exchange{Method: "GET", Path: "/deploy_keys", Query: "page=2&public=true", Body: whole},
		exchange{Method: "GET", Path: "/deploy_keys", Query: "per_page=100&public=true", Body: whole},
		exchange{Method: "GET", Path: projectPath, Body: whole},
		exchange{Method: "GET", Path: projectPath, Query: "per_page=5", Body: whole},
		exchange{Method: "GET", Path: userPath, Body: `[{"id":7,"title":"plain","expires_at":null,"projects_with_write_access":[]}]`},
		exchange{Method: "GET", Path: "/users/3/project_deploy_keys", Query: "per_page=100", Body: whole})
	s, ctx, app := client.DeployKeys, t.Context(), ProjectPath("acme/app")
	want := []*DeployKey{wholeDeployKey(t)}

	keys, _, err := s.List(ctx, nil)
	require.NoError(t, err)
	assert.Equal(t, want, keys)
	keys, _, err = s.List(ctx, &ListDeployKeysOptions{ListOptions: ListOptions{Page: 2}, Public: true})
	require.NoError(t, err)
	assert.Equal(t, want, keys)
	keys, err = Collect(s.All(ctx, &ListDeployKeysOptions{Public: true}))
	require.NoError(t, err)
	assert.Equal(t, want, keys)

	keys, _, err = s.ListForProject(ctx, app, nil)
	require.NoError(t, err)
	assert.Equal(t, want, keys)
	keys, err = Collect(s.AllForProject(ctx, app, &ListOptions{PerPage: 5}))
	require.NoError(t, err)
	assert.Equal(t, want, keys)

	keys, _, err = s.ListForUser(ctx, Username("ada.l"), nil)
	require.NoError(t, err)
	assert.Equal(t, []*DeployKey{{ID: 7, Title: "plain", ProjectsWithWriteAccess: []ProjectSummary{}}}, keys)
	keys, err = Collect(s.AllForUser(ctx, UserID(3), nil))
	require.NoError(t, err)
	assert.Equal(t, want, keys)
}

func TestDeployKeysOfAProject(t *testing.T) {
	const path = "/projects/acme%2Fapp/deploy_keys"
	const whole = "deploy_keys/deploy_key.json"
	client := onWire(t,
		exchange{Method: "GET", Path: path + "/7", Fixture: whole},
		exchange{Method: "POST", Path: path, JSON: `{"title":"t","key":"ssh-ed25519 AAAA"}`, Status: 201, Fixture: whole},
		exchange{Method: "POST", Path: path, JSON: `{"title":"t","key":"k","can_push":false}`, Status: 201, Fixture: whole},
		exchange{Method: "PUT", Path: path + "/7", JSON: `{}`, Fixture: whole},
		exchange{Method: "PUT", Path: path + "/7", JSON: `{"title":"","can_push":false}`, Fixture: whole},
		exchange{Method: "DELETE", Path: path + "/7", Status: 204},
		exchange{Method: "POST", Path: path + "/7/enable", Status: 201, Fixture: whole})
	s, ctx, app := client.DeployKeys, t.Context(), ProjectPath("acme/app")
	wantWhole := func(key *DeployKey, _ *Response, err error) {
		t.Helper()
		require.NoError(t, err)
		assert.Equal(t, wholeDeployKey(t), key)
	}
	wantWhole(s.Get(ctx, app, 7))
	wantWhole(s.Create(ctx, app, CreateDeployKeyOptions{Title: "t", Key: "ssh-ed25519 AAAA"}))
	wantWhole(s.Create(ctx, app, CreateDeployKeyOptions{Title: "t", Key: "k", CanPush: new(false)}))
	wantWhole(s.Update(ctx, app, 7, UpdateDeployKeyOptions{}))
	wantWhole(s.Update(ctx, app, 7, UpdateDeployKeyOptions{Title: new(""), CanPush: new(false)}))
	resp, err := s.Delete(ctx, app, 7)
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)
	wantWhole(s.Enable(ctx, app, 7))
}

func TestDeployKeysArguments(t *testing.T) {
	s, ctx := onWire(t).DeployKeys, t.Context()
	failed := func(_ any, _ *Response, err error) error { return err }
	_, deleteErr := s.Delete(ctx, ProjectID(4), 0)
	for name, err := range map[string]error{
		"list":    failed(s.List(ctx, &ListDeployKeysOptions{ListOptions: ListOptions{Page: -1}})),
		"project": failed(s.ListForProject(ctx, ProjectPath(""), nil)),
		"user":    failed(s.ListForUser(ctx, Username(".."), nil)),
		"get":     failed(s.Get(ctx, ProjectID(4), 0)),
		"create":  failed(s.Create(ctx, ProjectRef{}, CreateDeployKeyOptions{})),
		"update":  failed(s.Update(ctx, ProjectID(-4), 7, UpdateDeployKeyOptions{})),
		"delete":  deleteErr,
		"enable":  failed(s.Enable(ctx, ProjectID(4), -7)),
	} {
		var argument *ArgumentError
		assert.ErrorAs(t, err, &argument, name)
	}
}
