package servicetest_test

import (
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi/servicetest"
)

// TestMain runs the tests in a time zone that must not show: the service writes all
// times in UTC.
func TestMain(m *testing.M) {
	time.Local = time.FixedZone("far", 5*3600+1800)
	os.Exit(m.Run())
}

// A world has the objects that the calls of a file in testdata/calls use:
//
//   - the private group acme (1) with the group acme/team (2), and the public
//     group open (3)
//   - the projects acme/app (1, with everything in it), acme/team/tool (2, private),
//     open/site (3, public) and ada/notes (4, a personal project)
//   - root (1), an administrator; owner, maintainer, developer, reporter and guest
//     (2 to 6), who have these roles in acme; stranger (7), without a role; ada (8)
type world struct {
	svc    *servicetest.Service
	tokens map[string]string

	users             map[string]*servicetest.User
	acme, team        *servicetest.Group
	app, tool, site   *servicetest.Project
	milestone, before *servicetest.Milestone
	pipeline          *servicetest.Pipeline
	threads           map[string]string // IDs of discussions by placeholder
}

// named returns the value of a placeholder: a discussion, or the head of a branch of
// acme/app.
func (w *world) named(placeholder string) string {
	if id := w.threads[placeholder]; id != "" {
		return id
	}
	return w.app.Head(strings.Trim(placeholder, "{}"))
}

func newWorld(t *testing.T, opts ...servicetest.Option) *world {
	t.Helper()
	svc := servicetest.New(t, append(opts, servicetest.WithExternalURL("https://service.example"))...)
	w := &world{svc: svc, tokens: map[string]string{}, users: map[string]*servicetest.User{}}
	w.seedPeople()
	w.seedGroups()
	w.seedRepository()
	w.seedPipelines()
	w.seedPlans()
	w.seedMergeRequests()
	w.seedEnvironments()
	w.seedRest()
	w.seedOthers()
	return w
}

// at returns a time a number of minutes before the clock.
func at(minutes int) time.Time {
	return servicetest.Epoch.Add(-time.Duration(minutes) * time.Minute)
}

func day(n int) time.Time { return time.Date(2026, 1, n, 0, 0, 0, 0, time.UTC) }

var people = []string{"owner", "maintainer", "developer", "reporter", "guest", "stranger", "ada"}

func (w *world) seedPeople() {
	for i, name := range people {
		var opts []servicetest.UserOption
		if name == "ada" {
			opts = append(opts, servicetest.Name("Ada Lovelace"), servicetest.PublicEmail("ada@example.org"),
				servicetest.Email("ada@example.com"),
				servicetest.SignedIn(at(90), "10.0.0.7"), servicetest.SignedIn(at(60), "10.0.0.8"),
				servicetest.SignsInWith("ldap", "uid=ada"), servicetest.TwoFactor(),
				servicetest.AdminNote("First"), servicetest.CustomAttribute("team", "engine"),
				servicetest.CustomAttribute("area", "math"),
				servicetest.Profile{Bio: "Counts.", Location: "London", Skype: "s", LinkedIn: "l", Twitter: "t",
					WebsiteURL: "https://ada.example", Organization: "Engine"})
		}
		w.users[name] = w.svc.User(name, append(opts, servicetest.CreatedAt(at(1000-i)))...)
	}
	w.users["ada"].Follow(w.users["owner"])
	w.users["owner"].Follow(w.users["ada"])
	w.users["guest"].Follow(w.users["ada"])
	w.users["ada"].SSHKey("old laptop")
}

