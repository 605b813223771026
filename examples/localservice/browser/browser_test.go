package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"example.com/serviceapi/examples/localservice/page"
	"example.com/serviceapi/servicetest"
)

// names are those under which distributions install Chromium.
var names = []string{"chromium", "chromium-browser", "headless-shell", "google-chrome", "google-chrome-stable"}

// start starts a browser, or skips the test if there is none.
func start(t *testing.T) context.Context {
	t.Helper()
	path := ""
	for _, name := range names {
		if found, err := exec.LookPath(name); err == nil && path == "" {
			path = found
		}
	}
	if path == "" {
		t.Skip("there is no Chromium, so the page is not tested in a browser; install chromium to do that")
	}
	ctx, stop := chromedp.NewExecAllocator(t.Context(), append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path),
		chromedp.NoSandbox, // it does not start in many containers, and sees only pages of this test
		chromedp.WSURLReadTimeout(time.Minute))...)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewContext(ctx)
	t.Cleanup(stop)
	require.NoError(t, chromedp.Do(ctx))
	return ctx
}

// A tab shows the page of a service of its own.
type tab struct {
	t       *testing.T
	ctx     context.Context
	service *servicetest.Service
	url     string
	stop    func() // ends the page, not the service

	mu       sync.Mutex
	problems []string // of the page: exceptions, violations of its policy, requests of others
}

// open opens a tab of a browser.
func open(t *testing.T, browser context.Context, service *servicetest.Service, width int64) *tab {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	serving, stopPage := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- page.New(service, page.Options{}).Serve(serving, listener) }()
	stop := sync.OnceFunc(func() {
		stopPage()
		require.NoError(t, <-ended)
	})
	t.Cleanup(stop)
	ctx, leave := chromedp.NewContext(browser)
	t.Cleanup(leave)
	ctx, leave = context.WithTimeout(ctx, 2*time.Minute)
	t.Cleanup(leave)
	b := &tab{t: t, ctx: ctx, service: service, url: "http://" + listener.Addr().String() + "/", stop: stop}
	b.watch()
	b.resize(width)
	send(b, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
	send(b, log.Enable, cdp.Empty{})
	send(b, network.Enable, network.EnableParams{})
	b.run(chromedp.Navigate(b.url))
	b.until(`document.getElementById("connection").textContent === "live"`)
	b.until(`document.getElementById("tree").childElementCount > 0`)
	return b
}

// watch notes what a page must not do.
func (b *tab) watch() {
	note := func(format string, args ...any) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.problems = append(b.problems, fmt.Sprintf(format, args...))
	}
	require.NoError(b.t, chromedp.Listen(b.ctx, func(event any) {
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			note("exception: %s", e.ExceptionDetails.Text)
		case *log.EventEntryAdded:
			note("log: %s %s", e.Entry.Text, e.Entry.URL)
		case *network.EventRequestWillBeSent:
			if url := e.Request.URL; !strings.HasPrefix(url, b.url) && !strings.HasPrefix(url, "data:") {
				note("it requests %s", url)
			}
		}
	}))
}

// expects drops the problems with a text, which there must be.
func (b *tab) expects(text string) {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	before := len(b.problems)
	b.problems = slices.DeleteFunc(b.problems, func(problem string) bool { return strings.Contains(problem, text) })
	require.Greater(b.t, before, len(b.problems), "no %q", text)
}

// clean fails the test if the page did what it must not do.
func (b *tab) clean() {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	require.Empty(b.t, b.problems)
}

func (b *tab) run(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	require.NoError(b.t, chromedp.Do(b.ctx, actions...))
}

// send sends a command of the protocol.
func send[P, R any](b *tab, command cdp.Command[P, R], params P) R {
	b.t.Helper()
	result, err := chromedp.Call(b.ctx, command, params)
	require.NoError(b.t, err)
	return result
}

// resize makes the window as wide as a number of pixels.
func (b *tab) resize(width int64) {
	b.t.Helper()
	send(b, emulation.SetDeviceMetricsOverride,
		emulation.SetDeviceMetricsOverrideParams{Width: width, Height: 900, DeviceScaleFactor: 1})
}

// theme sets the theme that the user prefers. Nothing moves.
func (b *tab) theme(name string) {
	b.t.Helper()
	send(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: name}, {Name: "prefers-reduced-motion", Value: "reduce"}}})
}

// value returns the value of an expression in the page.
func value[T any](b *tab, expression string) T {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression))
	require.NoError(b.t, err)
	return v
}

// do executes a script in the page.
func (b *tab) do(script string) {
	b.t.Helper()
	b.run(chromedp.Evaluate[chromedp.Void](script))
}

// until waits until an expression is true.
func (b *tab) until(expression string) {
	b.t.Helper()
	for deadline := time.Now().Add(40 * time.Second); !value[bool](b, "Boolean("+expression+")"); {
		if time.Now().After(deadline) {
			says := value[string](b, "document.body.innerText")
			require.Fail(b.t, "it never happens", "%s\nthe page says:\n%s", expression, says)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// shows waits until an element shows a text.
func (b *tab) shows(selector, text string) {
	b.t.Helper()
	b.until(fmt.Sprintf("document.querySelector(%s)?.innerText.includes(%s)", quoted(selector), quoted(text)))
}

func quoted(text string) string {
	encoded, _ := json.Marshal(text) // a string has no error
	return string(encoded)
}

// press moves the focus to an element and presses a key, as somebody without a mouse does.
func (b *tab) press(selector, key string) {
	b.t.Helper()
	b.run(chromedp.Focus(chromedp.CSS(selector)), chromedp.KeyEvent(key))
}

// button clicks on the button with a name.
func (b *tab) button(name string) {
	b.t.Helper()
	b.run(chromedp.Click(fmt.Sprintf(`//button[normalize-space()=%s and not(@disabled)]`, quoted(name))))
}

// choose selects an option or enters a text.
func (b *tab) choose(selector, text string) {
	b.t.Helper()
	b.do(fmt.Sprintf(`(() => {
		const field = document.querySelector(%s);
		field.value = %s;
		field.dispatchEvent(new Event("input", { bubbles: true }));
	})()`, quoted(selector), quoted(text)))
}

// rows returns the addresses of the requests that are shown, newest first.
func (b *tab) rows() []string {
	b.t.Helper()
	return value[[]string](b, `[...document.querySelectorAll("#request-list > li")].filter((row) => !row.hidden)
		.map((row) => row.querySelector(".address").textContent)`)
}

// call calls the API, and returns the status.
func (b *tab) call(method, path string) int {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), method, b.service.URL()+"/api/v4"+path, nil)
	require.NoError(b.t, err)
	r.Header.Set("Private-Token", b.service.AdminToken())
	response, err := http.DefaultClient.Do(r)
	require.NoError(b.t, err)
	defer response.Body.Close()
	_, err = io.Copy(io.Discard, response.Body)
	require.NoError(b.t, err)
	return response.StatusCode
}
