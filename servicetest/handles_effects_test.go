package servicetest_test

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi/servicetest"
)

// spaced formats values with a space between any two.
func spaced(values ...any) string { return strings.TrimSuffix(fmt.Sprintln(values...), "\n") }

// TestHandlesOfHooks checks what seeded hooks send, and to whom.
func TestHandlesOfHooks(t *testing.T) {
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, strings.Repeat("x", 9<<10))
	}))
	defer receiver.Close()
	svc := servicetest.New(t, servicetest.WithHookTimeout(time.Minute))
	app := svc.Project("acme/app")
	app.Commit("main", "Begin", servicetest.Write("a", "a\n"))
	key := "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="
	pushes := app.Hook(receiver.URL+"/p", servicetest.HookToken("secret"), servicetest.SigningToken(key),
		servicetest.HookEvents("push_events"), servicetest.BranchFilter("wo*"), servicetest.HookHeader("X-Team", "a"))
	everything := app.Group().Hook(receiver.URL + "/g")
	system := svc.SystemHook("http://user:pass@" + strings.TrimPrefix(receiver.URL, "http://"))
	app.Commit("wool", "Work", servicetest.Write("b", "b\n"))
	app.Commit("silk", "Work", servicetest.Write("c", "c\n"))
	svc.Flush()
	count := func(h *servicetest.Hook) int { return len(h.Deliveries()) }
	same(t, spaced(count(pushes), count(everything), count(system), len(svc.Deliveries())), "1 2 4 7")
	same(t, spaced(pushes.ID(), everything.ID(), system.ID()), "1 2 3")
	sent := pushes.Deliveries()[0]
	same(t, sent.URL, receiver.URL+"/p")
	same(t, sent.Event, "Push Hook")
	same(t, spaced(sent.Status, sent.Err, len(sent.ResponseBody), sent.SentAt.Equal(svc.Now()), sent.Duration > 0),
		"200 <nil> 8192 true true")
	same(t, sent.Header.Get("X-Service-Token")+sent.Header.Get("X-Team"), "secreta")
	if !strings.HasPrefix(sent.Header.Get("Webhook-Signature"), "v1,") {
		t.Errorf("the signature is %q", sent.Header.Get("Webhook-Signature"))
	}
	if !bytes.Contains(sent.Body, []byte(`"ref":"refs/heads/wool"`)) {
		t.Errorf("the hook got %s", sent.Body)
	}
	same(t, system.Deliveries()[0].Header.Get("Authorization"), "Basic dXNlcjpwYXNz")
	same(t, system.Deliveries()[0].Event, "System Hook")
	same(t, pushes.AlertStatus(), "executable")
	same(t, spaced(pushes.Exists()), "true")
	call(t, svc, "DELETE", "/projects/1/hooks/1", "")
	same(t, spaced(pushes.Exists(), everything.Exists()), "false true")
}

// TestTemplatesOfHooks: a template has at most 4,096 characters.
func TestTemplatesOfHooks(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app")
	for length, want := range map[int]int{4096: 201, 4097: 422} {
		template := `"` + strings.Repeat("é", length-2) + `"`
		a := call(t, svc, "POST", "/projects/1/hooks",
			fmt.Sprintf(`{"url":"http://a.test","custom_webhook_template":%q}`, template))
		same(t, a.StatusCode, want)
	}
	headers := make([]string, 21)
	for i := range headers {
		headers[i] = fmt.Sprintf(`{"key":"X-%d","value":"v"}`, i)
	}
	for n, want := range map[int]int{20: 201, 21: 422} {
		a := call(t, svc, "POST", "/projects/1/hooks", `{"url":"http://a.test","custom_headers":[`+
			strings.Join(headers[:n], ",")+`]}`)
		same(t, a.StatusCode, want)
	}
	same(t, call(t, svc, "PUT", "/projects/1/hooks/2/custom_headers/X-20", `{"value":"v"}`).StatusCode, 422)
	same(t, call(t, svc, "PUT", "/projects/1/hooks/2/custom_headers/X-19", `{"value":"w"}`).StatusCode, 204)
	for kind, most := range map[string]int{"projects": 100, "groups": 50} {
		var made int
		for range most + 1 {
			if made = call(t, svc, "POST", "/"+kind+"/1/hooks", `{"url":"http://a.test"}`).StatusCode; made != 201 {
				break
			}
		}
		same(t, made, 422)
		same(t, len(into[[]any](t, call(t, svc, "GET", "/"+kind+"/1/hooks?per_page=100", ""), 200)), most)
	}
}

