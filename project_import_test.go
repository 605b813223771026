package serviceapi

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func scheduledImport(t *testing.T) *ProjectImportStatus {
	return &ProjectImportStatus{
		ID: 9, Name: "engine", NameWithNamespace: "Ada / engine", Path: "engine", PathWithNamespace: "ada/engine",
		CreatedAt:    *at(t, "2026-02-05T08:30:00Z"),
		ImportStatus: ImportStateScheduled, CorrelationID: "mezklWso3Za", FailedRelations: []*FailedRelation{},
	}
}

func TestProjectImportFromFile(t *testing.T) {
	client := onWire(t,
		exchange{
			Method: "POST", Path: "/projects/import", Status: 201, Fixture: "project_import/scheduled.json",
			Multipart: []string{"path=engine", "file[e.tar.gz;application/octet-stream]=tarball"},
		},
		exchange{
			Method: "POST", Path: "/projects/import", Status: 201, Fixture: "project_import/scheduled.json",
			Multipart: []string{
				"name=The Engine", "namespace=acme/tools", "override_params[archived]=false",
				"override_params[build_timeout]=3600",
				"override_params[container_expiration_policy_attributes][enabled]=true",
				"override_params[description]=",
				"override_params[name]=A & B", "override_params[topics][]=go", "override_params[topics][]=sdk",
				"overwrite=false", "path=engine", "file[e.tar.gz;application/gzip]=tarball",
			},
		},
		exchange{
			Method: "POST", Path: "/projects/import", Status: 201, Fixture: "project_import/scheduled.json",
			Multipart: []string{"namespace=3", "path=engine", "file[e.tar.gz;application/octet-stream]=tarball"},
		},
	)
	file := func() Upload { return Upload{Filename: "e.tar.gz", Content: strings.NewReader("tarball")} }
	started, resp, err := client.ProjectImport.FromFile(t.Context(),
		ImportFromFileOptions{File: file(), Path: "engine"})
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, scheduledImport(t), started)

	typed := file()
	typed.ContentType = "application/gzip"
	_, _, err = client.ProjectImport.FromFile(t.Context(), ImportFromFileOptions{
		File: typed, Path: "engine", Namespace: NamespacePath("acme/tools"), Name: new("The Engine"),
		Overwrite: new(false),
		OverrideParams: ProjectOverrides{
			"name": "A & B", "archived": false, "build_timeout": 3600, "description": nil,
			"topics":                                 []string{"go", "sdk"},
			"container_expiration_policy_attributes": map[string]any{"enabled": true},
		},
	})
	require.NoError(t, err)
	_, _, err = client.ProjectImport.FromFile(t.Context(),
		ImportFromFileOptions{File: file(), Path: "engine", Namespace: NamespaceID(3)})
	require.NoError(t, err)
}

func TestProjectImportFromFileRefusesBadInput(t *testing.T) {
	client := onWire(t)
	var argument *ArgumentError
	_, _, err := client.ProjectImport.FromFile(t.Context(), ImportFromFileOptions{Path: "engine"})
	assertRefused(t, "File", err)
	_, _, err = client.ProjectImport.FromFile(t.Context(), ImportFromFileOptions{
		Path: "engine", File: Upload{Filename: "e", Content: strings.NewReader("x")},
		OverrideParams: ProjectOverrides{"name": func() {}},
	})
	assert.ErrorAs(t, err, &argument, "a value that no form can hold")
}

// TestMigrateProjectRefusesEarly checks that a project is not exported for an import that
// would be refused.
func TestMigrateProjectRefusesEarly(t *testing.T) {
	source, target := onWire(t), onWire(t)
	for _, namespace := range []NamespaceRef{NamespaceID(-1), NamespacePath("")} {
		_, err := MigrateProject(t.Context(), source, ProjectID(4), target,
			MigrateProjectOptions{Namespace: namespace, Path: "app"})
		assertRefused(t, "Namespace", err)
	}
}

func TestProjectImportFromURL(t *testing.T) {
	client := onWire(t,
		exchange{
			Method: "POST", Path: "/projects/remote-import", Status: 201, Fixture: "project_import/scheduled.json",
			JSON: `{"url":"https://store.test/e?signature=s3","path":"engine"}`,
		},
		exchange{
			Method: "POST", Path: "/projects/remote-import", Status: 201, Fixture: "project_import/scheduled.json",
			JSON: `{"url":"https://store.test/e?signature=s3","path":"engine","namespace":3,"name":"E",` +
				`"overwrite":true,"override_params":{"description":null}}`,
		},
	)
	options := ImportFromURLOptions{URL: NewSecret("https://store.test/e?signature=s3"), Path: "engine"}
	started, _, err := client.ProjectImport.FromURL(t.Context(), options)
	require.NoError(t, err)
	assert.Equal(t, scheduledImport(t), started)
	options.Namespace, options.Name, options.Overwrite, options.OverrideParams = NamespaceID(3), new("E"), new(true),
		ProjectOverrides{"description": nil}
	_, _, err = client.ProjectImport.FromURL(t.Context(), options)
	require.NoError(t, err)
	assert.NotContains(t, fmt.Sprintf("%v %+v %#v", options, options, options), "s3")
}

