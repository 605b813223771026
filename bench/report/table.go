package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"example.com/serviceapi/bench"
)

// writeReport writes the table in Markdown.
func writeReport(w io.Writer, rows [][]string, failed []error, quick bool) error {
	b := bufio.NewWriter(w)
	if quick {
		fmt.Fprint(b, "A quick run: fewer rounds and less work. Its rows say so, and cannot be compared with those "+
			"of a full run.\n\n")
	}
	fmt.Fprintf(b, "Medians; what is compared was measured in turns, "+
		"and a result is the median over the rounds. %s\n\n", machine())
	head := []string{"work"}
	for _, who := range bench.Contenders {
		head = append(head, titles[who])
	}
	head = append(head, "result", "goal", "")
	writeRow(b, head)
	writeRow(b, append([]string{"---"}, strings.Fields(strings.Repeat("---: ", len(bench.Contenders)+1)+"--- ---")...))
	for _, row := range rows {
		writeRow(b, row)
	}
	fmt.Fprintf(b, "\nclient-go is %s %s. Where no list or job is decoded, \"net/http alone\" is what the row says "+
		"in parentheses.\n",
		peerModule, peerVersion())
	for _, err := range failed {
		fmt.Fprintf(b, "\nFailed: %v\n", err)
	}
	return b.Flush()
}

func writeRow(w io.Writer, cells []string) { fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | ")) }

const peerModule = "gitlab.com/gitlab-org/api/client-go/v2"

func peerVersion() string {
	info, _ := debug.ReadBuildInfo()
	for _, dep := range info.Deps {
		if dep.Path == peerModule {
			return dep.Version
		}
	}
	return ""
}

// machine describes where and when the figures were taken.
func machine() string {
	text := fmt.Sprintf("%s, %s %s/%s", time.Now().Format(time.DateOnly), runtime.Version(), runtime.GOOS,
		runtime.GOARCH)
	if model := fieldOf("/proc/cpuinfo", "model name"); model != "" {
		text += ", " + model
	}
	text += fmt.Sprintf(", %d cores", runtime.NumCPU())
	if load, err := os.ReadFile("/proc/loadavg"); err == nil {
		text += ", load average at the end " + strings.Join(strings.Fields(string(load))[:3], " ")
	}
	return text + "."
}

// fieldOf returns the value of "name: value" in a file of /proc, or "" if there
// is none.
func fieldOf(path, name string) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(data)) {
		key, value, found := strings.Cut(line, ":")
		if found && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