// TestHooksStayOnThisMachine: hooks connect only to loopback addresses, unless a test
// allows others.
func TestHooksStayOnThisMachine(t *testing.T) {
	for _, address := range []string{"http://192.0.2.1", "http://a.test", "http://127.0.0.1:0", "https://localhost:1"} {
		svc := servicetest.New(t)
		app := svc.Project("acme/app")
		hook := app.Hook(address)
		app.Issue("Crash")
		svc.Flush()
		sent := hook.Deliveries()
		if len(sent) != 1 || sent[0].Status != 0 || sent[0].Err == nil {
			t.Fatalf("%s: %+v", address, sent)
		}
		remote := strings.Contains(sent[0].Err.Error(), "loopback")
		if wanted := !strings.Contains(address, "127") && !strings.Contains(address, "localhost"); remote != wanted {
			t.Errorf("%s: %v", address, sent[0].Err)
		}
	}
	local := httptest.NewServer(http.NotFoundHandler())
	defer local.Close()
	for _, opts := range [][]servicetest.Option{nil, {servicetest.AllowRemoteHooks()}} {
		svc := servicetest.New(t, opts...)
		app := svc.Project("acme/app")
		hook := app.Hook(strings.Replace(local.URL, "127.0.0.1", "localhost", 1))
		app.Issue("Crash")
		svc.Flush()
		if sent := hook.Deliveries(); len(sent) != 1 || sent[0].Status != 404 {
			t.Errorf("deliveries: %+v", sent)
		}
	}
}

// TestHooksGiveUp: a hook does not wait for a receiver that is too slow.
func TestHooksGiveUp(t *testing.T) {
	release := make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	defer slow.Close()
	defer close(release)
	svc := servicetest.New(t, servicetest.WithHookTimeout(20*time.Millisecond))
	app := svc.Project("acme/app")
	hook := app.Hook(slow.URL)
	app.Issue("Crash")
	svc.Flush()
	if sent := hook.Deliveries(); len(sent) != 1 || sent[0].Err == nil || sent[0].Status != 0 {
		t.Errorf("deliveries: %+v", sent)
	}
}

// TestHooksCheckCertificates: a hook refuses an untrusted certificate, unless its
// setting says otherwise.
func TestHooksCheckCertificates(t *testing.T) {
	receiver := httptest.NewUnstartedServer(http.NotFoundHandler())
	receiver.Config.ErrorLog = log.New(io.Discard, "", 0)
	receiver.StartTLS()
	defer receiver.Close()
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	hook := app.Hook(receiver.URL)
	app.Issue("Crash")
	svc.Flush()
	call(t, svc, "PUT", "/projects/1/hooks/1", `{"enable_ssl_verification":false}`)
	app.Issue("Crash")
	svc.Flush()
	sent := hook.Deliveries()
	if len(sent) != 2 || sent[0].Err == nil || sent[1].Status != 404 {
		t.Errorf("deliveries: %+v", sent)
	}
}

