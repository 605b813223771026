package wiretests

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func scheduledImport(t *testing.T) *serviceapi.ProjectImportStatus {
	return &serviceapi.ProjectImportStatus{
		ID: 9, Name: "engine", NameWithNamespace: "Ada / engine", Path: "engine", PathWithNamespace: "ada/engine",
		CreatedAt:    *at(t, "2026-02-05T08:30:00Z"),
		ImportStatus: serviceapi.ImportStateScheduled, CorrelationID: "mezklWso3Za",
		FailedRelations: []*serviceapi.FailedRelation{},
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
	file := func() serviceapi.Upload {
		return serviceapi.Upload{Filename: "e.tar.gz", Content: strings.NewReader("tarball")}
	}
	started, resp, err := client.ProjectImport.FromFile(t.Context(),
		serviceapi.ImportFromFileOptions{File: file(), Path: "engine"})
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, scheduledImport(t), started)

	typed := file()
	typed.ContentType = "application/gzip"
	_, _, err = client.ProjectImport.FromFile(t.Context(), serviceapi.ImportFromFileOptions{
		File: typed, Path: "engine", Namespace: serviceapi.NamespacePath("acme/tools"), Name: new("The Engine"),
		Overwrite: new(false),
		OverrideParams: serviceapi.ProjectOverrides{
			"name": "A & B", "archived": false, "build_timeout": 3600, "description": nil,
			"topics":                                 []string{"go", "sdk"},
			"container_expiration_policy_attributes": map[string]any{"enabled": true},
		},
	})
	require.NoError(t, err)
	_, _, err = client.ProjectImport.FromFile(t.Context(),
		serviceapi.ImportFromFileOptions{File: file(), Path: "engine", Namespace: serviceapi.NamespaceID(3)})
	require.NoError(t, err)
}

func TestProjectImportFromFileRefusesBadInput(t *testing.T) {
	client := onWire(t)
	var argument *serviceapi.ArgumentError
	_, _, err := client.ProjectImport.FromFile(t.Context(), serviceapi.ImportFromFileOptions{Path: "engine"})
	assertRefused(t, "File", err)
	_, _, err = client.ProjectImport.FromFile(t.Context(), serviceapi.ImportFromFileOptions{
		Path: "engine", File: serviceapi.Upload{Filename: "e", Content: strings.NewReader("x")},
		OverrideParams: serviceapi.ProjectOverrides{"name": func() {}},
	})
	assert.ErrorAs(t, err, &argument, "a value that no form can hold")
}

