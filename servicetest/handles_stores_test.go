package servicetest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi/servicetest"
)

// asked returns the statuses of calls, each of them a method, a path and perhaps a body.
func asked(t *testing.T, svc *servicetest.Service, calls ...string) string {
	t.Helper()
	var statuses []any
	for _, text := range calls {
		words := strings.SplitN(text+"  ", " ", 3)
		statuses = append(statuses, call(t, svc, words[0], words[1], strings.TrimSpace(words[2])).StatusCode)
	}
	return spaced(statuses...)
}

// TestMovesOfStorages: repositories and wikis move after some seconds. Meanwhile a repository
// does not change.
func TestMovesOfStorages(t *testing.T) {
	svc := servicetest.New(t)
	app, old := svc.Project("acme/app"), svc.Project("acme/old")
	off := svc.Project("acme/off", servicetest.RepositoryStorage("b"))
	app.Commit("main", "Begin", servicetest.Write("a", "a\n"))
	old.Archive()
	move := "POST /project_repository_storage_moves "
	same(t, asked(t, svc, move+`{}`, move+`{"source_storage_name":"b","destination_storage_name":"b"}`,
		move+`{"source_storage_name":"c","destination_storage_name":"default"}`), "400 400 202")
	same(t, spaced(len(svc.StorageMoves())), "0")
	same(t, asked(t, svc, move+`{"source_storage_name":"default"}`, move+`{"source_storage_name":"default"}`),
		"202 202")
	states := func() string {
		var texts []any
		for _, m := range svc.StorageMoves() {
			what := "a wiki"
			if m.Project != nil {
				what = m.Project.Path()
			}
			texts = append(texts, what, m.Source, m.Destination, m.State)
		}
		return spaced(texts...)
	}
	same(t, states(), "acme/app default b scheduled acme/old default b scheduled")
	for _, text := range []string{
		"POST /projects/1/repository/commits {\"branch\":\"main\",\"commit_message\":\"x\"," +
			"\"actions\":[{\"action\":\"create\",\"file_path\":\"b\",\"content\":\"\"}]}",
		"POST /projects/1/repository/commits/main/cherry_pick {\"branch\":\"main\"}",
		"POST /projects/1/repository/commits/main/revert {\"branch\":\"main\"}",
		"POST /projects/1/repository/files/b {\"branch\":\"main\",\"content\":\"\",\"commit_message\":\"x\"}",
		"PUT /projects/1/repository/files/a {\"branch\":\"main\",\"content\":\"\",\"commit_message\":\"x\"}",
		"DELETE /projects/1/repository/files/a {\"branch\":\"main\",\"commit_message\":\"x\"}",
		"POST /projects/1/repository/branches {\"branch\":\"x\",\"ref\":\"main\"}",
		"DELETE /projects/1/repository/branches/x",
		"POST /projects/1/repository/tags {\"tag_name\":\"x\",\"ref\":\"main\"}",
		"DELETE /projects/1/repository/tags/x",
	} {
		words := strings.SplitN(text+"  ", " ", 3)
		refused(t, call(t, svc, words[0], words[1], strings.TrimSpace(words[2])), 403,
			`{"message":"403 Forbidden - the repository is read-only until its move to another storage completes"}`)
	}
	same(t, asked(t, svc, "GET /projects/1/repository/branches/main",
		"POST /projects/3/repository/branches {\"branch\":\"x\",\"ref\":\"main\"}"), "200 201")
	svc.Advance(servicetest.StorageMoveDuration - time.Nanosecond)
	same(t, states(), "acme/app default b scheduled acme/old default b scheduled")
	svc.Advance(time.Nanosecond)
	same(t, states(), "acme/app default b finished acme/old default b failed")
	same(t, spaced(app.Storage(), old.Storage(), off.Storage()), "b default b")
	same(t, asked(t, svc, "POST /projects/1/repository/branches {\"branch\":\"x\",\"ref\":\"main\"}"), "201")
	app.FailNextMove()
	for range 2 {
		same(t, asked(t, svc, move+`{"source_storage_name":"b","destination_storage_name":"c"}`), "202")
		svc.Advance(servicetest.StorageMoveDuration)
	}
	same(t, spaced(app.Storage(), off.Storage()), "c c")
	same(t, states(), "acme/app default b finished acme/old default b failed acme/app b c failed "+
		"acme/off b c finished acme/app b c finished")
}

