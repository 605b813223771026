package servicetest

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// A listed is a row of the list of endpoints.
type listed struct {
	area, template string
	row            int
}

func readEndpoints(t *testing.T) []listed {
	t.Helper()
	list, err := os.ReadFile("../testdata/endpoints.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var rows []listed
	for line := range strings.Lines(string(list)) {
		cells := strings.Split(line, "\t")
		if strings.HasPrefix(line, "#") || len(cells) < 3 {
			continue
		}
		rows = append(rows, listed{cells[0], cells[1] + " " + strings.TrimSpace(cells[2]), len(rows)})
	}
	if len(rows) < 100 {
		t.Fatalf("only %d endpoints in the list", len(rows))
	}
	return rows
}

// TestEveryEndpointIsServed compares the routes with the list of endpoints.
func TestEveryEndpointIsServed(t *testing.T) {
	for _, row := range readEndpoints(t) {
		if _, served := allRoutes().Lookup(row.template); !served {
			t.Errorf("%s: nothing serves %s", row.area, row.template)
		}
	}
}

// TestEndpointsAreInTheOrderOfTheList checks that all routes are listed, and
// that the routes of an area are in the order of the list.
func TestEndpointsAreInTheOrderOfTheList(t *testing.T) {
	rows := make(map[string]listed)
	for _, row := range readEndpoints(t) {
		served, ok := allRoutes().Lookup(row.template)
		if _, seen := rows[served]; ok && !seen {
			rows[served] = row
		}
	}
	last := make(map[string]listed)
	for _, made := range endpoints() {
		row, isListed := rows[made.template]
		if !isListed {
			t.Errorf("%s is not in the list of endpoints", made.template)
			continue
		}
		if before := last[row.area]; before.row > row.row {
			t.Errorf("%s comes before %s in the list", row.template, before.template)
		}
		last[row.area] = row
	}
}

var sdlType = regexp.MustCompile(`(?s)\ntype (\w+) \{\n(.*?)\n\}`)

// TestGraphQLSchema compares the documented schema with the executed one.
func TestGraphQLSchema(t *testing.T) {
	types := premiumSchema().Types()
	for name := range types {
		other := strings.HasSuffix(name, "Connection") || strings.HasSuffix(name, "Edge")
		if other && !strings.HasPrefix(name, "Job") {
			delete(types, name)
		}
	}
	schema := strings.ReplaceAll(GraphQLSchema, "\n    ", " ") // of arguments on several lines
	for _, match := range sdlType.FindAllStringSubmatch(schema, -1) {
		typ := types[match[1]]
		if typ == nil {
			t.Errorf("type %s is not executed", match[1])
			continue
		}
		delete(types, match[1])
		var lines []string
		for _, name := range slices.Sorted(maps.Keys(typ.Fields)) {
			lines = append(lines, "  "+sdlLine(name, typ.Fields[name]))
		}
		if documented := plainKind.ReplaceAllString(scalarKind.ReplaceAllString(match[2], ": -"),
			": $1"); documented != strings.Join(lines, "\n") {
			t.Errorf("type %s is documented as\n%s\nbut is\n%s", typ.Name, documented, strings.Join(lines, "\n"))
		}
	}
	for name := range types {
		t.Errorf("type %s is not documented", name)
	}
}

// The executed schema does not distinguish between scalars, or between a list and a
// single object.
var (
	scalarKind = regexp.MustCompile(`(?m): \[?(String|ID|Boolean|Time|Date|Int)\]?$`)
	plainKind  = regexp.MustCompile(`(?m): \[(\w+)\]$`)
)

func sdlLine(name string, d *gqlField) string {
	var args []string
	for _, arg := range slices.Sorted(maps.Keys(d.Args)) {
		args = append(args, arg+": "+d.Args[arg])
	}
	if args != nil {
		name += "(" + strings.Join(args, ", ") + ")"
	}
	kind := "-"
	if d.Type != nil {
		kind = d.Type.Name
	}
	return fmt.Sprintf("%s: %s", name, kind)
}

func TestEmbeddedRepositoryRefusesContradictions(t *testing.T) {
	for name, seed := range map[string]func(*Project){
		"no such file":     func(p *Project) { p.Commit("main", "No", Remove("none")) },
		"a bad path":       func(p *Project) { p.Commit("main", "No", Write("../a", "")) },
		"no such revision": func(p *Project) { p.Branch("b", "none") },
	} {
		svc, err := Start()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(svc.Close)
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: seeding went on", name)
				}
			}()
			seed(svc.Project("acme/app"))
		}()
	}
}

