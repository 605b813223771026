package servicetests

import (
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestServiceKeepsSettingsOfLaterReleases checks that what a call sets comes back,
// for settings that are shown only once they were set.
func TestServiceKeepsSettingsOfLaterReleases(t *testing.T) {
	svc := servicetest.New(t)
	root, ctx := asRoot(t, svc), t.Context()
	made, _, err := root.Projects.Create(ctx, serviceapi.CreateProjectOptions{
		Name: "Engine", EnforceAuthChecksOnUploads: new(false), CICDCatalogEnabled: new(true),
		ProtectMergeRequestPipelines: new(false), MergeTrainsSkipTrainAllowed: new(true),
		MRDefaultTitleTemplate: new("%{title}"), MergeRequestTitleRegex: new("^[A-Z]"),
		MergeRequestTitleRegexDescription: new("Big"),
		ReviewerAssignmentStrategy:        new("random"), BuildCoverageRegex: new(`\d+%`),
		ResourceGroupDefaultProcessMode:          new(serviceapi.ResourceGroupProcessModeNewestFirst),
		CIForwardDeploymentRollbackAllowed:       new(false),
		CIAllowForkPipelinesToRunInParentProject: new(false),
		CIPipelineVariablesMinimumOverrideRole:   new(serviceapi.PipelineVariablesRoleOwner),
		CIPushRepositoryForJobTokenAllowed:       new(true),
		CIDeletePipelinesInSeconds:               new(int64(86400)),
		MaxArtifactsSize:                         new(int64(50)),
		CIRestrictPipelineCancellationRole:       new("maintainer"),
	})
	require.NoError(t, err)
	project := serviceapi.ProjectID(made.ID)
	read, _, err := root.Projects.Get(ctx, project, nil)
	require.NoError(t, err)
	for _, p := range []*serviceapi.Project{made, read} {
		assert.Equal(t, []any{new(false), new(true), new(false), new(true)},
			[]any{p.EnforceAuthChecksOnUploads, p.CICDCatalogEnabled, p.ProtectMergeRequestPipelines,
				p.MergeTrainsSkipTrainAllowed})
		assert.Equal(t, []string{"%{title}", "^[A-Z]", "Big", "random", `\d+%`}, []string{
			p.MRDefaultTitleTemplate, p.MergeRequestTitleRegex, p.MergeRequestTitleRegexDescription,
			p.ReviewerAssignmentStrategy, p.BuildCoverageRegex,
		})
		assert.Equal(t, serviceapi.ResourceGroupProcessModeNewestFirst, p.ResourceGroupDefaultProcessMode)
		assert.Equal(t, []any{new(false), new(false), new(true), new(int64(86400)), new(int64(50)), "maintainer"},
			[]any{
				p.CIForwardDeploymentRollbackAllowed, p.CIAllowForkPipelinesToRunInParentProject,
				p.CIPushRepositoryForJobTokenAllowed,
				p.CIDeletePipelinesInSeconds, p.MaxArtifactsSize, p.CIRestrictPipelineCancellationRole,
			})
		assert.Equal(t, serviceapi.PipelineVariablesRoleOwner, p.CIPipelineVariablesMinimumOverrideRole)
		assert.Equal(t, []any{new(false), new(true)},
			[]any{p.SecretPushProtectionEnabled, p.WarnAboutPotentiallyUnwantedCharacters})
	}
	changed, _, err := root.Projects.Update(ctx, project, serviceapi.UpdateProjectOptions{
		EnforceAuthChecksOnUploads: new(true), AllowPipelineTriggerApproveDeployment: new(true),
		AutoDuoCodeReviewEnabled:   new(true),
		CIDisplayPipelineVariables: new(true), PreventMergeWithoutJiraIssue: new(true),
		CIIDTokenSubClaimComponents: []string{"project_path"}, MirrorBranchRegex: new("^v"),
	})
	require.NoError(t, err)
	assert.Equal(t, []any{new(true), new(true), new(true), new(true), new(true)}, []any{
		changed.EnforceAuthChecksOnUploads, changed.AllowPipelineTriggerApproveDeployment,
		changed.AutoDuoCodeReviewEnabled,
		changed.CIDisplayPipelineVariables, changed.PreventMergeWithoutJiraIssue,
	})
	assert.Equal(t, []any{[]string{"project_path"}, "^v"}, []any{changed.CIIDTokenSubClaimComponents,
		changed.MirrorBranchRegex})

	group, _, err := root.Groups.Create(ctx, serviceapi.CreateGroupOptions{
		Name: "Acme", Path: "acme", CRMEnabled: new(true), ExperimentFeaturesEnabled: new(true),
		MathRenderingLimitsEnabled:     new(false),
		LockMathRenderingLimitsEnabled: new(true), DuoFeaturesEnabled: new(false), LockDuoFeaturesEnabled: new(true),
		DuoAvailability: new(serviceapi.DuoAvailabilityNeverOn),
	})
	require.NoError(t, err)
	group, _, err = root.Groups.Update(ctx, serviceapi.GroupID(group.ID), serviceapi.UpdateGroupOptions{
		OnlyAllowMergeIfPipelineSucceeds: new(true), AllowMergeOnSkippedPipeline: new(true),
		OnlyAllowMergeIfAllDiscussionsAreResolved: new(true),
	})
	require.NoError(t, err)
	assert.Equal(t, []any{new(true), new(true), new(false), new(true), new(false), new(true)}, []any{
		group.CRMEnabled, group.ExperimentFeaturesEnabled, group.MathRenderingLimitsEnabled,
		group.LockMathRenderingLimitsEnabled, group.DuoFeaturesEnabled, group.LockDuoFeaturesEnabled,
	})
	assert.Equal(t, serviceapi.DuoAvailabilityNeverOn, group.DuoAvailability)
	assert.Equal(t, []*bool{new(true), new(true), new(true)}, []*bool{
		group.OnlyAllowMergeIfPipelineSucceeds, group.AllowMergeOnSkippedPipeline,
		group.OnlyAllowMergeIfAllDiscussionsAreResolved,
	})
}

// TestServiceFiltersBelowGroupsAndUsers checks filters that all lists of groups
// and projects have, not only those of the instance.
func TestServiceFiltersBelowGroupsAndUsers(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	svc.Group("acme", servicetest.Public())
	svc.Group("acme/open", servicetest.Public())
	svc.Group("acme/shut", servicetest.Private())
	svc.Project("ada/new")
	svc.Project("ada/old", servicetest.Archived(), servicetest.RepositoryStorage("disk-2"))
	root, ctx := asRoot(t, svc), t.Context()
	for name, test := range map[string]struct {
		options serviceapi.ListGroupsOptions
		want    []string
	}{
		"visibility": {serviceapi.ListGroupsOptions{Visibility: serviceapi.VisibilityPublic}, []string{"open"}},
		"active":     {serviceapi.ListGroupsOptions{Active: new(true)}, []string{"open", "shut"}},
		"inactive":   {serviceapi.ListGroupsOptions{Active: new(false)}, nil},
		"archived":   {serviceapi.ListGroupsOptions{Archived: new(true)}, nil},
		"storage":    {serviceapi.ListGroupsOptions{RepositoryStorage: "disk-9"}, nil},
		"marked":     {serviceapi.ListGroupsOptions{MarkedForDeletionOn: serviceapi.NewDate(2026, time.March, 1)}, nil},
		"top level":  {serviceapi.ListGroupsOptions{TopLevelOnly: true}, nil},
	} {
		groups, err := serviceapi.Collect(root.Groups.All(ctx, serviceapi.GroupPath("acme"), &test.options))
		require.NoError(t, err, name)
		var paths []string
		for _, g := range groups {
			paths = append(paths, g.Path)
		}
		assert.Equal(t, test.want, paths, name)
	}
	for name, test := range map[string]struct {
		options serviceapi.ListProjectsOptions
		want    []string
	}{
		"active":   {serviceapi.ListProjectsOptions{Active: new(true)}, []string{"new"}},
		"storage":  {serviceapi.ListProjectsOptions{RepositoryStorage: "disk-2"}, []string{"old"}},
		"topic":    {serviceapi.ListProjectsOptions{TopicID: 4}, nil},
		"imported": {serviceapi.ListProjectsOptions{Imported: true}, nil},
		"marked":   {serviceapi.ListProjectsOptions{MarkedForDeletionOn: serviceapi.NewDate(2026, time.March, 1)}, nil},
	} {
		projects, err := serviceapi.Collect(root.Projects.All(ctx, serviceapi.UserID(ada.ID()), &test.options))
		require.NoError(t, err, name)
		var paths []string
		for _, p := range projects {
			paths = append(paths, p.Path)
		}
		assert.Equal(t, test.want, paths, name)
	}
}

// TestServiceFiltersIssuesOfToday checks filters and members of issues that newer
// releases have.
func TestServiceFiltersIssuesOfToday(t *testing.T) {
	svc, app, dev := newApp(t)
	root, ctx := asRoot(t, svc), t.Context()
	app.Label("bug", "#ff0000", "")
	sprint := servicetest.Iteration{
		ID: 9, Title: "Sprint", Start: svc.Now().AddDate(0, 0, -3), Due: svc.Now().AddDate(0, 0, 3),
	}
	app.Issue("Lights", servicetest.Labels("bug"), servicetest.InIteration(sprint))
	app.Issue("Doors", servicetest.Description("lights inside"))
	_, _, err := root.Issues.Update(ctx, acmeApp.Issue(2),
		serviceapi.UpdateIssueOptions{StateEvent: new(serviceapi.StateEventClose)})
	require.NoError(t, err)
	for name, test := range map[string]struct {
		options serviceapi.ListIssuesOptions
		want    []int64
	}{
		"closed by root":   {serviceapi.ListIssuesOptions{ClosedByID: svc.Root().ID()}, []int64{2}},
		"closed by nobody": {serviceapi.ListIssuesOptions{ClosedByID: 99}, nil},
		"not mentioned":    {serviceapi.ListIssuesOptions{Not: serviceapi.IssueExclusions{Search: "LIGHTS"}}, nil},
		"not in the title": {
			serviceapi.ListIssuesOptions{Not: serviceapi.IssueExclusions{Search: "lights",
				In: []serviceapi.SearchField{serviceapi.SearchFieldTitle}}},
			[]int64{2},
		},
		"iteration":          {serviceapi.ListIssuesOptions{IterationID: serviceapi.NumberIs(9)}, []int64{1}},
		"title of iteration": {serviceapi.ListIssuesOptions{IterationTitle: "Sprint"}, []int64{1}},
		"not of the iteration": {
			serviceapi.ListIssuesOptions{Not: serviceapi.IssueExclusions{IterationID: serviceapi.NumberIs(9)}},
			[]int64{2}},
	} {
		issues, err := serviceapi.Collect(root.Issues.All(ctx, acmeApp, &test.options))
		require.NoError(t, err, name)
		var iids []int64
		for _, issue := range issues {
			iids = append(iids, issue.IID)
		}
		assert.Equal(t, test.want, iids, name)
	}
	issues, _, err := dev.Issues.List(ctx, acmeApp, &serviceapi.ListIssuesOptions{IIDs: []int64{1},
		WithLabelsDetails: true})
	require.NoError(t, err)
	assert.Positive(t, *issues[0].Labels[0].ID)
	require.NotNil(t, issues[0].Iteration)
	assert.Equal(t, []any{int64(9), "Sprint", serviceapi.IterationStateCurrent},
		[]any{issues[0].Iteration.ID, issues[0].Iteration.Title, issues[0].Iteration.State})
}

// TestServiceShowsTheProfileInJobs checks the users of jobs and deployments.
func TestServiceShowsTheProfileInJobs(t *testing.T) {
	svc, app, dev := newApp(t)
	ada := svc.User("ada", servicetest.Profile{JobTitle: "Analyst", Pronouns: "she/her", Discord: "4"})
	app.AddMember(ada, servicetest.Developer)
	job := app.Pipeline("main", servicetest.By(ada)).Job("test", servicetest.By(ada))
	got, _, err := dev.Jobs.Get(t.Context(), acmeApp, job.ID())
	require.NoError(t, err)
	assert.Equal(t, []any{"Analyst", "she/her", "4", new(false), new(0), new(false)}, []any{
		got.User.JobTitle, got.User.Pronouns, got.User.Discord, got.User.Bot, got.User.Followers, got.User.IsFollowed,
	})
	assert.NotEmpty(t, got.User.LocalTime)
}
