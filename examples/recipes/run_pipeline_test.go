package recipes_test

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// runPipeline starts a pipeline and finishes it. A context that ends does not
// stop the pipeline.
func runPipeline(ctx context.Context, client *serviceapi.Client,
	project serviceapi.ProjectRef, options serviceapi.CreatePipelineOptions,
	directory string, progress io.Writer) int {
	pipeline, _, err := client.Pipelines.Create(ctx, project, options)
	if err != nil {
		fmt.Fprintln(progress, err)
		return 2
	}
	fmt.Fprintln(progress, "started", pipeline.ID, pipeline.WebURL)
	return finishPipeline(ctx, client, project, pipeline.ID,
		directory, progress)
}

// finishPipeline waits for a pipeline, and saves the artifacts of its jobs in a
// directory. The result is the status for os.Exit: 0 if the pipeline succeeded,
// 1 if it did not, 2 if that is not known. After an interruption, call it
// again.
func finishPipeline(ctx context.Context, client *serviceapi.Client,
	project serviceapi.ProjectRef, pipelineID int64,
	directory string, progress io.Writer) int {
	pipeline, err := client.Pipelines.Wait(ctx, project, pipelineID)
	if err != nil {
		fmt.Fprintln(progress, err)
		return 2
	}
	jobs := client.Jobs.AllForPipeline(ctx, project, pipeline.ID, nil)
	for job, err := range jobs {
		if err == nil && job.ArtifactsFile != nil {
			err = saveArtifacts(ctx, client, project, job, directory)
		}
		if err != nil {
			fmt.Fprintln(progress, err)
			return 2
		}
		fmt.Fprintln(progress, job.Name, job.Status)
	}
	if pipeline.Status != serviceapi.PipelineStatusSuccess {
		return 1
	}
	return 0
}

// saveArtifacts saves the archive of a job under its ID: the name of a job may
// have slashes. It continues an archive that an earlier run has begun.
func saveArtifacts(ctx context.Context, client *serviceapi.Client,
	project serviceapi.ProjectRef, job *serviceapi.Job,
	directory string) error {
	name := filepath.Join(directory, fmt.Sprintf("job-%d.zip", job.ID))
	_, err := serviceapi.SaveFile(name, func(opts ...serviceapi.RequestOption) (
		*serviceapi.Download, *serviceapi.Response, error) {
		return client.JobArtifacts.Download(ctx, project, job.ID, opts...)
	})
	return err
}

// readArtifact returns one file of a saved archive, which must be complete: its
// table is at the end. Without the archive, JobArtifacts.DownloadFile reads one
// file.
func readArtifact(archive, name string) ([]byte, error) {
	z, err := zip.OpenReader(archive)
	if err != nil {
		return nil, err
	}
	defer z.Close()
	file, err := z.Open(name)
	if err != nil {
		return nil, err
	}
	content, err := io.ReadAll(file)
	return content, errors.Join(err, file.Close())
}

// Run a pipeline with an input, as a command would, and read what it made.
func Example_runPipeline() {
	service, err := servicetest.Start(servicetest.WithClock(time.Now))
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	service.Project("acme/shop").CI(
		servicetest.PlanJob("build", servicetest.Took(time.Millisecond),
			servicetest.Archive(map[string]string{"shop.txt": "a shop"})),
		servicetest.PlanJob("test", servicetest.Took(time.Millisecond),
			servicetest.Failed("script_failure")),
	)
	client, err := serviceapi.NewClient(service.URL(),
		serviceapi.PrivateToken(service.AdminToken()),
		serviceapi.WithPollInterval(time.Millisecond, time.Millisecond))
	if err != nil {
		log.Fatal(err)
	}
	directory, err := os.MkdirTemp("", "artifacts")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(directory)
	status := runPipeline(context.Background(), client,
		serviceapi.ProjectPath("acme/shop"),
		serviceapi.CreatePipelineOptions{
			Ref: "main", Inputs: map[string]any{"target": "all"},
		}, directory, io.Discard)
	fmt.Println("status", status)
	archive := filepath.Join(directory, "job-1.zip")
	content, err := readArtifact(archive, "shop.txt")
	fmt.Println(string(content), err)
	// Output:
	// status 1
	// a shop <nil>
}
