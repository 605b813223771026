package servicetests

import (
	"testing"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestServiceApprovals(t *testing.T) {
	r := newReviewTeam(t)
	seeded := r.app.MergeRequest("feature", servicetest.By(r.bob), servicetest.ApprovableBy(2, r.eve, r.ada))
	ada, bob, eve := as(t, r.svc, r.ada).Approvals, as(t, r.svc, r.bob).Approvals, as(t, r.svc, r.eve).Approvals
	ctx := t.Context()

	before, _, err := ada.Get(ctx, mergeApp.MergeRequest(seeded.IID()))
	require.NoError(t, err)
	assert.Equal(t, []any{false, false, true, 2, 2}, []any{
		before.Approved, before.UserHasApproved, before.UserCanApprove, *before.ApprovalsRequired,
		*before.ApprovalsLeft,
	})
	assert.Equal(t, "eve", before.SuggestedApprovers[0].Username)
	assert.Equal(t, serviceapi.ApprovalRuleTypeRegular, before.ApprovalRulesLeft[0].RuleType)

	after, resp, err := ada.Approve(ctx, mergeApp.MergeRequest(seeded.IID()),
		serviceapi.ApproveOptions{SHA: new(seeded.SHA())})
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, []any{false, true, false, 1}, []any{after.Approved, after.UserHasApproved, after.UserCanApprove,
		*after.ApprovalsLeft})
	assert.Equal(t, "ada", after.ApprovedBy[0].User.Username)
	assert.Equal(t, servicetest.Epoch, *after.ApprovedBy[0].ApprovedAt)
	_, _, err = ada.Approve(ctx, mergeApp.MergeRequest(seeded.IID()), serviceapi.ApproveOptions{})
	var refused *serviceapi.ApprovalError
	require.ErrorAs(t, err, &refused, "twice")
	require.ErrorIs(t, err, serviceapi.ErrUnauthorized)

	_, _, err = eve.Approve(ctx, mergeApp.MergeRequest(seeded.IID()),
		serviceapi.ApproveOptions{SHA: new(r.app.Head("main"))})
	require.ErrorIs(t, err, serviceapi.ErrConflict)
	after, _, err = eve.Approve(ctx, mergeApp.MergeRequest(seeded.IID()), serviceapi.ApproveOptions{})
	require.NoError(t, err, "a reporter who is an approver")
	assert.True(t, after.Approved)
	assert.Equal(t, []*servicetest.User{r.ada, r.eve}, seeded.Approvers())
	state, _, err := ada.State(ctx, mergeApp.MergeRequest(seeded.IID()))
	require.NoError(t, err)
	require.Len(t, state.Rules, 1)
	assert.True(t, state.Rules[0].Approved)
	assert.Len(t, state.Rules[0].ApprovedBy, 2)

	after, _, err = eve.Unapprove(ctx, mergeApp.MergeRequest(seeded.IID()))
	require.NoError(t, err)
	assert.False(t, after.Approved)
	_, _, err = eve.Unapprove(ctx, mergeApp.MergeRequest(seeded.IID()))
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	_, _, err = bob.Unapprove(ctx, mergeApp.MergeRequest(seeded.IID()))
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
}

func TestServiceApprovalsRefused(t *testing.T) {
	r := newReviewTeam(t)
	seeded := r.app.MergeRequest("feature", servicetest.ApprovalPassword())
	closed := r.app.MergeRequest("closed")
	closed.Close()
	ctx := t.Context()
	careful := r.svc.User("careful", servicetest.Password("correct horse"))
	r.app.AddMember(careful, servicetest.Developer)
	s := as(t, r.svc, careful).Approvals
	var refused *serviceapi.ApprovalError
	for name, err := range map[string]error{
		"no password": second(s.Approve(ctx, mergeApp.MergeRequest(seeded.IID()), serviceapi.ApproveOptions{})),
		"a wrong one": second(s.Approve(ctx, mergeApp.MergeRequest(seeded.IID()),
			serviceapi.ApproveOptions{ApprovalPassword: serviceapi.NewSecret("no")})),
		"a reporter": second(as(t, r.svc, r.eve).Approvals.Approve(ctx, mergeApp.MergeRequest(seeded.IID()),
			serviceapi.ApproveOptions{})),
		"closed": second(s.Approve(ctx, mergeApp.MergeRequest(closed.IID()), serviceapi.ApproveOptions{})),
	} {
		assert.ErrorAs(t, err, &refused, name)
	}
	approvals, _, err := s.Approve(ctx, mergeApp.MergeRequest(seeded.IID()),
		serviceapi.ApproveOptions{ApprovalPassword: serviceapi.NewSecret("correct horse")})
	require.NoError(t, err)
	assert.True(t, *approvals.RequirePasswordToApprove)
	_, _, err = withToken(t, r.svc, "nobody").Approvals.Approve(ctx, mergeApp.MergeRequest(seeded.IID()),
		serviceapi.ApproveOptions{})
	require.ErrorIs(t, err, serviceapi.ErrUnauthorized)
}

func TestServiceApprovalsOfTheFreeTier(t *testing.T) {
	r := newReviewTeam(t, servicetest.WithTier(servicetest.Free))
	seeded := r.app.MergeRequest("feature", servicetest.ApprovableBy(2))
	s := as(t, r.svc, r.ada).Approvals
	approvals, _, err := s.Get(t.Context(), mergeApp.MergeRequest(seeded.IID()))
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.Approvals{UserCanApprove: true, ApprovedBy: []*serviceapi.Approval{}}, approvals)
	approvals, _, err = s.Approve(t.Context(), mergeApp.MergeRequest(seeded.IID()), serviceapi.ApproveOptions{})
	require.NoError(t, err)
	assert.True(t, approvals.Approved)
	assert.Zero(t, approvals.ApprovalsRequired)
	_, _, err = s.State(t.Context(), mergeApp.MergeRequest(seeded.IID()))
	require.ErrorIs(t, err, serviceapi.ErrForbidden)
}
