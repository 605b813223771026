package interop

import (
	"archive/zip"
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func text(t *testing.T, r io.Reader) string {
	t.Helper()
	data, err := io.ReadAll(r)
	require.NoError(t, err)
	return string(data)
}

func TestArtifacts(t *testing.T) {
	e := start(t)
	project := e.svc.Project(app)
	pipe := project.Pipeline("main")
	files := map[string]string{"report.txt": "all well\n", "out/deep/log.txt": "deep\n"}
	job := pipe.Job("build", servicetest.Archive(files), servicetest.ExpireIn(time.Hour),
		servicetest.JUnit("<testsuite/>"))
	latest := &clientgo.DownloadArtifactsFileOptions{Job: new("build")}

	archive := got(e.admin.Jobs.GetJobArtifacts(app, job.ID())).raw(e)
	content := text(t, archive)
	unpacked, err := zip.NewReader(strings.NewReader(content), int64(len(content)))
	require.NoError(t, err)
	for name, want := range files {
		f, err := unpacked.Open(name)
		require.NoError(t, err, name)
		assert.Equal(t, want, text(t, f))
	}
	same := got(e.admin.Jobs.DownloadArtifactsFile(app, "main", latest)).raw(e)
	assert.Equal(t, content, text(t, same))
	one := got(e.admin.Jobs.DownloadSingleArtifactsFile(app, job.ID(), "out/deep/log.txt")).raw(e)
	assert.Equal(t, "deep\n", text(t, one))
	one = got(e.admin.Jobs.DownloadSingleArtifactsFileByTagOrBranch(app, "main", "report.txt", latest)).raw(e)
	assert.Equal(t, "all well\n", text(t, one))
	got(e.admin.Jobs.DownloadSingleArtifactsFile(app, job.ID(), "none.txt")).refused(e, 404)

	shown := got(e.admin.Jobs.GetJob(app, job.ID())).ok(e, 200)
	assert.Equal(t, servicetest.Epoch.Add(time.Hour), *shown.ArtifactsExpireAt)
	assert.EqualValues(t, len(content), shown.ArtifactsFile.Size)
	kept := got(e.admin.Jobs.KeepArtifacts(app, job.ID())).ok(e, 200)
	assert.Nil(t, kept.ArtifactsExpireAt)
	assert.Zero(t, job.ArtifactsExpireAt())

	done(e.admin.Jobs.DeleteArtifacts(app, job.ID())).ok(e, 204)
	assert.False(t, job.HasArchive())
	done(e.admin.Jobs.DeleteProjectArtifacts(app)).ok(e, 202)
}

func TestSecureFiles(t *testing.T) {
	e := start(t)
	project := e.svc.Project(app)
	var ids []int64
	for _, name := range []string{"a.jks", "b.jks", "c.jks"} {
		ids = append(ids, project.SecureFile(name, "secret of "+name).ID())
	}
	byID := func(f *clientgo.SecureFile) int64 { return f.ID }
	list := walk1(e, e.admin.SecureFiles.ListProjectSecureFiles, app, nil)
	assert.ElementsMatch(t, ids, each(list, byID))

	made := got(e.admin.SecureFiles.CreateSecureFile(app, bytes.NewReader([]byte("key\x00store")),
		&clientgo.CreateSecureFileOptions{Name: new("new.jks")})).ok(e, 201)
	assert.Equal(t, "new.jks", made.Name)
	file := project.SecureFiles()[3]
	assert.Equal(t, "key\x00store", file.Content())
	shown := got(e.admin.SecureFiles.ShowSecureFileDetails(app, made.ID)).ok(e, 200)
	assert.Equal(t, []string{made.Checksum, "sha256"}, []string{shown.Checksum, shown.ChecksumAlgorithm})
	content := got(e.admin.SecureFiles.DownloadSecureFile(app, made.ID)).raw(e)
	defer content.Close()
	assert.Equal(t, "key\x00store", text(t, content))
	done(e.admin.SecureFiles.RemoveSecureFile(app, made.ID)).ok(e, 204)
	assert.Len(t, project.SecureFiles(), 3)
}
