package recipes_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// A program that walks a long list saves its position, and continues there
// after it was stopped.
func Example_withPageObserver() {
	service, err := servicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	client, err := serviceapi.NewClient(service.URL(),
		serviceapi.PrivateToken(service.AdminToken()))
	if err != nil {
		log.Fatal(err)
	}
	pipeline := service.Project("acme/shop").Pipeline("main")
	for i := range 5 {
		pipeline.Job(fmt.Sprintf("test-%d", i))
	}
	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")

	// The token of a page continues after it: it counts when the next page begins.
	var checkpoint, next string
	note := serviceapi.WithPageObserver(func(page *serviceapi.Response) {
		fmt.Println("a page of", page.PerPage, "of", page.Total)
		checkpoint, next = next, page.NextPageToken
	})
	options := &serviceapi.ListJobsOptions{}
	options.PerPage = 2
	for job, err := range client.Jobs.All(ctx, shop, options, note) {
		if err != nil {
			log.Fatal(err)
		}
		if job.Name == "test-2" {
			break // the program is stopped here
		}
	}
	options = &serviceapi.ListJobsOptions{}
	options.PageToken = checkpoint
	rest, err := serviceapi.Collect(client.Jobs.All(ctx, shop, options))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("then", len(rest), "more")
	// Output:
	// a page of 2 of 5
	// a page of 2 of 5
	// then 3 more
}

// Read fields that the library does not model from the JSON of the response.
func Example_withRawJSON() {
	service, err := servicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	client, err := serviceapi.NewClient(service.URL(),
		serviceapi.PrivateToken(service.AdminToken()))
	if err != nil {
		log.Fatal(err)
	}
	service.Project("acme/shop")

	var raw json.RawMessage
	project, _, err := client.Projects.Get(context.Background(),
		serviceapi.ProjectPath("acme/shop"), nil, serviceapi.WithRawJSON(&raw))
	if err != nil {
		log.Fatal(err)
	}
	var more struct {
		Path string `json:"path"`
	}
	if err := json.Unmarshal(raw, &more); err != nil {
		log.Fatal(err)
	}
	fmt.Println(project.Name, more.Path)
	// Output: Shop shop
}

// Send a parameter that only newer releases have, in addition to the known
// ones.
func Example_withBodyField() {
	service, err := servicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	client, err := serviceapi.NewClient(service.URL(),
		serviceapi.PrivateToken(service.AdminToken()))
	if err != nil {
		log.Fatal(err)
	}
	service.Project("acme/shop")

	_, _, err = client.Environments.Create(context.Background(),
		serviceapi.ProjectPath("acme/shop"),
		serviceapi.CreateEnvironmentOptions{Name: "review"},
		serviceapi.WithBodyField("auto_stop_setting", "always"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(service.Requests()[0].Body))
	// Output: {"name":"review","auto_stop_setting":"always"}
}

// A custom CA, client certificates and a proxy are settings of the transport.
func Example_defaultTransport() {
	caCertificates := x509.NewCertPool() // and AppendCertsFromPEM
	var own tls.Certificate              // of tls.LoadX509KeyPair
	proxy, err := url.Parse("http://proxy.example.com:3128")
	if err != nil {
		log.Fatal(err)
	}

	transport := serviceapi.DefaultTransport()
	transport.TLSClientConfig = &tls.Config{
		RootCAs:      caCertificates,
		Certificates: []tls.Certificate{own},
	}
	transport.Proxy = http.ProxyURL(proxy)
	client, err := serviceapi.NewClient("https://service.example.com",
		serviceapi.Anonymous(),
		serviceapi.WithHTTPClient(&http.Client{Transport: transport}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(client)
	// Output: serviceapi.Client(https://service.example.com, Anonymous)
}

// An attempt that takes too long is abandoned and repeated.
func Example_retryPolicyAttemptTimeout() {
	service, err := servicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	client, err := serviceapi.NewClient(service.URL(),
		serviceapi.PrivateToken(service.AdminToken()))
	if err != nil {
		log.Fatal(err)
	}
	service.Project("acme/shop")
	service.Fault("GET /projects/:id",
		servicetest.Delay(time.Minute), servicetest.Times(1))

	project, resp, err := client.Projects.Get(context.Background(),
		serviceapi.ProjectPath("acme/shop"), nil,
		serviceapi.WithRetry(serviceapi.RetryPolicy{
			AttemptTimeout: 200 * time.Millisecond,
		}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(project.Name, "after", resp.Attempts, "attempts")
	// Output: Shop after 2 attempts
}

// Watch a wait, and set its interval.
func Example_withPollObserver() {
	service, err := servicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	client, err := serviceapi.NewClient(service.URL(),
		serviceapi.PrivateToken(service.AdminToken()))
	if err != nil {
		log.Fatal(err)
	}
	job := service.Project("acme/shop").Pipeline("main").
		Job("test", servicetest.Running())

	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	shop := serviceapi.ProjectPath("acme/shop")
	_, err = client.Jobs.Wait(ctx, shop, job.ID(),
		serviceapi.WithPollInterval(10*time.Millisecond, 50*time.Millisecond),
		serviceapi.WithPollObserver(func(p serviceapi.Poll) {
			if p.Count == 1 {
				fmt.Println(p.Target, "is", p.State)
				job.Fail("script_failure")
			}
			if p.Done {
				fmt.Println(p.Target, "has", p.State)
			}
		}))
	fmt.Println(err, errors.Is(err, context.DeadlineExceeded))
	// Output:
	// job 1 is running
	// job 1 has failed
	// <nil> false
}

// An endpoint that the library has no method for, with pages, types and errors
// like all others.
func Example_all() {
	service, err := servicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	client, err := serviceapi.NewClient(service.URL(),
		serviceapi.PrivateToken(service.AdminToken()))
	if err != nil {
		log.Fatal(err)
	}
	service.Project("acme/shop").Pipeline("main").Job("test")

	type job struct {
		serviceapi.Job
		Archived bool `json:"archived"` // a member of newer releases
	}
	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")
	jobs := serviceapi.Route("/projects/:id/jobs", shop)
	for j, err := range serviceapi.All[*job](ctx, client, jobs, nil) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(j.Name, j.Archived)
	}
	// Output: test false
}
