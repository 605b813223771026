package serviceapi

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// wholeVariable is testdata/variables/variable.json.
func wholeVariable() *Variable {
	return &Variable{
		Key: "DEPLOY_KEY", Value: NewSecret("variable-value"), VariableType: VariableTypeFile, Protected: true,
		Masked: true, Hidden: true,
		Raw: true, EnvironmentScope: "review/*", Description: "For deployments",
	}
}

// variableOwners are one of each kind, with the paths of their variables.
func variableOwners() map[string]VariableOwner {
	return map[string]VariableOwner{
		"/projects/acme%2Fapp/variables": ProjectPath("acme/app"), "/groups/7/variables": GroupID(7),
		"/admin/ci/variables": Instance,
	}
}

func TestVariablesList(t *testing.T) {
	whole := "[" + fixture(t, "variables/variable.json") + `,{"key":"EMPTY","value":null,"description":null}]`
	for path, owner := range variableOwners() {
		client := onWire(t,
			exchange{Method: "GET", Path: path, Query: "page=2&per_page=5", Body: whole},
			exchange{Method: "GET", Path: path, Query: "per_page=100", Body: whole})
		want := []*Variable{wholeVariable(), {Key: "EMPTY"}}
		variables, _, err := client.Variables.List(t.Context(), owner, &ListOptions{Page: 2, PerPage: 5})
		require.NoError(t, err)
		assert.Equal(t, want, variables)
		assertFilled(t, variables[0])
		variables, err = Collect(client.Variables.All(t.Context(), owner, nil))
		require.NoError(t, err)
		assert.Equal(t, want, variables)
		assert.NotContains(t, fmt.Sprintf("%+v", *variables[0]), "variable-value")
	}
}

func TestVariablesLifeCycle(t *testing.T) {
	const whole, scope = "variables/variable.json", "filter%5Benvironment_scope%5D=review%2F%2A"
	const every = `{"key":"DEPLOY_KEY","value":"v","variable_type":"file","protected":true,"masked":false,` +
		`"raw":true,"masked_and_hidden":true,` +
		`"environment_scope":"review/*","description":"d"}`
	owners := variableOwners()
	delete(owners, "/admin/ci/variables") // without scopes: see TestVariablesOfInstance
	for path, owner := range owners {
		client := onWire(t,
			exchange{Method: "GET", Path: path + "/DEPLOY_KEY", Fixture: whole},
			exchange{Method: "GET", Path: path + "/DEPLOY_KEY", Fixture: whole},
			exchange{Method: "GET", Path: path + "/DEPLOY_KEY", Query: scope, Fixture: whole},
			exchange{Method: "POST", Path: path, JSON: `{"key":"DEPLOY_KEY","value":""}`, Status: 201, Fixture: whole},
			exchange{Method: "POST", Path: path, JSON: every, Status: 201, Fixture: whole},
			exchange{Method: "PUT", Path: path + "/DEPLOY_KEY", JSON: `{}`, Fixture: whole},
			exchange{Method: "PUT", Path: path + "/DEPLOY_KEY", JSON: `{"value":""}`, Fixture: whole},
			exchange{
				Method: "PUT", Path: path + "/DEPLOY_KEY", Query: scope, Fixture: whole,
				JSON: `{"value":"v","variable_type":"env_var","protected":false,"masked":true,"raw":false,` +
					`"environment_scope":"*","description":""}`,
			},
			exchange{Method: "DELETE", Path: path + "/DEPLOY_KEY", Status: 204},
			exchange{Method: "DELETE", Path: path + "/DEPLOY_KEY", Query: scope, Status: 204})
		s, ctx, filter := client.Variables, t.Context(), VariableFilter{EnvironmentScope: "review/*"}
		wantWhole := func(variable *Variable, _ *Response, err error) {
			t.Helper()
			require.NoError(t, err)
			assert.Equal(t, wholeVariable(), variable)
		}
		wantWhole(s.Get(ctx, owner, "DEPLOY_KEY", nil))
		wantWhole(s.Get(ctx, owner, "DEPLOY_KEY", &GetVariableOptions{}))
		wantWhole(s.Get(ctx, owner, "DEPLOY_KEY", &GetVariableOptions{Filter: filter}))
		wantWhole(s.Create(ctx, owner, CreateVariableOptions{Key: "DEPLOY_KEY"}))
		wantWhole(s.Create(ctx, owner, CreateVariableOptions{
			Key: "DEPLOY_KEY", Value: NewSecret("v"), VariableType: new(VariableTypeFile), Protected: new(true),
			Masked: new(false), Raw: new(true),
			MaskedAndHidden: new(true), EnvironmentScope: new("review/*"), Description: new("d"),
		}))
		wantWhole(s.Update(ctx, owner, "DEPLOY_KEY", UpdateVariableOptions{}))
		wantWhole(s.Update(ctx, owner, "DEPLOY_KEY", UpdateVariableOptions{Value: new(NewSecret(""))}))
		wantWhole(s.Update(ctx, owner, "DEPLOY_KEY", UpdateVariableOptions{
			Filter: filter, Value: new(NewSecret("v")), VariableType: new(VariableTypeEnv), Protected: new(false),
			Masked: new(true), Raw: new(false),
			EnvironmentScope: new("*"), Description: new(""),
		}))
		for _, options := range []*DeleteVariableOptions{nil, {Filter: filter}} {
			resp, err := s.Delete(ctx, owner, "DEPLOY_KEY", options)
			require.NoError(t, err)
			assert.Equal(t, 204, resp.StatusCode)
		}
	}
}