// TestHandlesOfImports checks what an import reports about its archive.
func TestHandlesOfImports(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app", servicetest.Description("An app."))
	archive := app.ExportedArchive()
	svc.RemoteFile("https://store.example/good?signed=1", archive)
	svc.RemoteFile("https://store.example/text", archive, servicetest.RemoteContentType("text/plain"))
	svc.RemoteFile("https://store.example/none", archive, servicetest.RemoteContentLength(-1))
	svc.RemoteFile("https://store.example/zero", archive, servicetest.RemoteContentLength(0))
	svc.RemoteFile("https://store.example/huge", archive, servicetest.RemoteContentLength(10<<30+1))
	svc.RemoteFile("https://store.example/full", archive, servicetest.RemoteContentLength(10<<30))
	for name, want := range map[string]string{
		"text": `{"message":"400 Bad request - Content type 'text/plain' not allowed. (Allowed: application/gzip)"}`,
		"none": `{"message":"400 Bad request - Content-Length is missing or not valid"}`,
		"zero": `{"message":"400 Bad request - Content-Length is missing or not valid"}`,
		"huge": `{"message":"400 Bad request - The file is larger than 10 GB"}`,
	} {
		refused(t, call(t, svc, "POST", "/projects/remote-import",
			`{"path":"x","url":"https://store.example/`+name+`"}`), 400, want)
	}
	for _, name := range []string{"good?other=2", "full#top"} {
		path := name[:4]
		into[any](t, call(t, svc, "POST", "/projects/remote-import",
			`{"path":"`+path+`","url":"https://store.example/`+name+`"}`), 201)
		svc.Advance(time.Minute)
		made := svc.FindProject("root/" + path)
		record := made.Import()
		same(t, spaced(record.Status+record.Error, record.Size == int64(len(archive)), made.Description()),
			"finished true An app.")
	}
	if got, there := svc.FindRemoteFile("https://store.example/good?sig=1"); !there || !bytes.Equal(got, archive) {
		t.Error("the file is not what was stored")
	}
	if _, there := svc.FindRemoteFile("https://store.example/other"); there {
		t.Error("there is a file that nobody stored")
	}
	same(t, spaced(app.Import()), "{none  0 }")
}

// TestHandlesOfObjectStores: an import needs the right place and the right key.
func TestHandlesOfObjectStores(t *testing.T) {
	svc := servicetest.New(t)
	archive := svc.Project("acme/app", servicetest.Description("An app.")).ExportedArchive()
	svc.StoredObject("eu", "bucket", "app.tar.gz", "id", "key", archive)
	for i, tc := range []struct{ region, bucket, file, id, key, want string }{
		{"eu", "bucket", "app.tar.gz", "id", "key", "finished"},
		{"us", "bucket", "app.tar.gz", "id", "key", "failed: The object store has no such file"},
		{"eu", "other", "app.tar.gz", "id", "key", "failed: The object store has no such file"},
		{"eu", "bucket", "other", "id", "key", "failed: The object store has no such file"},
		{"eu", "bucket", "app.tar.gz", "other", "key", "failed: The object store refused the access key"},
		{"eu", "bucket", "app.tar.gz", "id", "other", "failed: The object store refused the access key"},
	} {
		into[any](t, call(t, svc, "POST", "/projects/remote-import-objstore", fmt.Sprintf(
			`{"path":"x%d","region":%q,"bucket_name":%q,"file_key":%q,"access_key_id":%q,"secret_access_key":%q}`,
			i, tc.region, tc.bucket, tc.file, tc.id, tc.key)), 201)
		svc.Advance(time.Minute)
		record := svc.FindProject(fmt.Sprintf("root/x%d", i)).Import()
		same(t, strings.TrimSuffix(record.Status+": "+record.Error, ": "), tc.want)
	}
}

// TestHandlesOfTheNextImport: NextImport affects the next import, but not the one after
// it.
func TestHandlesOfTheNextImport(t *testing.T) {
	svc := servicetest.New(t)
	svc.RemoteFile("https://store.example/x", svc.Project("acme/app").ExportedArchive())
	start := func(path string) map[string]any {
		made := into[map[string]any](t, call(t, svc, "POST", "/projects/remote-import",
			`{"path":"`+path+`","url":"https://store.example/x"}`), 201)
		svc.Advance(time.Minute)
		return into[map[string]any](t, call(t, svc, "GET", fmt.Sprintf("/projects/%v/import", made["id"]), ""), 200)
	}
	svc.NextImport(servicetest.LosesRelations("issues", 101),
		servicetest.ImportCounts("tracker", map[string]int{"issue": 3}, map[string]int{"issue": 2}))
	first, second := start("one"), start("two")
	lost := first["failed_relations"].([]any)
	same(t, spaced(len(lost), lost[99].(map[string]any)["id"], lost[99].(map[string]any)["line_number"]), "100 100 100")
	same(t, spaced(lost[0]), "map[created_at:2026-01-15T09:00:00.000Z exception_class:RuntimeError "+
		"exception_message:A failure occurred id:1 line_number:1 relation_name:issues source:process_relation_item!]")
	same(t, spaced(first["import_type"], first["stats"], first["import_status"]),
		"tracker map[fetched:map[issue:3] imported:map[issue:2]] finished")
	same(t, spaced(second["import_type"], second["stats"], second["failed_relations"]), "project_export <nil> []")
	same(t, spaced(first["correlation_id"], second["correlation_id"]), "import-1 import-2")
	svc.NextImport(servicetest.ImportFails("no space"))
	third := start("three")
	same(t, spaced(third["import_status"], third["import_error"]), "failed no space")
	svc.SetMaxImportSize(3)
	for content, want := range map[string]int{"abc": 201, "abcd": 422} {
		body, kind := (&player{t: t}).body("multipart: path=y" + content + "&file=@x:" + content)
		a := call(t, svc, "POST", "/projects/import", body, "Content-Type", kind)
		same(t, a.StatusCode, want)
	}
}

