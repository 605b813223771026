package servicetests

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

func usernames(users []*serviceapi.User) []string {
	var names []string
	for _, user := range users {
		names = append(names, user.Username)
	}
	return names
}

func TestUserViews(t *testing.T) {
	svc := servicetest.New(t)
	acme := svc.Group("acme")
	ada := svc.User("ada",
		servicetest.Profile{Bio: "Counts", Location: "London", JobTitle: "Analyst", Pronouns: "she/her",
			WorkInformation: "Analyst"},
		servicetest.SignsInWith("ldapmain", "uid=ada"), servicetest.SAMLIdentity(acme, "123"),
		servicetest.ProvisionedBy(acme),
		servicetest.SignedIn(servicetest.Epoch.Add(-time.Hour), "10.0.0.1"),
		servicetest.SignedIn(servicetest.Epoch, "10.0.0.2"),
		servicetest.CustomAttribute("desk", "B12"), servicetest.TwoFactor(), servicetest.AdminNote("Met at the fair"))
	bob := svc.User("bob")
	bob.Follow(ada)

	public, _, err := as(t, svc, bob).Users.Get(t.Context(), serviceapi.UserID(ada.ID()),
		&serviceapi.GetUserOptions{WithCustomAttributes: true})
	require.NoError(t, err)
	assert.Equal(t, "London", public.Location)
	assert.Equal(t, "Analyst", public.JobTitle)
	assert.Equal(t, new(1), public.Followers)
	assert.Equal(t, new(true), public.IsFollowed)
	assert.Equal(t, "9:00 AM", public.LocalTime)
	assert.Equal(t, map[string]string{"desk": "B12"}, public.CustomAttributes.Values)
	assert.Empty(t, public.Email)
	assert.Nil(t, public.IsAdmin)
	assert.Nil(t, public.Identities)

	admin, _, err := asRoot(t, svc).Users.Get(t.Context(), serviceapi.UserID(ada.ID()), nil)
	require.NoError(t, err)
	assert.Equal(t, "ada@example.com", admin.Email)
	assert.Equal(t, new(false), admin.IsAdmin)
	assert.Equal(t, new(false), admin.IsFollowed)
	assert.Equal(t, "Met at the fair", admin.Note)
	assert.Equal(t, new(true), admin.TwoFactorEnabled)
	assert.Equal(t, "10.0.0.1", admin.LastSignInIP)
	assert.Equal(t, new(2), admin.SignInCount)
	assert.Equal(t, "2026-01-15", admin.LastActivityOn.String())
	assert.Equal(t, []*serviceapi.UserIdentity{
		{Provider: "ldapmain", ExternUID: "uid=ada"},
		{Provider: "group_saml", ExternUID: "123", SAMLProviderID: new(acme.ID())},
	}, admin.Identities)
	assert.Equal(t, new(acme.ID()), admin.ProvisionedByGroupID)
	assert.Equal(t, "ultimate", admin.Plan)
	assert.Nil(t, admin.CustomAttributes, "nobody asked for them")

	listed, _, err := as(t, svc, bob).Users.List(t.Context(), &serviceapi.ListUsersOptions{Username: "ADA"})
	require.NoError(t, err)
	require.Len(t, listed, 1)
	assert.Equal(t, &serviceapi.User{
		UserSummary: serviceapi.UserSummary{
			ID: ada.ID(), Name: public.Name, Username: "ada", State: serviceapi.UserStateActive,
			AvatarURL: public.AvatarURL, WebURL: public.WebURL,
		},
	}, listed[0], "a list shows the short form")
	listed, _, err = asRoot(t, svc).Users.List(t.Context(), &serviceapi.ListUsersOptions{Username: "ada"})
	require.NoError(t, err)
	assert.Equal(t, admin, listed[0], "administrators see all of it in lists too")
}

func TestUserViewBelowPremium(t *testing.T) {
	svc := servicetest.New(t, servicetest.WithTier(servicetest.Free))
	user, _, err := asRoot(t, svc).Users.Current(t.Context())
	require.NoError(t, err)
	assert.Equal(t, new(true), user.IsAdmin)
	assert.Empty(t, user.Plan)
	assert.Nil(t, user.UsingLicenseSeat)
}

