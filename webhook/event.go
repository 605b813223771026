package webhook

import (
	"encoding/json"
	"time"
)

// An Event is a pointer to one of the event types of this package, such as
// *[MergeRequestEvent], or an *[UnknownEvent]. Use a type switch, or [On].
type Event interface {
	// Info returns how the event arrived. It is never nil.
	Info() *Delivery
	// UnmarshalJSON lets encoding/json decode a body into an event of a type that is known.
	UnmarshalJSON(body []byte) error

	isEvent()
}

// A Delivery says how an event arrived. Every event embeds it.
type Delivery struct {
	// Kind is the header that says what kind of event this is. It is "" if there was none,
	// which only [Decode] accepts. No signature covers it: the type of the event is what the
	// body says.
	Kind Kind
	// IdempotencyKey identifies the delivery. It stays the same if the instance sends the
	// delivery again. It is "" before 17.4.
	IdempotencyKey string
	// EventUUID identifies the chain of events that one action caused. Send it with your
	// own calls, in a header of the same name, so that the instance can end chains.
	EventUUID string
	// WebhookUUID is a new ID for each request. It is "" before 16.2.
	WebhookUUID string
	// MessageID and SentAt are the headers webhook-id and webhook-timestamp. They are
	// set only if the request was verified by its signature.
	MessageID string
	SentAt    time.Time
	// Instance is the base address of the instance, as the header says. Neither the
	// token nor the signature covers it: compare it with what you expect before you
	// send a credential there.
	Instance string
	// Verified says how the request was verified.
	Verified Verification
	// Body is the body of the request, with all members.
	Body json.RawMessage
	// Problem is nil, or has a *[MemberError] for the first member of the wrong kind, a
	// *[KindError] if the header says another kind of event than the body, or both: use
	// errors.As. Members of the wrong kind are zero or nil, as if they were absent.
	Problem error
}

// Info returns the delivery itself.
func (d *Delivery) Info() *Delivery { return d }

func (d *Delivery) isEvent() {}

// ID returns what identifies a delivery, for finding duplicates: MessageID if the request
// was verified by its signature, IdempotencyKey otherwise. It is "" for releases before
// 17.4.
func (d *Delivery) ID() string {
	if d.MessageID != "" {
		return d.MessageID
	}
	return d.IdempotencyKey
}

// A Verification says how a request was verified.
type Verification string

// Ways to verify a request.
const (
	VerificationSignature Verification = "signature"
	VerificationToken     Verification = "token"
	// VerificationNone means that the request was not verified, which [AcceptUnverified]
	// allows. Events from [Decode] have it, too.
	VerificationNone Verification = ""
)

// A Kind is the header of a request that says what kind of event it carries, such as
// X-Service-Event. New releases have new kinds.
type Kind string

// Kinds of events.
const (
	KindPush                Kind = "Push Hook"
	KindTagPush             Kind = "Tag Push Hook"
	KindIssue               Kind = "Issue Hook"
	KindConfidentialIssue   Kind = "Confidential Issue Hook"
	KindNote                Kind = "Note Hook"
	KindConfidentialNote    Kind = "Confidential Note Hook"
	KindMergeRequest        Kind = "Merge Request Hook"
	KindWikiPage            Kind = "Wiki Page Hook"
	KindPipeline            Kind = "Pipeline Hook"
	KindJob                 Kind = "Job Hook"
	KindBuild               Kind = "Build Hook" // the name of KindJob in very old releases
	KindDeployment          Kind = "Deployment Hook"
	KindFeatureFlag         Kind = "Feature Flag Hook"
	KindRelease             Kind = "Release Hook"
	KindEmoji               Kind = "Emoji Hook"
	KindMilestone           Kind = "Milestone Hook"
	KindResourceAccessToken Kind = "Resource Access Token Hook"
	KindResourceDeployToken Kind = "Resource Deploy Token Hook"
	KindVulnerability       Kind = "Vulnerability Hook"
	KindMember              Kind = "Member Hook"
	KindSubgroup            Kind = "Subgroup Hook"
	KindProject             Kind = "Project Hook"
	KindSystem              Kind = "System Hook"
	KindService             Kind = "Service Hook" // from an integration of the instance
)

// UnknownEvent is an event of a kind that this package does not know, such as one
// of a newer release. Its Body has everything.
type UnknownEvent struct {
	Delivery `json:"-"`

	ObjectKind string `json:"object_kind"`
	EventType  string `json:"event_type"`
	EventName  string `json:"event_name"`
	// Extra has all other members. With GOEXPERIMENT=jsonv2, Go 1.26 calls inline what
	// later releases call embed.
	Extra map[string]json.RawMessage `json:",inline,embed"`
}
