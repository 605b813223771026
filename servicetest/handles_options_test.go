package servicetest_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi/servicetest"
)

// shows checks members of a response, named as in testdata/rules.
func shows(t *testing.T, svc *servicetest.Service, path, members, want string) {
	t.Helper()
	item := into[any](t, call(t, svc, "GET", path, ""), 200)
	var values []string
	for member := range strings.FieldsSeq(members) {
		text, _ := json.Marshal(memberOf(item, member))
		values = append(values, string(text))
	}
	if got := strings.Join(values, " "); got != want {
		t.Errorf("%s | %s: %s, want %s", path, members, got, want)
	}
}

// TestOptionsOfKeysAndTriggers: the API shows what the test has seeded.
func TestOptionsOfKeysAndTriggers(t *testing.T) {
	svc := servicetest.New(t, servicetest.WithVersion("15.2.0"))
	ada, app, site := svc.User("ada"), svc.Project("acme/app"), svc.Project("acme/site")
	key := app.DeployKey("reader", servicetest.ID(7), servicetest.KeyText("ssh-ed25519 "+
		"AAAAC3NzaC1lZDI1NTE5AAAAIGPEpTCQGqLGtJPHNRAIZQZG8RAx6SWoLFHqDQlgnv0h me"))
	writer := app.DeployKey("writer", servicetest.WritesTo(app))
	trigger := app.Trigger("nightly", servicetest.ID(8), servicetest.By(ada))
	schedule := app.PipelineSchedule("early", "0 4 * * *", servicetest.ID(9), servicetest.By(ada))
	app.Package("tool", "1.0", servicetest.ID(10))
	token := app.DeployToken("cluster")
	image := app.RegistryRepository("image")
	client := svc.OAuthApplication("client")
	runner := svc.Runner("fast", servicetest.RunnerLocked(), servicetest.RunnerPaused(),
		servicetest.RunnerSystemID("s_1"), servicetest.ForProjects(app))
	named := svc.Token(ada, servicetest.Name("laptop"))

	shows(t, svc, "/version", "version", `"15.2.0"`)
	shows(t, svc, "/projects/1/deploy_keys/7", "title key can_push", fmt.Sprintf(`"reader" %q false`, key.Key()))
	shows(t, svc, "/projects/1/triggers/8", "id owner.username token", fmt.Sprintf(`8 "ada" %q`, trigger.Token()[:4]))
	shows(t, svc, "/projects/1/pipeline_schedules/9", "owner.username next_run_at", `"ada" "2026-01-16T04:00:00.000Z"`)
	shows(t, svc, "/projects/1/packages/10", "name", `"tool"`)
	shows(t, svc, fmt.Sprintf("/projects/1/deploy_tokens/%d", token.ID()), "username",
		fmt.Sprintf("%q", token.Username()))
	shows(t, svc, fmt.Sprintf("/registry/repositories/%d", image.ID()), "name", `"image"`)
	shows(t, svc, "/applications", "0.id 0.application_id", fmt.Sprintf("%d %q", client.ID(), client.ClientID()))
	shows(t, svc, "/runners/1", "locked paused", "true true")
	own := into[struct{ Name string }](t, get(t, svc, "/personal_access_tokens/self", "PRIVATE-TOKEN", named), 200)
	same(t, own.Name, "laptop")
	same(t, spaced(key.ID(), trigger.ID(), schedule.ID(), schedule.NextRunAt().Format(time.DateTime)),
		"7 8 9 2026-01-16 04:00:00")
	same(t, spaced(key.CanPush(app), writer.CanPush(app), writer.CanPush(site)), "false true false")
	same(t, spaced(runner.Locked(), runner.Paused(), runner.MaintenanceNote()), "true true ")
	call(t, svc, "PUT", "/runners/1", `{"maintenance_note":"Soon.","locked":false,"paused":false}`)
	same(t, spaced(runner.Locked(), runner.Paused(), runner.MaintenanceNote()), "false false Soon.")
}

// TestKeysWithoutMD5: without MD5, keys have only their newer fingerprint.
func TestKeysWithoutMD5(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app").DeployKey("reader")
	prints := func() string {
		made := into[map[string]any](t, call(t, svc, "GET", "/projects/1/deploy_keys/1", ""), 200)
		return spaced(made["fingerprint"] != nil, made["fingerprint_sha256"] != nil)
	}
	same(t, prints(), "true true")
	svc.EnableFIPS()
	same(t, prints(), "false true")
}

