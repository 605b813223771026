package servicetest

import (
	"cmp"
	"slices"
	"time"
)

// pipelineStatuses are the values of status.
var pipelineStatuses = []string{
	"created", "waiting_for_resource", "preparing", "pending", "running", "success", "failed", "canceled", "skipped", "manual", "scheduled",
	"canceling", "waiting_for_callback",
}

// choosePipelines returns the pipelines that a list asks for, in the order that
// it asks for.
func (c *call) choosePipelines(project *Project) []*Pipeline {
	scope := c.OneOf("scope", "running", "pending", "finished", "branches", "tags")
	status, source := c.OneOf("status", pipelineStatuses...), c.Str("source")
	ref, sha, username, name := c.Str("ref"), c.Str("sha"), c.Str("username"), c.Str("name")
	updated, created := c.during("updated"), c.during("created")
	broken := c.Bool("yaml_errors", false)
	var found []*Pipeline
	for _, p := range project.pipelines {
		p.settle()
		kept := (status == "" || p.status == status) && (ref == "" || p.ref == ref) && (sha == "" || p.commit.SHA == sha) &&
			(username == "" || p.user != nil && p.user.username == username) && (name == "" || p.name == name) &&
			(source == p.source || source == "" && p.source != "parent_pipeline") &&
			(!c.Has("yaml_errors") || broken == (p.yamlErrors != "")) &&
			updated.includes(p.updatedAt) && created.includes(p.createdAt) && p.inScope(scope)
		if kept {
			found = append(found, p)
		}
	}
	if scope == "branches" || scope == "tags" {
		found = latestOfEach(found)
	}
	c.sortPipelines(found)
	return found
}

// inScope reports whether the pipeline is in the scope. For branches and tags,
// it looks only at the kind of the ref.
func (p *Pipeline) inScope(scope string) bool {
	switch scope {
	case "running", "pending":
		return p.status == scope
	case "finished":
		return slices.Contains([]string{"success", "failed", "canceled", "skipped"}, p.status)
	case "branches", "tags":
		return p.tag == (scope == "tags")
	}
	return true
}

// latestOfEach keeps the newest pipeline of each ref.
func latestOfEach(pipelines []*Pipeline) []*Pipeline {
	newest := make(map[string]*Pipeline)
	for _, p := range pipelines {
		newest[p.ref] = p
	}
	return slices.DeleteFunc(pipelines, func(p *Pipeline) bool { return newest[p.ref] != p })
}

// A span is the time between two parameters. It includes both ends, and either
// can be zero.
type span struct{ after, before time.Time }

// during reads the parameters name_after and name_before.
func (c *call) during(name string) span {
	return span{c.Time(name + "_after"), c.Time(name + "_before")}
}

func (s span) includes(at time.Time) bool {
	return (s.after.IsZero() || !at.Before(s.after)) && (s.before.IsZero() || !at.After(s.before))
}

// sortPipelines sorts pipelines as the parameters say, by default by descending
// ID.
func (c *call) sortPipelines(pipelines []*Pipeline) {
	by := c.OneOf("order_by", "id", "status", "ref", "updated_at", "user_id")
	ascending := c.OneOf("sort", "asc", "desc") == "asc"
	slices.SortFunc(pipelines, func(a, b *Pipeline) int {
		if !ascending {
			a, b = b, a
		}
		return comparePipelines(a, b, by)
	})
}

// comparePipelines compares pipelines by the value that order_by names.
func comparePipelines(a, b *Pipeline, by string) int {
	order := 0
	switch by {
	case "status":
		order = cmp.Compare(a.status, b.status)
	case "ref":
		order = cmp.Compare(a.ref, b.ref)
	case "updated_at":
		order = a.updatedAt.Compare(b.updatedAt)
	case "user_id":
		order = cmp.Compare(a.userID(), b.userID())
	}
	return cmp.Or(order, cmp.Compare(a.id, b.id))
}

// userID returns the ID of the user who started the pipeline, or 0 for nobody.
func (p *Pipeline) userID() int64 {
	if p.user == nil {
		return 0
	}
	return p.user.id
}
