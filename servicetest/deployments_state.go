package servicetest

import (
	"slices"
	"strconv"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
)

// A Deployment is the deployment of a commit to an environment. Make one with
// Environment.Deployment.
type Deployment struct {
	svc         *Service
	environment *Environment
	id, iid     int64
	ref, sha    string
	tag         bool
	status      string // created, running, success, failed, canceled or blocked
	user        *User
	job         *Job // nil if it was made through the API
	createdAt   time.Time
	updatedAt   time.Time
	endedAt     time.Time // zero if it has not ended
	decisions   []decision
	delivered   bool            // has succeeded once
	requests    []*MergeRequest // that it deployed to the environment
}

// deploymentState keeps the deployments of a service.
type deploymentState struct {
	deployments table[*Deployment]
	iids        map[*Project]int64
}

// A DeploymentOption sets a property of a deployment. By, CreatedAt and ID are
// DeploymentOptions, too.
type DeploymentOption interface{ applyDeployment(d *Deployment) }

type deploymentOption func(*Deployment)

func (f deploymentOption) applyDeployment(d *Deployment) { f(d) }

func (o IDOption) applyDeployment(d *Deployment) { d.id = int64(o) }

func (o ByOption) applyDeployment(d *Deployment) { d.user = o.user }

func (o CreatedAtOption) applyDeployment(d *Deployment) { d.createdAt = time.Time(o) }

// DeploymentStatus sets a deployment's status: created, running, success (the
// default), failed, canceled or blocked.
func DeploymentStatus(status string) DeploymentOption {
	return deploymentOption(func(d *Deployment) { d.status = status })
}

// DeployedBy sets the job that deploys. The ref, the commit, the user and the
// status are those of the job, unless later options set them.
func DeployedBy(job *Job) DeploymentOption {
	return deploymentOption(func(d *Deployment) {
		pipeline := job.pipeline
		d.job, d.user, d.status = job, job.user, statusOfDeployJob(job.status)
		d.ref, d.tag, d.sha = pipeline.ref, pipeline.tag, pipeline.commit.SHA
	})
}

// statusOfDeployJob returns the status of the deployment that a job makes.
func statusOfDeployJob(status string) string {
	switch status {
	case "running", "success", "failed", "canceled":
		return status
	case "skipped":
		return "canceled"
	}
	return "created"
}

// DeployedRef sets the branch or tag that is deployed, at its current commit.
// The default is the default branch.
func DeployedRef(ref string) DeploymentOption {
	return deploymentOption(func(d *Deployment) {
		d.ref, d.sha = ref, d.environment.project.head(ref).SHA
		d.tag = slices.Contains(d.environment.project.repository().Tags(), ref)
	})
}

// Deployment makes a deployment to the environment, and makes the environment
// available. By default, it is a successful deployment of the default branch by
// Root, without a job. A successful deployment also deploys the merge requests
// that were merged up to its commit.
func (e *Environment) Deployment(opts ...DeploymentOption) *Deployment {
	if e.svc.tb != nil {
		e.svc.tb.Helper()
	}
	defer e.svc.lock()()
	d := &Deployment{environment: e, user: e.svc.admin, status: "success"}
	apply(d, opts, DeploymentOption.applyDeployment)
	if d.sha == "" {
		DeployedRef(e.project.defaultBranch).applyDeployment(d)
	}
	d.store()
	return d
}

// store stores a deployment, and does what follows from its status.
func (d *Deployment) store() {
	e := d.environment
	d.svc = e.svc
	all := state[deploymentState](d.svc)
	if d.createdAt.IsZero() {
		d.createdAt = d.svc.now()
	}
	seed(d.svc, &all.deployments, &d.id, d, "a deployment")
	d.iid = nextIID(&all.iids, e.project)
	e.deployments = append(e.deployments, d)
	e.revive()
	d.become(d.status, d.createdAt)
}

// become sets the status. The first success deploys what was merged up to the
// commit.
func (d *Deployment) become(status string, at time.Time) {
	d.status, d.updatedAt = status, at
	d.svc.touch(d)
	if d.endedAt = (time.Time{}); d.ended() {
		d.endedAt = at
	}
	if status != "success" || d.delivered {
		return
	}
	d.delivered = true
	c := d.environment.project.repository().Resolve(d.sha) // nil if unknown; then it brings no merge requests
	for _, m := range d.environment.project.mergedIn(c) {
		if !d.environment.has(m) {
			d.requests = append(d.requests, m)
			m.deployed(d.environment.name, d.environment.tier == "production", at)
		}
	}
}

// ended reports whether the deployment can no longer start to run.
func (d *Deployment) ended() bool {
	return d.status == "success" || d.status == "failed" || d.status == "canceled"
}

// has reports whether a deployment has already deployed a merge request.
func (e *Environment) has(m *MergeRequest) bool {
	return slices.ContainsFunc(e.deployments, func(d *Deployment) bool { return slices.Contains(d.requests, m) })
}

// ID returns the deployment's ID.
func (d *Deployment) ID() int64 { return d.id }

// IID returns the deployment's number in its project.
func (d *Deployment) IID() int64 { return d.iid }

// Status returns the deployment's status, for example success.
func (d *Deployment) Status() string { return read(d.svc, &d.status) }

// SHA returns the hash of the commit that was deployed.
func (d *Deployment) SHA() string { return d.sha }

// Ref returns the branch or tag that was deployed, and whether it is a tag.
func (d *Deployment) Ref() (name string, tag bool) { return d.ref, d.tag }

// SetStatus sets the deployment's status, regardless of its current one. A blocked
// deployment becomes created when it gets the last approval that it needs. If its
// environment needs no approvals, it stays blocked until SetStatus is called.
func (d *Deployment) SetStatus(status string) {
	defer d.svc.lock()()
	d.become(status, d.svc.now())
}

// String returns the deployment's number and environment, for test messages.
func (d *Deployment) String() string {
	return "deployment " + strconv.FormatInt(d.id, 10) + " to " + d.environment.name
}

// deployable returns the JSON of a job in its deployment, or nil for no job.
func (j *Job) deployable() *collection.Form {
	if j == nil {
		return nil
	}
	j.expire()
	core := j.core()
	return inOrder("id", core.ID, "status", core.Status, "stage", core.Stage, "name", core.Name, "ref", core.Ref,
		"tag", core.Tag, "coverage", core.Coverage, "created_at", core.CreatedAt, "started_at", core.StartedAt,
		"finished_at", core.FinishedAt, "duration", core.Duration, "queued_duration", core.QueuedDuration,
		"user", core.User, "commit", core.Commit, "pipeline", j.pipeline.details(), "web_url", core.WebURL,
		"artifacts", j.artifacts(), "runner", j.runner.summary(), "artifacts_expire_at", jsonTime(j.expireAt))
}
