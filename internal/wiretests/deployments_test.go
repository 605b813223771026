package wiretests

import (
	"testing"
	"testing/synctest"
	"time"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const deploymentsPath = "/projects/acme%2Fapp/deployments"

var (
	adaWithPicture = serviceapi.UserSummary{
		ID: 1, Name: "Ada Lovelace", Username: "ada", State: "active",
		AvatarURL: "https://service.test/ada.png", WebURL: "https://service.test/ada",
	}
	graceSummary = serviceapi.UserSummary{ID: 49, Name: "Grace Hopper", Username: "grace", State: "active",
		WebURL: "https://service.test/grace"}
)

// deploymentByAPI is deployments/deployment_by_api.json, in which everything
// that can be null or absent is.
func deploymentByAPI(t *testing.T) *serviceapi.Deployment {
	return &serviceapi.Deployment{
		ID: 43, IID: 3, Ref: "v1.0", SHA: "a91957a858320c0e17f3a0eca7cfacbff50ea29a",
		CreatedAt: *at(t, "2026-01-12T08:00:00Z"), UpdatedAt: *at(t, "2026-01-12T08:00:00Z"),
		Status: serviceapi.DeploymentStatusSuccess,
		Environment: &serviceapi.EnvironmentSummary{ID: 10, Name: "staging",
			CreatedAt: *at(t, "2026-01-05T08:00:00Z"), UpdatedAt: *at(t, "2026-01-11T08:00:00Z")},
	}
}

// blockedDeployment is deployments/deployment.json.
func blockedDeployment(t *testing.T) *serviceapi.Deployment {
	return &serviceapi.Deployment{
		ID: 42, IID: 2, Ref: "main", SHA: "a91957a858320c0e17f3a0eca7cfacbff50ea29a",
		CreatedAt: *at(t, "2026-01-11T11:32:35.444Z"), UpdatedAt: *at(t, "2026-01-11T11:34:01.123Z"),
		Status: serviceapi.DeploymentStatusBlocked,
		User:   &adaWithPicture,
		Environment: &serviceapi.EnvironmentSummary{
			ID:          9,
			Name:        "production",
			ExternalURL: "https://about.service.test",
			CreatedAt:   *at(t, "2026-01-05T08:00:00Z"),
			UpdatedAt:   *at(t, "2026-01-11T08:00:00Z"),
		},
		Deployable:           deployJob(t),
		PendingApprovalCount: new(1),
		Approvals:            []*serviceapi.DeploymentApproval{graceApproves(t)},
		ApprovalSummary: &serviceapi.DeploymentApprovalSummary{Rules: []*serviceapi.DeploymentApprovalRule{
			{
				ID: 1, UserID: new(int64(49)), AccessLevelDescription: "Grace Hopper", RequiredApprovals: 1,
				DeploymentApprovals: []*serviceapi.DeploymentApproval{{User: &graceSummary,
					Status:    serviceapi.DeploymentApprovalStatusRejected,
					CreatedAt: *at(t, "2026-01-11T11:33:00.054Z")}},
			},
			{ID: 2, GroupID: new(int64(134)), AccessLevelDescription: "qa-group", RequiredApprovals: 1,
				GroupInheritanceType: serviceapi.GroupInheritanceTypeInherited,
				DeploymentApprovals:  []*serviceapi.DeploymentApproval{}},
			{
				ID: 3, AccessLevel: new(serviceapi.AccessLevelMaintainer), AccessLevelDescription: "Maintainers",
				RequiredApprovals:   2,
				DeploymentApprovals: []*serviceapi.DeploymentApproval{},
			},
		}},
	}
}

func deployJob(t *testing.T) *serviceapi.Job {
	return &serviceapi.Job{
		ID: 664, Status: serviceapi.JobStatusSuccess, Stage: "deploy", Name: "deploy", Ref: "main", Tag: true,
		Coverage:  new(81.5),
		CreatedAt: at(t, "2026-01-11T11:32:24.456Z"), StartedAt: at(t, "2026-01-11T11:32:25Z"),
		FinishedAt: at(t, "2026-01-11T11:32:35.145Z"),
		Duration: new(
			10.145,
		), QueuedDuration: new(0.5), Project: &serviceapi.JobProject{CIJobTokenScopeEnabled: true},
		User: &serviceapi.User{
			UserSummary: serviceapi.UserSummary{
				ID: 1, Name: "Ada Lovelace", Username: "ada", State: "active", PublicEmail: "ada@example.com",
				WebURL: "https://service.test/ada",
			},
			CreatedAt: at(t, "2025-12-21T13:14:24.077Z"), Bio: "Computes",
			Skype: "ada.s", LinkedIn: "ada-l", Twitter: "ada_t", WebsiteURL: "https://ada.example.com",
			Discord: "4", GitHub: "ada-hub", Bot: new(false), JobTitle: "Analyst", Pronouns: "she/her",
			WorkInformation: "Analyst at Analytical",
			Followers:       new(3), Following: new(2), LocalTime: "3:38 PM", IsFollowed: new(true),
		},
		Commit: &serviceapi.CommitSummary{
			ID: "a91957a858320c0e17f3a0eca7cfacbff50ea29a", ShortID: "a91957a8", Title: "Merge branch 'rename'",
			Message: "Merge branch 'rename'\n", AuthorName: "Ada", AuthorEmail: "ada@example.com",
			CreatedAt:     *at(t, "2026-01-11T13:28:26+02:00"),
			ParentIDs:     []string{"0ff3ae198f8601a285adcf5c0fff204ee6fba5fd"},
			AuthoredDate:  at(t, "2026-01-11T11:27:00Z"),
			CommitterName: "Grace", CommitterEmail: "grace@example.com", CommittedDate: at(t, "2026-01-11T11:28:26Z"),
			Trailers:         map[string]string{"Cc": "Bob"},
			ExtendedTrailers: map[string][]string{"Cc": {"Ada", "Bob"}},
		},
		Pipeline: &serviceapi.PipelineSummary{
			ID: 34, ProjectID: 1, Ref: "main", SHA: "a91957a858320c0e17f3a0eca7cfacbff50ea29a", Status: "running",
			CreatedAt: at(t, "2026-01-11T11:30:00Z"), UpdatedAt: at(t, "2026-01-11T11:31:00Z"),
			WebURL: "https://service.test/acme/app/-/pipelines/34",
		},
		WebURL: "https://service.test/acme/app/-/jobs/664",
		Artifacts: []*serviceapi.JobArtifact{
			{
				FileType:   serviceapi.ArtifactFileTypeTrace,
				Size:       1500,
				Filename:   "job.log",
				FileFormat: serviceapi.ArtifactFileFormatRaw,
			},
		},
		Runner: &serviceapi.Runner{
			ID: 32, Description: "shared runner", IPAddress: "10.0.0.7", Active: true, IsShared: true,
			RunnerType: serviceapi.RunnerTypeInstance, Online: new(true), Status: serviceapi.RunnerStatusOnline,
		},
		ArtifactsExpireAt: at(t, "2026-02-11T11:32:35.145Z"),
	}
}

// graceApproves is deployments/approval.json.
func graceApproves(t *testing.T) *serviceapi.DeploymentApproval {
	return &serviceapi.DeploymentApproval{
		User: &graceSummary, Status: serviceapi.DeploymentApprovalStatusApproved,
		CreatedAt: *at(t, "2026-01-11T11:33:00.054Z"),
		Comment:   "Looks good to me",
	}
}

func TestDeploymentsList(t *testing.T) {
	reply := "[" + fixture(t, "deployments/deployment.json") + "," + fixture(t,
		"deployments/deployment_by_api.json") + "]"
	client := onWire(t,
		exchange{
			Method: "GET", Path: deploymentsPath, Body: reply,
			Query: "environment=review%2Fx&order_by=updated_at&page=2&per_page=5&sort=desc&status=blocked" +
				"&updated_after=2026-01-01T00%3A00%3A00.25Z&updated_before=2026-02-01T00%3A00%3A00Z",
		},
		exchange{Method: "GET", Path: deploymentsPath, Body: "[]"},
		exchange{
			Method: "GET", Path: deploymentsPath, Body: reply,
			Query: "finished_after=2026-01-01T00%3A00%3A00Z&finished_before=2026-02-01T00%3A00%3A00Z" +
				"&order_by=finished_at&per_page=100&status=success",
		},
	)
	expected := []*serviceapi.Deployment{blockedDeployment(t), deploymentByAPI(t)}
	deployments, _, err := client.Deployments.List(
		t.Context(),
		serviceapi.ProjectPath("acme/app"),
		&serviceapi.ListDeploymentsOptions{
			ListOptions: serviceapi.ListOptions{
				Page:    2,
				PerPage: 5,
			}, OrderBy: serviceapi.DeploymentOrderByUpdatedAt, Sort: serviceapi.SortDescending,
			UpdatedAfter:  time.Date(2026, 1, 1, 0, 0, 0, 25e7, time.UTC),
			UpdatedBefore: time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC),
			Environment:   "review/x", Status: serviceapi.DeploymentStatusBlocked,
		},
	)
	require.NoError(t, err)
	assert.Equal(t, expected, deployments)

	deployments, _, err = client.Deployments.List(t.Context(), serviceapi.ProjectPath("acme/app"), nil)
	require.NoError(t, err)
	assert.Empty(t, deployments)

	deployments, err = serviceapi.Collect(
		client.Deployments.All(t.Context(), serviceapi.ProjectPath("acme/app"), &serviceapi.ListDeploymentsOptions{
			OrderBy: serviceapi.DeploymentOrderByFinishedAt, Status: serviceapi.DeploymentStatusSuccess,
			FinishedAfter:  time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
			FinishedBefore: time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC),
		}),
	)
	require.NoError(t, err)
	assert.Equal(t, expected, deployments)
}

