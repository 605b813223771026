package bench

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/serviceapi"
)

// growingLog is a job whose log has one more line each time somebody asks for the job.
type growingLog struct {
	lines  int
	ranges bool
	looks  int
	sent   atomic.Int64
}

const logLine = "The engine weaves algebraical patterns just as the loom weaves flowers and leaves.\n"

func (g *growingLog) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !strings.HasSuffix(r.URL.Path, "/trace") {
		state := "running"
		if g.looks++; g.looks >= g.lines {
			state = "success"
		}
		fmt.Fprintf(w, `{"id":8,"status":%q}`, state)
		return
	}
	log := strings.Repeat(logLine, min(g.looks, g.lines))
	if !g.ranges {
		r.Header.Del("Range")
	}
	http.ServeContent(counted{w, &g.sent}, r, "", time.Time{}, strings.NewReader(log))
}

type counted struct {
	http.ResponseWriter
	n *atomic.Int64
}

func (c counted) Write(p []byte) (int, error) {
	c.n.Add(int64(len(p)))
	return c.ResponseWriter.Write(p)
}

// BenchmarkFollow follows a log that grows, and says how many bytes the service sends
// for each byte of the log.
func BenchmarkFollow(b *testing.B) {
	const lines = 2000
	for name, ranges := range map[string]bool{"with ranges": true, "without ranges": false} {
		b.Run(name, func(b *testing.B) {
			var sent int64
			for b.Loop() {
				log := &growingLog{lines: lines, ranges: ranges}
				server := httptest.NewServer(log)
				client := NewOurs(server.URL, nil)
				every := serviceapi.WithPollInterval(time.Millisecond, time.Millisecond)
				got, err := serviceapi.Collect(client.Jobs.Follow(b.Context(), serviceapi.ProjectID(1), 8, every))
				client.CloseIdleConnections()
				server.Close()
				if err != nil || len(got) != lines {
					b.Fatal(len(got), err)
				}
				sent += log.sent.Load()
			}
			b.ReportMetric(float64(sent)/float64(b.N)/float64(lines*len(logLine)), "sent/byte")
		})
	}
}

// BenchmarkIdleConnections says how much heap an idle connection holds, with that of
// the server at its other end, which is the same for both.
func BenchmarkIdleConnections(b *testing.B) {
	const connections = 64
	tuned := func() *http.Client {
		t := http.DefaultTransport.(*http.Transport).Clone()
		t.MaxConnsPerHost, t.MaxIdleConnsPerHost, t.MaxIdleConns = connections, connections, 2*connections
		return &http.Client{Transport: t}
	}
	for who, get := range map[Contender]func(base string) Way{
		Ours: func(base string) Way {
			client := NewOurs(base, nil)
			return func(ctx context.Context) error {
				_, err := client.Do(ctx, http.MethodGet, serviceapi.Route("/x"), nil, nil)
				return err
			}
		},
		Bare: func(base string) Way {
			plain := NewPlain(base, tuned())
			return func(ctx context.Context) error { return plain.Call(ctx, http.MethodGet, "/x", nil, nil) }
		},
	} {
		b.Run(string(who), func(b *testing.B) {
			var held float64
			for b.Loop() {
				var together sync.WaitGroup
				together.Add(connections)
				server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
					together.Done()
					together.Wait() // so that each call needs a connection
					io.WriteString(w, "{}")
				}))
				do := get(server.URL)
				before := heapInUse()
				var calls sync.WaitGroup
				for range connections {
					calls.Go(func() {
						if err := do(b.Context()); err != nil {
							b.Error(err)
						}
					})
				}
				calls.Wait()
				held += float64(heapInUse()-before) / connections
				runtime.KeepAlive(do)
				server.Close()
			}
			b.ReportMetric(held/float64(b.N), "heap-B/connection")
		})
	}
}

func heapInUse() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
