package interop

import (
	"fmt"
	"testing"
	"time"

	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestEnvironments(t *testing.T) {
	e := start(t)
	project := e.svc.Project(app)
	stop := project.Pipeline("main").Job("stop", servicetest.Manual())
	production := project.Environment("production", servicetest.ExternalURL("https://app.example.com"))
	production.Deployment(servicetest.DeployedBy(project.Pipeline("main").Job("deploy")))
	review := project.Environment("review/feature", servicetest.OnStop(stop))
	project.Environment("staging", servicetest.EnvironmentTier("staging"))
	byName := func(v *clientgo.Environment) string { return v.Name }

	list := walk1(e, e.admin.Environments.ListEnvironments, app, nil)
	assert.ElementsMatch(t, []string{"production", "review/feature", "staging"}, each(list, byName))
	found := got(e.admin.Environments.ListEnvironments(app, &clientgo.ListEnvironmentsOptions{Search: new("review"),
		States: new("available")})).ok(e, 200)
	assert.Equal(t, []string{"review/feature"}, each(found, byName))
	one := got(e.admin.Environments.GetEnvironment(app, production.ID())).ok(e, 200)
	assert.Equal(t, []string{"production", "production", "available", "https://app.example.com"},
		[]string{one.Name, one.Tier, one.State, one.ExternalURL})
	assert.Equal(t, "deploy", one.LastDeployment.Deployable.Name)

	made := got(e.admin.Environments.CreateEnvironment(app, &clientgo.CreateEnvironmentOptions{Name: new("demo"),
		Tier: new("other")})).ok(e, 201)
	assert.Equal(t, []string{"demo", "demo", "other"}, []string{made.Name, made.Slug, made.Tier})
	edited := got(e.admin.Environments.EditEnvironment(app, made.ID,
		&clientgo.EditEnvironmentOptions{ExternalURL: new("https://demo.example.com")})).ok(e, 200)
	assert.Equal(t, "https://demo.example.com", edited.ExternalURL)
	stopped := got(e.admin.Environments.StopEnvironment(app, review.ID(), &clientgo.StopEnvironmentOptions{})).ok(e,
		200)
	assert.Equal(t, "stopped", stopped.State)
	assert.NotEqual(t, "manual", stop.Status(), "the job on_stop ran")

	got(e.admin.Environments.StopEnvironment(app, made.ID, &clientgo.StopEnvironmentOptions{Force: new(true)})).ok(e,
		200)
	done(e.admin.Environments.DeleteEnvironment(app, made.ID)).ok(e, 204)
	got(e.admin.Environments.GetEnvironment(app, made.ID)).refused(e, 404)

	e.svc.Advance(31 * 24 * time.Hour)
	// The client has no method to stop stale environments,
	stale := request[map[string]string](e.admin, "POST", "projects/acme%2Fapp/environments/stop_stale",
		map[string]string{"before": "2026-02-01"}).ok(e, 200)
	assert.NotEmpty(t, stale["message"])
	assert.Equal(t, "stopped", production.State())
	// nor one to clean up review apps.
	type options struct {
		DryRun bool `url:"dry_run"`
	}
	type cleanup struct {
		Scheduled     []map[string]any `json:"scheduled_entries"`
		Unprocessable []map[string]any `json:"unprocessable_entries"`
	}
	cleaned := request[cleanup](e.admin, "DELETE", "projects/acme%2Fapp/environments/review_apps", options{}).ok(e, 202)
	assert.Equal(t, "review/feature", cleaned.Scheduled[0]["name"])
	assert.Equal(t, e.svc.Now().Add(7*24*time.Hour), review.DeletedAt())
}

func TestDeployments(t *testing.T) {
	e := start(t)
	ada := e.svc.User("ada")
	project := e.svc.Project(app, servicetest.Member(ada, servicetest.Maintainer))
	var merged []*servicetest.MergeRequest
	for i := range 3 {
		branch := fmt.Sprintf("feature-%d", i)
		project.Commit(branch, "Work", servicetest.Write(branch+".txt", "work\n"))
		m := project.MergeRequest(branch)
		m.Merge()
		merged = append(merged, m)
	}
	production := project.Environment("production", servicetest.EnvironmentProtected(), servicetest.NeedsApprovals(1))
	first := production.Deployment(servicetest.DeployedBy(project.Pipeline("main").Job("deploy", servicetest.By(ada))))
	second := production.Deployment(servicetest.By(ada), servicetest.DeploymentStatus("failed"))
	blocked := production.Deployment(servicetest.DeploymentStatus("blocked"))
	byID := func(d *clientgo.Deployment) int64 { return d.ID }

	list := walk1(e, e.admin.Deployments.ListProjectDeployments, app, nil)
	assert.Equal(t, []int64{first.ID(), second.ID(), blocked.ID()}, each(list, byID))
	failed := got(e.admin.Deployments.ListProjectDeployments(app, &clientgo.ListProjectDeploymentsOptions{
		Status: new("failed"), Environment: new("production"), OrderBy: new("created_at"), Sort: new("desc"),
	})).ok(e, 200)
	assert.Equal(t, []int64{second.ID()}, each(failed, byID))
	one := got(e.admin.Deployments.GetProjectDeployment(app, first.ID())).ok(e, 200)
	assert.Equal(t, []any{"success", first.SHA(), "production", "deploy", "ada"},
		[]any{one.Status, one.SHA, one.Environment.Name, one.Deployable.Name, one.User.Username})

	requests := walk2(e, e.admin.DeploymentMergeRequests.ListDeploymentMergeRequests, app, first.ID(), nil)
	want := each(merged, (*servicetest.MergeRequest).IID)
	assert.ElementsMatch(t, want, each(requests, func(m *clientgo.MergeRequest) int64 { return m.IID }))

	made := got(e.as(ada).Deployments.CreateProjectDeployment(app, &clientgo.CreateProjectDeploymentOptions{
		Environment: new("staging"), Ref: new("main"), SHA: new(project.Head("main")), Tag: new(false),
		Status: new(clientgo.DeploymentStatusRunning),
	})).ok(e, 201)
	assert.Equal(t, []string{"running", "staging"}, []string{made.Status, made.Environment.Name})
	updated := got(e.as(ada).Deployments.UpdateProjectDeployment(app, made.ID,
		&clientgo.UpdateProjectDeploymentOptions{Status: new(clientgo.DeploymentStatusSuccess)})).ok(e, 200)
	assert.Equal(t, "success", updated.Status)
	done(e.admin.Deployments.DeleteProjectDeployment(app, second.ID())).ok(e, 204)
	done(e.admin.Deployments.DeleteProjectDeployment(app, made.ID)).refused(e, 400)

	canary := project.Environment("canary", servicetest.EnvironmentProtected(),
		servicetest.NeedsApprovalsOfRole(servicetest.Maintainer, 1))
	waiting := canary.Deployment(servicetest.DeploymentStatus("blocked"))
	assert.Equal(t, "blocked", got(e.admin.Deployments.GetProjectDeployment(app, waiting.ID())).ok(e, 200).Status)
	done(e.as(ada).Deployments.ApproveOrRejectProjectDeployment(app, blocked.ID(),
		&clientgo.ApproveOrRejectProjectDeploymentOptions{
			Status: new(clientgo.DeploymentApprovalStatusApproved), Comment: new("go"),
		})).ok(e, 201)
	done(e.as(ada).Deployments.ApproveOrRejectProjectDeployment(app, first.ID(),
		&clientgo.ApproveOrRejectProjectDeploymentOptions{
			Status: new(clientgo.DeploymentApprovalStatusApproved),
		})).refused(e, 400)
}
