package params

import (
	"errors"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-querystring/query"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// filter encodes itself, and refuses one value.
type filter struct{ value string }

func (f filter) IsZero() bool { return f == filter{} }

func (f filter) EncodeValues(key string, v *url.Values) error {
	if f.value == "refused" {
		return errors.New("this value is refused")
	}
	v.Add(key, f.value)
	return nil
}

type page struct {
	Page int    `url:"page,omitempty"`
	Hint string `url:"-"`
}

type exclusions struct {
	Name string `url:"name,omitempty"`
}

type options struct {
	page
	Name    string     `url:"name,omitempty"`
	IDs     []int      `url:"ids[],omitempty"`
	In      []string   `url:"in,comma,omitempty"`
	Public  *bool      `url:"public,omitempty"`
	After   time.Time  `url:"after,omitempty" layout:"2006-01-02"`
	Filter  filter     `url:"filter,omitempty"`
	Not     exclusions `url:"not"`
	Twice   string     `url:"name,omitempty"`
	Unnamed int        `url:",omitempty"`
	hidden  int
}

// TestValues checks that leaving fields out changes nothing.
func TestValues(t *testing.T) {
	s := Of(reflect.TypeFor[options]())
	assert.Len(t, s.fields, 10, "fields are encoded one by one")
	for _, o := range []options{
		{},
		{hidden: 1, page: page{Hint: "unsent"}},
		{Name: "a"},
		{Name: "a", Twice: "b"},
		{page: page{Page: 2}, IDs: []int{2, 1}, In: []string{"x", "y"}, Public: new(false), Unnamed: 7},
		{IDs: []int{}, In: []string{}, Not: exclusions{Name: "n"}},
		{After: time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC), Filter: filter{"f"}},
		{Name: "a", Filter: filter{"refused"}},
	} {
		want, wantErr := query.Values(o)
		got, err := s.Values(reflect.ValueOf(o))
		assert.Equal(t, wantErr, err, "%+v", o)
		if err == nil {
			assert.Equal(t, want, got, "%+v", o)
		}
	}
}

type state string

type level int

func (l level) String() string { return "level" }

