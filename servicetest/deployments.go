package servicetest

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

var deployments = collection.Table[*call, *Project, Deployment]{
	Home: (*call).project,
	Find: func(c *call, p *Project) (*Deployment, *reply) {
		d, ok := state[deploymentState](c.svc).deployments.get(c.PathInt64("deployment_id"))
		if !ok || d.environment.project != p {
			return nil, frame.NotFound("Deployment")
		}
		c.found(d)
		return d, nil
	},
	Fields: []collection.Field[Deployment]{
		collection.Shown("id", (*Deployment).ID),
		collection.Shown("iid", (*Deployment).IID),
		collection.Shown("ref", func(d *Deployment) string { return d.ref }),
		collection.Shown("sha", (*Deployment).SHA),
		collection.Moment("created_at", func(d *Deployment) *time.Time { return &d.createdAt }),
		collection.Moment("updated_at", func(d *Deployment) *time.Time { return &d.updatedAt }),
		collection.Shown("status", func(d *Deployment) string { return d.status }),
		collection.Shown("user", func(d *Deployment) *userSummary { return d.user.summary() }),
		collection.Shown("environment", func(d *Deployment) *collection.Form {
			e := d.environment
			return inOrder("id", e.id, "name", e.name, "external_url", jsonText(e.externalURL),
				"created_at", jsonTime(e.createdAt), "updated_at", jsonTime(e.updatedAt))
		}),
		collection.Shown("deployable", func(d *Deployment) *collection.Form { return d.job.deployable() }),
	},
	Filters: []collection.Filter[Deployment]{
		collection.Equal("environment", func(d *Deployment) string { return d.environment.name }),
		collection.Equal("status", func(d *Deployment) string { return d.status }, "created", "running", "success",
			"failed", "canceled", "blocked"),
		collection.Span("updated_after", "updated_before", func(d *Deployment) time.Time { return d.updatedAt }),
		collection.Span("finished_after", "finished_before", func(d *Deployment) time.Time { return d.endedAt }),
	},
	Extra: func(_ *call, _ *Project, d *Deployment, form *collection.Form) { d.showApprovals(form) },
}

var deploymentOrders = []collection.Order[Deployment]{
	collection.By("id", (*Deployment).ID),
	collection.By("iid", (*Deployment).IID),
	collection.ByTime("created_at", func(d *Deployment) time.Time { return d.createdAt }),
	collection.ByTime("updated_at", func(d *Deployment) time.Time { return d.updatedAt }),
	collection.ByTime("finished_at", func(d *Deployment) time.Time { return d.endedAt }),
	collection.By("ref", func(d *Deployment) string { return d.ref }),
}

// listDeployments lists deployments. Newer releases filter by the end only for successful
// deployments in that order.
func listDeployments(c *call, project *Project) *reply {
	after, before := c.Time("finished_after"), c.Time("finished_before")
	switch byEnd := !after.IsZero() || !before.IsZero(); {
	case c.Refusal() != nil:
		return c.Refusal()
	case byEnd && c.String("status") != "success":
		return frame.BadRequest("`finished_at` filter must be combined with `success` status filter.")
	case byEnd && c.String("order_by") != "finished_at":
		return frame.BadRequest("`finished_at` filter requires `finished_at` sort.")
	}
	found := state[deploymentState](c.svc).deployments.all(func(d *Deployment) bool {
		return d.environment.project == project
	})
	collection.Sort(c.Fields, found, "asc", (*Deployment).ID, deploymentOrders)
	return deployments.Page(c, project, found)
}

// givenStatuses are the statuses that a caller may give a deployment.
var givenStatuses = []string{"running", "success", "failed", "canceled"}

// requiredStatus reads the parameter status. A missing one is not valid, either.
func (c *call) requiredStatus(allowed ...string) string {
	c.Require("status")
	if !c.Given("status") {
		c.Problem("status does not have a valid value")
	}
	return c.StringIn("status", allowed...)
}

