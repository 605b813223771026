package wiretests

import (
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// wholeDeployKey is testdata/deploy_keys/deploy_key.json.
func wholeDeployKey(t *testing.T) *serviceapi.DeployKey {
	return &serviceapi.DeployKey{
		ID: 7, Title: "build machine",
		Key: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHfsTAAkxwkBB4mXBIHAoAjRdiKIS8LLZ8fXlQoIEmGK " +
			"build@example.com",
		Fingerprint:       "b1:45:0d:15:db:9c:2c:c6:97:b7:07:86:ed:eb:ae:7a",
		FingerprintSHA256: "SHA256:NOVFendTkvWydxc5D1saoSPEB/womVpOo/j3k42KJ80",
		CreatedAt:         *at(t, "2026-03-01T10:12:29Z"), CanPush: new(true), ExpiresAt: at(t, "2027-03-01T00:00:00Z"),
		ProjectsWithWriteAccess: []*serviceapi.ProjectSummary{{
			ID: 73, Name: "project2", NameWithNamespace: "Sidney Jones / project2", Path: "project2",
			PathWithNamespace: "sidney_jones/project2", CreatedAt: at(t, "2025-10-25T18:33:17.550Z"),
		}},
		ProjectsWithReadonlyAccess: []*serviceapi.ProjectSummary{{
			ID: 74, Name: "project3", NameWithNamespace: "Sidney Jones / project3", Path: "project3",
			PathWithNamespace: "sidney_jones/project3", CreatedAt: at(t, "2025-10-26T18:33:17.550Z"),
		}},
		UsageType: serviceapi.SSHKeyUsageAuthAndSigning, LastUsedAt: at(t, "2026-03-05T08:00:00Z"),
	}
}

func deployKeyLists(
	c *serviceapi.Client,
) ownedList[serviceapi.DeployKeyOwner, *serviceapi.ListDeployKeysOptions, *serviceapi.DeployKey] {
	return ownedList[serviceapi.DeployKeyOwner, *serviceapi.ListDeployKeysOptions, *serviceapi.DeployKey]{
		c.DeployKeys.List,
		c.DeployKeys.All,
	}
}

func TestDeployKeysLists(t *testing.T) {
	paged := serviceapi.ListDeployKeysOptions{ListOptions: serviceapi.ListOptions{Page: 2, PerPage: 5}}
	public := paged
	public.Public = true
	for path, test := range map[string]struct {
		owner   serviceapi.DeployKeyOwner
		options serviceapi.ListDeployKeysOptions
		query   string
	}{
		"/deploy_keys":                     {serviceapi.Instance, public, "page=2&per_page=5&public=true"},
		"/projects/4/deploy_keys":          {serviceapi.ProjectID(4), paged, "page=2&per_page=5"},
		"/projects/acme%2Fapp/deploy_keys": {serviceapi.ProjectPath("acme/app"), paged, "page=2&per_page=5"},
		"/users/3/project_deploy_keys":     {serviceapi.UserID(3), paged, "page=2&per_page=5"},
		"/users/ada.l/project_deploy_keys": {serviceapi.Username("ada.l"), paged, "page=2&per_page=5"},
	} {
		t.Run(path, func(t *testing.T) {
			client := onWire(t, ownedExchanges(path, test.query, "deploy_keys/deploy_keys.json")...)
			want := []*serviceapi.DeployKey{wholeDeployKey(t),
				{ID: 8, Title: "plain", ProjectsWithWriteAccess: []*serviceapi.ProjectSummary{}}}
			deployKeyLists(client).wants(t, test.owner, &test.options, want)
		})
	}
}

func TestDeployKeysListsRefuse(t *testing.T) {
	lists := deployKeyLists(onWire(t))
	lists.refuses(t, "owner", nil, nil, &somewhere, &someone, &everything, (*serviceapi.UserRef)(nil))
	lists.refuses(t, "id", nil, serviceapi.ProjectRef{})
	lists.refuses(t, "project path", nil, serviceapi.ProjectPath(""))
	lists.refuses(t, "id_or_username", nil, serviceapi.UserRef{})
	lists.refuses(t, "user name", nil, serviceapi.Username(".."))
	lists.refuses(
		t,
		"Public",
		&serviceapi.ListDeployKeysOptions{Public: true},
		serviceapi.ProjectID(4),
		serviceapi.Username("ada"),
	)
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
	s, ctx, app := client.DeployKeys, t.Context(), serviceapi.ProjectPath("acme/app")
	wantWhole := func(key *serviceapi.DeployKey, _ *serviceapi.Response, err error) {
		t.Helper()
		require.NoError(t, err)
		assert.Equal(t, wholeDeployKey(t), key)
	}
	wantWhole(s.Get(ctx, app, 7))
	wantWhole(s.Create(ctx, app, serviceapi.CreateDeployKeyOptions{Title: "t", Key: "ssh-ed25519 AAAA"}))
	wantWhole(s.Create(ctx, app, serviceapi.CreateDeployKeyOptions{
		Title: "t", Key: "k", CanPush: new(false), ExpiresAt: at(t, "2027-03-01T00:00:00Z"),
	}))
	wantWhole(s.Update(ctx, app, 7, serviceapi.UpdateDeployKeyOptions{}))
	wantWhole(s.Update(ctx, app, 7, serviceapi.UpdateDeployKeyOptions{Title: new(""), CanPush: new(false)}))
	resp, err := s.Delete(ctx, app, 7)
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)
	wantWhole(s.Enable(ctx, app, 7))
}

func TestDeployKeysArguments(t *testing.T) {
	s, ctx := onWire(t).DeployKeys, t.Context()
	failed := func(_ any, _ *serviceapi.Response, err error) error { return err }
	_, deleteErr := s.Delete(ctx, serviceapi.ProjectID(4), 0)
	for name, err := range map[string]error{
		"list": failed(s.List(ctx, serviceapi.Instance,
			&serviceapi.ListDeployKeysOptions{ListOptions: serviceapi.ListOptions{Page: -1}})),
		"get":    failed(s.Get(ctx, serviceapi.ProjectID(4), 0)),
		"create": failed(s.Create(ctx, serviceapi.ProjectRef{}, serviceapi.CreateDeployKeyOptions{})),
		"update": failed(s.Update(ctx, serviceapi.ProjectID(-4), 7, serviceapi.UpdateDeployKeyOptions{})),
		"delete": deleteErr,
		"enable": failed(s.Enable(ctx, serviceapi.ProjectID(4), -7)),
	} {
		var argument *serviceapi.ArgumentError
		assert.ErrorAs(t, err, &argument, name)
	}
}