func TestVariablesOfInstance(t *testing.T) {
	const path, whole = "/admin/ci/variables", "variables/variable.json"
	const every = `"value":"v","variable_type":"file","protected":true,"masked":false,"raw":true,"description":"d"}`
	client := onWire(t,
		exchange{Method: "GET", Path: path + "/DEPLOY_KEY", Fixture: whole},
		exchange{Method: "POST", Path: path, JSON: `{"key":"DEPLOY_KEY",` + every, Status: 201, Fixture: whole},
		exchange{Method: "PUT", Path: path + "/DEPLOY_KEY", JSON: `{` + every, Fixture: whole},
		exchange{Method: "DELETE", Path: path + "/DEPLOY_KEY", Status: 204})
	s, ctx := client.Variables, t.Context()
	wantWhole := func(variable *Variable, _ *Response, err error) {
		t.Helper()
		require.NoError(t, err)
		assert.Equal(t, wholeVariable(), variable)
	}
	wantWhole(s.Get(ctx, Instance, "DEPLOY_KEY", nil))
	wantWhole(s.Create(ctx, Instance, CreateVariableOptions{
		Key: "DEPLOY_KEY", Value: NewSecret("v"), VariableType: new(VariableTypeFile), Protected: new(true),
		Masked: new(false), Raw: new(true), Description: new("d"),
	}))
	wantWhole(s.Update(ctx, Instance, "DEPLOY_KEY", UpdateVariableOptions{
		Value: new(NewSecret("v")), VariableType: new(VariableTypeFile), Protected: new(true), Masked: new(false),
		Raw: new(true), Description: new("d"),
	}))
	_, err := s.Delete(ctx, Instance, "DEPLOY_KEY", nil)
	require.NoError(t, err)

	filter := VariableFilter{EnvironmentScope: "test"}
	assertRefused(t, "key", errorOf(s.Get(ctx, Instance, "", nil)))
	assertRefused(t, "Filter", errorOf(s.Get(ctx, Instance, "KEY", &GetVariableOptions{Filter: filter})))
	assertRefused(t, "Filter", errorOf(s.Update(ctx, Instance, "KEY", UpdateVariableOptions{Filter: filter})))
	assertRefused(t, "MaskedAndHidden", errorOf(s.Create(ctx, Instance,
		CreateVariableOptions{Key: "KEY", MaskedAndHidden: new(true)})))
	assertRefused(t, "EnvironmentScope", errorOf(s.Update(ctx, Instance, "KEY",
		UpdateVariableOptions{EnvironmentScope: new("*")})))
}

func TestVariablesArguments(t *testing.T) {
	s, ctx := onWire(t).Variables, t.Context()
	for argument, test := range map[string]struct {
		owner VariableOwner
		key   string
	}{
		"owner": {nil, "KEY"}, "key": {GroupID(7), ""}, "id": {ProjectRef{}, "KEY"},
	} {
		assertRefused(t, argument, errorOf(s.Get(ctx, test.owner, test.key, nil)))
		assertRefused(t, argument, errorOf(s.Update(ctx, test.owner, test.key, UpdateVariableOptions{})))
		_, err := s.Delete(ctx, test.owner, test.key, nil)
		assertRefused(t, argument, err)
	}
	assertRefused(t, "owner", errorOf(s.List(ctx, new(GroupID(7)), nil)))
	assertRefused(t, "owner", errorOf(s.Create(ctx, (*ProjectRef)(nil), CreateVariableOptions{})))
	assertRefused(t, "key", errorOf(s.Get(ctx, GroupID(7), "..", nil)))
}
