//go:build !race

// Package racing tells tests whether they run with the race detector.
package racing

// Enabled reports whether the tests run with the race detector.
const Enabled = false
