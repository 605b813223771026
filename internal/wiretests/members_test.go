package wiretests

import (
	"encoding/json"
	"strconv"
	"testing"
	"time"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// memberParents are both parents of members, with the path of their members.
var memberParents = []struct {
	parent serviceapi.MemberOwner
	path   string
}{
	{serviceapi.ProjectPath("acme/app"), "/projects/acme%2Fapp/members"},
	{serviceapi.GroupID(7), "/groups/7/members"},
}

// grace is testdata/members/member.json.
func grace(t *testing.T) *serviceapi.Member {
	return &serviceapi.Member{
		UserSummary: serviceapi.UserSummary{
			ID: 4, Username: "grace", Name: "Grace Hopper", State: "active", Locked: true,
			PublicEmail: "grace@example.com",
			AvatarURL:   "https://service.test/avatars/4.png", WebURL: "https://service.test/grace",
		},
		CreatedAt: *at(t, "2026-02-22T14:13:35.000Z"),
		CreatedBy: &serviceapi.UserSummary{ID: 1, Username: "ada", Name: "Ada Lovelace", State: "active",
			WebURL: "https://service.test/ada"},
		ExpiresAt: &serviceapi.DateOrTime{
			Date: serviceapi.Date{Time: *at(t, "2026-10-22T14:13:35Z")},
		}, AccessLevel: serviceapi.AccessLevelDeveloper,
		Email: "grace@example.com",
		GroupSAMLIdentity: &serviceapi.GroupSAMLIdentity{
			ExternUID:      "ABC-1234567890",
			Provider:       "group_saml",
			SAMLProviderID: 10,
		},
		GroupSCIMIdentity: &serviceapi.UserSCIMIdentity{ExternUID: "grace-1", GroupID: "7", Active: true},
		MembershipState:   serviceapi.MembershipStateAwaiting,
		IsUsingSeat:       new(true), Override: new(false),
		MemberRole: &serviceapi.MemberRole{
			ID: 12, Name: "Auditor", Description: "Reads code", GroupID: new(int64(7)),
			BaseAccessLevel: serviceapi.AccessLevelGuest,
			Permissions:     map[serviceapi.MemberPermission]bool{"read_code": true, "admin_merge_request": false},
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
		member, _, err := client.Members.Get(t.Context(), p.parent, serviceapi.UserID(4))
		require.NoError(t, err)
		assert.Equal(t, grace(t), member)
		member, _, err = client.Members.GetInherited(t.Context(), p.parent, serviceapi.UserID(4))
		require.NoError(t, err)
		assert.Equal(
			t,
			&serviceapi.Member{
				UserSummary: serviceapi.UserSummary{ID: 4},
				ExpiresAt: &serviceapi.DateOrTime{Date: serviceapi.NewDate(2026, time.October,
					22)},
			},
			member,
		)
		member, _, err = client.Members.Get(t.Context(), p.parent, serviceapi.UserID(4))
		require.NoError(t, err)
		assert.Equal(t, &serviceapi.Member{UserSummary: serviceapi.UserSummary{ID: 4}}, member)
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
		one := []*serviceapi.Member{{UserSummary: serviceapi.UserSummary{ID: 4}}}

		members, _, err := client.Members.List(ctx, p.parent, nil)
		require.NoError(t, err)
		assert.Equal(t, one, members)
		members, err = serviceapi.Collect(client.Members.All(
			ctx,
			p.parent,
			&serviceapi.ListMembersOptions{
				ListOptions:  serviceapi.ListOptions{Page: 2},
				Query:        "gra",
				UserIDs:      []int64{4, 5},
				ShowSeatInfo: true,
			},
		))
		require.NoError(t, err)
		assert.Equal(t, one, members)
		members, _, err = client.Members.ListInherited(
			ctx,
			p.parent,
			&serviceapi.ListInheritedMembersOptions{
				Query:        "gra",
				UserIDs:      []int64{4},
				State:        serviceapi.MembershipStateAwaiting,
				ShowSeatInfo: true,
			},
		)
		require.NoError(t, err)
		assert.Equal(t, one, members)
		members, err = serviceapi.Collect(client.Members.AllInherited(ctx, p.parent, nil))
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
		member, _, err := client.Members.Add(
			ctx,
			p.parent,
			serviceapi.UserID(4),
			serviceapi.AccessLevelDeveloper,
			serviceapi.AddMemberOptions{},
		)
		require.NoError(t, err)
		assert.Equal(t, grace(t), member)
		_, _, err = client.Members.Add(
			ctx,
			p.parent,
			serviceapi.UserID(4),
			serviceapi.AccessLevelNone,
			serviceapi.AddMemberOptions{
				ExpiresAt:    new(serviceapi.NewDate(2026, time.October, 22)),
				InviteSource: new("wizard"),
				TasksToBeDone: []serviceapi.MemberTask{
					serviceapi.MemberTaskCI,
					serviceapi.MemberTaskCode,
					serviceapi.MemberTaskIssues,
				},
				TasksProjectID: new(int64(9)),
			},
		)
		require.NoError(t, err)
		_, _, err = client.Members.Add(ctx, p.parent, serviceapi.Username("grace"), serviceapi.AccessLevelPlanner,
			serviceapi.AddMemberOptions{MemberRoleID: new(int64(12))})
		require.NoError(t, err)
		for _, change := range []struct {
			level   serviceapi.AccessLevel
			options serviceapi.UpdateMemberOptions
		}{
			{serviceapi.AccessLevelMaintainer, serviceapi.UpdateMemberOptions{}},
			{serviceapi.AccessLevelAdmin,
				serviceapi.UpdateMemberOptions{ExpiresAt: serviceapi.Null[serviceapi.Date](),
					MemberRoleID: new(int64(12))}},
			{serviceapi.AccessLevelMaintainer,
				serviceapi.UpdateMemberOptions{ExpiresAt: serviceapi.Value(serviceapi.NewDate(2026, time.October,
					22))}},
		} {
			member, _, err = client.Members.Update(ctx, p.parent, serviceapi.UserID(4), change.level, change.options)
			require.NoError(t, err)
			assert.Equal(t, grace(t), member)
		}
	}
}

func TestMembersAddSeveral(t *testing.T) {
	users := []serviceapi.UserRef{serviceapi.UserID(4), serviceapi.UserID(5)}
	options := serviceapi.AddMemberOptions{
		ExpiresAt: new(serviceapi.NewDate(2026, time.October, 22)),
		InviteSource: new(
			"wizard",
		), TasksToBeDone: []serviceapi.MemberTask{serviceapi.MemberTaskCI}, TasksProjectID: new(int64(9)),
	}
	add := func(reply exchange) (*serviceapi.AddMembersResult, *serviceapi.Response, error) {
		reply.Method, reply.Path = "POST", "/groups/7/members"
		reply.JSON = `{"user_id":"4,5","access_level":10,"expires_at":"2026-10-22","invite_source":"wizard",` +
			`"tasks_to_be_done":["ci"],"tasks_project_id":9}`
		return onWire(
			t,
			reply,
		).Members.AddSeveral(
			t.Context(),
			serviceapi.GroupID(7),
			users,
			serviceapi.AccessLevelGuest,
			options,
		)
	}

	result, _, err := add(exchange{Status: 201, Body: `{"status":"success"}`})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.AddMembersResult{Status: "success"}, result)

	result, resp, err := add(exchange{Status: 201,
		Body: `{"status":"error","message":{"grace":"Already a member","alan":["Is blocked","Is gone"]}}`})
	var refused *serviceapi.Error
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
		&serviceapi.AddMembersResult{Status: "error",
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
	assert.Equal(t, &serviceapi.AddMembersResult{Member: grace(t)}, result, "the response to a single ID")

	result, _, err = add(exchange{Status: 403, Body: `{"message":"403 Forbidden"}`})
	require.ErrorIs(t, err, serviceapi.ErrForbidden)
	assert.Nil(t, result)
}

func TestMembersSetState(t *testing.T) {
	set := func(reply string) (*serviceapi.Response, error) {
		client := onWire(t,
			exchange{Method: "PUT", Path: "/groups/acme/members/4/state", JSON: `{"state":"active"}`, Body: reply})
		return client.Members.SetState(t.Context(), serviceapi.GroupPath("acme"), serviceapi.UserID(4),
			serviceapi.SetMemberStateOptions{State: serviceapi.MembershipStateActive})
	}
	resp, err := set(`{"success":true}`)
	require.NoError(t, err)
	assert.Equal(t, 200, resp.StatusCode)

	resp, err = set(`{"success":false,"message":"No seats left"}`)
	var refused *serviceapi.Error
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
	members, _, err := client.Members.ListBillable(ctx, serviceapi.GroupPath("acme"), nil)
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.BillableMember{{
		UserSummary: serviceapi.UserSummary{ID: 4, Username: "grace", Name: "Grace Hopper", State: "active",
			WebURL: "https://service.test/grace"},
		Email: "grace@example.com", LastActivityOn: new(serviceapi.NewDate(2026, time.January, 27)),
		MembershipType:  serviceapi.MembershipTypeGroupMember,
		MembershipState: serviceapi.MembershipStateActive, Removable: true,
		CreatedAt:   *at(t, "2026-01-03T12:16:02.000Z"),
		LastLoginAt: at(t, "2026-01-26T08:00:00Z"), IsLastOwner: true,
	}, {
		UserSummary: serviceapi.UserSummary{ID: 5, Username: "alan", Name: "Alan Turing", State: "active",
			WebURL: "https://service.test/alan"},
		MembershipType: serviceapi.MembershipTypeGroupInvite, MembershipState: serviceapi.MembershipStateAwaiting,
		CreatedAt: *at(t, "2026-01-04T12:16:02.000Z"),
	}}, members)

	found, err := serviceapi.Collect(
		client.Members.AllBillable(ctx, serviceapi.GroupPath("acme"), &serviceapi.ListBillableMembersOptions{
			Search: "gra", Sort: serviceapi.BillableMemberSortLastActivityOnDesc, IncludeAwaitingMembers: true,
		}),
	)
	require.NoError(t, err)
	assert.Len(t, found, 1)
}

func TestBillableMemberOrders(t *testing.T) {
	for order, sent := range map[serviceapi.BillableMemberSort]string{
		serviceapi.BillableMemberSortAccessLevel:     "access_level_asc",
		serviceapi.BillableMemberSortAccessLevelDesc: "access_level_desc",
		serviceapi.BillableMemberSortLastJoined:      "last_joined",
		serviceapi.BillableMemberSortOldestJoined:    "oldest_joined",
		serviceapi.BillableMemberSortName:            "name_asc", serviceapi.BillableMemberSortNameDesc: "name_desc",
		serviceapi.BillableMemberSortOldestSignIn:       "oldest_sign_in",
		serviceapi.BillableMemberSortRecentSignIn:       "recent_sign_in",
		serviceapi.BillableMemberSortLastActivityOn:     "last_activity_on_asc",
		serviceapi.BillableMemberSortLastActivityOnDesc: "last_activity_on_desc",
	} {
		client := onWire(t,
			exchange{Method: "GET", Path: "/groups/7/billable_members", Query: "sort=" + sent, Body: `[]`})
		_, _, err := client.Members.ListBillable(
			t.Context(),
			serviceapi.GroupID(7),
			&serviceapi.ListBillableMembersOptions{Sort: order},
		)
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
	want := []*serviceapi.BillableMembership{{
		ID: 168, SourceID: 131, SourceFullName: "Root Group / Sub Group One",
		SourceMembersURL: "https://service.test/groups/root-group/sub-group-one/-/group_members",
		CreatedAt:        *at(t, "2026-03-31T17:28:44.812Z"),
		ExpiresAt:        &serviceapi.DateOrTime{Date: serviceapi.NewDate(2027, time.March, 21)},
		AccessLevel: &serviceapi.MembershipAccessLevel{
			StringValue:  "Developer",
			IntegerValue: serviceapi.AccessLevelDeveloper,
		},
	}, {
		ID: 169, SourceID: 63, SourceFullName: "Root Group / Sub Group One / My Project",
		SourceMembersURL: "https://service.test/root-group/sub-group-one/my-project/-/project_members",
		CreatedAt:        *at(t, "2026-03-31T17:29:14.934Z"),
		AccessLevel: &serviceapi.MembershipAccessLevel{
			StringValue:  "Maintainer",
			IntegerValue: serviceapi.AccessLevelMaintainer,
		},
	}}
	memberships, _, err := client.Members.ListBillableMemberships(
		ctx,
		serviceapi.GroupID(7),
		serviceapi.UserID(4),
		&serviceapi.ListOptions{PerPage: 2},
	)
	require.NoError(t, err)
	assert.Equal(t, want, memberships)
	memberships, err = serviceapi.Collect(
		client.Members.AllBillableMemberships(ctx, serviceapi.GroupID(7), serviceapi.UserID(4), nil),
	)
	require.NoError(t, err)
	assert.Equal(t, want, memberships)
	resp, err := client.Members.RemoveBillable(ctx, serviceapi.GroupID(7), serviceapi.UserID(4))
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)
}

func TestMembersArguments(t *testing.T) {
	client := onWire(t)
	ctx := t.Context()
	_, _, err := client.Members.List(ctx, nil, nil)
	assertRefused(t, "owner", err)
	_, _, err = client.Members.AddSeveral(
		ctx,
		nil,
		[]serviceapi.UserRef{serviceapi.UserID(4)},
		serviceapi.AccessLevelNone,
		serviceapi.AddMemberOptions{},
	)
	assertRefused(t, "owner", err)
	_, _, err = client.Members.AddSeveral(
		ctx,
		serviceapi.GroupID(7),
		[]serviceapi.UserRef{serviceapi.UserID(4), serviceapi.Username("bob")},
		serviceapi.AccessLevelGuest,
		serviceapi.AddMemberOptions{},
	)
	assertRefused(t, "users", err)
	_, _, err = client.Members.AddSeveral(
		ctx,
		serviceapi.GroupID(7),
		nil,
		serviceapi.AccessLevelGuest,
		serviceapi.AddMemberOptions{},
	)
	assertRefused(t, "users", err)
	_, _, err = client.Members.AddSeveral(
		ctx,
		serviceapi.GroupID(7),
		[]serviceapi.UserRef{serviceapi.UserID(4), {}},
		serviceapi.AccessLevelGuest,
		serviceapi.AddMemberOptions{},
	)
	assertRefused(t, "user", err)
	_, _, err = client.Members.Add(
		ctx,
		serviceapi.GroupID(7),
		serviceapi.UserRef{},
		serviceapi.AccessLevelGuest,
		serviceapi.AddMemberOptions{},
	)
	assertRefused(t, "user", err)
	_, _, err = client.Members.Get(ctx, serviceapi.ProjectRef{}, serviceapi.UserID(4))
	assertRefused(t, "id", err)
	_, _, err = client.Members.Update(
		ctx,
		serviceapi.GroupPath(""),
		serviceapi.UserID(4),
		serviceapi.AccessLevelNone,
		serviceapi.UpdateMemberOptions{},
	)
	assertRefused(t, "group path", err)
	_, err = client.Members.SetState(
		ctx,
		serviceapi.GroupID(7),
		serviceapi.UserID(0),
		serviceapi.SetMemberStateOptions{},
	)
	assertRefused(t, "user_id", err)
	_, err = client.Members.RemoveBillable(ctx, serviceapi.GroupRef{}, serviceapi.UserID(4))
	assertRefused(t, "id", err)
	_, _, err = client.Members.ListBillable(ctx, serviceapi.GroupRef{}, nil)
	assertRefused(t, "id", err)
	_, err = serviceapi.Collect(
		client.Members.AllBillableMemberships(ctx, serviceapi.GroupID(7), serviceapi.UserID(-1), nil),
	)
	assertRefused(t, "user_id", err)
}

// TestMembersAreIDs checks that a username is refused where the service accepts
// only IDs.
func TestMembersAreIDs(t *testing.T) {
	members, ctx, group, ada := onWire(t).Members, t.Context(), serviceapi.GroupID(7), serviceapi.Username("ada")
	for _, err := range []error{
		errorOf(members.Get(ctx, group, ada)),
		errorOf(members.GetInherited(ctx, group, ada)),
		errorOf(members.Update(ctx, group, ada, serviceapi.AccessLevelGuest, serviceapi.UpdateMemberOptions{})),
		second(members.SetState(ctx, group, ada,
			serviceapi.SetMemberStateOptions{State: serviceapi.MembershipStateActive})),
		second(members.Remove(ctx, group, ada, nil)),
		second(members.RemoveBillable(ctx, group, ada)),
		errorOf(members.ListBillableMemberships(ctx, group, ada, nil)),
	} {
		assertRefused(t, "user", err)
		assert.ErrorContains(t, err, "Users.Find")
	}
}

func TestAccessLevel(t *testing.T) {
	names := map[serviceapi.AccessLevel]string{
		0: "No access", 5: "Minimal access", 10: "Guest", 20: "Reporter", 30: "Developer", 40: "Maintainer",
		50: "Owner",
		15: "Planner", 60: "Administrator", 25: "AccessLevel(25)",
	}
	for level, name := range names {
		assert.Equal(t, name, level.String())
	}
	assert.Less(t, serviceapi.AccessLevelMaintainer, serviceapi.AccessLevelOwner)
	text, err := json.Marshal(serviceapi.AccessLevelReporter)
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
		added, _, addErr := client.Members.Add(
			t.Context(),
			serviceapi.GroupID(7),
			serviceapi.UserID(4),
			serviceapi.AccessLevelDeveloper,
			serviceapi.AddMemberOptions{},
		)
		changed, _, updateErr := client.Members.Update(
			t.Context(),
			serviceapi.GroupID(7),
			serviceapi.UserID(4),
			serviceapi.AccessLevelMaintainer,
			serviceapi.UpdateMemberOptions{},
		)
		assert.Nil(t, added, name)
		assert.Nil(t, changed, name)
		for status, err := range map[int]error{201: addErr, 200: updateErr} {
			var queued *serviceapi.MembershipQueuedError
			require.ErrorAs(t, err, &queued, name)
			assert.Equal(t, map[string]string{"grace": "Waits for approval"}, queued.Users, name)
			assert.Equal(t, status, queued.Err.StatusCode, name)
			assert.ErrorContains(t, err, "(waiting for an administrator: grace)", name)
		}
	}
}

