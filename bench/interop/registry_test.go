package interop

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestRegistry(t *testing.T) {
	e := start(t)
	project := e.svc.Project(app)
	root := project.RegistryRepository("", servicetest.CleanupStartedAt(servicetest.Epoch.Add(-time.Hour)))
	api := project.RegistryRepository("api", servicetest.RegistrySize(2_818_413)).
		Push("latest", servicetest.ImageSize(12_345)).Push("v1").Push("v2")
	project.RegistryRepository("web")
	e.svc.Advance(2 * time.Hour)
	byID := func(r *clientgo.RegistryRepository) int64 { return r.ID }

	list := walk1(e, e.admin.ContainerRegistry.ListProjectRegistryRepositories, app,
		&clientgo.ListProjectRegistryRepositoriesOptions{Tags: new(true), TagsCount: new(true)})
	assert.ElementsMatch(t, []int64{1, 2, 3}, each(list, byID))
	for _, r := range list {
		if r.ID == api.ID() {
			assert.Equal(t, []any{"api", "acme/app/api", int64(3)}, []any{r.Name, r.Path, r.TagsCount})
			assert.Equal(t, []string{"latest", "v1", "v2"},
				each(r.Tags, func(t *clientgo.RegistryRepositoryTag) string { return t.Name }))
		}
	}
	list = walk1(e, e.admin.ContainerRegistry.ListGroupRegistryRepositories, acme, nil)
	assert.ElementsMatch(t, []int64{1, 2, 3}, each(list, byID))
	tags := walk2(e, e.admin.ContainerRegistry.ListRegistryRepositoryTags, app, api.ID(), nil)
	assert.Equal(t, api.Tags(), each(tags, func(t *clientgo.RegistryRepositoryTag) string { return t.Name }))

	one := got(e.admin.ContainerRegistry.GetSingleRegistryRepository(root.ID(), nil)).ok(e, 200)
	assert.Equal(t, []any{"", app}, []any{one.Name, one.Path})
	assert.Equal(t, servicetest.Epoch.Add(-time.Hour), *one.CleanupPolicyStartedAt)
	// The client has no field for size, which the specification has.
	type shown struct {
		Size bool `url:"size"`
	}
	sized := request[map[string]any](e.admin, "GET", "registry/repositories/2", shown{true}).ok(e, 200)
	assert.Equal(t, 2818413.0, sized["size"])
	tag := got(e.admin.ContainerRegistry.GetRegistryRepositoryTagDetail(app, api.ID(), "latest")).ok(e, 200)
	assert.Equal(t, []any{"latest", int64(12_345)}, []any{tag.Name, tag.TotalSize})

	done(e.admin.ContainerRegistry.DeleteRegistryRepositoryTag(app, api.ID(), "v1")).ok(e, 204)
	done(e.admin.ContainerRegistry.DeleteRegistryRepositoryTags(app, api.ID(),
		&clientgo.DeleteRegistryRepositoryTagsOptions{NameRegexpDelete: new(".*"), OlderThan: new("1h")})).ok(e, 202)
	e.svc.Advance(servicetest.RegistryDeletionDelay)
	assert.Equal(t, []string{"latest"}, api.Tags())
	done(e.admin.ContainerRegistry.DeleteRegistryRepository(app, api.ID())).ok(e, 202)
	e.svc.Advance(servicetest.RegistryDeletionDelay)
	assert.False(t, api.Exists())

	edited := got(e.admin.Projects.EditProject(app,
		&clientgo.EditProjectOptions{ContainerRegistryAccessLevel: new(clientgo.PrivateAccessControl)})).ok(e, 200)
	assert.Equal(t, clientgo.PrivateAccessControl, edited.ContainerRegistryAccessLevel)
	assert.Equal(t, "private", project.RegistryAccess())
}

// TestRegistryCatalog does what clients of a registry do: client-go has no
// methods for it.
func TestRegistryCatalog(t *testing.T) {
	e := start(t)
	e.svc.User("ops", servicetest.Admin(), servicetest.Password("secret"))
	for _, name := range []string{"one", "two", "three"} {
		e.svc.Project(app + name).RegistryRepository("")
	}
	var login struct{ Token string }
	e.fetch(e.svc.URL()+"/jwt/auth?service=container_registry&scope=registry:catalog:*", func(r *http.Request) {
		r.SetBasicAuth("ops", "secret")
	}, &login)
	var catalog struct{ Repositories []string }
	resp := e.fetch(e.svc.RegistryURL()+"/v2/_catalog?n=2", func(r *http.Request) {
		r.Header.Set("Authorization", "Bearer "+login.Token)
	}, &catalog)
	assert.Equal(t, []string{"acme/appone", "acme/appthree"}, catalog.Repositories)
	assert.Contains(t, resp.Header.Get("Link"), `rel="next"`)
}

// fetch requests JSON without the client.
func (e *env) fetch(address string, prepare func(*http.Request), into any) *http.Response {
	e.Helper()
	req, err := http.NewRequestWithContext(e.Context(), http.MethodGet, address, nil)
	require.NoError(e, err)
	prepare(req)
	resp, err := http.DefaultClient.Do(req)
	require.NoError(e, err)
	defer resp.Body.Close()
	require.Equal(e, http.StatusOK, resp.StatusCode)
	require.NoError(e, json.NewDecoder(resp.Body).Decode(into))
	return resp
}
