package main

import (
	"fmt"
	"strings"
)

// format writes a value of a metric with its unit.
func format(m metric, v float64) string {
	switch m {
	case memory, memoryOver, heap:
		return fmt.Sprintf("%.1f MiB", v/(1<<20))
	case idleHeap, resultHeap:
		return fmt.Sprintf("%.1f KiB", v/(1<<10))
	case binarySize:
		return fmt.Sprintf("%.2f MB", v/1e6)
	case sentPerByte, sentWhole:
		return fmt.Sprintf("%.3g", v)
	case excess:
		return formatSeconds(v)
	}
	for _, kind := range []metric{seconds, cpuSeconds, initTime} {
		if strings.HasPrefix(string(m), string(kind)) { // also "time over HTTP/2"
			return formatSeconds(v)
		}
	}
	return formatCount(v)
}

func formatSeconds(v float64) string {
	switch {
	case v >= 1:
		return fmt.Sprintf("%.2f s", v)
	case v >= 1e-3 || v <= -1e-3:
		return fmt.Sprintf("%.3g ms", v*1e3)
	}
	return fmt.Sprintf("%.3g µs", v*1e6)
}

func formatCount(v float64) string {
	text := fmt.Sprintf("%.0f", v)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
