package frame

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestNestedForms(t *testing.T) {
	tests := map[string]string{
		"a=1&b=x+y%26z":              `{"a":"1","b":"x y\u0026z"}`,
		"a=1&a=2":                    `{"a":"2"}`,
		"a[]=1&a[]=2":                `{"a":["1","2"]}`,
		"a%5B%5D=1&a%5B%5D=2":        `{"a":["1","2"]}`,
		"a[b]=1&a[c][d]=2":           `{"a":{"b":"1","c":{"d":"2"}}}`,
		"a[][x]=1&a[][y]=2":          `{"a":[{"x":"1","y":"2"}]}`,
		"a[][x]=1&a[][x]=2":          `{"a":[{"x":"1"},{"x":"2"}]}`,
		"a[][x][]=1&a[][x][]=2":      `{"a":[{"x":["1","2"]}]}`,
		"not[labels]=b&range[end]=9": `{"not":{"labels":"b"},"range":{"end":"9"}}`,
		"a":                          `{"a":""}`,
		"":                           `{}`,
		"[x]=1":                      `{"[x]":"1"}`,
		"a[x=1":                      `{"a":"1"}`,
	}
	for form, want := range tests {
		params := make(map[string]any)
		if err := nest(params, form); err != nil {
			t.Errorf("%s: %v", form, err)
		}
		if got, _ := json.Marshal(params); string(got) != want {
			t.Errorf("%s: %s, want %s", form, got, want)
		}
	}
	if err := nest(make(map[string]any), "a=%zz"); err == nil {
		t.Error("a broken escape was taken")
	}
}

func FuzzNestedForms(f *testing.F) {
	f.Add("a[][x]=1&a[][x]=2&a[b][]=3&a=4&[=5&a[[]]=6")
	f.Fuzz(func(_ *testing.T, form string) {
		nest(make(map[string]any), form)
	})
}

func TestParameterKinds(t *testing.T) {
	given := func(name string, value any) Fields {
		return Fields{Values: map[string]any{name: value}, Problems: new([]string)}
	}
	problem := func(f Fields) string {
		if len(*f.Problems) == 0 {
			return ""
		}
		return (*f.Problems)[0]
	}
	if f := given("n", json.Number("42")); f.Int64("n") != 42 || problem(f) != "" {
		t.Errorf("number: %d %s", f.Int64("n"), problem(f))
	}
	if f := given("n", "4.2"); f.Int64("n") != 0 || problem(f) != "n is invalid" {
		t.Errorf("no integer: %s", problem(f))
	}
	if f := given("b", "false"); f.BoolOr("b", true) || problem(f) != "" {
		t.Errorf("false: %s", problem(f))
	}
	if f := given("b", "perhaps"); !f.BoolOr("b", true) || problem(f) != "b is invalid" {
		t.Errorf("no boolean: %s", problem(f))
	}
	nine := time.Date(2026, time.January, 15, 9, 0, 0, 0, time.UTC)
	if f := given("t", "2026-01-15T10:00:00+01:00"); !f.Time("t").Equal(nine) || problem(f) != "" {
		t.Errorf("time: %v %s", f.Time("t"), problem(f))
	}
	if f := given("t", "soon"); !f.Time("t").IsZero() || problem(f) != "t is invalid" {
		t.Errorf("no time: %s", problem(f))
	}
	if f := given("s", map[string]any{}); f.String("s") != "" || problem(f) != "s is invalid" {
		t.Errorf("no text: %s", problem(f))
	}
	if f := given("l", []any{"a,b", json.Number("3")}); len(f.SplitStrings("l")) != 3 || problem(f) != "" {
		t.Errorf("list: %v %s", f.SplitStrings("l"), problem(f))
	}
	if f := given("x", nil); f.Given("x") || !f.Has("x") || f.RequiredString("x") != "" ||
		problem(f) != "x is missing" {
		t.Errorf("null: %s", problem(f))
	}
	if f := given("x", ""); f.RequiredString("x") != "" || problem(f) != "x is empty" {
		t.Errorf("empty: %s", problem(f))
	}
}

