package recipes_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// startedWith starts a service and returns a client of its administrator.
func startedWith(t *testing.T, opts ...servicetest.Option) (
	*servicetest.Service, *serviceapi.Client) {
	t.Helper()
	service := servicetest.New(t, opts...)
	client, err := serviceapi.NewClient(service.URL(),
		serviceapi.PrivateToken(service.AdminToken()),
		serviceapi.WithPollInterval(time.Millisecond, time.Millisecond))
	require.NoError(t, err)
	return service, client
}

// TestPlanLabelsOfGroups checks that a label of a parent group is neither
// created again nor deleted, and that a second plan is empty all the same. A
// label of the project goes before one of the group with the same name.
func TestPlanLabelsOfGroups(t *testing.T) {
	t.Parallel()
	service, client := startedWith(t)
	acme, shop := service.Group("acme"), service.Project("acme/shop")
	acme.Label("shared", "#0000ff", "")
	acme.Label("unwanted", "#0000ff", "")
	acme.Label("twice", "#0000ff", "")
	shop.Label("twice", "#00ff00", "")
	ref := serviceapi.ProjectPath("acme/shop")
	wanted := []serviceapi.CreateLabelOptions{
		{Name: "shared", Color: "#0000FF"}, {Name: "twice", Color: "#00ff00"},
		{Name: "own", Color: "#ff0000"},
	}
	for _, want := range [][]string{{"create own"}, nil} {
		changes, err := planLabels(t.Context(), client, ref, wanted, true)
		require.NoError(t, err)
		var steps []string
		for _, change := range changes {
			steps = append(steps, change.what)
			require.NoError(t, change.make(t.Context()))
		}
		assert.Equal(t, want, steps)
	}
	wanted[0].Color = "#ff0000"
	changes, err := planLabels(t.Context(), client, ref, wanted, true)
	require.EqualError(t, err,
		`label "shared" differs: change it in the parent group`)
	assert.Empty(t, changes)
}

// TestEachProjectStops checks that no visit begins once the context has ended,
// that the visits have the context, and that the cause is reported once.
func TestEachProjectStops(t *testing.T) {
	t.Parallel()
	service, client := startedWith(t)
	for n := range 40 {
		service.Project(fmt.Sprintf("acme/app-%d", n))
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	cause := errors.New("interrupted")
	var mu sync.Mutex
	visits := 0
	err := eachProject(ctx, client, serviceapi.GroupPath("acme"), 1,
		func(ctx context.Context, _ *serviceapi.Project) error {
			mu.Lock()
			defer mu.Unlock()
			if visits++; visits == 3 {
				cancel(cause)
				<-ctx.Done()
			}
			return nil
		})
	require.ErrorIs(t, err, cause)
	assert.EqualError(t, err, "37 projects were not visited: interrupted")
	assert.Equal(t, 3, visits)

	// One that waits for a place ends, too.
	ctx, cancel = context.WithCancelCause(t.Context())
	begun := make(chan struct{})
	go func() {
		<-begun
		cancel(cause)
	}()
	err = eachProject(ctx, client, serviceapi.GroupPath("acme"), 1,
		func(ctx context.Context, _ *serviceapi.Project) error {
			close(begun)
			<-ctx.Done()
			return ctx.Err()
		})
	require.ErrorIs(t, err, cause)
	assert.Len(t, strings.Split(err.Error(), "\n"), 2, "and the one begun")
}

// TestEachProjectHeedsLimiter checks that no visit begins once a limiter has
// refused a call because of the deadline, and that the others are not named.
func TestEachProjectHeedsLimiter(t *testing.T) {
	t.Parallel()
	service, client := startedWith(t)
	for n := range 40 {
		service.Project(fmt.Sprintf("acme/app-%d", n))
	}
	limiter := &budget{left: 9} // the list, and some visits
	client, err := client.With(serviceapi.WithLimiter(limiter))
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	var visits atomic.Int64
	err = eachProject(ctx, client, serviceapi.GroupPath("acme"), 4,
		func(ctx context.Context, p *serviceapi.Project) error {
			visits.Add(1)
			_, _, err := client.ProtectedTags.List(ctx, p.Ref(), nil)
			return err
		})
	require.ErrorIs(t, err, serviceapi.ErrLimiterRefused)
	require.ErrorIs(t, err, errTooLate)
	require.NoError(t, ctx.Err())
	lines := strings.Split(err.Error(), "\n")
	assert.LessOrEqual(t, len(lines), 4+1, "one for each visit in progress")
	assert.Contains(t, err.Error(),
		fmt.Sprintf("%d projects were not visited: ", 40-visits.Load()))
}

var errTooLate = errors.New("Wait(n=1) would exceed context deadline")

// budget is a limiter that refuses at once what it could not send before the
// deadline.
type budget struct {
	mu   sync.Mutex
	left int
}

// Wait implements serviceapi.Limiter.
func (b *budget) Wait(ctx context.Context) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, limited := ctx.Deadline(); b.left == 0 && limited {
		return errTooLate
	}
	b.left--
	return nil
}

