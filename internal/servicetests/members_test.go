package servicetests

import (
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	acme     = serviceapi.GroupPath("acme")
	platform = serviceapi.GroupPath("acme/platform")
	teamApp  = serviceapi.ProjectPath("acme/platform/app")
)

// company is a service with a group, a subgroup and a project in it. Ada owns
// all, Bob maintains the project, Eve is a stranger.
type company struct {
	svc             *servicetest.Service
	acme, platform  *servicetest.Group
	app             *servicetest.Project
	ada, bob, eve   *servicetest.User
	asAda, asBob    *serviceapi.Client
	asEve, asNobody *serviceapi.Client
}

func newCompany(t *testing.T, opts ...servicetest.Option) *company {
	t.Helper()
	svc := servicetest.New(t, opts...)
	c := &company{svc: svc, ada: svc.User("ada"), bob: svc.User("bob", servicetest.PublicEmail("bob@example.com")),
		eve: svc.User("eve")}
	c.acme = svc.Group("acme", servicetest.Member(c.ada, servicetest.Owner))
	c.platform = svc.Group("acme/platform")
	c.app = svc.Project("acme/platform/app", servicetest.Member(c.bob, servicetest.Maintainer))
	c.asAda, c.asBob, c.asEve = as(t, svc, c.ada), as(t, svc, c.bob), as(t, svc, c.eve)
	c.asNobody = withToken(t, svc, "nobody")
	return c
}

// levels maps the usernames of members to their access levels.
func levels(t *testing.T, members []*serviceapi.Member, err error) map[string]serviceapi.AccessLevel {
	t.Helper()
	require.NoError(t, err)
	found := make(map[string]serviceapi.AccessLevel)
	for _, m := range members {
		found[m.Username] = m.AccessLevel
	}
	require.Len(t, found, len(members), "a user is listed twice")
	return found
}

func TestServiceMembersAddAndUpdate(t *testing.T) {
	c := newCompany(t)
	ctx, app := t.Context(), teamApp
	added, resp, err := c.asBob.Members.Add(ctx, app, serviceapi.UserID(c.eve.ID()), serviceapi.AccessLevelGuest,
		serviceapi.AddMemberOptions{ExpiresAt: new(serviceapi.NewDate(2026, time.February, 1)),
			InviteSource: new("wizard")})
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, "bob", added.CreatedBy.Username)
	assert.Equal(t, "2026-02-01", added.ExpiresAt.String())
	assert.Equal(t, serviceapi.MembershipStateActive, added.MembershipState)
	assert.Empty(t, added.Email)
	membership, ok := c.app.Membership(c.eve)
	require.True(t, ok)
	assert.Equal(t, servicetest.Membership{
		Level: servicetest.Guest, State: "active", ExpiresAt: time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC),
		InviteSource: "wizard",
	}, membership)

	_, _, err = c.asBob.Members.Add(ctx, app, serviceapi.UserID(c.eve.ID()), serviceapi.AccessLevelGuest,
		serviceapi.AddMemberOptions{})
	assert.ErrorIs(t, err, serviceapi.ErrConflict)
	updated, _, err := c.asBob.Members.Update(ctx, app, serviceapi.UserID(c.eve.ID()), serviceapi.AccessLevelDeveloper,
		serviceapi.UpdateMemberOptions{})
	require.NoError(t, err)
	assert.Equal(t, serviceapi.AccessLevelDeveloper, updated.AccessLevel)
	member, _, err := c.asEve.Members.Get(ctx, app, serviceapi.UserID(c.bob.ID()))
	require.NoError(t, err)
	assert.Equal(t, "bob@example.com", member.Email)

	c.svc.Advance(60 * 24 * time.Hour)
	_, _, err = c.asBob.Members.Get(ctx, app, serviceapi.UserID(c.eve.ID()))
	assert.ErrorIs(t, err, serviceapi.ErrNotFound, "the membership has ended")
	_, _, err = c.asBob.Members.Update(ctx, app, serviceapi.UserID(c.eve.ID()), serviceapi.AccessLevelGuest,
		serviceapi.UpdateMemberOptions{})
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	_, _, err = c.asBob.Members.Add(ctx, app, serviceapi.UserID(c.eve.ID()), serviceapi.AccessLevelGuest,
		serviceapi.AddMemberOptions{})
	assert.NoError(t, err, "one who was a member can be added again")
}