// TestOptionsOfPeople: accounts elsewhere, bots and custom attributes.
func TestOptionsOfPeople(t *testing.T) {
	svc := servicetest.New(t)
	acme := svc.Group("acme", servicetest.CustomAttribute("cost", "7"))
	app := svc.Project("acme/app", servicetest.CustomAttribute("kind", "tool"))
	ada := svc.User("ada", servicetest.SAMLIdentity(acme, "ada@idp"))
	svc.User("robot", servicetest.Bot())
	shows(t, svc, "/users/2", "bot identities.0.provider identities.0.extern_uid identities.0.saml_provider_id",
		`false "group_saml" "ada@idp" 1`)
	shows(t, svc, "/users/3", "bot", "true")
	shows(t, svc, "/groups/1/custom_attributes/cost", "value", `"7"`)
	shows(t, svc, "/projects/1/custom_attributes/kind", "value", `"tool"`)
	call(t, svc, "POST", "/users/2/emails", `{"email":"more@example.com"}`)
	shows(t, svc, "/users/2/emails", "0.email 0.confirmed_at", `"more@example.com" null`)
	ada.ConfirmEmail("MORE@example.com")
	shows(t, svc, "/users/2/emails", "0.confirmed_at", `"2026-01-15T09:00:00.000Z"`)
	acme.AddMember(ada, servicetest.Developer)
	shows(t, svc, "/groups/1/members/2", "group_saml_identity.extern_uid", `"ada@idp"`)
	ada.SSHKey("laptop")
	ada.SSHKey("desk")
	same(t, ada.SSHKeys(), []string{"laptop", "desk"})
	app.Star(ada)
	same(t, spaced(app.Starred(ada), app.Starred(svc.Root())), "true false")
	provisioned := acme.ProvisionSCIM(ada, "ada-1")
	same(t, spaced(provisioned.ExternalID(), provisioned.UserName(), provisioned.Active(), provisioned.User() == ada),
		"ada-1 ada true true")
	scim := svc.URL() + "/api/scim/v2/groups/acme/Users/" + provisioned.ID()
	same(t, request(t, "GET", scim, "", "PRIVATE-TOKEN", svc.AdminToken()).StatusCode, 200)
}

// TestOptionsOfMergeRequests: options set when a merge request can be merged, and its
// reviewers.
func TestOptionsOfMergeRequests(t *testing.T) {
	svc := servicetest.New(t, servicetest.PreparingTakes(time.Minute))
	ada, app := svc.User("ada"), svc.Project("acme/app")
	app.AddMember(ada, servicetest.Developer)
	app.Commit("work", "Work", servicetest.Write("a", "a\n"))
	request := app.MergeRequest("work", servicetest.ReviewedBy(ada), servicetest.MergeAfter(svc.Now().Add(time.Hour)))
	reviewers := request.Reviewers()
	same(t, spaced(len(reviewers), reviewers[0] == ada, request.MergeCommitSHA() == ""), "1 true true")
	shows(t, svc, "/projects/1/merge_requests/1", "merge_after", `"2026-01-15T10:00:00.000Z"`)
	request.Close()
	same(t, request.State(), "closed")
	request.Reopen()
	same(t, request.State(), "opened")
	svc.Advance(time.Hour)
	request.Merge()
	shows(t, svc, "/projects/1/merge_requests/1", "state merge_commit_sha",
		fmt.Sprintf(`"merged" %q`, request.MergeCommitSHA()))

	app.Commit("more", "More", servicetest.Write("b", "b\n"))
	call(t, svc, "POST", "/projects/1/merge_requests", `{"source_branch":"more","target_branch":"main","title":"More"}`)
	const path = "/projects/1/merge_requests/2"
	shows(t, svc, path, "detailed_merge_status prepared_at", `"preparing" null`)
	svc.Advance(time.Minute)
	shows(t, svc, path, "detailed_merge_status prepared_at", `"mergeable" "2026-01-15T10:01:00.000Z"`)
}

