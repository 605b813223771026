package servicetests

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var acmeApp = serviceapi.ProjectPath("acme/app")

// newApp returns a service with the project acme/app, and a client of one of its
// developers.
func newApp(t *testing.T, opts ...servicetest.Option) (*servicetest.Service, *servicetest.Project, *serviceapi.Client) {
	t.Helper()
	svc := servicetest.New(t, opts...)
	dev := svc.User("dev")
	return svc, svc.Project("acme/app", servicetest.Member(dev, servicetest.Developer)), as(t, svc, dev)
}

func TestServiceCreatesEnvironments(t *testing.T) {
	svc, app, dev := newApp(t)
	made, resp, err := dev.Environments.Create(t.Context(), acmeApp, serviceapi.CreateEnvironmentOptions{
		Name: "review/Fix Foo", ExternalURL: new("https://foo.example.com"),
		Tier: new(serviceapi.EnvironmentTierTesting),
	})
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, "available", string(made.State))
	assert.Equal(t, serviceapi.EnvironmentTierTesting, made.Tier)
	assert.Regexp(t, `^review-fix-foo-[0-9a-f]{6}$`, made.Slug)
	assert.Equal(t, "https://foo.example.com", made.ExternalURL)
	assert.Equal(t, svc.Now(), made.CreatedAt)
	assert.Equal(t, "review/Fix Foo", app.Environments()[0].Name())

	for _, options := range []serviceapi.CreateEnvironmentOptions{
		{Name: "review/Fix Foo"},
		{Name: "x", Tier: new(serviceapi.EnvironmentTier("moon"))},
		{Name: "x", ExternalURL: new("not an address")},
		{Name: "prüfung"}, {Name: "a:b"}, {Name: "/x"}, {Name: "x/"}, {Name: strings.Repeat("x", 256)},
	} {
		_, _, err = dev.Environments.Create(t.Context(), acmeApp, options)
		assert.ErrorIs(t, err, serviceapi.ErrBadRequest, "%+v", options)
	}
	assert.Len(t, app.Environments(), 1)
	_, _, err = dev.Environments.Create(t.Context(), acmeApp,
		serviceapi.CreateEnvironmentOptions{Name: strings.Repeat("${x}. ", 42) + "abc"})
	assert.NoError(t, err, "255 characters, of all kinds")
}

func TestServiceChangesEnvironments(t *testing.T) {
	svc, app, dev := newApp(t)
	staging := app.Environment("staging", servicetest.ExternalURL("https://s.example.com"))
	app.Environment("production")
	svc.Advance(time.Hour)

	changed, _, err := dev.Environments.Update(t.Context(), acmeApp, staging.ID(), serviceapi.UpdateEnvironmentOptions{
		Name: new("beta"), ExternalURL: new(""), Tier: new(serviceapi.EnvironmentTierDevelopment),
	})
	require.NoError(t, err)
	assert.Equal(t, "beta", changed.Name)
	assert.Equal(t, serviceapi.EnvironmentTierDevelopment, changed.Tier)
	assert.Empty(t, changed.ExternalURL, "an empty text clears the address")
	assert.Equal(t, svc.Now(), changed.UpdatedAt)
	assert.Equal(t, "beta", staging.Name())

	_, _, err = dev.Environments.Update(t.Context(), acmeApp, staging.ID(),
		serviceapi.UpdateEnvironmentOptions{Name: new("production")})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)

	_, err = dev.Environments.Delete(t.Context(), acmeApp, staging.ID())
	require.ErrorIs(t, err, serviceapi.ErrForbidden, "it is not stopped")
	staging.Stop()
	_, err = dev.Environments.Delete(t.Context(), acmeApp, staging.ID())
	require.NoError(t, err)
	_, err = dev.Environments.Delete(t.Context(), acmeApp, staging.ID())
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	_, _, err = dev.Environments.Get(t.Context(), acmeApp, staging.ID())
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	assert.Len(t, app.Environments(), 1)
}

func TestServiceListsEnvironments(t *testing.T) {
	svc, app, dev := newApp(t)
	app.Environment("production").Deployment(servicetest.ID(77))
	app.Environment("review/one", servicetest.EnvironmentState("stopped"))
	app.Environment("review/two", servicetest.EnvironmentState("stopping"))
	svc.Project("acme/other").Environment("production")

	list := func(options *serviceapi.ListEnvironmentsOptions) (names []string) {
		for e, err := range dev.Environments.All(t.Context(), acmeApp, options) {
			require.NoError(t, err)
			names = append(names, e.Name)
		}
		return names
	}
	assert.Equal(t, []string{"production", "review/one", "review/two"}, list(nil))
	assert.Equal(t, []string{"review/one"}, list(&serviceapi.ListEnvironmentsOptions{Name: "review/one"}))
	assert.Equal(t, []string{"review/one", "review/two"}, list(&serviceapi.ListEnvironmentsOptions{Search: "VIEW"}))
	assert.Equal(t, []string{"review/two"},
		list(&serviceapi.ListEnvironmentsOptions{State: serviceapi.EnvironmentStateStopping}))
	assert.Equal(t, []string{"review/two"},
		list(&serviceapi.ListEnvironmentsOptions{ListOptions: serviceapi.ListOptions{Page: 3, PerPage: 1}}))

	_, _, err := dev.Environments.List(t.Context(), acmeApp, &serviceapi.ListEnvironmentsOptions{Search: "vi"})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest, "a search takes three characters")
	_, _, err = dev.Environments.List(t.Context(), acmeApp, &serviceapi.ListEnvironmentsOptions{Name: "a", Search: "b"})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest, "name and search exclude one another")
	_, _, err = dev.Environments.List(t.Context(), acmeApp, &serviceapi.ListEnvironmentsOptions{State: "lost"})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)

	production, _, err := dev.Environments.Get(t.Context(), acmeApp, 1)
	require.NoError(t, err)
	require.NotNil(t, production.LastDeployment)
	assert.Equal(t, int64(77), production.LastDeployment.ID)
	assert.Equal(t, "/acme/app/-/logs/k8s.json?environment_name=production", production.LogsAPIPath)
}

