package serviceapi

import (
	stdjson "encoding/json"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// auditParents are all parents of audit events, with the path of their events.
var auditParents = []struct {
	parent AuditEventOwner
	path   string
}{
	{Instance, "/audit_events"},
	{GroupPath("acme/platform"), "/groups/acme%2Fplatform/audit_events"},
	{ProjectID(7), "/projects/7/audit_events"},
}

// auditEvents is testdata/audit_events/events.json.
func auditEvents(t *testing.T) []*AuditEvent {
	return []*AuditEvent{{
		ID: 4, AuthorID: 1, EntityID: 60, EntityType: AuditEntityTypeProject,
		CreatedAt: *at(t, "2026-03-01T10:00:00.880Z"),
		Details: &AuditEventDetails{
			CustomMessage: AuditValue{`"Project access changed"`}, Add: AuditValue{`"user_access"`},
			Change: AuditValue{`"access_level"`},
			From:   AuditValue{`"Developer"`}, To: AuditValue{`"Maintainer"`}, AuthorName: "Ada Lovelace",
			TargetID: AuditValue{`51`}, TargetType: "User", TargetDetails: AuditValue{`"Grace Hopper"`},
			IPAddress: "127.0.0.1", EntityPath: "acme/app",
		},
	}, {
		ID: 3, AuthorID: -1, EntityID: 7, EntityType: AuditEntityTypeGroup,
		CreatedAt: *at(t, "2026-02-28T10:00:00.880Z"),
		EventType: "group_changed", EventName: "group_changed",
		Details: &AuditEventDetails{
			CustomMessage: AuditValue{`{"text": "Approval rule", "count": 2}`},
			Change:        AuditValue{`"require_two_factor"`},
			From:          AuditValue{`false`}, To: AuditValue{`30`}, AuthorName: "Ada Lovelace",
			TargetID: AuditValue{`"acme/app"`}, TargetType: "Project", TargetDetails: AuditValue{`null`},
			EntityPath: "acme",
			received:   auditBlanks{ipAddress: stateNull},
			EventName:  AuditValue{`"group_changed"`}, AuthorClass: AuditValue{`"User"`},
			AuthorEmail: AuditValue{`"ada@example.com"`},
			As:          AuditValue{`["Developer", 30]`}, With: AuditValue{`"two-factor"`},
			Remove:      AuditValue{`"user_access"`},
			FailedLogin: AuditValue{`"STANDARD"`}, Changes: AuditValue{`[{"change": "name", "from": "a", "to": "b"}]`},
			Extra: map[string]stdjson.RawMessage{"push_options": stdjson.RawMessage(`["x", 1]`)},
		},
	}}
}

func TestAuditEventsList(t *testing.T) {
	for _, p := range auditParents {
		client := onWire(t,
			exchange{Method: "GET", Path: p.path, Fixture: "audit_events/events.json"},
			exchange{Method: "GET", Path: p.path,
				Query: "created_after=2026-02-01T00%3A00%3A00Z&created_before=2026-03-01T10%3A00%3A00.88Z&page=2" +
					"&per_page=100", Body: `[{"id":4,"details":{}}]`})
		events, _, err := client.AuditEvents.List(t.Context(), p.parent, nil)
		require.NoError(t, err)
		assert.Equal(t, auditEvents(t), events)
		events, err = Collect(client.AuditEvents.All(t.Context(), p.parent, &ListAuditEventsOptions{
			ListOptions: ListOptions{Page: 2}, CreatedAfter: time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC),
			CreatedBefore: *at(t, "2026-03-01T10:00:00.880Z"),
		}))
		require.NoError(t, err)
		assert.Equal(t, []*AuditEvent{{ID: 4, Details: &AuditEventDetails{}}}, events)
	}
}

func TestAuditEventsOfOneEntity(t *testing.T) {
	client := onWire(t,
		exchange{Method: "GET", Path: "/audit_events", Query: "entity_id=8&entity_type=User", Body: `[]`})
	_, _, err := client.AuditEvents.List(t.Context(), Instance,
		&ListAuditEventsOptions{EntityType: AuditEntityTypeUser, EntityID: 8})
	require.NoError(t, err)
}

func TestAuditEventsByKeyset(t *testing.T) {
	first := "order_by=id&pagination=keyset&per_page=100&sort=desc"
	for _, p := range auditParents {
		client := onWire(t,
			exchange{Method: "GET", Path: p.path, Query: first, Body: `[{"id":9}]`, ResponseHeader: map[string]string{
				"Link": `<` + wireHost + `/api/v4` + p.path + `?cursor=eyJpZCI6OX0&` + first + `>; rel="next"`,
			}},
			exchange{Method: "GET", Path: p.path, Query: "cursor=eyJpZCI6OX0&" + first, Body: `[]`})
		events, err := Collect(client.AuditEvents.All(t.Context(), p.parent, &ListAuditEventsOptions{
			Pagination: PaginationKeyset, OrderBy: AuditEventOrderByID, Sort: SortDescending,
		}))
		require.NoError(t, err)
		assert.Equal(t, []*AuditEvent{{ID: 9}}, events)
	}
}

