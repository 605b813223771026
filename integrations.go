package serviceapi

import (
	"cmp"
	"context"
	"encoding/json"
	"iter"
	"maps"
	"net/http"
	"reflect"
	"strings"
	"time"
)

// IntegrationsService connects projects and groups with other services: chats, trackers, CI. There is
// one of each kind. A kind is a struct with its settings, such as [SlackIntegration]:
//
//	acme, webhook := serviceapi.GroupPath("acme"), serviceapi.NewSecret("https://…")
//	slack := serviceapi.SlackIntegration{Webhook: webhook}
//	client.Integrations.Set(ctx, acme, slack)
//
// A slug names the kind, with dashes, such as "slack". Calls for a project require the Maintainer
// role, those for a group, which are for it and all projects and groups below, the Owner role. Since
// 17.9 for groups.
//
// Its options are [ListOptions]. See the example of [IntegrationsService.Set].
type IntegrationsService service

// IntegrationOwner is an owner of integrations: a [ProjectRef] or a [GroupRef].
type IntegrationOwner interface{ hasIntegrations() }

func (ProjectRef) hasIntegrations() {}
func (GroupRef) hasIntegrations()   {}

// IntegrationSettings are the settings of a kind: a struct of this package or of the caller's, with
// json tags. See [JiraIntegration] and, for kinds without a struct, [OtherIntegration].
type IntegrationSettings interface {
	// Slug names the kind.
	Slug() string
}

// OtherIntegration are the settings of a kind that has no struct here.
type OtherIntegration struct {
	Kind string
	// Settings are by their names in the API. Those that are secret are a [Secret]. Without
	// use_inherited_settings, it is false.
	Settings map[string]any
}

// Slug returns Kind.
func (o OtherIntegration) Slug() string { return o.Kind }

// body returns the settings with what the structs always send.
func (o OtherIntegration) body() any {
	all := map[string]any{"use_inherited_settings": false}
	maps.Copy(all, o.Settings)
	return all
}

func (OtherIntegration) holdsValues() {}

// List returns the active integrations of an owner, all at once and without their properties.
//
//	GET /projects/:id/integrations
//	GET /groups/:id/integrations
func (s *IntegrationsService) List(
	ctx context.Context, owner IntegrationOwner, options *ListOptions, opts ...RequestOption,
) ([]*Integration, *Response, error) {
	return list[*Integration](ctx, using(s), below(owner, "/integrations"), queryOf(options), opts)
}

// All returns every active integration of an owner. See [IntegrationsService.List].
//
//	GET /projects/:id/integrations
//	GET /groups/:id/integrations
func (s *IntegrationsService) All(
	ctx context.Context, owner IntegrationOwner, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*Integration, error] {
	return all[*Integration](ctx, using(s), below(owner, "/integrations"), queryOf(options), opts)
}

// integrationOf returns the endpoint of an integration. The service does not know slugs with
// underscores, which some of its documents have.
func integrationOf(owner IntegrationOwner, slug string) Endpoint {
	if strings.Contains(slug, "_") {
		return refusedEndpoint("/integrations/:slug", "slug", "has underscores: write dashes")
	}
	return below(owner, "/integrations/:slug", slug)
}

// Get returns an integration with its properties, also one that was disabled. The call returns
// [ErrNotFound] if it was never set, and [ErrBadRequest] if the service does not know the slug.
//
//	GET /projects/:id/integrations/:slug
//	GET /groups/:id/integrations/:slug
func (s *IntegrationsService) Get(
	ctx context.Context, owner IntegrationOwner, slug string, opts ...RequestOption,
) (*Integration, *Response, error) {
	return do[Integration](ctx, using(s), http.MethodGet, integrationOf(owner, slug), nil, opts)
}

// Set makes or changes an integration, and turns it on. Fields that are nil stay as they are; those that
// are required, such as secrets, must be given each time. A secret is lost if the address that it is
// for changes without it.
//
// With UseInheritedSettings, the integration is that of the group above or the instance, whatever else
// is set; [ErrBadRequest] means that there is none. Without, it becomes one of its own, even if it was
// inherited: if the field were not sent, the service would accept the call and change nothing.
// [ErrBadRequest] also means that a value is refused, that the instance or a group does not have the
// kind, or that another tracker is active.
//
//	PUT /projects/:id/integrations/:slug
//	PUT /groups/:id/integrations/:slug
func (s *IntegrationsService) Set(
	ctx context.Context, owner IntegrationOwner, settings IntegrationSettings, opts ...RequestOption,
) (*Integration, *Response, error) {
	if v := reflect.ValueOf(settings); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		settings = OtherIntegration{} // which has no slug: refused
	}
	return do[Integration](ctx, using(s), http.MethodPut, integrationOf(owner, settings.Slug()), jsonOf(settings), opts)
}

