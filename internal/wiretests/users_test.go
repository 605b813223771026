package wiretests

import (
	"context"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func accountSummary() serviceapi.UserSummary {
	return serviceapi.UserSummary{
		ID: 5, Name: "Ada Lovelace", Username: "ada", State: serviceapi.UserStateActive,
		AvatarURL: "https://service.test/uploads/ada.png", WebURL: "https://service.test/ada",
	}
}

func adaForAdmins(t *testing.T) *serviceapi.User {
	return &serviceapi.User{
		UserSummary: serviceapi.UserSummary{
			ID: 5, Name: "Ada Lovelace", Username: "ada", State: serviceapi.UserStateActive,
			PublicEmail: "ada@example.com",
			AvatarURL:   "https://service.test/uploads/ada.png", WebURL: "https://service.test/ada",
		},
		CreatedAt: at(t, "2025-12-21T13:14:24.077Z"), Bio: "Counts",
		Location: "London", Skype: "ada.s", LinkedIn: "ada-l", Twitter: "ada_t", Discord: "4", GitHub: "ada-hub",
		WebsiteURL: "https://ada.example.com", Organization: "Analytical",
		Bot: new(false), JobTitle: "Analyst", Pronouns: "she/her", WorkInformation: "Analyst at Analytical",
		Followers: new(3), Following: new(1), LocalTime: "3:38 PM", IsFollowed: new(true),
		Email: "ada@corp.example.com", CommitEmail: "ada-c@example.com", IsAdmin: new(false), Note: "Met at the fair",
		ConfirmedAt: at(t, "2025-12-22T09:05:22Z"), LastSignInAt: at(t, "2026-01-01T11:41:01Z"),
		CurrentSignInAt: at(t, "2026-01-02T11:41:01Z"),
		LastSignInIP:    "10.0.0.1", CurrentSignInIP: "10.0.0.2", SignInCount: new(12),
		LastActivityOn: new(
			serviceapi.NewDate(2026, time.January, 2),
		), ThemeID: new(int64(2)), ColorSchemeID: new(int64(3)),
		ProjectsLimit: new(100),
		Identities: []*serviceapi.UserIdentity{
			{Provider: "ldapmain", ExternUID: "uid=ada"},
			{Provider: "group_saml", ExternUID: "123789", SAMLProviderID: new(int64(10))},
		},
		CanCreateGroup: new(true), CanCreateProject: new(true), TwoFactorEnabled: new(true), External: new(false),
		PrivateProfile: new(false), NamespaceID: new(int64(17)), Plan: "gold", Trial: new(true),
		SharedRunnersMinutesLimit: new(int64(133)), ExtraSharedRunnersMinutesLimit: new(int64(50)),
		CreatedBy: &serviceapi.UserSummary{ID: 1, Name: "Root", Username: "root", State: serviceapi.UserStateActive,
			WebURL: "https://service.test/root"},
		SCIMIdentities: []*serviceapi.UserSCIMIdentity{{ExternUID: "a1", GroupID: "9", Active: true},
			{ExternUID: "a2", GroupID: "10"}, {ExternUID: "a3"}},
		EmailResetOfferedAt: at(t, "2026-01-03T11:41:01Z"), CanCreateOrganization: new(true), PreferredLanguage: "en",
		IsAuditor: new(false), UsingLicenseSeat: new(true), ProvisionedByGroupID: new(int64(9)),
		EnterpriseGroupID: new(int64(9)), EnterpriseGroupAssociatedAt: at(t, "2026-01-04T11:41:01Z"),
		HighestRole: new(serviceapi.AccessLevelMaintainer),
		CustomAttributes: &serviceapi.CustomAttributes{
			Values: map[string]string{"desk": "B12", "team": "engines"},
			Raw:    stdjson.RawMessage(`[{"key": "desk", "value": "B12"}, {"key": "team", "value": "engines"}]`),
		},
	}
}

func TestUsersGetAsAdministrator(t *testing.T) {
	client := onWire(t, exchange{Method: "GET", Path: "/users/5", Query: "with_custom_attributes=true",
		Fixture: "users/user_admin.json"})
	user, resp, err := client.Users.Get(
		t.Context(),
		serviceapi.UserID(5),
		&serviceapi.GetUserOptions{WithCustomAttributes: true},
	)
	require.NoError(t, err)
	assert.Equal(t, 200, resp.StatusCode)
	assert.Equal(t, adaForAdmins(t), user)
}

func TestUsersGetPublicView(t *testing.T) {
	client := onWire(t, exchange{Method: "GET", Path: "/users/5", Fixture: "users/user_public.json"})
	user, _, err := client.Users.Get(t.Context(), serviceapi.UserID(5), nil)
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.User{
		UserSummary: serviceapi.UserSummary{
			ID:       5,
			Name:     "Ada Lovelace",
			Username: "ada",
			State:    serviceapi.UserStateBlocked,
			WebURL:   "https://service.test/ada",
		},
		CreatedAt: at(t, "2025-12-21T13:14:24.077Z"),
		Bot:       new(true), Followers: new(0), Following: new(0), IsFollowed: new(false),
	}, user)
}

