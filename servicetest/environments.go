package servicetest

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

var environments = collection.Table[*call, *Project, Environment]{
	Name: "Environment",
	Home: (*call).project,
	Find: func(c *call, p *Project) (*Environment, *reply) {
		e, ok := state[environmentState](c.svc).environments.get(c.PathInt64("environment_id"))
		if !ok || e.project != p {
			return nil, frame.NotFound("Environment")
		}
		return e, nil
	},
	Fields: []collection.Field[Environment]{
		collection.Shown("id", (*Environment).ID),
		collection.Shown("name", func(e *Environment) string { return e.name }), // see Read
		collection.Shown("slug", (*Environment).slug),
		collection.Note("external_url", func(e *Environment) *string { return &e.externalURL }),
		collection.Shown("state", func(e *Environment) string { return e.state }),
		collection.Choice("tier", func(e *Environment) *string { return &e.tier }, environmentTiers...),
		collection.Moment("created_at", func(e *Environment) *time.Time { return &e.createdAt }).ReadOnly(),
		collection.Moment("updated_at", func(e *Environment) *time.Time { return &e.updatedAt }).ReadOnly(),
		collection.Shown("project", func(e *Environment) basicProject { return e.project.basic() }),
		collection.Note("description", func(e *Environment) *string { return &e.place.description }),
		collection.Shown("auto_stop_at", func(*Environment) any { return nil }),
		collection.Note("kubernetes_namespace", func(e *Environment) *string { return &e.place.kubernetesNamespace }),
		collection.Note("flux_resource_path", func(e *Environment) *string { return &e.place.fluxResourcePath }),
		collection.Shown("cluster_agent", func(e *Environment) *collection.Form {
			return collection.Show(agentFields, e.place.agent)
		}),
		collection.Choice("auto_stop_setting", func(e *Environment) *string { return &e.place.autoStopSetting },
			"always", "with_action"),
	},
	Filters: []collection.Filter[Environment]{
		collection.Equal("name", func(e *Environment) string { return e.name }),
		collection.Search("search", func(e *Environment) string { return e.name }),
		collection.Equal("states", func(e *Environment) string { return e.state }, "available", "stopping", "stopped"),
	},
	New:     func(_ *call, p *Project) *Environment { return p.draftEnvironment("") },
	Read:    (*call).readEnvironment,
	Check:   (*call).checkEnvironment,
	Add:     func(_ *call, _ *Project, e *Environment) { e.store() },
	Saved:   func(_ *call, _ *Project, e *Environment) { e.change() },
	Changed: func(e *Environment) time.Time { return e.updatedAt },
	Remove:  func(_ *call, _ *Project, e *Environment) { e.remove() },
	Extra: func(c *call, _ *Project, e *Environment, form *collection.Form) {
		if c.route.writes() {
			return // responses to changes show less
		}
		form.Add("enable_advanced_logs_querying", e.searchesLogs)
		form.Add("logs_api_path", e.logsPath())
		form.Add("last_deployment", e.lastDeployment())
	},
}

func listEnvironments(c *call, project *Project) *reply {
	c.Exclusive("name", "search")
	if n := utf8.RuneCountInString(c.String("search")); n > 0 && n < minSearch {
		return frame.BadRequest("Search query is less than 3 characters")
	}
	return environments.Page(c, project, project.environments(nil))
}

// readEnvironment reads the name, which a change cannot make empty, and checks the rest.
func (c *call) readEnvironment(_ *Project, draft *Environment, making bool) {
	if making {
		c.Require("name")
	}
	draft.name = either(c.String("name"), draft.name)
	draft.tier = either(draft.tier, tierOf(draft.name))
	address := c.String("external_url")
	if u, err := url.Parse(address); err != nil || address != "" &&
		(u.Host == "" || !strings.HasPrefix(u.Scheme, "http")) {
		c.Problem("external_url is invalid")
	}
	frame.Accept(c.Int64, "cluster_agent_id")
}

func (c *call) checkEnvironment(p *Project, draft, before *Environment) *reply {
	if before != nil {
		if refusal := c.Unchanged(before.updatedAt); refusal != nil {
			return refusal
		}
	}
	if c.String("name") != "" {
		if refusal := p.refuseEnvironment(draft.name, before); refusal != nil {
			return refusal
		}
	}
	if c.Has("cluster_agent_id") {
		id := c.Int64("cluster_agent_id")
		if draft.place.agent = p.agent(id); draft.place.agent == nil && id != 0 {
			return frame.BadRequest("cluster agent doesn't exist or cannot be accessed with your permissions")
		}
	}
	return nil
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

// mayDelete reports whether a caller with the Developer role may delete the
// environment.
func (e *Environment) mayDelete(user *User) bool {
	return !e.isProtected() || e.svc.projectLevel(user, e.project) >= Maintainer
}

func deleteEnvironment(c *call, _ *Project, e *Environment) *reply {
	if !e.mayDelete(c.user) || e.state != "stopped" {
		return frame.Forbidden("")
	}
	return environments.Delete(c)
}

func stopEnvironment(c *call, p *Project, e *Environment) *reply {
	force := c.Bool("force")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	e.stop(force, c.user)
	return c.OK(environments.Form(c, p, e))
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
	scheduled, unprocessable := []*collection.Form{}, []*collection.Form{}
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
