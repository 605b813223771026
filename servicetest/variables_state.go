package servicetest

import (
	"cmp"
	"slices"
)

// A variable is a CI/CD variable of a project or a group.
type variable struct {
	key, value, kind, scope        string
	description                    string
	protected, masked, hidden, raw bool
}

// variableState keeps the variables of projects and groups by their owner: a
// *Project or a *Group.
type variableState struct{ of map[any][]*variable }

// A VariableOption sets a property of a variable.
type VariableOption func(*variable)

// VariableScope sets the environments whose jobs get a variable. The default is
// "*", all of them.
func VariableScope(scope string) VariableOption { return func(v *variable) { v.scope = scope } }

// MaskedVariable makes a variable whose value is hidden in the logs of jobs.
func MaskedVariable() VariableOption { return func(v *variable) { v.masked = true } }

// ProtectedVariable makes a variable that only jobs of protected branches get.
func ProtectedVariable() VariableOption { return func(v *variable) { v.protected = true } }

// HiddenVariable makes a variable whose value the API does not return.
func HiddenVariable() VariableOption {
	return func(v *variable) { v.masked, v.hidden = true, true }
}

// Variable gives the project a CI/CD variable.
func (p *Project) Variable(key, value string, opts ...VariableOption) {
	defer p.svc.lock()()
	p.svc.setVariable(p, key, value, opts)
}

// Variable gives the group a CI/CD variable.
func (g *Group) Variable(key, value string, opts ...VariableOption) {
	defer g.svc.lock()()
	g.svc.setVariable(g, key, value, opts)
}

// VariableValue returns the value of the project's variable with a key and a
// scope, and whether there is one. It also returns hidden ones.
func (p *Project) VariableValue(key, scope string) (string, bool) {
	defer p.svc.lock()()
	return p.svc.variableValue(p, key, scope)
}

// VariableValue returns the value of the group's variable with a key and a
// scope, and whether there is one. It also returns hidden ones.
func (g *Group) VariableValue(key, scope string) (string, bool) {
	defer g.svc.lock()()
	return g.svc.variableValue(g, key, scope)
}

func (s *Service) setVariable(home any, key, value string, opts []VariableOption) {
	v := &variable{key: key, value: value, kind: "env_var", scope: "*"}
	for _, opt := range opts {
		opt(v)
	}
	s.removeVariables(home, key, v.scope)
	s.addVariable(home, v)
}

// addVariable adds a variable, in the alphabetical order of keys.
func (s *Service) addVariable(home any, v *variable) {
	all := state[variableState](s)
	if all.of == nil {
		all.of = make(map[any][]*variable)
	}
	all.of[home] = append(all.of[home], v)
	slices.SortStableFunc(all.of[home], func(a, b *variable) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.scope, b.scope))
	})
}

// variables returns the variables with a key and, unless it is empty, a scope.
func (s *Service) variables(home any, key, scope string) []*variable {
	var found []*variable
	for _, v := range state[variableState](s).of[home] {
		if v.key == key && (scope == "" || v.scope == scope) {
			found = append(found, v)
		}
	}
	return found
}

func (s *Service) removeVariables(home any, key, scope string) {
	all := state[variableState](s)
	if len(all.of[home]) == 0 {
		return
	}
	all.of[home] = slices.DeleteFunc(all.of[home], func(v *variable) bool { return v.key == key && v.scope == scope })
}

func (s *Service) variableValue(home any, key, scope string) (string, bool) {
	found := s.variables(home, key, scope)
	if len(found) == 0 {
		return "", false
	}
	return found[0].value, true
}

// variableJSON is the JSON of a variable.
type variableJSON struct {
	Key          string   `json:"key"`
	Value        *string  `json:"value"`
	VariableType string   `json:"variable_type"`
	Protected    bool     `json:"protected"`
	Masked       bool     `json:"masked"`
	Hidden       bool     `json:"hidden"`
	Raw          bool     `json:"raw"`
	Scope        string   `json:"environment_scope"`
	Description  jsonText `json:"description"`
}

func (v *variable) json() *variableJSON {
	form := &variableJSON{
		Key: v.key, VariableType: v.kind, Protected: v.protected, Masked: v.masked, Hidden: v.hidden, Raw: v.raw,
		Scope: v.scope, Description: jsonText(v.description),
	}
	if !v.hidden {
		form.Value = &v.value
	}
	return form
}