// TestMovesOfWikisAndSnippets: the wikis of groups move like repositories, and moves of
// snippets are only remembered.
func TestMovesOfWikisAndSnippets(t *testing.T) {
	svc := servicetest.New(t)
	acme := svc.Group("acme")
	svc.Project("acme/app", servicetest.RepositoryStorage("a"))
	same(t, acme.WikiStorage(), "default")
	same(t, asked(t, svc, `POST /group_repository_storage_moves {"source_storage_name":"default"}`), "202")
	same(t, acme.WikiStorage(), "default")
	svc.Advance(servicetest.StorageMoveDuration)
	same(t, acme.WikiStorage(), "a")
	same(t, spaced(len(svc.StorageMoves()), svc.StorageMoves()[0].Group == acme, svc.StorageMoves()[0].State),
		"1 true finished")
	same(t, asked(t, svc, `POST /snippet_repository_storage_moves {"source_storage_name":"x"}`), "202")
	same(t, spaced(svc.SnippetMoves()), "[{x a}]")
}

// TestChecksOfMergeRequests: a check of status shows the branches that it is for, and belongs
// to the highest tier.
func TestChecksOfMergeRequests(t *testing.T) {
	checks := func(tier servicetest.Tier) answer {
		svc := servicetest.New(t, servicetest.WithTier(tier))
		app := svc.Project("acme/app")
		app.ProtectBranch("main")
		app.ProtectBranch("stable")
		app.StatusCheck("first", "https://check.example/1")
		app.StatusCheck("second", "https://check.example/2", "stable", "none")
		svc.Project("acme/other").StatusCheck("third", "https://check.example/3")
		return call(t, svc, "GET", "/projects/1/external_status_checks", "")
	}
	same(t, spaced(checks(servicetest.Premium).StatusCode), "401")
	shown := into[[]struct {
		ID       int
		Name     string
		URL      string `json:"external_url"`
		Project  int    `json:"project_id"`
		Branches []struct {
			ID      int
			Project int `json:"project_id"`
			Name    string
			Created string `json:"created_at"`
			Updated string `json:"updated_at"`
			Owners  bool   `json:"code_owner_approval_required"`
		} `json:"protected_branches"`
	}](t, checks(servicetest.Ultimate), 200)
	same(t, fmt.Sprint(shown), "[{1 first https://check.example/1 1 []} {2 second https://check.example/2 1 "+
		"[{2 1 stable 2026-01-15T09:00:00.000Z 2026-01-15T09:00:00.000Z false}]}]")
}

// TestTagsOfImages: many tags are deleted by name, number and age, the oldest first.
func TestTagsOfImages(t *testing.T) {
	for query, left := range map[string]string{
		"name_regex_delete=v.*":                          "[dev latest]",
		"name_regex_delete=v1":                           "[dev latest v2 v3 v4]",
		"name_regex_delete=.*":                           "[latest]",
		"name_regex=v[12]":                               "[dev latest v3 v4]",
		"name_regex=v1&name_regex_delete=v2":             "[dev latest v1 v3 v4]",
		"name_regex_delete=v.*&name_regex_keep=v[34]":    "[dev latest v3 v4]",
		"name_regex_delete=v.*&keep_n=1":                 "[dev latest v4]",
		"name_regex_delete=v.*&keep_n=3":                 "[dev latest v2 v3 v4]",
		"name_regex_delete=v.*&older_than=2d":            "[dev latest v2 v3 v4]",
		"name_regex_delete=v.*&older_than=3d":            "[dev latest v1 v2 v3 v4]",
		"name_regex_delete=v.*&keep_n=3&older_than=1d":   "[dev latest v2 v3 v4]",
		"name_regex_delete=v.*&keep_n=0&older_than=1d1h": "[dev latest v3 v4]",
		"limit": "[dev latest v3 v4]",
	} {
		svc := servicetest.New(t)
		images := svc.Project("acme/app").RegistryRepository("web")
		for i, name := range []string{"v4", "v3", "v2", "v1"} {
			images.Push(name, servicetest.CreatedAt(svc.Now().Add(-time.Duration(i)*24*time.Hour)))
		}
		images.Push("dev").Push("latest")
		if query == "limit" {
			query = "name_regex_delete=v.*"
			svc.SetMaxBulkTagDeletion(2)
		}
		path := "/projects/1/registry/repositories/1/tags?" + query
		same(t, asked(t, svc, "DELETE "+path), "202")
		same(t, spaced(images.Tags()), "[dev latest v1 v2 v3 v4]")
		svc.Advance(servicetest.RegistryDeletionDelay)
		if got := spaced(images.Tags()); got != left {
			t.Errorf("%s leaves %s, want %s", query, got, left)
		}
		same(t, asked(t, svc, "DELETE "+path), "400")
		svc.Advance(time.Hour)
		same(t, asked(t, svc, "DELETE "+path), "202")
	}
}

