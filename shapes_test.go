package serviceapi

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi/internal/inventory"
	"example.com/serviceapi/internal/racing"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sameResponse is a transport that responds to everything with the same body.
type sameResponse struct {
	body     []byte
	requests int
}

func (a *sameResponse) RoundTrip(r *http.Request) (*http.Response, error) {
	a.requests++
	if r.Body != nil {
		_, _ = io.Copy(io.Discard, r.Body)
		_ = r.Body.Close()
	}
	return &http.Response{
		StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r,
		Header: http.Header{"Content-Type": {"application/json"}}, ContentLength: int64(len(a.body)),
		Body: io.NopCloser(bytes.NewReader(a.body)),
	}, nil
}

// shape decodes JSON into a type.
type shape struct {
	client *Client
	server *sameResponse
	typ    reflect.Type
}

func shapeOf(t *testing.T, typ reflect.Type) *shape {
	t.Helper()
	s := &shape{server: &sameResponse{}, typ: typ}
	var err error
	s.client, err = NewClient("https://service.test", PrivateToken(testSecret),
		WithHTTPClient(&http.Client{Transport: s.server}), WithRetry(RetryPolicy{MaxAttempts: 1}))
	require.NoError(t, err)
	return s
}

// decode returns a pointer to a new value of the type.
func (s *shape) decode(t *testing.T, tree any) (reflect.Value, error) {
	t.Helper()
	body, err := stdjson.Marshal(tree)
	require.NoError(t, err)
	s.server.body = body
	v := reflect.New(s.typ)
	_, err = s.client.Do(t.Context(), http.MethodGet, Route("/shape"), nil, v.Interface())
	return v, err
}

// swaps are values of every kind.
var swaps = []any{"swap", "", "7", "true", 7, -7.5, 1e300, true, false, map[string]any{"a": 1}, map[string]any{},
	[]any{"swap"}, []any{}, nil}

// oneOfEachKind are values of the kinds that JSON has.
var oneOfEachKind = []any{"swap", -7.5, true, map[string]any{"a": 1}, []any{"swap"}, nil}

// manyPlaces is the number of places from which a response is wide: whatever is tried at each
// member costs the square of their number.
const manyPlaces = 300

// swapsFor returns the values to try at the nth place of a response: all of
// them at a member of the response itself, or of a wide one at the first member of each
// type, one of each kind at a field of an object in it that is tried for the first time, and
// two in turn elsewhere. In a wide one, a field that was tried is tried at one place of eight.
func swapsFor(n int, p *place, met map[string]bool, isWide bool) []any {
	field, tried := p.field, p.field != "" && met[p.field+" anywhere"]
	if isWide {
		field = "member of a wide response: " + p.typ.String()
	}
	first := field != "" && !met[field]
	met[field], met[p.field+" anywhere"] = true, true
	switch {
	case strings.Count(p.pointer, "/") == 1 && (first || !isWide):
		return swaps
	case first:
		return oneOfEachKind
	case isWide && tried && n%8 != 0:
		return nil
	}
	return []any{swaps[n%len(swaps)], swaps[(n+len(swaps)/2)%len(swaps)]}
}

// TestWrongKindsCostOneMember replaces every member of every response with
// values of all kinds, one at a time. If the kind is wrong, only that member is
// lost. Null is never wrong.
func TestWrongKindsCostOneMember(t *testing.T) {
	met := map[string]bool{}
	for i, typ := range responseTypes(t) {
		t.Run(typ.Name(), func(t *testing.T) {
			s, b := shapeOf(t, typ), &sampler{t: t, open: []reflect.Type{typ}}
			tree := b.object(typ, "", nil)
			whole, err := s.decode(t, tree)
			require.NoError(t, err)
			require.NotEmpty(t, b.places, "say in decodedAs what the response is decoded into")
			for n, p := range b.places {
				if racing.Enabled && (i+n)%64 != 0 {
					continue // a place takes ten times as long, and no goroutine is involved
				}
				tries := swapsFor(n, p, met, len(b.places) >= manyPlaces)
				if len(tries) == 0 {
					continue
				}
				want, err := s.decode(t, tree)
				require.NoError(t, err)
				require.Equal(t, whole.Interface(), want.Interface(), "the sample has changed")
				require.True(t, p.blank(want), "%s: there is no such place", p.pointer)
				eachStruct(want, forgetBlanks)
				for _, swap := range tries {
					previous := p.put(swap)
					fine := s.checkSwap(t, p, swap, tree, want)
					p.put(previous)
					if !fine {
						break
					}
				}
			}
		})
	}
}

