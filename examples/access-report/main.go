// Access-report says who can push, merge, tag, approve, deploy and read secrets in the projects of
// a group and its subgroups, as a table or as CSV. It changes nothing.
//
//	export SERVICE_BASE_URL=https://service.example.com SERVICE_TOKEN=…
//	go run ./examples/access-report acme
//	go run ./examples/access-report -format csv acme > access.csv
//
// The token needs the scope read_api, and the Maintainer role in the projects: what it may not
// read is named in a note, and the status is 1. Without these variables, it calls an embedded
// service with a sample project.
package main

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"example.com/serviceapi"
	"example.com/serviceapi/examples/internal/demo"
)

func main() { demo.Main("access-report", run) }

func run(ctx context.Context, args []string, out, notes io.Writer) error {
	flags := demo.Flags("access-report [flags] group", notes)
	format := flags.String("format", "table", "table or csv")
	if err := demo.Parse(flags, args); err != nil {
		return err
	}
	group := serviceapi.GroupPath("acme")
	switch named := flags.Args(); {
	case *format != "table" && *format != "csv":
		return demo.Usage("-format is table or csv, not %q", *format)
	case len(named) == 1:
		ref, err := serviceapi.ParseGroupRef(named[0])
		if err != nil {
			return demo.Usage("%v", err)
		}
		group = ref
	case len(named) > 1 || !demo.Embedded():
		return demo.Usage("name one group, such as acme")
	}
	client, closeService, err := demo.Connect(notes)
	if err != nil {
		return err
	}
	defer closeService()

	r := &report{client: client, ctx: ctx, groups: map[int64][]string{}, shared: map[string]secrets{}}
	rows, err := r.ofGroup(group)
	if err != nil {
		return err
	}
	if *format == "csv" {
		err = writeCSV(out, rows)
	} else {
		err = writeTable(out, rows)
	}
	if err == nil && len(r.unread) > 0 {
		err = fmt.Errorf("the report is not complete: %w", errors.Join(r.unread...))
	}
	return err
}

// writeCSV writes a line for each person and each thing, for a spreadsheet.
func writeCSV(out io.Writer, rows []row) error {
	w := csv.NewWriter(out)
	w.Write([]string{"project", "may", "what", "who", "because"})
	for _, r := range rows {
		for _, g := range r.grants {
			for _, name := range g.people {
				w.Write([]string{r.project, r.may, demo.Cell(r.what), name, g.because})
			}
		}
	}
	w.Flush()
	return w.Error()
}

// writeTable writes the report for a person, project by project.
func writeTable(out io.Writer, rows []row) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	project := ""
	for _, r := range rows {
		if r.project != project {
			project = r.project
			fmt.Fprintf(w, "\n%s\n", project)
		}
		for i, g := range r.grants {
			may, what := r.may, demo.Clip(r.what, 22)
			if i > 0 {
				may, what = "", ""
			}
			fmt.Fprintf(w, "  %s\t%s\t%s\n", may, what, demo.Clip(g.because+": "+strings.Join(g.people, ", "), 40))
		}
	}
	return w.Flush()
}
