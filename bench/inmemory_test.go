package bench

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"example.com/serviceapi"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func BenchmarkInMemory(b *testing.B) {
	for _, c := range InMemory() {
		b.Run(c.Name, func(b *testing.B) {
			for _, who := range Contenders {
				b.Run(string(who), func(b *testing.B) { loop(b, c.Ways[who]) })
			}
		})
	}
}

func loop(b *testing.B, do Way) {
	b.ReportAllocs()
	for b.Loop() {
		if err := do(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkBodyField sends a commit of 1 MB, and the same with a parameter that its
// options have no field for.
func BenchmarkBodyField(b *testing.B) {
	c := memory{201, CommitJSON()}.clients()
	content := []byte(strings.Repeat("The engine weaves algebraical patterns.\n", 1<<20/40))
	options := serviceapi.CreateCommitOptions{
		Branch: "main", CommitMessage: "weave",
		Actions: []serviceapi.CommitAction{serviceapi.CreateFileAction("a.txt", content)},
	}
	for name, opts := range map[string][]serviceapi.RequestOption{
		"without": nil, "with": {serviceapi.WithBodyField("newer", true)},
	} {
		b.Run(name, func(b *testing.B) {
			loop(b, func(ctx context.Context) error {
				_, _, err := c.ours.Commits.Create(ctx, serviceapi.ProjectID(1), options, opts...)
				return err
			})
		})
	}
}

// BenchmarkOddValue reads a page of jobs, and the same with one value of the wrong
// kind, for which the page is decoded again.
func BenchmarkOddValue(b *testing.B) {
	page := Jobs(1, 100)
	for name, body := range map[string]string{
		"without": page, "with": strings.Replace(page, `"allow_failure":false`, `"allow_failure":"odd"`, 1),
	} {
		c := memory{200, body}.clients()
		b.Run(name, func(b *testing.B) {
			loop(b, func(ctx context.Context) error {
				jobs, _, err := c.ours.Jobs.List(ctx, serviceapi.ProjectID(1), nil)
				var odd *serviceapi.DecodeError
				if name == "with" != errors.As(err, &odd) || len(jobs) != 100 {
					return errors.Join(errors.New("the odd value was not noticed"), err)
				}
				return nil
			})
		})
	}
}

// TestInMemory checks that what is measured works.
func TestInMemory(t *testing.T) {
	for _, c := range InMemory() {
		for _, who := range Contenders {
			if err := c.Ways[who](t.Context()); err != nil {
				t.Errorf("%s by %s: %v", c.Name, who, err)
			}
		}
	}
}

// TestPeerLosesMessage checks what the row about the 404 says about the peer.
func TestPeerLosesMessage(t *testing.T) {
	c := memory{404, `{"message":"` + notFoundMessage + `"}`}.clients()
	_, _, err := c.peer.Jobs.GetJob(1, 8)
	if !errors.Is(err, clientgo.ErrNotFound) || strings.Contains(err.Error(), notFoundMessage) {
		t.Errorf("the peer now keeps what a 404 says: %v", err)
	}
}

// TestPayloads checks that the objects have a realistic length and are
// distinct.
func TestPayloads(t *testing.T) {
	for name, c := range map[string]struct {
		list     func(first, n int) string
		min, max int
		into     any
	}{
		"job":           {Jobs, 2600, 3500, new([]serviceapi.Job)},
		"merge request": {MergeRequests, 3500, 4700, new([]serviceapi.MergeRequest)},
	} {
		const first, n = 5, 200
		data := []byte(c.list(first, n))
		if size := len(data) / n; size < c.min || size > c.max {
			t.Errorf("a %s has %d bytes, want %d to %d", name, size, c.min, c.max)
		}
		if err := json.Unmarshal(data, c.into); err != nil {
			t.Errorf("a list of %ss cannot be decoded: %v", name, err)
		}
		var objects []map[string]any
		if err := json.Unmarshal(data, &objects); err != nil || len(objects) != n ||
			objects[0]["id"] != float64(first) {
			t.Fatalf("%d %ss, the first is %v, error %v", len(objects), name, objects[0]["id"], err)
		}
		for _, field := range []string{"id", "name", "title", "web_url", "sha", "created_at", "description", "status"} {
			distinct := map[any]bool{}
			for _, o := range objects {
				distinct[o[field]] = true
			}
			if _, has := objects[0][field]; has && len(distinct) < 5 {
				t.Errorf("%d %ss have %d values of %s", n, name, len(distinct), field)
			}
		}
	}
}

// TestReplace checks that missing members are not ignored.
func TestReplace(t *testing.T) {
	const object = `{"a":1,"b":{"c":[{"d":null}],"e":"<"},"f":2.50}`
	got := replace(object, members{"/a": nil, "/b/c/0/d": []int{1, 2}, "/b/e": "x"})
	if want := `{"a":null,"b":{"c":[{"d":[1,2]}],"e":"x"},"f":2.50}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	defer func() {
		if recover() == nil {
			t.Error("a member that is not there was replaced")
		}
	}()
	replace(object, members{"/b/x": 1})
}
