package serviceapi

import (
	"context"
	"iter"
	"net/http"
)

// VariablesService manages the CI/CD variables of projects and groups. The
// owner is a [ProjectRef], which requires the Maintainer role, or a [GroupRef],
// which requires the Owner role:
//
//	client.Variables.All(ctx, serviceapi.ProjectPath("acme/app"), nil)
//
// Several variables can have the same key if their environment scopes differ.
// Get, Update and Delete then need the field Filter of their options to select
// one; without it, they return [ErrConflict].
type VariablesService service

// VariableOwner is an owner of variables: a [ProjectRef] or a [GroupRef].
type VariableOwner interface{ hasVariables() }

func (ProjectRef) hasVariables() {}
func (GroupRef) hasVariables()   {}

const oneVariable = "/variables/:key"

// VariableType says how a job gets a variable.
type VariableType string

// Types of variables. With VariableTypeFile, the variable contains the path of a
// file with the value.
const (
	VariableTypeEnv  VariableType = "env_var"
	VariableTypeFile VariableType = "file"
)

// Variable is a CI/CD variable of a project or a group.
type Variable struct {
	Key string `json:"key"`
	// Value is empty for a hidden variable, which the service does not show. It is
	// a [Secret], because variables often contain credentials.
	Value        Secret       `json:"value"`
	VariableType VariableType `json:"variable_type"`
	// Protected variables are passed only to jobs of protected branches and tags.
	Protected bool `json:"protected"`
	// Masked variables are hidden in the logs of jobs.
	Masked bool `json:"masked"`
	// Hidden variables are masked, and never shown again, since 17.4.
	Hidden bool `json:"hidden"`
	// Raw variables are not expanded, since 15.7.
	Raw bool `json:"raw"`
	// EnvironmentScope selects the environments whose jobs get the variable: "*"
	// for all, a name, or a name with "*", such as "review/*". For groups, it is
	// premium.
	EnvironmentScope string `json:"environment_scope"`
	// Description is empty if there is none. Since 16.2.
	Description string `json:"description"`
}

// VariableFilter selects one of several variables with the same key. The zero
// VariableFilter is for a key that only one variable has.
type VariableFilter struct {
	// EnvironmentScope is the exact scope of the variable, such as "review/*". For
	// groups, it exists since 16.9 and is premium.
	EnvironmentScope string `url:"environment_scope,omitempty"`
}

// GetVariableOptions selects a variable.
type GetVariableOptions struct {
	// Filter selects one of several variables with the same key.
	Filter VariableFilter `url:"filter"`
}

// DeleteVariableOptions selects a variable to delete.
type DeleteVariableOptions struct {
	// Filter selects one of several variables with the same key.
	Filter VariableFilter `url:"filter"`
}

// CreateVariableOptions describes a new variable. Key and Value are required.
// Nil fields have their default value.
type CreateVariableOptions struct {
	// Key consists of at most 255 letters, digits and underscores.
	Key string `json:"key"`
	// Value is any string. For a masked variable, it must be one line of 8 or more
	// characters from a limited set.
	Value Secret `json:"value"`
	// VariableType is [VariableTypeEnv] by default.
	VariableType *VariableType `json:"variable_type,omitzero"`
	// Protected, Masked and Raw are as in [Variable]. Nil means false.
	Protected *bool `json:"protected,omitzero"`
	Masked    *bool `json:"masked,omitzero"`
	Raw       *bool `json:"raw,omitzero"`
	// MaskedAndHidden creates a variable whose value is never shown again. Since
	// 17.4. Nil means false.
	MaskedAndHidden *bool `json:"masked_and_hidden,omitzero"`
	// EnvironmentScope is "*" by default. For groups, it is premium.
	EnvironmentScope *string `json:"environment_scope,omitzero"`
	// Description has at most 255 characters, since 16.2.
	Description *string `json:"description,omitzero"`
}

// UpdateVariableOptions changes a variable. Nil fields are left unchanged.
type UpdateVariableOptions struct {
	// Filter selects one of several variables with the same key, by the scope that
	// it has before the change.
	Filter VariableFilter `url:"filter" json:"-"`
	// Value is as in [CreateVariableOptions].
	Value *Secret `json:"value,omitzero"`
	// VariableType, Protected, Masked and Raw are as in [Variable].
	VariableType *VariableType `json:"variable_type,omitzero"`
	Protected    *bool         `json:"protected,omitzero"`
	Masked       *bool         `json:"masked,omitzero"`
	Raw          *bool         `json:"raw,omitzero"`
	// EnvironmentScope is the new scope. For groups, it is premium.
	EnvironmentScope *string `json:"environment_scope,omitzero"`
	// Description has at most 255 characters, since 16.2.
	Description *string `json:"description,omitzero"`
}

// List returns one page of the variables of a project or group.
//
//	GET /projects/:id/variables
//	GET /groups/:id/variables
func (s *VariablesService) List(
	ctx context.Context, owner VariableOwner, options *ListOptions, opts ...RequestOption,
) ([]*Variable, *Response, error) {
	return list[*Variable](ctx, s.client, below(owner, "/variables"), queryOf(options), opts)
}

// All returns every variable of a project or group.
//
//	GET /projects/:id/variables
//	GET /groups/:id/variables
func (s *VariablesService) All(
	ctx context.Context, owner VariableOwner, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*Variable, error] {
	return all[*Variable](ctx, s.client, below(owner, "/variables"), queryOf(options), opts)
}

// Get returns one variable. The call returns [ErrConflict] if several variables
// have the key and Filter does not select one.
//
//	GET /projects/:id/variables/:key
//	GET /groups/:id/variables/:key
func (s *VariablesService) Get(
	ctx context.Context, owner VariableOwner, key string, options *GetVariableOptions, opts ...RequestOption,
) (*Variable, *Response, error) {
	return do[Variable](ctx, s.client, http.MethodGet, below(owner, oneVariable, key), queryOf(options), opts)
}

// Create creates a variable. If a variable with this key and scope already
// exists, or if the value cannot be masked, the call returns [ErrBadRequest]
// with the reasons in [Error.Fields].
//
//	POST /projects/:id/variables
//	POST /groups/:id/variables
func (s *VariablesService) Create(
	ctx context.Context, owner VariableOwner, options CreateVariableOptions, opts ...RequestOption,
) (*Variable, *Response, error) {
	return do[Variable](ctx, s.client, http.MethodPost, below(owner, "/variables"), jsonOf(options), opts)
}

// Update changes a variable and returns it. The call returns [ErrConflict] if
// several variables have the key and Filter does not select one.
//
//	PUT /projects/:id/variables/:key
//	PUT /groups/:id/variables/:key
func (s *VariablesService) Update(
	ctx context.Context, owner VariableOwner, key string, options UpdateVariableOptions, opts ...RequestOption,
) (*Variable, *Response, error) {
	return do[Variable](ctx, s.client, http.MethodPut, below(owner, oneVariable, key),
		queryAndBody{queryOf(GetVariableOptions{options.Filter}), jsonOf(options)}, opts)
}

// Delete deletes a variable. The call returns [ErrConflict] if several
// variables have the key and Filter does not select one.
//
//	DELETE /projects/:id/variables/:key
//	DELETE /groups/:id/variables/:key
func (s *VariablesService) Delete(
	ctx context.Context, owner VariableOwner, key string, options *DeleteVariableOptions, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, s.client, http.MethodDelete, below(owner, oneVariable, key), queryOf(options), opts)
}
