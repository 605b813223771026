// Package responses hands on the http.Response of calls.
package responses

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	gitlab "gitlab.com/gitlab-org/api/client-go"
)

type journal struct {
	out  strings.Builder
	last *http.Response
}

// note writes down what a response says about a call.
func (j *journal) note(resp *http.Response) {
	if resp == nil {
		fmt.Fprintln(&j.out, "no response")
		return
	}
	fmt.Fprintln(&j.out, resp.Request.Method, resp.Request.URL.Path, resp.Status, resp.StatusCode,
		resp.Header.Get("X-Total"))
}

func get(client *gitlab.Client, path string) (*http.Response, error) {
	_, resp, err := client.Projects.GetProject(path, nil)
	if resp == nil {
		return nil, err
	}
	return resp.Response, err
}

func (j *journal) issues(client *gitlab.Client) (string, error) {
	issues, resp, err := client.Issues.ListProjectIssues("acme/shop", &gitlab.ListProjectIssuesOptions{
		ListOptions: gitlab.ListOptions{PerPage: 2},
	})
	if err != nil {
		return "", err
	}
	j.last = resp.Response
	j.note(resp.Response)
	return fmt.Sprint(len(issues), resp.Response.Status, resp.Response.StatusCode, resp.Response.Request.Method), nil
}

func failure(resp *http.Response, err error) error {
	if resp != nil && resp.StatusCode == http.StatusNotFound {
		return errors.New("not found: " + resp.Request.URL.Path)
	}
	return err
}

// refused hands on the response of an error.
func (j *journal) refused(url string) error {
	client, err := gitlab.NewClient("wrong", gitlab.WithBaseURL(url))
	if err != nil {
		return err
	}
	_, _, err = client.Issues.ListProjectIssues("acme/shop", nil)
	var failure *gitlab.ErrorResponse
	if !errors.As(err, &failure) {
		return fmt.Errorf("not refused: %w", err)
	}
	j.note(failure.Response)
	fmt.Fprintln(&j.out, failure.Response.Status, failure.Response.Request.URL.Path)
	return nil
}

// Run reads projects and issues.
func Run(url, token string) (string, error) {
	client, err := gitlab.NewClient(token, gitlab.WithBaseURL(url))
	if err != nil {
		return "", err
	}
	j := &journal{}
	resp, err := get(client, "acme/shop")
	if err != nil {
		return "", err
	}
	j.note(resp)
	line, err := j.issues(client)
	if err != nil {
		return "", err
	}
	if err := j.refused(url); err != nil {
		return "", err
	}
	resp, err = get(client, "acme/nothing")
	j.note(resp)
	return fmt.Sprint(j.out.String(), line, j.last.StatusCode, failure(resp, err)), nil
}
