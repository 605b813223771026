package servicetest

import (
	"cmp"
	_ "embed"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

//go:embed integrations.tsv
var integrationsTable string

// An integrationKind is a row of integrations.tsv, which explains the columns.
type integrationKind struct {
	slug, title string
	marks       []string
	settings    []integrationSetting
	events      []string
}

func (k *integrationKind) is(mark string) bool { return slices.Contains(k.marks, mark) }

type integrationSetting struct {
	knownSetting

	required, secret, hidden bool // no response has what is secret or hidden
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
			k := &integrationKind{slug: c[0], title: c[1], marks: strings.Fields(c[2]), events: expanded(c[5], sets)}
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
	word, initial, _ := strings.Cut(word, "=")
	name, kind, _ := strings.Cut(word, ":")
	name, secret := strings.CutSuffix(name, "*")
	name, hidden := strings.CutSuffix(name, "!")
	s := integrationSetting{knownSetting{name: name, kind: kind}, required, secret, hidden}
	s.initial = s.readInitial(initial)
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

// integrationEvents are in every response, the last one only with the premium tier.
var integrationEvents = strings.Fields("commit_events push_events issues_events incident_events alert_events " +
	"confidential_issues_events merge_requests_events tag_push_events deployment_events note_events " +
	"confidential_note_events pipeline_events wiki_page_events job_events comment_on_event_enabled " +
	"vulnerability_events")

var integrations = shelved(collection.Table[*call, any, integration]{
	Home: (*call).tokenHome, Find: (*call).pathIntegration,
	Records: func(c *call, owner any) []*integration {
		return only(recordsOf[integration](c.svc, owner), func(i *integration) bool { return i.active })
	},
	Fields: dated(
		collection.Shown("title", func(i *integration) string { return i.kind.title }),
		collection.Shown("slug", func(i *integration) string { return i.kind.slug }),
		collection.Shown("active", func(i *integration) bool { return i.active }),
		collection.Shown("inherited", func(i *integration) bool { return i.inherited }),
	),
	Extra: func(c *call, _ any, i *integration, form *collection.Form) {
		for _, name := range integrationEvents {
			if name != "vulnerability_events" || c.hasTier(Premium) {
				form.Add(name, i.events[name])
			}
		}
		if c.PathString("slug") != "" {
			form.Add("properties", i.properties(c.hasTier(Premium)))
		}
	},
	Changed: (*integration).changed,
	Remove: func(c *call, _ any, i *integration) {
		i.active, i.updatedAt = false, c.now()
		i.reset()
		c.svc.propagate(i)
	},
})

func (s *Service) integrationOf(owner any, kind *integrationKind) *integration {
	return one(recordsOf[integration](s, owner), func(i *integration) bool { return i.kind == kind })
}

// newIntegration stores an integration as it is when it is new.
func (s *Service) newIntegration(owner any, kind *integrationKind) *integration {
	i := shelve(s, owner, &integration{kind: kind, active: true, events: make(map[string]bool)})
	i.reset()
	off := []string{"deployment_events", "incident_events", "vulnerability_events"}
	switch kind.slug {
	case "jenkins":
		off = append(off, "merge_requests_events", "tag_push_events")
	case "service-slack-application":
		off = without(integrationEvents, "comment_on_event_enabled")
	}
	for _, name := range integrationEvents {
		i.events[name] = !slices.Contains(off, name)
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

// properties are the settings that responses have. An empty channel for what is confidential is that
// for the rest.
func (i *integration) properties(premium bool) object {
	form := object{}
	for _, s := range i.kind.settings {
		if s.secret || s.hidden || s.name == "vulnerability_channel" && !premium {
			continue
		}
		form[s.name] = i.values[s.name]
		if rest, is := strings.CutPrefix(s.name, "confidential_"); is && form[s.name] == nil {
			form[s.name] = i.values[rest]
		}
	}
	return form
}

// available reports whether an owner can have a kind.
func (c *call) available(kind *integrationKind, owner any) bool {
	_, isGroup := owner.(*Group)
	return !kind.is("hosted") && (!kind.is("premium") || c.hasTier(Premium)) &&
		!kind.is(map[bool]string{true: "project", false: "group"}[isGroup])
}

// pathIntegration returns the integration of the path, to read or to disable it.
func (c *call) pathIntegration(owner any) (*integration, *reply) {
	kind := integrationKinds()[c.PathString("slug")]
	if kind == nil {
		return nil, frame.JSONReply(400, object{"error": "slug does not have a valid value"})
	}
	i := c.svc.integrationOf(owner, kind)
	switch {
	case c.route.writes() && kind.slug == "jira-cloud-app" && i != nil:
		return nil, frame.Unprocessable("You cannot disable the " + kind.title + " integration from the API")
	case i == nil || !c.available(kind, owner):
		return nil, frame.NotFound("Integration")
	}
	return i, nil
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
	i, from := c.svc.integrationOf(owner, kind), c.svc.defaultIntegration(owner, kind)
	following := inherit || i != nil && i.inherited && !c.Given("use_inherited_settings")
	if c.svc.otherTracker(owner, kind) {
		problems = append(problems, `:base=>["Another issue tracker is already in use. `+
			`Only one issue tracker service can be active at a time"]`)
	}
	switch {
	case c.Refusal() != nil:
		return c.Refusal()
	case i == nil && kind.is("app"):
		return frame.Unprocessable("You cannot create the " + kind.title + " integration from the API")
	case inherit && from == nil:
		return frame.Message(400, "Default integration not found.")
	case len(problems) > 0 && !following:
		return frame.Message(400, "Failed to update integration. {"+strings.Join(problems, ", ")+"}")
	}
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
	return c.OK(integrations.Form(c, owner, i))
}

// change applies the settings and the events of a call.
func (i *integration) change(c *call, values map[string]any) {
	// Secrets do not follow to another address. Where they may be left out, that is a URL.
	moves := slices.ContainsFunc(i.kind.settings, func(s integrationSetting) bool {
		value, given := values[s.name]
		return given && strings.HasSuffix(s.name, "url") && value != i.values[s.name]
	})
	for _, s := range i.kind.settings {
		if s.secret && moves {
			i.values[s.name] = nil
		}
	}
	maps.Copy(i.values, values)
	for _, name := range i.kind.events {
		i.events[name] = c.BoolOr(name, i.events[name])
	}
	i.active = i.active || !i.kind.is("app")
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
		values[s.name] = c.setting(&s.knownSetting)
		if wrong := s.wrong(values[s.name]); len(wrong) > 0 {
			problems = append(problems, fmt.Sprintf(":%s=>[%s]", s.name, strings.Join(wrong, ", ")))
		}
	}
	return values, problems
}

func (s integrationSetting) wrong(value any) (problems []string) {
	text, isText := value.(string)
	if !isText || text == "" && !s.required {
		return nil
	}
	if text == "" {
		problems = append(problems, `"can't be blank"`)
	}
	if (strings.HasSuffix(s.name, "url") || s.name == "webhook") && !isWebAddress(text) {
		problems = append(problems, `"must be a valid URL"`)
	}
	return problems
}

// otherTracker reports whether another tracker is active.
func (s *Service) otherTracker(owner any, kind *integrationKind) bool {
	return kind.is("tracker") && slices.ContainsFunc(recordsOf[integration](s, owner), func(i *integration) bool {
		return i.active && i.kind != kind && i.kind.is("tracker")
	})
}

// defaultIntegration returns that of the nearest group above that does not inherit, or nil.
func (s *Service) defaultIntegration(owner any, kind *integrationKind) *integration {
	above, isGroup := owner.(*Group)
	if isGroup {
		above = above.parent
	} else {
		above = owner.(*Project).group
	}
	for g := above; g != nil; g = g.parent {
		if i := s.integrationOf(g, kind); i != nil && !i.inherited {
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
		i := s.integrationOf(owner, of.kind)
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
	i := cmp.Or(p.svc.integrationOf(p, integrationKinds()[slug]), new(integration))
	return maps.Clone(i.values)
}