func (w *world) seedGroups() {
	svc := w.svc
	w.acme = svc.Group("acme", servicetest.Description("The makers."), servicetest.CreatedAt(at(900)))
	w.team = svc.Group("acme/team", servicetest.CreatedAt(at(890)))
	svc.Group("open", servicetest.Public(), servicetest.CreatedAt(at(880)))
	for i, level := range []servicetest.AccessLevel{servicetest.Owner, servicetest.Maintainer, servicetest.Developer,
		servicetest.Reporter, servicetest.Guest} {
		w.acme.AddMember(w.users[people[i]], level, servicetest.MemberSince(at(800)))
	}
	w.app = svc.Project("acme/app", servicetest.Description("An app."), servicetest.Topics("tools", "go"),
		servicetest.CreatedAt(at(700)))
	w.tool = svc.Project("acme/team/tool", servicetest.CreatedAt(at(690)))
	w.site = svc.Project("open/site", servicetest.Public(), servicetest.CreatedAt(at(680)))
	svc.Project("ada/notes", servicetest.CreatedAt(at(670)))
	w.app.AddMember(w.users["ada"], servicetest.Developer, servicetest.MemberSince(at(600)),
		servicetest.MemberUntil(day(31)))
	w.tool.ShareWith(w.acme, servicetest.Reporter)
	w.app.Star(w.users["ada"])
}

func (w *world) seedRepository() {
	app, ada := w.app, w.users["ada"]
	app.Commit("main", "Begin\n\nChangelog: added", servicetest.Write("README.md", "# App\n\nIt works.\n"),
		servicetest.WriteExecutable("bin/run", "#!/bin/sh\n"),
		servicetest.Write("docs/a.md", "a\nb\nc\n"), servicetest.CommittedAt(at(600)))
	app.Commit("main", "Explain", servicetest.Write("docs/a.md", "a\nB\nc\n"), servicetest.CommitAuthor(ada),
		servicetest.CommittedAt(at(590)))
	w.threads = map[string]string{"{base}": app.Head("main")}
	app.Commit("wool", "Work", servicetest.Write("work.txt", "work\n"), servicetest.CommitAuthor(ada),
		servicetest.CommittedAt(at(500)))
	app.Commit("done", "Done", servicetest.Write("done.txt", "done\n"), servicetest.CommittedAt(at(490)))
	app.Commit("clash", "Ours", servicetest.Write("README.md", "# Ours\n"), servicetest.CommittedAt(at(480)))
	w.threads["{lost}"] = app.Head("clash")
	app.Commit("main", "Theirs", servicetest.Write("README.md", "# Theirs\n"), servicetest.CommittedAt(at(470)))
	app.Tag("v1.0", "main")
	app.Tag("v1.1", "wool")
	first := app.Release("v1.0", "The first.", servicetest.By(ada), servicetest.CreatedAt(at(460)))
	first.Link("notes", "https://notes.example")
	app.ProtectBranch("main", servicetest.DevelopersCanMerge())
	app.ProtectTag("v1.0")
	w.site.Commit("main", "Begin", servicetest.Write("index.html", "<p>\n"), servicetest.CommittedAt(at(600)))
}

