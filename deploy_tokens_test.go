package serviceapi

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// wholeDeployToken is testdata/deploy_tokens/deploy_token.json, or issued.json with the
// token itself.
func wholeDeployToken(t *testing.T, secret Secret) *DeployToken {
	return &DeployToken{
		ID: 7, Name: "registry of the cluster", Username: "cluster", Token: secret,
		Scopes:    []DeployTokenScope{DeployTokenScopeReadRepository, DeployTokenScopeReadRegistry},
		ExpiresAt: at(t, "2027-03-01T00:00:00Z"), Revoked: true, Expired: true,
	}
}

func deployTokenLists(c *Client) ownedList[DeployTokenOwner, *ListDeployTokensOptions, *DeployToken] {
	return ownedList[DeployTokenOwner, *ListDeployTokensOptions, *DeployToken]{c.DeployTokens.List, c.DeployTokens.All}
}

func TestDeployTokensLists(t *testing.T) {
	options := &ListDeployTokensOptions{ListOptions: ListOptions{Page: 2, PerPage: 5}, Active: true}
	for path, owner := range map[string]DeployTokenOwner{
		"/deploy_tokens": Instance, "/projects/acme%2Fapp/deploy_tokens": ProjectPath("acme/app"),
		"/groups/7/deploy_tokens": GroupID(7),
	} {
		t.Run(path, func(t *testing.T) {
			exchanges := ownedExchanges(path, "active=true&page=2&per_page=5", "")
			whole := "[" + fixture(t, "deploy_tokens/deploy_token.json") + "]"
			exchanges[0].Body, exchanges[2].Body = whole, whole
			deployTokenLists(onWire(t, exchanges...)).wants(t, owner, options,
				[]*DeployToken{wholeDeployToken(t, Secret{})})
		})
	}
}

func TestDeployTokensListsRefuse(t *testing.T) {
	lists := deployTokenLists(onWire(t))
	lists.refuses(t, "owner", nil, nil, &somewhere, &someTeam, &everything, (*GroupRef)(nil))
	lists.refuses(t, "id", nil, ProjectRef{}, GroupRef{})
	lists.refuses(t, "Page", &ListDeployTokensOptions{ListOptions: ListOptions{Page: -1}}, Instance)
}

func TestDeployTokensOfProjectsAndGroups(t *testing.T) {
	const body = `{"name":"n","scopes":["read_repository","read_virtual_registry"]}`
	const every = `{"name":"n","scopes":["write_registry"],"expires_at":"2027-03-01","username":"cluster"}`
	const issued = "deploy_tokens/issued.json"
	for path, owner := range map[string]NewDeployTokenOwner{
		"/projects/acme%2Fapp/deploy_tokens": ProjectPath("acme/app"), "/groups/7/deploy_tokens": GroupID(7),
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
			assert.Equal(t, wholeDeployToken(t, Secret{}), token)
			for _, options := range []CreateDeployTokenOptions{
				{Name: "n", Scopes: []DeployTokenScope{
					DeployTokenScopeReadRepository, DeployTokenScopeReadVirtualRegistry,
				}},
				{
					Name: "n", Scopes: []DeployTokenScope{DeployTokenScopeWriteRegistry},
					ExpiresAt: new(NewDate(2027, time.March, 1)), Username: new("cluster"),
				},
			} {
				token, _, err = s.Create(ctx, owner, options)
				require.NoError(t, err)
				assert.Equal(t, wholeDeployToken(t, NewSecret("issued-token")), token)
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
	assertRefused(t, "token_id", errorOf(s.Get(ctx, ProjectID(4), 0)))
	assertRefused(t, "id", errorOf(s.Create(ctx, GroupRef{}, CreateDeployTokenOptions{})))
	_, err := s.Delete(ctx, GroupID(4), -7)
	assertRefused(t, "token_id", err)
	_, err = s.Delete(ctx, nil, 7)
	assertRefused(t, "owner", err)
}
