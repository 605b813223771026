package servicetests

import (
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestServiceRecordsDeployments(t *testing.T) {
	svc, app, dev := newApp(t)
	head := app.Head("main")
	made, resp, err := dev.Deployments.Create(t.Context(), acmeApp, serviceapi.CreateDeploymentOptions{
		Environment: "production", SHA: head, Ref: "v1", Tag: true, Status: serviceapi.DeploymentStatusRunning,
	})
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Nil(t, made.Deployable)
	assert.Equal(t, "dev", made.User.Username)
	assert.Equal(t, []any{int64(1), int64(1), head, "v1", serviceapi.DeploymentStatusRunning},
		[]any{made.ID, made.IID, made.SHA, made.Ref, made.Status})

	production := app.Environments()[0]
	assert.Equal(t, "production", production.Name(), "the environment is made where there is none")
	recorded := production.Deployments()[0]
	ref, tag := recorded.Ref()
	assert.Equal(t, "v1", ref)
	assert.True(t, tag)

	svc.Advance(time.Minute)
	updated, _, err := dev.Deployments.Update(t.Context(), acmeApp, made.ID,
		serviceapi.UpdateDeploymentOptions{Status: serviceapi.DeploymentStatusSuccess})
	require.NoError(t, err)
	assert.Equal(t, serviceapi.DeploymentStatusSuccess, updated.Status)
	assert.Equal(t, time.Minute, updated.UpdatedAt.Sub(updated.CreatedAt))
	assert.Equal(t, "success", recorded.Status())

	for _, status := range []serviceapi.DeploymentStatus{serviceapi.DeploymentStatusCreated,
		serviceapi.DeploymentStatusBlocked} {
		_, _, err = dev.Deployments.Create(t.Context(), acmeApp, serviceapi.CreateDeploymentOptions{Environment: "x",
			SHA: head, Ref: "main", Status: status})
		assert.ErrorIs(t, err, serviceapi.ErrBadRequest, status)
		_, _, err = dev.Deployments.Update(t.Context(), acmeApp, made.ID,
			serviceapi.UpdateDeploymentOptions{Status: status})
		assert.ErrorIs(t, err, serviceapi.ErrBadRequest, status)
	}
	_, _, err = dev.Deployments.Get(t.Context(), acmeApp, 99)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}

func TestServiceShowsTheJobOfADeployment(t *testing.T) {
	svc, app, dev := newApp(t)
	ada := svc.User("ada")
	job := app.Pipeline("main", servicetest.By(ada)).Job("deploy", servicetest.Stage("ship"), servicetest.Running(),
		servicetest.Trace("…"))
	deployment := app.Environment("production", servicetest.ExternalURL("https://example.com")).Deployment(
		servicetest.DeployedBy(job))

	got, _, err := dev.Deployments.Get(t.Context(), acmeApp, deployment.ID())
	require.NoError(t, err)
	assert.Equal(t, serviceapi.DeploymentStatusRunning, got.Status)
	assert.Equal(t, "https://example.com", got.Environment.ExternalURL)
	assert.Equal(t, "ada", got.User.Username)
	d := got.Deployable
	require.NotNil(t, d)
	assert.Equal(t, job.ID(), d.ID)
	assert.Equal(t, "ship", d.Stage)
	assert.Equal(t, got.SHA, d.Commit.ID)
	assert.NotEmpty(t, d.Commit.CommitterEmail)
	assert.NotNil(t, d.Commit.AuthoredDate)
	assert.NotNil(t, d.Pipeline.UpdatedAt)
	assert.Equal(t, serviceapi.ArtifactFileTypeTrace, d.Artifacts[0].FileType)
	assert.NotNil(t, d.Runner)
}

func TestServiceListsDeployments(t *testing.T) {
	svc, app, dev := newApp(t)
	start := svc.Now()
	production, staging := app.Environment("production"), app.Environment("staging")
	first := production.Deployment(servicetest.DeployedRef("zeta"), servicetest.DeploymentStatus("running"))
	svc.Advance(time.Hour)
	second := staging.Deployment(servicetest.DeployedRef("alpha"), servicetest.DeploymentStatus("failed"))
	svc.Advance(time.Hour)
	third := production.Deployment(servicetest.DeployedRef("main"))
	first.SetStatus("canceled")
	svc.Project("acme/other").Environment("production").Deployment()

	one, two, three := first.ID(), second.ID(), third.ID()
	for name, tc := range map[string]struct {
		options  serviceapi.ListDeploymentsOptions
		expected []int64
	}{
		"default": {serviceapi.ListDeploymentsOptions{}, []int64{one, two, three}},
		"newest": {serviceapi.ListDeploymentsOptions{OrderBy: serviceapi.DeploymentOrderByCreatedAt,
			Sort: serviceapi.SortDescending}, []int64{three, two, one}},
		"iid": {serviceapi.ListDeploymentsOptions{OrderBy: serviceapi.DeploymentOrderByIID,
			Sort: serviceapi.SortDescending}, []int64{three, two, one}},
		"updated": {serviceapi.ListDeploymentsOptions{OrderBy: serviceapi.DeploymentOrderByUpdatedAt},
			[]int64{two, one, three}},
		"ref": {serviceapi.ListDeploymentsOptions{OrderBy: serviceapi.DeploymentOrderByRef},
			[]int64{two, three, one}},
		"environment": {serviceapi.ListDeploymentsOptions{Environment: "production"}, []int64{one, three}},
		"status":      {serviceapi.ListDeploymentsOptions{Status: serviceapi.DeploymentStatusFailed}, []int64{two}},
		"after": {serviceapi.ListDeploymentsOptions{UpdatedAfter: start.Add(90 * time.Minute)},
			[]int64{one, three}},
		"before": {serviceapi.ListDeploymentsOptions{UpdatedBefore: start.Add(90 * time.Minute)}, []int64{two}},
		"page": {serviceapi.ListDeploymentsOptions{ListOptions: serviceapi.ListOptions{Page: 2, PerPage: 2}},
			[]int64{three}},
	} {
		var ids []int64
		for d, err := range dev.Deployments.All(t.Context(), acmeApp, &tc.options) {
			require.NoError(t, err)
			ids = append(ids, d.ID)
		}
		assert.Equal(t, tc.expected, ids, name)
	}
	_, _, err := dev.Deployments.List(t.Context(), acmeApp, &serviceapi.ListDeploymentsOptions{OrderBy: "luck"})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
	assert.Equal(t, []*servicetest.Deployment{first, third}, production.Deployments())
}

func TestServiceListsTheMergeRequestsOfADeployment(t *testing.T) {
	svc, app, dev := newApp(t)
	production, staging := app.Environment("production"), app.Environment("staging")
	one, two := app.MergeRequest("one"), app.MergeRequest("two")
	one.Merge()
	first := production.Deployment()
	two.Merge()
	second := production.Deployment(servicetest.DeploymentStatus("running"))
	both := staging.Deployment()
	app.MergeRequest("open")

	titles := func(d *servicetest.Deployment, options *serviceapi.ListMergeRequestsOptions) (branches []string) {
		for mr, err := range dev.Deployments.AllMergeRequests(t.Context(), acmeApp, d.ID(), options) {
			require.NoError(t, err)
			branches = append(branches, mr.SourceBranch)
		}
		return branches
	}
	assert.Equal(t, []string{"one"}, titles(first, nil))
	assert.Empty(t, titles(second, nil), "it has not arrived yet")
	assert.Equal(t, []string{"two", "one"}, titles(both, nil))
	assert.Equal(t, []string{"one", "two"},
		titles(both, &serviceapi.ListMergeRequestsOptions{Sort: serviceapi.SortAscending}))
	assert.Equal(t, []string{"two"}, titles(both, &serviceapi.ListMergeRequestsOptions{SourceBranch: "two"}))

	second.SetStatus("success")
	assert.Equal(t, []string{"two"}, titles(second, nil), "what was there before does not count again")

	inProduction, err := serviceapi.Collect(dev.MergeRequests.All(t.Context(), acmeApp,
		&serviceapi.ListMergeRequestsOptions{Environment: "production"}))
	require.NoError(t, err)
	assert.Len(t, inProduction, 2)
	mr, _, err := dev.MergeRequests.Get(t.Context(), acmeApp.MergeRequest(two.IID()), nil)
	require.NoError(t, err)
	assert.Equal(t, svc.Now(), *mr.FirstDeployedToProductionAt)

	environments := len(app.Environments())
	_, _, err = dev.Deployments.Create(t.Context(), acmeApp, serviceapi.CreateDeploymentOptions{
		Environment: "moon", SHA: "0123456789012345678901234567890123456789", Ref: "main",
		Status: serviceapi.DeploymentStatusSuccess,
	})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest, "a commit that the repository does not have cannot be deployed")
	_, _, err = dev.Deployments.Create(t.Context(), acmeApp, serviceapi.CreateDeploymentOptions{
		Environment: "a:b", SHA: app.Head("main"), Ref: "main", Status: serviceapi.DeploymentStatusSuccess,
	})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest, "nor can anything to an environment that cannot be")
	assert.Len(t, app.Environments(), environments)
}