func TestUsersList(t *testing.T) {
	client := onWire(t, exchange{Method: "GET", Path: "/users", Fixture: "users/users.json"})
	users, _, err := client.Users.List(t.Context(), nil)
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.User{
		{
			UserSummary: serviceapi.UserSummary{
				ID: 5, Name: "Ada Lovelace", Username: "ada", State: serviceapi.UserStateActive,
				AvatarURL: "https://service.test/uploads/ada.png", WebURL: "https://service.test/ada",
			},
		},
		{UserSummary: serviceapi.UserSummary{ID: 2, Name: "Bob", Username: "bob", State: serviceapi.UserStateBlocked,
			WebURL: "https://service.test/bob"}},
	}, users)
}

func TestUsersListSendsEveryFilter(t *testing.T) {
	query := strings.Join([]string{
		"active=true", "admins=true", "auditors=true", "blocked=true",
		"created_after=2026-01-02T03%3A04%3A05.000000006Z",
		"created_before=2026-02-02T03%3A04%3A05%2B01%3A00", "custom_attributes%5Bdesk%5D=B+12",
		"custom_attributes%5Bteam%5D=engines",
		"exclude_active=true", "exclude_external=true", "exclude_humans=true", "exclude_internal=true",
		"extern_uid=uid%3Dada", "external=true",
		"humans=true", "order_by=updated_at", "page=2", "pagination=offset", "per_page=30", "provider=ldapmain",
		"public_email=ada%40example.com",
		"saml_provider_id=10", "search=ada+l", "skip_ldap=true", "sort=asc", "two_factor=disabled", "username=ada",
		"with_custom_attributes=true", "without_project_bots=true", "without_projects=true",
	}, "&")
	options := &serviceapi.ListUsersOptions{
		ListOptions: serviceapi.ListOptions{Page: 2, PerPage: 30}, Search: "ada l", Username: "ada",
		Active: true, Blocked: true, External: true, ExcludeInternal: true, ExcludeExternal: true,
		WithoutProjectBots: true,
		ExternUID:          "uid=ada", Provider: "ldapmain",
		CreatedAfter:    time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC),
		CreatedBefore:   time.Date(2026, 2, 2, 3, 4, 5, 0, time.FixedZone("", 3600)),
		WithoutProjects: true, CustomAttributes: serviceapi.CustomAttributeFilter{"team": "engines", "desk": "B 12"},
		WithCustomAttributes: true,
		OrderBy:              serviceapi.UserOrderByUpdatedAt, Sort: serviceapi.SortAscending,
		TwoFactor:      serviceapi.TwoFactorFilterDisabled,
		Admins:         true,
		SAMLProviderID: 10,
		ExcludeActive:  true, Humans: true, ExcludeHumans: true, PublicEmail: "ada@example.com", Auditors: true,
		SkipLDAP:   true,
		Pagination: serviceapi.PaginationOffset,
	}
	client := onWire(t,
		exchange{Method: "GET", Path: "/users", Query: query, Body: "[]"},
		exchange{Method: "GET", Path: "/users", Query: query, Body: "[]"},
	)
	_, _, err := client.Users.List(t.Context(), options)
	require.NoError(t, err)
	_, err = serviceapi.Collect(client.Users.All(t.Context(), options))
	require.NoError(t, err)
}

