package servicetest_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi/servicetest"
)

// TestHandlesReadBack: a handle returns what its record was seeded with.
func TestHandlesReadBack(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada", servicetest.ID(50))
	acme := svc.Group("acme", servicetest.ID(60))
	app := svc.Project("acme/app", servicetest.ID(70), servicetest.DefaultBranch("trunk"),
		servicetest.RegistryAccess("private"), servicetest.Private())
	pipeline := app.Pipeline("trunk", servicetest.ID(80), servicetest.PipelineSource("web"))
	job := pipeline.Job("test", servicetest.ID(90))
	environment := app.Environment("production", servicetest.ID(91))
	deployment := environment.Deployment(servicetest.ID(92))
	milestone := app.Milestone("1.0", servicetest.ID(93))
	second := app.Milestone("2.0")
	issue := app.Issue("Crash", servicetest.ID(94), servicetest.Reaction(ada, "thumbsup"))
	note := issue.Note("Why?", servicetest.ID(95), servicetest.By(ada))
	request := app.MergeRequest("work", servicetest.ID(96), servicetest.Reaction(ada, "rocket"))
	epic := acme.Epic("Epic", servicetest.ID(97), servicetest.Reaction(ada, "tada"))
	snippet := app.Snippet("Trick", servicetest.ID(98), servicetest.SnippetContent("a.sh", "exit\n"))
	file := app.SecureFile("key", "secret", servicetest.ID(99))
	runner := svc.Runner("fast", servicetest.ID(100))
	event := svc.AuditEvent(ada, servicetest.AuditDetails{}, servicetest.ID(101))
	ref, tag := deployment.Ref()
	request.DeployedTo("staging", svc.Now())
	request.DeployedTo("production", svc.Now())
	request.DeployedTo("production", svc.Now().Add(-time.Hour))
	app.Release("v1", "The first.")
	app.Variable("KEY", "of the project")
	acme.Variable("KEY", "of the group")
	acme.Variable("KEY", "for production", servicetest.VariableScope("production"))
	second.Close()
	svc.User("_")
	for _, c := range []struct {
		what      string
		got, want any
	}{
		{"ids",
			[]int64{ada.ID(), acme.ID(), app.ID(), pipeline.ID(), job.ID(), environment.ID(), deployment.ID(),
				milestone.ID(), issue.ID(), note.ID(),
				request.ID(), epic.ID(), snippet.ID(), file.ID(), runner.ID(), event.ID()},
			"[50 60 70 80 90 91 92 93 94 95 96 97 98 99 100 101]"},
		{"numbers",
			[]int64{pipeline.IID(), deployment.IID(), milestone.IID(), second.IID(), issue.IID(), request.IID(),
				epic.IID()}, "[1 1 1 2 1 1 1]"},
		{"pipeline",
			[]any{pipeline.Ref(), pipeline.Source(), pipeline.SHA() == app.Head("trunk"), pipeline.Project() == app},
			"[trunk web true true]"},
		{"job", []any{job, job.Name(), job.Pipeline() == pipeline}, `[job 90 "test" test true]`},
		{"deployment", []any{deployment, ref, tag, deployment.SHA() == app.Head("trunk")},
			"[deployment 92 to production trunk false true]"},
		{"titles",
			[]string{milestone.Title(), issue.Title(), request.Title(), snippet.Title(), file.Name(),
				runner.Description()}, "[1.0 Crash Work Trick key fast]"},
		{"note", []any{note.Author() == ada, note.System(), note.Confidential(), note.Body()},
			"[true false false Why?]"},
		{"reactions", [][]string{issue.Reactions(ada), request.Reactions(ada), epic.Reactions(ada)},
			"[[thumbsup] [rocket] [tada]]"},
		{"content", []any{file.Content(), snippet.Files()}, "[secret map[a.sh:exit\n]]"},
		{"variables",
			[]any{valueOf(app, "KEY", "*"), valueOf(acme, "KEY", "*"), valueOf(acme, "KEY", "production"),
				valueOf(acme, "NONE", "*")},
			"[of the project of the group for production (none)]"},
		{"project", []any{app.Branches(), app.Tags(), app.RegistryAccess(), app.Group() == acme},
			"[[trunk work] [v1] private true]"},
	} {
		if got := fmt.Sprint(c.got); got != c.want {
			t.Errorf("%s: %s, want %s", c.what, got, c.want)
		}
	}
	for path, want := range map[string]string{
		"/projects/70/milestones?state=closed": `"title":"2.0"`,
		"/projects/70/merge_requests/1":        `"first_deployed_to_production_at":"2026-01-15T08:00:00.000Z"`,
		"/users?username=_":                    `"name":"\"_\""`,
		"/projects/70/jobs/90":                 `"description":"shared-runner-1"`,
	} {
		if a := call(t, svc, "GET", path, ""); !strings.Contains(a.body, want) {
			t.Errorf("%s: %s, want %s", path, a.body, want)
		}
	}
}