// TestSettingsWithoutEffectAreListed compares the list at the top of doc.go with the
// settings that only the tables of settings name.
func TestSettingsWithoutEffectAreListed(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(doc), "// # What has no effect")
	list, _, _ = strings.Cut(list, "// #")
	list, ofInstance, _ := strings.Cut(list, "//\n// Of the settings of the instance")
	ofInstance, _, _ = strings.Cut(ofInstance, "The\n// others are stored")
	listed := regexp.MustCompile(`\w+`).FindAllString(list, -1)
	code := codeWithoutSettings(t)
	for _, p := range slices.Concat(projectPreferences, groupPreferences) {
		name := p.name
		part, isPart := strings.CutSuffix(p.name, "_access_level")
		if isPart {
			name = part
		}
		hasEffect := strings.Contains(code, `"`+name+`"`) && !otherMeanings[p.name]
		if isListed := slices.Contains(listed, name); isListed == hasEffect {
			t.Errorf("%s has an effect: %v, and is listed: %v", p.name, hasEffect, isListed)
		}
	}
	var used []string // settings of the instance; doc.go lists those with an effect
	reads := regexp.MustCompile(`\.(?:flag|text|number|list)\("(\w+)"\)`)
	for _, match := range reads.FindAllStringSubmatch(code, -1) {
		used = append(used, match[1])
	}
	slices.Sort(used)
	if named := regexp.MustCompile(`\w+_\w+`).FindAllString(ofInstance, -1); !slices.Equal(named, used) {
		t.Errorf("settings of the instance with an effect: %v, listed are %v", used, named)
	}
}

// otherMeanings are settings whose names also mean something else in the code: a
// parameter of a fork, the newer name of a setting, members of users, and settings of the
// instance.
var otherMeanings = map[string]bool{
	"mr_default_target_self": true, "emails_disabled": true, "shared_runners_minutes_limit": true,
	"extra_shared_runners_minutes_limit": true, "duo_availability": true, "duo_features_enabled": true,
	"lock_duo_features_enabled": true, "duo_remote_flows_availability": true,
}

// codeWithoutSettings returns the code of the package without tests, comments
// and the tables of settings.
func codeWithoutSettings(t *testing.T) string {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var code strings.Builder
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") || name == "preferences.go" || name == "settings_table.go" {
			continue
		}
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(source)) {
			if !strings.HasPrefix(strings.TrimSpace(line), "//") {
				code.WriteString(line)
			}
		}
	}
	return code.String()
}

// TestClosedServicesSendNothing: a closed service drops what it still has to send, and
// tells callers who wait for it.
func TestClosedServicesSendNothing(t *testing.T) {
	svc, err := Start()
	if err != nil {
		t.Fatal(err)
	}
	hook := svc.Project("acme/app").Hook("http://127.0.0.1:1")
	svc.Close()
	unlock := svc.lock()
	answer := (&call{svc: svc}).sendNow(hook, &sending{}, nil)
	if hook.busy || len(hook.queue) > 0 || svc.underWay > 0 {
		t.Errorf("the hook is busy: %v, with %d events", hook.busy, svc.underWay)
	}
	unlock()
	w := httptest.NewRecorder()
	answer.Write(w, httptest.NewRequest("POST", "/", nil))
	if w.Code != http.StatusServiceUnavailable {
		t.Errorf("status %d", w.Code)
	}
}

