package servicetest

import "regexp"

func listVariables(c *call) *reply {
	home, refusal := c.tokenHome()
	if refusal != nil {
		return refusal
	}
	return listOf(c, state[variableState](c.svc).of[home], (*variable).json)
}

// variable returns the variable of the path, with the scope that the call
// names. If there are several, the call gets a 409.
func (c *call) variable() (any, *variable, *reply) {
	home, refusal := c.tokenHome()
	if refusal != nil {
		return nil, nil, refusal
	}
	scope := c.sub("filter").str("environment_scope")
	if refusal := c.refusal(); refusal != nil {
		return nil, nil, refusal
	}
	if _, isGroup := home.(*Group); isGroup && !c.hasTier(Premium) {
		scope = ""
	}
	switch found := c.svc.variables(home, c.pathText("key"), scope); len(found) {
	case 0:
		return nil, nil, notFound("Variable")
	case 1:
		return home, found[0], nil
	}
	return nil, nil, conflict("There are multiple variables with provided parameters. Please use 'filter[environment_scope]'")
}

func getVariable(c *call) *reply {
	_, v, refusal := c.variable()
	if refusal != nil {
		return refusal
	}
	return c.ok(v.json())
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
	key := c.required("key")
	if !c.has("value") {
		c.problem("value is missing")
	}
	v := &variable{key: key, kind: "env_var", scope: "*"}
	hidden := c.bool("masked_and_hidden", false)
	c.readVariable(home, v)
	if refusal := c.refusal(); refusal != nil {
		return refusal
	}
	if hidden {
		v.masked, v.hidden = true, true
	}
	if refusal := c.checkVariable(home, v, nil); refusal != nil {
		return refusal
	}
	c.svc.addVariable(home, v)
	return c.created(v.json())
}

// readVariable reads the parameters that creating and changing a variable have
// in common.
func (c *call) readVariable(home any, v *variable) {
	if c.has("value") {
		v.value = c.str("value")
	}
	if c.has("description") {
		v.description = c.str("description")
	}
	v.kind = either(c.oneOf("variable_type", "env_var", "file"), v.kind)
	v.protected, v.masked, v.raw = c.bool("protected", v.protected), c.bool("masked", v.masked), c.bool("raw", v.raw)
	if _, isGroup := home.(*Group); !isGroup || c.hasTier(Premium) {
		v.scope = either(c.str("environment_scope"), v.scope)
	}
}

// checkVariable refuses a variable that is not valid, or whose key and scope
// another one already has.
func (c *call) checkVariable(home any, v, before *variable) *reply {
	switch same := c.svc.variables(home, v.key, v.scope); {
	case !variableKey.MatchString(v.key):
		return fieldErrors("key", "can contain only letters, digits and '_'.")
	case v.masked && !maskableValue.MatchString(v.value):
		return fieldErrors("value", "is invalid")
	case len(v.description) > 255:
		return fieldErrors("description", "is too long (maximum is 255 characters)")
	case len(same) > 0 && same[0] != before:
		return fieldErrors("key", "("+v.key+") has already been taken")
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
	if refusal := c.refusal(); refusal != nil {
		return refusal
	}
	if refusal := c.checkVariable(home, &changed, before); refusal != nil {
		return refusal
	}
	*before = changed
	return c.ok(before.json())
}

func deleteVariable(c *call) *reply {
	home, v, refusal := c.variable()
	if refusal != nil {
		return refusal
	}
	c.svc.removeVariables(home, v.key, v.scope)
	return c.noContent()
}
