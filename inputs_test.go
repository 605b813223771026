package serviceapi

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi/internal/inventory"
	"github.com/google/go-querystring/query"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// encoded returns the query and the body of a call with an input.
func encoded(t *testing.T, in input, opts ...RequestOption) (query, mediaType, body string, err error) {
	t.Helper()
	client, err := NewClient("https://service.test", Anonymous())
	require.NoError(t, err)
	cl, err := newCall(t.Context(), client, "POST", Route("/things"), in, opts)
	if err != nil {
		return "", "", "", err
	}
	data := cl.data
	if cl.files != nil {
		r, err := cl.files.open(t.Context())
		require.NoError(t, err)
		data, err = io.ReadAll(r)
		require.NoError(t, err)
	}
	assert.Equal(t, int64(len(data)), cl.bodyLength())
	return cl.query, cl.mediaType, string(data), nil
}

// TestHoldersOfValues checks that the options with a field for values of any type, and
// only these, say so.
func TestHoldersOfValues(t *testing.T) {
	isAny := func(t reflect.Type) bool { return t.Kind() == reflect.Interface && t.NumMethod() == 0 }
	checked := map[reflect.Type]bool{}
	for _, method := range inventory.Methods(reflect.TypeFor[Client]()) {
		for options := range method.Type.Ins() {
			isBody := options.Kind() == reflect.Struct && inventory.HasMembers(options)
			if !isBody || options.PkgPath() != reflect.TypeFor[Client]().PkgPath() {
				continue
			}
			checked[options] = true
			want := contains(options, isAny, map[reflect.Type]bool{})
			assert.Equal(t, want, options.Implements(reflect.TypeFor[valueHolder]()), "%v holds values: %v", options,
				want)
		}
	}
	assert.Greater(t, len(checked), 50)
	assert.True(t, checked[reflect.TypeFor[CreatePipelineOptions]()])
}

// TestValuesFollowTheRulesOfCallers checks that a nil list in a value of any type is null, at any depth.
func TestValuesFollowTheRulesOfCallers(t *testing.T) {
	none := map[string]any{"a": []string(nil)}
	for want, options := range map[string]any{
		`{"job_inputs":{"a":null}}`:                 PlayJobOptions{Inputs: none},
		`{"query":"q","variables":{"a":null}}`:      GraphQLRequest{Query: "q", Variables: none},
		`{"a":null,"use_inherited_settings":false}`: &OtherIntegration{Settings: none},
		`{"Operations":[{"op":"add","value":null}]}`: PatchSCIMUserOptions{
			Operations: []SCIMOperation{{Op: "add", Value: none["a"]}}},
	} {
		_, _, body, err := encoded(t, jsonOf(options))
		require.NoError(t, err)
		assert.Equal(t, want, body)
	}
}

// TestInputs checks the encoding of each kind of options.
func TestInputs(t *testing.T) {
	const js, form = "application/json", "application/x-www-form-urlencoded"
	type options struct {
		ListOptions
		Name string `url:"name,omitempty" json:"name,omitempty"`
	}
	extra := []RequestOption{WithBodyField("b", 2), WithBodyField("a", []string{"x", "y"})}
	for name, tc := range map[string]struct {
		in                     input
		opts                   []RequestOption
		query, mediaType, body string
	}{
		"no query":      {in: queryOf(nil)},
		"nil options":   {in: queryOf((*options)(nil))},
		"empty options": {in: queryOf(&options{})},
		"options": {in: queryOf(&options{ListOptions: ListOptions{Page: 2}, Name: "a b"}),
			query: "name=a+b&page=2"},
		"options by value": {in: queryOf(options{Name: "x"}), query: "name=x"},
		"values":           {in: queryOf(url.Values{"b": {"2"}, "a": {"1"}}), query: "a=1&b=2"},
		"no values":        {in: queryOf(url.Values(nil))},
		"JSON":             {in: jsonOf(map[string]int{"z": 1}), mediaType: js, body: `{"z":1}`},
		"JSON with fields": {in: jsonOf(map[string]int{"z": 1}), opts: extra, mediaType: js,
			body: `{"z":1,"b":2,"a":["x","y"]}`},
		"form": {in: formOf(map[string]string{"name": "x"}), mediaType: form, body: "name=x"},
		"form with fields": {in: formOf(map[string]string{"name": "x"}), opts: extra, mediaType: form,
			body: "a%5B%5D=x&a%5B%5D=y&b=2&name=x"},
		"nil form": {in: formOf(nil), opts: extra, mediaType: form, body: "a%5B%5D=x&a%5B%5D=y&b=2"},
		"nested JSON": {in: jsonOrMultipart(map[string]any{"a": map[string]int{"b": 1}}, "file", nil),
			mediaType: js, body: `{"a":{"b":1}}`},
		"query and options": {in: queryOf(&options{Name: "x"}), opts: []RequestOption{WithQuery("name", "y"),
			WithQuery("z", "1")}, query: "name=y&z=1"},
	} {
		query, mediaType, body, err := encoded(t, tc.in, tc.opts...)
		require.NoError(t, err, name)
		assert.Equal(t, []string{tc.query, tc.mediaType, tc.body}, []string{query, mediaType, body}, name)
	}
}