// TestHandlesOfExports: a failed export keeps the earlier one.
func TestHandlesOfExports(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	export := func() string {
		into[any](t, call(t, svc, "POST", "/projects/1/export", ""), 202)
		svc.Advance(time.Minute)
		return app.ExportStatus()
	}
	app.FailNextExport()
	same(t, export(), "none")
	same(t, export(), "finished")
	app.FailNextExport()
	same(t, export(), "finished")
	svc.SetMaxExportSize(1)
	other := svc.Project("acme/other")
	into[any](t, call(t, svc, "POST", "/projects/2/export", ""), 202)
	same(t, other.ExportStatus(), "queued")
	svc.Advance(time.Minute)
	same(t, other.ExportStatus(), "none")
	other.ExportFrom(1, strings.NewReader("x"))
	into[any](t, call(t, svc, "POST", "/projects/2/export", ""), 202)
	svc.Advance(time.Minute)
	same(t, call(t, svc, "GET", "/projects/2/export/download", "").body, "x")
}

// TestHandlesOfEnvironments: stopping takes time, and its job can make it fail.
func TestHandlesOfEnvironments(t *testing.T) {
	svc := servicetest.New(t)
	ada, bea := svc.User("ada"), svc.User("bea")
	app := svc.Project("acme/app")
	job := app.Pipeline("main").Job("stop", servicetest.Manual())
	slow := app.Environment("slow", servicetest.OnStop(job), servicetest.StopTakes(time.Minute))
	slow.Stop()
	same(t, slow.State()+" "+job.Status(), "stopping running")
	slow.Stop()
	svc.Advance(time.Minute)
	same(t, slow.State()+" "+job.Status(), "stopped success")
	slow.SetState("available")
	slow.Stop()
	again := slow.OnStop()
	same(t, spaced(again != job, again.Status(), slow.State()), "true running stopping")
	again.Fail("script_failure")
	svc.Advance(time.Minute)
	same(t, slow.State(), "available")
	slow.Stop()
	slow.Deployment()
	svc.Advance(30 * time.Second)
	slow.Stop()
	svc.Advance(30 * time.Second)
	same(t, slow.State(), "stopping") // the second stop does not end when the first one does
	slow.Deployment()
	svc.Advance(time.Minute)
	same(t, slow.State(), "available")
	slow.Stop()
	slow.OnStop().Cancel()
	svc.Advance(time.Minute)
	same(t, slow.State()+" "+slow.OnStop().Status(), "stopped canceled")
	slow.SetState("available")
	held := app.Environment("held", servicetest.NeedsApprovals(2))
	waits := held.Deployment(servicetest.DeploymentStatus("blocked"), servicetest.By(ada))
	for _, answer := range []string{"approved", "rejected"} {
		into[any](t, call(t, svc, "POST", fmt.Sprintf("/projects/1/deployments/%d/approval", waits.ID()),
			`{"status":"`+answer+`"}`), 201)
	}
	same(t, spaced(len(waits.Approvals()), len(waits.Rejections()), waits.Status()), "0 1 blocked")
	waits.SetStatus("success")
	same(t, waits.Status(), "success")
	same(t, len(app.Environments()), 2)
	app.AddMember(bea, servicetest.Maintainer)
	twice := app.Environment("twice", servicetest.NeedsApprovalsOfRole(servicetest.Developer, 2),
		servicetest.NeedsApprovalsOfRole(servicetest.Maintainer, 2)).Deployment(
		servicetest.DeploymentStatus("blocked"), servicetest.By(ada))
	for _, role := range []string{"Developer", "Maintainer"} {
		into[any](t, call(t, svc, "POST", fmt.Sprintf("/projects/1/deployments/%d/approval", twice.ID()),
			`{"status":"approved","represented_as":"`+role+`"}`, "PRIVATE-TOKEN", svc.Token(bea)), 201)
	}
	same(t, spaced(len(twice.Approvals()), twice.Status()), "1 blocked")
	same(t, held.Deployments()[0], waits)
	same(t, spaced(slow.ID(), slow.Name(), slow.DeletedAt().IsZero(), bea.ID()), "1 slow true 3")
}

