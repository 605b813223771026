package servicetest

import (
	"io"
	"log"
	"strings"
	"time"
)

// An Option configures a Service.
type Option func(*settings)

type settings struct {
	address  string
	basePath string
	inMemory bool
	// globalIDWord is the first word of global IDs.
	globalIDWord string

	tls      bool
	tier     Tier
	clock    func() time.Time
	tick     time.Duration
	recorded int
	version  string

	hookTimeout   time.Duration
	remoteHooks   bool          // hooks may send to other machines
	preparing     time.Duration // how long a merge request is prepared
	deletionDelay time.Duration

	vendor string // empty if none
	// transcript makes a failing test log the requests.
	transcript bool
	// strict makes a test fail if it requests unknown routes.
	strict bool
	// noImpersonation makes impersonation tokens useless.
	noImpersonation bool
	// uncountedJobs leaves out the totals of lists of jobs.
	uncountedJobs bool
	// externalURL is the beginning of addresses in objects. If it is empty, URL() is
	// used.
	externalURL string
	storages    []string // nil for all names
}

// A Tier is the subscription level of a service.
type Tier int

// The tiers, lowest first. Requests for features of a higher tier than the
// service's get a 403.
const (
	Free Tier = iota
	Premium
	Ultimate
)

// Epoch is the time of a service's clock until the clock moves, unless WithClock
// replaces it.
var Epoch = time.Date(2026, time.January, 15, 9, 0, 0, 0, time.UTC)

// quietLog drops messages of the server about connections that faults break.
var quietLog = log.New(io.Discard, "", 0)

func defaultSettings() settings {
	return settings{
		address: "127.0.0.1:0",
		tier:    Ultimate,

		globalIDWord: "service",

		clock:    func() time.Time { return Epoch },
		recorded: 10_000,

		hookTimeout: 10 * time.Second,
		version:     defaultVersion,
	}
}

// defaultFeatures are the feature flags that the API documents. Those that gate whole
// endpoints are enabled, so that everything works without setup.
func defaultFeatures() map[string]bool {
	return map[string]bool{
		"approval_group_rules":                     true,
		"ci_job_token_scope":                       false,
		"ci_secure_files":                          true,
		"import_project_from_remote_file":          true,
		"import_project_from_remote_file_objstore": true,
		"invite_members_for_task":                  false,
		"usage_data_non_sql_metrics":               true,
		"usage_data_queries_api":                   true,
	}
}

// WithAddress makes the service listen on a host and port, for example
// "127.0.0.1:8080". The default is a free port of the loopback interface.
func WithAddress(address string) Option {
	return func(s *settings) { s.address = address }
}

// WithBasePath serves everything below a path, like an instance behind a reverse proxy.
// With "/code", the API is at /code/api/v4.
func WithBasePath(path string) Option {
	return func(s *settings) {
		s.basePath = strings.TrimRight("/"+strings.Trim(path, "/"), "/")
	}
}

// WithExternalURL sets the beginning of the addresses in responses, such as web_url.
// Use it if clients know the instance by another address than URL returns, for example
// behind a proxy. It also helps a test that compares whole objects and needs the same
// addresses in each run. The service still listens at URL.
func WithExternalURL(address string) Option {
	return func(s *settings) { s.externalURL = strings.TrimRight(address, "/") }
}

// WithTLS serves HTTPS and HTTP/2 with a certificate that HTTPClient trusts.
func WithTLS() Option {
	return func(s *settings) { s.tls = true }
}

// WithTier sets the tier. The default is Ultimate, which has all features.
func WithTier(tier Tier) Option {
	return func(s *settings) { s.tier = tier }
}

// WithGlobalIDWord sets the first word of global IDs in the GraphQL API, which differs from
// one product to another: "service" by default, as in "gid://service/Project/1".
func WithGlobalIDWord(word string) Option {
	return func(s *settings) { s.globalIDWord = word }
}

// WithClock replaces the clock. By default, the clock stands still at Epoch.
// WithClock(time.Now) runs in real time. Advance works with every clock.
func WithClock(now func() time.Time) Option {
	return func(s *settings) { s.clock = now }
}

// WithTick advances the clock by d before each request, so that a polling client sees
// exports finish and jobs end without calls to Advance.
func WithTick(d time.Duration) Option {
	return func(s *settings) { s.tick = d }
}

// WithRecordedRequests sets how many of the newest requests the recorder keeps. The
// default is 10,000. 0 disables the recorder.
func WithRecordedRequests(n int) Option {
	return func(s *settings) { s.recorded = n }
}

