package wiretests

import (
	"io"
	"net/http"
	"testing"
	"time"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const repositoryPath = "/projects/acme%2Fapp/repository"

func TestRepositoryTree(t *testing.T) {
	const path = repositoryPath + "/tree"
	const next = "page_token=4535904260b1&pagination=keyset&path=files&per_page=100&recursive=true&ref=rel%2F1"
	reply := fixture(t, "repository/tree.json")
	client := onWire(t,
		exchange{
			Method: "GET", Path: path, Query: "pagination=keyset", Body: reply,
			ResponseHeader: map[string]string{"Link": `<` + wireHost + `/api/v4` + path + `?` + next + `>; rel="next"`},
		},
		exchange{Method: "GET", Path: path, Query: "page_token=4535904260b1&pagination=keyset&per_page=100",
			Body: `[{"name":"last"}]`},
		exchange{Method: "GET", Path: path, Query: "page=2&per_page=5", Body: reply},
		exchange{
			Method: "GET", Path: path, Query: "pagination=keyset&path=files&per_page=100&recursive=true&ref=rel%2F1",
			Body:           reply,
			ResponseHeader: map[string]string{"Link": `<` + wireHost + `/api/v4` + path + `?` + next + `>; rel="next"`},
		},
		exchange{Method: "GET", Path: path, Query: next, Body: `[{"name":"last"}]`},
		exchange{Method: "GET", Path: path, Query: "pagination=offset&per_page=100", Body: `[]`},
	)
	want := []*serviceapi.TreeEntry{
		{
			ID:   "a1e8f8d745cc87e3a9248358d9352bb7f9a0aeba",
			Name: "html",
			Type: serviceapi.TreeEntryTypeTree,
			Path: "files/html",
			Mode: "040000",
		},
		{
			ID:   "4535904260b1082e14f867f7a24fd8c21495bde3",
			Name: "run.sh",
			Type: serviceapi.TreeEntryTypeBlob,
			Path: "files/run.sh",
			Mode: "100755",
		},
		{
			ID:   "f7d2f8c7a1fd6e2f51d39a2b4b0f8ec8b9c19f21",
			Name: "lib",
			Type: serviceapi.TreeEntryTypeCommit,
			Path: "files/lib",
			Mode: "160000",
		},
	}
	s, ctx, app := client.Repository, t.Context(), serviceapi.ProjectPath("acme/app")
	entries, resp, err := s.ListTree(ctx, app, nil)
	require.NoError(t, err)
	assert.Equal(t, want, entries)
	entries, _, err = s.ListTree(
		ctx,
		app,
		&serviceapi.ListTreeOptions{ListOptions: serviceapi.ListOptions{PageToken: resp.NextPageToken}},
	)
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.TreeEntry{{Name: "last"}}, entries)
	entries, _, err = s.ListTree(
		ctx,
		app,
		&serviceapi.ListTreeOptions{ListOptions: serviceapi.ListOptions{Page: 2, PerPage: 5}},
	)
	require.NoError(t, err)
	assert.Equal(t, want, entries)
	options := &serviceapi.ListTreeOptions{Path: "files", Ref: "rel/1", Recursive: true}
	entries, err = serviceapi.Collect(s.AllTree(ctx, app, options))
	require.NoError(t, err)
	assert.Equal(t, append(want, &serviceapi.TreeEntry{Name: "last"}), entries)
	assert.Empty(t, options.Pagination, "the caller's options are left as they were")
	_, err = serviceapi.Collect(
		s.AllTree(ctx, app, &serviceapi.ListTreeOptions{Pagination: serviceapi.PaginationOffset}),
	)
	require.NoError(t, err)
}

