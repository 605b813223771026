package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"example.com/serviceapi/bench"
)

// helloPrograms are the same small program, written with each contender.
var helloPrograms = map[bench.Contender]string{
	bench.Ours: "example.com/serviceapi/bench/report/hello/serviceapi",
	bench.Peer: "example.com/serviceapi/bench/report/hello/client-go",
	bench.Bare: "example.com/serviceapi/bench/report/hello/net-http",
}

// hello measures the time to build a small program, and its size.
func (l *lab) hello() []experiment {
	builder := &builder{}
	ways := map[bench.Contender]way{}
	for who, program := range helloPrograms {
		ways[who] = func(ctx context.Context) (sample, error) { return builder.build(ctx, program) }
	}
	return []experiment{{
		name:   "hello program, built with the standard library cached",
		rounds: l.rounds(3, 1),
		ways:   ways,
		goals:  []goal{over(binarySize, bench.Bare, 1.5e6), ratio(seconds, bench.Peer, 0.5)},
		close:  builder.close,
	}}
}

// builder builds programs, each with a fresh copy of a build cache that
// contains only the standard library.
type builder struct {
	dir string
}

func (b *builder) cache() string { return filepath.Join(b.dir, "standard-library") }

// prepare fills the cache with every standard package that the programs need.
func (b *builder) prepare(ctx context.Context) (err error) {
	if b.dir, err = os.MkdirTemp("", "serviceapi-bench-"); err != nil {
		return err
	}
	args := []string{"list", "-deps", "-f", "{{if .Standard}}{{.ImportPath}}{{end}}"}
	for _, program := range helloPrograms {
		args = append(args, program)
	}
	packages, err := b.run(ctx, os.Getenv("GOCACHE"), args...)
	if err != nil {
		return err
	}
	_, err = b.run(ctx, b.cache(), append([]string{"build"}, strings.Fields(packages)...)...)
	return err
}

func (b *builder) build(ctx context.Context, program string) (sample, error) {
	if b.dir == "" {
		if err := b.prepare(ctx); err != nil {
			return nil, err
		}
	}
	round, err := os.MkdirTemp(b.dir, "")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(round)
	cache, binary := filepath.Join(round, "cache"), filepath.Join(round, "hello")
	if err := os.CopyFS(cache, os.DirFS(b.cache())); err != nil {
		return nil, err
	}
	start := time.Now()
	if _, err := b.run(ctx, cache, "build", "-o", binary, program); err != nil {
		return nil, err
	}
	took := time.Since(start)
	info, err := os.Stat(binary)
	if err != nil {
		return nil, err
	}
	return sample{seconds: took.Seconds(), binarySize: float64(info.Size())}, nil
}

// run runs the go command with a build cache.
func (b *builder) run(ctx context.Context, cache string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Env = os.Environ()
	if cache != "" {
		cmd.Env = append(cmd.Env, "GOCACHE="+cache)
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	output, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w\n%s", args[0], err, stderr.Bytes())
	}
	return string(output), nil
}

func (b *builder) close() error { return os.RemoveAll(b.dir) }
