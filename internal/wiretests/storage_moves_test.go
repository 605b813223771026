package wiretests

import (
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestStorageMoves(t *testing.T) {
	for path, kind := range map[string]serviceapi.StorageMoveKind{
		"/project_repository_storage_moves": serviceapi.StorageMoveKindProjects,
		"/snippet_repository_storage_moves": serviceapi.StorageMoveKindSnippets,
		"/group_repository_storage_moves":   serviceapi.StorageMoveKindGroups,
	} {
		t.Run(path, func(t *testing.T) {
			client := onWire(t,
				exchange{
					Method: "POST", Path: path, Status: 202, Body: `{"message":"202 Accepted"}`,
					JSON: `{"source_storage_name":"disk-1","destination_storage_name":"disk-2"}`,
				},
				exchange{Method: "POST", Path: path, Status: 202, Body: `{"message":"202 Accepted"}`,
					JSON: `{"source_storage_name":"disk-1"}`},
				exchange{
					Method: "POST", Path: path, Status: 403, Body: `{"message":"403 Forbidden"}`,
					JSON: `{"source_storage_name":"disk-1","destination_storage_name":"disk-2"}`,
				},
			)
			options := serviceapi.ScheduleStorageMovesOptions{
				SourceStorageName:      "disk-1",
				DestinationStorageName: new("disk-2"),
			}
			resp, err := client.StorageMoves.MoveAll(t.Context(), kind, options)
			require.NoError(t, err)
			assert.Equal(t, 202, resp.StatusCode)
			_, err = client.StorageMoves.MoveAll(t.Context(), kind,
				serviceapi.ScheduleStorageMovesOptions{SourceStorageName: "disk-1"})
			require.NoError(t, err, "the service chooses the destination")
			_, err = client.StorageMoves.MoveAll(t.Context(), kind, options)
			assert.ErrorIs(t, err, serviceapi.ErrForbidden)

			for want, bad := range map[string][]serviceapi.ScheduleStorageMovesOptions{
				"SourceStorageName is missing": {{}, {DestinationStorageName: new("a")}},
				"DestinationStorageName must be neither empty nor the source storage": {
					{SourceStorageName: "a", DestinationStorageName: new("")},
					{SourceStorageName: "a", DestinationStorageName: new("a")},
				},
			} {
				for _, options := range bad {
					_, err = client.StorageMoves.MoveAll(t.Context(), kind, options)
					var argument *serviceapi.ArgumentError
					require.ErrorAs(t, err, &argument, "%+v", options)
					assert.ErrorContains(t, err, want)
				}
			}
		})
	}
}

// wholeMoves is testdata/storage_moves/moves.json.
func wholeMoves(t *testing.T) []*serviceapi.StorageMove {
	project := serviceapi.ProjectSummary{
		ID: 42, Description: "Sells", Name: "shop", NameWithNamespace: "Acme / shop", Path: "shop",
		PathWithNamespace: "acme/shop", CreatedAt: at(t, "2026-01-02T09:00:00Z"),
	}
	snippet := serviceapi.Snippet{
		ID: 9, Title: "notes", Description: "of mine", Visibility: serviceapi.VisibilityPrivate,
		CreatedAt: *at(t, "2026-01-03T09:00:00Z"), UpdatedAt: *at(t, "2026-01-04T09:00:00Z"), ProjectID: new(int64(42)),
		WebURL: "https://service.test/s/9", RawURL: "https://service.test/s/9/raw",
		SSHURLToRepo: "git@service.test:s/9.git", HTTPURLToRepo: "https://service.test/s/9.git",
		Author: &serviceapi.NoteAuthor{UserSummary: serviceapi.UserSummary{
			ID: 3, Username: "ada", Name: "Ada", State: serviceapi.UserStateActive,
			AvatarURL: "https://service.test/a.png", WebURL: "https://service.test/ada",
		}},
	}
	return []*serviceapi.StorageMove{
		{ID: 1, CreatedAt: *at(t, "2026-01-14T09:01:00Z"), State: serviceapi.StorageMoveStateFailed,
			SourceStorageName: "default", DestinationStorageName: "fast", ErrorMessage: "The disk is full",
			Project: &project},
		{ID: 2, CreatedAt: *at(t, "2026-01-14T09:02:00Z"), State: serviceapi.StorageMoveStateScheduled,
			SourceStorageName: "default", DestinationStorageName: "fast",
			Group: &serviceapi.GroupSummary{ID: 7, Name: "Acme", WebURL: "https://service.test/groups/acme"}},
		{ID: 3, CreatedAt: *at(t, "2026-01-14T09:03:00Z"), State: serviceapi.StorageMoveStateScheduled,
			SourceStorageName: "default", DestinationStorageName: "fast", Snippet: &snippet},
	}
}

// moveOwners are the owners of moves, with their paths.
var moveOwners = map[string]serviceapi.StorageMoveOwner{
	"/project_repository_storage_moves":           serviceapi.StorageMoveKindProjects,
	"/group_repository_storage_moves":             serviceapi.StorageMoveKindGroups,
	"/snippet_repository_storage_moves":           serviceapi.StorageMoveKindSnippets,
	"/projects/4/repository_storage_moves":        somewhere,
	"/groups/acme%2Fdev/repository_storage_moves": serviceapi.GroupPath("acme/dev"),
	"/snippets/9/repository_storage_moves":        serviceapi.SnippetID(9),
}

func TestStorageMovesOfOwners(t *testing.T) {
	for path, owner := range moveOwners {
		client := onWire(t,
			exchange{Method: "GET", Path: path, Query: "page=2&per_page=5", Fixture: "storage_moves/moves.json"},
			exchange{Method: "GET", Path: path, Query: "per_page=5", Fixture: "storage_moves/moves.json"},
			exchange{Method: "GET", Path: path + "/3", Body: `{"id":3,"state":"started"}`},
			exchange{Method: "GET", Path: path + "/3", Body: `{"id":3,"state":"replicated"}`},
			exchange{Method: "GET", Path: path + "/3", Body: `{"id":3,"state":"cleanup failed"}`})
		s, ctx := client.StorageMoves, t.Context()
		moves, _, err := s.List(ctx, owner, &serviceapi.ListOptions{Page: 2, PerPage: 5})
		require.NoError(t, err)
		assert.Equal(t, wholeMoves(t), moves)
		moves, err = serviceapi.Collect(s.All(ctx, owner, &serviceapi.ListOptions{PerPage: 5}))
		require.NoError(t, err)
		assert.Equal(t, wholeMoves(t), moves)
		move, _, err := s.Get(ctx, owner, 3)
		require.NoError(t, err)
		assert.Equal(t, &serviceapi.StorageMove{ID: 3, State: serviceapi.StorageMoveStateStarted}, move)
		var seen []string
		move, err = s.Wait(ctx, owner, 3, serviceapi.WithPollInterval(1, 1),
			serviceapi.WithPollObserver(func(p serviceapi.Poll) { seen = append(seen, p.Target+" "+p.State) }))
		require.NoError(t, err)
		assert.Equal(t, []string{"move 3 replicated", "move 3 cleanup failed"}, seen)
		assert.Equal(t, &serviceapi.StorageMove{ID: 3, State: serviceapi.StorageMoveStateCleanupFailed}, move)
	}
}

func TestStorageMoveOfOneRepository(t *testing.T) {
	for path, owner := range moveOwners {
		repository, ok := owner.(serviceapi.RepositoryOwner)
		if !ok {
			continue
		}
		client := onWire(t,
			exchange{Method: "POST", Path: path, Status: 201, JSON: `{}`, Body: `{"id":3,"state":"initial"}`},
			exchange{Method: "POST", Path: path, Status: 400, JSON: `{"destination_storage_name":"fast"}`,
				Body: `{"message":{"project":["is read-only"]}}`})
		s, ctx := client.StorageMoves, t.Context()
		move, resp, err := s.Move(ctx, repository, serviceapi.MoveRepositoryOptions{})
		require.NoError(t, err)
		assert.Equal(t, 201, resp.StatusCode)
		assert.Equal(t, &serviceapi.StorageMove{ID: 3, State: serviceapi.StorageMoveStateInitial}, move)
		_, _, err = s.Move(ctx, repository, serviceapi.MoveRepositoryOptions{DestinationStorageName: new("fast")})
		assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
		var refusal *serviceapi.Error
		require.ErrorAs(t, err, &refusal)
		assert.Equal(t, []string{"is read-only"}, refusal.Fields["project"])
	}
}

func TestStorageMoveStates(t *testing.T) {
	ends := map[serviceapi.StorageMoveState]bool{"finished": true, "failed": true, "cleanup failed": true,
		"initial": false, "scheduled": false, "started": false, "replicated": false, "": false}
	for state, ended := range ends {
		assert.Equal(t, ended, state.Finished(), state)
	}
}

func TestStorageMovesArguments(t *testing.T) {
	s, ctx := onWire(t).StorageMoves, t.Context()
	assertRefused(t, "owner", errorOf(s.List(ctx, serviceapi.StorageMoveKind("wiki"), nil)))
	assertRefused(t, "owner", errorOf(s.Get(ctx, nil, 3)))
	assertRefused(t, "id", errorOf(s.Get(ctx, serviceapi.SnippetID(0), 3)))
	assertRefused(t, "repository_storage_id", errorOf(s.Get(ctx, somewhere, 0)))
	notes := onWire(t).Notes
	assertRefused(t, "id", errorOf(notes.List(ctx, serviceapi.SnippetID(9), nil)))
	assert.Equal(t, "$9", (&serviceapi.Snippet{ID: 9}).Ref().String())
	_, err := s.Wait(ctx, somewhere, 0)
	assertRefused(t, "repository_storage_id", err)
}
