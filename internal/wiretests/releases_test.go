package wiretests

import (
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const appReleases = "/projects/acme%2Fapp/releases"

// engineLink is releases/link.json.
func engineLink() *serviceapi.ReleaseLink {
	return &serviceapi.ReleaseLink{
		ID: 2, Name: "app.zip", URL: "https://store.test/app.zip", LinkType: serviceapi.ReleaseLinkTypePackage,
		External:       new(true),
		DirectAssetURL: "https://service.test/acme/app/-/releases/v1.0/downloads/app.zip",
	}
}

// engineRelease is releases/release.json.
func engineRelease(t testing.TB) *serviceapi.Release {
	const web = "https://service.test/acme/app/-/"
	return &serviceapi.Release{
		TagName: "v1.0", Name: "The engine", Description: "**New**", DescriptionHTML: "<p>New</p>",
		CreatedAt: *at(t, "2026-01-05T08:30:00.120Z"), ReleasedAt: *at(t, "2026-01-06T08:30:00Z"),
		UpcomingRelease: true, HistoricalRelease: new(true), Commit: sanitizeCommit(t),
		Author: &serviceapi.UserSummary{
			ID: 8, Name: "Ada Lovelace", Username: "ada", State: serviceapi.UserStateActive,
			AvatarURL: "https://service.test/uploads/ada.png", WebURL: "https://service.test/ada",
		},
		Milestones: []*serviceapi.ReleaseMilestone{{
			Milestone: serviceapi.Milestone{
				ID: 12, IID: 3, ProjectID: new(int64(4)), GroupID: new(int64(7)), Title: "v2.0",
				Description: "The second engine.", State: serviceapi.MilestoneStateActive, CreatedAt: *at(t,
					"2026-01-01T00:00:00Z"),
				UpdatedAt: *at(t, "2026-01-02T00:00:00Z"), DueDate: new(serviceapi.NewDate(2026, 4, 30)),
				StartDate: new(serviceapi.NewDate(2026, 1, 1)), Expired: new(false), WebURL: web + "milestones/3",
			},
			IssueStats: &serviceapi.ReleaseIssueStats{Total: 99, Closed: 76},
		}},
		CommitPath: "/acme/app/-/commit/6104942438c14ec7bd21c6cd5bd995272b3faff6", TagPath: "/acme/app/-/tags/v1.0",
		Assets: &serviceapi.ReleaseAssets{
			Count: 2, Links: []*serviceapi.ReleaseLink{engineLink()},
			EvidenceFilePath: web + "releases/v1.0/evidence.json",
			Sources: []*serviceapi.ReleaseSource{
				{Format: serviceapi.ArchiveFormatZip, URL: web + "archive/v1.0/app-v1.0.zip"},
			},
		},
		Evidences: []*serviceapi.ReleaseEvidence{{
			SHA: "760d6cdfb0879c3ffedec13af470e0f71cf52c6cde4d", FilePath: web + "releases/v1.0/evidences/1.json",
			CollectedAt: *at(t, "2026-01-05T08:31:00Z"),
		}},
		URLs: &serviceapi.ReleaseURLs{
			Self: web + "releases/v1.0", EditURL: web + "releases/v1.0/edit",
			ClosedIssuesURL: web + "issues?state=closed", OpenedIssuesURL: web + "issues?state=opened",
			ClosedMergeRequestsURL: web + "merge_requests?state=closed",
			MergedMergeRequestsURL: web + "merge_requests?state=merged",
			OpenedMergeRequestsURL: web + "merge_requests?state=opened",
		},
		EvidenceSHA: "760d6cdf",
	}
}

func TestReleasesLists(t *testing.T) {
	body := "[" + fixture(t, "releases/release.json") + `,{"tag_name":"v0.9","description":null}]`
	client := onWire(t,
		exchange{Method: "GET", Path: appReleases, Body: body},
		exchange{
			Method: "GET", Path: appReleases, Body: body,
			Query: "include_html_description=true&order_by=created_at&page=2&sort=asc" +
				"&updated_after=2026-01-01T00%3A00%3A00Z&updated_before=2026-01-02T00%3A00%3A00Z",
		},
		exchange{Method: "GET", Path: appReleases, Query: "per_page=100", Body: body})
	s, ctx, app := client.Releases, t.Context(), serviceapi.ProjectPath("acme/app")
	want := []*serviceapi.Release{engineRelease(t), {TagName: "v0.9"}}
	for _, options := range []*serviceapi.ListReleasesOptions{nil, {
		ListOptions: serviceapi.ListOptions{Page: 2}, OrderBy: serviceapi.ReleaseOrderByCreatedAt,
		Sort:                   serviceapi.SortAscending,
		IncludeHTMLDescription: true, UpdatedAfter: january(1), UpdatedBefore: january(2),
	}} {
		releases, _, err := s.List(ctx, app, options)
		require.NoError(t, err)
		assert.Equal(t, want, releases)
		assertFilled(t, releases[0])
	}
	releases, err := serviceapi.Collect(s.All(ctx, app, nil))
	require.NoError(t, err)
	assert.Equal(t, want, releases)
}

func TestReleases(t *testing.T) {
	const whole = "releases/release.json"
	client := onWire(t,
		exchange{Method: "GET", Path: appReleases + "/release%2F1", Query: "include_html_description=true",
			Fixture: whole},
		exchange{Method: "POST", Path: appReleases, JSON: `{"tag_name":"v1.0"}`, Status: 201, Fixture: whole},
		exchange{Method: "POST", Path: appReleases, Status: 201, Fixture: whole, JSON: `{
			"tag_name":"v1.0","ref":"main","tag_message":"First","name":"The engine","description":"**New**",
			"milestones":["v2.0"],"milestone_ids":[12],"released_at":"2026-01-01T00:00:00Z",
			"assets":{"links":[{"name":"app.zip","url":"https://store.test/app.zip","direct_asset_path":"/app.zip",
			"filepath":"/app.zip","link_type":"package"},{"name":"notes","url":"https://a.test"}]}}`},
		exchange{Method: "PUT", Path: appReleases + "/v1.0", JSON: `{"milestones":[]}`, Fixture: whole},
		exchange{Method: "PUT", Path: appReleases + "/v1.0", Fixture: whole, JSON: `{
			"name":"","description":"New","milestone_ids":[12],"released_at":"2026-01-01T00:00:00Z"}`},
		exchange{Method: "POST", Path: appReleases + "/v1.0/evidence", Body: "1"},
		exchange{Method: "DELETE", Path: appReleases + "/v1.0", Fixture: whole})
	s, ctx, app, path := client.Releases, t.Context(), serviceapi.ProjectPath("acme/app"), "/app.zip"
	same := func(release *serviceapi.Release, _ *serviceapi.Response, err error) {
		t.Helper()
		require.NoError(t, err)
		assert.Equal(t, engineRelease(t), release)
	}
	same(s.Get(ctx, app, "release/1", &serviceapi.GetReleaseOptions{IncludeHTMLDescription: true}))
	same(s.Create(ctx, app, serviceapi.CreateReleaseOptions{TagName: "v1.0"}))
	same(s.Create(ctx, app, serviceapi.CreateReleaseOptions{
		TagName: "v1.0", Ref: new("main"), TagMessage: new("First"), Name: new("The engine"),
		Description: new("**New**"),
		Milestones:  []string{"v2.0"}, MilestoneIDs: []int64{12}, ReleasedAt: new(january(1)),
		Assets: &serviceapi.CreateReleaseAssets{Links: []serviceapi.CreateReleaseLinkOptions{{
			Name: "app.zip", URL: "https://store.test/app.zip", DirectAssetPath: &path, FilePath: &path,
			LinkType: new(serviceapi.ReleaseLinkTypePackage),
		}, {Name: "notes", URL: "https://a.test"}}},
	}))
	same(s.Update(ctx, app, "v1.0", serviceapi.UpdateReleaseOptions{Milestones: []string{}}))
	same(s.Update(ctx, app, "v1.0", serviceapi.UpdateReleaseOptions{
		Name: new(""), Description: new("New"), MilestoneIDs: []int64{12}, ReleasedAt: new(january(1)),
	}))
	_, err := s.CollectEvidence(ctx, app, "v1.0")
	require.NoError(t, err)
	same(s.Delete(ctx, app, "v1.0"))

	s = onWire(t).Releases
	assertRefused(t, "tag_name", errorOf(s.Get(ctx, app, "", nil)))
	assertRefused(t, "id", errorOf(s.Latest(ctx, serviceapi.ProjectRef{}, nil)))
}

// TestLatestRelease checks that the redirect to the release is followed with the
// credential and the query.
func TestLatestRelease(t *testing.T) {
	const query = "include_html_description=true"
	client := onWire(t,
		exchange{
			Method: "GET", Path: appReleases + "/permalink/latest", Query: query, Status: 302,
			ResponseHeader: map[string]string{"Location": "/api/v4/projects/4/releases/v1.0?" + query},
		},
		exchange{Method: "GET", Path: "/projects/4/releases/v1.0", Query: query, Fixture: "releases/release.json"})
	options := &serviceapi.GetReleaseOptions{IncludeHTMLDescription: true}
	release, resp, err := client.Releases.Latest(t.Context(), serviceapi.ProjectPath("acme/app"), options)
	require.NoError(t, err)
	assert.Equal(t, engineRelease(t), release)
	assert.Equal(t, 200, resp.StatusCode)
}

func TestReleaseLinks(t *testing.T) {
	const path, whole = appReleases + "/v1.0/assets/links", "releases/link.json"
	body := "[" + fixture(t, whole) + `,{"id":1}]`
	client := onWire(t,
		exchange{Method: "GET", Path: path, Query: "page=2", Body: body},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: body},
		exchange{Method: "GET", Path: path + "/2", Fixture: whole},
		exchange{Method: "POST", Path: path, JSON: `{"name":"app.zip","url":"https://a.test"}`, Status: 201,
			Fixture: whole},
		exchange{Method: "PUT", Path: path + "/2", Fixture: whole, JSON: `{
			"name":"app.zip","url":"https://a.test","direct_asset_path":"/a","filepath":"/a","link_type":"image"}`},
		exchange{Method: "DELETE", Path: path + "/2", Fixture: whole})
	s, ctx, app, want := client.Releases, t.Context(), serviceapi.ProjectPath(
		"acme/app",
	), []*serviceapi.ReleaseLink{
		engineLink(),
		{ID: 1},
	}
	links, _, err := s.ListLinks(ctx, app, "v1.0", &serviceapi.ListOptions{Page: 2})
	require.NoError(t, err)
	assert.Equal(t, want, links)
	assertFilled(t, links[0])
	links, err = serviceapi.Collect(s.AllLinks(ctx, app, "v1.0", nil))
	require.NoError(t, err)
	assert.Equal(t, want, links)
	same := func(link *serviceapi.ReleaseLink, _ *serviceapi.Response, err error) {
		t.Helper()
		require.NoError(t, err)
		assert.Equal(t, engineLink(), link)
	}
	same(s.GetLink(ctx, app, "v1.0", 2))
	same(s.CreateLink(ctx, app, "v1.0", serviceapi.CreateReleaseLinkOptions{Name: "app.zip", URL: "https://a.test"}))
	same(s.UpdateLink(ctx, app, "v1.0", 2, serviceapi.UpdateReleaseLinkOptions{
		Name: new("app.zip"), URL: new("https://a.test"), DirectAssetPath: new("/a"), FilePath: new("/a"),
		LinkType: new(serviceapi.ReleaseLinkTypeImage),
	}))
	same(s.DeleteLink(ctx, app, "v1.0", 2))
	assertRefused(t, "link_id", errorOf(onWire(t).Releases.GetLink(ctx, app, "v1.0", 0)))
}
