package wiretests

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// wholeBulkImport is testdata/bulk_imports/bulk_import.json.
func wholeBulkImport(t *testing.T) *serviceapi.BulkImport {
	return &serviceapi.BulkImport{
		ID: 1, Status: serviceapi.BulkImportStatusFinished, SourceType: "service", SourceURL: "https://old.example",
		CreatedAt: *at(t, "2026-01-15T08:00:00Z"), UpdatedAt: *at(t, "2026-01-15T08:05:00Z"), HasFailures: true,
	}
}

// wholeBulkFailure is testdata/bulk_imports/failure.json.
func wholeBulkFailure() *serviceapi.BulkImportFailure {
	return &serviceapi.BulkImportFailure{
		Relation: "labels", ExceptionMessage: "Title is too long", ExceptionClass: "ActiveRecord::RecordInvalid",
		CorrelationIDValue: "dfcf583058ed4508e4c7c617bd7f0edd",
		SourceURL:          "https://old.example/acme/tools/-/labels/1", SourceTitle: "A label",
	}
}

// wholeBulkEntity is testdata/bulk_imports/entity.json.
func wholeBulkEntity(t *testing.T) *serviceapi.BulkImportEntity {
	return &serviceapi.BulkImportEntity{
		ID: 3, BulkImportID: 1, Status: serviceapi.BulkImportStatusFinished,
		EntityType: serviceapi.BulkImportEntityTypeProject, SourceFullPath: "old/tools/one",
		DestinationFullPath: "acme/tools/one", DestinationName: "one", DestinationSlug: "one",
		DestinationNamespace: "acme/tools", ParentID: new(int64(2)), NamespaceID: new(int64(7)),
		ProjectID: new(int64(4)), CreatedAt: *at(t, "2026-01-15T08:00:00Z"), UpdatedAt: *at(t, "2026-01-15T08:05:00Z"),
		Failures: []*serviceapi.BulkImportFailure{wholeBulkFailure()}, HasFailures: true, MigrateProjects: new(true),
		MigrateMemberships: new(true),
		Stats:              map[string]*serviceapi.BulkImportStats{"labels": {Source: 10, Fetched: 9, Imported: 8}},
	}
}

func TestBulkImports(t *testing.T) {
	const whole, path = "bulk_imports/bulk_import.json", "/bulk_imports"
	list := "[" + fixture(t, whole) + "]"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Query: "page=2&per_page=5&sort=asc&status=failed", Body: list},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: list},
		exchange{Method: "GET", Path: path + "/1", Fixture: whole},
		exchange{Method: "POST", Path: path, Status: 201, Fixture: whole, JSON: `{
			"configuration":{"url":"https://old.example","access_token":"old-s3cr3t"},
			"entities":[
				{"source_type":"group_entity","source_full_path":"old/tools","destination_namespace":"",
					"destination_slug":"tools","migrate_projects":true,"migrate_memberships":false},
				{"source_type":"project_entity","source_full_path":"old/lib","destination_namespace":"acme",
					"destination_slug":"lib"}]}`},
		exchange{Method: "POST", Path: path + "/1/cancel", Fixture: whole})
	s, ctx := client.BulkImports, t.Context()
	isWhole := func(got *serviceapi.BulkImport, _ *serviceapi.Response, err error) {
		t.Helper()
		require.NoError(t, err)
		assert.Equal(t, wholeBulkImport(t), got)
		assertFilled(t, got)
	}
	listed, _, err := s.List(ctx, &serviceapi.ListBulkImportsOptions{
		ListOptions: serviceapi.ListOptions{Page: 2, PerPage: 5}, Sort: serviceapi.SortAscending,
		Status: serviceapi.BulkImportStatusFailed})
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.BulkImport{wholeBulkImport(t)}, listed)
	listed, err = serviceapi.Collect(s.All(ctx, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.BulkImport{wholeBulkImport(t)}, listed)
	isWhole(s.Get(ctx, 1))
	isWhole(s.Start(ctx, serviceapi.StartBulkImportOptions{
		Configuration: serviceapi.BulkImportSource{URL: "https://old.example",
			AccessToken: serviceapi.NewSecret("old-s3cr3t")},
		Entities: []serviceapi.NewBulkImportEntity{
			{SourceType: serviceapi.BulkImportSourceTypeGroup, SourceFullPath: "old/tools", DestinationSlug: "tools",
				MigrateProjects: new(true), MigrateMemberships: new(false)},
			{SourceType: serviceapi.BulkImportSourceTypeProject, SourceFullPath: "old/lib",
				DestinationNamespace: "acme", DestinationSlug: "lib"},
		},
	}))
	isWhole(s.Cancel(ctx, 1))
}

