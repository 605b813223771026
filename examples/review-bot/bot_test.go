package main

import (
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// TestWhoMayApprove checks who has a merge request of a public project approved by a comment,
// and what everybody else is told.
func TestWhoMayApprove(t *testing.T) {
	t.Parallel()
	service := servicetest.New(t, servicetest.WithClock(time.Now))
	shop := service.Project("acme/shop", servicetest.Public())
	member := func(name string, level servicetest.AccessLevel, opts ...servicetest.UserOption) *servicetest.User {
		user := service.User(name, opts...)
		shop.AddMember(user, level)
		return user
	}
	robot := member("review-bot", servicetest.Developer, servicetest.Bot())
	author, developer := member("ada", servicetest.Developer), member("grace", servicetest.Developer)

	client, err := serviceapi.NewClient(service.URL(), serviceapi.PrivateToken(service.Token(robot)))
	require.NoError(t, err)
	server, err := start(t.Context(), client, "127.0.0.1:0", "a long random string", io.Discard)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, server.stop()) })
	shop.Hook(server.address, servicetest.HookToken("a long random string"), servicetest.HookEvents("note_events"))
	mr := shop.MergeRequest("cart", servicetest.By(author))

	for _, c := range []struct {
		who           *servicetest.User
		comment, want string // what the bot comments
	}{
		{service.User("mallory"), "/approve", "Not approved: @mallory is no member of this project."},
		{member("rae", servicetest.Reporter), "/approve", "Not approved: @rae is no developer of this project."},
		{member("other", servicetest.Maintainer, servicetest.Bot()), "/approve", "Not approved: @other is a bot."},
		{author, "/approve", "Not approved: @ada is its author."},
		{robot, "/approve", ""},
		{developer, "Please /approve this", ""},
	} {
		before := len(mr.Notes())
		mr.Note(c.comment, servicetest.By(c.who))
		server.settle(service)
		var said string
		for _, note := range mr.Notes()[before+1:] {
			said += note.Body()
		}
		assert.Equal(t, c.want, said, "%s: %s", c.who.Username(), c.comment)
		assert.Empty(t, mr.Approvers(), "%s: %s", c.who.Username(), c.comment)
	}
	mr.Note(" /approve\n", servicetest.By(developer))
	server.settle(service)
	assert.Equal(t, []*servicetest.User{robot}, mr.Approvers())

	closed := shop.MergeRequest("done", servicetest.By(author))
	closed.Close()
	closed.Note("/approve", servicetest.By(developer))
	server.settle(service)
	assert.Empty(t, closed.Approvers())
	assert.Equal(t, "Not approved: it is not open.", closed.Notes()[len(closed.Notes())-1].Body())
}

// TestNewerCommits checks that a comment approves only what its author could have read.
func TestNewerCommits(t *testing.T) {
	t.Parallel()
	service := servicetest.New(t)
	shop := service.Project("acme/shop")
	robot, author, developer := service.User("review-bot"), service.User("ada"), service.User("grace")
	for _, user := range []*servicetest.User{robot, author, developer} {
		shop.AddMember(user, servicetest.Developer)
	}
	client, err := serviceapi.NewClient(service.URL(), serviceapi.PrivateToken(service.Token(robot)))
	require.NoError(t, err)
	mr := shop.MergeRequest("cart", servicetest.By(author))
	ref := serviceapi.ProjectID(shop.ID()).MergeRequest(mr.IID())
	read, _, err := client.MergeRequests.Get(t.Context(), ref, nil)
	require.NoError(t, err)
	shop.Commit("cart", "Slip in", servicetest.Write("evil.sh", "echo"))
	b := &bot{client: client}
	require.NoError(t, b.approve(t.Context(), ref, serviceapi.UserID(developer.ID()), read.SHA))
	assert.Empty(t, mr.Approvers())
	assert.Equal(t, "Not approved: there are newer commits than the comment.", mr.Notes()[len(mr.Notes())-1].Body())
}
