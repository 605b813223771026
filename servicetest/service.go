package servicetest

// How this package is built, and how to add an area (registry, runners, notes
// and so on)
//
// Package internal/frame receives requests and writes responses: parameters, forms,
// bodies, replies, pages, filters, the router, faults, the recorder, transcripts and
// unknown routes. It does not depend on any area, and imports only the standard
// library; TestLayout checks that. These files connect it with the areas:
//
//	service.go, options.go         the service, its options and those of seeding
//	vendor.go                      how other deployments differ
//	routes.go, router.go           the table of all endpoints
//	server.go, call.go             serve a request
//	auth.go                        callers, their roles, archived projects
//	table.go, clock.go, content.go how areas keep their state
//	handles.go, with.go            what handles and handlers have in common
//	changes.go                     what has changed, for hooks and events
//	recorder.go, faults.go         what tests observe and break
//	subscribe.go, objects.go       what watchers see, without credentials
//
// An area is <area>.go: its records, the methods that seed and read them, their
// handlers and their JSON. An area of more than 600 lines has more files with its name
// as a prefix, such as merge_requests_filter.go. These areas have names of two words:
//
//	access_requests.go
//	access_tokens.go
//	audit_events.go
//	award_emoji.go
//	bulk_imports.go
//	cluster_agents.go
//	custom_attributes.go
//	deploy_keys.go
//	deploy_tokens.go
//	draft_notes.go
//	error_tracking.go
//	feature_flags.go
//	file_exports.go
//	freeze_periods.go
//	gpg_keys.go
//	identity_providers.go
//	issue_links.go
//	job_token_scope.go
//	member_roles.go
//	merge_requests.go
//	merge_trains.go
//	notification_settings.go
//	pipeline_schedules.go
//	product_imports.go
//	push_rules.go
//	resource_events.go
//	resource_groups.go
//	runner_controllers.go
//	secure_files.go
//	security_settings.go
//	service_accounts.go
//	ssh_keys.go
//	status_checks.go
//	storage_moves.go
//	terraform_state.go
//	time_tracking.go
//	work_items.go
//
// Collections. An area that only lists, reads, creates, changes and deletes records is
// a collection.Table. It has a row for each field (name, kind, required, unique,
// allowed values, who may read and write it), each filter and each order. Its methods
// are the handlers. Functions in the table do what is special to the area:
//
//	var sshKeys = collection.Table[*call, *User, sshKey]{
//		Name: "Key", Param: "key_id",
//		Fields: []collection.Field[sshKey]{
//			collection.Text("title", func(k *sshKey) *string {
//				return &k.title
//			}).Required(),
//			...
//
//	on("GET /user/keys", sshKeys.List),
//	on("POST /user/keys", sshKeys.Create),
//
// Labels, milestones, variables, snippets, secure files, keys and access tokens are
// such tables.
//
// A record that embeds record[*Project], or another home, is kept on a shelf of its kind:
// shelved(collection.Table[...]{...}) makes such a table, shelve stores a record in a handle,
// and recordsOf returns those of a home (table.go). Freeze periods are the shortest example.
//
// Issues, merge requests and epics share a topic: title, author, labels, notes
// and so on (topics.go), and the filters of their lists.
// Projects and groups share the form of their settings (preferences.go).
//
// Code that does not depend on the service is in packages below internal: frame,
// ciconfig, collection, cron, emoji, gitrepo (commits, refs, diffs, merges, blame), graphql,
// markdown, scim and sshkey.
//
// Register. A row in the table in routes.go gives an endpoint its handler, the role of
// the caller, the tier, and other properties:
//
//	on("GET /projects/:id/things", withProject(listThings)),
//	on("POST /projects/:id/things", withProject(createThing), role(Developer)),
//
// withProject and the like (with.go) find what the path names and check the role. For what
// only a few handlers need, write with((*call).findThing, getThing), and for the record of a
// table, withRecord(&things, startThing). The rows are in the order of
// testdata/endpoints.tsv.
//
// Handle. A handler gets the call and what the path names, and returns a *reply. It runs
// while the state is locked, so it must not sleep or do I/O. Slow work goes into the stream
// of a reply, which runs after the lock is released. A look-up that can fail returns a
// *reply as its last value, or nil on success:
//
//	func createThing(c *call, project *Project) *reply {
//		name := c.RequiredString("name")
//		if refusal := c.Refusal(); refusal != nil {
//			return refusal
//		}
//		...
//		return c.Created(thing.json())
//	}
//
// Parameters. c.String, c.Int64, c.BoolOr, c.Strings, c.StringIn and so on read
// parameters of the path, the query and the body, in any encoding. Their names say what
// they return (internal/frame/params.go). They note missing and wrong values, and
// c.Refusal returns a 400 with all of them. Parameters that a handler only checks go to
// frame.Accept. No getter is called only for its notes.
//
// Paginate. frame.ListOf(c, things, (*Thing).json) returns one page of a slice, with
// all headers. For lists that may be long, keep an encoded in each record and use
// c.Page, which assembles pages from cached bytes. frame.KeysetPage does the same for
// keyset pagination.
//
// Keep state. state[thingState](c.svc) returns the area's own struct, and makes it when
// it is first used. A table in it assigns the IDs 1, 2, 3 and so on, and keeps records
// in order. A shelf does so for each project, group and so on (table.go). Records with
// cached encodings embed stamp. Call svc.touch(record) for every record that is made,
// changed or removed. It invalidates the encodings of the record, and is the only
// source of hooks, events and to-do items. A collection touches its own records.
// Look-ups by path do so if the call may write; look-ups of a new kind call c.found.
// Kinds with events are in everything and exists (changes.go) and in derive
// (hooks_watch.go), which also says which other records their events show. The tests
// of calls and rules fail if a record changes without a touch. With -guard, they check
// that in all worlds.
//
// Seed. Exported methods of *Service, *Project, *Group and so on take options and
// return a handle. Exported methods lock svc.mu, and unexported methods expect it to be
// held. So handlers never call exported methods. Options are interfaces with one
// unexported method for each kind, so that options such as ID and CreatedAt work for
// several kinds. To make ID work for a new kind, give IDOption a method for that kind
// in the file of the area.

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
)

