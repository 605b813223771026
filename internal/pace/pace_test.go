package pace

import (
	"testing"
	"testing/synctest"
	"time"

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

// TestPauses checks that the longest pause applies, that past ones are
// forgotten, and that keys are independent.
func TestPauses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var p Pauses
		a, b, c := Key{Operation: "a"}, Key{Operation: "b"}, Key{Operation: "c"}
		assert.Zero(t, p.Left(a))
		p.Add(a, 10*time.Second)
		p.Add(a, 5*time.Second)
		assert.Equal(t, 10*time.Second, p.Left(a), "a shorter one does not end it")
		assert.Zero(t, p.Left(b))
		p.Add(a, 20*time.Second)
		assert.Equal(t, 20*time.Second, p.Left(a))
		p.Add(b, 30*time.Second)
		assert.EqualValues(t, 2, p.Len())
		time.Sleep(20 * time.Second)
		assert.Zero(t, p.Left(a))
		assert.EqualValues(t, 1, p.Len())
		assert.Equal(t, 10*time.Second, p.Left(b))
		p.Add(a, time.Second)
		time.Sleep(11 * time.Second)
		p.Add(c, time.Second)
		assert.EqualValues(t, 1, p.Len(), "others that are over go, too")
		assert.Equal(t, map[Key]time.Time{c: time.Now().Add(time.Second)}, p.until)
		time.Sleep(time.Hour)
		assert.Zero(t, p.Left(c))
		assert.Zero(t, p.Left(c))
		assert.Zero(t, p.Len())
	})
}
