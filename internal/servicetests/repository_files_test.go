package servicetests

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
	"testing"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fileOf returns a file as it is read, with its content.
func fileOf(m *serviceapi.FileMetadata, content string) *serviceapi.RepositoryFile {
	return &serviceapi.RepositoryFile{
		FileMetadata: serviceapi.FileMetadata{
			FileName: m.FileName, FilePath: m.FilePath, Size: m.Size,
			ContentSHA256: m.ContentSHA256, Ref: m.Ref, BlobID: m.BlobID, CommitID: m.CommitID,
			LastCommitID:    m.LastCommitID,
			ExecuteFilemode: m.ExecuteFilemode, Encoding: serviceapi.ContentEncodingBase64,
		},
		Content: []byte(content),
	}
}

func TestFileReadLive(t *testing.T) {
	svc := servicetest.New(t)
	project := svc.Project("acme/app")
	text := "Grüße\n"
	written := project.Commit("main", "Greet", servicetest.WriteExecutable("docs/a b%.txt", text))
	head := project.Commit("main", "Else", servicetest.Write("else.txt", "x"))
	project.Branch("feature/x", "")
	client, ctx := asRoot(t, svc), t.Context()
	sum := sha256.Sum256([]byte(text))

	for _, ref := range []string{"main", "feature/x", head, head[:10]} {
		file, _, err := client.RepositoryFiles.Get(ctx, app, "docs/a b%.txt",
			&serviceapi.GetRepositoryFileOptions{Ref: ref})
		require.NoError(t, err, ref)
		metadata := &serviceapi.FileMetadata{Encoding: serviceapi.ContentEncodingBase64,
			FileName: "a b%.txt", FilePath: "docs/a b%.txt", Size: 8,
			ContentSHA256: hex.EncodeToString(sum[:]), Ref: ref, BlobID: file.BlobID,
			CommitID: head, LastCommitID: written, ExecuteFilemode: true,
		}
		assert.Equal(t, fileOf(metadata, text), file)
		assert.Len(t, file.BlobID, 40)

		for name, call := range map[string]func() (*serviceapi.FileMetadata, *serviceapi.Response, error){
			"file": func() (*serviceapi.FileMetadata, *serviceapi.Response, error) {
				return client.RepositoryFiles.Metadata(ctx, app, "docs/a b%.txt",
					&serviceapi.GetFileMetadataOptions{Ref: ref})
			},
			"blame": func() (*serviceapi.FileMetadata, *serviceapi.Response, error) {
				return client.RepositoryFiles.BlameMetadata(ctx, app, "docs/a b%.txt",
					&serviceapi.GetFileMetadataOptions{Ref: ref})
			},
			"raw": func() (*serviceapi.FileMetadata, *serviceapi.Response, error) {
				return client.RepositoryFiles.RawMetadata(ctx, app, "docs/a b%.txt",
					&serviceapi.GetFileMetadataOptions{Ref: ref})
			},
		} {
			m, _, err := call()
			require.NoError(t, err, name)
			assert.Equal(t, metadata, m, name)
		}
	}
	for _, missing := range []struct{ path, ref string }{{"none", "main"}, {"docs", "main"}, {"else.txt", "none"},
		{"else.txt", written}} {
		_, _, err := client.RepositoryFiles.Get(ctx, app, missing.path,
			&serviceapi.GetRepositoryFileOptions{Ref: missing.ref})
		assert.ErrorIs(t, err, serviceapi.ErrNotFound, "%v", missing)
		_, _, err = client.RepositoryFiles.Metadata(ctx, app, missing.path,
			&serviceapi.GetFileMetadataOptions{Ref: missing.ref})
		assert.ErrorIs(t, err, serviceapi.ErrNotFound, "%v", missing)
	}
}

func TestFileRawLive(t *testing.T) {
	svc := servicetest.New(t)
	project := svc.Project("acme/app")
	content := strings.Repeat("\x00binary\xff", 50_000)
	project.Commit("main", "Add it", servicetest.Write("big.bin", content))
	client, ctx := asRoot(t, svc), t.Context()
	fetch := func(path, ref string) (string, *serviceapi.Download) {
		d, _, err := client.RepositoryFiles.Raw(ctx, app, path, &serviceapi.RawRepositoryFileOptions{Ref: ref})
		require.NoError(t, err)
		defer d.Close()
		var buf bytes.Buffer
		_, err = d.WriteTo(&buf)
		require.NoError(t, err)
		return buf.String(), d
	}
	got, d := fetch("big.bin", "")
	assert.Equal(t, content, got)
	assert.Equal(t, "big.bin", d.Name)
	assert.Equal(t, int64(len(content)), d.Size)
	got, _ = fetch("README.md", "main")
	assert.Equal(t, "# App\n", got)
	m, _, err := client.RepositoryFiles.RawMetadata(ctx, app, "big.bin", nil)
	require.NoError(t, err)
	assert.Equal(t, int64(len(content)), m.Size)
	assert.Equal(t, "HEAD", m.Ref)

	// A connection that breaks off is resumed by the blob's entity tag.
	svc.Fault("GET /projects/:id/repository/files/:file_path/raw", servicetest.CutBody(1000), servicetest.Times(1))
	got, _ = fetch("big.bin", "main")
	assert.Equal(t, content, got)
}