// TB is the part of testing.TB that New needs. *testing.T, *testing.B and *testing.F
// implement it.
type TB interface {
	Helper()
	Cleanup(func())
	Fatalf(format string, args ...any)
}

// A Service is a running instance: an HTTP server and its state. It is safe for
// concurrent use. Make one with New or Start.
type Service struct {
	settings settings
	tb       TB
	server   *httptest.Server
	router   atomic.Pointer[frame.Routes[*route]]
	done     chan struct{}
	close    sync.Once
	recorder frame.Recorder
	faults   frame.Faults
	unknown  frame.Unknown
	requests atomic.Int64 // number received so far

	// mu guards all following fields, and every record reachable from them.
	mu         sync.Mutex
	advanced   time.Duration
	due        time.Time // when the running timer fires; zero if none is running
	timers     []timer
	version    uint64
	features   map[string]bool
	areas      map[reflect.Type]any
	unfollowed changeSet         // records touched since follow last ran
	guard      func(watcher any) // set by tests; called after a watcher has looked
	handled    []*route          // added by Handle
	hookWork
	tokens   map[string]*token
	issued   int
	users    table[*User]
	groups   table[*Group]
	projects table[*Project]
	paths    map[string]*Project // a cache of look-ups by path, possibly outdated
	admin    *User
	adminKey string
}

// New starts a service and closes it when the test ends. The test fails at once if the
// service cannot start or gets contradictory seeding.
func New(tb TB, opts ...Option) *Service {
	tb.Helper()
	svc, err := start(tb, opts)
	if err != nil {
		tb.Fatalf("servicetest: %v", err)
		return nil
	}
	tb.Cleanup(svc.Close)
	tb.Cleanup(svc.logHint)
	if svc.settings.transcript {
		tb.Cleanup(svc.logTranscript)
	}
	if svc.settings.strict {
		tb.Cleanup(svc.failOnUnknown) // runs before the transcript, because it can fail the test
	}
	return svc
}

// Start starts a service for a program. The caller must close it. Contradictory
// seeding, such as two users with the same ID, panics.
func Start(opts ...Option) (*Service, error) {
	return start(nil, opts)
}

