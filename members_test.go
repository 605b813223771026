package serviceapi

import (
	"encoding/json"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// memberParents are both parents of members, with the path of their members.
var memberParents = []struct {
	parent MemberOwner
	path   string
}{
	{ProjectPath("acme/app"), "/projects/acme%2Fapp/members"},
	{GroupID(7), "/groups/7/members"},
}

// grace is testdata/members/member.json.
func grace(t *testing.T) *Member {
	return &Member{
		UserSummary: UserSummary{
			ID: 4, Username: "grace", Name: "Grace Hopper", State: "active", Locked: true,
			PublicEmail: "grace@example.com",
			AvatarURL:   "https://service.test/avatars/4.png", WebURL: "https://service.test/grace",
		},
		CreatedAt: *at(t, "2026-02-22T14:13:35.000Z"),
		CreatedBy: &UserSummary{ID: 1, Username: "ada", Name: "Ada Lovelace", State: "active",
			WebURL: "https://service.test/ada"},
		ExpiresAt: &DateOrTime{Date{*at(t, "2026-10-22T14:13:35Z")}}, AccessLevel: AccessLevelDeveloper,
		Email:             "grace@example.com",
		GroupSAMLIdentity: &GroupSAMLIdentity{ExternUID: "ABC-1234567890", Provider: "group_saml", SAMLProviderID: 10},
		MembershipState:   MembershipStateAwaiting,
		IsUsingSeat:       new(true), Override: new(false),
		MemberRole: &MemberRole{
			ID: 12, Name: "Auditor", Description: "Reads code", GroupID: new(int64(7)),
			BaseAccessLevel: AccessLevelGuest,
			Permissions:     map[string]bool{"read_code": true, "admin_merge_request": false},
			Extra:           map[string]json.RawMessage{"ends": json.RawMessage(`"never"`)},
		},
	}
}

func TestMembersGet(t *testing.T) {
	for _, p := range memberParents {
		client := onWire(t,
			exchange{Method: "GET", Path: p.path + "/4", Fixture: "members/member.json"},
			exchange{Method: "GET", Path: p.path + "/all/4",
				Body: `{"id":4,"created_by":null,"expires_at":"2026-10-22","group_saml_identity":null,` +
					`"is_using_seat":null,"member_role":null,"public_email":null}`},
			exchange{Method: "GET", Path: p.path + "/4", Body: `{"id":4,"created_at":null,"expires_at":null}`})
		member, _, err := client.Members.Get(t.Context(), p.parent, UserID(4))
		require.NoError(t, err)
		assert.Equal(t, grace(t), member)
		member, _, err = client.Members.GetInherited(t.Context(), p.parent, UserID(4))
		require.NoError(t, err)
		assert.Equal(t, &Member{UserSummary: UserSummary{ID: 4}, ExpiresAt: &DateOrTime{NewDate(2026, time.October,
			22)}}, member)
		member, _, err = client.Members.Get(t.Context(), p.parent, UserID(4))
		require.NoError(t, err)
		assert.Equal(t, &Member{UserSummary: UserSummary{ID: 4}}, member)
	}
}

func TestMembersList(t *testing.T) {
	ctx := t.Context()
	for _, p := range memberParents {
		client := onWire(t,
			exchange{Method: "GET", Path: p.path, Body: `[{"id":4}]`},
			exchange{Method: "GET", Path: p.path,
				Query: "page=2&per_page=100&query=gra&show_seat_info=true&user_ids%5B%5D=4&user_ids%5B%5D=5",
				Body:  `[{"id":4}]`},
			exchange{Method: "GET", Path: p.path + "/all",
				Query: "query=gra&show_seat_info=true&state=awaiting&user_ids%5B%5D=4", Body: `[{"id":4}]`},
			exchange{Method: "GET", Path: p.path + "/all", Query: "per_page=100", Body: `[{"id":4}]`})
		one := []*Member{{UserSummary: UserSummary{ID: 4}}}

		members, _, err := client.Members.List(ctx, p.parent, nil)
		require.NoError(t, err)
		assert.Equal(t, one, members)
		members, err = Collect(client.Members.All(ctx, p.parent,
			&ListMembersOptions{ListOptions: ListOptions{Page: 2}, Query: "gra", UserIDs: []int64{4, 5},
				ShowSeatInfo: true}))
		require.NoError(t, err)
		assert.Equal(t, one, members)
		members, _, err = client.Members.ListInherited(ctx, p.parent,
			&ListInheritedMembersOptions{Query: "gra", UserIDs: []int64{4}, State: MembershipStateAwaiting,
				ShowSeatInfo: true})
		require.NoError(t, err)
		assert.Equal(t, one, members)
		members, err = Collect(client.Members.AllInherited(ctx, p.parent, nil))
		require.NoError(t, err)
		assert.Equal(t, one, members)
	}
}

func TestMembersAddAndUpdate(t *testing.T) {
	ctx := t.Context()
	for _, p := range memberParents {
		client := onWire(t,
			exchange{Method: "POST", Path: p.path, JSON: `{"user_id":4,"access_level":30}`, Status: 201,
				Fixture: "members/member.json"},
			exchange{Method: "POST", Path: p.path,
				JSON: `{"user_id":4,"access_level":0,"expires_at":"2026-10-22","invite_source":"wizard",` +
					`"tasks_to_be_done":["ci","code","issues"],"tasks_project_id":9}`, Status: 201,
				Fixture: "members/member.json"},
			exchange{Method: "POST", Path: p.path, JSON: `{"username":"grace","access_level":15,"member_role_id":12}`,
				Status: 201, Fixture: "members/member.json"},
			exchange{Method: "PUT", Path: p.path + "/4", JSON: `{"access_level":40}`, Fixture: "members/member.json"},
			exchange{Method: "PUT", Path: p.path + "/4",
				JSON: `{"access_level":60,"expires_at":"","member_role_id":12}`, Fixture: "members/member.json"},
			exchange{Method: "PUT", Path: p.path + "/4", JSON: `{"access_level":40,"expires_at":"2026-10-22"}`,
				Fixture: "members/member.json"})
		member, _, err := client.Members.Add(ctx, p.parent, UserID(4), AccessLevelDeveloper, AddMemberOptions{})
		require.NoError(t, err)
		assert.Equal(t, grace(t), member)
		_, _, err = client.Members.Add(ctx, p.parent, UserID(4), AccessLevelNone,
			AddMemberOptions{ExpiresAt: new(NewDate(2026, time.October, 22)), InviteSource: new("wizard"),
				TasksToBeDone:  []MemberTask{MemberTaskCI, MemberTaskCode, MemberTaskIssues},
				TasksProjectID: new(int64(9))})
		require.NoError(t, err)
		_, _, err = client.Members.Add(ctx, p.parent, Username("grace"), AccessLevelPlanner,
			AddMemberOptions{MemberRoleID: new(int64(12))})
		require.NoError(t, err)
		for _, change := range []struct {
			level   AccessLevel
			options UpdateMemberOptions
		}{
			{AccessLevelMaintainer, UpdateMemberOptions{}},
			{AccessLevelAdmin, UpdateMemberOptions{ExpiresAt: Null[Date](), MemberRoleID: new(int64(12))}},
			{AccessLevelMaintainer, UpdateMemberOptions{ExpiresAt: Value(NewDate(2026, time.October, 22))}},
		} {
			member, _, err = client.Members.Update(ctx, p.parent, UserID(4), change.level, change.options)
			require.NoError(t, err)
			assert.Equal(t, grace(t), member)
		}
	}
}

func TestMembersAddSeveral(t *testing.T) {
	users := []UserRef{UserID(4), UserID(5)}
	options := AddMemberOptions{
		ExpiresAt:    new(NewDate(2026, time.October, 22)),
		InviteSource: new("wizard"), TasksToBeDone: []MemberTask{MemberTaskCI}, TasksProjectID: new(int64(9)),
	}
	add := func(reply exchange) (*AddMembersResult, *Response, error) {
		reply.Method, reply.Path = "POST", "/groups/7/members"
		reply.JSON = `{"user_id":"4,5","access_level":10,"expires_at":"2026-10-22","invite_source":"wizard",` +
			`"tasks_to_be_done":["ci"],"tasks_project_id":9}`
		return onWire(t, reply).Members.AddSeveral(t.Context(), GroupID(7), users, AccessLevelGuest, options)
	}

	result, _, err := add(exchange{Status: 201, Body: `{"status":"success"}`})
	require.NoError(t, err)
	assert.Equal(t, &AddMembersResult{Status: "success"}, result)

	result, resp, err := add(exchange{Status: 201,
		Body: `{"status":"error","message":{"grace":"Already a member","alan":["Is blocked","Is gone"]}}`})
	var refused *Error
	require.ErrorAs(t, err, &refused)
	assert.Equal(t, map[string][]string{"grace": {"Already a member"}, "alan": {"Is blocked", "Is gone"}},
		refused.Fields)
	assert.Equal(t, []any{201, "POST", "/groups/:id/members", wireHost + "/api/v4/groups/7/members", 1},
		[]any{refused.StatusCode, refused.Method, refused.Operation, refused.URL, refused.Attempts})
	assert.Equal(t,
		"POST https://service.test/api/v4/groups/7/members: 201 grace Already a member; alan Is blocked; alan Is gone",
		err.Error())
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t,
		&AddMembersResult{Status: "error",
			Message: json.RawMessage(`{"grace":"Already a member","alan":["Is blocked","Is gone"]}`)}, result)

	result, _, err = add(exchange{Status: 201, Body: `{"status":"error","message":"Too many"}`})
	require.ErrorAs(t, err, &refused)
	assert.Equal(t, "Too many", refused.Message)
	assert.Equal(t, "error", result.Status)

	_, _, err = add(exchange{Status: 201, Body: `{"status":"error"}`})
	require.ErrorAs(t, err, &refused)
	assert.Equal(t, "the service refused without a reason", refused.Message)

	result, _, err = add(exchange{Status: 201, Fixture: "members/member.json"})
	require.NoError(t, err)
	assert.Equal(t, &AddMembersResult{Member: grace(t)}, result, "the response to a single ID")

	result, _, err = add(exchange{Status: 403, Body: `{"message":"403 Forbidden"}`})
	require.ErrorIs(t, err, ErrForbidden)
	assert.Nil(t, result)
}

