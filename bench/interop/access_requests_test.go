package interop

import (
	"testing"

	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestAccessRequests(t *testing.T) {
	e := start(t)
	e.svc.Group(acme, servicetest.Public())
	e.svc.Project(app, servicetest.Public())
	var users []*servicetest.User
	for _, name := range []string{"ada", "bob", "cid"} {
		user := e.svc.User(name)
		users = append(users, user)
		a := e.as(user).AccessRequests
		assert.Equal(t, user.ID(), got(a.RequestProjectAccess(app)).ok(e, 201).ID)
		assert.Equal(t, user.ID(), got(a.RequestGroupAccess(acme)).ok(e, 201).ID)
		got(a.RequestGroupAccess(acme)).refused(e, 400)
	}
	a, name := e.admin.AccessRequests, func(r *clientgo.AccessRequest) string { return r.Username }
	all := []string{"ada", "bob", "cid"}
	assert.ElementsMatch(t, all, each(walk1(e, a.ListProjectAccessRequests, app, nil), name))
	assert.ElementsMatch(t, all, each(walk1(e, a.ListGroupAccessRequests, acme, nil), name))

	// The client takes the member for a request.
	member, _, err := a.ApproveProjectAccessRequest(app, users[0].ID(), nil)
	assert.NoError(t, err)
	assert.Equal(t, clientgo.DeveloperPermissions, member.AccessLevel)
	member, _, err = a.ApproveGroupAccessRequest(acme, users[0].ID(),
		&clientgo.ApproveAccessRequestOptions{AccessLevel: new(clientgo.GuestPermissions)})
	assert.NoError(t, err)
	assert.Equal(t, clientgo.GuestPermissions, member.AccessLevel)
	done(a.DenyProjectAccessRequest(app, users[1].ID())).ok(e, 204)
	done(a.DenyGroupAccessRequest(acme, users[1].ID())).ok(e, 204)
	left := got(a.ListGroupAccessRequests(acme, nil)).ok(e, 200)
	assert.Equal(t, []string{"cid"}, each(left, name))
}
