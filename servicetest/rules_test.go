package servicetest_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.com/serviceapi/internal/racing"
	"example.com/serviceapi/servicetest"
)

// TestRules checks what the service must do, rule by rule. A file in testdata/rules is
// about an area and has a section for each rule:
//
//	## A guest does not see variables.
//	as guest
//	GET /projects/1/variables
//		403
//	least maintainer GET /projects/1/variables
//
// A section starts with a new world. Its lines are those of testdata/calls, but the
// responses are written by people who have read the specification, never by the test.
// An error status alone stands for any body, and lines may end between any members.
// Placeholders in responses are replaced as in requests.
//
// These lines make checks of their own. Each check runs in worlds in which the lines
// above have already happened:
//
//	least developer GET /path       refuses roles below this one, but no
//	                                others: nobody, stranger,
//	                                guest, reporter, developer, maintainer,
//	                                owner, root
//	requires a b POST /path {"a":1,"b":2}
//	                                works, is 400 without a or b, and sets no
//	                                created_at or updated_at
//	tier premium GET /path          works, but not on the tiers below
//
// These lines check what hooks send:
//
//	listen                          {listener} is an address for hooks
//	listen 500                      and responds with this status
//	sent object_kind user.username  shows what was sent since the last such line:
//	                                the kind of event, and members
//
// After each rule, the lists of users, projects and so on must be up to date, without
// encodings from before a change. The race detector would find nothing more there and
// take minutes, so only runs without it check this.
//
// A rule must show in a response. Other effects need a test in Go.
func TestRules(t *testing.T) {
	files, err := filepath.Glob("testdata/rules/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			for i, r := range readRules(t, file) {
				if (racing.Enabled || testing.Short()) && i%4 != 0 {
					continue // with the race detector, each takes five times as long
				}
				t.Run(r.name, func(t *testing.T) {
					t.Parallel()
					r.check(t)
				})
			}
		})
	}
}

// A rule is a section of a file.
type rule struct {
	name  string
	steps []step
}

// A step is a line of a rule and the response expected below it.
type step struct {
	number   int
	line     string
	expected string
}

// readRules reads the rules of an area. Comments are lines that begin with one #.
func readRules(t *testing.T, file string) (rules []*rule) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var current *rule
	for i, line := range strings.Split(string(data), "\n") {
		name, begins := strings.CutPrefix(line, "## ")
		switch {
		case begins:
			current = &rule{name: strings.TrimSuffix(name, ".")}
			rules = append(rules, current)
		case strings.TrimSpace(line) == "", strings.HasPrefix(line, "# "):
		case current == nil:
			t.Fatalf("%s:%d: no rule begins above this line", file, i+1)
		case strings.HasPrefix(line, "\t"):
			if len(current.steps) == 0 {
				t.Fatalf("%s:%d: no call is above this response", file, i+1)
			}
			current.steps[len(current.steps)-1].expected += line + "\n"
		default:
			current.steps = append(current.steps, step{number: i + 1, line: line})
		}
	}
	return rules
}

// check plays a rule in a new world.
func (r *rule) check(t *testing.T) {
	p := &player{t: t}
	p.again()
	if !racing.Enabled {
		p.lists() // make the service keep its encodings
	}
	checked := 0
	for i, s := range r.steps {
		verb, rest, _ := strings.Cut(s.line, " ")
		switch verb {
		case "least":
			r.leastRole(t, r.steps[:i], rest)
		case "requires":
			r.required(t, r.steps[:i], rest)
		case "tier":
			r.leastTier(t, rest)
		default:
			got := p.step(verb, rest)
			if got == "" {
				continue
			}
			want := placeholder.ReplaceAllStringFunc(s.expected, func(name string) string {
				if name == "{url}" {
					return name
				}
				return p.world.named(name)
			})
			if unwrapped(got) != unwrapped(want) && !onlyStatus(got, want) {
				t.Errorf("line %d, as %s, %s:\n%swant\n%s", s.number, p.caller, s.line, got, want)
			}
		}
		checked++
	}
	if checked == 0 {
		t.Error("the rule checks nothing")
	}
	if !racing.Enabled {
		p.upToDate()
	}
}

// upToDate checks that the service does not send encodings from before a change.
func (p *player) upToDate() {
	kept := p.lists()
	p.world.svc.TouchAll()
	for path, want := range p.lists() {
		got := kept[path]
		for i := range min(len(got), len(want)) {
			if got[i] != want[i] {
				from := max(i-60, 0)
				p.t.Errorf("%s is not up to date: %.200q, want %.200q", path, got[from:], want[from:])
				break
			}
		}
		same(p.t, len(got), len(want))
	}
}

// localTime matches a member that changes in a kept user without a change of the user.
var localTime = regexp.MustCompile(`"local_time":"[^"]*",`)

// lists returns the lists whose items the service keeps encoded.
func (p *player) lists() map[string]string {
	lists := make(map[string]string)
	for _, path := range []string{"/users", "/groups", "/projects", "/runners/all", "/projects/1/pipelines",
		"/projects/1/jobs"} {
		body := call(p.t, p.world.svc, http.MethodGet, path+"?per_page=100", "").body
		lists[path] = localTime.ReplaceAllString(body, "")
	}
	return lists
}

// unwrapped returns a response as one line.
func unwrapped(response string) string { return strings.ReplaceAll(response, "\n\t", "") }