func TestMembersSetState(t *testing.T) {
	set := func(reply string) (*Response, error) {
		client := onWire(t,
			exchange{Method: "PUT", Path: "/groups/acme/members/4/state", JSON: `{"state":"active"}`, Body: reply})
		return client.Members.SetState(t.Context(), GroupPath("acme"), UserID(4),
			SetMemberStateOptions{State: MembershipStateActive})
	}
	resp, err := set(`{"success":true}`)
	require.NoError(t, err)
	assert.Equal(t, 200, resp.StatusCode)

	resp, err = set(`{"success":false,"message":"No seats left"}`)
	var refused *Error
	require.ErrorAs(t, err, &refused)
	assert.Equal(t, "No seats left", refused.Message)
	assert.Equal(t, 200, resp.StatusCode)
}

func TestBillableMembers(t *testing.T) {
	ctx := t.Context()
	client := onWire(t,
		exchange{Method: "GET", Path: "/groups/acme/billable_members", Fixture: "members/billable_members.json"},
		exchange{Method: "GET", Path: "/groups/acme/billable_members",
			Query: "include_awaiting_members=true&per_page=100&search=gra&sort=last_activity_on_desc",
			Body:  `[{"id":4}]`})
	members, _, err := client.Members.ListBillable(ctx, GroupPath("acme"), nil)
	require.NoError(t, err)
	assert.Equal(t, []*BillableMember{{
		UserSummary: UserSummary{ID: 4, Username: "grace", Name: "Grace Hopper", State: "active",
			WebURL: "https://service.test/grace"},
		Email: "grace@example.com", LastActivityOn: new(NewDate(2026, time.January, 27)),
		MembershipType:  MembershipTypeGroupMember,
		MembershipState: MembershipStateActive, Removable: true, CreatedAt: *at(t, "2026-01-03T12:16:02.000Z"),
		LastLoginAt: at(t, "2026-01-26T08:00:00Z"), IsLastOwner: true,
	}, {
		UserSummary: UserSummary{ID: 5, Username: "alan", Name: "Alan Turing", State: "active",
			WebURL: "https://service.test/alan"},
		MembershipType: MembershipTypeGroupInvite, MembershipState: MembershipStateAwaiting,
		CreatedAt: *at(t, "2026-01-04T12:16:02.000Z"),
	}}, members)

	found, err := Collect(client.Members.AllBillable(ctx, GroupPath("acme"), &ListBillableMembersOptions{
		Search: "gra", Sort: BillableMemberSortLastActivityOnDesc, IncludeAwaitingMembers: true,
	}))
	require.NoError(t, err)
	assert.Len(t, found, 1)
}