// TestGetters checks what each getter returns and notes for the values of a parameter
// p.
func TestGetters(t *testing.T) {
	object, in := map[string]any{"q": "1"}, []string{"1", "2"}
	tests := []struct {
		name    string
		get     func(f Fields) any
		given   any
		want    any
		problem string
	}{
		{"Int64", func(f Fields) any { return f.Int64("p") }, nil, int64(0), ""},
		{"Int64OrNil", func(f Fields) any { return f.Int64OrNil("p") }, "", (*int64)(nil), ""},
		{"Int64OrNil", func(f Fields) any { return f.Int64OrNil("p") }, "7", new(int64(7)), ""},
		{"Int64OrNil", func(f Fields) any { return f.Int64OrNil("p") }, "x", (*int64)(nil), "p is invalid"},
		{"Int64In", func(f Fields) any { return f.Int64In("p", in...) }, json.Number("2"), int64(2), ""},
		{"Int64In", func(f Fields) any { return f.Int64In("p", in...) }, "", int64(0), ""},
		{"Int64In", func(f Fields) any { return f.Int64In("p", in...) }, "3", int64(3),
			"p does not have a valid value"},
		{"Int64s", func(f Fields) any { return f.Int64s("p") }, []any{"1,2", "3"}, []int64{1, 2, 3}, ""},
		{"Int64s", func(f Fields) any { return f.Int64s("p") }, "1,x", []int64(nil), "p is invalid"},
		{"Float64", func(f Fields) any { return f.Float64("p") }, "1.5", 1.5, ""},
		{"Float64OrNil", func(f Fields) any { return f.Float64OrNil("p") }, nil, (*float64)(nil), ""},
		{"Float64OrNil", func(f Fields) any { return f.Float64OrNil("p") }, "1.5", new(1.5), ""},
		{"Bool", func(f Fields) any { return f.Bool("p") }, "on", true, ""},
		{"BoolOr", func(f Fields) any { return f.BoolOr("p", true) }, "", true, ""},
		{"BoolOr", func(f Fields) any { return f.BoolOr("p", true) }, "no", false, ""},
		{"Strings", func(f Fields) any { return f.Strings("p") }, []any{"a,b", "c"}, []string{"a,b", "c"}, ""},
		{"SplitStrings", func(f Fields) any { return f.SplitStrings("p") }, "a, b,", []string{"a", "b"}, ""},
		{"StringIn", func(f Fields) any { return f.StringIn("p", in...) }, "", "", ""},
		{"StringIn", func(f Fields) any { return f.StringIn("p", in...) }, "3", "3", "p does not have a valid value"},
		{"StringsIn", func(f Fields) any { return f.StringsIn("p", in...) }, []any{"1", "2"}, in, ""},
		{"RequiredString", func(f Fields) any { return f.RequiredString("p") }, "", "", "p is empty"},
		{"Sub", func(f Fields) any { return f.Sub("p").Int64("q") }, object, int64(1), ""},
		{"Sub", func(f Fields) any { return f.Sub("p").RequiredString("r") }, object, "", "p[r] is missing"},
		{"Subs", func(f Fields) any { return len(f.Subs("p")) }, []any{object, object}, 2, ""},
		{"Subs", func(f Fields) any { return len(f.Subs("p")) }, object, 0, "p is invalid"},
		{"WantedString", func(f Fields) any { return f.WantedString("p") }, "", []string(nil), ""},
		{"WantedFold", func(f Fields) any { return f.WantedFold("p") }, "Ada", []string{"ada"}, ""},
		{"WantedID", func(f Fields) any { return f.WantedID("p") }, "Any", []string{"Any"}, "p is invalid"},
		{"WantedIDOrWord", func(f Fields) any { return f.WantedIDOrWord("p") }, "Any", []string{"Any"}, ""},
		{"WantedIDsOrWord", func(f Fields) any { return f.WantedIDsOrWord("p") }, "1,2", in, ""},
		{"WantedIDsOrWord", func(f Fields) any { return f.WantedIDsOrWord("p") }, "1,any", []string{"1", "any"},
			"p is invalid"},
		{"Accept", func(f Fields) any { Accept(f.Bool, "other", "p"); return nil }, "x", nil, "p is invalid"},
		{"AcceptIn", func(f Fields) any { AcceptIn(f.StringIn, "p", in...); return nil }, "2", nil, ""},
		{"AcceptIn", func(f Fields) any { AcceptIn(f.StringIn, "p", in...); return nil }, "3", nil,
			"p does not have a valid value"},
	}
	for _, test := range tests {
		f := Fields{Values: map[string]any{"p": test.given}, Problems: new([]string)}
		if got := test.get(f); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s of %v: %v, want %v", test.name, test.given, got, test.want)
		}
		if problem := strings.Join(*f.Problems, ", "); problem != test.problem {
			t.Errorf("%s of %v notes %q, want %q", test.name, test.given, problem, test.problem)
		}
	}
}