// TestBulkImportsKeepTheToken checks that the token of the other instance is in no error and no dump,
// even if the service repeats it.
func TestBulkImportsKeepTheToken(t *testing.T) {
	var dump strings.Builder
	client := onWire(t, exchange{Method: "POST", Path: "/bulk_imports", Status: 422,
		JSON: `{"configuration":{"url":"https://old.example","access_token":"old-s3cr3t"},"entities":[{
			"source_type":"group_entity","source_full_path":"a","destination_namespace":"","destination_slug":"b"}]}`,
		Body: `{"message":"Import failed. The token old-s3cr3t is not valid."}`})
	_, _, err := client.BulkImports.Start(t.Context(), serviceapi.StartBulkImportOptions{
		Configuration: serviceapi.BulkImportSource{URL: "https://old.example",
			AccessToken: serviceapi.NewSecret("old-s3cr3t")},
		Entities: []serviceapi.NewBulkImportEntity{{SourceType: serviceapi.BulkImportSourceTypeGroup,
			SourceFullPath: "a", DestinationSlug: "b"}},
	}, serviceapi.WithDump(&dump, serviceapi.DumpOptions{Bodies: true}))
	require.ErrorIs(t, err, serviceapi.ErrUnprocessable)
	assert.ErrorContains(t, err, "Import failed.")
	assert.NotContains(t, fmt.Sprintf("%+v", err)+dump.String(), "s3cr3t")
}

func TestBulkImportEntities(t *testing.T) {
	const whole, path = "bulk_imports/entity.json", "/bulk_imports/1/entities"
	const query = "page=2&per_page=5&sort=desc&status=started"
	list, failures := "["+fixture(t, whole)+"]", "["+fixture(t, "bulk_imports/failure.json")+"]"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Query: query, Body: list},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: list},
		exchange{Method: "GET", Path: "/bulk_imports/entities", Query: query, Body: list},
		exchange{Method: "GET", Path: "/bulk_imports/entities", Query: "per_page=100", Body: list},
		exchange{Method: "GET", Path: path + "/3", Fixture: whole},
		exchange{Method: "GET", Path: path + "/3/failures", Query: "page=2&per_page=5", Body: failures},
		exchange{Method: "GET", Path: path + "/3/failures", Query: "per_page=100", Body: failures})
	s, ctx, second := client.BulkImports, t.Context(), serviceapi.ListOptions{Page: 2, PerPage: 5}
	options := &serviceapi.ListBulkImportsOptions{ListOptions: second, Sort: serviceapi.SortDescending,
		Status: serviceapi.BulkImportStatusStarted}
	want := []*serviceapi.BulkImportEntity{wholeBulkEntity(t)}
	got, _, err := s.ListEntities(ctx, 1, options)
	require.NoError(t, err)
	assert.Equal(t, want, got)
	assertFilled(t, got[0])
	got, err = serviceapi.Collect(s.AllEntities(ctx, 1, nil))
	require.NoError(t, err)
	assert.Equal(t, want, got)
	got, _, err = s.ListOwnEntities(ctx, options)
	require.NoError(t, err)
	assert.Equal(t, want, got)
	got, err = serviceapi.Collect(s.AllOwnEntities(ctx, nil))
	require.NoError(t, err)
	assert.Equal(t, want, got)
	one, _, err := s.GetEntity(ctx, 1, 3)
	require.NoError(t, err)
	assert.Equal(t, want[0], one)
	failed, _, err := s.ListFailures(ctx, 1, 3, &second)
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.BulkImportFailure{wholeBulkFailure()}, failed)
	assertFilled(t, failed[0])
	failed, err = serviceapi.Collect(s.AllFailures(ctx, 1, 3, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.BulkImportFailure{wholeBulkFailure()}, failed)
}

