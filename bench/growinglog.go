package bench

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"time"
)

// GrowingLog is the service of a job whose log has one more line each time somebody asks
// for the job. It serves one client.
type GrowingLog struct {
	Lines int
	// Ranges is set if the service takes requests for a part of the log.
	Ranges bool
	// Sent is how many bytes of the log were sent.
	Sent  atomic.Int64
	looks int
}

const logLine = "The engine weaves algebraical patterns just as the loom weaves flowers and leaves.\n"

// Size is the length of the whole log.
func (g *GrowingLog) Size() int { return g.Lines * len(logLine) }

func (g *GrowingLog) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !strings.HasSuffix(r.URL.Path, "/trace") {
		state := "running"
		if g.looks++; g.looks >= g.Lines {
			state = "success"
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"id":8,"status":%q}`, state)
		return
	}
	log := strings.Repeat(logLine, min(g.looks, g.Lines))
	if !g.Ranges {
		r.Header.Del("Range")
	}
	w.Header().Set("Content-Type", "text/plain")
	http.ServeContent(counted{w, &g.Sent}, r, "", time.Time{}, strings.NewReader(log))
}

// counted counts the bytes of a body.
type counted struct {
	http.ResponseWriter
	n *atomic.Int64
}

func (c counted) Write(p []byte) (int, error) {
	c.n.Add(int64(len(p)))
	return c.ResponseWriter.Write(p)
}
