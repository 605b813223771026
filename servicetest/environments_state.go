package servicetest

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// An Environment is a place that a project is deployed to. Make one with
// Project.Environment.
type Environment struct {
	svc          *Service
	project      *Project
	place        environmentPlace
	id           int64
	name         string
	externalURL  string
	state        string // available, stopping or stopped
	tier         string
	createdAt    time.Time
	updatedAt    time.Time
	searchesLogs bool
	onStop       *Job
	stopTakes    time.Duration
	stops        int // number of times it was stopped
	deleteAt     time.Time
	deployments  []*Deployment // oldest first
}

// environmentState keeps the environments of a service.
type environmentState struct {
	environments table[*Environment]
}

// An EnvironmentOption sets a property of an environment. CreatedAt and ID are
// EnvironmentOptions, too.
type EnvironmentOption interface{ applyEnvironment(e *Environment) }

// Environment makes an available environment. Its tier follows from its name, such as
// production or staging. It is development for environments in the folder review/, and
// other for the rest. If the environment exists, the options are applied to it.
func (p *Project) Environment(name string, opts ...EnvironmentOption) *Environment {
	if p.svc.tb != nil {
		p.svc.tb.Helper()
	}
	defer p.svc.lock()()
	if e := p.environment(name); e != nil {
		applyAgain(p.svc, &e.id, "an environment "+strconv.Quote(name), func() {
			apply(e, opts, EnvironmentOption.applyEnvironment)
		})
		return e
	}
	return p.newEnvironment(name, opts)
}

func (p *Project) newEnvironment(name string, opts []EnvironmentOption) *Environment {
	e := p.draftEnvironment(name)
	e.tier = tierOf(name)
	apply(e, opts, EnvironmentOption.applyEnvironment)
	e.store()
	return e
}

// draftEnvironment returns an environment that is not stored yet.
func (p *Project) draftEnvironment(name string) *Environment {
	return &Environment{
		svc: p.svc, project: p, name: name, state: "available", createdAt: p.svc.now(),
		place: environmentPlace{autoStopSetting: "always"},
	}
}

func (e *Environment) store() {
	e.updatedAt = e.createdAt
	seed(e.svc, &state[environmentState](e.svc).environments, &e.id, e, "an environment")
}

// environments returns the environments of the project for which keep reports
// true, or all if it is nil, oldest first.
func (p *Project) environments(keep func(*Environment) bool) []*Environment {
	return state[environmentState](p.svc).environments.all(func(e *Environment) bool {
		return e.project == p && (keep == nil || keep(e))
	})
}

// environment returns the environment with a name, or nil if there is none.
func (p *Project) environment(name string) *Environment {
	return first(p.environments(func(e *Environment) bool { return e.name == name }))
}

// reviewFolder is where the environments of review apps are.
const reviewFolder = "review/"

var environmentTiers = []string{"production", "staging", "testing", "development", "other"}

// tierOf guesses what an environment is for.
func tierOf(name string) string {
	folder, _, _ := strings.Cut(strings.ToLower(name), "/")
	switch folder {
	case "production", "prod", "live":
		return "production"
	case "staging", "stage":
		return "staging"
	case "testing", "test", "qa":
		return "testing"
	case "development", "dev", "review":
		return "development"
	}
	return "other"
}

var notInSlug = regexp.MustCompile("[^a-z0-9]+")

// maxSlug is the maximum length of a slug. The slug and the text around it must fit
// into one label of a host name.
const maxSlug = 24

// slug returns the name in a form that is valid in host names. If that changes
// the name, a suffix distinguishes it from others.
func (e *Environment) slug() string {
	slug := strings.Trim(notInSlug.ReplaceAllString(strings.ToLower(e.name), "-"), "-")
	if slug == e.name && len(slug) <= maxSlug {
		return slug
	}
	kept := strings.TrimRight(slug[:min(len(slug), maxSlug-7)], "-")
	return strings.TrimLeft(kept+"-"+frame.SHA("slug", e.name)[:6], "-")
}

// lastActivity returns when the environment was last changed or deployed to.
func (e *Environment) lastActivity() time.Time {
	last := e.updatedAt
	if n := len(e.deployments); n > 0 && e.deployments[n-1].updatedAt.After(last) {
		last = e.deployments[n-1].updatedAt
	}
	return last
}

// change records that the environment has changed.
func (e *Environment) change() {
	e.updatedAt = e.svc.now()
}

// stop stops the environment for a user. Unless forced, it runs the on_stop job and
// takes as long as StopTakes says.
func (e *Environment) stop(force bool, user *User) {
	switch {
	case e.state == "stopped":
		return
	case force:
		e.state = "stopped"
		e.change()
		return
	case e.state == "available":
		e.runOnStop(user)
		e.state = "stopping"
		e.stops++
		e.change()
	}
	if e.stopTakes == 0 {
		e.finishStop()
	} else {
		e.finishLater(e.stops)
	}
}

func (e *Environment) finishLater(stop int) {
	e.svc.later(e.stopTakes, func() {
		if e.state == "stopping" && e.stops == stop {
			e.finishStop()
		}
	})
}

// runOnStop starts the on_stop job, again if it has run before.
func (e *Environment) runOnStop(user *User) {
	if e.onStop == nil {
		return
	}
	if e.onStop.finished() {
		e.onStop = e.onStop.retry(user)
	}
	e.onStop.start()
}

