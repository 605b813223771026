package servicetest_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"example.com/serviceapi/servicetest"
)

// fetch sends a GET and prints status and body.
func fetch(svc *servicetest.Service, path, token string) {
	req, err := http.NewRequest(http.MethodGet, svc.URL()+"/api/v4"+path, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	req.Header.Set("PRIVATE-TOKEN", token)
	response, err := http.DefaultClient.Do(req)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	fmt.Println(response.Status, string(body), err)
}

// Start a service in a program, and close it.
func ExampleStart() {
	svc, err := servicetest.Start()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer svc.Close()

	ada := svc.User("ada")
	app := svc.Project("acme/app", servicetest.Member(ada, servicetest.Developer))
	app.Pipeline("main").Job("build", servicetest.Trace("all well"))

	fetch(svc, "/projects/acme%2Fapp/jobs/1/trace", svc.Token(ada))
	fetch(svc, "/projects/acme%2Fapp/jobs/1/trace", "wrong")
	// Output:
	// 200 OK all well <nil>
	// 401 Unauthorized {"message":"401 Unauthorized"} <nil>
}

// A fault affects the first request. The service handles the second.
func ExampleService_Fault() {
	svc, err := servicetest.Start()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer svc.Close()
	svc.Project("acme/app")
	svc.Fault("GET /projects/:id/jobs",
		servicetest.Status(503, ""), servicetest.Times(1))

	fetch(svc, "/projects/1/jobs", svc.AdminToken())
	fetch(svc, "/projects/1/jobs", svc.AdminToken())
	// Output:
	// 503 Service Unavailable {"message":"503 Service Unavailable"} <nil>
	// 200 OK [] <nil>
}

// Move the clock instead of waiting.
func ExampleService_Advance() {
	svc, err := servicetest.Start()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer svc.Close()
	job := svc.Project("acme/app").Pipeline("main").Job("build",
		servicetest.Archive(map[string]string{"report.txt": "all well"}),
		servicetest.ExpireIn(time.Hour))

	fetch(svc, "/projects/1/jobs/1/artifacts/report.txt", svc.AdminToken())
	svc.Advance(time.Hour)
	fetch(svc, "/projects/1/jobs/1/artifacts/report.txt", svc.AdminToken())
	fmt.Println(job.HasArchive())
	// Output:
	// 200 OK all well <nil>
	// 404 Not Found {"message":"404 Not found"} <nil>
	// false
}

// Check what a client sent.
func ExampleService_Requests() {
	svc, err := servicetest.Start()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer svc.Close()
	svc.Project("acme/app")
	fetch(svc, "/projects/acme%2Fapp/jobs?scope=failed", svc.AdminToken())

	for _, r := range svc.Requests("GET /projects/:id/jobs") {
		fmt.Println(r.Method, r.Path, r.Query, r.User, r.Status)
	}
	// Output:
	// 200 OK [] <nil>
	// GET /api/v4/projects/acme%2Fapp/jobs map[scope:[failed]] root 200
}

// A transcript shows at a glance what a client sent, and why it was refused.
func ExampleService_Transcript() {
	svc, err := servicetest.Start()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer svc.Close()
	svc.Project("acme/app")
	fetch(svc, "/projects/acme%2Fapp/jobs?scope=faild", svc.AdminToken())

	svc.Transcript(os.Stdout)
	// Output:
	// 400 Bad Request {"error":"scope does not have a valid value"} <nil>
	// 09:00:00 GET /api/v4/projects/acme%2Fapp/jobs?scope=faild → 400 (root)
	//     < {"error":"scope does not have a valid value"}
}

// Look on while a program uses the service, without its credentials.
func ExampleService_Subscribe() {
	svc, err := servicetest.Start()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer svc.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	exchanges := svc.Subscribe(ctx, 0) // from now on
	fetch(svc, "/projects/1/jobs", svc.AdminToken())

	for exchange := range exchanges {
		if r := exchange.Request; r != nil && r.Duration > 0 {
			token := r.Header.Get("Private-Token")
			fmt.Println(r.Method, r.Path, r.Status, token)
			break
		}
	}
	// Output:
	// 404 Not Found {"message":"404 Project Not Found"} <nil>
	// GET /api/v4/projects/1/jobs 404 [redacted]
}
