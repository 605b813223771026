package interop

import (
	"reflect"
	"strings"
	"testing"

	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

// startGraphQL is start for a service whose global IDs have the word that the client has built
// in, which begins the path of its module.
func startGraphQL(t *testing.T) *env {
	t.Helper()
	word, _, _ := strings.Cut(reflect.TypeFor[clientgo.Client]().PkgPath(), ".")
	opts := []servicetest.Option{servicetest.WithGlobalIDWord(word)}
	if vendor != "" {
		opts = append(opts, servicetest.Vendor(vendor), servicetest.WithoutJobTotals())
	}
	e := &env{T: t, svc: servicetest.New(t, opts...)}
	e.admin = e.client(e.svc.AdminToken())
	t.Cleanup(func() { called.note(e.svc) })
	return e
}

func TestWorkItems(t *testing.T) {
	e := startGraphQL(t)
	e.svc.Project(app).Issue("First")
	s := e.admin.WorkItems
	types, _, err := s.ListWorkItemTypes(app, nil)
	require.NoError(t, err)
	require.Len(t, types, 9)
	first, _, err := s.GetWorkItem(app, 1)
	require.NoError(t, err)
	assert.Equal(t, []any{"First", "Issue", "OPEN"}, []any{first.Title, first.Type, first.State})
	task, _, err := s.CreateWorkItem(app, clientgo.WorkItemTypeTask, &clientgo.CreateWorkItemOptions{Title: "Second"})
	require.NoError(t, err)
	assert.Equal(t, []any{"Second", "Task", int64(2)}, []any{task.Title, task.Type, task.IID})
	changed, _, err := s.UpdateWorkItem(app, task.IID, &clientgo.UpdateWorkItemOptions{Title: new("Third")})
	require.NoError(t, err)
	assert.Equal(t, "Third", changed.Title)
	items, _, err := s.ListWorkItems(app, nil)
	require.NoError(t, err)
	require.Len(t, items, 2)
	assert.Equal(t, "Third", items[0].Title)
	_, err = s.DeleteWorkItem(app, task.IID)
	require.NoError(t, err)
	items, _, err = s.ListWorkItems(app, nil)
	require.NoError(t, err)
	assert.Len(t, items, 1)
}

func TestTerraformStatesByGraphQL(t *testing.T) {
	e := startGraphQL(t)
	e.svc.Project(app).TerraformState("production", `{"serial":4}`)
	states, _, err := e.admin.TerraformStates.List(app)
	require.NoError(t, err)
	require.Len(t, states, 1)
	assert.Equal(t, "production", states[0].Name)
	state, _, err := e.admin.TerraformStates.Get(app, "production")
	require.NoError(t, err)
	assert.Equal(t, uint64(4), state.LatestVersion.Serial)
}
