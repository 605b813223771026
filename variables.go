package serviceapi

import (
	"context"
	"iter"
	"net/http"
)

// VariablesService manages the CI/CD variables of projects, groups and the instance.
// The owner is a [ProjectRef], which requires the Maintainer role, a [GroupRef],
// which requires the Owner role, or [Instance], which requires an administrator:
//
//	client.Variables.All(ctx, serviceapi.ProjectPath("acme/app"), nil)
//
// Several variables can have the same key if their environment scopes differ. Get,
// Update and Delete then need the field Filter of their options to select one; without
// it, they return [ErrConflict]. Variables of the instance have no scopes.
//
// Its options are [CreateVariableOptions], [DeleteVariableOptions], [GetVariableOptions],
// [ListOptions] and [UpdateVariableOptions]. See the example VariablesCreate in
// structure_test.go of [example.com/serviceapi/examples/recipes].
type VariablesService service

// VariableOwner is an owner of variables: a [ProjectRef], a [GroupRef] or [Instance].
type VariableOwner interface{ hasVariables() }

func (ProjectRef) hasVariables()    {}
func (GroupRef) hasVariables()      {}
func (InstanceOwner) hasVariables() {}

func variablesOf(owner VariableOwner) Endpoint {
	if owner == Instance {
		return Route("/admin/ci/variables")
	}
	return below(owner, "/variables")
}

func variableOf(owner VariableOwner, key string) Endpoint {
	if owner == Instance {
		return Route("/admin/ci/variables/:key", key)
	}
	return below(owner, "/variables/:key", key)
}

// VariableType says how a job gets a variable.
type VariableType string

// Types of variables. With VariableTypeFile, the variable contains the path of a
// file with the value.
const (
	VariableTypeEnv  VariableType = "env_var"
	VariableTypeFile VariableType = "file"
)

// Variable is a CI/CD variable of a project, a group or the instance.
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
	// Hidden variables are masked, and their values are never shown again. Since 17.4.
	Hidden bool `json:"hidden"`
	// Raw reports whether references to other variables in the value are left unexpanded.
	// Since 15.7.
	Raw bool `json:"raw"`
	// EnvironmentScope selects the environments whose jobs get the variable: "*"
	// for all, a name, or a name with "*", such as "review/*". For groups, it is
	// premium. It is empty for variables of the instance.
	EnvironmentScope string `json:"environment_scope"`
	// Description is empty if there is none. Since 16.2, and 16.8 for the instance.
	Description string `json:"description"`
}

// VariableFilter selects one of several variables with the same key. The zero
// VariableFilter is for a key that only one variable has.
type VariableFilter struct {
	// EnvironmentScope is the exact scope of the variable, such as "review/*". For groups,
	// it is premium, and was added in 16.9.
	EnvironmentScope string `url:"environment_scope,omitempty"`
}

// GetVariableOptions selects a variable.
type GetVariableOptions struct {
	// Filter selects one of several variables with the same key. Only for a ProjectRef
	// or a GroupRef.
	Filter VariableFilter `url:"filter" only:"project,group"`
}

// DeleteVariableOptions selects a variable to delete.
type DeleteVariableOptions struct {
	// Filter selects one of several variables with the same key. Only for a ProjectRef
	// or a GroupRef.
	Filter VariableFilter `url:"filter" only:"project,group"`
}

// CreateVariableOptions describes a new variable. Key is required, and Value may be empty.
// Nil fields have their default value.
type CreateVariableOptions struct {
	// Key consists of at most 255 letters, digits and underscores.
	Key string `json:"key" required:"true"`
	// Value is any string, which for the instance has at most 10,000 characters. For a
	// masked variable, it must be one line of 8 or more characters from a limited set.
	Value Secret `json:"value"`
	// VariableType is [VariableTypeEnv] by default.
	VariableType *VariableType `json:"variable_type,omitzero"`
	// Protected, Masked and Raw are as in [Variable]. Nil means false.
	Protected *bool `json:"protected,omitzero"`
	Masked    *bool `json:"masked,omitzero"`
	Raw       *bool `json:"raw,omitzero"`
	// MaskedAndHidden creates a variable whose value is never shown again. Since
	// 17.4. Nil means false. Only for a ProjectRef or a GroupRef.
	MaskedAndHidden *bool `json:"masked_and_hidden,omitzero" only:"project,group"`
	// EnvironmentScope is "*" by default. For groups, it is premium. Only for a
	// ProjectRef or a GroupRef.
	EnvironmentScope *string `json:"environment_scope,omitzero" only:"project,group"`
	// Description has at most 255 characters. Since 16.2.
	Description *string `json:"description,omitzero"`
}

