package servicetest

import (
	"slices"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// A resourceGroup is a name that jobs share of which only one runs at a time.
type resourceGroup struct {
	record[*Project]

	key, mode string
}

var resourceGroups = shelved(collection.Table[*call, *Project, resourceGroup]{
	Param: "key", Key: func(g *resourceGroup) string { return g.key }, Home: (*call).project,
	Fields: dated(
		collection.Shown("key", func(g *resourceGroup) string { return g.key }),
		collection.Choice("process_mode", func(g *resourceGroup) *string { return &g.mode },
			"unordered", "oldest_first", "newest_first", "newest_ready_first"),
	),
	Saved: func(_ *call, _ *Project, g *resourceGroup) { g.hand() },
})

// resourceGroup returns the project's group with a key, and makes it for the first job.
func (p *Project) resourceGroup(key string) *resourceGroup {
	if g := one(recordsOf[resourceGroup](p.svc, p), func(g *resourceGroup) bool { return g.key == key }); g != nil {
		return g
	}
	mode := p.preferences.choice(projectPreferences, "resource_group_default_process_mode")
	return shelve(p.svc, p, &resourceGroup{key: key, mode: mode})
}

// InResourceGroup makes a job, or a planned one, wait until no other job of the group is
// pending or running. The first job with a key makes the group, whose process_mode says which
// job is next.
func InResourceGroup(key string) JobOption {
	return jobOption(func(j *Job) { j.group = j.pipeline.project.resourceGroup(key) })
}

// jobs returns the jobs of the group with one of these statuses, oldest first.
func (g *resourceGroup) jobs(statuses ...string) []*Job {
	return only(g.home.jobs, func(j *Job) bool {
		return j.group == g && !j.retried && slices.Contains(statuses, j.status)
	})
}

// holding are the statuses of the job that has the group.
var holding = []string{"pending", "running"}

// upcoming returns the jobs that will get the group, the next one first.
func (g *resourceGroup) upcoming() []*Job {
	statuses := []string{"waiting_for_resource"}
	if g.mode == "oldest_first" || g.mode == "newest_first" {
		statuses = append(statuses, "created")
	}
	found := g.jobs(statuses...)
	if g.mode == "newest_first" || g.mode == "newest_ready_first" {
		slices.Reverse(found)
	}
	return found
}

// hand gives the group, if there is one and no job has it, to the next job, if that waits.
func (g *resourceGroup) hand() {
	if g == nil || len(g.jobs(holding...)) > 0 {
		return
	}
	if next := first(g.upcoming()); next != nil && next.status == "waiting_for_resource" {
		next.enqueue()
	}
}

// resourceJob is a job of a resource group.
type resourceJob struct {
	jobCore

	Pipeline pipelineSummary `json:"pipeline"`
	Project  object          `json:"project"`
}

func (j *Job) inGroup() *resourceJob {
	j.pipeline.settle()
	scope := object{"ci_job_token_scope_enabled": j.svc.feature("ci_job_token_scope")}
	return &resourceJob{j.core(), j.pipeline.summary(), scope}
}

// groupWithJobs finds the group of the path for callers who may see jobs.
var groupWithJobs = unless(resourceGroups.Record, forbidden, func(c *call, g *resourceGroup) bool {
	return !g.home.serves(c.user, "builds")
})

// getResourceJob responds with null if no job has the group.
func getResourceJob(c *call, g *resourceGroup) *reply {
	return c.OK(first(mapped(g.jobs(holding...), (*Job).inGroup)))
}

func listUpcomingJobs(c *call, g *resourceGroup) *reply {
	return frame.ListOf(c, g.upcoming(), (*Job).inGroup)
}
