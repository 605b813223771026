package serviceapi

import (
	"context"
	"iter"
	"net/http"
	"time"
)

// RegistryService lists and cleans up the container registries of projects and groups. For
// the catalog of the whole registry, see [RegistryCatalog].
//
// Its options are [DeleteRegistryTagsOptions], [GetRegistryRepositoryOptions],
// [ListRegistryRepositoriesOptions], [ListRegistryTagsOptions] and
// [SetRegistryAccessLevelOptions]. See recipe 2 of docs/cookbook.md, the example
// CleanRegistry of [example.com/serviceapi/examples/recipes].
type RegistryService service

// DependencyProxyService manages the dependency proxies of groups, which cache images of other
// registries. See the example of [DependencyProxyService.PurgeCache].
type DependencyProxyService service

// PurgeCache schedules the deletion of everything that the dependency proxy of a group has
// cached. It requires the Owner role. The call returns [ErrNotFound] if the instance has no
// dependency proxy.
//
//	DELETE /groups/:id/dependency_proxy/cache
func (s *DependencyProxyService) PurgeCache(
	ctx context.Context, group GroupRef, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, Route("/groups/:id/dependency_proxy/cache", group), nil, opts)
}

// RegistryOwner is an owner of registry repositories: a [ProjectRef] or a
// [GroupRef].
type RegistryOwner interface{ hasRegistryRepositories() }

func (ProjectRef) hasRegistryRepositories() {}

func (GroupRef) hasRegistryRepositories() {}

// SetAccessLevel sets who may use the container registry of a project, and
// returns the project.
//
//	PUT /projects/:id
func (s *RegistryService) SetAccessLevel(
	ctx context.Context, project ProjectRef, options SetRegistryAccessLevelOptions, opts ...RequestOption,
) (*Project, *Response, error) {
	return do[Project](ctx, using(s), http.MethodPut, Route("/projects/:id", project),
		jsonOf(options), opts)
}

// ListRepositories returns one page of the repositories of a project, or of all
// of a group's projects. The call returns an [*ArgumentError] for an option that
// this owner does not support.
//
//	GET /projects/:id/registry/repositories
//	GET /groups/:id/registry/repositories
func (s *RegistryService) ListRepositories(
	ctx context.Context, owner RegistryOwner, options *ListRegistryRepositoriesOptions, opts ...RequestOption,
) ([]*RegistryRepository, *Response, error) {
	return list[*RegistryRepository](ctx, using(s),
		below(owner, "/registry/repositories"), queryFor(owner, options), opts)
}

// AllRepositories returns every repository of a project, or of all of a group's
// projects. The sequence yields an [*ArgumentError] for an option that this owner
// does not support.
//
//	GET /projects/:id/registry/repositories
//	GET /groups/:id/registry/repositories
func (s *RegistryService) AllRepositories(
	ctx context.Context, owner RegistryOwner, options *ListRegistryRepositoriesOptions, opts ...RequestOption,
) iter.Seq2[*RegistryRepository, error] {
	return all[*RegistryRepository](ctx, using(s),
		below(owner, "/registry/repositories"), queryFor(owner, options), opts)
}

// GetRepository returns one repository, identified by its ID. The project need
// not be known.
//
//	GET /registry/repositories/:id
func (s *RegistryService) GetRepository(
	ctx context.Context, repositoryID int64, options *GetRegistryRepositoryOptions, opts ...RequestOption,
) (*RegistryRepository, *Response, error) {
	return do[RegistryRepository](ctx, using(s), http.MethodGet,
		Route("/registry/repositories/:id", repositoryID), queryOf(options), opts)
}

// DeleteRepository schedules the deletion of a repository with all of its tags
// (202). Until the service has carried it out, it may still list the
// repository, with a [RegistryRepository.Status].
//
//	DELETE /projects/:id/registry/repositories/:repository_id
func (s *RegistryService) DeleteRepository(
	ctx context.Context, project ProjectRef, repositoryID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete,
		Route("/projects/:id/registry/repositories/:repository_id", project, repositoryID), nil, opts)
}

// ListTags returns one page of a repository's tags.
//
//	GET /projects/:id/registry/repositories/:repository_id/tags
func (s *RegistryService) ListTags(
	ctx context.Context, project ProjectRef, repositoryID int64, options *ListRegistryTagsOptions,
	opts ...RequestOption,
) ([]*RegistryTag, *Response, error) {
	return list[*RegistryTag](ctx, using(s),
		Route("/projects/:id/registry/repositories/:repository_id/tags", project, repositoryID), queryOf(options), opts)
}

