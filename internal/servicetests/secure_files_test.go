package servicetests

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func secureUpload(name, content string) serviceapi.CreateSecureFileOptions {
	return serviceapi.CreateSecureFileOptions{
		Name: name,
		File: serviceapi.Upload{Filename: name, Content: strings.NewReader(content)},
	}
}

func TestSecureFilesLive(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	client, ctx, project := asRoot(t, svc), t.Context(), serviceapi.ProjectPath("acme/app")

	file, resp, err := client.SecureFiles.Create(ctx, project, secureUpload("release.jks", "keys"))
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, "release.jks", file.Name)
	assert.Equal(t, serviceapi.ChecksumAlgorithmSHA256, file.ChecksumAlgorithm)
	assert.Equal(t, servicetest.Epoch, file.CreatedAt)
	assert.Equal(t, "keys", app.SecureFiles()[0].Content())

	again, _, err := client.SecureFiles.Get(ctx, project, file.ID)
	require.NoError(t, err)
	assert.Equal(t, file, again)

	download, _, err := client.SecureFiles.Download(ctx, project, file.ID)
	require.NoError(t, err)
	require.NoError(t, file.Verify(download))
	target := filepath.Join(t.TempDir(), download.Name)
	_, err = download.SaveFile(target)
	require.NoError(t, err)
	saved, err := os.ReadFile(target)
	require.NoError(t, err)
	assert.Equal(t, "keys", string(saved))

	_, err = client.SecureFiles.Delete(ctx, project, file.ID)
	require.NoError(t, err)
	assert.Empty(t, app.SecureFiles())
	_, _, err = client.SecureFiles.Get(ctx, project, file.ID)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}

// TestSecureFileVerifyAcrossResumption checks that the checksum includes the
// bytes that came over another connection.
func TestSecureFileVerifyAcrossResumption(t *testing.T) {
	svc := servicetest.New(t)
	content := strings.Repeat("0123456789abcdef", 10_000)
	stored := svc.Project("acme/app").SecureFile("big", content)
	client, project := asRoot(t, svc), serviceapi.ProjectPath("acme/app")
	file, _, err := client.SecureFiles.Get(t.Context(), project, stored.ID())
	require.NoError(t, err)
	read := func() (string, error) {
		download, _, err := client.SecureFiles.Download(t.Context(), project, file.ID)
		require.NoError(t, err)
		defer download.Close()
		require.NoError(t, file.Verify(download))
		data, err := io.ReadAll(download)
		return string(data), err
	}
	svc.Fault("GET /projects/:project_id/secure_files/:id/download", servicetest.CutBody(70_000), servicetest.Times(1))
	got, err := read()
	require.NoError(t, err)
	assert.Equal(t, content, got)
	assert.Len(t, svc.Requests("GET /projects/:project_id/secure_files/:id/download"), 2)

	stored.Corrupt("something else")
	_, err = read()
	var mismatch *serviceapi.ChecksumError
	require.ErrorAs(t, err, &mismatch)
	assert.Equal(t, file.Checksum, mismatch.Expected)
}

func TestSecureFilesLimits(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	client, ctx, project := asRoot(t, svc), t.Context(), serviceapi.ProjectPath("acme/app")
	create := func(name, content string) error {
		_, _, err := client.SecureFiles.Create(ctx, project, secureUpload(name, content))
		return err
	}
	require.NoError(t, create("largest", strings.Repeat("x", 5<<20-1)))
	err := create("too large", strings.Repeat("x", 5<<20))
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
	assert.ErrorContains(t, err, "file must be smaller than 5 MB")
	err = create("largest", "other")
	assert.ErrorContains(t, err, "name has already been taken")

	for i := range 99 {
		app.SecureFile(fmt.Sprintf("file %d", i), "x")
	}
	err = create("one more", "x")
	assert.ErrorContains(t, err, "Maximum number of secure files (100) exceeded")
	files, err := serviceapi.Collect(client.SecureFiles.All(ctx, project, &serviceapi.ListOptions{PerPage: 30}))
	require.NoError(t, err)
	assert.Len(t, files, 100)
	assert.Equal(t, "largest", files[0].Name)

	svc.Project("acme/other").SecureFile("largest", "names are unique in a project alone")
}

func TestSecureFilesRoles(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	app.SecureFile("a", "x")
	ctx, project := t.Context(), serviceapi.ProjectPath("acme/app")
	read := func(c *serviceapi.Client) error {
		_, _, err := c.SecureFiles.Download(ctx, project, 1)
		return err
	}
	create := func(c *serviceapi.Client) error {
		_, _, err := c.SecureFiles.Create(ctx, project, secureUpload("b", "x"))
		return err
	}
	for _, c := range []struct {
		level        servicetest.AccessLevel
		read, create error
	}{
		{servicetest.NoAccess, serviceapi.ErrNotFound, serviceapi.ErrNotFound},
		{servicetest.Reporter, serviceapi.ErrForbidden, serviceapi.ErrForbidden},
		{servicetest.Developer, nil, serviceapi.ErrForbidden},
		{servicetest.Maintainer, nil, nil},
	} {
		user := svc.User(fmt.Sprintf("user%d", c.level))
		app.AddMember(user, c.level)
		client := as(t, svc, user)
		assert.ErrorIs(t, read(client), c.read, c.level)
		assert.ErrorIs(t, create(client), c.create, c.level)
	}
	svc.SetFeature("ci_secure_files", false)
	assert.ErrorIs(t, read(asRoot(t, svc)), serviceapi.ErrNotFound)
}