// createDeployment records a deployment that no job made. It makes the environment if
// there is none.
func createDeployment(c *call, project *Project) *reply {
	c.Require("environment", "sha", "ref", "tag")
	d := &Deployment{
		user: c.user, sha: c.String("sha"), ref: c.String("ref"), tag: c.Bool("tag"),
		status: c.requiredStatus(givenStatuses...),
	}
	name := c.String("environment")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if c := project.repository().Commit(d.sha); c == nil {
		return frame.FieldErrors("sha", "The commit does not exist")
	}
	e := project.environment(name)
	if e == nil {
		if refusal := project.refuseEnvironment(name, nil); refusal != nil {
			return refusal
		}
		e = project.draftEnvironment(name)
		e.tier = tierOf(name)
	}
	if !e.mayDeploy(c.user) {
		return frame.Forbidden("")
	}
	if e.id == 0 {
		e.store()
	}
	if d.environment = e; e.needsApprovals() {
		d.status = "blocked"
	}
	d.store()
	return c.Created(d.form())
}

func updateDeployment(c *call, _ *Project, d *Deployment) *reply {
	if refusal := c.Unchanged(d.updatedAt); refusal != nil {
		return refusal
	}
	status := c.requiredStatus(givenStatuses...)
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	switch {
	case d.job != nil: // its status follows its job
		return frame.Forbidden("")
	case !d.environment.mayDeploy(c.user):
		return frame.Forbidden("")
	case d.pending() > 0:
		return frame.FieldErrors("status", "cannot change before the deployment is approved")
	case status == "running" && d.ended():
		return frame.FieldErrors("status", `cannot transition via "run"`)
	}
	d.become(status, c.now())
	return c.OK(d.form())
}

func deleteDeployment(c *call, _ *Project, d *Deployment) *reply {
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
	c.svc.touch(d)
	return c.NoContent()
}

// listDeployedRequests lists the merge requests that a deployment was the first
// to deploy to its environment.
func listDeployedRequests(c *call, _ *Project, d *Deployment) *reply {
	return c.mergeRequestPage(d.requests)
}

// A decision is somebody's approval or rejection of a deployment.
type decision struct {
	user      *User
	status    string // approved or rejected
	comment   string
	createdAt time.Time
	rule      int64 // the ID of the rule that it counts for, or 0 without rules
}

// ruleFor returns the ID of the rule that the caller's decision counts for. An
// environment without rules has a single rule for everybody, 0.
func (c *call) ruleFor(d *Deployment, representedAs string) (int64, *reply) {
	rules, _ := d.environment.approvalRules()
	if len(rules) == 0 {
		return 0, nil
	}
	mine := false
	for _, rule := range rules {
		if !rule.includes(c.user, d.environment.project) {
			continue
		}
		mine = true
		if representedAs == "" || rule.isNamed(representedAs) {
			return rule.id, nil
		}
	}
	if mine {
		return 0, frame.BadRequest("There are no rules for the given `represented_as` parameter")
	}
	return 0, frame.Forbidden("You don't have permission to review this deployment")
}

// isNamed reports whether represented_as names the rule: by its user, group or role.
func (l protectionLevel) isNamed(text string) bool {
	isRole := l.user == nil && l.group == nil
	return strings.EqualFold(l.description(), text) || isRole && strings.EqualFold(l.level.String(), text)
}

// decideDeployment records an approval or a rejection.
func decideDeployment(c *call, _ *Project, d *Deployment) *reply {
	status, comment := c.requiredStatus("approved", "rejected"), c.String("comment")
	representedAs := c.String("represented_as")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	rule, refusal := c.ruleFor(d, representedAs)
	if refusal != nil {
		return refusal
	}
	if d.status != "blocked" {
		return frame.BadRequest("This deployment is not blocked")
	}
	if status == "approved" && d.user == c.user {
		return frame.Message(http.StatusBadRequest, "You cannot approve your own deployment.")
	}
	made := decision{user: c.user, status: status, comment: comment, createdAt: c.now(), rule: rule}
	return c.Created(d.decide(made).json())
}

