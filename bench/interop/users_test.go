package interop

import (
	"testing"

	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func username(u *clientgo.User) string { return u.Username }

func TestUsers(t *testing.T) {
	e := start(t)
	ada := e.svc.User("ada", servicetest.Name("Ada Lovelace"), servicetest.Email("ada@work.example.com"),
		servicetest.PublicEmail("ada@example.com"),
		servicetest.Profile{Bio: "Analyst", Location: "London", Organization: "Analytical", JobTitle: "Analyst",
			WebsiteURL: "https://ada.example.com"},
		servicetest.SignsInWith("ldapmain", "uid=ada"), servicetest.SignedIn(servicetest.Epoch, "203.0.113.9"),
		servicetest.TwoFactor(), servicetest.AdminNote("Careful"))
	e.svc.User("bob", servicetest.Blocked())
	e.svc.User("eve", servicetest.External(), servicetest.Bot())

	list := walk0(e, e.admin.Users.ListUsers, &clientgo.ListUsersOptions{OrderBy: new("username"), Sort: new("asc")})
	assert.Equal(t, []string{"ada", "bob", "eve", "root"}, each(list, username))
	blocked := got(e.admin.Users.ListUsers(&clientgo.ListUsersOptions{Blocked: new(true)})).ok(e, 200)
	assert.Equal(t, []string{"bob"}, each(blocked, username))
	found := got(e.admin.Users.ListUsers(&clientgo.ListUsersOptions{ExternalUID: new("uid=ada"),
		Provider: new("ldapmain")})).ok(e, 200)
	assert.Equal(t, []string{"ada"}, each(found, username))
	seen := got(e.as(ada).Users.ListUsers(&clientgo.ListUsersOptions{Search: new("ada@example.com")})).ok(e, 200)
	assert.Equal(t, []any{ada.ID(), ""}, []any{seen[0].ID, seen[0].Email}, "the public view")

	one := got(e.admin.Users.GetUser(ada.ID(), nil)).ok(e, 200)
	assert.Equal(t, []any{"Ada Lovelace", "ada@work.example.com", "Analyst", "London", "Careful", true, "ldapmain",
		"203.0.113.9"},
		[]any{one.Name, one.Email, one.Bio, one.Location, one.Note, one.TwoFactorEnabled, one.Identities[0].Provider,
			one.CurrentSignInIP.String()})
	assert.Equal(t, servicetest.Epoch, *one.CurrentSignInAt)
	self := got(e.as(ada).Users.CurrentUser()).ok(e, 200)
	assert.Equal(t, ada.ID(), self.ID)
	acting, resp, err := e.admin.Users.CurrentUser(clientgo.WithSudo("ada"))
	assert.Equal(t, ada.ID(), got(acting, resp, err).ok(e, 200).ID)

	made := got(e.admin.Users.CreateUser(&clientgo.CreateUserOptions{
		Email: new("new@example.com"), Name: new("New User"), Username: new("new"),
		Password: new("correct horse battery"), SkipConfirmation: new(true),
		Admin: new(true), Bio: new("hi"), ProjectsLimit: new(int64(7)), Provider: new("saml"), ExternUID: new("n-1"),
	})).ok(e, 201)
	user := e.svc.FindUser("new")
	assert.Equal(t, []any{user.ID(), true, "hi", int64(7)}, []any{made.ID, made.IsAdmin, made.Bio, made.ProjectsLimit})
	assert.Equal(t, "correct horse battery", user.Password())
	changed := got(e.admin.Users.ModifyUser(made.ID, &clientgo.ModifyUserOptions{Name: new("Newer"), Admin: new(false),
		Note: new("noted")})).ok(e, 200)
	assert.Equal(t, []any{"Newer", "noted", false}, []any{changed.Name, changed.Note, changed.IsAdmin})
	// A conflict is a 404 here, by the specification.
	got(e.admin.Users.ModifyUser(made.ID, &clientgo.ModifyUserOptions{Email: new("ada@work.example.com")})).refused(e,
		404)
	done(e.admin.Users.DeleteUserIdentity(made.ID, "saml")).ok(e, 204)
	done(e.admin.Users.DeleteUser(made.ID)).ok(e, 204)
	assert.False(t, user.Exists())
	got(e.admin.Users.GetUser(made.ID, nil)).refused(e, 404)
}

func TestUserStatus(t *testing.T) {
	e := start(t)
	ada := e.svc.User("ada")
	own := e.as(ada).Users
	set := got(own.SetUserStatus(&clientgo.UserStatusOptions{
		Emoji: new("coffee"), Message: new("Back soon"), Availability: new(clientgo.Busy),
		ClearStatusAfter: new(clientgo.ClearStatusAfter30Minutes),
	})).ok(e, 200)
	assert.Equal(t, []any{"coffee", "Back soon", clientgo.Busy}, []any{set.Emoji, set.Message, set.Availability})
	assert.Equal(t, "coffee", got(own.CurrentUserStatus()).ok(e, 200).Emoji)
	assert.Equal(t, "coffee", got(e.admin.Users.GetUserStatus("ada")).ok(e, 200).Emoji)
}

func TestUserMembershipsAndActivities(t *testing.T) {
	e := start(t)
	ada := e.svc.User("ada", servicetest.SignedIn(servicetest.Epoch, "203.0.113.9"))
	for _, name := range []string{"bob", "cy"} {
		e.svc.User(name, servicetest.SignedIn(servicetest.Epoch, "203.0.113.9"))
	}
	e.svc.Group(acme, servicetest.Member(ada, servicetest.Owner))
	e.svc.Project(app, servicetest.Member(ada, servicetest.Developer))
	e.svc.Project("ada/notes")
	users := e.admin.Users
	activities := walk0(e, users.GetUserActivities, nil)
	assert.Equal(t, []string{"ada", "bob", "cy"},
		each(activities, func(a *clientgo.UserActivity) string { return a.Username }))
	memberships := walk(e, func(opts ...clientgo.RequestOptionFunc) ([]*clientgo.UserMembership, *clientgo.Response,
		error) {
		return users.GetUserMemberships(ada.ID(), nil, opts...)
	})
	assert.Len(t, memberships, 3)
	assert.Equal(t, int64(2), got(users.GetUserAssociationsCount(ada.ID())).ok(e, 200).ProjectsCount)
}

func TestModeration(t *testing.T) {
	e := start(t)
	ada := e.svc.User("ada", servicetest.PendingApproval(), servicetest.TwoFactor())
	bob := e.svc.User("bob", servicetest.PendingApproval())
	users := e.admin.Users
	done(users.ApproveUser(ada.ID())).ok(e, 201)
	done(users.BanUser(ada.ID())).ok(e, 201)
	assert.Equal(t, "banned", ada.State())
	done(users.UnbanUser(ada.ID())).ok(e, 201)
	done(users.DisableTwoFactor(ada.ID())).ok(e, 204)
	done(users.RejectUser(bob.ID())).ok(e, 200)
	assert.False(t, bob.Exists())
}
