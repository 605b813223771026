// Package servicetest runs the service inside a test or program: a real HTTP
// server with the whole API behind it, which keeps state in memory. Tests of
// code that talks to the service use it in place of mocks.
//
// Two feature flags that are off in a new installation are on here, so that
// every endpoint works without set-up: ci_secure_files and
// import_project_from_remote_file_objstore. SetFeature turns them off. The tier
// is Ultimate unless WithTier says otherwise.
//
//	func TestReport(t *testing.T) {
//		svc := servicetest.New(t)
//		app := svc.Project("acme/app")
//		app.Pipeline("main").Job("test", servicetest.Failed("script_failure"))
//		report(svc.URL(), svc.AdminToken())
//	}
//
// # Seeding
//
// Methods create what a test needs, and return handles whose state can be read
// back. IDs are predictable: 1, 2, 3 and so on for each kind of object, unless
// the option ID says otherwise.
//
//	ada := svc.User("ada")
//	token := svc.Token(ada)
//	app := svc.Project("acme/app", servicetest.Member(ada, servicetest.Maintainer))
//	job := app.Pipeline("main").Job("build",
//		servicetest.Stage("build"),
//		servicetest.Trace("$ make\nok\n"),
//		servicetest.Archive(map[string]string{"report.txt": "all well"}))
//	...
//	if job.HasArchive() { ... }
//
// Every service has an administrator, Root, with the token AdminToken.
// Credentials, scopes, roles, visibility and sudo are checked as the real
// service does. Contradictory seeding, such as two users with the same name,
// fails the test; in a program (see Start) it panics.
//
// # Time
//
// The clock stands still at Epoch, so that outputs are the same on each run.
// Advance moves it forward; tokens expire, filters by age apply and exports
// finish by this clock. WithTick moves it with each request, and
// WithClock(time.Now) makes it run in real time.
//
// Pipelines that the API starts run by this clock, too: Project.CI plans their
// jobs.
//
// # Misbehaviour
//
// Fault makes a route misbehave, for all requests or some of them: error
// statuses, delays, rate limits, broken connections, redirects, responses that
// are lost after the request took effect.
//
//	svc.Fault("GET /projects/:id/jobs", servicetest.Status(503, ""), servicetest.Times(2))
//
// # What was received
//
// Requests returns the requests received, for assertions on what a client sent,
// and Transcript writes them for people. With the option TranscriptOnFailure a
// test that fails shows what the service received.
//
// # Other deployments
//
// Vendor makes a service that carries another name, as most deployments do,
// WithTier one of a lower tier, WithBasePath one below a path, and
// WithExternalURL one behind a proxy.
//
// # Programs
//
// Start runs a service without a test; the caller closes it.
//
// Everything is safe for concurrent use. The package depends only on the
// standard library, and any client of the API can be tested with it.
package servicetest
