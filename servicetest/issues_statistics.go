package servicetest

import (
	"cmp"
	"net"
	"net/http"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// countIssues makes a handler that counts issues of the instance, a group or a project.
func countIssues(of listOwner) handler {
	return func(c *call) *reply {
		var home any
		if of != ofInstance {
			found, refusal := c.tokenHome()
			if refusal != nil {
				return refusal
			}
			home = found
		}
		var f filter[*Issue]
		if refusal := cmp.Or(c.filterCounted(&f, of), c.Refusal()); refusal != nil {
			return refusal
		}
		group, _ := home.(*Group)
		counts := map[string]int{"all": 0, "opened": 0, "closed": 0}
		for _, i := range f.Apply(state[issueState](c.svc).issues.all(func(i *Issue) bool {
			within := home == nil || i.project == home || group != nil && i.project.within(group)
			return within && c.svc.canReadTarget(c.user, i)
		})) {
			counts["all"]++
			counts[i.state]++
		}
		return c.OK(object{"statistics": object{"counts": counts}})
	}
}

// A userAgent is what is kept of the request that made an issue or a snippet. Seeded ones
// have none.
type userAgent struct{ name, address string }

func (c *call) userAgent() userAgent { return userAgent{c.Request.UserAgent(), c.remoteHost()} }

// remoteHost returns the IP address of the caller.
func (c *call) remoteHost() string {
	host, _, _ := net.SplitHostPort(c.Request.RemoteAddr)
	return host
}

func (a userAgent) reply(c *call) *reply {
	if a == (userAgent{}) {
		return frame.NotFound("UserAgentDetail")
	}
	return c.OK(object{"user_agent": a.name, "ip_address": a.address, "akismet_submitted": false})
}

func getIssueUserAgent(c *call, on *noteable) *reply { return on.issue.agent.reply(c) }

// getSnippetUserAgent makes a handler for the snippets of a table.
func getSnippetUserAgent(of *collection.Table[*call, *Project, Snippet]) handler {
	return withRecord(of, func(c *call, _ *Project, s *Snippet) *reply { return s.agent.reply(c) })
}

// A metricImage is a picture of what was measured during an incident.
type metricImage struct {
	id                  int64
	createdAt           time.Time
	filename, url, text string
	size                int64
}

// metricImageState keeps the pictures of incidents and alerts.
type metricImageState struct {
	shelf[any, metricImage] // by an *Issue or an alert

	seen map[*Project]int64 // how many alerts a project has
}

// An alert is one of a project. Nothing here makes alerts but Project.Alert.
type alert struct {
	project *Project
	iid     int64
}

// Alert makes an alert of the project, and returns its number. The API shows only its pictures.
func (p *Project) Alert() int64 {
	defer p.svc.lock()()
	return nextIID(&state[metricImageState](p.svc).seen, p)
}

// pictured returns the incident or the alert of the path.
func (c *call) pictured() (any, *reply) {
	if c.PathString("alert_iid") == "" {
		return c.incident()
	}
	p, refusal := c.project()
	if refusal != nil {
		return nil, refusal
	}
	iid := c.PathInt64("alert_iid")
	switch {
	case iid >= 1 && iid <= state[metricImageState](c.svc).seen[p]:
		return alert{p, iid}, nil
	case c.route.writes():
		return nil, frame.Forbidden("")
	}
	return nil, frame.Message(http.StatusNotFound, "Alert not found")
}

const maxMetricImage = 1 << 20

var metricImages = collection.Table[*call, any, metricImage]{
	Param:   "image_id",
	Missing: func() *reply { return frame.Message(http.StatusNotFound, "Metric image not found") },
	Home:    (*call).pictured,
	Records: func(c *call, i any) []*metricImage { return state[metricImageState](c.svc).of[i] },
	ID:      func(m *metricImage) int64 { return m.id },
	Fields: []collection.Field[metricImage]{
		collection.Shown("id", func(m *metricImage) int64 { return m.id }),
		collection.Moment("created_at", func(m *metricImage) *time.Time { return &m.createdAt }).ReadOnly(),
		collection.Shown("filename", func(m *metricImage) string { return m.filename }),
		collection.Shown("file_path", func(m *metricImage) string {
			return "/uploads/-/system/issuable_metric_image/file/" + frame.Itoa(m.id) + "/" + m.filename
		}),
		collection.Note("url", func(m *metricImage) *string { return &m.url }).Max(255),
		collection.Note("url_text", func(m *metricImage) *string { return &m.text }).Max(128),
	},
	New: func(c *call, _ any) *metricImage { return &metricImage{createdAt: c.now()} },
	Read: func(c *call, _ any, m *metricImage, making bool) {
		if !making {
			return
		}
		if file := c.RequiredFile("file"); file != nil {
			m.filename, m.size = file.Name, file.Size
		}
	},
	Check: func(_ *call, _ any, m, _ *metricImage) *reply {
		if m.size > maxMetricImage {
			return frame.BadRequest("File is too large")
		}
		return nil
	},
	Add:    func(c *call, i any, m *metricImage) { m.id = state[metricImageState](c.svc).add(i, m) },
	Remove: func(c *call, i any, m *metricImage) { state[metricImageState](c.svc).remove(i, m) },
}

// incident returns the issue of the path, if it can have pictures and the caller may do with
// them what the call does.
func (c *call) incident() (*Issue, *reply) {
	i, refusal := c.findIssue()
	switch {
	case refusal != nil:
		return nil, refusal
	case c.route.writes() && (i.kind != "incident" || !i.mayChange(c.user)):
		return nil, frame.Message(http.StatusForbidden, "Not allowed!")
	case i.kind != "incident":
		return nil, frame.Forbidden("")
	}
	return i, nil
}

// listBurndownEvents lists what happened to the issues of a milestone, all at once.
func listBurndownEvents(c *call, _ any, m *Milestone) *reply {
	if !c.hasTier(Premium) {
		return frame.Message(http.StatusMethodNotAllowed, "Milestone does not support burndown chart")
	}
	events := []object{}
	if m.startDate.IsZero() || m.dueDate.IsZero() {
		return c.OK(events)
	}
	holds := m.holds()
	for _, i := range state[issueState](c.svc).issues.all(func(i *Issue) bool {
		return holds(i.project, i.milestone) && c.svc.canReadTarget(c.user, i)
	}) {
		events = append(events, i.burndown(m)...)
	}
	return c.OK(events)
}

// burndown returns the events of an issue, up to the end of the milestone or today. An issue
// that was closed without an event was closed when the milestone began.
func (i *Issue) burndown(m *Milestone) (events []object) {
	svc := i.project.svc
	end := m.dueDate.AddDate(0, 0, 1)
	if now := svc.now(); now.Before(end) {
		end = now.Add(1)
	}
	if !i.createdAt.Before(end) {
		return nil
	}
	add := func(at time.Time, action string) {
		events = append(events, object{"created_at": jsonTime(at), "weight": i.weight, "action": action})
	}
	add(i.createdAt, "created")
	changes := state[resourceEvents](svc).states.all(func(e *resourceEvent) bool { return e.of == i })
	if len(changes) == 0 && i.state == "closed" {
		add(m.startDate, "closed")
	}
	for _, e := range changes {
		if e.createdAt.Before(end) {
			add(e.createdAt, e.state)
		}
	}
	return events
}