// AllTags returns every tag of a repository.
//
//	GET /projects/:id/registry/repositories/:repository_id/tags
func (s *RegistryService) AllTags(
	ctx context.Context, project ProjectRef, repositoryID int64, options *ListRegistryTagsOptions,
	opts ...RequestOption,
) iter.Seq2[*RegistryTag, error] {
	return all[*RegistryTag](ctx, using(s),
		Route("/projects/:id/registry/repositories/:repository_id/tags", project, repositoryID), queryOf(options), opts)
}

// GetTag returns one tag with details of its image.
//
//	GET /projects/:id/registry/repositories/:repository_id/tags/:tag_name
func (s *RegistryService) GetTag(
	ctx context.Context, project ProjectRef, repositoryID int64, tagName string, opts ...RequestOption,
) (*RegistryTagDetails, *Response, error) {
	return do[RegistryTagDetails](ctx, using(s), http.MethodGet,
		Route("/projects/:id/registry/repositories/:repository_id/tags/:tag_name", project, repositoryID, tagName),
		nil, opts)
}

// DeleteTag deletes one tag. The layers of its image remain until the registry
// collects garbage.
//
//	DELETE /projects/:id/registry/repositories/:repository_id/tags/:tag_name
func (s *RegistryService) DeleteTag(
	ctx context.Context, project ProjectRef, repositoryID int64, tagName string, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete,
		Route("/projects/:id/registry/repositories/:repository_id/tags/:tag_name", project, repositoryID, tagName),
		nil, opts)
}

// DeleteTags schedules the deletion of many tags (202). The service carries it
// out later, by these rules:
//
//   - Tags are ordered by the time at which their manifest was created, not
//     pushed.
//   - Only tags whose name matches NameRegexDelete and does not match
//     NameRegexKeep are deleted.
//   - The tag latest is never deleted.
//   - The latest KeepN of the matching tags are kept.
//   - With OlderThan, only tags that are older are deleted.
//   - Layers remain until the registry collects garbage.
//   - The hosted offering deletes a limited number of tags for each call, so
//     several calls may be necessary.
//
// The service accepts one such call per hour for each repository, and refuses
// others. It also refuses expressions and time spans that it cannot parse.
//
//	DELETE /projects/:id/registry/repositories/:repository_id/tags
func (s *RegistryService) DeleteTags(
	ctx context.Context, project ProjectRef, repositoryID int64, options *DeleteRegistryTagsOptions,
	opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete,
		Route("/projects/:id/registry/repositories/:repository_id/tags", project, repositoryID), queryOf(options), opts)
}

// SetRegistryAccessLevelOptions says who may use a project's container registry.
type SetRegistryAccessLevelOptions struct {
	// AccessLevel is required. The default of a project is
	// [FeatureAccessLevelEnabled].
	AccessLevel FeatureAccessLevel `json:"container_registry_access_level" required:"true"`
}

// ListRegistryRepositoriesOptions selects optional fields of repositories.
type ListRegistryRepositoriesOptions struct {
	ListOptions
	// Tags sets [RegistryRepository.Tags]. Only for a [ProjectRef].
	Tags bool `url:"tags,omitempty" only:"project"`
	// TagsCount sets [RegistryRepository.TagsCount]. Only for a [ProjectRef].
	TagsCount bool `url:"tags_count,omitempty" only:"project"`
}

// ListRegistryTagsOptions selects a page of tags.
type ListRegistryTagsOptions struct {
	ListOptions
	// Pagination is [PaginationOffset] by default. [PaginationKeyset] is faster for
	// long lists. Since about 16.x.
	Pagination Pagination `url:"pagination,omitempty"`
}

// GetRegistryRepositoryOptions selects optional fields of a repository.
type GetRegistryRepositoryOptions struct {
	// Tags sets [RegistryRepository.Tags].
	Tags bool `url:"tags,omitempty"`
	// Size sets [RegistryRepository.Size].
	Size bool `url:"size,omitempty"`
	// TagsCount sets [RegistryRepository.TagsCount].
	TagsCount bool `url:"tags_count,omitempty"`
}

