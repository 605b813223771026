package wiretests

import (
	"context"
	"strings"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestParametersOfLaterReleases makes calls with parameters that only later releases have.
func TestParametersOfLaterReleases(t *testing.T) {
	const app, acme = "/projects/acme%2Fapp", "/groups/acme"
	project, group := serviceapi.ProjectPath("acme/app"), serviceapi.GroupPath("acme")
	for name, test := range map[string]struct {
		exchange exchange
		call     func(context.Context, *serviceapi.Client) error
	}{
		"the jobs of a branch": {
			exchange{Method: "GET", Path: app + "/jobs", Query: "ref=main", Body: `[]`},
			func(ctx context.Context, c *serviceapi.Client) error {
				return errorOf(c.Jobs.List(ctx, project, &serviceapi.ListJobsOptions{Ref: "main"}))
			},
		},
		"members of a project": {
			exchange{Method: "GET", Path: app + "/members",
				Query: "skip_users%5B%5D=4&skip_users%5B%5D=5&with_saml_identity=true", Body: `[]`},
			func(ctx context.Context, c *serviceapi.Client) error {
				return errorOf(c.Members.List(ctx, project, &serviceapi.ListMembersOptions{
					SkipUsers: []int64{4, 5}, WithSAMLIdentity: true,
				}))
			},
		},
		"all projects": {
			exchange{Method: "GET", Path: "/projects", Query: "wiki_checksum_failed=true", Body: `[]`},
			func(ctx context.Context, c *serviceapi.Client) error {
				return errorOf(c.Projects.List(ctx, serviceapi.Instance, &serviceapi.ListProjectsOptions{
					WikiChecksumFailed: true,
				}))
			},
		},
		"projects of a group": {
			exchange{Method: "GET", Path: acme + "/projects", Query: "active=true&include_ancestor_groups=true",
				Body: `[]`},
			func(ctx context.Context, c *serviceapi.Client) error {
				return errorOf(c.Projects.List(ctx, group, &serviceapi.ListProjectsOptions{
					Active: new(true), IncludeAncestorGroups: true,
				}))
			},
		},
		"projects that are shared with a group": {
			exchange{Method: "GET", Path: acme + "/projects/shared", Query: "custom_attributes%5Bteam%5D=engines",
				Body: `[]`},
			func(ctx context.Context, c *serviceapi.Client) error {
				return errorOf(c.Groups.ListSharedProjects(ctx, group, &serviceapi.ListSharedProjectsOptions{
					CustomAttributes: serviceapi.CustomAttributeFilter{"team": "engines"},
				}))
			},
		},
		"a role that may unprotect": {
			exchange{Method: "PATCH", Path: app + "/protected_branches/main", JSON: `{"unprotect_access_level":40}`,
				Body: `{"id":1}`},
			func(ctx context.Context, c *serviceapi.Client) error {
				return errorOf(c.ProtectedBranches.Update(ctx, project, "main", serviceapi.UpdateProtectedBranchOptions{
					UnprotectAccessLevel: new(serviceapi.AccessLevelMaintainer),
				}))
			},
		},
		"an empty commit": {
			exchange{Method: "POST", Path: app + "/repository/commits", Status: 201, Body: `{"id":"1"}`,
				JSON: `{"branch":"main","commit_message":"Begin","allow_empty":true}`},
			func(ctx context.Context, c *serviceapi.Client) error {
				return errorOf(c.Commits.Create(ctx, project, serviceapi.CreateCommitOptions{
					Branch: "main", CommitMessage: "Begin", AllowEmpty: new(true),
				}))
			},
		},
		"a share with a custom role": {
			exchange{Method: "POST", Path: app + "/share", Status: 201,
				JSON: `{"group_id":9,"group_access":20,"member_role_id":12}`, Body: `{"id":1}`},
			func(ctx context.Context, c *serviceapi.Client) error {
				return errorOf(c.Projects.Share(ctx, project, serviceapi.ShareProjectOptions{
					GroupID: 9, GroupAccess: serviceapi.AccessLevelReporter, MemberRoleID: new(int64(12)),
				}))
			},
		},
		"an invitation with a custom role": {
			exchange{Method: "PUT", Path: acme + "/invitations/a@b.example", JSON: `{"member_role_id":12}`,
				Body: `{"id":1}`},
			func(ctx context.Context, c *serviceapi.Client) error {
				return errorOf(c.Invitations.Update(ctx, group, "a@b.example", serviceapi.UpdateInvitationOptions{
					MemberRoleID: new(int64(12)),
				}))
			},
		},
		"a locked issue": {
			exchange{Method: "POST", Path: app + "/issues", JSON: `{"title":"Plan","discussion_locked":true}`,
				Status: 201, Body: `{"id":1}`},
			func(ctx context.Context, c *serviceapi.Client) error {
				return errorOf(c.Issues.Create(ctx, project, serviceapi.CreateIssueOptions{
					Title: "Plan", DiscussionLocked: new(true),
				}))
			},
		},
		"a merge beside the train": {
			exchange{Method: "PUT", Path: app + "/merge_requests/4/merge", JSON: `{"skip_merge_train":true}`,
				Body: `{"id":1}`},
			func(ctx context.Context, c *serviceapi.Client) error {
				return errorOf(c.MergeRequests.Merge(ctx, project.MergeRequest(4), serviceapi.MergeOptions{
					SkipMergeTrain: new(true),
				}))
			},
		},
		"a group of an organization": {
			exchange{Method: "POST", Path: "/groups/import", Status: 202, Body: `{"id":1}`, Multipart: []string{
				"name=Acme", "organization_id=3", "path=acme", "file[a.tar.gz;application/octet-stream]=packed"}},
			func(ctx context.Context, c *serviceapi.Client) error {
				_, err := c.Groups.Import(ctx, serviceapi.ImportGroupOptions{
					File: serviceapi.Upload{Filename: "a.tar.gz", Content: strings.NewReader("packed")},
					Name: "Acme", Path: "acme", OrganizationID: new(int64(3)),
				})
				return err
			},
		},
		"the addresses of a new user": {
			exchange{Method: "POST", Path: "/users", Status: 201, Body: `{"id":1}`,
				JSON: `{"email":"a@b.example","name":"A","username":"a","reset_password":true,` +
					`"public_email":"p@b.example","commit_email":"_private"}`},
			func(ctx context.Context, c *serviceapi.Client) error {
				return errorOf(c.Users.Create(ctx, serviceapi.CreateUserOptions{
					Email: "a@b.example", Name: "A", Username: "a", ResetPassword: new(true),
					PublicEmail: new("p@b.example"), CommitEmail: new("_private"),
				}))
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, test.call(t.Context(), onWire(t, test.exchange)))
		})
	}
}

