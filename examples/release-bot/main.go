// Release-bot makes a release of a project: it creates a branch, commits the
// new version, opens a merge request, waits for its pipeline, approves and
// merges it, tags the result, records a deployment, adds a note to the merge
// request, and publishes the release.
//
//	SERVICE_BASE_URL=https://service.example.com SERVICE_TOKEN=… \
//		go run ./examples/release-bot -version 1.6.0 group/project
//
// Without these variables, it calls an embedded service with a sample project.
// Each step first checks whether it was already done, so an interrupted run can
// be started again.
package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/examples/internal/demo"
)

func main() { demo.Main("release-bot", run) }

func run(ctx context.Context, args []string, out, notes io.Writer) error {
	flags := demo.Flags("release-bot [flags] group/project", notes)
	version := flags.String("version", "", "the version to release, such as 1.6.0")
	environment := flags.String("environment", "production", "the environment that it is deployed to")
	patience := flags.Duration("timeout", 30*time.Minute, "how long to wait for the pipeline")
	if err := demo.Parse(flags, args); err != nil {
		return err
	}
	if *version == "" {
		if !demo.Embedded() {
			return demo.Usage("-version is needed")
		}
		*version = "1.6.0"
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
	ctx, cancel := context.WithTimeout(ctx, *patience)
	defer cancel()

	details, _, err := client.Projects.Get(ctx, project, nil)
	if err != nil {
		return err
	}
	r := &release{
		client: client, project: project, out: out, notes: notes,
		target: details.DefaultBranch, branch: "release-" + *version, tag: "v" + *version,
		version: *version, environment: *environment,
	}
	return r.run(ctx)
}

// release is a release in progress.
type release struct {
	client     *serviceapi.Client
	project    serviceapi.ProjectRef
	out, notes io.Writer

	target, branch, tag  string
	version, environment string
	mergeRequest         *serviceapi.MergeRequestDetails
	tested, merged       string // commits
}

func (r *release) run(ctx context.Context) error {
	steps := []func(context.Context) error{
		r.openBranch, r.commit, r.openMergeRequest, r.test, r.approve, r.merge,
		r.makeTag, r.deploy, r.comment, r.publish,
	}
	switch tag, _, err := r.client.Tags.Get(ctx, r.project, r.tag); {
	case err == nil && tag.Release != nil:
		r.say("%s is released already, as %.8s", r.tag, tag.Target)
		return nil
	case err == nil: // an earlier run has come this far
		r.merged = tag.Commit.ID
		steps = []func(context.Context) error{r.deploy, r.publish}
	case !errors.Is(err, serviceapi.ErrNotFound):
		return err
	default:
		found, err := r.findMerged(ctx)
		if err != nil {
			return err
		}
		if found {
			steps = []func(context.Context) error{r.makeTag, r.deploy, r.comment, r.publish}
		}
	}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// findMerged finds the merge request that an earlier run has merged: its branch is gone.
func (r *release) findMerged(ctx context.Context) (bool, error) {
	all, _, err := r.client.MergeRequests.List(ctx, r.project, &serviceapi.ListMergeRequestsOptions{
		SourceBranch: r.branch, TargetBranch: r.target, State: serviceapi.MergeRequestStateMerged,
	})
	if err != nil || len(all) == 0 {
		return false, err
	}
	r.mergeRequest, _, err = r.client.MergeRequests.Get(ctx, all[0].Ref(), nil)
	if err == nil {
		r.merged = mergedAs(r.mergeRequest)
	}
	return true, err
}

// mergedAs is the commit of the target branch that a merge has made.
func mergedAs(mr *serviceapi.MergeRequestDetails) string {
	return cmp.Or(mr.MergeCommitSHA, mr.SquashCommitSHA, mr.SHA)
}

func (r *release) say(format string, args ...any) { fmt.Fprintf(r.out, format+"\n", args...) }

func (r *release) openBranch(ctx context.Context) error {
	if _, _, err := r.client.Branches.Get(ctx, r.project, r.branch); !errors.Is(err, serviceapi.ErrNotFound) {
		return err
	}
	branch, _, err := r.client.Branches.Create(ctx, r.project, serviceapi.CreateBranchOptions{Branch: r.branch,
		Ref: r.target})
	if err != nil {
		return err
	}
	r.say("opened branch %s at %s", branch.Name, branch.Commit.ShortID)
	return nil
}

// commit writes the version and the notes of the release in one commit.
func (r *release) commit(ctx context.Context) error {
	files := map[string][]byte{
		"VERSION":                   []byte(r.version + "\n"),
		"releases/" + r.tag + ".md": []byte("# " + r.tag + "\n\nMade by release-bot.\n"),
	}
	options := serviceapi.CreateCommitOptions{Branch: r.branch, CommitMessage: "Release " + r.tag}
	for path, content := range files {
		action, err := r.write(ctx, path, content)
		if err != nil {
			return err
		}
		if action != nil {
			options.Actions = append(options.Actions, *action)
		}
	}
	if len(options.Actions) == 0 {
		return nil // already committed
	}
	commit, _, err := r.client.Commits.Create(ctx, r.project, options)
	if err != nil {
		return err
	}
	r.say("committed %d files as %s", len(options.Actions), commit.ShortID)
	return nil
}

// write returns the action that gives a file this content, or nil if it already
// has it.
func (r *release) write(ctx context.Context, path string, content []byte) (*serviceapi.CommitAction, error) {
	file, _, err := r.client.RepositoryFiles.Get(ctx, r.project, path,
		&serviceapi.GetRepositoryFileOptions{Ref: r.branch})
	if errors.Is(err, serviceapi.ErrNotFound) {
		return new(serviceapi.CreateFileAction(path, content)), nil
	}
	if err != nil || bytes.Equal(file.Content, content) {
		return nil, err
	}
	return new(serviceapi.UpdateFileAction(path, content)), nil
}

func (r *release) openMergeRequest(ctx context.Context) error {
	mr, _, err := r.client.MergeRequests.Create(ctx, r.project, serviceapi.CreateMergeRequestOptions{
		SourceBranch: r.branch, TargetBranch: r.target, Title: "Release " + r.tag,
		RemoveSourceBranch: new(true),
	})
	if exists, ok := errors.AsType[*serviceapi.MergeRequestExistsError](err); ok && !exists.MergeRequest.IsZero() {
		mr, _, err = r.client.MergeRequests.Get(ctx, exists.MergeRequest, nil)
	}
	if err != nil {
		return err
	}
	r.mergeRequest = mr
	r.say("opened merge request !%d: %s", mr.IID, mr.Title)
	return nil
}