func (s *shape) checkSwap(t *testing.T, p *place, swap, tree any, want reflect.Value) bool {
	t.Helper()
	name := fmt.Sprintf("%s%s = %#v", s.typ.Name(), p.pointer, swap)
	got, err := s.decode(t, tree)
	if err != nil {
		var decode *DecodeError
		require.ErrorAs(t, err, &decode, name)
		if !decode.Partial || swap == nil || decode.Pointer != p.pointer && !strings.HasPrefix(decode.Pointer,
			p.pointer+"/") {
			t.Errorf("%s: at %q (partial: %t): %v", name, decode.Pointer, decode.Partial, err)
			return false
		}
	}
	if decode, ok := errors.AsType[*DecodeError](err); ok && decode.Pointer == p.pointer && !p.isEmpty(got) {
		t.Errorf("%s: is not nil or zero, as if it were absent", name)
		return false
	}
	if !p.blank(got) {
		t.Errorf("%s: costs what is around it", name)
		return false
	}
	eachStruct(got, forgetBlanks)
	return reflect.DeepEqual(want.Interface(), got.Interface()) ||
		assert.Equal(t, want.Interface(), got.Interface(), "%s: costs more", name)
}

// TestUnknownMembersCostNothing adds a member to every object of every
// response. Types that keep such members have them; nothing else changes.
func TestUnknownMembersCostNothing(t *testing.T) {
	for _, typ := range responseTypes(t) {
		s := shapeOf(t, typ)
		known, err := s.decode(t, (&sampler{t: t, open: []reflect.Type{typ}}).object(typ, "", nil))
		require.NoError(t, err, typ.Name())
		more, err := s.decode(t, (&sampler{t: t, open: []reflect.Type{typ}, unknown: true}).object(typ, "", nil))
		require.NoError(t, err, typ.Name())
		eachStruct(more, dropExtra)
		assert.Equal(t, known.Interface(), more.Interface(), typ.Name())
	}
}

// eachStruct visits the structs in a value.
func eachStruct(v reflect.Value, visit func(reflect.Value)) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			eachStruct(v.Elem(), visit)
		}
	case reflect.Slice:
		for i := range v.Len() {
			eachStruct(v.Index(i), visit)
		}
	case reflect.Struct:
		visit(v)
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				eachStruct(v.Field(i), visit)
			}
		}
	}
}

// dropExtra empties the field that keeps unknown members.
func dropExtra(v reflect.Value) {
	if field, ok := v.Type().FieldByName("Extra"); ok && field.Tag.Get("json") == "-" {
		v.FieldByIndex(field.Index).SetZero()
	}
}

// forgetBlanks clears the fields that record in which form an empty member was
// received.
func forgetBlanks(v reflect.Value) {
	if details, ok := v.Addr().Interface().(*AuditEventDetails); ok {
		details.received = auditBlanks{}
	}
	if settings, ok := v.Addr().Interface().(*ApplicationSettings); ok {
		settings.blanks = settingBlanks{}
	}
}

// TestUnknownValuesPassBothWays checks that an enumeration value without a
// constant is kept, and sent unchanged.
func TestUnknownValuesPassBothWays(t *testing.T) {
	seen := map[reflect.Type]bool{}
	for _, typ := range responseTypes(t) {
		s, b := shapeOf(t, typ), &sampler{t: t, open: []reflect.Type{typ}}
		v, err := s.decode(t, b.object(typ, "", nil))
		require.NoError(t, err, typ.Name())
		for _, p := range b.places {
			enum := p.typ
			for enum.Kind() == reflect.Pointer {
				enum = enum.Elem()
			}
			if _, leaf := leafSample(t, enum); leaf || enum.Kind() != reflect.String || enum.PkgPath() == "" {
				continue
			}
			seen[enum] = true
			at, _, ok := p.reach(v)
			require.True(t, ok)
			got := pointee(at)
			assert.Equal(t, unheardOf, got.String(), "%s%s", typ.Name(), p.pointer)
			data, err := stdjson.Marshal(got.Interface())
			require.NoError(t, err)
			assert.Equal(t, `"`+unheardOf+`"`, string(data), "%s%s", typ.Name(), p.pointer)
		}
	}
	assert.Greater(t, len(seen), 15, "enumerations")
}

