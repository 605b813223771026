package serviceapi

import (
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const repositoryPath = "/projects/acme%2Fapp/repository"

func TestRepositoryTree(t *testing.T) {
	const path = repositoryPath + "/tree"
	const next = "page_token=4535904260b1&pagination=keyset&path=files&per_page=100&recursive=true&ref=rel%2F1"
	answer := fixture(t, "repository/tree.json")
	client := onWire(t,
		exchange{
			Method: "GET", Path: path, Query: "pagination=keyset", Body: answer,
			AnswerHeader: map[string]string{"Link": `<` + wireHost + `/api/v4` + path + `?` + next + `>; rel="next"`},
		},
		exchange{Method: "GET", Path: path, Query: "page_token=4535904260b1&pagination=keyset&per_page=100",
			Body: `[{"name":"last"}]`},
		exchange{Method: "GET", Path: path, Query: "page=2&per_page=5", Body: answer},
		exchange{
			Method: "GET", Path: path, Query: "pagination=keyset&path=files&per_page=100&recursive=true&ref=rel%2F1",
			Body:         answer,
			AnswerHeader: map[string]string{"Link": `<` + wireHost + `/api/v4` + path + `?` + next + `>; rel="next"`},
		},
		exchange{Method: "GET", Path: path, Query: next, Body: `[{"name":"last"}]`},
		exchange{Method: "GET", Path: path, Query: "pagination=offset&per_page=100", Body: `[]`},
	)
	want := []*TreeEntry{
		{ID: "a1e8f8d745cc87e3a9248358d9352bb7f9a0aeba", Name: "html", Type: TreeEntryTypeTree, Path: "files/html",
			Mode: "040000"},
		{ID: "4535904260b1082e14f867f7a24fd8c21495bde3", Name: "run.sh", Type: TreeEntryTypeBlob, Path: "files/run.sh",
			Mode: "100755"},
		{ID: "f7d2f8c7a1fd6e2f51d39a2b4b0f8ec8b9c19f21", Name: "lib", Type: TreeEntryTypeCommit, Path: "files/lib",
			Mode: "160000"},
	}
	s, ctx, app := client.Repository, t.Context(), ProjectPath("acme/app")
	entries, resp, err := s.ListTree(ctx, app, nil)
	require.NoError(t, err)
	assert.Equal(t, want, entries)
	entries, _, err = s.ListTree(ctx, app, &ListTreeOptions{ListOptions: ListOptions{PageToken: resp.NextPageToken}})
	require.NoError(t, err)
	assert.Equal(t, []*TreeEntry{{Name: "last"}}, entries)
	entries, _, err = s.ListTree(ctx, app, &ListTreeOptions{ListOptions: ListOptions{Page: 2, PerPage: 5}})
	require.NoError(t, err)
	assert.Equal(t, want, entries)
	options := &ListTreeOptions{Path: "files", Ref: "rel/1", Recursive: true}
	entries, err = Collect(s.AllTree(ctx, app, options))
	require.NoError(t, err)
	assert.Equal(t, append(want, &TreeEntry{Name: "last"}), entries)
	assert.Empty(t, options.Pagination, "the caller's options are left as they were")
	_, err = Collect(s.AllTree(ctx, app, &ListTreeOptions{Pagination: PaginationOffset}))
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
	s, ctx, app := client.Repository, t.Context(), ProjectPath("acme/app")
	comparison, _, err := s.Compare(ctx, app, &CompareOptions{From: "v1.0", To: "feature/x"})
	require.NoError(t, err)
	assert.Equal(t, &Comparison{
		Commit: sanitizeCommit(t), Commits: []*Commit{sanitizeCommit(t)},
		Diffs: []*CommitDiff{{
			Diff: "@@ -71,2 +71,3 @@\n sudo\n+-H\n make\n", NewPath: "doc/update.md", OldPath: "doc/upgrade.md",
			AMode: "100644", BMode: "100755", RenamedFile: true,
		}},
		CompareTimeout: true, CompareSameRef: true, WebURL: "https://service.test/acme/app/-/compare/v1.0...main",
	}, comparison)
	comparison, _, err = s.Compare(ctx, app,
		&CompareOptions{From: "v1.0", To: "main", FromProject: ProjectID(4), Straight: true, Unidiff: true})
	require.NoError(t, err)
	assert.Equal(t, &Comparison{Commits: []*Commit{}, Diffs: []*CommitDiff{}, CompareSameRef: true}, comparison)
	_, _, err = s.Compare(ctx, app, &CompareOptions{From: "gone", To: "main"})
	assert.ErrorIs(t, err, ErrNotFound)
}

func TestRepositoryArchive(t *testing.T) {
	client := onWire(t,
		exchange{
			Method: "GET", Path: repositoryPath + "/archive.tar.gz", Body: "packed",
			AnswerHeader: map[string]string{"Content-Type": "application/octet-stream", "Content-Length": "6",
				"Content-Disposition": `attachment; filename="app-main.tar.gz"`},
		},
		exchange{
			Method: "GET", Path: repositoryPath + "/archive.zip",
			Query: "exclude_paths=a%2Fb%2Cc&include_lfs_blobs=false&path=docs&sha=v1.0", Body: "zipped",
			AnswerHeader: map[string]string{"Content-Length": "6"},
		},
		exchange{Method: "GET", Path: repositoryPath + "/archive.tar", Status: 429,
			Body: `{"message":{"error":"This endpoint has been requested too many times. Try again later."}}`},
	)
	s, ctx, app := client.Repository, t.Context(), ProjectPath("acme/app")
	archive, _, err := s.DownloadArchive(ctx, app, ArchiveFormatTarGz, nil)
	require.NoError(t, err)
	data, err := io.ReadAll(archive)
	require.NoError(t, err)
	require.NoError(t, archive.Close())
	assert.Equal(t, []string{"packed", "app-main.tar.gz"}, []string{string(data), archive.Name})
	archive, _, err = s.DownloadArchive(ctx, app, ArchiveFormatZip,
		&DownloadArchiveOptions{SHA: "v1.0", Path: "docs", IncludeLFSBlobs: new(false),
			ExcludePaths: []string{"a/b", "c"}})
	require.NoError(t, err)
	require.NoError(t, archive.Close())
	_, _, err = s.DownloadArchive(ctx, app, ArchiveFormatTar, nil)
	assert.ErrorIs(t, err, ErrRateLimited)
}

func TestRepositoryArguments(t *testing.T) {
	s, ctx := onWire(t).Repository, t.Context()
	failed := func(_ any, _ *Response, err error) error { return err }
	_, all := Collect(s.AllTree(ctx, ProjectPath("a//b"), nil))
	for name, err := range map[string]error{
		"list":    failed(s.ListTree(ctx, ProjectRef{}, nil)),
		"page":    failed(s.ListTree(ctx, ProjectID(1), &ListTreeOptions{ListOptions: ListOptions{PerPage: -1}})),
		"all":     all,
		"from":    failed(s.Compare(ctx, ProjectID(1), &CompareOptions{From: "", To: "main"})),
		"nothing": failed(s.Compare(ctx, ProjectID(1), nil)),
		"fork": failed(s.Compare(ctx, ProjectID(1),
			&CompareOptions{From: "main", To: "main", FromProject: ProjectPath("acme/fork")})),
		"to":      failed(s.Compare(ctx, ProjectID(1), &CompareOptions{From: "main", To: ""})),
		"project": failed(s.Compare(ctx, ProjectID(0), &CompareOptions{From: "main", To: "main"})),
		"format":  failed(s.DownloadArchive(ctx, ProjectID(1), "", nil)),
		"path":    failed(s.DownloadArchive(ctx, ProjectID(1), "../../zip", nil)),
	} {
		var argument *ArgumentError
		assert.ErrorAs(t, err, &argument, name)
	}
}
