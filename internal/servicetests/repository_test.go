package servicetests

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"testing"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sourceTree is a project with files in directories.
func sourceTree(svc *servicetest.Service, opts ...servicetest.ProjectOption) *servicetest.Project {
	project := svc.Project("acme/app", opts...)
	project.Commit("main", "Begin", servicetest.Write("cmd/app/main.go", "package main\n"),
		servicetest.Write("docs/a.md", "a\n"),
		servicetest.Write("docs/b.md", "b\n"), servicetest.WriteExecutable("run.sh", "#!/bin/sh\n"))
	return project
}

func TestServiceTree(t *testing.T) {
	svc := servicetest.New(t)
	project := sourceTree(svc)
	project.Tag("v1", "main")
	project.Commit("main", "Grow", servicetest.Write("docs/c.md", "a\n"))
	client, ctx := asRoot(t, svc), t.Context()
	paths := func(options serviceapi.ListTreeOptions, opts ...serviceapi.RequestOption) []string {
		options.PerPage = 2
		paths := []string{}
		for entry, err := range client.Repository.AllTree(ctx, app, &options, opts...) {
			require.NoError(t, err)
			paths = append(paths, entry.Path)
		}
		return paths
	}
	everything := []string{"cmd", "cmd/app", "docs", "README.md", "cmd/app/main.go", "docs/a.md", "docs/b.md",
		"docs/c.md", "run.sh"}
	assert.Equal(t, []string{"cmd", "docs", "README.md", "run.sh"}, paths(serviceapi.ListTreeOptions{}))
	assert.Equal(t, everything, paths(serviceapi.ListTreeOptions{Recursive: true}))
	assert.Equal(t, everything, paths(serviceapi.ListTreeOptions{Recursive: true}, serviceapi.WithConcurrentPages(4)),
		"without totals, one page after the other")
	assert.Equal(t, everything,
		paths(serviceapi.ListTreeOptions{Recursive: true, Pagination: serviceapi.PaginationOffset}))
	assert.Equal(t, []string{"docs/a.md", "docs/b.md", "docs/c.md"}, paths(serviceapi.ListTreeOptions{Path: "docs"}),
		"two of them have the same content")
	assert.Equal(t, []string{"docs/a.md", "docs/b.md"}, paths(serviceapi.ListTreeOptions{Path: "docs", Ref: "v1"}))
	assert.Empty(t, paths(serviceapi.ListTreeOptions{Path: "gone"}))
	page, resp, err := client.Repository.ListTree(ctx, app,
		&serviceapi.ListTreeOptions{ListOptions: serviceapi.ListOptions{PerPage: 3}})
	require.NoError(t, err)
	require.Len(t, page, 3)
	page, resp, err = client.Repository.ListTree(ctx, app,
		&serviceapi.ListTreeOptions{ListOptions: serviceapi.ListOptions{PageToken: resp.NextPageToken}})
	require.NoError(t, err)
	assert.Empty(t, resp.NextPageToken)
	require.Len(t, page, 1)
	file, found := project.File("main", "run.sh")
	require.True(t, found)
	meta, _, err := client.RepositoryFiles.Get(ctx, app, "run.sh", &serviceapi.GetRepositoryFileOptions{Ref: "main"})
	require.NoError(t, err)
	assert.Equal(t, len(file), int(meta.Size))
	assert.Equal(t, &serviceapi.TreeEntry{ID: meta.BlobID, Name: "run.sh", Type: serviceapi.TreeEntryTypeBlob,
		Path: "run.sh", Mode: "100755"}, page[0])
	_, _, err = client.Repository.ListTree(ctx, app, &serviceapi.ListTreeOptions{Ref: "gone"})
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	_, resp, err = client.Repository.ListTree(ctx, app,
		&serviceapi.ListTreeOptions{ListOptions: serviceapi.ListOptions{PerPage: 1}, Path: "docs"})
	require.NoError(t, err)
	project.Commit("main", "Shrink", servicetest.Remove("docs/a.md"))
	_, _, err = client.Repository.ListTree(ctx, app,
		&serviceapi.ListTreeOptions{ListOptions: serviceapi.ListOptions{PageToken: resp.NextPageToken}})
	assert.ErrorIs(t, err, serviceapi.ErrUnprocessable, "the file that the page follows is gone")
	svc.Project("acme/empty", servicetest.EmptyRepository())
	_, _, err = client.Repository.ListTree(ctx, serviceapi.ProjectPath("acme/empty"), nil)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}

