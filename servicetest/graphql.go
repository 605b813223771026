package servicetest

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"

	"example.com/serviceapi/servicetest/internal/frame"
	"example.com/serviceapi/servicetest/internal/graphql"
)

// GraphQLSchema is the part of the GraphQL API's schema that a Service offers.
// Documents have operations with fields, arguments, variables and aliases. Not
// supported are fragments, directives, subscriptions, introspection other than
// __typename, and a field that occurs twice in a selection without an alias. Of
// the types of variables, only "!" is checked.
//
// Connections have at most 100 items a page. Pipelines and jobs come newest
// first. Statuses are in upper case. What the caller may not see is null.
const GraphQLSchema = `
type Query {
  currentUser: User
  echo(text: String!): String
  group(fullPath: ID!): Group
  project(fullPath: ID!): Project
  projects(after: String, first: Int): ProjectConnection
}

type Mutation {
  jobCancel(input: JobInput!): JobPayload
  jobRetry(input: JobInput!): JobPayload
}

input JobInput {
  clientMutationId: String
  id: ID!
}

type JobPayload {
  clientMutationId: String
  errors: [String]
  job: Job
}

type User {
  id: ID
  name: String
  publicEmail: String
  state: String
  username: String
  webUrl: String
}

type Group {
  description: String
  fullPath: ID
  id: ID
  name: String
  parent: Group
  projects(after: String, first: Int): ProjectConnection
  visibility: String
  webUrl: String
}

type Project {
  archived: Boolean
  createdAt: Time
  description: String
  fullPath: ID
  group: Group
  id: ID
  jobs(after: String, first: Int, statuses: [String]): JobConnection
  name: String
  pipelines(after: String, first: Int, ref: String, status: String): PipelineConnection
  visibility: String
  webUrl: String
}

type Pipeline {
  createdAt: Time
  id: ID
  jobs(after: String, first: Int, statuses: [String]): JobConnection
  project: Project
  ref: String
  sha: String
  status: String
  updatedAt: Time
  user: User
}

type Job {
  allowFailure: Boolean
  createdAt: Time
  finishedAt: Time
  id: ID
  name: String
  pipeline: Pipeline
  stage: String
  startedAt: Time
  status: String
}

type JobConnection {
  count: Int
  edges: [JobEdge]
  nodes: [Job]
  pageInfo: PageInfo
}

type JobEdge {
  cursor: String
  node: Job
}

type PageInfo {
  endCursor: String
  hasNextPage: Boolean
  hasPreviousPage: Boolean
  startCursor: String
}

# ProjectConnection, ProjectEdge, PipelineConnection and PipelineEdge are like
# those of jobs.
`

// graphQLState holds the messages of the fields that fail, by Type.field.
type graphQLState struct{ failing map[string]string }

// FailGraphQLField makes a field of the GraphQL API fail with a message: it is
// null in all responses, which have an error with its path and the rest of the
// data. The field is named with its type: "Project.pipelines", "Query.group".
// An empty message makes it work again.
func (s *Service) FailGraphQLField(field, message string) {
	defer s.lock()()
	if !graphQLSchema().HasField(field) {
		s.fail("the GraphQL schema has no field %q", field)
	}
	st := state[graphQLState](s)
	if st.failing == nil {
		st.failing = make(map[string]string)
	}
	st.failing[field] = message
}

// graphQLErrors returns only errors.
func graphQLErrors(status int, errs ...graphql.Error) *reply {
	return frame.JSONReply(status, graphql.Response{Errors: errs})
}

// postGraphQL returns 200 for whatever it can read, even if there are errors.
func postGraphQL(c *call) *reply {
	var body struct {
		Query         string
		Variables     map[string]any
		OperationName string
	}
	decoder := json.NewDecoder(bytes.NewReader(c.Body))
	decoder.UseNumber()
	if err := decoder.Decode(&body); err != nil {
		return graphQLErrors(http.StatusBadRequest, graphql.Error{Message: "The body is no GraphQL request"})
	}
	operation, refusal := graphql.Parse(body.Query, body.OperationName)
	if refusal != nil {
		return graphQLErrors(http.StatusOK, *refusal)
	}
	if operation.IsMutation() && c.token != nil && !slices.Contains(c.token.scopes, "api") {
		return insufficientScope("api")
	}
	return c.OK(graphQLSchema().Execute(c, operation, body.Variables))
}
