package serviceapi

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestProjectsCreate(t *testing.T) {
	const whole = "projects/project.json"
	client := onWire(t,
		exchange{Method: "POST", Path: "/projects", JSON: `{"path":"engine"}`, Status: 201, Fixture: whole},
		exchange{
			Method: "POST", Path: "/projects", Status: 201, Fixture: whole,
			JSON: `{"name":"Engine","path":"engine","namespace_id":3,` + strings.TrimPrefix(everyNewProjectSettingJSON, "{"),
		},
		exchange{
			Method: "POST", Path: "/projects", Status: 201, Fixture: whole,
			Multipart: []string{"name=Engine", "topics[]=go", "topics[]=web", "avatar[e.png;image/png]=pixels"},
		})
	project, resp, err := client.Projects.Create(t.Context(), CreateProjectOptions{Path: "engine"})
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, engineProject(t), project)

	options := everyNewProjectSetting()
	options.Name, options.Path, options.Namespace = "Engine", "engine", NamespaceID(3)
	require.NoError(t, errorOf(client.Projects.Create(t.Context(), options)))

	require.NoError(t, errorOf(client.Projects.Create(t.Context(), CreateProjectOptions{
		Name: "Engine", Topics: []string{"go", "web"},
		Avatar: &Upload{Filename: "e.png", ContentType: "image/png", Content: strings.NewReader("pixels")},
	})))
}

func TestProjectsUpdate(t *testing.T) {
	const path, whole = "/projects/acme%2Fengine", "projects/project.json"
	client := onWire(t,
		exchange{Method: "PUT", Path: path, JSON: `{}`, Fixture: whole},
		exchange{
			Method: "PUT", Path: path, Fixture: whole,
			JSON: `{"name":"E","path":"e",` + strings.TrimPrefix(everyProjectSettingJSON, "{"),
		},
		exchange{Method: "PUT", Path: path, JSON: `{"description":"","topics":[],"import_url":"","ci_config_path":"","avatar":""}`, Fixture: whole},
		exchange{Method: "PUT", Path: path, Multipart: []string{"lfs_enabled=false", "avatar[e.gif;application/octet-stream]=GIF"}, Fixture: whole})
	s, ctx, engine := client.Projects, t.Context(), ProjectPath("acme/engine")
	project, _, err := s.Update(ctx, engine, UpdateProjectOptions{})
	require.NoError(t, err)
	assert.Equal(t, engineProject(t), project)

	options := everyProjectSetting()
	options.Name, options.Path = new("E"), new("e")
	require.NoError(t, errorOf(s.Update(ctx, engine, options)))

	require.NoError(t, errorOf(s.Update(ctx, engine, UpdateProjectOptions{
		Description: new(""), Topics: []string{}, ImportURL: new(NewSecret("")), CIConfigPath: new(""), RemoveAvatar: true,
	})))
	picture := Upload{Filename: "e.gif", Content: strings.NewReader("GIF")}
	require.NoError(t, errorOf(s.Update(ctx, engine, UpdateProjectOptions{LFSEnabled: new(false), Avatar: &picture})))
	assertRefused(t, "RemoveAvatar", errorOf(s.Update(ctx, engine, UpdateProjectOptions{Avatar: &picture, RemoveAvatar: true})))
}

func TestProjectsDelete(t *testing.T) {
	client := onWire(t,
		exchange{Method: "DELETE", Path: "/projects/7", Status: 202, Body: `{"message":"202 Accepted"}`},
		exchange{Method: "DELETE", Path: "/projects/7", Status: 202, Body: `{"message":"202 Accepted"}`},
		exchange{Method: "DELETE", Path: "/projects/7", Query: "full_path=acme%2Fengine&permanently_remove=true", Status: 202, Body: `{"message":"202 Accepted"}`})
	s, ctx := client.Projects, t.Context()
	for _, options := range []*DeleteProjectOptions{nil, {}, {PermanentlyRemove: true, FullPath: "acme/engine"}} {
		resp, err := s.Delete(ctx, ProjectID(7), options)
		require.NoError(t, err)
		assert.Equal(t, 202, resp.StatusCode)
	}
	for _, options := range []*DeleteProjectOptions{{PermanentlyRemove: true}, {FullPath: "acme/engine"}} {
		_, err := s.Delete(ctx, ProjectID(7), options)
		assertRefused(t, "FullPath", err)
	}
}

func TestProjectsLifeCycle(t *testing.T) {
	const path, whole = "/projects/acme%2Fengine", "projects/project.json"
	client := onWire(t,
		exchange{Method: "POST", Path: path + "/fork", JSON: `{}`, Status: 201, Fixture: whole},
		exchange{
			Method: "POST", Path: path + "/fork", Status: 201, Fixture: whole,
			JSON: `{"namespace_id":3,"name":"E","path":"e","description":"","visibility":"private","mr_default_target_self":true,"branches":"main,fix/crash"}`,
		},
		exchange{Method: "POST", Path: path + "/fork", JSON: `{"namespace_path":"acme/tools"}`, Status: 201, Fixture: whole},
		exchange{Method: "POST", Path: path + "/archive", Status: 201, Fixture: whole},
		exchange{Method: "POST", Path: path + "/unarchive", Status: 201, Fixture: whole},
		exchange{Method: "PUT", Path: path + "/transfer", JSON: `{"namespace":3}`, Fixture: whole},
		exchange{Method: "PUT", Path: path + "/transfer", JSON: `{"namespace":"acme/platform"}`, Fixture: whole})
	s, ctx, engine := client.Projects, t.Context(), ProjectPath("acme/engine")
	wantWhole := func(project *Project, _ *Response, err error) {
		t.Helper()
		require.NoError(t, err)
		assert.Equal(t, engineProject(t), project)
	}
	wantWhole(s.Fork(ctx, engine, ForkProjectOptions{}))
	wantWhole(s.Fork(ctx, engine, ForkProjectOptions{
		Namespace: NamespaceID(3), Name: new("E"), Path: new("e"), Description: new(""),
		Visibility: new(VisibilityPrivate), MRDefaultTargetSelf: new(true), Branches: []string{"main", "fix/crash"},
	}))
	wantWhole(s.Fork(ctx, engine, ForkProjectOptions{Namespace: NamespacePath("acme/tools"), Branches: []string{}}))
	wantWhole(s.Archive(ctx, engine))
	wantWhole(s.Unarchive(ctx, engine))
	wantWhole(s.Transfer(ctx, engine, TransferProjectOptions{Namespace: NamespaceID(3)}))
	wantWhole(s.Transfer(ctx, engine, TransferProjectOptions{Namespace: NamespacePath("acme/platform")}))
}

