package wiretests

import (
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// shortSprint is testdata/iterations/iteration.json.
func shortSprint(t *testing.T) *serviceapi.Iteration {
	return &serviceapi.Iteration{
		ID: 90, IID: 4, Sequence: 2, GroupID: 7, Title: "Sprint", Description: "Short",
		State:     serviceapi.IterationStateCurrent,
		CreatedAt: *at(t, "2026-02-01T00:00:00Z"), UpdatedAt: *at(t, "2026-02-02T00:00:00Z"),
		StartDate: new(serviceapi.NewDate(2026, 3, 1)), DueDate: new(serviceapi.NewDate(2026, 3, 14)),
		WebURL: "https://service.test/groups/acme/-/iterations/90",
	}
}

func TestIterations(t *testing.T) {
	const query = "in%5B%5D=title&in%5B%5D=cadence_title&include_ancestors=false&include_descendants=true&page=2" +
		"&search=spr&state=opened&updated_after=2026-01-01T00%3A00%3A00Z&updated_before=2026-01-02T00%3A00%3A00Z"
	for _, o := range planningOwners {
		path := o.path + "/iterations"
		body := "[" + fixture(t, "iterations/iteration.json") +
			`,{"id":91,"title":null,"description":null,"start_date":null,"due_date":null}]`
		client := onWire(t,
			exchange{Method: "GET", Path: path, Body: body},
			exchange{Method: "GET", Path: path, Query: query, Body: `[]`},
			exchange{Method: "GET", Path: path, Query: "per_page=100", Body: body})
		s, ctx := client.Iterations, t.Context()
		owner := o.owner.(serviceapi.IterationOwner)
		want := []*serviceapi.Iteration{shortSprint(t), {ID: 91}}
		got, _, err := s.List(ctx, owner, nil)
		require.NoError(t, err)
		assert.Equal(t, want, got)
		assertFilled(t, got[0])
		_, _, err = s.List(ctx, owner, &serviceapi.ListIterationsOptions{
			ListOptions: serviceapi.ListOptions{Page: 2}, State: serviceapi.IterationStateFilterOpened, Search: "spr",
			In: []serviceapi.IterationSearchField{
				serviceapi.IterationSearchFieldTitle,
				serviceapi.IterationSearchFieldCadenceTitle,
			},
			IncludeAncestors: new(false), IncludeDescendants: true, UpdatedAfter: january(1), UpdatedBefore: january(2),
		})
		require.NoError(t, err)
		got, err = serviceapi.Collect(s.All(ctx, owner, nil))
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	_, _, err := onWire(t).Iterations.List(t.Context(), nil, nil)
	assertRefused(t, "owner", err)
}