func TestUsersAllByKeyset(t *testing.T) {
	client := onWire(t,
		exchange{Method: "GET", Path: "/users", Query: "order_by=id&pagination=keyset&per_page=100&sort=desc",
			Body: "[]"},
		exchange{Method: "GET", Path: "/users", Query: "order_by=name&pagination=keyset&per_page=100&sort=asc",
			Body: "[]"})
	_, err := serviceapi.Collect(
		client.Users.All(t.Context(), &serviceapi.ListUsersOptions{Pagination: serviceapi.PaginationKeyset}),
	)
	require.NoError(t, err)
	_, err = serviceapi.Collect(
		client.Users.All(t.Context(), &serviceapi.ListUsersOptions{Pagination: serviceapi.PaginationKeyset,
			OrderBy: serviceapi.UserOrderByName, Sort: serviceapi.SortAscending}),
	)
	require.NoError(t, err)
	assertRefused(
		t,
		"Page",
		errorOf(client.Users.List(t.Context(), &serviceapi.ListUsersOptions{Pagination: serviceapi.PaginationKeyset,
			ListOptions: serviceapi.ListOptions{Page: 2}})),
	)
}

func TestUsersCurrent(t *testing.T) {
	client := onWire(t,
		exchange{Method: "GET", Path: "/user", Fixture: "users/user_admin.json"},
		exchange{Method: "GET", Path: "/user", Header: map[string]string{"Sudo": "5"},
			Fixture: "users/user_public.json"},
	)
	user, _, err := client.Users.Current(t.Context())
	require.NoError(t, err)
	assert.Equal(t, adaForAdmins(t), user)
	user, _, err = client.Users.Current(t.Context(), serviceapi.WithSudo(serviceapi.UserID(5)))
	require.NoError(t, err)
	assert.Equal(t, serviceapi.UserStateBlocked, user.State)
}

// everyUserAttribute has all attributes that the options for creating and
// updating a user have in common.
func everyUserAttribute() serviceapi.UpdateUserOptions {
	return serviceapi.UpdateUserOptions{
		Password: serviceapi.NewSecret("pa\"ss"), Admin: new(true), Bio: new(""), CanCreateGroup: new(false),
		ColorSchemeID: new(int64(3)), ThemeID: new(int64(2)), ExternUID: new("uid=ada"), Provider: new("ldapmain"),
		External: new(false), ExtraSharedRunnersMinutesLimit: serviceapi.Value(int64(50)),
		SharedRunnersMinutesLimit: serviceapi.Null[int64](),
		GroupIDForSAML:            new(int64(9)), LinkedIn: new("l"), Skype: new("s"), Twitter: new("t"),
		Location:     new("London"),
		Organization: new("Analytical"), WebsiteURL: new("https://ada.example.com"), Note: new("n"),
		PrivateProfile: serviceapi.Null[bool](),
		ProjectsLimit:  new(0), ViewDiffsFileByFile: new(true), Auditor: new(false),
		Discord: new("4"), GitHub: new("ada-hub"), Pronouns: new("she/her"), PolicyAdvancedEditor: new(true),
	}
}

// everyAttributeOfNew copies everyUserAttribute into the options of a new user.
func everyAttributeOfNew(options serviceapi.CreateUserOptions) serviceapi.CreateUserOptions {
	from, to := reflect.ValueOf(everyUserAttribute()), reflect.ValueOf(&options).Elem()
	for field, value := range from.Fields() {
		if !value.IsZero() {
			to.FieldByName(field.Name).Set(value)
		}
	}
	return options
}

const everyUserAttributeJSON = `"discord":"4","github":"ada-hub","pronouns":"she/her","policy_advanced_editor":true,
	"password":"pa\"ss","admin":true,"bio":"","can_create_group":false,
	"color_scheme_id":3,"theme_id":2,
	"extern_uid":"uid=ada","provider":"ldapmain","external":false,"extra_shared_runners_minutes_limit":50,
	"shared_runners_minutes_limit":null,"group_id_for_saml":9,"linkedin":"l","skype":"s","twitter":"t",
	"location":"London",
	"organization":"Analytical","website_url":"https://ada.example.com","note":"n","private_profile":null,
	"projects_limit":0,
	"view_diffs_file_by_file":true,"auditor":false`

