package demo

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"example.com/serviceapi/servicetest"
)

// Shop is a service with a few weeks of work: the group acme, its project
// acme/shop with pipelines, images, merge requests and environments, and their
// audit events.
type Shop struct {
	Service *servicetest.Service
	// Token is the token of ada, who owns the group. DeveloperToken is the token of
	// grace, a developer of the project.
	Token, DeveloperToken string

	ada, grace *servicetest.User
	project    *servicetest.Project
	registry   []*servicetest.RegistryRepository
}

// Fill creates the shop in a service.
func Fill(service *servicetest.Service) *Shop {
	s := &Shop{Service: service, ada: service.User("ada"), grace: service.User("grace")}
	group := service.Group("acme", servicetest.Member(s.ada, servicetest.Owner))
	s.project = service.Project("acme/shop", servicetest.Member(s.grace, servicetest.Developer),
		servicetest.Description("Sells what acme makes"))
	s.project.Commit("main", "Add pictures", servicetest.Write("assets/pictures.bin", strings.Repeat(binary(0), 2)))
	s.Token, s.DeveloperToken = service.Token(s.ada), service.Token(s.grace)
	s.addPipelines()
	s.planPipelines()
	s.addImages()
	s.addReview()
	s.addEvents(group)
	return s
}

func (s *Shop) ago(d time.Duration) time.Time { return s.Service.Now().Add(-d) }

const day = 24 * time.Hour

// addPipelines makes 60 pipelines, one every six hours. Three of them failed.
func (s *Shop) addPipelines() {
	for n := range 60 {
		at := s.ago(time.Duration(60-n) * 6 * time.Hour)
		pipeline := s.project.Pipeline("main", servicetest.By(s.ada), servicetest.CreatedAt(at))
		job := func(stage, name, end string, took time.Duration, opts ...servicetest.JobOption) {
			opts = append(opts, servicetest.Stage(stage), servicetest.Took(took),
				servicetest.Trace(buildLog(name, end)))
			pipeline.Job(name, opts...)
		}
		job("check", "lint", "0 issues", 40*time.Second)
		job("test", "unit", "ok: 412 tests", 95*time.Second)
		job("build", "compile", "wrote dist/shop", 3*time.Minute, archive(n))
		if n%20 == 7 {
			f := failures[n/20]
			job("test", "integration", f.log, f.took, servicetest.Failed(f.reason))
			continue
		}
		job("test", "integration", "ok: 37 tests", 210*time.Second)
		pipeline.Job("deploy", servicetest.Stage("deploy"), servicetest.Manual(), servicetest.AllowFailure())
	}
}

// planPipelines sets the jobs of pipelines that a program starts. They take
// seconds instead of minutes.
func (s *Shop) planPipelines() {
	job := func(stage, name, end string) servicetest.PlannedJob {
		return servicetest.PlanJob(name, servicetest.Stage(stage), servicetest.Queued(100*time.Millisecond),
			servicetest.Took(400*time.Millisecond), servicetest.Trace(buildLog(name, end)))
	}
	s.project.CI(job("check", "lint", "0 issues"), job("test", "unit", "ok: 412 tests"),
		job("build", "compile", "wrote dist/shop"))
}

// failures are the ways in which the job integration failed.
var failures = []struct {
	log, reason string
	took        time.Duration
}{
	{"--- FAIL: TestSearch (2.04s)\n    search_test.go:31: dial tcp 10.0.4.7:9200: connect: connection " +
		"refused\nERROR: Job failed: exit code 1",
		"script_failure", 38 * time.Second},
	{"=== RUN   TestStock\nERROR: Job failed: execution took longer than 1h0m0s seconds", "stuck_or_timeout_failure",
		time.Hour},
	{"--- FAIL: TestCheckout (0.31s)\n    checkout_test.go:88: total is 41.90, want 42.00\nERROR: Job failed: exit " +
		"code 1",
		"script_failure", 412 * time.Second},
}

func buildLog(job, end string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Running on runner-7 via build-01...\n$ make %s\n", job)
	for step := range 40 {
		fmt.Fprintf(&b, "[%02d/40] %s: step done\n", step+1, job)
	}
	return b.String() + end + "\n"
}

