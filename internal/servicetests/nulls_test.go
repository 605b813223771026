package servicetests

import (
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestServiceTakesAwayByNull sets what a project, a group and what is in them may lack, and
// takes it away with null.
func TestServiceTakesAwayByNull(t *testing.T) {
	c, ctx := newCompany(t), t.Context()
	s := asRoot(t, c.svc)
	later := servicetest.Epoch.Add(time.Hour).UTC()
	day := serviceapi.NewDate(2026, time.March, 1)
	issue := c.app.Issue("Slow", servicetest.Weight(5))
	request := c.app.MergeRequest("feature", servicetest.MergeAfter(later))
	goal := c.acme.Epic("Goal")
	part, _, err := s.Epics.Create(ctx, acme, serviceapi.CreateEpicOptions{Title: "Part", ParentID: new(goal.ID()),
		StartDateIsFixed: new(true), StartDateFixed: &day, DueDateIsFixed: new(true), DueDateFixed: &day})
	require.NoError(t, err)
	assert.Equal(t, []any{&day, &day}, []any{part.StartDateFixed, part.DueDateFixed})

	slow, _, err := s.Issues.Update(ctx, teamApp.Issue(issue.IID()),
		serviceapi.UpdateIssueOptions{Weight: serviceapi.Null[int]()})
	require.NoError(t, err)
	assert.Nil(t, slow.Weight)
	feature, _, err := s.MergeRequests.Update(ctx, teamApp.MergeRequest(request.IID()),
		serviceapi.UpdateMergeRequestOptions{MergeAfter: serviceapi.Null[time.Time]()})
	require.NoError(t, err)
	assert.Nil(t, feature.MergeAfter)
	part, _, err = s.Epics.Update(ctx, acme.Epic(part.IID), serviceapi.UpdateEpicOptions{
		StartDateFixed: serviceapi.Null[serviceapi.Date](), DueDateFixed: serviceapi.Null[serviceapi.Date](),
		ParentID: serviceapi.Null[int64]()})
	require.NoError(t, err)
	assert.Equal(t, []any{(*serviceapi.Date)(nil), (*serviceapi.Date)(nil), (*int64)(nil)},
		[]any{part.StartDateFixed, part.DueDateFixed, part.ParentID})

	_, _, err = s.Invitations.Create(ctx, acme, serviceapi.CreateInvitationOptions{Emails: []string{"a@example.org"},
		AccessLevel: serviceapi.AccessLevelGuest, ExpiresAt: &day})
	require.NoError(t, err)
	invitation, _, err := s.Invitations.Update(ctx, acme, "a@example.org",
		serviceapi.UpdateInvitationOptions{ExpiresAt: serviceapi.Null[time.Time]()})
	require.NoError(t, err)
	assert.Nil(t, invitation.ExpiresAt)
}

// TestServiceResetsByNull sets settings of a project, a group, a user and a runner, and
// returns to what there is without them with null.
func TestServiceResetsByNull(t *testing.T) {
	c, ctx := newCompany(t), t.Context()
	s := asRoot(t, c.svc)
	number, none := serviceapi.Value(int64(700)), serviceapi.Null[int64]()
	for _, value := range []serviceapi.Nullable[int64]{number, none} {
		var want *int64
		depth, devOps := serviceapi.Null[int](), serviceapi.Null[bool]()
		var wantDepth *int
		var wantDevOps *bool
		if content, ok := value.Get(); ok {
			want, wantDepth, wantDevOps = &content, new(7), new(true)
			depth, devOps = serviceapi.Value(7), serviceapi.Value(true)
		}
		group, _, err := s.Groups.Update(ctx, acme, serviceapi.UpdateGroupOptions{AutoDevOpsEnabled: devOps,
			MaxArtifactsSize: value, ExtraSharedRunnersMinutesLimit: value, FileTemplateProjectID: value})
		require.NoError(t, err)
		assert.Equal(t, []*int64{want, want, want},
			[]*int64{group.MaxArtifactsSize, group.ExtraSharedRunnersMinutesLimit, group.FileTemplateProjectID})
		assert.Equal(t, wantDevOps, group.AutoDevOpsEnabled)
		project, _, err := s.Projects.Update(ctx, teamApp, serviceapi.UpdateProjectOptions{CIDefaultGitDepth: depth,
			CIDeletePipelinesInSeconds: value, MaxArtifactsSize: value})
		require.NoError(t, err)
		assert.Equal(t, []*int64{want, want}, []*int64{project.CIDeletePipelinesInSeconds, project.MaxArtifactsSize})
		assert.Equal(t, wantDepth, project.CIDefaultGitDepth)
		user, _, err := s.Users.Update(ctx, serviceapi.UserID(c.eve.ID()),
			serviceapi.UpdateUserOptions{ExtraSharedRunnersMinutesLimit: value})
		require.NoError(t, err)
		assert.Equal(t, want, user.ExtraSharedRunnersMinutesLimit)
		runner, _, err := s.Runners.Update(ctx, c.svc.Runner("shared").ID(),
			serviceapi.UpdateRunnerOptions{MaximumTimeout: value})
		require.NoError(t, err)
		assert.Equal(t, want, runner.MaximumTimeout)
	}
}

// TestServiceForgetsForks deletes a fork: its merge request no longer says where it is from.
func TestServiceForgetsForks(t *testing.T) {
	c, ctx := newCompany(t), t.Context()
	fork := c.svc.Project("eve/app")
	request := c.app.MergeRequest("patch", servicetest.FromFork(fork))
	s := asRoot(t, c.svc)
	_, err := s.Projects.Delete(ctx, serviceapi.ProjectID(fork.ID()), nil)
	require.NoError(t, err)
	mr, _, err := s.MergeRequests.Get(ctx, teamApp.MergeRequest(request.IID()), nil)
	require.NoError(t, err)
	assert.Nil(t, mr.SourceProjectID)
	assert.Equal(t, c.app.ID(), mr.TargetProjectID)
}