func TestServiceCompare(t *testing.T) {
	svc := servicetest.New(t)
	project := sourceTree(svc)
	start := project.Head("main")
	project.Branch("feature", "main")
	project.Commit("feature", "First", servicetest.Write("docs/a.md", "A\n"))
	second := project.Commit("feature", "Second", servicetest.Write("new.txt", "n\n"))
	project.Commit("main", "Meanwhile", servicetest.Remove("run.sh"))
	client, ctx := asRoot(t, svc).Repository, t.Context()
	compare := func(from, to string, options *serviceapi.CompareOptions) *serviceapi.Comparison {
		t.Helper()
		asked := serviceapi.CompareOptions{}
		if options != nil {
			asked = *options
		}
		asked.From, asked.To = from, to
		comparison, _, err := client.Compare(ctx, app, &asked)
		require.NoError(t, err)
		return comparison
	}
	paths := func(c *serviceapi.Comparison) (paths []string) {
		for _, diff := range c.Diffs {
			paths = append(paths, diff.NewPath)
		}
		return paths
	}
	got := compare("main", "feature", nil)
	assert.Equal(t, []string{"First", "Second"}, []string{got.Commits[0].Title, got.Commits[1].Title})
	assert.Equal(t, second, got.Commit.ID)
	assert.Equal(t, []string{"docs/a.md", "new.txt"}, paths(got), "since they parted")
	assert.Equal(t, "@@ -1 +1 @@\n-a\n+A\n", got.Diffs[0].Diff)
	assert.Equal(t, []string{"docs/a.md", "new.txt", "run.sh"},
		paths(compare("main", "feature", &serviceapi.CompareOptions{Straight: true})))
	unified := compare(start, second, &serviceapi.CompareOptions{Unidiff: true})
	assert.Equal(t, "--- a/docs/a.md\n+++ b/docs/a.md\n@@ -1 +1 @@\n-a\n+A\n", unified.Diffs[0].Diff)
	assert.Equal(t, "--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+n\n", unified.Diffs[1].Diff)
	same := compare("main", "main", nil)
	assert.True(t, same.CompareSameRef)
	assert.Nil(t, same.Commit)
	assert.Empty(t, same.Commits)

	other := svc.Project("acme/other")
	other.Commit("main", "Elsewhere", servicetest.Write("other.txt", "o\n"))
	across := compare("main", "feature", &serviceapi.CompareOptions{FromProject: serviceapi.ProjectID(other.ID()),
		Straight: true})
	assert.Contains(t, paths(across), "cmd/app/main.go")
	_, _, err := client.Compare(ctx, app, &serviceapi.CompareOptions{From: "main", To: "feature",
		FromProject: serviceapi.ProjectID(99)})
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	_, _, err = client.Compare(ctx, app, &serviceapi.CompareOptions{From: "gone", To: "main"})
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}

// filesInArchive returns the content of the files in an archive by name.
func filesInArchive(t *testing.T, format serviceapi.ArchiveFormat, data []byte) map[string]string {
	t.Helper()
	files := map[string]string{}
	if format == serviceapi.ArchiveFormatZip {
		r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		require.NoError(t, err)
		for _, f := range r.File {
			open, err := f.Open()
			require.NoError(t, err)
			content, err := io.ReadAll(open)
			require.NoError(t, err)
			files[f.Name] = string(content)
		}
		return files
	}
	var source io.Reader = bytes.NewReader(data)
	if format == serviceapi.ArchiveFormatTarGz {
		unpacked, err := gzip.NewReader(source)
		require.NoError(t, err)
		source = unpacked
	}
	for r := tar.NewReader(source); ; {
		header, err := r.Next()
		if err == io.EOF {
			return files
		}
		require.NoError(t, err)
		content, err := io.ReadAll(r)
		require.NoError(t, err)
		files[header.Name] = string(content)
	}
}

func TestServiceArchive(t *testing.T) {
	svc := servicetest.New(t)
	project := sourceTree(svc)
	head := project.Head("main")
	client, ctx := asRoot(t, svc).Repository, t.Context()
	for _, format := range []serviceapi.ArchiveFormat{serviceapi.ArchiveFormatTarGz, serviceapi.ArchiveFormatTar,
		serviceapi.ArchiveFormatZip} {
		archive, _, err := client.DownloadArchive(ctx, app, format, nil)
		require.NoError(t, err, format)
		data, err := io.ReadAll(archive)
		require.NoError(t, err)
		require.NoError(t, archive.Close())
		folder := "app-main-" + head
		assert.Equal(t, folder+"."+string(format), archive.Name)
		assert.Equal(t, map[string]string{
			folder + "/README.md": "# App\n", folder + "/cmd/app/main.go": "package main\n", folder +
				"/docs/a.md": "a\n",
			folder + "/docs/b.md": "b\n", folder + "/run.sh": "#!/bin/sh\n",
		}, filesInArchive(t, format, data), format)
	}
	project.Commit("next", "Change", servicetest.Write("docs/a.md", "A\n"))
	archive, _, err := client.DownloadArchive(ctx, app, serviceapi.ArchiveFormatTar,
		&serviceapi.DownloadArchiveOptions{SHA: "next", Path: "docs", ExcludePaths: []string{"docs/b.md", "cmd"}})
	require.NoError(t, err)
	data, err := io.ReadAll(archive)
	require.NoError(t, err)
	require.NoError(t, archive.Close())
	assert.Equal(t, map[string]string{"app-next-" + project.Head("next") + "-docs/docs/a.md": "A\n"},
		filesInArchive(t, serviceapi.ArchiveFormatTar, data))
	for _, options := range []*serviceapi.DownloadArchiveOptions{{SHA: "gone"}, {Path: "gone"}} {
		_, _, err = client.DownloadArchive(ctx, app, serviceapi.ArchiveFormatZip, options)
		assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	}
	_, _, err = client.DownloadArchive(ctx, app, serviceapi.ArchiveFormatTarBz2, nil)
	assert.ErrorIs(t, err, serviceapi.ErrNotAcceptable)
}
