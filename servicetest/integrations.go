package servicetest

import (
	"cmp"
	_ "embed"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"example.com/serviceapi/servicetest/internal/frame"
)

//go:embed integrations.tsv
var integrationsTable string

// An integrationKind is a row of integrations.tsv, which explains the columns.
type integrationKind struct {
	slug, title string
	is          map[string]bool // where it is available
	settings    []integrationSetting
	events      []string
}

type integrationSetting struct {
	name, kind       string
	required, secret bool
	initial          any
}

// integrationKinds are the kinds by slug.
var integrationKinds = sync.OnceValue(func() map[string]*integrationKind {
	kinds, sets := make(map[string]*integrationKind), make(map[string]string)
	for line := range strings.Lines(integrationsTable) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		switch {
		case strings.HasPrefix(line, "#"):
		case len(c) == 2:
			sets[c[0]] = c[1]
		default:
			k := &integrationKind{slug: c[0], title: c[1], is: make(map[string]bool), events: expanded(c[5], sets)}
			for _, word := range strings.Fields(c[2]) {
				k.is[word] = true
			}
			for i, column := range c[3:5] {
				for _, word := range expanded(column, sets) {
					k.settings = append(k.settings, newIntegrationSetting(word, i == 0))
				}
			}
			kinds[k.slug] = k
		}
	}
	return kinds
})

var nameOfSet = regexp.MustCompile(`\b[A-Z][A-Z0-9]*\b`)

// expanded returns the words of a column, with those of a set in the place of its name.
func expanded(column string, sets map[string]string) []string {
	return strings.Fields(nameOfSet.ReplaceAllStringFunc(column, func(name string) string { return sets[name] }))
}

func newIntegrationSetting(word string, required bool) integrationSetting {
	word, initial, has := strings.Cut(word, "=")
	name, kind, _ := strings.Cut(word, ":")
	name, secret := strings.CutSuffix(name, "*")
	s := integrationSetting{name: name, kind: kind, required: required, secret: secret}
	switch {
	case has && kind != "":
		s.initial = decoded[any](initial)
	case has:
		s.initial = initial
	}
	return s
}

// An integration connects a project or a group with another service.
type integration struct {
	record[any] // of a *Project or *Group

	kind              *integrationKind
	active, inherited bool
	values            map[string]any
	events            map[string]bool
}

// integrationEvents are in every response.
var integrationEvents = strings.Fields("commit push issues incident alert confidential_issues merge_requests " +
	"tag_push deployment note confidential_note pipeline wiki_page job")

var trackerKinds = strings.Fields("bugzilla clickup custom-issue-tracker ewm jira linear phorge redmine " +
	"youtrack zentao")

func (s *Service) integrationOf(owner any, slug string) *integration {
	return one(recordsOf[integration](s, owner), func(i *integration) bool { return i.kind.slug == slug })
}

// newIntegration stores an integration as it is when it is new.
func (s *Service) newIntegration(owner any, kind *integrationKind) *integration {
	i := shelve(s, owner, &integration{kind: kind, active: true})
	i.reset()
	i.events = map[string]bool{"comment_on_event_enabled": true}
	for _, name := range append([]string{"vulnerability"}, integrationEvents...) {
		i.events[name] = !slices.Contains([]string{"deployment", "incident", "vulnerability"}, name) &&
			kind.slug != "service-slack-application"
	}
	if kind.slug == "jenkins" {
		i.events["merge_requests"], i.events["tag_push"] = false, false
	}
	return i
}

// reset sets every setting to its default.
func (i *integration) reset() {
	i.values = make(map[string]any)
	for _, setting := range i.kind.settings {
		i.values[setting.name] = setting.initial
	}
}

func (c *call) integrationForm(i *integration, whole bool) object {
	form := object{"id": i.id, "title": i.kind.title, "slug": i.kind.slug, "created_at": jsonTime(i.createdAt),
		"updated_at": jsonTime(i.updatedAt), "active": i.active, "inherited": i.inherited,
		"comment_on_event_enabled": i.events["comment_on_event_enabled"]}
	for _, name := range integrationEvents {
		form[name+"_events"] = i.events[name]
	}
	if c.hasTier(Premium) {
		form["vulnerability_events"] = i.events["vulnerability"]
	}
	if whole {
		form["properties"] = i.properties(c.hasTier(Premium))
	}
	return form
}

