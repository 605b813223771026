// Registry-cleanup deletes old tags from the container registry of a project.
// It shows what it would delete, and deletes it only with the flag -delete.
//
//	export SERVICE_BASE_URL=https://service.example.com SERVICE_TOKEN=…
//	go run ./examples/registry-cleanup -match 'build-.*' -keep-n 5 -older-than 7d group/project
//	go run ./examples/registry-cleanup -match 'build-.*' -keep-n 5 -older-than 7d -delete group/project
//
// Without these variables, it calls an embedded service with a sample project.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/examples/internal/demo"
)

func main() { demo.Main("registry-cleanup", run) }

func run(ctx context.Context, args []string, out, notes io.Writer) error {
	flags := demo.Flags("registry-cleanup [flags] group/project", notes)
	var rules ruleFlags
	rules.register(flags)
	doDelete := flags.Bool("delete", false, "remove the tags instead of showing them")
	if err := demo.Parse(flags, args); err != nil {
		return err
	}
	rule, err := rules.rule()
	if err != nil {
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

	plan, err := survey(ctx, client, project, rule)
	if err != nil {
		return err
	}
	show(out, plan)
	if !*doDelete {
		fmt.Fprintln(notes, "Nothing was removed. Add -delete to remove these tags.")
		return nil
	}
	return remove(ctx, client, project, rule, plan, out)
}

// doomed are the tags of a repository to delete.
type doomed struct {
	repository *serviceapi.RegistryRepository
	tags       []*serviceapi.RegistryTagDetails
}

// survey determines which tags of each repository the rule deletes.
func survey(ctx context.Context, client *serviceapi.Client, project serviceapi.ProjectRef, r rule) ([]doomed, error) {
	var plan []doomed
	for repository, err := range client.Registry.AllRepositories(ctx, project, nil) {
		if err != nil {
			return nil, err
		}
		tags, err := details(ctx, client, project, repository.ID)
		if err != nil {
			return nil, err
		}
		if tags = r.choose(tags, time.Now()); len(tags) > 0 {
			plan = append(plan, doomed{repository, tags})
		}
	}
	return plan, nil
}

func show(out io.Writer, plan []doomed) {
	if len(plan) == 0 {
		fmt.Fprintln(out, "No tag is to be removed.")
		return
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "TAG\tCREATED\tSIZE")
	count := 0
	for _, d := range plan {
		for _, tag := range d.tags {
			fmt.Fprintf(table, "%s\t%s\t%s\n",
				demo.Clip(tag.Path, 46), tag.CreatedAt.Local().Format(time.DateTime), demo.Bytes(tag.TotalSize))
		}
		count += len(d.tags)
	}
	table.Flush()
	fmt.Fprintf(out, "%s in all.\n", demo.Count(count, "tag"))
}

// remove makes the service delete the tags. If it refuses one repository, the
// others are still cleaned.
func remove(
	ctx context.Context, client *serviceapi.Client, project serviceapi.ProjectRef, r rule, plan []doomed, out io.Writer,
) error {
	var failures []error
	for _, d := range plan {
		_, err := client.Registry.DeleteTags(ctx, project, d.repository.ID, r.options())
		if err != nil {
			failures = append(failures, fmt.Errorf("%s: %w", d.repository.Path, err))
			continue
		}
		fmt.Fprintf(out, "%s: the service removes %s in the background.\n",
			demo.Clip(d.repository.Path, 30), demo.Count(len(d.tags), "tag"))
	}
	return errors.Join(failures...)
}
