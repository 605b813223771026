package bench

import (
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

// TestInMemory makes sure that what is measured works at all.
func TestInMemory(t *testing.T) {
	for _, c := range InMemory() {
		for _, who := range Contenders {
			if err := c.Ways[who](t.Context()); err != nil {
				t.Errorf("%s by %s: %v", c.Name, who, err)
			}
		}
	}
}

// TestPeerLosesMessage holds what the row about the 404 says of the peer.
func TestPeerLosesMessage(t *testing.T) {
	c := memory{404, `{"message":"` + notFoundMessage + `"}`}.clients()
	_, _, err := c.peer.Jobs.GetJob(1, 8)
	if !errors.Is(err, clientgo.ErrNotFound) || strings.Contains(err.Error(), notFoundMessage) {
		t.Errorf("the peer now keeps what a 404 says: %v", err)
	}
}

// TestPayloads keeps the answers as long as they are in real life.
func TestPayloads(t *testing.T) {
	for name, c := range map[string]struct {
		object   string
		min, max int
		into     any
	}{
		"job":           {JobJSON(), 2600, 2900, new(serviceapi.Job)},
		"merge request": {MergeRequestJSON(), 3800, 4200, new(serviceapi.MergeRequest)},
	} {
		if n := len(c.object); n < c.min || n > c.max {
			t.Errorf("a %s has %d bytes, want %d to %d", name, n, c.min, c.max)
		}
		if err := json.Unmarshal([]byte(ListJSON(c.object, 5, 3)), new([]json.RawMessage)); err != nil {
			t.Errorf("a list of %ss is no JSON: %v", name, err)
		}
		if err := json.Unmarshal([]byte(c.object), c.into); err != nil {
			t.Errorf("a %s cannot be decoded: %v", name, err)
		}
	}
}
