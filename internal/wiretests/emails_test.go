package wiretests

import (
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEmails(t *testing.T) {
	const whole = "emails/email.json"
	home := &serviceapi.Email{ID: 4, Email: "ada@home.example.com", ConfirmedAt: at(t, "2026-01-05T08:30:00.120Z")}
	assertFilled(t, home)
	body := "[" + fixture(t, whole) + `,{"id":5,"email":"a@b.example","confirmed_at":null},{"id":6,"email":"old"}]`
	for path, owner := range map[string]serviceapi.EmailOwner{"/user/emails": serviceapi.Own,
		"/users/5/emails": serviceapi.UserID(5)} {
		client := onWire(t,
			exchange{Method: "GET", Path: path, Query: "page=2", Body: body},
			exchange{Method: "GET", Path: path, Query: "per_page=100", Body: body},
			exchange{Method: "POST", Path: path, JSON: `{"email":"ada@home.example.com"}`, Status: 201, Fixture: whole},
			exchange{Method: "DELETE", Path: path + "/4", Status: 204})
		s, ctx := client.Emails, t.Context()
		want := []*serviceapi.Email{home, {ID: 5, Email: "a@b.example"}, {ID: 6, Email: "old"}}
		emails, _, err := s.List(ctx, owner, &serviceapi.ListOptions{Page: 2})
		require.NoError(t, err)
		assert.Equal(t, want, emails)
		emails, err = serviceapi.Collect(s.All(ctx, owner, nil))
		require.NoError(t, err)
		assert.Equal(t, want, emails)
		made, resp, err := s.Create(ctx, owner, serviceapi.CreateEmailOptions{Email: "ada@home.example.com"})
		require.NoError(t, err)
		assert.Equal(t, 201, resp.StatusCode)
		assert.Equal(t, home, made)
		resp, err = s.Delete(ctx, owner, 4)
		require.NoError(t, err)
		assert.Equal(t, 204, resp.StatusCode)
	}
}

func TestEmailsOfOneOwnerOnly(t *testing.T) {
	client := onWire(t,
		exchange{Method: "GET", Path: "/user/emails/4", Fixture: "emails/email.json"},
		exchange{Method: "POST", Path: "/users/5/emails", Status: 400,
			JSON: `{"email":"bob@example.com","skip_confirmation":false}`,
			Body: `{"message":{"email":["has already been taken"]}}`})
	s, ctx := client.Emails, t.Context()
	home, _, err := s.Get(ctx, serviceapi.Own, 4)
	require.NoError(t, err)
	assert.Equal(t, "ada@home.example.com", home.Email)
	options := serviceapi.CreateEmailOptions{Email: "bob@example.com", SkipConfirmation: new(false)}
	err = errorOf(s.Create(ctx, serviceapi.UserID(5), options))
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
	assert.ErrorContains(t, err, "has already been taken")
	assertRefused(t, "SkipConfirmation", errorOf(s.Create(ctx, serviceapi.Own, options)))
}

func TestEmailsArguments(t *testing.T) {
	s, ctx := onWire(t).Emails, t.Context()
	for name, owner := range map[string]serviceapi.EmailOwner{"user": serviceapi.Username("ada"),
		"id": serviceapi.UserID(0), "owner": nil} {
		assertRefused(t, name, errorOf(s.List(ctx, owner, nil)))
		_, err := serviceapi.Collect(s.All(ctx, owner, nil))
		assertRefused(t, name, err)
		assertRefused(t, name, errorOf(s.Create(ctx, owner, serviceapi.CreateEmailOptions{})))
		assertRefused(t, name, second(s.Delete(ctx, owner, 4)))
	}
	assertRefused(t, "owner", errorOf(s.List(ctx, new(serviceapi.Own), nil)))
	assertRefused(t, "email_id", errorOf(s.Get(ctx, serviceapi.Own, 0)))
	assertRefused(t, "email_id", second(s.Delete(ctx, serviceapi.UserID(5), -1)))
}