// TestOptionsOfProtections: force pushes are allowed where an option says so.
func TestOptionsOfProtections(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	app.ProtectBranch("main")
	app.ProtectBranch("wild/*", servicetest.ForcePushAllowed())
	shows(t, svc, "/projects/1/protected_branches/main", "allow_force_push", "false")
	shows(t, svc, "/projects/1/protected_branches/wild%2F*", "allow_force_push push_access_levels.0.access_level",
		"true 40")
	app.ProtectBranch("wild/*", servicetest.DevelopersCanMerge())
	shows(t, svc, "/projects/1/protected_branches/wild%2F*", "allow_force_push merge_access_levels.0.access_level",
		"false 30")
	shows(t, svc, "/projects/1/protected_branches", "1.name 2", `"wild/*" "(absent)"`)
}

// TestOptionsOfContent: handles list releases, snippets, secure files and comments.
func TestOptionsOfContent(t *testing.T) {
	svc := servicetest.New(t)
	ada, app := svc.User("ada"), svc.Project("acme/app")
	release := app.Release("v1", "The first.", servicetest.Name("One"))
	release.Link("notes", "https://notes.example")
	app.Release("v2", "The second.")
	shows(t, svc, "/projects/1/releases/v1", "name assets.links.0.url", `"One" "https://notes.example"`)
	same(t, spaced(release.TagName(), release.Links(), len(app.Releases()), app.Releases()[0] == release),
		"v1 map[notes:https://notes.example] 2 true")
	snippet := app.Snippet("Trick", servicetest.SnippetFile("a.sh"), servicetest.Reaction(ada, "rocket"))
	shows(t, svc, "/projects/1/snippets/1/award_emoji", "0.name 0.user.username", `"rocket" "ada"`)
	same(t, spaced(snippet.Files(), len(app.Snippets()), app.Snippets()[0] == snippet, len(ada.Snippets())),
		"map[a.sh:a.sh\n] 1 true 0")
	own := ada.Snippet("Own")
	same(t, spaced(len(app.Snippets()), len(ada.Snippets()), ada.Snippets()[0] == own), "1 1 true")
	same(t, len(svc.Root().Snippets()), 0)
	first, second := app.SecureFile("a", "1"), app.SecureFile("b", "2")
	files := app.SecureFiles()
	same(t, spaced(len(files), files[0] == first, files[1] == second), "2 true true")
	sha := app.Commit("main", "Begin", servicetest.Write("a", "a\n"))
	for _, note := range []string{"One.", "Two."} {
		call(t, svc, "POST", "/projects/1/repository/commits/"+sha+"/comments", `{"note":"`+note+`"}`)
	}
	next := app.Commit("main", "Next", servicetest.Write("a", "b\n"))
	call(t, svc, "POST", "/projects/1/repository/commits/"+next+"/comments", `{"note":"Elsewhere."}`)
	same(t, app.CommitComments(sha), []string{"One.", "Two."})
	other := svc.Project("acme/other")
	call(t, svc, "POST", "/projects/2/repository/commits/"+other.Head("main")+"/comments", `{"note":"There."}`)
	call(t, svc, "DELETE", "/projects/1", "")
	same(t, spaced(app.CommitComments(sha), other.CommitComments(other.Head("main"))), "[] [There.]")
}

// TestOptionsOfThreads: a note says whether its thread is resolved.
func TestOptionsOfThreads(t *testing.T) {
	svc := servicetest.New(t)
	note := svc.Project("acme/app").MergeRequest("work").Note("Why?", servicetest.Thread())
	same(t, note.Resolved(), false)
	thread := "/projects/1/merge_requests/1/discussions/" + note.DiscussionID()
	call(t, svc, "PUT", thread+"?resolved=true", "")
	same(t, note.Resolved(), true)
	call(t, svc, "PUT", thread+"?resolved=false", "")
	same(t, note.Resolved(), false)
}

