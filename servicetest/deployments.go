package servicetest

import (
	"cmp"
	"net/http"
	"slices"
)

// findDeployment returns the deployment of the path.
func (c *call) findDeployment() (*Deployment, *reply) {
	project, refusal := c.project()
	if refusal != nil {
		return nil, refusal
	}
	d, ok := state[deploymentState](c.svc).deployments.get(c.pathID("deployment_id"))
	if !ok || d.environment.project != project {
		return nil, notFound("Deployment")
	}
	return d, nil
}

func listDeployments(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	environment := c.str("environment")
	status := c.oneOf("status", "created", "running", "success", "failed", "canceled", "blocked")
	after, before := c.time("updated_after"), c.time("updated_before")
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
	return listOf(c, found, (*Deployment).object)
}

// byEnd returns the filter by the time of the end, which newer releases have
// only for successful deployments in that order.
func (c *call) byEnd(status string) (func(*Deployment) bool, *reply) {
	after, before := c.time("finished_after"), c.time("finished_before")
	if refusal := c.refusal(); refusal != nil {
		return nil, refusal
	}
	if after.IsZero() && before.IsZero() {
		return func(*Deployment) bool { return true }, nil
	}
	if status != "success" {
		return nil, badRequest("`finished_at` filter must be combined with `success` status filter.")
	}
	if c.str("order_by") != "finished_at" {
		return nil, badRequest("`finished_at` filter requires `finished_at` sort.")
	}
	return func(d *Deployment) bool {
		return (after.IsZero() || !d.endedAt.Before(after)) && (before.IsZero() || !d.endedAt.After(before))
	}, nil
}

// sortDeployments sorts deployments as the parameters say, by default by
// ascending ID.
func (c *call) sortDeployments(deployments []*Deployment) {
	by := c.oneOf("order_by", "id", "iid", "created_at", "updated_at", "finished_at", "ref")
	descending := c.oneOf("sort", "asc", "desc") == "desc"
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
	return c.ok(d.object())
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
	c.require("environment", "sha", "ref", "tag", "status")
	d := &Deployment{
		user: c.user, sha: c.str("sha"), ref: c.str("ref"), tag: c.bool("tag", false),
		status: c.oneOf("status", givenStatuses...),
	}
	name := c.str("environment")
	if refusal := c.refusal(); refusal != nil {
		return refusal
	}
	if c := project.repository().Commit(d.sha); c == nil {
		return fieldErrors("sha", "The commit does not exist")
	}
	if d.environment = project.environment(name); d.environment == nil {
		if refusal := project.refuseEnvironment(name, nil); refusal != nil {
			return refusal
		}
		d.environment = project.newEnvironment(name, nil)
	}
	d.store()
	return c.created(d.object())
}

func updateDeployment(c *call) *reply {
	d, refusal := c.findDeployment()
	if refusal != nil {
		return refusal
	}
	if refusal := c.unchanged(d.updatedAt); refusal != nil {
		return refusal
	}
	c.require("status")
	status := c.oneOf("status", givenStatuses...)
	if refusal := c.refusal(); refusal != nil {
		return refusal
	}
	if d.job != nil {
		return forbidden("") // its status follows its job
	}
	if status == "running" && d.ended() {
		return fieldErrors("status", `cannot transition via "run"`)
	}
	d.become(status, c.now())
	return c.ok(d.object())
}

func deleteDeployment(c *call) *reply {
	d, refusal := c.findDeployment()
	if refusal != nil {
		return refusal
	}
	if refusal := c.unchanged(d.updatedAt); refusal != nil {
		return refusal
	}
	e := d.environment
	switch {
	case d.status == "running":
		return message(http.StatusBadRequest, "Cannot destroy running deployment")
	case e.deployments[len(e.deployments)-1] == d:
		return message(http.StatusBadRequest, "Deployment currently deployed to environment")
	}
	e.deployments = slices.DeleteFunc(e.deployments, func(other *Deployment) bool { return other == d })
	state[deploymentState](c.svc).deployments.remove(d.id)
	return c.noContent()
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