func TestBillableMemberOrders(t *testing.T) {
	for order, sent := range map[BillableMemberSort]string{
		BillableMemberSortAccessLevel: "access_level_asc", BillableMemberSortAccessLevelDesc: "access_level_desc",
		BillableMemberSortLastJoined: "last_joined", BillableMemberSortOldestJoined: "oldest_joined",
		BillableMemberSortName: "name_asc", BillableMemberSortNameDesc: "name_desc",
		BillableMemberSortOldestSignIn: "oldest_sign_in", BillableMemberSortRecentSignIn: "recent_sign_in",
		BillableMemberSortLastActivityOn:     "last_activity_on_asc",
		BillableMemberSortLastActivityOnDesc: "last_activity_on_desc",
	} {
		client := onWire(t,
			exchange{Method: "GET", Path: "/groups/7/billable_members", Query: "sort=" + sent, Body: `[]`})
		_, _, err := client.Members.ListBillable(t.Context(), GroupID(7), &ListBillableMembersOptions{Sort: order})
		require.NoError(t, err)
	}
}

func TestBillableMemberships(t *testing.T) {
	ctx := t.Context()
	client := onWire(t,
		exchange{Method: "GET", Path: "/groups/7/billable_members/4/memberships", Query: "per_page=2",
			Fixture: "members/memberships.json"},
		exchange{Method: "GET", Path: "/groups/7/billable_members/4/memberships", Query: "per_page=100",
			Fixture: "members/memberships.json"},
		exchange{Method: "DELETE", Path: "/groups/7/billable_members/4", Status: 204})
	want := []*BillableMembership{{
		ID: 168, SourceID: 131, SourceFullName: "Root Group / Sub Group One",
		SourceMembersURL: "https://service.test/groups/root-group/sub-group-one/-/group_members",
		CreatedAt:        *at(t, "2026-03-31T17:28:44.812Z"), ExpiresAt: &DateOrTime{NewDate(2027, time.March, 21)},
		AccessLevel: &MembershipAccessLevel{"Developer", AccessLevelDeveloper},
	}, {
		ID: 169, SourceID: 63, SourceFullName: "Root Group / Sub Group One / My Project",
		SourceMembersURL: "https://service.test/root-group/sub-group-one/my-project/-/project_members",
		CreatedAt:        *at(t, "2026-03-31T17:29:14.934Z"),
		AccessLevel:      &MembershipAccessLevel{"Maintainer", AccessLevelMaintainer},
	}}
	memberships, _, err := client.Members.ListBillableMemberships(ctx, GroupID(7), UserID(4), &ListOptions{PerPage: 2})
	require.NoError(t, err)
	assert.Equal(t, want, memberships)
	memberships, err = Collect(client.Members.AllBillableMemberships(ctx, GroupID(7), UserID(4), nil))
	require.NoError(t, err)
	assert.Equal(t, want, memberships)
	resp, err := client.Members.RemoveBillable(ctx, GroupID(7), UserID(4))
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)
}

