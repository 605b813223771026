package serviceapi

import (
	"context"
	"fmt"
	"iter"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// ownedList has the two forms of a list with several kinds of owners.
type ownedList[O, P, T any] struct {
	list func(context.Context, O, P, ...RequestOption) ([]T, *Response, error)
	all  func(context.Context, O, P, ...RequestOption) iter.Seq2[T, error]
}

// ownedExchanges are the requests of ownedList.wants.
func ownedExchanges(path, query, fixture string) []exchange {
	filtered := exchange{Method: "GET", Path: path, Query: query, Fixture: fixture}
	return []exchange{filtered, {Method: "GET", Path: path, Body: "[]"}, filtered}
}

// wants calls both forms with the options, which have a page size, and one form
// without options.
func (l ownedList[O, P, T]) wants(t *testing.T, owner O, options P, want []T) {
	t.Helper()
	items, _, err := l.list(t.Context(), owner, options)
	require.NoError(t, err)
	assert.Equal(t, want, items)

	var none P
	items, _, err = l.list(t.Context(), owner, none)
	require.NoError(t, err)
	assert.Empty(t, items)

	items, err = Collect(l.all(t.Context(), owner, options))
	require.NoError(t, err)
	assert.Equal(t, want, items)
}

// refuses checks that both forms refuse an argument before anything is sent.
func (l ownedList[O, P, T]) refuses(t *testing.T, argument string, options P, owners ...O) {
	t.Helper()
	for _, owner := range owners {
		_, _, err := l.list(t.Context(), owner, options)
		assertRefused(t, argument, err)
		_, err = Collect(l.all(t.Context(), owner, options))
		assertRefused(t, argument, err)
	}
}

// A pointer to a reference has the methods of the reference, so it compiles as
// an owner. But it may be nil.
var (
	somewhere  = ProjectID(4)
	someTeam   = GroupID(7)
	someone    = UserID(3)
	everything = Instance
	mine       = Own
)

func TestKindsOfOwners(t *testing.T) {
	for kind, owners := range map[string][]any{
		"project":       {ProjectID(1), ProjectPath("a/b"), ProjectRef{}},
		"group":         {GroupID(1), GroupPath("a"), GroupRef{}},
		"user":          {UserID(1), Username("a"), UserRef{}},
		"instance":      {Instance},
		"own":           {Own},
		"issue":         {IssueIn(ProjectID(1), 2), IssueRef{}},
		"merge_request": {MergeRequestIn(ProjectID(1), 2), MergeRequestRef{}},
		"snippet":       {SnippetIn(ProjectID(1), 2), SnippetRef{}}, "epic": {EpicIn(GroupID(1), 2), EpicRef{}},
		"commit": {CommitIn(ProjectID(1), "main"), CommitRef{}},
		"":       {nil, &somewhere, &someTeam, &someone, &everything, &mine, (*ProjectRef)(nil), int64(1), "a"},
	} {
		for _, owner := range owners {
			assert.Equal(t, kind, kindOfOwner(owner), "%T", owner)
		}
	}
}

func TestOptionsOfOtherOwnersAreRefused(t *testing.T) {
	type inner struct {
		Deep string `only:"own"`
	}
	type options struct {
		inner
		Free   int
		Narrow bool  `only:"project"`
		Wide   *bool `only:"instance,group"`
	}
	for _, test := range []struct {
		owner   any
		options any
		want    string
	}{
		{GroupID(1), &options{Free: 1}, ""},
		{GroupID(1), (*options)(nil), ""},
		{GroupID(1), nil, ""},
		{ProjectID(1), &options{Narrow: true}, ""},
		{ProjectID(1), options{Narrow: true}, ""},
		{GroupID(1), &options{Narrow: true},
			"serviceapi: Narrow has no effect for this owner: it applies only to a project"},
		{GroupID(1), &options{Wide: new(false)}, ""},
		{Instance, &options{Wide: new(false)}, ""},
		{Own, &options{Wide: new(false)},
			"serviceapi: Wide has no effect for this owner: it applies only to Instance or a group"},
		{Own, &options{inner: inner{Deep: "x"}}, ""},
		{UserID(1), &options{inner: inner{Deep: "x"}},
			"serviceapi: Deep has no effect for this owner: it applies only to Own"},
	} {
		err := ownedInput{test.owner, test.options, queryOf(nil)}.encode(&payload{types: new(typeFacts)})
		if test.want == "" {
			assert.NoError(t, err)
			continue
		}
		assert.EqualError(t, err, test.want)
	}
}

// TestOwnersWithoutIDPrintTheirName checks that Instance and Own are no numbers,
// which would print as 0 and could be converted from any other number.
func TestOwnersWithoutIDPrintTheirName(t *testing.T) {
	assert.Equal(t, "the instance, the caller", fmt.Sprintf("%v, %s", Instance, Own))
	for _, owner := range []any{Instance, Own} {
		assert.Equal(t, reflect.Struct, reflect.TypeOf(owner).Kind())
	}
}
