package servicetest

import (
	"cmp"
	"net/http"
	"slices"

	"example.com/serviceapi/servicetest/internal/frame"
)

// findDeployment returns the deployment of the path.
func (c *call) findDeployment() (*Deployment, *reply) {
	project, refusal := c.project()
	if refusal != nil {
		return nil, refusal
	}
	d, ok := state[deploymentState](c.svc).deployments.get(c.PathID("deployment_id"))
	if !ok || d.environment.project != project {
		return nil, frame.NotFound("Deployment")
	}
	return d, nil
}

func listDeployments(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	environment := c.Str("environment")
	status := c.OneOf("status", "created", "running", "success", "failed", "canceled", "blocked")
	after, before := c.Time("updated_after"), c.Time("updated_before")
	ended, refusal := c.byEnd(status)
	if refusal != nil {
		return refusal
	}
	found := state[deploymentState](c.svc).deployments.all(func(d *Deployment) bool {
		return d.environment.project == project && (environment == "" || d.environment.name == environment) &&
			(status == "" || d.status == status) &&
			ended(d) && (after.IsZero() || !d.updatedAt.Before(after)) && (before.IsZero() || !d.updatedAt.After(before))
	})
	c.sortDeployments(found)
	return frame.ListOf(c, found, (*Deployment).object)
}

// byEnd returns the filter by the time of the end, which newer releases have
// only for successful deployments in that order.
func (c *call) byEnd(status string) (func(*Deployment) bool, *reply) {
	after, before := c.Time("finished_after"), c.Time("finished_before")
	if refusal := c.Refusal(); refusal != nil {
		return nil, refusal
	}
	if after.IsZero() && before.IsZero() {
		return func(*Deployment) bool { return true }, nil
	}
	if status != "success" {
		return nil, frame.BadRequest("`finished_at` filter must be combined with `success` status filter.")
	}
	if c.Str("order_by") != "finished_at" {
		return nil, frame.BadRequest("`finished_at` filter requires `finished_at` sort.")
	}
	return func(d *Deployment) bool {
		return (after.IsZero() || !d.endedAt.Before(after)) && (before.IsZero() || !d.endedAt.After(before))
	}, nil
}

// sortDeployments sorts deployments as the parameters say, by default by
// ascending ID.
func (c *call) sortDeployments(deployments []*Deployment) {
	by := c.OneOf("order_by", "id", "iid", "created_at", "updated_at", "finished_at", "ref")
	descending := c.OneOf("sort", "asc", "desc") == "desc"
	slices.SortFunc(deployments, func(a, b *Deployment) int {
		if descending {
			a, b = b, a
		}
		return compareDeployments(a, b, by)
	})
}

// compareDeployments compares deployments by the value that order_by names.
func compareDeployments(a, b *Deployment, by string) int {
	order := 0
	switch by {
	case "iid":
		order = cmp.Compare(a.iid, b.iid)
	case "created_at":
		order = a.createdAt.Compare(b.createdAt)
	case "updated_at":
		order = a.updatedAt.Compare(b.updatedAt)
	case "finished_at":
		order = a.endedAt.Compare(b.endedAt)
	case "ref":
		order = cmp.Compare(a.ref, b.ref)
	}
	return cmp.Or(order, cmp.Compare(a.id, b.id))
}

func getDeployment(c *call) *reply {
	d, refusal := c.findDeployment()
	if refusal != nil {
		return refusal
	}
	return c.OK(d.object())
}

// givenStatuses are those that a caller may give a deployment.
var givenStatuses = []string{"running", "success", "failed", "canceled"}

// createDeployment records a deployment that was not made by a job. If the
// environment does not exist, it is made.
func createDeployment(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	c.Require("environment", "sha", "ref", "tag", "status")
	d := &Deployment{
		user: c.user, sha: c.Str("sha"), ref: c.Str("ref"), tag: c.Bool("tag", false),
		status: c.OneOf("status", givenStatuses...),
	}
	name := c.Str("environment")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if c := project.repository().Commit(d.sha); c == nil {
		return frame.FieldErrors("sha", "The commit does not exist")
	}
	if d.environment = project.environment(name); d.environment == nil {
		if refusal := project.refuseEnvironment(name, nil); refusal != nil {
			return refusal
		}
		d.environment = project.newEnvironment(name, nil)
	}
	d.store()
	return c.Created(d.object())
}

func updateDeployment(c *call) *reply {
	d, refusal := c.findDeployment()
	if refusal != nil {
		return refusal
	}
	if refusal := c.Unchanged(d.updatedAt); refusal != nil {
		return refusal
	}
	c.Require("status")
	status := c.OneOf("status", givenStatuses...)
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if d.job != nil {
		return frame.Forbidden("") // its status follows its job
	}
	if status == "running" && d.ended() {
		return frame.FieldErrors("status", `cannot transition via "run"`)
	}
	d.become(status, c.now())
	return c.OK(d.object())
}

func deleteDeployment(c *call) *reply {
	d, refusal := c.findDeployment()
	if refusal != nil {
		return refusal
	}
	if refusal := c.Unchanged(d.updatedAt); refusal != nil {
		return refusal
	}
	e := d.environment
	switch {
	case d.status == "running":
		return frame.Message(http.StatusBadRequest, "Cannot destroy running deployment")
	case e.deployments[len(e.deployments)-1] == d:
		return frame.Message(http.StatusBadRequest, "Deployment currently deployed to environment")
	}
	e.deployments = slices.DeleteFunc(e.deployments, func(other *Deployment) bool { return other == d })
	state[deploymentState](c.svc).deployments.remove(d.id)
	return c.NoContent()
}

// listDeployedRequests lists the merge requests that a deployment was the first
// to deploy to its environment.
func listDeployedRequests(c *call) *reply {
	d, refusal := c.findDeployment()
	if refusal != nil {
		return refusal
	}
	return c.mergeRequestPage(d.requests)
}
