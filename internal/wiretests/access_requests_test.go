package wiretests

import (
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// wholeAccessRequest is testdata/access_requests/access_request.json.
func wholeAccessRequest(t *testing.T) *serviceapi.AccessRequest {
	return &serviceapi.AccessRequest{
		UserSummary: serviceapi.UserSummary{
			ID: 4, Username: "grace", Name: "Grace Hopper", State: serviceapi.UserStateActive, Locked: true,
			PublicEmail: "grace@example.com", AvatarURL: "https://service.test/avatars/4.png",
			WebURL: "https://service.test/grace",
		}, RequestedAt: *at(t, "2026-10-22T14:13:35Z"),
		CreatedAt: at(t, "2026-10-22T14:13:34Z"),
	}
}

// accessRequestOwners are both owners, by the path of their requests.
var accessRequestOwners = map[string]serviceapi.AccessRequestOwner{
	"/projects/acme%2Fapp/access_requests": serviceapi.ProjectPath(
		"acme/app",
	), "/groups/7/access_requests": serviceapi.GroupID(7),
}

func accessRequestLists(
	c *serviceapi.Client,
) ownedList[serviceapi.AccessRequestOwner, *serviceapi.ListOptions, *serviceapi.AccessRequest] {
	return ownedList[serviceapi.AccessRequestOwner, *serviceapi.ListOptions, *serviceapi.AccessRequest]{
		c.AccessRequests.List,
		c.AccessRequests.All,
	}
}

func TestAccessRequestsLists(t *testing.T) {
	for path, owner := range accessRequestOwners {
		t.Run(path, func(t *testing.T) {
			exchanges := ownedExchanges(path, "page=2&per_page=5", "")
			whole := "[" + fixture(t, "access_requests/access_request.json") + "]"
			exchanges[0].Body, exchanges[2].Body = whole, whole
			accessRequestLists(onWire(t, exchanges...)).wants(t, owner, &serviceapi.ListOptions{Page: 2, PerPage: 5},
				[]*serviceapi.AccessRequest{wholeAccessRequest(t)})
		})
	}
	assertFilled(t, wholeAccessRequest(t))
}

func TestAccessRequestsListsRefuse(t *testing.T) {
	lists := accessRequestLists(onWire(t))
	lists.refuses(t, "owner", nil, nil, &somewhere, &someTeam, (*serviceapi.ProjectRef)(nil))
	lists.refuses(t, "id", nil, serviceapi.ProjectRef{}, serviceapi.GroupRef{})
	lists.refuses(t, "PerPage", &serviceapi.ListOptions{PerPage: -1}, serviceapi.GroupID(7))
}

func TestAccessRequests(t *testing.T) {
	for path, owner := range accessRequestOwners {
		client := onWire(t,
			exchange{Method: "POST", Path: path, Status: 201, Fixture: "access_requests/access_request.json"},
			exchange{Method: "PUT", Path: path + "/4/approve", JSON: `{}`, Status: 201, Fixture: "members/member.json"},
			exchange{Method: "PUT", Path: path + "/4/approve", JSON: `{"access_level":20}`, Status: 201,
				Body: `{"id":4,"username":"grace","created_at":"2026-10-22T14:13:35Z","access_level":20}`},
			exchange{Method: "DELETE", Path: path + "/4", Status: 204})
		s, ctx := client.AccessRequests, t.Context()
		request, _, err := s.Create(ctx, owner)
		require.NoError(t, err)
		assert.Equal(t, wholeAccessRequest(t), request)
		member, resp, err := s.Approve(ctx, owner, serviceapi.UserID(4), serviceapi.ApproveAccessRequestOptions{})
		require.NoError(t, err)
		assert.Equal(t, 201, resp.StatusCode)
		assert.Equal(t, grace(t), member)
		member, _, err = s.Approve(ctx, owner, serviceapi.UserID(4),
			serviceapi.ApproveAccessRequestOptions{AccessLevel: new(serviceapi.AccessLevelReporter)})
		require.NoError(t, err)
		assert.Equal(
			t,
			&serviceapi.Member{UserSummary: serviceapi.UserSummary{ID: 4, Username: "grace"}, CreatedAt: *at(t,
				"2026-10-22T14:13:35Z"),
				AccessLevel: serviceapi.AccessLevelReporter},
			member,
			"as older releases send it",
		)
		resp, err = s.Delete(ctx, owner, serviceapi.UserID(4))
		require.NoError(t, err)
		assert.Equal(t, 204, resp.StatusCode)
	}
}

func TestAccessRequestsArguments(t *testing.T) {
	s, ctx := onWire(t).AccessRequests, t.Context()
	assertRefused(t, "owner", errorOf(s.Create(ctx, nil)))
	assertRefused(
		t,
		"user",
		errorOf(
			s.Approve(
				ctx,
				serviceapi.ProjectID(4),
				serviceapi.Username("grace"),
				serviceapi.ApproveAccessRequestOptions{},
			),
		),
	)
	assertRefused(
		t,
		"user_id",
		errorOf(
			s.Approve(ctx, serviceapi.ProjectID(4), serviceapi.UserID(0), serviceapi.ApproveAccessRequestOptions{}),
		),
	)
	_, err := s.Delete(ctx, serviceapi.GroupID(7), serviceapi.UserRef{})
	assertRefused(t, "user_id", err)
}
