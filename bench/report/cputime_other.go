//go:build !unix

package main

import "time"

var started = time.Now()

// cpuTime is the time since the start, on systems without a better measure.
func cpuTime() time.Duration { return time.Since(started) }
