package serviceapi

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"strconv"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// AuditEventsService reads the audit events of the instance, groups and
// projects.
//
//	client.AuditEvents.All(ctx, serviceapi.GroupPath("acme"), nil)
//
// What the caller sees depends on the owner. [Instance] requires an administrator,
// and does not include the events of groups and projects. For a group, an Owner
// sees the events of all users, and a Developer or Maintainer only their own. For a
// project, a Maintainer sees all events, and a Developer only their own.
//
// Its options are [ListAuditEventsOptions]. See recipe 6 of docs/cookbook.md, the example
// ExportAuditEvents of [example.com/serviceapi/examples/recipes].
type AuditEventsService service

// AuditEventOwner is an owner of audit events: [Instance], a [GroupRef] or a
// [ProjectRef].
type AuditEventOwner interface{ hasAuditEvents() }

func (InstanceOwner) hasAuditEvents() {}

func (GroupRef) hasAuditEvents() {}

func (ProjectRef) hasAuditEvents() {}

func auditEventOf(owner AuditEventOwner, id int64) Endpoint {
	if owner == Instance {
		return Route("/audit_events/:id", id)
	}
	return below(owner, "/audit_events/:audit_event_id", id)
}

// List returns one page of audit events, the newest first. The call returns an
// [*ArgumentError] for an option that this owner does not support.
//
//	GET /audit_events
//	GET /groups/:id/audit_events
//	GET /projects/:id/audit_events
func (s *AuditEventsService) List(
	ctx context.Context, owner AuditEventOwner, options *ListAuditEventsOptions, opts ...RequestOption,
) ([]*AuditEvent, *Response, error) {
	return list[*AuditEvent](ctx, using(s), below(owner, "/audit_events"), queryFor(owner, options), opts)
}

// All returns every audit event, the newest first. The sequence yields an
// [*ArgumentError] for an option that this owner does not support.
//
//	GET /audit_events
//	GET /groups/:id/audit_events
//	GET /projects/:id/audit_events
func (s *AuditEventsService) All(
	ctx context.Context, owner AuditEventOwner, options *ListAuditEventsOptions, opts ...RequestOption,
) iter.Seq2[*AuditEvent, error] {
	return all[*AuditEvent](ctx, using(s), below(owner, "/audit_events"), queryFor(owner, options), opts)
}

// Get returns one audit event. It requires an administrator for [Instance], the
// Owner role for a group and the Maintainer role for a project.
//
//	GET /audit_events/:id
//	GET /groups/:id/audit_events/:audit_event_id
//	GET /projects/:id/audit_events/:audit_event_id
func (s *AuditEventsService) Get(
	ctx context.Context, owner AuditEventOwner, eventID int64, opts ...RequestOption,
) (*AuditEvent, *Response, error) {
	return do[AuditEvent](ctx, using(s), http.MethodGet, auditEventOf(owner, eventID), nil, opts)
}

// AuditEventOrderBy is the order of a list of audit events. The service has only
// one order today; a type of its own leaves room for others.
type AuditEventOrderBy string

// AuditEventOrderByID orders audit events by their ID. Keyset pagination requires
// this order.
const AuditEventOrderByID AuditEventOrderBy = "id"

// ListAuditEventsOptions selects audit events.
type ListAuditEventsOptions struct {
	ListOptions
	// CreatedAfter and CreatedBefore select the events between two times, both
	// inclusive. Zero means no limit.
	CreatedAfter  time.Time `url:"created_after,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	CreatedBefore time.Time `url:"created_before,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`

	// EntityType selects the events about users, groups or projects. EntityID
	// selects those about one of them, and requires EntityType. Both are only for
	// [Instance].
	EntityType AuditEntityType `url:"entity_type,omitempty" only:"instance"`
	EntityID   int64           `url:"entity_id,omitempty" only:"instance"`

	// Pagination is [PaginationOffset] by default. [PaginationKeyset] is faster
	// for long lists. It implies OrderBy [AuditEventOrderByID] and Sort
	// [SortDescending], and accepts no others. Older releases support it only for
	// groups, and use page numbers for other lists: it works for [Instance] since
	// 15.11, and for projects since about 16.x.
	Pagination Pagination        `url:"pagination,omitempty"`
	OrderBy    AuditEventOrderBy `url:"order_by,omitempty" keyset:"id"`
	Sort       Sort              `url:"sort,omitempty" keyset:"desc"`
}