// TestMethodsSurviveEveryBody calls each method of each service with bodies of
// all kinds. None panics, and none returns neither a result nor an error.
func TestMethodsSurviveEveryBody(t *testing.T) {
	s := shapeOf(t, nil)
	services := reflect.ValueOf(s.client).Elem()
	sent := 0
	eachMethod(func(service reflect.StructField, method reflect.Method) {
		if strings.Contains(method.Name, "Wait") || method.Name == "Follow" {
			return // it would poll until it gets a state that it knows
		}
		for n, body := range bodiesFor(t, inventory.ResultOf(method.Type)) {
			if racing.Enabled && n%8 != 0 {
				continue // as in TestWrongKindsCostOneMember
			}
			s.server.body = body
			in, err := arguments(t, method.Type)
			require.NoError(t, err, "%s.%s", service.Name, method.Name)
			s.server.requests = 0
			out := method.Func.Call(append([]reflect.Value{services.FieldByIndex(service.Index)}, in...))
			if checkResult(t, service.Name+"."+method.Name+" "+string(body), out) {
				sent += s.server.requests
			}
		}
	})
	assert.Greater(t, sent, 1000, "requests")
}

// bodiesFor are odd responses, and samples of a result: intact, and with each
// kind of value in all its members.
func bodiesFor(t *testing.T, typ reflect.Type) [][]byte {
	t.Helper()
	bodies := [][]byte{
		[]byte(`null`), []byte(`{}`), []byte(`[]`), []byte(`[null]`), []byte(`[{}]`), []byte(`[[]]`), []byte(`7`),
		[]byte(`"x"`), []byte(`true`),
		[]byte(`{"id":"x"}`), []byte(`{"message":7}`), []byte(`{"data":[],"errors":{}}`),
		[]byte(`{"data":null,"errors":[null]}`), nil,
	}
	if other, ok := decodedAs[typ]; ok {
		typ = other
	}
	if typ == nil {
		return bodies
	}
	b := &sampler{t: t, open: []reflect.Type{typ}}
	tree := b.object(typ, "", nil)
	add := func() {
		one, err := stdjson.Marshal(tree)
		require.NoError(t, err)
		list, err := stdjson.Marshal([]any{tree, nil, swaps[0], tree})
		require.NoError(t, err)
		bodies = append(bodies, one, list)
	}
	add()
	for _, swap := range swaps {
		for _, p := range b.places {
			p.put(swap)
		}
		add()
	}
	return bodies
}

// maybeNothing are the calls, with the body of the response, that may return nil: for a
// project without push rules or security settings, for an instance without a license, and
// for a runner and a lock of which old releases say nothing.
var maybeNothing = []string{
	"License.Current null",
	"License.Current {}",
	"PushRules.Get null",
	"ResourceGroups.CurrentJob null",
	"UsageData.GetServicePing {}",
	"Runners.Verify ",
	"SecuritySettings.Get null",
	"TerraformStates.Lock ",
}

// checkResult checks what a method returned, and reports whether it made a
// request at all.
func checkResult(t *testing.T, name string, out []reflect.Value) bool {
	t.Helper()
	if walk := out[0]; walk.Kind() == reflect.Func {
		n := 0
		for item, err := range walk.Seq2() {
			assert.False(t, err.IsNil() && item.Kind() == reflect.Pointer && item.IsNil(), "%s: an item is nil", name)
			if n++; n > 10 {
				break
			}
		}
		return true
	}
	last := out[len(out)-1]
	if last.IsNil() {
		isNone := slices.Contains(maybeNothing, name)
		isNil := out[0].Kind() != reflect.Bool && out[0].IsNil()
		assert.False(t, isNil && !isNone, "%s: neither a result nor an error", name)
	} else {
		var argument *ArgumentError
		if err, _ := last.Interface().(error); assert.Error(t, err, name) && errors.As(err, &argument) {
			return false
		}
	}
	if d, ok := out[0].Interface().(*Download); ok && d != nil {
		_, _ = io.Copy(io.Discard, d)
		assert.NoError(t, d.Close(), name)
	}
	return true
}

