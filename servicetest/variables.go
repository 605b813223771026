package servicetest

import (
	"cmp"
	"regexp"
	"slices"
	"unicode/utf8"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// A variable is a CI/CD variable of a project, a group or the instance. Variables of
// the instance have no scope.
type variable struct {
	key, value, kind, scope        string
	description                    string
	protected, masked, hidden, raw bool
}

// variableState keeps the variables by their owner: a *Project, a *Group or the
// *Service.
type variableState struct{ of map[any][]*variable }

var (
	variableKey   = regexp.MustCompile(`^[A-Za-z0-9_]{1,255}$`)
	maskableValue = regexp.MustCompile(`^[A-Za-z0-9_+=/@:.~-]{8,}$`)
)

var variables = collection.Table[*call, any, variable]{
	Name: "Variable",
	Home: func(c *call) (any, *reply) {
		if c.route.admins {
			return c.svc, nil
		}
		return c.tokenHome()
	},
	Records: func(c *call, home any) []*variable { return state[variableState](c.svc).of[home] },
	Find:    (*call).variable,
	Fields: []collection.Field[variable]{
		collection.Text("key", func(v *variable) *string { return &v.key }).Required().Once().
			Match(variableKey, "can contain only letters, digits and '_'."),
		collection.Text("value", func(v *variable) *string { return &v.value }).Present(),
		collection.Choice("variable_type", func(v *variable) *string { return &v.kind }, "env_var", "file"),
		collection.Flag("protected", func(v *variable) *bool { return &v.protected }),
		collection.Flag("masked", func(v *variable) *bool { return &v.masked }),
		collection.Shown("hidden", func(v *variable) bool { return v.hidden }),
		collection.Flag("raw", func(v *variable) *bool { return &v.raw }),
		collection.Shown("environment_scope", func(v *variable) any {
			if v.scope == "" {
				return nil
			}
			return v.scope
		}).Omitted(),
		collection.Note("description", func(v *variable) *string { return &v.description }).Max(255),
	},
	New:    func(_ *call, home any) *variable { return &variable{kind: "env_var", scope: scopeIn(home)} },
	Read:   (*call).readVariable,
	Check:  (*call).checkVariable,
	Add:    func(c *call, home any, v *variable) { c.svc.addVariable(home, v) },
	Remove: func(c *call, home any, v *variable) { c.svc.removeVariables(home, v.key, v.scope) },
	Extra: func(_ *call, _ any, v *variable, form *collection.Form) {
		if v.hidden {
			form.Add("value", nil)
		}
	},
}

// scopeIn returns the default scope of a variable.
func scopeIn(home any) string {
	if _, ofInstance := home.(*Service); ofInstance {
		return ""
	}
	return "*"
}

// variable returns the variable of the path, with the scope that the call names. If
// several match, the call gets a 409.
func (c *call) variable(home any) (*variable, *reply) {
	scope := c.Sub("filter").String("environment_scope")
	if refusal := c.Refusal(); refusal != nil {
		return nil, refusal
	}
	if !c.hasScopes(home) {
		scope = ""
	}
	switch found := c.svc.variables(home, c.PathString("key"), scope); len(found) {
	case 0:
		if home == c.svc {
			return nil, frame.NotFound("InstanceVariable")
		}
		return nil, frame.NotFound("Variable")
	case 1:
		return found[0], nil
	}
	return nil, frame.Conflict("There are multiple variables with provided parameters. " +
		"Please use 'filter[environment_scope]'")
}

// hasScopes reports whether the variables of an owner have scopes.
func (c *call) hasScopes(home any) bool {
	_, isGroup := home.(*Group)
	return home != c.svc && (!isGroup || c.hasTier(Premium))
}

func (c *call) readVariable(home any, v *variable, making bool) {
	if scope := c.String("environment_scope"); c.hasScopes(home) {
		v.scope = either(scope, v.scope)
	}
	if hidden := c.Bool("masked_and_hidden"); hidden && making && home != c.svc {
		v.masked, v.hidden = true, true
	}
}

func (c *call) checkVariable(home any, v, before *variable) *reply {
	switch same := c.svc.variables(home, v.key, v.scope); {
	case home == c.svc && utf8.RuneCountInString(v.value) > 10_000:
		return frame.FieldErrors("value", "is too long (maximum is 10000 characters)")
	case v.masked && !maskableValue.MatchString(v.value):
		return frame.FieldErrors("value", "is invalid")
	case len(same) > 0 && same[0] != before:
		return frame.FieldErrors("key", "("+v.key+") has already been taken")
	}
	return nil
}

// A VariableOption sets a property of a variable.
type VariableOption func(*variable)

// VariableScope sets the environments whose jobs get a variable. The default, "*",
// means all of them.
func VariableScope(scope string) VariableOption { return func(v *variable) { v.scope = scope } }

// MaskedVariable makes a variable with a value that job logs hide.
func MaskedVariable() VariableOption { return func(v *variable) { v.masked = true } }

// ProtectedVariable makes a variable that only jobs for protected branches get.
func ProtectedVariable() VariableOption { return func(v *variable) { v.protected = true } }

// HiddenVariable makes a variable with a value that the API does not return.
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

// Variable gives the instance a CI/CD variable.
func (s *Service) Variable(key, value string, opts ...VariableOption) {
	defer s.lock()()
	s.setVariable(s, key, value, opts)
}

// VariableValue returns the value of the instance's variable with a key, and whether
// there is one. It also returns hidden ones.
func (s *Service) VariableValue(key string) (string, bool) {
	defer s.lock()()
	return s.variableValue(s, key, "")
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
	v := &variable{key: key, value: value, kind: "env_var", scope: scopeIn(home)}
	for _, opt := range opts {
		opt(v)
	}
	s.removeVariables(home, key, v.scope)
	s.addVariable(home, v)
}

// addVariable inserts a variable in the alphabetical order of keys.
func (s *Service) addVariable(home any, v *variable) {
	all := state[variableState](s)
	put(&all.of, home, append(all.of[home], v))
	slices.SortStableFunc(all.of[home], func(a, b *variable) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.scope, b.scope))
	})
}

// variables returns the variables with a key and, unless it is empty, a scope.
func (s *Service) variables(home any, key, scope string) []*variable {
	return only(state[variableState](s).of[home], func(v *variable) bool {
		return v.key == key && (scope == "" || v.scope == scope)
	})
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