// AuditEntityType is the kind of object that an audit event is about.
type AuditEntityType string

// Kinds of objects that audit events are about. The service may send others.
const (
	AuditEntityTypeUser    AuditEntityType = "User"
	AuditEntityTypeGroup   AuditEntityType = "Group"
	AuditEntityTypeProject AuditEntityType = "Project"
)

// AuditEvent is the record of an action by a user.
type AuditEvent struct {
	ID int64 `json:"id"`
	// AuthorID is the ID of the user who acted.
	AuthorID int64 `json:"author_id"`
	// EntityID is the ID of the user, group or project that was acted on.
	EntityID   int64           `json:"entity_id"`
	EntityType AuditEntityType `json:"entity_type"`
	// Details describes the action. It is nil only if the service does not send it.
	Details   *AuditEventDetails `json:"details"`
	CreatedAt time.Time          `json:"created_at"`
	// EventType and EventName say what happened, such as "project_created". Since
	// about 17.x.
	EventType string `json:"event_type"`
	EventName string `json:"event_name"`
}

// AuditEventDetails describes the action. Fields that do not apply to an event
// are zero. The JSON types of some values vary from event to event. Encoded as
// JSON, the details have the members that the service sent, with the same
// values.
type AuditEventDetails struct {
	// CustomMessage describes the event if the other fields do not.
	CustomMessage AuditValue `json:"custom_message,omitzero"`
	// EventName says what happened. Since about 17.x, the event itself has it,
	// too.
	EventName AuditValue `json:"event_name,omitzero"`
	// Add is what was added, and Remove what was removed, such as "user_access"; As
	// is the role that was added, and With the kind of credential that the user
	// signed in with.
	Add    AuditValue `json:"add,omitzero"`
	Remove AuditValue `json:"remove,omitzero"`
	As     AuditValue `json:"as,omitzero"`
	With   AuditValue `json:"with,omitzero"`
	// FailedLogin is the kind of sign-in that failed.
	FailedLogin AuditValue `json:"failed_login,omitzero"`
	// Change is what was changed, such as "visibility"; From and To are its old
	// and its new value.
	Change AuditValue `json:"change,omitzero"`
	From   AuditValue `json:"from,omitzero"`
	To     AuditValue `json:"to,omitzero"`
	// Changes are several such changes at once.
	Changes AuditValue `json:"changes,omitzero"`
	// AuthorName is the author's name at the time of the event, and AuthorClass is
	// the kind of author, such as "User".
	AuthorName  string     `json:"author_name,omitzero"`
	AuthorClass AuditValue `json:"author_class,omitzero"`
	AuthorEmail AuditValue `json:"author_email,omitzero"`
	// TargetID identifies the target of the action: a number, or a string such as
	// a path.
	TargetID   AuditValue `json:"target_id,omitzero"`
	TargetType string     `json:"target_type,omitzero"`
	// TargetDetails names the target.
	TargetDetails AuditValue `json:"target_details,omitzero"`
	// IPAddress is the author's IP address, empty if it is unknown.
	IPAddress string `json:"ip_address,omitzero"`
	// EntityPath is the full path of the group or project, or the username.
	EntityPath string `json:"entity_path,omitzero"`
	// Extra holds all members that have no field here, by name.
	Extra map[string]json.RawMessage `json:"-"`

	// received records how the service sent empty fields.
	received auditBlanks
}

// auditBlanks records, for fields whose zero value is ambiguous, whether the
// member was absent, null or an empty string.
type auditBlanks struct {
	authorName, targetType, ipAddress, entityPath nullState
}

// auditDetails are [AuditEventDetails] as JSON.
type auditDetails struct {
	CustomMessage AuditValue       `json:"custom_message,omitzero"`
	EventName     AuditValue       `json:"event_name,omitzero"`
	Add           AuditValue       `json:"add,omitzero"`
	Remove        AuditValue       `json:"remove,omitzero"`
	As            AuditValue       `json:"as,omitzero"`
	With          AuditValue       `json:"with,omitzero"`
	FailedLogin   AuditValue       `json:"failed_login,omitzero"`
	Change        AuditValue       `json:"change,omitzero"`
	From          AuditValue       `json:"from,omitzero"`
	To            AuditValue       `json:"to,omitzero"`
	Changes       AuditValue       `json:"changes,omitzero"`
	AuthorName    Nullable[string] `json:"author_name,omitzero"`
	AuthorClass   AuditValue       `json:"author_class,omitzero"`
	AuthorEmail   AuditValue       `json:"author_email,omitzero"`
	TargetID      AuditValue       `json:"target_id,omitzero"`
	TargetType    Nullable[string] `json:"target_type,omitzero"`
	TargetDetails AuditValue       `json:"target_details,omitzero"`
	IPAddress     Nullable[string] `json:"ip_address,omitzero"`
	EntityPath    Nullable[string] `json:"entity_path,omitzero"`
}