func TestDeploymentsGet(t *testing.T) {
	client := onWire(t,
		exchange{Method: "GET", Path: deploymentsPath + "/42", Fixture: "deployments/deployment.json"},
		exchange{Method: "GET", Path: deploymentsPath + "/43", Fixture: "deployments/deployment_by_api.json"},
		exchange{Method: "GET", Path: deploymentsPath + "/44", Status: 404,
			Body: `{"message":"404 Deployment Not Found"}`},
	)
	deployment, _, err := client.Deployments.Get(t.Context(), serviceapi.ProjectPath("acme/app"), 42)
	require.NoError(t, err)
	assert.Equal(t, blockedDeployment(t), deployment)
	deployment, _, err = client.Deployments.Get(t.Context(), serviceapi.ProjectPath("acme/app"), 43)
	require.NoError(t, err)
	assert.Equal(t, deploymentByAPI(t), deployment)
	_, _, err = client.Deployments.Get(t.Context(), serviceapi.ProjectPath("acme/app"), 44)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}

func TestDeploymentsCreateAndUpdate(t *testing.T) {
	client := onWire(t,
		exchange{
			Method: "POST", Path: deploymentsPath, Status: 201, Fixture: "deployments/deployment_by_api.json",
			JSON: `{"environment":"staging","sha":"a91957a8","ref":"v1.0","tag":true,"status":"success"}`,
		},
		exchange{
			Method: "POST", Path: deploymentsPath, Status: 400, Body: `{"error":"status does not have a valid value"}`,
			JSON: `{"environment":"staging","sha":"a91957a8","ref":"main","tag":false,"status":"done"}`,
		},
		exchange{Method: "PUT", Path: deploymentsPath + "/43", JSON: `{"status":"failed"}`,
			Fixture: "deployments/deployment_by_api.json"},
	)
	deployment, resp, err := client.Deployments.Create(
		t.Context(),
		serviceapi.ProjectPath("acme/app"),
		serviceapi.CreateDeploymentOptions{
			Environment: "staging", SHA: "a91957a8", Ref: "v1.0", Tag: true, Status: serviceapi.DeploymentStatusSuccess,
		},
	)
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, deploymentByAPI(t), deployment)

	_, _, err = client.Deployments.Create(
		t.Context(),
		serviceapi.ProjectPath("acme/app"),
		serviceapi.CreateDeploymentOptions{
			Environment: "staging", SHA: "a91957a8", Ref: "main", Status: "done",
		},
	)
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)

	deployment, _, err = client.Deployments.Update(t.Context(), serviceapi.ProjectPath("acme/app"), 43,
		serviceapi.UpdateDeploymentOptions{Status: serviceapi.DeploymentStatusFailed})
	require.NoError(t, err)
	assert.Equal(t, deploymentByAPI(t), deployment)
}

