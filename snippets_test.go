package serviceapi

import (
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// startSnippet is testdata/snippets/snippet.json.
func startSnippet(t *testing.T) *Snippet {
	return &Snippet{
		ID: 3, Title: "Start", Description: "How to start it", Visibility: VisibilityInternal,
		Author: &NoteAuthor{
			UserSummary: UserSummary{ID: 1, Name: "Ada Lovelace", Username: "ada", State: "active",
				WebURL: "https://service.test/ada"},
			Email: "ada@example.com", CreatedAt: at(t, "2025-12-21T13:14:24.077Z"),
		},
		CreatedAt: *at(t, "2026-03-01T10:00:00.880Z"), UpdatedAt: *at(t, "2026-03-01T10:20:00.120Z"),
		ProjectID:     new(int64(4)),
		WebURL:        "https://service.test/acme/app/-/snippets/3",
		RawURL:        "https://service.test/acme/app/-/snippets/3/raw",
		SSHURLToRepo:  "ssh://git@service.test:acme/app/snippets/3.git",
		HTTPURLToRepo: "https://service.test/acme/app/snippets/3.git", FileName: "start.sh",
		Files: []*SnippetFile{{Path: "start.sh",
			RawURL: "https://service.test/acme/app/-/snippets/3/raw/main/start.sh"}},
		RepositoryStorage: "default", Imported: true, ImportedFrom: "github",
	}
}

// snippetOwners are the owners of snippets, with the paths of their snippets.
var snippetOwners = []struct {
	owner SnippetOwner
	path  string
}{
	{Own, "/snippets"},
	{ProjectPath("acme/app"), "/projects/acme%2Fapp/snippets"},
}

func TestSnippetsLists(t *testing.T) {
	whole := "[" + fixture(t, "snippets/snippet.json") + "]"
	for _, o := range snippetOwners {
		options, query := &ListSnippetsOptions{ListOptions: ListOptions{Page: 2}}, "page=2"
		if o.owner == Own {
			options.CreatedAfter, options.CreatedBefore = january(1), january(2)
			query = "created_after=2026-01-01T00%3A00%3A00Z&created_before=2026-01-02T00%3A00%3A00Z&page=2"
		}
		s := onWire(t,
			exchange{Method: "GET", Path: o.path, Body: whole},
			exchange{Method: "GET", Path: o.path, Query: query, Body: `[]`},
			exchange{Method: "GET", Path: o.path, Query: "per_page=100", Body: whole}).Snippets
		snippets, _, err := s.List(t.Context(), o.owner, nil)
		require.NoError(t, err)
		assert.Equal(t, []*Snippet{startSnippet(t)}, snippets)
		snippets, _, err = s.List(t.Context(), o.owner, options)
		require.NoError(t, err)
		assert.Empty(t, snippets)
		snippets, err = Collect(s.All(t.Context(), o.owner, nil))
		require.NoError(t, err)
		assert.Equal(t, []*Snippet{startSnippet(t)}, snippets)
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
	want := []*Snippet{startSnippet(t)}
	got, _, err := s.ListPublic(ctx, &ListPublicSnippetsOptions{
		ListOptions: ListOptions{Page: 2}, CreatedAfter: january(1), CreatedBefore: january(2),
	})
	require.NoError(t, err)
	assert.Equal(t, want, got)
	got, err = Collect(s.AllPublic(ctx, nil))
	require.NoError(t, err)
	assert.Equal(t, want, got)
	got, _, err = s.ListVisible(ctx, &ListVisibleSnippetsOptions{
		ListOptions: ListOptions{Page: 2}, CreatedAfter: january(1), CreatedBefore: january(2),
		RepositoryStorage: "fast",
	})
	require.NoError(t, err)
	assert.Equal(t, want, got)
	got, err = Collect(s.AllVisible(ctx, nil))
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
		assert.Equal(t, &Snippet{ID: 4}, snippet)
		snippet, _, err = s.Create(ctx, o.owner,
			CreateSnippetOptions{Title: "t", Files: []SnippetFileOptions{{FilePath: "a/b.sh"}}})
		require.NoError(t, err)
		assert.Equal(t, startSnippet(t), snippet)
		_, _, err = s.Create(ctx, o.owner, CreateSnippetOptions{
			Title: "t", Files: []SnippetFileOptions{{"a", "b"}, {"c", "d"}}, Description: new(""),
			Visibility: new(VisibilityPublic),
		})
		require.ErrorIs(t, err, ErrUnprocessable)
		snippet, _, err = s.Create(ctx, o.owner, CreateSnippetOptions{Title: "t", FileName: new("a"),
			Content: new("b")})
		require.NoError(t, err)
		assert.Equal(t, startSnippet(t), snippet)
		snippet, _, err = s.Update(ctx, o.owner, 3, UpdateSnippetOptions{
			Title: new("u"), Description: new(""), Visibility: new(VisibilityPrivate),
			Files: []UpdateSnippetFileOptions{
				{Action: SnippetFileActionCreate, FilePath: "a", Content: new("b")},
				{Action: SnippetFileActionDelete, FilePath: "c"},
				{Action: SnippetFileActionMove, FilePath: "d", PreviousPath: new("e")},
			},
		})
		require.NoError(t, err)
		assert.Equal(t, startSnippet(t), snippet)
		_, _, err = s.Update(ctx, o.owner, 3, UpdateSnippetOptions{FileName: new("a"), Content: new("b")})
		require.ErrorIs(t, err, ErrBadRequest)
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
		check := func(download *Download, _ *Response, err error) {
			t.Helper()
			require.NoError(t, err)
			data, err := io.ReadAll(download)
			require.NoError(t, err)
			require.NoError(t, download.Close())
			assert.Equal(t, "make\n", string(data))
		}
		check(s.Download(ctx, o.owner, 3))
		check(s.DownloadFile(ctx, o.owner, 3, "a/b.sh", nil))
		check(s.DownloadFile(ctx, o.owner, 3, "c", &DownloadSnippetFileOptions{Ref: "a/b"}))
		_, _, err := s.Download(ctx, o.owner, 4)
		require.ErrorIs(t, err, ErrNotFound)
	}
}

func TestSnippetsArguments(t *testing.T) {
	s, ctx := onWire(t).Snippets, t.Context()
	failed := func(_ any, _ *Response, err error) error { return err }
	assertRefused(t, "id", failed(s.Get(ctx, Own, 0)))
	assertRefused(t, "snippet_id", failed(s.Get(ctx, ProjectID(4), 0)))
	assertRefused(t, "id", failed(s.Create(ctx, ProjectRef{}, CreateSnippetOptions{})))
	assertRefused(t, "owner", failed(s.Create(ctx, nil, CreateSnippetOptions{})))
	assertRefused(t, "project path", failed(s.List(ctx, ProjectPath(""), nil)))
	assertRefused(t, "CreatedAfter", failed(s.List(ctx, ProjectID(4), &ListSnippetsOptions{CreatedAfter: january(1)})))
	assertRefused(t, "CreatedBefore",
		failed(s.List(ctx, ProjectID(4), &ListSnippetsOptions{CreatedBefore: january(1)})))
	assertRefused(t, "id", failed(s.Update(ctx, Own, -1, UpdateSnippetOptions{})))
	_, err := s.Delete(ctx, ProjectID(4), 0)
	assertRefused(t, "snippet_id", err)
	assertRefused(t, "owner", failed(s.Download(ctx, &ProjectRef{}, 1)))
	assertRefused(t, "file_path", failed(s.DownloadFile(ctx, Own, 1, "", nil)))
	_, err = Collect(s.All(ctx, nil, nil))
	assertRefused(t, "owner", err)
}

func TestSnippetRef(t *testing.T) {
	assert.Equal(t, ProjectID(4).Snippet(3), startSnippet(t).Ref())
	assert.Equal(t, SnippetRef{}, (&Snippet{ID: 3}).Ref(), "a personal one")
	assert.Equal(t, SnippetRef{}, (*Snippet)(nil).Ref())
}