// TestHandlesOfApprovals checks approvals through a handle, and the effects of
// settings.
func TestHandlesOfApprovals(t *testing.T) {
	svc := servicetest.New(t)
	ada, bea := svc.User("ada"), svc.User("bea")
	acme := svc.Group("acme")
	acme.AddMember(bea, servicetest.Developer)
	app := svc.Project("acme/app")
	rule := app.ApprovalRule("Security", 2, ada, acme)
	same(t, rule.ID(), int64(1))
	m := app.MergeRequest("work", servicetest.ApprovedBy(ada))
	m.Approve(bea)
	same(t, spaced(m.Approvers()[0] == ada, m.Approvers()[1] == bea, len(m.Approvers())), "true true 2")
	type state struct {
		Required int64 `json:"approvals_required"`
		Left     int64 `json:"approvals_left"`
		Password bool  `json:"require_password_to_approve"`
	}
	read := func(iid int64) state {
		return into[state](t, call(t, svc, "GET", fmt.Sprintf("/projects/1/merge_requests/%d/approvals", iid), ""), 200)
	}
	same(t, read(1), state{2, 0, false})
	second := app.MergeRequest("more", servicetest.ApprovalPassword())
	same(t, read(second.IID()), state{2, 2, true})
	acme.ApprovalSwitch("reset_approvals_on_push", true)
	app.Commit("work", "More", servicetest.Write("x", "x\n"))
	same(t, len(m.Approvers()), 0)
	anybody := app.ApprovalRule("Anybody", 1)
	same(t, anybody.ID(), int64(2))
	same(t, read(1), state{3, 3, true})
	app.MergeRequest("own", servicetest.ApprovableBy(1, ada))
	same(t, read(3), state{1, 1, true})
	app.MergeRequest("two", servicetest.ApprovableBy(1), servicetest.ApprovableBy(2, ada), servicetest.ApprovableBy(3))
	same(t, read(4), state{5, 5, true}) // the last number for anybody, and the rule for ada
	app.MergeRequest("ours", servicetest.ApprovableBy(3, ada), servicetest.ApprovableBy(2), servicetest.ApprovableBy(1,
		bea))
	shows(t, svc, "/projects/1/merge_requests/5/approval_rules", "0.name 0.rule_type 0.approvals_required "+
		"1.name 1.rule_type 1.approvals_required 1.users.0.username 1.users.1 2",
		`"All Members" "any_approver" 2 "Approvers" "regular" 1 "bea" "(absent)" "(absent)"`)
}

// TestHandlesOfInvitations: a user who accepts an invitation gets its role.
func TestHandlesOfInvitations(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	app := svc.Project("acme/app", servicetest.Private())
	into[any](t, call(t, svc, "POST", "/projects/1/invitations",
		`{"email":"other@example.org","access_level":20}`), 201)
	into[any](t, call(t, svc, "POST", "/projects/1/invitations",
		`{"email":"new@example.org","access_level":30,"expires_at":"2026-02-01"}`), 201)
	list := into[[]map[string]any](t, call(t, svc, "GET", "/projects/1/invitations", ""), 200)
	svc.AcceptInvitation(list[1]["invite_token"].(string), ada)
	member := into[map[string]any](t, call(t, svc, "GET", fmt.Sprintf("/projects/1/members/%d", ada.ID()), ""), 200)
	same(t, spaced(member["access_level"], member["expires_at"],
		member["created_by"].(map[string]any)["username"]), "30 2026-02-01 root")
	shows(t, svc, "/projects/1/invitations", "0.invite_email 1", `"other@example.org" "(absent)"`)
	event := into[[]map[string]any](t, call(t, svc, "GET", "/projects/1/audit_events", ""), 200)[0]
	same(t, spaced(event["author_id"] == float64(ada.ID()), event["details"].(map[string]any)["as"]), "true Developer")
	same(t, app.ID(), int64(1))
}

