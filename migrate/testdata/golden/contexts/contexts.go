// Package contexts has a context in every way, or none.
package contexts

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"

	gitlab "gitlab.com/gitlab-org/api/client-go"
)

type handler struct {
	client *gitlab.Client
	name   string
	later  sync.WaitGroup
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	project, _, err := h.client.Projects.GetProject("acme/shop", nil)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	h.name = project.Name
	h.later.Add(1)
	go func() {
		defer h.later.Done()
		// The request is over when this is sent.
		<-r.Context().Done()
		_, _, _ = h.client.Version.GetVersion()
	}()
}

func options(ctx context.Context) []gitlab.RequestOptionFunc {
	return []gitlab.RequestOptionFunc{gitlab.WithHeader("X-Golden", "yes")}
}

func branch(ctx context.Context, client *gitlab.Client) (*gitlab.Branch, error) {
	requestOptions := []gitlab.RequestOptionFunc{gitlab.WithContext(ctx)}
	requestOptions = append(requestOptions, options(ctx)...)
	b, _, err := client.Branches.GetBranch("acme/shop", "main", requestOptions...)
	return b, err
}

// finish is called when the context has ended.
func finish(ctx context.Context, client *gitlab.Client) (err error) {
	defer func() {
		if _, _, failure := client.Version.GetVersion(); failure != nil {
			err = failure
		}
	}()
	<-ctx.Done()
	_, _, err = client.Branches.GetBranch("acme/shop", "main")
	return err
}

// Run serves a request and reads a branch.
func Run(url, token string) (string, error) {
	client, err := gitlab.NewClient(token, gitlab.WithBaseURL(url), gitlab.WithoutRetries())
	if err != nil {
		return "", err
	}
	h := &handler{client: client}
	ctx, cancel := context.WithCancel(context.Background())
	h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil).WithContext(ctx))
	cancel()
	h.later.Wait()
	if err := finish(ctx, client); err != nil {
		return "", err
	}
	b, err := branch(context.Background(), client)
	if err != nil {
		return "", err
	}
	return fmt.Sprint(h.name, b.Name, b.Protected), nil
}
