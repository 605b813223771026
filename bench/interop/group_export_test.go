package interop

import (
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestGroupExport(t *testing.T) {
	e := start(t)
	e.svc.Group("acme/team")
	g := e.admin.GroupImportExport
	done(g.ScheduleExport("acme")).ok(e, 202)
	e.svc.Advance(time.Minute)
	archive, _, err := g.ExportDownload("acme")
	require.NoError(t, err)
	data, err := io.ReadAll(archive)
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "acme.tar.gz")
	require.NoError(t, os.WriteFile(file, data, 0o600))
	done(g.ImportFile(&clientgo.GroupImportFileOptions{Name: new("Copy"), Path: new("copy"), File: &file})).ok(e, 202)
	e.svc.Advance(time.Minute)
	assert.Equal(t, "copy/team", got(e.admin.Groups.GetGroup("copy/team", nil)).ok(e, 200).FullPath)
}