// TestProgrammingLanguages: the languages of a project are those of its files.
func TestProgrammingLanguages(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	for file, language := range map[string]string{
		"a.go": "Go", "a.rb": "Ruby", "a.py": "Python", "a.js": "JavaScript", "a.ts": "TypeScript", "a.java": "Java",
		"a.c": "C", "a.rs": "Rust",
		"a.sh": "Shell", "a.html": "HTML", "a.css": "CSS",
	} {
		path := "/projects?with_programming_language=" + language
		if got := into[[]any](t, call(t, svc, "GET", path, ""), 200); len(got) != 0 {
			t.Errorf("%s before there is a file", language)
		}
		app.Commit("main", "Add", servicetest.Write(file, "x\n"))
		if got := into[[]any](t, call(t, svc, "GET", path, ""), 200); len(got) != 1 {
			t.Errorf("%s is not %s", file, language)
		}
	}
}

// TestHandlesChangeResponses: the next response shows changes through a handle,
// although encodings are cached.
func TestHandlesChangeResponses(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	app := svc.Project("acme/app")
	job := app.Pipeline("main").Job("test", servicetest.Running())
	other := svc.Group("other")
	for _, c := range []struct {
		what   string
		change func()
		path   string
		want   string
	}{
		{"nothing", func() {}, "/projects/1", `"archived":false`},
		{"archiving", app.Archive, "/projects/1", `"archived":true`},
		{"unarchiving", app.Unarchive, "/projects/1", `"archived":false`},
		{"starring", func() { app.Star(ada) }, "/projects/1", `"star_count":1`},
		{"sharing", func() { app.ShareWith(other, servicetest.Reporter) }, "/projects/1", `"group_name":"Other"`},
		{"nobody blocked", func() {}, "/users?username=ada", `"state":"active"`},
		{"blocking", ada.Block, "/users?username=ada", `"state":"blocked"`},
		{"unblocking", ada.Unblock, "/users?username=ada", `"state":"active"`},
		{"nothing finished", func() {}, "/projects/1/jobs", `"status":"running"`},
		{"failing", func() { job.Fail("script_failure") }, "/projects/1/jobs", `"failure_reason":"script_failure"`},
		{"writing", func() { job.Write([]byte("log")) }, "/projects/1/jobs/1/trace", `log`},
	} {
		c.change()
		if a := call(t, svc, "GET", c.path, ""); !strings.Contains(a.body, c.want) {
			t.Errorf("%s: %s does not say %s: %s", c.what, c.path, c.want, a.body)
		}
	}
}

// TestStopEndsAsItsJobDoes: an environment becomes available again if its on_stop job
// fails.
func TestStopEndsAsItsJobDoes(t *testing.T) {
	for want, end := range map[string]func(*servicetest.Job){
		"stopped": (*servicetest.Job).Succeed, "available": func(j *servicetest.Job) { j.Fail("script_failure") },
	} {
		svc := servicetest.New(t)
		app := svc.Project("acme/app")
		job := app.Pipeline("main").Job("stop", servicetest.Manual())
		environment := app.Environment("review/one", servicetest.OnStop(job), servicetest.StopTakes(time.Minute))
		if a := call(t, svc, "POST", "/projects/1/environments/1/stop",
			""); a.StatusCode != 200 || environment.State() != "stopping" {
			t.Fatalf("%d %s", a.StatusCode, a.body)
		}
		end(job)
		svc.Advance(time.Minute)
		if environment.State() != want {
			t.Errorf("the environment is %s, want %s", environment.State(), want)
		}
	}
}

// TestCleanupTakesAHundred: by default, a cleanup deletes at most 100 environments.
func TestCleanupTakesAHundred(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	for i := range 101 {
		app.Environment(fmt.Sprint("review/", i), servicetest.EnvironmentState("stopped"),
			servicetest.CreatedAt(at(100*24*60)))
	}
	for query, want := range map[string]int{"": 100, "?limit=0": 100, "?limit=101": 101, "?limit=1": 1} {
		a := into[map[string][]any](t, call(t, svc, "DELETE", "/projects/1/environments/review_apps"+query, ""), 200)
		if got := len(a["scheduled_entries"]); got != want {
			t.Errorf("%q: %d environments, want %d", query, got, want)
		}
	}
}