// Disable turns an integration off and clears its settings. It returns [ErrNotFound] if it was never set.
//
//	DELETE /projects/:id/integrations/:slug
//	DELETE /groups/:id/integrations/:slug
func (s *IntegrationsService) Disable(
	ctx context.Context, owner IntegrationOwner, slug string, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, integrationOf(owner, slug), nil, opts)
}

// Integration is a connection with another service. Its events are switches, which also are there for
// events that the kind does not take.
type Integration struct {
	ID        int64     `json:"id"`
	Title     string    `json:"title"`
	Slug      string    `json:"slug"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
	Active    bool      `json:"active"`
	// Inherited reports whether the settings are those of the group above or the instance. Nil before 17.2.
	Inherited                *bool `json:"inherited"`
	CommitEvents             bool  `json:"commit_events"`
	PushEvents               bool  `json:"push_events"`
	IssuesEvents             bool  `json:"issues_events"`
	ConfidentialIssuesEvents bool  `json:"confidential_issues_events"`
	MergeRequestsEvents      bool  `json:"merge_requests_events"`
	TagPushEvents            bool  `json:"tag_push_events"`
	DeploymentEvents         bool  `json:"deployment_events"`
	NoteEvents               bool  `json:"note_events"`
	ConfidentialNoteEvents   bool  `json:"confidential_note_events"`
	PipelineEvents           bool  `json:"pipeline_events"`
	WikiPageEvents           bool  `json:"wiki_page_events"`
	JobEvents                bool  `json:"job_events"`
	CommentOnEventEnabled    bool  `json:"comment_on_event_enabled"`
	// AlertEvents may be null. IncidentEvents and, in premium editions since 16.4,
	// VulnerabilityEvents are nil in releases without them.
	AlertEvents         *bool `json:"alert_events"`
	IncidentEvents      *bool `json:"incident_events"`
	VulnerabilityEvents *bool `json:"vulnerability_events"`
	// Properties is nil in lists.
	Properties *IntegrationProperties `json:"properties"`
}

// IntegrationProperties are the settings of an integration that the service returns: all but those that
// are secret. [Integration.Settings] decodes them.
type IntegrationProperties struct {
	// AppStorePrivateKey and ServiceAccountKey are the secrets that the service returns, of
	// [AppleAppStoreIntegration] and [GooglePlayIntegration].
	AppStorePrivateKey Secret `json:"app_store_private_key,omitzero"`
	ServiceAccountKey  Secret `json:"service_account_key,omitzero"`
	// Extra has all other settings, by their names in the API. Old releases return secrets in it,
	// which printing or encoding it reveals.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON decodes the secrets, and keeps the others.
func (p *IntegrationProperties) UnmarshalJSON(data []byte) error {
	type plain IntegrationProperties
	return decodeWithExtra(data, (*plain)(p), &p.Extra)
}

// MarshalJSON encodes placeholders for the secrets, and the others.
func (p IntegrationProperties) MarshalJSON() ([]byte, error) {
	type plain IntegrationProperties
	return encodeWithExtra(plain(p), p.Extra)
}

// Settings decodes the properties and the events into the struct of the kind, such as a
// *[SlackIntegration], in which the fields that are secret stay empty. It returns an [*ArgumentError]
// if the struct is that of another kind. A switch that an old release sends as text is nil.
func (i *Integration) Settings(into IntegrationSettings) error {
	v := reflect.ValueOf(into)
	if v.Kind() != reflect.Pointer || v.IsNil() || into.Slug() != orZero(i).Slug {
		return badArgument("into", "is no pointer to the settings of this kind")
	}
	extra := map[string]json.RawMessage{}
	if p := i.Properties; p != nil {
		maps.Copy(extra, p.Extra)
		extra["app_store_private_key"], _ = marshalString(p.AppStorePrivateKey.Reveal())
		extra["service_account_key"], _ = marshalString(p.ServiceAccountKey.Reveal())
	}
	object, err := encodeWithExtra(*i, extra)
	return cmp.Or(err, unmarshal(object, into))
}
