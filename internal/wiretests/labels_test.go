package wiretests

import (
	"encoding/json"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// bugLabel is testdata/labels/label.json.
func bugLabel() *serviceapi.Label {
	return &serviceapi.Label{
		ID: 21, Name: "bug", Color: "#ff0000", TextColor: "#ffffff", Description: "Wrong",
		DescriptionHTML: "<p>Wrong</p>", Subscribed: true,
		Priority: new(0), IsProjectLabel: new(true), OpenIssuesCount: new(3), ClosedIssuesCount: new(2),
		OpenMergeRequestsCount: new(1), Archived: true,
	}
}

func TestLabelsOfProjects(t *testing.T) {
	const path, whole = "/projects/acme%2Fapp/labels", "labels/label.json"
	client := onWire(t,
		exchange{Method: "GET", Path: path + "/21", Fixture: whole},
		exchange{Method: "GET", Path: path + "/kind%2Fbug%20100%25", Query: "include_ancestor_groups=false",
			Fixture: whole},
		exchange{Method: "POST", Path: path, JSON: `{"name":"bug","color":"red","description":"Wrong","priority":0,` +
			`"archived":true}`, Status: 201, Fixture: whole},
		exchange{Method: "POST", Path: path, JSON: `{"name":"bug","color":"#f00"}`, Status: 409,
			Body: `{"message":"Label already exists"}`},
		exchange{Method: "PUT", Path: path + "/bug", JSON: `{"new_name":"defect","color":"#ff0000","description":"",` +
			`"priority":2,"archived":false}`, Fixture: whole},
		exchange{Method: "PUT", Path: path + "/7", JSON: `{"priority":null}`, Fixture: whole},
		exchange{Method: "DELETE", Path: path + "/bug", Status: 204},
		exchange{Method: "PUT", Path: path + "/bug/promote", Fixture: whole},
		exchange{Method: "POST", Path: path + "/21/subscribe", Status: 201, Fixture: whole},
		exchange{Method: "POST", Path: path + "/21/unsubscribe", Status: 201, Fixture: whole})
	s, ctx, app := client.Labels, t.Context(), serviceapi.ProjectPath("acme/app")
	check := func(got *serviceapi.Label, _ *serviceapi.Response, err error) {
		t.Helper()
		require.NoError(t, err)
		assert.Equal(t, bugLabel(), got)
	}
	check(s.Get(ctx, app, serviceapi.LabelID(21), nil))
	check(
		s.Get(
			ctx,
			app,
			serviceapi.LabelName("kind/bug 100%"),
			&serviceapi.GetLabelOptions{IncludeAncestorGroups: new(false)},
		),
	)
	check(s.Create(ctx, app, serviceapi.CreateLabelOptions{
		Name: "bug", Color: "red", Description: new("Wrong"), Priority: new(0), Archived: new(true),
	}))
	_, _, err := s.Create(ctx, app, serviceapi.CreateLabelOptions{Name: "bug", Color: "#f00"})
	require.ErrorIs(t, err, serviceapi.ErrConflict)
	check(s.Update(ctx, app, serviceapi.LabelName("bug"), serviceapi.UpdateLabelOptions{
		NewName: new(
			"defect",
		), Color: new("#ff0000"), Description: new(""), Priority: serviceapi.Value(2), Archived: new(false),
	}))
	check(
		s.Update(ctx, app, serviceapi.LabelName("7"), serviceapi.UpdateLabelOptions{Priority: serviceapi.Null[int]()}),
	)
	_, err = s.Delete(ctx, app, serviceapi.LabelName("bug"))
	require.NoError(t, err)
	check(s.Promote(ctx, app, serviceapi.LabelName("bug")))
	subscription, _, err := s.Subscribe(ctx, app, serviceapi.LabelID(21))
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.LabelSubscription{Label: bugLabel()}, subscription)
	subscription, _, err = s.Unsubscribe(ctx, app, serviceapi.LabelID(21))
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.LabelSubscription{Label: bugLabel()}, subscription)
}

