package serviceapi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"example.com/serviceapi/internal/racing"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Allocations do not depend on the machine, so tests can check them; time is
// compared in bench/. Each limit is a little above what is needed. The objects
// are distinct, because the JSON library has a cache of strings. They are
// defined here, so that a new field in the test data does not change a limit.

const allocPageSize = 20

func allocPerson(n int) string {
	return fmt.Sprintf(`{"id":%d,"name":"Ada Lovelace %d","username":"ada-%d","state":"active","avatar_url":null,`+
		`"web_url":"https://service.test/ada-%d"}`, n, n, n, n)
}

func allocJob(n int) string {
	return fmt.Sprintf(`{"id":%d,"name":"race: [linux, %d]","stage":"test","status":"failed","ref":"branch-%d",`+
		`"tag":false,"coverage":87.%d,`+
		`"allow_failure":true,"created_at":"2026-03-01T10:00:%02d.880Z","started_at":"2026-03-01T10:01:05.123Z",`+
		`"finished_at":null,"duration":%d.5,`+
		`"artifacts":[{"file_type":"archive","size":%d,"filename":"artifacts.zip","file_format":"zip"}],`+
		`"tag_list":["docker","linux-%d"],`+
		`"pipeline":{"id":%d,"project_id":1,"ref":"branch-%d","sha":"%040d","status":"failed"},`+
		`"commit":{"id":"%040d","title":"Title %d","message":"Message %d","author_name":"Ada %d",`+
		`"created_at":"2026-03-01T09:59:00.000Z"},`+
		`"user":%s,"web_url":"https://service.test/acme/app/-/jobs/%d"}`,
		n, n, n, n, n%60, n, n, n, n, n, n, n, n, n, n, allocPerson(n), n)
}

func allocMergeRequest(n int) string {
	return fmt.Sprintf(`{"id":%d,"iid":%d,"project_id":4,"title":"Compute number %d","description":"Closes #%d.",`+
		`"state":"merged",`+
		`"author":%s,"assignee":null,"assignees":[%s],"reviewers":[],"merged_at":"2026-03-02T11:16:%02d.520Z",`+
		`"created_at":"2026-03-01T08:46:00.000Z",`+
		`"target_branch":"main","source_branch":"number-%d","labels":["engine","team::%d"],"milestone":{"id":%d,`+
		`"iid":3,"title":"v2.%d","due_date":"2026-04-30","state":"active"},`+
		`"sha":"%040d","merge_commit_sha":null,"user_notes_count":5,`+
		`"web_url":"https://service.test/acme/app/-/merge_requests/%d",`+
		`"references":{"short":"!%d","relative":"app!%d","full":"acme/app!%d"},"time_stats":{"time_estimate":0,`+
		`"total_time_spent":0},"changes_count":"%d"}`,
		n, n, n, n, allocPerson(n), allocPerson(n+1), n%60, n, n, n, n, n, n, n, n, n, n)
}

func allocPage(object func(int) string, page int) string {
	objects := make([]string, allocPageSize)
	for i := range objects {
		objects[i] = object(page*allocPageSize + i)
	}
	return "[" + strings.Join(objects, ",") + "]"
}

// memoryTransport responds from memory, with several pages if there are
// several.
type memoryTransport struct {
	status int
	pages  []string
	next   int
}

func (m *memoryTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		io.Copy(io.Discard, r.Body)
		r.Body.Close()
	}
	body := m.pages[m.next]
	m.next++
	header := http.Header{"Content-Type": {"application/json"}, "X-Request-Id": {"01H"}}
	if m.next < len(m.pages) {
		header["Link"] = []string{fmt.Sprintf(`<https://service.test/api/v4/projects/1/jobs?page=%d&per_page=100>; `+
			`rel="next"`, m.next+1)}
	} else {
		m.next = 0
		if strings.HasPrefix(body, "[") {
			header["X-Next-Page"] = []string{""} // as the service says that none follows
		}
	}
	return &http.Response{
		StatusCode: m.status, ProtoMajor: 1, ProtoMinor: 1, Header: header, Request: r,
		Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)),
	}, nil
}

func allocClient(t *testing.T, status int, pages ...string) *Client {
	t.Helper()
	hc := &http.Client{Transport: &memoryTransport{status: status, pages: pages}}
	client, err := NewClient("https://service.test", PrivateToken("not-a-real-token-4Vk2Zq9w"), WithHTTPClient(hc))
	require.NoError(t, err)
	return client
}

// withoutRaceDetector skips a test under the race detector, which allocates more.
func withoutRaceDetector(t *testing.T) {
	t.Helper()
	if racing.Enabled {
		t.Skip("the race detector allocates more")
	}
}

