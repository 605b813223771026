// Package logins gets its tokens in other ways than by a constant.
package logins

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"

	gitlab "gitlab.com/gitlab-org/api/client-go"
	"golang.org/x/oauth2"
)

// instance exchanges passwords for tokens, and says who a token is of.
type instance struct {
	mu  sync.Mutex
	log []string
}

func (i *instance) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	i.mu.Lock()
	defer i.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	i.log = append(i.log, r.Method+" "+r.URL.Path)
	if r.URL.Path == "/oauth/token" {
		i.log = append(i.log, r.FormValue("grant_type")+" "+r.FormValue("username")+" "+r.FormValue("password"))
		fmt.Fprint(w, `{"access_token":"exchanged","token_type":"Bearer","expires_in":7200}`)
		return
	}
	token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	fmt.Fprintf(w, `{"id":1,"username":%q}`, "of-"+token)
}

// stored is a source of the program's own: a token that it reads when it is needed.
type stored struct {
	gitlab.AuthSource
	path string
}

func (s *stored) Init(_ context.Context, client *gitlab.Client) error {
	s.AuthSource = gitlab.OAuthTokenSource{
		TokenSource: oauth2.StaticTokenSource(&oauth2.Token{AccessToken: s.path + "-at-" + client.BaseURL().Path}),
	}
	return nil
}

func connect(kind, url string) (*gitlab.Client, error) {
	switch kind {
	case "password":
		return gitlab.NewBasicAuthClient("ada", "secret", gitlab.WithBaseURL(url))
	case "option":
		base := gitlab.WithBaseURL(url)
		return gitlab.NewBasicAuthClient("ada", "secret", base)
	case "stored":
		return gitlab.NewAuthSourceClient(&stored{path: "file"}, gitlab.WithBaseURL(url))
	}
	return gitlab.NewOAuthClient("known", gitlab.WithBaseURL(url))
}

// Run asks who each token is of, twice.
func Run(_, _ string) (string, error) {
	i := &instance{}
	server := httptest.NewServer(i)
	defer server.Close()
	var out strings.Builder
	for _, kind := range []string{"password", "option", "stored", "known"} {
		client, err := connect(kind, server.URL)
		if err != nil {
			return "", err
		}
		for range 2 {
			user, _, err := client.Users.CurrentUser()
			if err != nil {
				return "", err
			}
			fmt.Fprintln(&out, kind, user.Username)
		}
	}
	return out.String() + strings.Join(i.log, "\n"), nil
}
