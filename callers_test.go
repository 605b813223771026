package serviceapi_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/serviceapi"
)

// echo returns a client of a service that responds with what the function
// returns for a body.
func echo(t *testing.T, respond func(body string) string) *serviceapi.Client {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		assert.NoError(t, err)
		_, _ = io.WriteString(w, respond(string(body)))
	}))
	t.Cleanup(server.Close)
	client, err := serviceapi.NewClient(server.URL, serviceapi.PrivateToken("t0ken"))
	require.NoError(t, err)
	return client
}

type (
	level   int
	colour  string
	upper   string
	pointed struct{ text string }
	inner   struct {
		A int
		B string `json:",omitempty"`
	}
	hook struct {
		PushEvents bool           `json:"push_events,omitempty"`
		Branch     string         `json:"branch,omitempty"`
		Count      int64          `json:"count,omitempty"`
		Ratio      float64        `json:"ratio,omitempty"`
		List       []string       `json:"list,omitempty"`
		Map        map[string]int `json:"map,omitempty"`
		Inner      inner          `json:"inner,omitempty"`
		Pointer    *inner         `json:"pointer,omitempty"`
		Any        any            `json:"any,omitempty"`
		Time       time.Time      `json:"time,omitempty"`
		ZeroTime   time.Time      `json:"zero_time,omitzero"`
		Array      [2]int         `json:"array,omitempty"`
		None       [0]int         `json:"none,omitempty"`
	}
	kinds struct {
		Slice    []string
		NilMap   map[string]int
		Bytes    []byte
		Array    [3]byte
		Wait     time.Duration
		At       time.Time
		Level    level
		Colour   colour
		Upper    upper
		Pointed  pointed
		PointedP *pointed
		Quoted   int64  `json:"quoted,string"`
		QuotedP  *bool  `json:",string"`
		Text     string `json:"text,string"`
		Skipped  string `json:"-"`
		//lint:ignore SA5008 a name that is odd
		Dash string `json:"-,"`
		Bad  string `json:"a b"`
		//lint:ignore SA5008 a tag that is odd
		Odd     string `json:"odd,unknown,"`
		Rune    rune
		Float   float64
		Float32 float32
		Uint    uint8
		Raw     json.RawMessage
		Number  json.Number
		Any     any
		Keys    map[int]string
		Levels  map[level]bool
		Nested  [][]inner
		inner
		Shadow string `json:"A"`
		//lint:ignore U1000 encoding/json skips it
		hidden string
	}
	// extended adds members to a type of the library.
	extended struct {
		serviceapi.Job
		Extra  *int `json:"extra,omitempty"`
		Others []string
	}
	holder struct {
		Job  *serviceapi.Job
		Jobs []serviceapi.Job          `json:"jobs,omitempty"`
		When serviceapi.Date           `json:"when"`
		Set  serviceapi.Nullable[hook] `json:"set,omitzero"`
	}
)

func (u upper) MarshalText() ([]byte, error)     { return []byte("U:" + u), nil }
func (u *upper) UnmarshalText(text []byte) error { *u = upper(text); return nil }
func (p *pointed) MarshalJSON() ([]byte, error)  { return json.Marshal("p:" + p.text) }
func (p *pointed) UnmarshalJSON(b []byte) error  { return json.Unmarshal(b, &p.text) }

var callersValues = []any{
	hook{}, &hook{PushEvents: true, Count: 1, List: []string{}, Map: map[string]int{}, Pointer: &inner{}, Any: 0},
	[]hook{{}}, map[string]hook{"b": {}, "a": {Any: hook{}}},
	kinds{},
	&kinds{Wait: time.Second, Bytes: []byte("abc"), Raw: json.RawMessage(`{"x": 1}`), Number: "1.50",
		Nested: [][]inner{nil, {}}, PointedP: &pointed{"x"}},
	map[string]any{"nil": []string(nil), "map": map[string]string(nil), "html": "<a>&\u2028", "struct": hook{},
		"wait": time.Minute, "e": []any{nil, 1.5, "x"}},
	map[int]string{2: "b", 1: "a"}, []string{"b", "a\xff"}, []int{1}, [2]bool{true}, struct{ Name string }{"x"},
	json.RawMessage(`{"a":1,"a":2}`), "text", 7, true, 1e21,
	extended{}, &extended{Job: serviceapi.Job{ID: 7, Tag: true}, Extra: new(1)}, holder{},
	holder{Job: &serviceapi.Job{ID: 1}, Set: serviceapi.Value(hook{})}, []*extended{nil, {}},
	colour("red"), upper("x"), map[upper]level{"k": 1},
}