// decodedAs are the types that a response is decoded into if the method returns
// another type.
var decodedAs = map[reflect.Type]reflect.Type{
	reflect.TypeFor[CreatedNote]():              reflect.TypeFor[createdNoteResponse](),
	reflect.TypeFor[AddMembersResult]():         reflect.TypeFor[membershipResponse](),
	reflect.TypeFor[MergeRequestSubscription](): reflect.TypeFor[MergeRequestDetails](),
	reflect.TypeFor[LabelSubscription]():        reflect.TypeFor[Label](),
	reflect.TypeFor[IssueStatistics]():          reflect.TypeFor[issueStatisticsBody](),
}

// responseTypes are the structs that the methods of all services return, found
// by reflection, or the types that are decoded instead.
func responseTypes(t *testing.T) []reflect.Type {
	t.Helper()
	found := map[reflect.Type]bool{
		reflect.TypeFor[memberStateResponse](): true,
		reflect.TypeFor[catalogPage]():         true,
		reflect.TypeFor[GraphQLErrorDetail]():  true,
	}
	eachMethod(func(_ reflect.StructField, method reflect.Method) {
		if typ := inventory.ResultOf(method.Type); typ != nil {
			if other, ok := decodedAs[typ]; ok {
				typ = other
			}
			found[typ] = true
		}
	})
	var types []reflect.Type
	for typ := range found {
		types = append(types, typ)
	}
	slices.SortFunc(types, func(a, b reflect.Type) int { return strings.Compare(a.Name(), b.Name()) })
	require.Greater(t, len(types), 40)
	return types
}

// eachMethod visits the exported methods of every service.
func eachMethod(visit func(service reflect.StructField, method reflect.Method)) {
	for service, method := range inventory.Methods(reflect.TypeFor[Client]()) {
		visit(service, method)
	}
}

// unheardOf stands for every string, so that every enumeration has a value that
// the library does not know.
const unheardOf = "unheard of"

// leafSample is the sample of a type that decodes itself and has no members of
// its own.
func leafSample(t *testing.T, typ reflect.Type) (any, bool) {
	t.Helper()
	switch typ {
	case reflect.TypeFor[any](), reflect.TypeFor[jsontext.Value]():
		return map[string]any{"a": 1}, true
	case reflect.TypeFor[[]byte]():
		return "SGVsbG8K", true
	case reflect.TypeFor[Nullable[[]string]]():
		return []any{"a", "b"}, true
	}
	if forms := selfDecoding[typ]; forms != nil && (typ.Kind() != reflect.Struct || !inventory.HasMembers(typ)) {
		var sample any
		require.NoError(t, stdjson.Unmarshal([]byte(forms[0]), &sample))
		return sample, true
	}
	return nil, false
}

// place is a value in a sample: a member of an object, or the first item of a
// list.
type place struct {
	pointer string
	typ     reflect.Type
	field   string // the field of a struct that it is decoded into, if it is one
	put     func(any) (previous any)
	steps   []step
}

// step leads from a Go value to one of its fields, items or map values.
type step func(v reflect.Value) (inner reflect.Value, remove func(), ok bool)

// reach returns the value at a place of a decoded value and a function to zero
// it. It reports whether the place exists, which requires that what contains it
// exists.
func (p *place) reach(v reflect.Value) (at reflect.Value, remove func(), ok bool) {
	for _, step := range p.steps {
		if v = pointee(v); !v.IsValid() {
			return v, nil, false
		}
		if v, remove, ok = step(v); !ok {
			return v, nil, false
		}
	}
	return v, remove, true
}

// blank zeroes the place in a decoded value.
func (p *place) blank(v reflect.Value) bool {
	_, remove, ok := p.reach(v)
	if ok {
		remove()
	}
	return ok
}

// isEmpty reports whether the place has nothing that came from the response: a
// pointer is nil, except for an item of a list, and anything else is zero.
func (p *place) isEmpty(v reflect.Value) bool {
	at, _, ok := p.reach(v)
	if ok && at.Kind() == reflect.Pointer && p.isItem() && !at.IsNil() {
		at = at.Elem()
	}
	return !ok || at.IsZero()
}

// isItem reports whether the place is in a list or a map.
func (p *place) isItem() bool { return p.field == "" }

// pointee follows pointers. For nil, the returned value is invalid.
func pointee(v reflect.Value) reflect.Value {
	for v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	return v
}

func toField(index []int) step {
	return func(v reflect.Value) (reflect.Value, func(), bool) {
		inner, err := v.FieldByIndexErr(index)
		return inner, inner.SetZero, err == nil
	}
}

