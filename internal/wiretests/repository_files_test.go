package wiretests

import (
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const filePath = "/projects/7/repository/files/docs%2Fgreeting.txt"

func greetingMetadata() serviceapi.FileMetadata {
	return serviceapi.FileMetadata{
		Encoding: serviceapi.ContentEncodingBase64, FileName: "greeting.txt", FilePath: "docs/greeting.txt", Size: 6,
		ContentSHA256: "66a045b452102c59d840ec097d59d9467e13a3f34f6494e539ffd32c1bb35f18",
		Ref:           "main", BlobID: "e965047ad7c57865823c7d992b1d046ea66edf78",
		CommitID:     "d5a3ff139356ce33e37e73add446f16869741b50",
		LastCommitID: "570e7b2abdd848b95f2f578043fc23bd6f6fd24d", ExecuteFilemode: true,
	}
}

// metadataHeaders are the headers with the values of greetingMetadata.
func metadataHeaders(vendor string) map[string]string {
	m := greetingMetadata()
	return map[string]string{
		vendor + "File-Name": m.FileName, vendor + "File-Path": m.FilePath, vendor + "Size": "6",
		vendor + "Encoding": "base64", vendor + "Content-Sha256": m.ContentSHA256, vendor + "Ref": "main",
		vendor + "Blob-Id": m.BlobID, vendor + "Commit-Id": m.CommitID, vendor + "Last-Commit-Id": m.LastCommitID,
		vendor + "Execute-Filemode": "true",
	}
}

func TestRepositoryFilesGet(t *testing.T) {
	client := onWire(t,
		exchange{Method: "GET", Path: filePath, Query: "ref=main", Fixture: "repository_files/file.json"},
		exchange{Method: "GET", Path: "/projects/acme%2Fapp/repository/files/a%20b%25", Query: "ref=feature%2Fx",
			Fixture: "repository_files/file.json"},
	)
	file, _, err := client.RepositoryFiles.Get(t.Context(), serviceapi.ProjectID(7), "docs/greeting.txt",
		&serviceapi.GetRepositoryFileOptions{Ref: "main"})
	require.NoError(t, err)
	m := greetingMetadata()
	assert.Equal(t, &serviceapi.RepositoryFile{
		FileMetadata: serviceapi.FileMetadata{
			FileName: m.FileName, FilePath: m.FilePath, Size: m.Size,
			ContentSHA256: m.ContentSHA256, Ref: m.Ref, BlobID: m.BlobID, CommitID: m.CommitID,
			LastCommitID:    m.LastCommitID,
			ExecuteFilemode: m.ExecuteFilemode, Encoding: serviceapi.ContentEncodingBase64,
		},
		Content: []byte("Hello\n"),
	}, file)
	_, _, err = client.RepositoryFiles.Get(t.Context(), serviceapi.ProjectPath("acme/app"), "a b%",
		&serviceapi.GetRepositoryFileOptions{Ref: "feature/x"})
	require.NoError(t, err)
}

// TestRepositoryFileContent checks that the content of a file is decoded, and
// that content which is not what the service says about it is an error instead
// of a corrupted file.
func TestRepositoryFileContent(t *testing.T) {
	get := func(old, changed string) (*serviceapi.RepositoryFile, error) {
		body := fixture(t, "repository_files/file.json")
		require.Contains(t, body, old)
		client := onWire(t,
			exchange{Method: "GET", Path: filePath, Query: "ref=main", Body: strings.Replace(body, old, changed, 1)})
		file, _, err := client.RepositoryFiles.Get(t.Context(), serviceapi.ProjectID(7), "docs/greeting.txt",
			&serviceapi.GetRepositoryFileOptions{Ref: "main"})
		return file, err
	}
	sum := greetingMetadata().ContentSHA256
	for name, change := range map[string][2]string{
		"wrapped":       {"SGVsbG8K", `SGVs\r\nbG8K\n`},
		"no checksum":   {sum, ""},
		"large letters": {sum, strings.ToUpper(sum)},
	} {
		file, err := get(change[0], change[1])
		require.NoError(t, err, name)
		assert.Equal(t, "Hello\n", string(file.Content), name)
	}
	for text, change := range map[string][2]string{
		"is not Base64":            {"SGVsbG8K", "SGVsbG8K!"},
		"does not fit []uint8":     {`"SGVsbG8K"`, "7"},
		"unknown encoding":         {`"base64"`, `"text"`},
		"3 bytes instead of 6":     {"SGVsbG8K", "SGVs"},
		"has the sha256 checksum ": {"SGVsbG8K", "SGFsbG8K"},
	} {
		file, err := get(change[0], change[1])
		var decode *serviceapi.DecodeError
		require.ErrorAs(t, err, &decode, text)
		assert.True(t, decode.Partial, text)
		assert.Equal(t, "/content", decode.Pointer, text)
		assert.Equal(t, "/projects/:id/repository/files/:file_path", decode.Operation, text)
		assert.NotContains(t, err.Error(), "SGVs", "the content is not quoted")
		assert.ErrorContains(t, err, text)
		require.NotNil(t, file, text)
		assert.Nil(t, file.Content, text)
		assert.Equal(t, "greeting.txt", file.FileName, text)
	}
	_, err := get("SGVsbG8K", "SGFsbG8K")
	var wrong *serviceapi.ChecksumError
	require.ErrorAs(t, err, &wrong)
	assert.Equal(t, sum, wrong.Expected)
}

// TestRepositoryFilesNeedARef checks that a call without a ref is refused.
func TestRepositoryFilesNeedARef(t *testing.T) {
	files, ctx := onWire(t).RepositoryFiles, t.Context()
	failed := func(_ any, _ *serviceapi.Response, err error) error { return err }
	_, all := serviceapi.Collect(files.AllBlame(ctx, serviceapi.ProjectID(7), "a", nil))
	for name, err := range map[string]error{
		"get":        failed(files.Get(ctx, serviceapi.ProjectID(7), "a", nil)),
		"get empty":  failed(files.Get(ctx, serviceapi.ProjectID(7), "a", &serviceapi.GetRepositoryFileOptions{})),
		"metadata":   failed(files.Metadata(ctx, serviceapi.ProjectID(7), "a", nil)),
		"of a blame": failed(files.BlameMetadata(ctx, serviceapi.ProjectID(7), "a", nil)),
		"blame": failed(files.ListBlame(ctx, serviceapi.ProjectID(7), "a",
			&serviceapi.ListBlameOptions{Range: &serviceapi.LineRange{Start: 1, End: 2}})),
		"all": all,
	} {
		var argument *serviceapi.ArgumentError
		require.ErrorAs(t, err, &argument, name)
		assert.Equal(t, "Ref", argument.Argument, name)
	}
	_, _, err := files.Update(
		ctx,
		serviceapi.ProjectID(7),
		"a",
		serviceapi.UpdateRepositoryFileOptions{
			Branch:          "main",
			CommitMessage:   "Make it executable",
			ExecuteFilemode: new(true),
		},
	)
	assertRefused(t, "Content", err)
}

func TestRepositoryFilesMetadata(t *testing.T) {
	for _, vendor := range []string{"X-Service-", "X-Acme-", "X-Acme-Corp-"} {
		client := onWire(t,
			exchange{Method: "HEAD", Path: filePath, Query: "ref=main",
				ResponseHeader: metadataHeaders(vendor)},
			exchange{Method: "HEAD", Path: filePath + "/blame", Query: "ref=main",
				ResponseHeader: metadataHeaders(vendor)},
			exchange{Method: "HEAD", Path: filePath + "/raw", Query: "ref=main",
				ResponseHeader: metadataHeaders(vendor)},
			exchange{Method: "HEAD", Path: filePath + "/raw", ResponseHeader: metadataHeaders(vendor)},
		)
		files := client.RepositoryFiles
		want := greetingMetadata()
		for _, call := range []func() (*serviceapi.FileMetadata, *serviceapi.Response, error){
			func() (*serviceapi.FileMetadata, *serviceapi.Response, error) {
				return files.Metadata(t.Context(), serviceapi.ProjectID(7), "docs/greeting.txt",
					&serviceapi.GetFileMetadataOptions{Ref: "main"})
			},
			func() (*serviceapi.FileMetadata, *serviceapi.Response, error) {
				return files.BlameMetadata(t.Context(), serviceapi.ProjectID(7), "docs/greeting.txt",
					&serviceapi.GetFileMetadataOptions{Ref: "main"})
			},
			func() (*serviceapi.FileMetadata, *serviceapi.Response, error) {
				return files.RawMetadata(t.Context(), serviceapi.ProjectID(7), "docs/greeting.txt",
					&serviceapi.GetFileMetadataOptions{Ref: "main"})
			},
			func() (*serviceapi.FileMetadata, *serviceapi.Response, error) {
				return files.RawMetadata(t.Context(), serviceapi.ProjectID(7), "docs/greeting.txt", nil)
			},
		} {
			got, resp, err := call()
			require.NoError(t, err, vendor)
			assert.Equal(t, &want, got, vendor)
			assert.Equal(t, 200, resp.StatusCode)
		}
	}
}

func TestRepositoryFilesMetadataPrefersTheServicesName(t *testing.T) {
	headers := metadataHeaders("X-Service-")
	for _, other := range []string{"X-A-", "X-Z-"} {
		headers[other+"Blob-Id"] = "wrong"
	}
	headers["X-Service-Execute-Filemode"] = ""
	client := onWire(t, exchange{Method: "HEAD", Path: filePath, Query: "ref=main", ResponseHeader: headers})
	got, _, err := client.RepositoryFiles.Metadata(t.Context(), serviceapi.ProjectID(7), "docs/greeting.txt",
		&serviceapi.GetFileMetadataOptions{Ref: "main"})
	require.NoError(t, err)
	want := greetingMetadata()
	want.ExecuteFilemode = false
	assert.Equal(t, &want, got)
}

// TestRepositoryFilesMetadataIgnoresAForeignHeader checks a proxy that has a header
// with a name like those of the service.
func TestRepositoryFilesMetadataIgnoresAForeignHeader(t *testing.T) {
	headers := metadataHeaders("X-Acme-")
	headers["X-A-Blob-Id"], headers["X-Z-Blob-Id"] = "wrong", "wrong"
	client := onWire(t, exchange{Method: "HEAD", Path: filePath, Query: "ref=main", ResponseHeader: headers})
	got, _, err := client.RepositoryFiles.Metadata(t.Context(), serviceapi.ProjectID(7), "docs/greeting.txt",
		&serviceapi.GetFileMetadataOptions{Ref: "main"})
	require.NoError(t, err)
	assert.Equal(t, new(greetingMetadata()), got)
}

// TestRepositoryFilesMetadataOfEqualHeaders checks that the choice between two sets of
// headers does not change from one call to the next.
func TestRepositoryFilesMetadataOfEqualHeaders(t *testing.T) {
	headers := metadataHeaders("X-Acme-")
	for name := range metadataHeaders("X-Zeta-") {
		headers[name] = "1"
	}
	reply := exchange{Method: "HEAD", Path: filePath, Query: "ref=main", ResponseHeader: headers}
	client := onWire(t, slices.Repeat([]exchange{reply}, 20)...)
	for range 20 {
		got, _, err := client.RepositoryFiles.Metadata(t.Context(), serviceapi.ProjectID(7), "docs/greeting.txt",
			&serviceapi.GetFileMetadataOptions{Ref: "main"})
		require.NoError(t, err)
		require.Equal(t, new(greetingMetadata()), got)
	}
}

// TestFileMetadataAsJSON checks the names that a program finds in what it stores: they are
// those of a file.
func TestFileMetadataAsJSON(t *testing.T) {
	var stored, file map[string]json.RawMessage
	data, err := json.Marshal(greetingMetadata())
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &stored))
	require.NoError(t, json.Unmarshal([]byte(fixture(t, "repository_files/file.json")), &file))
	for name := range stored {
		assert.Contains(t, file, name)
	}
	assert.Len(t, stored, 10)
}

