//go:build unix

package main

import (
	"syscall"
	"time"
)

// cpuTime is the CPU time of all threads of the process. It includes the
// garbage collector, but not other programs on the machine.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
