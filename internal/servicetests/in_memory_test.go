package servicetests

import (
	"io"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// inMemory starts a service without sockets, at the time of the bubble, and a client of its
// administrator.
func inMemory(t *testing.T, opts ...servicetest.Option) (*servicetest.Service, *serviceapi.Client) {
	t.Helper()
	svc := servicetest.New(t, append(opts, servicetest.WithInMemory(), servicetest.WithClock(time.Now))...)
	return svc, clientInMemory(t, svc, svc.AdminToken())
}

func clientInMemory(t *testing.T, svc *servicetest.Service, token string) *serviceapi.Client {
	t.Helper()
	client, err := serviceapi.NewClient(svc.URL(), serviceapi.PrivateToken(token),
		serviceapi.WithHTTPClient(svc.HTTPClient()))
	require.NoError(t, err)
	return client
}

// TestTimeInABubble waits for what takes minutes and days. A goroutine that is left would
// deadlock the bubble.
func TestTimeInABubble(t *testing.T) {
	t.Parallel()
	app := serviceapi.ProjectPath("acme/app")
	synctest.Test(t, func(t *testing.T) {
		svc, client := inMemory(t)
		project := svc.Project("acme/app")

		svc.Fault("GET /projects/:id", servicetest.RateLimit(time.Minute), servicetest.Times(1))
		begun := time.Now()
		_, _, err := client.Projects.Get(t.Context(), app, nil)
		require.NoError(t, err)
		assert.GreaterOrEqual(t, time.Since(begun), time.Minute, "after the limit was reset")
		assert.Less(t, time.Since(begun), 2*time.Minute)

		job := project.Pipeline("main").Job("test", servicetest.Running())
		go func() {
			time.Sleep(time.Hour)
			job.Succeed()
		}()
		begun = time.Now()
		done, err := client.Jobs.Wait(t.Context(), app, job.ID())
		require.NoError(t, err)
		assert.Equal(t, serviceapi.JobStatusSuccess, done.Status)
		assert.GreaterOrEqual(t, time.Since(begun), time.Hour)

		brief := clientInMemory(t, svc, svc.Token(svc.User("eve"),
			servicetest.ExpiresAt(time.Now().AddDate(0, 0, 2))))
		_, _, err = brief.Users.Current(t.Context())
		require.NoError(t, err)
		time.Sleep(72 * time.Hour)
		_, _, err = brief.Users.Current(t.Context())
		assert.ErrorIs(t, err, serviceapi.ErrUnauthorized)
	})
}

// TestTransfersInMemory sends more than a connection keeps, with and without TLS.
func TestTransfersInMemory(t *testing.T) {
	t.Parallel()
	app := serviceapi.ProjectPath("acme/app")
	for name, opts := range map[string][]servicetest.Option{
		"plain": nil, "TLS": {servicetest.WithTLS()}, "below a path": {servicetest.WithBasePath("/code")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			svc, client := inMemory(t, opts...)
			svc.Project("acme/app")
			content := strings.Repeat("0123456789abcdef", 1<<16)
			made, _, err := client.Uploads.Create(t.Context(), app, serviceapi.CreateUploadOptions{
				File: serviceapi.Upload{Filename: "log.txt", Content: strings.NewReader(content)},
			})
			require.NoError(t, err)
			download, _, err := client.Uploads.Download(t.Context(), app, *made.ID)
			require.NoError(t, err)
			defer download.Close()
			got, err := io.ReadAll(download)
			require.NoError(t, err)
			assert.Equal(t, content, string(got))

			svc.Fault("GET /projects/:id", servicetest.Reset(), servicetest.Times(1))
			_, _, err = client.Projects.Get(t.Context(), app, nil)
			require.NoError(t, err, "a connection that was reset, and another one")
		})
	}
}

// TestServicesInMemoryEnd asks a service in memory that is closed.
func TestServicesInMemoryEnd(t *testing.T) {
	t.Parallel()
	svc, client := inMemory(t)
	svc.Close()
	_, err := svc.HTTPClient().Get(svc.URL())
	require.ErrorIs(t, err, net.ErrClosed)
	_, _, err = client.Projects.Get(t.Context(), serviceapi.ProjectID(1), nil)
	require.ErrorIs(t, err, net.ErrClosed)
}
