package servicetest

import (
	"slices"
	"strings"

	"example.com/serviceapi/servicetest/internal/frame"
)

// currentScopes are the values of the deprecated parameter scope. The list of
// all runners supports more.
var currentScopes = []string{"active", "paused", "online", "offline"}

// runnerPage returns a page of the runners that keep and the filters of the
// query select. Without scopes, that parameter is ignored.
func (c *call) runnerPage(scopes []string, keep func(*Runner) bool) *reply {
	f := runnerFilter{
		kind:   c.OneOf("type", "instance_type", "group_type", "project_type"),
		status: c.OneOf("status", "online", "offline", "stale", "never_contacted", "active", "paused"),
		tags:   c.List("tag_list"),
	}
	if scopes != nil {
		f.scope = c.OneOf("scope", scopes...)
	}
	f.version = c.Str("version_prefix")
	if c.Has("paused") {
		f.paused = new(c.Bool("paused", false))
	}
	runners := state[runnerState](c.svc).runners.all(func(r *Runner) bool { return keep(r) && f.keeps(r) })
	return frame.ListOf(c, runners, (*Runner).summary)
}

type runnerFilter struct {
	kind, status, scope string
	version             string // a prefix of the runner's version
	paused              *bool
	tags                []string
}

func (f runnerFilter) keeps(r *Runner) bool {
	for _, tag := range f.tags {
		if !slices.Contains(r.tags, tag) {
			return false
		}
	}
	return strings.HasPrefix(r.version, f.version) && (f.kind == "" || f.kind == r.kind) && (f.paused == nil || *f.paused == r.paused) &&
		r.matches(f.status) && r.matches(f.scope)
}

// matches reports whether a runner has a value of status or scope. An empty
// value always matches.
func (r *Runner) matches(value string) bool {
	switch value {
	case "":
		return true
	case "active":
		return !r.paused
	case "paused":
		return r.paused
	case "specific":
		return r.kind != "instance_type"
	case "shared":
		return r.kind == "instance_type"
	}
	return r.status == value
}
