package serviceapi

import (
	"context"
	"iter"
	"net/http"
)

// RegistryService lists and cleans the container registries of projects and
// groups. For the catalog of the whole registry, see [RegistryCatalog].
type RegistryService service

// RegistryOwner is an owner of registry repositories: a [ProjectRef] or a
// [GroupRef].
type RegistryOwner interface{ hasRegistryRepositories() }

func (ProjectRef) hasRegistryRepositories() {}
func (GroupRef) hasRegistryRepositories()   {}

// SetAccessLevel sets who may use the container registry of a project, and
// returns the project.
//
//	PUT /projects/:id
func (s *RegistryService) SetAccessLevel(
	ctx context.Context, project ProjectRef, options SetRegistryAccessLevelOptions, opts ...RequestOption,
) (*Project, *Response, error) {
	return do[Project](ctx, s.client, http.MethodPut, Route("/projects/:id", project),
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
	return list[*RegistryRepository](ctx, s.client,
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
	return all[*RegistryRepository](ctx, s.client,
		below(owner, "/registry/repositories"), queryFor(owner, options), opts)
}

// GetRepository returns one repository, identified by its ID. The project need
// not be known.
//
//	GET /registry/repositories/:id
func (s *RegistryService) GetRepository(
	ctx context.Context, repositoryID int64, options *GetRegistryRepositoryOptions, opts ...RequestOption,
) (*RegistryRepository, *Response, error) {
	return do[RegistryRepository](ctx, s.client, http.MethodGet,
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
	return exec(ctx, s.client, http.MethodDelete,
		Route("/projects/:id/registry/repositories/:repository_id", project, repositoryID), nil, opts)
}

// ListTags returns one page of a repository's tags.
//
//	GET /projects/:id/registry/repositories/:repository_id/tags
func (s *RegistryService) ListTags(
	ctx context.Context, project ProjectRef, repositoryID int64, options *ListRegistryTagsOptions,
	opts ...RequestOption,
) ([]*RegistryTag, *Response, error) {
	return list[*RegistryTag](ctx, s.client,
		Route("/projects/:id/registry/repositories/:repository_id/tags", project, repositoryID), queryOf(options), opts)
}

// AllTags returns every tag of a repository.
//
//	GET /projects/:id/registry/repositories/:repository_id/tags
func (s *RegistryService) AllTags(
	ctx context.Context, project ProjectRef, repositoryID int64, options *ListRegistryTagsOptions,
	opts ...RequestOption,
) iter.Seq2[*RegistryTag, error] {
	return all[*RegistryTag](ctx, s.client,
		Route("/projects/:id/registry/repositories/:repository_id/tags", project, repositoryID), queryOf(options), opts)
}

// GetTag returns one tag with details of its image.
//
//	GET /projects/:id/registry/repositories/:repository_id/tags/:tag_name
func (s *RegistryService) GetTag(
	ctx context.Context, project ProjectRef, repositoryID int64, tagName string, opts ...RequestOption,
) (*RegistryTagDetails, *Response, error) {
	return do[RegistryTagDetails](ctx, s.client, http.MethodGet,
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
	return exec(ctx, s.client, http.MethodDelete,
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
	return exec(ctx, s.client, http.MethodDelete,
		Route("/projects/:id/registry/repositories/:repository_id/tags", project, repositoryID), queryOf(options), opts)
}
