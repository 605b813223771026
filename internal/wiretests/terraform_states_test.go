package wiretests

import (
	"io"
	"strings"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	terraformPath     = "/projects/acme%2Fapp/terraform/state/a%2Fb%20c"
	terraformLockID   = "1b6f9f5c-6b3c-4e5d-8d0a-2f6f1f0c7a11"
	terraformLockMade = "2026-02-22T22:22:22.222222222Z"
	terraformAsked    = `{"ID":"` + terraformLockID + `","Operation":"OperationTypeApply","Info":"","Who":"ada@desk",` +
		`"Version":"1.9.5","Created":"` + terraformLockMade + `","Path":""}`
)

var (
	terraformLock = serviceapi.LockTerraformStateOptions{
		ID: terraformLockID, Operation: "OperationTypeApply", Who: "ada@desk", Version: "1.9.5",
		Created: terraformLockMade,
	}
	terraformLocked = &serviceapi.TerraformLock{
		ID: terraformLockID, Operation: "OperationTypeApply", Info: "nightly", Who: "ada", Version: "1.9.5",
		Created: terraformLockMade, Path: "app.tfstate",
	}
)

func TestTerraformStates(t *testing.T) {
	client := onWire(t,
		exchange{Method: "GET", Path: terraformPath, Body: `{"serial":3}`},
		exchange{Method: "DELETE", Path: terraformPath},
		exchange{Method: "DELETE", Path: terraformPath + "/lock"},
		exchange{Method: "DELETE", Path: terraformPath + "/lock", Query: "ID=" + terraformLockID},
		exchange{Method: "DELETE", Path: terraformPath + "/versions/3", Status: 204})
	s, ctx, app := client.TerraformStates, t.Context(), serviceapi.ProjectPath("acme/app")
	download, _, err := s.Download(ctx, app, "a/b c")
	require.NoError(t, err)
	defer download.Close()
	text, err := io.ReadAll(download)
	require.NoError(t, err)
	assert.Equal(t, `{"serial":3}`, string(text))
	_, err = s.Delete(ctx, app, "a/b c")
	require.NoError(t, err)
	_, err = s.Unlock(ctx, app, "a/b c", nil)
	require.NoError(t, err)
	_, err = s.Unlock(ctx, app, "a/b c", &serviceapi.UnlockTerraformStateOptions{ID: terraformLockID})
	require.NoError(t, err)
	resp, err := s.DeleteVersion(ctx, app, "a/b c", 3)
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)
}

const terraformState = `{"version":4,"terraform_version":"1.9.5","serial":7,"lineage":"5b5f0d9c","outputs":{}}`

func TestTerraformStatesUpload(t *testing.T) {
	sum := map[string]string{"Content-Md5": "/Mxy2hQmyhl2DKsWkln9mA=="}
	client := onWire(t,
		exchange{
			Method: "POST", Path: terraformPath, Query: "ID=" + terraformLockID, JSON: terraformState, Header: sum,
		},
		exchange{Method: "POST", Path: terraformPath, Status: 204, File: terraformState},
		exchange{Method: "POST", Path: terraformPath, Status: 409, JSON: terraformState, Header: sum})
	s, ctx, app := client.TerraformStates, t.Context(), serviceapi.ProjectPath("acme/app")
	content := strings.NewReader("skipped" + terraformState)
	_, err := content.Seek(7, io.SeekStart)
	require.NoError(t, err)
	resp, err := s.Upload(ctx, app, "a/b c", serviceapi.UploadTerraformStateOptions{
		State: serviceapi.Upload{Content: content}, ID: terraformLockID,
	})
	require.NoError(t, err)
	assert.Equal(t, 200, resp.StatusCode)
	resp, err = s.Upload(ctx, app, "a/b c", serviceapi.UploadTerraformStateOptions{State: serviceapi.Upload{
		Content: io.LimitReader(strings.NewReader(terraformState), 1000), ContentType: "application/octet-stream",
	}})
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)
	_, err = s.Upload(ctx, app, "a/b c", serviceapi.UploadTerraformStateOptions{
		State: serviceapi.Upload{Content: strings.NewReader(terraformState)},
	})
	require.ErrorIs(t, err, serviceapi.ErrConflict)
}

// unreadable is content that can seek but not be read.
type unreadable struct{ io.ReadSeeker }

func (unreadable) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func TestTerraformStateThatCannotBeRead(t *testing.T) {
	_, err := onWire(t).TerraformStates.Upload(t.Context(), serviceapi.ProjectPath("acme/app"), "app",
		serviceapi.UploadTerraformStateOptions{
			State: serviceapi.Upload{Content: unreadable{strings.NewReader("x")}},
		})
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
}

