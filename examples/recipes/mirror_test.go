package recipes_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// mirror saves the artifacts of the successful jobs of a pipeline to a
// directory. Call it again to continue after it was interrupted.
func mirror(ctx context.Context, client *serviceapi.Client,
	project serviceapi.ProjectRef, pipelineID int64, directory string) error {
	succeeded := &serviceapi.ListPipelineJobsOptions{
		Scope: []serviceapi.JobStatus{serviceapi.JobStatusSuccess},
	}
	jobs := client.Jobs.AllForPipeline(ctx, project, pipelineID, succeeded)
	for job, err := range jobs {
		if err != nil {
			return err
		}
		name := filepath.Join(directory, fmt.Sprintf("job-%d.zip", job.ID))
		if _, err := os.Stat(name); err == nil || job.ArtifactsFile == nil {
			continue // it is complete, or there are no artifacts
		}
		download := func(opts ...serviceapi.RequestOption) (
			*serviceapi.Download, *serviceapi.Response, error) {
			return client.JobArtifacts.Download(ctx, project, job.ID, opts...)
		}
		_, err := serviceapi.SaveFile(name, download)
		if errors.Is(err, serviceapi.ErrNotFound) {
			continue // they have expired
		}
		if err != nil {
			return fmt.Errorf("artifacts of job %d: %w", job.ID, err)
		}
	}
	return nil
}

// Mirror the artifacts of a pipeline.
func Example_mirrorArtifacts() {
	service, err := servicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	files := servicetest.Archive(map[string]string{"VERSION": "1.7.0"})
	pipeline := service.Project("acme/shop").Pipeline("main")
	pipeline.Job("build", files)
	pipeline.Job("lint")
	pipeline.Job("package", files)
	client, err := serviceapi.NewClient(service.URL(),
		serviceapi.PrivateToken(service.AdminToken()))
	if err != nil {
		log.Fatal(err)
	}
	directory, err := os.MkdirTemp("", "mirror-*")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(directory)

	// During the first run, connections break after 50 bytes.
	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")
	fault := service.Fault("GET /projects/:id/jobs/:job_id/artifacts",
		servicetest.CutBody(50), servicetest.Times(3))
	once, err := client.With(
		serviceapi.WithRetry(serviceapi.RetryPolicy{MaxAttempts: 1}))
	if err != nil {
		log.Fatal(err)
	}
	err = mirror(ctx, once, shop, pipeline.ID(), directory)
	fmt.Println("complete:", err == nil)
	fault.Remove()

	if err := mirror(ctx, client, shop, pipeline.ID(), directory); err != nil {
		log.Fatal(err)
	}
	entries, err := os.ReadDir(directory)
	if err != nil {
		log.Fatal(err)
	}
	for _, entry := range entries {
		fmt.Println(entry.Name())
	}
	// Output:
	// complete: false
	// job-1.zip
	// job-3.zip
}
