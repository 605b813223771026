package wiretests

import (
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// linkedIssue is testdata/issue_links/linked_issue.json. It has all fields of an issue but
// Subscribed.
func linkedIssue(t *testing.T) *serviceapi.LinkedIssue {
	t.Helper()
	linked := &serviceapi.LinkedIssue{
		Issue: *wholeIssue(t), IssueLinkID: 8, LinkType: serviceapi.IssueLinkTypeIsBlockedBy,
		LinkCreatedAt: *at(t, "2026-03-04T15:31:51.081Z"), LinkUpdatedAt: *at(t, "2026-03-05T15:31:51.081Z"),
	}
	linked.Subscribed = nil
	return linked
}

func TestIssueLinks(t *testing.T) {
	const path, whole = issuePath + "/links", "issue_links/issue_link.json"
	list := "[" + fixture(t, "issue_links/linked_issue.json") + "]"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Query: "page=2", Body: list},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: list},
		exchange{Method: "GET", Path: path + "/8", Fixture: whole},
		exchange{Method: "POST", Path: path, JSON: `{"target_project_id":5,"target_issue_iid":7}`, Status: 201,
			Body: `{"source_issue":{"id":76},"target_issue":null,"link_type":"relates_to"}`},
		exchange{Method: "POST", Path: path, Status: 201, Fixture: whole,
			JSON: `{"target_project_id":"acme/tool","target_issue_iid":7,"link_type":"is_blocked_by"}`},
		exchange{Method: "DELETE", Path: path + "/8", Fixture: whole})
	s, ctx, issue := client.IssueLinks, t.Context(), serviceapi.ProjectPath("acme/app").Issue(6)
	want := []*serviceapi.LinkedIssue{linkedIssue(t)}
	links, _, err := s.List(ctx, issue, &serviceapi.ListOptions{Page: 2})
	require.NoError(t, err)
	assert.Equal(t, want, links)
	assert.Nil(t, links[0].Subscribed)
	links[0].Subscribed = new(false)
	assertFilled(t, links[0])
	links, err = serviceapi.Collect(s.All(ctx, issue, nil))
	require.NoError(t, err)
	assert.Equal(t, want, links)
	assert.Equal(t, serviceapi.ProjectID(4).Issue(6), links[0].Ref())
	wantLink := func(link *serviceapi.IssueLink, _ *serviceapi.Response, err error) {
		t.Helper()
		require.NoError(t, err)
		assert.Equal(t, &serviceapi.IssueLink{
			ID: new(int64(8)), SourceIssue: &serviceapi.Issue{ID: 77, IID: 7, ProjectID: 5, Title: "First"},
			TargetIssue: &serviceapi.Issue{
				ID:        76,
				IID:       6,
				ProjectID: 4,
				Title:     "Wrong numbers",
			}, LinkType: serviceapi.IssueLinkTypeBlocks,
		}, link)
	}
	wantLink(s.Get(ctx, issue, 8))
	older, _, err := s.Create(ctx, issue, serviceapi.CreateIssueLinkOptions{Target: serviceapi.ProjectID(5).Issue(7)})
	require.NoError(t, err)
	assert.Equal(
		t,
		&serviceapi.IssueLink{SourceIssue: &serviceapi.Issue{ID: 76}, LinkType: serviceapi.IssueLinkTypeRelatesTo},
		older,
	)
	wantLink(s.Create(ctx, issue, serviceapi.CreateIssueLinkOptions{
		Target: serviceapi.ProjectPath("acme/tool").Issue(7), LinkType: new(serviceapi.IssueLinkTypeIsBlockedBy),
	}))
	wantLink(s.Delete(ctx, issue, 8))
}

func TestIssueLinksArguments(t *testing.T) {
	s, ctx, issue := onWire(t).IssueLinks, t.Context(), serviceapi.ProjectID(4).Issue(6)
	failed := func(_ any, _ *serviceapi.Response, err error) error { return err }
	create := func(issue serviceapi.IssueRef, options serviceapi.CreateIssueLinkOptions) error {
		return failed(s.Create(ctx, issue, options))
	}
	_, err := serviceapi.Collect(s.All(ctx, serviceapi.IssueRef{}, nil))
	assertRefused(t, "issue", err)
	assertRefused(t, "issue_iid", failed(s.List(ctx, serviceapi.ProjectID(4).Issue(0), nil)))
	assertRefused(t, "issue_link_id", failed(s.Get(ctx, issue, 0)))
	assertRefused(t, "issue_link_id", failed(s.Delete(ctx, issue, -1)))
	assertRefused(t, "Target", create(issue, serviceapi.CreateIssueLinkOptions{}))
	assertRefused(
		t,
		"Target",
		create(issue, serviceapi.CreateIssueLinkOptions{Target: serviceapi.ProjectRef{}.Issue(7)}),
	)
	assertRefused(
		t,
		"Target",
		create(issue, serviceapi.CreateIssueLinkOptions{Target: serviceapi.ProjectID(5).Issue(0)}),
	)
	other := serviceapi.CreateIssueLinkOptions{Target: serviceapi.ProjectID(5).Issue(7)}
	assertRefused(t, "issue", create(serviceapi.IssueRef{}, other))
}