func TestMembersArguments(t *testing.T) {
	client := onWire(t)
	ctx := t.Context()
	_, _, err := client.Members.List(ctx, nil, nil)
	assertRefused(t, "owner", err)
	_, _, err = client.Members.AddSeveral(ctx, nil, []UserRef{UserID(4)}, AccessLevelNone, AddMemberOptions{})
	assertRefused(t, "owner", err)
	_, _, err = client.Members.AddSeveral(ctx, GroupID(7), []UserRef{UserID(4), Username("bob")}, AccessLevelGuest,
		AddMemberOptions{})
	assertRefused(t, "users", err)
	_, _, err = client.Members.AddSeveral(ctx, GroupID(7), nil, AccessLevelGuest, AddMemberOptions{})
	assertRefused(t, "users", err)
	_, _, err = client.Members.AddSeveral(ctx, GroupID(7), []UserRef{UserID(4), {}}, AccessLevelGuest,
		AddMemberOptions{})
	assertRefused(t, "user", err)
	_, _, err = client.Members.Add(ctx, GroupID(7), UserRef{}, AccessLevelGuest, AddMemberOptions{})
	assertRefused(t, "user", err)
	_, _, err = client.Members.Get(ctx, ProjectRef{}, UserID(4))
	assertRefused(t, "id", err)
	_, _, err = client.Members.Update(ctx, GroupPath(""), UserID(4), AccessLevelNone, UpdateMemberOptions{})
	assertRefused(t, "group path", err)
	_, err = client.Members.SetState(ctx, GroupID(7), UserID(0), SetMemberStateOptions{})
	assertRefused(t, "user_id", err)
	_, err = client.Members.RemoveBillable(ctx, GroupRef{}, UserID(4))
	assertRefused(t, "id", err)
	_, _, err = client.Members.ListBillable(ctx, GroupRef{}, nil)
	assertRefused(t, "id", err)
	_, err = Collect(client.Members.AllBillableMemberships(ctx, GroupID(7), UserID(-1), nil))
	assertRefused(t, "user_id", err)
}