// TestRepositoryFilesMetadataWithOddValues checks that a value that cannot be one
// costs its field alone, and that no headers at all cost everything.
func TestRepositoryFilesMetadataWithOddValues(t *testing.T) {
	for _, test := range []struct {
		header, value string
		want          func(*serviceapi.FileMetadata)
	}{
		{"X-Service-Size", "many", func(m *serviceapi.FileMetadata) { m.Size = 0 }},
		{"X-Service-Size", "-5", func(m *serviceapi.FileMetadata) { m.Size = 0 }},
		{"X-Service-Size", "", func(m *serviceapi.FileMetadata) { m.Size = 0 }},
		{"X-Service-Execute-Filemode", "often", func(m *serviceapi.FileMetadata) { m.ExecuteFilemode = false }},
	} {
		reply := metadataHeaders("X-Service-")
		reply[test.header] = test.value
		client := onWire(t, exchange{Method: "HEAD", Path: filePath, Query: "ref=main", ResponseHeader: reply})
		got, resp, err := client.RepositoryFiles.Metadata(t.Context(), serviceapi.ProjectID(7), "docs/greeting.txt",
			&serviceapi.GetFileMetadataOptions{Ref: "main"})
		var decode *serviceapi.DecodeError
		require.ErrorAs(t, err, &decode, test.header)
		assert.True(t, decode.Partial)
		assert.Equal(t, "/projects/:id/repository/files/:file_path", decode.Operation)
		assert.Equal(t, 200, resp.StatusCode)
		want := greetingMetadata()
		test.want(&want)
		assert.Equal(t, &want, got, test.value)
	}
	client := onWire(t, exchange{Method: "HEAD", Path: filePath, Query: "ref=main"})
	got, _, err := client.RepositoryFiles.Metadata(t.Context(), serviceapi.ProjectID(7), "docs/greeting.txt",
		&serviceapi.GetFileMetadataOptions{Ref: "main"})
	var decode *serviceapi.DecodeError
	require.ErrorAs(t, err, &decode)
	assert.False(t, decode.Partial)
	assert.Nil(t, got)
	client = onWire(t, exchange{Method: "HEAD", Path: filePath, Query: "ref=main", Status: 404})
	_, _, err = client.RepositoryFiles.Metadata(t.Context(), serviceapi.ProjectID(7), "docs/greeting.txt",
		&serviceapi.GetFileMetadataOptions{Ref: "main"})
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}

