package wiretests

import (
	"testing"
	"time"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const epicPath = "/groups/acme%2Fengines/epics/5"

var (
	enginesRef   = serviceapi.GroupPath("acme/engines").Epic(5)
	enginesShort = &serviceapi.Epic{ID: 31, IID: 5, GroupID: 7, Title: "Engines"}
)

func TestEpicIssues(t *testing.T) {
	const path, link = epicPath + "/issues", "epics/epic_issue_link.json"
	listed := "[" + fixture(t, "epics/epic_issue.json") + `,{"id":77,"epic_issue_id":12}]`
	client := onWire(t,
		exchange{Method: "GET", Path: path, Query: "page=2", Body: listed},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: listed},
		exchange{Method: "POST", Path: path + "/76", Status: 201, Fixture: link},
		exchange{Method: "PUT", Path: path + "/11", JSON: `{"move_before_id":12,"move_after_id":13}`, Body: listed},
		exchange{Method: "PUT", Path: path + "/11", JSON: `{}`, Status: 400,
			Body: `{"message":{"error":"Issue could not be moved!"}}`},
		exchange{Method: "DELETE", Path: path + "/11", Fixture: link})
	whole := &serviceapi.EpicIssue{Issue: *wholeIssue(t), EpicIssueID: 11, RelativePosition: new(513)}
	whole.Subscribed = nil
	want := []*serviceapi.EpicIssue{whole, {Issue: serviceapi.Issue{ID: 77}, EpicIssueID: 12}}
	s, ctx := client.Epics, t.Context()
	issues, _, err := s.ListIssues(ctx, enginesRef, &serviceapi.ListOptions{Page: 2})
	require.NoError(t, err)
	assert.Equal(t, want, issues)
	assert.Equal(t, serviceapi.ProjectID(4).Issue(6), issues[0].Ref())
	issues, err = serviceapi.Collect(s.AllIssues(ctx, enginesRef, nil))
	require.NoError(t, err)
	assert.Equal(t, want, issues)
	wantLink := func(link *serviceapi.EpicIssueLink, _ *serviceapi.Response, err error) {
		t.Helper()
		require.NoError(t, err)
		assert.Equal(t, &serviceapi.EpicIssueLink{
			ID: 11, RelativePosition: new(513), Epic: enginesShort,
			Issue: &serviceapi.Issue{ID: 76, IID: 6, ProjectID: 4, Title: "Wrong numbers"},
		}, link)
	}
	wantLink(s.AddIssue(ctx, enginesRef, 76))
	issues, _, err = s.MoveIssue(ctx, enginesRef, 11,
		serviceapi.MoveEpicIssueOptions{MoveBeforeID: new(int64(12)), MoveAfterID: new(int64(13))})
	require.NoError(t, err)
	assert.Equal(t, want, issues)
	_, _, err = s.MoveIssue(ctx, enginesRef, 11, serviceapi.MoveEpicIssueOptions{})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
	assert.ErrorContains(t, err, "Issue could not be moved!")
	wantLink(s.RemoveIssue(ctx, enginesRef, 11))
}