// TestOptionsOfRuns: how jobs and pipelines were started, and when archives expire.
func TestOptionsOfRuns(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	pipeline := app.Pipeline("main", servicetest.PipelineVariable("A", "1"))
	job := pipeline.Job("a", servicetest.Manual())
	kept := pipeline.Job("b", servicetest.Archive(map[string]string{"a": "a"}), servicetest.ExpireIn(time.Hour))
	call(t, svc, "POST", "/projects/1/jobs/1/play",
		`{"job_variables_attributes":[{"key":"B","value":"2"}],"job_inputs":{"zone":"eu"}}`)
	same(t, spaced(pipeline.Variables(), pipeline.Inputs(), job.Variables(), job.Inputs()),
		"map[A:1] map[] map[B:2] map[zone:eu]")
	call(t, svc, "POST", "/projects/1/pipeline", `{"ref":"main","inputs":{"zone":"us"}}`)
	same(t, spaced(app.Pipelines()[1].Inputs()), "map[zone:us]")
	shows(t, svc, "/projects/1/jobs/2", "artifacts_expire_at",
		fmt.Sprintf("%q", kept.ArtifactsExpireAt().Format("2006-01-02T15:04:05.000Z07:00")))
	same(t, job.ArtifactsExpireAt().IsZero(), true)
	running := pipeline.Job("c", servicetest.Running())
	running.Cancel()
	same(t, running.Status(), "canceled")
}

// TestRunnersOfTheInstanceCanBeRefused: a project refuses them for itself, a group for
// everything below it.
func TestRunnersOfTheInstanceCanBeRefused(t *testing.T) {
	svc := servicetest.New(t)
	svc.Group("acme", servicetest.WithoutSharedRunners())
	svc.Project("acme/app")
	svc.Project("open/site", servicetest.WithoutSharedRunners())
	svc.Project("open/tool")
	svc.Runner("shared")
	for path, want := range map[string]int{
		"/projects/1/runners": 0, "/projects/2/runners": 0, "/projects/3/runners": 1, "/groups/1/runners": 0,
		"/groups/2/runners": 1,
	} {
		if got := len(into[[]any](t, call(t, svc, "GET", path, ""), 200)); got != want {
			t.Errorf("%s has %d, want %d", path, got, want)
		}
	}
}

// TestLicensesOfTheInstance: the newest license counts, whether it was seeded or sent
// as a string.
func TestLicensesOfTheInstance(t *testing.T) {
	svc := servicetest.New(t)
	same(t, svc.AddLicense(servicetest.License{Plan: "premium", Name: "Ada", UserLimit: 3}), 1)
	shows(t, svc, "/license", "id plan licensee.Name user_limit", `1 "premium" "Ada" 3`)
	later := servicetest.License{Plan: "ultimate", Company: "Acme", UserLimit: 9}
	into[any](t, call(t, svc, "POST", "/license", fmt.Sprintf(`{"license":%q}`, later.Text())), 201)
	shows(t, svc, "/license", "id plan licensee.Company user_limit", `2 "ultimate" "Acme" 9`)
}

// TestLabelsOfHandles: making an existing label changes it, and a project lists its own
// labels.
func TestLabelsOfHandles(t *testing.T) {
	svc := servicetest.New(t)
	app, other := svc.Project("acme/app"), svc.Project("acme/other")
	other.Label("bug", "#000001", "Elsewhere")
	app.Label("new", "#000002", "")
	app.Label("bug", "#000003", "First")
	app.Label("bug", "#000004", "Second")
	app.Group().Label("bug", "#000005", "Of the group")
	app.Group().Label("bug", "#000006", "Of the group, again")
	svc.Group("open").Label("bug", "#000007", "Of another")
	same(t, app.LabelNames(), []string{"bug", "new"})
	shows(t, svc, "/projects/1/labels/bug", "color description", `"#000004" "Second"`)
	shows(t, svc, "/projects/2/labels/bug", "color description", `"#000001" "Elsewhere"`)
	shows(t, svc, "/groups/1/labels/bug", "color description", `"#000006" "Of the group, again"`)
	shows(t, svc, "/groups/2/labels/bug", "color description", `"#000007" "Of another"`)
}

// TestDeploymentsFollowJobs: a deployment by a job has the status, the ref and the user
// of the job.
func TestDeploymentsFollowJobs(t *testing.T) {
	svc := servicetest.New(t)
	ada, app := svc.User("ada"), svc.Project("acme/app")
	pipeline, live := app.Pipeline("work", servicetest.By(ada)), app.Environment("live")
	for want, options := range map[string][]servicetest.JobOption{
		"running": {servicetest.Running()}, "success": {servicetest.Stage("a")},
		"failed": {servicetest.Failed("script_failure")}, "canceled": {servicetest.Canceled(), servicetest.Skipped()},
		"created": {servicetest.Created(), servicetest.Pending(), servicetest.Manual()},
	} {
		for _, option := range options {
			d := live.Deployment(servicetest.DeployedBy(pipeline.Job("deploy", option, servicetest.By(ada))))
			shows(t, svc, fmt.Sprintf("/projects/1/deployments/%d", d.ID()), "status ref user.username",
				fmt.Sprintf(`%q "work" "ada"`, want))
		}
	}
}