func TestTerraformStateVersion(t *testing.T) {
	client := onWire(t,
		exchange{Method: "GET", Path: terraformPath + "/versions/7", Body: terraformState},
		exchange{Method: "GET", Path: terraformPath + "/versions/8", Status: 404, Body: `{"message":"404 Not found"}`})
	s, ctx, app := client.TerraformStates, t.Context(), serviceapi.ProjectPath("acme/app")
	download, _, err := s.DownloadVersion(ctx, app, "a/b c", 7)
	require.NoError(t, err)
	defer download.Close()
	text, err := io.ReadAll(download)
	require.NoError(t, err)
	assert.Equal(t, terraformState, string(text))
	_, _, err = s.DownloadVersion(ctx, app, "a/b c", 8)
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
}

func TestTerraformStateWithoutVersion(t *testing.T) {
	client := onWire(t, exchange{Method: "GET", Path: terraformPath, Status: 204})
	download, resp, err := client.TerraformStates.Download(t.Context(), serviceapi.ProjectPath("acme/app"), "a/b c")
	require.ErrorIs(t, err, serviceapi.ErrNoTerraformState)
	assert.Nil(t, download)
	assert.Equal(t, 204, resp.StatusCode)
}

func TestTerraformStatesLock(t *testing.T) {
	const path = terraformPath + "/lock"
	client := onWire(t,
		exchange{Method: "POST", Path: path, JSON: terraformAsked, Fixture: "terraform_states/lock.json"},
		exchange{Method: "POST", Path: path, JSON: terraformAsked},
		exchange{Method: "POST", Path: path, JSON: terraformAsked, Status: 409, Fixture: "terraform_states/lock.json"},
		exchange{Method: "POST", Path: path, JSON: terraformAsked, Status: 409, Body: `{"message":"409 Conflict"}`},
		exchange{Method: "POST", Path: path, JSON: terraformAsked, Status: 409, Body: `{"ID":"a","Created":5}`},
		exchange{Method: "POST", Path: path, JSON: terraformAsked, Status: 400, Fixture: "terraform_states/lock.json"})
	s, ctx, app := client.TerraformStates, t.Context(), serviceapi.ProjectPath("acme/app")
	lock, _, err := s.Lock(ctx, app, "a/b c", terraformLock)
	require.NoError(t, err)
	assert.Equal(t, terraformLocked, lock)

	lock, resp, err := s.Lock(ctx, app, "a/b c", terraformLock)
	require.NoError(t, err)
	assert.Nil(t, lock, "services of 15.2 send none")
	assert.Equal(t, 200, resp.StatusCode)

	lock, _, err = s.Lock(ctx, app, "a/b c", terraformLock)
	assert.Nil(t, lock)
	var locked *serviceapi.TerraformLockError
	require.ErrorAs(t, err, &locked)
	assert.Equal(t, terraformLocked, locked.Lock)
	assert.ErrorIs(t, err, serviceapi.ErrConflict)
	assert.ErrorContains(t, err, "(locked by ada)")

	_, _, err = s.Lock(ctx, app, "a/b c", terraformLock)
	assert.ErrorIs(t, err, serviceapi.ErrConflict)
	assert.NotErrorAs(t, err, &locked, "no lock was sent")

	_, _, err = s.Lock(ctx, app, "a/b c", terraformLock)
	assert.ErrorIs(t, err, serviceapi.ErrConflict)
	assert.NotErrorAs(t, err, &locked, "what was sent is no lock")

	_, _, err = s.Lock(ctx, app, "a/b c", terraformLock)
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
	assert.NotErrorAs(t, err, &locked, "a lock that was refused is none")
}

func TestTerraformStatesRefuseBeforeSending(t *testing.T) {
	s, ctx, app := onWire(t).TerraformStates, t.Context(), serviceapi.ProjectPath("acme/app")
	assertRefused(t, "ID", errorOf(s.Lock(ctx, app, "app", serviceapi.LockTerraformStateOptions{Who: "ada"})))
	assertRefused(t, "name", errorOf(s.Download(ctx, app, "")))
	_, err := s.Unlock(ctx, serviceapi.ProjectRef{}, "app", nil)
	assertRefused(t, "id", err)
	_, err = s.DeleteVersion(ctx, app, "app", 0)
	assertRefused(t, "serial", err)
	_, err = s.Delete(ctx, app, "")
	assertRefused(t, "name", err)
	_, err = s.Upload(ctx, app, "app", serviceapi.UploadTerraformStateOptions{ID: "1"})
	assertRefused(t, "State", err)
	assertRefused(t, "serial", errorOf(s.DownloadVersion(ctx, app, "app", 0)))
}
