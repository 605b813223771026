package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"testing"

	"example.com/serviceapi"
	gitlab "gitlab.com/gitlab-org/api/client-go/v2"
)

// memory is a transport that answers from memory.
type memory struct {
	status int
	body   []byte
}

func (m memory) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		io.Copy(io.Discard, r.Body)
		r.Body.Close()
	}
	return &http.Response{
		Status: http.StatusText(m.status), StatusCode: m.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header:        http.Header{"Content-Type": {"application/json"}, "X-Request-Id": {"01H"}},
		Body:          io.NopCloser(bytes.NewReader(m.body)),
		ContentLength: int64(len(m.body)),
		Request:       r,
	}, nil
}

const base = "https://service.test"

func ours(b testing.TB, m memory) *serviceapi.Client {
	c, err := serviceapi.NewClient(base, serviceapi.PrivateToken("token"), serviceapi.WithHTTPClient(&http.Client{Transport: m}))
	if err != nil {
		b.Fatal(err)
	}
	return c
}

func peer(b testing.TB, m memory) *gitlab.Client {
	c, err := gitlab.NewClient("token", gitlab.WithBaseURL(base), gitlab.WithHTTPClient(&http.Client{Transport: m}))
	if err != nil {
		b.Fatal(err)
	}
	return c
}

// plain is what a program would write with net/http alone.
func plain(m memory, method, path string, body []byte, out any) (int, error) {
	var r io.Reader
	if body != nil {
		r = bytes.NewReader(body)
	}
	req, err := http.NewRequest(method, base+path, r)
	if err != nil {
		return 0, err
	}
	req.Header.Set("PRIVATE-TOKEN", "token")
	resp, err := (&http.Client{Transport: m}).Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	if out == nil {
		_, err = io.Copy(io.Discard, resp.Body)
		return resp.StatusCode, err
	}
	return resp.StatusCode, json.NewDecoder(resp.Body).Decode(out)
}

func loop(b *testing.B, f func() error) {
	b.ReportAllocs()
	for b.Loop() {
		if err := f(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkGetJob(b *testing.B) {
	m := memory{200, JobJSON()}
	b.Run("serviceapi", func(b *testing.B) {
		c := ours(b, m)
		loop(b, func() error { _, _, err := c.Jobs.Get(b.Context(), serviceapi.ID(1), 8); return err })
	})
	b.Run("client-go", func(b *testing.B) {
		c := peer(b, m)
		loop(b, func() error { _, _, err := c.Jobs.GetJob(1, 8, gitlab.WithContext(b.Context())); return err })
	})
	b.Run("net-http", func(b *testing.B) {
		loop(b, func() error {
			_, err := plain(m, "GET", "/api/v4/projects/1/jobs/8", nil, new(serviceapi.Job))
			return err
		})
	})
	b.Run("discard", func(b *testing.B) {
		loop(b, func() error { _, err := plain(m, "GET", "/api/v4/projects/1/jobs/8", nil, nil); return err })
	})
}

func BenchmarkListMergeRequests(b *testing.B) {
	m := memory{200, ListJSON(MergeRequestJSON(), 1, 100)}
	b.Run("serviceapi", func(b *testing.B) {
		c := ours(b, m)
		loop(b, func() error {
			_, _, err := c.MergeRequests.ListForProject(b.Context(), serviceapi.ID(1), &serviceapi.ListProjectMergeRequestsOptions{ListOptions: serviceapi.ListOptions{PerPage: 100}})
			return err
		})
	})
	b.Run("client-go", func(b *testing.B) {
		c := peer(b, m)
		loop(b, func() error {
			_, _, err := c.MergeRequests.ListProjectMergeRequests(1, &gitlab.ListProjectMergeRequestsOptions{ListOptions: gitlab.ListOptions{PerPage: 100}}, gitlab.WithContext(b.Context()))
			return err
		})
	})
	b.Run("net-http", func(b *testing.B) {
		loop(b, func() error {
			_, err := plain(m, "GET", "/api/v4/projects/1/merge_requests", nil, new([]*serviceapi.MergeRequest))
			return err
		})
	})
	b.Run("discard", func(b *testing.B) {
		loop(b, func() error { _, err := plain(m, "GET", "/api/v4/projects/1/merge_requests", nil, nil); return err })
	})
}

func BenchmarkListJobs(b *testing.B) {
	m := memory{200, ListJSON(JobJSON(), 1, 100)}
	b.Run("serviceapi", func(b *testing.B) {
		c := ours(b, m)
		loop(b, func() error {
			_, _, err := c.Jobs.List(b.Context(), serviceapi.ID(1), &serviceapi.ListJobsOptions{ListOptions: serviceapi.ListOptions{PerPage: 100}})
			return err
		})
	})
	b.Run("client-go", func(b *testing.B) {
		c := peer(b, m)
		loop(b, func() error {
			_, _, err := c.Jobs.ListProjectJobs(1, &gitlab.ListJobsOptions{ListOptions: gitlab.ListOptions{PerPage: 100}}, gitlab.WithContext(b.Context()))
			return err
		})
	})
	b.Run("net-http", func(b *testing.B) {
		loop(b, func() error {
			_, err := plain(m, "GET", "/api/v4/projects/1/jobs", nil, new([]*serviceapi.Job))
			return err
		})
	})
	b.Run("discard", func(b *testing.B) {
		loop(b, func() error { _, err := plain(m, "GET", "/api/v4/projects/1/jobs", nil, nil); return err })
	})
}

var errNoError = errors.New("the 404 was lost")

func BenchmarkPostJSON(b *testing.B) {
	const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJAe8mFKzbgM1NsZ5ywUbbaWWhOHkpvX0DiHDZ2nBXJQ"
	m := memory{201, fixture("deploy_keys/deploy_key.json")}
	b.Run("serviceapi", func(b *testing.B) {
		c := ours(b, m)
		loop(b, func() error {
			_, _, err := c.DeployKeys.Create(b.Context(), serviceapi.ID(1), serviceapi.CreateDeployKeyOptions{Title: "deployer", Key: key, CanPush: new(true)})
			return err
		})
	})
	b.Run("client-go", func(b *testing.B) {
		c := peer(b, m)
		loop(b, func() error {
			_, _, err := c.DeployKeys.AddDeployKey(1, &gitlab.AddDeployKeyOptions{Title: new("deployer"), Key: new(key), CanPush: new(true)}, gitlab.WithContext(b.Context()))
			return err
		})
	})
}

// BenchmarkNotFound: the peer loses the message of a 404, this library keeps
// it.
func BenchmarkNotFound(b *testing.B) {
	m := memory{404, []byte(`{"message":"404 Project Not Found"}`)}
	b.Run("serviceapi", func(b *testing.B) {
		c := ours(b, m)
		loop(b, func() error {
			_, _, err := c.Jobs.Get(b.Context(), serviceapi.ID(1), 8)
			if e, ok := errors.AsType[*serviceapi.Error](err); !ok || e.Message != "404 Project Not Found" {
				return errNoError
			}
			return nil
		})
	})
	b.Run("client-go", func(b *testing.B) {
		c := peer(b, m)
		loop(b, func() error {
			_, _, err := c.Jobs.GetJob(1, 8, gitlab.WithContext(b.Context()))
			if !errors.Is(err, gitlab.ErrNotFound) {
				return errNoError
			}
			return nil
		})
	})
}