func TestMembersAddSeveralQueued(t *testing.T) {
	add := func(body string) (*serviceapi.AddMembersResult, error) {
		client := onWire(t, exchange{
			Method: "POST", Path: "/groups/7/members",
			JSON: `{"username":"ada,grace","access_level":10,"member_role_id":12}`, Status: 201, Body: body,
		})
		result, _, err := client.Members.AddSeveral(t.Context(), serviceapi.GroupID(7),
			[]serviceapi.UserRef{serviceapi.Username("ada"), serviceapi.Username("grace")}, serviceapi.AccessLevelGuest,
			serviceapi.AddMemberOptions{MemberRoleID: new(int64(12))})
		return result, err
	}
	want := map[string]string{"grace": "Waits for approval"}
	result, err := add(queuedResponses["queued"])
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.AddMembersResult{Status: "success", Queued: want}, result)
	result, err = add(queuedResponses["message"])
	require.NoError(t, err)
	assert.Equal(
		t,
		&serviceapi.AddMembersResult{Message: json.RawMessage(`{"grace":"Waits for approval"}`), Queued: want},
		result,
	)
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
		member, _, err := client.Members.Add(
			t.Context(),
			serviceapi.GroupID(7),
			serviceapi.UserID(4),
			serviceapi.AccessLevelDeveloper,
			serviceapi.AddMemberOptions{},
		)
		assert.Nil(t, member, body)
		return err
	}
	var decode *serviceapi.DecodeError
	for _, body := range []string{`{"status":"success"}`, `{"status":"success","queued_users":{}}`,
		`{"queued_users":7}`, `{"message":"created"}`} {
		require.ErrorAs(t, add(body), &decode, body)
	}
	var refused *serviceapi.Error
	require.ErrorAs(t, add(`{"status":"error","message":{"grace":"Is blocked"}}`), &refused)
	assert.Equal(t, map[string][]string{"grace": {"Is blocked"}}, refused.Fields)
}

