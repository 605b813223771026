// Package hooks watches its requests.
package hooks

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/hashicorp/go-retryablehttp"
	gitlab "gitlab.com/gitlab-org/api/client-go"
)

// watcher is the program's own logger.
type watcher struct{ lines []string }

func (w *watcher) Error(msg string, _ ...any) { w.lines = append(w.lines, "error "+msg) }
func (w *watcher) Info(msg string, _ ...any)  { w.lines = append(w.lines, "info "+msg) }
func (w *watcher) Debug(msg string, _ ...any) { w.lines = append(w.lines, "debug "+msg) }
func (w *watcher) Warn(msg string, _ ...any)  { w.lines = append(w.lines, "warn "+msg) }

// Run notes what it sends and what comes back.
func Run(url, token string) (string, error) {
	var out strings.Builder
	log := &watcher{}
	options := []gitlab.ClientOptionFunc{gitlab.WithBaseURL(url), gitlab.WithCustomLeveledLogger(log)}
	options = append(options, gitlab.WithRequestLogHook(func(_ retryablehttp.Logger, r *http.Request, attempt int) {
		fmt.Fprintln(&out, r.Method, r.URL.Path, attempt)
	}))
	options = append(options, gitlab.WithResponseLogHook(func(_ retryablehttp.Logger, resp *http.Response) {
		fmt.Fprintln(&out, resp.StatusCode)
	}))
	client, err := gitlab.NewClient(token, options...)
	if err != nil {
		return "", err
	}
	client.UserAgent = "golden"
	if _, _, err := client.Version.GetVersion(); err != nil {
		return "", err
	}
	if _, _, err := client.Projects.GetProject("acme/none", nil); err == nil {
		return "", fmt.Errorf("acme/none exists")
	}
	fmt.Fprintln(&out, len(log.lines) > 0)
	return out.String(), nil
}
