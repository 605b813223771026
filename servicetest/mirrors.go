package servicetest

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
	"example.com/serviceapi/servicetest/internal/sshkey"
)

// A RemoteMirror is a repository that a project pushes to. Nothing is pushed here. A
// test says how the last update ended. Make one with Project.RemoteMirror.
type RemoteMirror struct {
	record[*Project]

	url           string // with its credentials
	withAuth      bool   // whether a pull mirror has credentials
	enabled       bool
	onlyProtected bool
	keepDivergent *bool
	method        string
	branches      string // a regular expression for names
	hostKeys      []string

	status, lastError           string
	startedAt, endedAt, success time.Time
	failures                    int // in a row
}

var remoteMirrors = shelved(collection.Table[*call, *Project, RemoteMirror]{
	Param: "mirror_id",
	Home: unless((*call).project, frame.Unauthorized, func(c *call, p *Project) bool {
		return c.svc.projectLevel(c.user, p) < Maintainer
	}),
	Fields: numbered(
		collection.Flag("enabled", func(m *RemoteMirror) *bool { return &m.enabled }),
		collection.Text("url", func(m *RemoteMirror) *string { return &m.url }).Required().Once().Unseen(),
		collection.Shown("url", func(m *RemoteMirror) string { return maskedURL(m.url) }),
		collection.Shown("update_status", func(m *RemoteMirror) string { return m.status }),
		collection.Shown("last_update_at", func(m *RemoteMirror) jsonTime { return jsonTime(m.endedAt) }),
		collection.Shown("last_update_started_at", func(m *RemoteMirror) jsonTime { return jsonTime(m.startedAt) }),
		collection.Shown("last_successful_update_at", func(m *RemoteMirror) jsonTime { return jsonTime(m.success) }),
		collection.Shown("last_error", func(m *RemoteMirror) jsonText { return jsonText(m.lastError) }),
		collection.Flag("only_protected_branches", func(m *RemoteMirror) *bool { return &m.onlyProtected }),
		collection.Shown("keep_divergent_refs", func(m *RemoteMirror) *bool { return m.keepDivergent }),
		collection.Choice("auth_method", func(m *RemoteMirror) *string { return &m.method }, "password",
			"ssh_public_key"),
		collection.Shown("host_keys", (*RemoteMirror).fingerprints),
	),
	New: func(*call, *Project) *RemoteMirror { return &RemoteMirror{method: "password", status: "none"} },
	Read: func(c *call, _ *Project, m *RemoteMirror, _ bool) {
		if c.Has("keep_divergent_refs") {
			m.keepDivergent = new(c.Bool("keep_divergent_refs"))
		}
		if c.Has("mirror_branch_regex") && c.hasTier(Premium) {
			m.branches = c.String("mirror_branch_regex")
		}
		given(c, "host_keys", c.Strings, &m.hostKeys)
	},
	Check: (*call).checkMirror,
	Extra: func(c *call, _ *Project, m *RemoteMirror, form *collection.Form) {
		if c.hasTier(Premium) {
			form.Add("mirror_branch_regex", jsonText(m.branches))
		}
	},
})

func (c *call) checkMirror(_ *Project, m, _ *RemoteMirror) *reply {
	switch _, ok := mirrorURL(m.url); {
	case !ok:
		return frame.FieldErrors("url", "is blocked: Only allowed schemes are http, https, ssh, git")
	case c.Has("only_protected_branches") && !c.Given("only_protected_branches"):
		return frame.FieldErrors("only_protected_branches", "can't be blank")
	case m.branches == "" || !m.onlyProtected:
	case !c.Has("mirror_branch_regex"):
		m.branches = "" // the newer setting wins
	case !c.Has("only_protected_branches"):
		m.onlyProtected = false
	default:
		return frame.FieldErrors("only_protected_branches", "cannot be used together with mirror_branch_regex")
	}
	for _, key := range m.hostKeys {
		if _, ok := sshkey.Parse(key); !ok {
			return frame.FieldErrors("host_keys", "are invalid")
		}
	}
	return nil
}

// mirrorURL reads the address of a mirror.
func mirrorURL(text string) (*url.URL, bool) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || !slices.Contains([]string{"http", "https", "ssh", "git"}, u.Scheme) {
		return nil, false
	}
	return u, true
}

// maskedURL hides the name and the password in an address.
func maskedURL(text string) string {
	u, ok := mirrorURL(text)
	if !ok || u.User == nil {
		return text
	}
	masked := "*****"
	if _, has := u.User.Password(); has {
		masked += ":*****"
	}
	return strings.Replace(withoutCredentials(text), "://", "://"+masked+"@", 1)
}

func (m *RemoteMirror) fingerprints() []object {
	return mapped(m.hostKeys, func(key string) object {
		_, ofSHA256 := sshkey.Fingerprints(key)
		return object{"fingerprint_sha256": ofSHA256}
	})
}

// RemoteMirror gives the project an enabled remote mirror without any updates.
func (p *Project) RemoteMirror(address string) *RemoteMirror {
	defer p.svc.lock()()
	return shelve(p.svc, p, &RemoteMirror{url: address, enabled: true, method: "password", status: "none"})
}

