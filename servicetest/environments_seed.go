package servicetest

import "time"

type environmentOption func(*Environment)

func (f environmentOption) applyEnvironment(e *Environment) { f(e) }

func (o IDOption) applyEnvironment(e *Environment)        { e.id = int64(o) }
func (o CreatedAtOption) applyEnvironment(e *Environment) { e.createdAt = time.Time(o).UTC() }

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

// EnvironmentProtected makes an environment that only a Maintainer may delete.
// For other users, the cleanup of review apps lists it as unprocessable.
func EnvironmentProtected() EnvironmentOption {
	return environmentOption(func(e *Environment) { e.protected = true })
}

// SearchesLogs makes an environment that supports searching its logs.
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
func (e *Environment) Name() string {
	defer e.svc.lock()()
	return e.name
}

// State returns available, stopping or stopped.
func (e *Environment) State() string {
	defer e.svc.lock()()
	return e.state
}

// Stop stops the environment as Root, without force, as the API does.
func (e *Environment) Stop() {
	defer e.svc.lock()()
	e.stop(false, e.svc.admin)
}

// SetState sets the environment's state, whatever it is now.
func (e *Environment) SetState(state string) {
	defer e.svc.lock()()
	e.state = state
	e.change()
}

// OnStop returns the job that stopping the environment starts, or nil if there
// is none.
func (e *Environment) OnStop() *Job {
	defer e.svc.lock()()
	return e.onStop
}

// DeletedAt returns when a cleanup of review apps will delete the environment,
// or the zero time if none will.
func (e *Environment) DeletedAt() time.Time {
	defer e.svc.lock()()
	return e.deleteAt
}

// Deployments returns the deployments to the environment, oldest first.
func (e *Environment) Deployments() []*Deployment {
	defer e.svc.lock()()
	return append([]*Deployment(nil), e.deployments...)
}
