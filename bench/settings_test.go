package bench

import (
	"context"
	"io"
	"net/http"
	"testing"

	"example.com/serviceapi/servicetest"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

// BenchmarkSettings reads the settings of the instance, the response with the most members.
func BenchmarkSettings(b *testing.B) {
	svc := servicetest.New(b, servicetest.WithTier(servicetest.Ultimate))
	req, err := http.NewRequestWithContext(b.Context(), http.MethodGet, svc.URL()+"/api/v4/application/settings", nil)
	if err != nil {
		b.Fatal(err)
	}
	req.Header.Set("PRIVATE-TOKEN", svc.AdminToken())
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		b.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		b.Fatal(resp.StatusCode, err)
	}
	c := newMemory(http.StatusOK, string(body)).clients()
	b.Run(string(Ours), func(b *testing.B) {
		loop(b, func(ctx context.Context) error {
			_, _, err := c.ours.Settings.Get(ctx)
			return err
		})
	})
	b.Run(string(Peer), func(b *testing.B) {
		loop(b, func(ctx context.Context) error {
			_, _, err := c.peer.Settings.GetSettings(clientgo.WithContext(ctx))
			return err
		})
	})
}