func TestUserFilters(t *testing.T) {
	svc := servicetest.New(t)
	acme := svc.Group("acme")
	ada := svc.User("ada", servicetest.Name("Countess"), servicetest.TwoFactor(),
		servicetest.CustomAttribute("desk", "B12"))
	svc.User("bob", servicetest.External(), servicetest.PublicEmail("robert@example.com"),
		servicetest.SignsInWith("ldapmain", "uid=bob"))
	svc.User("eve", servicetest.Blocked(), servicetest.SAMLIdentity(acme, "e1"),
		servicetest.CreatedAt(servicetest.Epoch.Add(-48*time.Hour)))
	svc.User("support", servicetest.ServiceBot())
	svc.Project("acme/app", servicetest.Member(ada, servicetest.Guest)).AccessToken(servicetest.Developer)
	all := "project_1_bot support eve bob ada root"

	for name, test := range map[string]struct {
		options        serviceapi.ListUsersOptions
		admin, regular string // empty means the same as admin
	}{
		"everybody":           {serviceapi.ListUsersOptions{}, all, ""},
		"search in names":     {serviceapi.ListUsersOptions{Search: "countE"}, "ada", ""},
		"search in addresses": {serviceapi.ListUsersOptions{Search: "robert@"}, "bob", ""},
		"user name":           {serviceapi.ListUsersOptions{Username: "EVE"}, "eve", ""},
		"active":              {serviceapi.ListUsersOptions{Active: true}, "project_1_bot support bob ada root", ""},
		"blocked":             {serviceapi.ListUsersOptions{Blocked: true}, "eve", ""},
		"external":            {serviceapi.ListUsersOptions{External: true}, "bob", ""},
		"without internal": {serviceapi.ListUsersOptions{ExcludeInternal: true}, "project_1_bot eve bob ada root",
			""},
		"without external": {serviceapi.ListUsersOptions{ExcludeExternal: true},
			"project_1_bot support eve ada root", ""},
		"without project bots": {serviceapi.ListUsersOptions{WithoutProjectBots: true}, "support eve bob ada root", ""},
		"not active":           {serviceapi.ListUsersOptions{ExcludeActive: true}, "eve", ""},
		"humans":               {serviceapi.ListUsersOptions{Humans: true}, "eve bob ada root", ""},
		"without humans":       {serviceapi.ListUsersOptions{ExcludeHumans: true}, "project_1_bot support", ""},
		"public address":       {serviceapi.ListUsersOptions{PublicEmail: "robert@example.com"}, "bob", ""},
		"without a directory": {serviceapi.ListUsersOptions{SkipLDAP: true, Humans: true}, "eve ada root",
			"eve bob ada root"},
		"auditors": {serviceapi.ListUsersOptions{Auditors: true}, "", all},
		"by keyset": {serviceapi.ListUsersOptions{Pagination: serviceapi.PaginationKeyset,
			ListOptions: serviceapi.ListOptions{PerPage: 2}}, all, ""},
		"identity": {serviceapi.ListUsersOptions{ExternUID: "uid=bob", Provider: "ldapmain"}, "bob", ""},
		"created before": {serviceapi.ListUsersOptions{CreatedBefore: servicetest.Epoch.Add(-time.Hour)}, "eve",
			""},
		"created after": {serviceapi.ListUsersOptions{CreatedAfter: servicetest.Epoch.Add(-time.Hour),
			ExcludeInternal: true}, "project_1_bot bob ada root", ""},
		"without projects": {serviceapi.ListUsersOptions{WithoutProjects: true}, "support eve bob root", ""},
		"attributes": {
			serviceapi.ListUsersOptions{CustomAttributes: serviceapi.CustomAttributeFilter{"desk": "B12"}}, "ada", ""},
		"other attributes": {
			serviceapi.ListUsersOptions{CustomAttributes: serviceapi.CustomAttributeFilter{"desk": "B13"}}, "", ""},
		"two factors": {serviceapi.ListUsersOptions{TwoFactor: serviceapi.TwoFactorFilterEnabled}, "ada", all},
		"one factor": {serviceapi.ListUsersOptions{TwoFactor: serviceapi.TwoFactorFilterDisabled,
			Admins: true}, "root", all},
		"administrators": {serviceapi.ListUsersOptions{Admins: true}, "root", all},
		"SAML provider":  {serviceapi.ListUsersOptions{SAMLProviderID: acme.ID()}, "eve", all},
		"by name": {serviceapi.ListUsersOptions{OrderBy: serviceapi.UserOrderByName,
			Sort: serviceapi.SortAscending, Active: true, WithoutProjectBots: true}, "root bob ada support",
			"support bob ada root"},
		"oldest account": {serviceapi.ListUsersOptions{OrderBy: serviceapi.UserOrderByCreatedAt,
			Sort: serviceapi.SortAscending, ListOptions: serviceapi.ListOptions{PerPage: 1}},
			"eve root ada bob support project_1_bot", all},
	} {
		t.Run(name, func(t *testing.T) {
			users, err := serviceapi.Collect(asRoot(t, svc).Users.All(t.Context(), &test.options))
			require.NoError(t, err)
			assert.Equal(t, test.admin, strings.Join(usernames(users), " "))
			users, err = serviceapi.Collect(as(t, svc, ada).Users.All(t.Context(), &test.options))
			require.NoError(t, err)
			if test.regular == "" {
				test.regular = test.admin
			}
			assert.Equal(t, test.regular, strings.Join(usernames(users), " "), "as a regular user")
		})
	}

	_, _, err := as(t, svc, ada).Users.List(t.Context(), &serviceapi.ListUsersOptions{ExternUID: "uid=bob"})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest, "an identity without its provider")
}

