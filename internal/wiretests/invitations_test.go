package wiretests

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// wholeInvitation is testdata/invitations/invitation.json.
func wholeInvitation(t *testing.T) *serviceapi.Invitation {
	return &serviceapi.Invitation{
		ID: new(int64(12)), AccessLevel: serviceapi.AccessLevelDeveloper, CreatedAt: *at(t, "2026-10-22T14:13:35Z"),
		ExpiresAt: at(t, "2027-03-01T00:00:00Z"), InviteEmail: "grace+ops@example.com",
		InviteToken: serviceapi.NewSecret("invite-secret"), UserName: "Grace Hopper", CreatedByName: "Ada Lovelace",
	}
}

// invitationOwners are both owners, by the path of their invitations.
var invitationOwners = map[string]serviceapi.InvitationOwner{
	"/projects/acme%2Fapp/invitations": serviceapi.ProjectPath(
		"acme/app",
	), "/groups/7/invitations": serviceapi.GroupID(7),
}

func invitationLists(
	c *serviceapi.Client,
) ownedList[serviceapi.InvitationOwner, *serviceapi.ListInvitationsOptions, *serviceapi.Invitation] {
	return ownedList[serviceapi.InvitationOwner, *serviceapi.ListInvitationsOptions, *serviceapi.Invitation]{
		c.Invitations.List,
		c.Invitations.All,
	}
}

func TestInvitationsLists(t *testing.T) {
	options := &serviceapi.ListInvitationsOptions{
		ListOptions: serviceapi.ListOptions{Page: 2, PerPage: 5}, Query: "grace+ops@example.com",
	}
	for path, owner := range invitationOwners {
		t.Run(path, func(t *testing.T) {
			exchanges := ownedExchanges(path, "page=2&per_page=5&query=grace%2Bops%40example.com", "")
			whole := "[" + fixture(t, "invitations/invitation.json") + "]"
			exchanges[0].Body, exchanges[2].Body = whole, whole
			invitationLists(
				onWire(t, exchanges...),
			).wants(t, owner, options, []*serviceapi.Invitation{wholeInvitation(t)})
		})
	}
	assertFilled(t, wholeInvitation(t))
}

func TestInvitationsListsRefuse(t *testing.T) {
	lists := invitationLists(onWire(t))
	lists.refuses(t, "owner", nil, nil, &somewhere, &someTeam, (*serviceapi.GroupRef)(nil))
	lists.refuses(t, "id", nil, serviceapi.ProjectRef{}, serviceapi.GroupRef{})
	lists.refuses(
		t,
		"Page",
		&serviceapi.ListInvitationsOptions{ListOptions: serviceapi.ListOptions{Page: -1}},
		serviceapi.GroupID(7),
	)
}

func TestInvitationsUpdateAndDelete(t *testing.T) {
	for path, owner := range invitationOwners {
		one := path + "/grace%2Bops@example.com%2Fx"
		client := onWire(t,
			exchange{Method: "PUT", Path: one, JSON: `{"access_level":40}`, Fixture: "invitations/invitation.json"},
			exchange{Method: "PUT", Path: one, JSON: `{"access_level":0,"expires_at":"2027-03-01T00:00:00Z"}`,
				Body: `{"access_level":0,"expires_at":null,"created_by_name":null,"invite_token":null,` +
					`"user_name":null}`},
			exchange{Method: "DELETE", Path: one, Status: 204})
		s, ctx, email := client.Invitations, t.Context(), "grace+ops@example.com/x"
		invitation, _, err := s.Update(ctx, owner, email,
			serviceapi.UpdateInvitationOptions{AccessLevel: new(serviceapi.AccessLevelMaintainer)})
		require.NoError(t, err)
		assert.Equal(t, wholeInvitation(t), invitation)
		invitation, _, err = s.Update(ctx, owner, email, serviceapi.UpdateInvitationOptions{
			AccessLevel: new(serviceapi.AccessLevelNone), ExpiresAt: serviceapi.Value(*at(t, "2027-03-01T00:00:00Z")),
		})
		require.NoError(t, err)
		assert.Equal(t, &serviceapi.Invitation{}, invitation)
		resp, err := s.Delete(ctx, owner, email)
		require.NoError(t, err)
		assert.Equal(t, 204, resp.StatusCode)
	}
}