// TestServiceKeepsTheOrderOfDeployments checks that a deployment that has ended
// does not run again, and that the status of a job's deployment depends only on
// the job.
func TestServiceKeepsTheOrderOfDeployments(t *testing.T) {
	_, app, dev := newApp(t)
	production := app.Environment("production")
	update := func(d *servicetest.Deployment, status serviceapi.DeploymentStatus) error {
		_, _, err := dev.Deployments.Update(t.Context(), acmeApp, d.ID(),
			serviceapi.UpdateDeploymentOptions{Status: status})
		return err
	}
	for _, ended := range []serviceapi.DeploymentStatus{serviceapi.DeploymentStatusSuccess,
		serviceapi.DeploymentStatusFailed, serviceapi.DeploymentStatusCanceled} {
		d := production.Deployment(servicetest.DeploymentStatus(string(ended)))
		assert.ErrorIs(t, update(d, serviceapi.DeploymentStatusRunning), serviceapi.ErrBadRequest, ended)
		assert.Equal(t, string(ended), d.Status())
	}
	for _, before := range []string{"created", "running", "blocked"} {
		assert.NoError(t, update(production.Deployment(servicetest.DeploymentStatus(before)),
			serviceapi.DeploymentStatusRunning), before)
	}
	job := app.Pipeline("main").Job("deploy", servicetest.Running())
	deployed := production.Deployment(servicetest.DeployedBy(job))
	assert.ErrorIs(t, update(deployed, serviceapi.DeploymentStatusFailed), serviceapi.ErrForbidden)
	assert.Equal(t, "running", deployed.Status())
}

