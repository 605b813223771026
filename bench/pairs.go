package bench

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"example.com/serviceapi"
)

// Pair is a call of this library, and the same with something that costs more.
type Pair struct {
	Name          string
	Usual, Costly Way
}

// Pairs returns the pairs, which need no server.
func Pairs() []Pair { return []Pair{oddValue(), bodyField(), ownType()} }

// oddValue is a page of jobs of which the one in the middle has a value of the wrong kind,
// for which the page is decoded again.
func oddValue() Pair {
	page := Jobs(1, 100)
	read := func(body string, odd bool) Way {
		c := newMemory(http.StatusOK, body).clients()
		return func(ctx context.Context) error {
			jobs, _, err := c.ours.Jobs.List(ctx, serviceapi.ProjectID(1), nil)
			decode, found := errors.AsType[*serviceapi.DecodeError](err)
			if len(jobs) != 100 || found != odd || odd && !decode.Partial {
				return errors.Join(errors.New("the page was not read as it is"), err)
			}
			return nil
		}
	}
	first, second := page[:len(page)/2], page[len(page)/2:]
	odd := first + strings.Replace(second, `"allow_failure":false`, `"allow_failure":"odd"`, 1)
	return Pair{"OddValue", read(page, false), read(odd, true)}
}

// ownType is a job that is decoded into a type of the caller, by the rules of encoding/json.
func ownType() Pair {
	c := newMemory(http.StatusOK, JobJSON()).clients()
	job := serviceapi.Route("/projects/:id/jobs/:job_id", serviceapi.ProjectID(1), 8)
	return Pair{"OwnType", func(ctx context.Context) error {
		_, _, err := c.ours.Jobs.Get(ctx, serviceapi.ProjectID(1), 8)
		return err
	}, func(ctx context.Context) error {
		_, err := c.ours.Do(ctx, http.MethodGet, job, nil, PlainJob())
		return err
	}}
}

// bodyField is a commit of 1 MB, with a parameter that its options have no field for.
func bodyField() Pair {
	c := newMemory(http.StatusCreated, CommitJSON()).clients()
	content := []byte(strings.Repeat("The engine weaves algebraical patterns.\n", 1<<20/40))
	options := serviceapi.CreateCommitOptions{
		Branch: "main", CommitMessage: "weave",
		Actions: []serviceapi.CommitAction{serviceapi.CreateFileAction("a.txt", content)},
	}
	create := func(opts ...serviceapi.RequestOption) Way {
		return func(ctx context.Context) error {
			_, _, err := c.ours.Commits.Create(ctx, serviceapi.ProjectID(1), options, opts...)
			return err
		}
	}
	return Pair{"BodyField", create(), create(serviceapi.WithBodyField("newer", true))}
}