func TestFileBlameLive(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	project := svc.Project("acme/app")
	first := project.Commit("main", "One", servicetest.Write("a.txt", "1\n2\n3\n4\n"), servicetest.CommitAuthor(ada))
	second := project.Commit("main", "Two", servicetest.Write("a.txt", "1\ntwo\n3\n4\n5"))
	third := project.Commit("main", "Three", servicetest.Remove("a.txt"),
		servicetest.Write("b.txt", "0\n1\ntwo\n3\n4\n5"))
	client, ctx := asRoot(t, svc), t.Context()
	type run struct {
		sha   string
		lines string
	}
	blame := func(path string, lines *serviceapi.LineRange) []run {
		ranges, _, err := client.RepositoryFiles.ListBlame(ctx, app, path, &serviceapi.ListBlameOptions{Ref: "main",
			Range: lines})
		require.NoError(t, err)
		var runs []run
		for _, r := range ranges {
			runs = append(runs, run{r.Commit.ID, strings.Join(r.Lines, ",")})
		}
		return runs
	}
	assert.Equal(t, []run{{third, "0"}, {first, "1"}, {second, "two"}, {first, "3,4"}, {second, "5"}},
		blame("b.txt", nil))
	assert.Equal(t, []run{{second, "two"}, {first, "3"}}, blame("b.txt", &serviceapi.LineRange{Start: 3, End: 4}))
	assert.Equal(t, []run{{second, "5"}}, blame("b.txt", &serviceapi.LineRange{Start: 6, End: 60}))
	assert.Empty(t, blame("b.txt", &serviceapi.LineRange{Start: 60, End: 70}))

	paged, err := serviceapi.Collect(client.RepositoryFiles.AllBlame(ctx, app, "b.txt",
		&serviceapi.ListBlameOptions{Ref: "main", ListOptions: serviceapi.ListOptions{PerPage: 2}}))
	require.NoError(t, err)
	assert.Len(t, paged, 5, "over three pages")

	ranges, _, err := client.RepositoryFiles.ListBlame(ctx, app, "b.txt", &serviceapi.ListBlameOptions{Ref: first})
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	assert.Nil(t, ranges)
	ranges, _, err = client.RepositoryFiles.ListBlame(ctx, app, "a.txt", &serviceapi.ListBlameOptions{Ref: first})
	require.NoError(t, err)
	commit, _, err := client.Commits.Get(ctx, app, first, nil)
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.BlameCommit{
		ID: first, Message: "One", ParentIDs: commit.ParentIDs, AuthoredDate: commit.AuthoredDate,
		AuthorName: "Ada", AuthorEmail: "ada@example.com", CommittedDate: commit.CommittedDate,
		CommitterName: commit.CommitterName, CommitterEmail: commit.CommitterEmail,
	}, ranges[0].Commit)

	for _, bad := range []serviceapi.RequestOption{
		serviceapi.WithQuery("range[start]", "1"), serviceapi.WithQuery("range[end]", "2"),
		serviceapi.WithQuery("range", "1-2"),
	} {
		_, _, err = client.RepositoryFiles.ListBlame(ctx, app, "b.txt", &serviceapi.ListBlameOptions{Ref: "main"}, bad)
		assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
	}
	_, _, err = client.RepositoryFiles.ListBlame(ctx, app, "b.txt", &serviceapi.ListBlameOptions{Ref: "main",
		Range: &serviceapi.LineRange{Start: 3, End: 2}})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
}

