package wiretests

import (
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEpicsWrites(t *testing.T) {
	const path, whole = "/groups/acme%2Fplatform/epics", "epics/epic.json"
	client := onWire(t,
		exchange{Method: "POST", Path: path, Status: 201, Fixture: whole,
			JSON: `{"title":"Engines","labels":"goal,big",` +
				`"description":"All of them","color":"#1068bf","confidential":true,` +
				`"created_at":"2026-01-01T00:00:00Z",` +
				`"start_date_is_fixed":true,"start_date_fixed":"2026-01-01","due_date_is_fixed":false,` +
				`"due_date_fixed":"2026-04-30","parent_id":30}`},
		exchange{Method: "POST", Path: path, JSON: `{"title":"Engines"}`, Status: 403,
			Body: `{"message":"403 Forbidden"}`},
		exchange{Method: "PUT", Path: path + "/5", Fixture: whole,
			JSON: `{"title":"Engine","labels":"","add_labels":"a",` +
				`"remove_labels":"b,c","state_event":"close","updated_at":"2026-01-02T00:00:00Z","description":"",` +
				`"color":"#1068bf","confidential":false,"start_date_is_fixed":false,"start_date_fixed":"2026-01-02",` +
				`"due_date_is_fixed":true,"due_date_fixed":"2026-04-29","parent_id":31}`},
		exchange{Method: "PUT", Path: path + "/5", JSON: `{"state_event":"reopen"}`, Fixture: whole},
		exchange{Method: "DELETE", Path: path + "/5", Status: 204})
	s, ctx, group := client.Epics, t.Context(), serviceapi.GroupPath("acme/platform")
	check := func(got *serviceapi.Epic, _ *serviceapi.Response, err error) {
		t.Helper()
		require.NoError(t, err)
		assert.Equal(t, engines(t), got)
	}
	check(s.Create(ctx, group, serviceapi.CreateEpicOptions{
		Title: "Engines", Labels: serviceapi.LabelNames{"goal", "big"}, Description: new("All of them"),
		Color:        new("#1068bf"),
		Confidential: new(true), CreatedAt: new(january(1)), StartDateIsFixed: new(true),
		StartDateFixed: new(
			serviceapi.NewDate(2026, 1, 1),
		), DueDateIsFixed: new(false), DueDateFixed: new(serviceapi.NewDate(2026, 4, 30)),
		ParentID: new(int64(30)),
	}))
	_, _, err := s.Create(ctx, group, serviceapi.CreateEpicOptions{Title: "Engines"})
	require.ErrorIs(t, err, serviceapi.ErrForbidden)
	check(s.Update(ctx, group.Epic(5), serviceapi.UpdateEpicOptions{
		Title: new(
			"Engine",
		), Labels: serviceapi.LabelNames{}, AddLabels: serviceapi.LabelNames{"a"},
		RemoveLabels: serviceapi.LabelNames{"b", "c"},
		StateEvent: new(
			serviceapi.StateEventClose,
		), UpdatedAt: new(january(2)), Description: new(""), Color: new("#1068bf"),
		Confidential: new(
			false,
		), StartDateIsFixed: new(false), StartDateFixed: serviceapi.Value(serviceapi.NewDate(2026, 1, 2)),
		DueDateIsFixed: new(
			true,
		), DueDateFixed: serviceapi.Value(serviceapi.NewDate(2026, 4, 29)), ParentID: serviceapi.Value(int64(31)),
	}))
	check(s.Update(ctx, group.Epic(5), serviceapi.UpdateEpicOptions{StateEvent: new(serviceapi.StateEventReopen)}))
	_, err = s.Delete(ctx, group.Epic(5))
	require.NoError(t, err)

	_, _, err = s.Create(ctx, group, serviceapi.CreateEpicOptions{})
	assertRefused(t, "Title", err)
	_, _, err = s.Update(ctx, group.Epic(0), serviceapi.UpdateEpicOptions{})
	assertRefused(t, "epic_iid", err)
	_, err = s.Delete(ctx, serviceapi.GroupRef{}.Epic(5))
	assertRefused(t, "id", err)
}
