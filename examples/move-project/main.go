// Move-project copies a project from one instance to another: it exports the
// project from the first, streams the archive without storing it, and imports
// it into the second. The original is not changed.
//
//	export SERVICE_BASE_URL=https://old.example.com SERVICE_TOKEN=…
//	export TARGET_BASE_URL=https://new.example.com TARGET_TOKEN=…
//	go run ./examples/move-project -to acme group/project
//
// Without these variables, it calls two embedded services, one of which has a
// sample project.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/examples/internal/demo"
)

func main() { demo.Main("move-project", run) }

func run(ctx context.Context, args []string, out, notes io.Writer) error {
	flags := demo.Flags("move-project [flags] group/project", notes)
	var namespace serviceapi.NamespaceRef
	flags.Func("to", "the `namespace` that gets the project, as a path or an ID;\nthe default is the user of "+
		"TARGET_TOKEN",
		func(s string) (err error) {
			namespace, err = serviceapi.ParseNamespaceRef(s)
			return err
		})
	path := flags.String("path", "", "the last element of the new `path`; the default is that of the old one")
	overwrite := flags.Bool("overwrite", false, "replace a project that has the new path")
	limit := flags.Duration("limit", 4*time.Hour, "give up after this `time`")
	if err := demo.Parse(flags, args); err != nil {
		return err
	}
	project, err := demo.Project(flags.Args())
	if err != nil {
		return err
	}
	source, target, closeServices, err := connect(notes)
	if err != nil {
		return err
	}
	defer closeServices()
	ctx, cancel := context.WithTimeoutCause(ctx, *limit, fmt.Errorf("it took longer than %v", *limit))
	defer cancel()

	fmt.Fprintf(notes, "Exporting %s from %s\n", project, source.BaseURL())
	sending := &transfer{notes: notes, target: target, line: demo.NewLine(notes)}
	options := serviceapi.MigrateProjectOptions{
		Path: *path, Namespace: namespace, Overwrite: overwrite, Progress: sending.show,
	}
	result, err := serviceapi.MigrateProject(ctx, source, project, target, options)
	sending.end()
	if result != nil {
		report(out, result)
	}
	if err != nil {
		return explain(err)
	}
	if n := len(result.FailedRelations); n > 0 {
		return fmt.Errorf("the project arrived without %d of its parts", n)
	}
	return nil
}

// A transfer shows the progress of what is sent.
type transfer struct {
	notes  io.Writer
	target *serviceapi.Client
	line   *demo.Line
	sent   int64
	ended  bool
}

func (t *transfer) show(p serviceapi.Progress) {
	switch t.sent = p.Done; {
	case p.Done == p.Total:
		t.end()
	case p.Total < 0: // an export may not say how long it is
		t.line.Show("Sending %s", demo.Bytes(p.Done))
	default:
		t.line.Show("Sending %s of %s", demo.Bytes(p.Done), demo.Bytes(p.Total))
	}
}

// end ends the line, once.
func (t *transfer) end() {
	if t.sent > 0 && !t.ended {
		t.ended = true
		t.line.End("Sent %s", demo.Bytes(t.sent))
		fmt.Fprintf(t.notes, "Importing into %s\n", t.target.BaseURL())
	}
}

// report writes the result of the import.
func report(out io.Writer, status *serviceapi.ProjectImportStatus) {
	fmt.Fprintf(out, "%s: project %d, import %s\n", status.PathWithNamespace, status.ID, status.ImportStatus)
	for _, lost := range status.FailedRelations {
		fmt.Fprintf(out, "lost: %s, line %d: %s\n", lost.RelationName, lost.LineNumber, lost.ExceptionMessage)
	}
}

// explain adds on which side it failed, if the error of the library does not
// say so.
func explain(err error) error {
	switch {
	case errors.Is(err, serviceapi.ErrConflict):
		return fmt.Errorf("the target has such a project already; -overwrite replaces it: %w", err)
	case errors.Is(err, serviceapi.ErrNotFound), errors.Is(err, serviceapi.ErrForbidden):
		if e, ok := errors.AsType[*serviceapi.Error](err); ok {
			return fmt.Errorf("at %s: %w", e.URL, err)
		}
	}
	return err
}
