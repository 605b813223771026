package wiretests

import (
	"testing"
	"time"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// wholeDeployToken is testdata/deploy_tokens/deploy_token.json, or issued.json with the
// token itself.
func wholeDeployToken(t *testing.T, secret serviceapi.Secret) *serviceapi.DeployToken {
	return &serviceapi.DeployToken{
		ID: 7, Name: "registry of the cluster", Username: "cluster", Token: secret,
		Scopes: []serviceapi.DeployTokenScope{
			serviceapi.DeployTokenScopeReadRepository,
			serviceapi.DeployTokenScopeReadRegistry,
		},
		ExpiresAt: at(t, "2027-03-01T00:00:00Z"), Revoked: true, Expired: true,
	}
}

func deployTokenLists(
	c *serviceapi.Client,
) ownedList[serviceapi.DeployTokenOwner, *serviceapi.ListDeployTokensOptions, *serviceapi.DeployToken] {
	return ownedList[serviceapi.DeployTokenOwner, *serviceapi.ListDeployTokensOptions, *serviceapi.DeployToken]{
		c.DeployTokens.List,
		c.DeployTokens.All,
	}
}

func TestDeployTokensLists(t *testing.T) {
	options := &serviceapi.ListDeployTokensOptions{
		ListOptions: serviceapi.ListOptions{Page: 2, PerPage: 5},
		Active:      true,
	}
	for path, owner := range map[string]serviceapi.DeployTokenOwner{
		"/deploy_tokens": serviceapi.Instance, "/projects/acme%2Fapp/deploy_tokens": serviceapi.ProjectPath("acme/app"),
		"/groups/7/deploy_tokens": serviceapi.GroupID(7),
	} {
		t.Run(path, func(t *testing.T) {
			exchanges := ownedExchanges(path, "active=true&page=2&per_page=5", "")
			whole := "[" + fixture(t, "deploy_tokens/deploy_token.json") + "]"
			exchanges[0].Body, exchanges[2].Body = whole, whole
			deployTokenLists(onWire(t, exchanges...)).wants(t, owner, options,
				[]*serviceapi.DeployToken{wholeDeployToken(t, serviceapi.Secret{})})
		})
	}
}

func TestDeployTokensListsRefuse(t *testing.T) {
	lists := deployTokenLists(onWire(t))
	lists.refuses(t, "owner", nil, nil, &somewhere, &someTeam, &everything, (*serviceapi.GroupRef)(nil))
	lists.refuses(t, "id", nil, serviceapi.ProjectRef{}, serviceapi.GroupRef{})
	lists.refuses(
		t,
		"Page",
		&serviceapi.ListDeployTokensOptions{ListOptions: serviceapi.ListOptions{Page: -1}},
		serviceapi.Instance,
	)
}

func TestDeployTokensOfProjectsAndGroups(t *testing.T) {
	const body = `{"name":"n","scopes":["read_repository","read_virtual_registry"]}`
	const every = `{"name":"n","scopes":["write_registry"],"expires_at":"2027-03-01","username":"cluster"}`
	const issued = "deploy_tokens/issued.json"
	for path, owner := range map[string]serviceapi.NewDeployTokenOwner{
		"/projects/acme%2Fapp/deploy_tokens": serviceapi.ProjectPath("acme/app"),
		"/groups/7/deploy_tokens":            serviceapi.GroupID(7),
	} {
		t.Run(path, func(t *testing.T) {
			client := onWire(t,
				exchange{Method: "GET", Path: path + "/7", Fixture: "deploy_tokens/deploy_token.json"},
				exchange{Method: "POST", Path: path, JSON: body, Status: 201, Fixture: issued},
				exchange{Method: "POST", Path: path, JSON: every, Status: 201, Fixture: issued},
				exchange{Method: "DELETE", Path: path + "/7", Status: 204})
			s, ctx := client.DeployTokens, t.Context()
			token, _, err := s.Get(ctx, owner, 7)
			require.NoError(t, err)
			assert.Equal(t, wholeDeployToken(t, serviceapi.Secret{}), token)
			for _, options := range []serviceapi.CreateDeployTokenOptions{
				{Name: "n", Scopes: []serviceapi.DeployTokenScope{
					serviceapi.DeployTokenScopeReadRepository, serviceapi.DeployTokenScopeReadVirtualRegistry,
				}},
				{
					Name: "n", Scopes: []serviceapi.DeployTokenScope{serviceapi.DeployTokenScopeWriteRegistry},
					ExpiresAt: new(serviceapi.NewDate(2027, time.March, 1)), Username: new("cluster"),
				},
			} {
				token, _, err = s.Create(ctx, owner, options)
				require.NoError(t, err)
				assert.Equal(t, wholeDeployToken(t, serviceapi.NewSecret("issued-token")), token)
				assertFilled(t, token)
			}
			resp, err := s.Delete(ctx, owner, 7)
			require.NoError(t, err)
			assert.Equal(t, 204, resp.StatusCode)
		})
	}
}

func TestDeployTokensArguments(t *testing.T) {
	s, ctx := onWire(t).DeployTokens, t.Context()
	assertRefused(t, "token_id", errorOf(s.Get(ctx, serviceapi.ProjectID(4), 0)))
	assertRefused(t, "id", errorOf(s.Create(ctx, serviceapi.GroupRef{}, serviceapi.CreateDeployTokenOptions{})))
	_, err := s.Delete(ctx, serviceapi.GroupID(4), -7)
	assertRefused(t, "token_id", err)
	_, err = s.Delete(ctx, nil, 7)
	assertRefused(t, "owner", err)
}
