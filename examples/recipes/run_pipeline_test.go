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
// stop the call that starts the pipeline: its ID would be lost. It stops the
// pipeline only if cancel is set.
func runPipeline(ctx context.Context, client *serviceapi.Client,
	project serviceapi.ProjectRef, options serviceapi.CreatePipelineOptions,
	directory string, progress io.Writer, cancel bool) int {
	pipeline, _, err := client.Pipelines.Create(context.WithoutCancel(ctx),
		project, options)
	if err != nil {
		fmt.Fprintln(progress, err)
		return 2
	}
	fmt.Fprintln(progress, "started", pipeline.ID, pipeline.WebURL)
	return finishPipeline(ctx, client, project, pipeline.ID,
		directory, progress, cancel)
}

// finishPipeline waits for a pipeline, prints what its jobs do, and saves their
// artifacts in a directory. The result is the status for os.Exit: 0 if the
// pipeline succeeded, 1 if it did not, 2 if that is not known. After an
// interruption, call it again; if cancel is set, an interruption cancels the
// pipeline.
func finishPipeline(ctx context.Context, client *serviceapi.Client,
	project serviceapi.ProjectRef, pipelineID int64,
	directory string, progress io.Writer, cancel bool) int {
	pipeline, err := client.Pipelines.Wait(ctx, project, pipelineID,
		serviceapi.WithPollObserver(
			showJobs(ctx, client, project, pipelineID, progress)))
	if err != nil {
		fmt.Fprintln(progress, err)
		if cancel && ctx.Err() != nil {
			err = cancelPipeline(ctx, client, project, pipelineID)
			if err != nil {
				fmt.Fprintln(progress, "not canceled:", err)
			}
		}
		return 2
	}
	jobs := client.Jobs.AllForPipeline(ctx, project, pipeline.ID, nil)
	for job, err := range jobs {
		if err == nil && job.ArtifactsFile != nil {
			err = saveArtifacts(ctx, client, project, job, directory)
			if errors.Is(err, serviceapi.ErrNotFound) {
				fmt.Fprintln(progress, job.Name, "has artifacts that expired")
				err = nil
			}
		}
		if err != nil {
			fmt.Fprintln(progress, err)
			return 2
		}
	}
	if pipeline.Status != serviceapi.PipelineStatusSuccess {
		return 1
	}
	return 0
}

// showJobs returns an observer of a wait. It prints the jobs whose status has
// changed since the last poll. If it cannot list them, the wait goes on.
func showJobs(ctx context.Context, client *serviceapi.Client,
	project serviceapi.ProjectRef, pipelineID int64,
	progress io.Writer) func(serviceapi.Poll) {
	shown := map[int64]serviceapi.JobStatus{}
	return func(serviceapi.Poll) {
		jobs := client.Jobs.AllForPipeline(ctx, project, pipelineID, nil)
		for job, err := range jobs {
			if err != nil {
				fmt.Fprintln(progress, err)
				return
			}
			if shown[job.ID] != job.Status {
				shown[job.ID] = job.Status
				fmt.Fprintln(progress, job.Name, job.Status)
			}
		}
	}
}

// cancelPipeline cancels a pipeline although ctx has ended, but not for long.
func cancelPipeline(ctx context.Context, client *serviceapi.Client,
	project serviceapi.ProjectRef, pipelineID int64) error {
	ctx, stop := context.WithTimeout(
		context.WithoutCancel(ctx), 10*time.Second)
	defer stop()
	_, _, err := client.Pipelines.Cancel(ctx, project, pipelineID)
	return err
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

// unpack extracts a saved archive into a directory, which must exist. Whoever
// can change the job can put anything into the archive: no name and no link may
// lead out of the directory, links and devices are left out, and all files
// together may have at most limit bytes, whatever the archive says.
func unpack(archive, directory string, limit int64) error {
	z, err := zip.OpenReader(archive)
	if err != nil {
		return err
	}
	defer z.Close()
	root, err := os.OpenRoot(directory)
	if err != nil {
		return err
	}
	defer root.Close()
	if len(z.File) > 100_000 {
		return errors.New("the archive has too many files")
	}
	for _, file := range z.File {
		name := filepath.FromSlash(file.Name)
		if !filepath.IsLocal(name) {
			return fmt.Errorf("%q leads out of the archive", file.Name)
		}
		switch {
		case file.Mode().IsDir():
			err = root.MkdirAll(filepath.Clean(name), 0o755)
		case file.Mode().IsRegular():
			limit, err = extract(root, file, name, limit)
		}
		if err != nil {
			return fmt.Errorf("unpack %q: %w", file.Name, err)
		}
	}
	return nil
}

// extract writes one file of an archive, and returns how many bytes are left.
func extract(root *os.Root, file *zip.File, name string,
	limit int64) (left int64, err error) {
	if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return 0, err
	}
	content, err := file.Open()
	if err != nil {
		return 0, err
	}
	defer content.Close()
	target, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC,
		file.Mode().Perm()|0o600)
	if err != nil {
		return 0, err
	}
	n, err := io.Copy(target, io.LimitReader(content, limit+1))
	if n > limit {
		err = errors.Join(err, errors.New("the archive is too large"))
	}
	return limit - n, errors.Join(err, target.Close())
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
		}, directory, io.Discard, false)
	fmt.Println("status", status)
	archive := filepath.Join(directory, "job-1.zip")
	if err := unpack(archive, directory, 1<<30); err != nil {
		log.Fatal(err)
	}
	content, err := os.ReadFile(filepath.Join(directory, "shop.txt"))
	fmt.Println(string(content), err)
	// Output:
	// status 1
	// a shop <nil>
}
