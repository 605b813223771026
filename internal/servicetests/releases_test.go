package servicetests

import (
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"example.com/serviceapi/webhook"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestReleaseLife goes through the life of a release with its links.
func TestReleaseLife(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	app := svc.Project("acme/app", servicetest.Member(ada, servicetest.Developer))
	milestone := app.Milestone("1.0", servicetest.Between(servicetest.Epoch, servicetest.Epoch.AddDate(0, 1, 0)))
	app.Issue("Crash", servicetest.InMilestone(milestone)).Close()
	svc.Group("acme").Milestone("of acme")
	client, ctx, project := as(t, svc, ada), t.Context(), serviceapi.ProjectPath("acme/app")
	s := client.Releases
	_, _, err := s.Latest(ctx, project, nil)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	_, _, err = s.Create(ctx, project, serviceapi.CreateReleaseOptions{TagName: "v1.0"})
	assert.ErrorIs(t, err, serviceapi.ErrUnprocessable, "neither the tag nor a ref")
	release, resp, err := s.Create(ctx, project, serviceapi.CreateReleaseOptions{
		TagName: "v1.0", Ref: new("main"), TagMessage: new("First"), Description: new("# One"),
		Milestones: []string{"1.0", "of acme"},
		Assets: &serviceapi.CreateReleaseAssets{Links: []serviceapi.CreateReleaseLinkOptions{
			{
				Name: "app", URL: "https://store.test/app", DirectAssetPath: new("/bin/app"),
				LinkType: new(serviceapi.ReleaseLinkTypePackage),
			},
			{Name: "notes", URL: "https://notes.test"},
		}},
	})
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, []any{"v1.0", "v1.0", "ada", 6, app.Head("main")},
		[]any{release.TagName, release.Name, release.Author.Username, release.Assets.Count, release.Commit.ID})
	assert.Equal(t, svc.URL()+"/acme/app/-/releases/v1.0/downloads/bin/app", release.Assets.Links[1].DirectAssetURL)
	assert.Equal(t, &serviceapi.ReleaseIssueStats{Total: 1, Closed: 1}, release.Milestones[0].IssueStats)
	assert.Equal(t, "of acme", release.Milestones[1].Title)
	assert.Empty(t, release.Evidences, "it is collected in the background")
	_, _, err = s.Create(ctx, project, serviceapi.CreateReleaseOptions{TagName: "v1.0"})
	assert.ErrorIs(t, err, serviceapi.ErrConflict)

	tag, _, err := client.Tags.Get(ctx, project, "v1.0")
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.TagRelease{TagName: "v1.0", Description: "# One"}, tag.Release)
	assert.Equal(t, "First", tag.Message)
	latest, _, err := s.Latest(ctx, project, &serviceapi.GetReleaseOptions{IncludeHTMLDescription: true})
	require.NoError(t, err)
	assert.Equal(t, []any{"v1.0", `<h1 dir="auto">One</h1>`, 1}, []any{latest.TagName, latest.DescriptionHTML,
		len(latest.Evidences)})
	requests := svc.Requests("GET /projects/:id/releases/:tag_name")
	assert.NotEmpty(t, requests[len(requests)-1].Header.Get("Private-Token"), "the redirect keeps the credential")

	_, err = s.CollectEvidence(ctx, project, "v1.0")
	require.NoError(t, err)
	changed, _, err := s.Update(ctx, project, "v1.0", serviceapi.UpdateReleaseOptions{
		Name: new("One"), Milestones: []string{}, ReleasedAt: new(servicetest.Epoch.Add(time.Hour)),
	})
	require.NoError(t, err)
	assert.Equal(t, []any{"One", 0, true, 2},
		[]any{changed.Name, len(changed.Milestones), changed.UpcomingRelease, len(changed.Evidences)})
	_, _, err = s.Update(ctx, project, "v9", serviceapi.UpdateReleaseOptions{Name: new("Nine")})
	assert.ErrorIs(t, err, serviceapi.ErrForbidden, "not 404")

	book := serviceapi.CreateReleaseLinkOptions{Name: "runbook", URL: "https://run.test"}
	link, _, err := s.CreateLink(ctx, project, "v1.0", book)
	require.NoError(t, err)
	link, _, err = s.UpdateLink(ctx, project, "v1.0", link.ID, serviceapi.UpdateReleaseLinkOptions{
		Name: new("book"), LinkType: new(serviceapi.ReleaseLinkTypeRunbook),
	})
	require.NoError(t, err)
	again, _, err := s.GetLink(ctx, project, "v1.0", link.ID)
	require.NoError(t, err)
	assert.Equal(t, link, again)
	links, err := serviceapi.Collect(s.AllLinks(ctx, project, "v1.0", nil))
	require.NoError(t, err)
	assert.Equal(t, []string{"book", "notes", "app"}, []string{links[0].Name, links[1].Name, links[2].Name})
	book.Name = "other"
	_, _, err = s.CreateLink(ctx, project, "v1.0", book)
	assert.ErrorContains(t, err, "url has already been taken")
	gone, _, err := s.DeleteLink(ctx, project, "v1.0", link.ID)
	require.NoError(t, err)
	assert.Equal(t, link, gone)

	deleted, _, err := s.Delete(ctx, project, "v1.0")
	require.NoError(t, err)
	assert.Equal(t, "One", deleted.Name)
	assert.Equal(t, []string{"v1.0"}, app.Tags(), "the tag stays")
	_, _, err = s.Get(ctx, project, "v1.0", nil)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}