func (w *world) seedPipelines() {
	ada := w.users["ada"]
	runner := w.svc.Runner("shared", servicetest.Tags("linux"))
	w.svc.Runner("of app", servicetest.ForProjects(w.app), servicetest.RunnerLocked(),
		servicetest.RunnerTimeout(time.Hour), servicetest.RunnerVersion("17.1"), servicetest.RunnerRefProtected(),
		servicetest.Name("name of app"))
	w.svc.Runner("of acme", servicetest.ForGroup(w.acme), servicetest.RunnerPaused(),
		servicetest.RunnerStatus("offline"))
	p := w.app.Pipeline("main", servicetest.By(ada), servicetest.CreatedAt(at(300)), servicetest.PipelineSource("push"),
		servicetest.PipelineName("Build"), servicetest.PipelineVariable("DEPLOY", "no"))
	p.Job("build", servicetest.Stage("build"), servicetest.CreatedAt(at(300)), servicetest.Took(90*time.Second),
		servicetest.Queued(time.Second), servicetest.RunOn(runner),
		servicetest.Archive(map[string]string{"a.txt": "a\n", "b/c.txt": "c\n"}), servicetest.Trace("building\n"),
		servicetest.Tags("linux"), servicetest.Coverage(71.5))
	p.Job("test", servicetest.CreatedAt(at(299)), servicetest.Failed("script_failure"), servicetest.AllowFailure(),
		servicetest.JUnit(`<testsuites><testsuite name="unit"><testcase name="one" classname="a" time="0.5"/>`+
			`<testcase name="two"><failure>no</failure></testcase></testsuite></testsuites>`))
	p.Job("deploy", servicetest.Stage("deploy"), servicetest.CreatedAt(at(298)), servicetest.Manual())
	w.pipeline = p
	running := w.app.Pipeline("wool", servicetest.CreatedAt(at(200)), servicetest.PipelineSource("web"))
	running.Job("test", servicetest.CreatedAt(at(200)), servicetest.Running(), servicetest.By(w.users["developer"]))
	running.Job("lint", servicetest.CreatedAt(at(199)), servicetest.Pending())
	downstream := w.tool.Pipeline("main", servicetest.CreatedAt(at(250)))
	p.Bridge("downstream", downstream, servicetest.CreatedAt(at(297)))
	downstream.Job("left out", servicetest.Skipped(), servicetest.CreatedAt(at(249)))
	w.app.Pipeline("done", servicetest.CreatedAt(at(150))).Job("build", servicetest.CreatedAt(at(150)),
		servicetest.Archive(map[string]string{"out/d.txt": "d\n"}), servicetest.JUnit("<testsuites/>"))
	w.app.Pipeline("v1.0", servicetest.ForTag(), servicetest.PipelineStatus("canceled"),
		servicetest.YAMLErrors("no jobs"), servicetest.CreatedAt(at(100)))
}

func (w *world) seedPlans() {
	app, ada, guest := w.app, w.users["ada"], w.users["guest"]
	w.milestone = app.Milestone("1.0", servicetest.Description("The first."), servicetest.Between(day(1), day(31)),
		servicetest.CreatedAt(at(450)))
	w.before = app.Milestone("0.9", servicetest.ClosedMilestone(), servicetest.CreatedAt(at(460)))
	w.acme.Milestone("of acme", servicetest.Between(day(20), day(25)), servicetest.CreatedAt(at(455)))
	app.Label("bug", "#ff0000", "It is broken", servicetest.LabelPriority(2))
	app.Label("old", "#cccccc", "", servicetest.LabelArchived())
	w.acme.Label("feature", "#00ff00", "It is new")
	epic := w.acme.Epic("An epic", servicetest.By(ada), servicetest.Labels("feature", "roadmap"),
		servicetest.Reaction(ada, "thumbsup"), servicetest.Reaction(guest, "thumbsup"),
		servicetest.Reaction(w.users["owner"], "thumbsdown"), servicetest.Description("Long."),
		servicetest.Between(day(2), day(30)), servicetest.CreatedAt(at(440)))
	w.acme.Iteration(servicetest.Iteration{Title: "Sprint", Start: day(12), Due: day(25)})
	w.acme.Epic("A secret", servicetest.Confidential(), servicetest.CreatedAt(at(430)), servicetest.ChildOf(epic))
	w.acme.EpicBoard(servicetest.EpicBoard{
		Name: "Roadmap", Labels: []string{"roadmap", "feature"}, Limit: []string{"feature"},
		Collapsed: map[string][]*servicetest.User{"roadmap": {guest}},
	})
	w.acme.EpicBoard(servicetest.EpicBoard{Name: "a road", HideBacklogList: true, HideClosedList: true})
	one := app.Issue("Crash", servicetest.By(ada), servicetest.AssignedTo(w.users["developer"], ada),
		servicetest.Labels("bug"), servicetest.InMilestone(w.milestone),
		servicetest.DueOn(day(16)), servicetest.Weight(3), servicetest.InEpic(epic), servicetest.CreatedAt(at(400)),
		servicetest.Reaction(guest, "thumbsup"),
		servicetest.Reaction(ada, "thumbsdown"), servicetest.TimeTracked(2*time.Hour, 90*time.Minute),
		servicetest.Description("- [x] one\n- [ ] two"), servicetest.SubscribedBy(ada))
	app.Issue("Leak", servicetest.Confidential(), servicetest.CreatedAt(at(390)), servicetest.IssueType("incident"))
	app.Issue("Slow", servicetest.CreatedAt(at(380)), servicetest.DiscussionLocked(), servicetest.InMilestone(w.before),
		servicetest.UpdatedAt(at(10)))
	w.site.Issue("Typo", servicetest.By(guest), servicetest.CreatedAt(at(370)))
	w.site.Group().Milestone("of open", servicetest.CreatedAt(at(366)))
	one.Note("It crashes.", servicetest.By(guest), servicetest.CreatedAt(at(360)))
	one.Note("changed the title", servicetest.SystemNote(), servicetest.CreatedAt(at(359)))
	one.Note("Only for us.", servicetest.ConfidentialNote(), servicetest.By(ada), servicetest.CreatedAt(at(358)),
		servicetest.NoteUpdatedAt(at(350)))
	first := one.Note("Why?", servicetest.Thread(), servicetest.By(ada), servicetest.CreatedAt(at(340)))
	one.Note("Because.", servicetest.InReplyTo(first), servicetest.CreatedAt(at(339)))
	w.threads["{why}"] = first.DiscussionID()
	epic.Note("Go on.", servicetest.By(guest), servicetest.CreatedAt(at(335)))
	snippet := app.Snippet("Trick", servicetest.By(ada), servicetest.Description("How to."),
		servicetest.SnippetContent("trick.sh", "exit\n"), servicetest.CreatedAt(at(330)))
	snippet.Note("Nice.", servicetest.By(guest), servicetest.CreatedAt(at(329)))
	app.Snippet("Open", servicetest.Public(), servicetest.CreatedAt(at(328)))
}

