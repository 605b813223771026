package serviceapi

import (
	"context"
	"iter"
	"net/http"
)

// HooksService manages webhooks of projects and groups, and system hooks, which get the
// events of the whole instance. The owner is a [ProjectRef], a [GroupRef] or [Instance].
// Hooks of groups are Premium.
//
// The hooks of a project require the Maintainer role, those of a group the Owner role,
// and system hooks an administrator. A hook is found only with the owner that it
// belongs to.
//
// Package example.com/serviceapi/webhook receives the requests that hooks send.
type HooksService service

// HookOwner is an owner of hooks: a [ProjectRef], a [GroupRef] or [Instance].
type HookOwner interface{ hasHooks() }

// HookLogOwner is an owner of hooks whose requests are kept, and which have custom
// headers and tests of each event: a [ProjectRef] or a [GroupRef].
type HookLogOwner interface {
	HookOwner
	hasHookLogs()
}

func (ProjectRef) hasHooks()    {}
func (GroupRef) hasHooks()      {}
func (InstanceOwner) hasHooks() {}
func (ProjectRef) hasHookLogs() {}
func (GroupRef) hasHookLogs()   {}

func hooksOf(owner HookOwner) Endpoint { return below(owner, "/hooks") }

func hookOf(owner HookOwner, hookID int64, suffix string, args ...any) Endpoint {
	return below(owner, "/hooks/:hook_id"+suffix, append([]any{hookID}, args...)...)
}

// List returns one page of the hooks of a project, a group or the instance. Hooks that are
// switched off are among them.
//
//	GET /projects/:id/hooks
//	GET /groups/:id/hooks
//	GET /hooks
func (s *HooksService) List(
	ctx context.Context, owner HookOwner, options *ListOptions, opts ...RequestOption,
) ([]*Hook, *Response, error) {
	return list[*Hook](ctx, s.client, hooksOf(owner), queryOf(options), opts)
}

// All returns every hook of a project, a group or the instance.
//
//	GET /projects/:id/hooks
//	GET /groups/:id/hooks
//	GET /hooks
func (s *HooksService) All(
	ctx context.Context, owner HookOwner, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*Hook, error] {
	return all[*Hook](ctx, s.client, hooksOf(owner), queryOf(options), opts)
}

// Get returns a hook.
//
//	GET /projects/:id/hooks/:hook_id
//	GET /groups/:id/hooks/:hook_id
//	GET /hooks/:hook_id
func (s *HooksService) Get(
	ctx context.Context, owner HookOwner, hookID int64, opts ...RequestOption,
) (*Hook, *Response, error) {
	return do[Hook](ctx, s.client, http.MethodGet, hookOf(owner, hookID, ""), nil, opts)
}

// Create adds a hook. Equal URLs are accepted. Addresses in local networks are refused
// unless the instance allows them. A project has at most 100 hooks, and a group 50.
// The call returns [ErrUnprocessable] for a URL, a filter or a header that the service
// refuses.
//
//	POST /projects/:id/hooks
//	POST /groups/:id/hooks
//	POST /hooks
func (s *HooksService) Create(
	ctx context.Context, owner HookOwner, options CreateHookOptions, opts ...RequestOption,
) (*Hook, *Response, error) {
	return do[Hook](ctx, s.client, http.MethodPost, hooksOf(owner), jsonFor(owner, options), opts)
}

// Update changes a hook. If the URL changes, the token is dropped unless the same call sets
// one. System hooks can be changed since 16.x.
//
//	PUT /projects/:id/hooks/:hook_id
//	PUT /groups/:id/hooks/:hook_id
//	PUT /hooks/:hook_id
func (s *HooksService) Update(
	ctx context.Context, owner HookOwner, hookID int64, options UpdateHookOptions, opts ...RequestOption,
) (*Hook, *Response, error) {
	return do[Hook](ctx, s.client, http.MethodPut, hookOf(owner, hookID, ""), jsonFor(owner, options), opts)
}

// Delete removes a hook.
//
//	DELETE /projects/:id/hooks/:hook_id
//	DELETE /groups/:id/hooks/:hook_id
//	DELETE /hooks/:hook_id
func (s *HooksService) Delete(
	ctx context.Context, owner HookOwner, hookID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, s.client, http.MethodDelete, hookOf(owner, hookID, ""), nil, opts)
}

// Test sends a sample of an event to the hook, even if the hook is switched off, and waits
// for the response. A response with 2xx switches it on again. The sample is built from
// an object of the project or group: the call returns [ErrUnprocessable] if there is
// none, if the event cannot be tested, or if the receiver does not respond with 2xx.
// At most 5 calls a minute are accepted. Since 16.11, and since 17.1 for groups.
//
//	POST /projects/:id/hooks/:hook_id/test/:trigger
//	POST /groups/:id/hooks/:hook_id/test/:trigger
func (s *HooksService) Test(
	ctx context.Context, owner HookLogOwner, hookID int64, trigger HookTrigger, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, s.client, http.MethodPost, hookOf(owner, hookID, "/test/:trigger", string(trigger)), nil, opts)
}