func TestCurrentUserAndSudo(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	user, _, err := asRoot(t, svc).Users.Current(t.Context(), serviceapi.WithSudo(serviceapi.Username("ADA")))
	require.NoError(t, err)
	assert.Equal(t, ada.ID(), user.ID)
	assert.Nil(t, user.IsAdmin, "the target's own view")
	_, _, err = as(t, svc, ada).Users.Current(t.Context(), serviceapi.WithSudo(serviceapi.UserID(1)))
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)

	reader := withToken(t, svc, svc.Token(ada, servicetest.Scopes("read_user")))
	_, _, err = reader.Users.Current(t.Context())
	assert.NoError(t, err, "read_user is enough")
}

func TestCreateUser(t *testing.T) {
	svc := servicetest.New(t)
	acme := svc.Group("acme")
	root := asRoot(t, svc)
	options := serviceapi.CreateUserOptions{
		Email: "ada@example.com", Name: "Ada", Username: "ada", SkipConfirmation: new(true),
		Password: serviceapi.NewSecret("correct horse"), Admin: new(true), Bio: new("Counts"), ExternUID: new("a1"),
		GroupIDForSAML: new(acme.ID()), SharedRunnersMinutesLimit: serviceapi.Value(int64(0)),
		PrivateProfile: serviceapi.Null[bool](),
		Avatar:         &serviceapi.Upload{Filename: "ada.png", Content: strings.NewReader("pixels")},
	}
	user, resp, err := root.Users.Create(t.Context(), options)
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, new(true), user.IsAdmin)
	assert.Equal(t, "Counts", user.Bio)
	assert.Equal(t, new(int64(0)), user.SharedRunnersMinutesLimit)
	assert.Equal(t, new(false), user.PrivateProfile)
	assert.NotNil(t, user.ConfirmedAt)
	assert.Contains(t, user.AvatarURL, "ada.png")
	assert.Equal(t, []*serviceapi.UserIdentity{{Provider: "group_saml", ExternUID: "a1",
		SAMLProviderID: new(acme.ID())}}, user.Identities)
	ada := svc.FindUser("ada")
	assert.Equal(t, []any{"correct horse", true, "ada.png"}, []any{ada.Password(), ada.IsAdmin(), ada.Avatar()})

	random, _, err := root.Users.Create(t.Context(), serviceapi.CreateUserOptions{
		Email: "bob@example.com", Name: "Bob", Username: "bob", ForceRandomPassword: new(true),
		Password: serviceapi.NewSecret("ignored"),
	})
	require.NoError(t, err)
	assert.Nil(t, random.ConfirmedAt)
	assert.Empty(t, svc.FindUser("bob").Password())
}

