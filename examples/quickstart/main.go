// Quickstart reports on the CI of a project: which jobs failed, the end of
// their logs, and the content of the newest artifacts archive.
//
//	SERVICE_BASE_URL=https://service.example.com SERVICE_TOKEN=… go run ./examples/quickstart group/project
//
// Without these variables, it calls an embedded service with a sample project.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"example.com/serviceapi"
	"example.com/serviceapi/examples/internal/demo"
)

func main() { demo.Main("quickstart", run) }

func run(ctx context.Context, args []string, out, notes io.Writer) error {
	flags := demo.Flags("quickstart [group/project]", notes)
	if err := demo.Parse(flags, args); err != nil {
		return err
	}
	project, err := demo.Project(flags.Args())
	if err != nil {
		return err
	}
	client, closeService, err := demo.Connect(notes)
	if err != nil {
		return err
	}
	defer closeService()

	total, failed, newest, err := survey(ctx, client, project)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: %s, %d failed\n", project, demo.Count(total, "job"), len(failed))
	printFailed(out, failed)
	for _, job := range failed {
		if err := printLogEnd(ctx, out, client, project, job); err != nil {
			return err
		}
	}
	if newest == nil {
		fmt.Fprintln(out, "No job has artifacts.")
		return nil
	}
	return fetchArchive(ctx, out, notes, client, project, newest)
}

// survey reads all jobs of the project, newest first.
func survey(
	ctx context.Context, client *serviceapi.Client, project serviceapi.ProjectRef,
) (total int, failed []*serviceapi.Job, newest *serviceapi.Job, err error) {
	for job, err := range client.Jobs.All(ctx, project, nil) {
		if err != nil {
			return total, failed, newest, err
		}
		total++
		if job.Status == serviceapi.JobStatusFailed {
			failed = append(failed, job)
		}
		if newest == nil && job.ArtifactsFile != nil {
			newest = job
		}
	}
	return total, failed, newest, nil
}

func printLogEnd(
	ctx context.Context, out io.Writer, client *serviceapi.Client, project serviceapi.ProjectRef, job *serviceapi.Job,
) error {
	log, _, err := client.Jobs.Trace(ctx, project, job.ID)
	if errors.Is(err, serviceapi.ErrNotFound) {
		return nil // it failed before it wrote anything
	}
	if err != nil {
		return err
	}
	defer log.Close()
	var end tail
	if _, err := io.Copy(&end, log); err != nil {
		return err
	}
	fmt.Fprintf(out, "\nThe log of job %d (%s) ends:\n", job.ID, demo.Clip(job.Name, 40))
	for _, line := range end.lines(3) {
		fmt.Fprintln(out, "   ", demo.Clip(line, 76))
	}
	return nil
}

// fetchArchive downloads a job's artifacts to a file and lists what is in it.
func fetchArchive(
	ctx context.Context, out, notes io.Writer, client *serviceapi.Client, project serviceapi.ProjectRef,
	job *serviceapi.Job,
) error {
	fmt.Fprintf(out, "\nArtifacts of job %d (%s):\n", job.ID, demo.Clip(job.Name, 40))
	line := demo.NewLine(notes)
	archive, _, err := client.JobArtifacts.Download(ctx, project, job.ID,
		serviceapi.WithProgress(func(p serviceapi.Progress) {
			line.Show("  %3.0f%% of %s", 100*p.Fraction(), demo.Bytes(p.Total))
		}))
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "quickstart")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "artifacts.zip")
	size, err := archive.SaveFile(name)
	if err != nil {
		return err
	}
	line.End("  downloaded %s", demo.Bytes(size))
	return printArchive(out, name)
}
