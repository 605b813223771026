package servicetests

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

func scimClient(t *testing.T, svc *servicetest.Service, token string) *serviceapi.SCIMService {
	t.Helper()
	return with(t, svc, serviceapi.BearerToken(token)).SCIM
}

func TestSCIMAgainstService(t *testing.T) {
	svc := servicetest.New(t)
	group := svc.Group("acme/platform")
	users := scimClient(t, svc, group.AccessToken(servicetest.Owner))
	ctx, path := t.Context(), serviceapi.GroupPath("acme/platform")

	ada, resp, err := users.Create(ctx, path, serviceapi.CreateSCIMUserOptions{
		UserName: "ada", ExternalID: "idp-1", Name: &serviceapi.SCIMName{GivenName: "Ada", FamilyName: "Lovelace"},
		Emails: []serviceapi.SCIMEmail{{Value: "ada@example.com", Type: "work", Primary: true}},
	})
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, "application/scim+json", resp.Header.Get("Content-Type"))
	assert.Equal(t, &serviceapi.SCIMUser{
		Schemas: []string{serviceapi.SCIMUserSchema}, ID: "scim-1", ExternalID: "idp-1", UserName: "ada",
		Active: new(true),
		Name:   &serviceapi.SCIMName{GivenName: "Ada", FamilyName: "Lovelace"},
		Emails: []*serviceapi.SCIMEmail{{Value: "ada@example.com", Type: "work", Primary: true}},
		Meta: &serviceapi.SCIMMeta{
			ResourceType: "User", Created: new(svc.Now()), LastModified: new(svc.Now()),
			Location: svc.URL() + "/api/scim/v2/groups/acme%2Fplatform/Users/scim-1",
		},
	}, ada)
	account := group.SCIMUsers()[0].User()
	assert.Equal(t, "ada", account.Username())
	membership, ok := group.Membership(account)
	assert.True(t, ok)
	assert.Equal(t, servicetest.Guest, membership.Level)

	svc.Advance(time.Hour)
	_, err = users.Patch(ctx, path, ada.ID, serviceapi.PatchSCIMUserOptions{Operations: []serviceapi.SCIMOperation{
		{Op: serviceapi.SCIMOperatorReplace, Path: "active", Value: false},
		{Op: serviceapi.SCIMOperatorAdd, Path: "emails",
			Value: []serviceapi.SCIMEmail{{Value: "a@home.example.com", Type: "home"}}},
		{Op: serviceapi.SCIMOperatorReplace, Value: map[string]any{"displayName": "Countess",
			"name": serviceapi.SCIMName{FamilyName: "King"}}},
		{Op: serviceapi.SCIMOperatorRemove, Path: "externalId"},
	}})
	require.NoError(t, err)
	_, ok = group.Membership(account)
	assert.False(t, ok, "who is not active has no access")
	ada, _, err = users.Get(ctx, path, ada.ID)
	require.NoError(t, err)
	assert.False(t, *ada.Active)
	assert.Equal(t, "Countess", ada.DisplayName)
	assert.Equal(t, &serviceapi.SCIMName{FamilyName: "King"}, ada.Name)
	assert.Equal(t, []*serviceapi.SCIMEmail{{Value: "ada@example.com", Type: "work", Primary: true},
		{Value: "a@home.example.com", Type: "home"}}, ada.Emails)
	assert.Empty(t, ada.ExternalID)
	assert.Equal(t, time.Hour, ada.Meta.LastModified.Sub(*ada.Meta.Created))

	_, err = users.Delete(ctx, path, ada.ID)
	require.NoError(t, err)
	assert.Empty(t, group.SCIMUsers())
	_, _, err = users.Get(ctx, path, ada.ID)
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	assert.Contains(t, err.Error(), "User not found")
}

func TestSCIMListAgainstService(t *testing.T) {
	svc := servicetest.New(t)
	group := svc.Group("acme")
	for i := range 130 {
		group.ProvisionSCIM(svc.User(fmt.Sprint("user-", i)), fmt.Sprint("idp-", i))
	}
	users := scimClient(t, svc, svc.AdminToken())
	ctx := t.Context()

	everybody, err := serviceapi.Collect(users.All(ctx, serviceapi.GroupPath("acme"), nil))
	require.NoError(t, err)
	require.Len(t, everybody, 130)
	assert.Equal(t, "user-129", everybody[129].UserName)
	rest, err := serviceapi.Collect(users.All(ctx, serviceapi.GroupPath("acme"),
		&serviceapi.ListSCIMUsersOptions{StartIndex: 121, Count: new(3)}))
	require.NoError(t, err)
	assert.Len(t, rest, 10)
	assert.Len(t, svc.Requests("GET /api/scim/v2/groups/:group_path/Users"), 2+4)

	page, _, err := users.List(ctx, serviceapi.GroupPath("acme"), &serviceapi.ListSCIMUsersOptions{Count: new(0)})
	require.NoError(t, err)
	assert.Equal(t, 130, page.TotalResults)
	assert.Empty(t, page.Resources)

	for _, filter := range []string{
		serviceapi.SCIMEqual(serviceapi.SCIMAttributeUserName, "USER-7"),
		serviceapi.SCIMEqual(serviceapi.SCIMAttributeExternalID, "idp-7"),
		serviceapi.SCIMEqual(serviceapi.SCIMAttributeID, "scim-8"),
		`emails.value eq "user-7@example.com" and active eq true`,
	} {
		found, err := serviceapi.Collect(users.All(ctx, serviceapi.GroupPath("acme"),
			&serviceapi.ListSCIMUsersOptions{Filter: filter}))
		require.NoError(t, err, filter)
		require.Len(t, found, 1, filter)
		assert.Equal(t, "scim-8", found[0].ID, filter)
	}
	for _, value := range []string{"IDP-7", `idp-7" or id eq "scim-1`, ""} {
		found, err := serviceapi.Collect(users.All(ctx, serviceapi.GroupPath("acme"),
			&serviceapi.ListSCIMUsersOptions{Filter: serviceapi.SCIMEqual("externalId", value)}))
		require.NoError(t, err, value)
		assert.Empty(t, found, value)
	}
}