// TestInputsThatAreRefused checks that the error names the argument.
func TestInputsThatAreRefused(t *testing.T) {
	long := strings.Repeat("n", 61)
	cut := strings.Repeat("n", 60) + "…"
	for want, tc := range map[string]struct {
		in   input
		opts []RequestOption
	}{
		"PerPage must not be negative": {in: queryOf(&ListOptions{PerPage: -1})},
		"options cannot be sent as a query: query: Values() expects struct input. Got string": {in: queryOf("text")},
		"options cannot be sent as a form: not a JSON object":                                 {in: formOf(1.5)},
		"options cannot be sent as a form: json: ": {
			in: jsonOrMultipart(make(chan int), "file", new(Upload))},
		"options cannot be sent as a form: not a JSON": {
			in: jsonOrMultipart([]int{1}, "file", new(Upload))},
		"options cannot be sent as JSON: json: ": {
			in: jsonOf(make(chan int))},
		"body field " + cut + " cannot be added: the body is not an object": {in: jsonOf([]int{1}),
			opts: []RequestOption{WithBodyField(long, 1)}},
		"body field a cannot be added: the body is not an object": {in: jsonOf(nil),
			opts: []RequestOption{WithBodyField("a", 1)}},
		"body field " + cut + " cannot be added: the call has no body": {in: queryOf(nil),
			opts: []RequestOption{WithBodyField(long, 1)}},
		"body field " + cut + " is already set": {
			in: jsonOf(map[string]int{long: 1}), opts: []RequestOption{WithBodyField(long, 1)}},
		"body field " + cut + " cannot be sent as JSON: json: ": {
			in: jsonOf(map[string]int{}), opts: []RequestOption{WithBodyField(long, make(chan int))}},
		"body field b cannot be sent as JSON: json: ": {in: formOf(nil),
			opts: []RequestOption{WithBodyField("b", make(chan int))}},
		"body field c is already set": {
			in: formOf(map[string]int{"c": 1}), opts: []RequestOption{WithBodyField("c", 1)}},
		"body field d is already set": {
			in: formOf(map[string][]int{"d": {1}}), opts: []RequestOption{WithBodyField("d", 1)}},
		"body field e is already set": {in: formOf(nil),
			opts: []RequestOption{WithBodyField("e", 1), WithBodyField("e", 2)}},
	} {
		_, _, _, err := encoded(t, tc.in, tc.opts...)
		var argument *ArgumentError
		require.ErrorAs(t, err, &argument, want)
		assert.True(t, strings.HasPrefix(err.Error(), "serviceapi: POST /things: "+want), "%v is not %s", err, want)
	}
}

// TestSecretsOfEveryInputAreHidden checks that errors do not quote secrets of a
// body, in whatever form it was sent.
func TestSecretsOfEveryInputAreHidden(t *testing.T) {
	type fields struct {
		Token Secret `url:"-" json:"token"`
	}
	value := fields{NewSecret("a very secret text")}
	for name, in := range map[string]input{
		"JSON": jsonOf(value), "form": formOf(&value), "multipart": jsonOrMultipart(value, "file",
			&Upload{Filename: "a", Content: strings.NewReader("x")}),
	} {
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1},
			status(400, `{"message":"a very secret text is bad"}`))
		_, err := exec(t.Context(), client, "POST", Route("/x"), in, nil)
		var e *Error
		require.ErrorAs(t, err, &e, name)
		assert.Equal(t, "[redacted] is bad", e.Message, name)
	}
}

// TestBothInputsOfACallAreChecked: the query and the body.
func TestBothInputsOfACallAreChecked(t *testing.T) {
	client, _ := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("something was sent") })
	for _, in := range []queryAndBody{{queryOf("no struct"), jsonOf(1)}, {queryOf(nil), jsonOf(make(chan int))}} {
		_, err := exec(t.Context(), client, http.MethodPut, Route("/things"), in, nil)
		assertRefused(t, "options", err)
	}
}

