// Package errs looks at what goes wrong.
package errs

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	gitlab "gitlab.com/gitlab-org/api/client-go"
)

// Run asks for what does not exist.
func Run(url, token string) (string, error) {
	client, err := gitlab.NewClient(token, gitlab.WithBaseURL(url), gitlab.WithoutRetries())
	if err != nil {
		return "", err
	}
	var out strings.Builder
	_, resp, err := client.Projects.GetProject("acme/none", nil)
	if err == gitlab.ErrNotFound {
		fmt.Fprintln(&out, "equal")
	}
	if errors.Is(err, gitlab.ErrNotFound) && resp != nil && resp.StatusCode == http.StatusNotFound {
		fmt.Fprintln(&out, "not found")
	}
	options := &gitlab.CreateBranchOptions{Branch: gitlab.Ptr("x"), Ref: gitlab.Ptr("none")}
	_, _, err = client.Branches.CreateBranch("acme/shop", options)
	var failure *gitlab.ErrorResponse
	if errors.As(err, &failure) {
		fmt.Fprintln(&out, failure.Response.StatusCode, failure.HasStatusCode(http.StatusBadRequest))
	}
	if failure, ok := err.(*gitlab.ErrorResponse); ok && failure.Message != "" {
		fmt.Fprintln(&out, "has a message")
	}
	fmt.Fprintln(&out, status(err))
	return out.String(), nil
}

func status(err error) int {
	if e, ok := err.(*gitlab.ErrorResponse); ok {
		return e.Response.StatusCode
	}
	return 0
}
