package recipes_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"strings"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// onboarded is a note that only administrators can write.
const onboarded = "made by onboard"

// onboard creates the account of a new colleague and makes it a member of
// groups, until a day. The colleague gets an email with a link to set a
// password. If onboard fails halfway, call it again.
func onboard(ctx context.Context, client *serviceapi.Client,
	person serviceapi.CreateUserOptions, until serviceapi.Date,
	groups ...string) (*serviceapi.User, error) {
	person.ResetPassword, person.Note = new(true), new(onboarded)
	user, _, err := client.Users.Create(ctx, person)
	if errors.Is(err, serviceapi.ErrConflict) {
		user, err = findUser(ctx, client, person)
	}
	if err != nil {
		return nil, err
	}
	for _, group := range groups {
		_, _, err := client.Members.Add(ctx, serviceapi.GroupPath(group),
			user.Ref(), serviceapi.AccessLevelDeveloper,
			serviceapi.AddMemberOptions{ExpiresAt: &until})
		if errors.Is(err, serviceapi.ErrConflict) {
			var member *serviceapi.Member
			member, _, err = client.Members.Get(ctx,
				serviceapi.GroupPath(group), user.Ref())
			if err == nil && (member.ExpiresAt == nil ||
				member.ExpiresAt.After(until.Time)) {
				err = errors.New("is a member already, and for longer")
			}
		}
		if err != nil {
			return nil, fmt.Errorf("add to %s: %w", group, err)
		}
	}
	return user, nil
}

// findUser returns the existing user. It must be the same person: someone else
// may have the username.
func findUser(ctx context.Context, client *serviceapi.Client,
	person serviceapi.CreateUserOptions) (*serviceapi.User, error) {
	user, _, err := client.Users.Find(ctx,
		serviceapi.Username(person.Username))
	if err != nil && !errors.Is(err, serviceapi.ErrNotFound) {
		return nil, err
	}
	// Who signed up may have entered any address, until it is confirmed.
	if user == nil || !strings.EqualFold(user.Email, person.Email) ||
		user.ConfirmedAt == nil && user.Note != onboarded {
		return nil, fmt.Errorf("username %s or address %s is taken",
			person.Username, person.Email)
	}
	return user, nil
}

// Onboard a user.
func Example_onboardUser() {
	service, err := servicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	service.Group("acme")
	service.Group("tools")
	token := serviceapi.PrivateToken(service.AdminToken())
	client, err := serviceapi.NewClient(service.URL(), token)
	if err != nil {
		log.Fatal(err)
	}

	ctx := context.Background()
	person := serviceapi.CreateUserOptions{
		Name:     "Ada Lovelace",
		Username: "ada",
		Email:    "ada@example.com",
	}
	until := serviceapi.NewDate(2026, time.December, 31)
	for range 2 { // the second time, there is nothing left to do
		user, err := onboard(ctx, client, person, until, "acme", "tools")
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(user.ID, user.Username)
	}
	members := client.Members.All(ctx, serviceapi.GroupPath("tools"), nil)
	for member, err := range members {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(member.Username, member.AccessLevel, member.ExpiresAt)
	}
	// Output:
	// 2 ada
	// 2 ada
	// ada Developer 2026-12-31
}
