package servicetest

import "slices"

// A HookOption sets a property of a seeded hook.
type HookOption func(h *Hook)

// HookToken sets the token that a hook sends.
func HookToken(token string) HookOption { return func(h *Hook) { h.token = token } }

// SigningToken makes a hook sign its requests: "whsec_" and the Base64 of 32 bytes. They are
// signed at the time of the service's clock, which stands still at Epoch, and receivers refuse
// signatures that are older than a few minutes. So give the receiver this clock, with
// webhook.Clock(svc.Now), or start the service with WithClock(time.Now). A delivery that was
// refused for this reason has a Hint, which a test also logs.
func SigningToken(token string) HookOption { return func(h *Hook) { h.signingToken = token } }

// HookEvents switches on only these events of a hook, such as "push_events". By
// default, all are on.
func HookEvents(switches ...string) HookOption {
	return func(h *Hook) {
		for _, name := range switches {
			if h.switches[name] == nil {
				h.svc.fail("this kind of hook has no switch %q", name)
				return
			}
		}
		for name, on := range h.switches {
			*on = slices.Contains(switches, name)
		}
	}
}

// HookHeader sets a custom header that a hook sends.
func HookHeader(name, value string) HookOption {
	return func(h *Hook) { h.headers = merged(h.headers, []hookValue{{name, value}}) }
}

// BranchFilter limits the push events of a hook to branches that match a pattern, in
// which * stands for any characters.
func BranchFilter(pattern string) HookOption { return func(h *Hook) { h.filter = pattern } }

// Hook adds a hook that sends the events of the project to a URL. All events are on,
// unless HookEvents says otherwise.
func (p *Project) Hook(url string, opts ...HookOption) *Hook { return p.svc.seedHook(p, url, opts) }

// Hook adds a hook that sends the events of the group, its subgroups and their projects
// to a URL. All events are on, unless HookEvents says otherwise.
func (g *Group) Hook(url string, opts ...HookOption) *Hook { return g.svc.seedHook(g, url, opts) }

// SystemHook adds a hook that sends the events of the whole instance to a URL. All
// events are on, unless HookEvents says otherwise.
func (s *Service) SystemHook(url string, opts ...HookOption) *Hook { return s.seedHook(s, url, opts) }

func (s *Service) seedHook(home any, url string, opts []HookOption) *Hook {
	defer s.lock()()
	h := s.draftHook(home)
	h.url = url
	for _, on := range h.switches {
		*on = true
	}
	for _, opt := range opts {
		opt(h)
	}
	seed(s, &state[hookState](s).hooks, &h.id, h, "a hook")
	s.touch(h)
	return h
}

// ID returns the ID of the hook.
func (h *Hook) ID() int64 { return h.id }

// Exists reports whether the hook exists, that is, has not been deleted.
func (h *Hook) Exists() bool {
	defer h.svc.lock()()
	_, ok := state[hookState](h.svc).hooks.get(h.id)
	return ok
}

// AlertStatus says whether the hook is disabled after failures: "executable",
// "temporarily_disabled" or "disabled".
func (h *Hook) AlertStatus() string { return locked(h.svc, h.alertStatus) }