func TestCreateUserRefusals(t *testing.T) {
	svc := servicetest.New(t)
	svc.User("ada")
	reset := new(true)
	for name, test := range map[string]struct {
		caller  *servicetest.User
		options serviceapi.CreateUserOptions
		want    error
	}{
		"no administrator": {svc.FindUser("ada"), serviceapi.CreateUserOptions{Email: "b@example.com", Name: "B",
			Username: "b", ResetPassword: reset}, serviceapi.ErrForbidden},
		"no way to sign in": {svc.Root(), serviceapi.CreateUserOptions{Email: "b@example.com", Name: "B", Username: "b",
			ResetPassword: new(false)}, serviceapi.ErrBadRequest},
		"address taken": {svc.Root(), serviceapi.CreateUserOptions{Email: "ADA@example.com", Name: "B",
			Username: "b", ResetPassword: reset}, serviceapi.ErrConflict},
		"user name taken": {svc.Root(), serviceapi.CreateUserOptions{Email: "b@example.com", Name: "B",
			Username: "Ada", ResetPassword: reset}, serviceapi.ErrConflict},
		"bad user name": {svc.Root(), serviceapi.CreateUserOptions{Email: "b@example.com", Name: "B",
			Username: "a/b", ResetPassword: reset}, serviceapi.ErrBadRequest},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := as(t, svc, test.caller).Users.Create(t.Context(), test.options)
			assert.ErrorIs(t, err, test.want)
			assert.Nil(t, svc.FindUser("b"))
		})
	}
}

func TestUpdateUser(t *testing.T) {
	svc := servicetest.New(t)
	ada, root := svc.User("ada"), asRoot(t, svc)
	svc.User("bob")
	svc.Advance(time.Minute)

	user, _, err := root.Users.Update(t.Context(), serviceapi.UserID(ada.ID()), serviceapi.UpdateUserOptions{
		Name: new("Countess"), Email: new("countess@example.com"),
		Password: serviceapi.NewSecret("new and long"), SharedRunnersMinutesLimit: serviceapi.Value(int64(40)),
		PrivateProfile: serviceapi.Value(true),
	})
	require.NoError(t, err)
	assert.Equal(t, "Countess", user.Name)
	assert.Nil(t, user.ConfirmedAt, "the new address is not confirmed")
	assert.Equal(t, new(int64(40)), user.SharedRunnersMinutesLimit)
	assert.True(t, ada.MustChangePassword())

	_, _, err = root.Users.Update(t.Context(), serviceapi.UserID(ada.ID()),
		serviceapi.UpdateUserOptions{PublicEmail: new("countess@example.com")})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest, "an address that is not confirmed")
	user, _, err = root.Users.Update(t.Context(), serviceapi.UserID(ada.ID()), serviceapi.UpdateUserOptions{
		Email: new("lovelace@example.com"), SkipReconfirmation: new(true), PublicEmail: new("lovelace@example.com"),
		SharedRunnersMinutesLimit: serviceapi.Null[int64](), PrivateProfile: serviceapi.Null[bool](),
		Avatar: &serviceapi.Upload{Filename: "a.png", Content: strings.NewReader("pixels")},
	})
	require.NoError(t, err)
	assert.NotNil(t, user.ConfirmedAt)
	assert.Equal(t, "lovelace@example.com", user.PublicEmail)
	assert.Nil(t, user.SharedRunnersMinutesLimit, "null in a form, too")
	assert.Equal(t, new(false), user.PrivateProfile)

	_, _, err = root.Users.Update(t.Context(), serviceapi.UserID(ada.ID()),
		serviceapi.UpdateUserOptions{Email: new("bob@example.com")})
	var taken *serviceapi.UserConflictError
	require.ErrorAs(t, err, &taken)
	assert.Equal(t, 404, taken.Err.StatusCode)
	assert.ErrorIs(t, err, serviceapi.ErrConflict)
	assert.Equal(t, "lovelace@example.com", ada.Email())

	_, _, err = root.Users.Update(t.Context(), serviceapi.UserID(99), serviceapi.UpdateUserOptions{})
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	assert.NotErrorIs(t, err, serviceapi.ErrConflict)
	_, _, err = as(t, svc, ada).Users.Update(t.Context(), serviceapi.UserID(ada.ID()),
		serviceapi.UpdateUserOptions{Name: new("X")})
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
}

