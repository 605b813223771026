package servicetest

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
)

// findDeployment returns the deployment of the path.
func (c *call) findDeployment() (*Deployment, *reply) {
	project, refusal := c.project()
	if refusal != nil {
		return nil, refusal
	}
	d, ok := state[deploymentState](c.svc).deployments.get(c.PathInt64("deployment_id"))
	if !ok || d.environment.project != project {
		return nil, frame.NotFound("Deployment")
	}
	c.found(d)
	return d, nil
}

func listDeployments(c *call, project *Project) *reply {
	environment := c.String("environment")
	status := c.StringIn("status", "created", "running", "success", "failed", "canceled", "blocked")
	after, before := c.Time("updated_after"), c.Time("updated_before")
	ended, refusal := c.byEnd(status)
	if refusal != nil {
		return refusal
	}
	found := state[deploymentState](c.svc).deployments.all(func(d *Deployment) bool {
		return d.environment.project == project && (environment == "" || d.environment.name == environment) &&
			(status == "" || d.status == status) &&
			ended(d) && (after.IsZero() || !d.updatedAt.Before(after)) &&
			(before.IsZero() || !d.updatedAt.After(before))
	})
	c.sortDeployments(found)
	return frame.ListOf(c, found, (*Deployment).object)
}

// byEnd returns the filter by the end of deployments. Newer releases have it only for
// successful deployments in that order.
func (c *call) byEnd(status string) (func(*Deployment) bool, *reply) {
	after, before := c.Time("finished_after"), c.Time("finished_before")
	if refusal := c.Refusal(); refusal != nil {
		return nil, refusal
	}
	if after.IsZero() && before.IsZero() {
		return func(*Deployment) bool { return true }, nil
	}
	if status != "success" {
		return nil, frame.BadRequest("`finished_at` filter must be combined with `success` status filter.")
	}
	if c.String("order_by") != "finished_at" {
		return nil, frame.BadRequest("`finished_at` filter requires `finished_at` sort.")
	}
	return func(d *Deployment) bool {
		return (after.IsZero() || !d.endedAt.Before(after)) && (before.IsZero() || !d.endedAt.After(before))
	}, nil
}

// sortDeployments sorts deployments as the parameters say, by default by
// ascending ID.
func (c *call) sortDeployments(deployments []*Deployment) {
	by := c.StringIn("order_by", "id", "iid", "created_at", "updated_at", "finished_at", "ref")
	descending := c.StringIn("sort", "asc", "desc") == "desc"
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

func getDeployment(c *call, d *Deployment) *reply { return c.OK(d.object()) }

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
		e = &Environment{svc: c.svc, project: project, name: name, tier: tierOf(name)}
	}
	if !e.mayDeploy(c.user) {
		return frame.Forbidden("")
	}
	if e.id == 0 {
		e = project.newEnvironment(name, nil)
	}
	if d.environment = e; e.needsApprovals() {
		d.status = "blocked"
	}
	d.store()
	return c.Created(d.object())
}

func updateDeployment(c *call, d *Deployment) *reply {
	if refusal := c.Unchanged(d.updatedAt); refusal != nil {
		return refusal
	}
	status := c.requiredStatus(givenStatuses...)
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if d.job != nil {
		return frame.Forbidden("") // its status follows its job
	}
	if !d.environment.mayDeploy(c.user) {
		return frame.Forbidden("")
	}
	if d.pending() > 0 {
		return frame.FieldErrors("status", "cannot change before the deployment is approved")
	}
	if status == "running" && d.ended() {
		return frame.FieldErrors("status", `cannot transition via "run"`)
	}
	d.become(status, c.now())
	return c.OK(d.object())
}

func deleteDeployment(c *call, d *Deployment) *reply {
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
func listDeployedRequests(c *call, d *Deployment) *reply { return c.mergeRequestPage(d.requests) }

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
func decideDeployment(c *call, d *Deployment) *reply {
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
		return other.user == made.user &&
			other.rule == made.rule
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

// approval is the JSON of a decision.
type approval struct {
	User      *userSummary `json:"user"`
	Status    string       `json:"status"`
	CreatedAt jsonTime     `json:"created_at"`
	Comment   jsonText     `json:"comment"`
}

func (d decision) json() approval {
	return approval{d.user.summary(), d.status, jsonTime(d.createdAt), jsonText(d.comment)}
}

type approvalSummary struct {
	Rules []approvalRuleObject `json:"rules"`
}

type approvalRuleObject struct {
	ID                     int64        `json:"id"`
	UserID                 *int64       `json:"user_id"`
	GroupID                *int64       `json:"group_id"`
	AccessLevel            *AccessLevel `json:"access_level"`
	AccessLevelDescription string       `json:"access_level_description"`
	RequiredApprovals      int64        `json:"required_approvals"`
	GroupInheritanceType   int64        `json:"group_inheritance_type"`
	DeploymentApprovals    []approval   `json:"deployment_approvals"`
}

func (l protectionLevel) approvalJSON(approvals []approval) approvalRuleObject {
	o := approvalRuleObject{AccessLevelDescription: l.description(), RequiredApprovals: l.required,
		DeploymentApprovals: approvals, ID: l.id, GroupInheritanceType: 1}
	if l.onlyDirect {
		o.GroupInheritanceType = 0
	}
	switch {
	case l.user != nil:
		o.UserID = &l.user.id
	case l.group != nil:
		o.GroupID = &l.group.id
	default:
		o.AccessLevel = &l.level
	}
	return o
}

// showApprovals adds what the Premium tier shows: the decisions as a list, or
// by rule if there are several rules.
func (d *Deployment) showApprovals(o *deploymentObject) {
	rules, _ := d.environment.approvalRules()
	o.PendingApprovalCount = new(d.pending())
	if len(rules) == 0 {
		o.Approvals = new(d.approvalsFor(0))
		return
	}
	o.ApprovalSummary = new(approvalSummary)
	for _, rule := range rules {
		o.ApprovalSummary.Rules = append(o.ApprovalSummary.Rules, rule.approvalJSON(d.approvalsFor(rule.id)))
	}
}

func (d *Deployment) approvalsFor(rule int64) []approval {
	list := []approval{}
	for _, made := range d.decisions {
		if made.rule == rule {
			list = append(list, made.json())
		}
	}
	return list
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
