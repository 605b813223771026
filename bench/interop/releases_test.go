package interop

import (
	"testing"

	"github.com/stretchr/testify/assert"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestReleases(t *testing.T) {
	e := start(t)
	project := e.svc.Project(app)
	project.Milestone("1.0")
	releases, links := e.admin.Releases, e.admin.ReleaseLinks
	made := got(releases.CreateRelease(app, &clientgo.CreateReleaseOptions{
		TagName: new("v1.0"), Ref: new("main"), TagMessage: new("First"), Description: new("# One"),
		Milestones: new([]string{"1.0"}),
		Assets: &clientgo.ReleaseAssetsOptions{Links: []*clientgo.ReleaseAssetLinkOptions{
			{
				Name: new("app"), URL: new("https://store.test/app"), DirectAssetPath: new("/app"),
				LinkType: new(clientgo.PackageLinkType),
			},
		}},
	})).ok(e, 201)
	assert.Equal(t, []any{"v1.0", "root", project.Head("main"), int64(5), "1.0"},
		[]any{made.Name, made.Author.Username, made.Commit.ID, made.Assets.Count, made.Milestones[0].Title})
	got(releases.CreateRelease(app, &clientgo.CreateReleaseOptions{TagName: new("v1.0")})).refused(e, 409)
	request[any](e.admin, "POST", "projects/acme%2Fapp/releases/v1.0/evidence", nil).ok(e, 200)
	project.Release("v1.1", "Two")
	project.Release("v1.2", "Three")

	byTag := func(r *clientgo.Release) string { return r.TagName }
	oldest := &clientgo.ListReleasesOptions{OrderBy: new("created_at"), Sort: new("asc")}
	list := walk1(e, releases.ListReleases, app, oldest)
	assert.Equal(t, []string{"v1.0", "v1.1", "v1.2"}, each(list, byTag))
	one := got(releases.GetRelease(app, "v1.0")).ok(e, 200)
	assert.Len(t, one.Evidences, 2)
	assert.Equal(t, "v1.2", got(releases.GetLatestRelease(app)).ok(e, 200).TagName)
	changed := got(releases.UpdateRelease(app, "v1.0", &clientgo.UpdateReleaseOptions{
		Name: new("One"), Description: new("New"), Milestones: new([]string{}),
	})).ok(e, 200)
	assert.Equal(t, []any{"One", "New", 0}, []any{changed.Name, changed.Description, len(changed.Milestones)})

	for _, name := range []string{"notes", "book"} {
		options := &clientgo.CreateReleaseLinkOptions{Name: &name, URL: new("https://a.test/" + name)}
		link := got(links.CreateReleaseLink(app, "v1.0", options)).ok(e, 201)
		assert.Equal(t, clientgo.OtherLinkType, link.LinkType)
	}
	all := walk2(e, links.ListReleaseLinks, app, "v1.0", nil)
	assert.Equal(t, []string{"book", "notes", "app"}, each(all, func(l *clientgo.ReleaseLink) string { return l.Name }))
	id := all[0].ID
	assert.Equal(t, "book", got(links.GetReleaseLink(app, "v1.0", id)).ok(e, 200).Name)
	link := got(links.UpdateReleaseLink(app, "v1.0", id, &clientgo.UpdateReleaseLinkOptions{
		Name: new("runbook"), LinkType: new(clientgo.RunbookLinkType),
	})).ok(e, 200)
	assert.Equal(t, clientgo.RunbookLinkType, link.LinkType)
	got(links.DeleteReleaseLink(app, "v1.0", id)).ok(e, 200)
	got(links.GetReleaseLink(app, "v1.0", id)).refused(e, 404)
	got(releases.DeleteRelease(app, "v1.0")).ok(e, 200)
	got(releases.DeleteRelease(app, "v1.0")).refused(e, 403)
	assert.Len(t, project.Tags(), 3)
}