func TestRepositoryCompare(t *testing.T) {
	const path = repositoryPath + "/compare"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Query: "from=v1.0&to=feature%2Fx", Fixture: "repository/comparison.json"},
		exchange{Method: "GET", Path: path, Query: "from=v1.0&from_project_id=4&straight=true&to=main&unidiff=true",
			Body: `{"commit":null,"commits":[],"diffs":[],"compare_same_ref":true}`},
		exchange{Method: "GET", Path: path, Query: "from=gone&to=main", Status: 404,
			Body: `{"message":"404 Ref Not Found"}`},
	)
	s, ctx, app := client.Repository, t.Context(), serviceapi.ProjectPath("acme/app")
	comparison, _, err := s.Compare(ctx, app, &serviceapi.CompareOptions{From: "v1.0", To: "feature/x"})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.Comparison{
		Commit: sanitizeCommit(t), Commits: []*serviceapi.Commit{sanitizeCommit(t)},
		Diffs: []*serviceapi.CommitDiff{{
			Diff: "@@ -71,2 +71,3 @@\n sudo\n+-H\n make\n", NewPath: "doc/update.md", OldPath: "doc/upgrade.md",
			AMode: "100644", BMode: "100755", RenamedFile: true,
		}},
		CompareTimeout: true, CompareSameRef: true, WebURL: "https://service.test/acme/app/-/compare/v1.0...main",
	}, comparison)
	comparison, _, err = s.Compare(
		ctx,
		app,
		&serviceapi.CompareOptions{
			From:        "v1.0",
			To:          "main",
			FromProject: serviceapi.ProjectID(4),
			Straight:    true,
			Unidiff:     true,
		},
	)
	require.NoError(t, err)
	assert.Equal(
		t,
		&serviceapi.Comparison{
			Commits:        []*serviceapi.Commit{},
			Diffs:          []*serviceapi.CommitDiff{},
			CompareSameRef: true,
		},
		comparison,
	)
	_, _, err = s.Compare(ctx, app, &serviceapi.CompareOptions{From: "gone", To: "main"})
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}

func TestRepositoryArchive(t *testing.T) {
	client := onWire(t,
		exchange{
			Method: "GET", Path: repositoryPath + "/archive.tar.gz", Body: "packed",
			ResponseHeader: map[string]string{"Content-Type": "application/octet-stream", "Content-Length": "6",
				"Content-Disposition": `attachment; filename="app-main.tar.gz"`},
		},
		exchange{
			Method: "GET", Path: repositoryPath + "/archive.zip",
			Query: "exclude_paths=a%2Fb%2Cc&include_lfs_blobs=false&path=docs&sha=v1.0", Body: "zipped",
			ResponseHeader: map[string]string{"Content-Length": "6"},
		},
		exchange{Method: "GET", Path: repositoryPath + "/archive.tar", Status: 429,
			Body: `{"message":{"error":"This endpoint has been requested too many times. Try again later."}}`},
	)
	s, ctx, app := client.Repository, t.Context(), serviceapi.ProjectPath("acme/app")
	archive, _, err := s.DownloadArchive(ctx, app, serviceapi.ArchiveFormatTarGz, nil)
	require.NoError(t, err)
	data, err := io.ReadAll(archive)
	require.NoError(t, err)
	require.NoError(t, archive.Close())
	assert.Equal(t, []string{"packed", "app-main.tar.gz"}, []string{string(data), archive.Name})
	archive, _, err = s.DownloadArchive(ctx, app, serviceapi.ArchiveFormatZip,
		&serviceapi.DownloadArchiveOptions{SHA: "v1.0", Path: "docs", IncludeLFSBlobs: new(false),
			ExcludePaths: []string{"a/b", "c"}})
	require.NoError(t, err)
	require.NoError(t, archive.Close())
	_, _, err = s.DownloadArchive(ctx, app, serviceapi.ArchiveFormatTar, nil)
	assert.ErrorIs(t, err, serviceapi.ErrRateLimited)
}

// TestArchivesOfAllFormats checks that each format is the suffix of the path, and that the archive
// arrives as it is.
func TestArchivesOfAllFormats(t *testing.T) {
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "\x1f\x8bBZh "+r.URL.Path)
	})
	for format, suffix := range map[serviceapi.ArchiveFormat]string{
		serviceapi.ArchiveFormatTarGz: "tar.gz", serviceapi.ArchiveFormatTarBz2: "tar.bz2",
		serviceapi.ArchiveFormatTar: "tar", serviceapi.ArchiveFormatZip: "zip", serviceapi.ArchiveFormatTbz: "tbz",
		serviceapi.ArchiveFormatTbz2: "tbz2", serviceapi.ArchiveFormatTb2: "tb2", serviceapi.ArchiveFormatBz2: "bz2",
	} {
		archive, _, err := client.Repository.DownloadArchive(t.Context(), serviceapi.ProjectID(7), format, nil)
		require.NoError(t, err, format)
		data, err := io.ReadAll(archive)
		require.NoError(t, err, format)
		require.NoError(t, archive.Close())
		assert.Equal(t, "\x1f\x8bBZh /api/v4/projects/7/repository/archive."+suffix, string(data))
	}
}