// TestHandlesOfIssues checks what the handle of an issue returns after a call.
func TestHandlesOfIssues(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	app := svc.Project("acme/app")
	issue := app.Issue("Crash", servicetest.IssueType("task"),
		servicetest.InIteration(servicetest.Iteration{Title: "Sprint", Start: day(12), Due: day(25)}))
	into[any](t, call(t, svc, "PUT", "/projects/1/issues/1",
		fmt.Sprintf(`{"title":"New","labels":"a,b","assignee_ids":[%d]}`, ada.ID())), 200)
	into[any](t, call(t, svc, "POST", "/projects/1/issues/1/unsubscribe", ""), 201)
	same(t, spaced(issue.Title(), issue.LabelNames(), issue.Assignees()[0] == ada, issue.State(),
		issue.Subscribed(svc.Root()), issue.Subscribed(ada)), "New [a b] true opened false true")
	shown := into[map[string]any](t, call(t, svc, "GET", "/projects/1/issues/1", ""), 200)
	iteration := shown["iteration"].(map[string]any)
	same(t, spaced(shown["issue_type"], iteration["title"], iteration["id"], iteration["group_id"]), "task Sprint 1 1")
	for query, want := range map[string]int{"iteration_id=1": 1, "iteration_id=2": 0, "iteration_title=Sprint": 1,
		"iteration_id=Any": 1, "not[iteration_id]=1": 0, "not[iteration_title]=Sprint": 0} {
		got := into[[]any](t, call(t, svc, "GET", "/projects/1/issues?"+query, ""), 200)
		same(t, spaced(query, len(got)), spaced(query, want))
	}
	note := issue.Note("Why?", servicetest.Reaction(ada, "rocket"))
	given := into[[]map[string]any](t, call(t, svc, "GET",
		fmt.Sprintf("/projects/1/issues/1/notes/%d/award_emoji", note.ID()), ""), 200)
	same(t, spaced(len(given), given[0]["name"]), "1 rocket")
	app.ExternalIssue("PROJECT-1", "Elsewhere")
	m := app.MergeRequest("work", servicetest.Description("Closes PROJECT-1 and #1"))
	closes := into[[]map[string]any](t, call(t, svc, "GET",
		fmt.Sprintf("/projects/1/merge_requests/%d/closes_issues", m.IID()), ""), 200)
	same(t, spaced(closes), "[map[id:PROJECT-1 title:Elsewhere]]")
	issue.Close()
	same(t, issue.State(), "closed")
	own := svc.Project("ada/own")
	own.Issue("Alone", servicetest.InIteration(servicetest.Iteration{ID: 7, Title: "Mine"}))
	shown = into[map[string]any](t, call(t, svc, "GET", fmt.Sprintf("/projects/%d/issues/1", own.ID()), ""), 200)
	iteration = shown["iteration"].(map[string]any)
	_, ofGroup := iteration["group_id"]
	_, hasPage := iteration["web_url"]
	same(t, spaced(iteration["title"], iteration["iid"], ofGroup, hasPage), "Mine 7 false false")
}

