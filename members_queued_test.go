package serviceapi

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// queuedAnswers are the responses of the service if an administrator must
// agree.
var queuedAnswers = map[string]string{
	"message": `{"message":{"grace":"Waits for approval"}}`,
	"queued":  `{"queued_users":{"grace":"Waits for approval"},"status":"success"}`,
}

func TestMembersQueued(t *testing.T) {
	for name, body := range queuedAnswers {
		client := onWire(t,
			exchange{Method: "POST", Path: "/groups/7/members", JSON: `{"user_id":4,"access_level":30}`, Status: 201, Body: body},
			exchange{Method: "PUT", Path: "/groups/7/members/4", JSON: `{"access_level":40}`, Body: body},
		)
		added, _, addErr := client.Members.Add(t.Context(), GroupID(7), UserID(4), AccessLevelDeveloper, AddMemberOptions{})
		changed, _, updateErr := client.Members.Update(t.Context(), GroupID(7), UserID(4), AccessLevelMaintainer, UpdateMemberOptions{})
		assert.Nil(t, added, name)
		assert.Nil(t, changed, name)
		for status, err := range map[int]error{201: addErr, 200: updateErr} {
			var queued *MembershipQueuedError
			require.ErrorAs(t, err, &queued, name)
			assert.Equal(t, map[string]string{"grace": "Waits for approval"}, queued.Users, name)
			assert.Equal(t, status, queued.Err.StatusCode, name)
			assert.ErrorContains(t, err, "(waiting for an administrator: grace)", name)
		}
	}
}

func TestMembersAddSeveralQueued(t *testing.T) {
	add := func(body string) (*AddMembersResult, error) {
		client := onWire(t, exchange{
			Method: "POST", Path: "/groups/7/members", JSON: `{"username":"ada,grace","access_level":10,"member_role_id":12}`, Status: 201, Body: body,
		})
		result, _, err := client.Members.AddSeveral(t.Context(), GroupID(7), []UserRef{Username("ada"), Username("grace")}, AccessLevelGuest, AddMemberOptions{MemberRoleID: new(int64(12))})
		return result, err
	}
	want := map[string]string{"grace": "Waits for approval"}
	result, err := add(queuedAnswers["queued"])
	require.NoError(t, err)
	assert.Equal(t, &AddMembersResult{Status: "success", Queued: want}, result)
	result, err = add(queuedAnswers["message"])
	require.NoError(t, err)
	assert.Equal(t, &AddMembersResult{Message: json.RawMessage(`{"grace":"Waits for approval"}`), Queued: want}, result)
	result, err = add(`{"queued_users":["grace","ada"],"status":"success"}`)
	require.NoError(t, err)
	assert.Equal(t, map[string]string{"ada": "", "grace": ""}, result.Queued)
}

// TestMembersWithoutMember checks that a response of another kind is not an
// empty member.
func TestMembersWithoutMember(t *testing.T) {
	add := func(body string) error {
		client := onWire(t, exchange{Method: "POST", Path: "/groups/7/members", JSON: `{"user_id":4,"access_level":30}`, Status: 201, Body: body})
		member, _, err := client.Members.Add(t.Context(), GroupID(7), UserID(4), AccessLevelDeveloper, AddMemberOptions{})
		assert.Nil(t, member, body)
		return err
	}
	var decode *DecodeError
	for _, body := range []string{`{"status":"success"}`, `{"status":"success","queued_users":{}}`, `{"queued_users":7}`, `{"message":"created"}`} {
		require.ErrorAs(t, add(body), &decode, body)
	}
	var refused *Error
	require.ErrorAs(t, add(`{"status":"error","message":{"grace":"Is blocked"}}`), &refused)
	assert.Equal(t, map[string][]string{"grace": {"Is blocked"}}, refused.Fields)
}

func TestMemberRoleBothWays(t *testing.T) {
	const text = `{"id":12,"name":"Auditor","base_access_level":10,"admin_merge_request":false,"read_code":true}`
	var role MemberRole
	require.NoError(t, json.Unmarshal([]byte(text), &role))
	data, err := json.Marshal(role)
	require.NoError(t, err)
	assert.JSONEq(t, text, string(data))
	var none *MemberRole
	require.NoError(t, json.Unmarshal([]byte("null"), &none))
	assert.Nil(t, none)
}
