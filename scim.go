package serviceapi

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"slices"
	"strconv"
)

// SCIMService manages the users of a top-level group on behalf of its identity
// provider, according to RFC 7644. Premium, on the hosted offering. The caller
// must own the group. Groups are identified by their full path.
//
// Error responses are an [*Error] as for all other calls, whose Message is the
// SCIM detail and whose Code is the scimType, such as "uniqueness" or
// "invalidFilter".
//
// The group is identified by its path: the endpoints do not accept IDs, and
// calls with a [GroupID] return an [*ArgumentError].
type SCIMService service

// List returns one page of a group's users.
//
//	GET /api/scim/v2/groups/:group_path/Users
func (s *SCIMService) List(
	ctx context.Context, group GroupRef, options *ListSCIMUsersOptions, opts ...RequestOption,
) (*SCIMUserList, *Response, error) {
	cl, err := newCall(ctx, s.client, http.MethodGet,
		instanceRoute("/api/scim/v2/groups/:group_path/Users", group), queryOf(options), asSCIM(opts))
	if err != nil {
		return nil, nil, err
	}
	page, resp, err := fetch(cl, (*sending).checkSCIMList)
	if page == nil || err != nil && !isPartial(err) {
		return nil, resp, err
	}
	page.dropNull()
	return page, resp, err
}

func (s *sending) checkSCIMList(page *SCIMUserList) error {
	switch {
	case !page.isListResponse():
		return s.decodeError(errNotListResponse)
	case page.dropNull():
		e := s.decodeError(errNullItem)
		e.Partial = true
		return e
	}
	return nil
}

// All returns every user of a group. If users are added or removed in the
// meantime, others may be returned twice or not at all.
//
//	GET /api/scim/v2/groups/:group_path/Users
func (s *SCIMService) All(
	ctx context.Context, group GroupRef, options *ListSCIMUsersOptions, opts ...RequestOption,
) iter.Seq2[*SCIMUser, error] {
	cl, err := newCall(ctx, s.client, http.MethodGet,
		instanceRoute("/api/scim/v2/groups/:group_path/Users", group), nil, asSCIM(opts))
	if err != nil {
		return failed[*SCIMUser](err)
	}
	return func(yield func(*SCIMUser, error) bool) {
		w := scimWalk{guard: newGuard(cl), options: ListSCIMUsersOptions{Count: new(maxPerPage)}}
		if options != nil {
			w.options.Filter, w.options.StartIndex = options.Filter, options.StartIndex
			if options.Count != nil {
				w.options.Count = options.Count
			}
		}
		w.options.StartIndex = max(w.options.StartIndex, 1)
		walkPages(w.guard, strconv.Itoa(w.options.StartIndex), func(string) (pageOf[*SCIMUser], error) {
			page, resp, err := s.List(ctx, group, &w.options, opts...)
			return w.take(page, resp, err)
		}, yield)
	}
}

// Get returns one user of a group.
//
//	GET /api/scim/v2/groups/:group_path/Users/:id
func (s *SCIMService) Get(
	ctx context.Context, group GroupRef, id string, opts ...RequestOption,
) (*SCIMUser, *Response, error) {
	return do[SCIMUser](ctx, s.client, http.MethodGet,
		instanceRoute("/api/scim/v2/groups/:group_path/Users/:id", group, id), nil, asSCIM(opts))
}

// Create adds a user to a group. The service creates a user account, or uses
// the one with the same email address. The call returns [ErrConflict], with the
// code "uniqueness", if the group already has such a user.
//
//	POST /api/scim/v2/groups/:group_path/Users
func (s *SCIMService) Create(
	ctx context.Context, group GroupRef, options CreateSCIMUserOptions, opts ...RequestOption,
) (*SCIMUser, *Response, error) {
	body := scimOf(newSCIMUser{[]string{SCIMUserSchema}, options})
	return do[SCIMUser](ctx, s.client, http.MethodPost,
		instanceRoute("/api/scim/v2/groups/:group_path/Users", group), body, asSCIM(opts))
}

// Patch changes attributes of a user. Setting the attribute active to false
// takes away the user's access to the group; true restores it.
//
//	PATCH /api/scim/v2/groups/:group_path/Users/:id
func (s *SCIMService) Patch(
	ctx context.Context, group GroupRef, id string, options PatchSCIMUserOptions, opts ...RequestOption,
) (*Response, error) {
	body := scimOf(scimPatch{[]string{scimPatchOpSchema}, options})
	return exec(ctx, s.client, http.MethodPatch,
		instanceRoute("/api/scim/v2/groups/:group_path/Users/:id", group, id), body, asSCIM(opts))
}

// Delete removes a user from a group. The user account remains.
//
//	DELETE /api/scim/v2/groups/:group_path/Users/:id
func (s *SCIMService) Delete(ctx context.Context, group GroupRef, id string, opts ...RequestOption) (*Response, error) {
	return exec(ctx, s.client, http.MethodDelete,
		instanceRoute("/api/scim/v2/groups/:group_path/Users/:id", group, id), nil, asSCIM(opts))
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
	p.body.(*textBody).mediaType = scimMediaType
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
