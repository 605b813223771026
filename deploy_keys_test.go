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
		Key: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHfsTAAkxwkBB4mXBIHAoAjRdiKIS8LLZ8fXlQoIEmGK " +
			"build@example.com",
		Fingerprint:       "b1:45:0d:15:db:9c:2c:c6:97:b7:07:86:ed:eb:ae:7a",
		FingerprintSHA256: "SHA256:NOVFendTkvWydxc5D1saoSPEB/womVpOo/j3k42KJ80",
		CreatedAt:         *at(t, "2026-03-01T10:12:29Z"), CanPush: new(true), ExpiresAt: at(t, "2027-03-01T00:00:00Z"),
		ProjectsWithWriteAccess: []*ProjectSummary{{
			ID: 73, Name: "project2", NameWithNamespace: "Sidney Jones / project2", Path: "project2",
			PathWithNamespace: "sidney_jones/project2", CreatedAt: at(t, "2025-10-25T18:33:17.550Z"),
		}},
		ProjectsWithReadonlyAccess: []*ProjectSummary{{
			ID: 74, Name: "project3", NameWithNamespace: "Sidney Jones / project3", Path: "project3",
			PathWithNamespace: "sidney_jones/project3", CreatedAt: at(t, "2025-10-26T18:33:17.550Z"),
		}},
		UsageType: SSHKeyUsageAuthAndSigning,
	}
}

func deployKeyLists(c *Client) ownedList[DeployKeyOwner, *ListDeployKeysOptions, *DeployKey] {
	return ownedList[DeployKeyOwner, *ListDeployKeysOptions, *DeployKey]{c.DeployKeys.List, c.DeployKeys.All}
}

func TestDeployKeysLists(t *testing.T) {
	paged := ListDeployKeysOptions{ListOptions: ListOptions{Page: 2, PerPage: 5}}
	public := paged
	public.Public = true
	for path, test := range map[string]struct {
		owner   DeployKeyOwner
		options ListDeployKeysOptions
		query   string
	}{
		"/deploy_keys":                     {Instance, public, "page=2&per_page=5&public=true"},
		"/projects/4/deploy_keys":          {ProjectID(4), paged, "page=2&per_page=5"},
		"/projects/acme%2Fapp/deploy_keys": {ProjectPath("acme/app"), paged, "page=2&per_page=5"},
		"/users/3/project_deploy_keys":     {UserID(3), paged, "page=2&per_page=5"},
		"/users/ada.l/project_deploy_keys": {Username("ada.l"), paged, "page=2&per_page=5"},
	} {
		t.Run(path, func(t *testing.T) {
			client := onWire(t, ownedExchanges(path, test.query, "deploy_keys/deploy_keys.json")...)
			want := []*DeployKey{wholeDeployKey(t),
				{ID: 8, Title: "plain", ProjectsWithWriteAccess: []*ProjectSummary{}}}
			deployKeyLists(client).wants(t, test.owner, &test.options, want)
		})
	}
}

func TestDeployKeysListsRefuse(t *testing.T) {
	lists := deployKeyLists(onWire(t))
	lists.refuses(t, "owner", nil, nil, &somewhere, &someone, &everything, (*UserRef)(nil))
	lists.refuses(t, "id", nil, ProjectRef{})
	lists.refuses(t, "project path", nil, ProjectPath(""))
	lists.refuses(t, "id_or_username", nil, UserRef{})
	lists.refuses(t, "user name", nil, Username(".."))
	lists.refuses(t, "Public", &ListDeployKeysOptions{Public: true}, ProjectID(4), Username("ada"))
}

func TestDeployKeysOfAProject(t *testing.T) {
	const path = "/projects/acme%2Fapp/deploy_keys"
	const whole = "deploy_keys/deploy_key.json"
	client := onWire(t,
		exchange{Method: "GET", Path: path + "/7", Fixture: whole},
		exchange{Method: "POST", Path: path, JSON: `{"title":"t","key":"ssh-ed25519 AAAA"}`, Status: 201,
			Fixture: whole},
		exchange{Method: "POST", Path: path,
			JSON: `{"title":"t","key":"k","can_push":false,"expires_at":"2027-03-01T00:00:00Z"}`, Status: 201,
			Fixture: whole},
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
	wantWhole(s.Create(ctx, app, CreateDeployKeyOptions{
		Title: "t", Key: "k", CanPush: new(false), ExpiresAt: at(t, "2027-03-01T00:00:00Z"),
	}))
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
		"list":   failed(s.List(ctx, Instance, &ListDeployKeysOptions{ListOptions: ListOptions{Page: -1}})),
		"get":    failed(s.Get(ctx, ProjectID(4), 0)),
		"create": failed(s.Create(ctx, ProjectRef{}, CreateDeployKeyOptions{})),
		"update": failed(s.Update(ctx, ProjectID(-4), 7, UpdateDeployKeyOptions{})),
		"delete": deleteErr,
		"enable": failed(s.Enable(ctx, ProjectID(4), -7)),
	} {
		var argument *ArgumentError
		assert.ErrorAs(t, err, &argument, name)
	}
}