func TestUsersCreate(t *testing.T) {
	client := onWire(t,
		exchange{
			Method: "POST", Path: "/users", Status: 201, Fixture: "users/user_admin.json",
			JSON: `{"email":"ada@example.com","name":"Ada","username":"ada","reset_password":true}`,
		},
		exchange{
			Method: "POST", Path: "/users", Status: 201, Fixture: "users/user_admin.json",
			JSON: `{"email":"ada@example.com","name":"Ada","username":"ada","reset_password":false,
				"force_random_password":true,
				"skip_confirmation":true,` + everyUserAttributeJSON + `}`,
		},
	)
	options := serviceapi.CreateUserOptions{
		Email:         "ada@example.com",
		Name:          "Ada",
		Username:      "ada",
		ResetPassword: new(true),
	}
	user, resp, err := client.Users.Create(t.Context(), options)
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, adaForAdmins(t), user)

	options = everyAttributeOfNew(options)
	options.ResetPassword, options.ForceRandomPassword, options.SkipConfirmation = new(false), new(true), new(true)
	_, _, err = client.Users.Create(t.Context(), options)
	require.NoError(t, err)
	assert.NotContains(t, fmt.Sprintf("%v %+v %#v", options, options, options), `pa"ss`)
}

func TestUsersCreateWithAvatar(t *testing.T) {
	client := onWire(t, exchange{
		Method: "POST", Path: "/users", Status: 201, Fixture: "users/user_admin.json",
		Multipart: []string{
			"admin=true", "auditor=false", "bio=", "can_create_group=false", "color_scheme_id=3",
			"discord=4", "email=ada@example.com", "extern_uid=uid=ada",
			"external=false", "extra_shared_runners_minutes_limit=50", "github=ada-hub",
			"group_id_for_saml=9", "linkedin=l",
			"location=London",
			"name=Ada", "note=n", "organization=Analytical", `password=pa"ss`,
			"policy_advanced_editor=true", "private_profile=", "projects_limit=0",
			"pronouns=she/her", "provider=ldapmain",
			"shared_runners_minutes_limit=", "skype=s", "theme_id=2", "twitter=t", "username=ada",
			"view_diffs_file_by_file=true",
			"website_url=https://ada.example.com", "avatar[ada.png;image/png]=pixels",
		},
	})
	options := everyAttributeOfNew(serviceapi.CreateUserOptions{Email: "ada@example.com", Name: "Ada", Username: "ada"})
	options.Avatar = &serviceapi.Upload{
		Filename:    "ada.png",
		ContentType: "image/png",
		Content:     strings.NewReader("pixels"),
	}
	_, _, err := client.Users.Create(t.Context(), options)
	require.NoError(t, err)
}

func TestUsersUpdate(t *testing.T) {
	client := onWire(t,
		exchange{Method: "PUT", Path: "/users/5", JSON: `{}`, Fixture: "users/user_admin.json"},
		exchange{
			Method: "PUT", Path: "/users/5", Fixture: "users/user_admin.json",
			JSON: `{"email":"a@example.com","name":"A","username":"a","skip_reconfirmation":true,"public_email":"",` +
				`"commit_email":"_private",` + everyUserAttributeJSON + `}`,
		},
		exchange{
			Method: "PUT", Path: "/users/5", Fixture: "users/user_admin.json",
			Multipart: []string{"shared_runners_minutes_limit=0", "avatar[a.gif;application/octet-stream]=GIF"},
		},
	)
	user, _, err := client.Users.Update(t.Context(), serviceapi.UserID(5), serviceapi.UpdateUserOptions{})
	require.NoError(t, err)
	assert.Equal(t, adaForAdmins(t), user)
	options := everyUserAttribute()
	options.Email, options.Name, options.Username = new("a@example.com"), new("A"), new("a")
	options.SkipReconfirmation, options.PublicEmail, options.CommitEmail = new(true), new(""), new("_private")
	_, _, err = client.Users.Update(t.Context(), serviceapi.UserID(5), options)
	require.NoError(t, err)
	_, _, err = client.Users.Update(t.Context(), serviceapi.UserID(5), serviceapi.UpdateUserOptions{
		SharedRunnersMinutesLimit: serviceapi.Value(int64(0)),
		Avatar:                    &serviceapi.Upload{Filename: "a.gif", Content: strings.NewReader("GIF")},
	})
	require.NoError(t, err)
}