// UpdateVariableOptions changes a variable. Nil fields are left unchanged.
type UpdateVariableOptions struct {
	// Value is as in [CreateVariableOptions].
	Value *Secret `json:"value,omitzero"`
	// VariableType, Protected, Masked and Raw are as in [Variable].
	VariableType *VariableType `json:"variable_type,omitzero"`
	Protected    *bool         `json:"protected,omitzero"`
	Masked       *bool         `json:"masked,omitzero"`
	Raw          *bool         `json:"raw,omitzero"`
	// EnvironmentScope is the new scope. For groups, it is premium. Only for a
	// ProjectRef or a GroupRef.
	EnvironmentScope *string `json:"environment_scope,omitzero" only:"project,group"`
	// Description has at most 255 characters. Since 16.2.
	Description *string `json:"description,omitzero"`
	// Filter selects one of several variables with the same key, by the scope that
	// it has before the change. Only for a ProjectRef or a GroupRef.
	Filter VariableFilter `url:"filter" json:"-" only:"project,group"`
}

// with adds the filter to a body.
func (o UpdateVariableOptions) with(body input) input {
	return queryAndBody{queryOf(GetVariableOptions{o.Filter}), body}
}

// List returns one page of the variables of a project, a group or the instance.
//
//	GET /projects/:id/variables
//	GET /groups/:id/variables
//	GET /admin/ci/variables
func (s *VariablesService) List(
	ctx context.Context, owner VariableOwner, options *ListOptions, opts ...RequestOption,
) ([]*Variable, *Response, error) {
	return list[*Variable](ctx, using(s), variablesOf(owner), queryOf(options), opts)
}

// All returns every variable of a project, a group or the instance.
//
//	GET /projects/:id/variables
//	GET /groups/:id/variables
//	GET /admin/ci/variables
func (s *VariablesService) All(
	ctx context.Context, owner VariableOwner, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*Variable, error] {
	return all[*Variable](ctx, using(s), variablesOf(owner), queryOf(options), opts)
}

// Get returns one variable. The call returns [ErrConflict] if several variables
// have the key and Filter does not select one.
//
//	GET /projects/:id/variables/:key
//	GET /groups/:id/variables/:key
//	GET /admin/ci/variables/:key
func (s *VariablesService) Get(
	ctx context.Context, owner VariableOwner, key string, options *GetVariableOptions, opts ...RequestOption,
) (*Variable, *Response, error) {
	return do[Variable](ctx, using(s), http.MethodGet, variableOf(owner, key), queryFor(owner, options), opts)
}

// Create creates a variable. If a variable with this key and scope already
// exists, or if the value cannot be masked, the call returns [ErrBadRequest]
// with the reasons in [Error.Fields].
//
//	POST /projects/:id/variables
//	POST /groups/:id/variables
//	POST /admin/ci/variables
func (s *VariablesService) Create(
	ctx context.Context, owner VariableOwner, options CreateVariableOptions, opts ...RequestOption,
) (*Variable, *Response, error) {
	return do[Variable](ctx, using(s), http.MethodPost, variablesOf(owner), jsonFor(owner, options), opts)
}

// Update changes a variable and returns it. The call returns [ErrConflict] if
// several variables have the key and Filter does not select one.
//
//	PUT /projects/:id/variables/:key
//	PUT /groups/:id/variables/:key
//	PUT /admin/ci/variables/:key
func (s *VariablesService) Update(
	ctx context.Context, owner VariableOwner, key string, options UpdateVariableOptions, opts ...RequestOption,
) (*Variable, *Response, error) {
	return do[Variable](ctx, using(s), http.MethodPut, variableOf(owner, key),
		options.with(jsonFor(owner, options)), opts)
}

// Delete deletes a variable. The call returns [ErrConflict] if several
// variables have the key and Filter does not select one.
//
//	DELETE /projects/:id/variables/:key
//	DELETE /groups/:id/variables/:key
//	DELETE /admin/ci/variables/:key
func (s *VariablesService) Delete(
	ctx context.Context, owner VariableOwner, key string, options *DeleteVariableOptions, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, variableOf(owner, key), queryFor(owner, options), opts)
}
