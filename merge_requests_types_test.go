package serviceapi

import (
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestIssueID(t *testing.T) {
	for text, want := range map[string]struct {
		id     IssueID
		string string
	}{
		`76`:            {IssueID{Number: 76}, "76"},
		`"PROJECT-123"`: {IssueID{Key: "PROJECT-123"}, "PROJECT-123"},
		`"14"`:          {IssueID{Key: "14"}, "14"},
	} {
		id := IssueID{Number: 1, Key: "old"}
		require.NoError(t, json.Unmarshal([]byte(text), &id), text)
		assert.Equal(t, want.id, id, text)
		assert.Equal(t, want.string, id.String(), text)
		assert.Equal(t, text[0] == '"', id.External(), text)
		data, err := json.Marshal(id)
		require.NoError(t, err)
		assert.Equal(t, text, string(data))
	}
	assert.Error(t, json.Unmarshal([]byte(`{}`), new(IssueID)))
	assert.Error(t, json.Unmarshal([]byte(`1.5`), new(IssueID)))
}

func TestChangesCount(t *testing.T) {
	for text, want := range map[string]struct {
		count ChangesCount
		n     int
		exact bool
	}{
		`"17"`:    {"17", 17, true},
		`17`:      {"17", 17, true},
		`"1000+"`: {"1000+", 1000, false},
		`null`:    {"", 0, false},
		`""`:      {"", 0, false},
		`"many"`:  {"many", 0, false},
	} {
		count := ChangesCount("old")
		require.NoError(t, json.Unmarshal([]byte(text), &count), text)
		assert.Equal(t, want.count, count, text)
		n, exact := count.Number()
		assert.Equal(t, want.n, n, text)
		assert.Equal(t, want.exact, exact, text)
	}
	assert.Error(t, json.Unmarshal([]byte(`[]`), new(ChangesCount)))
}

func TestLabel(t *testing.T) {
	whole := LabelSummary{Name: "bug", Color: "#ff0000", TextColor: "#000000", Description: "A bug", DescriptionHTML: "<p>A bug</p>"}
	data, err := json.Marshal(whole)
	require.NoError(t, err)
	var back LabelSummary
	require.NoError(t, json.Unmarshal(data, &back))
	assert.Equal(t, whole, back)
	require.NoError(t, json.Unmarshal([]byte(`"bug"`), &back))
	assert.Equal(t, LabelSummary{Name: "bug"}, back, "nothing is left of what stood there before")
	assert.Error(t, json.Unmarshal([]byte(`7`), &back))
}
