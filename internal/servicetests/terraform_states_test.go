package servicetests

import (
	"crypto/md5"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestServiceTerraformStates(t *testing.T) {
	r := newReviewTeam(t)
	stored := r.app.TerraformState("production", `{"serial":3,"lineage":"a"}`, `{"serial":5,"lineage":"a"}`)
	ada, bob, ctx := as(t, r.svc, r.ada).TerraformStates, as(t, r.svc, r.bob).TerraformStates, t.Context()
	read := func() string {
		download, _, err := bob.Download(ctx, mergeApp, "production")
		require.NoError(t, err)
		defer download.Close()
		text, err := io.ReadAll(download)
		require.NoError(t, err)
		return string(text)
	}
	assert.Equal(t, `{"serial":5,"lineage":"a"}`, read())
	_, err := bob.DeleteVersion(ctx, mergeApp, "production", 5)
	require.ErrorIs(t, err, serviceapi.ErrForbidden, "a developer only reads")
	_, err = ada.DeleteVersion(ctx, mergeApp, "production", 5)
	require.NoError(t, err)
	assert.Equal(t, `{"serial":3,"lineage":"a"}`, read())
	assert.Equal(t, []int64{3}, stored.Serials())
	_, err = ada.DeleteVersion(ctx, mergeApp, "production", 5)
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	_, err = ada.Delete(ctx, mergeApp, "production")
	require.NoError(t, err)
	_, _, err = bob.Download(ctx, mergeApp, "production")
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
}

func TestServiceTerraformLocks(t *testing.T) {
	r := newReviewTeam(t)
	ada, ctx := as(t, r.svc, r.ada).TerraformStates, t.Context()
	asked := serviceapi.LockTerraformStateOptions{ID: "1", Operation: "OperationTypePlan", Who: "x@y",
		Created: "2026-01-01T00:00:00Z"}
	lock, _, err := ada.Lock(ctx, mergeApp, "eu/production", asked)
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.TerraformLock{
		ID: "1", Operation: "OperationTypePlan", Who: "ada", Created: "2026-01-01T00:00:00Z",
	}, lock)
	_, _, err = ada.Download(ctx, mergeApp, "eu/production")
	require.ErrorIs(t, err, serviceapi.ErrNoTerraformState, "the lock made the state")

	second := asked
	second.ID, second.Operation, second.Created = "2", "OperationTypeApply", "2026-01-02T00:00:00Z"
	_, _, err = asRoot(t, r.svc).TerraformStates.Lock(ctx, mergeApp, "eu/production", second)
	var locked *serviceapi.TerraformLockError
	require.ErrorAs(t, err, &locked)
	assert.Equal(t, &serviceapi.TerraformLock{
		ID: "1", Operation: "OperationTypeApply", Who: "ada", Created: "2026-01-01T00:00:00Z",
	}, locked.Lock)
	assert.Len(t, r.svc.Requests("POST /projects/:id/terraform/state/:name/lock"), 2, "a lock is not repeated")

	_, err = ada.Delete(ctx, mergeApp, "eu/production")
	require.NoError(t, err)
	_, err = ada.Unlock(ctx, mergeApp, "eu/production", &serviceapi.UnlockTerraformStateOptions{ID: "2"})
	require.ErrorIs(t, err, serviceapi.ErrConflict, "a locked state is not deleted")
	_, err = ada.Unlock(ctx, mergeApp, "eu/production", &serviceapi.UnlockTerraformStateOptions{ID: "1"})
	require.NoError(t, err)
	_, _, err = ada.Lock(ctx, mergeApp, "eu/production", second)
	require.NoError(t, err)
	_, err = ada.Unlock(ctx, mergeApp, "eu/production", nil)
	require.NoError(t, err)
}

func TestServiceTerraformLockID(t *testing.T) {
	svc := servicetest.New(t)
	stored := svc.Project("acme/app").TerraformState("app")
	assert.Empty(t, stored.LockID())
	_, _, err := asRoot(t, svc).TerraformStates.Lock(t.Context(), serviceapi.ProjectPath("acme/app"), "app",
		serviceapi.LockTerraformStateOptions{ID: "7"})
	require.NoError(t, err)
	assert.Equal(t, "7", stored.LockID())
}

