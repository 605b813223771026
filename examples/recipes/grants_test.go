package recipes_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// A grant is an entry of a file: who gets which role in which group. An entry
// without a group or a level gets those of the command line.
type grant struct {
	User  serviceapi.UserRef      `json:"user" yaml:"user"`
	Group serviceapi.GroupRef     `json:"group" yaml:"group"`
	Level *serviceapi.AccessLevel `json:"level" yaml:"level"`
	// Until is the first day without the role. Nil is for good.
	Until *serviceapi.Date `json:"until" yaml:"until"`
}

// readGrants reads the flags of a command and the entries of a file. An error
// quotes the text that is not a reference, a level or a date, or says which
// entry cannot be granted: nothing is granted then. Today is a day by UTC,
// serviceapi.DateOf(time.Now().UTC()).
func readGrants(args []string, file []byte,
	today serviceapi.Date) ([]grant, error) {
	var group serviceapi.GroupRef
	var level serviceapi.AccessLevel
	flags := flag.NewFlagSet("grant", flag.ContinueOnError)
	flags.TextVar(&group, "group", serviceapi.GroupRef{}, "ID or path")
	flags.TextVar(&level, "level", serviceapi.AccessLevelDeveloper,
		"name or number of a role")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	if flags.NArg() > 0 {
		return nil, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	var grants []grant
	decoder := json.NewDecoder(bytes.NewReader(file))
	decoder.DisallowUnknownFields() // "role" is not the default level
	if err := decoder.Decode(&grants); err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, errors.New("there is more than one list of grants")
	}
	for i := range grants {
		g := &grants[i]
		g.Group = cmp.Or(g.Group, group)
		g.Level = cmp.Or(g.Level, &level)
		if err := g.check(today); err != nil {
			return nil, fmt.Errorf("entry %d: %w", i+1, err)
		}
	}
	return grants, nil
}

// check refuses what the service would refuse, perhaps after other grants were
// made, and a day that has come, with which it would grant nothing. "none",
// "minimal" and "admin" are levels that a member of a group does not have; only
// in a top-level group, Premium has "minimal".
func (g grant) check(today serviceapi.Date) error {
	switch {
	case g.User.IsZero():
		return errors.New("no user")
	case g.Group.IsZero():
		return errors.New("no group")
	case *g.Level < serviceapi.AccessLevelGuest ||
		*g.Level > serviceapi.AccessLevelOwner:
		return fmt.Errorf("%s cannot be granted", *g.Level)
	case g.Until != nil && g.Until.String() <= today.String():
		return fmt.Errorf("nothing can be granted until %s", *g.Until)
	}
	return nil
}

// apply makes the members what the grants say, and tells how many it added or
// changed. Call it again after an error: it changes nothing twice.
func apply(ctx context.Context, client *serviceapi.Client,
	grants []grant) (changes int, err error) {
	for _, g := range grants {
		changed, err := g.ensure(ctx, client)
		if err != nil {
			return changes, fmt.Errorf("add %s to %s: %w", g.User, g.Group, err)
		}
		if changed {
			changes++
		}
	}
	return changes, nil
}

// ensure adds the member. If the user is one already, it changes the member,
// which needs the ID of the user.
func (g grant) ensure(ctx context.Context,
	client *serviceapi.Client) (changed bool, err error) {
	_, _, err = client.Members.Add(ctx, g.Group, g.User, *g.Level,
		serviceapi.AddMemberOptions{ExpiresAt: g.Until})
	if !errors.Is(err, serviceapi.ErrConflict) {
		return err == nil, err
	}
	user, _, err := client.Users.Find(ctx, g.User) // by ID or by name
	if err != nil {
		return false, err
	}
	member, _, err := client.Members.Get(ctx, g.Group, user.Ref())
	if err != nil {
		return false, err
	}
	until := serviceapi.Null[serviceapi.Date]() // for good
	if g.Until != nil {
		until = serviceapi.Value(*g.Until)
	}
	if member.AccessLevel == *g.Level && sameDay(member.ExpiresAt, g.Until) {
		return false, nil
	}
	_, _, err = client.Members.Update(ctx, g.Group, user.Ref(), *g.Level,
		serviceapi.UpdateMemberOptions{ExpiresAt: until})
	return err == nil, err
}

// raise is ensure for a user who may have a higher level already, as a member
// of the group, of a parent group or of an invited group: it lowers none.
func (g grant) raise(ctx context.Context,
	client *serviceapi.Client) (changed bool, err error) {
	user, _, err := client.Users.Find(ctx, g.User)
	if err != nil {
		return false, err
	}
	member, _, err := client.Members.GetInherited(ctx, g.Group, user.Ref())
	switch {
	case errors.Is(err, serviceapi.ErrNotFound): // no member yet
	case err != nil:
		return false, err
	case member.AccessLevel >= *g.Level:
		return false, nil
	}
	return g.ensure(ctx, client)
}

// sameDay reports whether a membership ends on a day, or never if it is nil.
func sameDay(end *serviceapi.DateOrTime, day *serviceapi.Date) bool {
	if end == nil || day == nil {
		return end == nil && day == nil
	}
	return end.Date.String() == day.String()
}

// Take references and levels from flags and a file.
func Example_readGrants() {
	service, err := servicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	client, err := serviceapi.NewClient(service.URL(),
		serviceapi.PrivateToken(service.AdminToken()))
	if err != nil {
		log.Fatal(err)
	}
	acme, ops := service.Group("acme"), service.Group("ops")
	service.User("ada")
	service.User("bob")

	today := serviceapi.DateOf(service.Now())
	grants, err := readGrants([]string{"-group", "acme", "-level", "reporter"},
		[]byte(`[
			{"user": "ada", "level": "maintainer", "until": "2027-01-31"},
			{"user": "@bob"},
			{"user": "bob", "group": "ops", "level": 20}
		]`), today)
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	for range 2 { // the second time, there is nothing left to do
		changes, err := apply(ctx, client, grants)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(changes, "changes")
	}
	ref := serviceapi.GroupID(acme.ID())
	_, _, err = client.Members.Update(ctx, ref, serviceapi.UserID(2),
		serviceapi.AccessLevelGuest, serviceapi.UpdateMemberOptions{})
	if err != nil {
		log.Fatal(err)
	}
	changes, err := apply(ctx, client, grants)
	fmt.Println(changes, "change", err)
	for _, group := range []*servicetest.Group{acme, ops} {
		ref := serviceapi.GroupID(group.ID())
		for member, err := range client.Members.All(ctx, ref, nil) {
			if err != nil {
				log.Fatal(err)
			}
			fmt.Println(group.ID(), member.Username, member.AccessLevel,
				member.ExpiresAt)
		}
	}
	_, err = readGrants([]string{"-group", "acme"},
		[]byte(`[{"user": "ada", "level": "none"}]`), today)
	fmt.Println(err)
	_, err = readGrants([]string{"-group", "acme"},
		[]byte(`[{"user": "https://service.example.com/ada"}]`), today)
	fmt.Println(err)
	_, err = readGrants([]string{"-group", "acme"},
		[]byte(`[{"user": "ada", "until": "2026-01-15"}]`), today)
	fmt.Println(today, err)
	// Output:
	// 3 changes
	// 0 changes
	// 1 change <nil>
	// 1 ada Maintainer 2027-01-31
	// 1 bob Reporter <nil>
	// 2 bob Reporter <nil>
	// entry 1: No access cannot be granted
	// serviceapi: user is an address; write the path alone, such as "group/app"
	// 2026-01-15 entry 1: nothing can be granted until 2026-01-15
}
