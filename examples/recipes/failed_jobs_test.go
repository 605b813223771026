package recipes_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// reportFailures writes the failed jobs that were created since a time, in
// every project that the caller is a member of. A job that was created before
// and ran later, such as a manual one, is not among them.
func reportFailures(ctx context.Context, client *serviceapi.Client,
	since time.Time, w io.Writer) error {
	mine := &serviceapi.ListProjectsOptions{
		Membership: true,
		Archived:   new(false),
	}
	projects := client.Projects.All(ctx, serviceapi.Instance, mine)
	for project, err := range projects {
		if err != nil {
			return err
		}
		err := reportFailuresOf(ctx, client, project, since, w)
		if errors.Is(err, serviceapi.ErrForbidden) {
			continue // CI/CD is disabled, or not for this user
		}
		if err != nil {
			return fmt.Errorf("%s: %w", project.PathWithNamespace, err)
		}
	}
	return nil
}

func reportFailuresOf(ctx context.Context, client *serviceapi.Client,
	project *serviceapi.Project, since time.Time, w io.Writer) error {
	failed := &serviceapi.ListJobsOptions{
		Scope: []serviceapi.JobStatus{serviceapi.JobStatusFailed},
	}
	for job, err := range client.Jobs.All(ctx, project.Ref(), failed) {
		if err != nil {
			return err
		}
		if job.CreatedAt != nil && job.CreatedAt.Before(since) {
			return nil // the newest jobs come first
		}
		fmt.Fprintf(w, "%s %s: %s\n",
			project.PathWithNamespace, job.Name, job.FailureReason)
	}
	return nil
}

// List the failed jobs of all projects.
func Example_failedJobs() {
	service, err := servicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	ada := service.User("ada")
	for _, path := range []string{"acme/shop", "acme/site"} {
		project := service.Project(path,
			servicetest.Member(ada, servicetest.Developer))
		pipeline := project.Pipeline("main")
		pipeline.Job("lint")
		pipeline.Job("test", servicetest.Failed("script_failure"))
	}
	token := serviceapi.PrivateToken(service.Token(ada))
	client, err := serviceapi.NewClient(service.URL(), token)
	if err != nil {
		log.Fatal(err)
	}

	yesterday := service.Now().AddDate(0, 0, -1)
	err = reportFailures(context.Background(), client, yesterday, os.Stdout)
	if err != nil {
		log.Fatal(err)
	}
	// Unordered output:
	// acme/shop test: script_failure
	// acme/site test: script_failure
}
