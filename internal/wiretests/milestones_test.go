package wiretests

import (
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// secondEngine is testdata/milestones/milestone.json.
func secondEngine(t *testing.T) *serviceapi.Milestone {
	return &serviceapi.Milestone{
		ID: 12, IID: 3, ProjectID: new(int64(4)), GroupID: new(int64(7)), Title: "v2.0",
		Description: "The second engine.", State: serviceapi.MilestoneStateActive,
		CreatedAt: *at(t, "2026-01-01T00:00:00Z"), UpdatedAt: *at(t, "2026-01-02T00:00:00Z"),
		DueDate: new(
			serviceapi.NewDate(2026, 4, 30),
		), StartDate: new(serviceapi.NewDate(2026, 1, 1)), Expired: new(false),
		WebURL: "https://service.test/acme/app/-/milestones/3",
	}
}

func TestMilestones(t *testing.T) {
	const whole = "milestones/milestone.json"
	for _, o := range planningOwners {
		path := o.path + "/milestones"
		one := path + "/12"
		client := onWire(t,
			exchange{Method: "GET", Path: one, Fixture: whole},
			exchange{Method: "POST", Path: path, Status: 201, Fixture: whole, JSON: `{"title":"v2.0",` +
				`"description":"The second engine.","due_date":"2026-04-30","start_date":"2026-01-01"}`},
			exchange{Method: "POST", Path: path, Status: 400, JSON: `{"title":"v2.0"}`,
				Body: `{"message":"Failed to create milestone {:title=>[\"already being used\"]}"}`},
			exchange{Method: "PUT", Path: one, Fixture: whole, JSON: `{"title":"v2","description":"","due_date":"",` +
				`"start_date":"2026-01-01","state_event":"close"}`},
			exchange{Method: "PUT", Path: one, Fixture: whole, JSON: `{"state_event":"activate"}`},
			exchange{Method: "DELETE", Path: one, Status: 204})
		s, ctx := client.Milestones, t.Context()
		check := func(got *serviceapi.Milestone, _ *serviceapi.Response, err error) {
			t.Helper()
			require.NoError(t, err)
			assert.Equal(t, secondEngine(t), got)
		}
		check(s.Get(ctx, o.owner, 12))
		check(s.Create(ctx, o.owner, serviceapi.CreateMilestoneOptions{
			Title: "v2.0", Description: new("The second engine."), DueDate: new(serviceapi.NewDate(2026, 4, 30)),
			StartDate: new(serviceapi.NewDate(2026, 1, 1)),
		}))
		_, _, err := s.Create(ctx, o.owner, serviceapi.CreateMilestoneOptions{Title: "v2.0"})
		require.ErrorIs(t, err, serviceapi.ErrBadRequest)
		check(s.Update(ctx, o.owner, 12, serviceapi.UpdateMilestoneOptions{
			Title: new(
				"v2",
			), Description: new(""), DueDate: serviceapi.Null[serviceapi.Date](),
			StartDate:  serviceapi.Value(serviceapi.NewDate(2026, 1, 1)),
			StateEvent: new(serviceapi.MilestoneStateEventClose),
		}))
		check(
			s.Update(
				ctx,
				o.owner,
				12,
				serviceapi.UpdateMilestoneOptions{StateEvent: new(serviceapi.MilestoneStateEventActivate)},
			),
		)
		_, err = s.Delete(ctx, o.owner, 12)
		require.NoError(t, err)
	}
}

func TestMilestonesContents(t *testing.T) {
	for _, o := range planningOwners {
		path := o.path + "/milestones/12"
		issues, requests := `[{"id":9,"iid":2,"project_id":4}]`, `[{"id":8,"iid":3,"project_id":4}]`
		client := onWire(t,
			exchange{Method: "GET", Path: path + "/issues", Query: "page=2", Body: issues},
			exchange{Method: "GET", Path: path + "/issues", Query: "per_page=100", Body: issues},
			exchange{Method: "GET", Path: path + "/merge_requests", Query: "page=2", Body: requests},
			exchange{Method: "GET", Path: path + "/merge_requests", Query: "per_page=100", Body: requests})
		s, ctx := client.Milestones, t.Context()
		gotIssues, _, err := s.ListIssues(ctx, o.owner, 12, &serviceapi.ListOptions{Page: 2})
		require.NoError(t, err)
		assert.Equal(t, []*serviceapi.Issue{{ID: 9, IID: 2, ProjectID: 4}}, gotIssues)
		gotIssues, err = serviceapi.Collect(s.AllIssues(ctx, o.owner, 12, nil))
		require.NoError(t, err)
		assert.Equal(t, serviceapi.ProjectID(4).Issue(2), gotIssues[0].Ref())
		gotRequests, _, err := s.ListMergeRequests(ctx, o.owner, 12, &serviceapi.ListOptions{Page: 2})
		require.NoError(t, err)
		assert.Equal(t, []*serviceapi.MergeRequest{{ID: 8, IID: 3, ProjectID: 4}}, gotRequests)
		gotRequests, err = serviceapi.Collect(s.AllMergeRequests(ctx, o.owner, 12, nil))
		require.NoError(t, err)
		assert.Equal(t, serviceapi.ProjectID(4).MergeRequest(3), gotRequests[0].Ref())
	}
}

func TestMilestonesPromote(t *testing.T) {
	const path = "/projects/acme%2Fapp/milestones/12/promote"
	client := onWire(t,
		exchange{Method: "POST", Path: path, Status: 200},
		exchange{Method: "POST", Path: path, Status: 400,
			Body: `{"message":"Promotion failed - Project does not belong to a group."}`})
	resp, err := client.Milestones.Promote(t.Context(), serviceapi.ProjectPath("acme/app"), 12)
	require.NoError(t, err)
	assert.Equal(t, 200, resp.StatusCode)
	_, err = client.Milestones.Promote(t.Context(), serviceapi.ProjectPath("acme/app"), 12)
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
}

func TestMilestonesArguments(t *testing.T) {
	s, ctx := onWire(t).Milestones, t.Context()
	failed := func(_ any, _ *serviceapi.Response, err error) error { return err }
	assertRefused(t, "Title", failed(s.Create(ctx, serviceapi.GroupID(7), serviceapi.CreateMilestoneOptions{})))
	assertRefused(t, "milestone_id", failed(s.Get(ctx, serviceapi.GroupID(7), 0)))
	assertRefused(t, "owner", failed(s.Update(ctx, nil, 12, serviceapi.UpdateMilestoneOptions{})))
	assertRefused(t, "id", failed(s.ListIssues(ctx, serviceapi.ProjectRef{}, 12, nil)))
}
