package interop

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

// bare makes a call that the client has no method for, and that returns only a status.
func bare(c *clientgo.Client, method, path string) answer[any] {
	req, err := c.NewRequest(method, path, nil, nil)
	if err != nil {
		return answer[any]{err: err}
	}
	return done(c.Do(req, nil))
}

func TestInvitations(t *testing.T) {
	c := newCompany(t)
	owner := c.as(c.users["ada"])
	address := func(i *clientgo.PendingInvite) string { return i.InviteEmail }
	until := clientgo.ISOTime(c.svc.Now().AddDate(0, 1, 0).Truncate(24 * time.Hour))
	three := &clientgo.InvitesOptions{
		Email: new("a@example.org,b@example.org,c@example.org"), AccessLevel: new(clientgo.ReporterPermissions),
		ExpiresAt: &until,
	}
	for path, invite := range map[string]func(*clientgo.InvitesOptions) (*clientgo.InvitesResult, *clientgo.Response,
		error){
		"projects/acme%2Fapp": func(o *clientgo.InvitesOptions) (*clientgo.InvitesResult, *clientgo.Response, error) {
			return owner.Invites.ProjectInvites(app, o)
		},
		"groups/acme": func(o *clientgo.InvitesOptions) (*clientgo.InvitesResult, *clientgo.Response, error) {
			return owner.Invites.GroupInvites(acme, o)
		},
	} {
		assert.Equal(t, "success", got(invite(three)).ok(c.env, 201).Status)
		again := got(invite(three)).ok(c.env, 201)
		assert.Equal(t, "error", again.Status, "which is no error for this client")
		assert.Len(t, again.Message, 3)
		// The client has no methods for these.
		one := path + "/invitations/a%40example.org"
		changed := request[*clientgo.PendingInvite](owner, "PUT", one, map[string]int{"access_level": 10}).ok(c.env,
			200)
		assert.Equal(t, []any{clientgo.GuestPermissions, time.Time(until)},
			[]any{changed.AccessLevel, *changed.ExpiresAt})
	}
	want := []string{"a@example.org", "b@example.org", "c@example.org"}
	assert.ElementsMatch(t, want, each(walk1(c.env, owner.Invites.ListPendingProjectInvitations, app, nil), address))
	assert.ElementsMatch(t, want, each(walk1(c.env, owner.Invites.ListPendingGroupInvitations, acme, nil), address))
	for _, path := range []string{"projects/acme%2Fapp", "groups/acme"} {
		bare(owner, "DELETE", path+"/invitations/a%40example.org").ok(c.env, 204)
	}
	left := got(owner.Invites.ListPendingGroupInvitations(acme,
		&clientgo.ListPendingInvitationsOptions{Query: new("b@example.org")})).ok(c.env, 200)
	assert.Equal(t, []string{"b@example.org"}, each(left, address))
}
