package servicetest

import (
	"bytes"
	"slices"

	"example.com/serviceapi/servicetest/internal/frame"
)

// A preference is a setting of projects or groups that the service stores and
// returns, but otherwise ignores.
type preference struct {
	name    string
	kind    preferenceKind
	initial any
	allowed []string // the values of a choice

	updateOnly bool        // cannot be set when the object is created
	premium    bool        // does not exist below the Premium tier
	sees       AccessLevel // the lowest role that sees it
	shownAs    string      // name in responses; "" for the same
}

type preferenceKind int

const (
	textPreference preferenceKind = iota
	flagPreference
	numberPreference
	choicePreference
)

// takes reports whether a preference can have a value.
func (p preference) takes(value any) bool {
	switch value := value.(type) {
	case bool:
		return p.kind == flagPreference
	case int64:
		return p.kind == numberPreference
	case string:
		return p.kind == textPreference || p.kind == choicePreference && slices.Contains(p.allowed, value)
	}
	return false
}

// preferences are the values of an object's preferences by name. Preferences
// that were not set have their initial value.
type preferences map[string]any

func text(name string, opts ...func(*preference)) preference {
	return newPreference(preference{name: name}, opts)
}

func flag(name string, initial any, opts ...func(*preference)) preference {
	return newPreference(preference{name: name, kind: flagPreference, initial: initial}, opts)
}

func number(name string, initial any, opts ...func(*preference)) preference {
	return newPreference(preference{name: name, kind: numberPreference, initial: initial}, opts)
}

// choice is a preference with these values. The first one is the initial value.
func choice(name string, allowed []string, opts ...func(*preference)) preference {
	return newPreference(preference{name: name, kind: choicePreference, initial: allowed[0], allowed: allowed}, opts)
}

func newPreference(p preference, opts []func(*preference)) preference {
	for _, opt := range opts {
		opt(&p)
	}
	return p
}

func onUpdate(p *preference)    { p.updateOnly = true }
func withPremium(p *preference) { p.premium = true }

func shownTo(level AccessLevel) func(*preference) { return func(p *preference) { p.sees = level } }

func shownAs(name string) func(*preference) { return func(p *preference) { p.shownAs = name } }

// readPreferences reads the preferences that a call sets. Problems are noted
// for c.Refusal.
func (c *call) readPreferences(known []preference, making bool) preferences {
	set := make(preferences)
	for _, p := range known {
		if !c.Has(p.name) && p.shownAs != "" {
			if value, given := c.Values[p.shownAs]; given {
				c.Values[p.name] = value
			}
		}
		switch {
		case !c.Has(p.name) || p.updateOnly && making || p.premium && !c.hasTier(Premium):
		case c.Null(p.name), p.kind != textPreference && c.Values[p.name] == "": // null, in a form
			set[p.name] = nil
		default:
			set[p.name] = c.preference(p)
		}
	}
	return set
}

func (c *call) preference(p preference) any {
	switch p.kind {
	case flagPreference:
		return c.Bool(p.name, false)
	case numberPreference:
		return c.Int64(p.name)
	case choicePreference:
		return c.OneOf(p.name, p.allowed...)
	}
	return c.Str(p.name)
}

// of returns the value of a preference.
func (v preferences) of(p preference) any {
	if value, set := v[p.name]; set {
		return value
	}
	return p.initial
}

// flag returns the value of a preference that is a flag.
func (v preferences) flag(known []preference, name string) bool {
	on, _ := v.value(known, name).(bool)
	return on
}

// choice returns the value of a preference that is a choice or a string.
func (v preferences) choice(known []preference, name string) string {
	chosen, _ := v.value(known, name).(string)
	return chosen
}

func (v preferences) value(known []preference, name string) any {
	at := slices.IndexFunc(known, func(p preference) bool { return p.name == name })
	if at < 0 {
		panic("servicetest: no preference " + name)
	}
	return v.of(known[at])
}

// shown returns the preferences that a role sees.
func (v preferences) shown(known []preference, level AccessLevel, tier Tier) object {
	form := make(object, len(known))
	for _, p := range known {
		if level >= p.sees && (!p.premium || tier >= Premium) {
			form[either(p.shownAs, p.name)] = v.of(p)
		}
	}
	return form
}

// joined joins the members of several JSON objects in one.
func joined(parts ...any) []byte {
	var all [][]byte
	for _, part := range parts {
		data, made := part.([]byte)
		if !made {
			data = frame.Encode(part)
		}
		if inner := data[1 : len(data)-1]; len(inner) > 0 {
			all = append(all, inner)
		}
	}
	return append(append([]byte{'{'}, bytes.Join(all, []byte{','})...), '}')
}