func TestServiceMembersRoles(t *testing.T) {
	c := newCompany(t)
	ctx, app, group := t.Context(), teamApp, acme
	add := func(client *serviceapi.Client, owner serviceapi.MemberOwner, level serviceapi.AccessLevel) error {
		_, _, err := client.Members.Add(ctx, owner, serviceapi.UserID(c.eve.ID()), level, serviceapi.AddMemberOptions{})
		return err
	}
	assert.ErrorIs(t, add(c.asEve, app, serviceapi.AccessLevelGuest), serviceapi.ErrNotFound,
		"she does not see the project")
	assert.ErrorIs(t, add(c.asNobody, app, serviceapi.AccessLevelGuest), serviceapi.ErrUnauthorized)
	assert.ErrorIs(t, add(c.asBob, app, serviceapi.AccessLevelOwner), serviceapi.ErrForbidden,
		"a maintainer makes no owners")
	assert.ErrorIs(t, add(c.asBob, group, serviceapi.AccessLevelGuest), serviceapi.ErrForbidden, "groups need an owner")
	assert.ErrorIs(t, add(c.asAda, group, 25), serviceapi.ErrBadRequest)
	_, _, err := c.asAda.Members.Add(ctx, group, serviceapi.UserID(999), serviceapi.AccessLevelGuest,
		serviceapi.AddMemberOptions{})
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	assert.NoError(t, add(c.asAda, group, serviceapi.AccessLevelReporter))
	assert.ErrorIs(t, add(c.asEve, app, serviceapi.AccessLevelGuest), serviceapi.ErrForbidden, "a reporter adds nobody")
	assert.NoError(t, add(c.asAda, app, serviceapi.AccessLevelOwner))
	_, _, err = c.asBob.Members.Update(ctx, app, serviceapi.UserID(c.eve.ID()), serviceapi.AccessLevelGuest,
		serviceapi.UpdateMemberOptions{})
	assert.ErrorIs(t, err, serviceapi.ErrForbidden, "a maintainer does not change owners")
}

func TestServiceMembersOfAGroup(t *testing.T) {
	c := newCompany(t)
	ctx, above, below := t.Context(), acme, platform
	added, _, err := c.asAda.Members.Add(ctx, above, serviceapi.UserID(c.eve.ID()), serviceapi.AccessLevelGuest,
		serviceapi.AddMemberOptions{})
	require.NoError(t, err)
	assert.Equal(t, serviceapi.AccessLevelGuest, added.AccessLevel)
	updated, _, err := c.asAda.Members.Update(ctx, above, serviceapi.UserID(c.eve.ID()), serviceapi.AccessLevelReporter,
		serviceapi.UpdateMemberOptions{})
	require.NoError(t, err)
	assert.Equal(t, serviceapi.AccessLevelReporter, updated.AccessLevel)

	_, _, err = c.asAda.Members.Get(ctx, below, serviceapi.UserID(c.eve.ID()))
	assert.ErrorIs(t, err, serviceapi.ErrNotFound, "she is a member of the group above")
	inherited, _, err := c.asAda.Members.GetInherited(ctx, below, serviceapi.UserID(c.eve.ID()))
	require.NoError(t, err)
	assert.Equal(t, serviceapi.AccessLevelReporter, inherited.AccessLevel)
	_, _, err = c.asAda.Members.GetInherited(ctx, below, serviceapi.UserID(c.bob.ID()))
	assert.ErrorIs(t, err, serviceapi.ErrNotFound, "he is a member of a project below alone")
	_, _, err = c.asAda.Members.Update(ctx, below, serviceapi.UserID(c.eve.ID()), serviceapi.AccessLevelGuest,
		serviceapi.UpdateMemberOptions{})
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}

func TestServiceMembersTasks(t *testing.T) {
	c := newCompany(t)
	ctx, app := t.Context(), teamApp
	options := serviceapi.AddMemberOptions{TasksToBeDone: []serviceapi.MemberTask{serviceapi.MemberTaskCI}}
	add := func(user *servicetest.User) error {
		_, _, err := c.asBob.Members.Add(ctx, app, serviceapi.UserID(user.ID()), serviceapi.AccessLevelGuest, options)
		return err
	}
	err := add(c.eve)
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest, "tasks need a project")

	options.TasksProjectID = new(c.app.ID())
	grace := c.svc.User("grace")
	require.NoError(t, add(grace))
	membership, _ := c.app.Membership(grace)
	assert.Empty(t, membership.Tasks, "the feature is off by default")

	c.svc.SetFeature("invite_members_for_task", true)
	require.NoError(t, add(c.eve))
	membership, _ = c.app.Membership(c.eve)
	assert.Equal(t, []string{"ci"}, membership.Tasks)
	assert.Equal(t, c.app.ID(), membership.TasksProject)
}

