package servicetest

import (
	"cmp"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"example.com/serviceapi/servicetest/internal/frame"
)

// findEnvironment returns the environment of the path.
func (c *call) findEnvironment() (*Environment, *reply) {
	project, refusal := c.project()
	if refusal != nil {
		return nil, refusal
	}
	e, ok := state[environmentState](c.svc).environments.get(c.PathInt64("environment_id"))
	if !ok || e.project != project {
		return nil, frame.NotFound("Environment")
	}
	return e, nil
}

func listEnvironments(c *call, project *Project) *reply {
	c.Exclusive("name", "search")
	name, search := c.String("name"), c.String("search")
	if n := utf8.RuneCountInString(search); n > 0 && n < minSearch {
		return frame.BadRequest("Search query is less than 3 characters")
	}
	states := c.StringIn("states", "available", "stopping", "stopped")
	found := project.environments(func(e *Environment) bool {
		return (name == "" || e.name == name) && frame.ContainsFold(e.name, search) &&
			(states == "" || e.state == states)
	})
	return frame.ListOf(c, found, (*Environment).object)
}

func getEnvironment(c *call, e *Environment) *reply { return c.OK(e.object()) }

func createEnvironment(c *call, project *Project) *reply {
	name, tier := c.RequiredString("name"), c.StringIn("tier", environmentTiers...)
	address := c.externalURL()
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if refusal := project.refuseEnvironment(name, nil); refusal != nil {
		return refusal
	}
	place, refusal := c.placeOfEnvironment(project, environmentPlace{autoStopSetting: "always"})
	if refusal != nil {
		return refusal
	}
	e := project.newEnvironment(name, []EnvironmentOption{ExternalURL(address)})
	e.tier, e.place = cmp.Or(tier, e.tier), place
	return c.Created(e.core())
}

const (
	minSearch          = 3 // characters of a search for environments
	maxEnvironmentName = 255
)

// environmentName matches the valid names of environments.
var environmentName = regexp.MustCompile(`^[a-zA-Z0-9 _/${}.-]+$`)

// refuseEnvironment refuses a name that is not valid or that another environment has.
func (p *Project) refuseEnvironment(name string, self *Environment) *reply {
	var problems []string
	if !environmentName.MatchString(name) || strings.HasPrefix(name, "/") || strings.HasSuffix(name, "/") {
		problems = append(problems, "can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', and "+
			"spaces, but it cannot start or end with '/'")
	}
	if utf8.RuneCountInString(name) > maxEnvironmentName {
		problems = append(problems, "is too long (maximum is 255 characters)")
	}
	if other := p.environment(name); other != nil && other != self {
		problems = append(problems, "has already been taken")
	}
	if problems == nil {
		return nil
	}
	return frame.FieldErrors("name", problems...)
}

// externalURL reads the parameter external_url, which must be a URL.
func (c *call) externalURL() string {
	address := c.String("external_url")
	if u, err := url.Parse(address); err != nil || address != "" &&
		(u.Host == "" || !strings.HasPrefix(u.Scheme, "http")) {
		c.Problem("external_url is invalid")
	}
	return address
}

func updateEnvironment(c *call, e *Environment) *reply {
	if refusal := c.Unchanged(e.updatedAt); refusal != nil {
		return refusal
	}
	name, tier := c.String("name"), c.StringIn("tier", environmentTiers...)
	address := c.externalURL()
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if name != "" {
		if refusal := e.project.refuseEnvironment(name, e); refusal != nil {
			return refusal
		}
	}
	place, refusal := c.placeOfEnvironment(e.project, e.place)
	if refusal != nil {
		return refusal
	}
	e.name, e.tier, e.place = cmp.Or(name, e.name), cmp.Or(tier, e.tier), place
	if c.Has("external_url") {
		e.externalURL = address
	}
	e.change()
	return c.OK(e.core())
}

// mayDelete reports whether a caller with the Developer role may delete the
// environment.
func (e *Environment) mayDelete(user *User) bool {
	return !e.isProtected() || e.svc.projectLevel(user, e.project) >= Maintainer
}

func deleteEnvironment(c *call, e *Environment) *reply {
	if !e.mayDelete(c.user) || e.state != "stopped" {
		return frame.Forbidden("")
	}
	if refusal := c.Unchanged(e.updatedAt); refusal != nil {
		return refusal
	}
	e.remove()
	return c.NoContent()
}

func stopEnvironment(c *call, e *Environment) *reply {
	force := c.Bool("force")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	e.stop(force, c.user)
	return c.OK(e.core())
}

// stopStaleEnvironments stops the available, unprotected environments that have not
// been deployed to or changed since a date.
func stopStaleEnvironments(c *call, project *Project) *reply {
	c.Require("before")
	before, now := c.Time("before"), c.now()
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if before.Before(now.AddDate(-10, 0, 0)) || before.After(now.AddDate(0, 0, -7)) {
		return frame.BadRequest("Invalid Date")
	}
	for _, e := range project.environments(func(e *Environment) bool {
		return e.state == "available" && !e.isProtected() && e.lastActivity().Before(before)
	}) {
		e.stop(false, c.user)
	}
	return c.OK(object{"message": "Successfully requested stop for all stale environments"})
}

const (
	reviewAppAge     = 30 * 24 * time.Hour // by default, a cleanup spares younger ones
	reviewAppLimit   = 100                 // of one cleanup, by default
	reviewAppRespite = 7 * 24 * time.Hour  // from the call to the deletion
)

// cleanUpReviewApps schedules the oldest stopped review apps for deletion. A dry run,
// the default, does not.
func cleanUpReviewApps(c *call, project *Project) *reply {
	before, limit, dryRun := c.Time("before"), c.Int64("limit"), c.BoolOr("dry_run", true)
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if before.IsZero() {
		before = c.now().Add(-reviewAppAge)
	}
	if limit <= 0 {
		limit = reviewAppLimit
	}
	scheduled, unprocessable := []reviewApp{}, []reviewApp{}
	for _, e := range project.oldReviewApps(before, limit) {
		if !e.mayDelete(c.user) {
			unprocessable = append(unprocessable, e.reviewApp())
			continue
		}
		scheduled = append(scheduled, e.reviewApp())
		if !dryRun {
			e.scheduleDeletion(reviewAppRespite)
		}
	}
	answer := object{"scheduled_entries": scheduled, "unprocessable_entries": unprocessable}
	if dryRun {
		return c.OK(answer)
	}
	return c.Accepted(answer)
}

// oldReviewApps returns the oldest of the review apps that are stopped, were
// created before a time, and are not yet scheduled for deletion.
func (p *Project) oldReviewApps(before time.Time, limit int64) []*Environment {
	found := p.environments(func(e *Environment) bool {
		return e.state == "stopped" && strings.HasPrefix(e.name, reviewFolder) && e.createdAt.Before(before) &&
			e.deleteAt.IsZero()
	})
	slices.SortStableFunc(found, func(a, b *Environment) int { return a.createdAt.Compare(b.createdAt) })
	return found[:min(int64(len(found)), limit)]
}
