//go:build !unix

package main

import "time"

var started = time.Now()

// cpuTime is the time since the start, where the system has no better measure.
func cpuTime() time.Duration { return time.Since(started) }