// TestGranularScopes creates tokens with finer permissions than those of scopes.
func TestGranularScopes(t *testing.T) {
	const granular = `"granular_scopes":[{"access":"selected_memberships","permissions":["read_job"],` +
		`"project_ids":[1],"group_ids":[7]},{"access":"user","permissions":["read_user_status"]}]`
	client := onWire(t,
		exchange{Method: "POST", Path: "/user/personal_access_tokens", Status: 201,
			JSON: `{"name":"ci",` + granular + `}`, Fixture: "access_tokens/issued.json"},
		exchange{Method: "POST", Path: "/users/5/personal_access_tokens", Status: 201,
			JSON: `{"name":"ci",` + granular + `}`, Fixture: "access_tokens/issued.json"},
		exchange{Method: "POST", Path: "/users/5/impersonation_tokens", Status: 201,
			JSON: `{"name":"ci",` + granular + `}`, Fixture: "access_tokens/issued.json"},
		exchange{Method: "GET", Path: "/projects/1/jobs/8", Status: 403,
			Body: `{"error":"insufficient_granular_scope","error_description":"Access denied: Your Personal Access ` +
				`Token lacks the required permissions: [read_job] for \"acme/app\"."}`})
	ctx, scopes := t.Context(), []serviceapi.GranularScopeOptions{
		{Access: serviceapi.GranularAccessSelectedMemberships, Permissions: []serviceapi.GranularPermission{"read_job"},
			ProjectIDs: []int64{1}, GroupIDs: []int64{7}},
		{Access: serviceapi.GranularAccessUser, Permissions: []serviceapi.GranularPermission{"read_user_status"}},
	}
	for _, owner := range []serviceapi.NewAccessTokenOwner{serviceapi.Own, serviceapi.UserID(5)} {
		token, _, err := client.AccessTokens.Create(ctx, owner,
			serviceapi.CreateAccessTokenOptions{Name: "ci", GranularScopes: scopes})
		require.NoError(t, err)
		assert.Equal(t, issuedToken(t), token)
	}
	token, _, err := client.AccessTokens.CreateImpersonationToken(ctx, serviceapi.UserID(5),
		serviceapi.CreateImpersonationTokenOptions{Name: "ci", GranularScopes: scopes})
	require.NoError(t, err)
	assert.Equal(t, issuedToken(t), token)

	_, _, err = client.Jobs.Get(ctx, serviceapi.ProjectID(1), 8)
	var refused *serviceapi.InsufficientGranularScopeError
	require.ErrorAs(t, err, &refused)
	assert.Equal(t, serviceapi.ErrorReasonInsufficientGranularScope, refused.Err.Reason)
	assert.Equal(t, []serviceapi.GranularPermission{"read_job"}, refused.Permissions)
	require.ErrorIs(t, err, serviceapi.ErrForbidden)
	assert.ErrorContains(t, err, "lacks the required permissions: [read_job]")

	options := serviceapi.CreateAccessTokenOptions{Name: "ci", GranularScopes: scopes}
	assertRefused(t, "GranularScopes", errorOf(client.AccessTokens.Create(ctx, serviceapi.ProjectID(1), options)))
	for argument, scope := range map[string]serviceapi.GranularScopeOptions{
		"GranularScopes[0].Access":      {Permissions: []serviceapi.GranularPermission{"read_job"}},
		"GranularScopes[0].Permissions": {Access: serviceapi.GranularAccessUser},
	} {
		options.GranularScopes = []serviceapi.GranularScopeOptions{scope}
		assertRefused(t, argument, errorOf(client.AccessTokens.Create(ctx, serviceapi.Own, options)))
	}
	_, _, err = client.AccessTokens.Create(ctx, serviceapi.Own, serviceapi.CreateAccessTokenOptions{Name: "ci"})
	assertRefused(t, "Scopes or GranularScopes", err)
	_, _, err = client.AccessTokens.CreateImpersonationToken(ctx, serviceapi.UserID(5),
		serviceapi.CreateImpersonationTokenOptions{Name: "ci"})
	assertRefused(t, "Scopes or GranularScopes", err)
	both := serviceapi.CreateAccessTokenOptions{
		Name: "ci", Scopes: []serviceapi.AccessScope{serviceapi.AccessScopeAPI}, GranularScopes: scopes,
	}
	assertRefused(t, "Scopes", errorOf(client.AccessTokens.Create(ctx, serviceapi.Own, both)))
	assertRefused(t, "Scopes", errorOf(client.AccessTokens.CreateImpersonationToken(ctx, serviceapi.UserID(5),
		serviceapi.CreateImpersonationTokenOptions{Name: "ci", Scopes: both.Scopes, GranularScopes: scopes})))
}