// endsAt ends a context once a text has been written.
type endsAt struct {
	strings.Builder
	text string
	end  func()
}

func (w *endsAt) Write(p []byte) (int, error) {
	n, err := w.Builder.Write(p)
	if strings.Contains(w.String(), w.text) {
		w.end()
	}
	return n, err
}

// TestFinishPipelineStops checks that the states of jobs are printed while the
// pipeline runs, and that an interruption cancels it only if asked to.
func TestFinishPipelineStops(t *testing.T) {
	t.Parallel()
	service, client := startedWith(t, servicetest.WithTick(time.Second))
	service.Project("acme/shop").CI(servicetest.PlanJob("build",
		servicetest.Took(time.Second), servicetest.Stage("one")),
		servicetest.PlanJob("test", servicetest.Took(1000*time.Hour),
			servicetest.Stage("two")))
	shop := serviceapi.ProjectPath("acme/shop")
	for id, cancels := range []bool{false, true} {
		ctx, cancel := context.WithCancel(t.Context())
		progress := &endsAt{text: "test running", end: cancel}
		status := runPipeline(ctx, client, shop,
			serviceapi.CreatePipelineOptions{Ref: "main"}, t.TempDir(),
			progress, cancels)
		assert.Equal(t, 2, status)
		assert.Contains(t, progress.String(), "build success\n")
		assert.NotContains(t, progress.String(), "not canceled")
		pipeline, _, err := client.Pipelines.Get(t.Context(), shop, int64(id+1))
		require.NoError(t, err)
		want := serviceapi.PipelineStatusRunning
		if cancels {
			want = serviceapi.PipelineStatusCanceled
		}
		assert.Equal(t, want, pipeline.Status)
	}
}

// TestReadGrantsRefuses checks that what cannot be granted is refused before
// anything is.
func TestReadGrantsRefuses(t *testing.T) {
	t.Parallel()
	today := serviceapi.NewDate(2026, time.January, 15)
	for file, want := range map[string]string{
		`[{"user": "ada", "group": 1}, {"group": 1}]`: "entry 2: no user",
		`[null]`:            "entry 1: no user",
		`[{"user": "ada"}]`: "entry 1: no group",
		`[{"user": "ada", "group": 1, "level": "none"}]`: "entry 1: " +
			"No access cannot be granted",
		`[{"user": "ada", "group": 1, "level": 5}]`: "entry 1: " +
			"Minimal access cannot be granted",
		`[{"user": "ada", "group": 1, "level": "admin"}]`: "entry 1: " +
			"Administrator cannot be granted",
		`[{"user": "ada", "group": 1}] []`: "there is more than one list of " +
			"grants",
		`[{"user": "ada", "group": 1, "until": "2026-01-15"}]`: "entry 1: " +
			"nothing can be granted until 2026-01-15",
		`[{"user": "ada", "group": 1, "until": "2025-12-31"}]`: "entry 1: " +
			"nothing can be granted until 2025-12-31",
		`[{"user": "ada", "group": 1}]]`: "there is more than one list of " +
			"grants",
	} {
		grants, err := readGrants(nil, []byte(file), today)
		require.EqualError(t, err, want, file)
		assert.Nil(t, grants)
	}
	grants, err := readGrants(nil,
		[]byte(`[{"user": "ada", "group": 1, "until": "2026-01-16"}] `+"\n"), today)
	require.NoError(t, err)
	assert.Len(t, grants, 1)
}