func TestRepositoryArguments(t *testing.T) {
	s, ctx := onWire(t).Repository, t.Context()
	failed := func(_ any, _ *serviceapi.Response, err error) error { return err }
	_, all := serviceapi.Collect(s.AllTree(ctx, serviceapi.ProjectPath("a//b"), nil))
	for name, err := range map[string]error{
		"list": failed(s.ListTree(ctx, serviceapi.ProjectRef{}, nil)),
		"page": failed(s.ListTree(ctx, serviceapi.ProjectID(1),
			&serviceapi.ListTreeOptions{ListOptions: serviceapi.ListOptions{PerPage: -1}})),
		"all":     all,
		"from":    failed(s.Compare(ctx, serviceapi.ProjectID(1), &serviceapi.CompareOptions{From: "", To: "main"})),
		"nothing": failed(s.Compare(ctx, serviceapi.ProjectID(1), nil)),
		"fork": failed(s.Compare(ctx, serviceapi.ProjectID(1),
			&serviceapi.CompareOptions{From: "main", To: "main", FromProject: serviceapi.ProjectPath("acme/fork")})),
		"to": failed(s.Compare(ctx, serviceapi.ProjectID(1), &serviceapi.CompareOptions{From: "main", To: ""})),
		"project": failed(s.Compare(ctx, serviceapi.ProjectID(0),
			&serviceapi.CompareOptions{From: "main", To: "main"})),
		"format": failed(s.DownloadArchive(ctx, serviceapi.ProjectID(1), "", nil)),
		"path":   failed(s.DownloadArchive(ctx, serviceapi.ProjectID(1), "../../zip", nil)),
	} {
		var argument *serviceapi.ArgumentError
		if assert.ErrorAs(t, err, &argument, name) {
			assert.NotEmpty(t, argument.Problem, name)
		}
	}
}

func TestRepositoryBlob(t *testing.T) {
	const sha = "4535904260b1082e14f867f7a24fd8c21495bde3"
	const path = repositoryPath + "/blobs/" + sha + "/raw"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Body: "<html>",
			ResponseHeader: map[string]string{"Content-Type": "text/plain", "Content-Length": "6"}},
		exchange{Method: "GET", Path: path, Status: 404, Body: `{"message":"404 Blob Not Found"}`})
	s, ctx, app := client.Repository, t.Context(), serviceapi.ProjectPath("acme/app")
	blob, _, err := s.DownloadBlob(ctx, app, sha)
	require.NoError(t, err)
	data, err := io.ReadAll(blob)
	require.NoError(t, err)
	require.NoError(t, blob.Close())
	assert.Equal(t, "<html>", string(data))
	_, _, err = s.DownloadBlob(ctx, app, sha)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}

func TestRepositoryContributors(t *testing.T) {
	const path = repositoryPath + "/contributors"
	body := "[" + fixture(t, "repository/contributor.json") + "]"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Query: "order_by=email&page=2&ref=rel%2F1&sort=desc", Body: body},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: body})
	want := []*serviceapi.Contributor{
		{Name: "Ada Lovelace", Email: "ada@example.com", Commits: 117, Additions: 1, Deletions: 2},
	}
	s, ctx, app := client.Repository, t.Context(), serviceapi.ProjectPath("acme/app")
	found, _, err := s.ListContributors(ctx, app, &serviceapi.ListContributorsOptions{
		ListOptions: serviceapi.ListOptions{
			Page: 2,
		}, OrderBy: serviceapi.ContributorOrderByEmail, Sort: serviceapi.SortDescending, Ref: "rel/1",
	})
	require.NoError(t, err)
	assert.Equal(t, want, found)
	assertFilled(t, found[0])
	found, err = serviceapi.Collect(s.AllContributors(ctx, app, nil))
	require.NoError(t, err)
	assert.Equal(t, want, found)
}

