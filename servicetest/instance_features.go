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
	state, gates := "off", []object{{"key": "boolean", "value": f.on}}
	for key, list := range map[string][]string{"actors": f.actors, "groups": f.groups} {
		if len(list) > 0 {
			state, gates = "conditional", append(gates, object{"key": key, "value": list})
		}
	}
	if f.percent > 0 {
		state, gates = "conditional", append(gates, object{"key": f.key, "value": f.percent})
	}
	if f.on {
		state = "on"
	}
	slices.SortFunc(gates[1:], func(a, b object) int { return cmp.Compare(a["key"].(string), b["key"].(string)) })
	return object{"name": name, "state": state, "gates": gates, "definition": featureDefinition(name)}
}

func listFeatures(c *call) *reply {
	all := state[instanceFeatures](c.svc).byName
	return c.OK(mapped(slices.Sorted(maps.Keys(all)), func(name string) object { return all[name].form(name) }))
}

func setFeature(c *call) *reply {
	name, value := c.PathString("name"), c.RequiredString("value")
	key := c.StringIn("key", "percentage_of_time", "percentage_of_actors")
	frame.Accept(c.Bool, "force")
	refs, problem := c.featureActors()
	groups := c.SplitStrings("feature_group")
	for _, other := range strings.Fields("feature_group group namespace project repository runner user") {
		if key != "" && c.String(other) != "" {
			c.Exclusive("key", other)
		}
	}
	all, draft := state[instanceFeatures](c.svc), instanceFeature{key: "percentage_of_time"}
	if before := all.byName[name]; before != nil {
		draft = *before
	}
	draft.key = either(key, draft.key)
	if problem == "" {
		problem = draft.set(name, value, refs, groups)
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
func (f *instanceFeature) set(name, value string, refs, groups []string) string {
	percent, err := strconv.ParseFloat(value, 64)
	isSwitch := value == "true" || value == "false"
	switch forAll := len(refs)+len(groups) == 0; {
	case forAll && (isSwitch || err == nil && (percent == 0 || percent == 100)):
		*f = instanceFeature{on: value == "true" || percent == 100, key: f.key}
	case forAll && err == nil && percent > 0 && percent < 100:
		f.percent = percent
	case forAll, !isSwitch && !strings.HasSuffix(value, "opt_out"):
		return fmt.Sprintf("Cannot set '%s' to %q", name, value)
	}
	for _, ref := range refs {
		if value == "true" && slices.Contains(f.actors, ref+":opt_out") {
			return "Opt-out exists for " + ref + " - remove opt-out before enabling"
		}
		if strings.HasSuffix(value, "opt_out") {
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

// featureActors returns whom a feature is set for, such as User:5, or which of them does not exist.
func (c *call) featureActors() (refs []string, problem string) {
	find := map[string]func(name string) string{
		"user":       func(name string) string { return refOf("User", c.svc.findUser(name), (*User).ID) },
		"group":      func(name string) string { return refOf("Group", c.svc.findGroup(name), (*Group).ID) },
		"namespace":  func(name string) string { return refOf("Group", c.svc.findGroup(name), (*Group).ID) },
		"project":    func(name string) string { return refOf("Project", c.svc.findProject(name), (*Project).ID) },
		"repository": func(name string) string { return refOf("Repository", c.svc.findProject(name), (*Project).ID) },
		"runner": func(id string) string {
			number, _ := strconv.ParseInt(id, 10, 64)
			r, _ := state[runnerState](c.svc).runners.get(number)
			return refOf("Runner", r, func(r *Runner) int64 { return r.id })
		},
	}
	for _, kind := range slices.Sorted(maps.Keys(find)) {
		for _, name := range c.SplitStrings(kind) {
			ref := find[kind](name)
			if ref == "" {
				problem = name + " is not found!"
			}
			refs = append(refs, ref)
		}
	}
	return refs, problem
}

// refOf names an actor by its ID, or returns "".
func refOf[T any](kind string, record *T, id func(*T) int64) string {
	if record == nil {
		return ""
	}
	return fmt.Sprintf("%s:%d", kind, id(record))
}

// deleteFeature also accepts a feature that was never set.
func deleteFeature(c *call) *reply {
	name := c.PathString("name")
	delete(state[instanceFeatures](c.svc).byName, name)
	delete(c.svc.features, name)
	if on, known := defaultFeatures()[name]; known {
		c.svc.features[name] = on
	}
	return c.NoContent()
}