func start(tb TB, opts []Option) (*Service, error) {
	svc := &Service{
		settings: defaultSettings(),
		tb:       tb,
		done:     make(chan struct{}),
		features: defaultFeatures(),
		areas:    make(map[reflect.Type]any),
		tokens:   make(map[string]*token),
		paths:    make(map[string]*Project),
	}
	svc.quiet = sync.NewCond(&svc.mu)
	svc.hooksRun, svc.stopHooks = context.WithCancel(context.Background())
	svc.router.Store(allRoutes())
	svc.faults.Closed = svc.done
	for _, opt := range opts {
		opt(&svc.settings)
	}
	svc.recorder.Limit = svc.settings.recorded
	svc.seedAdmin()
	if err := svc.listen(); err != nil {
		return nil, err
	}
	return svc, nil
}

// seedAdmin makes the administrator of the service.
func (s *Service) seedAdmin() {
	s.admin = s.User("root", Name("Administrator"), Admin(), Password("root-password"))
	s.adminKey = s.Token(s.admin)
}

func (s *Service) listen() error {
	if s.settings.inMemory {
		memory := newMemoryListener()
		s.serve(memory)
		memory.connect(s.server.Client())
		return nil
	}
	listener, err := net.Listen("tcp", s.settings.address)
	if err != nil {
		return fmt.Errorf("cannot listen on %s: %w", s.settings.address, err)
	}
	s.serve(listener)
	return nil
}

func (s *Service) serve(listener net.Listener) {
	s.server = &httptest.Server{Listener: listener, Config: &http.Server{Handler: s, ErrorLog: quietLog}}
	if s.settings.tls {
		s.server.EnableHTTP2 = true
		s.server.StartTLS()
	} else {
		s.server.Start()
	}
}

// Close stops the server. It first releases requests that a fault delays, and aborts
// requests of hooks. Close may be called more than once.
func (s *Service) Close() {
	s.close.Do(func() {
		close(s.done)
		s.endHooks()
		s.server.CloseClientConnections()
		s.server.Close()
	})
}

// URL returns the base URL of the service, without a trailing slash, for
// example "http://127.0.0.1:43567". The API is at URL() + "/api/v4".
func (s *Service) URL() string { return s.server.URL + s.settings.basePath }

// RegistryURL returns the base URL of the container registry's own endpoints.
func (s *Service) RegistryURL() string { return s.URL() }

// HTTPClient returns a client that trusts the certificate of a service started
// with WithTLS, and reaches one started with WithInMemory. It also works for any
// other service. Close closes its connections.
func (s *Service) HTTPClient() *http.Client { return s.server.Client() }

// AdminToken returns the personal access token of Root, with the scopes api
// and sudo.
func (s *Service) AdminToken() string { return s.adminKey }

// Root returns the administrator that every service has, with the ID 1 and the username
// root.
func (s *Service) Root() *User { return s.admin }

// lock takes the state's lock and returns the function that releases it. Before that,
// the function sends hooks the events about what has changed.
func (s *Service) lock() (unlock func()) {
	s.mu.Lock()
	return s.unlock
}

func (s *Service) unlock() {
	defer s.mu.Unlock()
	s.observe()
	s.actor, s.chain = nil, ""
}

// fail fails the test because of wrong seeding, or panics without a test.
func (s *Service) fail(format string, args ...any) {
	if s.tb == nil {
		panic("servicetest: " + fmt.Sprintf(format, args...))
	}
	s.tb.Helper()
	s.tb.Fatalf("servicetest: "+format, args...)
}

// state returns an area's own state in the service, and makes it when it is first used.
func state[T any](s *Service) *T {
	key := reflect.TypeFor[T]()
	if existing, ok := s.areas[key]; ok {
		return existing.(*T)
	}
	made := new(T)
	s.areas[key] = made
	return made
}

// address returns the base URL of addresses in objects.
func (s *Service) address() string {
	if s.settings.externalURL != "" {
		return s.settings.externalURL
	}
	return s.URL()
}

// apiURL returns a URL of the API.
func (s *Service) apiURL(elements ...string) string {
	return s.address() + "/api/v4/" + strings.Join(elements, "/")
}

// host returns the host of address, with the port.
func (s *Service) host() string {
	u, err := url.Parse(s.address())
	if err != nil {
		return s.address()
	}
	return u.Host
}

// sshURL returns the URL of a repository for git over SSH, which the embedded service
// does not implement.
func (s *Service) sshURL(path string) string { return "ssh://git@" + s.host() + "/" + path }

// webURL returns a URL of the web interface.
func (s *Service) webURL(elements ...string) string {
	return s.address() + "/" + strings.Join(elements, "/")
}

// isWebAddress reports whether a text is the URL of a page.
func isWebAddress(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}