func TestRepositoryFilesBlame(t *testing.T) {
	client := onWire(t,
		exchange{Method: "GET", Path: filePath + "/blame", Query: "ref=main", Fixture: "repository_files/blame.json"},
		exchange{Method: "GET", Path: filePath + "/blame", Query: "range%5Bend%5D=12&range%5Bstart%5D=10&ref=main",
			Body: "[]"},
	)
	ranges, _, err := client.RepositoryFiles.ListBlame(t.Context(), serviceapi.ProjectID(7), "docs/greeting.txt",
		&serviceapi.ListBlameOptions{Ref: "main"})
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.FileBlameRange{{
		Commit: &serviceapi.BlameCommit{
			ID: "d42409d56517157c48bf3bd97d3f75974dde19fb", Message: "Add a feature\n\nalso fix a bug\n",
			ParentIDs:    []string{"cc6e14f9328fa6d7b5a0d3c30dc2002a3f2a3822"},
			AuthoredDate: *at(t, "2026-01-18T08:12:22.000Z"), AuthorName: "Ada Lovelace",
			AuthorEmail:   "ada@example.com",
			CommittedDate: *at(t, "2026-01-19T08:12:22.000Z"), CommitterName: "Charles Babbage",
			CommitterEmail: "charles@example.com",
		},
		Lines: []string{"require 'fileutils'", "", "open"},
	}}, ranges)
	_, _, err = client.RepositoryFiles.ListBlame(t.Context(), serviceapi.ProjectID(7), "docs/greeting.txt",
		&serviceapi.ListBlameOptions{Ref: "main", Range: &serviceapi.LineRange{Start: 10, End: 12}})
	require.NoError(t, err)
}

