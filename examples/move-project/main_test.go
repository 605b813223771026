package main

import (
	"context"
	"io"
	"testing"
	"time"

	"example.com/serviceapi/examples/internal/demo"
	"example.com/serviceapi/examples/internal/demo/demotest"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// services starts two services and sets the environment variables that name
// them.
func services(t *testing.T) (*demo.Shop, *servicetest.Service) {
	t.Helper()
	source := demotest.Shop(t, servicetest.WithTick(10*time.Second))
	target := servicetest.New(t, servicetest.WithTick(10*time.Second))
	mover := target.User("mover")
	target.Group("new", servicetest.Member(mover, servicetest.Owner))
	t.Setenv("TARGET_BASE_URL", target.URL())
	t.Setenv("TARGET_TOKEN", target.Token(mover))
	return source, target
}

func TestEmbedded(t *testing.T) {
	demotest.Clear(t)
	got := demotest.Run(t, run)
	assert.Equal(t, 0, got.Status, got.Notes)
	assert.Equal(t, "ada/shop: project 1, import finished\n", got.Out)
	assert.Regexp(t, `two embedded services\.
Exporting acme/shop from http://127\.0\.0\.1:\d+
Sent \d+\.\d kB
Importing into http://127\.0\.0\.1:\d+
$`, got.Notes)
	demotest.Shown(t, "move-project", got.Notes+got.Out)
}

func TestRealServices(t *testing.T) {
	_, target := services(t)
	got := demotest.Run(t, run, "-to", "new", "-path", "market", "acme/shop")
	assert.Equal(t, 0, got.Status, got.Notes)
	assert.Equal(t, "new/market: project 1, import finished\n", got.Out)
	arrived := target.FindProject("new/market")
	require.NotNil(t, arrived)
	assert.Equal(t, "Sells what acme makes", arrived.Description())
	_, found := arrived.File("main", "assets/pictures.bin")
	assert.True(t, found)

	got = demotest.Run(t, run, "-to", "new", "-path", "market", "acme/shop")
	assert.Equal(t, 1, got.Status)
	assert.Contains(t, got.Notes, "-overwrite replaces it")
	got = demotest.Run(t, run, "-to", "new", "-path", "market", "-overwrite", "acme/shop")
	assert.Equal(t, 0, got.Status, got.Notes)
	assert.Contains(t, got.Out, "new/market: project 2, import finished")
}

func TestExportOfUnknownLength(t *testing.T) {
	source, _ := services(t)
	source.Service.Fault("GET /projects/:id/export/download", servicetest.RemoveHeader("Content-Length"))
	got := demotest.Run(t, run, "acme/shop")
	assert.Equal(t, 0, got.Status, got.Notes)
	assert.Regexp(t, `\nSent \d+\.\d kB\nImporting into .*\n$`, got.Notes)
}

func TestErrors(t *testing.T) {
	source, target := services(t)
	fails := func(status int, want string, args ...string) demotest.Result {
		t.Helper()
		got := demotest.Run(t, run, args...)
		assert.Equal(t, status, got.Status)
		assert.Contains(t, got.Notes, want)
		return got
	}
	fails(2, "usage: move-project", "-x")
	fails(2, "name one project")
	fails(1, "at "+source.Service.URL(), "acme/nothing")
	fails(1, "at "+target.URL(), "-to", "nothing", "acme/shop")

	target.NextImport(servicetest.ImportFails("The disk is full"))
	got := fails(1, "The disk is full", "acme/shop")
	assert.Contains(t, got.Out, "mover/shop: project 1, import failed")
	target.NextImport(servicetest.LosesRelations("issues", 2))
	got = fails(1, "arrived without 2 of its parts", "-path", "parts", "acme/shop")
	assert.Contains(t, got.Out, "mover/parts: project 2, import finished\nlost: issues, line 1: A failure "+
		"occurred\nlost: issues, line 2")

	source.Service.Fault("GET /projects/:id/export", servicetest.Delay(200*time.Millisecond))
	fails(1, "it took longer than 100ms", "-limit", "100ms", "acme/shop")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	assert.ErrorIs(t, run(ctx, []string{"acme/shop"}, io.Discard, io.Discard), context.Canceled)

	t.Setenv("TARGET_BASE_URL", "ftp://new.example.com")
	fails(1, "must start with https", "acme/shop")
	t.Setenv("TARGET_BASE_URL", "")
	fails(1, "set TARGET_BASE_URL and TARGET_TOKEN", "acme/shop")
	t.Setenv("TARGET_BASE_URL", target.URL())
	t.Setenv("SERVICE_TOKEN", "")
	fails(1, "SERVICE_TOKEN", "acme/shop")
}

func TestExportThatIsGivenUp(t *testing.T) {
	source := demotest.Shop(t, servicetest.WithTick(10*time.Second))
	project := source.Service.Project("acme/lost")
	project.FailNextExport()
	t.Setenv("TARGET_BASE_URL", source.Service.URL())
	t.Setenv("TARGET_TOKEN", source.Token)
	got := demotest.Run(t, run, "acme/lost")
	assert.Equal(t, 1, got.Status)
	assert.Contains(t, got.Notes, "acme/lost")
	assert.NotContains(t, got.Notes, "Sending")
}
