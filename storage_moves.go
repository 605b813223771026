package serviceapi

import (
	"context"
	"iter"
	"net/http"
	"strconv"
	"time"
)

// StorageMovesService moves repositories from one storage of a self-managed instance to another.
// Administrators only.
//
// A repository is read-only until its move completes. A move that failed can be scheduled again: most
// failures are temporary. Archived projects cannot be moved; unarchive them first.
// [ListProjectsOptions.RepositoryStorage] finds the projects that are still on a storage.
//
// Its options are [ListOptions], [MoveRepositoryOptions] and [ScheduleStorageMovesOptions].
// See the example of [StorageMovesService.Wait].
type StorageMovesService service

// RepositoryOwner is the owner of a repository that can be moved: a [ProjectRef], a [GroupRef], whose
// wiki it is, or a [SnippetRef]. Groups are Premium. [SnippetID] refers to a personal snippet.
type RepositoryOwner interface {
	StorageMoveOwner
	hasRepository()
}

// StorageMoveOwner is an owner of moves: a [ProjectRef], a [GroupRef] or a [SnippetRef] for those of
// one repository, or a [StorageMoveKind] for those of the whole instance.
type StorageMoveOwner interface{ hasStorageMoves() }

// StorageMoveKind stands for all moves of one kind of repositories.
type StorageMoveKind string

// Kinds of moves. Those of groups are Premium.
const (
	StorageMoveKindProjects StorageMoveKind = "project"
	StorageMoveKindGroups   StorageMoveKind = "group"
	StorageMoveKindSnippets StorageMoveKind = "snippet"
)

func (ProjectRef) hasRepository()        {}
func (GroupRef) hasRepository()          {}
func (SnippetRef) hasRepository()        {}
func (ProjectRef) hasStorageMoves()      {}
func (GroupRef) hasStorageMoves()        {}
func (SnippetRef) hasStorageMoves()      {}
func (StorageMoveKind) hasStorageMoves() {}

// movesOf returns the endpoint with a suffix below the moves of an owner.
func movesOf(owner StorageMoveOwner, suffix string, args ...any) Endpoint {
	const moves = "/repository_storage_moves"
	switch o := owner.(type) {
	case StorageMoveKind:
		switch o {
		case StorageMoveKindProjects, StorageMoveKindGroups, StorageMoveKindSnippets:
			return Route("/"+string(o)+"_repository_storage_moves"+suffix, args...)
		}
		return refusedEndpoint(moves+suffix, "owner", "is no kind of repositories")
	case SnippetRef:
		return Route("/snippets/:id"+moves+suffix, append([]any{o.id}, args...)...)
	}
	return below(owner, moves+suffix, args...)
}

// StorageMove is the move of a repository. One of Project, Group and Snippet is set.
type StorageMove struct {
	ID        int64            `json:"id"`
	CreatedAt time.Time        `json:"created_at"`
	State     StorageMoveState `json:"state"`
	// SourceStorageName and DestinationStorageName are the names of storages.
	SourceStorageName      string `json:"source_storage_name"`
	DestinationStorageName string `json:"destination_storage_name"`
	// ErrorMessage says why the move failed. It is empty if it did not, and in older releases.
	ErrorMessage string          `json:"error_message,omitzero"`
	Project      *ProjectSummary `json:"project"`
	// Group has only its ID, Name and WebURL.
	Group   *GroupSummary `json:"group"`
	Snippet *Snippet      `json:"snippet"`
}

// StorageMoveState is the state of a move.
type StorageMoveState string

// States of moves. StorageMoveStateCleanupFailed means that the repository was moved, but not
// removed from its old storage.
const (
	StorageMoveStateInitial       StorageMoveState = "initial"
	StorageMoveStateScheduled     StorageMoveState = "scheduled"
	StorageMoveStateStarted       StorageMoveState = "started"
	StorageMoveStateReplicated    StorageMoveState = "replicated"
	StorageMoveStateFinished      StorageMoveState = "finished"
	StorageMoveStateFailed        StorageMoveState = "failed"
	StorageMoveStateCleanupFailed StorageMoveState = "cleanup failed"
)

// Finished reports whether this is a final state.
func (s StorageMoveState) Finished() bool {
	return s == StorageMoveStateFinished || s == StorageMoveStateFailed || s == StorageMoveStateCleanupFailed
}

// List returns one page of the moves of an owner, the newest first.
//
//	GET /project_repository_storage_moves
//	GET /group_repository_storage_moves
//	GET /snippet_repository_storage_moves
//	GET /projects/:id/repository_storage_moves
//	GET /groups/:id/repository_storage_moves
//	GET /snippets/:id/repository_storage_moves
func (s *StorageMovesService) List(
	ctx context.Context, owner StorageMoveOwner, options *ListOptions, opts ...RequestOption,
) ([]*StorageMove, *Response, error) {
	return list[*StorageMove](ctx, using(s), movesOf(owner, ""), queryOf(options), opts)
}