func TestAllocations(t *testing.T) {
	withoutRaceDetector(t)
	project, ctx := ProjectID(1), t.Context()
	for _, c := range []struct {
		name   string
		client *Client
		call   func(context.Context, *Client) error
		most   float64
		bytes  uint64
	}{
		{"get a job", allocClient(t, 200, allocJob(8)), func(ctx context.Context, c *Client) error {
			_, _, err := c.Jobs.Get(ctx, project, 8)
			return err
		}, 38, 4700},
		{"list jobs", allocClient(t, 200, allocPage(allocJob, 0)), func(ctx context.Context, c *Client) error {
			jobs, _, err := c.Jobs.List(ctx, project, nil)
			if len(jobs) != allocPageSize {
				return errors.New("the page is not whole")
			}
			return err
		}, 485, 44_000},
		{"list merge requests", allocClient(t, 200, allocPage(allocMergeRequest, 0)),
			func(ctx context.Context, c *Client) error {
				_, _, err := c.MergeRequests.List(ctx, project,
					&ListMergeRequestsOptions{State: MergeRequestStateMerged})
				return err
			}, 588, 42_000},
		{"list with options", allocClient(t, 200, "[]"), func(ctx context.Context, c *Client) error {
			_, _, err := c.MergeRequests.List(ctx, project,
				&ListMergeRequestsOptions{State: MergeRequestStateOpened, TargetBranch: "main"})
			return err
		}, 39, 4700},
		{"create a deploy key",
			allocClient(t, 201,
				`{"id":12,"title":"deployer","key":"ssh-ed25519 AAAA","can_push":true,`+
					`"created_at":"2026-03-01T12:44:32.561Z"}`),
			func(ctx context.Context, c *Client) error {
				_, _, err := c.DeployKeys.Create(ctx, project,
					CreateDeployKeyOptions{Title: "deployer", Key: "ssh-ed25519 AAAA"})
				return err
			}, 39, 3550}, // four for the owner, which may be of two kinds
		{"ask with GraphQL", allocClient(t, 200, `{"data":{"project":{"name":"App"}}}`),
			func(ctx context.Context, c *Client) error {
				var data struct{ Project struct{ Name string } }
				_, err := c.GraphQL.Query(ctx, GraphQLRequest{Query: "{ project { name } }"}, &data)
				return err
			}, 44, 3500},
		{"not found", allocClient(t, 404, `{"message":"404 Project Not Found"}`),
			func(ctx context.Context, c *Client) error {
				_, _, err := c.Jobs.Get(ctx, project, 8)
				if !errors.Is(err, ErrNotFound) {
					return errors.New("the 404 was lost")
				}
				return nil
			}, 28, 3350},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.NoError(t, c.call(ctx, c.client))
			n := testing.AllocsPerRun(200, func() { _ = c.call(ctx, c.client) })
			assert.LessOrEqual(t, n, c.most)
			assert.LessOrEqual(t, bytesPerRun(200, func() { _ = c.call(ctx, c.client) }), c.bytes)
		})
	}
}

// TestAllocationsOfWalk checks the cost of another page of a walk without its
// items: the difference between long and short walks, divided by the number of
// pages.
func TestAllocationsOfWalk(t *testing.T) {
	withoutRaceDetector(t)
	const short, long = 2, 12
	var pages []string
	for n := range long {
		pages = append(pages, allocPage(allocJob, n))
	}
	walk := func(pages int, all []string) float64 {
		client := allocClient(t, 200, all[:pages]...)
		return testing.AllocsPerRun(50, func() {
			items := 0
			for _, err := range client.Jobs.All(t.Context(), ProjectID(1), nil) {
				if err != nil {
					t.Fatal(err)
				}
				items++
			}
			if items != pages*allocPageSize {
				t.Fatalf("%d items came", items)
			}
		})
	}
	perPage := (walk(long, pages) - walk(short, pages)) / (long - short)
	client := allocClient(t, 200, pages...)
	list := testing.AllocsPerRun(long*10, func() {
		if _, _, err := client.Jobs.List(t.Context(), ProjectID(1), nil); err != nil {
			t.Fatal(err)
		}
	})
	t.Logf("a page of a walk: %.1f, a list: %.1f", perPage, list)
	assert.LessOrEqual(t, perPage, 550.0)
	assert.LessOrEqual(t, perPage-list, 28.0, "beside the list itself")
}

// bytesPerRun returns the bytes that a call of the function allocates, on average.
func bytesPerRun(runs uint64, do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range runs {
		do()
	}
	runtime.ReadMemStats(&after)
	return (after.TotalAlloc - before.TotalAlloc) / runs
}