func TestServiceApprovesDeployments(t *testing.T) {
	svc, app, dev := newApp(t)
	grace := svc.User("grace")
	app.AddMember(grace, servicetest.Maintainer)
	production := app.Environment("production", servicetest.NeedsApprovals(2))
	blocked := production.Deployment(servicetest.DeploymentStatus("blocked"))
	get := func() *serviceapi.Deployment {
		d, _, err := dev.Deployments.Get(t.Context(), acmeApp, blocked.ID())
		require.NoError(t, err)
		return d
	}
	assert.Equal(t, new(2), get().PendingApprovalCount)
	assert.Equal(t, []*serviceapi.DeploymentApproval{}, get().Approvals)
	assert.Nil(t, get().ApprovalSummary)

	approval, resp, err := dev.Deployments.ApproveOrReject(t.Context(), acmeApp, blocked.ID(),
		serviceapi.ApproveOrRejectDeploymentOptions{
			Status: serviceapi.DeploymentApprovalStatusApproved, Comment: new("Looks good"),
		})
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, "dev", approval.User.Username)
	assert.Equal(t, "Looks good", approval.Comment)
	assert.Equal(t, svc.Now(), approval.CreatedAt)
	_, _, err = as(t, svc, grace).Deployments.ApproveOrReject(t.Context(), acmeApp, blocked.ID(),
		serviceapi.ApproveOrRejectDeploymentOptions{Status: serviceapi.DeploymentApprovalStatusRejected})
	require.NoError(t, err)

	d := get()
	assert.Equal(t, new(1), d.PendingApprovalCount)
	require.Len(t, d.Approvals, 2)
	assert.Equal(t, approval, d.Approvals[0])
	assert.Equal(t, serviceapi.DeploymentApprovalStatusRejected, d.Approvals[1].Status)
	assert.Empty(t, d.Approvals[1].Comment)
	assert.Equal(t, "grace", blocked.Rejections()[0].Username())
	assert.Equal(t, "dev", blocked.Approvals()[0].Username())

	svc.Advance(time.Minute)
	again, _, err := dev.Deployments.ApproveOrReject(t.Context(), acmeApp, blocked.ID(),
		serviceapi.ApproveOrRejectDeploymentOptions{Status: serviceapi.DeploymentApprovalStatusApproved})
	require.NoError(t, err)
	assert.Equal(t, approval, again, "approving twice is one approval, the first")
	assert.Len(t, get().Approvals, 2)
	_, _, err = as(t, svc, grace).Deployments.ApproveOrReject(t.Context(), acmeApp, blocked.ID(),
		serviceapi.ApproveOrRejectDeploymentOptions{Status: serviceapi.DeploymentApprovalStatusApproved})
	require.NoError(t, err)
	assert.Len(t, get().Approvals, 2, "changing one's mind takes the former decision back")
	assert.Equal(t, new(0), get().PendingApprovalCount)
	assert.Empty(t, blocked.Rejections())
	own := production.Deployment(servicetest.DeploymentStatus("blocked"), servicetest.By(grace))
	_, _, err = as(t, svc, grace).Deployments.ApproveOrReject(t.Context(), acmeApp, own.ID(),
		serviceapi.ApproveOrRejectDeploymentOptions{Status: serviceapi.DeploymentApprovalStatusApproved})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest, "nobody approves their own deployment")
	_, _, err = as(t, svc, grace).Deployments.ApproveOrReject(t.Context(), acmeApp, own.ID(),
		serviceapi.ApproveOrRejectDeploymentOptions{Status: serviceapi.DeploymentApprovalStatusRejected})
	require.NoError(t, err)

	blocked.SetStatus("running")
	assert.Equal(t, new(0), get().PendingApprovalCount)
	_, _, err = dev.Deployments.ApproveOrReject(t.Context(), acmeApp, blocked.ID(),
		serviceapi.ApproveOrRejectDeploymentOptions{Status: serviceapi.DeploymentApprovalStatusApproved})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest, "it is not blocked")
}

