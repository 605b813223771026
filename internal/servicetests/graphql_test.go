package servicetests

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

type graphQLPipeline struct {
	ID     string `json:"id"`
	Ref    string `json:"ref"`
	Status string `json:"status"`
}

type graphQLProject struct {
	Project *struct {
		Name      string                                         `json:"name"`
		Pipelines *serviceapi.GraphQLConnection[graphQLPipeline] `json:"pipelines"`
	} `json:"project"`
}

func (p *graphQLProject) pipelines() *serviceapi.GraphQLConnection[graphQLPipeline] {
	if p.Project == nil {
		return nil
	}
	return p.Project.Pipelines
}

const pipelinesQuery = `query ($path: ID!, $after: String) {
	project(fullPath: $path) {
		name
		pipelines(first: 10, after: $after) { nodes { id ref status } pageInfo { hasNextPage endCursor } }
	}
}`

func TestGraphQLAgainstService(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	for i := range 25 {
		app.Pipeline(fmt.Sprint("branch-", i)).Job("test")
	}
	client := asRoot(t, svc)
	request := serviceapi.GraphQLRequest{Query: pipelinesQuery, Variables: map[string]any{"path": "acme/app"}}

	var page graphQLProject
	_, err := client.GraphQL.Query(t.Context(), request, &page)
	require.NoError(t, err)
	assert.Equal(t, "App", page.Project.Name)
	assert.Len(t, page.Project.Pipelines.Nodes, 10)

	pipelines, err := serviceapi.Collect(serviceapi.GraphQLAll(t.Context(), client, request,
		(*graphQLProject).pipelines))
	require.NoError(t, err)
	require.Len(t, pipelines, 25)
	assert.Equal(t, &graphQLPipeline{ID: "gid://service/Ci::Pipeline/25", Ref: "branch-24", Status: "SUCCESS"},
		pipelines[0])
	assert.Equal(t, "branch-0", pipelines[24].Ref)

	t.Run("null on the way", func(t *testing.T) {
		request := request
		request.Variables = map[string]any{"path": "acme/nothing"}
		_, err := serviceapi.Collect(serviceapi.GraphQLAll(t.Context(), client, request, (*graphQLProject).pipelines))
		var pagination *serviceapi.PaginationError
		require.ErrorAs(t, err, &pagination)
	})
	t.Run("repeated queries", func(t *testing.T) {
		fault := svc.Fault("POST /api/graphql", servicetest.Status(http.StatusBadGateway, ""), servicetest.Every(2),
			servicetest.Times(2))
		defer fault.Remove()
		repeatable := serviceapi.WithRetry(serviceapi.RetryPolicy{RetryUnsafe: true})
		again, err := serviceapi.Collect(serviceapi.GraphQLAll(t.Context(), client, request,
			(*graphQLProject).pipelines, repeatable))
		require.NoError(t, err)
		assert.Len(t, again, 25)
		assert.Equal(t, 2, fault.Hits())
	})
	t.Run("partial data", func(t *testing.T) {
		svc.FailGraphQLField("Pipeline.status", "timed out")
		defer svc.FailGraphQLField("Pipeline.status", "")
		var page graphQLProject
		_, err := client.GraphQL.Query(t.Context(), request, &page)
		var refused *serviceapi.GraphQLError
		require.ErrorAs(t, err, &refused)
		require.Len(t, refused.Errors, 10)
		assert.Equal(t, "project.pipelines.nodes.9.status", refused.Errors[9].Path.String())
		assert.Equal(t, "branch-24", page.Project.Pipelines.Nodes[0].Ref)
		some, err := serviceapi.Collect(serviceapi.GraphQLAll(t.Context(), client, request,
			(*graphQLProject).pipelines))
		require.ErrorAs(t, err, &refused)
		assert.Len(t, some, 10)
	})
	t.Run("validation", func(t *testing.T) {
		_, err := client.GraphQL.Query(t.Context(), serviceapi.GraphQLRequest{Query: "{\n  shoes }"}, nil)
		var refused *serviceapi.GraphQLError
		require.ErrorAs(t, err, &refused)
		assert.Equal(t, serviceapi.ErrorCode("undefinedField"), refused.Err.Code)
		assert.Equal(t, []*serviceapi.GraphQLLocation{{Line: 2, Column: 3}}, refused.Errors[0].Locations)
		assert.Nil(t, refused.Errors[0].Path)
	})
}

// TestGraphQLMutationIsNotRepeated checks that a mutation is not executed twice
// if the response to it is lost.
func TestGraphQLMutationIsNotRepeated(t *testing.T) {
	svc := servicetest.New(t)
	pipeline := svc.Project("acme/app").Pipeline("main")
	pipeline.Job("test", servicetest.Failed("script_failure"))
	client := asRoot(t, svc)
	retry := serviceapi.GraphQLRequest{
		Query:     `mutation($id: ID!) { jobRetry(input: {id: $id}) { job { id } errors } }`,
		Variables: map[string]any{"id": "gid://service/Ci::Build/1"},
	}
	svc.Fault("POST /api/graphql", servicetest.DropResponse(), servicetest.Times(1))
	_, err := client.GraphQL.Query(t.Context(), retry, nil)
	var transport *serviceapi.TransportError
	require.ErrorAs(t, err, &transport)
	assert.Equal(t, 1, transport.Attempts)
	assert.Len(t, pipeline.Jobs(), 2)

	svc.Fault("POST /api/graphql", servicetest.RateLimit(0), servicetest.Times(1))
	var out struct {
		JobRetry struct {
			Errors []string `json:"errors"`
		} `json:"jobRetry"`
	}
	retry.Variables["id"] = "gid://service/Ci::Build/2"
	resp, err := client.GraphQL.Query(t.Context(), retry, &out)
	require.NoError(t, err)
	assert.Equal(t, 2, resp.Attempts, "a rate limit says for certain that nothing was executed")
	assert.Equal(t, []string{"Job is not retryable"}, out.JobRetry.Errors, "what a mutation refuses is data")
}
