// Command golden0 is a program on release 0 of the client. It is run against an embedded
// service of its own before and after it is moved, and prints what it sent and what came back.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"example.com/serviceapi/servicetest"
	gitlab "gitlab.com/gitlab-org/api/client-go"
)

type result struct {
	Output   string
	Requests []string
}

func main() {
	r, err := run()
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(map[string]result{"main": r})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() (result, error) {
	service, err := servicetest.Start()
	if err != nil {
		return result{}, err
	}
	defer service.Close()
	project := service.Project("acme/shop")
	project.Pipeline("main").Job("test", servicetest.Failed("script_failure"))
	for i := range 5 {
		project.Issue(fmt.Sprintf("Issue %d", i+1))
	}
	client, err := gitlab.NewClient(service.AdminToken(), gitlab.WithBaseURL(service.URL()))
	if err != nil {
		return result{}, err
	}
	output, err := report(client)
	if err != nil {
		return result{}, err
	}
	r := result{Output: output}
	for _, request := range service.Requests() {
		line := request.Method + " " + strings.ReplaceAll(request.Path, "%2E", ".")
		if query := request.Query.Encode(); query != "" {
			line += "?" + query
		}
		var body any // in the order of names
		if len(request.Body) > 0 && json.Unmarshal(request.Body, &body) == nil {
			text, _ := json.Marshal(body)
			line += " " + string(text)
		}
		r.Requests = append(r.Requests, line)
	}
	return r, nil
}

// report finds its project, and goes on by its ID, which is an int.
func report(client *gitlab.Client) (string, error) {
	project, _, err := client.Projects.GetProject("acme/shop", &gitlab.GetProjectOptions{Statistics: gitlab.Ptr(true)})
	if err != nil {
		return "", err
	}
	issues, err := issuesOf(client, project.ID)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	byID := map[int]*gitlab.Issue{}
	for _, issue := range issues {
		byID[issue.IID] = issue
	}
	fmt.Fprintln(&out, project.PathWithNamespace, len(byID), byID[3].Title)
	jobs, err := failed(client, project.ID)
	if err != nil {
		return "", err
	}
	for _, job := range jobs {
		fmt.Fprintln(&out, job.Name, job.Status, job.Pipeline.Ref)
	}
	updated, _, err := client.Issues.UpdateIssue(project.ID, 3, &gitlab.UpdateIssueOptions{
		Labels:     &gitlab.LabelOptions{"slow"},
		DueDate:    (*gitlab.ISOTime)(gitlab.Ptr(time.Date(2030, 1, 2, 0, 0, 0, 0, time.UTC))),
		StateEvent: gitlab.Ptr("close"),
	})
	if err != nil {
		return "", err
	}
	fmt.Fprintln(&out, updated.State, updated.Labels, updated.DueDate)
	return out.String(), nil
}

func issuesOf(client *gitlab.Client, project int) ([]*gitlab.Issue, error) {
	opt := &gitlab.ListProjectIssuesOptions{ListOptions: gitlab.ListOptions{PerPage: 2, Page: 1}}
	var all []*gitlab.Issue
	for {
		issues, resp, err := client.Issues.ListProjectIssues(project, opt)
		if err != nil {
			return nil, fmt.Errorf("issues of %d: %w", project, err)
		}
		all = append(all, issues...)
		if resp.NextPage == 0 {
			break
		}
		opt.Page = resp.NextPage
	}
	return all, nil
}

func failed(client *gitlab.Client, project int) ([]*gitlab.Job, error) {
	jobs, _, err := client.Jobs.ListProjectJobs(project, &gitlab.ListJobsOptions{
		Scope: &[]gitlab.BuildStateValue{gitlab.Failed},
	})
	return jobs, err
}
