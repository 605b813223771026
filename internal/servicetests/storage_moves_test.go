package servicetests

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

func TestMoveProjectsToAnotherStorage(t *testing.T) {
	svc := servicetest.New(t)
	app, lib := svc.Project("acme/app"), svc.Project("acme/lib")
	old := svc.Project("acme/old", servicetest.Archived())
	elsewhere := svc.Project("acme/elsewhere", servicetest.RepositoryStorage("disk-3"))
	lib.FailNextMove()
	root := asRoot(t, svc)
	options := serviceapi.ScheduleStorageMovesOptions{SourceStorageName: "default",
		DestinationStorageName: new("disk-2")}
	left := &serviceapi.ListProjectsOptions{RepositoryStorage: "default", OrderBy: serviceapi.ProjectOrderByID,
		Sort: serviceapi.SortAscending}

	resp, err := root.StorageMoves.MoveAll(t.Context(), serviceapi.StorageMoveKindProjects, options)
	require.NoError(t, err)
	assert.Equal(t, 202, resp.StatusCode)
	assert.Len(t, projectIDs(t, root, left), 3, "nothing has moved yet")
	svc.Advance(servicetest.StorageMoveDuration)
	assert.Equal(t, []int64{lib.ID(), old.ID()}, projectIDs(t, root, left), "the failed and the archived one")
	assert.Equal(t, []string{"disk-2", "default", "default", "disk-3"},
		[]string{app.Storage(), lib.Storage(), old.Storage(), elsewhere.Storage()})

	old.Unarchive()
	_, err = root.StorageMoves.MoveAll(t.Context(), serviceapi.StorageMoveKindProjects, options)
	require.NoError(t, err)
	svc.Advance(servicetest.StorageMoveDuration)
	assert.Empty(t, projectIDs(t, root, left))
	var states []string
	for _, move := range svc.StorageMoves() {
		states = append(states, move.Project.Path()+" "+move.State)
	}
	assert.Equal(t, []string{"acme/app finished", "acme/lib failed", "acme/old failed", "acme/lib finished",
		"acme/old finished"}, states)
}

// TestMoveToAStorageOfTheServicesChoice leaves out the destination.
func TestMoveToAStorageOfTheServicesChoice(t *testing.T) {
	svc := servicetest.New(t)
	app, root := svc.Project("acme/app"), asRoot(t, svc)
	move := func(source string) {
		t.Helper()
		_, err := root.StorageMoves.MoveAll(t.Context(), serviceapi.StorageMoveKindProjects,
			serviceapi.ScheduleStorageMovesOptions{SourceStorageName: source})
		require.NoError(t, err)
		svc.Advance(servicetest.StorageMoveDuration)
	}
	svc.Project("acme/lib", servicetest.RepositoryStorage("default"))
	wiki := svc.Group("acme").WikiStorage()
	require.Equal(t, "default", wiki)
	move("default")
	assert.Equal(t, "default", app.Storage(), "there is no other")
	svc.Project("acme/elsewhere", servicetest.RepositoryStorage("disk-3"))
	move("default")
	assert.Equal(t, "disk-3", app.Storage())
	_, err := root.StorageMoves.MoveAll(t.Context(), serviceapi.StorageMoveKindSnippets,
		serviceapi.ScheduleStorageMovesOptions{SourceStorageName: "default"})
	require.NoError(t, err)
	assert.Equal(t, []servicetest.SnippetMove{{Source: "default", Destination: "disk-3"}}, svc.SnippetMoves())
	_, err = root.StorageMoves.MoveAll(t.Context(), serviceapi.StorageMoveKindProjects,
		serviceapi.ScheduleStorageMovesOptions{})
	var argument *serviceapi.ArgumentError
	assert.ErrorAs(t, err, &argument, "the source may not")
}

func TestRepositoryIsReadOnlyWhileItMoves(t *testing.T) {
	svc := servicetest.New(t)
	app, root := svc.Project("acme/app"), asRoot(t, svc)
	write := func(path string) error {
		_, _, err := root.RepositoryFiles.Create(t.Context(), serviceapi.ProjectID(app.ID()), path,
			serviceapi.CreateRepositoryFileOptions{
				Branch: "main", Content: []byte("x"), CommitMessage: "Add",
			})
		return err
	}
	_, err := root.StorageMoves.MoveAll(t.Context(), serviceapi.StorageMoveKindProjects,
		serviceapi.ScheduleStorageMovesOptions{SourceStorageName: "default", DestinationStorageName: new("disk-2")})
	require.NoError(t, err)
	assert.ErrorIs(t, write("a.txt"), serviceapi.ErrForbidden)
	_, _, err = root.Commits.Get(t.Context(), serviceapi.ProjectID(app.ID()), "main", nil)
	require.NoError(t, err, "it can be read")
	svc.Advance(servicetest.StorageMoveDuration)
	assert.NoError(t, write("a.txt"))
}