// TestRepositoriesOfImages checks the handle of a repository, and what deletes it.
func TestRepositoriesOfImages(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app", servicetest.RegistryAccess("disabled"))
	images := app.RegistryRepository("web", servicetest.RegistrySize(5)).Push("b").Push("a", servicetest.ImageSize(7))
	same(t, spaced(images.Path(), images.Tags(), images.Exists(), app.RegistryAccess()),
		"acme/app/web [a b] true disabled")
	same(t, asked(t, svc, "GET /projects/1/registry/repositories"), "403")
	same(t, asked(t, svc, `PUT /projects/1 {"container_registry_access_level":"enabled"}`), "200")
	size := into[struct{ Size int }](t, call(t, svc, "GET", "/registry/repositories/1?size=true", ""), 200)
	same(t, spaced(size.Size), "5")
	tag := into[struct {
		Size int `json:"total_size"`
	}](t, call(t, svc, "GET", "/projects/1/registry/repositories/1/tags/a", ""), 200)
	same(t, spaced(tag.Size), "7")
	same(t, asked(t, svc, "DELETE /projects/1/registry/repositories/1"), "202")
	same(t, spaced(images.Exists()), "true")
	svc.Advance(servicetest.RegistryDeletionDelay)
	same(t, spaced(images.Exists()), "false")
	same(t, asked(t, svc, "GET /registry/repositories/1"), "404")
}

// TestCatalogPages: the catalog of the registry has pages that say where the next one begins.
func TestCatalogPages(t *testing.T) {
	svc := servicetest.New(t)
	for _, name := range []string{"c", "a", "b"} {
		svc.Project("acme/" + name).RegistryRepository("")
	}
	request(t, "GET", svc.URL()+"/jwt/auth?service=container_registry&scope=registry:catalog:*", "",
		"Authorization", "Basic cm9vdDpyb290LXBhc3N3b3Jk")
	for query, want := range map[string]string{
		"": `["acme/a","acme/b","acme/c"] `, "?n=3": `["acme/a","acme/b","acme/c"] `,
		"?n=2":             `["acme/a","acme/b"] </v2/_catalog?last=acme%2Fb&n=2>; rel="next"`,
		"?n=1&last=acme/a": `["acme/b"] </v2/_catalog?last=acme%2Fb&n=1>; rel="next"`,
		"?last=acme/aa":    `["acme/b","acme/c"] `, "?last=acme/c": "[] ", "?n=1000&last=z": "[] ",
	} {
		a := request(t, "GET", svc.RegistryURL()+"/v2/_catalog"+query, "", "Authorization", "Bearer registry-1")
		same(t, a.body+" "+a.Header.Get("Link"), strings.Replace(`{"repositories":`+want, "] ", "]} ", 1))
	}
	for _, n := range []string{"0", "1001", "x", "-1"} {
		a := request(t, "GET", svc.RegistryURL()+"/v2/_catalog?n="+n, "", "Authorization", "Bearer registry-1")
		refused(t, a, 400,
			`{"errors":[{"code":"PAGINATION_NUMBER_INVALID","message":"invalid number of results requested"}]}`)
	}
}

// TestLimitsOfPackages: a project refuses files that are too large, and second ones.
func TestLimitsOfPackages(t *testing.T) {
	svc := servicetest.New(t)
	app, other := svc.Project("acme/app"), svc.Project("acme/other")
	put := func(project int, name, content string) int {
		path := fmt.Sprintf("/projects/%d/packages/generic/tool/1.0/%s", project, name)
		return call(t, svc, "PUT", path, content).StatusCode
	}
	app.LimitPackageFiles(5)
	same(t, spaced(put(1, "a", "12345"), put(1, "b", "123456"), put(2, "b", "123456")), "201 400 201")
	same(t, spaced(put(1, "a", "54321")), "201")
	app.RefuseDuplicatePackages()
	same(t, spaced(put(1, "a", "12345"), put(1, "c", "1"), put(2, "b", "1")), "400 201 201")
	made := app.Packages()[0]
	same(t, spaced(len(app.Packages()), made.ID(), made.Name(), made.Version(), made.Status(), made.Files()["a"]),
		"1 1 tool 1.0 default 54321")
	seeded := other.Package("lib", "2.0", servicetest.PackageType("npm"), servicetest.PackageStatus("hidden"),
		servicetest.PackageTags("latest"))
	seeded.File("x.tgz", "x")
	same(t, spaced(seeded.ID(), seeded.Status(), seeded.Files()), "3 hidden map[x.tgz:x]")
	seeded.Corrupt("x.tgz", "y")
	same(t, spaced(seeded.Files()), "map[x.tgz:y]")
}