func toFirst(v reflect.Value) (reflect.Value, func(), bool) {
	if v.Len() == 0 {
		return v, nil, false
	}
	return v.Index(0), v.Index(0).SetZero, true
}

func toKey(v reflect.Value) (reflect.Value, func(), bool) {
	key := reflect.ValueOf(unheardOf).Convert(v.Type().Key())
	return v.MapIndex(key), func() { v.SetMapIndex(key, reflect.Value{}) }, true
}

// sampler makes JSON that fills a type, as maps and slices that can be changed
// at every place.
type sampler struct {
	t *testing.T
	// unknown adds to each object a member that the library does not know.
	unknown bool
	places  []*place
	// open are the types being sampled, which may contain themselves.
	open []reflect.Type
}

func (s *sampler) object(typ reflect.Type, pointer string, steps []step) any {
	object := map[string]any{}
	if s.unknown {
		object["never heard of"] = map[string]any{"a": []any{1, nil}}
	}
	for name, field := range inventory.JSONFields(typ) {
		p := &place{
			pointer: pointer + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name), typ: field.Type,
			field: inventory.Declaring(typ, field).String() + "." + field.Name,
			steps: append(slices.Clone(steps), toField(field.Index)),
			put: func(v any) any {
				previous := object[name]
				object[name] = v
				return previous
			},
		}
		object[name] = s.value(p)
	}
	return object
}

// value returns a sample for a place, and finds the places inside.
func (s *sampler) value(p *place) any {
	s.places = append(s.places, p)
	typ := p.typ
	for typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	if sample, ok := leafSample(s.t, typ); ok {
		return sample
	}
	switch typ.Kind() {
	case reflect.Bool:
		return true
	case reflect.Int, reflect.Int32, reflect.Int64:
		return 7
	case reflect.Float64:
		return 7.5
	case reflect.String:
		return unheardOf
	case reflect.Struct:
		if slices.Contains(s.open, typ) {
			return nil
		}
		s.open = append(s.open, typ)
		defer func() { s.open = s.open[:len(s.open)-1] }()
		return s.object(typ, p.pointer, p.steps)
	case reflect.Slice:
		list := []any{nil, nil}
		first := &place{
			pointer: p.pointer + "/0", typ: typ.Elem(), steps: append(slices.Clone(p.steps), toFirst),
			put: func(v any) any {
				previous := list[0]
				list[0] = v
				return previous
			},
		}
		list[0] = s.value(first)
		list[1] = (&sampler{t: s.t, unknown: s.unknown, open: s.open}).value(&place{typ: typ.Elem()})
		return list
	case reflect.Map:
		object := map[string]any{}
		inner := &place{
			pointer: p.pointer + "/" + unheardOf, typ: typ.Elem(), steps: append(slices.Clone(p.steps), toKey),
			put: func(v any) any {
				previous := object[unheardOf]
				object[unheardOf] = v
				return previous
			},
		}
		before := len(s.places)
		object[unheardOf] = s.value(inner)
		s.places = s.places[:before+1] // map values cannot be set
		object["other"] = object[unheardOf]
		return object
	}
	s.t.Fatalf("%s: no sample for %s: say in selfDecoding what JSON it has", p.pointer, typ)
	return nil
}

// knownValues are references, owners and other values that arguments are made of.
func knownValues() []any {
	project, group := ProjectID(1), GroupID(1)
	return []any{
		project, group, UserID(1), NamespaceID(1), Instance, Own,
		SlackIntegration{Webhook: NewSecret("secret")}, StorageMoveKindProjects,
		project.Issue(1), project.MergeRequest(1), project.Snippet(1), EpicRef{group, 1, 1},
		project.Commit("x"),
		LabelID(1),
		NewSecret("secret"), NewDate(2026, 3, 31), time.Unix(1, 0),
		Upload{Filename: "f", Content: strings.NewReader("content")},
	}
}

// ownerOf returns a reference, an owner or another path argument, or the zero
// Value if the type is none of them.
func ownerOf(typ reflect.Type) reflect.Value { return inventory.Known(typ, knownValues()) }

// arguments makes the arguments of a method, without its request options.
func arguments(t *testing.T, method reflect.Type) ([]reflect.Value, error) {
	return inventory.Arguments(t.Context(), method, knownValues())
}
