package servicetest_test

import (
	"bufio"
	"os"
	"slices"
	"strings"
	"testing"

	"example.com/serviceapi/servicetest"
)

// roleLevels maps the roles in testdata/roles.txt to their levels and the levels just
// below.
var roleLevels = map[string]struct{ least, below servicetest.AccessLevel }{
	"guest":      {servicetest.Guest, servicetest.NoAccess},
	"reporter":   {servicetest.Reporter, servicetest.Planner},
	"developer":  {servicetest.Developer, servicetest.Reporter},
	"maintainer": {servicetest.Maintainer, servicetest.Developer},
	"owner":      {servicetest.Owner, servicetest.Maintainer},

	"administrator": {administrator, servicetest.Owner},
}

// administrator is above all roles of members.
const administrator = servicetest.Owner + 1

// readRoles returns the least role of each endpoint in testdata/roles.txt.
func readRoles(t *testing.T) map[string]string {
	t.Helper()
	file, err := os.Open("testdata/roles.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	roles := make(map[string]string)
	role := ""
	for lines := bufio.NewScanner(file); lines.Scan(); {
		line := lines.Text()
		name, isHeading := strings.CutPrefix(line, "## ")
		switch {
		case line == "" || strings.HasPrefix(line, "# "):
		case isHeading:
			role = name
		case roles[line] != "":
			t.Errorf("%s is listed twice", line)
		default:
			roles[line] = role
		}
	}
	return roles
}

// addRoles adds endpoints that are missing in the list, with the role of their route.
func addRoles(t *testing.T) {
	t.Helper()
	listed := readRoles(t)
	data, err := os.ReadFile("testdata/roles.txt")
	if err != nil {
		t.Fatal(err)
	}
	sections := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n\n## ")
	for i, section := range sections {
		name, lines, isRole := strings.Cut(section, "\n")
		if !isRole || strings.HasPrefix(name, "#") {
			continue
		}
		endpoints := strings.Split(lines, "\n")
		for template, role := range servicetest.RolesOfTemplates() {
			if _, there := listed[template]; !there && role == roleLevels[name].least {
				endpoints = append(endpoints, template)
			}
		}
		slices.SortStableFunc(endpoints, func(a, b string) int {
			templates := servicetest.Templates()
			return slices.Index(templates, a) - slices.Index(templates, b)
		})
		sections[i] = name + "\n" + strings.Join(endpoints, "\n")
	}
	if err := os.WriteFile("testdata/roles.txt", []byte(strings.Join(sections, "\n\n## ")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestLeastRoleOfEveryEndpoint calls each endpoint with the role that it needs, and
// with the role just below, which is refused. The project and the group are public, so
// that only the role decides.
func TestLeastRoleOfEveryEndpoint(t *testing.T) {
	if *update {
		addRoles(t)
	}
	roles := readRoles(t)
	for template, role := range servicetest.RolesOfTemplates() {
		if _, listed := roles[template]; !listed {
			t.Errorf("%s needs the role %d, and is not listed; run: go generate ./...", template, role)
		}
	}
	for endpoint, role := range roles {
		levels, known := roleLevels[role]
		if !known || !slices.Contains(servicetest.Templates(), endpoint) {
			t.Errorf("%s for %q: no such role or endpoint", endpoint, role)
			continue
		}
		for level, mayCall := range map[servicetest.AccessLevel]bool{levels.below: false, levels.least: true} {
			if a := sendAs(t, endpoint, level); isRoleRefusal(a) == mayCall {
				t.Errorf("%s as %d: %d %s; %ss may call it", endpoint, level, a.StatusCode, a.body, role)
			}
		}
	}
}

// sendAs calls an endpoint of a new service, with 1 for every argument of its path. The
// caller has a role in a public project and its group.
func sendAs(t *testing.T, endpoint string, level servicetest.AccessLevel) answer {
	t.Helper()
	svc := servicetest.New(t)
	defer svc.Close()
	ada := svc.User("ada")
	group := svc.Group("acme", servicetest.Public())
	app := svc.Project("acme/app", servicetest.Public())
	app.Release("1", "The first.") // otherwise a release is refused
	byPath := strings.ReplaceAll(endpoint, ":group_path", "acme")
	if level == administrator {
		return send(t, svc, byPath, "", "PRIVATE-TOKEN", svc.AdminToken())
	}
	if level != servicetest.NoAccess {
		group.AddMember(ada, level)
		app.AddMember(ada, level)
	}
	return send(t, svc, byPath, "", "PRIVATE-TOKEN", svc.Token(ada))
}

// isRoleRefusal reports whether a response refuses the caller's role. SCIM has its own
// words for it.
func isRoleRefusal(a answer) bool {
	return a.StatusCode == 403 && a.body == `{"message":"403 Forbidden"}` ||
		a.StatusCode == 403 && strings.Contains(a.body, `"detail":"Only owners`)
}