func TestRepositoryChangelog(t *testing.T) {
	const path = repositoryPath + "/changelog"
	const refused = `{"message":"Failed to generate the changelog: no tag"}`
	client := onWire(t,
		exchange{Method: "GET", Path: path, Query: "version=1.0.0", Fixture: "repository/changelog.json"},
		exchange{Method: "GET", Path: path, Query: "config_file=log.yml&config_file_ref=main&" +
			"date=2026-03-01T00%3A00%3A00Z&from=ae1d&to=6104&trailer=Kind&version=1.0.0",
			Fixture: "repository/changelog.json"},
		exchange{Method: "GET", Path: path, Query: "version=1.0.0", Status: 422, Body: refused})
	s, ctx, app := client.Repository, t.Context(), serviceapi.ProjectPath("acme/app")
	options := &serviceapi.GenerateChangelogOptions{Version: "1.0.0"}
	changelog, _, err := s.GenerateChangelog(ctx, app, options)
	require.NoError(t, err)
	assert.Equal(
		t,
		&serviceapi.Changelog{Notes: "## 1.0.0 (2026-03-01)\n\n### fixed (1 change)\n\n- Stop\n"},
		changelog,
	)
	_, _, err = s.GenerateChangelog(ctx, app, &serviceapi.GenerateChangelogOptions{
		Version: "1.0.0", From: "ae1d", To: "6104", Date: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), Trailer: "Kind",
		ConfigFile: "log.yml", ConfigFileRef: "main",
	})
	require.NoError(t, err)
	_, _, err = s.GenerateChangelog(ctx, app, options)
	assert.ErrorIs(t, err, serviceapi.ErrUnprocessable)
}

func TestRepositoryChangesRefuse(t *testing.T) {
	s, ctx, none := onWire(t).Repository, t.Context(), serviceapi.ProjectRef{}
	options := &serviceapi.GenerateChangelogOptions{Version: "1.0.0"}
	assertRefused(t, "id", errorOf(s.DownloadBlob(ctx, none, "ae1d")))
	assertRefused(t, "sha", errorOf(s.DownloadBlob(ctx, serviceapi.ProjectID(1), "")))
	assertRefused(t, "id", errorOf(s.ListContributors(ctx, none, nil)))
	assertRefused(t, "id", errorOf(s.GenerateChangelog(ctx, none, options)))
	assertRefused(t, "Version", errorOf(s.GenerateChangelog(ctx, serviceapi.ProjectID(1), nil)))
}

func TestRepositoryAddsChangelogs(t *testing.T) {
	client := onWire(t,
		exchange{Method: "POST", Path: repositoryPath + "/changelog", JSON: `{"version":"1.0.0"}`},
		exchange{Method: "POST", Path: repositoryPath + "/changelog", JSON: `{"version":"1.0.0","from":"a","to":"b",
			"date":"2026-01-05T17:01:02Z","trailer":"c","config_file":"d","config_file_ref":"e","branch":"f","file":"g",
			"message":"h"}`},
	)
	for _, options := range []serviceapi.AddChangelogOptions{
		{Version: "1.0.0"},
		{Version: "1.0.0", From: new("a"), To: new("b"), Date: at(t, "2026-01-05T17:01:02Z"), Trailer: new("c"),
			ConfigFile: new("d"), ConfigFileRef: new("e"), Branch: new("f"), File: new("g"), Message: new("h")},
	} {
		resp, err := client.Repository.AddChangelog(t.Context(), serviceapi.ProjectPath("acme/app"), options)
		require.NoError(t, err)
		assert.Equal(t, 200, resp.StatusCode)
	}
	assertRefused(t, "Version", second(client.Repository.AddChangelog(t.Context(), serviceapi.ProjectID(1),
		serviceapi.AddChangelogOptions{Branch: new("f")})))
}

func TestRepositoryMergeBase(t *testing.T) {
	client := onWire(t, exchange{Method: "GET", Path: repositoryPath + "/merge_base",
		Query: "refs%5B%5D=main&refs%5B%5D=rel%2F1", Fixture: "commits/commit.json"})
	s, ctx, app := client.Repository, t.Context(), serviceapi.ProjectPath("acme/app")
	commit, _, err := s.GetMergeBase(ctx, app, &serviceapi.GetMergeBaseOptions{Refs: []string{"main", "rel/1"}})
	require.NoError(t, err)
	assert.Equal(t, runningCommit(t), commit)
	assertRefused(t, "Refs", errorOf(s.GetMergeBase(ctx, app, nil)))
	assertRefused(t, "Refs", errorOf(s.GetMergeBase(ctx, app, &serviceapi.GetMergeBaseOptions{})))
}

func TestRepositoryGetBlob(t *testing.T) {
	const sha = "ce013625030ba8dba906f756967f9e9ca394464a"
	client := onWire(t, exchange{Method: "GET", Path: repositoryPath + "/blobs/" + sha,
		Fixture: "repository/blob.json"})
	s, ctx, app := client.Repository, t.Context(), serviceapi.ProjectPath("acme/app")
	blob, _, err := s.GetBlob(ctx, app, sha)
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.RepositoryBlob{Size: 6, Encoding: "base64", Content: "aGVsbG8K", SHA: sha}, blob)
	assertRefused(t, "sha", errorOf(s.GetBlob(ctx, app, "")))
}