// decide stores a decision. It replaces an earlier decision of the same user.
// Repeating a decision changes nothing.
func (d *Deployment) decide(made decision) decision {
	at := slices.IndexFunc(d.decisions, func(other decision) bool {
		return other.user == made.user && other.rule == made.rule
	})
	switch {
	case at < 0:
		d.decisions = append(d.decisions, made)
	case d.decisions[at].status == made.status:
		return d.decisions[at]
	default:
		d.decisions[at] = made
	}
	if d.pending() == 0 && d.environment.needsApprovals() && d.status == "blocked" {
		d.become("created", made.createdAt)
	}
	return made
}

func (d decision) json() *collection.Form {
	return inOrder("user", d.user.summary(), "status", d.status, "created_at", jsonTime(d.createdAt),
		"comment", jsonText(d.comment))
}

// approvalJSON returns the JSON of a rule with the decisions that count for it.
func (l protectionLevel) approvalJSON(approvals []*collection.Form) *collection.Form {
	var user, group, level any
	switch {
	case l.user != nil:
		user = l.user.id
	case l.group != nil:
		group = l.group.id
	default:
		level = l.level
	}
	inheritance := 1
	if l.onlyDirect {
		inheritance = 0
	}
	return inOrder("id", l.id, "user_id", user, "group_id", group, "access_level", level,
		"access_level_description", l.description(), "required_approvals", l.required,
		"group_inheritance_type", inheritance, "deployment_approvals", approvals)
}

func (d *Deployment) form() *collection.Form {
	form := collection.Show(deployments.Fields, d)
	d.showApprovals(form)
	return form
}

// showApprovals adds what the Premium tier shows: the decisions as a list, or by rule if there
// are several rules.
func (d *Deployment) showApprovals(form *collection.Form) {
	if d.svc.settings.tier < Premium {
		return
	}
	form.Add("pending_approval_count", d.pending())
	rules, _ := d.environment.approvalRules()
	if len(rules) == 0 {
		form.Add("approvals", d.approvalsFor(0))
		return
	}
	form.Add("approval_summary", object{"rules": mapped(rules, func(l protectionLevel) *collection.Form {
		return l.approvalJSON(d.approvalsFor(l.id))
	})})
}

func (d *Deployment) approvalsFor(rule int64) []*collection.Form {
	others := func(made decision) bool { return made.rule != rule }
	return mapped(slices.DeleteFunc(slices.Clone(d.decisions), others), decision.json)
}

// pending returns the number of approvals that a blocked deployment still needs.
func (d *Deployment) pending() int64 {
	if d.status != "blocked" {
		return 0
	}
	rules, required := d.environment.approvalRules()
	if len(rules) == 0 {
		return max(0, required-d.approvers(0))
	}
	var pending int64
	for _, rule := range rules {
		pending += max(0, rule.required-d.approvers(rule.id))
	}
	return pending
}

// approvers counts the users who approve for a rule.
func (d *Deployment) approvers(rule int64) int64 {
	var n int64
	for _, made := range d.decisions {
		if made.rule == rule && made.status == "approved" {
			n++
		}
	}
	return n
}

// Approvals returns the users who approved the deployment, in that order.
func (d *Deployment) Approvals() []*User { return d.deciders("approved") }

// Rejections returns the users who rejected the deployment, in that order.
func (d *Deployment) Rejections() []*User { return d.deciders("rejected") }

func (d *Deployment) deciders(status string) []*User {
	defer d.svc.lock()()
	var users []*User
	for _, made := range d.decisions {
		if made.status == status && !slices.Contains(users, made.user) {
			users = append(users, made.user)
		}
	}
	return users
}