func TestRepositoryFilesRaw(t *testing.T) {
	client := onWire(t,
		exchange{
			Method: "GET", Path: filePath + "/raw", Query: "ref=v1.0", Body: "Hello\n",
			ResponseHeader: map[string]string{"Content-Length": "6", "Content-Type": "text/plain",
				"Content-Disposition": `inline; filename="greeting.txt"`},
		},
		exchange{Method: "GET", Path: filePath + "/raw", Query: "lfs=true", Status: 404,
			Body: `{"message":"404 File Not Found"}`},
	)
	d, _, err := client.RepositoryFiles.Raw(t.Context(), serviceapi.ProjectID(7), "docs/greeting.txt",
		&serviceapi.RawRepositoryFileOptions{Ref: "v1.0"})
	require.NoError(t, err)
	defer d.Close()
	var content strings.Builder
	_, err = io.CopyN(&content, d, 6)
	require.NoError(t, err)
	assert.Equal(t, "Hello\n", content.String())
	assert.Equal(t, "greeting.txt", d.Name)
	_, _, err = client.RepositoryFiles.Raw(t.Context(), serviceapi.ProjectID(7), "docs/greeting.txt",
		&serviceapi.RawRepositoryFileOptions{LFS: true})
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	assert.ErrorContains(t, err, "404 File Not Found")
}