func TestDeploymentsListMergeRequests(t *testing.T) {
	const path = deploymentsPath + "/42/merge_requests"
	reply := "[" + fixture(t, "merge_requests/merge_request.json") + "]"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Query: projectMergeRequestQuery, Body: reply},
		exchange{Method: "GET", Path: path, Body: "[]"},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: reply},
	)
	expected := []*serviceapi.MergeRequest{listedMergeRequest(t)}
	requests, _, err := client.Deployments.ListMergeRequests(t.Context(), serviceapi.ProjectPath("acme/app"), 42,
		everyProjectFilter())
	require.NoError(t, err)
	assert.Equal(t, expected, requests)

	requests, _, err = client.Deployments.ListMergeRequests(t.Context(), serviceapi.ProjectPath("acme/app"), 42, nil)
	require.NoError(t, err)
	assert.Empty(t, requests)

	requests, err = serviceapi.Collect(
		client.Deployments.AllMergeRequests(t.Context(), serviceapi.ProjectPath("acme/app"), 42, nil),
	)
	require.NoError(t, err)
	assert.Equal(t, expected, requests)

	_, _, err = client.Deployments.ListMergeRequests(t.Context(), serviceapi.ProjectID(4), 42, everyGroupFilter())
	assertRefused(t, "NonArchived", err)
	_, err = serviceapi.Collect(
		client.Deployments.AllMergeRequests(t.Context(), serviceapi.ProjectID(4), 42, everyGroupFilter()),
	)
	assertRefused(t, "NonArchived", err)
}

