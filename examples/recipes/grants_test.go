package recipes_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// A grant is an entry of a file: who gets which role in which group. An entry
// without a group or a level gets those of the command line.
type grant struct {
	User  serviceapi.UserRef      `json:"user" yaml:"user"`
	Group serviceapi.GroupRef     `json:"group" yaml:"group"`
	Level *serviceapi.AccessLevel `json:"level" yaml:"level"` // none is 0
	Until *serviceapi.Date        `json:"until" yaml:"until"`
}

// readGrants reads the flags of a command and the entries of a file. What is
// no reference, no level or no date is an error that quotes it.
func readGrants(args []string, file []byte) ([]grant, error) {
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
	for i := range grants {
		grants[i].Group = cmp.Or(grants[i].Group, group)
		grants[i].Level = cmp.Or(grants[i].Level, &level)
	}
	return grants, nil
}

// apply makes the members that the grants describe.
func apply(ctx context.Context, client *serviceapi.Client,
	grants []grant) error {
	for _, g := range grants {
		_, _, err := client.Members.Add(ctx, g.Group, g.User, *g.Level,
			serviceapi.AddMemberOptions{ExpiresAt: g.Until})
		if err != nil {
			return fmt.Errorf("add %s to %s: %w", g.User, g.Group, err)
		}
	}
	return nil
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

	grants, err := readGrants([]string{"-group", "acme", "-level", "reporter"},
		[]byte(`[
			{"user": "ada", "level": "maintainer", "until": "2027-01-31"},
			{"user": "@bob"},
			{"user": "bob", "group": "ops", "level": 20}
		]`))
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	if err := apply(ctx, client, grants); err != nil {
		log.Fatal(err)
	}
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
	grants, err = readGrants([]string{"-group", "acme"},
		[]byte(`[{"user": "ada", "level": "none"}]`))
	fmt.Println(*grants[0].Level, err)
	_, err = readGrants([]string{"-group", "acme"},
		[]byte(`[{"user": "https://service.example.com/ada"}]`))
	fmt.Println(err)
	// Output:
	// 1 ada Maintainer 2027-01-31
	// 1 bob Reporter <nil>
	// 2 bob Reporter <nil>
	// No access <nil>
	// serviceapi: user is an address; write the path alone, such as "group/app"
}
