// Package predicates has functions that look at the errors of calls, some of which have no
// counterpart.
package predicates

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	gitlab "gitlab.com/gitlab-org/api/client-go"
)

// isNotFound is asked about errors of all calls.
func isNotFound(err error) bool {
	if errors.Is(err, gitlab.ErrNotFound) || err == gitlab.ErrNotFound {
		return true
	}
	var failure *gitlab.ErrorResponse
	return errors.As(err, &failure) && failure.HasStatusCode(http.StatusNotFound)
}

// status is asked about errors of all calls, by way of another function.
func status(err error) int {
	if isNotFound(err) {
		return http.StatusNotFound
	}
	if failure, ok := err.(*gitlab.ErrorResponse); ok {
		return failure.Response.StatusCode
	}
	switch failure := errors.Unwrap(err).(type) {
	case *gitlab.ErrorResponse:
		return failure.Response.StatusCode
	}
	return 0
}

// method uses what has no counterpart, and is asked about a call that has one.
func method(err error) string {
	var failure *gitlab.ErrorResponse
	if !errors.As(err, &failure) {
		return "none"
	}
	response := *failure.Response
	return response.Request.Method
}

// nodesOnly is asked about calls without a counterpart.
func nodesOnly(err error) bool { return errors.Is(err, gitlab.ErrNotFound) }

// projectsOnly is asked about calls with one.
func projectsOnly(err error) bool { return errors.Is(err, gitlab.ErrNotFound) }

func project(client *gitlab.Client, path string) error {
	_, _, err := client.Projects.GetProject(path, nil)
	return err
}

func branch(client *gitlab.Client) error {
	options := &gitlab.CreateBranchOptions{Branch: gitlab.Ptr("x"), Ref: gitlab.Ptr("none")}
	if _, _, err := client.Branches.CreateBranch("acme/shop", options); err != nil {
		return fmt.Errorf("a branch: %w", err)
	}
	return nil
}

func nodes(client *gitlab.Client) error {
	_, _, err := client.InstanceCluster.ListClusters()
	if err != nil && !errors.Is(err, gitlab.ErrNotFound) {
		return errors.New("another error")
	}
	return err
}

// Run asks about the errors of each call.
func Run(url, token string) (string, error) {
	client, err := gitlab.NewClient(token, gitlab.WithBaseURL(url), gitlab.WithoutRetries())
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, err := range []error{project(client, "acme/none"), branch(client), nodes(client), nil} {
		fmt.Fprintln(&out, isNotFound(err), status(err), text(err))
	}
	fmt.Fprintln(&out, method(branch(client)), method(nil))
	fmt.Fprintln(&out, nodesOnly(nodes(client)), projectsOnly(project(client, "acme/none")))
	return out.String(), nil
}

func text(err error) string { return fmt.Sprint(err != nil, status(err)) }
