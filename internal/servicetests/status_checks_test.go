package servicetests

import (
	"testing"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestServiceListsStatusChecks(t *testing.T) {
	for _, tier := range []servicetest.Tier{servicetest.Premium, servicetest.Ultimate} {
		svc := servicetest.New(t, servicetest.WithTier(tier))
		dev := svc.User("dev")
		app := svc.Project("acme/app", servicetest.Member(dev, servicetest.Developer))
		app.ProtectBranch("main")
		app.ProtectBranch("release/*")
		app.StatusCheck("Compliance", "https://check.example/asked", "release/*")
		app.StatusCheck("License", "https://check.example/license")
		checks, err := serviceapi.Collect(asRoot(t, svc).StatusChecks.All(t.Context(), acmeApp, nil))
		if tier < servicetest.Ultimate {
			assert.ErrorIs(t, err, serviceapi.ErrUnauthorized)
			continue
		}
		require.NoError(t, err)
		require.Len(t, checks, 2)
		assert.Equal(t, []any{"Compliance", "https://check.example/asked", app.ID(), 1}, []any{
			checks[0].Name, checks[0].ExternalURL, checks[0].ProjectID, len(checks[0].ProtectedBranches),
		})
		branch := checks[0].ProtectedBranches[0]
		assert.Equal(t, []any{"release/*", app.ID()}, []any{branch.Name, *branch.ProjectID})
		assert.Empty(t, checks[1].ProtectedBranches)
		_, _, err = as(t, svc, dev).StatusChecks.List(t.Context(), acmeApp, nil)
		assert.ErrorIs(t, err, serviceapi.ErrUnauthorized, "not 403")
	}
}

// TestServiceStatusChecks follows a check from its setting to what it says of a merge request.
func TestServiceStatusChecks(t *testing.T) {
	r := newReviewTeam(t)
	r.app.ProtectBranch("main")
	seeded := r.app.MergeRequest("greeting", servicetest.By(r.eve))
	ada, bob, ctx := as(t, r.svc, r.ada).StatusChecks, as(t, r.svc, r.bob).StatusChecks, t.Context()
	branches, err := serviceapi.Collect(as(t, r.svc, r.ada).ProtectedBranches.All(ctx, mergeApp, nil))
	require.NoError(t, err)
	check, _, err := ada.Create(ctx, mergeApp, serviceapi.CreateStatusCheckOptions{
		Name: "Licenses", ExternalURL: "https://check.example/x?key=1",
		SharedSecret: serviceapi.NewSecret("s3cr3t-s3cr3t"), ProtectedBranchIDs: []int64{branches[0].ID},
	})
	require.NoError(t, err)
	assert.True(t, check.HMAC)
	require.Len(t, check.ProtectedBranches, 1)
	assert.Equal(t, "main", check.ProtectedBranches[0].Name)
	other, _, err := ada.Create(ctx, mergeApp, serviceapi.CreateStatusCheckOptions{
		Name: "Other", ExternalURL: "https://check.example/y",
	})
	require.NoError(t, err)
	_, _, err = ada.Update(ctx, mergeApp, other.ID, serviceapi.UpdateStatusCheckOptions{Name: new("Licenses")})
	assert.ErrorContains(t, err, "Name has already been taken")
	check, _, err = ada.Update(ctx, mergeApp, check.ID, serviceapi.UpdateStatusCheckOptions{
		Name: new("Terms"), SharedSecret: new(serviceapi.NewSecret("")), ProtectedBranchIDs: []int64{},
	})
	require.NoError(t, err)
	assert.Equal(t, []any{"Terms", "https://check.example/x?key=1", false, 0},
		[]any{check.Name, check.ExternalURL, check.HMAC, len(check.ProtectedBranches)})
	_, err = ada.Delete(ctx, mergeApp, other.ID)
	require.NoError(t, err)

	request := mergeApp.MergeRequest(seeded.IID())
	said := func() []*serviceapi.MergeRequestStatusCheck {
		found, err := serviceapi.Collect(bob.AllForMergeRequest(ctx, request, nil))
		require.NoError(t, err)
		return found
	}
	assert.Equal(t, []*serviceapi.MergeRequestStatusCheck{{
		ID: check.ID, Name: "Terms", ExternalURL: "https://check.example/x",
		Status: serviceapi.StatusCheckStatusPending,
	}}, said())
	failed := serviceapi.SetStatusCheckStatusOptions{
		SHA: seeded.SHA(), ExternalStatusCheckID: check.ID, Status: serviceapi.StatusCheckStatusFailed,
	}
	response, _, err := bob.SetStatus(ctx, request, failed)
	require.NoError(t, err)
	assert.Equal(t, []any{int64(1), seeded.IID(), "Terms"},
		[]any{response.ID, response.MergeRequest.IID, response.ExternalStatusCheck.Name})
	assert.Equal(t, serviceapi.StatusCheckStatusFailed, said()[0].Status)
	_, err = bob.Retry(ctx, request, check.ID)
	require.NoError(t, err)
	assert.Equal(t, serviceapi.StatusCheckStatusPending, said()[0].Status)
	_, err = bob.Retry(ctx, request, check.ID)
	assert.ErrorIs(t, err, serviceapi.ErrUnprocessable)

	passed := failed
	passed.Status = serviceapi.StatusCheckStatusPassed
	_, _, err = bob.SetStatus(ctx, request, passed)
	require.NoError(t, err)
	assert.Equal(t, serviceapi.StatusCheckStatusPassed, said()[0].Status)
	r.app.Commit("greeting", "More", servicetest.Write("more.txt", "x"))
	assert.Equal(t, serviceapi.StatusCheckStatusPending, said()[0].Status, "a push begins anew")
	_, _, err = bob.SetStatus(ctx, request, passed)
	assert.ErrorIs(t, err, serviceapi.ErrConflict, "an older commit")
	_, _, err = as(t, r.svc, r.eve).StatusChecks.SetStatus(ctx, request, passed)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	of, _, err := as(t, r.svc, r.eve).StatusChecks.ListForMergeRequest(ctx, request, nil)
	require.NoError(t, err)
	assert.Empty(t, of[0].ExternalURL, "a reporter does not see it")
}