// TestPagesOfHandles: a site shows its content and its domains.
func TestPagesOfHandles(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	app.PublishPages("")
	app.PublishPages("next")
	app.PagesDomain("www.example.org")
	shows(t, svc, "/projects/1/pages", "deployments.0.path_prefix deployments.1.path_prefix "+
		"deployments.1.root_directory deployments.0.created_at deployments.2",
		`null "next" "public" "2026-01-15T09:00:00.000Z" "(absent)"`)
	shows(t, svc, "/projects/1/pages/domains/www.example.org", "verified enabled_until",
		`true "2026-01-22T09:00:00.000Z"`)
}

// TestCertificatesOfPages: a domain with a certificate shows the subject and the expiry
// of the certificate, but not its key.
func TestCertificatesOfPages(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app")
	certificate, key := certificateFor(t, svc.Now().Add(time.Hour))
	other, _ := certificateFor(t, svc.Now().Add(time.Hour))
	body := func(certificate string) string {
		text, _ := json.Marshal(map[string]string{"domain": "www.example.org", "certificate": certificate, "key": key})
		return string(text)
	}
	const path = "/projects/1/pages/domains"
	refused(t, call(t, svc, "POST", path, body(other)), 400,
		`{"message":{"key":["doesn't match the certificate"]}}`)
	made := call(t, svc, "POST", path, body(certificate))
	if into[any](t, made, 201); strings.Contains(made.body, "PRIVATE KEY") {
		t.Errorf("the key is shown: %s", made.body)
	}
	text, _ := json.Marshal(certificate)
	shows(t, svc, path+"/www.example.org", "url certificate.subject certificate.expired certificate.certificate",
		`"https://www.example.org" "CN=www.example.org" false `+string(text))
	shows(t, svc, "/pages/domains", "0.certificate_expiration 0.project_id 0.certificate",
		`{"expiration":"2026-01-15T10:00:00.000Z","expired":false} 1 "(absent)"`)
	svc.Advance(time.Hour + time.Second)
	shows(t, svc, path+"/www.example.org", "certificate.expired", "true")
	shows(t, svc, "/pages/domains", "0.certificate_expiration.expired", "true")
	into[any](t, call(t, svc, "PUT", path+"/www.example.org", `{"certificate":"","key":""}`), 200)
	shows(t, svc, path+"/www.example.org", "url certificate", `"http://www.example.org" "(absent)"`)
}

// certificateFor makes a certificate that expires at a time, with its key.
func certificateFor(t *testing.T, until time.Time) (certificate, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	form := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "www.example.org"},
		NotBefore: until.Add(-24 * time.Hour), NotAfter: until}
	made, err := x509.CreateCertificate(rand.Reader, form, form, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: made})),
		string(pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: secret}))
}

// TestHooksNameTheAuthors: an event about a change through a handle names its author,
// by default Root.
func TestHooksNameTheAuthors(t *testing.T) {
	svc := servicetest.New(t)
	app, ada := svc.Project("acme/app"), svc.User("ada")
	hook := app.Hook("http://127.0.0.1:1")
	told := func() string {
		svc.Flush()
		all := hook.Deliveries()
		var body any
		if err := json.Unmarshal(all[len(all)-1].Body, &body); err != nil {
			t.Fatal(err)
		}
		return spaced(len(all), memberOf(body, "object_kind"), memberOf(body, "user.username"))
	}
	app.WikiPage("Home", "x")
	same(t, told(), "1 wiki_page root")
	issue := app.Issue("Crash", servicetest.By(ada))
	same(t, told(), "2 issue ada")
	issue.Note("Why?", servicetest.By(ada))
	same(t, told(), "3 note ada")
	app.Issue("Leak")
	same(t, told(), "4 issue root")
}