func TestInvitationsCreate(t *testing.T) {
	for path, owner := range invitationOwners {
		client := onWire(t,
			exchange{Method: "POST", Path: path, JSON: `{"access_level":30,"email":"grace@example.com"}`, Status: 201,
				Body: `{"status":"success"}`},
			exchange{Method: "POST", Path: path, JSON: `{"access_level":10,"email":"a@b.example,c@d.example",
				"user_id":"4,5","expires_at":"2027-03-01","invite_source":"wizard","member_role_id":12}`, Status: 201,
				Body: `{"queued_users":{"c@d.example":"Wait."},"message":null}`},
			exchange{Method: "POST", Path: path, JSON: `{"access_level":10,"user_id":"4"}`, Status: 201,
				Body: `{"status":"success"}`})
		s, ctx := client.Invitations, t.Context()
		result, resp, err := s.Create(
			ctx,
			owner,
			serviceapi.CreateInvitationOptions{
				AccessLevel: serviceapi.AccessLevelDeveloper,
				Emails:      []string{"grace@example.com"},
			},
		)
		require.NoError(t, err)
		assert.Equal(
			t,
			&serviceapi.InvitationResult{Status: "success", Accepted: []string{"grace@example.com"}},
			result,
		)
		assert.Equal(t, 201, resp.StatusCode)
		result, _, err = s.Create(ctx, owner, serviceapi.CreateInvitationOptions{
			AccessLevel: serviceapi.AccessLevelGuest, Emails: []string{"a@b.example", "c@d.example"},
			UserIDs: []int64{4, 5},
			ExpiresAt: new(
				serviceapi.NewDate(2027, time.March, 1),
			), InviteSource: new("wizard"), MemberRoleID: new(int64(12)),
		})
		require.NoError(t, err)
		assert.Equal(t, &serviceapi.InvitationResult{
			Accepted: []string{"a@b.example"}, Queued: map[string]string{"c@d.example": "Wait."},
			Message: json.RawMessage("null"),
		}, result)
		result, _, err = s.Create(ctx, owner,
			serviceapi.CreateInvitationOptions{AccessLevel: serviceapi.AccessLevelGuest, UserIDs: []int64{4}})
		require.NoError(t, err)
		assert.Equal(t, &serviceapi.InvitationResult{Status: "success"}, result)
	}
}

// TestInvitationsCreateIsRefused checks that a response with the status 201 that refuses
// somebody is an error, which says who, and that the result says who was accepted.
func TestInvitationsCreateIsRefused(t *testing.T) {
	client := onWire(t, exchange{Method: "POST", Path: "/groups/7/invitations", Status: 201,
		JSON:    `{"access_level":30,"email":"grace@example.com,ada@example.com,Ken@example.com","user_id":"6"}`,
		Fixture: "invitations/result.json"})
	emails := []string{"grace@example.com", "ada@example.com", "Ken@example.com"}
	result, resp, err := client.Invitations.Create(
		t.Context(),
		serviceapi.GroupID(7),
		serviceapi.CreateInvitationOptions{
			AccessLevel: serviceapi.AccessLevelDeveloper, UserIDs: []int64{6}, Emails: emails,
		},
	)
	assert.Equal(t, []string{"grace@example.com", "ada@example.com", "Ken@example.com"}, emails)
	var refused *serviceapi.InvitationError
	require.ErrorAs(t, err, &refused)
	assert.Equal(t, map[string]string{
		"grace@example.com": "Invite email has already been taken", "linus": "User already exists in source",
	}, refused.Refused)
	assert.Equal(t, 201, resp.StatusCode)
	var e *serviceapi.Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, []string{"User already exists in source"}, e.Fields["linus"])
	assert.Equal(t, 201, e.StatusCode)
	assert.True(t, serviceapi.MayHaveExecuted(err))
	assert.ErrorContains(t, err, "(refused: grace@example.com, linus)")
	require.NotNil(t, result)
	assert.Equal(t, []string{"ada@example.com"}, result.Accepted)
	assert.Equal(t, map[string]string{"ken@example.com": "Request queued for administrator approval."}, result.Queued)
	assert.Equal(t, "error", result.Status)
	assert.Contains(t, string(result.Message), "Invite email has already been taken")
	assertFilled(t, result)
}

// TestInvitationsCreateWithoutNames checks refusals that do not say which addresses they are
// about: nobody is reported as accepted.
func TestInvitationsCreateWithoutNames(t *testing.T) {
	for body, reasons := range map[string]map[string]string{
		`{"status":"error","message":"Too many"}`:     nil,
		`{"status":"error"}`:                          nil,
		`{"message":"Too many"}`:                      nil,
		`{"status":"error","message":{"grace":"No"}}`: {"grace": "No"},
		`{"status":"error","message":{"c@d.example":["No","Never"],"x":"y"}}`: {
			"c@d.example": "No; Never", "x": "y",
		},
	} {
		client := onWire(t, exchange{Method: "POST", Path: "/projects/4/invitations", Status: 201, Body: body,
			JSON: `{"access_level":30,"email":"a@b.example,c@d.example"}`})
		result, _, err := client.Invitations.Create(
			t.Context(),
			serviceapi.ProjectID(4),
			serviceapi.CreateInvitationOptions{
				AccessLevel: serviceapi.AccessLevelDeveloper, Emails: []string{"a@b.example", "c@d.example"},
			},
		)
		var refused *serviceapi.InvitationError
		require.ErrorAs(t, err, &refused, body)
		assert.Equal(t, reasons, refused.Refused, body)
		require.NotNil(t, result, body)
		assert.Nil(t, result.Accepted, body)
	}
}