// TestMergesWaitForAMove checks that no kind of merge changes a repository that
// is being moved.
func TestMergesWaitForAMove(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	fork := svc.Project("ada/app", servicetest.RepositoryStorage("disk-9"))
	project := serviceapi.ProjectID(app.ID())
	request, later := app.MergeRequest("one"), app.MergeRequest("two")
	rebased, ofFork := app.MergeRequest("three"), app.MergeRequest("four", servicetest.FromFork(fork))
	job := app.Pipeline("two").Job("test", servicetest.Running())
	root, ctx := asRoot(t, svc), t.Context()
	_, _, err := root.MergeRequests.Merge(ctx, project.MergeRequest(later.IID()),
		serviceapi.MergeOptions{MergeWhenPipelineSucceeds: new(true)})
	require.NoError(t, err)
	move := func(from string) {
		_, err := root.StorageMoves.MoveAll(ctx, serviceapi.StorageMoveKindProjects,
			serviceapi.ScheduleStorageMovesOptions{SourceStorageName: from,
				DestinationStorageName: new(from + "-new")})
		require.NoError(t, err)
	}
	move("default")
	head := app.Head("main")

	_, _, err = root.MergeRequests.Merge(ctx, project.MergeRequest(request.IID()), serviceapi.MergeOptions{})
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, _, err = root.Notes.CreateForMergeRequest(ctx, project.MergeRequest(request.IID()),
		serviceapi.CreateMergeRequestNoteOptions{Body: "/merge", MergeRequestDiffSHA: new(request.SHA())})
	assert.ErrorIs(t, err, serviceapi.ErrForbidden, "by a note")
	job.Succeed()
	assert.Equal(t, "opened", later.State(), "when the pipeline succeeds")
	assert.Contains(t, later.MergeError(), "read-only")
	_, _, err = root.MergeRequests.Rebase(ctx, project.MergeRequest(rebased.IID()), serviceapi.RebaseOptions{})
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, _, err = root.MergeRequests.Rebase(ctx, project.MergeRequest(ofFork.IID()), serviceapi.RebaseOptions{})
	require.NoError(t, err, "what a rebase changes is the fork")
	assert.Equal(t, head, app.Head("main"))

	svc.Advance(servicetest.StorageMoveDuration)
	_, _, err = root.MergeRequests.Merge(ctx, project.MergeRequest(request.IID()), serviceapi.MergeOptions{})
	require.NoError(t, err)
	move("disk-9")
	_, _, err = root.MergeRequests.Rebase(ctx, project.MergeRequest(ofFork.IID()), serviceapi.RebaseOptions{})
	assert.ErrorIs(t, err, serviceapi.ErrForbidden, "the fork moves")
}

func TestMoveSnippetsAndGroups(t *testing.T) {
	svc := servicetest.New(t)
	acme, root := svc.Group("acme"), asRoot(t, svc)
	options := serviceapi.ScheduleStorageMovesOptions{SourceStorageName: "default",
		DestinationStorageName: new("disk-2")}
	_, err := root.StorageMoves.MoveAll(t.Context(), serviceapi.StorageMoveKindSnippets, options)
	require.NoError(t, err)
	assert.Equal(t, []servicetest.SnippetMove{{Source: "default", Destination: "disk-2"}}, svc.SnippetMoves())
	_, err = root.StorageMoves.MoveAll(t.Context(), serviceapi.StorageMoveKindGroups, options)
	require.NoError(t, err)
	assert.Equal(t, "default", acme.WikiStorage())
	svc.Advance(servicetest.StorageMoveDuration)
	assert.Equal(t, "disk-2", acme.WikiStorage())
}

func TestStorageMovesNeedAnAdministratorAndATier(t *testing.T) {
	svc := servicetest.New(t, servicetest.WithTier(servicetest.Free))
	ada := as(t, svc, svc.User("ada"))
	options := serviceapi.ScheduleStorageMovesOptions{SourceStorageName: "default",
		DestinationStorageName: new("disk-2")}
	_, err := ada.StorageMoves.MoveAll(t.Context(), serviceapi.StorageMoveKindProjects, options)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, err = ada.StorageMoves.MoveAll(t.Context(), serviceapi.StorageMoveKindSnippets, options)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, err = asRoot(t, svc).StorageMoves.MoveAll(t.Context(), serviceapi.StorageMoveKindGroups, options)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden, "Premium")
}

