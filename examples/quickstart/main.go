// Quickstart reports on the CI of a project: which jobs failed and how their
// logs end, and what is in the newest archive of artifacts.
//
//	SERVICE_BASE_URL=https://service.example.com SERVICE_TOKEN=… go run ./examples/quickstart group/project
//
// Without these variables it talks to an embedded service with a made-up
// project.
package main

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/examples/internal/demo"
)

func main() { demo.Main("quickstart", run) }

func run(ctx context.Context, args []string, out, notes io.Writer) error {
	project, err := demo.Project(args)
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
	fmt.Fprintf(out, "%s: %d jobs, %d failed\n\n", project, total, len(failed))
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

// survey walks all jobs of all pages, newest first.
func survey(ctx context.Context, client *serviceapi.Client, project serviceapi.Path) (total int, failed []*serviceapi.Job, newest *serviceapi.Job, err error) {
	for job, err := range client.Jobs.All(ctx, project, nil) {
		if err != nil {
			return total, failed, newest, err
		}
		total++
		if job.Status == serviceapi.JobFailed {
			failed = append(failed, job)
		}
		if newest == nil && job.ArtifactsFile != nil {
			newest = job
		}
	}
	return total, failed, newest, nil
}

func printFailed(out io.Writer, failed []*serviceapi.Job) {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "JOB\tNAME\tSTAGE\tDURATION\tREASON")
	for _, job := range failed {
		duration := "-"
		if job.Duration != nil {
			duration = time.Duration(*job.Duration * float64(time.Second)).Round(time.Second).String()
		}
		fmt.Fprintf(table, "%d\t%s\t%s\t%s\t%s\n", job.ID, job.Name, job.Stage, duration, job.FailureReason)
	}
	table.Flush()
}

func printLogEnd(ctx context.Context, out io.Writer, client *serviceapi.Client, project serviceapi.Path, job *serviceapi.Job) error {
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
	fmt.Fprintf(out, "\nThe log of job %d (%s) ends:\n", job.ID, job.Name)
	for _, line := range end.lines(3) {
		fmt.Fprintln(out, "   ", line)
	}
	return nil
}

// fetchArchive downloads a job's artifacts to a file and lists what is in it.
func fetchArchive(ctx context.Context, out, notes io.Writer, client *serviceapi.Client, project serviceapi.Path, job *serviceapi.Job) error {
	fmt.Fprintf(out, "\nArtifacts of job %d (%s):\n", job.ID, job.Name)
	archive, _, err := client.JobArtifacts.Download(ctx, project, job.ID, serviceapi.WithProgress(func(p serviceapi.Progress) {
		fmt.Fprintf(notes, "\r  %3.0f%% of %d bytes", 100*p.Fraction(), p.Total)
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
	if _, err := archive.SaveFile(name); err != nil {
		return err
	}
	fmt.Fprintln(notes)
	files, err := zip.OpenReader(name)
	if err != nil {
		return fmt.Errorf("the archive of job %d: %w", job.ID, err)
	}
	defer files.Close()
	for _, file := range files.File {
		fmt.Fprintf(out, "  %9d  %s\n", file.UncompressedSize64, file.Name)
	}
	return nil
}

// tail keeps the last few kilobytes that were written to it.
type tail struct{ kept []byte }

const tailSize = 4 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.kept = append(t.kept, p...)
	if extra := len(t.kept) - tailSize; extra > 0 {
		t.kept = append(t.kept[:0], t.kept[extra:]...)
	}
	return len(p), nil
}

func (t *tail) lines(n int) []string {
	lines := strings.Split(strings.TrimSpace(string(t.kept)), "\n")
	return lines[max(0, len(lines)-n):]
}