// TestBulkImportsWait polls to each of the four ends, with progress and without, and gives up when the
// entities cannot be read.
func TestBulkImportsWait(t *testing.T) {
	quick := serviceapi.WithPollInterval(time.Millisecond, time.Millisecond)
	const one, entities = "/bulk_imports/1", "/bulk_imports/1/entities"
	state := func(status string) exchange {
		return exchange{Method: "GET", Path: one, Body: `{"id":1,"status":"` + status + `"}`}
	}
	parts := func(body string) exchange {
		return exchange{Method: "GET", Path: entities, Query: "per_page=100", Body: body}
	}
	client := onWire(t,
		state("created"), parts(`[{"id":1,"status":"created"}]`),
		state("started"), parts(`[{"id":1,"status":"finished"},{"id":2,"status":"started"}]`),
		state("finished"),
		parts(`[{"id":1,"status":"failed"},{"id":2,"status":"timeout"},{"id":3,"status":"canceled"}]`),
		state("failed"), state("timeout"), state("canceled"),
		state("created"), exchange{Method: "GET", Path: entities, Query: "per_page=100", Status: 403,
			Body: `{"message":"403 Forbidden"}`})
	s, ctx := client.BulkImports, t.Context()
	var seen []string
	done, err := s.Wait(ctx, 1, func(p serviceapi.BulkImportProgress) {
		seen = append(seen, fmt.Sprint(p.Import.Status, " ", p.Ended(), "/", len(p.Entities)))
	}, quick)
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.BulkImport{ID: 1, Status: serviceapi.BulkImportStatusFinished}, done)
	assert.Equal(t, []string{"created 0/1", "started 1/2", "finished 3/3"}, seen)
	for _, status := range []serviceapi.BulkImportStatus{"failed", "timeout", "canceled"} {
		last, err := s.Wait(ctx, 1, nil, quick)
		var failed *serviceapi.BulkImportError
		require.ErrorAs(t, err, &failed)
		assert.Equal(t, &serviceapi.BulkImport{ID: 1, Status: status}, failed.Import)
		assert.Equal(t, failed.Import, last)
		assert.EqualError(t, err, "serviceapi: the bulk import 1 is "+string(status))
	}
	last, err := s.Wait(ctx, 1, func(serviceapi.BulkImportProgress) { t.Error("progress without entities") }, quick)
	require.ErrorIs(t, err, serviceapi.ErrForbidden)
	assert.Equal(t, serviceapi.BulkImportStatusCreated, last.Status)
	assert.EqualError(t, &serviceapi.BulkImportError{}, "serviceapi: the bulk import 0 is lost")
	late := &serviceapi.BulkImportError{Import: &serviceapi.BulkImport{ID: 120, Status: "timeout"}}
	assert.EqualError(t, late, "serviceapi: the bulk import 120 is timeout")
}

func TestBulkImportsArguments(t *testing.T) {
	s, ctx := onWire(t).BulkImports, t.Context()
	from := serviceapi.BulkImportSource{URL: "u", AccessToken: serviceapi.NewSecret("s")}
	one := serviceapi.NewBulkImportEntity{SourceType: "group_entity", SourceFullPath: "a", DestinationSlug: "b"}
	start := func(from serviceapi.BulkImportSource, entities ...serviceapi.NewBulkImportEntity) error {
		return errorOf(s.Start(ctx, serviceapi.StartBulkImportOptions{Configuration: from, Entities: entities}))
	}
	assertRefused(t, "Configuration", start(serviceapi.BulkImportSource{}, one))
	assertRefused(t, "Configuration.AccessToken", start(serviceapi.BulkImportSource{URL: "u"}, one))
	assertRefused(t, "Entities", start(from))
	assertRefused(t, "Entities[0].SourceType", start(from, serviceapi.NewBulkImportEntity{}))
	assertRefused(t, "Entities[1].SourceFullPath", start(from, one, serviceapi.NewBulkImportEntity{SourceType: "x"}))
	assertRefused(t, "Entities[0].DestinationSlug", start(from,
		serviceapi.NewBulkImportEntity{SourceType: "x", SourceFullPath: "y"}))
	assertRefused(t, "id", errorOf(s.Get(ctx, 0)))
	assertRefused(t, "id", errorOf(s.Cancel(ctx, 0)))
	assertRefused(t, "entity_id", errorOf(s.GetEntity(ctx, 1, 0)))
	assertRefused(t, "entity_id", errorOf(s.ListFailures(ctx, 1, -1, nil)))
	_, err := s.Wait(ctx, 0, nil)
	assertRefused(t, "id", err)
}

