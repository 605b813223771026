// Package extras puts what it knows itself into results, and has results with more fields than client-go.
package extras

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	gitlab "gitlab.com/gitlab-org/api/client-go"
)

// row shows some fields of a value of any type.
func row(out io.Writer, v any) {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	var fields struct {
		Message   string `json:"message"`
		ProjectID int64  `json:"project_id"`
	}
	if err := json.Unmarshal(text, &fields); err != nil {
		panic(err)
	}
	fmt.Fprintln(out, fields.Message, fields.ProjectID)
}

func title(commit *gitlab.Commit) string { return commit.Title }

func commits(out io.Writer, client *gitlab.Client, project int64) error {
	options := &gitlab.ListCommitsOptions{ListOptions: gitlab.ListOptions{Page: 1, PerPage: 50}}
	for {
		commits, resp, err := client.Commits.ListCommits("acme/shop", options)
		if err != nil {
			return err
		}
		for _, commit := range commits {
			if commit.Title == "" {
				continue
			}
			commit.ProjectID = project
			commit.Message = strings.TrimRight(commit.Message, "\n")
			row(out, commit)
			fmt.Fprintln(out, title(commit), commit.ProjectID, len(commit.ID))
		}
		if resp.NextPage == 0 {
			return nil
		}
		options.Page = resp.NextPage
	}
}

// An older merge request has fields that client-go dropped.
type older struct {
	gitlab.MergeRequest
	MergeStatus string `json:"merge_status"`
}

func (o *older) UnmarshalJSON(data []byte) error {
	if err := o.MergeRequest.UnmarshalJSON(data); err != nil {
		return err
	}
	var more struct {
		MergeStatus string `json:"merge_status"`
	}
	if err := json.Unmarshal(data, &more); err != nil {
		return err
	}
	o.MergeStatus = more.MergeStatus
	return nil
}

func status(client *gitlab.Client) (string, error) {
	req, err := client.NewRequest(http.MethodGet, "projects/acme%2Fshop/merge_requests/1", nil, nil)
	if err != nil {
		return "", err
	}
	var mr older
	if _, err := client.Do(req, &mr); err != nil {
		return "", err
	}
	return fmt.Sprint(mr.IID, mr.SourceBranch, mr.MergeStatus != ""), nil
}

// token makes a token of a project, which is one of a bot.
func token(client *gitlab.Client) (*gitlab.PersonalAccessToken, error) {
	made, _, err := client.ProjectAccessTokens.CreateProjectAccessToken("acme/shop",
		&gitlab.CreateProjectAccessTokenOptions{Name: gitlab.Ptr("deploy"), Scopes: &[]string{"api"}})
	if err != nil {
		return nil, err
	}
	return &made.PersonalAccessToken, nil
}

// body reads what was read already.
func body(client *gitlab.Client) (string, error) {
	_, resp, err := client.Version.GetVersion()
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return fmt.Sprint(len(text), err), nil
}

// pages walks pages by what the response says, with headers of its own.
func pages(client *gitlab.Client, headers map[string]string) (int, error) {
	n := 0
	options := []gitlab.RequestOptionFunc{gitlab.WithHeaders(headers)}
	for page := 1; ; page++ {
		projects, resp, err := client.Projects.ListProjects(
			&gitlab.ListProjectsOptions{ListOptions: gitlab.ListOptions{PerPage: 20}}, options...)
		if err != nil {
			return 0, err
		}
		n += len(projects)
		next, ok := gitlab.WithNext(resp)
		if !ok {
			break
		}
		options = []gitlab.RequestOptionFunc{next, gitlab.WithHeaders(map[string]string{"X-Page": fmt.Sprint(page)})}
	}
	third, _, err := client.Projects.ListProjects(
		&gitlab.ListProjectsOptions{ListOptions: gitlab.ListOptions{PerPage: 20}},
		gitlab.WithOffsetPaginationParameters(3))
	return n + len(third), err
}

// Run shows the commits of a project, and what else there is.
func Run(url, secret string) (string, error) {
	client, err := gitlab.NewClient(secret, gitlab.WithBaseURL(url))
	if err != nil {
		return "", err
	}
	var out strings.Builder
	if err := commits(&out, client, 77); err != nil {
		return "", err
	}
	merge, err := status(client)
	if err != nil {
		return "", err
	}
	made, err := token(client)
	if err != nil {
		return "", err
	}
	read, err := body(client)
	if err != nil {
		return "", err
	}
	n, err := pages(client, map[string]string{"X-One": "1", "X-Two": "2"})
	if err != nil {
		return "", err
	}
	fmt.Fprintln(&out, merge, made.Name, made.Active, read, n)
	return out.String(), nil
}