// valueOf returns the value of a variable.
func valueOf(home interface {
	VariableValue(key, scope string) (string, bool)
}, key, scope string) string {
	if value, found := home.VariableValue(key, scope); found {
		return value
	}
	return "(none)"
}

// TestDueOnTheDay: an issue is due on its day, not a day earlier or later.
func TestDueOnTheDay(t *testing.T) {
	svc := servicetest.New(t) // Thursday, January 15
	app := svc.Project("acme/app")
	for i := range 60 {
		app.Issue(fmt.Sprint(i), servicetest.DueOn(day(i-14)))
	}
	app.Issue("not due")
	for word, want := range map[string]string{
		"today": "15 to 15", "tomorrow": "16 to 16", "overdue": "-14 to 14", "week": "12 to 18", "month": "1 to 31",
		"next_month_and_previous_two_weeks": "1 to 45", "any": "-14 to 45",
	} {
		issues := into[[]map[string]any](t,
			call(t, svc, "GET", "/projects/1/issues?per_page=100&sort=asc&due_date="+word, ""), 200)
		var days []int
		for _, issue := range issues {
			var n int
			fmt.Sscan(issue["title"].(string), &n)
			days = append(days, n-14)
		}
		slices.Sort(days)
		if got := fmt.Sprintf("%d to %d", days[0],
			days[len(days)-1]); got != want || len(days) != days[len(days)-1]-days[0]+1 {
			t.Errorf("%s: %s (%d issues), want %s", word, got, len(days), want)
		}
	}
}

// TestMostPermissiveRule: the most permissive rule for a branch counts, in whatever
// order the rules were made.
func TestMostPermissiveRule(t *testing.T) {
	for _, order := range [][]servicetest.ProtectionOption{{servicetest.DevelopersCanPush(),
		servicetest.DevelopersCanMerge()}, {servicetest.DevelopersCanMerge(), servicetest.DevelopersCanPush()}} {
		svc := servicetest.New(t)
		app := svc.Project("acme/app")
		app.ProtectBranch("ma*", order[0])
		app.ProtectBranch("main", order[1])
		app.ProtectBranch("*")
		branch := into[map[string]any](t, call(t, svc, "GET", "/projects/1/repository/branches/main", ""), 200)
		if branch["developers_can_push"] != true || branch["developers_can_merge"] != true ||
			branch["protected"] != true {
			t.Errorf("branch %v", branch)
		}
	}
}

// TestMissingBranchesBeginAtTheDefaultBranch: a branch that seeding makes implicitly
// has the files of the default branch.
func TestMissingBranchesBeginAtTheDefaultBranch(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	app.Commit("main", "Add", servicetest.Write("a.txt", "a\n"))
	app.Pipeline("made")
	if content, found := app.File("made", "a.txt"); !found || content != "a\n" {
		t.Errorf("the branch has %q", content)
	}
	if commits := into[[]any](t, call(t, svc, "GET", "/projects/1/repository/commits?ref_name=made", ""),
		200); len(commits) != 3 {
		t.Errorf("%d commits", len(commits))
	}
}

// TestVersionsOfStates checks what the handle of a Terraform state returns.
func TestVersionsOfStates(t *testing.T) {
	svc := servicetest.New(t)
	state := svc.Project("acme/app").TerraformState("prod", `{"serial":1,"a":1}`, `{"serial":4}`)
	same(t, spaced(state.Serials(), state.LockID()), "[1 4] ")
	path := "/projects/1/terraform/state/prod"
	same(t, call(t, svc, "GET", path, "").body, `{"serial":4}`)
	same(t, asked(t, svc, "POST "+path+"/lock "+
		`{"ID":"me","Operation":"plan","Info":"i","Who":"x","Version":"1.9","Created":"today","Path":"p"}`), "200")
	same(t, state.LockID(), "me")
	same(t, asked(t, svc, "DELETE "+path), "200")
	same(t, asked(t, svc, "DELETE "+path+"/lock?ID=me", "DELETE "+path+"/versions/4", "GET "+path), "200 204 200")
	same(t, spaced(state.Serials(), state.LockID()), "[1] ")
	same(t, call(t, svc, "GET", path, "").body, `{"serial":1,"a":1}`)
}