// TestMembersAreIDs checks that a username is refused where the service accepts
// only IDs.
func TestMembersAreIDs(t *testing.T) {
	members, ctx, group, ada := onWire(t).Members, t.Context(), GroupID(7), Username("ada")
	for _, err := range []error{
		errorOf(members.Get(ctx, group, ada)),
		errorOf(members.GetInherited(ctx, group, ada)),
		errorOf(members.Update(ctx, group, ada, AccessLevelGuest, UpdateMemberOptions{})),
		second(members.SetState(ctx, group, ada, SetMemberStateOptions{State: MembershipStateActive})),
		second(members.Remove(ctx, group, ada, nil)),
		second(members.RemoveBillable(ctx, group, ada)),
		errorOf(members.ListBillableMemberships(ctx, group, ada, nil)),
	} {
		assertRefused(t, "user", err)
		assert.ErrorContains(t, err, "Users.Find")
	}
}

func TestAccessLevel(t *testing.T) {
	names := map[AccessLevel]string{
		0: "No access", 5: "Minimal access", 10: "Guest", 20: "Reporter", 30: "Developer", 40: "Maintainer",
		50: "Owner",
		15: "Planner", 60: "Administrator", 25: "AccessLevel(25)",
	}
	for level, name := range names {
		assert.Equal(t, name, level.String())
	}
	assert.Less(t, AccessLevelMaintainer, AccessLevelOwner)
	text, err := json.Marshal(AccessLevelReporter)
	require.NoError(t, err)
	assert.Equal(t, "20", string(text))
}

