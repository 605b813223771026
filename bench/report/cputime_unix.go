//go:build unix

package main

import (
	"syscall"
	"time"
)

// cpuTime is the time that all threads of the process have worked. Other
// programs on the machine do not count in it, the garbage collector does.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
