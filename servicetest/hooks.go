package servicetest

import (
	"encoding/base64"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// A Hook is a webhook of a project or a group, or a system hook. The service sends the
// events that are switched on to its URL; see Service.Deliveries. Make one with
// Project.Hook, Group.Hook or Service.SystemHook, or through the API.
type Hook struct {
	svc     *Service
	project *Project // nil for a hook of a group and a system hook
	group   *Group   // nil for a hook of a project and a system hook

	id                         int64
	url, name, description     string
	token, signingToken        string
	filter, strategy, template string
	switches                   map[string]*bool
	checksTLS                  bool
	createdAt                  time.Time
	variables, headers         []hookValue
	failures                   int       // in a row
	disabledUntil              time.Time // zero if not disabled, or if disabled for good
	disabled                   bool      // disabled for good
	queue                      []*sending
	busy                       bool // while a goroutine sends the queue
}

// A hookValue is a URL variable or a custom header.
type hookValue struct{ key, value string }

// hookState keeps hooks of all kinds, which share one sequence of IDs, and their
// requests.
type hookState struct {
	hooks table[*Hook]
	logs  table[*Delivery]
	tests []hookTest
}

// A hookTest is a call that tested a hook or sent a request again.
type hookTest struct {
	user *User
	home any
	at   time.Time
}

// A hookSwitch is an event that a hook may receive.
type hookSwitch struct {
	name                   string
	projects, groups, rest bool // rest is for system hooks
}

var hookSwitches = []hookSwitch{
	{"push_events", true, true, true}, {"tag_push_events", true, true, true},
	{"merge_requests_events", true, true, true},
	{"repository_update_events", false, false, true},
	{"issues_events", true, true, false}, {"confidential_issues_events", true, true, false},
	{"note_events", true, true, false}, {"confidential_note_events", true, true, false},
	{"job_events", true, true, false}, {"pipeline_events", true, true, false}, {"wiki_page_events", true, true, false},
	{"deployment_events", true, true, false}, {"releases_events", true, true, false},
	{"feature_flag_events", true, true, false},
	{"emoji_events", true, true, false}, {"resource_access_token_events", true, true, false},
	{"vulnerability_events", true, true, false}, {"milestone_events", true, true, false},
	{"resource_deploy_token_events", true, false, false},
	{"subgroup_events", false, true, false}, {"member_events", false, true, false},
	{"project_events", false, true, false},
}

// has reports whether the hooks of a home have the switch.
func (s hookSwitch) has(home any) bool {
	switch home.(type) {
	case *Project:
		return s.projects
	case *Group:
		return s.groups
	}
	return s.rest
}

// on reports whether a switch is on.
func (h *Hook) on(name string) bool { return h.switches[name] != nil && *h.switches[name] }

// home returns the project, the group or the service that the hook belongs to.
func (h *Hook) home() any {
	switch {
	case h.project != nil:
		return h.project
	case h.group != nil:
		return h.group
	}
	return h.svc
}

// hooksOf returns the hooks of a home, by ID.
func (s *Service) hooksOf(home any) []*Hook {
	return state[hookState](s).hooks.all(func(h *Hook) bool { return h.home() == home })
}

// The tables of hooks differ in their switches.
var (
	projectHooks = hookTable((*call).tokenHome, new(Project))
	groupHooks   = hookTable((*call).tokenHome, new(Group))
	systemHooks  = hookTable(func(c *call) (any, *reply) { return c.svc, nil }, new(Service))
)

func hookTable(home func(c *call) (any, *reply), kind any) *collection.Table[*call, any, Hook] {
	_, system := kind.(*Service)
	fields := []collection.Field[Hook]{
		collection.Shown("id", func(h *Hook) int64 { return h.id }),
		collection.Text("url", func(h *Hook) *string { return &h.url }).Required(),
		collection.Note("name", func(h *Hook) *string { return &h.name }),
		collection.Note("description", func(h *Hook) *string { return &h.description }),
		collection.Moment("created_at", func(h *Hook) *time.Time { return &h.createdAt }).ReadOnly(),
		collection.Note("push_events_branch_filter", func(h *Hook) *string { return &h.filter }),
		collection.Choice("branch_filter_strategy", func(h *Hook) *string { return &h.strategy },
			"wildcard", "regex", "all_branches"),
		collection.Flag("enable_ssl_verification", func(h *Hook) *bool { return &h.checksTLS }),
		collection.Text("token", func(h *Hook) *string { return &h.token }).Unseen(),
		collection.Text("signing_token", func(h *Hook) *string { return &h.signingToken }).Unseen(),
		collection.Shown("token_present", func(h *Hook) bool { return h.token != "" }),
		collection.Shown("signing_token_present", func(h *Hook) bool { return h.signingToken != "" }),
		collection.Shown("alert_status", (*Hook).alertStatus),
		collection.Shown("disabled_until", func(h *Hook) jsonTime { return jsonTime(h.disabledUntil) }),
		collection.Shown("url_variables", func(h *Hook) []object { return keysOf(h.variables) }),
		collection.Shown("custom_headers", func(h *Hook) []object { return keysOf(h.headers) }),
	}
	for _, s := range hookSwitches {
		if s.has(kind) {
			fields = append(fields, collection.Flag(s.name, func(h *Hook) *bool { return h.switches[s.name] }))
		}
	}
	switch kind.(type) {
	case *Project:
		fields = append(fields, collection.Shown("project_id", func(h *Hook) int64 { return h.project.id }))
	case *Group:
		fields = append(fields, collection.Shown("group_id", func(h *Hook) int64 { return h.group.id }))
	}
	if system {
		fields = append(fields, collection.Shown("organization_id", func(*Hook) int64 { return 1 }))
	} else {
		fields = append(fields,
			collection.Note("custom_webhook_template", func(h *Hook) *string { return &h.template }),
			collection.Shown("repository_update_events", func(*Hook) bool { return false }))
	}
	return &collection.Table[*call, any, Hook]{
		Param: "hook_id", ID: func(h *Hook) int64 { return h.id }, Home: home,
		Records: func(c *call, home any) []*Hook { return c.svc.hooksOf(home) },
		Fields:  fields,
		New: func(c *call, home any) *Hook {
			h := c.svc.draftHook(home)
			*h.switches["push_events"] = !system
			if system {
				*h.switches["repository_update_events"] = true
			}
			return h
		},
		Read:   func(c *call, _ any, draft *Hook, _ bool) { c.readHook(draft) },
		Check:  (*call).checkHook,
		Add:    func(c *call, _ any, h *Hook) { h.id, _ = state[hookState](c.svc).hooks.add(0, h) },
		Remove: func(c *call, _ any, h *Hook) { h.remove() },
	}
}

// draftHook returns a hook whose switches are all off.
func (s *Service) draftHook(home any) *Hook {
	h := &Hook{svc: s, strategy: "wildcard", checksTLS: true, createdAt: s.now(), switches: make(map[string]*bool)}
	h.project, _ = home.(*Project)
	h.group, _ = home.(*Group)
	for _, one := range hookSwitches {
		if one.has(home) {
			h.switches[one.name] = new(bool)
		}
	}
	return h
}

// remove deletes the hook. Requests that are queued are still sent.
func (h *Hook) remove() { state[hookState](h.svc).hooks.remove(h.id) }

// removeHooks deletes the hooks of a project or a group that is deleted.
func (s *Service) removeHooks(home any) {
	for _, h := range s.hooksOf(home) {
		h.remove()
	}
}

func keysOf(values []hookValue) []object {
	return mapped(values, func(v hookValue) object { return object{"key": v.key} })
}

// merged returns values with others added or replaced.
func merged(values, more []hookValue) []hookValue {
	values = slices.Clone(values)
	for _, v := range more {
		if at := slices.IndexFunc(values, func(o hookValue) bool { return o.key == v.key }); at >= 0 {
			values[at] = v
		} else {
			values = append(values, v)
		}
	}
	return values
}

// readHook reads the parameters that are not plain fields. The draft has its own
// switches, so that a refused call changes nothing.
func (c *call) readHook(draft *Hook) {
	for _, name := range []string{"url_variables", "custom_headers"} {
		given := mapped(c.Subs(name), func(f fields) hookValue {
			return hookValue{f.RequiredString("key"), f.RequiredString("value")}
		})
		if name == "url_variables" {
			draft.variables = merged(draft.variables, given)
		} else {
			draft.headers = merged(draft.headers, given)
		}
	}
	if draft.strategy == "all_branches" {
		draft.filter = ""
	}
}

// updateHook refuses a call without fields, and gives the draft its own switches.
func updateHook(t *collection.Table[*call, any, Hook]) handler {
	return withRecord(t, func(c *call, _ any, h *Hook) *reply {
		names := []string{
			"url", "name", "description", "push_events_branch_filter", "branch_filter_strategy",
			"enable_ssl_verification", "token", "signing_token", "url_variables", "custom_headers",
		}
		if _, system := h.home().(*Service); !system {
			names = append(names, "custom_webhook_template")
		}
		for name := range h.switches {
			names = append(names, name)
		}
		if !slices.ContainsFunc(names, c.Has) {
			return hookError(http.StatusBadRequest, "No parameters provided")
		}
		old := *h
		h.switches = make(map[string]*bool, len(old.switches))
		for name, on := range old.switches {
			h.switches[name] = new(*on)
		}
		answer := t.Update(c)
		if answer.Status != http.StatusOK {
			h.switches = old.switches
		}
		return answer
	})
}

func hookError(status int, text string) *reply { return frame.JSONReply(status, object{"error": text}) }

func hookFieldError(field, text string) *reply {
	return frame.JSONReply(http.StatusUnprocessableEntity, object{"message": object{field: []string{text}}})
}

var (
	variableName = regexp.MustCompile(`^[A-Za-z](?:[A-Za-z0-9]|[._-][A-Za-z0-9])*$`)
	inBraces     = regexp.MustCompile(`\{([^{}]*)\}`)
)

// validValues reports whether keys and values are valid for variables or headers.
func validValues(values []hookValue) bool {
	return !slices.ContainsFunc(values, func(v hookValue) bool {
		return !variableName.MatchString(v.key) || v.value == "" || strings.ContainsAny(v.value, "\r\n")
	})
}

// checkHook applies the consequences of a new address, and refuses what the service
// does not accept.
func (c *call) checkHook(home any, draft, before *Hook) *reply {
	if before == nil {
		if refusal := c.hookLimit(home); refusal != nil {
			return refusal
		}
	} else if draft.url != before.url {
		if !c.Has("token") {
			draft.token = ""
		}
		if len(before.variables) > 0 {
			draft.variables = nil // an old variable keeps its name
		}
	}
	address, ok := draft.address()
	if before != nil && ok {
		if old, _ := before.address(); old != address {
			draft.headers = nil
		}
	}
	switch {
	case !ok || !isWebAddress(address):
		return hookError(http.StatusUnprocessableEntity, "Invalid url given")
	case !draft.filterWorks():
		return hookError(http.StatusUnprocessableEntity, "Invalid branch filter given")
	case !validValues(draft.headers) || len(draft.headers) > 20:
		return hookError(http.StatusUnprocessableEntity, "Custom headers validation failed")
	case !validValues(draft.variables):
		return hookFieldError("url_variables", "must be valid")
	case strings.ContainsAny(draft.token, "\r\n"):
		return hookFieldError("token", "must not contain line breaks")
	case draft.signingToken != "" && draft.signingKey() == nil:
		return hookFieldError("signing_token", "is invalid")
	case len([]rune(draft.template)) > 4096:
		return hookFieldError("custom_webhook_template", "is too long (maximum is 4096 characters)")
	}
	return nil
}

func (c *call) hookLimit(home any) *reply {
	limit, kind := 0, ""
	switch home.(type) {
	case *Project:
		limit, kind = 100, "project"
	case *Group:
		limit, kind = 50, "group"
	default:
		return nil
	}
	if len(c.svc.hooksOf(home)) < limit {
		return nil
	}
	return hookFieldError("base", "Maximum number of "+kind+" hooks ("+frame.Itoa(int64(limit))+") exceeded")
}

// address returns the URL with its variables filled in. ok is false if one is missing.
func (h *Hook) address() (address string, ok bool) {
	ok = true
	address = inBraces.ReplaceAllStringFunc(h.url, func(name string) string {
		for _, v := range h.variables {
			if "{"+v.key+"}" == name {
				return v.value
			}
		}
		ok = false
		return name
	})
	return address, ok
}

// signingKey returns the key in the signing token, or nil if it is not valid.
func (h *Hook) signingKey() []byte {
	text, ok := strings.CutPrefix(h.signingToken, "whsec_")
	key, err := base64.StdEncoding.DecodeString(text)
	if !ok || err != nil || len(key) != 32 {
		return nil
	}
	return key
}

// filterWorks reports whether the filter can be read.
func (h *Hook) filterWorks() bool {
	_, err := h.pattern()
	return err == nil
}

// pattern returns the expression that the branches of push events must match.
func (h *Hook) pattern() (*regexp.Regexp, error) {
	switch {
	case h.filter == "" || h.strategy == "all_branches":
		return regexp.Compile("")
	case h.strategy == "regex":
		return regexp.Compile(h.filter)
	}
	return regexp.Compile("^" + strings.ReplaceAll(regexp.QuoteMeta(h.filter), `\*`, ".*") + "$")
}

// wants reports whether the hook gets push events of a branch.
func (h *Hook) wants(branch string) bool {
	pattern, err := h.pattern()
	return err == nil && pattern.MatchString(branch)
}

// setHookValue makes or replaces a URL variable or a custom header.
func setHookValue(t *collection.Table[*call, any, Hook], values func(*Hook) *[]hookValue) handler {
	return withRecord(t, func(c *call, _ any, h *Hook) *reply {
		c.RequireGiven("value")
		if refusal := c.Refusal(); refusal != nil {
			return refusal
		}
		given := []hookValue{{c.PathString("key"), c.String("value")}}
		after := merged(*values(h), given)
		if !validValues(given) || len(after) > 20 {
			return hookError(http.StatusUnprocessableEntity, "Illegal key or value")
		}
		*values(h) = after
		return c.NoContent()
	})
}

// deleteHookValue removes a URL variable or a custom header.
func deleteHookValue(t *collection.Table[*call, any, Hook], name string, values func(*Hook) *[]hookValue) handler {
	return withRecord(t, func(c *call, _ any, h *Hook) *reply {
		at := slices.IndexFunc(*values(h), func(v hookValue) bool { return v.key == c.PathString("key") })
		if at < 0 {
			return frame.NotFound(name)
		}
		less := *h
		*values(&less) = slices.Delete(slices.Clone(*values(h)), at, at+1)
		if _, ok := less.address(); !ok {
			return hookError(http.StatusUnprocessableEntity, "Illegal key or value")
		}
		*values(h) = *values(&less)
		return c.NoContent()
	})
}

func urlVariables(h *Hook) *[]hookValue  { return &h.variables }
func customHeaders(h *Hook) *[]hookValue { return &h.headers }