func TestUsersUpdateTellsConflictsFromMissingUsers(t *testing.T) {
	for _, test := range []struct {
		status   int
		body     string
		conflict bool
		sentinel error
	}{
		{404, `{"message":"Email has already been taken"}`, true, serviceapi.ErrNotFound},
		{404, `{"message":{"username":["has already been taken"]}}`, true, serviceapi.ErrNotFound},
		{404, `{"message":"404 User Not Found"}`, false, serviceapi.ErrNotFound},
		{404, ``, false, serviceapi.ErrNotFound},
		{404, `<html><head><title>Page missing</title></head></html>`, false, nil},
		{404, `<html><body>The name is already taken</body></html>`, false, nil},
		{404, `{"error":"404"}`, false, serviceapi.ErrNotFound},
		{404, `{"error":"taken over by another route"}`, false, serviceapi.ErrNotFound},
		{404, `{"message":"404"}`, false, serviceapi.ErrNotFound},
		{404, `{"message":"User does not exist"}`, false, serviceapi.ErrNotFound},
		{404, `{"message":{"user":["not found"]}}`, false, serviceapi.ErrNotFound},
		{404, `"taken"`, false, serviceapi.ErrNotFound},
		{404, `{"message":["Email has already been taken"]}`, true, serviceapi.ErrNotFound},
		{404, `{"message":"Username already exists"}`, true, serviceapi.ErrNotFound},
		{404, `{"message":"Email is in use"}`, true, serviceapi.ErrNotFound},
		{404, `{"message":"Conflict with another user"}`, true, serviceapi.ErrNotFound},
		{404, `{"message":"Duplicate username"}`, true, serviceapi.ErrNotFound},
		{400, `{"message":"taken"}`, false, serviceapi.ErrBadRequest},
	} {
		t.Run(test.body, func(t *testing.T) {
			client := onWire(t, exchange{Method: "PUT", Path: "/users/5", JSON: `{"email":"b@example.com"}`,
				Status: test.status, Body: test.body})
			_, resp, err := client.Users.Update(
				t.Context(),
				serviceapi.UserID(5),
				serviceapi.UpdateUserOptions{Email: new("b@example.com")},
			)
			var reply *serviceapi.Error
			require.ErrorAs(t, err, &reply)
			assert.Equal(t, test.status, resp.StatusCode)
			if test.sentinel == nil { // a web page says nothing about the user
				assert.NotErrorIs(t, err, serviceapi.ErrNotFound)
			} else {
				assert.ErrorIs(t, err, test.sentinel)
			}
			var conflict *serviceapi.UserConflictError
			assert.Equal(t, test.conflict, errors.As(err, &conflict))
			if test.conflict {
				assert.ErrorIs(t, err, serviceapi.ErrConflict)
				assert.ErrorContains(t, err, "conflicts with another account")
			} else {
				assert.NotErrorIs(t, err, serviceapi.ErrConflict)
			}
		})
	}
}

func TestUsersDelete(t *testing.T) {
	client := onWire(t,
		exchange{Method: "DELETE", Path: "/users/5", Status: 204},
		exchange{Method: "DELETE", Path: "/users/5", Query: "hard_delete=true", Status: 204},
		exchange{Method: "DELETE", Path: "/users/5", Status: 409, Body: `{"message":"User cannot be removed"}`},
		exchange{Method: "DELETE", Path: "/users/5/identities/group%2Fsaml", Status: 204},
	)
	resp, err := client.Users.Delete(t.Context(), serviceapi.UserID(5), nil)
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)
	_, err = client.Users.Delete(t.Context(), serviceapi.UserID(5), &serviceapi.DeleteUserOptions{HardDelete: true})
	require.NoError(t, err)
	_, err = client.Users.Delete(t.Context(), serviceapi.UserID(5), nil)
	assert.ErrorIs(t, err, serviceapi.ErrConflict)
	_, err = client.Users.DeleteIdentity(t.Context(), serviceapi.UserID(5), "group/saml")
	require.NoError(t, err)
}

