package pace

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestBudgetCounts checks what a budget lends and what is paid back, step by
// step.
func TestBudgetCounts(t *testing.T) {
	b := NewBudget(2)
	b.give()
	assert.Zero(t, b.Debt(), "nothing is owed, nothing is paid")
	assert.True(t, b.Take())
	assert.True(t, b.Take())
	assert.False(t, b.Take(), "it is spent")
	b.Begin()
	assert.True(t, b.Take(), "one for the call under way")
	assert.False(t, b.Take())
	assert.EqualValues(t, 3, b.Debt())
	b.give()
	assert.EqualValues(t, 2, b.Debt())
	assert.True(t, b.Take())
	assert.False(t, NewBudget(0).Take())
	b.End()
	assert.Zero(t, b.InProgress())
}