// forms are fields that are written directly, and fields that only look like these.
type forms struct {
	State    state      `url:"state,omitempty"`
	StateP   *state     `url:"state_p,omitempty"`
	Text     *string    `url:"text,omitempty"`
	Number   int64      `url:"number,omitempty"`
	NumberP  *int64     `url:"number_p,omitempty"`
	Flag     bool       `url:"flag,omitempty"`
	AsNumber bool       `url:"as_number,omitempty,int"`
	AsOne    *bool      `url:"as_one,int,omitempty"`
	Time     time.Time  `url:"time,omitempty"`
	TimeP    *time.Time `url:"time_p,omitempty"`
	Layout   *time.Time `url:"layout,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	Unix     time.Time  `url:"unix,omitempty,unix"`
	Level    level      `url:"level,omitempty"`
	LevelP   *level     `url:"level_p,omitempty"`
	Small    int32      `url:"small,omitempty"`
	Real     float64    `url:"real,omitempty"`
	FilterP  *filter    `url:"filter_p,omitempty"`
	Twice    **string   `url:"twice,omitempty"`

	Words     []string    `url:"words[],omitempty"`
	States    []state     `url:"states,omitempty"`
	Days      []time.Time `url:"days[],omitempty" layout:"2006-01-02"`
	Comma     []string    `url:"comma,comma,omitempty"`
	Levels    []level     `url:"levels,omitempty"`
	Pointers  []*string   `url:"pointers,omitempty"`
	Own       words       `url:"own,omitempty"`
	OwnStruct maybe       `url:"own_struct,omitempty"`
	OwnMap    pairs       `url:"own_map,omitempty"`
}

// pairs encode themselves, although there may be none.
type pairs map[string]string

func (p pairs) EncodeValues(key string, v *url.Values) error {
	v.Add(key, strconv.Itoa(len(p)))
	return nil
}

// words encode themselves, and so does maybe, which is also empty if it is not zero.
type words []string

func (w words) EncodeValues(key string, v *url.Values) error {
	v.Add(key, "words:"+strings.Join(w, " "))
	return nil
}

type maybe struct{ text string }

func (m maybe) IsZero() bool { return m.text == "" || m.text == "no" }

func (m maybe) EncodeValues(key string, v *url.Values) error {
	v.Add(key, m.text)
	return nil
}

// TestForms checks that what is written directly is what the encoder writes.
func TestForms(t *testing.T) {
	when := time.Date(2026, 3, 1, 10, 0, 0, 123456789, time.FixedZone("", 3600))
	text := new("é &")
	typ := reflect.TypeFor[forms]()
	s := Of(typ)
	var directly []string
	for f := range typ.Fields() {
		if direct(f) != nil {
			directly = append(directly, f.Name)
		}
	}
	assert.Equal(t, []string{
		"State", "StateP", "Text", "Number", "NumberP", "Flag", "Time", "TimeP", "Layout", "FilterP", "Words", "States",
		"Days", "Own", "OwnStruct", "OwnMap",
	}, directly)
	for _, o := range []forms{
		{},
		{State: "a b", StateP: new(state("c")), Text: text, Number: -7, NumberP: new(int64(8)), Flag: true},
		{StateP: new(state("")), Text: new(""), NumberP: new(int64(0))},
		{AsNumber: true, AsOne: new(false), Time: when, TimeP: &when, Layout: &when, Unix: when},
		{TimeP: new(time.Time{}), Level: 3, LevelP: new(level(4)), Small: 5, Real: 1.5},
		{FilterP: &filter{"f"}, Twice: &text},
		{Words: []string{"a", "b"}, States: []state{"c"}, Days: []time.Time{when, when}, Comma: []string{"d", "e"}},
		{Words: []string{}, Own: words{}, OwnMap: pairs{}, OwnStruct: maybe{"no"}},
		{Levels: []level{1, 2}, Pointers: []*string{text}},
		{Own: words{"f", "g"}, OwnStruct: maybe{"yes"}, OwnMap: pairs{"a": "b"}},
	} {
		want, err := query.Values(o)
		require.NoError(t, err)
		got, err := s.Values(reflect.ValueOf(o))
		require.NoError(t, err)
		assert.Equal(t, want, got, "%+v", o)
	}
}

// TestValuesOfTheWhole checks types that are encoded as a whole: those that send
// something at their zero, and those with fields that cannot be set one by one.
func TestValuesOfTheWhole(t *testing.T) {
	type always struct {
		Name string `url:"name"`
		Size int    `url:"size,omitempty"`
	}
	type pointer struct {
		*exclusions
		Size int `url:"size,omitempty"`
	}
	type named struct {
		exclusions `url:"deep"`
		Size       int `url:"size,omitempty"`
	}
	for _, o := range []any{
		always{}, always{Size: 3}, pointer{}, pointer{&exclusions{"a"}, 3}, named{}, named{exclusions{"a"}, 3},
		struct{}{},
	} {
		s := Of(reflect.TypeOf(o))
		assert.Empty(t, s.fields, "%T", o)
		want, err := query.Values(o)
		require.NoError(t, err)
		got, err := s.Values(reflect.ValueOf(o))
		require.NoError(t, err)
		assert.Equal(t, want, got, "%+v", o)
	}
}

func TestConcurrentUse(t *testing.T) {
	s := Of(reflect.TypeFor[options]())
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			values, err := s.Values(reflect.ValueOf(options{Name: "a", Unnamed: 7}))
			assert.NoError(t, err)
			assert.Equal(t, url.Values{"name": {"a"}, "Unnamed": {"7"}}, values)
		})
	}
	all.Wait()
}