// TestGuardSeesWhatNothingTouches changes records of all kinds without touching them.
// The guard in the tests of calls and rules must notice each change.
func TestGuardSeesWhatNothingTouches(t *testing.T) {
	const hooks, follow = "hooks have missed", "follow has missed"
	type made struct {
		svc       *Service
		project   *Project
		user      *User
		issue     *Issue
		request   *MergeRequest
		pipeline  *Pipeline
		milestone *Milestone
	}
	for name, c := range map[string]struct {
		change func(m made)
		seen   []string
	}{
		"user":    {func(m made) { m.user.username = "eve" }, []string{hooks}},
		"group":   {func(m made) { m.project.group.path = "other" }, []string{hooks}},
		"project": {func(m made) { m.project.name = "Other" }, []string{hooks}},
		"member":  {func(m made) { m.svc.addMember(&m.project.members, m.svc.admin, Owner) }, []string{hooks, follow}},
		"former":  {func(m made) { m.project.members.remove(m.user.id) }, []string{hooks, follow}},
		"level":   {func(m made) { m.svc.addMember(&m.project.members, m.user, Owner) }, []string{hooks}},
		"key": {func(m made) { state[sshKeyState](m.svc).keys.add(0, &sshKey{id: 1, user: m.user}) },
			[]string{hooks}},
		"issue":    {func(m made) { m.issue.state = "closed" }, []string{hooks, follow}},
		"assignee": {func(m made) { m.issue.assignees = []*User{m.user} }, []string{hooks, follow}},
		"request":  {func(m made) { m.request.state = "closed" }, []string{hooks, follow}},
		"reviewer": {func(m made) { m.request.reviewers = []*User{m.user} }, []string{hooks, follow}},
		"note":     {func(m made) { m.issue.notes[0].body = "other" }, []string{hooks}},
		"new note": {func(m made) { m.issue.notes = append(m.issue.notes, &Note{id: 9, on: m.issue, author: m.user}) },
			[]string{hooks, follow}},
		"reaction": {func(m made) { m.issue.addReaction(m.user, "tada") }, []string{hooks, follow}},
		"branch": {func(m made) {
			r := m.project.repository()
			r.Moved = func(string) {}
			r.DeleteBranch("topic")
		}, []string{hooks, follow}},
		"release":   {func(m made) { m.project.releases()[0].name = "other" }, []string{hooks}},
		"wiki page": {func(m made) { m.project.wiki().pages[0].version = "other" }, []string{hooks}},
		"pipeline":  {func(m made) { m.pipeline.status, m.pipeline.fixed = "failed", true }, []string{hooks, follow}},
		"job":       {func(m made) { m.pipeline.jobs[0].status = "failed" }, []string{hooks}},
		"deployment": {func(m made) { state[deploymentState](m.svc).deployments.at(0).status = "failed" },
			[]string{hooks}},
		"milestone": {func(m made) { m.milestone.closed = true }, []string{hooks, follow}},
		"gone milestone": {func(m made) { state[milestoneState](m.svc).milestones.remove(m.milestone.id) },
			[]string{hooks, follow}},
		"token": {func(m made) {
			tok := m.svc.tokens[m.svc.adminKey]
			tok.home, tok.expires = m.project, m.svc.now().Add(time.Hour)
		}, []string{hooks}},
	} {
		t.Run(name, func(t *testing.T) {
			svc := New(t)
			user := svc.User("ada")
			m := made{svc: svc, user: user, project: svc.Project("acme/app", Member(user, Maintainer))}
			m.issue, m.request = m.project.Issue("one"), m.project.MergeRequest("topic")
			m.milestone = m.project.Milestone("1.0")
			m.issue.Note("a note")
			m.project.Release("v1", "first")
			m.project.WikiPage("home", "text")
			m.pipeline = m.project.Pipeline("topic")
			m.pipeline.Job("test")
			m.project.Environment("production").Deployment()
			var problems []string
			svc.Guard(func(problem string) { problems = append(problems, problem) })
			look := func() {
				defer svc.lock()()
				svc.follow(nil)
			}
			if look(); len(problems) > 0 {
				t.Fatalf("before any change: %s", problems)
			}
			svc.mu.Lock()
			c.change(m)
			svc.mu.Unlock()
			look()
			for _, want := range c.seen {
				said := func(problem string) bool { return strings.HasPrefix(problem, want) }
				if !slices.ContainsFunc(problems, said) {
					t.Errorf("nobody says that %s it: %q", want, problems)
				}
			}
		})
	}
}

// TestThousands: the statistics of an instance have commas, which few tests have enough objects for.
func TestThousands(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 123456: "123,456", 1234567: "1,234,567"} {
		if got := withThousands(n); got != want {
			t.Errorf("%d is %s, want %s", n, got, want)
		}
	}
}
