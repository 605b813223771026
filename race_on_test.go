//go:build race

package serviceapi

// raceDetector reports whether the tests run with the race detector.
const raceDetector = true
