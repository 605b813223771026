package main

import (
	"encoding/csv"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/examples/internal/demo/demotest"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const route = "GET /groups/:id/audit_events"

// ids returns the IDs of the events in JSON lines.
func ids(t *testing.T, lines string) []int64 {
	t.Helper()
	var found []int64
	for line := range strings.Lines(lines) {
		var event serviceapi.AuditEvent
		require.NoError(t, json.Unmarshal([]byte(line), &event), line)
		found = append(found, event.ID)
	}
	return found
}

// group makes a group with events at some seconds of 2026-01-01, and returns
// their IDs.
func group(t *testing.T, service *servicetest.Service, seconds ...float64) (seeded []int64) {
	t.Helper()
	root, owner := service.Group("boundary"), service.FindUser("ada")
	root.AddMember(owner, servicetest.Owner)
	for _, second := range seconds {
		at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(second * float64(time.Second)))
		event := root.AuditEvent(owner, servicetest.AuditDetails{"custom_message": "did it"}, servicetest.CreatedAt(at))
		seeded = append(seeded, event.ID())
	}
	return seeded
}

func TestEmbedded(t *testing.T) {
	demotest.Clear(t)
	got := demotest.Run(t, run)
	assert.Equal(t, 0, got.Status, got.Notes)
	assert.Contains(t, got.Notes, "embedded service")
	assert.Contains(t, got.Notes, "90 events, up to ")
	demotest.Shown(t, "audit-export", got.Out+got.Notes)
	assert.Len(t, ids(t, got.Out), 90)
	assert.Contains(t, got.Out, `"change":"allow_force_push","from":true,"to":false,`)
}

func TestTable(t *testing.T) {
	shop := demotest.Shop(t)
	file := filepath.Join(t.TempDir(), "events.csv")
	for range 2 {
		got := demotest.Run(t, run, "-project", "acme/shop", "-format", "csv", "-o", file, "-since",
			time.Now().AddDate(0, 0, -20).Format(time.DateOnly))
		if got.Status == 2 { // the second time
			got = demotest.Run(t, run, "-project", "acme/shop", "-format", "csv", "-o", file)
		}
		assert.Equal(t, 0, got.Status, got.Notes)
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		rows, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
		require.NoError(t, err)
		require.Len(t, rows, 31)
		assert.Equal(t, []string{"id", "created_at", "author_id", "author"}, rows[0][:4])
		assert.Equal(t, []string{"3", "Grace", "Project", "1", "acme/shop", "Started deployment 1", "", "127.0.0.1"},
			rows[1][2:])
	}

	shop.Service.AuditEvent(shop.Service.Root(), servicetest.AuditDetails{"add": "user_access",
		"target_details": "grace", "ip_address": nil},
		servicetest.CreatedAt(time.Now().Add(-time.Hour)))
	t.Setenv("SERVICE_TOKEN", shop.Service.AdminToken())
	got := demotest.Run(t, run, "-format", "csv", "-since", "2020-01-01")
	assert.Contains(t, got.Out, ",root,add user_access,grace,\n")
}

// If runs begin and end at the times of events, each event is exported once.
func TestBoundaries(t *testing.T) {
	shop := demotest.Shop(t)
	seeded := group(t, shop.Service, 9.5, 10, 10, 10.25, 10.999999, 11, 11, 12, 12.5)
	var all []int64
	times := []string{"2026-01-01T00:00:10Z", "2026-01-01T00:00:10.25Z", "2026-01-01T00:00:11Z", "2026-01-01T00:00:12Z",
		"2026-01-01T00:00:13Z"}
	for i, until := range times[1:] {
		got := demotest.Run(t, run, "-group", "boundary", "-since", times[i], "-until", until)
		require.Equal(t, 0, got.Status, got.Notes)
		all = append(all, ids(t, got.Out)...)
	}
	assert.Equal(t, seeded[1:], all)
}

