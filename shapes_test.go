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

	"example.com/serviceapi/internal/inventory"
	"example.com/serviceapi/internal/racing"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sameAnswer is a transport that responds to everything with the same body.
type sameAnswer struct {
	body     []byte
	requests int
}

func (a *sameAnswer) RoundTrip(r *http.Request) (*http.Response, error) {
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
	server *sameAnswer
	typ    reflect.Type
}

func shapeOf(t *testing.T, typ reflect.Type) *shape {
	t.Helper()
	s := &shape{server: &sameAnswer{}, typ: typ}
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

// swapsFor returns the values to try at the nth place of a response: all of
// them at a member of the response itself, one of each kind at a field of an
// object in it that is tried for the first time, and two in turn elsewhere.
func swapsFor(n int, p *place, met map[string]bool) []any {
	first := p.field != "" && !met[p.field]
	met[p.field] = true
	switch {
	case strings.Count(p.pointer, "/") == 1:
		return swaps
	case first:
		return oneOfEachKind
	}
	return []any{swaps[n%len(swaps)], swaps[(n+len(swaps)/2)%len(swaps)]}
}

// TestWrongKindsCostOneMember replaces every member of every response with
// values of all kinds, one at a time. If the kind is wrong, only that member is
// lost. Null is never wrong.
func TestWrongKindsCostOneMember(t *testing.T) {
	met := map[string]bool{}
	for _, typ := range responseTypes(t) {
		t.Run(typ.Name(), func(t *testing.T) {
			s, b := shapeOf(t, typ), &sampler{t: t, open: []reflect.Type{typ}}
			tree := b.object(typ, "", nil)
			whole, err := s.decode(t, tree)
			require.NoError(t, err)
			require.NotEmpty(t, b.places, "say in decodedAs what the response is decoded into")
			for n, p := range b.places {
				if racing.Enabled && n%8 != 0 {
					continue // a place takes ten times as long, and no goroutine is involved
				}
				want, err := s.decode(t, tree)
				require.NoError(t, err)
				require.Equal(t, whole.Interface(), want.Interface(), "the sample has changed")
				require.True(t, p.blank(want), "%s: there is no such place", p.pointer)
				eachStruct(want, forgetBlanks)
				for _, swap := range swapsFor(n, p, met) {
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
		for _, body := range bodiesFor(t, inventory.ResultOf(method.Type)) {
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
		assert.False(t, out[0].IsNil() && !isNone, "%s: neither a result nor an error", name)
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