func TestProjectsShare(t *testing.T) {
	const path = "/projects/7/share"
	client := onWire(t,
		exchange{Method: "POST", Path: path, JSON: `{"group_id":9,"group_access":20}`, Status: 201, Body: `{"id":1,"project_id":7,"group_id":9,"group_access":20,"expires_at":null}`},
		exchange{
			Method: "POST", Path: path, JSON: `{"group_id":9,"group_access":20,"expires_at":"2026-12-31"}`, Status: 201,
			Body: `{"id":1,"project_id":7,"group_id":9,"group_access":20,"expires_at":"2026-12-31"}`,
		},
		exchange{Method: "DELETE", Path: path + "/9", Status: 204})
	s, ctx := client.Projects, t.Context()
	share, _, err := s.Share(ctx, ProjectID(7), ShareProjectOptions{GroupID: 9, GroupAccess: AccessLevelReporter})
	require.NoError(t, err)
	assert.Equal(t, &ProjectShare{ID: 1, ProjectID: 7, GroupID: 9, GroupAccess: AccessLevelReporter}, share)
	day := NewDate(2026, time.December, 31)
	share, _, err = s.Share(ctx, ProjectID(7), ShareProjectOptions{GroupID: 9, GroupAccess: AccessLevelReporter, ExpiresAt: &day})
	require.NoError(t, err)
	assert.Equal(t, &ProjectShare{ID: 1, ProjectID: 7, GroupID: 9, GroupAccess: AccessLevelReporter, ExpiresAt: &day}, share)
	resp, err := s.Unshare(ctx, ProjectID(7), GroupID(9))
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)
}

func TestProjectsArguments(t *testing.T) {
	s, ctx := onWire(t).Projects, t.Context()
	for _, project := range []ProjectRef{{}, ProjectID(0), ProjectPath(""), ProjectPath("acme/.."), ProjectPath("acme/engine/")} {
		_, deleteErr := s.Delete(ctx, project, nil)
		_, unshareErr := s.Unshare(ctx, project, GroupID(9))
		for name, err := range map[string]error{
			"get":       errorOf(s.Get(ctx, project, nil)),
			"update":    errorOf(s.Update(ctx, project, UpdateProjectOptions{})),
			"delete":    deleteErr,
			"fork":      errorOf(s.Fork(ctx, project, ForkProjectOptions{})),
			"archive":   errorOf(s.Archive(ctx, project)),
			"unarchive": errorOf(s.Unarchive(ctx, project)),
			"transfer":  errorOf(s.Transfer(ctx, project, TransferProjectOptions{Namespace: NamespaceID(3)})),
			"share":     errorOf(s.Share(ctx, project, ShareProjectOptions{})),
			"unshare":   unshareErr,
		} {
			var argument *ArgumentError
			assert.ErrorAs(t, err, &argument, "%s %v", name, project)
		}
	}
	assertRefused(t, "Namespace", errorOf(s.Transfer(ctx, ProjectID(7), TransferProjectOptions{})))
	for _, namespace := range []NamespaceRef{NamespaceID(-1), NamespacePath("acme/"), NamespacePath("")} {
		assertRefused(t, "Namespace", errorOf(s.Transfer(ctx, ProjectID(7), TransferProjectOptions{Namespace: namespace})))
		assertRefused(t, "Namespace", errorOf(s.Create(ctx, CreateProjectOptions{Path: "x", Namespace: namespace})))
		assertRefused(t, "Namespace", errorOf(s.Fork(ctx, ProjectID(7), ForkProjectOptions{Namespace: namespace})))
	}
	avatar := &Upload{Filename: "e.gif", Content: strings.NewReader("GIF")}
	for _, options := range []CreateProjectOptions{
		{Path: "x", Namespace: NamespacePath("acme")}, {Path: "x", Namespace: NamespacePath("acme"), Avatar: avatar},
	} {
		err := errorOf(s.Create(ctx, options))
		assertRefused(t, "namespace", err)
		assert.ErrorContains(t, err, "accepts only IDs")
	}
	assertRefused(t, "Branches", errorOf(s.Fork(ctx, ProjectID(7), ForkProjectOptions{Branches: []string{"main", "a,b"}})))
	assertRefused(t, "GroupID", errorOf(s.Share(ctx, ProjectID(7), ShareProjectOptions{GroupAccess: AccessLevelGuest})))
	assertRefused(t, "GroupAccess", errorOf(s.Share(ctx, ProjectID(7), ShareProjectOptions{GroupID: 9})))
	_, err := s.Unshare(ctx, ProjectID(7), GroupID(0))
	assertRefused(t, "group_id", err)
	_, err = s.Unshare(ctx, ProjectID(7), GroupPath("acme"))
	assertRefused(t, "group", err)
}