// However a run ends, the next one completes the file.
func TestFileGoesOn(t *testing.T) {
	shop := demotest.Shop(t)
	const days = 24 * 60 * 60
	seeded := group(t, shop.Service, 0, 5, 1*days-0.5, 1*days, 1*days, 2*days, 2*days+1, 5*days, 9*days)
	file := filepath.Join(t.TempDir(), "events.jsonl")
	runs := func(status int, args ...string) {
		t.Helper()
		got := demotest.Run(t, run, append([]string{"-group", "boundary", "-o", file}, args...)...)
		assert.Equal(t, status, got.Status, got.Notes)
	}
	holds := func(n int) {
		t.Helper()
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Equal(t, seeded[:n], ids(t, string(text)))
	}

	runs(2) // no time to begin at was given
	shop.Service.Fault(route, servicetest.Skip(2), servicetest.Status(403, ""), servicetest.Times(1))
	runs(1, "-since", "2026-01-01", "-until", "2026-01-06") // fails on the second day
	holds(3)
	runs(0, "-until", "2026-01-02")
	runs(0, "-until", "2026-01-03")
	holds(5)
	left, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = left.WriteString(`{"id":999,"auth`) // a run that was killed
	require.NoError(t, err)
	require.NoError(t, left.Close())
	runs(0, "-until", "2026-01-06")
	holds(7)
	runs(0, "-until", "2026-01-06") // nothing to do
	holds(7)
	runs(0)
	holds(9)
	runs(2, "-since", "2026-01-01")
	holds(9)
}

// An export ends a minute before the time of the service, whatever the local
// clock says.
func TestEndsByTheClockOfTheService(t *testing.T) {
	shop := demotest.Shop(t)
	seeded := group(t, shop.Service, 10, 11, 12)
	shop.Service.Fault(route, servicetest.SetHeader("Date", "Thu, 01 Jan 2026 00:01:12 GMT"))
	got := demotest.Run(t, run, "-group", "boundary", "-since", "2026-01-01", "-until", "2030-01-01")
	assert.Equal(t, 0, got.Status, got.Notes)
	assert.Equal(t, seeded[:2], ids(t, got.Out))
	assert.Contains(t, got.Notes, "2 events, up to 2026-01-01T00:00:12Z\n")
}

func TestErrors(t *testing.T) {
	shop := demotest.Shop(t)
	dir := t.TempDir()
	fails := func(status int, want string, args ...string) {
		t.Helper()
		got := demotest.Run(t, run, args...)
		assert.Equal(t, status, got.Status)
		assert.Contains(t, got.Notes, want)
	}
	fails(2, "usage: audit-export", "-x")
	fails(2, "invalid value", "-since", "yesterday")
	fails(2, "Flags say everything", "acme")
	fails(2, "one of -group and -project", "-group", "acme", "-project", "acme/shop")
	fails(2, "-format is jsonl or csv", "-format", "xml")
	fails(2, "-since is needed", "-group", "acme")
	fails(1, "Is the name right?", "-group", "nothing", "-since", "2026-01-01")
	fails(1, "may not do that", "-since", "2026-01-01") // of the instance
	fails(1, "no such file", "-group", "acme", "-since", "2026-01-01", "-o", filepath.Join(dir, "none", "x"))

	since := func(file string, more ...string) []string {
		return append([]string{"-group", "acme", "-since", "2026-01-01", "-o", filepath.Join(dir, file)}, more...)
	}
	write := func(file, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(text), 0o666))
	}
	write("foreign", "something")
	fails(1, "is there without", since("foreign")...)
	write("broken", "")
	write("broken.state", "{")
	fails(1, "broken.state: ", since("broken")...)
	write("short", "")
	write("short.state", `{"of":"jsonl acme ","until":"2026-01-01T00:00:00Z","size":10}`)
	fails(1, "has become shorter", since("short")...)
	require.Equal(t, 0, demotest.Run(t, run, since("good")...).Status)
	fails(2, "begun with another", since("good", "-format", "csv")...)

	shop.Service.Fault(route, servicetest.Handler(func(w http.ResponseWriter, _ *http.Request) {
		w.Write([]byte(`[{"id":7,"created_at":null}]`))
	}), servicetest.Times(2))
	fails(1, "event 7 has no time", "-group", "acme", "-since", "2026-01-01")
	t.Setenv("SERVICE_TOKEN", "")
	fails(1, "SERVICE_TOKEN", "-since", "2026-01-01")
}