// TestUpdatesOfMirrors: a mirror shows the result of its last update.
func TestUpdatesOfMirrors(t *testing.T) {
	svc := servicetest.New(t)
	mirror := svc.Project("acme/app").RemoteMirror("https://user:secret@mirror.example/app.git")
	same(t, spaced(mirror.ID(), mirror.URL()), "1 https://user:secret@mirror.example/app.git")
	for _, c := range []struct{ failure, want string }{
		{"", "finished <nil> 2026-01-15T09:01:00.000Z 2026-01-15T09:01:00.000Z"},
		{"refused", "failed refused 2026-01-15T09:02:00.000Z 2026-01-15T09:01:00.000Z"},
		{"", "finished <nil> 2026-01-15T09:03:00.000Z 2026-01-15T09:03:00.000Z"},
	} {
		svc.Advance(time.Minute)
		mirror.Update(c.failure)
		shown := into[map[string]any](t, call(t, svc, "GET", "/projects/1/remote_mirrors/1", ""), 200)
		same(t, spaced(shown["update_status"], shown["last_error"], shown["last_update_at"],
			shown["last_successful_update_at"]), c.want)
	}
}

// TestHandlesOfUsers checks the options of users, and what handles then return.
func TestHandlesOfUsers(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada-b_c.d", servicetest.Email("a@example.org"), servicetest.Admin())
	same(t, spaced(ada.Username(), ada.Email(), ada.IsAdmin(), ada.Password(), ada.State(), ada.MustChangePassword(),
		ada.Avatar(), ada.Exists()), "ada-b_c.d a@example.org true  active false  true")
	same(t, asked(t, svc, `PUT /users/2 {"password":"12345678"}`), "200")
	same(t, spaced(ada.Password(), ada.MustChangePassword()), "12345678 true")
	same(t, asked(t, svc, `POST /users {"name":"B","username":"b","email":"b@example.org","password":"87654321"}`,
		`POST /users {"name":"C","username":"c","email":"c@example.org","password":"87654321","reset_password":true}`,
	), "201 201")
	same(t, spaced(svc.FindUser("B").Password(), svc.FindUser("c").Password() == "", svc.FindUser("x") == nil),
		"87654321 true true")
	wait := svc.User("wait", servicetest.PendingApproval())
	gone := svc.User("gone", servicetest.PendingApproval())
	same(t, spaced(wait.State()), "blocked_pending_approval")
	same(t, call(t, svc, "POST", "/users/5/approve", "").body, `{"message":"Success"}`)
	same(t, call(t, svc, "POST", "/users/6/reject", "").body, `{"message":"Success"}`)
	same(t, spaced(wait.State(), gone.Exists(), svc.FindUser("gone") == nil), "active false true")
	group := svc.Group("acme")
	svc.User("eve", servicetest.ProvisionedBy(group), servicetest.Unconfirmed(), servicetest.Profile{
		Bio: "b", Location: "l", Skype: "s", LinkedIn: "i", Twitter: "t", WebsiteURL: "w", Organization: "o",
		JobTitle: "j", Pronouns: "p", WorkInformation: "k", Discord: "d", Private: true,
	})
	view := into[map[string]any](t, call(t, svc, "GET", "/users/7", ""), 200)
	same(t, spaced(view["provisioned_by_group_id"], view["confirmed_at"], view["bio"], view["location"], view["skype"],
		view["linkedin"], view["twitter"], view["website_url"], view["organization"], view["job_title"],
		view["pronouns"], view["work_information"], view["discord"], view["private_profile"], view["name"]),
		"1 <nil> b l s i t w o j p k d true Eve")
	named := into[map[string]any](t, call(t, svc, "GET", "/users/2", ""), 200)
	same(t, spaced(named["name"]), "Ada B C D")
}

// TestOrderOfActivities: users are in the order of the day of their last activity, and
// on the same day in the order of their IDs.
func TestOrderOfActivities(t *testing.T) {
	svc := servicetest.New(t)
	for name, minutes := range map[string]int{"a": 10, "b": 2 * 24 * 60, "c": 8 * 60, "d": 24 * 60} {
		svc.User(name, servicetest.ID(int64(10+name[0]-'a')), servicetest.SignedIn(at(minutes), "10.0.0.1"))
	}
	shows(t, svc, "/user/activities", "0.username 1.username 2.username 3.username", `"b" "d" "a" "c"`)
}