func TestUpdateUserOfNewerReleases(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	changed, _, err := asRoot(t, svc).Users.Update(t.Context(), serviceapi.UserID(ada.ID()),
		serviceapi.UpdateUserOptions{Auditor: new(true), CommitEmail: new("_private")})
	require.NoError(t, err)
	assert.Equal(t, []any{new(true), "2-ada@users.noreply.example.com"}, []any{changed.IsAuditor, changed.CommitEmail})
	_, _, err = asRoot(t, svc).Users.Update(t.Context(), serviceapi.UserID(ada.ID()),
		serviceapi.UpdateUserOptions{CommitEmail: new("eve@example.com")})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest, "not one's own")
}

func TestDeleteIdentity(t *testing.T) {
	svc := servicetest.New(t)
	ada, root := svc.User("ada", servicetest.SignsInWith("ldapmain", "uid=ada")), asRoot(t, svc)
	_, err := as(t, svc, ada).Users.DeleteIdentity(t.Context(), serviceapi.UserID(ada.ID()), "ldapmain")
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, err = root.Users.DeleteIdentity(t.Context(), serviceapi.UserID(ada.ID()), "ldapmain")
	require.NoError(t, err)
	_, err = root.Users.DeleteIdentity(t.Context(), serviceapi.UserID(ada.ID()), "ldapmain")
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	user, _, err := root.Users.Get(t.Context(), serviceapi.UserID(ada.ID()), nil)
	require.NoError(t, err)
	assert.Empty(t, user.Identities)
}

func TestDeleteUser(t *testing.T) {
	svc := servicetest.New(t)
	ada, root := svc.User("ada"), asRoot(t, svc)
	app := svc.Project("shared/app", servicetest.Member(ada, servicetest.Maintainer), servicetest.Public())
	job := app.Pipeline("main").Job("test", servicetest.By(ada))
	svc.Project("ada/notes")
	asAda := as(t, svc, ada)

	resp, err := root.Users.Delete(t.Context(), serviceapi.UserID(ada.ID()), nil)
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)
	assert.False(t, ada.Exists())
	_, _, err = asAda.Users.Current(t.Context())
	assert.ErrorIs(t, err, serviceapi.ErrUnauthorized)
	_, _, err = root.Projects.Get(t.Context(), serviceapi.ProjectPath("ada/notes"), nil)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	left, _, err := root.Jobs.Get(t.Context(), serviceapi.ProjectID(app.ID()), job.ID())
	require.NoError(t, err)
	assert.Equal(t, "ghost", left.User.Username, "the work goes to a placeholder")
	_, err = root.Users.Delete(t.Context(), serviceapi.UserID(ada.ID()), nil)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}

// seedWork makes one object of every kind that users write.
func seedWork(app *servicetest.Project, user *servicetest.User) {
	by := servicetest.By(user)
	app.Issue("Crash", by).Note("It crashes.", by)
	app.Snippet("Greeting", by).Note("Nice", by)
	app.Group().Epic("Growth", by).Note("Go", by)
	app.MergeRequest("mine", by).Note("Look", by)
	other := app.Issue("Other", servicetest.AssignedTo(user), servicetest.Reaction(user, "tada"))
	other.Note("Seen", by)
	app.MergeRequest("other", servicetest.ReviewedBy(user), servicetest.AssignedTo(user)).Note("LGTM", by)
}