// UnmarshalJSON decodes the members that have a field, and keeps the others.
func (d *AuditEventDetails) UnmarshalJSON(data []byte) error {
	var a auditDetails
	err := decodeWithExtra(data, &a, &d.Extra)
	*d = AuditEventDetails{
		CustomMessage: a.CustomMessage, EventName: a.EventName, Add: a.Add, Remove: a.Remove, As: a.As, With: a.With,
		FailedLogin: a.FailedLogin, Change: a.Change, From: a.From, To: a.To, Changes: a.Changes,
		AuthorName: a.AuthorName.value, AuthorClass: a.AuthorClass, AuthorEmail: a.AuthorEmail,
		TargetID: a.TargetID, TargetType: a.TargetType.value, TargetDetails: a.TargetDetails,
		IPAddress: a.IPAddress.value, EntityPath: a.EntityPath.value,
		Extra: d.Extra,
		received: auditBlanks{
			authorName: blank(a.AuthorName), targetType: blank(a.TargetType),
			ipAddress: blank(a.IPAddress), entityPath: blank(a.EntityPath),
		},
	}
	return err
}

// MarshalJSON encodes the members as they were received, without absent ones.
func (d AuditEventDetails) MarshalJSON() ([]byte, error) {
	a := auditDetails{
		CustomMessage: d.CustomMessage, EventName: d.EventName, Add: d.Add, Remove: d.Remove, As: d.As, With: d.With,
		FailedLogin: d.FailedLogin, Change: d.Change, From: d.From, To: d.To, Changes: d.Changes,
		AuthorName: unblank(d.AuthorName, d.received.authorName), AuthorClass: d.AuthorClass,
		AuthorEmail: d.AuthorEmail, TargetID: d.TargetID,
		TargetType: unblank(d.TargetType, d.received.targetType), TargetDetails: d.TargetDetails,
		IPAddress:  unblank(d.IPAddress, d.received.ipAddress),
		EntityPath: unblank(d.EntityPath, d.received.entityPath),
	}
	return encodeWithExtra(a, d.Extra)
}

// blank returns how the service sent an empty field.
func blank(member Nullable[string]) nullState {
	if member.value != "" {
		return stateAbsent
	}
	return member.state
}

// unblank is the inverse of blank.
func unblank(field string, received nullState) Nullable[string] {
	if field != "" {
		return Value(field)
	}
	return Nullable[string]{state: received}
}

// AuditValue is a JSON value whose type varies: a string in most events, in
// others a number, a boolean, null, an object or a list. The zero AuditValue is
// absent. Values can be compared with ==.
type AuditValue struct {
	json string
}

// String returns a string as it is, "" for null and for an absent value, and
// any other value as JSON: "40", "true".
func (v AuditValue) String() string {
	switch jsontext.Value(v.json).Kind() {
	case '"':
		var text string
		if jsonv2.Unmarshal([]byte(v.json), &text, decodeOptions) == nil {
			return text
		}
	case 'n':
		return ""
	}
	return v.json
}

// Int64 returns the value as an integer, and whether it is one. It accepts
// strings such as "40", too.
func (v AuditValue) Int64() (int64, bool) {
	n, err := strconv.ParseInt(v.String(), 10, 64)
	return n, err == nil
}

// JSON returns the value as the service sent it, nil if it is absent.
func (v AuditValue) JSON() json.RawMessage {
	if v.json == "" {
		return nil
	}
	return json.RawMessage(v.json)
}

// IsZero reports whether the value is absent.
func (v AuditValue) IsZero() bool { return v.json == "" }

// MarshalJSON encodes the value as it was received, or null if it is absent.
func (v AuditValue) MarshalJSON() ([]byte, error) {
	if v.json == "" {
		return []byte("null"), nil
	}
	return []byte(v.json), nil
}

// UnmarshalJSON keeps the value, of whatever kind.
func (v *AuditValue) UnmarshalJSON(data []byte) error {
	v.json = string(data)
	return nil
}