// TestHandlesOfWikis checks what the handle of a page returns, and the versions of the
// page.
func TestHandlesOfWikis(t *testing.T) {
	svc := servicetest.New(t)
	page := svc.Project("acme/app").WikiPage("/folder/My page", "one")
	first := page.Version()
	same(t, spaced(page.Slug(), page.Content(), len(first)), "folder/My-page one 40")
	path := "/projects/1/wikis/folder%2FMy-page"
	same(t, asked(t, svc, "PUT "+path+` {"content":"two","front_matter":{"title":"T"}}`), "200")
	same(t, spaced(page.Content(), page.Version() == first), "two false")
	for version, want := range map[string]string{"": "two T", first: "one My page", page.Version(): "two T"} {
		then := into[struct{ Content, Title string }](t, call(t, svc, "GET", path+"?version="+version, ""), 200)
		same(t, then.Content+" "+then.Title, want)
	}
}

// isCopy checks that changing a list that a handle returned changes nothing else.
func isCopy[T any](t *testing.T, name string, list func() []T) {
	t.Helper()
	var none T
	before := list()
	if len(before) == 0 {
		t.Fatalf("%s is empty", name)
	}
	want := fmt.Sprint(before)
	before[0] = none
	if got := fmt.Sprint(list()); got != want {
		t.Errorf("%s was %s, and is %s after a change of what was returned", name, want, got)
	}
}

// TestListsOfHandlesAreCopies: changing a list that a handle returned does not change
// the service.
func TestListsOfHandlesAreCopies(t *testing.T) {
	svc := servicetest.New(t)
	app, ada := svc.Project("acme/app"), svc.User("ada")
	reaction := servicetest.Reaction(ada, "tada")
	runner := svc.Runner("fast", servicetest.ForProjects(app))
	issue := app.Issue("Crash", servicetest.Labels("bug"), servicetest.AssignedTo(ada), reaction)
	issue.Note("Why?")
	m := app.MergeRequest("work", servicetest.Labels("bug"), servicetest.AssignedTo(ada), servicetest.ReviewedBy(ada),
		reaction)
	m.Approve(ada)
	m.Note("Look.")
	pipeline := app.Pipeline("main", servicetest.PipelineVariable("A", "1"))
	pipeline.Job("test")
	environment := app.Environment("production")
	environment.Deployment()
	app.Group().ProvisionSCIM(ada, "ada-1")
	snippet := app.Snippet("Trick", reaction)
	snippet.Note("Nice.")
	epic := app.Group().Epic("Epic", reaction)
	epic.Note("Go on.")
	app.Package("tool", "1.0")
	app.Tag("v1.0", "main")
	app.Release("v1.0", "The first.")
	ada.SSHKey("laptop")
	app.SecureFile("key", "x")

	isCopy(t, "runner.Projects", runner.Projects)
	isCopy(t, "svc.Runners", svc.Runners)
	isCopy(t, "app.Issues", app.Issues)
	isCopy(t, "issue.LabelNames", issue.LabelNames)
	isCopy(t, "issue.Assignees", issue.Assignees)
	isCopy(t, "issue.Reactions", func() []string { return issue.Reactions(ada) })
	isCopy(t, "issue.Notes", issue.Notes)
	isCopy(t, "app.MergeRequests", app.MergeRequests)
	isCopy(t, "m.LabelNames", m.LabelNames)
	isCopy(t, "m.Assignees", m.Assignees)
	isCopy(t, "m.Reviewers", m.Reviewers)
	isCopy(t, "m.Approvers", m.Approvers)
	isCopy(t, "m.Reactions", func() []string { return m.Reactions(ada) })
	isCopy(t, "m.Notes", m.Notes)
	isCopy(t, "app.Pipelines", app.Pipelines)
	isCopy(t, "app.Jobs", app.Jobs)
	isCopy(t, "pipeline.Jobs", pipeline.Jobs)
	isCopy(t, "app.Environments", app.Environments)
	isCopy(t, "environment.Deployments", environment.Deployments)
	isCopy(t, "SCIMUsers", app.Group().SCIMUsers)
	isCopy(t, "app.Snippets", app.Snippets)
	isCopy(t, "snippet.Reactions", func() []string { return snippet.Reactions(ada) })
	isCopy(t, "snippet.Notes", snippet.Notes)
	isCopy(t, "epic.Reactions", func() []string { return epic.Reactions(ada) })
	isCopy(t, "epic.Notes", epic.Notes)
	isCopy(t, "app.Packages", app.Packages)
	isCopy(t, "app.Releases", app.Releases)
	isCopy(t, "app.SecureFiles", app.SecureFiles)
	isCopy(t, "app.LabelNames", app.LabelNames)
	isCopy(t, "ada.SSHKeys", ada.SSHKeys)
	variables := pipeline.Variables()
	clear(variables)
	same(t, spaced(pipeline.Variables()), "map[A:1]")
}

