package serviceapi

import (
	"context"
	"net/http"
)

// StorageMovesService moves repositories from one storage of a self-managed
// instance to another. Administrators only.
//
// A repository is read-only until its move completes. A move that failed can be
// scheduled again: most failures are temporary. Archived projects cannot be
// moved; unarchive them first. [ListProjectsOptions.RepositoryStorage] finds
// the projects that are still on a storage.
//
// Its options are [ScheduleStorageMovesOptions]. See examples/recipes/people_test.go for
// an example.
type StorageMovesService service

// StorageMoveState is the state of a move in the service's records, which no
// method of the library returns. The API documents only one.
type StorageMoveState string

// StorageMoveStateFinished is the state of a completed move.
const StorageMoveStateFinished StorageMoveState = "finished"

// ScheduleStorageMovesOptions names the storages to move from and to. SourceStorageName is
// required. Empty or equal names are refused with an [*ArgumentError]: old releases of the
// service could delete a repository that was moved to the storage that it was already on.
type ScheduleStorageMovesOptions struct {
	SourceStorageName string `json:"source_storage_name" required:"true"`
	// DestinationStorageName is the storage that all repositories are moved to. If
	// it is nil, the service chooses a storage for each repository, by the weights
	// of the storages.
	DestinationStorageName *string `json:"destination_storage_name,omitzero"`
}

func (o ScheduleStorageMovesOptions) check() error {
	destination := o.DestinationStorageName
	switch {
	case destination == nil:
		return nil
	case *destination == "":
		return &ArgumentError{Argument: "DestinationStorageName", Problem: "is empty"}
	case *destination == o.SourceStorageName:
		return &ArgumentError{Argument: "DestinationStorageName", Problem: "is the source storage"}
	}
	return nil
}

// MoveProjects schedules the moves of all projects on a storage.
//
//	POST /project_repository_storage_moves
func (s *StorageMovesService) MoveProjects(
	ctx context.Context, options ScheduleStorageMovesOptions, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodPost,
		Route("/project_repository_storage_moves"), jsonOf(options), opts)
}

// MoveSnippets schedules the moves of all snippets on a storage.
//
//	POST /snippet_repository_storage_moves
func (s *StorageMovesService) MoveSnippets(
	ctx context.Context, options ScheduleStorageMovesOptions, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodPost,
		Route("/snippet_repository_storage_moves"), jsonOf(options), opts)
}

// MoveGroups schedules the moves of all group wikis on a storage. Premium,
// self-managed.
//
//	POST /group_repository_storage_moves
func (s *StorageMovesService) MoveGroups(
	ctx context.Context, options ScheduleStorageMovesOptions, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodPost,
		Route("/group_repository_storage_moves"), jsonOf(options), opts)
}