// ID returns the mirror's ID.
func (m *RemoteMirror) ID() int64 { return m.id }

// URL returns the mirror's address with its credentials. The API does not return the
// credentials.
func (m *RemoteMirror) URL() string { return m.url }

// Update records an update of the mirror at the current time. If failure is not empty,
// the update failed for that reason.
func (m *RemoteMirror) Update(failure string) {
	defer m.home.svc.lock()()
	m.end(failure)
}

func (m *RemoteMirror) end(failure string) {
	m.startedAt, m.endedAt, m.lastError, m.failures = m.home.svc.now(), m.home.svc.now(), failure, m.failures+1
	if m.status = "failed"; failure == "" {
		m.status, m.success, m.failures = "finished", m.endedAt, 0
	}
}

// start starts an update, which ends before the next request, without a failure.
func (m *RemoteMirror) start() {
	m.status, m.startedAt = "started", m.home.svc.now()
	m.home.svc.after(0, func() { m.Update("") })
}

// serveMirror starts a mirror, or shows its key.
func serveMirror(c *call, _ *Project, m *RemoteMirror) *reply {
	switch {
	case c.route.writes() && !m.enabled:
		return frame.Message(http.StatusBadRequest,
			"Cannot proceed with the push mirroring. Please verify your mirror configuration.")
	case c.route.writes():
		m.start()
		return c.NoContent()
	case m.method != "ssh_public_key":
		return frame.NotFoundUnnamed()
	}
	return c.OK(object{"public_key": sshkey.MadeUp(m.id)})
}

// UpdatePullMirror records an update of the project's pull mirror, as RemoteMirror.Update does.
// After 15 failures in a row, the mirror is on pause until it is enabled again.
func (p *Project) UpdatePullMirror(failure string) {
	defer p.svc.lock()()
	p.pull().end(failure)
}

// pull returns what is known of the updates of the pull mirror.
func (p *Project) pull() *RemoteMirror {
	if p.pulled == nil {
		p.pulled = &RemoteMirror{record: record[*Project]{home: p}, status: "none"}
	}
	return p.pulled
}

// servePullMirror shows or starts the pull mirror of a project.
func servePullMirror(c *call, p *Project) *reply {
	switch {
	case !c.hasTier(Premium) || !p.preferences.flag(projectPreferences, "mirror"):
		return frame.Message(http.StatusBadRequest, "The project is not mirrored")
	case !c.route.writes():
		return c.OK(p.pullMirror())
	case p.pull().failures > 14:
		return frame.Message(http.StatusForbidden, "Mirroring for the project is on pause")
	}
	p.pull().start()
	return c.OK(http.StatusOK)
}

// pullMirrorPreferences are the settings of a project that its pull mirror also shows.
var pullMirrorPreferences = []string{
	"mirror_trigger_builds", "only_mirror_protected_branches", "mirror_overwrites_diverged_branches",
}

func updatePullMirror(c *call, p *Project) *reply {
	address, enabled := p.importURL, c.BoolOr("enabled", p.preferences.flag(projectPreferences, "mirror"))
	given(c, "url", c.String, &address)
	user, password := c.String("auth_user"), c.String("auth_password")
	set := map[string]any{"mirror": enabled}
	for _, name := range pullMirrorPreferences {
		if c.Has(name) {
			set[name] = c.Bool(name)
		}
	}
	if c.Has("mirror_branch_regex") {
		set["mirror_branch_regex"] = c.String("mirror_branch_regex")
	}
	u, ok := mirrorURL(address)
	switch {
	case c.Refusal() != nil:
		return c.Refusal()
	case !ok && (enabled || address != ""):
		return frame.FieldErrors("import_url", "is blocked: Only allowed schemes are http, https, ssh, git")
	}
	if given := user != "" || password != ""; given || c.Has("url") {
		p.pull().withAuth = given || u != nil && u.User != nil
	}
	p.importURL = withoutCredentials(address)
	if c.Bool("enabled") {
		p.pull().failures = 0
	}
	maps.Copy(p.preferences, set)
	c.svc.touch(p)
	return c.OK(p.pullMirror())
}

func (p *Project) pullMirror() object {
	m, address := p.pull(), p.importURL
	if m.withAuth {
		address = strings.Replace(address, "://", "://*****:*****@", 1)
	}
	form := object{
		"id": p.id, "update_status": m.status, "url": address, "last_error": jsonText(m.lastError),
		"last_update_at": jsonTime(m.endedAt), "last_update_started_at": jsonTime(m.startedAt),
		"last_successful_update_at": jsonTime(m.success),
		"enabled":                   p.preferences.flag(projectPreferences, "mirror"),
		"mirror_branch_regex":       jsonText(p.preferences.choice(projectPreferences, "mirror_branch_regex")),
	}
	for _, name := range pullMirrorPreferences {
		form[name] = p.preferences.value(projectPreferences, name)
	}
	return form
}
