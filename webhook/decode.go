package webhook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"

	"example.com/serviceapi/internal/jsonx"
)

var (
	strictOptions = jsontext.AllowInvalidUTF8(true)
	// lenientOptions make the decoder continue after a member of the wrong kind. It could
	// not do so if it also looked for duplicate names, which the first pass has done.
	lenientOptions = jsonv2.JoinOptions(strictOptions, jsontext.AllowDuplicateNames(true),
		jsonv1.ReportErrorsWithLegacySemantics(true))
)

// strictly decodes JSON, up to the first member of the wrong kind.
func strictly(data []byte, v any) error {
	return jsonv2.Unmarshal(data, v, strictOptions, jsonx.Times())
}

// leniently decodes valid JSON, without the members of the wrong kind. If there may be too many of
// them, it does nothing.
func leniently(data []byte, v any) {
	if jsonx.IsLenient(data) {
		_ = jsonv2.Unmarshal(data, v, lenientOptions, jsonx.LenientTypes()) // the error of strictly says it all
	}
}

// decode decodes valid JSON. A member of the wrong kind is left out, and the error
// is about the first one. If there may be too many of them, so is what follows it.
func decode(data []byte, v any) error {
	err := strictly(data, v)
	if err != nil {
		leniently(data, v)
	}
	return err
}

// decodeIfSet is decode for a member that may be missing or null.
func decodeIfSet(data []byte, v any) error {
	if data == nil || jsonx.IsNull(data) {
		return nil
	}
	return decode(data, v)
}

// A MemberError reports a member of a body that is of the wrong kind. It does not quote the
// value.
type MemberError struct {
	// Pointer says where the member is, as in RFC 6901: "/object_attributes/iid". Names
	// that no type has are "?".
	Pointer string
}

// Error says where the member is.
func (e *MemberError) Error() string {
	return "webhook: the member at " + fmt.Sprintf("%.200q", e.Pointer) + " is of the wrong kind"
}

// memberError returns what is known about an error of the decoder, or nil for nil.
func memberError(err error) error {
	if err == nil {
		return nil
	}
	return &MemberError{Pointer: withoutNames(pointerOf(err))}
}

// withoutNames replaces the names in a pointer that no type has with "?": they are part of
// the body.
func withoutNames(pointer string) string {
	steps := strings.Split(pointer, "/")
	for i, step := range steps {
		if _, err := strconv.Atoi(step); err != nil && !memberNames()[step] {
			steps[i] = "?"
		}
	}
	return strings.Join(steps, "/")
}

// memberNames are the names of the members of all events.
var memberNames = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{"": true, "previous": true, "current": true}
	for _, made := range [...]map[string]func() Event{byObject, byName} {
		for _, event := range made {
			noteNames(reflect.TypeOf(event()).Elem(), names)
		}
	}
	return names
})

func noteNames(t reflect.Type, names map[string]bool) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice:
		noteNames(t.Elem(), names)
	case reflect.Struct:
		for i := range t.NumField() {
			name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
			if name != "" && name != "-" {
				names[name] = true
				noteNames(t.Field(i).Type, names)
			}
		}
	}
}

// A KindError reports a request whose header says another kind of event than its body. The
// event is what the body says: no signature covers the header.
type KindError struct {
	Kind Kind // what the header says, one of the constants
}

// Error says what the header says.
func (e *KindError) Error() string {
	return fmt.Sprintf("webhook: the body is not what the header says, %.200q", string(e.Kind))
}

// pointerOf joins the pointer of an error with those of the errors inside it,
// which begin where a type decodes itself.
func pointerOf(err error) string {
	var wrong *jsonv2.SemanticError
	if !errors.As(err, &wrong) {
		return ""
	}
	return string(wrong.JSONPointer) + pointerOf(wrong.Err)
}

// within says where the error of a type that decodes itself is.
func within(pointer jsontext.Pointer, err error) error {
	if err == nil {
		return nil
	}
	return &jsonv2.SemanticError{JSONPointer: pointer, Err: jsonx.InPart{Err: err}}
}