// importedProject is testdata/imports/imported_project.json.
func importedProject() *serviceapi.ImportedProject {
	return &serviceapi.ImportedProject{
		ID: 27, Name: "cat", FullPath: "/acme/cat", FullName: "Acme / cat", RefsURL: "/acme/cat/refs", Forked: true,
		ImportSource: "octo/cat", ProviderLink: "/octo/cat", ImportStatus: serviceapi.ImportStateScheduled,
		HumanImportStatusName: "scheduled", ImportError: "It broke", ImportWarning: "It was slow",
		RelationType: "owned",
	}
}

func TestImportsFromProducts(t *testing.T) {
	const whole = "imports/imported_project.json"
	client := onWire(t,
		exchange{Method: "POST", Path: "/import/github", Status: 201, Fixture: whole, JSON: `{
			"personal_access_token":"git-s3cr3t","repo_id":7,"target_namespace":"acme","new_name":"cat",
			"github_hostname":"https://git.example","optional_stages":{"single_endpoint_notes_import":true,
			"attachments_import":false,"collaborators_import":true},"timeout_strategy":"optimistic",
			"pagination_limit":50}`},
		exchange{Method: "POST", Path: "/import/github/cancel", Fixture: whole, JSON: `{"project_id":27}`},
		exchange{Method: "POST", Path: "/import/github/gists", Status: 202, Body: "202",
			JSON: `{"personal_access_token":"git-s3cr3t"}`},
		exchange{Method: "POST", Path: "/import/bitbucket", Status: 201, Fixture: whole, JSON: `{
			"bitbucket_email":"a@b.example","bitbucket_api_token":"bit-s3cr3t","repo_path":"team/cat",
			"target_namespace":"acme","new_name":"cat"}`},
		exchange{Method: "POST", Path: "/import/bitbucket", Status: 201, Fixture: whole, JSON: `{
			"bitbucket_username":"a","bitbucket_app_password":"app-s3cr3t","repo_path":"team/cat",
			"target_namespace":"acme"}`},
		exchange{Method: "POST", Path: "/import/bitbucket_server", Status: 201, Fixture: whole, JSON: `{
			"bitbucket_server_url":"https://bit.example","bitbucket_server_username":"a",
			"personal_access_token":"srv-s3cr3t","bitbucket_server_project":"P","bitbucket_server_repo":"cat",
			"new_name":"cat","new_namespace":"acme","timeout_strategy":"pessimistic"}`})
	s, ctx := client.ProjectImport, t.Context()
	isWhole := func(got *serviceapi.ImportedProject, _ *serviceapi.Response, err error) {
		t.Helper()
		require.NoError(t, err)
		assert.Equal(t, importedProject(), got)
		assertFilled(t, got)
	}
	isWhole(s.FromGitHub(ctx, serviceapi.ImportFromGitHubOptions{
		PersonalAccessToken: serviceapi.NewSecret("git-s3cr3t"), RepoID: 7, TargetNamespace: "acme",
		NewName:        new("cat"),
		GitHubHostname: new("https://git.example"), OptionalStages: &serviceapi.GitHubImportStages{
			SingleEndpointNotesImport: new(true), AttachmentsImport: new(false), CollaboratorsImport: new(true)},
		TimeoutStrategy: new(serviceapi.ImportTimeoutStrategyOptimistic), PaginationLimit: new(50),
	}))
	isWhole(s.CancelFromGitHub(ctx, serviceapi.CancelFromGitHubOptions{ProjectID: 27}))
	resp, err := s.GistsFromGitHub(ctx, serviceapi.ImportGistsOptions{
		PersonalAccessToken: serviceapi.NewSecret("git-s3cr3t")})
	require.NoError(t, err)
	assert.Equal(t, 202, resp.StatusCode)
	isWhole(s.FromBitbucket(ctx, serviceapi.ImportFromBitbucketOptions{BitbucketEmail: new("a@b.example"),
		BitbucketAPIToken: serviceapi.NewSecret("bit-s3cr3t"), RepoPath: "team/cat", TargetNamespace: "acme",
		NewName: new("cat")}))
	isWhole(s.FromBitbucket(ctx, serviceapi.ImportFromBitbucketOptions{BitbucketUsername: new("a"),
		BitbucketAppPassword: serviceapi.NewSecret("app-s3cr3t"), RepoPath: "team/cat", TargetNamespace: "acme"}))
	isWhole(s.FromBitbucketServer(ctx, serviceapi.ImportFromBitbucketServerOptions{
		BitbucketServerURL: "https://bit.example", BitbucketServerUsername: "a",
		PersonalAccessToken: serviceapi.NewSecret("srv-s3cr3t"), BitbucketServerProject: "P",
		BitbucketServerRepo: "cat", NewName: new("cat"), NewNamespace: new("acme"),
		TimeoutStrategy: new(serviceapi.ImportTimeoutStrategyPessimistic)}))
}

