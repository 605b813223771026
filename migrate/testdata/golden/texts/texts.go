// Package texts looks into the texts of errors.
package texts

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	gitlab "gitlab.com/gitlab-org/api/client-go"
)

var conflict = regexp.MustCompile(`: (409|422) \{`)

// Run tells errors apart by their texts.
func Run(url, token string) (string, error) {
	client, err := gitlab.NewClient(token, gitlab.WithBaseURL(url), gitlab.WithoutRetries())
	if err != nil {
		return "", err
	}
	var out []any
	for _, path := range []string{"acme/shop", "acme/none"} {
		_, _, err := client.Projects.GetProject(path, nil)
		out = append(out, err != nil && strings.Contains(err.Error(), "404 Not Found"),
			err != nil && err.Error() != "404 Not Found", missing(err))
	}
	for range 2 {
		out = append(out, protect(client, url))
	}
	_, _, err = client.Branches.CreateBranch("acme/shop", &gitlab.CreateBranchOptions{
		Branch: gitlab.Ptr("new"), Ref: gitlab.Ptr("nowhere")})
	switch text := strings.ToLower(err.Error()); {
	case strings.HasSuffix(text, "{message: invalid reference name: nowhere}"):
		out = append(out, "no such reference")
	default:
		out = append(out, "another problem")
	}
	wrapped := fmt.Errorf("branch: %w", err)
	out = append(out, strings.HasPrefix(wrapped.Error(), "branch: POST "+url+"/api/v4/projects/acme%2Fshop/"))
	return fmt.Sprint(out...), nil
}

func protect(client *gitlab.Client, url string) string {
	_, _, err := client.ProtectedBranches.ProtectRepositoryBranches("acme/shop",
		&gitlab.ProtectRepositoryBranchesOptions{Name: gitlab.Ptr("work")})
	if err == nil {
		return "protected"
	}
	var failure *gitlab.ErrorResponse
	same := errors.As(err, &failure) && failure.Message == "{message: Protected branch 'work' already exists}"
	shown := fmt.Sprint(err) == "POST "+url+"/api/v4/projects/acme%2Fshop/protected_branches: 409 "+
		"{message: Protected branch 'work' already exists}"
	return fmt.Sprint(conflict.MatchString(err.Error()), same, shown)
}
