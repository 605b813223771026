package interop

import (
	"bytes"
	"testing"
	"time"

	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestExportAndImport(t *testing.T) {
	e := start(t)
	e.svc.Project(app).Commit("main", "Work", servicetest.Write("a.txt", "a\n"))
	x := e.admin.ProjectImportExport

	done(x.ScheduleExport(app, &clientgo.ScheduleExportOptions{Description: new("Moved")})).ok(e, 202)
	status := got(x.ExportStatus(app)).ok(e, 200)
	assert.Equal(t, []any{"queued", app}, []any{status.ExportStatus, status.PathWithNamespace})
	e.svc.Advance(servicetest.ExportQueuedFor + servicetest.ExportStartedFor)
	status = got(x.ExportStatus(app)).ok(e, 200)
	assert.Equal(t, "finished", status.ExportStatus)
	assert.NotEmpty(t, status.Links.APIURL)
	archive := got(x.ExportDownload(app)).raw(e)

	scheduled := got(x.ImportFromFile(bytes.NewReader(archive), &clientgo.ImportFileOptions{Path: new("copy"),
		Namespace: new(acme), Name: new("Copy")})).ok(e, 201)
	assert.Equal(t, []any{"scheduled", "acme/copy", "Copy"}, []any{scheduled.ImportStatus, scheduled.PathWithNamespace,
		scheduled.Name})
	e.svc.Advance(time.Hour)
	imported := got(x.ImportStatus("acme/copy")).ok(e, 200)
	assert.Equal(t, []string{"finished", "Moved"}, []string{imported.ImportStatus, imported.Description})
	content, _ := e.svc.FindProject("acme/copy").File("main", "a.txt")
	assert.Equal(t, "a\n", content)
	got(x.ImportFromFile(bytes.NewReader(archive), &clientgo.ImportFileOptions{Path: new("copy"),
		Namespace: new(acme)})).refused(e, 409)

	// The client has no methods to import from elsewhere.
	e.svc.RemoteFile("https://store.example.com/app.tar.gz", archive)
	e.svc.StoredObject("eu-1", "backups", "app.tar.gz", "key", "secret", archive)
	store := "projects/remote-import-objstore"
	if vendor != "" {
		store = "projects/remote-import-s3"
	}
	for path, body := range map[string]map[string]string{
		"projects/remote-import": {"url": "https://store.example.com/app.tar.gz", "path": "remote", "namespace": acme},
		store: {"region": "eu-1", "bucket_name": "backups", "file_key": "app.tar.gz",
			"access_key_id": "key", "secret_access_key": "secret", "path": "stored", "namespace": acme},
	} {
		started := request[clientgo.ImportStatus](e.admin, "POST", path, body).ok(e, 201)
		assert.Equal(t, "scheduled", started.ImportStatus)
		e.svc.Advance(time.Hour)
		assert.Equal(t, "finished", e.svc.FindProject("acme/"+body["path"]).Import().Status)
	}
}

func TestStorageMoves(t *testing.T) {
	e := start(t)
	for _, name := range []string{"a", "b", "c"} {
		e.svc.Project("acme/"+name, servicetest.RepositoryStorage("old"))
	}
	byPath := func(p *clientgo.Project) string { return p.PathWithNamespace }
	type storage struct {
		clientgo.ListOptions
		Name string `url:"repository_storage"`
	}
	// The client has no option for the storage.
	on := func(name string) []string {
		list := request[[]*clientgo.Project](e.admin, "GET", "projects", storage{Name: name}).ok(e, 200)
		return each(list, byPath)
	}
	assert.ElementsMatch(t, []string{"acme/a", "acme/b", "acme/c"}, on("old"))
	done(e.admin.ProjectRepositoryStorageMove.ScheduleAllStorageMoves(clientgo.ScheduleAllProjectStorageMovesOptions{
		SourceStorageName: new("old"), DestinationStorageName: new("new"),
	})).ok(e, 202)
	done(e.admin.SnippetRepositoryStorageMove.ScheduleAllStorageMoves(clientgo.ScheduleAllSnippetStorageMovesOptions{
		SourceStorageName: new("old"), DestinationStorageName: new("new"),
	})).ok(e, 202)
	done(e.admin.GroupRepositoryStorageMove.ScheduleAllStorageMoves(clientgo.ScheduleAllGroupStorageMovesOptions{
		SourceStorageName: new("old"), DestinationStorageName: new("new"),
	})).ok(e, 202)
	e.svc.Advance(time.Hour)
	assert.Empty(t, on("old"))
	assert.Len(t, on("new"), 3)
}

func TestStorageMovesOfOneRepository(t *testing.T) {
	e := start(t)
	var projects, groups, snippets []int64
	for _, name := range []string{"a", "b", "c"} {
		projects = append(projects, e.svc.Project("acme/"+name).ID())
		groups = append(groups, e.svc.Group(name).ID())
		snippets = append(snippets, e.svc.User("ada"+name).Snippet(name).ID())
	}
	p, g, n := e.admin.ProjectRepositoryStorageMove, e.admin.GroupRepositoryStorageMove,
		e.admin.SnippetRepositoryStorageMove
	toFast := clientgo.ScheduleStorageMoveForProjectOptions{DestinationStorageName: new("fast")}
	for i := range 3 {
		for range 3 {
			made := got(p.ScheduleStorageMoveForProject(projects[i], toFast)).ok(e, 201)
			assert.Equal(t, []any{"scheduled", "fast", projects[i]},
				[]any{made.State, made.DestinationStorageName, made.Project.ID})
			group := got(g.ScheduleStorageMoveForGroup(groups[i],
				clientgo.ScheduleStorageMoveForGroupOptions(toFast))).ok(e, 201)
			assert.Equal(t, groups[i], group.Group.ID)
			snippet := got(n.ScheduleStorageMoveForSnippet(snippets[i],
				clientgo.ScheduleStorageMoveForSnippetOptions(toFast))).ok(e, 201)
			assert.Equal(t, snippets[i], snippet.Snippet.ID)
			e.svc.Advance(time.Hour)
		}
	}
	byProject := func(m *clientgo.ProjectRepositoryStorageMove) int64 { return m.ID }
	byGroup := func(m *clientgo.GroupRepositoryStorageMove) int64 { return m.ID }
	bySnippet := func(m *clientgo.SnippetRepositoryStorageMove) int64 { return m.ID }
	ofProjects := clientgo.RetrieveAllProjectStorageMovesOptions{}
	ofGroups := clientgo.RetrieveAllGroupStorageMovesOptions{}
	ofSnippets := clientgo.RetrieveAllSnippetStorageMovesOptions{}
	assert.Equal(t, []int64{25, 22, 19, 16, 13, 10, 7, 4, 1}, each(walk0(e, p.RetrieveAllStorageMoves, ofProjects),
		byProject))
	assert.Len(t, walk0(e, g.RetrieveAllStorageMoves, ofGroups), 9)
	assert.Len(t, walk0(e, n.RetrieveAllStorageMoves, ofSnippets), 9)
	assert.Equal(t, []int64{7, 4, 1}, each(walk1(e, p.RetrieveAllStorageMovesForProject, projects[0], ofProjects),
		byProject))
	assert.Equal(t, []int64{8, 5, 2}, each(walk1(e, g.RetrieveAllStorageMovesForGroup, groups[0], ofGroups), byGroup))
	assert.Equal(t, []int64{9, 6, 3}, each(walk1(e, n.RetrieveAllStorageMovesForSnippet, snippets[0], ofSnippets),
		bySnippet))
	assert.Equal(t, "finished", got(p.GetStorageMove(1)).ok(e, 200).State)
	assert.Equal(t, "finished", got(g.GetStorageMove(2)).ok(e, 200).State)
	assert.Equal(t, "finished", got(n.GetStorageMove(3)).ok(e, 200).State)
	assert.Equal(t, int64(4), got(p.GetStorageMoveForProject(projects[0], 4)).ok(e, 200).ID)
	assert.Equal(t, int64(5), got(g.GetStorageMoveForGroup(groups[0], 5)).ok(e, 200).ID)
	assert.Equal(t, int64(6), got(n.GetStorageMoveForSnippet(snippets[0], 6)).ok(e, 200).ID)
}
