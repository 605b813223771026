package serviceapi

import (
	"context"
	"iter"
	"time"
)

// TerraformState describes a Terraform state, without its content.
type TerraformState struct {
	ID        GlobalID  `json:"id"`
	Name      string    `json:"name"`
	CreatedAt time.Time `json:"createdAt"`
	UpdatedAt time.Time `json:"updatedAt"`
	// LockedAt and LockedByUser are nil unless the state is locked. LockedByUser is also nil
	// if the account no longer exists.
	LockedAt     *time.Time   `json:"lockedAt"`
	LockedByUser *GraphQLUser `json:"lockedByUser"`
	// DeletedAt is when the state was deleted, nil unless the service is removing it.
	DeletedAt *time.Time `json:"deletedAt"`
	// LatestVersion is nil if the state was locked and never written.
	LatestVersion *TerraformStateVersion `json:"latestVersion"`
}

// TerraformStateVersion describes the newest version of a Terraform state.
type TerraformStateVersion struct {
	ID GlobalID `json:"id"`
	// Serial is what [TerraformStatesService.DownloadVersion] takes, nil in old versions.
	Serial *int64 `json:"serial"`
	// DownloadPath is the path of the version, without a host.
	DownloadPath string    `json:"downloadPath"`
	CreatedAt    time.Time `json:"createdAt"`
	UpdatedAt    time.Time `json:"updatedAt"`
	// CreatedByUser is nil if the account no longer exists.
	CreatedByUser *GraphQLUser `json:"createdByUser"`
	// Job is the job that wrote the version, nil if none did.
	Job *TerraformStateJob `json:"job"`
}

// TerraformStateJob is the job that wrote a version of a Terraform state.
type TerraformStateJob struct {
	ID GlobalID `json:"id"`
}

const terraformStateSelection = "id name createdAt updatedAt lockedAt deletedAt " +
	"lockedByUser { username name webUrl } latestVersion { id serial downloadPath " +
	"createdAt updatedAt createdByUser { username name webUrl } job { id } }"

// Get describes a state of a project, without its content, by the GraphQL API. It requires
// the Developer role. The project is identified by its path: the API accepts no ID. The call
// returns [ErrNotFound] if there is no state with this name, or if the caller may not see it.
//
//	POST /api/graphql
func (s *TerraformStatesService) Get(
	ctx context.Context, project ProjectRef, name string, opts ...RequestOption,
) (*TerraformState, *Response, error) {
	f := fieldOf("project", project, "terraformState", terraformStateSelection)
	f.refuse(missing("name", name == ""))
	f.arguments = []graphQLArgument{{"name", "String!", name}}
	return getBelow[TerraformState](ctx, using(s), f, opts)
}

// List returns one page of the states of a project, sorted by name, by the GraphQL API. The
// list is empty for callers below the Developer role. The project is identified by its path:
// the API accepts no ID.
//
//	POST /api/graphql
func (s *TerraformStatesService) List(
	ctx context.Context, project ProjectRef, options *GraphQLListOptions, opts ...RequestOption,
) ([]*TerraformState, *Response, error) {
	f := fieldOf("project", project, "terraformStates", terraformStateSelection)
	return listOf[TerraformState](f, options).list(ctx, using(s), opts)
}

// All returns all states of a project. See [TerraformStatesService.List].
//
//	POST /api/graphql
func (s *TerraformStatesService) All(
	ctx context.Context, project ProjectRef, options *GraphQLListOptions, opts ...RequestOption,
) iter.Seq2[*TerraformState, error] {
	f := fieldOf("project", project, "terraformStates", terraformStateSelection)
	return listOf[TerraformState](f, options).all(ctx, using(s), opts)
}