// TestVersionsOfStates checks what the handle of a Terraform state says.
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

// TestUpdatesOfMirrors: a mirror shows how its last update ended.
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

// TestHandlesOfUsers checks what options say of users, and what handles then say.
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

// TestHandlesOfWikis checks what the handle of a page says, and which versions it has.
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

// TestPlansOfMergeRequests: no pipeline of a merge request starts with a broken plan.
func TestPlansOfMergeRequests(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	app.Commit("main", "Begin", servicetest.Write("a", "a\n"))
	app.Commit("work", "Work", servicetest.Write("b", "b\n"))
	app.MergeRequest("work")
	same(t, asked(t, svc, "POST /projects/1/merge_requests/1/pipelines"), "200")
	app.BreakCI("jobs config should contain at least one visible job")
	refused(t, call(t, svc, "POST", "/projects/1/merge_requests/1/pipelines", ""), 400,
		`{"message":{"base":["jobs config should contain at least one visible job"]}}`)
}

// TestListsOfChildren: a list has the pipelines that another one started only if it asks for
// their source.
func TestListsOfChildren(t *testing.T) {
	svc := servicetest.New(t)
	parent := svc.Project("acme/app").Pipeline("main", servicetest.PipelineSource("web"))
	child := parent.Child("build")
	for query, want := range map[string]string{
		"": spaced(parent.ID()), "?source=web": spaced(parent.ID()), "?source=parent_pipeline": spaced(child.ID()),
		"?source=push": "",
	} {
		var ids []any
		for _, p := range into[[]struct{ ID int64 }](t, call(t, svc, "GET", "/projects/1/pipelines"+query, ""), 200) {
			ids = append(ids, p.ID)
		}
		same(t, query+" "+spaced(ids...), query+" "+strings.TrimSpace(want))
	}
}

// TestArchivesThatStay: an archive that nothing was said of ends by itself, and one for which
// no time passes stays.
func TestArchivesThatStay(t *testing.T) {
	svc := servicetest.New(t)
	pipeline := svc.Project("acme/app").Pipeline("main")
	files := servicetest.Archive(map[string]string{"a": "a"})
	ends := func(job *servicetest.Job) bool {
		view := into[map[string]any](t, call(t, svc, "GET", fmt.Sprintf("/projects/1/jobs/%d", job.ID()), ""), 200)
		return view["artifacts_expire_at"] != nil
	}
	same(t, spaced(ends(pipeline.Job("a", files)), ends(pipeline.Job("b", files, servicetest.ExpireIn(0))),
		ends(pipeline.Job("c", files, servicetest.ExpireIn(time.Nanosecond)))), "true false true")
}

// TestCustomRoles: a member shows the role, with its level and its permissions.
func TestCustomRoles(t *testing.T) {
	svc := servicetest.New(t)
	svc.User("ada")
	svc.Group("acme")
	role := svc.MemberRole("Auditing", servicetest.Reporter, "read_code", "admin_vulnerability")
	made := into[map[string]any](t, call(t, svc, "POST", "/groups/1/members",
		fmt.Sprintf(`{"user_id":2,"access_level":20,"member_role_id":%d}`, role)), 201)
	same(t, spaced(made["member_role"]), "map[admin_vulnerability:true base_access_level:20 description:<nil> "+
		"group_id:<nil> id:1 name:Auditing read_code:true]")
}

// TestListsOfHandlesAreCopies: changing a list that a handle returned changes nothing else.
func TestListsOfHandlesAreCopies(t *testing.T) {
	svc := servicetest.New(t)
	app, other := svc.Project("acme/app"), svc.Project("acme/other")
	runner := svc.Runner("fast", servicetest.ForProjects(app))
	runner.Projects()[0] = other
	same(t, runner.Projects()[0].Path(), "acme/app")
	token := app.RegistrationToken()
	same(t, asked(t, svc, fmt.Sprintf(`POST /runners {"token":%q}`, token)), "201")
	call(t, svc, "DELETE", "/projects/1", "")
	same(t, asked(t, svc, fmt.Sprintf(`POST /runners {"token":%q}`, token)), "403")
}

// TestPagesOfDeletedProjects: a page is told to be deleted, but not with its project.
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