func (w *world) seedMergeRequests() {
	app, ada, maintainer := w.app, w.users["ada"], w.users["maintainer"]
	m := app.MergeRequest("wool", servicetest.Title("Add work"), servicetest.By(ada),
		servicetest.Description("Closes #1"), servicetest.Labels("bug", "feature"),
		servicetest.InMilestone(w.milestone), servicetest.AssignedTo(ada), servicetest.ReviewedBy(maintainer),
		servicetest.ApprovableBy(1, maintainer, w.users["developer"]),
		servicetest.SquashOnMerge(), servicetest.RemoveSourceOnMerge(), servicetest.CreatedAt(at(150)),
		servicetest.Reaction(ada, "rocket"), servicetest.SubscribedBy(ada),
		servicetest.TimeTracked(time.Hour, 30*time.Minute))
	app.ApprovalSwitch("merge_requests_author_approval", true)
	note := m.Note("Look.", servicetest.By(maintainer), servicetest.Thread(), servicetest.CreatedAt(at(140)))
	w.threads["{thread}"] = note.DiscussionID()
	m.Note("I do.", servicetest.By(ada), servicetest.InReplyTo(note), servicetest.CreatedAt(at(139)))
	w.threads["{remark}"] = m.Note("Fine.", servicetest.By(ada), servicetest.CreatedAt(at(138))).DiscussionID()
	done := app.MergeRequest("done", servicetest.Labels("bug"), servicetest.By(ada), servicetest.CreatedAt(at(130)))
	done.Merge()
	done.DeployedTo("production", at(90))
	app.MergeRequest("clash", servicetest.Draft(), servicetest.CreatedAt(at(120)))
	app.MergeRequest("main", servicetest.Into("clash"), servicetest.CreatedAt(at(110))).Close()
}

func (w *world) seedEnvironments() {
	app, developer := w.app, w.users["developer"]
	production := app.Environment("production", servicetest.EnvironmentTier("production"),
		servicetest.ExternalURL("https://app.example"), servicetest.CreatedAt(at(95)),
		servicetest.NeedsApprovals(1))
	review := app.Environment("review/wool", servicetest.EnvironmentTier("testing"), servicetest.CreatedAt(at(94)),
		servicetest.OnStop(w.pipeline.Jobs()[0]))
	app.Environment("review/old", servicetest.EnvironmentState("stopped"), servicetest.CreatedAt(at(93)))
	production.Deployment(servicetest.By(developer), servicetest.CreatedAt(at(90)),
		servicetest.DeployedBy(w.app.Jobs()[0]))
	production.Deployment(servicetest.By(developer), servicetest.CreatedAt(at(80)),
		servicetest.DeploymentStatus("blocked"))
	review.Deployment(servicetest.CreatedAt(at(70)), servicetest.DeployedRef("wool"),
		servicetest.DeploymentStatus("running"))
}