func TestSCIMRefusals(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	group := svc.Group("acme", servicetest.Member(ada, servicetest.Maintainer))
	seeded := group.ProvisionSCIM(svc.User("grace"), "idp-1")
	admin := scimClient(t, svc, svc.AdminToken())
	ctx := t.Context()
	grace := serviceapi.CreateSCIMUserOptions{UserName: "grace",
		Emails: []serviceapi.SCIMEmail{{Value: "new@example.com"}}}
	patch := func(operations ...serviceapi.SCIMOperation) error {
		_, err := admin.Patch(ctx, serviceapi.GroupPath("acme"), seeded.ID(),
			serviceapi.PatchSCIMUserOptions{Operations: operations})
		return err
	}
	for name, tc := range map[string]struct {
		err      error
		sentinel error
		code     serviceapi.ErrorCode
	}{
		"taken name": {scimError(admin.Create(ctx, serviceapi.GroupPath("acme"), grace)), serviceapi.ErrConflict,
			"uniqueness"},
		"taken account": {scimError(admin.Create(ctx, serviceapi.GroupPath("acme"), serviceapi.CreateSCIMUserOptions{
			UserName: "other", Emails: []serviceapi.SCIMEmail{{Value: "grace@example.com"}},
		})), serviceapi.ErrConflict, "uniqueness"},
		"filter": {scimError(admin.List(ctx, serviceapi.GroupPath("acme"),
			&serviceapi.ListSCIMUsersOptions{Filter: "userName co x"})), serviceapi.ErrBadRequest, "invalidFilter"},
		"no target": {patch(serviceapi.SCIMOperation{Op: serviceapi.SCIMOperatorRemove}),
			serviceapi.ErrBadRequest, "noTarget"},
		"path": {patch(serviceapi.SCIMOperation{Op: serviceapi.SCIMOperatorReplace, Path: "shoeSize",
			Value: 7}), serviceapi.ErrBadRequest, "invalidPath"},
		"value": {patch(serviceapi.SCIMOperation{Op: serviceapi.SCIMOperatorReplace, Path: "active",
			Value: "perhaps"}), serviceapi.ErrBadRequest, "invalidValue"},
		"all or nothing": {patch(serviceapi.SCIMOperation{Op: serviceapi.SCIMOperatorReplace, Path: "userName",
			Value: "changed"}, serviceapi.SCIMOperation{Op: "move"}), serviceapi.ErrBadRequest, "invalidSyntax"},
		"unknown group": {scimError(admin.List(ctx, serviceapi.GroupPath("nobody"), nil)), serviceapi.ErrNotFound,
			""},
		"id of the group": {scimError(admin.List(ctx, serviceapi.GroupPath("1"), nil)), serviceapi.ErrNotFound, ""},
		"role": {scimError(scimClient(t, svc, svc.Token(ada)).List(ctx, serviceapi.GroupPath("acme"), nil)),
			serviceapi.ErrForbidden, ""},
		"not visible": {scimError(scimClient(t, svc, svc.Token(svc.User("eve"))).List(ctx,
			serviceapi.GroupPath("acme"), nil)), serviceapi.ErrNotFound, ""},
		"no credentials": {scimError(scimClient(t, svc, "wrong").List(ctx, serviceapi.GroupPath("acme"), nil)),
			serviceapi.ErrUnauthorized, ""},
	} {
		require.ErrorIs(t, tc.err, tc.sentinel, name)
		var answer *serviceapi.Error
		require.ErrorAs(t, tc.err, &answer, name)
		assert.Equal(t, tc.code, answer.Code, name)
		assert.NotContains(t, answer.Message, "{", "%s: the message is the detail alone", name)
	}
	assert.Equal(t, "grace", seeded.UserName())
	assert.True(t, seeded.Active())

	free := servicetest.New(t, servicetest.WithTier(servicetest.Free))
	free.Group("acme")
	_, _, err := scimClient(t, free, free.AdminToken()).List(ctx, serviceapi.GroupPath("acme"), nil)
	require.ErrorIs(t, err, serviceapi.ErrForbidden)
}

func scimError[T any](_ T, _ *serviceapi.Response, err error) error { return err }