func TestMemberRoleBothWays(t *testing.T) {
	const text = `{"id":12,"name":"Auditor","base_access_level":10,"admin_merge_request":false,"read_code":true}`
	var role serviceapi.MemberRole
	require.NoError(t, json.Unmarshal([]byte(text), &role))
	data, err := json.Marshal(role)
	require.NoError(t, err)
	assert.JSONEq(t, text, string(data))
	var none *serviceapi.MemberRole
	require.NoError(t, json.Unmarshal([]byte("null"), &none))
	assert.Nil(t, none)
}

func TestMembersOverride(t *testing.T) {
	const path = "/groups/acme%2Fteam/members/4/override"
	client := onWire(t,
		exchange{Method: "POST", Path: path, Status: 201, Fixture: "members/member.json"},
		exchange{Method: "DELETE", Path: path, Fixture: "members/member.json"})
	s, ctx, team := client.Members, t.Context(), serviceapi.GroupPath("acme/team")
	member, resp, err := s.Override(ctx, team, serviceapi.UserID(4))
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, grace(t), member)
	member, _, err = s.EndOverride(ctx, team, serviceapi.UserID(4))
	require.NoError(t, err)
	assert.Equal(t, grace(t), member)

	assertRefused(t, "user", errorOf(s.Override(ctx, team, serviceapi.Username("grace"))))
	assertRefused(t, "user_id", errorOf(s.EndOverride(ctx, team, serviceapi.UserID(0))))
	assertRefused(t, "id", errorOf(s.Override(ctx, serviceapi.GroupRef{}, serviceapi.UserID(4))))
}