func (w *world) seedRest() {
	svc, app, ada := w.svc, w.app, w.users["ada"]
	app.RegistryRepository("image", servicetest.CreatedAt(at(85))).Push("latest", servicetest.ImageSize(2048),
		servicetest.CreatedAt(at(84))).Push("v1", servicetest.CreatedAt(at(83)))
	app.RegistryRepository("", servicetest.CleanupStartedAt(at(20)), servicetest.CreatedAt(at(82)))
	app.Package("seed", "0.1", servicetest.CreatedAt(at(290)), servicetest.PublishedBy(w.pipeline),
		servicetest.PackageTags("latest")).File("seed.txt", "seed\n")
	app.Package("seed", "0.2", servicetest.CreatedAt(at(280)), servicetest.PublishedBy(w.pipeline))
	app.SecureFile("key.jks", "secret", servicetest.CreatedAt(at(81)))
	app.DeployKey("reader", servicetest.CreatedAt(at(79)), servicetest.KeyExpiresAt(day(30)))
	svc.DeployKey("open key", servicetest.Public(), servicetest.CreatedAt(at(77)))
	svc.DeployKey("shared key", servicetest.EnabledIn(w.site), servicetest.WritesTo(app), servicetest.CreatedAt(at(78)))
	app.DeployToken("old", servicetest.ExpiresAt(day(-1)))
	app.DeployToken("cluster", servicetest.Scopes("read_registry", "write_registry"), servicetest.ExpiresAt(day(30)))
	w.acme.DeployToken("of the group")
	svc.Revoke(w.acme.DeployToken("lost").Token())
	app.Variable("KEY", "secret-value", servicetest.MaskedVariable())
	app.Variable("KEY", "for production", servicetest.VariableScope("production"), servicetest.ProtectedVariable())
	w.acme.Variable("TOKEN", "hidden-value", servicetest.HiddenVariable())
	app.PipelineSchedule("in June", "0 4 1 jun *", servicetest.ScheduledIn("Europe/Berlin"),
		servicetest.ScheduledRef("wool"), servicetest.ScheduleVariable("TARGET", "live"),
		servicetest.ScheduleInput("zones", []string{"eu"}), servicetest.CreatedAt(at(71)))
	w.tool.PipelineSchedule("hourly", "0 * * * *", servicetest.InactiveSchedule())
	app.Trigger("nightly", servicetest.CreatedAt(at(72)), servicetest.TriggerExpiresAt(day(31)))
	svc.AuditEvent(w.svc.Root(), servicetest.AuditDetails{"with": "standard"}, servicetest.AboutUser(ada),
		servicetest.CreatedAt(at(77)))
	svc.AuditEvent(ada, servicetest.AuditDetails{"remove": "group"}, servicetest.AboutGroup(w.team),
		servicetest.CreatedAt(at(74)))
	svc.AuditEvent(ada, servicetest.AuditDetails{"remove": "project"}, servicetest.AboutProject(w.tool),
		servicetest.CreatedAt(at(73)))
	w.acme.AuditEvent(w.users["owner"], servicetest.AuditDetails{"add": "user_access", "target_id": 8},
		servicetest.CreatedAt(at(76)))
	app.AuditEvent(ada, servicetest.AuditDetails{"change": "visibility", "from": "public", "to": "private"},
		servicetest.CreatedAt(at(75)))
	app.AccessToken(servicetest.Maintainer, servicetest.Scopes("read_api"), servicetest.ExpiresAt(day(28)))
	w.acme.AccessToken(servicetest.Developer)
	svc.Token(ada, servicetest.Scopes("read_user", "read_api"), servicetest.ExpiresAt(day(20)))
	w.acme.ProvisionSCIM(ada, "ada-external")
	w.pipeline.Finding(servicetest.Finding{Name: "Injection", Severity: "high", Vulnerable: true})
	w.pipeline.Finding(servicetest.Finding{Name: "Old hash", ReportType: "secret_detection"})
	app.Dependency(servicetest.Dependency{Name: "yaml", Version: "1.2", PackageManager: "npm", File: "package.json",
		Licenses: []string{"MIT"}, Finding: 1})
	app.Dependency(servicetest.Dependency{Name: "zip", PackageManager: "go"})
	app.Alert()
	svc.RemoteGroup("old/tools", "one")
	svc.FailRemote("old/tools/one", servicetest.RemoteFailure{Relation: "labels", Message: "Title is too long",
		Title: "A label"})
}

