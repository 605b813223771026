package recipes_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// isGreen is your code: it reports whether the newest commit of a branch has
// a pipeline that succeeded.
func isGreen(ctx context.Context, client *serviceapi.Client,
	project serviceapi.ProjectRef, branch string) (bool, error) {
	latest := &serviceapi.LatestPipelineOptions{Ref: branch}
	pipeline, _, err := client.Pipelines.Latest(ctx, project, latest)
	if errors.Is(err, serviceapi.ErrForbidden) {
		// Either there is none, or the caller may not see it. Then the list is
		// refused, too.
		one := &serviceapi.ListPipelinesOptions{Ref: branch}
		one.PerPage = 1
		_, _, err = client.Pipelines.List(ctx, project, one)
		return false, err
	}
	if err != nil {
		return false, err
	}
	return pipeline.Status == serviceapi.PipelineStatusSuccess, nil
}

func TestIsGreen(t *testing.T) {
	service := servicetest.New(t)
	ada := service.User("ada")
	eve := service.User("eve") // not a member
	shop := service.Project("acme/shop",
		servicetest.Public(), servicetest.Member(ada, servicetest.Developer),
		servicetest.Setting("builds_access_level", "private"))
	shop.Pipeline("main").Job("test")
	shop.Commit("wip", "Try")
	shop.Pipeline("wip").Job("test", servicetest.Failed("script_failure"))
	shop.Commit("docs", "Explain") // without a pipeline
	as := func(user *servicetest.User) *serviceapi.Client {
		client, err := serviceapi.NewClient(service.URL(),
			serviceapi.PrivateToken(service.Token(user)))
		if err != nil {
			t.Fatal(err)
		}
		return client
	}

	client, project := as(ada), serviceapi.ProjectPath("acme/shop")
	for branch, want := range map[string]bool{
		"main": true, "wip": false, "docs": false, "missing": false,
	} {
		got, err := isGreen(t.Context(), client, project, branch)
		if err != nil || got != want {
			t.Errorf("%s: %v, %v; want %v", branch, got, err, want)
		}
	}

	// Somebody who may not see pipelines gets an error, not false.
	_, err := isGreen(t.Context(), as(eve), project, "docs")
	if !errors.Is(err, serviceapi.ErrForbidden) {
		t.Errorf("for a stranger: %v, want ErrForbidden", err)
	}

	// The library tries again after an error of the service.
	fault := service.Fault("GET /projects/:id/pipelines/latest",
		servicetest.Status(503, ""), servicetest.Times(1))
	green, err := isGreen(t.Context(), client, project, "main")
	if err != nil || !green || fault.Hits() != 1 {
		t.Errorf("after a fault: %v, %v", green, err)
	}

	// A rate limit that is too long for the caller is an error.
	service.Fault("GET /projects/:id/pipelines/latest",
		servicetest.RateLimit(time.Hour))
	_, err = isGreen(t.Context(), client, project, "main")
	if !errors.Is(err, serviceapi.ErrRateLimited) {
		t.Errorf("error is %v, want a rate limit", err)
	}
}

// TestReport needs an endpoint that servicetest does not serve, and adds it.
func TestReport(t *testing.T) {
	service := servicetest.New(t)
	service.Handle("GET /groups/:id/reports/*name",
		func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprintf(w, `{"name":%q,"format":"csv"}`, r.PathValue("name"))
		})
	service.Fault("GET /groups/:id/reports/*name",
		servicetest.Status(503, ""), servicetest.Times(1))
	client, err := serviceapi.NewClient(service.URL(),
		serviceapi.PrivateToken(service.AdminToken()))
	if err != nil {
		t.Fatal(err)
	}

	type report struct {
		Name   string `json:"name"`
		Format string `json:"format"`
	}
	path := serviceapi.Route("/groups/:id/reports/:name",
		serviceapi.GroupPath("acme"), "weekly")
	weekly, _, err := serviceapi.Get[report](t.Context(), client, path)
	if err != nil || weekly.Name != "weekly" {
		t.Errorf("%+v, %v", weekly, err)
	}
}