// WithDelayedDeletion makes the service mark projects and groups when they are deleted,
// and remove them later. It requires the Premium tier or higher. By default, the
// service removes them at once.
func WithDelayedDeletion(after time.Duration) Option {
	return func(s *settings) { s.deletionDelay = after }
}

// WithoutImpersonation makes the service refuse impersonation tokens with a 401, as an
// instance does whose configuration disables impersonation. They can still be created and
// listed, and sudo still works.
func WithoutImpersonation() Option {
	return func(s *settings) { s.noImpersonation = true }
}

// SetFeature enables or disables a feature flag of the service. At the start,
// ci_job_token_scope and invite_members_for_task are disabled, and
// import_project_from_remote_file is enabled. So are approval_group_rules, ci_secure_files and
// import_project_from_remote_file_objstore, which are disabled in a new
// installation, as are usage_data_non_sql_metrics and usage_data_queries_api. The API sets them, too.
func (s *Service) SetFeature(name string, on bool) {
	defer s.lock()()
	s.features[name] = on
}

// feature reports whether a feature flag is enabled.
func (s *Service) feature(name string) bool { return s.features[name] }

// IDOption is the option that ID returns. It works for every kind of record.
type IDOption int64

// ID sets the ID of a record. By default, the records of a kind have the IDs 1,
// 2, 3 and so on.
func ID(id int64) IDOption { return IDOption(id) }

func (o IDOption) applyUser(u *User)         { u.id = int64(o) }
func (o IDOption) applyGroup(g *Group)       { g.id = int64(o) }
func (o IDOption) applyProject(p *Project)   { p.id = int64(o) }
func (o IDOption) applyPipeline(p *Pipeline) { p.id = int64(o) }
func (o IDOption) applyJob(j *Job)           { j.id = int64(o) }
func (o IDOption) applyRunner(r *Runner)     { r.id = int64(o) }

// NameOption is the option that Name returns.
type NameOption string

// Name sets the display name of a user, group or project, or the name of a
// token.
func Name(name string) NameOption { return NameOption(name) }

func (o NameOption) applyUser(u *User)       { u.name = string(o) }
func (o NameOption) applyGroup(g *Group)     { g.name = string(o) }
func (o NameOption) applyProject(p *Project) { p.name = string(o) }

// CreatedAtOption is the option that CreatedAt returns.
type CreatedAtOption time.Time

// CreatedAt sets when a record was created. The default is the time of the
// service's clock.
func CreatedAt(at time.Time) CreatedAtOption { return CreatedAtOption(at.UTC()) }

func (o CreatedAtOption) applyUser(u *User)         { u.createdAt = time.Time(o) }
func (o CreatedAtOption) applyGroup(g *Group)       { g.createdAt = time.Time(o) }
func (o CreatedAtOption) applyProject(p *Project)   { p.createdAt = time.Time(o) }
func (o CreatedAtOption) applyPipeline(p *Pipeline) { p.createdAt = time.Time(o) }
func (o CreatedAtOption) applyJob(j *Job)           { j.createdAt = time.Time(o) }

// VisibilityOption is the option that Public, Internal and Private return.
type VisibilityOption string

// Public makes a project or group visible to everybody.
func Public() VisibilityOption { return "public" }

// Internal makes a project or group visible to every signed-in user who is not
// external.
func Internal() VisibilityOption { return "internal" }

// Private, the default, makes a project or group visible only to its members.
func Private() VisibilityOption { return "private" }

func (o VisibilityOption) applyGroup(g *Group)     { g.visibility = string(o) }
func (o VisibilityOption) applyProject(p *Project) { p.visibility = string(o) }

// MemberOption is the option that Member returns.
type MemberOption struct {
	user  *User
	level AccessLevel
	opts  []MembershipOption
}

// Member gives a user a role in a project or group.
func Member(user *User, level AccessLevel, opts ...MembershipOption) MemberOption {
	return MemberOption{user, level, opts}
}

func (o MemberOption) applyGroup(g *Group) { g.svc.addMember(&g.members, o.user, o.level, o.opts...) }
func (o MemberOption) applyProject(p *Project) {
	p.svc.addMember(&p.members, o.user, o.level, o.opts...)
}

// DescriptionOption is the option that Description returns.
type DescriptionOption string

// Description sets the description of a project or group.
func Description(text string) DescriptionOption { return DescriptionOption(text) }

func (o DescriptionOption) applyGroup(g *Group)     { g.description = string(o) }
func (o DescriptionOption) applyProject(p *Project) { p.description = string(o) }
