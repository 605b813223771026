// Package files reads and writes files, logs and branches.
package files

import (
	"fmt"
	"io"
	"strings"

	gitlab "gitlab.com/gitlab-org/api/client-go"
)

// Run writes a file and reads it back.
func Run(url, token string) (string, error) {
	client, err := gitlab.NewClient(token, gitlab.WithBaseURL(url))
	if err != nil {
		return "", err
	}
	var out strings.Builder
	_, _, err = client.RepositoryFiles.CreateFile("acme/shop", "docs/a.txt", &gitlab.CreateFileOptions{
		Branch:        gitlab.Ptr("main"),
		Content:       gitlab.Ptr("hello"),
		CommitMessage: gitlab.Ptr("Add a file"),
	})
	if err != nil {
		return "", err
	}
	raw, _, err := client.RepositoryFiles.GetRawFile("acme/shop", "docs/a.txt",
		&gitlab.GetRawFileOptions{Ref: gitlab.Ptr("main")})
	if err != nil {
		return "", err
	}
	fmt.Fprintln(&out, string(raw))
	branches, _, err := client.Branches.ListBranches("acme/shop", nil)
	if err != nil {
		return "", err
	}
	for _, b := range branches {
		fmt.Fprintln(&out, b.Name, b.Default, b.Commit.Title)
	}
	jobs, _, err := client.Jobs.ListProjectJobs("acme/shop", &gitlab.ListJobsOptions{
		Scope: &[]gitlab.BuildStateValue{gitlab.Failed},
	})
	if err != nil {
		return "", err
	}
	for _, job := range jobs {
		trace, _, err := client.Jobs.GetTraceFile("acme/shop", job.ID)
		if err != nil {
			return "", err
		}
		text, err := io.ReadAll(trace)
		if err != nil {
			return "", err
		}
		fmt.Fprintln(&out, job.Name, job.Status, len(text) > 0, job.Pipeline.Ref)
	}
	return out.String(), nil
}
