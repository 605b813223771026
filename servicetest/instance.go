package servicetest

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.com/serviceapi/servicetest/internal/frame"
)

// planNames are the plans that the API knows. An instance has some of them, by its tier.
var planNames = strings.Fields("default free bronze silver premium gold ultimate ultimate_trial " +
	"ultimate_trial_paid_customer premium_trial opensource")

// planDefaults are the limits of a plan that nobody changed.
var planDefaults = map[string]int64{
	"ci_instance_level_variables": 25, "ci_pipeline_size": 0, "ci_active_jobs": 0, "ci_project_subscriptions": 2,
	"ci_pipeline_schedules": 10, "ci_needs_size_limit": 50, "ci_registered_group_runners": 1000,
	"ci_registered_project_runners": 1000, "conan_max_file_size": 3221225472, "maven_max_file_size": 3221225472,
	"pypi_max_file_size": 3221225472, "generic_packages_max_file_size": 5368709120, "helm_max_file_size": 5242880,
	"npm_max_file_size": 524288000, "nuget_max_file_size": 524288000, "terraform_module_max_file_size": 1073741824,
	"dotenv_size": 5120, "dotenv_variables": 20, "pipeline_hierarchy_size": 1000, "enforcement_limit": 0,
	"notification_limit": 0, "storage_size_limit": 0, "web_hook_calls": 0, "web_hook_calls_low": 0,
	"web_hook_calls_mid": 0,
}

// storageLimits are in ascending order, and have a history.
var storageLimits = []string{"storage_size_limit", "notification_limit", "enforcement_limit"}

// A plan has the limits that were changed.
type plan struct {
	limits  map[string]int64
	history map[string][]object
}

type planState struct{ plans map[string]*plan }

// plan returns the plan that a call names.
func (c *call) plan() (*plan, *reply) {
	name := either(c.StringIn("plan_name", planNames...), "default")
	if refusal := c.Refusal(); refusal != nil {
		return nil, refusal
	}
	if name != "default" && (!c.hasTier(Premium) || !slices.Contains([]string{"free", "premium", "ultimate"}, name)) {
		return nil, frame.NotFound("Plan")
	}
	all := state[planState](c.svc)
	if all.plans[name] == nil {
		put(&all.plans, name, &plan{maps.Clone(planDefaults), make(map[string][]object)})
	}
	return all.plans[name], nil
}

func (p *plan) form() object {
	form := object{"limits_history": p.history}
	for name, limit := range p.limits {
		form[name] = limit
	}
	return form
}

func getPlanLimits(c *call, p *plan) *reply { return c.OK(p.form()) }

func changePlanLimits(c *call, p *plan) *reply {
	c.Require("plan_name")
	draft := maps.Clone(p.limits)
	for limit := range planDefaults {
		if c.Given(limit) {
			draft[limit] = c.Int64(limit)
		}
	}
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	for i, name := range storageLimits[:2] {
		for _, above := range storageLimits[i+1:] {
			if draft[above] != 0 && draft[name] > draft[above] {
				return frame.FieldErrors(name, fmt.Sprintf("must be less than or equal to the %s (%d)",
					strings.ReplaceAll(above, "_", " "), draft[above]))
			}
		}
	}
	for _, name := range storageLimits {
		if draft[name] != p.limits[name] {
			p.history[name] = append(p.history[name], object{"user_id": c.user.id, "username": c.user.username,
				"timestamp": c.now().Unix(), "value": draft[name]})
		}
	}
	p.limits = draft
	return c.OK(p.form())
}

// getStatistics counts what the instance has, as text.
func getStatistics(c *call) *reply {
	counts := map[string]int{
		"users": c.svc.users.len(), "groups": c.svc.groups.len(), "projects": c.svc.projects.len(),
		"active_users": c.svc.activeUsers(), "milestones": state[milestoneState](c.svc).milestones.len(),
		"issues": state[issueState](c.svc).issues.len(), "snippets": state[snippetState](c.svc).snippets.len(),
		"ssh_keys": state[sshKeyState](c.svc).keys.len(), "notes": int(state[noteState](c.svc).notes),
		"merge_requests": state[mergeRequestState](c.svc).requests.len(),
		"forks":          len(c.svc.projects.all(func(p *Project) bool { return p.forkedFrom != nil })),
	}
	form := object{}
	for name, n := range counts {
		form[name] = withThousands(n)
	}
	return c.OK(form)
}

