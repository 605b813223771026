package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// measure prints how long an inventory takes with 1, 2 and 4 processes of one worker
// each. The service is in this process, and so is Redis, unless the flags name one.
func (p *plan) measure(ctx context.Context, out, notes io.Writer) error {
	fmt.Fprintf(out, "| workers | time | ideal | requests/s | in the busiest second | refused |\n")
	fmt.Fprintf(out, "| --- | --- | --- | --- | --- | --- |\n")
	for _, n := range []int{1, 2, 4} {
		fmt.Fprintf(notes, "%d of 4 workers\n", n)
		if err := p.measureWith(ctx, n, out, notes); err != nil {
			return err
		}
	}
	return nil
}

func (p *plan) measureWith(ctx context.Context, n int, out, notes io.Writer) error {
	service, err := p.startService()
	if err != nil {
		return err
	}
	defer service.Close()
	one := *p
	one.run = fmt.Sprintf("figures-%d-%d", n, time.Now().Unix())
	if one.redis == "" {
		server, err := startRedis()
		if err != nil {
			return err
		}
		defer server.stop()
		one.redis = server.address
	}
	began := time.Now()
	if err := one.employ(ctx, service, n, notes); err != nil {
		return err
	}
	took := time.Since(began)

	requests, refused := service.Requests(), 0
	for _, request := range requests {
		if request.Status == http.StatusTooManyRequests {
			refused++
		}
	}
	ideal := time.Duration(len(requests)) * time.Second / time.Duration(p.limit)
	fmt.Fprintf(out, "| %d | %.1f s | %.1f s | %.0f | %d | %d |\n", n, took.Seconds(), ideal.Seconds(),
		float64(len(requests))/took.Seconds(), busiest(requests), refused)
	return nil
}

// employ begins a run, and waits until n processes have ended it.
func (p *plan) employ(ctx context.Context, service *servicetest.Service, n int, notes io.Writer) error {
	client, err := serviceapi.NewClient(service.URL(), serviceapi.PrivateToken(service.AdminToken()))
	if err != nil {
		return err
	}
	db, closeRedis, err := p.openRedis(notes)
	if err != nil {
		return err
	}
	defer closeRedis()
	f, err := p.assemble(ctx, client, db)
	if err != nil {
		return err
	}
	if err := f.begin(ctx); err != nil {
		return err
	}
	env := []string{
		"SERVICE_BASE_URL=" + service.URL(), "SERVICE_TOKEN=" + service.AdminToken(), "SERVICE_OAUTH_TOKEN=",
		"REDIS_URL=" + p.redis,
	}
	for range n {
		worker := p.process(env, "-join", "-run", p.run, "-workers", "1",
			"-tasks", strconv.Itoa(p.tasks), "-page", strconv.Itoa(p.perPage),
			"-limit", strconv.Itoa(p.limit), "-slack", p.slack.String())
		if err := worker.Start(); err != nil {
			return err
		}
		defer worker.Wait()
		defer worker.Process.Kill()
	}
	if err := f.wait(ctx, &logger{out: io.Discard}); err != nil {
		return err
	}
	return f.report(ctx, notes)
}

// anotherProcess is this program, started with other variables and arguments.
func anotherProcess(env []string, args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), env...)
	return cmd
}

// busiest returns the most requests that arrived within a second, any second.
func busiest(requests []servicetest.Request) int {
	most, first := 0, 0
	for i, request := range requests {
		for request.At.Sub(requests[first].At) >= time.Second {
			first++
		}
		most = max(most, i-first+1)
	}
	return most
}
