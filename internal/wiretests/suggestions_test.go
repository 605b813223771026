package wiretests

import (
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSuggestions(t *testing.T) {
	const whole = "suggestions/suggestion.json"
	client := onWire(t,
		exchange{Method: "PUT", Path: "/suggestions/36/apply", JSON: `{"commit_message":"m"}`, Fixture: whole},
		exchange{Method: "PUT", Path: "/suggestions/36/apply", JSON: `{}`, Fixture: whole},
		exchange{Method: "PUT", Path: "/suggestions/batch_apply", JSON: `{"ids":[36,37],"commit_message":"m"}`,
			Body: "[" + fixture(t, whole) + `,{"id":37}]`},
		exchange{Method: "PUT", Path: "/suggestions/batch_apply", JSON: `{"ids":[36]}`, Status: 404,
			Body: `{"message":"Suggestions are not applicable as one or more suggestions were not found."}`},
		exchange{Method: "PUT", Path: "/suggestions/batch_apply", JSON: `{"ids":[36]}`, Body: `[{"id":"x"}]`})
	s, ctx := client.Suggestions, t.Context()
	want := &serviceapi.NoteSuggestion{
		ID: 36, FromLine: 10, ToLine: 11, Appliable: true, Applied: true, FromContent: "    a\n", ToContent: "    b\n",
	}
	for _, options := range []serviceapi.ApplySuggestionOptions{{CommitMessage: new("m")}, {}} {
		got, _, err := s.Apply(ctx, 36, options)
		require.NoError(t, err)
		assert.Equal(t, want, got)
		assertFilled(t, got)
	}
	got, _, err := s.ApplyTogether(ctx, serviceapi.ApplySuggestionsOptions{
		IDs: []int64{36, 37}, CommitMessage: new("m"),
	})
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.NoteSuggestion{want, {ID: 37}}, got)
	got, resp, err := s.ApplyTogether(ctx, serviceapi.ApplySuggestionsOptions{IDs: []int64{36}})
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	assert.Equal(t, 404, resp.StatusCode)
	assert.Nil(t, got)
	got, _, err = s.ApplyTogether(ctx, serviceapi.ApplySuggestionsOptions{IDs: []int64{36}})
	var problem *serviceapi.DecodeError
	require.ErrorAs(t, err, &problem)
	assert.True(t, problem.Partial)
	assert.Equal(t, []*serviceapi.NoteSuggestion{{}}, got)
	assertRefused(t, "IDs", errorOf(s.ApplyTogether(ctx, serviceapi.ApplySuggestionsOptions{})))
	assertRefused(t, "id", errorOf(s.Apply(ctx, 0, serviceapi.ApplySuggestionOptions{})))
}
