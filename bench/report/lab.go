package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"slices"

	"example.com/serviceapi/bench"
)

// lab has what experiments need.
type lab struct {
	self    string // the path of this program
	quick   bool
	base    string // where the service is
	tls     string // the same with TLS
	http2   string // the same with HTTP/2
	control string // where it returns its statistics
	server  *exec.Cmd
	stdin   io.Closer
}

const (
	serveFlag    = "serve"
	transferFlag = "transfer"
)

// newLab starts the service.
func newLab(ctx context.Context, quick bool) (*lab, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	l := &lab{self: self, quick: quick}
	l.server = exec.CommandContext(ctx, self, "-"+serveFlag)
	l.server.Stderr = os.Stderr
	stdout, err := l.server.StdoutPipe()
	if err != nil {
		return nil, err
	}
	// The service ends when its standard input is closed, however this process
	// ends.
	if l.stdin, err = l.server.StdinPipe(); err != nil {
		return nil, err
	}
	if err := l.server.Start(); err != nil {
		return nil, err
	}
	err = l.readAddresses(stdout)
	if err == nil {
		err = l.warm(ctx)
	}
	if err != nil {
		l.close()
		return nil, err
	}
	return l, nil
}

// warm asks for a page of each kind of list, because the service makes the pages when it
// is first asked.
func (l *lab) warm(ctx context.Context) error {
	client := bench.NewPlain(l.base, nil)
	for _, project := range []int{listProject(1, 0), zippedProjects + listProject(1, 0)} {
		if err := client.Call(ctx, http.MethodGet, walk{project: project}.path(0), nil, nil); err != nil {
			return err
		}
	}
	return nil
}

func (l *lab) readAddresses(stdout io.Reader) error {
	if _, err := fmt.Fscan(bufio.NewReader(stdout), &l.base, &l.tls, &l.http2, &l.control); err != nil {
		return fmt.Errorf("the service did not start: %w", err)
	}
	return nil
}

func (l *lab) close() {
	l.stdin.Close()
	l.server.Wait()
}

// withoutService returns the experiments that need no service.
func (l *lab) withoutService() []experiment {
	return slices.Concat(l.inMemory(), l.pairs(), l.results())
}

// experiments returns all experiments. Those of a quick run have different
// names, so that the two are not compared.
func (l *lab) experiments() []experiment {
	all := slices.Concat(
		l.withoutService(), l.pages(), l.lines(), l.scale(), l.held(), l.follow(), l.transfers(), l.crowd(),
		l.protocols(), l.rateLimits(), l.failing(), l.start(), l.hello(),
	)
	if l.quick {
		for i := range all {
			all[i].name = "quick: " + all[i].name
		}
	}
	return all
}

// rounds is the number of times each contender does its work.
func (l *lab) rounds(full, quick int) int {
	if l.quick {
		return quick
	}
	return full
}

// statistics are what the service counts.
type statistics struct {
	Connections int64
	Requests    int64
}

// counted calls a function, and returns what the service counted in the
// meantime.
func (l *lab) counted(ctx context.Context, do func() error) (statistics, error) {
	before, err := l.statistics(ctx)
	if err != nil {
		return statistics{}, err
	}
	if err := do(); err != nil {
		return statistics{}, err
	}
	after, err := l.statistics(ctx)
	return statistics{after.Connections - before.Connections, after.Requests - before.Requests}, err
}

func (l *lab) statistics(ctx context.Context) (s statistics, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, l.control, nil)
	if err != nil {
		return s, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return s, err
	}
	defer resp.Body.Close()
	return s, json.NewDecoder(resp.Body).Decode(&s)
}