// TestReleasesAndTags checks that the releases that a test seeds are those of the calls,
// and that the deletion of a tag deletes its release.
func TestReleasesAndTags(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	for i, tag := range []string{"v1", "v2", "v3"} {
		app.Release(tag, "The release "+tag, servicetest.CreatedAt(servicetest.Epoch.AddDate(0, 0, -i)))
	}
	client, ctx, project := asRoot(t, svc), t.Context(), serviceapi.ProjectPath("acme/app")
	names := func(options *serviceapi.ListReleasesOptions) (all []string) {
		releases, err := serviceapi.Collect(client.Releases.All(ctx, project, options))
		require.NoError(t, err)
		for _, r := range releases {
			all = append(all, r.TagName)
		}
		return all
	}
	assert.Equal(t, []string{"v1", "v2", "v3"}, names(nil))
	assert.Equal(t, []string{"v3", "v2", "v1"}, names(&serviceapi.ListReleasesOptions{Sort: serviceapi.SortAscending}))
	assert.Equal(t, []string{"v2", "v3"},
		names(&serviceapi.ListReleasesOptions{UpdatedBefore: servicetest.Epoch.Add(-time.Hour)}))
	_, err := client.Tags.Delete(ctx, project, "v2")
	require.NoError(t, err)
	assert.Equal(t, []string{"v1", "v3"}, names(nil))
	assert.Len(t, app.Releases(), 2)
	app.Releases()[0].Link("notes", "https://notes.test")
	release, _, err := client.Releases.Get(ctx, project, "v1", nil)
	require.NoError(t, err)
	assert.Equal(t, "notes", release.Assets.Links[0].Name)
}