// TestImportsRefused reads both forms of refusals, and shows the credential in none.
func TestImportsRefused(t *testing.T) {
	github := serviceapi.ImportFromGitHubOptions{PersonalAccessToken: serviceapi.NewSecret("git-s3cr3t"), RepoID: 7,
		TargetNamespace: "acme"}
	bitbucket := serviceapi.ImportFromBitbucketOptions{BitbucketEmail: new("a@b.example"),
		BitbucketAPIToken: serviceapi.NewSecret("git-s3cr3t"), RepoPath: "a", TargetNamespace: "acme"}
	client := onWire(t,
		exchange{Method: "POST", Path: "/import/github", Status: 422, Body: `{"errors":"No access with git-s3cr3t"}`,
			JSON: `{"personal_access_token":"git-s3cr3t","repo_id":7,"target_namespace":"acme"}`},
		exchange{Method: "POST", Path: "/import/bitbucket", Status: 401, Body: `{"message":{"error":"No access"}}`,
			JSON: `{"bitbucket_email":"a@b.example","bitbucket_api_token":"git-s3cr3t","repo_path":"a",` +
				`"target_namespace":"acme"}`})
	s, ctx := client.ProjectImport, t.Context()
	err := errorOf(s.FromGitHub(ctx, github))
	require.ErrorIs(t, err, serviceapi.ErrUnprocessable)
	assert.ErrorContains(t, err, "No access with")
	assert.NotContains(t, fmt.Sprintf("%+v", err), "s3cr3t")
	err = errorOf(s.FromBitbucket(ctx, bitbucket))
	require.ErrorIs(t, err, serviceapi.ErrUnauthorized)
	assert.ErrorContains(t, err, "No access")
	assertRefused(t, "PersonalAccessToken", errorOf(s.FromGitHub(ctx, serviceapi.ImportFromGitHubOptions{})))
	assertRefused(t, "RepoPath", errorOf(s.FromBitbucket(ctx, serviceapi.ImportFromBitbucketOptions{})))
	email, name := new("a@b.example"), new("a")
	token := serviceapi.NewSecret("git-s3cr3t")
	for _, o := range []serviceapi.ImportFromBitbucketOptions{
		{}, {BitbucketAPIToken: token}, {BitbucketEmail: email}, {BitbucketEmail: new(""), BitbucketAPIToken: token},
		{BitbucketAppPassword: token}, {BitbucketUsername: name}, {BitbucketEmail: email, BitbucketAppPassword: token},
	} {
		o.RepoPath, o.TargetNamespace = "a/b", "acme"
		assertRefused(t, "BitbucketEmail with BitbucketAPIToken", errorOf(s.FromBitbucket(ctx, o)))
	}
	assertRefused(t, "BitbucketServerURL", errorOf(s.FromBitbucketServer(ctx,
		serviceapi.ImportFromBitbucketServerOptions{})))
	assertRefused(t, "ProjectID", errorOf(s.CancelFromGitHub(ctx, serviceapi.CancelFromGitHubOptions{})))
	assertRefused(t, "PersonalAccessToken", second(s.GistsFromGitHub(ctx, serviceapi.ImportGistsOptions{})))
}

