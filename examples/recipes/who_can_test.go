package recipes_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"net/http"
	"os"
	"path/filepath"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// An access is one line of the report: who or what can do something in a
// project, with which role or scopes, and until when.
type access struct {
	Project string           `json:"project"`
	Kind    string           `json:"kind"`
	Name    string           `json:"name"`
	Role    string           `json:"role,omitempty"`
	Scopes  []string         `json:"scopes,omitempty"`
	Until   *serviceapi.Date `json:"until,omitempty"`
}

// A position says where a report continues.
type position struct {
	PageToken string
	Size      int64 // of the report so far
}

// reportAccess writes who can do what in the projects of a group, as JSON
// lines. After an interruption, the next call with the same files goes on with
// the page of projects that was not finished.
func reportAccess(ctx context.Context, client *serviceapi.Client,
	group serviceapi.GroupRef, report *os.File, state string) error {
	at, err := loadPosition(state)
	if err != nil {
		return err
	}
	written, err := report.Stat()
	if err != nil {
		return err
	}
	if written.Size() < at.Size {
		return fmt.Errorf("%s is not the report of %s", report.Name(), state)
	}
	options := &serviceapi.ListProjectsOptions{
		ListOptions:      serviceapi.ListOptions{PerPage: 20},
		IncludeSubgroups: true,
		WithShared:       new(false), // projects elsewhere
		OrderBy:          serviceapi.ProjectOrderByID,
		Sort:             serviceapi.SortAscending, // new projects come last
	}
	keys := map[int64][]*serviceapi.SSHKey{} // by the ID of the user
	for {
		options.PageToken = at.PageToken
		projects, resp, err := client.Projects.List(ctx, group, options)
		if err != nil {
			return err
		}
		var page bytes.Buffer
		for _, project := range projects {
			lines := json.NewEncoder(&page)
			err := writeAccess(ctx, client, project, keys, lines)
			if err != nil {
				return err
			}
		}
		// A page that was written but not noted is written over.
		if _, err := report.WriteAt(page.Bytes(), at.Size); err != nil {
			return err
		}
		at = position{resp.NextPageToken, at.Size + int64(page.Len())}
		if err := report.Truncate(at.Size); err != nil {
			return err
		}
		if at.PageToken == "" {
			return os.RemoveAll(state) // the next report starts over
		}
		if err := report.Sync(); err != nil { // before it is noted
			return err
		}
		if err := savePosition(state, at); err != nil {
			return err
		}
	}
}

// writeAccess writes the members of a project, whether direct, inherited or
// invited with a group, with their SSH keys, its access tokens and its deploy
// keys. The keys of a user are read once for all projects.
func writeAccess(ctx context.Context, client *serviceapi.Client,
	project *serviceapi.Project, keys map[int64][]*serviceapi.SSHKey,
	lines *json.Encoder) error {
	in, ref := project.PathWithNamespace, project.Ref()
	for m, err := range client.Members.AllInherited(ctx, ref, nil) {
		if err != nil {
			return err
		}
		line := access{Project: in, Kind: "member", Name: m.Username}
		line.Role = m.AccessLevel.String()
		if m.ExpiresAt != nil {
			line.Until = &m.ExpiresAt.Date
		}
		if err := lines.Encode(line); err != nil {
			return err
		}
		if keys[m.ID] == nil {
			keys[m.ID], err = signInKeys(ctx, client, serviceapi.UserID(m.ID))
			if err != nil {
				return err
			}
		}
		for _, key := range keys[m.ID] {
			login := line // with the role and the last day of the member
			login.Kind, login.Name = "ssh key", m.Username+": "+key.Title
			if key.ExpiresAt != nil && (login.Until == nil ||
				key.ExpiresAt.Before(login.Until.Time)) {
				login.Until = new(serviceapi.DateOf(*key.ExpiresAt))
			}
			if err := lines.Encode(login); err != nil {
				return err
			}
		}
	}
	active := &serviceapi.ListAccessTokensOptions{
		State: serviceapi.AccessTokenStateActive,
	}
	for t, err := range client.AccessTokens.All(ctx, ref, active) {
		if err != nil {
			return err
		}
		line := access{Project: in, Kind: "token", Name: t.Name}
		line.Role, line.Until = t.AccessLevel.String(), t.ExpiresAt
		for _, scope := range t.Scopes {
			line.Scopes = append(line.Scopes, string(scope))
		}
		if err := lines.Encode(line); err != nil {
			return err
		}
	}
	for key, err := range client.DeployKeys.All(ctx, ref, nil) {
		if err != nil {
			return err
		}
		line := access{Project: in, Kind: "deploy key", Name: key.Title}
		line.Scopes = []string{"read"}
		if key.CanPush != nil && *key.CanPush {
			line.Scopes = append(line.Scopes, "write")
		}
		if key.ExpiresAt != nil {
			line.Until = new(serviceapi.DateOf(*key.ExpiresAt))
		}
		if err := lines.Encode(line); err != nil {
			return err
		}
	}
	return nil
}

