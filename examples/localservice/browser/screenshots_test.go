package browser

import (
	"bytes"
	"flag"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"example.com/serviceapi/servicetest"
)

var screenshots = flag.String("screenshots", "", "the `folder` into which TestScreenshots writes")

// furnish fills a page with one of everything.
func furnish(t *testing.T, b *tab) {
	t.Helper()
	target := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Service-Event") == "Pipeline Hook" {
			http.Error(w, "try later", http.StatusServiceUnavailable)
		}
	}))
	t.Cleanup(target.Close)
	s := b.service
	s.User("ada")
	app := s.Project("acme/app")
	app.Hook(target.URL+"/hooks/service", servicetest.HookEvents("pipeline_events", "merge_requests_events"))
	app.MergeRequest("remember-carts", servicetest.Title("Remember the cart of a guest"))
	app.Pipeline("remember-carts").Job("unit", servicetest.Running())
	nightly := app.Pipeline("main", servicetest.PipelineName("nightly"))
	nightly.Job("integration", servicetest.Failed("script_failure"))
	s.Project("acme/platform/a-project-whose-name-is-so-long-that-it-does-not-fit-into-one-line").MergeRequest("work")
	s.Flush()
	b.call("GET", "/projects?membership=true&order_by=last_activity_at&sort=desc&per_page=100")
	b.call("GET", "/projects/acme%2Fapp/merge_requests?state=opened")
	fault := s.Fault("GET /projects/:id/pipelines", servicetest.Status(503, ""), servicetest.Times(2))
	for range 3 {
		b.call("GET", "/projects/acme%2Fapp/pipelines?ref=main")
	}
	require.True(t, fault.UsedUp())
	s.Fault("POST /projects/:id/merge_requests/:merge_request_iid/notes", servicetest.Delay(2e9), servicetest.Every(3))
	b.call("POST", "/projects/acme%2Fapp/labels?name=urgent")
	b.call("DELETE", "/projects/acme%2Fapp/labels/nobody-has-this-label")
	b.until(`document.querySelectorAll("#request-list .took:not(:empty)").length === 7`)
	b.until(`document.querySelectorAll("#fault-list li").length === 2`)
	b.until(`document.querySelectorAll("#delivery-list li").length > 0`)
	b.shows("#running", "1 running job")
	b.do(`document.querySelectorAll("#request-list summary")[1].click();
		document.querySelector("#merge-request-1 summary").click();
		document.querySelector("#pipeline-1 summary").click(); scrollTo(0, 0)`)
}

// TestScreenshots writes the screenshots of the README.
func TestScreenshots(t *testing.T) {
	if *screenshots == "" {
		t.Skip("they are made with -screenshots, and the folder")
	}
	service := servicetest.New(t, servicetest.WithExternalURL("http://127.0.0.1:8080"))
	service.Project("acme/app").Commit("main", "Begin")
	b := open(t, start(t), service, 1280)
	furnish(t, b)
	b.do(`document.getElementById("api").textContent = "http://127.0.0.1:8080/api/v4"`)
	for name, width := range map[string]int64{"": 1280, "-narrow": 400} {
		for _, theme := range []string{"light", "dark"} {
			b.resize(width)
			b.theme(theme)
			picture, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
			require.NoError(t, err)
			picture = smaller(t, picture)
			require.Less(t, len(picture), 150<<10)
			require.NoError(t, os.WriteFile(filepath.Join(*screenshots, "page-"+theme+name+".png"), picture, 0o644))
		}
	}
}

// smaller returns a picture with 256 of its colors at most: the most frequent ones of those
// that look alike.
func smaller(t *testing.T, picture []byte) []byte {
	t.Helper()
	decoded, err := png.Decode(bytes.NewReader(picture))
	require.NoError(t, err)
	bounds := decoded.Bounds()
	pixels, total := map[color.RGBA]int{}, map[color.RGBA]int{}
	likeliest := map[color.RGBA]color.RGBA{} // of colors that are alike
	for y := range bounds.Dy() {
		for x := range bounds.Dx() {
			pixel := color.RGBAModel.Convert(decoded.At(x, y)).(color.RGBA)
			pixels[pixel]++
			alike := color.RGBA{pixel.R &^ 15, pixel.G &^ 15, pixel.B &^ 15, 255}
			total[alike]++
			if pixels[pixel] > pixels[likeliest[alike]] {
				likeliest[alike] = pixel
			}
		}
	}
	groups := slices.SortedFunc(maps.Keys(total), func(a, b color.RGBA) int { return total[b] - total[a] })
	exact := slices.SortedFunc(maps.Keys(pixels), func(a, b color.RGBA) int { return pixels[b] - pixels[a] })
	var colors color.Palette
	for _, pixel := range exact[:min(len(exact), 32)] { // such as those of the ground and the panels
		colors = append(colors, pixel)
	}
	for _, group := range groups[:min(len(groups), 256-len(colors))] {
		colors = append(colors, likeliest[group])
	}
	reduced := image.NewPaletted(bounds, colors)
	draw.Draw(reduced, bounds, decoded, bounds.Min, draw.Src)
	var encoded bytes.Buffer
	require.NoError(t, (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&encoded, reduced))
	return encoded.Bytes()
}
