package servicetest

import (
	"slices"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// A resourceGroup is a name that jobs share of which only one runs at a time.
type resourceGroup struct {
	project              *Project
	id                   int64
	key, mode            string
	createdAt, changedAt time.Time
}

// resourceGroupState keeps the resource groups of a service.
type resourceGroupState struct{ groups table[*resourceGroup] }

var resourceGroups = collection.Table[*call, *Project, resourceGroup]{
	Param: "key", Key: func(g *resourceGroup) string { return g.key },
	Home:    (*call).project,
	Records: func(_ *call, p *Project) []*resourceGroup { return p.resourceGroups() },
	Fields: []collection.Field[resourceGroup]{
		collection.Shown("id", func(g *resourceGroup) int64 { return g.id }),
		collection.Shown("key", func(g *resourceGroup) string { return g.key }),
		collection.Choice("process_mode", func(g *resourceGroup) *string { return &g.mode },
			"unordered", "oldest_first", "newest_first", "newest_ready_first"),
		collection.Moment("created_at", func(g *resourceGroup) *time.Time { return &g.createdAt }).ReadOnly(),
		collection.Moment("updated_at", func(g *resourceGroup) *time.Time { return &g.changedAt }).ReadOnly(),
	},
	Check: func(c *call, _ *Project, draft, before *resourceGroup) *reply {
		if draft.mode != before.mode {
			draft.changedAt = c.now()
		}
		return nil
	},
	Saved: func(_ *call, _ *Project, g *resourceGroup) { g.hand() },
}

func (p *Project) resourceGroups() []*resourceGroup {
	return state[resourceGroupState](p.svc).groups.all(func(g *resourceGroup) bool { return g.project == p })
}

// resourceGroup returns the project's group with a key, and makes it for the first job.
func (p *Project) resourceGroup(key string) *resourceGroup {
	if g := one(p.resourceGroups(), func(g *resourceGroup) bool { return g.key == key }); g != nil {
		return g
	}
	now := p.svc.now()
	g := &resourceGroup{
		project: p, key: key, createdAt: now, changedAt: now,
		mode: p.preferences.choice(projectPreferences, "resource_group_default_process_mode"),
	}
	seed(p.svc, &state[resourceGroupState](p.svc).groups, &g.id, g, "a resource group")
	return g
}

// InResourceGroup makes a job, or a planned one, wait until no other job of the group is
// pending or running. The first job with a key makes the group, whose process_mode says which
// job is next.
func InResourceGroup(key string) JobOption {
	return jobOption(func(j *Job) { j.group = j.pipeline.project.resourceGroup(key) })
}

// jobs returns the jobs of the group with one of these statuses, oldest first.
func (g *resourceGroup) jobs(statuses ...string) []*Job {
	return only(g.project.jobs, func(j *Job) bool {
		return j.group == g && !j.retried && slices.Contains(statuses, j.status)
	})
}

// holder returns the job that has the group, or nil.
func (g *resourceGroup) holder() *Job { return first(g.jobs("pending", "running")) }

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
	if g == nil || g.holder() != nil {
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
	Project  struct {
		TokenScope bool `json:"ci_job_token_scope_enabled"`
	} `json:"project"`
}

func (j *Job) inGroup() *resourceJob {
	j.pipeline.settle()
	job := &resourceJob{jobCore: j.core(), Pipeline: j.pipeline.summary()}
	job.Project.TokenScope = j.svc.feature("ci_job_token_scope")
	return job
}

// groupWithJobs finds the group of the path for callers who may see jobs.
func (c *call) groupWithJobs() (*resourceGroup, *reply) {
	p, g, refusal := resourceGroups.One(c)
	if refusal == nil && !p.serves(c.user, "builds") {
		return nil, frame.Forbidden("")
	}
	return g, refusal
}

// getResourceJob responds with null if no job has the group.
func getResourceJob(c *call, g *resourceGroup) *reply {
	if holder := g.holder(); holder != nil {
		return c.OK(holder.inGroup())
	}
	return c.OK(nil)
}

func listUpcomingJobs(c *call, g *resourceGroup) *reply {
	return frame.ListOf(c, g.upcoming(), (*Job).inGroup)
}
