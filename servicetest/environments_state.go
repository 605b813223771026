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
		applyAgain(p.svc, &e.id, "an environment "+strconv.Quote(name), func() { apply(e, opts, EnvironmentOption.applyEnvironment) })
		return e
	}
	return p.newEnvironment(name, opts)
}

func (p *Project) newEnvironment(name string, opts []EnvironmentOption) *Environment {
	e := &Environment{
		svc: p.svc, project: p, name: name, state: "available", tier: tierOf(name), createdAt: p.svc.now(),
		place: environmentPlace{autoStopSetting: "always"},
	}
	apply(e, opts, EnvironmentOption.applyEnvironment)
	e.updatedAt = e.createdAt
	seed(p.svc, &state[environmentState](p.svc).environments, &e.id, e, "an environment")
	return e
}

// environments returns the environments of the project for which keep reports
// true, oldest first.
func (p *Project) environments(keep func(*Environment) bool) []*Environment {
	return state[environmentState](p.svc).environments.all(func(e *Environment) bool {
		return e.project == p && keep(e)
	})
}

// environment returns the environment with a name, or nil if there is none.
func (p *Project) environment(name string) *Environment {
	for _, e := range p.environments(func(e *Environment) bool { return e.name == name }) {
		return e
	}
	return nil
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
	e.svc.after(e.stopTakes, func() {
		defer e.svc.lock()()
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
		job.finish("success", "")
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
	e.svc.after(after, func() {
		defer e.svc.lock()()
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

// environmentCore is the JSON of an environment that was created, changed or
// stopped.
type environmentCore struct {
	ID          int64    `json:"id"`
	Name        string   `json:"name"`
	Slug        string   `json:"slug"`
	ExternalURL jsonText `json:"external_url"`
	State       string   `json:"state"`
	Tier        string   `json:"tier"`
	CreatedAt   jsonTime `json:"created_at"`
	UpdatedAt   jsonTime `json:"updated_at"`
	// Project is the project in its short form.
	Project basicProject `json:"project"`

	placeJSON
}

// environmentObject is the JSON of an environment in a list or on its own.
type environmentObject struct {
	environmentCore

	EnableAdvancedLogsQuerying bool              `json:"enable_advanced_logs_querying"`
	LogsAPIPath                string            `json:"logs_api_path"`
	LastDeployment             *deploymentObject `json:"last_deployment"`
}

// reviewApp is the JSON of an environment in a cleanup.
type reviewApp struct {
	ID          int64    `json:"id"`
	Name        string   `json:"name"`
	Slug        string   `json:"slug"`
	ExternalURL jsonText `json:"external_url"`
	CreatedAt   jsonTime `json:"created_at"`
	UpdatedAt   jsonTime `json:"updated_at"`
}

func (e *Environment) core() *environmentCore {
	return &environmentCore{
		ID: e.id, Name: e.name, Slug: e.slug(), ExternalURL: jsonText(e.externalURL), State: e.state, Tier: e.tier,
		CreatedAt: jsonTime(e.createdAt), UpdatedAt: jsonTime(e.updatedAt), Project: e.project.basic(),
		placeJSON: e.place.json(),
	}
}

func (e *Environment) object() *environmentObject {
	logs := "k8s"
	if e.searchesLogs {
		logs = "elasticsearch"
	}
	o := &environmentObject{
		environmentCore: *e.core(), EnableAdvancedLogsQuerying: e.searchesLogs,
		LogsAPIPath: "/" + e.project.fullPath() + "/-/logs/" + logs + ".json?environment_name=" +
			url.QueryEscape(e.name),
	}
	if n := len(e.deployments); n > 0 {
		o.LastDeployment = e.deployments[n-1].object()
	}
	return o
}

func (e *Environment) reviewApp() reviewApp {
	return reviewApp{e.id, e.name, e.slug(), jsonText(e.externalURL), jsonTime(e.createdAt), jsonTime(e.updatedAt)}
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
	return p.environments(func(*Environment) bool { return true })
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

// placeOfEnvironment returns a place with the changes that the call makes.
func (c *call) placeOfEnvironment(p *Project, before environmentPlace) (environmentPlace, *reply) {
	place := before
	for name, into := range map[string]*string{
		"description": &place.description, "kubernetes_namespace": &place.kubernetesNamespace,
		"flux_resource_path": &place.fluxResourcePath,
	} {
		if c.Has(name) {
			*into = c.String(name)
		}
	}
	place.autoStopSetting = either(c.StringIn("auto_stop_setting", "always", "with_action"), place.autoStopSetting)
	id := c.Int64("cluster_agent_id")
	if refusal := c.Refusal(); refusal != nil {
		return place, refusal
	}
	if !c.Has("cluster_agent_id") {
		return place, nil
	}
	if place.agent = p.agent(id); place.agent == nil && id != 0 {
		return place, frame.BadRequest("cluster agent doesn't exist or cannot be accessed with your permissions")
	}
	return place, nil
}

// placeJSON has the members of an environment about its place.
type placeJSON struct {
	Description         jsonText         `json:"description"`
	AutoStopAt          jsonTime         `json:"auto_stop_at"`
	KubernetesNamespace jsonText         `json:"kubernetes_namespace"`
	FluxResourcePath    jsonText         `json:"flux_resource_path"`
	ClusterAgent        *collection.Form `json:"cluster_agent"`
	AutoStopSetting     string           `json:"auto_stop_setting"`
}

func (p environmentPlace) json() placeJSON {
	return placeJSON{
		Description: jsonText(p.description), KubernetesNamespace: jsonText(p.kubernetesNamespace),
		FluxResourcePath: jsonText(p.fluxResourcePath), ClusterAgent: collection.Show(agentFields, p.agent),
		AutoStopSetting: p.autoStopSetting,
	}
}
