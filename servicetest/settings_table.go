package servicetest

import (
	_ "embed"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A knownSetting is a setting of the instance: a row of settings.tsv, which explains the
// columns.
type knownSetting struct {
	name, kind   string
	allowed      []string // values of a choice, a number or the words of a list; none allows any
	least, most  *float64 // of a number
	same         string   // the setting that this is another name of
	wins         bool     // over that one in the same call
	initial      any
	nullable     bool
	taken, shown string
	needs        []string // by a switch that is turned on
	needsValues  bool     // which may also be set already
}

// mayBeEmpty follows what a switch needs in the same call, but without a value.
const mayBeEmpty = "?"

//go:embed settings.tsv
var settingsTable string

// knownSettings are the settings of the instance in order of their names.
var knownSettings = sync.OnceValue(func() []*knownSetting {
	var all []*knownSetting
	for line := range strings.Lines(settingsTable) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if strings.HasPrefix(line, "#") || len(c) != 8 {
			continue
		}
		k := &knownSetting{name: c[0], kind: c[1], nullable: c[4] == "null", taken: c[5], shown: c[6]}
		k.readValues(c[2])
		k.initial = k.readInitial(c[3])
		if k.needs = strings.Fields(c[7]); len(k.needs) > 0 && k.needs[0] == "value" {
			k.needs, k.needsValues = k.needs[1:], true
		}
		all = append(all, k)
	}
	return all
})

var settingsByName = sync.OnceValue(func() map[string]*knownSetting {
	byName := make(map[string]*knownSetting)
	for _, k := range knownSettings() {
		byName[k.name] = k
	}
	return byName
})

func (k *knownSetting) readValues(column string) {
	if other, isSame := strings.CutPrefix(column, "= "); isSame {
		k.same, k.wins = strings.TrimSuffix(other, " wins"), strings.HasSuffix(other, " wins")
		return
	}
	least, most, isRange := strings.Cut(column, "..")
	if !isRange {
		k.allowed = strings.Fields(column)
		return
	}
	for text, into := range map[string]**float64{least: &k.least, most: &k.most} {
		if limit, err := strconv.ParseFloat(text, 64); err == nil {
			*into = &limit
		}
	}
}

func (k *knownSetting) readInitial(column string) any {
	if column == "" || column == "null" {
		return nil
	}
	switch k.kind {
	case "number", "count", "group":
		return decoded[int64](column)
	case "fraction":
		return decoded[float64](column)
	case "quoted":
		return quoted(decoded[float64](column))
	case "words":
		return decoded[[]string](column)
	case "numbers":
		return decoded[[]int64](column)
	}
	return decoded[any](column)
}

// decoded returns a value of a table, which tests read whole.
func decoded[T any](text string) (value T) {
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		panic("servicetest: a table has " + text)
	}
	return value
}

// quoted is a number that responses have as a string.
type quoted float64

func (n quoted) MarshalText() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(n), 'f', max(1, decimals(float64(n))), 64), nil
}

// decimals returns the number of digits after the decimal point.
func decimals(n float64) int {
	_, fraction, _ := strings.Cut(strconv.FormatFloat(n, 'f', -1, 64), ".")
	return len(fraction)
}

// setting reads the value of a setting that is given, and notes one that is not of its kind.
func (c *call) setting(k *knownSetting) any {
	switch k.kind {
	case "flag":
		return c.Bool(k.name)
	case "number":
		if len(k.allowed) > 0 {
			return c.Int64In(k.name, k.allowed...)
		}
		return c.Int64(k.name)
	case "fraction":
		return c.Float64(k.name)
	case "quoted":
		return quoted(c.Float64(k.name))
	case "choice":
		return c.StringIn(k.name, k.allowed...)
	case "words":
		return c.words(k.name, k.allowed)
	case "lines":
		return c.lines(k.name)
	case "numbers":
		return append([]int64{}, c.Int64s(k.name)...)
	case "group":
		return c.groupID(c.String(k.name))
	}
	return c.settingObject(k)
}

// settingObject reads a setting that is an object, or a text.
func (c *call) settingObject(k *knownSetting) any {
	_, isObject := c.Values[k.name].(map[string]any)
	switch {
	case k.kind == "weights", k.kind == "count" && isObject:
		return c.weights(k.name)
	case k.kind == "count":
		return c.Int64(k.name)
	case k.kind == "flags":
		members, flags := c.Sub(k.name), make(map[string]bool)
		for name := range members.Values {
			flags[name] = members.Bool(name)
		}
		return flags
	case k.kind == "object":
		return c.Sub(k.name).Values
	case k.kind == "objects":
		return mapped(c.Subs(k.name), func(item fields) any { return item.Values })
	}
	return c.String(k.name)
}

// lines reads a list as one text.
func (c *call) lines(name string) []string {
	lines := []string{}
	for line := range strings.FieldsFuncSeq(c.String(name), func(r rune) bool { return r == '\n' || r == ',' }) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// words reads a list in either form.
func (c *call) words(name string, allowed []string) []string {
	words := append([]string{}, c.SplitStrings(name)...)
	for _, word := range words {
		if len(allowed) > 0 && !slices.Contains(allowed, word) {
			c.Problem(name + " does not have a valid value")
		}
	}
	return words
}

// weights reads an object with numbers.
func (c *call) weights(name string) map[string]int64 {
	members, weights := c.Sub(name), make(map[string]int64)
	for key := range members.Values {
		weights[key] = members.Int64(key)
	}
	return weights
}

// groupID returns the ID of a group by its path, or nil if there is none.
func (c *call) groupID(path string) any {
	if g := c.svc.findGroup(path); g != nil {
		return g.id
	}
	return nil
}

// problem says why a setting cannot have a value, or returns "".
func (k *knownSetting) problem(value any) string {
	n := 0.0
	switch value := value.(type) {
	case nil:
		if !k.nullable {
			return "can't be blank"
		}
		return ""
	case int64:
		n = float64(value)
	case float64:
		n = value
	case quoted:
		n = float64(value)
	default:
		return ""
	}
	switch {
	case k.least != nil && n < *k.least:
		return "must be greater than or equal to " + strconv.FormatFloat(*k.least, 'f', -1, 64)
	case k.most != nil && n > *k.most:
		return "must be less than or equal to " + strconv.FormatFloat(*k.most, 'f', -1, 64)
	}
	return ""
}