// signInKeys returns the SSH keys of a user, except those that only sign
// commits. The result is not nil if there are none.
func signInKeys(ctx context.Context, client *serviceapi.Client,
	user serviceapi.UserRef) ([]*serviceapi.SSHKey, error) {
	keys := []*serviceapi.SSHKey{}
	for key, err := range client.SSHKeys.All(ctx, user, nil) {
		if err != nil {
			return nil, err
		}
		if key.UsageType != serviceapi.SSHKeyUsageSigning {
			keys = append(keys, key)
		}
	}
	return keys, nil
}

func loadPosition(name string) (at position, err error) {
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return at, nil
	}
	if err != nil {
		return at, err
	}
	return at, json.Unmarshal(data, &at)
}

// savePosition replaces the file as a whole, so that it is never half written.
func savePosition(name string, at position) error {
	data, err := json.Marshal(at)
	if err != nil {
		return err
	}
	if err := os.WriteFile(name+".new", data, 0o600); err != nil {
		return err
	}
	return os.Rename(name+".new", name)
}

// Report who can do what in the projects of a group.
func Example_reportAccess() {
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
	service.Group("acme", servicetest.Member(
		service.User("ada"), servicetest.Owner))
	for i := range 21 { // two pages
		service.Project(fmt.Sprintf("acme/app-%02d", i))
	}
	last := service.Project("acme/app-20")
	grace := service.User("grace")
	grace.SSHKey("laptop")
	last.AddMember(grace, servicetest.Developer,
		servicetest.MemberUntil(service.Now().AddDate(0, 0, 45)))
	last.DeployKey("cluster")
	last.AccessToken(servicetest.Reporter, servicetest.Name("metrics"),
		servicetest.Scopes("read_api"))

	directory, err := os.MkdirTemp("", "access")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(directory)
	state := filepath.Join(directory, "position.json")
	report, err := os.Create(filepath.Join(directory, "access.jsonl"))
	if err != nil {
		log.Fatal(err)
	}
	defer report.Close()
	run := func() error {
		return reportAccess(context.Background(), client,
			serviceapi.GroupPath("acme"), report, state)
	}

	// The first run ends in the middle of the second page.
	service.Fault("GET /projects/:id/deploy_keys",
		servicetest.Skip(20), servicetest.Times(1),
		servicetest.Status(http.StatusForbidden, ""))
	fmt.Println("interrupted:", errors.Is(run(), serviceapi.ErrForbidden))
	lists := "GET /groups/:id/projects"
	service.ClearRequests()
	if err := run(); err != nil {
		log.Fatal(err)
	}
	fmt.Println("pages read again:", len(service.Requests(lists)))

	all, err := os.Open(report.Name())
	if err != nil {
		log.Fatal(err)
	}
	defer all.Close()
	count := 0
	for lines := json.NewDecoder(all); lines.More(); count++ {
		var line access
		if err := lines.Decode(&line); err != nil {
			log.Fatal(err)
		}
		if line.Project == "acme/app-20" {
			fmt.Println(line.Kind, line.Name, line.Role,
				line.Scopes, line.Until)
		}
	}
	fmt.Println(count, "lines")
	// Output:
	// interrupted: true
	// pages read again: 1
	// member ada Owner [] <nil>
	// member grace Developer [] 2026-03-01
	// ssh key grace: laptop Developer [] 2026-03-01
	// member project_21_bot Reporter [] <nil>
	// token metrics Reporter [read_api] <nil>
	// deploy key cluster  [read] <nil>
	// 26 lines
}