// TestSystemHook sends a sample to a system hook, and returns it. It does not say how the
// receiver responds.
//
//	POST /hooks/:hook_id
func (s *HooksService) TestSystemHook(
	ctx context.Context, hookID int64, opts ...RequestOption,
) (*SystemTestEvent, *Response, error) {
	return do[SystemTestEvent](ctx, s.client, http.MethodPost, hookOf(Instance, hookID, ""), nil, opts)
}

// ListLogs returns one page of the requests that a hook sent in the last 7 days, newest
// first. Since 17.3.
//
//	GET /projects/:id/hooks/:hook_id/events
//	GET /groups/:id/hooks/:hook_id/events
func (s *HooksService) ListLogs(
	ctx context.Context, owner HookLogOwner, hookID int64, options *ListHookLogsOptions, opts ...RequestOption,
) ([]*HookLog, *Response, error) {
	return list[*HookLog](ctx, s.client, hookOf(owner, hookID, "/events"), queryOf(options), opts)
}

// AllLogs returns every request that a hook sent in the last 7 days, newest first. Since
// 17.3.
//
//	GET /projects/:id/hooks/:hook_id/events
//	GET /groups/:id/hooks/:hook_id/events
func (s *HooksService) AllLogs(
	ctx context.Context, owner HookLogOwner, hookID int64, options *ListHookLogsOptions, opts ...RequestOption,
) iter.Seq2[*HookLog, error] {
	return all[*HookLog](ctx, s.client, hookOf(owner, hookID, "/events"), queryOf(options.whole()), opts)
}

// Resend sends a request again, with the same body, and waits for the response. The call
// returns [ErrUnprocessable] if the URL of the hook has changed, or if nobody responds.
// At most 5 calls a minute are accepted. Since 17.4.
//
//	POST /projects/:id/hooks/:hook_id/events/:hook_event_id/resend
//	POST /groups/:id/hooks/:hook_id/events/:hook_event_id/resend
func (s *HooksService) Resend(
	ctx context.Context, owner HookLogOwner, hookID, hookLogID int64, opts ...RequestOption,
) (*HookResend, *Response, error) {
	return do[HookResend](ctx, s.client, http.MethodPost,
		hookOf(owner, hookID, "/events/:hook_event_id/resend", hookLogID), nil, opts)
}

// SetURLVariable sets the value of a name in the URL of a hook. Since 15.2.
//
//	PUT /projects/:id/hooks/:hook_id/url_variables/:key
//	PUT /groups/:id/hooks/:hook_id/url_variables/:key
//	PUT /hooks/:hook_id/url_variables/:key
func (s *HooksService) SetURLVariable(
	ctx context.Context, owner HookOwner, hookID int64, key string,
	options SetHookURLVariableOptions, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, s.client, http.MethodPut,
		hookOf(owner, hookID, "/url_variables/:key", key), jsonOf(options), opts)
}

// DeleteURLVariable removes the value of a name in the URL of a hook. Since 15.2.
//
//	DELETE /projects/:id/hooks/:hook_id/url_variables/:key
//	DELETE /groups/:id/hooks/:hook_id/url_variables/:key
//	DELETE /hooks/:hook_id/url_variables/:key
func (s *HooksService) DeleteURLVariable(
	ctx context.Context, owner HookOwner, hookID int64, key string, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, s.client, http.MethodDelete, hookOf(owner, hookID, "/url_variables/:key", key), nil, opts)
}

// SetCustomHeader sets a header that the hook sends. Since 17.1.
//
//	PUT /projects/:id/hooks/:hook_id/custom_headers/:key
//	PUT /groups/:id/hooks/:hook_id/custom_headers/:key
func (s *HooksService) SetCustomHeader(
	ctx context.Context, owner HookLogOwner, hookID int64, key string,
	options SetHookCustomHeaderOptions, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, s.client, http.MethodPut,
		hookOf(owner, hookID, "/custom_headers/:key", key), jsonOf(options), opts)
}

// DeleteCustomHeader removes a header that the hook sends. Since 17.1.
//
//	DELETE /projects/:id/hooks/:hook_id/custom_headers/:key
//	DELETE /groups/:id/hooks/:hook_id/custom_headers/:key
func (s *HooksService) DeleteCustomHeader(
	ctx context.Context, owner HookLogOwner, hookID int64, key string, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, s.client, http.MethodDelete, hookOf(owner, hookID, "/custom_headers/:key", key), nil, opts)
}

// maxLogsPerPage is the service's limit for pages of requests.
const maxLogsPerPage = 20

// whole returns the options with the largest page that the service accepts.
func (o *ListHookLogsOptions) whole() *ListHookLogsOptions {
	options := ListHookLogsOptions{}
	if o != nil {
		options = *o
	}
	if options.PerPage == 0 && options.PageToken == "" {
		options.PerPage = maxLogsPerPage
	}
	return &options
}