func TestDeploymentsApproveOrReject(t *testing.T) {
	const path = deploymentsPath + "/42/approval"
	client := onWire(t,
		exchange{
			Method: "POST", Path: path, Status: 201, Fixture: "deployments/approval.json",
			JSON: `{"status":"approved","comment":"Looks good to me","represented_as":"qa-group"}`,
		},
		exchange{Method: "POST", Path: path, JSON: `{"status":"rejected"}`, Status: 400,
			Body: `{"message":"400 Bad request - This deployment is not blocked"}`},
	)
	approval, _, err := client.Deployments.ApproveOrReject(t.Context(), serviceapi.ProjectPath("acme/app"), 42,
		serviceapi.ApproveOrRejectDeploymentOptions{
			Status: serviceapi.DeploymentApprovalStatusApproved, Comment: new("Looks good to me"),
			RepresentedAs: new("qa-group"),
		})
	require.NoError(t, err)
	assert.Equal(t, graceApproves(t), approval)

	_, _, err = client.Deployments.ApproveOrReject(t.Context(), serviceapi.ProjectPath("acme/app"), 42,
		serviceapi.ApproveOrRejectDeploymentOptions{Status: serviceapi.DeploymentApprovalStatusRejected})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
	assert.ErrorContains(t, err, "not blocked")
}