// seedOthers adds rarer objects: blocked and other users, a fork with a merge
// request, storage moves, approval rules.
func (w *world) seedOthers() {
	svc, app := w.svc, w.app
	svc.User("auditor", servicetest.Auditor())
	svc.User("sleeper", servicetest.Deactivated())
	svc.User("barred", servicetest.Blocked())
	svc.User("unsure", servicetest.Unconfirmed())
	svc.User("outsider", servicetest.External())
	svc.User("service", servicetest.ServiceBot())
	svc.User("ldap", servicetest.LDAPBlocked())
	fork := svc.Project("stranger/site", servicetest.Public())
	fork.Commit("patch", "Patch", servicetest.Write("patch.txt", "patch\n"), servicetest.CommittedAt(at(65)),
		servicetest.Signed(servicetest.SSH, "verified"))
	w.site.MergeRequest("patch", servicetest.FromFork(fork), servicetest.By(w.users["stranger"]),
		servicetest.AllowsPush(), servicetest.CreatedAt(at(60)))
	fork.Commit("main", "Go on", servicetest.Write("more.txt", "more\n"), servicetest.CommittedAt(at(38)),
		servicetest.Signed(servicetest.PGP, "unknown_key"))
	w.site.MergeRequest("main", servicetest.FromFork(fork), servicetest.By(w.users["stranger"]),
		servicetest.CreatedAt(at(37)))
	app.ProtectBranch("stable")
	app.Issue("Later", servicetest.DueOn(day(180)), servicetest.Weight(1), servicetest.CreatedAt(at(40)),
		servicetest.Reaction(w.users["guest"], "thumbsup"))
	w.site.Group().Epic("Elsewhere", servicetest.Labels("feature"), servicetest.CreatedAt(at(39))).Close()
	w.site.Label("dim", "#fff500", "")
	w.site.Label("light", "#fff501", "")
	w.site.Label("odd", "red", "")
	app.Issues()[2].Close()
	app.AllowAgent(w.tool)
	typo := w.site.Issues()[0]
	typo.Note("There.", servicetest.InReplyTo(typo.Note("Where?", servicetest.CreatedAt(at(369)))),
		servicetest.CreatedAt(at(368)))
	w.tool.CI(servicetest.PlanJob("compile", servicetest.Stage("build"), servicetest.Took(30*time.Second),
		servicetest.Trace("compiling\n"),
		servicetest.Archive(map[string]string{"out": "x"}), servicetest.ExpireIn(time.Hour), servicetest.Coverage(50)),
		servicetest.PlanJob("check", servicetest.Stage("verify"), servicetest.Failed("script_failure"),
			servicetest.AllowFailure()),
		servicetest.PlanJob("flaky", servicetest.Stage("verify"), servicetest.Flaky("runner_system_failure")),
		servicetest.PlanJob("release", servicetest.Stage("ship"), servicetest.Manual()),
		servicetest.PlanJob("never", servicetest.Stage("ship"), servicetest.Skipped()))
	w.site.CI(servicetest.PlanJob("stopped", servicetest.Canceled()),
		servicetest.PlanJob("asked", servicetest.Stage("later"), servicetest.Manual()))
	bare := svc.Project("acme/bare", servicetest.EmptyRepository(), servicetest.CreatedAt(at(50)))
	bare.Commit("side", "Begin", servicetest.Write("a", "a\n"), servicetest.CommittedAt(at(49)),
		servicetest.Signed(servicetest.X509, "unverified"))
	bare.CI(servicetest.PlanJob("first", servicetest.Stage("one"), servicetest.Flaky("script_failure"),
		servicetest.InResourceGroup("deploy/eu")),
		servicetest.PlanJob("second", servicetest.Stage("two")),
		servicetest.PlanJob("third", servicetest.Stage("three")))
	w.site.MergeRequest("side", servicetest.FromFork(bare), servicetest.CreatedAt(at(45)))
	w.threads["{registration}"] = svc.RegistrationToken()
	w.threads["{jobtoken}"] = app.Jobs()[3].Token()
	w.threads["{ofgroup}"] = w.acme.RegistrationToken()
	w.threads["{ofproject}"] = app.RegistrationToken()
	guarded := w.tool.Environment("guarded", servicetest.EnvironmentProtected(), servicetest.SearchesLogs(),
		servicetest.NeedsApprovalOf(w.users["reporter"]),
		servicetest.NeedsApprovalsOfRole(servicetest.Maintainer, 2), servicetest.NeedsApprovalsOfGroup(w.acme, 1))
	guarded.Deployment(servicetest.DeploymentStatus("blocked"), servicetest.By(w.users["developer"]))
}

