// Package tokens keeps what kind of token it has.
package tokens

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	gitlab "gitlab.com/gitlab-org/api/client-go"
)

type uploader struct {
	client *gitlab.Client
	kind   gitlab.AuthType
}

func open(token string, job bool, options ...gitlab.ClientOptionFunc) (*uploader, error) {
	var kind gitlab.AuthType
	var client *gitlab.Client
	var err error
	if job {
		client, err = gitlab.NewJobClient(token, options...)
		kind = gitlab.JobToken
	} else {
		client, err = gitlab.NewClient(token, options...)
		kind = gitlab.PrivateToken
	}
	return &uploader{client: client, kind: kind}, err
}

func (u *uploader) address() (string, error) {
	if u.kind == gitlab.JobToken {
		return u.client.GenericPackages.FormatPackageURL("acme/shop", "app", "1.0", "app.tar.gz")
	}
	path, err := u.client.GenericPackages.FormatPackageURL(7, "a b", "v1", "x")
	return u.client.BaseURL().Path + path, err
}

// as asks who another token is of.
func (u *uploader) as(kind gitlab.AuthType, token string) (string, error) {
	user, _, err := u.client.Users.CurrentUser(gitlab.WithToken(kind, token))
	if err != nil {
		return "", err
	}
	return user.Username, nil
}

func who(w http.ResponseWriter, r *http.Request) {
	name := "own"
	for _, header := range []string{"Job-Token", "Authorization", "Private-Token"} {
		if value := r.Header.Get(header); strings.HasSuffix(value, "other") {
			name = header + " " + value // client-go sends the client's own, too
		}
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"id":1,"username":%q}`, name)
}

// Run asks who each token is of.
func Run(_, _ string) (string, error) {
	server := httptest.NewServer(http.HandlerFunc(who))
	defer server.Close()
	out := ""
	for _, job := range []bool{false, true} {
		u, err := open("own", job, gitlab.WithBaseURL(server.URL))
		if err != nil {
			return "", err
		}
		address, err := u.address()
		if err != nil {
			return "", err
		}
		out += fmt.Sprintln(u.kind, address)
		for _, kind := range []gitlab.AuthType{gitlab.JobToken, gitlab.OAuthToken, u.kind, gitlab.BasicAuth} {
			name, err := u.as(kind, "other")
			if err != nil {
				return "", err
			}
			out += fmt.Sprintln(kind, name)
		}
	}
	return out, nil
}