// writing returns the merge requests and notes that exist after seedWork.
func writing(
	t *testing.T, root *serviceapi.Client, app serviceapi.ProjectRef,
) (requests []*serviceapi.MergeRequest, notes []*serviceapi.Note) {
	t.Helper()
	requests, err := serviceapi.Collect(root.MergeRequests.All(t.Context(), app, nil))
	require.NoError(t, err)
	for _, owner := range []serviceapi.NoteOwner{
		app.Issue(1), app.Snippet(1), serviceapi.GroupPath("acme").EpicByID(1),
		app.Issue(2), app.MergeRequest(1), app.MergeRequest(2),
	} {
		found, err := serviceapi.Collect(root.Notes.All(t.Context(), owner, nil))
		if !errors.Is(err, serviceapi.ErrNotFound) {
			require.NoError(t, err)
		}
		notes = append(notes, found...)
	}
	return requests, notes
}

func TestDeleteUserWithOrWithoutTheWork(t *testing.T) {
	for _, hard := range []bool{false, true} {
		svc := servicetest.New(t)
		ada := svc.User("ada", servicetest.PublicEmail("ada@example.com"))
		app := svc.Project("acme/app", servicetest.Member(ada, servicetest.Developer))
		seedWork(app, ada)
		root, ref := asRoot(t, svc), serviceapi.ProjectID(app.ID())
		_, _, err := as(t, svc, ada).Commits.CreateComment(t.Context(), ref, "main",
			serviceapi.CreateCommitCommentOptions{Note: "Good"})
		require.NoError(t, err)

		_, err = root.Users.Delete(t.Context(), serviceapi.UserID(ada.ID()),
			&serviceapi.DeleteUserOptions{HardDelete: hard})
		require.NoError(t, err)
		requests, notes := writing(t, root, ref)
		comments, _, err := root.Commits.ListComments(t.Context(), ref, "main", nil)
		require.NoError(t, err)
		assert.Empty(t, requests[0].Assignees)
		assert.Empty(t, requests[0].Reviewers)
		if hard {
			require.Len(t, requests, 1)
			assert.Equal(t, "root", requests[0].Author.Username)
			assert.Empty(t, notes)
			assert.Empty(t, comments)
			continue
		}
		require.Len(t, requests, 2)
		assert.Equal(t, "ghost", requests[1].Author.Username)
		require.Len(t, notes, 6)
		for _, note := range notes {
			assert.Equal(t, "ghost", note.Author.Username)
			assert.Empty(t, note.Author.Email, "nothing of the account remains")
		}
		assert.Equal(t, "ghost", comments[0].Author.Username)
		found, _, err := root.MergeRequests.List(t.Context(), ref,
			&serviceapi.ListMergeRequestsOptions{AuthorUsername: "ghost"})
		require.NoError(t, err)
		assert.Len(t, found, 1)
	}
}

func TestDeleteSoleOwner(t *testing.T) {
	svc := servicetest.New(t)
	eve, root := svc.User("eve"), asRoot(t, svc)
	svc.Group("acme", servicetest.Member(eve, servicetest.Owner))
	svc.Project("acme/deep/app")
	_, err := root.Users.Delete(t.Context(), serviceapi.UserID(eve.ID()), nil)
	assert.ErrorIs(t, err, serviceapi.ErrConflict)
	var answer *serviceapi.Error
	require.True(t, errors.As(err, &answer))
	assert.True(t, eve.Exists())

	_, err = root.Users.Delete(t.Context(), serviceapi.UserID(eve.ID()),
		&serviceapi.DeleteUserOptions{HardDelete: true})
	require.NoError(t, err)
	_, _, err = root.Projects.Get(t.Context(), serviceapi.ProjectPath("acme/deep/app"), nil)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	groups, err := serviceapi.Collect(root.Groups.All(t.Context(), serviceapi.Instance, nil))
	require.NoError(t, err)
	assert.Empty(t, groups)
	_, err = as(t, svc, svc.User("bob")).Users.Delete(t.Context(), serviceapi.UserID(1), nil)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
}