// properties are the settings that are no secrets. An empty channel for what is confidential is that
// for the rest.
func (i *integration) properties(premium bool) object {
	form := object{}
	for _, s := range i.kind.settings {
		isChannel := strings.HasSuffix(s.name, "_channel")
		if s.secret || s.name == "vulnerability_channel" && !premium ||
			isChannel && i.kind.slug == "discord" || s.name == "alert_channel" && i.kind.slug == "mattermost" {
			continue
		}
		form[s.name] = i.values[s.name]
		if rest, is := strings.CutPrefix(s.name, "confidential_"); is && isChannel && form[s.name] == nil {
			form[s.name] = i.values[rest]
		}
	}
	return form
}

// available reports whether an owner can have a kind.
func (c *call) available(kind *integrationKind, owner any) bool {
	_, isGroup := owner.(*Group)
	return !kind.is["hosted"] && (!kind.is["premium"] || c.hasTier(Premium)) &&
		!kind.is[map[bool]string{true: "project", false: "group"}[isGroup]]
}

func listIntegrations(c *call, owner any) *reply {
	active := only(recordsOf[integration](c.svc, owner), func(i *integration) bool { return i.active })
	return c.OK(mapped(active, func(i *integration) object { return c.integrationForm(i, false) }))
}

// pathIntegration returns the integration of the path.
func (c *call) pathIntegration() (*integration, *reply) {
	owner, refusal := c.tokenHome()
	if refusal != nil {
		return nil, refusal
	}
	kind := integrationKinds()[c.PathString("slug")]
	if kind == nil {
		return nil, frame.JSONReply(400, object{"error": "slug does not have a valid value"})
	}
	if i := c.svc.integrationOf(owner, kind.slug); i != nil && c.available(kind, owner) {
		return i, nil
	}
	return nil, frame.NotFound("Integration")
}

func getIntegration(c *call, i *integration) *reply { return c.OK(c.integrationForm(i, true)) }

func disableIntegration(c *call, i *integration) *reply {
	if i.kind.slug == "jira-cloud-app" {
		return frame.Unprocessable("You cannot disable the " + i.kind.title + " integration from the API")
	}
	if refusal := c.Unchanged(i.updatedAt); refusal != nil {
		return refusal
	}
	i.active, i.updatedAt = false, c.now()
	i.reset()
	c.svc.propagate(i)
	return c.NoContent()
}

func setIntegration(c *call, owner any) *reply {
	kind := integrationKinds()[c.PathString("slug")]
	switch {
	case kind == nil:
		return frame.JSONReply(405, object{"error": "405 Not Allowed"})
	case !c.available(kind, owner):
		return frame.Message(400, "400 Integration not available")
	}
	values, problems := c.integrationValues(kind)
	inherit := c.Bool("use_inherited_settings")
	before, from := c.svc.integrationOf(owner, kind.slug), c.svc.defaultIntegration(owner, kind)
	following := inherit || before != nil && before.inherited && !c.Given("use_inherited_settings")
	if !following && c.svc.otherTracker(owner, kind) {
		problems = append(problems, `:base=>["Another issue tracker is already in use. `+
			`Only one issue tracker service can be active at a time"]`)
	}
	switch {
	case c.Refusal() != nil:
		return c.Refusal()
	case before == nil && kind.is["app"]:
		return frame.Unprocessable("You cannot create the " + kind.title + " integration from the API")
	case inherit && from == nil:
		return frame.Message(400, "Default integration not found.")
	case len(problems) > 0 && !following:
		return frame.Message(400, "Failed to update integration. {"+strings.Join(problems, ", ")+"}")
	}
	i := before
	if i == nil {
		i = c.svc.newIntegration(owner, kind)
	}
	switch i.inherited = following; {
	case inherit:
		i.follow(from)
	case !following:
		i.change(c, values)
	}
	i.updatedAt = c.now()
	c.svc.propagate(i)
	return c.OK(c.integrationForm(i, true))
}

