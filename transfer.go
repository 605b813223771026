package serviceapi

import "time"

// Progress is the state of a download or an upload.
type Progress struct {
	// Done is the number of bytes transferred so far, counted from the beginning
	// of the content.
	Done int64
	// Total is the size of the content in bytes, -1 if it is not known.
	Total int64
}

// Fraction returns the fraction that is done, from 0 to 1. It returns 0 if the
// total is not known.
func (p Progress) Fraction() float64 {
	if p.Total <= 0 {
		return 0
	}
	return min(1, float64(p.Done)/float64(p.Total))
}

// progressInterval is the time between two reports of progress: short enough
// for a person, and long enough for a function that draws.
const progressInterval = 100 * time.Millisecond

// reporter reports the progress of a transfer to a caller's function. Its zero
// value reports nothing.
type reporter struct {
	report func(Progress)
	state  Progress
	// unsaid is set if the state was not reported yet.
	unsaid bool
	last   time.Time
}

// set notes a new state, and reports it unless it did so just now.
func (r *reporter) set(state Progress) {
	if r.report == nil || state == r.state && !r.last.IsZero() {
		return
	}
	r.state, r.unsaid = state, true
	if now := time.Now(); r.last.IsZero() || now.Sub(r.last) >= progressInterval {
		r.last = now
		r.end()
	}
}

// end reports the last state, unless that is done.
func (r *reporter) end() {
	if r.unsaid {
		r.unsaid = false
		r.report(r.state)
	}
}