func TestMembersPending(t *testing.T) {
	const path = "/groups/7/pending_members"
	whole := fixture(t, "members/pending_members.json")
	client := onWire(t,
		exchange{Method: "GET", Path: path, Query: "page=2&per_page=5", Body: whole},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: whole},
		exchange{Method: "PUT", Path: "/groups/7/members/168/approve"},
		exchange{Method: "POST", Path: "/groups/7/members/approve_all", Status: 201})
	s, ctx, group := client.Members, t.Context(), serviceapi.GroupID(7)
	want := []*serviceapi.PendingMember{
		{
			ID: 168, Name: "Grace Hopper", Username: "grace", Email: "grace@example.com",
			AvatarURL: "https://service.test/avatars/4.png", WebURL: "https://service.test/grace",
			Approved: true, Invited: true,
		},
		{ID: 169, Email: "linus@example.com", AvatarURL: "https://service.test/avatars/none.png", Invited: true},
	}
	assertFilled(t, want[0])
	pending, _, err := s.ListPending(ctx, group, &serviceapi.ListOptions{Page: 2, PerPage: 5})
	require.NoError(t, err)
	assert.Equal(t, want, pending)
	pending, err = serviceapi.Collect(s.AllPending(ctx, group, nil))
	require.NoError(t, err)
	assert.Equal(t, want, pending)
	_, err = s.Approve(ctx, group, 168)
	require.NoError(t, err)
	resp, err := s.ApproveAll(ctx, group)
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)

	_, err = s.Approve(ctx, group, 0)
	assertRefused(t, "member_id", err)
	_, err = s.ApproveAll(ctx, serviceapi.GroupRef{})
	assertRefused(t, "id", err)
	assertRefused(t, "Page", errorOf(s.ListPending(ctx, group, &serviceapi.ListOptions{Page: -1})))
}