func TestServiceMembersAddSeveral(t *testing.T) {
	c := newCompany(t)
	ctx, app := t.Context(), teamApp
	grace, alan := c.svc.User("grace"), c.svc.User("alan")
	add := func(level serviceapi.AccessLevel, ids ...int64) (*serviceapi.AddMembersResult, error) {
		var users []serviceapi.UserRef
		for _, id := range ids {
			users = append(users, serviceapi.UserID(id))
		}
		result, _, err := c.asBob.Members.AddSeveral(ctx, app, users, level, serviceapi.AddMemberOptions{})
		return result, err
	}
	result, err := add(serviceapi.AccessLevelDeveloper, grace.ID(), alan.ID())
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.AddMembersResult{Status: "success"}, result)

	result, err = add(serviceapi.AccessLevelGuest, grace.ID(), c.eve.ID(), 999)
	var refused *serviceapi.Error
	require.ErrorAs(t, err, &refused)
	assert.Equal(t, map[string][]string{"grace": {"Member already exists"}, "999": {"404 User Not Found"}},
		refused.Fields)
	assert.Equal(t, "error", result.Status)
	_, ok := c.app.Membership(c.eve)
	assert.True(t, ok, "the others are added")

	result, err = add(serviceapi.AccessLevelGuest, c.svc.User("mary").ID())
	require.NoError(t, err)
	assert.Equal(t, "mary", result.Member.Username)
	_, err = add(serviceapi.AccessLevelGuest)
	var argument *serviceapi.ArgumentError
	assert.ErrorAs(t, err, &argument, "nobody is named")
}

func TestServiceMembersInherited(t *testing.T) {
	c := newCompany(t)
	ctx, app := t.Context(), teamApp
	c.platform.AddMember(c.bob, servicetest.Reporter)
	guild := c.svc.Group("guild", servicetest.Member(c.svc.User("grace"), servicetest.Owner))
	c.platform.ShareWith(guild, servicetest.Developer)
	c.app.AddMember(c.svc.User("late"), servicetest.Guest, servicetest.Awaiting())

	all := func(client *serviceapi.Client,
		options *serviceapi.ListInheritedMembersOptions) map[string]serviceapi.AccessLevel {
		members, err := serviceapi.Collect(client.Members.AllInherited(ctx, app, options))
		return levels(t, members, err)
	}
	direct, err := serviceapi.Collect(c.asAda.Members.All(ctx, app, nil))
	assert.Equal(t, map[string]serviceapi.AccessLevel{"bob": 40, "late": 10}, levels(t, direct, err))
	assert.Equal(t, map[string]serviceapi.AccessLevel{"ada": 50, "bob": 40, "late": 10}, all(c.asAda, nil),
		"the highest level, and no private guild")
	assert.Equal(t, map[string]serviceapi.AccessLevel{"ada": 50, "bob": 40, "late": 10, "grace": 30},
		all(asRoot(t, c.svc), nil), "guild members with no more than was given")
	guild.AddMember(c.ada, servicetest.Guest)
	assert.Contains(t, all(c.asAda, nil), "grace", "one sees the members of one's own groups")

	assert.Equal(t, map[string]serviceapi.AccessLevel{"late": 10},
		all(c.asAda, &serviceapi.ListInheritedMembersOptions{State: serviceapi.MembershipStateAwaiting}))
	assert.Equal(t, map[string]serviceapi.AccessLevel{"bob": 40},
		all(c.asAda, &serviceapi.ListInheritedMembersOptions{Query: "BOB@exa"}))
	assert.Equal(t, map[string]serviceapi.AccessLevel{"ada": 50},
		all(c.asAda, &serviceapi.ListInheritedMembersOptions{UserIDs: []int64{c.ada.ID(), c.eve.ID()}}))

	_, _, err = c.asBob.Members.Get(ctx, app, serviceapi.UserID(c.ada.ID()))
	assert.ErrorIs(t, err, serviceapi.ErrNotFound, "she is an inherited member")
	member, _, err := c.asBob.Members.GetInherited(ctx, app, serviceapi.UserID(c.ada.ID()))
	require.NoError(t, err)
	assert.Equal(t, serviceapi.AccessLevelOwner, member.AccessLevel)
	page, resp, err := c.asBob.Members.List(ctx, app,
		&serviceapi.ListMembersOptions{ListOptions: serviceapi.ListOptions{PerPage: 1}})
	require.NoError(t, err)
	assert.Len(t, page, 1)
	assert.Equal(t, 2, resp.Total)
}

