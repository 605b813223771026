// Package verdicts looks into errors with more than this library has, after calls that all move.
package verdicts

import (
	"errors"
	"fmt"
	"net/http"

	gitlab "gitlab.com/gitlab-org/api/client-go"
)

// verdict says what became of a call. It stays: an error has no protocol here.
func verdict(err error) string {
	if errors.Is(err, gitlab.ErrNotFound) {
		return "missing"
	}
	var failure *gitlab.ErrorResponse
	switch {
	case err == nil:
		return "fine"
	case !errors.As(err, &failure):
		return "broken"
	case failure.Response.StatusCode == http.StatusUnauthorized:
		return fmt.Sprint("refused", failure.Response.ProtoMajor > 2)
	}
	return "failed"
}

func project(client *gitlab.Client, path string) string {
	_, _, err := client.Projects.GetProject(path, nil)
	return verdict(err)
}

// Run reads projects with a good token and with a wrong one.
func Run(url, token string) (string, error) {
	client, err := gitlab.NewClient(token, gitlab.WithBaseURL(url))
	if err != nil {
		return "", err
	}
	stranger, err := gitlab.NewClient("wrong", gitlab.WithBaseURL(url))
	if err != nil {
		return "", err
	}
	known, unknown := project(client, "acme/shop"), project(client, "acme/nothing")
	return fmt.Sprint(known, unknown, project(stranger, "acme/shop")), nil
}
