package serviceapi

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"

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
		"x%5B%5D=7":           UserIs(7),
		"x%5B%5D=None":        NoUser,
		"x%5B%5D=Any":         AnyUser,
		"x%5B%5D=7&x%5B%5D=9": UsersAre(7, 9),
		"x=None":              NoUsers,
		"x=Any":               AnyUsers,
		"x%5B%5D=-3":          NumberIs(-3),
		"x%5B%5D=a%2Cb+c":     LabelsAre("a", "b c"),
		"x%5B%5D=v1":          MilestoneIs("v1"),
		"x%5B%5D=star":        EmojiIs("star"),
		"x%5B%5D=on_track":    HealthStatusIs("on_track"),
	} {
		values := url.Values{}
		require.NoError(t, f.EncodeValues("x[]", &values))
		assert.Equal(t, want, values.Encode())
		assert.False(t, f.IsZero(), want)
		assert.NotEmpty(t, f.String())
	}
	for name, f := range map[string]filter{
		"user": UserFilter{}, "users": UsersFilter{}, "number": NumberFilter{}, "label": LabelFilter{},
		"milestone": MilestoneFilter{}, "emoji": EmojiFilter{}, "health": HealthStatusFilter{},
	} {
		values := url.Values{}
		require.NoError(t, f.EncodeValues("x", &values))
		assert.Empty(t, values, name)
		assert.True(t, f.IsZero(), name)
		assert.Empty(t, f.String(), name)
	}
	for name, f := range map[string]filter{
		"user 0": UserIs(0), "user -1": UserIs(-1), "no users": UsersAre(), "one user 0": UsersAre(7, 0),
		"no labels": LabelsAre(), "empty label": LabelsAre("a", ""), "comma": LabelsAre("a,b"),
		"label None": LabelsAre("none"),
		"milestone":  MilestoneIs(""), "milestone Any": MilestoneIs("Any"), "emoji": EmojiIs(""),
		"health": HealthStatusIs(""),
	} {
		values := url.Values{}
		require.Error(t, f.EncodeValues("x", &values), name)
		assert.False(t, f.IsZero(), name)
	}
	client, _ := scriptedClient(t, RetryPolicy{}, func(r *http.Request) (*http.Response, error) {
		t.Error("sent:", r.Method, r.URL)
		return okJob(r)
	})
	assertRefused(t, "options",
		errorOf(client.Issues.List(t.Context(), Instance, &ListIssuesOptions{AssigneeID: UserIs(0)})))
	assertRefused(t, "options",
		errorOf(client.MergeRequests.List(t.Context(), Instance, &ListMergeRequestsOptions{ApproverIDs: UsersAre()})))
}
