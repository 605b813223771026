package interop

import (
	"fmt"
	"testing"
	"time"

	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

// company is a group with a project, and users who are members of both.
type company struct {
	*env
	users map[string]*servicetest.User
	group *servicetest.Group
}

func newCompany(t *testing.T) company {
	e := start(t)
	c := company{env: e, users: map[string]*servicetest.User{}}
	for _, name := range []string{"ada", "bob", "cid", "dan", "eve", "fay"} {
		c.users[name] = e.svc.User(name, servicetest.PublicEmail(name+"@example.com"))
	}
	c.group = e.svc.Group(acme, servicetest.Member(c.users["ada"], servicetest.Owner),
		servicetest.Member(c.users["bob"], servicetest.Developer,
			servicetest.MemberUntil(servicetest.Epoch.AddDate(0, 1, 0))),
		servicetest.Member(c.users["cid"], servicetest.Guest))
	e.svc.Project(app, servicetest.Member(c.users["dan"], servicetest.Reporter),
		servicetest.Member(c.users["eve"], servicetest.Developer),
		servicetest.Member(c.users["bob"], servicetest.Maintainer))
	e.svc.Advance(24 * time.Hour) // billable members are counted once a day
	return c
}

func TestGroupMembers(t *testing.T) {
	c := newCompany(t)
	name := func(m *clientgo.GroupMember) string { return m.Username }
	owner := c.as(c.users["ada"])

	list := walk1(c.env, owner.Groups.ListGroupMembers, acme, nil)
	assert.ElementsMatch(t, []string{"ada", "bob", "cid"}, each(list, name))
	all := walk1(c.env, owner.Groups.ListAllGroupMembers, acme, nil)
	assert.ElementsMatch(t, []string{"ada", "bob", "cid"}, each(all, name))
	found := got(owner.Groups.ListGroupMembers(acme, &clientgo.ListGroupMembersOptions{Query: new("bob")})).ok(c.env,
		200)
	assert.Equal(t, []string{"bob"}, each(found, name))
	bob := got(owner.GroupMembers.GetGroupMember(acme, c.users["bob"].ID())).ok(c.env, 200)
	assert.Equal(t, []any{clientgo.DeveloperPermissions, "2026-02-15", "bob@example.com"},
		[]any{bob.AccessLevel, bob.ExpiresAt.String(), bob.Email})
	inherited := got(owner.GroupMembers.GetInheritedGroupMember(acme, c.users["cid"].ID())).ok(c.env, 200)
	assert.Equal(t, clientgo.GuestPermissions, inherited.AccessLevel)

	added := got(owner.GroupMembers.AddGroupMember(acme, &clientgo.AddGroupMemberOptions{
		UserID: new(c.users["fay"].ID()), AccessLevel: new(clientgo.ReporterPermissions), ExpiresAt: new("2027-01-01"),
	})).ok(c.env, 201)
	assert.Equal(t, []any{"fay", "2027-01-01", "ada"}, []any{added.Username, added.ExpiresAt.String(),
		added.CreatedBy.Username})
	changed := got(owner.GroupMembers.EditGroupMember(acme, c.users["fay"].ID(),
		&clientgo.EditGroupMemberOptions{AccessLevel: new(clientgo.MaintainerPermissions)})).ok(c.env, 200)
	assert.Equal(t, clientgo.MaintainerPermissions, changed.AccessLevel)

	// The client has no method for the state of a member.
	type state struct {
		State string `json:"state"`
	}
	set := request[map[string]bool](owner, "PUT", "groups/acme/members/7/state", state{"awaiting"}).ok(c.env, 200)
	assert.Equal(t, map[string]bool{"success": true}, set)
	membership, _ := c.group.Membership(c.users["fay"])
	assert.Equal(t, "awaiting", membership.State)
}

func TestProjectMembers(t *testing.T) {
	c := newCompany(t)
	name := func(m *clientgo.ProjectMember) string { return m.Username }
	maintainer := c.as(c.users["bob"])

	list := walk1(c.env, maintainer.ProjectMembers.ListProjectMembers, app, nil)
	assert.ElementsMatch(t, []string{"bob", "dan", "eve"}, each(list, name))
	all := walk1(c.env, maintainer.ProjectMembers.ListAllProjectMembers, app, nil)
	assert.ElementsMatch(t, []string{"ada", "bob", "cid", "dan", "eve"}, each(all, name))
	for _, m := range all {
		if m.Username == "bob" {
			assert.Equal(t, clientgo.MaintainerPermissions, m.AccessLevel, "the higher one of the two")
		}
	}
	dan := got(maintainer.ProjectMembers.GetProjectMember(app, c.users["dan"].ID())).ok(c.env, 200)
	assert.Equal(t, clientgo.ReporterPermissions, dan.AccessLevel)
	got(maintainer.ProjectMembers.GetProjectMember(app, c.users["cid"].ID())).refused(c.env, 404)
	cid := got(maintainer.ProjectMembers.GetInheritedProjectMember(app, c.users["cid"].ID())).ok(c.env, 200)
	assert.Equal(t, clientgo.GuestPermissions, cid.AccessLevel)
	added := got(maintainer.ProjectMembers.AddProjectMember(app,
		&clientgo.AddProjectMemberOptions{UserID: c.users["fay"].ID(),
			AccessLevel: new(clientgo.DeveloperPermissions)})).ok(c.env, 201)
	assert.Equal(t, c.users["fay"].ID(), added.ID)
	changed := got(maintainer.ProjectMembers.EditProjectMember(app, added.ID,
		&clientgo.EditProjectMemberOptions{AccessLevel: new(clientgo.GuestPermissions)})).ok(c.env, 200)
	assert.Equal(t, clientgo.GuestPermissions, changed.AccessLevel)
}

func TestBillableMembers(t *testing.T) {
	c := newCompany(t)
	owner := c.as(c.users["ada"])
	c.svc.Project("acme/second", servicetest.Member(c.users["eve"], servicetest.Maintainer))
	c.svc.Project("acme/third", servicetest.Member(c.users["eve"], servicetest.Reporter))

	list := walk1(c.env, owner.Groups.ListBillableGroupMembers, acme,
		&clientgo.ListBillableGroupMembersOptions{Sort: new("name_asc")})
	assert.Subset(t, []string{"ada", "bob", "cid", "dan", "eve"},
		each(list, func(m *clientgo.BillableGroupMember) string { return m.Username }))
	assert.GreaterOrEqual(t, len(list), 4)
	memberships := walk2(c.env, owner.Groups.ListMembershipsForBillableGroupMember, acme, c.users["eve"].ID(), nil)
	assert.ElementsMatch(t, []string{"Developer", "Maintainer", "Reporter"},
		each(memberships, func(m *clientgo.BillableUserMembership) string { return m.AccessLevel.StringValue }))
	done(owner.Groups.RemoveBillableGroupMember(acme, c.users["eve"].ID())).ok(c.env, 204)
	got(owner.ProjectMembers.GetProjectMember(app, c.users["eve"].ID())).refused(c.env, 404)
}

// The client has no methods for what these tests call.

func TestPendingMembers(t *testing.T) {
	c := newCompany(t)
	owner := c.as(c.users["ada"])
	for _, name := range []string{"dan", "eve", "fay"} {
		c.group.AddMember(c.users[name], servicetest.Guest, servicetest.Awaiting())
	}
	type pending struct {
		ID        int64  `json:"id"`
		Name      string `json:"name"`
		Username  string `json:"username"`
		Email     string `json:"email"`
		AvatarURL string `json:"avatar_url"`
		WebURL    string `json:"web_url"`
		Approved  bool   `json:"approved"`
		Invited   bool   `json:"invited"`
	}
	all := walk(c.env, func(opts ...clientgo.RequestOptionFunc) ([]*pending, *clientgo.Response, error) {
		a := request[[]*pending](owner, "GET", "groups/acme/pending_members", nil, opts...)
		return a.value, a.resp, a.err
	})
	assert.ElementsMatch(t, []string{"dan", "eve", "fay"}, each(all, func(p *pending) string { return p.Username }))
	bare(owner, "PUT", fmt.Sprintf("groups/acme/members/%d/approve", all[0].ID)).ok(c.env, 200)
	bare(owner, "POST", "groups/acme/members/approve_all").ok(c.env, 201)
	assert.Empty(t, request[[]*pending](owner, "GET", "groups/acme/pending_members", nil).ok(c.env, 200))
}

func TestOverriddenMembers(t *testing.T) {
	c := newCompany(t)
	owner := c.as(c.users["ada"])
	gus := c.svc.User("gus", servicetest.SignsInWith("ldapmain", "uid=gus"))
	c.group.AddMember(gus, servicetest.Guest)
	path := fmt.Sprintf("groups/acme/members/%d/override", gus.ID())
	member := request[map[string]any](owner, "POST", path, nil).ok(c.env, 201)
	assert.Equal(t, true, member["override"])
	member = request[map[string]any](owner, "DELETE", path, nil).ok(c.env, 200)
	assert.Equal(t, false, member["override"])
}

func TestIndirectMemberships(t *testing.T) {
	c := newCompany(t)
	for _, name := range []string{"guild", "chapter", "tribe"} {
		c.group.ShareWith(c.svc.Group(name, servicetest.Member(c.users["fay"], servicetest.Reporter)),
			servicetest.Guest)
	}
	path := fmt.Sprintf("groups/acme/billable_members/%d/indirect", c.users["fay"].ID())
	type memberships = []*clientgo.BillableUserMembership
	all := walk(c.env, func(opts ...clientgo.RequestOptionFunc) (memberships, *clientgo.Response, error) {
		a := request[memberships](c.as(c.users["ada"]), "GET", path, nil, opts...)
		return a.value, a.resp, a.err
	})
	name := func(m *clientgo.BillableUserMembership) string { return m.SourceFullName }
	assert.ElementsMatch(t, []string{"Guild", "Chapter", "Tribe"}, each(all, name))
}