func TestServiceStopsEnvironments(t *testing.T) {
	_, app, dev := newApp(t)
	pipe := app.Pipeline("main")
	for _, force := range []bool{false, true} {
		job := pipe.Job("stop", servicetest.Manual())
		review := app.Environment(fmt.Sprint("review/", force), servicetest.OnStop(job))
		stopped, resp, err := dev.Environments.Stop(t.Context(), acmeApp, review.ID(),
			serviceapi.StopEnvironmentOptions{Force: new(force)})
		require.NoError(t, err)
		assert.Equal(t, 200, resp.StatusCode)
		assert.Equal(t, serviceapi.EnvironmentStateStopped, stopped.State)
		assert.Equal(t, "stopped", review.State())
		if force {
			assert.Equal(t, "manual", job.Status(), "force leaves the on_stop action out")
		} else {
			assert.Equal(t, "success", job.Status())
		}
	}
	_, _, err := dev.Environments.Stop(t.Context(), acmeApp, 99, serviceapi.StopEnvironmentOptions{})
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}

func TestServiceStopAndWait(t *testing.T) {
	_, app, dev := newApp(t, servicetest.WithTick(time.Minute))
	job := app.Pipeline("main").Job("stop", servicetest.Manual())
	review := app.Environment("review/x", servicetest.OnStop(job), servicetest.StopTakes(2*time.Minute))

	stopping, _, err := dev.Environments.Stop(t.Context(), acmeApp, review.ID(), serviceapi.StopEnvironmentOptions{})
	require.NoError(t, err)
	assert.Equal(t, serviceapi.EnvironmentStateStopping, stopping.State)
	assert.Equal(t, "running", job.Status())

	stopped, err := dev.Environments.StopAndWait(t.Context(), acmeApp, review.ID(), serviceapi.StopEnvironmentOptions{})
	require.NoError(t, err)
	assert.Equal(t, serviceapi.EnvironmentStateStopped, stopped.State)
	assert.Equal(t, "success", job.Status())

	review.SetState("available")
	_, _, err = dev.Environments.Stop(t.Context(), acmeApp, review.ID(), serviceapi.StopEnvironmentOptions{})
	require.NoError(t, err)
	assert.NotEqual(t, job.ID(), review.OnStop().ID(), "the on_stop action runs again as a job of its own")
	review.OnStop().Fail("script_failure")
	_, err = dev.Environments.WaitForStop(t.Context(), acmeApp, review.ID())
	var failed *serviceapi.EnvironmentStopError
	require.ErrorAs(t, err, &failed)
	assert.Equal(t, serviceapi.EnvironmentStateAvailable, failed.Environment.State)
}

func TestServiceForcesAStopThatIsUnderWay(t *testing.T) {
	svc, app, dev := newApp(t)
	review := app.Environment("review/x", servicetest.StopTakes(time.Hour))
	review.Stop()
	assert.Equal(t, "stopping", review.State())
	_, err := dev.Environments.StopAndWait(t.Context(), acmeApp, review.ID(),
		serviceapi.StopEnvironmentOptions{Force: new(true)})
	require.NoError(t, err)
	review.SetState("available")
	svc.Advance(2 * time.Hour)
	assert.Equal(t, "available", review.State(), "the end of the first stop comes to nothing")
}

