// Fleet takes an inventory of every project of an instance, with several workers on
// several machines: the failed jobs, the oldest artifacts and the members whose access
// ends, as JSON lines. Redis holds the work, the results and the shared rate limit. Any
// process may be killed at any time; see README.md.
//
//	cd examples/fleet
//	go run .                       # everything in this process
//
//	export SERVICE_BASE_URL=https://service.example.com SERVICE_TOKEN=…
//	export REDIS_URL=redis://redis.example.com:6379
//	go run . -run 2026-11 -o inventory.jsonl   # on one machine
//	go run . -run 2026-11 -join                # on as many others as you like
package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"time"

	"github.com/redis/go-redis/v9"

	"example.com/serviceapi"
	"example.com/serviceapi/examples/internal/demo"
)

func main() { demo.Main("fleet", run) }

// A plan is what the flags say.
type plan struct {
	redis, run, file       string
	join, figures          bool
	workers, tasks, limit  int
	perPage, projects      int
	slack, patience, delay time.Duration
	pace                   pace
	written                func(projectJob) // nil but in tests
	// process is this program as another process.
	process func(env []string, args ...string) *exec.Cmd
}

func (p *plan) parse(args []string, notes io.Writer) error {
	flags := demo.Flags("fleet [flags]", notes)
	flags.StringVar(&p.redis, "redis", "", "host:port or redis:// `URL`; the default is $REDIS_URL, or an embedded one")
	flags.StringVar(&p.run, "run", "inventory", "the `name` of the run, under which it can go on")
	flags.StringVar(&p.file, "o", "", "write the inventory to this `file`")
	flags.BoolVar(&p.join, "join", false, "only help with a run that another process begins and ends")
	flags.IntVar(&p.workers, "workers", 3, "the workers of this process")
	flags.IntVar(&p.tasks, "tasks", 4, "the projects that a worker reads at once")
	flags.IntVar(&p.limit, "limit", 200, "the requests per second that all processes may send")
	flags.DurationVar(&p.slack, "slack", 100*time.Millisecond, "the longest that a request is on its way")
	flags.DurationVar(&p.patience, "patience", 10*time.Second, "how long a call waits for a silent Redis")
	flags.IntVar(&p.perPage, "page", 100, "the projects of a page")
	flags.BoolVar(&p.figures, "figures", false, "measure 1, 2 and 4 processes against an embedded service")
	flags.IntVar(&p.projects, "projects", 300, "the projects of an embedded service")
	flags.DurationVar(&p.delay, "latency", 0, "the latency of an embedded service")
	if err := demo.Parse(flags, args); err != nil {
		return err
	}
	if p.redis == "" {
		p.redis = os.Getenv("REDIS_URL") // not the flag's default, which the help shows
	}
	return p.check(flags.Args())
}

// A name of a run is part of keys in Redis.
var runName = regexp.MustCompile(`^[\w.-]+$`)

func (p *plan) check(rest []string) error {
	switch {
	case len(rest) > 0:
		return demo.Usage("unexpected argument %q", rest[0])
	case !runName.MatchString(p.run):
		return demo.Usage("-run must be letters, digits, dots, dashes and underscores")
	case min(p.workers, p.tasks, p.limit, p.perPage, p.projects) < 1 || p.perPage > 100:
		return demo.Usage("-workers, -tasks, -limit, -page and -projects must be positive, and -page at most 100")
	case p.slack <= 0 || p.patience <= 0:
		return demo.Usage("-slack and -patience must be positive")
	case p.join && (p.redis == "" || demo.Embedded()):
		return demo.Usage("-join needs the Redis and the service of the other processes: REDIS_URL, SERVICE_BASE_URL")
	}
	return nil
}

func run(ctx context.Context, args []string, out, notes io.Writer) error {
	p := plan{pace: usualPace, process: anotherProcess}
	if err := p.parse(args, notes); err != nil {
		return err
	}
	if p.figures {
		return p.measure(ctx, out, notes)
	}
	return p.start(ctx, out, notes)
}

func (p *plan) start(ctx context.Context, out, notes io.Writer) error {
	client, closeService, err := p.connect(notes)
	if err != nil {
		return err
	}
	defer closeService()
	db, closeRedis, err := p.openRedis(notes)
	if err != nil {
		return err
	}
	defer closeRedis()
	f, err := p.assemble(ctx, client, db)
	if err != nil {
		return err
	}
	return p.execute(ctx, f, out, notes)
}

// assemble makes this process's share of the run, whose client obeys the shared limit.
func (p *plan) assemble(ctx context.Context, client *serviceapi.Client, db redis.UniversalClient) (*fleet, error) {
	account, err := accountOf(ctx, client)
	if err != nil {
		return nil, err
	}
	b := newBudget(db, account, p.limit, p.slack)
	b.patience = p.patience
	client, err = client.With(serviceapi.WithLimiter(b), serviceapi.WithMiddleware(b.observe))
	if err != nil {
		return nil, err
	}
	f := newFleet(client, db, runOf(p.run, client.BaseURL()), p.perPage)
	f.pace, f.written = p.pace, p.written
	return f, nil
}

// runOf names a run in Redis. The same name at another instance is another run.
func runOf(name, baseURL string) string {
	return fmt.Sprintf("%s-%x", name, sha256.Sum256([]byte(baseURL)))[:len(name)+9]
}

// execute works until the run has ended, or until ctx ends. What this process has begun
// is finished in both cases.
func (p *plan) execute(ctx context.Context, f *fleet, out, notes io.Writer) error {
	log := &logger{out: notes}
	if !p.join {
		if err := f.begin(ctx); err != nil {
			return err
		}
	}
	err := f.workUntilEnd(ctx, p.workers, p.tasks, log)
	switch {
	case errors.Is(err, context.Canceled):
		return errors.New("stopped; start it again with the same -run to go on")
	case err != nil || p.join:
		return err
	}
	if err := p.save(ctx, f, out); err != nil {
		return err
	}
	return f.report(ctx, notes)
}

// save writes the inventory: to the file as a whole, or not at all.
func (p *plan) save(ctx context.Context, f *fleet, out io.Writer) error {
	if p.file == "" {
		return f.ledger.export(ctx, out)
	}
	file, err := os.CreateTemp(filepath.Dir(p.file), filepath.Base(p.file)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name()) // fails when it has been renamed
	err = errors.Join(f.ledger.export(ctx, file), file.Sync(), file.Close())
	if err != nil {
		return err
	}
	return os.Rename(file.Name(), p.file)
}

// workUntilEnd runs workers until no task is left.
func (f *fleet) workUntilEnd(ctx context.Context, workers, tasks int, log *logger) error {
	for range workers {
		stop, err := f.work(tasks, log)
		if err != nil {
			return err
		}
		defer stop()
	}
	return f.wait(ctx, log)
}

// report prints the summary. It is an error if a project is missing.
func (f *fleet) report(ctx context.Context, notes io.Writer) error {
	n, err := f.ledger.count(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(notes, "%d projects on %d pages; %d results, %d of them found again by a second attempt\n",
		n.listed, n.pages, n.results, n.repeated)
	failures, err := f.failures()
	if err != nil {
		return err
	}
	for _, failure := range failures {
		fmt.Fprintf(notes, "failed: %s: %s\n", failure.ID, failure.LastErr)
	}
	missing, err := f.ledger.missing(ctx)
	if err != nil {
		return err
	}
	if len(missing)+len(failures) > 0 {
		return fmt.Errorf("the inventory is not complete: %d tasks failed, %d projects are missing: %v",
			len(failures), len(missing), missing)
	}
	return nil
}
