package interop

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

// allowImports turns on direct transfer and every source of imports.
func (e *env) allowImports() {
	e.Helper()
	got(e.admin.Settings.UpdateSettings(&clientgo.UpdateSettingsOptions{BulkImportEnabled: new(true),
		ImportSources: &[]string{"github", "bitbucket", "bitbucket_server"}})).ok(e, 200)
}

func TestBulkImports(t *testing.T) {
	e := start(t)
	e.svc.Group(acme)
	e.svc.RemoteGroup("old/tools", "one", "two")
	failure := servicetest.RemoteFailure{Relation: "labels", Message: "Title is too long"}
	e.svc.FailRemote("old/tools/two", failure, failure, failure)
	e.allowImports()
	c := e.admin.BulkImports
	for _, slug := range []string{"a", "b", "c"} {
		made := got(c.StartMigration(&clientgo.BulkImportStartMigrationOptions{
			Configuration: &clientgo.BulkImportStartMigrationConfiguration{URL: new("https://old.example"),
				AccessToken: new("t")},
			Entities: []clientgo.BulkImportStartMigrationEntity{{SourceType: new("group_entity"),
				SourceFullPath: new("old/tools"), DestinationSlug: &slug, DestinationNamespace: new(acme)}},
		})).ok(e, 201)
		assert.Equal(t, "created", made.Status)
	}
	assert.Equal(t, "canceled", got(c.CancelBulkImport(3)).ok(e, 200).Status)
	e.svc.Advance(time.Minute)
	all := walk0(e, c.ListBulkImports, &clientgo.ListBulkImportsOptions{})
	assert.Equal(t, []string{"canceled", "finished", "finished"},
		each(all, func(i *clientgo.BulkImport) string { return i.Status }))
	assert.True(t, got(c.GetBulkImport(1)).ok(e, 200).HasFailures)
	own := walk0(e, c.ListBulkImportsEntities, &clientgo.ListBulkImportsEntitiesOptions{})
	assert.Len(t, own, 7)
	of := walk1[int64](e, c.ListBulkImportsEntitiesByID, 1, &clientgo.ListBulkImportsEntitiesOptions{})
	assert.Equal(t, []string{"two", "one", "a"}, each(of, func(e *clientgo.BulkImportEntity) string {
		return e.DestinationSlug
	}))
	assert.Equal(t, of[0], got(c.GetBulkImportEntity(1, of[0].ID)).ok(e, 200))
	failures := walk(e, func(opts ...clientgo.RequestOptionFunc) (
		[]*clientgo.BulkImportEntityFailure, *clientgo.Response, error) {
		return c.GetBulkImportEntityFailures(1, of[0].ID, opts...)
	})
	assert.Len(t, failures, 3)
}

func TestProductImports(t *testing.T) {
	e := start(t)
	e.svc.Group(acme)
	e.allowImports()
	c := e.admin.Import
	made := got(c.ImportRepositoryFromGitHub(&clientgo.ImportRepositoryFromGitHubOptions{
		PersonalAccessToken: new("t"), RepoID: new(int64(7)), TargetNamespace: new(acme)})).ok(e, 201)
	cancel := &clientgo.CancelGitHubProjectImportOptions{ProjectID: &made.ID}
	canceled := got(c.CancelGitHubProjectImport(cancel)).ok(e, 200)
	assert.Equal(t, "canceled", canceled.ImportStatus)
	done(c.ImportGitHubGistsIntoGitLabSnippets(&clientgo.ImportGitHubGistsIntoGitLabSnippetsOptions{
		PersonalAccessToken: new("t")})).ok(e, 202)
	cloud := got(c.ImportRepositoryFromBitbucketCloud(&clientgo.ImportRepositoryFromBitbucketCloudOptions{
		BitbucketUsername: new("a"), BitbucketAppPassword: new("t"), RepoPath: new("team/cat"),
		TargetNamespace: new(acme)})).ok(e, 201)
	assert.Equal(t, acme+"/cat", cloud.FullName)
	server := got(c.ImportRepositoryFromBitbucketServer(&clientgo.ImportRepositoryFromBitbucketServerOptions{
		BitbucketServerURL: new("https://bit.example"), BitbucketServerUsername: new("a"),
		PersonalAccessToken: new("t"), BitbucketServerProject: new("P"), BitbucketServerRepo: new("dog"),
		NewNamespace: new(acme)})).ok(e, 201)
	assert.Equal(t, acme+"/dog", server.FullName)
}

func TestRelations(t *testing.T) {
	e := start(t)
	project := e.svc.Project(app)
	project.Issue("Slow")
	project.Group().Milestone("2.0")
	e.allowImports()
	c := e.admin.GroupRelationsExport
	done(c.ScheduleExport(acme, &clientgo.GroupRelationsScheduleExportOptions{Batched: new(true)})).ok(e, 202)
	done(bare(e.admin, http.MethodPost, "projects/1/export_relations").resp, nil).ok(e, 202)
	e.svc.Advance(time.Minute)
	status := got(c.ListExportStatus(acme, nil)).ok(e, 200)
	assert.Equal(t, []string{"issues", "labels", "milestones"},
		each(status, func(s *clientgo.GroupRelationStatus) string { return s.Relation }))
	file := got(c.ExportDownload(acme, &clientgo.GroupRelationsDownloadOptions{Relation: new("milestones"),
		Batched: new(true), BatchNumber: new(int64(1))})).raw(e)
	assert.NotZero(t, file.Len())
	of := request[[]*clientgo.GroupRelationStatus](e.admin, http.MethodGet, "projects/1/export_relations/status", nil)
	assert.Equal(t, int64(1), of.ok(e, 200)[0].Status)
	lines := request[bytes.Buffer](e.admin, http.MethodGet, "projects/1/export_relations/download",
		&clientgo.GroupRelationsDownloadOptions{Relation: new("issues")}).raw(e)
	assert.NotZero(t, lines.Len())

	req, err := e.admin.UploadRequest(http.MethodPost, "projects/import-relation", strings.NewReader("x"), "a.tar.gz",
		clientgo.UploadFile, struct {
			Path     string `url:"path"`
			Relation string `url:"relation"`
		}{app, "issues"}, nil)
	require.NoError(t, err)
	made := map[string]any{}
	_, err = e.admin.Do(req, &made)
	require.NoError(t, err)
	imports := request[[]map[string]any](e.admin, http.MethodGet, "projects/1/relation-imports", nil).raw(e)
	assert.Equal(t, made["id"], imports[0]["id"])
}

func TestLicenseUsage(t *testing.T) {
	e := start(t)
	id := e.svc.AddLicense(servicetest.License{})
	done(bare(e.admin, http.MethodGet, "license/usage_export.csv").resp, nil).ok(e, 200)
	path := fmt.Sprintf("license/%d/refresh_billable_users", id)
	done(bare(e.admin, http.MethodPut, path).resp, nil).ok(e, 202)
}
