package wiretests

import (
	"context"
	"iter"
	"strings"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMetricImages(t *testing.T) {
	app := serviceapi.ProjectPath("acme/app")
	const alerts = "/projects/acme%2Fapp/alert_management_alerts/6"
	for _, o := range []struct {
		owner serviceapi.MetricImageOwner
		path  string
	}{{app.Issue(6), issuePath}, {app.Alert(6), alerts}} {
		checkMetricImages(t, o.owner, o.path+"/metric_images")
	}
	s, ctx := onWire(t).MetricImages, t.Context()
	assertRefused(t, "alert", errorOf(s.List(ctx, serviceapi.AlertRef{}, nil)))
	assertRefused(t, "alert_iid", errorOf(s.List(ctx, app.Alert(0), nil)))
	assertRefused(t, "owner", errorOf(s.List(ctx, nil, nil)))
	assert.Equal(t, "acme/app, alert 6", app.Alert(6).String())
	assert.Empty(t, serviceapi.AlertRef{}.String())
}

func checkMetricImages(t *testing.T, owner serviceapi.MetricImageOwner, path string) {
	t.Helper()
	type c = serviceapi.Client
	type o = serviceapi.ListOptions
	const whole = "metric_images/metric_image.json"
	image := &serviceapi.MetricImage{
		ID: 23, CreatedAt: *at(t, "2026-03-01T00:27:37.960Z"), Filename: "sample 2054.png",
		FilePath: "/uploads/-/system/issuable_metric_image/file/23/sample_2054.png",
		URL:      "https://metrics.example.com/1", URLText: "The first hour",
	}
	assertPlainList(t, path, whole, image,
		func(c *c, ctx context.Context, o *o) ([]*serviceapi.MetricImage, *serviceapi.Response, error) {
			return c.MetricImages.List(ctx, owner, o)
		}, func(c *c, ctx context.Context, o *o) iter.Seq2[*serviceapi.MetricImage, error] {
			return c.MetricImages.All(ctx, owner, o)
		})
	client := onWire(t,
		exchange{Method: "POST", Path: path, Status: 201, Fixture: whole,
			Multipart: []string{"url=u", "url_text=t", "file[a.png;image/png]=pixels"}},
		exchange{Method: "POST", Path: path, Status: 201, Fixture: whole,
			Multipart: []string{"file[a.png;image/png]=pixels"}},
		exchange{Method: "PUT", Path: path + "/23", Fixture: whole, JSON: `{"url":"","url_text":"t"}`},
		exchange{Method: "PUT", Path: path + "/23", Fixture: whole, JSON: `{}`},
		exchange{Method: "DELETE", Path: path + "/23", Status: 204})
	s, ctx := client.MetricImages, t.Context()
	file := func() serviceapi.Upload {
		return serviceapi.Upload{Filename: "a.png", ContentType: "image/png", Content: strings.NewReader("pixels")}
	}
	for _, options := range []serviceapi.CreateMetricImageOptions{
		{File: file(), URL: new("u"), URLText: new("t")}, {File: file()},
	} {
		got, _, err := s.Create(ctx, owner, options)
		require.NoError(t, err)
		assert.Equal(t, image, got)
	}
	for _, options := range []serviceapi.UpdateMetricImageOptions{{URL: new(""), URLText: new("t")}, {}} {
		got, _, err := s.Update(ctx, owner, 23, options)
		require.NoError(t, err)
		assert.Equal(t, image, got)
	}
	resp, err := s.Delete(ctx, owner, 23)
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)
	assertRefused(t, "File", errorOf(s.Create(ctx, owner, serviceapi.CreateMetricImageOptions{})))
	assertRefused(t, "image_id", errorOf(s.Update(ctx, owner, 0, serviceapi.UpdateMetricImageOptions{})))
	assertRefused(t, "image_id", second(s.Delete(ctx, owner, -1)))
}