func TestFileWriteLive(t *testing.T) {
	svc := servicetest.New(t)
	project := svc.Project("acme/app")
	client, ctx := asRoot(t, svc), t.Context()
	files := client.RepositoryFiles

	change, resp, err := files.Create(ctx, app, "docs/a.bin", serviceapi.CreateRepositoryFileOptions{
		Branch: "feature", StartBranch: new("main"), AuthorEmail: new("ada@example.com"), AuthorName: new("Ada"),
		CommitMessage: "Add it", Content: []byte{0, 0xff}, ExecuteFilemode: new(true),
	})
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, &serviceapi.FileChange{FilePath: "docs/a.bin", Branch: "feature"}, change)
	commit, _, err := client.Commits.Get(ctx, app, "feature", nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"Add it", "Ada", "ada@example.com"}, []string{commit.Title, commit.AuthorName,
		commit.AuthorEmail})
	_, found := project.File("main", "docs/a.bin")
	assert.False(t, found)

	file, _, err := files.Get(ctx, app, "docs/a.bin", &serviceapi.GetRepositoryFileOptions{Ref: "feature"})
	require.NoError(t, err)
	assert.True(t, file.ExecuteFilemode)
	assert.Equal(t, []byte{0, 0xff}, file.Content)

	_, resp, err = files.Update(ctx, app, "docs/a.bin", serviceapi.UpdateRepositoryFileOptions{
		Branch: "feature", CommitMessage: "Change it", Content: []byte("text\n"),
		LastCommitID: new(file.LastCommitID), ExecuteFilemode: new(false),
	})
	require.NoError(t, err)
	assert.Equal(t, 200, resp.StatusCode)
	text, _ := project.File("feature", "docs/a.bin")
	assert.Equal(t, "text\n", text)

	stale := file.LastCommitID
	for name, err := range map[string]error{
		"the branch moved on": second(files.Update(ctx, app, "docs/a.bin", serviceapi.UpdateRepositoryFileOptions{
			Branch: "feature", CommitMessage: "No", Content: []byte("other"), LastCommitID: &stale,
		})),
		"identical content": second(files.Update(ctx, app, "docs/a.bin", serviceapi.UpdateRepositoryFileOptions{
			Branch: "feature", CommitMessage: "No", Content: []byte("text\n"),
		})),
		"no such file": second(files.Update(ctx, app, "none", serviceapi.UpdateRepositoryFileOptions{
			Branch: "feature", CommitMessage: "No", Content: []byte{},
		})),
		"there is one": second(files.Create(ctx, app, "docs/a.bin", serviceapi.CreateRepositoryFileOptions{
			Branch: "feature", CommitMessage: "No", Content: []byte{},
		})),
		"no such branch": second(files.Create(ctx, app, "new", serviceapi.CreateRepositoryFileOptions{
			Branch: "none", CommitMessage: "No", Content: []byte{},
		})),
		"no such start": second(files.Create(ctx, app, "new", serviceapi.CreateRepositoryFileOptions{
			Branch: "none", StartBranch: new("nowhere"), CommitMessage: "No", Content: []byte{},
		})),
	} {
		assert.ErrorIs(t, err, serviceapi.ErrBadRequest, name)
	}
	_, err = files.Delete(ctx, app, "docs/a.bin", serviceapi.DeleteRepositoryFileOptions{Branch: "feature",
		CommitMessage: "No", LastCommitID: &stale})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
	assert.ErrorContains(t, err, "You are attempting to delete a file that has been previously updated.")
	resp, err = files.Delete(ctx, app, "docs/a.bin", serviceapi.DeleteRepositoryFileOptions{
		Branch: "gone", StartBranch: new("feature"), CommitMessage: "Remove it", AuthorName: new("Ada"),
		LastCommitID: new(project.Head("feature")),
	})
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)
	_, found = project.File("gone", "docs/a.bin")
	assert.False(t, found)
	_, found = project.File("feature", "docs/a.bin")
	assert.True(t, found)
}

func second[T any](_ T, _ *serviceapi.Response, err error) error { return err }

func TestFilePathsThatLeaveTheRepositoryLive(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app")
	// The client refuses such a path itself; the service must, too.
	for _, path := range []string{"docs%2F..%2Fa.txt", "%2E%2E%2Fa.txt", "%2Fa.txt", "a%2F%2Fb.txt", ".git%2Fconfig"} {
		body := strings.NewReader(`{"branch":"main","commit_message":"No","content":"x"}`)
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, svc.URL()+
			"/api/v4/projects/1/repository/files/"+path, body)
		require.NoError(t, err)
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("PRIVATE-TOKEN", svc.AdminToken())
		resp, err := svc.HTTPClient().Do(req)
		require.NoError(t, err)
		resp.Body.Close()
		assert.Equal(t, http.StatusBadRequest, resp.StatusCode, path)
	}
}

func TestFileAccessLive(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	svc.Project("acme/app", servicetest.Member(ada, servicetest.Reporter))
	svc.Project("acme/open", servicetest.Public())
	ctx, open := t.Context(), serviceapi.ProjectPath("acme/open")
	anonymous := asAnybody(t, svc)
	_, _, err := anonymous.RepositoryFiles.Get(ctx, open, "README.md",
		&serviceapi.GetRepositoryFileOptions{Ref: "main"})
	require.NoError(t, err)
	_, _, err = anonymous.RepositoryFiles.Get(ctx, app, "README.md", &serviceapi.GetRepositoryFileOptions{Ref: "main"})
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)

	remove := serviceapi.DeleteRepositoryFileOptions{Branch: "main", CommitMessage: "No"}
	_, err = anonymous.RepositoryFiles.Delete(ctx, open, "README.md", remove)
	assert.ErrorIs(t, err, serviceapi.ErrUnauthorized)
	_, err = as(t, svc, ada).RepositoryFiles.Delete(ctx, app, "README.md", remove)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	reader := withToken(t, svc, svc.Token(svc.Root(), servicetest.Scopes("read_repository")))
	_, _, err = reader.RepositoryFiles.Get(ctx, app, "README.md", &serviceapi.GetRepositoryFileOptions{Ref: "main"})
	require.NoError(t, err)
	_, err = reader.RepositoryFiles.Delete(ctx, app, "README.md", remove)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
}