func TestServiceMembersSAMLIdentity(t *testing.T) {
	c := newCompany(t)
	grace := c.svc.User("grace", servicetest.SAMLIdentity(c.acme, "grace-1"))
	c.platform.AddMember(grace, servicetest.Maintainer)
	owner := platform
	member, _, err := c.asAda.Members.Get(t.Context(), owner, serviceapi.UserID(grace.ID()))
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.GroupSAMLIdentity{ExternUID: "grace-1", Provider: "group_saml",
		SAMLProviderID: c.acme.ID()}, member.GroupSAMLIdentity)
	member, _, err = as(t, c.svc, grace).Members.Get(t.Context(), owner, serviceapi.UserID(grace.ID()))
	require.NoError(t, err)
	assert.Nil(t, member.GroupSAMLIdentity, "owners alone see it")
}

func TestServiceMembersState(t *testing.T) {
	c := newCompany(t)
	ctx := t.Context()
	set := func(client *serviceapi.Client, user *servicetest.User, state serviceapi.MembershipState) error {
		_, err := client.Members.SetState(ctx, acme, serviceapi.UserID(user.ID()),
			serviceapi.SetMemberStateOptions{State: state})
		return err
	}
	require.NoError(t, set(c.asAda, c.bob, serviceapi.MembershipStateAwaiting))
	_, _, err := c.asBob.Projects.Get(ctx, teamApp, nil)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound,
		"who is awaiting has no access, in the projects of the group neither")
	require.NoError(t, set(c.asAda, c.bob, serviceapi.MembershipStateActive))
	_, _, err = c.asBob.Projects.Get(ctx, teamApp, nil)
	assert.NoError(t, err)
	assert.ErrorIs(t, set(c.asBob, c.bob, serviceapi.MembershipStateActive), serviceapi.ErrForbidden)
	assert.ErrorIs(t, set(c.asAda, c.eve, serviceapi.MembershipStateActive), serviceapi.ErrNotFound)
	assert.ErrorIs(t, set(c.asAda, c.bob, "gone"), serviceapi.ErrBadRequest)
}

func TestServiceMembersTier(t *testing.T) {
	c := newCompany(t, servicetest.WithTier(servicetest.Free))
	_, _, err := c.asAda.Members.ListInherited(t.Context(), acme,
		&serviceapi.ListInheritedMembersOptions{State: serviceapi.MembershipStateActive})
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, _, err = c.asAda.Members.ListInherited(t.Context(), acme, nil)
	assert.NoError(t, err)
}

// TestServicePlanners checks the role of newer releases between Guest and
// Reporter.
func TestServicePlanners(t *testing.T) {
	c := newCompany(t)
	member, _, err := c.asBob.Members.Add(t.Context(), teamApp, serviceapi.UserID(c.eve.ID()),
		serviceapi.AccessLevelPlanner, serviceapi.AddMemberOptions{})
	require.NoError(t, err)
	assert.Equal(t, serviceapi.AccessLevelPlanner, member.AccessLevel)
	membership, ok := c.app.Membership(c.eve)
	require.True(t, ok)
	assert.Equal(t, servicetest.Planner, membership.Level)
	assert.Equal(t, serviceapi.AccessLevelPlanner.String(), membership.Level.String())
	_, _, err = c.asEve.Snippets.Create(t.Context(), teamApp, serviceapi.CreateSnippetOptions{
		Title: "plan", Files: []serviceapi.SnippetFileOptions{{FilePath: "plan.md", Content: "1."}},
	})
	assert.ErrorIs(t, err, serviceapi.ErrForbidden, "it requires a Reporter")
}