// TestManyPushesAreOneEvent: the pushes of a test between two calls are one event for
// each branch, or a single event if there are more than three.
func TestManyPushesAreOneEvent(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	app := svc.Project("acme/app")
	app.Commit("main", "Begin", servicetest.Write("a", "a\n"))
	events := func(query string) []map[string]any {
		return into[[]map[string]any](t, call(t, svc, "GET", "/projects/1/events?"+query, ""), 200)
	}
	before := len(events(""))
	for n, want := range map[int]int{3: 3, 4: 1} {
		for i := range n {
			app.Branch(fmt.Sprintf("of-%d-%d", n, i), "main")
		}
		same(t, len(events(""))-before, want)
		before = len(events(""))
	}
	before = len(events("per_page=100"))
	for i := range 4 {
		app.Branch(fmt.Sprintf("more-%d", i), "main")
	}
	app.Tag("v1", "main")
	app.Commit("of-3-0", "Go on", servicetest.Write("c", "c\n"))
	same(t, len(events("per_page=100"))-before, 3) // new branches, new tags, and pushes to branches
	for _, e := range events("per_page=2") {
		same(t, e["push_data"].(map[string]any)["ref_count"], any(1.0)) // the tag, and the push
	}
	for i := range 4 {
		app.Branch(fmt.Sprintf("last-%d", i), "main")
	}
	push := events("per_page=1")[0]["push_data"].(map[string]any)
	same(t, spaced(push["ref_count"], push["ref"], push["action"], push["ref_type"], push["commit_to"]),
		"4 <nil> created branch <nil>")
	app.AddMember(ada, servicetest.Developer, servicetest.MemberSince(at(60)))
	app.Commit("main", "More", servicetest.Write("b", "b\n"), servicetest.CommitAuthor(ada))
	app.Issue("Old", servicetest.By(ada), servicetest.CreatedAt(at(90)))
	latest := events("per_page=3")
	var got []string
	for _, e := range latest {
		got = append(got, spaced(e["action_name"], e["author_username"], e["created_at"]))
	}
	same(t, got, []string{"pushed to ada 2026-01-15T09:00:00.000Z", "joined ada 2026-01-15T08:00:00.000Z",
		"opened ada 2026-01-15T07:30:00.000Z"})
}

// TestLinesOfNotes: a note says which line it is about.
func TestLinesOfNotes(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	app.Commit("main", "Begin", servicetest.Write("a", "1\n2\n"))
	app.Commit("work", "Work", servicetest.Write("a", "1\n3\n"))
	m := app.MergeRequest("work")
	path, line := m.Note("Fine.").Line()
	same(t, spaced(path+"none", line), "none 0")
	versions := into[[]map[string]any](t, call(t, svc, "GET", "/projects/1/merge_requests/1/versions", ""), 200)
	refs := fmt.Sprintf(`"base_sha":%q,"start_sha":%q,"head_sha":%q,"old_path":"a","new_path":"a"`,
		versions[0]["base_commit_sha"], versions[0]["start_commit_sha"], versions[0]["head_commit_sha"])
	for _, place := range []string{`"position_type":"text","new_line":2`, `"position_type":"text","old_line":2`,
		`"position_type":"text","old_line":1,"new_line":1`, `"position_type":"file"`} {
		into[any](t, call(t, svc, "POST", "/projects/1/merge_requests/1/discussions",
			`{"body":"Why?","position":{`+refs+`,`+place+`}}`), 201)
	}
	var got []string
	for _, note := range m.Notes()[1:] {
		path, line := note.Line()
		got = append(got, spaced(path, line))
	}
	same(t, got, []string{"a 2", "a 2", "a 1", "a 0"})
}

// TestOptionsOfHooks: each kind of hook takes all options.
func TestOptionsOfHooks(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	options := []servicetest.HookOption{servicetest.HookEvents("tag_push_events"), servicetest.BranchFilter("ma*")}
	app.Hook("http://127.0.0.1:1", options...)
	app.Group().Hook("http://127.0.0.1:1", options...)
	svc.SystemHook("http://127.0.0.1:1", options...)
	for _, path := range []string{"/projects/1/hooks/1", "/groups/1/hooks/2", "/hooks/3"} {
		shows(t, svc, path, "push_events tag_push_events merge_requests_events push_events_branch_filter",
			`false true false "ma*"`)
	}
}

// TestHooksThatFail: a hook is disabled for a while after four failures in a row, twice
// as long each time, up to a day. After forty failures, it stays disabled.
func TestHooksThatFail(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	app.Hook("http://127.0.0.1:1", servicetest.HookEvents("issues_events"))
	status := func() string {
		hook := into[map[string]any](t, call(t, svc, "GET", "/projects/1/hooks/1", ""), 200)
		return spaced(hook["alert_status"], hook["disabled_until"] != nil)
	}
	for failure := 1; failure <= 40; failure++ {
		app.Issue("Crash")
		svc.Flush()
		want := "temporarily_disabled true"
		switch {
		case failure < 4:
			want = "executable false"
		case failure == 40:
			want = "disabled false"
		}
		if got := status(); got != want {
			t.Fatalf("after %d failures: %s, want %s", failure, got, want)
		}
		svc.Advance(24 * time.Hour)
	}
	same(t, status(), "disabled false")
}

