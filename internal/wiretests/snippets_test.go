package wiretests

import (
	"io"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// startSnippet is testdata/snippets/snippet.json.
func startSnippet(t *testing.T) *serviceapi.Snippet {
	return &serviceapi.Snippet{
		ID: 3, Title: "Start", Description: "How to start it", Visibility: serviceapi.VisibilityInternal,
		Author: &serviceapi.NoteAuthor{
			UserSummary: serviceapi.UserSummary{ID: 1, Name: "Ada Lovelace", Username: "ada", State: "active",
				WebURL: "https://service.test/ada"},
			Email: "ada@example.com", CreatedAt: at(t, "2025-12-21T13:14:24.077Z"),
		},
		CreatedAt: *at(t, "2026-03-01T10:00:00.880Z"), UpdatedAt: *at(t, "2026-03-01T10:20:00.120Z"),
		ProjectID:     new(int64(4)),
		WebURL:        "https://service.test/acme/app/-/snippets/3",
		RawURL:        "https://service.test/acme/app/-/snippets/3/raw",
		SSHURLToRepo:  "ssh://git@service.test:acme/app/snippets/3.git",
		HTTPURLToRepo: "https://service.test/acme/app/snippets/3.git", FileName: "start.sh",
		Files: []*serviceapi.SnippetFile{{Path: "start.sh",
			RawURL: "https://service.test/acme/app/-/snippets/3/raw/main/start.sh"}},
		RepositoryStorage: "default", Imported: true, ImportedFrom: "github",
	}
}

// snippetOwners are the owners of snippets, with the paths of their snippets.
var snippetOwners = []struct {
	owner serviceapi.SnippetOwner
	path  string
}{
	{serviceapi.Own, "/snippets"},
	{serviceapi.ProjectPath("acme/app"), "/projects/acme%2Fapp/snippets"},
}

func TestSnippetsLists(t *testing.T) {
	whole := "[" + fixture(t, "snippets/snippet.json") + "]"
	for _, o := range snippetOwners {
		options, query := &serviceapi.ListSnippetsOptions{ListOptions: serviceapi.ListOptions{Page: 2}}, "page=2"
		if o.owner == serviceapi.Own {
			options.CreatedAfter, options.CreatedBefore = january(1), january(2)
			query = "created_after=2026-01-01T00%3A00%3A00Z&created_before=2026-01-02T00%3A00%3A00Z&page=2"
		}
		s := onWire(t,
			exchange{Method: "GET", Path: o.path, Body: whole},
			exchange{Method: "GET", Path: o.path, Query: query, Body: `[]`},
			exchange{Method: "GET", Path: o.path, Query: "per_page=100", Body: whole}).Snippets
		snippets, _, err := s.List(t.Context(), o.owner, nil)
		require.NoError(t, err)
		assert.Equal(t, []*serviceapi.Snippet{startSnippet(t)}, snippets)
		snippets, _, err = s.List(t.Context(), o.owner, options)
		require.NoError(t, err)
		assert.Empty(t, snippets)
		snippets, err = serviceapi.Collect(s.All(t.Context(), o.owner, nil))
		require.NoError(t, err)
		assert.Equal(t, []*serviceapi.Snippet{startSnippet(t)}, snippets)
	}
}

func TestSnippetsOfOthers(t *testing.T) {
	const times = "created_after=2026-01-01T00%3A00%3A00Z&created_before=2026-01-02T00%3A00%3A00Z&page=2"
	whole := "[" + fixture(t, "snippets/snippet.json") + "]"
	s, ctx := onWire(t,
		exchange{Method: "GET", Path: "/snippets/public", Query: times, Body: whole},
		exchange{Method: "GET", Path: "/snippets/public", Query: "per_page=100", Body: whole},
		exchange{Method: "GET", Path: "/snippets/all", Query: times + "&repository_storage=fast", Body: whole},
		exchange{Method: "GET", Path: "/snippets/all", Query: "per_page=100", Body: whole}).Snippets, t.Context()
	want := []*serviceapi.Snippet{startSnippet(t)}
	got, _, err := s.ListPublic(ctx, &serviceapi.ListPublicSnippetsOptions{
		ListOptions: serviceapi.ListOptions{Page: 2}, CreatedAfter: january(1), CreatedBefore: january(2),
	})
	require.NoError(t, err)
	assert.Equal(t, want, got)
	got, err = serviceapi.Collect(s.AllPublic(ctx, nil))
	require.NoError(t, err)
	assert.Equal(t, want, got)
	got, _, err = s.ListVisible(ctx, &serviceapi.ListVisibleSnippetsOptions{
		ListOptions: serviceapi.ListOptions{Page: 2}, CreatedAfter: january(1), CreatedBefore: january(2),
		RepositoryStorage: "fast",
	})
	require.NoError(t, err)
	assert.Equal(t, want, got)
	got, err = serviceapi.Collect(s.AllVisible(ctx, nil))
	require.NoError(t, err)
	assert.Equal(t, want, got)
}

func TestSnippets(t *testing.T) {
	for _, o := range snippetOwners {
		s, ctx := onWire(t,
			exchange{Method: "GET", Path: o.path + "/3", Fixture: "snippets/snippet.json"},
			exchange{Method: "GET", Path: o.path + "/4",
				Body: `{"id":4,"description":null,"author":null,"project_id":null}`},
			exchange{Method: "POST", Path: o.path, JSON: `{"title":"t","files":[{"file_path":"a/b.sh","content":""}]}`,
				Status: 201, Fixture: "snippets/snippet.json"},
			exchange{
				Method: "POST", Path: o.path, Status: 422, Body: `{"message":"refused"}`,
				JSON: `{"title":"t","files":[{"file_path":"a","content":"b"},{"file_path":"c","content":"d"}],` +
					`"description":"","visibility":"public"}`,
			},
			exchange{Method: "POST", Path: o.path, JSON: `{"title":"t","file_name":"a","content":"b"}`,
				Status: 201, Fixture: "snippets/snippet.json"},
			exchange{
				Method: "PUT", Path: o.path + "/3", Fixture: "snippets/snippet.json",
				JSON: `{"title":"u","description":"","visibility":"private","files":[` +
					`{"action":"create","file_path":"a","content":"b"},{"action":"delete","file_path":"c"},` +
					`{"action":"move","file_path":"d","previous_path":"e"}]}`,
			},
			exchange{Method: "PUT", Path: o.path + "/3", JSON: `{"file_name":"a","content":"b"}`, Status: 400,
				Body: `{"message":{"error":"To update Snippets with multiple files, you must use the ` + "`files`" +
					` parameter"}}`},
			exchange{Method: "DELETE", Path: o.path + "/3", Status: 204}).Snippets, t.Context()
		snippet, _, err := s.Get(ctx, o.owner, 3)
		require.NoError(t, err)
		assert.Equal(t, startSnippet(t), snippet)
		snippet, _, err = s.Get(ctx, o.owner, 4)
		require.NoError(t, err)
		assert.Equal(t, &serviceapi.Snippet{ID: 4}, snippet)
		snippet, _, err = s.Create(ctx, o.owner,
			serviceapi.CreateSnippetOptions{Title: "t", Files: []serviceapi.SnippetFileOptions{{FilePath: "a/b.sh"}}})
		require.NoError(t, err)
		assert.Equal(t, startSnippet(t), snippet)
		_, _, err = s.Create(ctx, o.owner, serviceapi.CreateSnippetOptions{
			Title:       "t",
			Files:       []serviceapi.SnippetFileOptions{{FilePath: "a", Content: "b"}, {FilePath: "c", Content: "d"}},
			Description: new(""),
			Visibility:  new(serviceapi.VisibilityPublic),
		})
		require.ErrorIs(t, err, serviceapi.ErrUnprocessable)
		snippet, _, err = s.Create(ctx, o.owner, serviceapi.CreateSnippetOptions{Title: "t", FileName: new("a"),
			Content: new("b")})
		require.NoError(t, err)
		assert.Equal(t, startSnippet(t), snippet)
		snippet, _, err = s.Update(ctx, o.owner, 3, serviceapi.UpdateSnippetOptions{
			Title: new("u"), Description: new(""), Visibility: new(serviceapi.VisibilityPrivate),
			Files: []serviceapi.UpdateSnippetFileOptions{
				{Action: serviceapi.SnippetFileActionCreate, FilePath: "a", Content: new("b")},
				{Action: serviceapi.SnippetFileActionDelete, FilePath: "c"},
				{Action: serviceapi.SnippetFileActionMove, FilePath: "d", PreviousPath: new("e")},
			},
		})
		require.NoError(t, err)
		assert.Equal(t, startSnippet(t), snippet)
		_, _, err = s.Update(ctx, o.owner, 3, serviceapi.UpdateSnippetOptions{FileName: new("a"), Content: new("b")})
		require.ErrorIs(t, err, serviceapi.ErrBadRequest)
		_, err = s.Delete(ctx, o.owner, 3)
		require.NoError(t, err)
	}
}

func TestSnippetsDownloads(t *testing.T) {
	for _, o := range snippetOwners {
		kind := map[string]string{"Content-Type": "text/plain"}
		s, ctx := onWire(t,
			exchange{Method: "GET", Path: o.path + "/3/raw", Body: "make\n", ResponseHeader: kind},
			exchange{Method: "GET", Path: o.path + "/3/files/main/a%2Fb.sh/raw", Body: "make\n", ResponseHeader: kind},
			exchange{Method: "GET", Path: o.path + "/3/files/a%2Fb/c/raw", Body: "make\n", ResponseHeader: kind},
			exchange{Method: "GET", Path: o.path + "/4/raw", Status: 404, Body: `{"message":"404 Snippet Not Found"}`},
		).Snippets, t.Context()
		check := func(download *serviceapi.Download, _ *serviceapi.Response, err error) {
			t.Helper()
			require.NoError(t, err)
			data, err := io.ReadAll(download)
			require.NoError(t, err)
			require.NoError(t, download.Close())
			assert.Equal(t, "make\n", string(data))
		}
		check(s.Download(ctx, o.owner, 3))
		check(s.DownloadFile(ctx, o.owner, 3, "a/b.sh", nil))
		check(s.DownloadFile(ctx, o.owner, 3, "c", &serviceapi.DownloadSnippetFileOptions{Ref: "a/b"}))
		_, _, err := s.Download(ctx, o.owner, 4)
		require.ErrorIs(t, err, serviceapi.ErrNotFound)
	}
}

func TestSnippetsArguments(t *testing.T) {
	s, ctx := onWire(t).Snippets, t.Context()
	failed := func(_ any, _ *serviceapi.Response, err error) error { return err }
	assertRefused(t, "id", failed(s.Get(ctx, serviceapi.Own, 0)))
	assertRefused(t, "snippet_id", failed(s.Get(ctx, serviceapi.ProjectID(4), 0)))
	assertRefused(t, "id", failed(s.Create(ctx, serviceapi.ProjectRef{}, serviceapi.CreateSnippetOptions{})))
	assertRefused(t, "owner", failed(s.Create(ctx, nil, serviceapi.CreateSnippetOptions{})))
	assertRefused(t, "project path", failed(s.List(ctx, serviceapi.ProjectPath(""), nil)))
	assertRefused(
		t,
		"CreatedAfter",
		failed(s.List(ctx, serviceapi.ProjectID(4), &serviceapi.ListSnippetsOptions{CreatedAfter: january(1)})),
	)
	assertRefused(t, "CreatedBefore",
		failed(s.List(ctx, serviceapi.ProjectID(4), &serviceapi.ListSnippetsOptions{CreatedBefore: january(1)})))
	assertRefused(t, "id", failed(s.Update(ctx, serviceapi.Own, -1, serviceapi.UpdateSnippetOptions{})))
	_, err := s.Delete(ctx, serviceapi.ProjectID(4), 0)
	assertRefused(t, "snippet_id", err)
	assertRefused(t, "owner", failed(s.Download(ctx, &serviceapi.ProjectRef{}, 1)))
	assertRefused(t, "file_path", failed(s.DownloadFile(ctx, serviceapi.Own, 1, "", nil)))
	_, err = serviceapi.Collect(s.All(ctx, nil, nil))
	assertRefused(t, "owner", err)
}

func TestSnippetRef(t *testing.T) {
	assert.Equal(t, serviceapi.ProjectID(4).Snippet(3), startSnippet(t).Ref())
	assert.Equal(t, serviceapi.SnippetID(3), (&serviceapi.Snippet{ID: 3}).Ref(), "a personal one")
	assert.Equal(t, serviceapi.SnippetRef{}, (*serviceapi.Snippet)(nil).Ref())
}