func TestRepositoryFilesWrite(t *testing.T) {
	client := onWire(t,
		exchange{
			Method: "POST", Path: filePath, Status: 201, Body: `{"file_path":"docs/greeting.txt","branch":"feature"}`,
			JSON: `{"branch":"feature","start_branch":"main","author_email":"ada@example.com","author_name":"Ada",
				"commit_message":"Greet","content":"/w==","encoding":"base64","execute_filemode":true}`,
		},
		exchange{
			Method: "POST", Path: filePath, Status: 201, Body: `{"file_path":"docs/greeting.txt","branch":"main"}`,
			JSON: `{"branch":"main","commit_message":"Greet","content":""}`,
		},
		exchange{
			Method: "PUT", Path: filePath, Body: `{"file_path":"docs/greeting.txt","branch":"feature"}`,
			JSON: `{"branch":"feature","start_branch":"main","author_email":"ada@example.com","author_name":"Ada",
				"commit_message":"Greet","content":"Hello\n","last_commit_id":"570e7b2a","execute_filemode":false}`,
		},
		exchange{
			Method: "PUT", Path: filePath, Status: 400, Body: `{"message":"Your changes could not be committed"}`,
			JSON: `{"branch":"main","commit_message":"Greet","content":"Hello\n"}`,
		},
		exchange{
			Method: "PUT", Path: filePath, Body: `{"file_path":"docs/greeting.txt","branch":"main"}`,
			JSON: `{"branch":"main","commit_message":"Greet","content":"/w==","encoding":"base64"}`,
		},
	)
	files, ctx, path := client.RepositoryFiles, t.Context(), "docs/greeting.txt"
	change, _, err := files.Create(ctx, serviceapi.ProjectID(7), path, serviceapi.CreateRepositoryFileOptions{
		Branch: "feature", StartBranch: new("main"), AuthorEmail: new("ada@example.com"), AuthorName: new("Ada"),
		CommitMessage: "Greet", Content: []byte{0xff}, ExecuteFilemode: new(true),
	})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.FileChange{FilePath: path, Branch: "feature"}, change)
	_, _, err = files.Create(ctx, serviceapi.ProjectID(7), path,
		serviceapi.CreateRepositoryFileOptions{Branch: "main", CommitMessage: "Greet"})
	require.NoError(t, err)
	change, _, err = files.Update(ctx, serviceapi.ProjectID(7), path, serviceapi.UpdateRepositoryFileOptions{
		Branch: "feature", StartBranch: new("main"), AuthorEmail: new("ada@example.com"), AuthorName: new("Ada"),
		CommitMessage: "Greet", Content: []byte("Hello\n"),
		LastCommitID: new("570e7b2a"), ExecuteFilemode: new(false),
	})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.FileChange{FilePath: path, Branch: "feature"}, change)
	_, _, err = files.Update(ctx, serviceapi.ProjectID(7), path,
		serviceapi.UpdateRepositoryFileOptions{Branch: "main", CommitMessage: "Greet", Content: []byte("Hello\n")})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
	assert.ErrorContains(t, err, "Your changes could not be committed")
	_, _, err = files.Update(ctx, serviceapi.ProjectID(7), path,
		serviceapi.UpdateRepositoryFileOptions{Branch: "main", CommitMessage: "Greet", Content: []byte{0xff}})
	require.NoError(t, err)
}