// TestKeysetOfACustomList: the values are the caller's, and need no more.
func TestKeysetOfACustomList(t *testing.T) {
	var queries []string
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		queries = append(queries, r.URL.RawQuery)
		w.Write([]byte(`[]`))
	})
	_, _, err := List[*Job](t.Context(), client, Route("/things"), url.Values{"pagination": {"keyset"}})
	require.NoError(t, err)
	assert.Equal(t, []string{"pagination=keyset"}, queries)
	_, _, err = List[*Job](t.Context(), client, Route("/things"), &struct {
		Pagination Pagination `url:"pagination"`
		Sort       Sort       `url:"sort,omitempty" keyset:"desc,asc"`
	}{PaginationKeyset, "up"})
	assert.EqualError(t, err, "serviceapi: GET /things: Sort must be desc or asc with keyset pagination")
}

// TestChecks checks that options are checked before they are encoded, in every
// form, and nil for those of a query.
func TestChecks(t *testing.T) {
	two := UpdateDiscussionNoteOptions{Body: new("a"), Resolved: new(true)}
	for name, in := range map[string]input{
		"JSON":       jsonOf(two),
		"query":      queryOf(&CompareOptions{From: "a"}),
		"nil":        queryOf((*CompareOptions)(nil)),
		"form":       formOf(two),
		"file":       jsonOrMultipart(two, "file", &Upload{Filename: "a", Content: strings.NewReader("a")}),
		"files":      multipartOf(two, "file", Upload{Filename: "a", Content: strings.NewReader("a")}),
		"one owner":  queryFor(ProjectID(1), &ListRunnersOptions{TagList: []string{"a,b"}}),
		"other kind": jsonFor(ProjectID(1), two),
		"embedded":   jsonOf(forkBody{ForkProjectOptions: ForkProjectOptions{Branches: []string{"a,b"}}}),
	} {
		var argument *ArgumentError
		assert.ErrorAs(t, in.encode(&payload{types: new(typeFacts)}), &argument, name)
	}
	for _, good := range []input{queryOf((*ListRunnersOptions)(nil)), queryOf((*DeleteGroupOptions)(nil)),
		jsonOf(ForkProjectOptions{})} {
		assert.NoError(t, good.encode(&payload{types: new(typeFacts)}))
	}
	// A caller's struct has the method of the options that it embeds, here of nil.
	callers := jsonOf(struct{ *UpdateDiscussionNoteOptions }{})
	assert.NoError(t, callers.encode(&payload{types: new(typeFacts)}))
}

// TestQueryOfFieldsThatAreSet checks for each type of options that encoding only what is
// set gives the same query as encoding everything: for each field alone, and for all of
// them together.
func TestQueryOfFieldsThatAreSet(t *testing.T) {
	types, seen, sent := new(typeFacts), map[reflect.Type]bool{}, 0
	compare := func(options reflect.Value) {
		want, wantErr := query.Values(options.Interface())
		got, err := types.queryValues(options.Interface())
		assert.Equal(t, wantErr == nil, err == nil, "%+v: %v", options, err)
		if err == nil {
			assert.Equal(t, want, got, "%+v", options)
		}
		sent += len(got)
	}
	known := []any{new(true), time.Now(), UserIs(7), LabelsAre("a", "b"), MilestoneIs("m"), DateOf(time.Now())}
	for _, method := range inventory.Methods(reflect.TypeFor[Client]()) {
		for in := range method.Type.Ins() {
			if in.Kind() != reflect.Pointer || in.Elem().Kind() != reflect.Struct || isCallers(in) || seen[in] {
				continue
			}
			seen[in] = true
			all := reflect.New(in.Elem())
			inventory.Fill(all.Elem(), known)
			compare(reflect.Zero(in))
			compare(reflect.New(in.Elem()))
			compare(all)
			for _, field := range reflect.VisibleFields(in.Elem()) {
				if one := reflect.New(in.Elem()); field.IsExported() {
					one.Elem().FieldByIndex(field.Index).Set(all.Elem().FieldByIndex(field.Index))
					compare(one)
				}
			}
		}
	}
	assert.Greater(t, len(seen), 50)
	assert.Greater(t, sent, 1000)
}

// TestWordsOfTags checks that a list contains whole words.
func TestWordsOfTags(t *testing.T) {
	for word, want := range map[string]bool{"desc": true, "asc": true, "user": true, "sc": false, "": false} {
		assert.Equal(t, want, containsWord("desc,asc,user", word), word)
	}
}