func TestAuditEventsOptionsOfOtherOwners(t *testing.T) {
	client := onWire(t)
	for _, x := range []struct {
		owner   AuditEventOwner
		options ListAuditEventsOptions
		refused string
	}{
		{GroupID(7), ListAuditEventsOptions{EntityType: AuditEntityTypeUser}, "EntityType"},
		{ProjectID(7), ListAuditEventsOptions{EntityID: 8}, "EntityID"},
		{nil, ListAuditEventsOptions{Sort: SortDescending}, "owner"},
		{ProjectRef{}, ListAuditEventsOptions{}, "id"},
		{new(ProjectRef), ListAuditEventsOptions{}, "owner"},
		{(*GroupRef)(nil), ListAuditEventsOptions{}, "owner"},
		{nil, ListAuditEventsOptions{}, "owner"},
	} {
		_, _, err := client.AuditEvents.List(t.Context(), x.owner, &x.options)
		assertRefused(t, x.refused, err)
		_, allErr := Collect(client.AuditEvents.All(t.Context(), x.owner, &x.options))
		assert.Equal(t, err, allErr)
	}
}

func TestAuditEventsGet(t *testing.T) {
	for _, p := range auditParents {
		client := onWire(t,
			exchange{Method: "GET", Path: p.path + "/3", Body: `{"id":3,"created_at":null,"details":null}`})
		event, _, err := client.AuditEvents.Get(t.Context(), p.parent, 3)
		require.NoError(t, err)
		assert.Equal(t, &AuditEvent{ID: 3}, event)
		_, _, err = client.AuditEvents.Get(t.Context(), p.parent, 0)
		var problem *ArgumentError
		require.ErrorAs(t, err, &problem)
	}
	_, _, err := onWire(t).AuditEvents.Get(t.Context(), nil, 3)
	assert.ErrorContains(t, err, "owner is missing")
}

func TestAuditValue(t *testing.T) {
	number := func(n int64, ok bool) []any { return []any{n, ok} }
	for data, want := range map[string]struct {
		text   string
		number []any
	}{
		`"a \"b\""`: {`a "b"`, number(0, false)},
		`51`:        {"51", number(51, true)},
		`"51"`:      {"51", number(51, true)},
		`2.5`:       {"2.5", number(0, false)},
		`true`:      {"true", number(0, false)},
		`null`:      {"", number(0, false)},
		`{"a":[1]}`: {`{"a":[1]}`, number(0, false)},
	} {
		var v AuditValue
		require.NoError(t, json.Unmarshal([]byte(data), &v))
		assert.Equal(t, want.text, v.String())
		assert.Equal(t, want.number, number(v.Int64()))
		assert.Equal(t, data, string(v.JSON()))
		assert.False(t, v.IsZero())
		again, err := json.Marshal(v)
		require.NoError(t, err)
		assert.Equal(t, data, string(again))
	}
	var absent AuditValue
	assert.True(t, absent.IsZero())
	assert.Empty(t, absent.String())
	assert.Nil(t, absent.JSON())
	again, err := json.Marshal(absent)
	require.NoError(t, err)
	assert.Equal(t, "null", string(again))
}

// TestAuditDetailsAsTheyCame checks that encoding decoded details neither loses
// nor adds a member, whatever its value.
func TestAuditDetailsAsTheyCame(t *testing.T) {
	for _, data := range []string{
		`{}`,
		`{"ip_address":null}`,
		`{"ip_address":""}`,
		`{"ip_address":"10.0.0.1"}`,
		`{"author_name":"","target_type":"","entity_path":""}`,
		`{"author_name":null,"target_type":null,"entity_path":null}`,
		`{"author_name":"Ada","target_type":"User","entity_path":"acme"}`,
		`{"custom_message":null,"add":null,"change":null,"from":null,"to":null,"target_id":null,"target_details":null}`,
		`{"custom_message":"","add":"","change":false,"from":0,"to":[],"target_id":0,"target_details":{}}`,
		`{"from":1.50,"to":12345678901234567890,"with":{"b":1,"a":[null]},"zoo":null,"":""}`,
		`{"target_details":"a \u003c b","author_name":"a \u003c b","event_name":"a \u003c b"}`,
	} {
		for name, codec := range codecs {
			var d, again AuditEventDetails
			require.NoError(t, codec.unmarshal([]byte(data), &d), data)
			encoded, err := codec.marshal(d)
			require.NoError(t, err)
			assert.JSONEq(t, data, string(encoded), name)
			require.NoError(t, codec.unmarshal(encoded, &again))
			assert.Equal(t, d.received, again.received, data)
		}
	}
	var d AuditEventDetails
	require.NoError(t,
		json.Unmarshal([]byte(`{"ip_address":null,"author_name":null,"from":1.50,"to":12345678901234567890}`), &d))
	encoded, err := json.Marshal(d)
	require.NoError(t, err)
	assert.Contains(t, string(encoded), `"from":1.50,"to":12345678901234567890`, "numbers keep their digits")
	d.IPAddress, d.AuthorName = "10.0.0.1", "Ada"
	encoded, err = json.Marshal(d)
	require.NoError(t, err)
	assert.Contains(t, string(encoded), `"author_name":"Ada"`, "a field that was filled later")
	assert.Contains(t, string(encoded), `"ip_address":"10.0.0.1"`)
}