func TestMembersIndirectBillableMemberships(t *testing.T) {
	const path = "/groups/7/billable_members/4/indirect"
	whole := fixture(t, "members/memberships.json")
	client := onWire(t,
		exchange{Method: "GET", Path: path, Query: "page=2&per_page=5", Body: whole},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: whole},
		exchange{Method: "GET", Path: "/groups/7/billable_members/4/memberships", Query: "per_page=100", Body: whole})
	s, ctx, group := client.Members, t.Context(), serviceapi.GroupID(7)
	page, _, err := s.ListIndirectBillableMemberships(
		ctx,
		group,
		serviceapi.UserID(4),
		&serviceapi.ListOptions{Page: 2, PerPage: 5},
	)
	require.NoError(t, err)
	all, err := serviceapi.Collect(s.AllIndirectBillableMemberships(ctx, group, serviceapi.UserID(4), nil))
	require.NoError(t, err)
	direct, err := serviceapi.Collect(s.AllBillableMemberships(ctx, group, serviceapi.UserID(4), nil))
	require.NoError(t, err)
	require.NotEmpty(t, direct, "the objects are those of direct memberships")
	assert.Equal(t, direct, page)
	assert.Equal(t, direct, all)
	assertRefused(t, "user", errorOf(s.ListIndirectBillableMemberships(ctx, group, serviceapi.Username("grace"), nil)))
}