// TestInsufficientGranularScopes reads what is known of the permissions that a token lacks.
func TestInsufficientGranularScopes(t *testing.T) {
	for description, want := range map[string][]serviceapi.GranularPermission{
		`lacks the required permissions: [read_job, run_job ,] for \"a\".`: {"read_job", "run_job"},
		"Unable to determine boundaries and permissions":                   nil,
		"lacks [read_job": nil,
		"lacks []":        nil,
		"":                nil,
	} {
		client := onWire(t, exchange{Method: "GET", Path: "/version", Status: 403,
			Body: `{"error":"insufficient_granular_scope","error_description":"` + description + `"}`})
		_, _, err := client.Metadata.Version(t.Context())
		var refused *serviceapi.InsufficientGranularScopeError
		require.ErrorAs(t, err, &refused, description)
		assert.Equal(t, want, refused.Permissions, description)
		assert.Equal(t, "/version", refused.Err.Operation)
		var other *serviceapi.InsufficientScopeError
		assert.NotErrorAs(t, err, &other)
	}
	client := onWire(t, exchange{Method: "GET", Path: "/version", Status: 400,
		Body: `{"error":"insufficient_granular_scope"}`})
	var refused *serviceapi.InsufficientGranularScopeError
	assert.NotErrorAs(t, errorOf(client.Metadata.Version(t.Context())), &refused)
}