var (
	doraMetrics = []string{
		"deployment_frequency", "lead_time_for_changes", "time_to_restore_service", "change_failure_rate",
	}
	doraIntervals = []string{"all", "monthly", "daily"}
	doraTiers     = []string{"production", "staging", "testing", "development", "other"}
)

// listDORAMetrics lists the values of a metric from the first to the last day, all at once.
func listDORAMetrics(c *call, home any) *reply {
	if c.levelIn(home) < Reporter || !c.hasTier(Ultimate) {
		return frame.Message(http.StatusUnauthorized, "You do not have permission to access dora metrics.")
	}
	const day = 24 * time.Hour
	today, tiers, values := c.now().Truncate(day), c.Strings("environment_tiers"), []object{}
	metric, interval := c.RequiredString("metric"), either(c.String("interval"), "daily")
	from, end := cmp.Or(c.Time("start_date"), today.AddDate(0, -3, 0)), cmp.Or(c.Time("end_date"), today).Add(day)
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	unknown := func(tier string) bool { return !slices.Contains(doraTiers, tier) }
	for _, rule := range []struct {
		broken bool
		text   string
	}{
		{end.Sub(from) > 181*day, "Date range must be shorter than 180 days."},
		{!from.Before(end.Add(-day)), "The start date must be earlier than the end date."},
		{!slices.Contains(doraIntervals, interval), "The interval must be one of all,monthly,daily."},
		{!slices.Contains(doraMetrics, metric), "The metric must be one of " + strings.Join(doraMetrics, ",") + "."},
		{slices.ContainsFunc(tiers, unknown), "The environment tiers must be from production, staging, testing, " +
			"development, other."},
	} {
		if rule.broken {
			return frame.Message(http.StatusBadRequest, rule.text)
		}
	}
	if tiers == nil {
		tiers = doraTiers[:1]
	}
	for from.Before(end) {
		to, date, first := from.Add(day), any(jsonDate(from)), from.AddDate(0, 0, 1-from.Day())
		if interval == "monthly" {
			to, date = first.AddDate(0, 1, 0), jsonDate(first)
		}
		if interval == "all" {
			to, date = end, nil
		}
		if to.After(end) {
			to = end
		}
		values = append(values, object{"date": date, "value": c.svc.measure(home, metric, tiers, from, to)})
		from = to
	}
	return c.OK(values)
}

// measure returns the value of a metric of a project or a group in a time.
func (s *Service) measure(home any, metric string, tiers []string, from, to time.Time) any {
	counts := func(p *Project, at time.Time) bool {
		g, _ := home.(*Group)
		return (p == home || g != nil && p.within(g)) && !at.Before(from) && at.Before(to)
	}
	deployed, incidents, leads, repairs := 0.0, 0.0, []float64{}, []float64{}
	for _, d := range state[deploymentState](s).deployments.all(nil) {
		if e := d.environment; d.status == "success" && counts(e.project, d.endedAt) && slices.Contains(tiers, e.tier) {
			deployed++
			for _, m := range d.requests {
				leads = append(leads, d.endedAt.Sub(m.mergedAt).Seconds())
			}
		}
	}
	for _, i := range state[issueState](s).issues.all(func(i *Issue) bool { return i.kind == "incident" }) {
		if counts(i.project, i.createdAt) {
			incidents++
		}
		if counts(i.project, i.closedAt) {
			repairs = append(repairs, i.closedAt.Sub(i.createdAt).Seconds())
		}
	}
	switch {
	case metric == "deployment_frequency":
		return deployed / to.Sub(from).Hours() * 24
	case metric == "change_failure_rate" && deployed > 0:
		return incidents / deployed
	case metric == "time_to_restore_service":
		leads = repairs
	}
	if n := len(leads); n > 0 && metric != "change_failure_rate" {
		slices.Sort(leads)
		return (leads[(n-1)/2] + leads[n/2]) / 2 // the median
	}
	return nil
}
