package wiretests

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestGroupsRemoveAvatar checks how the picture of a group is taken away.
func TestGroupsRemoveAvatar(t *testing.T) {
	var sent map[string]any
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_ = json.NewDecoder(r.Body).Decode(&sent)
		_, _ = io.WriteString(w, `{"id":7}`)
	})
	_, _, err := client.Groups.Update(t.Context(), serviceapi.GroupID(7),
		serviceapi.UpdateGroupOptions{Name: new("Acme"), RemoveAvatar: true})
	require.NoError(t, err)
	assert.Equal(t, map[string]any{"name": "Acme", "avatar": ""}, sent)
	picture := serviceapi.Upload{Filename: "a.png", Content: strings.NewReader("x")}
	assertRefused(t, "RemoveAvatar", errorOf(client.Groups.Update(t.Context(), serviceapi.GroupID(7),
		serviceapi.UpdateGroupOptions{Avatar: &picture, RemoveAvatar: true})))
}

// TestApproversOfOldReleases checks that users and groups inside other objects are decoded.
func TestApproversOfOldReleases(t *testing.T) {
	client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"approvers":[{"user":{"id":5,"username":"ada"}}],`+
			`"approver_groups":[{"group":{"id":6,"name":"Team"}}]}`)
	})
	approvals, _, err := client.Approvals.Get(t.Context(), serviceapi.ProjectID(1).MergeRequest(2))
	require.NoError(t, err)
	assert.EqualValues(t, 5, approvals.Approvers[0].User.ID)
	assert.EqualValues(t, 6, approvals.ApproverGroups[0].Group.ID)
}