func TestRelationImports(t *testing.T) {
	const whole, path = "imports/relation_import.json", "/projects/4/relation-imports"
	want := &serviceapi.RelationImport{ID: 9, ProjectPath: "acme/app", Relation: serviceapi.ImportedRelationIssues,
		Status: "created", CreatedAt: *at(t, "2026-01-15T08:00:00Z"), UpdatedAt: *at(t, "2026-01-15T08:01:00Z")}
	list := "[" + fixture(t, whole) + "]"
	client := onWire(t,
		exchange{Method: "POST", Path: "/projects/import-relation", Status: 201, Fixture: whole, Multipart: []string{
			"path=acme/app", "relation=issues", "file[a.tar.gz;application/gzip]=archive"}},
		exchange{Method: "GET", Path: path, Query: "page=2", Body: list},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: list})
	s, ctx := client.ProjectImport, t.Context()
	file := serviceapi.Upload{Filename: "a.tar.gz", ContentType: "application/gzip",
		Content: strings.NewReader("archive")}
	got, _, err := s.ImportRelation(ctx, serviceapi.ImportRelationOptions{File: file, Path: "acme/app",
		Relation: serviceapi.ImportedRelationIssues})
	require.NoError(t, err)
	assert.Equal(t, want, got)
	assertFilled(t, got)
	listed, _, err := s.ListRelationImports(ctx, somewhere, &serviceapi.ListOptions{Page: 2})
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.RelationImport{want}, listed)
	listed, err = serviceapi.Collect(s.AllRelationImports(ctx, somewhere, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.RelationImport{want}, listed)
	assertRefused(t, "File", errorOf(s.ImportRelation(ctx, serviceapi.ImportRelationOptions{})))
	assertRefused(t, "Path", errorOf(s.ImportRelation(ctx, serviceapi.ImportRelationOptions{File: file})))
	assertRefused(t, "Relation", errorOf(s.ImportRelation(ctx,
		serviceapi.ImportRelationOptions{File: file, Path: "a"})))
}