// A head has the members that say what kind of event a body has.
type head struct{ ObjectKind, EventName string }

// headOf returns the head of a body. It reads no further than the kind of object, with which
// bodies begin, unless the name of the event matters, too. What is not JSON is found by who
// decodes the event.
func headOf(kind Kind, body []byte) (h head) {
	d := jsontext.NewDecoder(bytes.NewBuffer(body), strictOptions, jsontext.AllowDuplicateNames(true))
	_, err := d.ReadToken()
	for err == nil && d.PeekKind() == '"' {
		var name jsontext.Token
		name, err = d.ReadToken()
		switch {
		case err != nil:
		case name.String() == "object_kind":
			err = textInto(&h.ObjectKind, d)
		case name.String() == "event_name":
			err = textInto(&h.EventName, d)
		default:
			err = d.SkipValue()
		}
		if kind != KindSystem && byObject[h.ObjectKind] != nil {
			return h
		}
	}
	return h
}

// textInto reads a value, which is left out if it is no text.
func textInto(text *string, d *jsontext.Decoder) error {
	if d.PeekKind() != '"' {
		return d.SkipValue()
	}
	value, err := d.ReadToken()
	if err == nil {
		*text = value.String()
	}
	return err
}

// maxObjects is how many objects a body has at most.
const maxObjects = 100_000

// Decode decodes the body of a request that has been verified, such as one from a queue.
// The kind is the one in the header of the request, which no signature covers: where the body
// says another one, the body decides, and [Delivery.Problem] has a [*KindError]. If the kind
// is "" or unknown, the body decides, too.
//
// For anything but a JSON object, Decode returns [ErrNotJSON], and for a body with more than
// 100,000 objects [ErrTooLarge]: decoded, empty ones need hundreds of times the memory of the
// body, and no instance sends nearly as many. An unknown event or member
// is not an error, and neither is a member of the wrong kind, which is left out: see
// [Delivery.Problem]. In a body with more than 100,000 items in its lists, so is what follows it.
func Decode(kind Kind, body []byte) (Event, error) {
	body = bytes.TrimSpace(body)
	if len(body) == 0 || body[0] != '{' {
		return nil, ErrNotJSON
	}
	if jsonx.ExceedsObjects(maxObjects, body) {
		return nil, ErrTooLarge
	}
	event, problem := newEvent(kind, headOf(kind, body))
	switch err := event.UnmarshalJSON(body); {
	case err == ErrNotJSON:
		return nil, err
	case err != nil:
		problem = joined(problem, err)
	}
	d := event.Info()
	d.Kind, d.Body, d.Problem = kind, json.RawMessage(body), problem
	return event, nil
}

// joined joins errors, and returns the only one as it is.
func joined(first, second error) error {
	if first == nil {
		return second
	}
	return errors.Join(first, second)
}

// newEvent returns an empty event of the type that a header and a body ask for, and a
// problem if they ask for different ones.
func newEvent(kind Kind, h head) (event Event, problem error) {
	inBody, says := h.event(kind)
	inHeader := byKind[kind]
	switch {
	case inHeader == nil:
		return inBody(), nil
	case !says || reflect.TypeOf(inHeader()) == reflect.TypeOf(inBody()):
		return inHeader(), nil
	}
	return inBody(), &KindError{Kind: kind}
}

// event returns a function that makes an empty event of the type that a body asks for, and
// whether it asks for one, known or not.
func (h head) event(kind Kind) (made func() Event, says bool) {
	switch object, name := byObject[h.ObjectKind], byName[h.EventName]; {
	case name != nil && (kind == KindSystem || object == nil):
		return name, true
	case object != nil:
		return object, true
	}
	// Newer releases have new names of events about members, subgroups and projects, which have
	// no kind of object.
	return an[UnknownEvent](), h.ObjectKind != "" || h.EventName != "" && !namedOnly[kind]
}

// namedOnly are the kinds of events whose bodies have only the name of the event.
var namedOnly = map[Kind]bool{KindMember: true, KindSubgroup: true, KindProject: true}

