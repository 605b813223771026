// Package graphs asks with GraphQL.
package graphs

import (
	"encoding/json"
	"errors"
	"fmt"

	gitlab "gitlab.com/gitlab-org/api/client-go"
)

// Run decodes responses in several ways.
func Run(url, token string) (string, error) {
	client, err := gitlab.NewClient(token, gitlab.WithBaseURL(url), gitlab.WithoutRetries())
	if err != nil {
		return "", err
	}
	name, err := project(client, "acme/shop")
	if err != nil {
		return "", err
	}
	_, missing := project(client, "acme/none")
	_, unknown := field(client, "query { nothing }")
	whole, err := field(client, `query { echo(text: "hello") }`)
	if err != nil {
		return "", err
	}
	response := new(struct {
		Data json.RawMessage `json:"data"`
	})
	resp, err := client.GraphQL.Do(gitlab.GraphQLQuery{Query: "query { currentUser { username } }"}, response)
	if err != nil {
		return "", err
	}
	return fmt.Sprint(name, missing, unknown, whole, string(response.Data), resp.StatusCode), nil
}

func project(client *gitlab.Client, path string) (string, error) {
	var response struct {
		Data struct {
			Project *struct{ Name string } `json:"project"`
		}
		Errors []struct{ Message string }
	}
	_, err := client.GraphQL.Do(gitlab.GraphQLQuery{
		Query:     "query ($path: ID!) { project(fullPath: $path) { name } }",
		Variables: map[string]any{"path": path},
	}, &response)
	if err != nil {
		return "", err
	}
	if response.Data.Project == nil {
		return "", errors.New("no project")
	}
	return response.Data.Project.Name, nil
}

func field(client *gitlab.Client, query string) (any, error) {
	var response map[string]any
	_, err := client.GraphQL.Do(gitlab.GraphQLQuery{Query: query}, &response)
	if err != nil {
		return nil, err
	}
	if problems, ok := response["errors"].([]any); ok && len(problems) > 0 {
		return nil, errors.New(problems[0].(map[string]any)["message"].(string))
	}
	return response["data"], nil
}
