package wiretests

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestFilters checks what filters send. A filter of nothing is refused: left
// out, it would select everything.
func TestFilters(t *testing.T) {
	type filter interface {
		fmt.Stringer
		IsZero() bool
		EncodeValues(key string, v *url.Values) error
	}
	for want, f := range map[string]filter{
		"x%5B%5D=7":           serviceapi.UserIs(7),
		"x%5B%5D=None":        serviceapi.NoUser,
		"x%5B%5D=Any":         serviceapi.AnyUser,
		"x%5B%5D=7&x%5B%5D=9": serviceapi.UsersAre(7, 9),
		"x=None":              serviceapi.NoUsers,
		"x=Any":               serviceapi.AnyUsers,
		"x%5B%5D=-3":          serviceapi.NumberIs(-3),
		"x%5B%5D=a%2Cb+c":     serviceapi.LabelsAre("a", "b c"),
		"x%5B%5D=v1":          serviceapi.MilestoneIs("v1"),
		"x%5B%5D=star":        serviceapi.EmojiIs("star"),
		"x%5B%5D=on_track":    serviceapi.HealthStatusIs("on_track"),
	} {
		values := url.Values{}
		require.NoError(t, f.EncodeValues("x[]", &values))
		assert.Equal(t, want, values.Encode())
		assert.False(t, f.IsZero(), want)
		assert.NotEmpty(t, f.String())
	}
	for name, f := range map[string]filter{
		"user": serviceapi.UserFilter{}, "users": serviceapi.UsersFilter{}, "number": serviceapi.NumberFilter{},
		"label":     serviceapi.LabelFilter{},
		"milestone": serviceapi.MilestoneFilter{}, "emoji": serviceapi.EmojiFilter{},
		"health": serviceapi.HealthStatusFilter{},
	} {
		values := url.Values{}
		require.NoError(t, f.EncodeValues("x", &values))
		assert.Empty(t, values, name)
		assert.True(t, f.IsZero(), name)
		assert.Empty(t, f.String(), name)
	}
	for name, f := range map[string]filter{
		"user 0": serviceapi.UserIs(0), "user -1": serviceapi.UserIs(-1), "no users": serviceapi.UsersAre(),
		"one user 0": serviceapi.UsersAre(7, 0),
		"no labels":  serviceapi.LabelsAre(), "empty label": serviceapi.LabelsAre("a", ""),
		"comma":      serviceapi.LabelsAre("a,b"),
		"label None": serviceapi.LabelsAre("none"),
		"milestone":  serviceapi.MilestoneIs(""), "milestone Any": serviceapi.MilestoneIs("Any"),
		"emoji":  serviceapi.EmojiIs(""),
		"health": serviceapi.HealthStatusIs(""),
	} {
		values := url.Values{}
		require.Error(t, f.EncodeValues("x", &values), name)
		assert.False(t, f.IsZero(), name)
	}
	client, _ := scriptedClient(t, serviceapi.RetryPolicy{}, func(r *http.Request) (*http.Response, error) {
		t.Error("sent:", r.Method, r.URL)
		return okJob(r)
	})
	assertRefused(
		t,
		"options",
		errorOf(
			client.Issues.List(
				t.Context(),
				serviceapi.Instance,
				&serviceapi.ListIssuesOptions{AssigneeID: serviceapi.UserIs(0)},
			),
		),
	)
	assertRefused(
		t,
		"options",
		errorOf(
			client.MergeRequests.List(
				t.Context(),
				serviceapi.Instance,
				&serviceapi.ListMergeRequestsOptions{ApproverIDs: serviceapi.UsersAre()},
			),
		),
	)
}
