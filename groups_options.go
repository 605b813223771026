package serviceapi

// GroupOrderBy is an order of a list of groups.
type GroupOrderBy string

// Orders of groups. GroupOrderByName is the default, and the only order for keyset
// pagination. GroupOrderBySimilarity requires a search, and does not work for
// subgroups.
const (
	GroupOrderByName       GroupOrderBy = "name"
	GroupOrderByPath       GroupOrderBy = "path"
	GroupOrderByID         GroupOrderBy = "id"
	GroupOrderBySimilarity GroupOrderBy = "similarity"
)

// ListGroupsOptions selects groups. All filters must match.
type ListGroupsOptions struct {
	ListOptions
	// Search searches names and paths.
	Search string `url:"search,omitempty"`
	// SkipGroups leaves out the groups with these IDs.
	SkipGroups []int64 `url:"skip_groups[],omitempty"`
	// AllAvailable adds the groups that the caller can see without being a member,
	// or leaves them out. Nil means the default of the service.
	AllAvailable *bool `url:"all_available,omitempty"`
	// Owned selects groups that the caller owns.
	Owned bool `url:"owned,omitempty"`
	// MinAccessLevel selects groups in which the caller has at least this role.
	MinAccessLevel AccessLevel `url:"min_access_level,omitempty"`
	// TopLevelOnly selects groups that have no parent. Only for [Instance].
	TopLevelOnly bool `url:"top_level_only,omitempty" only:"instance"`
	// Statistics sets [Group.Statistics]. Administrators only.
	Statistics bool `url:"statistics,omitempty"`
	// WithCustomAttributes sets [Group.CustomAttributes]. Administrators only.
	WithCustomAttributes bool `url:"with_custom_attributes,omitempty"`

	// Pagination is [PaginationOffset] by default. [PaginationKeyset] works only
	// for calls without a credential ([Anonymous]). It implies OrderBy
	// [GroupOrderByName] and Sort [SortAscending], and allows no others. Only for
	// [Instance].
	Pagination Pagination `url:"pagination,omitempty" only:"instance"`
	// OrderBy is [GroupOrderByName] by default.
	OrderBy GroupOrderBy `url:"order_by,omitempty" keyset:"name"`
	// Sort is [SortAscending] by default.
	Sort Sort `url:"sort,omitempty" keyset:"asc"`

	// Visibility selects groups with this visibility. Since a release after 15.2.
	// Only for [Instance].
	Visibility Visibility `url:"visibility,omitempty" only:"instance"`
	// RepositoryStorage selects groups whose wiki is on this storage, since 16.3.
	// Administrators only. Premium. Only for [Instance].
	RepositoryStorage string `url:"repository_storage,omitempty" only:"instance"`
	// MarkedForDeletionOn selects groups that were marked for deletion on a day,
	// since 17.1. Premium. Only for [Instance].
	MarkedForDeletionOn Date `url:"marked_for_deletion_on,omitempty" only:"instance"`
	// Active selects groups that are neither archived nor marked for deletion, or
	// those that are, since 18.x. Nil selects both. Only for [Instance].
	Active *bool `url:"active,omitempty" only:"instance"`
	// Archived selects archived groups, or those that are not, since 18.x. Nil
	// selects both. Only for [Instance].
	Archived *bool `url:"archived,omitempty" only:"instance"`
}

// GetGroupOptions selects what is returned about a group.
type GetGroupOptions struct {
	// WithProjects sets [Group.Projects] and [Group.SharedProjects].
	// Nil means true; false saves work for the service.
	WithProjects *bool `url:"with_projects,omitempty"`
	// WithCustomAttributes sets [Group.CustomAttributes]. Administrators only.
	WithCustomAttributes bool `url:"with_custom_attributes,omitempty"`
}

// DeleteGroupOptions says how a group is deleted.
type DeleteGroupOptions struct {
	// PermanentlyRemove deletes a subgroup that is already marked for deletion,
	// without waiting for the scheduled day. It requires FullPath. Since 15.4;
	// premium until 18.0.
	PermanentlyRemove bool `url:"permanently_remove,omitempty"`
	// FullPath is the path of the group, including its parent groups. It confirms
	// PermanentlyRemove.
	FullPath string `url:"full_path,omitempty"`
}

func (o *DeleteGroupOptions) check() error {
	return confirmed(orZero(o).PermanentlyRemove, orZero(o).FullPath)
}
