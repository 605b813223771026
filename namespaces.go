package serviceapi

import (
	"context"
	"iter"
	"net/http"
	"time"
)

// NamespacesService reads namespaces: the groups and users that projects belong
// to. [Namespace.Ref] identifies one in other calls, such as
// [ProjectsService.Create].
//
// Its options are [ListNamespacesOptions] and [NamespaceExistsOptions]. See the example
// NamespacesAll in structure_test.go of [example.com/serviceapi/examples/recipes].
type NamespacesService service

// check refuses a reference that cannot identify a namespace. The zero NamespaceRef stands
// for the caller's own.
func (n NamespaceRef) check() error {
	if n.IsZero() {
		return nil
	}
	_, err := referenceSegment("Namespace", "Namespace", n.reference)
	return err
}

// NamespaceKind says whether a namespace is a group or a user.
type NamespaceKind string

// Kinds of namespaces.
const (
	NamespaceKindUser  NamespaceKind = "user"
	NamespaceKindGroup NamespaceKind = "group"
)

// NamespaceSummary is the short form of a namespace in other objects.
type NamespaceSummary struct {
	// ID is the ID of the group. For a user, it differs from the user's ID.
	ID   int64         `json:"id"`
	Name string        `json:"name"`
	Path string        `json:"path"`
	Kind NamespaceKind `json:"kind"`
	// FullPath is the path with the parent groups, for [GroupPath]. For a user, it
	// is the username.
	FullPath string `json:"full_path"`
	// ParentID is the ID of the group above, nil if there is none.
	ParentID *int64 `json:"parent_id"`
	// AvatarURL is empty if there is no picture.
	AvatarURL string `json:"avatar_url"`
	WebURL    string `json:"web_url"`
}

// Ref identifies the namespace by its ID, which stays the same if it moves.
func (n *NamespaceSummary) Ref() NamespaceRef { return NamespaceID(orZero(n).ID) }

// Namespace is a group or a user that projects belong to. It has a [NamespaceSummary] in it.
// The fields from BillableMembersCount on exist on the hosted offering or are premium.
// Elsewhere they are nil or "".
type Namespace struct {
	NamespaceSummary

	// MembersCountWithDescendants is the number of members of the group and its
	// subgroups. It is nil for users, and for callers who do not have the Owner
	// role.
	MembersCountWithDescendants *int `json:"members_count_with_descendants"`

	BillableMembersCount *int   `json:"billable_members_count"`
	Plan                 string `json:"plan"`
	Trial                *bool  `json:"trial"`
	TrialEndsOn          *Date  `json:"trial_ends_on"`
	// EndDate is the last day of the subscription.
	EndDate               *Date      `json:"end_date"`
	MaxSeatsUsed          *int       `json:"max_seats_used"`
	MaxSeatsUsedChangedAt *time.Time `json:"max_seats_used_changed_at"`
	SeatsInUse            *int       `json:"seats_in_use"`
	// RootRepositorySize, in bytes, and ProjectsCount exist in later releases.
	RootRepositorySize *int64 `json:"root_repository_size"`
	ProjectsCount      *int   `json:"projects_count"`
	// SharedRunnersMinutesLimit and ExtraSharedRunnersMinutesLimit are the CI/CD minutes
	// included in each month and those bought in addition. They and the purchased storage
	// are sent only to administrators, on the hosted offering.
	SharedRunnersMinutesLimit        *int   `json:"shared_runners_minutes_limit"`
	ExtraSharedRunnersMinutesLimit   *int   `json:"extra_shared_runners_minutes_limit"`
	AdditionalPurchasedStorageSize   *int64 `json:"additional_purchased_storage_size"`
	AdditionalPurchasedStorageEndsOn *Date  `json:"additional_purchased_storage_ends_on"`
}

// Ref identifies the namespace by its ID, which stays the same if it moves.
func (n *Namespace) Ref() NamespaceRef { return NamespaceID(orZero(n).ID) }

// ListNamespacesOptions selects namespaces.
type ListNamespacesOptions struct {
	ListOptions
	// Search searches names and paths.
	Search string `url:"search,omitempty"`
	// OwnedOnly selects namespaces that the caller owns.
	OwnedOnly bool `url:"owned_only,omitempty"`
	// TopLevelOnly selects namespaces that have no parent. Since 16.8.
	TopLevelOnly bool `url:"top_level_only,omitempty"`
	// FullPathSearch makes Search also match the paths of parent groups. Only later
	// releases support it.
	FullPathSearch bool `url:"full_path_search,omitempty"`
}

// List returns one page of the caller's namespaces or, for administrators, of all
// namespaces.
//
//	GET /namespaces
func (s *NamespacesService) List(
	ctx context.Context, options *ListNamespacesOptions, opts ...RequestOption,
) ([]*Namespace, *Response, error) {
	return list[*Namespace](ctx, using(s), Route("/namespaces"), queryOf(options), opts)
}

// All returns every namespace of the caller or, for administrators, of the instance.
//
//	GET /namespaces
func (s *NamespacesService) All(
	ctx context.Context, options *ListNamespacesOptions, opts ...RequestOption,
) iter.Seq2[*Namespace, error] {
	return all[*Namespace](ctx, using(s), Route("/namespaces"), queryOf(options), opts)
}

// Get returns a namespace. The call returns [ErrNotFound] if it does not exist, or if the
// caller cannot see it.
//
//	GET /namespaces/:id_or_path
func (s *NamespacesService) Get(
	ctx context.Context, namespace NamespaceRef, opts ...RequestOption,
) (*Namespace, *Response, error) {
	return do[Namespace](ctx, using(s), http.MethodGet, Route("/namespaces/:id_or_path", namespace), nil, opts)
}

// Exists reports whether a path is taken by a group or a user, and suggests others if it
// is. The path is the last part of a full path, such as "platform" of "acme/platform", in
// upper or lower case. Without options, only namespaces without a parent count. Later
// releases limit the rate of these calls.
//
//	GET /namespaces/:path/exists
func (s *NamespacesService) Exists(
	ctx context.Context, path string, options *NamespaceExistsOptions, opts ...RequestOption,
) (*NamespaceExistence, *Response, error) {
	return do[NamespaceExistence](ctx, using(s), http.MethodGet,
		Route("/namespaces/:path/exists", path), queryOf(options), opts)
}

// NamespaceExistsOptions says where to look for a path.
type NamespaceExistsOptions struct {
	// ParentID is the ID of the group above, 0 for paths without a parent.
	ParentID int64 `url:"parent_id,omitempty"`
}

// NamespaceExistence says whether a path is taken.
type NamespaceExistence struct {
	Exists bool `json:"exists"`
	// Suggests has free paths that are similar. It is empty if the path is free.
	Suggests []string `json:"suggests"`
}
