package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"example.com/serviceapi/bench"
)

// What the first version of this library took to start: its packages, without those that
// it uses.
const (
	firstStart  = 100e-6
	firstAllocs = 121
)

// start measures what a program pays before its first call: the variables of the packages,
// and a client.
func (l *lab) start() []experiment {
	s := &starter{base: l.base}
	count := l.rounds(2000, 200)
	newOurs := func() { bench.NewOurs("https://service.test", nil) }
	newPeer := func() { bench.NewPeer("https://service.test", nil) }
	return []experiment{{
		name:   "start of a program and NewClient, without dependencies",
		rounds: l.rounds(15, 3),
		ways: map[bench.Contender]way{
			bench.Ours: s.started(bench.Ours, "example.com/serviceapi", count, newOurs),
			bench.Peer: s.started(bench.Peer, "gitlab.com/gitlab-org/api/client-go", count, newPeer),
		},
		goals: []goal{limit(initTime, firstStart), limit(initAllocs, firstAllocs)},
		close: s.close,
	}}
}

// starter runs the hello programs, which it builds when they are first needed.
type starter struct{ base, dir string }

func (s *starter) close() error { return os.RemoveAll(s.dir) }

func (s *starter) program(ctx context.Context, who bench.Contender) (path string, err error) {
	if s.dir == "" {
		if s.dir, err = os.MkdirTemp("", "serviceapi-bench-"); err != nil {
			return "", err
		}
	}
	path = filepath.Join(s.dir, string(who))
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	_, err = new(builder).run(ctx, os.Getenv("GOCACHE"), "build", "-o", path, helloPrograms[who])
	return path, err
}

// started adds what the runtime says of the packages of a module and what a client costs.
func (s *starter) started(who bench.Contender, module string, count int, newClient func()) way {
	return func(ctx context.Context) (sample, error) {
		program, err := s.program(ctx, who)
		if err != nil {
			return nil, err
		}
		cmd := exec.CommandContext(ctx, program, s.base, "none")
		cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
		var trace bytes.Buffer
		cmd.Stderr = &trace
		// The service has no user, so that the program fails, after its start.
		if err := cmd.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
			return nil, err
		}
		spent, allocs, err := initOf(trace.String(), module)
		if err != nil {
			return nil, err
		}
		call := func(context.Context) error { newClient(); return nil }
		made, err := repeated(call, func() (int, error) { return count, nil })(ctx)
		return sample{
			initTime: spent.Seconds() + made[cpuSeconds], initAllocs: allocs + made[allocations],
		}, err
	}
}

var initLine = regexp.MustCompile(`(?m)^init (\S+) @[\d.]+ ms, ([\d.]+) ms clock, \d+ bytes, (\d+) allocs$`)

// initOf adds the lines about a module of what GODEBUG=inittrace=1 prints.
func initOf(trace, module string) (spent time.Duration, allocs float64, err error) {
	found := 0
	for _, match := range initLine.FindAllStringSubmatch(trace, -1) {
		if match[1] != module && !strings.HasPrefix(match[1], module+"/") {
			continue
		}
		found++
		ms, _ := strconv.ParseFloat(match[2], 64)
		n, _ := strconv.ParseFloat(match[3], 64)
		spent, allocs = spent+time.Duration(ms*float64(time.Millisecond)), allocs+n
	}
	if found == 0 {
		err = fmt.Errorf("the start of %s was not traced", module)
	}
	return spent, allocs, err
}