// TestFiltersForAllAndNone checks the words that stand for all and for none.
func TestFiltersForAllAndNone(t *testing.T) {
	var query string
	client := handlerClient(t, func(w http.ResponseWriter, r *http.Request) {
		query = r.URL.RawQuery
		fmt.Fprint(w, "[]")
	})
	for want, options := range map[string]*ListMergeRequestsOptions{
		"labels=None": {Labels: NoLabel}, "labels=Any": {Labels: AnyLabel},
		"milestone=None": {Milestone: NoMilestone}, "milestone=Any": {Milestone: AnyMilestone},
		"assignee_id=None": {AssigneeID: NoUser}, "assignee_id=Any": {AssigneeID: AnyUser},
		"approved_by_ids=None": {ApprovedByIDs: NoUsers}, "approved_by_ids=Any": {ApprovedByIDs: AnyUsers},
		"wip=yes": {Draft: new(true)}, "wip=no": {Draft: new(false)},
		"approved=yes": {Approved: new(true)}, "approved=no&wip=yes": {Draft: new(true), Approved: new(false)},
	} {
		_, _, err := client.MergeRequests.List(t.Context(), Instance, options)
		require.NoError(t, err)
		assert.Equal(t, want, query)
	}
	_, _, err := client.MergeRequests.List(t.Context(), Instance, &ListMergeRequestsOptions{Labels: LabelsAre("aNy")})
	assert.ErrorContains(t, err, `cannot be "aNy", which the service takes for none or any`)
	_, err = client.Registry.DeleteTags(t.Context(), ProjectID(4), 8, &DeleteRegistryTagsOptions{})
	assert.True(t, strings.HasSuffix(err.Error(), `is missing; ".*" deletes all tags`), "%q", err)
}

// TestNothingElseIsNil checks that what a result has no members for is nil, as in a literal.
func TestNothingElseIsNil(t *testing.T) {
	var role MemberRole
	require.NoError(t, json.Unmarshal([]byte(`{"id":7,"name":"auditor","read_code":true}`), &role))
	assert.Nil(t, role.Extra)
	assert.Equal(t, "a.tgz", archiveUpload(&Download{Name: "a.tgz"}).Filename)
	assert.Equal(t, "export.tar.gz", archiveUpload(&Download{}).Filename)
}

// TestFiltersOnTheWire checks filters with words, with several values, and with numbers
// of more than one digit.
func TestFiltersOnTheWire(t *testing.T) {
	var query string
	client := handlerClient(t, func(w http.ResponseWriter, r *http.Request) {
		query = r.URL.RawQuery
		fmt.Fprint(w, "[]")
	})
	for want, options := range map[string]*ListMergeRequestsOptions{
		"approved_by_ids=None":                             {ApprovedByIDs: NoUsers},
		"approved_by_ids=Any":                              {ApprovedByIDs: AnyUsers},
		"approved_by_ids%5B%5D=7&approved_by_ids%5B%5D=12": {ApprovedByIDs: UsersAre(7, 12)},
		"assignee_id=12":                                   {AssigneeID: UserIs(12)},
		"labels=a%2Cb+c":                                   {Labels: LabelsAre("a", "b c")},
	} {
		_, _, err := client.MergeRequests.List(t.Context(), Instance, options)
		require.NoError(t, err)
		assert.Equal(t, want, query)
	}
	_, _, err := client.Issues.List(t.Context(), Instance, &ListIssuesOptions{Weight: NumberIs(12),
		EpicID: NumberIs(345)})
	require.NoError(t, err)
	assert.Equal(t, "epic_id=345&weight=12", query)
}

// TestEnvironmentLevelsForNobody checks that a level needs any one of what identifies who has
// it, and that nothing is sent for one that has none.
func TestEnvironmentLevelsForNobody(t *testing.T) {
	role := AccessLevelMaintainer
	for name, l := range map[string]interface{ forNobody() bool }{
		"role": NewEnvironmentAccessLevel{AccessLevel: &role}, "user": NewEnvironmentAccessLevel{UserID: 8},
		"group":                  NewEnvironmentAccessLevel{GroupID: 9},
		"new role":               EnvironmentAccessLevelChange{AccessLevel: &role},
		"known":                  EnvironmentAccessLevelChange{ID: 12},
		"new user":               EnvironmentAccessLevelChange{UserID: 8},
		"new group":              EnvironmentAccessLevelChange{GroupID: 9},
		"rule for a role":        NewEnvironmentApprovalRule{AccessLevel: &role},
		"rule for a user":        NewEnvironmentApprovalRule{UserID: 8},
		"rule for a group":       NewEnvironmentApprovalRule{GroupID: 9},
		"changed rule":           EnvironmentApprovalRuleChange{ID: 38},
		"changed rule for role":  EnvironmentApprovalRuleChange{AccessLevel: &role},
		"changed rule for user":  EnvironmentApprovalRuleChange{UserID: 8},
		"changed rule for group": EnvironmentApprovalRuleChange{GroupID: 9},
	} {
		assert.False(t, l.forNobody(), name)
	}
	update := UpdateProtectedEnvironmentOptions{ApprovalRules: []EnvironmentApprovalRuleChange{{}}}
	assertRefused(t, "ApprovalRules", update.check())
	update = UpdateProtectedEnvironmentOptions{DeployAccessLevels: []EnvironmentAccessLevelChange{{}}}
	assertRefused(t, "DeployAccessLevels", update.check())
}