// finishStop completes a stop: the environment is then stopped, or available
// again if the on_stop job has failed.
func (e *Environment) finishStop() {
	e.state = "stopped"
	if job := e.onStop; job != nil && job.status == "running" {
		job.end("success", "")
	} else if job != nil && job.status == "failed" {
		e.state = "available"
	}
	e.change()
}

// revive makes the environment available, because something was deployed to it.
func (e *Environment) revive() {
	e.state, e.deleteAt = "available", time.Time{}
	e.change()
}

// scheduleDeletion schedules the deletion of the environment. A deployment before then
// cancels it.
func (e *Environment) scheduleDeletion(after time.Duration) {
	at := e.svc.now().Add(after)
	e.deleteAt = at
	e.svc.later(after, func() {
		if e.deleteAt.Equal(at) {
			e.remove()
		}
	})
}

// remove deletes the environment with its deployments.
func (e *Environment) remove() {
	for _, d := range e.deployments {
		state[deploymentState](e.svc).deployments.remove(d.id)
		e.svc.touch(d)
	}
	e.deployments = nil
	state[environmentState](e.svc).environments.remove(e.id)
}

func (e *Environment) logsPath() string {
	logs := "k8s"
	if e.searchesLogs {
		logs = "elasticsearch"
	}
	return "/" + e.project.fullPath() + "/-/logs/" + logs + ".json?environment_name=" + url.QueryEscape(e.name)
}

// lastDeployment returns the JSON of the last deployment, or null.
func (e *Environment) lastDeployment() any {
	if n := len(e.deployments); n > 0 {
		return e.deployments[n-1].form()
	}
	return nil
}

// reviewApp returns the JSON of an environment in a cleanup.
func (e *Environment) reviewApp() *collection.Form {
	return inOrder("id", e.id, "name", e.name, "slug", e.slug(), "external_url", jsonText(e.externalURL),
		"created_at", jsonTime(e.createdAt), "updated_at", jsonTime(e.updatedAt))
}

type environmentOption func(*Environment)

func (f environmentOption) applyEnvironment(e *Environment) { f(e) }

func (o IDOption) applyEnvironment(e *Environment)        { e.id = int64(o) }
func (o CreatedAtOption) applyEnvironment(e *Environment) { e.createdAt = time.Time(o) }

// ExternalURL sets the URL of an environment. By default it has none.
func ExternalURL(url string) EnvironmentOption {
	return environmentOption(func(e *Environment) { e.externalURL = url })
}

// EnvironmentTier sets an environment's tier: production, staging, testing,
// development or other.
func EnvironmentTier(tier string) EnvironmentOption {
	return environmentOption(func(e *Environment) { e.tier = tier })
}

// EnvironmentState sets an environment's state: available (the default),
// stopping or stopped.
func EnvironmentState(state string) EnvironmentOption {
	return environmentOption(func(e *Environment) { e.state = state })
}

// SearchesLogs makes an environment whose logs can be searched.
func SearchesLogs() EnvironmentOption {
	return environmentOption(func(e *Environment) { e.searchesLogs = true })
}

// OnStop sets the job that stopping an environment starts, often a manual one.
// It succeeds when the environment is stopped. If the test makes it fail before
// that, the environment becomes available again.
func OnStop(job *Job) EnvironmentOption {
	return environmentOption(func(e *Environment) { e.onStop = job })
}

// StopTakes sets how long it takes to stop an environment, by the service's
// clock. By default, and if forced, it stops at once.
func StopTakes(d time.Duration) EnvironmentOption {
	return environmentOption(func(e *Environment) { e.stopTakes = d })
}

// Environments returns the project's environments, oldest first.
func (p *Project) Environments() []*Environment {
	defer p.svc.lock()()
	return p.environments(nil)
}

// ID returns the environment's ID.
func (e *Environment) ID() int64 { return e.id }

// Name returns the environment's name.
func (e *Environment) Name() string { return read(e.svc, &e.name) }

// State returns available, stopping or stopped.
func (e *Environment) State() string { return read(e.svc, &e.state) }

// Stop stops the environment as Root, without force, as the API does.
func (e *Environment) Stop() {
	defer e.svc.lock()()
	e.stop(false, e.svc.admin)
}

// SetState sets the environment's state, regardless of its current one.
func (e *Environment) SetState(state string) {
	defer e.svc.lock()()
	e.state = state
	e.change()
}

// OnStop returns the job that stopping the environment starts, or nil if there
// is none.
func (e *Environment) OnStop() *Job { return read(e.svc, &e.onStop) }

// DeletedAt returns when a cleanup of review apps will delete the environment,
// or the zero time if none will.
func (e *Environment) DeletedAt() time.Time { return read(e.svc, &e.deleteAt) }

// Deployments returns the deployments to the environment, oldest first.
func (e *Environment) Deployments() []*Deployment { return copied(e.svc, &e.deployments) }

// environmentPlace is where an environment runs, and other fields of newer
// releases.
type environmentPlace struct {
	description         string
	agent               *agent // that connects the cluster, or nil
	kubernetesNamespace string
	fluxResourcePath    string
	autoStopSetting     string
}