func TestRepositoryFilesDelete(t *testing.T) {
	client := onWire(t,
		exchange{
			Method: "DELETE", Path: filePath, Status: 204,
			JSON: `{"branch":"feature","start_branch":"main","author_email":"ada@example.com","author_name":"Ada",
				"commit_message":"Be quiet","last_commit_id":"570e7b2a"}`,
		},
		exchange{Method: "DELETE", Path: filePath, JSON: `{"branch":"main","commit_message":"Be quiet"}`,
			Body: `{"whatever":1}`},
	)
	resp, err := client.RepositoryFiles.Delete(t.Context(), serviceapi.ProjectID(7), "docs/greeting.txt",
		serviceapi.DeleteRepositoryFileOptions{
			Branch: "feature", StartBranch: new("main"), AuthorEmail: new("ada@example.com"), AuthorName: new("Ada"),
			CommitMessage: "Be quiet", LastCommitID: new("570e7b2a"),
		})
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)
	_, err = client.RepositoryFiles.Delete(t.Context(), serviceapi.ProjectID(7), "docs/greeting.txt",
		serviceapi.DeleteRepositoryFileOptions{Branch: "main", CommitMessage: "Be quiet"})
	require.NoError(t, err)
}

func TestRepositoryFilesRefuseBadArguments(t *testing.T) {
	client := onWire(t)
	files, ctx := client.RepositoryFiles, t.Context()
	for _, bad := range []struct{ path, ref string }{
		{"", "main"}, {"a/../b", "main"}, {"..", "main"}, {"/", "main"}, {"a/..", "main"}, {"a\x00", "main"},
		{"a.txt", ""},
	} {
		for name, call := range map[string]func() error{
			"get": func() error {
				_, _, err := files.Get(ctx, serviceapi.ProjectID(7), bad.path,
					&serviceapi.GetRepositoryFileOptions{Ref: bad.ref})
				return err
			},
			"metadata": func() error {
				_, _, err := files.Metadata(ctx, serviceapi.ProjectID(7), bad.path,
					&serviceapi.GetFileMetadataOptions{Ref: bad.ref})
				return err
			},
			"blame": func() error {
				_, _, err := files.ListBlame(ctx, serviceapi.ProjectID(7), bad.path,
					&serviceapi.ListBlameOptions{Ref: bad.ref})
				return err
			},
			"blame metadata": func() error {
				_, _, err := files.BlameMetadata(ctx, serviceapi.ProjectID(7), bad.path,
					&serviceapi.GetFileMetadataOptions{Ref: bad.ref})
				return err
			},
		} {
			var argument *serviceapi.ArgumentError
			assert.ErrorAs(t, call(), &argument, "%s %q at %q", name, bad.path, bad.ref)
		}
	}
}