func TestUsersFind(t *testing.T) {
	client := onWire(t,
		exchange{Method: "GET", Path: "/users", Query: "username=BOB", Fixture: "users/users.json"},
		exchange{Method: "GET", Path: "/users", Query: "username=eve", Body: `[]`},
		exchange{Method: "GET", Path: "/users", Query: "username=eve", Fixture: "users/users.json"},
		exchange{Method: "GET", Path: "/users", Query: "username=eve", Status: 403,
			Body: `{"message":"403 Forbidden"}`},
		exchange{Method: "GET", Path: "/users/5", Fixture: "users/user_admin.json"},
		exchange{Method: "GET", Path: "/users/6", Status: 404, Body: `{"message":"404 User Not Found"}`},
		exchange{Method: "GET", Path: "/users", Query: "username=7", Body: `[{"id":9,"username":"7"}]`})
	bob, resp, err := client.Users.Find(t.Context(), serviceapi.Username("BOB"))
	require.NoError(t, err)
	assert.Equal(t, 200, resp.StatusCode)
	assert.Equal(t, "bob", bob.Username)
	for range 2 {
		nobody, resp, err := client.Users.Find(t.Context(), serviceapi.Username("eve"))
		require.ErrorIs(t, err, serviceapi.ErrNotFound)
		assert.EqualError(t, err, `serviceapi: there is no user "eve": not found`)
		assert.Equal(t, 200, resp.StatusCode)
		assert.Nil(t, nobody)
	}
	_, _, err = client.Users.Find(t.Context(), serviceapi.Username("eve"))
	require.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, _, err = client.Users.Find(t.Context(), serviceapi.Username(""))
	assertRefused(t, "username", err)

	byID, _, err := client.Users.Find(t.Context(), serviceapi.UserID(5))
	require.NoError(t, err)
	assert.NotZero(t, byID.ID)
	_, _, err = client.Users.Find(t.Context(), serviceapi.UserID(6))
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	digits, err := serviceapi.ParseUserRef("@7")
	require.NoError(t, err)
	named, _, err := client.Users.Find(t.Context(), digits)
	require.NoError(t, err)
	assert.EqualValues(t, 9, named.ID, "a name of digits is not an ID")
	_, _, err = client.Users.Find(t.Context(), serviceapi.UserRef{})
	assertRefused(t, "id", err)
}

func TestUsersRefuseBadArguments(t *testing.T) {
	client := onWire(t)
	for _, err := range []error{
		errorOf(client.Users.Get(t.Context(), serviceapi.Username("ada"), nil)),
		errorOf(client.Users.Update(t.Context(), serviceapi.Username("ada"), serviceapi.UpdateUserOptions{})),
		second(client.Users.Delete(t.Context(), serviceapi.Username("ada"), nil)),
		second(client.Users.DeleteIdentity(t.Context(), serviceapi.Username("ada"), "ldapmain")),
	} {
		assertRefused(t, "user", err)
		assert.ErrorContains(t, err, "Users.Find")
	}
	var argument *serviceapi.ArgumentError
	_, _, err := client.Users.Get(t.Context(), serviceapi.UserID(0), nil)
	assert.ErrorAs(t, err, &argument)
	_, _, err = client.Users.Update(t.Context(), serviceapi.UserID(-1), serviceapi.UpdateUserOptions{})
	assert.ErrorAs(t, err, &argument)
	_, err = client.Users.Delete(t.Context(), serviceapi.UserID(0), nil)
	assert.ErrorAs(t, err, &argument)
	for _, provider := range []string{"", "..", "a\nb"} {
		_, err = client.Users.DeleteIdentity(t.Context(), serviceapi.UserID(5), provider)
		assert.ErrorAs(t, err, &argument, "%q", provider)
	}
	options := serviceapi.CreateUserOptions{
		Email: "a@example.com", Name: "A", Username: "a", Avatar: &serviceapi.Upload{Filename: "a.png"},
	}
	_, _, err = client.Users.Create(t.Context(), options)
	assert.ErrorAs(t, err, &argument, "a picture without content")
}