// archives are the zip files that the job compile produces. They are made once,
// however many services use them.
var archives = sync.OnceValue(func() (made [4]*bytes.Reader) {
	for n := range made {
		var buffer bytes.Buffer
		w := zip.NewWriter(&buffer)
		for _, file := range []struct{ name, content string }{
			{"coverage.xml", "<coverage line-rate=\"0.87\"/>\n"},
			{"dist/VERSION", fmt.Sprintf("1.%d.0\n", n)},
			{"dist/shop", binary(n)},
			{"reports/unit.md", "# 412 tests, 412 passed\n"},
		} {
			if entry, err := w.CreateHeader(&zip.FileHeader{Name: file.name, Method: zip.Store}); err == nil {
				io.WriteString(entry, file.content) // writes to memory
			}
		}
		w.Close()
		made[n] = bytes.NewReader(buffer.Bytes())
	}
	return made
})

func archive(n int) servicetest.JobOption {
	source := archives()[n%len(archives())]
	return servicetest.ArchiveFrom(source.Size(), source)
}

// binary has the size of a program, 300 KB.
func binary(n int) string {
	data := make([]byte, 300_000)
	rand.NewChaCha8([32]byte{byte(n)}).Read(data)
	return string(data)
}

// addImages makes a repository with releases and the builds of every pipeline,
// and one with caches.
func (s *Shop) addImages() {
	images := s.project.RegistryRepository("")
	for n := range 6 {
		images.Push(fmt.Sprintf("v1.%d.0", n), servicetest.CreatedAt(s.ago(time.Duration(90-15*n)*day)),
			servicetest.ImageSize(48_000_000))
	}
	images.Push("latest", servicetest.CreatedAt(s.ago(15*day)), servicetest.ImageSize(48_000_000))
	for n := range 20 {
		images.Push(fmt.Sprintf("build-%d", 41+n), servicetest.CreatedAt(s.ago(time.Duration(20-n)*day)),
			servicetest.ImageSize(51_000_000))
	}
	caches := s.project.RegistryRepository("cache")
	for n := range 5 {
		caches.Push(fmt.Sprintf("go-1.%d", 22+n), servicetest.CreatedAt(s.ago(time.Duration(5-n)*60*day)),
			servicetest.ImageSize(310_000_000))
	}
	s.registry = []*servicetest.RegistryRepository{images, caches}
}

// Images returns the names of all images of the project.
func (s *Shop) Images() []string {
	var names []string
	for _, repository := range s.registry {
		for _, tag := range repository.Tags() {
			names = append(names, repository.Path()+":"+tag)
		}
	}
	return names
}

// addReview makes issues and merge requests.
func (s *Shop) addReview() {
	bug := s.project.Issue("Totals are rounded down", servicetest.By(s.grace), servicetest.AssignedTo(s.ada),
		servicetest.Labels("bug"))
	bug.Note("41.90 instead of 42.00, see the integration tests", servicetest.By(s.grace))
	s.project.MergeRequest("round-half-even", servicetest.By(s.ada), servicetest.ReviewedBy(s.grace),
		servicetest.Title("Round totals half to even"))
	s.project.MergeRequest("faster-search", servicetest.By(s.grace), servicetest.Draft(),
		servicetest.Title("Search with an index"))
}

// addEvents records audit events of the group: several at the same time, as
// scripts cause them, and some every day.
func (s *Shop) addEvents(group *servicetest.Group) {
	for n := range 30 {
		at := servicetest.CreatedAt(s.ago(time.Duration(30-n) * 8 * time.Hour).Truncate(time.Second))
		for _, branch := range []string{"main", "release", "hotfix"} {
			group.AuditEvent(s.ada, servicetest.AuditDetails{
				"change": "allow_force_push", "from": true, "to": false, "target_type": "ProtectedBranch",
				"target_details": branch,
			}, at)
		}
		s.project.AuditEvent(s.grace,
			servicetest.AuditDetails{"custom_message": fmt.Sprintf("Started deployment %d", n+1)}, at)
	}
}