// All returns every move of an owner, the newest first.
//
//	GET /project_repository_storage_moves
//	GET /group_repository_storage_moves
//	GET /snippet_repository_storage_moves
//	GET /projects/:id/repository_storage_moves
//	GET /groups/:id/repository_storage_moves
//	GET /snippets/:id/repository_storage_moves
func (s *StorageMovesService) All(
	ctx context.Context, owner StorageMoveOwner, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*StorageMove, error] {
	return all[*StorageMove](ctx, using(s), movesOf(owner, ""), queryOf(options), opts)
}

// Get returns a move of an owner.
//
//	GET /project_repository_storage_moves/:repository_storage_id
//	GET /group_repository_storage_moves/:repository_storage_id
//	GET /snippet_repository_storage_moves/:repository_storage_id
//	GET /projects/:id/repository_storage_moves/:repository_storage_id
//	GET /groups/:id/repository_storage_moves/:repository_storage_id
//	GET /snippets/:id/repository_storage_moves/:repository_storage_id
func (s *StorageMovesService) Get(
	ctx context.Context, owner StorageMoveOwner, moveID int64, opts ...RequestOption,
) (*StorageMove, *Response, error) {
	return do[StorageMove](ctx, using(s), http.MethodGet, movesOf(owner, "/:repository_storage_id", moveID), nil, opts)
}

// Wait polls a move, at growing intervals, until it has finished, has failed, or has failed to clean
// up, and returns it. Check its State: a failed move is not an error of this call. On error, Wait
// also returns the move as last seen, or nil.
//
//	GET /project_repository_storage_moves/:repository_storage_id
//	GET /group_repository_storage_moves/:repository_storage_id
//	GET /snippet_repository_storage_moves/:repository_storage_id
//	GET /projects/:id/repository_storage_moves/:repository_storage_id
//	GET /groups/:id/repository_storage_moves/:repository_storage_id
//	GET /snippets/:id/repository_storage_moves/:repository_storage_id
func (s *StorageMovesService) Wait(
	ctx context.Context, owner StorageMoveOwner, moveID int64, opts ...RequestOption,
) (*StorageMove, error) {
	return wait(ctx, using(s), "move "+strconv.FormatInt(moveID, 10),
		movesOf(owner, "/:repository_storage_id", moveID), nil, opts,
		func(m *StorageMove) (string, bool) { return string(m.State), m.State.Finished() })
}

// MoveRepositoryOptions says where to move a repository.
type MoveRepositoryOptions struct {
	// DestinationStorageName is chosen by the weights of the storages if it is nil.
	DestinationStorageName *string `json:"destination_storage_name,omitzero"`
}

// Move schedules the move of one repository, for [StorageMovesService.Wait]. The call returns
// [ErrBadRequest] if there is no such storage, or if the repository is being moved already.
//
//	POST /projects/:id/repository_storage_moves
//	POST /groups/:id/repository_storage_moves
//	POST /snippets/:id/repository_storage_moves
func (s *StorageMovesService) Move(
	ctx context.Context, owner RepositoryOwner, options MoveRepositoryOptions, opts ...RequestOption,
) (*StorageMove, *Response, error) {
	return do[StorageMove](ctx, using(s), http.MethodPost, movesOf(owner, ""), jsonOf(options), opts)
}

// ScheduleStorageMovesOptions names the storages to move from and to. SourceStorageName is
// required. Empty or equal names are refused with an [*ArgumentError]: old releases of the
// service could delete a repository that was moved to the storage that it was already on.
type ScheduleStorageMovesOptions struct {
	SourceStorageName string `json:"source_storage_name" required:"true"`
	// DestinationStorageName is chosen for each repository, by the weights of the storages, if it is nil.
	DestinationStorageName *string `json:"destination_storage_name,omitzero"`
}

func (o ScheduleStorageMovesOptions) check() error {
	if to := o.DestinationStorageName; to != nil && (*to == "" || *to == o.SourceStorageName) {
		return badArgument("DestinationStorageName", "must be neither empty nor the source storage")
	}
	return nil
}

// MoveAll schedules the moves of all repositories of a kind that are on a storage. Those of groups,
// which are their wikis, are Premium.
//
//	POST /project_repository_storage_moves
//	POST /group_repository_storage_moves
//	POST /snippet_repository_storage_moves
func (s *StorageMovesService) MoveAll(
	ctx context.Context, kind StorageMoveKind, options ScheduleStorageMovesOptions, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodPost, movesOf(kind, ""), jsonOf(options), opts)
}