func TestEpicChildren(t *testing.T) {
	const path, child = epicPath + "/epics", "epics/epic.json"
	listed := "[" + fixture(t, child) + "]"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Query: "page=2", Body: listed},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: listed},
		exchange{Method: "POST", Path: path, JSON: `{"title":"Pistons","confidential":true}`, Status: 201,
			Fixture: "epics/created_child_epic.json"},
		exchange{Method: "POST", Path: path, JSON: `{"title":"Pistons"}`, Status: 400,
			Body: `{"message":{"base":["A non-confidential epic cannot be assigned"]}}`},
		exchange{Method: "POST", Path: path + "/41", Status: 201, Fixture: child},
		exchange{Method: "PUT", Path: path + "/41", JSON: `{"move_before_id":42,"move_after_id":43}`, Body: listed},
		exchange{Method: "PUT", Path: path + "/41", JSON: `{}`, Status: 404, Body: `{"message":"404 Not Found"}`},
		exchange{Method: "DELETE", Path: path + "/41", Fixture: child})
	s, ctx, pistons := client.Epics, t.Context(), serviceapi.GroupID(7).EpicByID(41)
	want := []*serviceapi.Epic{engines(t)}
	children, _, err := s.ListChildren(ctx, enginesRef, &serviceapi.ListOptions{Page: 2})
	require.NoError(t, err)
	assert.Equal(t, want, children)
	children, err = serviceapi.Collect(s.AllChildren(ctx, enginesRef, nil))
	require.NoError(t, err)
	assert.Equal(t, want, children)
	created, _, err := s.CreateChild(ctx, enginesRef,
		serviceapi.CreateChildEpicOptions{Title: "Pistons", Confidential: new(true)})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.CreatedChildEpic{
		ID: 41, IID: 6, Title: "Pistons", GroupID: 7, ParentID: 31, HasChildren: true, HasIssues: true,
		Reference: "&6", URL: "/groups/acme/-/epics/6", RelationURL: "/groups/acme/-/epics/5/links/41",
	}, created)
	assertFilled(t, created)
	assert.Equal(t, "7&6", created.Ref().String())
	_, _, err = s.CreateChild(ctx, enginesRef, serviceapi.CreateChildEpicOptions{Title: "Pistons"})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
	wantChild := func(child *serviceapi.Epic, _ *serviceapi.Response, err error) {
		t.Helper()
		require.NoError(t, err)
		assert.Equal(t, want[0], child)
	}
	wantChild(s.AddChild(ctx, enginesRef, created.Ref()))
	children, _, err = s.MoveChild(ctx, enginesRef, pistons,
		serviceapi.MoveChildEpicOptions{MoveBeforeID: new(int64(42)), MoveAfterID: new(int64(43))})
	require.NoError(t, err)
	assert.Equal(t, want, children)
	_, _, err = s.MoveChild(ctx, enginesRef, pistons, serviceapi.MoveChildEpicOptions{})
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	wantChild(s.RemoveChild(ctx, enginesRef, pistons))
}

