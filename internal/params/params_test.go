package params

import (
	"errors"
	"net/url"
	"reflect"
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