// change applies the settings and the events of a call.
func (i *integration) change(c *call, values map[string]any) {
	// Secrets do not follow to another address.
	moves := slices.ContainsFunc(i.kind.settings, func(s integrationSetting) bool {
		value, given := values[s.name]
		return given && isAddress(s.name) && value != i.values[s.name]
	})
	for _, s := range i.kind.settings {
		if s.secret && moves {
			i.values[s.name] = nil
		}
	}
	maps.Copy(i.values, values)
	for _, event := range i.kind.events {
		name := event + "_events"
		if event == "comment_on_event_enabled" {
			name = event
		}
		if event != "vulnerability" || c.hasTier(Premium) {
			i.events[event] = c.BoolOr(name, i.events[event])
		}
	}
	i.active = i.active || !i.kind.is["app"]
}

func isAddress(name string) bool {
	return strings.Contains(name, "url") ||
		slices.Contains([]string{"webhook", "subdomain", "hostname", "server"}, name)
}

// integrationValues reads the settings of a kind, and says what is wrong with them in the words of the
// service.
func (c *call) integrationValues(kind *integrationKind) (values map[string]any, problems []string) {
	values = make(map[string]any)
	for _, s := range kind.settings {
		if s.required && !c.Has(s.name) {
			c.Problem(s.name + " is missing")
		}
		if !c.Has(s.name) {
			continue
		}
		values[s.name] = c.integrationValue(s)
		text, isText := values[s.name].(string)
		var wrong []string
		if s.required && text == "" && isText {
			wrong = append(wrong, `"can't be blank"`)
		}
		if u, err := url.Parse(text); isText && (s.required || text != "") && (strings.HasSuffix(s.name, "url") ||
			s.name == "webhook") && (err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "") {
			wrong = append(wrong, `"must be a valid URL"`)
		}
		if len(wrong) > 0 {
			problems = append(problems, fmt.Sprintf(":%s=>[%s]", s.name, strings.Join(wrong, ", ")))
		}
	}
	return values, problems
}

func (c *call) integrationValue(s integrationSetting) any {
	switch s.kind {
	case "bool":
		return c.Bool(s.name)
	case "int":
		return c.Int64(s.name)
	case "list":
		return append([]string{}, c.Strings(s.name)...)
	}
	return c.String(s.name)
}

// otherTracker reports whether another tracker is active.
func (s *Service) otherTracker(owner any, kind *integrationKind) bool {
	return slices.Contains(trackerKinds, kind.slug) && slices.ContainsFunc(trackerKinds, func(slug string) bool {
		other := s.integrationOf(owner, slug)
		return slug != kind.slug && other != nil && other.active
	})
}

// defaultIntegration returns that of the nearest group above that does not inherit, or nil.
func (s *Service) defaultIntegration(owner any, kind *integrationKind) *integration {
	var above *Group
	switch o := owner.(type) {
	case *Project:
		above = o.group
	case *Group:
		above = o.parent
	}
	for g := above; g != nil; g = g.parent {
		if i := s.integrationOf(g, kind.slug); i != nil && !i.inherited {
			return i
		}
	}
	return nil
}

func (i *integration) follow(from *integration) {
	i.values, i.events, i.active = maps.Clone(from.values), maps.Clone(from.events), from.active
}

// propagate makes or changes the integrations below that of a group which have none or inherit.
func (s *Service) propagate(of *integration) {
	group, ok := of.home.(*Group)
	if !ok || of.inherited {
		return
	}
	below := only(s.homes(), func(owner any) bool { return owner != of.home && isIn(owner, group) })
	for _, owner := range below {
		i := s.integrationOf(owner, of.kind.slug)
		if i == nil && of.active {
			i = s.newIntegration(owner, of.kind)
			i.inherited = true
		}
		if i != nil && i.inherited && s.defaultIntegration(owner, of.kind) == of {
			i.follow(of)
		}
	}
}

// InstallIntegration installs an integration that only a person can install, such as "jira-cloud-app".
func (p *Project) InstallIntegration(slug string) {
	defer p.svc.lock()()
	kind := integrationKinds()[slug]
	if kind == nil {
		p.svc.fail("there is no integration %s", slug)
	}
	p.svc.newIntegration(p, kind)
}

// Integration returns the settings of an integration with its secrets, by their names in the API, nil
// if it was never set.
func (p *Project) Integration(slug string) map[string]any {
	defer p.svc.lock()()
	i := cmp.Or(p.svc.integrationOf(p, slug), new(integration))
	return maps.Clone(i.values)
}
