package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"example.com/serviceapi/bench"
)

// record is what a run found out.
type record struct {
	// Taken says when and on what machine, and Peer is the version of client-go.
	Taken  string   `json:"taken"`
	Go     string   `json:"go"`
	Peer   string   `json:"peer"`
	Quick  bool     `json:"quick,omitempty"`
	Rows   []row    `json:"rows"`
	Failed []string `json:"failed,omitempty"`
}

func newRecord(rows []row, failed []error, quick bool) record {
	r := record{Taken: machine(), Go: runtime.Version(), Peer: peerVersion(), Quick: quick}
	for _, line := range rows {
		for who, v := range line.Values {
			line.Values[who] = rounded(v)
		}
		line.Result = rounded(line.Result)
		r.Rows = append(r.Rows, line)
	}
	for _, err := range failed {
		r.Failed = append(r.Failed, err.Error())
	}
	return r
}

// rounded has four digits, more than anything that is shown.
func rounded(v float64) float64 {
	if v == 0 {
		return 0
	}
	scale := math.Pow(10, 3-math.Floor(math.Log10(math.Abs(v))))
	return math.Round(v*scale) / scale
}

func readRecord(path string) (r record, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return r, err
	}
	return r, json.Unmarshal(data, &r)
}

func (r record) write(path string) error {
	data, err := json.MarshalIndent(r, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(data, '\n'), 0o644)
}

// missed returns the names of the rows that miss their goals.
func (r record) missed() (names []string) {
	for _, line := range r.Rows {
		if line.Missed {
			names = append(names, fmt.Sprintf("%s: %s, %s, %s", line.Work, line.Metric, line.Shown, line.Goal))
		}
	}
	return names
}

// find returns the row of a work, whose name begins with the text, and of a metric.
func (r record) find(work string, m metric) (row, error) {
	for _, line := range r.Rows {
		if strings.HasPrefix(line.Work, work) && line.Metric == m {
			return line, nil
		}
	}
	return row{}, fmt.Errorf("there is no row %q with the %s", work, m)
}

// writeReport writes the table in Markdown, with what has to be known about it.
func (r record) writeReport(w io.Writer) error {
	b := bufio.NewWriter(w)
	if r.Quick {
		fmt.Fprint(b, "A quick run: fewer rounds and less work. Its rows say so, "+
			"and cannot be compared with those of a full run.\n\n")
	}
	fmt.Fprintf(b, "Medians; what is compared was measured in turns, and a result is the median over the rounds. "+
		"Taken on %s, with client-go %s.\n\n", r.Taken, r.Peer)
	r.writeTable(b)
	for _, err := range r.Failed {
		fmt.Fprintf(b, "\nFailed: %v\n", err)
	}
	return b.Flush()
}

func (r record) writeTable(w io.Writer) {
	head := []string{"work"}
	for _, who := range bench.Contenders {
		head = append(head, titles[who])
	}
	writeRow(w, append(head, "result", "goal", ""))
	writeRow(w, append([]string{"---"}, strings.Fields(strings.Repeat("---: ", len(bench.Contenders)+1)+"--- ---")...))
	for i := 0; i < len(r.Rows); {
		line := r.Rows[i : i+1]
		for i++; i < len(r.Rows) && r.Rows[i].Work == line[0].Work && r.Rows[i].Metric == line[0].Metric; i++ {
			line = line[:len(line)+1]
		}
		writeRow(w, cells(line))
	}
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
	text := fmt.Sprintf("%s with %s under %s/%s",
		time.Now().Format(time.DateOnly), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	if model := fieldOf("/proc/cpuinfo", "model name"); model != "" {
		text += ", " + model
	}
	text += fmt.Sprintf(", %d cores", runtime.NumCPU())
	if load, err := os.ReadFile("/proc/loadavg"); err == nil {
		text += ", load average at the end " + strings.Join(strings.Fields(string(load))[:3], " ")
	}
	return text
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
