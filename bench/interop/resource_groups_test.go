package interop

import (
	"testing"

	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestResourceGroups(t *testing.T) {
	e := start(t)
	group := servicetest.InResourceGroup("deploy/eu")
	pipeline := e.svc.Project(app).Pipeline("main")
	first := pipeline.Job("first", servicetest.Running(), group)
	waits := pipeline.Job("second", servicetest.Created(), group)
	s := e.admin.ResourceGroup
	groups := got(s.GetAllResourceGroupsForAProject(app)).ok(e, 200)
	assert.Equal(t, []string{"deploy/eu", "unordered"}, []string{groups[0].Key, groups[0].ProcessMode})
	assert.Equal(t, groups[0], got(s.GetASpecificResourceGroup(app, "deploy/eu")).ok(e, 200))
	changed := got(s.EditAnExistingResourceGroup(app, "deploy/eu", &clientgo.EditAnExistingResourceGroupOptions{
		ProcessMode: new(clientgo.OldestFirst),
	})).ok(e, 200)
	assert.Equal(t, "oldest_first", changed.ProcessMode)
	jobs := got(s.ListUpcomingJobsForASpecificResourceGroup(app, "deploy/eu")).ok(e, 200)
	assert.Len(t, jobs, 1)
	assert.Equal(t, waits.ID(), jobs[0].ID)
	pipeline.Job("third", servicetest.Created(), group)
	pipeline.Job("fourth", servicetest.Created(), group)
	pipeline.Job("other", servicetest.InResourceGroup("a"))
	pipeline.Job("another", servicetest.InResourceGroup("b"))
	upcoming := walk(e, func(opts ...clientgo.RequestOptionFunc) ([]*clientgo.Job, *clientgo.Response, error) {
		return s.ListUpcomingJobsForASpecificResourceGroup(app, "deploy/eu", opts...)
	})
	assert.Equal(t, []string{"second", "third", "fourth"}, each(upcoming,
		func(j *clientgo.Job) string { return j.Name }))
	all := walk(e, func(opts ...clientgo.RequestOptionFunc) ([]*clientgo.ResourceGroup, *clientgo.Response, error) {
		return s.GetAllResourceGroupsForAProject(app, opts...)
	})
	assert.Equal(t, []string{"deploy/eu", "a", "b"}, each(all,
		func(g *clientgo.ResourceGroup) string { return g.Key }))
	current := request[*clientgo.Job](e.admin, "GET",
		"projects/acme%2Fapp/resource_groups/deploy%2Feu/current_job", nil).ok(e, 200)
	assert.Equal(t, first.ID(), current.ID)
	got(s.GetASpecificResourceGroup(app, "none")).refused(e, 404)
}
