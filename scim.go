package serviceapi

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"slices"
	"strconv"
	"time"

	"example.com/serviceapi/internal/pages"
	"github.com/go-json-experiment/json/jsontext"
)

// SCIMService manages the users of a top-level group, or of the whole [Instance], on behalf of an
// identity provider, according to RFC 7644. Premium: groups on the hosted offering, whose owners
// may make the calls, and the instance on self-managed ones, since 15.8. The instance accepts only
// a SCIM token of its own, which its settings show to administrators:
//
//	token := serviceapi.BearerToken(os.Getenv("SCIM_TOKEN"))
//	client.SCIM.All(ctx, serviceapi.Instance, nil, serviceapi.WithCredential(token))
//
// Error responses are an [*Error] as for all other calls, whose Message is the
// SCIM detail and whose Code is the scimType, such as [ErrorCodeUniqueness] or
// [ErrorCodeInvalidFilter].
//
// For what is wrong with a request, some releases respond with the status 412, which is
// [ErrPreconditionFailed], instead of 400.
//
// The group is identified by its full path: the endpoints do not accept IDs, and calls with
// a [GroupID] return an [*ArgumentError].
//
// Its options are [CreateSCIMUserOptions], [ListSCIMUsersOptions] and
// [PatchSCIMUserOptions]. See the example ScimPatch in scim_test.go of
// [example.com/serviceapi/examples/recipes].
type SCIMService service

// SCIMOwner is an owner of users whom SCIM provisions: a [GroupRef], which must be a path, or
// [Instance].
type SCIMOwner interface{ hasSCIMUsers() }

func (GroupRef) hasSCIMUsers()      {}
func (InstanceOwner) hasSCIMUsers() {}

// scimUsersOf returns the endpoint of users, or of one user.
func scimUsersOf(owner SCIMOwner, suffix string, args ...any) Endpoint {
	switch o := owner.(type) {
	case GroupRef:
		return instanceRoute("/api/scim/v2/groups/:group_path/Users"+suffix, append([]any{o}, args...)...)
	case InstanceOwner:
		return instanceRoute("/api/scim/v2/application/Users"+suffix, args...)
	}
	return noOwner("/api/scim/v2/application/Users" + suffix)
}

// List returns one page of the users of a group or the instance.
//
//	GET /api/scim/v2/groups/:group_path/Users
//	GET /api/scim/v2/application/Users
func (s *SCIMService) List(
	ctx context.Context, owner SCIMOwner, options *ListSCIMUsersOptions, opts ...RequestOption,
) (*SCIMUserList, *Response, error) {
	page, resp, err := checked(ctx, using(s), http.MethodGet,
		scimUsersOf(owner, ""), queryOf(options), checkSCIMList, asSCIM(opts))
	if page == nil || err != nil && !isPartial(err) {
		return nil, resp, err
	}
	page.dropNull()
	return page, resp, err
}

func checkSCIMList(sent *outcome, page *SCIMUserList) error {
	switch {
	case !page.isListResponse():
		return sent.decodeError(errNotListResponse)
	case page.dropNull():
		e := sent.decodeError(errNullItem)
		e.Partial = true
		return e
	}
	return nil
}

// All returns every user of a group or the instance. If users are added or removed in the
// meantime, others may be returned twice or not at all.
//
//	GET /api/scim/v2/groups/:group_path/Users
//	GET /api/scim/v2/application/Users
func (s *SCIMService) All(
	ctx context.Context, owner SCIMOwner, options *ListSCIMUsersOptions, opts ...RequestOption,
) iter.Seq2[*SCIMUser, error] {
	cl, err := newCall(ctx, using(s), http.MethodGet, scimUsersOf(owner, ""), nil, asSCIM(opts))
	if err != nil {
		return failed[*SCIMUser](err)
	}
	return func(yield func(*SCIMUser, error) bool) {
		w := scimWalk{guard: newGuard(cl), options: ListSCIMUsersOptions{Count: new(pages.MaxSize)}}
		if options != nil {
			w.options.Filter, w.options.StartIndex = options.Filter, options.StartIndex
			if options.Count != nil {
				w.options.Count = options.Count
			}
		}
		w.options.StartIndex = max(w.options.StartIndex, 1)
		walkPages(w.guard, strconv.Itoa(w.options.StartIndex), func(string) (pageOf[*SCIMUser], error) {
			page, resp, err := s.List(ctx, owner, &w.options, opts...)
			return w.take(page, resp, err)
		}, yield)
	}
}