// TestOptionsKeepCopies: changing a list that was given to an option does not change
// the option.
func TestOptionsKeepCopies(t *testing.T) {
	svc := servicetest.New(t)
	app, ada, bob := svc.Project("acme/app"), svc.User("ada"), svc.User("bob")
	names, users, projects := []string{"api"}, []*servicetest.User{ada}, []*servicetest.Project{app}
	issue := app.Issue("Crash", servicetest.Labels(names...), servicetest.AssignedTo(users...))
	m := app.MergeRequest("work", servicetest.ReviewedBy(users...))
	runner := svc.Runner("fast", servicetest.ForProjects(projects...), servicetest.Tags(names...))
	token := svc.Token(ada, servicetest.Scopes(names...))
	svc.Project("acme/lib", servicetest.Topics(names...)).Package("lib", "1.0", servicetest.PackageTags(names...))
	names[0], users[0], projects[0] = "read_api", bob, svc.Project("acme/other")
	same(t, issue.LabelNames(), []string{"api"})
	same(t, spaced(issue.Assignees()[0] == ada, m.Reviewers()[0] == ada, runner.Projects()[0] == app), "true true true")
	shows(t, svc, "/runners/1", "tag_list.0", `"api"`)
	shows(t, svc, "/projects/2", "topics.0", `"api"`)
	shows(t, svc, "/projects/2/packages/1", "tags.0.name", `"api"`)
	own := into[struct{ Scopes []string }](t, get(t, svc, "/personal_access_tokens/self", "PRIVATE-TOKEN", token), 200)
	same(t, own.Scopes, []string{"api"})
}

// TestTimesOfOptionsAreInUTC: responses show times in UTC, whatever their time zone
// was.
func TestTimesOfOptionsAreInUTC(t *testing.T) {
	svc := servicetest.New(t)
	local := servicetest.Epoch.Add(-24 * time.Hour).In(time.FixedZone("far", 14*3600))
	app := svc.Project("acme/app", servicetest.CreatedAt(local))
	hook := app.Hook("http://127.0.0.1:1")
	app.Commit("main", "Begin", servicetest.Write("a", "a\n"), servicetest.CommittedAt(local))
	app.Environment("production").Deployment(servicetest.CreatedAt(local))
	issue := app.Issue("Crash", servicetest.DueOn(local))
	call(t, svc, "PUT", "/projects/1/issues/1", `{"due_date":null}`)
	same(t, issue.Notes()[0].Body(), "removed due date January 14, 2026")
	svc.Flush()
	sent := map[string]string{}
	for _, d := range hook.Deliveries() {
		sent[d.Event] = string(d.Body)
	}
	for event, want := range map[string]string{
		"Push Hook":       `"timestamp":"2026-01-14T09:00:00Z"`,
		"Deployment Hook": `"status_changed_at":"2026-01-14 09:00:00 +0000"`,
	} {
		if !strings.Contains(sent[event], want) {
			t.Errorf("%s: %s, want %s", event, sent[event], want)
		}
	}
	image := app.RegistryRepository("image")
	revision := func(at time.Time) string {
		image.Push("v1", servicetest.CreatedAt(at))
		return call(t, svc, "GET", "/projects/1/registry/repositories/1/tags/v1", "").body
	}
	same(t, revision(local), revision(local.UTC()))
}

// TestTokensHaveTheirForm: each kind of token has its prefix and a fixed length.
func TestTokensHaveTheirForm(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	for token, form := range map[string]string{
		svc.Runner("fast").Token():            "runner-[0-9a-f]{20}",
		svc.RegistrationToken():               "registration-[0-9a-f]{20}",
		app.RegistrationToken():               "registration-[0-9a-f]{20}",
		app.Group().RegistrationToken():       "registration-[0-9a-f]{20}",
		app.Trigger("nightly").Token():        "trigger-1-root",
		app.DeployToken("cluster").Token():    "deploy-1-secret",
		app.Pipeline("main").Job("a").Token(): "job-[0-9]-root",
	} {
		if !regexp.MustCompile("^" + form + "$").MatchString(token) {
			t.Errorf("the token %s is not %s", token, form)
		}
	}
}