// onlyStatus reports whether only an error status is expected, and got has that status.
func onlyStatus(got, want string) bool {
	status := strings.TrimSpace(want)
	return len(status) == 3 && status >= "4" && strings.HasPrefix(got, "\t"+status)
}

// after returns a player in a new world after some steps.
func after(t *testing.T, steps []step) *player {
	p := &player{t: t}
	p.again()
	for _, s := range steps {
		switch verb, rest, _ := strings.Cut(s.line, " "); verb {
		case "least", "requires", "tier":
		default:
			p.step(verb, rest)
		}
	}
	return p
}

// standing lists the roles in rules, lowest first. Root is an administrator.
var standing = []string{"nobody", "stranger", "guest", "reporter", "developer", "maintainer", "owner", "root"}

// leastRole makes a call with each role. Roles below one are refused, all others are
// not.
func (r *rule) leastRole(t *testing.T, before []step, rest string) {
	t.Helper()
	role, call, _ := strings.Cut(rest, " ")
	least := slices.Index(standing, role)
	if least < 0 {
		t.Fatalf("no role is called %s", role)
	}
	p := after(t, before)
	for i, who := range standing {
		if i > 0 && !strings.HasPrefix(call, "GET ") { // reading changes nothing for the next caller
			p = after(t, before)
		}
		p.caller = who
		status := p.status(call)
		isRefused := status == "401" || status == "403" || status == "404"
		if isRefused != (i < least) || !isRefused && status >= "400" {
			t.Errorf("%s as %s: status %s, the least role is %s", call, who, status, role)
		}
	}
}

// required makes a call with all members of a body, and then without each required one.
func (r *rule) required(t *testing.T, before []step, rest string) {
	t.Helper()
	head, body, found := strings.Cut(rest, " {")
	words := strings.Fields(head)
	if !found || len(words) < 3 {
		t.Fatalf("which members are required, and in which body? %s", rest)
	}
	names, call := words[:len(words)-2], strings.Join(words[len(words)-2:], " ")
	var all map[string]json.RawMessage
	if err := json.Unmarshal([]byte("{"+body), &all); err != nil {
		t.Fatal(err)
	}
	for _, name := range append(names, "") {
		some := maps.Clone(all)
		delete(some, name)
		text, _ := json.Marshal(some)
		p := after(t, before)
		if status := p.status(fmt.Sprintf("%s %s", call, text)); (status == "400") != (name != "") || status > "400" {
			t.Errorf("%s without %q: status %s", call, name, status)
		}
	}
	// When a record was made or changed is no parameter.
	const earlier = `"1999-12-31T00:00:00Z"`
	all["created_at"], all["updated_at"] = json.RawMessage(earlier), json.RawMessage(earlier)
	text, _ := json.Marshal(all)
	p := after(t, before)
	p.status(call + " " + string(text))
	isNote := strings.HasSuffix(call, "/notes") // administrators may say when one was written
	if strings.Contains(p.last.body, "1999-12-31") && !isNote {
		t.Errorf("%s: a time was set: %s", call, p.last.body)
	}
}

// tiers are the tiers, lowest first.
var tiers = []string{"free", "premium", "ultimate"}

// leastTier makes a call on each tier. Tiers below one are refused.
func (r *rule) leastTier(t *testing.T, rest string) {
	t.Helper()
	tier, call, _ := strings.Cut(rest, " ")
	least := slices.Index(tiers, tier)
	if least < 0 {
		t.Fatalf("no tier is called %s", tier)
	}
	for i, name := range tiers {
		p := &player{t: t}
		p.again(worlds[name]...)
		status := p.status(call)
		if isRefused := status == "403" || status == "404"; isRefused != (i < least) || !isRefused && status >= "400" {
			t.Errorf("%s on %s: status %s, the lowest tier is %s", call, name, status, tier)
		}
	}
}

// status makes a call and returns its status.
func (p *player) status(call string) string {
	p.t.Helper()
	method, rest, _ := strings.Cut(call, " ")
	return p.play(method, rest)[1:4]
}

// listen starts a receiver of hooks.
func (p *player) listen(status string) {
	code := http.StatusOK
	if status != "" {
		code, _ = strconv.Atoi(status)
	}
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(code)
		fmt.Fprintf(w, "thank you: %d", code)
	}))
	p.t.Cleanup(receiver.Close)
	p.world.threads["{listener}"] = receiver.URL
}

// sent shows what hooks have sent since sent was last called.
func (p *player) sent(members string) string {
	p.world.svc.Flush()
	all := p.world.svc.Deliveries()
	var out strings.Builder
	latest := all[p.delivered:]
	slices.SortStableFunc(latest, func(a, b servicetest.Delivery) int { // hooks send concurrently
		return strings.Compare(a.Header.Get("Idempotency-Key"), b.Header.Get("Idempotency-Key"))
	})
	for _, d := range latest {
		var body any
		if err := json.Unmarshal(d.Body, &body); err != nil {
			p.t.Errorf("a hook sent %s: %v", d.Body, err)
		}
		values := []string{fmt.Sprintf("%q", d.Event)}
		for member := range strings.FieldsSeq(members) {
			value := memberOf(body, member)
			if name, isHeader := strings.CutPrefix(member, "@"); isHeader {
				value = d.Header.Get(name)
			}
			text, _ := json.Marshal(value)
			values = append(values, string(text))
		}
		fmt.Fprintf(&out, "\t[%s]\n", strings.Join(values, " "))
	}
	p.delivered = len(all)
	return cmp.Or(out.String(), "\tnothing\n")
}
