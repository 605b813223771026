package serviceapi

import (
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRepositoryBlob(t *testing.T) {
	const sha = "4535904260b1082e14f867f7a24fd8c21495bde3"
	const path = repositoryPath + "/blobs/" + sha + "/raw"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Body: "<html>",
			AnswerHeader: map[string]string{"Content-Type": "text/plain", "Content-Length": "6"}},
		exchange{Method: "GET", Path: path, Status: 404, Body: `{"message":"404 Blob Not Found"}`})
	s, ctx, app := client.Repository, t.Context(), ProjectPath("acme/app")
	blob, _, err := s.DownloadBlob(ctx, app, sha)
	require.NoError(t, err)
	data, err := io.ReadAll(blob)
	require.NoError(t, err)
	require.NoError(t, blob.Close())
	assert.Equal(t, "<html>", string(data))
	_, _, err = s.DownloadBlob(ctx, app, sha)
	assert.ErrorIs(t, err, ErrNotFound)
}

func TestRepositoryContributors(t *testing.T) {
	const path = repositoryPath + "/contributors"
	body := "[" + fixture(t, "repository/contributor.json") + "]"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Query: "order_by=email&page=2&ref=rel%2F1&sort=desc", Body: body},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: body})
	want := []*Contributor{{Name: "Ada Lovelace", Email: "ada@example.com", Commits: 117, Additions: 1, Deletions: 2}}
	s, ctx, app := client.Repository, t.Context(), ProjectPath("acme/app")
	found, _, err := s.ListContributors(ctx, app, &ListContributorsOptions{
		ListOptions: ListOptions{Page: 2}, OrderBy: ContributorOrderByEmail, Sort: SortDescending, Ref: "rel/1",
	})
	require.NoError(t, err)
	assert.Equal(t, want, found)
	assertFilled(t, found[0])
	found, err = Collect(s.AllContributors(ctx, app, nil))
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
	s, ctx, app := client.Repository, t.Context(), ProjectPath("acme/app")
	options := &GenerateChangelogOptions{Version: "1.0.0"}
	changelog, _, err := s.GenerateChangelog(ctx, app, options)
	require.NoError(t, err)
	assert.Equal(t, &Changelog{Notes: "## 1.0.0 (2026-03-01)\n\n### fixed (1 change)\n\n- Stop\n"}, changelog)
	_, _, err = s.GenerateChangelog(ctx, app, &GenerateChangelogOptions{
		Version: "1.0.0", From: "ae1d", To: "6104", Date: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), Trailer: "Kind",
		ConfigFile: "log.yml", ConfigFileRef: "main",
	})
	require.NoError(t, err)
	_, _, err = s.GenerateChangelog(ctx, app, options)
	assert.ErrorIs(t, err, ErrUnprocessable)
}

func TestRepositoryChangesRefuse(t *testing.T) {
	s, ctx, none := onWire(t).Repository, t.Context(), ProjectRef{}
	options := &GenerateChangelogOptions{Version: "1.0.0"}
	assertRefused(t, "id", errorOf(s.DownloadBlob(ctx, none, "ae1d")))
	assertRefused(t, "sha", errorOf(s.DownloadBlob(ctx, ProjectID(1), "")))
	assertRefused(t, "id", errorOf(s.ListContributors(ctx, none, nil)))
	assertRefused(t, "id", errorOf(s.GenerateChangelog(ctx, none, options)))
	assertRefused(t, "Version", errorOf(s.GenerateChangelog(ctx, ProjectID(1), nil)))
}
