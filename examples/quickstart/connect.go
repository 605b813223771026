package main

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// connect returns a client of the service that the environment names, or of an
// embedded one.
func connect(out io.Writer, args []string) (client *serviceapi.Client, project serviceapi.Path, closeService func(), err error) {
	if os.Getenv("SERVICE_BASE_URL") != "" || os.Getenv("SERVICE_TOKEN") != "" || os.Getenv("SERVICE_OAUTH_TOKEN") != "" {
		if len(args) != 1 {
			return nil, "", nil, errors.New("name one project: quickstart group/project")
		}
		client, err = serviceapi.FromEnv()
		return client, serviceapi.Path(args[0]), func() {}, err
	}
	service, err := servicetest.Start()
	if err != nil {
		return nil, "", nil, err
	}
	fmt.Fprint(out, "SERVICE_BASE_URL is not set: this is an embedded service with a made-up project.\n\n")
	token := seed(service)
	client, err = serviceapi.NewClient(service.URL(), serviceapi.PrivateToken(token))
	if err != nil {
		service.Close()
		return nil, "", nil, err
	}
	project = "acme/shop"
	if len(args) > 0 {
		project = serviceapi.Path(args[0])
	}
	return client, project, service.Close, nil
}

// seed fills the service with a project of some months' work, and returns the
// token of one of its developers.
func seed(service *servicetest.Service) string {
	ada := service.User("ada")
	shop := service.Project("acme/shop", servicetest.Member(ada, servicetest.Developer))
	for n := range 60 {
		pipeline := shop.Pipeline("main", servicetest.By(ada))
		service.Advance(6 * time.Hour)
		pipeline.Job("lint", servicetest.Stage("check"), servicetest.Took(40*time.Second), servicetest.Trace(buildLog("lint", "0 issues")))
		pipeline.Job("unit", servicetest.Stage("test"), servicetest.Took(95*time.Second), servicetest.Trace(buildLog("unit", "ok: 412 tests")))
		pipeline.Job("compile", servicetest.Stage("build"), servicetest.Took(3*time.Minute),
			servicetest.Trace(buildLog("compile", "wrote dist/shop")), servicetest.Archive(artifacts(n)))
		if n%20 == 7 {
			pipeline.Job("integration", servicetest.Stage("test"), servicetest.Took(412*time.Second),
				servicetest.Failed("script_failure"), servicetest.Trace(buildLog("integration", failures)))
			continue
		}
		pipeline.Job("integration", servicetest.Stage("test"), servicetest.Took(210*time.Second), servicetest.Trace(buildLog("integration", "ok: 37 tests")))
		pipeline.Job("deploy", servicetest.Stage("deploy"), servicetest.Manual())
	}
	return service.Token(ada)
}

const failures = "--- FAIL: TestCheckout (0.31s)\n    checkout_test.go:88: total is 41.90, want 42.00\nERROR: Job failed: exit code 1"

func buildLog(job, end string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Running on runner-7 via build-01...\n$ make %s\n", job)
	for step := range 40 {
		fmt.Fprintf(&b, "[%02d/40] %s: step done\n", step+1, job)
	}
	return b.String() + end + "\n"
}

func artifacts(n int) map[string]string {
	return map[string]string{
		"dist/shop":       binary(n),
		"dist/VERSION":    fmt.Sprintf("1.%d.0\n", n),
		"coverage.xml":    "<coverage line-rate=\"0.87\"/>\n",
		"reports/unit.md": "# 412 tests, 412 passed\n",
	}
}

// binary is a program of 300 KB, as far as zip can tell.
func binary(n int) string {
	random := rand.NewChaCha8([32]byte{byte(n)})
	data := make([]byte, 300_000)
	random.Read(data)
	return string(data)
}
