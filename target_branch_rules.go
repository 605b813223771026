package serviceapi

import (
	"context"
	"iter"
	"time"
)

// TargetBranchRulesService manages the rules that choose the target of new merge requests by
// the name of their source branch. Premium. It uses the GraphQL API, which has no call that
// changes a rule: delete it, and create another one.
//
// The project is identified by its path: the API accepts no ID. Reading rules requires access
// to the project, and writing them the Maintainer role. Calls return [ErrNotFound] for a
// project that the caller cannot see or may not change, and [ErrNotInSchema] if the edition
// of the instance has no such rules.
//
// Its options are [CreateTargetBranchRuleOptions] and [GraphQLListOptions]. See the
// example of [TargetBranchRulesService.Create].
type TargetBranchRulesService service

// TargetBranchRule gives merge requests from some branches their target.
type TargetBranchRule struct {
	ID GlobalID `json:"id"`
	// Name is the name of a source branch, or a wildcard such as "dev/*".
	Name         string    `json:"name"`
	TargetBranch string    `json:"targetBranch"`
	CreatedAt    time.Time `json:"createdAt"`
}

const targetBranchRuleSelection = "id name targetBranch createdAt"

// List returns one page of the rules of a project.
//
//	POST /api/graphql
func (s *TargetBranchRulesService) List(
	ctx context.Context, project ProjectRef, options *GraphQLListOptions, opts ...RequestOption,
) ([]*TargetBranchRule, *Response, error) {
	f := fieldOf("project", project, "targetBranchRules", targetBranchRuleSelection)
	return listOf[TargetBranchRule](f, options).list(ctx, using(s), opts)
}

// All returns all rules of a project.
//
//	POST /api/graphql
func (s *TargetBranchRulesService) All(
	ctx context.Context, project ProjectRef, options *GraphQLListOptions, opts ...RequestOption,
) iter.Seq2[*TargetBranchRule, error] {
	f := fieldOf("project", project, "targetBranchRules", targetBranchRuleSelection)
	return listOf[TargetBranchRule](f, options).all(ctx, using(s), opts)
}

// CreateTargetBranchRuleOptions describes a rule. All fields are required.
type CreateTargetBranchRuleOptions struct {
	// Name is the name of a source branch, or a wildcard such as "dev/*": letters, digits and
	// "/._-*". Each name occurs once in a project.
	Name string `json:"name" required:"true"`
	// TargetBranch is the branch that merge requests from such a branch get as their target.
	TargetBranch string `json:"targetBranch" required:"true"`
}

// Create creates a rule. It first reads the ID of the project. The call returns
// [ErrUnprocessable] if a rule with this name exists, or for a name that is not allowed.
//
//	POST /api/graphql
func (s *TargetBranchRulesService) Create(
	ctx context.Context, project ProjectRef, options CreateTargetBranchRuleOptions, opts ...RequestOption,
) (*TargetBranchRule, *Response, error) {
	f := fieldOf("project", project, "", "")
	f.refuse(checkFields(using(s), &options))
	id, resp, err := idOfProject(ctx, using(s), f, opts)
	if err != nil {
		return nil, resp, err
	}
	return mutate[TargetBranchRule](ctx, using(s), graphQLMutation{
		name: "projectTargetBranchRuleCreate", inputType: "ProjectTargetBranchRuleCreateInput",
		input:  targetBranchRuleInput{options, id},
		result: "targetBranchRule", selection: targetBranchRuleSelection,
	}, opts)
}

// targetBranchRuleInput is the input of the mutation that creates a rule.
type targetBranchRuleInput struct {
	CreateTargetBranchRuleOptions
	ProjectID GlobalID `json:"projectId"`
}

// idOfProject returns the ID of the project that has a field.
func idOfProject(
	ctx context.Context, c *Client, f graphQLField, opts []RequestOption,
) (GlobalID, *Response, error) {
	if f.err != nil {
		return "", nil, unasked(ctx, c, f.err, opts)
	}
	request := GraphQLRequest{
		Query:     "query ($fullPath: ID!) { project(fullPath: $fullPath) { id } }",
		Variables: map[string]any{"fullPath": f.path},
	}
	var data map[string]*struct {
		ID GlobalID `json:"id"`
	}
	resp, err := runGraphQL(ctx, c, request, &data, func(o *outcome) error {
		if data["project"] == nil {
			return notInData(o, f, true)
		}
		return nil
	}, opts)
	if err != nil {
		return "", resp, err
	}
	return data["project"].ID, resp, nil
}

// Delete deletes a rule, by [TargetBranchRule.ID].
//
//	POST /api/graphql
func (s *TargetBranchRulesService) Delete(
	ctx context.Context, id GlobalID, opts ...RequestOption,
) (*Response, error) {
	_, resp, err := mutate[TargetBranchRule](ctx, using(s), graphQLMutation{
		name: "projectTargetBranchRuleDestroy", inputType: "ProjectTargetBranchRuleDestroyInput",
		input: map[string]GlobalID{"id": id}, err: id.check("id"),
	}, opts)
	return resp, err
}
