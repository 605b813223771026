package serviceapi

import (
	"context"
	"iter"
	"time"
)

// NamespacesService reads namespaces: the groups and users that projects belong
// to. [Namespace.Ref] identifies one in other calls, such as
// [ProjectsService.Create].
type NamespacesService service

// check refuses a namespace that cannot be one. The zero NamespaceRef stands for
// the caller's own.
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

// NamespaceSummary is the short form of a namespace, inside other objects.
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

// Namespace is a group or a user that projects belong to. The fields from
// BillableMembersCount on exist on the hosted offering or are premium. Elsewhere
// they are nil or "".
type Namespace struct {
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
	// TopLevelOnly selects namespaces that have no parent, since 16.8.
	TopLevelOnly bool `url:"top_level_only,omitempty"`
}

// List returns one page of the caller's namespaces; for administrators, of all.
//
//	GET /namespaces
func (s *NamespacesService) List(
	ctx context.Context, options *ListNamespacesOptions, opts ...RequestOption,
) ([]*Namespace, *Response, error) {
	return list[*Namespace](ctx, s.client, Route("/namespaces"), queryOf(options), opts)
}

// All returns every namespace of the caller; for administrators, every one.
//
//	GET /namespaces
func (s *NamespacesService) All(
	ctx context.Context, options *ListNamespacesOptions, opts ...RequestOption,
) iter.Seq2[*Namespace, error] {
	return all[*Namespace](ctx, s.client, Route("/namespaces"), queryOf(options), opts)
}