func TestProjectImportFromObjectStore(t *testing.T) {
	client := onWire(t, exchange{
		Method: "POST", Path: "/projects/remote-import-objstore", Status: 201, Fixture: "project_import/scheduled.json",
		JSON: `{"path":"engine","region":"r1","bucket_name":"b","file_key":"k","access_key_id":"AK1",` +
			`"secret_access_key":"SK1","namespace":"ada","name":"E"}`,
	})
	options := ImportFromObjectStoreOptions{
		Path: "engine", Region: "r1", BucketName: "b", FileKey: "k", AccessKeyID: NewSecret("AK1"),
		SecretAccessKey: NewSecret("SK1"),
		Namespace:       NamespacePath("ada"), Name: new("E"),
	}
	started, _, err := client.ProjectImport.FromObjectStore(t.Context(), options)
	require.NoError(t, err)
	assert.Equal(t, scheduledImport(t), started)
	printed := fmt.Sprintf("%v %+v %#v", options, options, options)
	assert.NotContains(t, printed, "AK1")
	assert.NotContains(t, printed, "SK1")
}

func TestProjectImportStatus(t *testing.T) {
	client := onWire(t,
		exchange{Method: "GET", Path: "/projects/acme%2Fengine/import", Fixture: "project_import/failed.json"})
	state, _, err := client.ProjectImport.Status(t.Context(), ProjectPath("acme/engine"))
	require.NoError(t, err)
	fetched := ImportCounts{
		ImportedKindDiffNote: 19, ImportedKindIssue: 3, ImportedKindLabel: 1, ImportedKindNote: 3,
		ImportedKindPullRequest:         2,
		ImportedKindPullRequestMergedBy: 1, ImportedKindPullRequestReview: 16,
	}
	imported := ImportCounts{
		ImportedKindDiffNote: 19, ImportedKindIssue: 3, ImportedKindLabel: 1, ImportedKindNote: 3,
		ImportedKindPullRequest:         2,
		ImportedKindPullRequestMergedBy: 1, ImportedKindPullRequestReview: 15,
	}
	want := &ProjectImportStatus{
		ID: 7, Description: "Computes tables", Name: "Engine", NameWithNamespace: "Acme / Engine",
		Path: "engine", PathWithNamespace: "acme/engine", CreatedAt: *at(t, "2026-01-05T08:30:00.120Z"),
		ImportStatus: ImportStateFailed, ImportType: "github", CorrelationID: "mezklWso3Za",
		ImportError: "The archive\nis damaged",
		FailedRelations: []*FailedRelation{{
			ID: 42, CreatedAt: *at(t, "2026-02-05T08:31:00.185Z"), ExceptionClass: "RuntimeError",
			ExceptionMessage: "A failure occurred",
			Source:           "custom error context", RelationName: "merge_requests", LineNumber: 3,
		}},
		Stats: &ImportStats{Fetched: fetched, Imported: imported},
	}
	want.ID, want.CreatedAt = 9, *at(t, "2026-02-05T08:30:00Z")
	assert.Equal(t, want, state)

	_, _, err = client.ProjectImport.Status(t.Context(), ProjectPath("acme/"))
	var argument *ArgumentError
	assert.ErrorAs(t, err, &argument)
}

func importState(state ImportState) string {
	return `{"id":9,"path_with_namespace":"ada/engine","import_status":"` + string(state) + `"}`
}

func TestProjectImportWait(t *testing.T) {
	none, scheduled, started := status(200, importState(ImportStateNone)),
		status(200, importState(ImportStateScheduled)), status(200, importState(ImportStateStarted))
	finished := status(200, importState(ImportStateFinished))
	failed := status(200, fixture(t, "project_import/failed.json"))
	synctest.Test(t, func(t *testing.T) {
		client, script := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, none, scheduled, started, finished)
		state, err := client.ProjectImport.Wait(t.Context(), ProjectID(9))
		require.NoError(t, err)
		assert.Equal(t, ImportStateFinished, state.ImportStatus)
		assert.Len(t, script.times, 4)
	})
	synctest.Test(t, func(t *testing.T) {
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, scheduled, failed)
		state, err := client.ProjectImport.Wait(t.Context(), ProjectID(9))
		var broken *ProjectImportError
		require.ErrorAs(t, err, &broken)
		assert.Same(t, state, broken.Status)
		assert.Len(t, broken.Status.FailedRelations, 1)
		assert.EqualError(t, err, `serviceapi: the import of acme/engine failed: The archive\nis damaged`)
	})
	synctest.Test(t, func(t *testing.T) {
		client, script := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, none)
		_, err := client.ProjectImport.Wait(t.Context(), ProjectID(9))
		var broken *ProjectImportError
		require.ErrorAs(t, err, &broken)
		assert.EqualError(t, err, "serviceapi: the import of ada/engine does not exist")
		assert.Len(t, script.times, maxIdleLooks)
	})
	synctest.Test(t, func(t *testing.T) {
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, started)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		state, err := client.ProjectImport.Wait(ctx, ProjectID(9))
		require.ErrorIs(t, err, context.DeadlineExceeded)
		assert.Equal(t, ImportStateStarted, state.ImportStatus)
	})
	synctest.Test(t, func(t *testing.T) {
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, started,
			status(404, `{"message":"404 Project Not Found"}`))
		state, err := client.ProjectImport.Wait(t.Context(), ProjectID(9))
		require.ErrorIs(t, err, ErrNotFound)
		assert.Equal(t, ImportStateStarted, state.ImportStatus)
	})
}