// TestServiceTerraformVersions writes and reads versions as Terraform does.
func TestServiceTerraformVersions(t *testing.T) {
	r := newReviewTeam(t)
	ada, ctx := as(t, r.svc, r.ada).TerraformStates, t.Context()
	state := func(serial int) serviceapi.UploadTerraformStateOptions {
		return serviceapi.UploadTerraformStateOptions{State: serviceapi.Upload{Content: strings.NewReader(
			fmt.Sprintf(`{"version":4,  "serial":%d, "lineage":"5b5f"}`, serial))}}
	}
	read := func(download *serviceapi.Download, _ *serviceapi.Response, err error) string {
		require.NoError(t, err)
		defer download.Close()
		text, err := io.ReadAll(download)
		require.NoError(t, err)
		return string(text)
	}
	_, err := ada.Upload(ctx, mergeApp, "production", state(7))
	require.NoError(t, err)
	_, err = ada.Upload(ctx, mergeApp, "production", state(3))
	require.NoError(t, err)
	assert.Equal(t, `{"version":4,  "serial":7, "lineage":"5b5f"}`, read(ada.Download(ctx, mergeApp, "production")))
	assert.Equal(t, `{"version":4,  "serial":3, "lineage":"5b5f"}`,
		read(as(t, r.svc, r.bob).TerraformStates.DownloadVersion(ctx, mergeApp, "production", 3)))
	_, _, err = ada.DownloadVersion(ctx, mergeApp, "production", 4)
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	_, err = ada.Upload(ctx, mergeApp, "production", state(7))
	require.ErrorIs(t, err, serviceapi.ErrUnprocessable, "the serial exists")
	_, err = as(t, r.svc, r.bob).TerraformStates.Upload(ctx, mergeApp, "production", state(8))
	require.ErrorIs(t, err, serviceapi.ErrForbidden, "a developer only reads")

	_, _, err = ada.Lock(ctx, mergeApp, "production", serviceapi.LockTerraformStateOptions{ID: "1"})
	require.NoError(t, err)
	_, err = ada.Upload(ctx, mergeApp, "production", state(8))
	require.ErrorIs(t, err, serviceapi.ErrConflict, "the lock wins")
	locked := state(8)
	locked.ID = "1"
	_, err = ada.Upload(ctx, mergeApp, "production", locked)
	require.NoError(t, err, "content that was refused is sent from its beginning")
	_, err = ada.Unlock(ctx, mergeApp, "production", &serviceapi.UnlockTerraformStateOptions{ID: "1"})
	require.NoError(t, err)
	resp, err := ada.Upload(ctx, mergeApp, "empty",
		serviceapi.UploadTerraformStateOptions{State: serviceapi.Upload{Content: strings.NewReader("")}})
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)
	_, _, err = ada.Download(ctx, mergeApp, "empty")
	require.ErrorIs(t, err, serviceapi.ErrNotFound, "nothing was stored")
}

// TestTerraformBackend replays the requests of Terraform's backend "http" in an apply, and
// checks that Upload sends the same request as the backend does.
func TestTerraformBackend(t *testing.T) {
	r := newReviewTeam(t)
	token, ctx := r.svc.Token(r.ada), t.Context()
	const lock = `{"ID":"e1a7","Operation":"OperationTypeApply","Info":"","Who":"ada@desk","Version":"1.9.8",` +
		`"Created":"2026-01-15T09:00:00.123456789Z","Path":""}`
	const state = `{"version":4,"terraform_version":"1.9.8","serial":1,` +
		`"lineage":"5b5f0d9c-5b0b-0e6c-8f6e-3d4d6a3a9c11","outputs":{},"resources":[],"check_results":null}`
	address := r.svc.URL() + "/api/v4/projects/acme%2Fapp/terraform/state/production"
	send := func(method, address, body string) (int, string) {
		req, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(body))
		require.NoError(t, err)
		req.SetBasicAuth("ada", token)
		if body != "" {
			sum := md5.Sum([]byte(body))
			req.Header.Set("Content-Type", "application/json")
			req.Header.Set("Content-MD5", base64.StdEncoding.EncodeToString(sum[:]))
		}
		client := http.Client{Transport: serviceapi.DefaultTransport()}
		defer client.CloseIdleConnections()
		resp, err := client.Do(req)
		require.NoError(t, err)
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		return resp.StatusCode, string(text)
	}
	for _, step := range []struct {
		method, address, body string
		status                int
		want                  string
	}{
		{"POST", address + "/lock", lock, 200, strings.Replace(lock, "ada@desk", "ada", 1)},
		{"GET", address, "", 204, ""},
		{"POST", address + "/lock", lock, 409, strings.Replace(lock, "ada@desk", "ada", 1)},
		{"POST", address, state, 409, ""},
		{"POST", address + "?ID=e1a7", state, 200, ""},
		{"DELETE", address + "/lock", lock, 200, ""},
		{"GET", address, "", 200, state},
	} {
		status, text := send(step.method, step.address, step.body)
		assert.Equal(t, step.status, status, "%s %s", step.method, step.address)
		assert.Equal(t, step.want, text, "%s %s", step.method, step.address)
	}

	_, _, err := as(t, r.svc, r.ada).TerraformStates.Lock(ctx, mergeApp, "copy",
		serviceapi.LockTerraformStateOptions{ID: "e1a7"})
	require.NoError(t, err)
	_, err = as(t, r.svc, r.ada).TerraformStates.Upload(ctx, mergeApp, "copy", serviceapi.UploadTerraformStateOptions{
		State: serviceapi.Upload{Content: strings.NewReader(state)}, ID: "e1a7",
	})
	require.NoError(t, err)
	sent := r.svc.Requests("POST /projects/:id/terraform/state/:name")
	require.Len(t, sent, 3)
	backend, library := sent[1], sent[2]
	assert.Equal(t, backend.Query, library.Query)
	assert.Equal(t, string(backend.Body), string(library.Body))
	for _, name := range []string{"Content-Type", "Content-Md5", "Content-Length"} {
		assert.Equal(t, backend.Header.Values(name), library.Header.Values(name), name)
	}
}