func TestCustomAttributesKeepEveryForm(t *testing.T) {
	for raw, values := range map[string]map[string]string{
		`[{"key":"a","value":"1"}]`: {"a": "1"},
		`[]`:                        {},
		`{"a":"1"}`:                 {"a": "1"},
		`{"a":{"b":1}}`:             nil,
		`"text"`:                    nil,
	} {
		client := onWire(t, exchange{Method: "GET", Path: "/users/5", Body: `{"id":5,"custom_attributes":` + raw + `}`})
		user, _, err := client.Users.Get(t.Context(), serviceapi.UserID(5), nil)
		require.NoError(t, err)
		assert.Equal(t, values, user.CustomAttributes.Values, raw)
		written, err := stdjson.Marshal(user.CustomAttributes)
		require.NoError(t, err)
		assert.JSONEq(t, raw, string(written))
	}
	written, err := stdjson.Marshal(serviceapi.CustomAttributes{})
	require.NoError(t, err)
	assert.Equal(t, "null", string(written))
}

// Only the status matters: the body says in three ways whether something
// changed.
func TestUsersState(t *testing.T) {
	actions := map[string]func(*serviceapi.UsersService, context.Context, serviceapi.UserRef) (*serviceapi.Response,
		error){
		"block": func(s *serviceapi.UsersService, ctx context.Context, user serviceapi.UserRef) (*serviceapi.Response,
			error) {
			return s.Block(ctx, user)
		},
		"unblock": func(s *serviceapi.UsersService, ctx context.Context, user serviceapi.UserRef) (*serviceapi.Response,
			error) {
			return s.Unblock(ctx, user)
		},
		"deactivate": func(s *serviceapi.UsersService, ctx context.Context,
			user serviceapi.UserRef) (*serviceapi.Response, error) {
			return s.Deactivate(ctx, user)
		},
		"activate": func(s *serviceapi.UsersService, ctx context.Context,
			user serviceapi.UserRef) (*serviceapi.Response, error) {
			return s.Activate(ctx, user)
		},
	}
	for name, act := range actions {
		var exchanges []exchange
		for _, body := range []string{"true", "false", "null", ""} {
			exchanges = append(exchanges, exchange{Method: "POST", Path: "/users/3/" + name, Status: 201, Body: body})
		}
		exchanges = append(exchanges,
			exchange{Method: "POST", Path: "/users/3/" + name, Status: 403,
				Body: `{"message":"403 Forbidden - LDAP blocked"}`},
			exchange{Method: "POST", Path: "/users/3/" + name, Status: 404, Body: `{"message":"404 User Not Found"}`})
		users := onWire(t, exchanges...).Users
		for range 4 {
			resp, err := act(users, t.Context(), serviceapi.UserID(3))
			require.NoError(t, err, name)
			assert.Equal(t, 201, resp.StatusCode)
		}
		_, err := act(users, t.Context(), serviceapi.UserID(3))
		require.ErrorIs(t, err, serviceapi.ErrForbidden)
		assert.ErrorContains(t, err, "LDAP blocked")
		_, err = act(users, t.Context(), serviceapi.UserID(3))
		require.ErrorIs(t, err, serviceapi.ErrNotFound)
		_, err = act(users, t.Context(), serviceapi.UserID(0))
		assertRefused(t, "id", err)
		_, err = act(users, t.Context(), serviceapi.Username("ada"))
		assertRefused(t, "user", err)
	}
}

func TestMembersRemove(t *testing.T) {
	for _, p := range memberParents {
		client := onWire(t,
			exchange{Method: "DELETE", Path: p.path + "/4", Status: 204},
			exchange{Method: "DELETE", Path: p.path + "/4", Query: "skip_subresources=true&unassign_issuables=true",
				Status: 403, Body: `{"message":"403 Forbidden"}`})
		resp, err := client.Members.Remove(t.Context(), p.parent, serviceapi.UserID(4), nil)
		require.NoError(t, err)
		assert.Equal(t, 204, resp.StatusCode)
		_, err = client.Members.Remove(
			t.Context(),
			p.parent,
			serviceapi.UserID(4),
			&serviceapi.RemoveMemberOptions{SkipSubresources: true,
				UnassignIssuables: true},
		)
		require.ErrorIs(t, err, serviceapi.ErrForbidden)
		_, err = client.Members.Remove(t.Context(), p.parent, serviceapi.UserID(0), nil)
		assertRefused(t, "user_id", err)
	}
	_, err := onWire(t).Members.Remove(t.Context(), nil, serviceapi.UserID(4), nil)
	assertRefused(t, "owner", err)
}