// DeleteRegistryTagsOptions selects the tags that [RegistryService.DeleteTags] removes. The
// expressions have the RE2 syntax, as in package regexp. The service does not document
// whether an expression must match the whole name: write ^ and $ around a whole name, and
// .* around a part of one.
type DeleteRegistryTagsOptions struct {
	// NameRegexDelete matches the names of tags to delete: ".*" matches all.
	// It is required.
	NameRegexDelete string `url:"name_regex_delete,omitempty"`
	// NameRegex is the old name of NameRegexDelete.
	//
	// Deprecated: use NameRegexDelete.
	NameRegex string `url:"name_regex,omitempty"`
	// NameRegexKeep matches the names of tags to keep. It takes precedence over
	// NameRegexDelete: with ".*", nothing is deleted. Empty keeps none by name.
	NameRegexKeep string `url:"name_regex_keep,omitempty"`
	// KeepN is the number of matching tags to keep: those whose manifests were
	// created last. 0 keeps none.
	KeepN int `url:"keep_n,omitempty"`
	// OlderThan deletes only tags whose manifest is older than this span, such as
	// "1h", "1d" or "1month". Empty deletes tags of any age.
	OlderThan string `url:"older_than,omitempty"`
}

// check refuses options that do not say what to delete.
func (o *DeleteRegistryTagsOptions) check() error {
	if o == nil || o.NameRegexDelete == "" && o.NameRegex == "" {
		return &ArgumentError{Argument: "NameRegexDelete", Problem: `is missing; ".*" deletes all tags`}
	}
	return nil
}

// RegistryRepositoryStatus is the progress of the deletion of a repository.
type RegistryRepositoryStatus string

// Steps of the deletion of a repository. The service may send others.
const (
	RegistryRepositoryStatusDeleteScheduled RegistryRepositoryStatus = "delete_scheduled"
	RegistryRepositoryStatusDeleteOngoing   RegistryRepositoryStatus = "delete_ongoing"
	RegistryRepositoryStatusDeleteFailed    RegistryRepositoryStatus = "delete_failed"
)

// RegistryRepository is a repository of container images.
type RegistryRepository struct {
	ID int64 `json:"id"`
	// Name is empty for the repository that has the path of the project
	// itself.
	Name string `json:"name"`
	// Path is the full path, "group/app/name".
	Path      string `json:"path"`
	ProjectID int64  `json:"project_id"`
	// Location is the name of the repository for container tools: the host of the
	// registry and the path.
	Location  string    `json:"location"`
	CreatedAt time.Time `json:"created_at"`
	// CleanupPolicyStartedAt is when the cleanup policy last started, nil if it
	// never did.
	CleanupPolicyStartedAt *time.Time `json:"cleanup_policy_started_at"`
	// Status is empty unless the repository is being deleted. Since about 15.3.
	Status RegistryRepositoryStatus `json:"status"`
	// DeleteAPIPath is the address of [RegistryService.DeleteRepository] for this
	// repository, empty if the caller may not delete it. Since about 15.x.
	DeleteAPIPath string `json:"delete_api_path"`

	// Tags are set if the options ask for them.
	Tags []*RegistryTag `json:"tags"`
	// TagsCount is nil unless the options ask for it.
	TagsCount *int `json:"tags_count"`
	// Size is the total size of all images in bytes; layers that they share count once. It
	// is nil unless the options ask for it. Only the hosted offering sends it, for
	// repositories created after a certain date.
	Size *int64 `json:"size"`
}

// RegistryTag is a tag of a repository, as lists return it.
type RegistryTag struct {
	Name string `json:"name"`
	// Path and Location are the path and the location of the repository, followed by ":"
	// and the name.
	Path     string `json:"path"`
	Location string `json:"location"`
}

// RegistryTagDetails has a [RegistryTag] in it, and details of its image.
type RegistryTagDetails struct {
	RegistryTag

	// Revision is the hash of the image's configuration. ShortRevision is an
	// abbreviation of it.
	Revision      string `json:"revision"`
	ShortRevision string `json:"short_revision"`
	// Digest is the digest of the image's manifest: "sha256:" and a hash.
	Digest string `json:"digest"`
	// CreatedAt is when the manifest was created, not when it was pushed.
	CreatedAt time.Time `json:"created_at"`
	// TotalSize is in bytes.
	TotalSize int64 `json:"total_size"`
}