// TestHooksOfTokens: hooks get one event about a token that expires within a week, and
// none about other tokens.
func TestHooksOfTokens(t *testing.T) {
	for left, want := range map[time.Duration]int{
		0: 0, time.Second: 1, 7 * 24 * time.Hour: 1, 7*24*time.Hour + time.Second: 0,
	} {
		svc := servicetest.New(t)
		app := svc.Project("acme/app")
		hook := app.Hook("http://127.0.0.1:1", servicetest.HookEvents("resource_access_token_events"))
		app.Issue("One")
		app.AccessToken(servicetest.Reporter, servicetest.ExpiresAt(svc.Now().Add(left)))
		app.Issue("Two")
		svc.Flush()
		if got := len(hook.Deliveries()); got != want {
			t.Errorf("with %v left: %d events, want %d", left, got, want)
		}
	}
}

// TestPipelinesWithoutJobsInHooks: the stages of a pipeline without jobs are an empty
// list.
func TestPipelinesWithoutJobsInHooks(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	app.Pipeline("main")
	hook := app.Hook("http://127.0.0.1:1")
	call(t, svc, "POST", "/projects/1/hooks/1/test/pipeline_events", "")
	svc.Flush()
	sent := hook.Deliveries()
	if len(sent) != 1 || !strings.Contains(string(sent[0].Body), `"stages":[]`) {
		t.Errorf("sent: %s", sent[0].Body)
	}
}

// TestPagesOfDeletedProjects: deleting a wiki page is an event, but deleting its
// project is not.
func TestPagesOfDeletedProjects(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	hook := app.Group().Hook("http://127.0.0.1:1", servicetest.HookEvents("wiki_page_events"))
	app.WikiPage("a", "1")
	app.WikiPage("b", "1")
	svc.Flush()
	before := len(hook.Deliveries())
	same(t, asked(t, svc, "DELETE /projects/1/wikis/a"), "204")
	svc.Flush()
	same(t, len(hook.Deliveries()), before+1)
	same(t, asked(t, svc, "DELETE /projects/1"), "202")
	svc.Flush()
	same(t, len(hook.Deliveries()), before+1)
}

// TestSourcesOfPipelinesInHooks: a child pipeline names its parent, and the bridge that started it.
func TestSourcesOfPipelinesInHooks(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	hook := app.Hook("http://127.0.0.1:1", servicetest.HookEvents("pipeline_events", "job_events"))
	parent := app.Pipeline("main")
	child := parent.Child("first")
	parent.Child("second")
	child.Job("test", servicetest.Running())
	svc.Flush()
	found := 0
	for _, sent := range hook.Deliveries() {
		if !strings.Contains(string(sent.Body), `"source_pipeline"`) {
			continue
		}
		found++
		want := `"source_pipeline":{"job_id":1,"pipeline_id":1,"project":{"id":1,"path_with_namespace":"acme/app",` +
			`"web_url":"` + svc.URL() + `/acme/app"}}`
		if !strings.Contains(string(sent.Body), want) {
			t.Errorf("%s: %s, want %s", sent.Event, sent.Body, want)
		}
	}
	same(t, found, 2) // of the pipeline and of its job
}

// TestHooksSendNoMoreThanTheLimit: a body has at most 25 MiB.
func TestHooksSendNoMoreThanTheLimit(t *testing.T) {
	for more, fits := range []bool{true, false} {
		svc := servicetest.New(t)
		app := svc.Project("acme/app")
		receiver := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
		hook := app.Hook(receiver.URL, servicetest.HookEvents("wiki_page_events"))
		page := app.WikiPage("a", "")
		svc.Flush()
		rest := 25<<20 - len(hook.Deliveries()[0].Body) + more
		app.WikiPage("b", strings.Repeat("a", rest))
		svc.Flush()
		sent := hook.Deliveries()[1]
		if (sent.Err == nil) != fits || len(sent.Body) != 25<<20+more {
			t.Errorf("%d bytes after %s: %v", len(sent.Body), page.Slug(), sent.Err)
		}
		receiver.Close()
	}
}
