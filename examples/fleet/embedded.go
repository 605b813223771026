package main

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"

	"example.com/serviceapi"
	"example.com/serviceapi/examples/internal/demo"
	"example.com/serviceapi/servicetest"
)

// connect returns a client of the service that the environment names, or of an embedded
// one.
func (p *plan) connect(notes io.Writer) (*serviceapi.Client, func(), error) {
	if !demo.Embedded() {
		client, err := serviceapi.FromEnv()
		return client, func() {}, err
	}
	service, err := p.startService()
	if err != nil {
		return nil, nil, err
	}
	fmt.Fprintf(notes, "SERVICE_BASE_URL is not set: this is an embedded service with %d projects.\n", p.projects)
	client, err := serviceapi.NewClient(service.URL(), serviceapi.PrivateToken(service.AdminToken()))
	return client, service.Close, err
}

// startService starts a service that enforces the limit.
func (p *plan) startService() (*servicetest.Service, error) {
	service, err := servicetest.Start(servicetest.WithClock(time.Now), servicetest.WithRecordedRequests(100_000))
	if err != nil {
		return nil, err
	}
	fill(service, p.projects)
	enforce(service, p.limit)
	if p.delay > 0 {
		service.Fault("*", servicetest.Delay(p.delay))
	}
	return service, nil
}

// fill makes projects. Some have jobs that failed, artifacts, and members whose access
// ends.
func fill(service *servicetest.Service, projects int) {
	ada, grace := service.User("ada"), service.User("grace")
	for n := range projects {
		project := service.Project(fmt.Sprintf("team-%02d/app-%d", n%20, n), servicetest.Member(ada, servicetest.Owner))
		if n%3 == 0 {
			until := service.Now().AddDate(0, 0, 1+n%90)
			project.AddMember(grace, servicetest.Developer, servicetest.MemberUntil(until))
		}
		pipeline := project.Pipeline("main")
		pipeline.Job("build", servicetest.Archive(map[string]string{"report.txt": "all well"}))
		for range n % 4 {
			pipeline.Job("test", servicetest.Failed("script_failure"))
		}
	}
}

// enforce makes a service refuse what exceeds a limit in any second.
func enforce(service *servicetest.Service, perSecond int) {
	var mu sync.Mutex
	var recent []time.Time
	service.Fault("*", servicetest.RateLimit(time.Second), servicetest.If(func(*http.Request) bool {
		mu.Lock()
		defer mu.Unlock()
		now := time.Now()
		for len(recent) > 0 && now.Sub(recent[0]) >= time.Second {
			recent = recent[1:]
		}
		recent = append(recent, now)
		return len(recent) > perSecond
	}))
}

// openRedis returns a client of the Redis that the flags name, or of an embedded one.
func (p *plan) openRedis(notes io.Writer) (redis.UniversalClient, func(), error) {
	address, stop := p.redis, func() {}
	if address == "" {
		server, err := startRedis()
		if err != nil {
			return nil, nil, err
		}
		fmt.Fprintln(notes, "Without -redis, this is an embedded one, which forgets the run at the end.")
		address, stop = server.address, server.stop
	}
	db, err := dialRedis(address)
	if err != nil {
		stop()
		return nil, nil, err
	}
	return db, func() { db.Close(); stop() }, nil
}

// dialRedis returns a client of the Redis at host:port or at a URL.
func dialRedis(address string) (redis.UniversalClient, error) {
	if !strings.Contains(address, "://") {
		address = "redis://" + address
	}
	options, err := redis.ParseURL(address)
	if err != nil {
		return nil, demo.Usage("the address of Redis is not valid") // it may contain a password
	}
	options.ContextTimeoutEnabled = true
	options.DialTimeout = 2 * time.Second
	options.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	return redis.NewClient(options), nil
}

// An embeddedRedis runs in this process.
type embeddedRedis struct {
	address string
	stop    func()
}

func startRedis() (*embeddedRedis, error) {
	server, err := miniredis.Run()
	if err != nil {
		return nil, err
	}
	done := make(chan struct{})
	go func() {
		// Its keys expire only when it is told that time has passed.
		for tick := time.Tick(time.Second); ; {
			select {
			case <-tick:
				server.FastForward(time.Second)
			case <-done:
				return
			}
		}
	}()
	return &embeddedRedis{server.Addr(), sync.OnceFunc(func() { close(done); server.Close() })}, nil
}