// An answer is a response whose body has been read.
type answer struct {
	*http.Response

	body string
}

// request sends one request. Headers come in pairs of name and value.
func request(t *testing.T, method, address, body string, headers ...string) answer {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	client := http.Client{Transport: connections, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	response, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	return readAnswer(t, response)
}

// connections are only for the tests. Closing a service closes the idle connections of
// http.DefaultTransport, sometimes including one that another test has just begun to
// use.
var connections = http.DefaultTransport.(*http.Transport).Clone()

// call sends a request to the API as the administrator.
func call(t *testing.T, svc *servicetest.Service, method, path, body string, headers ...string) answer {
	t.Helper()
	return request(t, method, svc.URL()+"/api/v4"+path, body, append([]string{"PRIVATE-TOKEN", svc.AdminToken()},
		headers...)...)
}

// asked returns the statuses of calls. Each call is a method, a path and an optional
// body.
func asked(t *testing.T, svc *servicetest.Service, calls ...string) string {
	t.Helper()
	var statuses []any
	for _, text := range calls {
		words := strings.SplitN(text+"  ", " ", 3)
		statuses = append(statuses, call(t, svc, words[0], words[1], strings.TrimSpace(words[2])).StatusCode)
	}
	return spaced(statuses...)
}

// into decodes a response that must have a status.
func into[T any](t *testing.T, a answer, status int) T {
	t.Helper()
	var value T
	if a.StatusCode != status {
		t.Fatalf("status %d, want %d: %s", a.StatusCode, status, a.body)
	}
	if err := json.Unmarshal([]byte(a.body), &value); err != nil {
		t.Fatalf("%v in %s", err, a.body)
	}
	return value
}

// refused checks the status and the body of a response.
func refused(t *testing.T, a answer, status int, body string) {
	t.Helper()
	if a.StatusCode != status || a.body != body {
		t.Errorf("answer %d %s, want %d %s", a.StatusCode, a.body, status, body)
	}
}

func TestSmallestUse(t *testing.T) {
	svc := servicetest.New(t)
	job := svc.Project("acme/app").Pipeline("main").Job("test", servicetest.Failed("script_failure"))
	got := into[map[string]any](t, call(t, svc, "GET", "/projects/acme%2Fapp/jobs/1", ""), 200)
	if got["name"] != "test" || got["status"] != job.Status() || got["failure_reason"] != "script_failure" {
		t.Errorf("job = %v", got)
	}
	for _, member := range []string{"coverage", "artifacts_expire_at"} {
		if value, ok := got[member]; !ok || value != nil {
			t.Errorf("%s = %v, %v, want null", member, value, ok)
		}
	}
}