func TestDeploymentsRefuseBadPaths(t *testing.T) {
	client := onWire(t)
	_, _, list := client.Deployments.List(t.Context(), serviceapi.ProjectRef{}, nil)
	_, all := serviceapi.Collect(client.Deployments.All(t.Context(), serviceapi.ProjectPath("/app"), nil))
	_, _, get := client.Deployments.Get(t.Context(), serviceapi.ProjectID(1), 0)
	_, _, create := client.Deployments.Create(
		t.Context(),
		serviceapi.ProjectID(0),
		serviceapi.CreateDeploymentOptions{},
	)
	_, _, update := client.Deployments.Update(
		t.Context(),
		serviceapi.ProjectID(1),
		-1,
		serviceapi.UpdateDeploymentOptions{},
	)
	_, _, requests := client.Deployments.ListMergeRequests(t.Context(), serviceapi.ProjectID(1), 0, nil)
	_, _, approve := client.Deployments.ApproveOrReject(t.Context(), serviceapi.ProjectID(1), 0,
		serviceapi.ApproveOrRejectDeploymentOptions{})
	for i, err := range []error{list, all, get, create, update, requests, approve} {
		var argument *serviceapi.ArgumentError
		assert.ErrorAs(t, err, &argument, i)
	}
}

func TestDeploymentsDelete(t *testing.T) {
	const path = "/projects/acme%2Fapp/deployments/42"
	client := onWire(t,
		exchange{Method: "DELETE", Path: path, Status: 204},
		exchange{Method: "DELETE", Path: path, Status: 400, Body: `{"message":"Cannot destroy running deployment"}`},
	)
	resp, err := client.Deployments.Delete(t.Context(), serviceapi.ProjectPath("acme/app"), 42)
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)
	_, err = client.Deployments.Delete(t.Context(), serviceapi.ProjectPath("acme/app"), 42)
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
	_, err = client.Deployments.Delete(t.Context(), serviceapi.ProjectID(1), 0)
	assertRefused(t, "deployment_id", err)
}

func TestDeploymentsWait(t *testing.T) {
	for _, end := range []serviceapi.DeploymentStatus{serviceapi.DeploymentStatusSuccess,
		serviceapi.DeploymentStatusFailed, serviceapi.DeploymentStatusCanceled,
		serviceapi.DeploymentStatusBlocked} {
		synctest.Test(t, func(t *testing.T) {
			client, s := scriptedClient(t, serviceapi.RetryPolicy{MaxAttempts: 1},
				status(200, `{"id":42,"status":"created"}`), status(200, `{"id":42,"status":"running"}`),
				status(200, `{"id":42,"status":"`+string(end)+`"}`))
			deployment, err := client.Deployments.Wait(t.Context(), serviceapi.ProjectID(4), 42)
			require.NoError(t, err)
			assert.Equal(t, &serviceapi.Deployment{ID: 42, Status: end}, deployment)
			assert.Len(t, s.Times, 3)
		})
	}
	synctest.Test(t, func(t *testing.T) {
		client, _ := scriptedClient(
			t,
			serviceapi.RetryPolicy{MaxAttempts: 1},
			status(200, `{"id":42,"status":"running"}`),
			status(404, `{"message":"404 Not found"}`),
		)
		deployment, err := client.Deployments.Wait(t.Context(), serviceapi.ProjectID(4), 42)
		require.ErrorIs(t, err, serviceapi.ErrNotFound)
		assert.Equal(t, &serviceapi.Deployment{ID: 42, Status: serviceapi.DeploymentStatusRunning}, deployment)
	})
	_, err := onWire(t).Deployments.Wait(t.Context(), serviceapi.ProjectID(4), 0)
	assertRefused(t, "deployment_id", err)
}
