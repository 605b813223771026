package servicetest

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"example.com/serviceapi/servicetest/internal/frame"
)

// An instanceFeature is a switch in the service's own code that the API has set.
type instanceFeature struct {
	on             bool
	actors, groups []string
	key            string // of percent
	percent        float64
}

type instanceFeatures struct{ byName map[string]*instanceFeature }

// featureDefinition says what the code has of a feature, or nil.
func featureDefinition(name string) any {
	on, known := defaultFeatures()[name]
	if !known {
		return nil
	}
	return object{"name": name, "introduced_by_url": nil, "rollout_issue_url": nil, "feature_issue_url": nil,
		"milestone": "15.2", "log_state_changes": nil, "type": "development", "group": nil, "default_enabled": on,
		"intended_to_rollout_by": nil}
}

func listFeatureDefinitions(c *call) *reply {
	return c.OK(mapped(slices.Sorted(maps.Keys(defaultFeatures())), featureDefinition))
}

func (f *instanceFeature) form(name string) object {
	gates := []object{{"key": "boolean", "value": f.on}}
	if len(f.actors) > 0 {
		gates = append(gates, object{"key": "actors", "value": f.actors})
	}
	if len(f.groups) > 0 {
		gates = append(gates, object{"key": "groups", "value": f.groups})
	}
	if f.percent > 0 {
		gates = append(gates, object{"key": f.key, "value": f.percent})
	}
	state := "off"
	switch {
	case f.on:
		state = "on"
	case len(gates) > 1:
		state = "conditional"
	}
	return object{"name": name, "state": state, "gates": gates, "definition": featureDefinition(name)}
}

func listFeatures(c *call) *reply {
	all := state[instanceFeatures](c.svc).byName
	return c.OK(mapped(slices.Sorted(maps.Keys(all)), func(name string) object { return all[name].form(name) }))
}

func setFeature(c *call) *reply {
	name, value := c.PathString("name"), c.RequiredString("value")
	key := either(c.StringIn("key", "percentage_of_time", "percentage_of_actors"), "percentage_of_time")
	frame.Accept(c.Bool, "force")
	refs, problem := c.featureActors()
	groups := c.SplitStrings("feature_group")
	for _, other := range strings.Fields("feature_group group namespace project repository runner user") {
		if c.String("key") != "" && c.String(other) != "" { // some clients send what they do not set
			c.Exclusive("key", other)
		}
	}
	all := state[instanceFeatures](c.svc)
	draft := *cmp.Or(all.byName[name], new(instanceFeature))
	if problem == "" {
		problem = draft.set(name, value, key, refs, groups)
	}
	switch {
	case c.Refusal() != nil:
		return c.Refusal()
	case problem != "":
		return frame.BadRequest(problem)
	}
	put(&all.byName, name, &draft)
	c.svc.features[name] = draft.on
	return c.Created(draft.form(name))
}

// set changes the feature, and says why it cannot.
func (f *instanceFeature) set(name, value, key string, refs, groups []string) string {
	percent, err := strconv.ParseFloat(value, 64)
	isSwitch, optsOut := value == "true" || value == "false", strings.HasSuffix(value, "opt_out")
	switch forAll := len(refs)+len(groups) == 0; {
	case forAll && (isSwitch || err == nil && (percent == 0 || percent == 100)):
		*f = instanceFeature{on: value == "true" || percent == 100}
	case forAll && err == nil && percent > 0 && percent < 100:
		f.key, f.percent = key, percent
	case forAll, !isSwitch && !optsOut:
		return fmt.Sprintf("Cannot set '%s' to %q", name, value)
	}
	for _, ref := range refs {
		if value == "true" && slices.Contains(f.actors, ref+":opt_out") {
			return "Opt-out exists for " + ref + " - remove opt-out before enabling"
		}
		if optsOut {
			ref += ":opt_out"
		}
		f.actors = toggled(f.actors, ref, value == "true" || value == "opt_out")
	}
	for _, group := range groups {
		f.groups = toggled(f.groups, group, value == "true")
	}
	return ""
}

// toggled returns a list with an item, or without it.
func toggled(list []string, item string, has bool) []string {
	if list = without(list, item); has {
		list = append(list, item)
	}
	return list
}

// actorKinds are the parameters that say whom a feature is set for. They find the ID, or nil.
var actorKinds = []struct {
	param, kind string
	find        func(s *Service, name string) any
}{
	{"group", "Group", func(s *Service, name string) any { return idOf(s.findGroup(name)) }},
	{"namespace", "Group", func(s *Service, name string) any { return idOf(s.findGroup(name)) }},
	{"project", "Project", func(s *Service, name string) any { return idOf(s.findProject(name)) }},
	{"repository", "Repository", func(s *Service, name string) any { return idOf(s.findProject(name)) }},
	{"runner", "Runner", func(s *Service, id string) any {
		number, _ := strconv.ParseInt(id, 10, 64)
		r, _ := state[runnerState](s).runners.get(number)
		return idOf(r)
	}},
	{"user", "User", func(s *Service, name string) any { return idOf(s.findUser(name)) }},
}

// featureActors returns whom a feature is set for, such as User:5, or which of them does not exist.
func (c *call) featureActors() (refs []string, problem string) {
	for _, k := range actorKinds {
		for _, name := range c.SplitStrings(k.param) {
			id := k.find(c.svc, name)
			if id == nil {
				problem = name + " is not found!"
			}
			refs = append(refs, fmt.Sprintf("%s:%d", k.kind, id))
		}
	}
	return refs, problem
}

// deleteFeature also accepts a feature that was never set.
func deleteFeature(c *call) *reply {
	name := c.PathString("name")
	delete(state[instanceFeatures](c.svc).byName, name)
	c.svc.features[name] = defaultFeatures()[name]
	return c.NoContent()
}