func TestServiceApprovesDeploymentsByRules(t *testing.T) {
	svc, app, _ := newApp(t)
	grace, ada := svc.User("grace", servicetest.Name("Grace Hopper")), svc.User("ada")
	qa := svc.Group("qa", servicetest.Name("QA"), servicetest.Member(grace, servicetest.Developer))
	app.AddMember(grace, servicetest.Maintainer)
	app.AddMember(ada, servicetest.Developer)
	production := app.Environment("production", servicetest.NeedsApprovalOf(grace),
		servicetest.NeedsApprovalsOfGroup(qa, 1), servicetest.NeedsApprovalsOfRole(servicetest.Maintainer, 2))
	blocked := production.Deployment(servicetest.DeploymentStatus("blocked"))
	approve := func(user *servicetest.User, role *string) error {
		_, _, err := as(t, svc, user).Deployments.ApproveOrReject(t.Context(), acmeApp, blocked.ID(),
			serviceapi.ApproveOrRejectDeploymentOptions{Status: serviceapi.DeploymentApprovalStatusApproved,
				RepresentedAs: role})
		return err
	}
	require.NoError(t, approve(grace, nil), "the first of the rules counts where none is named")
	require.NoError(t, approve(grace, new("maintainer")))
	assert.ErrorIs(t, approve(grace, new("Owner")), serviceapi.ErrBadRequest)
	assert.ErrorIs(t, approve(ada, nil), serviceapi.ErrForbidden, "in no rule")

	d, _, err := as(t, svc, ada).Deployments.Get(t.Context(), acmeApp, blocked.ID())
	require.NoError(t, err)
	assert.Equal(t, new(2), d.PendingApprovalCount)
	assert.Nil(t, d.Approvals)
	require.NotNil(t, d.ApprovalSummary)
	user, group, level := d.ApprovalSummary.Rules[0], d.ApprovalSummary.Rules[1], d.ApprovalSummary.Rules[2]
	assert.Equal(t, new(grace.ID()), user.UserID)
	assert.Equal(t, "Grace Hopper", user.AccessLevelDescription)
	assert.Len(t, user.DeploymentApprovals, 1)
	assert.Equal(t, &serviceapi.DeploymentApprovalRule{
		ID: 2, GroupID: new(qa.ID()), AccessLevelDescription: "QA", RequiredApprovals: 1,
		GroupInheritanceType: serviceapi.GroupInheritanceTypeInherited,
		DeploymentApprovals:  []*serviceapi.DeploymentApproval{},
	}, group)
	assert.Equal(t, new(serviceapi.AccessLevelMaintainer), level.AccessLevel)
	assert.Equal(t, "Maintainers", level.AccessLevelDescription)
	assert.Len(t, level.DeploymentApprovals, 1)
}

