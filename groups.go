package serviceapi

import (
	"context"
	"iter"
)

// GroupsService finds groups.
type GroupsService service

// Group holds projects, members and other groups.
type Group struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
	// Path is the last element of the group's path, such as "platform"; FullPath
	// is all of it, as a [Path] requires: "acme/platform".
	Path     string `json:"path"`
	FullPath string `json:"full_path"`
	// FullName is the name with the names of the groups above: "Acme / Platform".
	FullName    string `json:"full_name"`
	Description string `json:"description"`
	// ParentID is the ID of the group above, nil for a top-level group.
	ParentID *int64 `json:"parent_id"`
	WebURL   string `json:"web_url"`
}

// GroupOrder is an order of a list of groups.
type GroupOrder string

// GroupsByName is the order that keyset pagination requires.
const GroupsByName GroupOrder = "name"

// ListGroupsOptions selects groups.
type ListGroupsOptions struct {
	ListOptions
	// Pagination is [PaginationOffset] by default. [PaginationKeyset] works only
	// for calls without a credential ([Anonymous]), and requires OrderBy
	// [GroupsByName] and Sort [SortAscending].
	Pagination Pagination `url:"pagination,omitempty"`
	// OrderBy is the column to order by.
	OrderBy GroupOrder `url:"order_by,omitempty"`
	// Sort is [SortAscending] or [SortDescending].
	Sort SortDirection `url:"sort,omitempty"`
}

// List returns one page of the groups that the caller may see; without a
// credential, of the public ones.
//
// GET /groups
func (s *GroupsService) List(ctx context.Context, options *ListGroupsOptions, opts ...RequestOption) ([]*Group, *Response, error) {
	return list[*Group](ctx, s.client, Route("/groups"), queryOf(options), opts)
}

// All returns every group that the caller may see; without a credential, every
// public one.
//
// GET /groups
func (s *GroupsService) All(ctx context.Context, options *ListGroupsOptions, opts ...RequestOption) iter.Seq2[*Group, error] {
	return all[*Group](ctx, s.client, Route("/groups"), queryOf(options), opts)
}