// TestMoveOneRepository moves the repositories of a project, a group and a snippet one by one.
func TestMoveOneRepository(t *testing.T) {
	svc := servicetest.New(t, servicetest.WithStorages("default", "fast"))
	app, acme := svc.Project("acme/app"), svc.Group("acme")
	mine := svc.User("ada").Snippet("mine")
	s, ctx := asRoot(t, svc).StorageMoves, t.Context()
	app.FailNextMove()
	kinds := map[serviceapi.RepositoryOwner]serviceapi.StorageMoveKind{
		serviceapi.ProjectPath("acme/app"):  serviceapi.StorageMoveKindProjects,
		serviceapi.GroupID(acme.ID()):       serviceapi.StorageMoveKindGroups,
		serviceapi.SnippetID(mine.ID()):     serviceapi.StorageMoveKindSnippets,
		serviceapi.ProjectPath("acme/app2"): "",
	}
	for owner, kind := range kinds {
		move, resp, err := s.Move(ctx, owner, serviceapi.MoveRepositoryOptions{DestinationStorageName: new("fast")})
		if kind == "" {
			require.ErrorIs(t, err, serviceapi.ErrNotFound)
			continue
		}
		require.NoError(t, err)
		assert.Equal(t, 201, resp.StatusCode)
		assert.Equal(t, []any{serviceapi.StorageMoveStateScheduled, "default", "fast", svc.Now()},
			[]any{move.State, move.SourceStorageName, move.DestinationStorageName, move.CreatedAt})
		set := []bool{move.Project != nil, move.Group != nil, move.Snippet != nil}
		assert.Equal(t, []bool{kind == "project", kind == "group", kind == "snippet"}, set)
		_, _, err = s.Move(ctx, owner, serviceapi.MoveRepositoryOptions{DestinationStorageName: new("fast")})
		var refusal *serviceapi.Error
		require.ErrorAs(t, err, &refusal)
		assert.Equal(t, map[string][]string{string(kind): {"is read-only"}}, refusal.Fields)

		ended := make(chan *serviceapi.StorageMove)
		go func() {
			moved, _ := s.Wait(ctx, owner, move.ID, serviceapi.WithPollInterval(1, 1),
				serviceapi.WithPollObserver(func(serviceapi.Poll) { svc.Advance(servicetest.StorageMoveDuration) }))
			ended <- moved
		}()
		moved := <-ended
		want := *move
		want.State = serviceapi.StorageMoveStateFinished
		if kind == serviceapi.StorageMoveKindProjects {
			want.State, want.ErrorMessage = serviceapi.StorageMoveStateFailed, "The repository could not be moved"
		}
		assert.Equal(t, &want, moved)
		for _, of := range []serviceapi.StorageMoveOwner{owner, kind} {
			listed, err := serviceapi.Collect(s.All(ctx, of, nil))
			require.NoError(t, err)
			assert.Equal(t, []*serviceapi.StorageMove{moved}, listed)
			got, _, err := s.Get(ctx, of, move.ID)
			require.NoError(t, err)
			assert.Equal(t, moved, got)
		}
		for _, other := range kinds {
			if other != kind && other != "" {
				assert.ErrorIs(t, errorOf(s.Get(ctx, other, move.ID)), serviceapi.ErrNotFound)
			}
		}
	}
	assert.Equal(t, []string{"default", "fast"}, []string{app.Storage(), acme.WikiStorage()})
	_, _, err := s.Move(ctx, serviceapi.ProjectID(app.ID()),
		serviceapi.MoveRepositoryOptions{DestinationStorageName: new("slow")})
	var refusal *serviceapi.Error
	require.ErrorAs(t, err, &refusal)
	assert.Equal(t, map[string][]string{"destination_storage_name": {"is not included in the list"}}, refusal.Fields)
	_, _, err = s.Move(ctx, serviceapi.SnippetID(99), serviceapi.MoveRepositoryOptions{})
	assert.ErrorContains(t, err, "404 Snippet Not Found")
	_, err = s.MoveAll(ctx, serviceapi.StorageMoveKindProjects,
		serviceapi.ScheduleStorageMovesOptions{SourceStorageName: "slow"})
	assert.ErrorContains(t, err, "source_storage_name does not have a valid value")
	move, _, err := s.Move(ctx, serviceapi.ProjectID(app.ID()), serviceapi.MoveRepositoryOptions{})
	require.NoError(t, err)
	assert.Equal(t, []any{"fast", "acme/app"}, []any{move.DestinationStorageName, move.Project.PathWithNamespace},
		"the service chooses")
}