func TestParseAccessLevel(t *testing.T) {
	for s, want := range map[string]serviceapi.AccessLevel{
		"none": serviceapi.AccessLevelNone, "NONE": serviceapi.AccessLevelNone, "No access": serviceapi.AccessLevelNone,
		"0":       serviceapi.AccessLevelNone,
		"minimal": serviceapi.AccessLevelMinimal, "Minimal": serviceapi.AccessLevelMinimal,
		"5":     serviceapi.AccessLevelMinimal,
		"guest": serviceapi.AccessLevelGuest, "15": serviceapi.AccessLevelPlanner,
		"reporter": serviceapi.AccessLevelReporter, "DEVELOPER": serviceapi.AccessLevelDeveloper,
		"30":         serviceapi.AccessLevelDeveloper,
		"Maintainer": serviceapi.AccessLevelMaintainer, "owner": serviceapi.AccessLevelOwner,
		"50":    serviceapi.AccessLevelOwner,
		"admin": serviceapi.AccessLevelAdmin, "Admin": serviceapi.AccessLevelAdmin,
		"administrator": serviceapi.AccessLevelAdmin, "60": serviceapi.AccessLevelAdmin,
	} {
		level, err := serviceapi.ParseAccessLevel(s)
		require.NoError(t, err, s)
		assert.Equal(t, want, level, s)
	}
	for _, s := range []string{"", "no", "access", "dev", "31", "-5", "030", "30 "} {
		_, err := serviceapi.ParseAccessLevel(s)
		assertRefused(t, "access level", err)
		assert.ErrorContains(t, err, "is unknown: "+strconv.Quote(s))
	}
}

// TestQueuedUsersWithoutAMessage checks that the error has something to say where the
// response has only the users.
func TestQueuedUsersWithoutAMessage(t *testing.T) {
	for body, want := range map[string]string{
		`{"queued_users":{"ada":"needs an administrator"}}`:                   "needs an administrator",
		`{"queued_users":{"ada":"x"},"message":"ask an administrator"}`:       "ask an administrator",
		`{"status":"error","queued_users":{"ada":"needs one"},"message":"m"}`: "m",
	} {
		client, _ := scriptedClient(t, serviceapi.RetryPolicy{MaxAttempts: 1}, status(200, body))
		_, _, err := client.Members.Update(
			t.Context(),
			serviceapi.ProjectID(4),
			serviceapi.UserID(7),
			serviceapi.AccessLevelMaintainer,
			serviceapi.UpdateMemberOptions{},
		)
		var queued *serviceapi.MembershipQueuedError
		require.ErrorAs(t, err, &queued, body)
		assert.Contains(t, queued.Users, "ada")
		assert.ErrorContains(t, err, want, body)
	}
}
