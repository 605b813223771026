//go:build race

package racing

// Enabled reports whether the tests run with the race detector.
const Enabled = true