func TestLabelsOfGroups(t *testing.T) {
	const path, reply = "/groups/7/labels", `{"id":21,"name":"bug","description":null,"description_html":null}`
	client := onWire(t,
		exchange{Method: "GET", Path: path + "/bug", Body: reply,
			Query: "include_ancestor_groups=true&include_descendant_groups=true&only_group_labels=false"},
		exchange{Method: "POST", Path: path, JSON: `{"name":"bug","color":"#f00"}`, Status: 201, Body: reply},
		exchange{Method: "PUT", Path: path + "/21", JSON: `{"new_name":"bug"}`, Body: reply},
		exchange{Method: "DELETE", Path: path + "/21", Status: 204},
		exchange{Method: "POST", Path: path + "/bug/subscribe", Status: 304},
		exchange{Method: "POST", Path: path + "/bug/unsubscribe", Status: 304},
		exchange{Method: "POST", Path: path + "/bug/unsubscribe", Status: 404,
			Body: `{"message":"404 Label Not Found"}`})
	s, ctx, group := client.Labels, t.Context(), serviceapi.GroupID(7)
	want := &serviceapi.Label{ID: 21, Name: "bug"}
	check := func(got *serviceapi.Label, _ *serviceapi.Response, err error) {
		t.Helper()
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	check(s.Get(ctx, group, serviceapi.LabelName("bug"), &serviceapi.GetLabelOptions{
		IncludeAncestorGroups: new(true), IncludeDescendantGroups: true, OnlyGroupLabels: new(false),
	}))
	check(s.Create(ctx, group, serviceapi.CreateLabelOptions{Name: "bug", Color: "#f00"}))
	check(s.Update(ctx, group, want.Ref(), serviceapi.UpdateLabelOptions{NewName: new("bug")}))
	_, err := s.Delete(ctx, group, want.Ref())
	require.NoError(t, err)
	subscription, resp, err := s.Subscribe(ctx, group, serviceapi.LabelName("bug"))
	require.NoError(t, err)
	assert.Equal(t, 304, resp.StatusCode)
	assert.Equal(t, &serviceapi.LabelSubscription{Unchanged: true}, subscription)
	subscription, _, err = s.Unsubscribe(ctx, group, serviceapi.LabelName("bug"))
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.LabelSubscription{Unchanged: true}, subscription)
	subscription, _, err = s.Unsubscribe(ctx, group, serviceapi.LabelName("bug"))
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	assert.Nil(t, subscription)
}

func TestLabelsArguments(t *testing.T) {
	s, ctx, app, group := onWire(t).Labels, t.Context(), serviceapi.ProjectID(4), serviceapi.GroupID(7)
	failed := func(_ any, _ *serviceapi.Response, err error) error { return err }
	assertRefused(t, "Name", failed(s.Create(ctx, app, serviceapi.CreateLabelOptions{Color: "red"})))
	assertRefused(t, "Color", failed(s.Create(ctx, app, serviceapi.CreateLabelOptions{Name: "bug"})))
	assertRefused(t, "Priority",
		failed(s.Create(ctx, group, serviceapi.CreateLabelOptions{Name: "bug", Color: "red", Priority: new(0)})))
	assertRefused(
		t,
		"Priority",
		failed(
			s.Update(
				ctx,
				group,
				serviceapi.LabelID(1),
				serviceapi.UpdateLabelOptions{Priority: serviceapi.Null[int]()},
			),
		),
	)
	assertRefused(t, "IncludeDescendantGroups",
		failed(s.Get(ctx, app, serviceapi.LabelID(1), &serviceapi.GetLabelOptions{IncludeDescendantGroups: true})))
	assertRefused(t, "OnlyGroupLabels",
		failed(s.Get(ctx, app, serviceapi.LabelID(1), &serviceapi.GetLabelOptions{OnlyGroupLabels: new(true)})))
	assertRefused(t, "owner", failed(s.Get(ctx, nil, serviceapi.LabelID(1), nil)))
	for argument, labels := range map[string][]serviceapi.LabelRef{
		"label_id": {{}, serviceapi.LabelID(0), serviceapi.LabelID(-1)},
		"label name": {serviceapi.LabelName(""), serviceapi.LabelName(".."), serviceapi.LabelName("a/../b"),
			serviceapi.LabelName("%2e%2E"), serviceapi.LabelName("/")},
	} {
		for _, label := range labels {
			assertRefused(t, argument, failed(s.Get(ctx, app, label, nil)))
			_, err := s.Delete(ctx, group, label)
			assertRefused(t, argument, err)
		}
	}
}

// The error says what is wrong with the name, not that nothing was encoded.
func TestLabelNamesWithCommas(t *testing.T) {
	_, err := json.Marshal(serviceapi.LabelNames{"a,b"})
	require.ErrorContains(t, err, "the name of a label contains a comma")
}