// TestInvitationsCreateFails checks that other errors have no result.
func TestInvitationsCreateFails(t *testing.T) {
	client := onWire(t,
		exchange{Method: "POST", Path: "/projects/4/invitations", Status: 403, Body: `{"message":"403 Forbidden"}`,
			JSON: `{"access_level":30,"email":"a@b.example"}`},
		exchange{Method: "POST", Path: "/projects/4/invitations", Status: 201,
			Body: `{"status":"success","queued_users":7}`, JSON: `{"access_level":30,"email":"a@b.example"}`})
	options := serviceapi.CreateInvitationOptions{
		AccessLevel: serviceapi.AccessLevelDeveloper,
		Emails:      []string{"a@b.example"},
	}
	result, _, err := client.Invitations.Create(t.Context(), serviceapi.ProjectID(4), options)
	require.ErrorIs(t, err, serviceapi.ErrForbidden)
	assert.Nil(t, result)
	result, _, err = client.Invitations.Create(t.Context(), serviceapi.ProjectID(4), options)
	var partial *serviceapi.DecodeError
	require.ErrorAs(t, err, &partial)
	assert.True(t, partial.Partial)
	assert.Equal(t, &serviceapi.InvitationResult{Status: "success"}, result, "nothing is certain")
}

func TestInvitationsArguments(t *testing.T) {
	s, ctx := onWire(t).Invitations, t.Context()
	level := serviceapi.AccessLevelGuest
	for argument, options := range map[string]serviceapi.CreateInvitationOptions{
		"AccessLevel":       {Emails: []string{"a@b.example"}},
		"Emails or UserIDs": {AccessLevel: level},
		"Emails":            {AccessLevel: level, Emails: []string{"a@b.example,c@d.example"}},
		"UserIDs":           {AccessLevel: level, UserIDs: []int64{0}},
	} {
		assertRefused(t, argument, errorOf(s.Create(ctx, serviceapi.ProjectID(4), options)))
	}
	assertRefused(t, "Emails", errorOf(s.Create(ctx, serviceapi.ProjectID(4),
		serviceapi.CreateInvitationOptions{AccessLevel: level, Emails: []string{"a@b.example", ""}})))
	update := serviceapi.UpdateInvitationOptions{AccessLevel: &level}
	assertRefused(t, "email", errorOf(s.Update(ctx, serviceapi.ProjectID(4), "", update)))
	assertRefused(t, "email", errorOf(s.Update(ctx, serviceapi.ProjectID(4), "..", update)))
	_, err := s.Delete(ctx, nil, "a@b.example")
	assertRefused(t, "owner", err)
}

// TestInvitationTokensAreNotQuoted checks that no error has the token of an invitation.
func TestInvitationTokensAreNotQuoted(t *testing.T) {
	for _, body := range []string{`{"invite_token":"invite-secret","access_level":[]}`,
		`{"invite_token":"invite-secret"`} {
		client := onWire(t, exchange{Method: "PUT", Path: "/groups/7/invitations/a@b.example",
			JSON: `{"access_level":10}`,
			Body: body})
		_, _, err := client.Invitations.Update(t.Context(), serviceapi.GroupID(7), "a@b.example",
			serviceapi.UpdateInvitationOptions{AccessLevel: new(serviceapi.AccessLevelGuest)})
		var decode *serviceapi.DecodeError
		require.True(t, errors.As(err, &decode))
		assert.Empty(t, decode.Excerpt)
		assert.NotContains(t, err.Error(), "invite-secret")
	}
}

// TestInvitationWithoutAnAnswer checks that a response that names nobody is a success, and
// one that has any message without a status is not.
func TestInvitationWithoutAnAnswer(t *testing.T) {
	for body, fails := range map[string]bool{
		`{"queued_users":{"ada":"x"}}`: false, `{"message":null}`: false, `{"status":"success","message":"x"}`: false,
		`{"message":{"a@b.test":"taken"}}`: true, `{"message":""}`: true, `{"status":"error"}`: true,
	} {
		client, _ := scriptedClient(t, serviceapi.RetryPolicy{MaxAttempts: 1}, status(201, body))
		_, _, err := client.Invitations.Create(t.Context(), serviceapi.ProjectID(4), serviceapi.CreateInvitationOptions{
			Emails: []string{"a@b.test"}, AccessLevel: serviceapi.AccessLevelDeveloper,
		})
		assert.Equal(t, fails, err != nil, "%s: %v", body, err)
	}
}