// TestTokensOfGrantsAreNotPersonal: an application can neither revoke nor rotate its
// own token as a personal one.
func TestTokensOfGrantsAreNotPersonal(t *testing.T) {
	svc := servicetest.New(t)
	grant := svc.OAuthApplication("client").Authorize(svc.User("ada"), servicetest.Scopes("api"))
	for _, want := range []struct {
		method, path string
		status       int
	}{
		{"DELETE", "/personal_access_tokens/self", 400},
		{"POST", "/personal_access_tokens/self/rotate", 405},
		{"GET", "/user", 200},
	} {
		a := request(t, want.method, svc.URL()+"/api/v4"+want.path, "", "Authorization", "Bearer "+grant.AccessToken())
		same(t, a.StatusCode, want.status)
	}
	same(t, asked(t, svc, "DELETE /applications/1"), "204")
	a := request(t, "GET", svc.URL()+"/api/v4/user", "", "Authorization", "Bearer "+grant.AccessToken())
	same(t, a.StatusCode, 401)
}

// TestTimesOfIterations: an iteration is upcoming, current or closed, and lists are in
// the order of time.
func TestTimesOfIterations(t *testing.T) {
	svc := servicetest.New(t)
	acme := svc.Group("acme")
	for i, days := range [][2]int{{20, 25}, {10, 15}, {1, 9}} {
		acme.Iteration(servicetest.Iteration{Title: fmt.Sprint(i), Start: day(days[0]), Due: day(days[1])})
	}
	members := "0.title 0.state 1.title 1.state 2.title 2.state"
	shows(t, svc, "/groups/1/iterations", members, `"2" 3 "1" 2 "0" 1`)
	shows(t, svc, "/groups/1/iterations?state=upcoming", "0.title 1", `"0" "(absent)"`)
	again := acme.Iteration(servicetest.Iteration{ID: 2, Title: "New"})
	same(t, spaced(again.ID, again.Title, again.Start.Equal(day(10))), "2 1 true")
	shows(t, svc, "/groups/1/iterations", "2.id 3", `1 "(absent)"`)
}

// TestIterationsBelow: on request, a group also lists the iterations of its subgroups,
// but no others.
func TestIterationsBelow(t *testing.T) {
	svc := servicetest.New(t)
	stranger := svc.Token(svc.User("stranger"))
	for i, group := range []*servicetest.Group{svc.Group("acme", servicetest.Public()),
		svc.Group("acme/team", servicetest.Public()), svc.Group("acme/shut", servicetest.Private()),
		svc.Group("other", servicetest.Public())} {
		group.Iteration(servicetest.Iteration{Title: fmt.Sprint(i), Start: day(i + 1), Due: day(i + 2)})
	}
	for query, want := range map[string]string{"": "0", "?include_descendants=true": "0 1"} {
		var titles []any
		answer := get(t, svc, "/groups/1/iterations"+query, "PRIVATE-TOKEN", stranger)
		for _, it := range into[[]struct{ Title string }](t, answer, 200) {
			titles = append(titles, it.Title)
		}
		same(t, query+" "+spaced(titles...), query+" "+want)
	}
	shows(t, svc, "/groups/1/iterations?include_descendants=true", "2.title 3", `"2" "(absent)"`)
}

// TestOfNobody: a record that nobody made has no author, and its commits belong to the
// administrator.
func TestOfNobody(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	nobody := servicetest.By(nil)
	m := app.MergeRequest("work", nobody)
	m.Note("Hm.", nobody)
	m.Note("Hm.")
	app.Pipeline("main")
	app.Pipeline("main", nobody)
	shows(t, svc, "/projects/1/merge_requests/1", "author", "null")
	shows(t, svc, "/projects/1/merge_requests/1/commits", "0.author_name", `"Administrator"`)
	shows(t, svc, "/projects/1/merge_requests/1/notes?sort=asc", "0.author 1.author.id", "null 1")
	shows(t, svc, "/projects/1/merge_requests?author_id=1", "0", `"(absent)"`)
	shows(t, svc, "/projects/1/merge_requests?not[author_id]=1", "0.iid", "1")
	for order, want := range map[string]string{"asc": "2 1", "desc": "1 2"} {
		shows(t, svc, "/projects/1/pipelines?order_by=user_id&sort="+order, "0.id 1.id", want)
	}
}
