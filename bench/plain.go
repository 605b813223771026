package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"
)

// plainType returns the type that a program without a library declares for a response: a
// struct with a field for each member of a sample, of which none has methods but those of
// time.Time. Nothing of this library is in it. A member that is null in the sample is text.
func plainType(sample string) reflect.Type {
	decoder := json.NewDecoder(strings.NewReader(sample))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		panic(err)
	}
	return typeOf(value)
}

func typeOf(value any) reflect.Type {
	switch value := value.(type) {
	case bool:
		return reflect.TypeFor[bool]()
	case json.Number:
		if strings.ContainsAny(string(value), ".eE") {
			return reflect.TypeFor[float64]()
		}
		return reflect.TypeFor[int64]()
	case []any:
		if len(value) == 0 {
			return reflect.TypeFor[[]string]()
		}
		var all any
		for _, item := range value {
			all = joined(all, item)
		}
		return reflect.SliceOf(typeOf(all))
	case map[string]any:
		return structOf(value)
	case string:
		if _, err := time.Parse(time.RFC3339, value); err == nil {
			return reflect.TypeFor[time.Time]()
		}
	}
	return reflect.TypeFor[string]()
}

// joined returns a sample with the members of two. What is not null decides.
func joined(a, b any) any {
	first, ok := a.(map[string]any)
	second, same := b.(map[string]any)
	switch {
	case a == nil:
		return b
	case !ok || !same:
		return a
	}
	all := maps.Clone(second)
	for name, value := range first {
		all[name] = joined(value, all[name])
	}
	return all
}

func structOf(members map[string]any) reflect.Type {
	var fields []reflect.StructField
	for _, name := range slices.Sorted(maps.Keys(members)) {
		fields = append(fields, reflect.StructField{
			Name: fmt.Sprintf("F%d", len(fields)), Type: typeOf(members[name]),
			Tag: reflect.StructTag(fmt.Sprintf("json:%q", name)),
		})
	}
	return reflect.StructOf(fields)
}

// plain returns a function that makes a value to decode a response into, of the type that
// is declared for the sample.
func plain(sample string) func() any { return freshOf(plainType(sample)) }

// plainList is plain for a list of such objects.
func plainList(sample string) func() any { return freshOf(reflect.SliceOf(plainType(sample))) }

func freshOf(t reflect.Type) func() any { return func() any { return reflect.New(t).Interface() } }

var (
	plainJob           = sync.OnceValue(func() func() any { return plain(JobJSON()) })
	plainJobs          = sync.OnceValue(func() func() any { return plainList(JobJSON()) })
	plainMergeRequests = sync.OnceValue(func() func() any { return plainList(MergeRequestJSON()) })
)

// PlainJob returns what a program without a library decodes a job into.
func PlainJob() any { return plainJob()() }

// PlainJobs returns what a program without a library decodes jobs into.
func PlainJobs() any { return plainJobs()() }

// PlainMergeRequests returns what a program without a library decodes merge requests into.
func PlainMergeRequests() any { return plainMergeRequests()() }

// What programs without a library declare for requests.
type (
	plainCreateUser struct {
		Email               string `json:"email"`
		Name                string `json:"name"`
		Username            string `json:"username"`
		ForceRandomPassword bool   `json:"force_random_password"`
		SkipConfirmation    bool   `json:"skip_confirmation"`
	}
	plainCreateCommit struct {
		Branch        string              `json:"branch"`
		CommitMessage string              `json:"commit_message"`
		Actions       []plainCommitAction `json:"actions"`
	}
	plainCommitAction struct {
		Action   string `json:"action"`
		FilePath string `json:"file_path"`
		Content  string `json:"content"`
	}
	plainCreateDeployKey struct {
		Title   string `json:"title"`
		Key     string `json:"key"`
		CanPush bool   `json:"can_push"`
	}
	plainGraphQL struct {
		Query     string         `json:"query"`
		Variables map[string]any `json:"variables"`
	}
	plainError struct {
		Message string `json:"message"`
	}
)

// sameJSON reports whether two bodies are the same apart from the order of members.
func sameJSON(a, b []byte) bool {
	var values [2]any
	for i, data := range [][]byte{a, b} {
		if len(bytes.TrimSpace(data)) > 0 && json.Unmarshal(data, &values[i]) != nil {
			return false
		}
	}
	return reflect.DeepEqual(values[0], values[1])
}