// withThousands writes a number as 12,345.
func withThousands(n int) string {
	text := fmt.Sprint(n)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

// sidekiqParts are the numbers of background jobs. Nothing is behind them.
func (c *call) sidekiqParts() object {
	queues := []string{"default", "mailers"}
	return object{
		"queues": object{"default": object{"backlog": 0, "latency": 0}, "mailers": object{"backlog": 2, "latency": 1}},
		"processes": []object{{"hostname": "worker-1", "pid": 71, "tag": "service", "labels": []string{},
			"started_at": jsonTime(c.svc.admin.createdAt), "queues": queues, "concurrency": 20, "busy": 1}},
		"jobs": object{"processed": 1200, "failed": 3, "enqueued": 2, "dead": 0},
	}
}

// onSidekiq makes a handler that shows some of the numbers.
func onSidekiq(parts ...string) handler {
	return func(c *call) *reply {
		form := c.sidekiqParts()
		maps.DeleteFunc(form, func(part string, _ any) bool { return !slices.Contains(parts, part) })
		return c.OK(form)
	}
}

var sidekiqFilters = []string{"user", "user_id", "project", "root_namespace", "organization_id", "subscription_plan",
	"caller_id", "client_id", "job_id", "pipeline_id", "feature_category", "worker_class"}

func deleteSidekiqJobs(c *call) *reply {
	frame.Accept(c.String, sidekiqFilters...)
	if !slices.ContainsFunc(sidekiqFilters, func(name string) bool { return c.String(name) != "" }) {
		c.Problem(strings.Join(sidekiqFilters, ", ") + " are missing, at least one parameter must be provided")
	}
	name := c.PathString("queue_name")
	queue, known := c.sidekiqParts()["queues"].(object)[name].(object)
	switch {
	case c.Refusal() != nil:
		return c.Refusal()
	case !known:
		return frame.NotFound(name)
	}
	return c.OK(object{"completed": true, "deleted_jobs": 0, "queue_size": queue["backlog"]})
}

// usageForm is what the instance counts.
func (c *call) usageForm() object {
	return object{"recorded_at": jsonTime(c.now()), "version": c.svc.settings.version, "uuid": nil,
		"hostname": c.svc.hostname(), "edition": "EE", "active_user_count": c.svc.activeUsers(), "license": object{},
		"counts": object{"projects": c.svc.projects.len(), "groups": c.svc.groups.len()}}
}

func getServicePing(c *call) *reply { return c.OK(c.usageForm()) }

// onUsage makes a handler that a feature of the instance has, with other counts.
func onUsage(feature string, counts object) handler {
	return func(c *call) *reply {
		if !c.svc.feature(feature) {
			return frame.NotFoundUnnamed()
		}
		form := c.usageForm()
		form["counts"] = counts
		return c.OK(form)
	}
}

func downloadMetricDefinitions(c *call) *reply {
	text := "- key_path: counts.projects\n  description: Count of projects\n"
	if c.Bool("include_paths") {
		text += "  file_path: config/metrics/counts_all/projects.yml\n"
	}
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	return textContent([]byte(text), c.now()).reply(c, "metrics.yml", "application/yaml")
}

// onEvents makes a handler that accepts an event, or a list of them.
func onEvents(list bool) handler {
	return func(c *call) *reply {
		events := []fields{c.Fields}
		if list {
			c.Require("events")
			events = c.Subs("events")
		}
		if len(events) > 50 {
			return frame.Message(400, "Maximum 50 events allowed in one request.")
		}
		for _, f := range events {
			f.Require("event")
			frame.Accept(f.String, "event")
			frame.Accept(f.Int64, "namespace_id", "project_id")
			frame.Accept(f.Sub, "additional_properties")
			frame.Accept(f.Bool, "send_to_snowplow")
		}
		return cmp.Or(c.Refusal(), frame.JSONReply(200, 200))
	}
}

// pendingMigration is the version of the one migration that waits to be marked.
const pendingMigration = 20260115090000

type migrationState struct {
	marked bool
	status string // of the batched one
}

// migrations returns the state of the migrations. It refuses databases that the instance does not have.
func (c *call) migrations() (*migrationState, *reply) {
	frame.AcceptIn(c.StringIn, "database", "main", "ci")
	frame.Accept(c.String, "job_class_name") // of batched ones
	all := state[migrationState](c.svc)
	all.status = either(all.status, "active")
	return all, c.Refusal()
}

func markMigration(c *call, all *migrationState) *reply {
	switch {
	case c.PathInt64("version") != pendingMigration:
		return frame.NotFound("")
	case all.marked:
		return frame.Unprocessable("You can mark only pending migrations")
	}
	all.marked = true
	return frame.Message(201, "201 Created")
}

func (m *migrationState) batched(c *call) object {
	return object{"id": 1, "job_class_name": "BackfillNames", "table_name": "projects", "column_name": "id",
		"status": m.status, "progress": 12.5, "created_at": jsonTime(c.svc.admin.createdAt),
		"estimated_time_remaining": "1 day"}
}

func listBatchedMigrations(c *call, all *migrationState) *reply {
	if class := c.String("job_class_name"); c.String("database") == "ci" || class != "" && class != "BackfillNames" {
		return c.OK([]object{})
	}
	return c.OK([]object{all.batched(c)})
}

// onBatchedMigration makes a handler for the one batched migration. A verb changes its status.
func onBatchedMigration(verb string) handler {
	ends := map[string][2]string{"pause": {"active", "paused"}, "resume": {"paused", "active"}}[verb]
	return with((*call).migrations, func(c *call, all *migrationState) *reply {
		switch {
		case c.PathInt64("id") != 1 || c.String("database") == "ci":
			return frame.NotFound("")
		case verb != "" && all.status != ends[0]:
			return frame.Unprocessable("You can " + verb + " only `" + ends[0] + "` batched background migrations.")
		}
		all.status = either(ends[1], all.status)
		return c.OK(all.batched(c))
	})
}

// onSearchMigrations makes a handler for the one migration of the search index, or for a list of it.
func onSearchMigrations(list bool) handler {
	return func(c *call) *reply {
		at := jsonTime(c.svc.admin.createdAt)
		form := object{"version": int64(20230427555555), "name": "BackfillHiddenOnMergeRequests", "started_at": at,
			"completed_at": at, "completed": true, "obsolete": false, "migration_state": object{}}
		switch wanted := c.Path["version_or_name"]; {
		case !c.svc.instance().flag("elasticsearch_indexing"):
			return frame.BadRequest("indexing is not enabled")
		case list:
			return c.OK([]object{form})
		case wanted != "20230427555555" && wanted != form["name"]:
			return frame.NotFound("")
		}
		return c.OK(form)
	}
}