func TestRepositoryHealth(t *testing.T) {
	const path, fixture = repositoryPath + "/health", "repository/health.json"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Query: "generate=true", Fixture: fixture},
		exchange{Method: "GET", Path: path, Body: `{"size":1,"bitmap":null,"multi_pack_index":null,"alternates":null,
			"multi_pack_index_bitmap":null,"last_full_repack":null,"updated_at":"2026-01-06T17:06:41.566Z"}`},
	)
	s, ctx, app := client.Repository, t.Context(), serviceapi.ProjectPath("acme/app")
	health, _, err := s.GetHealth(ctx, app, &serviceapi.GetRepositoryHealthOptions{Generate: true})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.RepositoryHealth{
		Size: 42002816,
		References: &serviceapi.RepositoryReferences{
			LooseCount: 3, PackedSize: 315703, ReferenceBackend: "REFERENCE_BACKEND_REFTABLE"},
		Objects: &serviceapi.RepositoryObjects{Size: 39651458, RecentSize: 39461265, StaleSize: 190193, KeepSize: 7,
			PackfileCount: 1, ReverseIndexCount: 2, CruftCount: 5, KeepCount: 4, LooseObjectsCount: 36,
			StaleLooseObjectsCount: 35, LooseObjectsGarbageCount: 6},
		CommitGraph: &serviceapi.RepositoryCommitGraph{CommitGraphChainLength: 8, HasBloomFilters: true,
			HasGenerationData: true, HasGenerationDataOverflow: true},
		Bitmap:               &serviceapi.RepositoryBitmap{HasHashCache: true, Version: 1},
		MultiPackIndex:       &serviceapi.RepositoryMultiPackIndex{PackfileCount: 9, Version: 2},
		MultiPackIndexBitmap: &serviceapi.RepositoryBitmap{HasLookupTable: true, Version: 3},
		Alternates: &serviceapi.RepositoryAlternates{ObjectDirectories: []string{"pool/a", "pool/b"},
			LastModified: *at(t, "2026-01-05T17:01:02.167Z")},
		IsObjectPool:   true,
		LastFullRepack: &serviceapi.RepositoryTimestamp{Seconds: 1745892013, Nanos: 431},
		UpdatedAt:      *at(t, "2026-01-06T17:06:41.566Z"),
	}, health)
	health, _, err = s.GetHealth(ctx, app, nil)
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.RepositoryHealth{Size: 1, UpdatedAt: *at(t, "2026-01-06T17:06:41.566Z")}, health)
}

func TestRepositoryUpdatesSubmodules(t *testing.T) {
	const path = repositoryPath + "/submodules/vendor%2Flib"
	client := onWire(t,
		exchange{Method: "PUT", Path: path, JSON: `{"branch":"b","commit_sha":"c"}`, Fixture: "commits/commit.json"},
		exchange{Method: "PUT", Path: path, JSON: `{"branch":"b","commit_sha":"c","commit_message":"m"}`,
			Fixture: "commits/commit.json"},
	)
	s, ctx, app := client.Repository, t.Context(), serviceapi.ProjectPath("acme/app")
	for _, options := range []serviceapi.UpdateSubmoduleOptions{
		{Branch: "b", CommitSHA: "c"}, {Branch: "b", CommitSHA: "c", CommitMessage: new("m")},
	} {
		commit, _, err := s.UpdateSubmodule(ctx, app, "vendor/lib", options)
		require.NoError(t, err)
		assert.Equal(t, sanitizeDetails(t), commit)
	}
	assertRefused(t, "Branch", errorOf(s.UpdateSubmodule(ctx, app, "lib",
		serviceapi.UpdateSubmoduleOptions{CommitSHA: "c"})))
	assertRefused(t, "CommitSHA", errorOf(s.UpdateSubmodule(ctx, app, "lib",
		serviceapi.UpdateSubmoduleOptions{Branch: "b"})))
	assertRefused(t, "submodule", errorOf(s.UpdateSubmodule(ctx, app, "",
		serviceapi.UpdateSubmoduleOptions{Branch: "b", CommitSHA: "c"})))
}
