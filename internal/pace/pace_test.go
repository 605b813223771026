package pace

import (
	"fmt"
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

func job(project int) Call {
	return Call{Credential: "x", Method: "GET", Operation: "/projects/:id/jobs",
		Path: fmt.Sprintf("/projects/%d/jobs", project)}
}

func issue(project int) Call {
	return Call{Credential: "x", Method: "GET", Operation: "/projects/:id/issues",
		Path: fmt.Sprintf("/projects/%d/issues", project)}
}

// TestPauses checks that the longest pause applies, that past ones are
// forgotten, and that URLs are independent at first.
func TestPauses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var p Pauses
		assert.True(t, p.None())
		assert.Zero(t, p.Left(job(1)))
		p.Succeeded(job(1), time.Time{})
		p.Add(job(1), "", 10*time.Second)
		p.Add(job(1), "", 5*time.Second)
		assert.Equal(t, 10*time.Second, p.Left(job(1)), "a shorter one does not end it")
		assert.Zero(t, p.Left(job(2)))
		p.Add(job(1), "", 20*time.Second)
		assert.Equal(t, 20*time.Second, p.Left(job(1)))
		p.Add(job(2), "", 30*time.Second)
		assert.Equal(t, 2, p.Len())
		time.Sleep(20 * time.Second)
		assert.Zero(t, p.Left(job(1)))
		assert.Equal(t, 1, p.Len())
		assert.Equal(t, 10*time.Second, p.Left(job(2)))
		time.Sleep(time.Hour)
		assert.Zero(t, p.Left(job(2)))
		assert.True(t, p.None())
		assert.Empty(t, p.until)
		assert.Empty(t, p.rows)
	})
}

// TestPausesBecomeWider checks that the scope of a limit is learned from refusals
// in a row, and only from these.
func TestPausesBecomeWider(t *testing.T) {
	other := job(1)
	other.Credential = "y"
	synctest.Test(t, func(t *testing.T) {
		var p Pauses
		for n := range 3 {
			assert.Zero(t, p.Left(job(9)), "after %d", n)
			p.Add(job(n), "", time.Minute)
			p.Add(job(n), "", time.Minute)
		}
		assert.Equal(t, time.Minute, p.Left(job(9)), "all of the endpoint")
		assert.Zero(t, p.Left(issue(9)))
		for n := range 3 {
			p.Add(issue(n), "", time.Minute)
		}
		assert.Zero(t, p.Left(Call{Credential: "x"}), "two endpoints are not three")
		for n := range 3 {
			call := issue(n)
			call.Method = "HEAD"
			p.Add(call, "", 2*time.Minute)
		}
		assert.Equal(t, 2*time.Minute, p.Left(Call{Credential: "x"}), "all of the credential")
		assert.Zero(t, p.Left(other))
	})
	synctest.Test(t, func(t *testing.T) {
		var p Pauses
		for n := range 20 {
			p.Add(job(n), "", time.Minute)
			p.Succeeded(job(100+n), time.Time{})
		}
		assert.Zero(t, p.Left(job(50)), "others succeed: each project has its own limit")
	})
	synctest.Test(t, func(t *testing.T) {
		var p Pauses
		p.Add(job(1), "per_user", time.Minute)
		p.Add(job(2), "per_project", time.Minute)
		assert.Zero(t, p.Left(job(9)), "two limits")
		p.Add(job(3), "per_project", time.Minute)
		assert.Equal(t, time.Minute, p.Left(job(9)), "one limit, by name")
	})
}

// TestSuccessEndsPauses checks that a call which is accepted during a pause ends it, in every scope
// that the call is in, unless the call was sent before the pause began.
func TestSuccessEndsPauses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var p Pauses
		before := time.Now()
		time.Sleep(time.Second)
		for n := range 3 {
			p.Add(job(n), "", time.Hour)
		}
		time.Sleep(time.Second)
		p.Succeeded(job(9), before)
		assert.Equal(t, time.Hour-time.Second, p.Left(job(9)))
		p.Succeeded(job(9), time.Time{})
		assert.NotZero(t, p.Left(job(9)))
		p.Succeeded(job(9), time.Now())
		assert.Zero(t, p.Left(job(9)), "all of the endpoint")
		assert.NotZero(t, p.Left(job(1)), "its own")
		p.Succeeded(job(1), time.Now())
		assert.Zero(t, p.Left(job(1)))
		assert.Equal(t, 2, p.Len())
	})
}
