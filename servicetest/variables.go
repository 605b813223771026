package servicetest

import (
	"regexp"

	"example.com/serviceapi/servicetest/internal/frame"
)

func listVariables(c *call) *reply {
	home, refusal := c.tokenHome()
	if refusal != nil {
		return refusal
	}
	return frame.ListOf(c, state[variableState](c.svc).of[home], (*variable).json)
}

// variable returns the variable of the path, with the scope that the call
// names. If there are several, the call gets a 409.
func (c *call) variable() (any, *variable, *reply) {
	home, refusal := c.tokenHome()
	if refusal != nil {
		return nil, nil, refusal
	}
	scope := c.Sub("filter").Str("environment_scope")
	if refusal := c.Refusal(); refusal != nil {
		return nil, nil, refusal
	}
	if _, isGroup := home.(*Group); isGroup && !c.hasTier(Premium) {
		scope = ""
	}
	switch found := c.svc.variables(home, c.PathText("key"), scope); len(found) {
	case 0:
		return nil, nil, frame.NotFound("Variable")
	case 1:
		return home, found[0], nil
	}
	return nil, nil, frame.Conflict("There are multiple variables with provided parameters. Please use 'filter[environment_scope]'")
}

func getVariable(c *call) *reply {
	_, v, refusal := c.variable()
	if refusal != nil {
		return refusal
	}
	return c.OK(v.json())
}

var (
	variableKey   = regexp.MustCompile(`^[A-Za-z0-9_]{1,255}$`)
	maskableValue = regexp.MustCompile(`^[A-Za-z0-9_+=/@:.~-]{8,}$`)
)

func createVariable(c *call) *reply {
	home, refusal := c.tokenHome()
	if refusal != nil {
		return refusal
	}
	key := c.Required("key")
	if !c.Has("value") {
		c.Problem("value is missing")
	}
	v := &variable{key: key, kind: "env_var", scope: "*"}
	hidden := c.Bool("masked_and_hidden", false)
	c.readVariable(home, v)
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if hidden {
		v.masked, v.hidden = true, true
	}
	if refusal := c.checkVariable(home, v, nil); refusal != nil {
		return refusal
	}
	c.svc.addVariable(home, v)
	return c.Created(v.json())
}

// readVariable reads the parameters that creating and changing a variable have
// in common.
func (c *call) readVariable(home any, v *variable) {
	if c.Has("value") {
		v.value = c.Str("value")
	}
	if c.Has("description") {
		v.description = c.Str("description")
	}
	v.kind = either(c.OneOf("variable_type", "env_var", "file"), v.kind)
	v.protected, v.masked, v.raw = c.Bool("protected", v.protected), c.Bool("masked", v.masked), c.Bool("raw", v.raw)
	if _, isGroup := home.(*Group); !isGroup || c.hasTier(Premium) {
		v.scope = either(c.Str("environment_scope"), v.scope)
	}
}

// checkVariable refuses a variable that is not valid, or whose key and scope
// another one already has.
func (c *call) checkVariable(home any, v, before *variable) *reply {
	switch same := c.svc.variables(home, v.key, v.scope); {
	case !variableKey.MatchString(v.key):
		return frame.FieldErrors("key", "can contain only letters, digits and '_'.")
	case v.masked && !maskableValue.MatchString(v.value):
		return frame.FieldErrors("value", "is invalid")
	case len(v.description) > 255:
		return frame.FieldErrors("description", "is too long (maximum is 255 characters)")
	case len(same) > 0 && same[0] != before:
		return frame.FieldErrors("key", "("+v.key+") has already been taken")
	}
	return nil
}

func updateVariable(c *call) *reply {
	home, before, refusal := c.variable()
	if refusal != nil {
		return refusal
	}
	changed := *before
	c.readVariable(home, &changed)
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if refusal := c.checkVariable(home, &changed, before); refusal != nil {
		return refusal
	}
	*before = changed
	return c.OK(before.json())
}

func deleteVariable(c *call) *reply {
	home, v, refusal := c.variable()
	if refusal != nil {
		return refusal
	}
	c.svc.removeVariables(home, v.key, v.scope)
	return c.NoContent()
}