// an returns a function that makes an empty event.
func an[T any, P interface {
	*T
	Event
}]() func() Event {
	return func() Event { return P(new(T)) }
}

var byKind = map[Kind]func() Event{
	KindPush: an[PushEvent](), KindTagPush: an[TagPushEvent](),
	KindIssue: an[IssueEvent](), KindConfidentialIssue: an[IssueEvent](),
	KindNote: an[NoteEvent](), KindConfidentialNote: an[NoteEvent](),
	KindMergeRequest: an[MergeRequestEvent](), KindWikiPage: an[WikiPageEvent](),
	KindPipeline: an[PipelineEvent](), KindJob: an[JobEvent](), KindBuild: an[JobEvent](),
	KindDeployment: an[DeploymentEvent](), KindFeatureFlag: an[FeatureFlagEvent](),
	KindRelease: an[ReleaseEvent](), KindEmoji: an[EmojiEvent](), KindMilestone: an[MilestoneEvent](),
	KindResourceAccessToken: an[AccessTokenEvent](), KindResourceDeployToken: an[DeployTokenEvent](),
	KindVulnerability: an[VulnerabilityEvent](),
	KindMember:        an[MemberEvent](), KindSubgroup: an[SubgroupEvent](), KindProject: an[ProjectEvent](),
}

var byObject = map[string]func() Event{
	"push": an[PushEvent](), "tag_push": an[TagPushEvent](), "issue": an[IssueEvent](), "work_item": an[IssueEvent](),
	"note": an[NoteEvent](), "merge_request": an[MergeRequestEvent](), "wiki_page": an[WikiPageEvent](),
	"pipeline": an[PipelineEvent](), "build": an[JobEvent](), "deployment": an[DeploymentEvent](),
	"feature_flag": an[FeatureFlagEvent](), "release": an[ReleaseEvent](), "emoji": an[EmojiEvent](),
	"milestone": an[MilestoneEvent](), "access_token": an[AccessTokenEvent](), "deploy_token": an[DeployTokenEvent](),
	"vulnerability":                         an[VulnerabilityEvent](),
	"service_subscription_member_approval":  an[MemberApprovalEvent](),
	"service_subscription_member_approvals": an[MemberApprovalsEvent](),
}

var byName = map[string]func() Event{
	"push": an[PushEvent](), "tag_push": an[TagPushEvent](), "merge_request": an[MergeRequestEvent](),
	"expiring_access_token": an[AccessTokenEvent](), "expiring_deploy_token": an[DeployTokenEvent](),
	"project_create": an[ProjectEvent](), "project_destroy": an[ProjectEvent](), "project_update": an[ProjectEvent](),
	"project_rename": an[ProjectEvent](), "project_transfer": an[ProjectEvent](),
	"group_create": an[GroupEvent](), "group_destroy": an[GroupEvent](), "group_rename": an[GroupEvent](),
	"subgroup_create": an[SubgroupEvent](), "subgroup_destroy": an[SubgroupEvent](),
	"user_create": an[UserEvent](), "user_destroy": an[UserEvent](), "user_rename": an[UserEvent](),
	"user_failed_login": an[UserEvent](),
	"user_add_to_team":  an[ProjectMemberEvent](), "user_update_for_team": an[ProjectMemberEvent](),
	"user_remove_from_team": an[ProjectMemberEvent](), "user_access_request_to_project": an[ProjectMemberEvent](),
	"user_access_request_revoked_for_project": an[ProjectMemberEvent](),
	"user_add_to_group":                       an[MemberEvent](), "user_update_for_group": an[MemberEvent](),
	"user_remove_from_group": an[MemberEvent](), "user_access_request_to_group": an[MemberEvent](),
	"user_access_request_denied_for_group":  an[MemberEvent](),
	"user_access_request_revoked_for_group": an[MemberEvent](),
	"key_create":                            an[KeyEvent](), "key_destroy": an[KeyEvent](),
	"repository_update": an[RepositoryUpdateEvent](),
}
