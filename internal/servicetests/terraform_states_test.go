package servicetests

import (
	"io"
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