// TestReleasesOfOthers checks who may read and write releases.
func TestReleasesOfOthers(t *testing.T) {
	svc := servicetest.New(t)
	guest, developer := svc.User("guest"), svc.User("developer")
	app := svc.Project("acme/app", servicetest.Member(guest, servicetest.Guest),
		servicetest.Member(developer, servicetest.Developer))
	app.Release("v1", "One")
	app.ProtectTag("v*")
	open := svc.Project("acme/open", servicetest.Public())
	open.Release("v1", "One")
	ctx, project := t.Context(), serviceapi.ProjectPath("acme/app")
	release, _, err := as(t, svc, guest).Releases.Get(ctx, project, "v1", nil)
	require.NoError(t, err)
	assert.Equal(t, "v1", release.Name)
	assert.Empty(t, release.TagName)
	assert.Nil(t, release.Commit)
	assert.Empty(t, release.Assets.Sources)
	_, _, err = asAnybody(t, svc).Releases.List(ctx, project, nil)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	release, _, err = asAnybody(t, svc).Releases.Latest(ctx, serviceapi.ProjectPath("acme/open"), nil)
	require.NoError(t, err)
	assert.Equal(t, "v1", release.TagName)
	_, _, err = as(t, svc, guest).Releases.Delete(ctx, project, "v1")
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, _, err = as(t, svc, developer).Releases.Create(ctx, project,
		serviceapi.CreateReleaseOptions{TagName: "v2", Ref: new("main")})
	assert.ErrorIs(t, err, serviceapi.ErrForbidden, "the tag is protected")
	assert.Equal(t, []string{"v1"}, app.Tags())

	job := app.Pipeline("main", servicetest.By(developer)).Job("publish", servicetest.Running(),
		servicetest.By(developer))
	made, _, err := with(t, svc, serviceapi.JobToken(job.Token())).Releases.Create(ctx, project,
		serviceapi.CreateReleaseOptions{TagName: "nightly", Ref: new("main")})
	require.NoError(t, err)
	assert.Equal(t, "developer", made.Author.Username)
}

// TestReleaseEvents checks what hooks are told of releases.
func TestReleaseEvents(t *testing.T) {
	w := newWorld(t)
	s := w.client.Releases
	w.svc.Flush()
	w.inbox.said()
	w.app.Tag("v1.0", "main")
	_, _, err := s.Create(w.ctx, w.project, serviceapi.CreateReleaseOptions{
		TagName: "v1.0", Description: new("# One"),
		Assets: &serviceapi.CreateReleaseAssets{Links: []serviceapi.CreateReleaseLinkOptions{
			{Name: "app", URL: "https://store.test/app"},
		}},
	})
	require.NoError(t, err)
	_, _, err = s.Update(w.ctx, w.project, "v1.0", serviceapi.UpdateReleaseOptions{Name: new("One")})
	require.NoError(t, err)
	_, err = w.client.Tags.Delete(w.ctx, w.project, "v1.0")
	require.NoError(t, err)
	w.svc.Flush()
	var events []*webhook.ReleaseEvent
	for _, event := range w.inbox.events {
		if e, ok := event.(*webhook.ReleaseEvent); ok {
			events = append(events, e)
		}
	}
	require.Len(t, events, 3)
	assert.Equal(t, []webhook.ReleaseAction{"create", "update", "delete"},
		[]webhook.ReleaseAction{events[0].Action, events[1].Action, events[2].Action})
	assert.Equal(t, []any{"v1.0", "# One", 5, w.app.Head("main"), servicetest.Epoch},
		[]any{events[0].Tag, events[0].Description, events[0].Assets.Count, events[0].Commit.ID, events[0].CreatedAt})
	assert.Equal(t, []webhook.ReleaseLink{
		{ID: 1, LinkType: webhook.ReleaseLinkTypeOther, Name: "app", URL: "https://store.test/app"},
	}, events[0].Assets.Links)
	assert.Equal(t, "One", events[1].Name)
	assert.Nil(t, events[2].Commit, "the tag is gone")

	w.app.Release("v2.0", "Two")
	hook, _, err := w.client.Hooks.List(w.ctx, w.project, nil)
	require.NoError(t, err)
	w.svc.Flush()
	w.inbox.said()
	_, err = w.client.Hooks.Test(w.ctx, w.project, hook[0].ID, serviceapi.HookTriggerReleases)
	require.NoError(t, err)
	assert.Equal(t, []string{"ReleaseEvent"}, w.inbox.said())
}
