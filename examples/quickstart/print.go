package main

import (
	"archive/zip"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/examples/internal/demo"
)

// printFailed prints a table that fits a terminal, whatever the jobs are called.
func printFailed(out io.Writer, failed []*serviceapi.Job) {
	if len(failed) == 0 {
		return
	}
	fmt.Fprintln(out)
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "JOB\tNAME\tSTAGE\tDURATION\tREASON")
	for _, job := range failed {
		duration := "-"
		if job.Duration != nil {
			duration = time.Duration(*job.Duration * float64(time.Second)).Round(time.Second).String()
		}
		fmt.Fprintf(table, "%d\t%s\t%s\t%s\t%s\n",
			job.ID, demo.Clip(job.Name, 20), demo.Clip(job.Stage, 8), duration,
			demo.Clip(string(job.FailureReason), 24))
	}
	table.Flush()
}

// printArchive lists what is in a zip file.
func printArchive(out io.Writer, name string) error {
	files, err := zip.OpenReader(name)
	if err != nil {
		return fmt.Errorf("the archive cannot be read: %w", err)
	}
	defer files.Close()
	for _, file := range files.File {
		fmt.Fprintf(out, "  %8s  %s\n", demo.Bytes(int64(file.UncompressedSize64)), demo.Clip(file.Name, 68))
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