func TestRelatedEpics(t *testing.T) {
	const path, links, whole = epicPath + "/related_epics", "/groups/7/related_epic_links", "epics/epic_link.json"
	listed, related := "["+fixture(t, whole)+"]", "["+fixture(t, "epics/related_epic.json")+"]"
	client := onWire(t,
		exchange{Method: "GET", Path: links, Body: listed, Query: "created_after=2026-01-01T00%3A00%3A00.5Z" +
			"&created_before=2026-01-02T00%3A00%3A00.5Z&page=2&updated_after=2026-01-03T00%3A00%3A00.5Z" +
			"&updated_before=2026-01-04T00%3A00%3A00.5Z"},
		exchange{Method: "GET", Path: links, Query: "per_page=100", Body: listed},
		exchange{Method: "GET", Path: path, Query: "page=2", Body: related},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: related},
		exchange{Method: "POST", Path: path, Status: 201, Fixture: whole,
			JSON: `{"target_group_id":8,"target_epic_iid":2,"link_type":"blocks"}`},
		exchange{Method: "POST", Path: path, JSON: `{"target_group_id":"acme/wheels","target_epic_iid":2}`, Status: 409,
			Body: `{"message":"Epic(s) already assigned"}`},
		exchange{Method: "DELETE", Path: path + "/4", Fixture: whole})
	s, ctx := client.Epics, t.Context()
	want := &serviceapi.EpicLink{
		ID: 4, SourceEpic: enginesShort,
		TargetEpic: &serviceapi.Epic{ID: 40, IID: 2, GroupID: 8, Title: "Wheels"},
		LinkType:   serviceapi.EpicLinkTypeBlocks,
		CreatedAt:  *at(t, "2026-03-04T15:31:51.081Z"), UpdatedAt: *at(t, "2026-03-05T15:31:51.081Z"),
	}
	half := func(day int) time.Time { return january(day).Add(time.Second / 2) }
	all, _, err := s.ListLinks(ctx, serviceapi.GroupID(7), &serviceapi.ListEpicLinksOptions{
		ListOptions: serviceapi.ListOptions{Page: 2}, CreatedAfter: half(1), CreatedBefore: half(2),
		UpdatedAfter: half(3), UpdatedBefore: half(4),
	})
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.EpicLink{want}, all)
	all, err = serviceapi.Collect(s.AllLinks(ctx, serviceapi.GroupID(7), nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.EpicLink{want}, all)
	wantRelated := &serviceapi.RelatedEpic{
		Epic: *engines(t), RelatedEpicLinkID: 4, LinkType: serviceapi.EpicLinkTypeIsBlockedBy,
		LinkCreatedAt: *at(t, "2026-03-04T15:31:51.081Z"), LinkUpdatedAt: *at(t, "2026-03-05T15:31:51.081Z"),
	}
	wantRelated.Subscribed = nil
	epics, _, err := s.ListRelated(ctx, enginesRef, &serviceapi.ListOptions{Page: 2})
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.RelatedEpic{wantRelated}, epics)
	assert.Equal(t, "7&5", epics[0].Ref().String())
	epics, err = serviceapi.Collect(s.AllRelated(ctx, enginesRef, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.RelatedEpic{wantRelated}, epics)
	link, _, err := s.CreateLink(ctx, enginesRef, serviceapi.CreateEpicLinkOptions{
		Target: serviceapi.GroupID(8).Epic(2), LinkType: new(serviceapi.EpicLinkTypeBlocks),
	})
	require.NoError(t, err)
	assert.Equal(t, want, link)
	_, _, err = s.CreateLink(ctx, enginesRef,
		serviceapi.CreateEpicLinkOptions{Target: serviceapi.GroupPath("acme/wheels").Epic(2)})
	require.ErrorIs(t, err, serviceapi.ErrConflict)
	link, _, err = s.DeleteLink(ctx, enginesRef, 4)
	require.NoError(t, err)
	assert.Equal(t, want, link)
}

// TestEpicRelationsArguments checks that no kind of ID is taken for another one.
func TestEpicRelationsArguments(t *testing.T) {
	s, ctx, byID := onWire(t).Epics, t.Context(), serviceapi.GroupID(7).EpicByID(31)
	failed := func(_ any, _ *serviceapi.Response, err error) error { return err }
	assertRefused(t, "epic", failed(s.ListIssues(ctx, byID, nil)))
	assertRefused(t, "epic", failed(s.ListRelated(ctx, serviceapi.EpicRef{}, nil)))
	assertRefused(t, "issue_id", failed(s.AddIssue(ctx, enginesRef, 0)))
	assertRefused(t, "epic_issue_id", failed(s.MoveIssue(ctx, enginesRef, 0, serviceapi.MoveEpicIssueOptions{})))
	assertRefused(t, "epic_issue_id", failed(s.RemoveIssue(ctx, enginesRef, -1)))
	assertRefused(t, "child", failed(s.AddChild(ctx, enginesRef, serviceapi.GroupID(7).Epic(6))))
	assertRefused(t, "child_epic_id", failed(s.RemoveChild(ctx, enginesRef, serviceapi.EpicRef{})))
	assertRefused(t, "epic", failed(s.MoveChild(ctx, byID, byID, serviceapi.MoveChildEpicOptions{})))
	assertRefused(t, "Title", failed(s.CreateChild(ctx, enginesRef, serviceapi.CreateChildEpicOptions{})))
	assertRefused(t, "id", failed(s.ListLinks(ctx, serviceapi.GroupRef{}, nil)))
	assertRefused(t, "Target", failed(s.CreateLink(ctx, enginesRef, serviceapi.CreateEpicLinkOptions{})))
	assertRefused(t, "Target", failed(s.CreateLink(ctx, enginesRef, serviceapi.CreateEpicLinkOptions{Target: byID})))
	assertRefused(t, "related_epic_link_id", failed(s.DeleteLink(ctx, enginesRef, 0)))
}