// Get returns one user of a group or the instance.
//
//	GET /api/scim/v2/groups/:group_path/Users/:id
//	GET /api/scim/v2/application/Users/:id
func (s *SCIMService) Get(
	ctx context.Context, owner SCIMOwner, id string, opts ...RequestOption,
) (*SCIMUser, *Response, error) {
	return do[SCIMUser](ctx, using(s), http.MethodGet, scimUsersOf(owner, "/:id", id), nil, asSCIM(opts))
}

// Create adds a user to a group or the instance. The service creates a user account, or uses
// the one with the same email address. The call returns [ErrConflict], with the code
// "uniqueness", if there already is such a user.
//
//	POST /api/scim/v2/groups/:group_path/Users
//	POST /api/scim/v2/application/Users
func (s *SCIMService) Create(
	ctx context.Context, owner SCIMOwner, options CreateSCIMUserOptions, opts ...RequestOption,
) (*SCIMUser, *Response, error) {
	body := scimOf(newSCIMUser{[]string{SCIMUserSchema}, options})
	return do[SCIMUser](ctx, using(s), http.MethodPost, scimUsersOf(owner, ""), body, asSCIM(opts))
}

// Patch changes attributes of a user. Setting the attribute active to false removes the user's
// access to the group, or blocks the user of the instance; true restores it.
//
//	PATCH /api/scim/v2/groups/:group_path/Users/:id
//	PATCH /api/scim/v2/application/Users/:id
func (s *SCIMService) Patch(
	ctx context.Context, owner SCIMOwner, id string, options PatchSCIMUserOptions, opts ...RequestOption,
) (*Response, error) {
	body := scimOf(scimPatch{[]string{scimPatchOpSchema}, options})
	return exec(ctx, using(s), http.MethodPatch, scimUsersOf(owner, "/:id", id), body, asSCIM(opts))
}

// Delete removes a user from a group, whose user account remains, or blocks a user of the
// instance.
//
//	DELETE /api/scim/v2/groups/:group_path/Users/:id
//	DELETE /api/scim/v2/application/Users/:id
func (s *SCIMService) Delete(
	ctx context.Context, owner SCIMOwner, id string, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, scimUsersOf(owner, "/:id", id), nil, asSCIM(opts))
}

const scimMediaType = "application/scim+json"

// newSCIMUser and scimPatch are bodies with their required schemas.
type newSCIMUser struct {
	Schemas []string `json:"schemas"`
	CreateSCIMUserOptions
}

type scimPatch struct {
	Schemas []string `json:"schemas"`
	PatchSCIMUserOptions
}

// asSCIM asks for SCIM's media type. Plain JSON, which some instances send
// instead, is accepted, too.
func asSCIM(opts []RequestOption) []RequestOption {
	accept := WithHeader("Accept", scimMediaType+", application/json;q=0.9")
	return slices.Insert(slices.Clone(opts), 0, RequestOption(accept))
}

// scimOf sends a value as JSON with SCIM's media type.
func scimOf(value any) input { return scimInput{value} }

type scimInput struct{ value any }

func (in scimInput) encode(p *payload) error {
	if err := jsonOf(in.value).encode(p); err != nil {
		return err
	}
	p.mediaType = scimMediaType
	return nil
}

var errNotListResponse = errors.New("not a ListResponse")

// isListResponse distinguishes a list from any other object, which would decode
// into an empty list.
func (l *SCIMUserList) isListResponse() bool {
	return len(l.Resources) > 0 || l.TotalResults > 0 || slices.Contains(l.Schemas, SCIMListResponseSchema)
}

// dropNull removes users that are null, and reports whether there were any.
func (l *SCIMUserList) dropNull() bool {
	l.received = max(l.received, len(l.Resources))
	l.Resources = slices.DeleteFunc(l.Resources, func(u *SCIMUser) bool { return u == nil })
	return len(l.Resources) < l.received
}