// TestCallersTypesAreEncodedByEncodingJSON checks that a body is what
// encoding/json makes of it, to the byte.
func TestCallersTypesAreEncodedByEncodingJSON(t *testing.T) {
	var sent string
	client := echo(t, func(body string) string { sent = body; return `{"data":{"x":1}}` })
	for i, value := range callersValues {
		want, err := json.Marshal(value)
		require.NoError(t, err)
		_, err = client.Do(t.Context(), http.MethodPost, serviceapi.Route("/things"), value, nil)
		require.NoError(t, err)
		assert.Equal(t, string(want), sent, "%d: %T", i, value)

		_, err = client.Do(t.Context(), http.MethodPost, serviceapi.Route("/things"), struct{}{}, nil,
			serviceapi.WithBodyField("f", value))
		require.NoError(t, err)
		assert.JSONEq(t, `{"f":`+string(want)+`}`, sent, "%d: WithBodyField with %T", i, value)

		_, err = client.GraphQL.Query(t.Context(),
			serviceapi.GraphQLRequest{Query: "{x}", Variables: map[string]any{"v": value}}, nil)
		require.NoError(t, err)
		assert.JSONEq(t, `{"query":"{x}","variables":{"v":`+string(want)+`}}`, sent, "%d: a variable of %T", i, value)
	}
}

// callersJSON is JSON for each type, in forms that the two rules treat
// differently.
var callersJSON = map[reflect.Type][]string{
	reflect.TypeFor[hook](): {
		`{"PUSH_EVENTS":true,"Branch":"b","count":1,"COUNT":2,"list":null,"inner":{"a":1,"b":"x"},"pointer":{"A":2}}`,
		`{"push_events":null,"list":["a",null],"map":{"a":1,"b":null},"any":{"a":[1,2]},"array":[1,2,3],` +
			`"time":"2026-03-01T10:20:30Z"}`, `{"array":[1]}`,
	},
	reflect.TypeFor[kinds](): {
		`{"slice":[],"wait":1000000000,"bytes":"YWJj","array":[1,2,3],"quoted":"7","QuotedP":"true","text":"\"x\"",` +
			`"a b":"x","number":1.50,"raw": {"x": 1},"upper":"y","pointed":"z"}`,
		`{"keys":{"1":"a"},"levels":{"2":true},"nested":[[{"a":1}],null],"A":"shadow","float":1e3,"any":null,` +
			`"-":"dash"}`,
		"{\"colour\":\"a\xffb\",\"colour\":\"twice\"}",
	},
	reflect.TypeFor[inner]():                 {`{"a":1,"b":"x"}`, `{"A":1,"a":2}`},
	reflect.TypeFor[map[string]any]():        {`{"a":1,"a":2,"b":{"c":[1.5,"x",null,true]}}`, `null`},
	reflect.TypeFor[any]():                   {`{"a":[1]}`, `7`, `"x"`, `null`, `[]`},
	reflect.TypeFor[[]string]():              {`["a"]`, `[]`, `null`},
	reflect.TypeFor[json.RawMessage]():       {` {"a": 1} `, `null`},
	reflect.TypeFor[struct{ Name string }](): {`{"name":"x"}`},
	reflect.TypeFor[extended](): {
		`{"id":7,"NAME":"x","EXTRA":1,"others":["a"],"duration":1.5,"created_at":"2026-03-01T10:20:30Z"}`},
	reflect.TypeFor[holder](): {
		`{"job":{"ID":1},"jobs":[{"id":2}],"when":"2026-03-31","set":{"PUSH_EVENTS":true}}`, `{"set":null}`},
	reflect.TypeFor[time.Duration](): {`1000`},
}

// TestCallersTypesAreDecodedByEncodingJSON checks that a response is decoded to
// what encoding/json decodes.
func TestCallersTypesAreDecodedByEncodingJSON(t *testing.T) {
	ctx := t.Context()
	for typ, forms := range callersJSON {
		for _, form := range forms {
			response := form
			client := echo(t, func(string) string { return response })
			want, got := reflect.New(typ), reflect.New(typ)
			require.NoError(t, json.Unmarshal([]byte(form), want.Interface()), form)
			_, err := client.Do(ctx, http.MethodGet, serviceapi.Route("/things"), nil, got.Interface())
			require.NoError(t, err, "%v of %s", typ, form)
			assert.Equal(t, want.Interface(), got.Interface(), "%v of %s", typ, form)
			if form == `null` {
				continue
			}
			response, got = `{"data":`+form+`}`, reflect.New(typ)
			if !json.Valid([]byte(response)) || typ == reflect.TypeFor[map[string]any]() || form[0] == ' ' ||
				len(form) < 40 {
				continue
			}
			if _, err = client.GraphQL.Query(ctx, serviceapi.GraphQLRequest{Query: "{x}"},
				got.Interface()); err == nil {
				assert.Equal(t, want.Interface(), got.Interface(), "data: %v of %s", typ, form)
			}
		}
	}
}

