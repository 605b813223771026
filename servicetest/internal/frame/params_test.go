package frame

import (
	"encoding/json"
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