// scimWalk walks the pages of a list by index.
type scimWalk struct {
	guard   *guard
	options ListSCIMUsersOptions
	// pages is the number of pages so far, and firstID is the ID of the first user
	// on the last one.
	pages   int
	firstID string
}

// take checks a page and sets the options for the next one.
func (w *scimWalk) take(page *SCIMUserList, resp *Response, err error) (pageOf[*SCIMUser], error) {
	result := pageOf[*SCIMUser]{resp: resp}
	if page == nil {
		return result, err
	}
	result.items, result.size = page.Resources, page.received
	start, n := w.options.StartIndex, page.received
	end, firstID := start+n-1, page.firstID()
	switch {
	case n > 0 && page.StartIndex != 0 && page.StartIndex != start:
		return result, w.problem("the page starts at user %d instead of %d", page.StartIndex, start)
	case n > 0 && w.pages > 0 && firstID == w.firstID:
		return result, w.problem("the page is one that was already read")
	case n > 0 && end > page.TotalResults:
		return result, w.problem("the service sent %d users, but announced %d", end, page.TotalResults)
	case end >= page.TotalResults || *w.options.Count == 0:
		return result, err
	case n == 0:
		return result, w.problem("the page is empty, but the service announced %d users", page.TotalResults)
	}
	w.pages++
	w.firstID, w.options.StartIndex = firstID, end+1
	result.next = strconv.Itoa(end + 1)
	return result, err
}

func (l *SCIMUserList) firstID() string {
	if len(l.Resources) == 0 {
		return ""
	}
	return l.Resources[0].ID
}

func (w *scimWalk) problem(format string, args ...any) error {
	return w.guard.problem(fmt.Sprintf(format, args...))
}

// Schemas of SCIM messages (RFC 7643, RFC 7644), as in [SCIMUser.Schemas].
const (
	SCIMUserSchema         = "urn:ietf:params:scim:schemas:core:2.0:User"
	SCIMListResponseSchema = "urn:ietf:params:scim:api:messages:2.0:ListResponse"
)

const scimPatchOpSchema = "urn:ietf:params:scim:api:messages:2.0:PatchOp"

// SCIMUser is a user as known to the identity provider of a group.
type SCIMUser struct {
	// Schemas are the schemas that the object follows.
	Schemas []string `json:"schemas"`
	// ID is assigned by the service. It is not the numeric ID of the user account.
	ID string `json:"id"`
	// ExternalID is assigned by the identity provider.
	ExternalID string `json:"externalId"`
	// UserName is unique in the group. It is not case-sensitive.
	UserName string `json:"userName"`
	// Name is nil if the service does not send it.
	Name        *SCIMName `json:"name"`
	DisplayName string    `json:"displayName"`
	// Emails has one address with Primary set, and possibly others.
	Emails []*SCIMEmail `json:"emails"`
	// Active reports whether the user has access to the group. It is nil if the
	// service does not say.
	Active *bool `json:"active"`
	// Meta is nil if the service does not send it.
	Meta *SCIMMeta `json:"meta"`
}

// SCIMName has the parts of a person's name. Empty parts are not sent.
type SCIMName struct {
	// Formatted is the whole name as it is displayed.
	Formatted       string `json:"formatted,omitzero"`
	FamilyName      string `json:"familyName,omitzero"`
	GivenName       string `json:"givenName,omitzero"`
	MiddleName      string `json:"middleName,omitzero"`
	HonorificPrefix string `json:"honorificPrefix,omitzero"`
	HonorificSuffix string `json:"honorificSuffix,omitzero"`
}

// SCIMEmail is an email address of a user. Value is required; other fields that are zero
// are not sent.
type SCIMEmail struct {
	// Value is the address.
	Value string `json:"value" required:"true"`
	// Display is the address in a form for display.
	Display string `json:"display,omitzero"`
	// Type is a label such as "work" or "home".
	Type string `json:"type,omitzero"`
	// Primary reports whether this is the user's primary address.
	Primary bool `json:"primary,omitzero"`
}

// SCIMMeta is metadata about a SCIM object.
type SCIMMeta struct {
	// ResourceType is "User".
	ResourceType string `json:"resourceType"`
	// Created is nil if the service does not send it.
	Created *time.Time `json:"created"`
	// LastModified is nil like Created.
	LastModified *time.Time `json:"lastModified"`
	// Location is the address of the object in the SCIM API.
	Location string `json:"location"`
	// Version is an entity tag.
	Version string `json:"version"`
}