// wiki is the example of docs/arguments.md.
type wiki struct {
	Slug, Title string
}

func TestWikisOfTheDocumentation(t *testing.T) {
	ctx, pages := t.Context(), serviceapi.Route("/projects/:id/wikis", serviceapi.ProjectID(7))
	client := echo(t, func(string) string { return `[{"slug":"home","title":"Home"}]` })
	want := wiki{"home", "Home"}
	all, err := serviceapi.Collect(serviceapi.All[wiki](ctx, client, pages, nil))
	require.NoError(t, err)
	assert.Equal(t, []wiki{want}, all)
	list, _, err := serviceapi.List[*wiki](ctx, client, pages, nil)
	require.NoError(t, err)
	assert.Equal(t, []*wiki{&want}, list)
	client = echo(t, func(string) string { return `{"slug":"home","title":"Home"}` })
	one, _, err := serviceapi.Get[wiki](ctx, client, pages)
	require.NoError(t, err)
	assert.Equal(t, &want, one)
}

func TestNodesOfCallersTypes(t *testing.T) {
	type data struct {
		Project struct {
			Wikis *serviceapi.GraphQLConnection[wiki]
		}
	}
	client := echo(t, func(string) string {
		return `{"data":{"project":{"wikis":{"nodes":[{"slug":"home","title":"Home"}],` +
			`"pageInfo":{"hasNextPage":false,"endCursor":"x"}}}}}`
	})
	request := serviceapi.GraphQLRequest{Query: `query ($after: String) { project { wikis(after: $after) { nodes { ` +
		`slug title } pageInfo { hasNextPage endCursor } } } }`}
	nodes, err := serviceapi.Collect(serviceapi.GraphQLAll(t.Context(), client, request,
		func(d *data) *serviceapi.GraphQLConnection[wiki] { return d.Project.Wikis }))
	require.NoError(t, err)
	assert.Equal(t, []*wiki{{"home", "Home"}}, nodes)
}

// TestWrongKindsInCallersTypes checks that a caller's type skips what is of the
// wrong kind as encoding/json does, and that a type of the library inside it has
// nil, as in a result.
func TestWrongKindsInCallersTypes(t *testing.T) {
	const body = `{"push_events":"yes","branch":"b","count":"x","pointer":7,"list":["a",1],"time":"today",` +
		`"pointer":{"A":"x","B":"y"}}`
	var want hook
	require.Error(t, json.Unmarshal([]byte(body), &want))
	got, _, err := serviceapi.Get[hook](t.Context(), echo(t, func(string) string { return body }),
		serviceapi.Route("/things"))
	var decode *serviceapi.DecodeError
	require.ErrorAs(t, err, &decode)
	assert.True(t, decode.Partial)
	assert.Equal(t, "/push_events", decode.Pointer)
	assert.Equal(t, &want, got)

	for _, body := range []string{
		`{"id":7,"duration":"long","runner":"r","created_at":5,"user":{"id":"x","username":"ada"},"extra":1}`,
		`{"job":{"id":7,"duration":"long","runner":"r","created_at":5,"user":{"id":"x","username":"ada"}},"when":true}`,
	} {
		client := echo(t, func(string) string { return body })
		job := func() *serviceapi.Job {
			if body[2] == 'i' {
				got, _, err := serviceapi.Get[extended](t.Context(), client, serviceapi.Route("/things"))
				require.ErrorAs(t, err, &decode)
				assert.Equal(t, "/duration", decode.Pointer)
				assert.Equal(t, new(1), got.Extra)
				return &got.Job
			}
			got, _, err := serviceapi.Get[holder](t.Context(), client, serviceapi.Route("/things"))
			require.ErrorAs(t, err, &decode)
			assert.Equal(t, "/job/duration", decode.Pointer)
			return got.Job
		}()
		assert.EqualValues(t, 7, job.ID)
		assert.Nil(t, job.Duration)
		assert.Nil(t, job.Runner)
		assert.Nil(t, job.CreatedAt)
		require.NotNil(t, job.User)
		assert.Equal(t, "ada", job.User.Username)
	}
	client := echo(t, func(string) string { return `{"id":7,"created_at":"2026-03-31"}` })
	odd, _, err := serviceapi.Get[extended](t.Context(), client, serviceapi.Route("/things"))
	require.NoError(t, err)
	assert.Equal(t, "2026-03-31 00:00:00 +0000 UTC", fmt.Sprint(odd.CreatedAt))
	_, err = client.Do(t.Context(), http.MethodGet, serviceapi.Route("/things"), nil, new(struct {
		CreatedAt time.Time `json:"created_at"`
	}))
	require.ErrorAs(t, err, &decode, "encoding/json knows only RFC 3339")
	assert.Equal(t, "/created_at", decode.Pointer)
}