func TestRelationsExport(t *testing.T) {
	const whole = "relations_export/relation.json"
	want := &serviceapi.RelationExport{Relation: "issues", Status: serviceapi.RelationExportStatusFailed,
		Error: "It broke", UpdatedAt: *at(t, "2026-01-15T08:00:00Z"), Batched: true, BatchesCount: 1,
		TotalObjectsCount: 12, Batches: []*serviceapi.RelationBatch{{BatchNumber: 1,
			Status: serviceapi.RelationExportStatusFinished, ObjectsCount: 12, Error: "So did this",
			UpdatedAt: *at(t, "2026-01-15T08:01:00Z")}}}
	for _, o := range []struct {
		owner serviceapi.RelationsExportOwner
		path  string
	}{{somewhere, "/projects/4"}, {someTeam, "/groups/7"}} {
		path := o.path + "/export_relations"
		client := onWire(t,
			exchange{Method: "POST", Path: path, Status: 202, JSON: `{"batched":true}`,
				Body: `{"message":"202 Accepted"}`},
			exchange{Method: "POST", Path: path, Status: 202, JSON: `{}`, Body: `{"message":"202 Accepted"}`},
			exchange{Method: "GET", Path: path + "/status", Body: "[" + fixture(t, whole) + `,{"relation":"labels"}]`},
			exchange{Method: "GET", Path: path + "/status", Query: "relation=issues", Fixture: whole},
			exchange{Method: "GET", Path: path + "/status", Body: " []"},
			exchange{Method: "GET", Path: path + "/status", Status: 404, Body: `{"message":"404 Not Found"}`},
			exchange{Method: "GET", Path: path + "/download", Query: "relation=issues", Body: "all"},
			exchange{Method: "GET", Path: path + "/download", Query: "batch_number=2&batched=true&relation=issues",
				Body: "two"},
			exchange{Method: "GET", Path: path + "/download", Query: "relation=issues", Status: 400,
				Body: `{"message":"Export is batched"}`})
		s, ctx := client.RelationsExport, t.Context()
		for _, options := range []serviceapi.ScheduleRelationsExportOptions{{Batched: new(true)}, {}} {
			resp, err := s.Schedule(ctx, o.owner, options)
			require.NoError(t, err)
			assert.Equal(t, 202, resp.StatusCode)
		}
		got, _, err := s.GetStatus(ctx, o.owner, nil)
		require.NoError(t, err)
		assert.Equal(t, []*serviceapi.RelationExport{want, {Relation: "labels"}}, got)
		assertFilled(t, got[0])
		got, _, err = s.GetStatus(ctx, o.owner, &serviceapi.GetRelationsStatusOptions{Relation: "issues"})
		require.NoError(t, err)
		assert.Equal(t, []*serviceapi.RelationExport{want}, got)
		got, _, err = s.GetStatus(ctx, o.owner, nil)
		require.NoError(t, err)
		assert.Empty(t, got)
		got, _, err = s.GetStatus(ctx, o.owner, nil)
		require.ErrorIs(t, err, serviceapi.ErrNotFound)
		assert.Nil(t, got)
		for batch, text := range []string{"all", "", "two"} {
			if text != "" {
				assert.Equal(t, text, textOf(t, func() (*serviceapi.Download, *serviceapi.Response, error) {
					return s.Download(ctx, o.owner,
						&serviceapi.DownloadRelationOptions{Relation: "issues", BatchNumber: batch})
				}))
			}
		}
		err = errorOf(s.Download(ctx, o.owner, &serviceapi.DownloadRelationOptions{Relation: "issues"}))
		require.ErrorIs(t, err, serviceapi.ErrBadRequest)
		assert.ErrorContains(t, err, "Export is batched")
		assertRefused(t, "Relation", errorOf(s.Download(ctx, o.owner, nil)))
		assertRefused(t, "Relation", errorOf(s.Download(ctx, o.owner, &serviceapi.DownloadRelationOptions{})))
		assertRefused(t, "owner", second(s.Schedule(ctx, nil, serviceapi.ScheduleRelationsExportOptions{})))
	}
}

// TestRelationsExportOddMembers keeps what can be read of a relation with a wrong member.
func TestRelationsExportOddMembers(t *testing.T) {
	for _, body := range []string{`{"relation":"issues","status":"x"}`, `[{"relation":"issues","status":"x"}]`} {
		client := onWire(t, exchange{Method: "GET", Path: "/projects/4/export_relations/status", Body: body})
		got, _, err := client.RelationsExport.GetStatus(t.Context(), somewhere, nil)
		var decode *serviceapi.DecodeError
		require.ErrorAs(t, err, &decode)
		assert.True(t, decode.Partial)
		assert.Equal(t, []*serviceapi.RelationExport{{Relation: "issues"}}, got)
	}
}

func TestLicenseRest(t *testing.T) {
	client := onWire(t,
		exchange{Method: "GET", Path: "/license/usage_export.csv", Body: "Date,Billable User Count\n"},
		exchange{Method: "PUT", Path: "/license/7/refresh_billable_users", Status: 202, Body: `{"success":true}`})
	assert.Equal(t, "Date,Billable User Count\n", textOf(t, func() (*serviceapi.Download, *serviceapi.Response, error) {
		return client.License.DownloadUsage(t.Context())
	}))
	resp, err := client.License.RefreshBillableUsers(t.Context(), 7)
	require.NoError(t, err)
	assert.Equal(t, 202, resp.StatusCode)
	assertRefused(t, "id", second(client.License.RefreshBillableUsers(t.Context(), 0)))
}