// queuedResponses are the responses of the service if an administrator must
// agree.
var queuedResponses = map[string]string{
	"message": `{"message":{"grace":"Waits for approval"}}`,
	"queued":  `{"queued_users":{"grace":"Waits for approval"},"status":"success"}`,
}

func TestMembersQueued(t *testing.T) {
	for name, body := range queuedResponses {
		client := onWire(t,
			exchange{Method: "POST", Path: "/groups/7/members", JSON: `{"user_id":4,"access_level":30}`, Status: 201,
				Body: body},
			exchange{Method: "PUT", Path: "/groups/7/members/4", JSON: `{"access_level":40}`, Body: body},
		)
		added, _, addErr := client.Members.Add(t.Context(), GroupID(7), UserID(4), AccessLevelDeveloper,
			AddMemberOptions{})
		changed, _, updateErr := client.Members.Update(t.Context(), GroupID(7), UserID(4), AccessLevelMaintainer,
			UpdateMemberOptions{})
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
			Method: "POST", Path: "/groups/7/members",
			JSON: `{"username":"ada,grace","access_level":10,"member_role_id":12}`, Status: 201, Body: body,
		})
		result, _, err := client.Members.AddSeveral(t.Context(), GroupID(7),
			[]UserRef{Username("ada"), Username("grace")}, AccessLevelGuest,
			AddMemberOptions{MemberRoleID: new(int64(12))})
		return result, err
	}
	want := map[string]string{"grace": "Waits for approval"}
	result, err := add(queuedResponses["queued"])
	require.NoError(t, err)
	assert.Equal(t, &AddMembersResult{Status: "success", Queued: want}, result)
	result, err = add(queuedResponses["message"])
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
		client := onWire(t,
			exchange{Method: "POST", Path: "/groups/7/members", JSON: `{"user_id":4,"access_level":30}`, Status: 201,
				Body: body})
		member, _, err := client.Members.Add(t.Context(), GroupID(7), UserID(4), AccessLevelDeveloper,
			AddMemberOptions{})
		assert.Nil(t, member, body)
		return err
	}
	var decode *DecodeError
	for _, body := range []string{`{"status":"success"}`, `{"status":"success","queued_users":{}}`,
		`{"queued_users":7}`, `{"message":"created"}`} {
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

func TestMembersOverride(t *testing.T) {
	const path = "/groups/acme%2Fteam/members/4/override"
	client := onWire(t,
		exchange{Method: "POST", Path: path, Status: 201, Fixture: "members/member.json"},
		exchange{Method: "DELETE", Path: path, Fixture: "members/member.json"})
	s, ctx, team := client.Members, t.Context(), GroupPath("acme/team")
	member, resp, err := s.Override(ctx, team, UserID(4))
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, grace(t), member)
	member, _, err = s.EndOverride(ctx, team, UserID(4))
	require.NoError(t, err)
	assert.Equal(t, grace(t), member)

	assertRefused(t, "user", errorOf(s.Override(ctx, team, Username("grace"))))
	assertRefused(t, "user_id", errorOf(s.EndOverride(ctx, team, UserID(0))))
	assertRefused(t, "id", errorOf(s.Override(ctx, GroupRef{}, UserID(4))))
}