func TestServiceHasNoApprovalsInTheFreeTier(t *testing.T) {
	_, app, dev := newApp(t, servicetest.WithTier(servicetest.Free))
	blocked := app.Environment("production", servicetest.NeedsApprovals(1)).Deployment(
		servicetest.DeploymentStatus("blocked"))
	d, _, err := dev.Deployments.Get(t.Context(), acmeApp, blocked.ID())
	require.NoError(t, err)
	assert.Nil(t, d.PendingApprovalCount)
	assert.Nil(t, d.Approvals)
	_, _, err = dev.Deployments.ApproveOrReject(t.Context(), acmeApp, blocked.ID(),
		serviceapi.ApproveOrRejectDeploymentOptions{Status: serviceapi.DeploymentApprovalStatusApproved})
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
}

func TestServiceDeploymentsByRole(t *testing.T) {
	svc, app, _ := newApp(t)
	guest := svc.User("guest")
	app.AddMember(guest, servicetest.Reporter)
	d := app.Environment("production").Deployment(servicetest.By(nil))
	client := as(t, svc, guest)
	got, _, err := client.Deployments.Get(t.Context(), acmeApp, d.ID())
	require.NoError(t, err)
	assert.Nil(t, got.User)
	_, _, err = client.Deployments.Create(t.Context(), acmeApp, serviceapi.CreateDeploymentOptions{Environment: "x",
		SHA: "a", Ref: "main", Status: serviceapi.DeploymentStatusRunning})
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, _, err = client.Deployments.Update(t.Context(), acmeApp, d.ID(),
		serviceapi.UpdateDeploymentOptions{Status: serviceapi.DeploymentStatusFailed})
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, _, err = client.Deployments.ApproveOrReject(t.Context(), acmeApp, d.ID(),
		serviceapi.ApproveOrRejectDeploymentOptions{Status: serviceapi.DeploymentApprovalStatusApproved})
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
}