// TestRaise checks that no level is lowered, also not one of a parent group.
func TestRaise(t *testing.T) {
	t.Parallel()
	service, client := startedWith(t)
	owner, guest, stranger := service.User("owner"), service.User("guest"),
		service.User("stranger")
	service.Group("acme").AddMember(owner, servicetest.Owner)
	team := service.Group("acme/team")
	team.AddMember(guest, servicetest.Guest)
	for user, want := range map[*servicetest.User]bool{
		owner: false, guest: true, stranger: true,
	} {
		g := grant{User: serviceapi.UserID(user.ID()),
			Group: serviceapi.GroupPath("acme/team"),
			Level: new(serviceapi.AccessLevelDeveloper)}
		for _, want := range []bool{want, false} {
			changed, err := g.raise(t.Context(), client)
			require.NoError(t, err)
			assert.Equal(t, want, changed)
		}
		member, _, err := client.Members.GetInherited(t.Context(), g.Group, g.User)
		require.NoError(t, err)
		assert.GreaterOrEqual(t, member.AccessLevel, *g.Level)
	}
	_, direct := team.Membership(owner)
	assert.False(t, direct)
}

// TestDamagedArchive checks what an archive gives that lacks its end, or its
// beginning, and what a service gives that sends no parts.
func TestDamagedArchive(t *testing.T) {
	t.Parallel()
	service, client := startedWith(t)
	var whole bytes.Buffer
	w := zip.NewWriter(&whole)
	for n := range 3 {
		file, err := w.Create(fmt.Sprintf("file-%d", n))
		require.NoError(t, err)
		_, err = io.WriteString(file, strings.Repeat("text", 100))
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	pipeline := service.Project("acme/shop").Pipeline("main")
	shop := serviceapi.ProjectPath("acme/shop")
	for _, part := range [][]byte{
		whole.Bytes()[:whole.Len()-30], // without the directory
		whole.Bytes()[100:],
	} {
		job := pipeline.Job("build", servicetest.ArchiveFrom(
			int64(len(part)), bytes.NewReader(part)))
		archive, err := openArchive(t.Context(), client, shop, job.ID())
		require.NoError(t, err)
		files, err := zip.NewReader(archive, archive.size)
		if err == nil {
			_, err = files.File[0].Open()
		}
		require.ErrorIs(t, err, zip.ErrFormat)
		require.NoError(t, archive.Close())
	}

	job := pipeline.Job("build", servicetest.ArchiveFrom(
		int64(whole.Len()), bytes.NewReader(whole.Bytes())))
	for _, name := range []string{"Etag", "Content-Length"} {
		other, err := client.With(serviceapi.WithMiddleware(without(name)))
		require.NoError(t, err)
		_, err = openArchive(t.Context(), other, shop, job.ID())
		require.ErrorIs(t, err, errNoParts)
	}
	saved := filepath.Join(t.TempDir(), "artifacts.zip")
	d, _, err := client.JobArtifacts.Download(t.Context(), shop, job.ID())
	require.NoError(t, err)
	_, err = d.SaveFile(saved)
	require.NoError(t, err)
	z, err := zip.OpenReader(saved)
	require.NoError(t, err)
	assert.Len(t, z.File, 3)
	require.NoError(t, z.Close())
}

// without takes a header out of all responses.
func without(name string) serviceapi.Middleware {
	return func(next http.RoundTripper) http.RoundTripper {
		return transportFunc(func(r *http.Request) (*http.Response, error) {
			resp, err := next.RoundTrip(r)
			if err == nil {
				resp.Header.Del(name)
				if name == "Content-Length" {
					resp.ContentLength = -1
				}
			}
			return resp, err
		})
	}
}

// TestProtectOnFree checks that only protect changes the levels of a protection
// on an instance that is not Premium, and that Update says nothing about it.
func TestProtectOnFree(t *testing.T) {
	t.Parallel()
	service, client := startedWith(t, servicetest.WithTier(servicetest.Free))
	service.Project("acme/shop").ProtectBranch("main")
	shop := serviceapi.ProjectPath("acme/shop")
	developers := serviceapi.AccessLevelDeveloper
	unchanged, _, err := client.ProtectedBranches.Update(t.Context(), shop,
		"main", serviceapi.UpdateProtectedBranchOptions{
			AllowedToPush: []serviceapi.ProtectionLevelChange{
				{AccessLevel: &developers},
			},
		})
	require.NoError(t, err)
	require.Len(t, unchanged.PushAccessLevels, 1)
	assert.Equal(t, serviceapi.AccessLevelMaintainer,
		*unchanged.PushAccessLevels[0].AccessLevel)

	require.NoError(t, protect(t.Context(), client, shop,
		serviceapi.CreateProtectedBranchOptions{
			Name: "main", PushAccessLevel: &developers,
		}))
	changed, _, err := client.ProtectedBranches.Get(t.Context(), shop, "main")
	require.NoError(t, err)
	require.Len(t, changed.PushAccessLevels, 1)
	assert.Equal(t, developers, *changed.PushAccessLevels[0].AccessLevel)
}