// SCIMUserList is one page of users: the ListResponse of RFC 7644.
type SCIMUserList struct {
	// Schemas is [SCIMListResponseSchema].
	Schemas []string `json:"schemas"`
	// TotalResults is the number of users on all pages.
	TotalResults int `json:"totalResults"`
	// StartIndex is the position of the page's first user in the list, counted
	// from 1.
	StartIndex int `json:"startIndex"`
	// ItemsPerPage is the number of users on the page.
	ItemsPerPage int `json:"itemsPerPage"`
	// Resources are the users of the page.
	Resources []*SCIMUser `json:"Resources"`

	// received is the number of items, including null.
	received int
}

// ListSCIMUsersOptions selects users of a group.
type ListSCIMUsersOptions struct {
	// Filter is an expression of RFC 7644, section 3.4.2.2, such as [SCIMEqual] returns.
	Filter string `url:"filter,omitempty"`
	// StartIndex is the position in the list to begin at, counted from 1. 0 means
	// 1.
	StartIndex int `url:"startIndex,omitempty"`
	// Count is the number of users on a page; the service may return fewer. Nil
	// leaves it to the service, except for [SCIMService.All], which then asks for
	// 100. 0 returns no users, only their number.
	Count *int `url:"count,omitempty"`
}

// SCIMAttribute is the name of an attribute of a user in a filter, as in RFC 7643.
type SCIMAttribute string

// Attributes that users can be found by.
const (
	SCIMAttributeID         SCIMAttribute = "id"
	SCIMAttributeExternalID SCIMAttribute = "externalId"
	SCIMAttributeUserName   SCIMAttribute = "userName"
)

// SCIMEqual returns a filter for users whose attribute has a value, correctly
// quoted: userName eq "ada".
func SCIMEqual(attribute SCIMAttribute, value string) string {
	quoted, _ := jsontext.AppendQuote(nil, value) // invalid UTF-8 becomes U+FFFD
	return string(attribute) + " eq " + string(quoted)
}

// CreateSCIMUserOptions describes a user to add to a group. UserName and Emails
// are required.
type CreateSCIMUserOptions struct {
	// UserName must be unique in the group.
	UserName string `json:"userName" required:"true"`
	// ExternalID is the identity provider's ID for the user.
	ExternalID string `json:"externalId,omitzero"`
	// Name is optional.
	Name        *SCIMName `json:"name,omitzero"`
	DisplayName string    `json:"displayName,omitzero"`
	// Emails must have at least one address.
	Emails []SCIMEmail `json:"emails,omitzero" required:"true"`
	// Active is true by default.
	Active *bool `json:"active,omitzero"`
}

// SCIMOperator is the kind of an operation in a patch.
type SCIMOperator string

// Kinds of operations in a patch.
const (
	SCIMOperatorAdd     SCIMOperator = "add"
	SCIMOperatorReplace SCIMOperator = "replace"
	SCIMOperatorRemove  SCIMOperator = "remove"
)

// SCIMOperation is one change of a patch:
//
//	deactivate := serviceapi.SCIMOperation{
//		Op: serviceapi.SCIMOperatorReplace, Path: "active", Value: false,
//	}
type SCIMOperation struct {
	// Op is required.
	Op SCIMOperator `json:"op" required:"true"`
	// Path is the path of an attribute, such as "active", "name.familyName" or
	// `emails[type eq "work"].value`. Without it, Value is an object of
	// attributes. It is required for SCIMOperatorRemove.
	Path string `json:"path,omitzero"`
	// Value is the new value, which has the type of the attribute: a string, a
	// bool, an [SCIMName], a slice of [SCIMEmail] or a map. Nil is not sent.
	Value any `json:"value,omitzero"`
}

// PatchSCIMUserOptions changes a user. Operations is required. The operations are applied
// in order, all of them or none.
type PatchSCIMUserOptions struct {
	Operations []SCIMOperation `json:"Operations" required:"true"`
}

func (PatchSCIMUserOptions) holdsValues() {}