func TestServiceCleansUpReviewApps(t *testing.T) {
	svc, app, dev := newApp(t)
	day := 24 * time.Hour
	seed := func(name string, age time.Duration, opts ...servicetest.EnvironmentOption) *servicetest.Environment {
		return app.Environment(name, append(opts, servicetest.CreatedAt(svc.Now().Add(-age)),
			servicetest.EnvironmentState("stopped"))...)
	}
	younger, oldest := seed("review/younger", 40*day), seed("review/oldest", 60*day)
	seed("review/new", 29*day)
	seed("staging", 90*day)
	app.Environment("review/running", servicetest.CreatedAt(svc.Now().Add(-90*day)))
	seed("review/kept", 50*day, servicetest.EnvironmentProtected())

	cleanUp := func(client *serviceapi.Client, options *serviceapi.CleanUpReviewAppsOptions) (scheduled, not []string) {
		t.Helper()
		cleanup, _, err := client.Environments.CleanUpReviewApps(t.Context(), acmeApp, options)
		require.NoError(t, err)
		for _, entry := range cleanup.ScheduledEntries {
			scheduled = append(scheduled, entry.Name)
		}
		for _, entry := range cleanup.UnprocessableEntries {
			not = append(not, entry.Name)
		}
		return scheduled, not
	}
	scheduled, unprocessable := cleanUp(dev, nil)
	assert.Equal(t, []string{"review/oldest", "review/younger"}, scheduled)
	assert.Equal(t, []string{"review/kept"}, unprocessable)
	scheduled, _ = cleanUp(dev, &serviceapi.CleanUpReviewAppsOptions{Before: svc.Now().Add(-45 * day)})
	assert.Equal(t, []string{"review/oldest"}, scheduled)
	scheduled, _ = cleanUp(asRoot(t, svc), nil)
	assert.Contains(t, scheduled, "review/kept", "an administrator may delete what is protected")
	assert.Zero(t, oldest.DeletedAt(), "so far all were dry runs")

	scheduled, unprocessable = cleanUp(dev, &serviceapi.CleanUpReviewAppsOptions{Limit: 1, DryRun: new(false)})
	assert.Equal(t, []string{"review/oldest"}, scheduled)
	assert.Empty(t, unprocessable)
	assert.Equal(t, svc.Now().Add(7*day), oldest.DeletedAt())
	scheduled, _ = cleanUp(dev, &serviceapi.CleanUpReviewAppsOptions{DryRun: new(false)})
	assert.Equal(t, []string{"review/younger"}, scheduled)

	svc.Advance(7*day - time.Second)
	assert.Len(t, app.Environments(), 6)
	younger.Deployment()
	svc.Advance(time.Second)
	var left []string
	for _, e := range app.Environments() {
		left = append(left, e.Name())
	}
	assert.Equal(t, []string{"review/younger", "review/new", "staging", "review/running", "review/kept"}, left,
		"what is deployed to meanwhile stays")
}

func TestServiceEnvironmentsByRole(t *testing.T) {
	svc, app, _ := newApp(t)
	guest, stranger := svc.User("guest"), svc.User("stranger")
	app.AddMember(guest, servicetest.Guest)
	protected := app.Environment("production", servicetest.EnvironmentProtected())

	client := as(t, svc, guest)
	_, _, err := client.Environments.Get(t.Context(), acmeApp, protected.ID())
	require.NoError(t, err)
	for name, call := range map[string]func() error{
		"create": func() error {
			_, _, err := client.Environments.Create(t.Context(), acmeApp,
				serviceapi.CreateEnvironmentOptions{Name: "x"})
			return err
		},
		"update": func() error {
			_, _, err := client.Environments.Update(t.Context(), acmeApp, protected.ID(),
				serviceapi.UpdateEnvironmentOptions{})
			return err
		},
		"stop": func() error {
			_, err := client.Environments.StopAndWait(t.Context(), acmeApp, protected.ID(),
				serviceapi.StopEnvironmentOptions{})
			return err
		},
		"delete": func() error {
			_, err := client.Environments.Delete(t.Context(), acmeApp, protected.ID())
			return err
		},
		"clean up": func() error {
			_, _, err := client.Environments.CleanUpReviewApps(t.Context(), acmeApp, nil)
			return err
		},
	} {
		assert.ErrorIs(t, call(), serviceapi.ErrForbidden, name)
	}
	_, _, err = as(t, svc, stranger).Environments.List(t.Context(), acmeApp, nil)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)

	app.AddMember(guest, servicetest.Developer)
	_, err = client.Environments.Delete(t.Context(), acmeApp, protected.ID())
	assert.ErrorIs(t, err, serviceapi.ErrForbidden, "it is protected")
	app.AddMember(guest, servicetest.Maintainer)
	protected.Stop()
	_, err = client.Environments.Delete(t.Context(), acmeApp, protected.ID())
	assert.NoError(t, err)
}

func TestServiceJobsWait(t *testing.T) {
	svc, app, dev := newApp(t, servicetest.WithTick(time.Minute))
	job := app.Pipeline("main").Job("test", servicetest.Running())
	svc.After(150*time.Second, job.Succeed)
	done, err := dev.Jobs.Wait(t.Context(), acmeApp, job.ID())
	require.NoError(t, err)
	assert.Equal(t, serviceapi.JobStatusSuccess, done.Status)

	manual := app.Pipeline("main").Job("deploy", servicetest.Manual())
	done, err = dev.Jobs.Wait(t.Context(), acmeApp, manual.ID())
	require.NoError(t, err)
	assert.Equal(t, serviceapi.JobStatusManual, done.Status)

	stuck := app.Pipeline("main").Job("stuck", servicetest.Pending())
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	last, err := dev.Jobs.Wait(ctx, acmeApp, stuck.ID())
	require.ErrorIs(t, err, context.DeadlineExceeded)
	assert.Equal(t, serviceapi.JobStatusPending, last.Status)
}