func TestMembersPending(t *testing.T) {
	const path = "/groups/7/pending_members"
	whole := fixture(t, "members/pending_members.json")
	client := onWire(t,
		exchange{Method: "GET", Path: path, Query: "page=2&per_page=5", Body: whole},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: whole},
		exchange{Method: "PUT", Path: "/groups/7/members/168/approve"},
		exchange{Method: "POST", Path: "/groups/7/members/approve_all", Status: 201})
	s, ctx, group := client.Members, t.Context(), GroupID(7)
	want := []*PendingMember{
		{
			ID: 168, Name: "Grace Hopper", Username: "grace", Email: "grace@example.com",
			AvatarURL: "https://service.test/avatars/4.png", WebURL: "https://service.test/grace",
			Approved: true, Invited: true,
		},
		{ID: 169, Email: "linus@example.com", AvatarURL: "https://service.test/avatars/none.png", Invited: true},
	}
	assertFilled(t, want[0])
	pending, _, err := s.ListPending(ctx, group, &ListOptions{Page: 2, PerPage: 5})
	require.NoError(t, err)
	assert.Equal(t, want, pending)
	pending, err = Collect(s.AllPending(ctx, group, nil))
	require.NoError(t, err)
	assert.Equal(t, want, pending)
	_, err = s.Approve(ctx, group, 168)
	require.NoError(t, err)
	resp, err := s.ApproveAll(ctx, group)
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)

	_, err = s.Approve(ctx, group, 0)
	assertRefused(t, "member_id", err)
	_, err = s.ApproveAll(ctx, GroupRef{})
	assertRefused(t, "id", err)
	assertRefused(t, "Page", errorOf(s.ListPending(ctx, group, &ListOptions{Page: -1})))
}

func TestMembersIndirectBillableMemberships(t *testing.T) {
	const path = "/groups/7/billable_members/4/indirect"
	whole := fixture(t, "members/memberships.json")
	client := onWire(t,
		exchange{Method: "GET", Path: path, Query: "page=2&per_page=5", Body: whole},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: whole},
		exchange{Method: "GET", Path: "/groups/7/billable_members/4/memberships", Query: "per_page=100", Body: whole})
	s, ctx, group := client.Members, t.Context(), GroupID(7)
	page, _, err := s.ListIndirectBillableMemberships(ctx, group, UserID(4), &ListOptions{Page: 2, PerPage: 5})
	require.NoError(t, err)
	all, err := Collect(s.AllIndirectBillableMemberships(ctx, group, UserID(4), nil))
	require.NoError(t, err)
	direct, err := Collect(s.AllBillableMemberships(ctx, group, UserID(4), nil))
	require.NoError(t, err)
	require.NotEmpty(t, direct, "the objects are those of direct memberships")
	assert.Equal(t, direct, page)
	assert.Equal(t, direct, all)
	assertRefused(t, "user", errorOf(s.ListIndirectBillableMemberships(ctx, group, Username("grace"), nil)))
}

func TestParseAccessLevel(t *testing.T) {
	for s, want := range map[string]AccessLevel{
		"none": AccessLevelNone, "NONE": AccessLevelNone, "No access": AccessLevelNone, "0": AccessLevelNone,
		"minimal": AccessLevelMinimal, "Minimal": AccessLevelMinimal, "5": AccessLevelMinimal,
		"guest": AccessLevelGuest, "15": AccessLevelPlanner,
		"reporter": AccessLevelReporter, "DEVELOPER": AccessLevelDeveloper, "30": AccessLevelDeveloper,
		"Maintainer": AccessLevelMaintainer, "owner": AccessLevelOwner, "50": AccessLevelOwner,
		"admin": AccessLevelAdmin, "Admin": AccessLevelAdmin, "administrator": AccessLevelAdmin, "60": AccessLevelAdmin,
	} {
		level, err := ParseAccessLevel(s)
		require.NoError(t, err, s)
		assert.Equal(t, want, level, s)
	}
	for _, s := range []string{"", "no", "access", "dev", "31", "-5", "030", "30 "} {
		_, err := ParseAccessLevel(s)
		assertRefused(t, "access level", err)
		assert.ErrorContains(t, err, "is unknown: "+strconv.Quote(s))
	}
}

// Every level can be parsed in both forms.
func TestAccessLevels(t *testing.T) {
	levels := accessLevels()
	assert.Len(t, levels, 9)
	assert.True(t, slices.IsSorted(levels))
	for _, level := range levels {
		assert.NotContains(t, level.String(), "AccessLevel(")
		parsed, err := ParseAccessLevel(level.String())
		require.NoError(t, err)
		assert.Equal(t, level, parsed)
	}
}