// TestMigrateProjectRefusesEarly checks that a project is not exported for an import that
// would be refused.
func TestMigrateProjectRefusesEarly(t *testing.T) {
	source, target := onWire(t), onWire(t)
	for _, namespace := range []serviceapi.NamespaceRef{serviceapi.NamespaceID(-1), serviceapi.NamespacePath("")} {
		_, err := serviceapi.MigrateProject(t.Context(), source, serviceapi.ProjectID(4), target,
			serviceapi.MigrateProjectOptions{Namespace: namespace, Path: "app"})
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
	options := serviceapi.ImportFromURLOptions{
		URL:  serviceapi.NewSecret("https://store.test/e?signature=s3"),
		Path: "engine",
	}
	started, _, err := client.ProjectImport.FromURL(t.Context(), options)
	require.NoError(t, err)
	assert.Equal(t, scheduledImport(t), started)
	options.Namespace, options.Name, options.Overwrite, options.OverrideParams = serviceapi.NamespaceID(
		3,
	), new(
		"E",
	), new(
		true,
	),
		serviceapi.ProjectOverrides{
			"description": nil,
		}
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
	options := serviceapi.ImportFromObjectStoreOptions{
		Path: "engine", Region: "r1", BucketName: "b", FileKey: "k", AccessKeyID: serviceapi.NewSecret("AK1"),
		SecretAccessKey: serviceapi.NewSecret("SK1"),
		Namespace:       serviceapi.NamespacePath("ada"), Name: new("E"),
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
	state, _, err := client.ProjectImport.Status(t.Context(), serviceapi.ProjectPath("acme/engine"))
	require.NoError(t, err)
	fetched := serviceapi.ImportCounts{
		serviceapi.ImportedKindDiffNote: 19, serviceapi.ImportedKindIssue: 3, serviceapi.ImportedKindLabel: 1,
		serviceapi.ImportedKindNote:                3,
		serviceapi.ImportedKindPullRequest:         2,
		serviceapi.ImportedKindPullRequestMergedBy: 1, serviceapi.ImportedKindPullRequestReview: 16,
	}
	imported := serviceapi.ImportCounts{
		serviceapi.ImportedKindDiffNote: 19, serviceapi.ImportedKindIssue: 3, serviceapi.ImportedKindLabel: 1,
		serviceapi.ImportedKindNote:                3,
		serviceapi.ImportedKindPullRequest:         2,
		serviceapi.ImportedKindPullRequestMergedBy: 1, serviceapi.ImportedKindPullRequestReview: 15,
	}
	want := &serviceapi.ProjectImportStatus{
		ID: 7, Description: "Computes tables", Name: "Engine", NameWithNamespace: "Acme / Engine",
		Path: "engine", PathWithNamespace: "acme/engine", CreatedAt: *at(t, "2026-01-05T08:30:00.120Z"),
		ImportStatus: serviceapi.ImportStateFailed, ImportType: "github", CorrelationID: "mezklWso3Za",
		ImportError: "The archive\nis damaged",
		FailedRelations: []*serviceapi.FailedRelation{{
			ID: 42, CreatedAt: *at(t, "2026-02-05T08:31:00.185Z"), ExceptionClass: "RuntimeError",
			ExceptionMessage: "A failure occurred",
			Source:           "custom error context", RelationName: "merge_requests", LineNumber: 3,
		}},
		Stats: &serviceapi.ImportStats{Fetched: fetched, Imported: imported},
	}
	want.ID, want.CreatedAt = 9, *at(t, "2026-02-05T08:30:00Z")
	assert.Equal(t, want, state)

	_, _, err = client.ProjectImport.Status(t.Context(), serviceapi.ProjectPath("acme/"))
	var argument *serviceapi.ArgumentError
	assert.ErrorAs(t, err, &argument)
}

func importState(state serviceapi.ImportState) string {
	return `{"id":9,"path_with_namespace":"ada/engine","import_status":"` + string(state) + `"}`
}

func TestProjectImportWait(t *testing.T) {
	none, scheduled, started := status(200, importState(serviceapi.ImportStateNone)),
		status(
			200,
			importState(serviceapi.ImportStateScheduled),
		), status(200, importState(serviceapi.ImportStateStarted))
	finished := status(200, importState(serviceapi.ImportStateFinished))
	failed := status(200, fixture(t, "project_import/failed.json"))
	synctest.Test(t, func(t *testing.T) {
		client, script := scriptedClient(t, serviceapi.RetryPolicy{MaxAttempts: 1}, none, scheduled, started, finished)
		state, err := client.ProjectImport.Wait(t.Context(), serviceapi.ProjectID(9))
		require.NoError(t, err)
		assert.Equal(t, serviceapi.ImportStateFinished, state.ImportStatus)
		assert.Len(t, script.Times, 4)
	})
	synctest.Test(t, func(t *testing.T) {
		client, _ := scriptedClient(t, serviceapi.RetryPolicy{MaxAttempts: 1}, scheduled, failed)
		state, err := client.ProjectImport.Wait(t.Context(), serviceapi.ProjectID(9))
		var broken *serviceapi.ProjectImportError
		require.ErrorAs(t, err, &broken)
		assert.Same(t, state, broken.Status)
		assert.Len(t, broken.Status.FailedRelations, 1)
		assert.EqualError(t, err, `serviceapi: the import of acme/engine failed: The archive\nis damaged`)
	})
	synctest.Test(t, func(t *testing.T) {
		client, script := scriptedClient(t, serviceapi.RetryPolicy{MaxAttempts: 1}, none)
		_, err := client.ProjectImport.Wait(t.Context(), serviceapi.ProjectID(9))
		var broken *serviceapi.ProjectImportError
		require.ErrorAs(t, err, &broken)
		assert.EqualError(t, err, "serviceapi: the import of ada/engine does not exist")
		assert.Len(t, script.Times, 5)
	})
	synctest.Test(t, func(t *testing.T) {
		client, _ := scriptedClient(t, serviceapi.RetryPolicy{MaxAttempts: 1}, started)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		state, err := client.ProjectImport.Wait(ctx, serviceapi.ProjectID(9))
		require.ErrorIs(t, err, context.DeadlineExceeded)
		assert.Equal(t, serviceapi.ImportStateStarted, state.ImportStatus)
	})
	synctest.Test(t, func(t *testing.T) {
		client, _ := scriptedClient(t, serviceapi.RetryPolicy{MaxAttempts: 1}, started,
			status(404, `{"message":"404 Project Not Found"}`))
		state, err := client.ProjectImport.Wait(t.Context(), serviceapi.ProjectID(9))
		require.ErrorIs(t, err, serviceapi.ErrNotFound)
		assert.Equal(t, serviceapi.ImportStateStarted, state.ImportStatus)
	})
}
