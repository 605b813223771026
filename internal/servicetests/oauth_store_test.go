package servicetests

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// sharing returns a client whose token is in a store.
func sharing(
	t *testing.T, url string, config oauth2.Config, store serviceapi.TokenStore, token *oauth2.Token,
) *serviceapi.Client {
	t.Helper()
	endpoint, err := serviceapi.OAuth2Endpoint(url)
	require.NoError(t, err)
	config.Endpoint = endpoint
	source, err := serviceapi.NewTokenSource(&config, token, &serviceapi.TokenSourceOptions{Store: store})
	require.NoError(t, err)
	client, err := serviceapi.NewClient(url, serviceapi.OAuth2(source))
	require.NoError(t, err)
	t.Cleanup(client.CloseIdleConnections)
	return client
}

// childOf names the variable with what a child process needs: the address, the client's ID
// and secret, and the file with the token.
const childOf = "SERVICEAPI_TEST_TOKEN_CHILD"

// TestTokenChild is a process of TestTokensOfTwoProcesses. It makes a call for each line that
// it reads, and says how that went.
func TestTokenChild(t *testing.T) {
	args := strings.Fields(os.Getenv(childOf))
	if len(args) == 0 {
		t.Skip("it is a part of TestTokensOfTwoProcesses")
	}
	client := sharing(t, args[0], oauth2.Config{ClientID: args[1], ClientSecret: args[2]},
		serviceapi.NewTokenFile(args[3]), nil)
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		user, _, err := client.Users.Current(t.Context())
		if err != nil {
			fmt.Printf("failed: %v\n", err)
			continue
		}
		fmt.Println("called as", user.Username)
	}
}

// tokenChild starts a process. The function that it returns makes it call, and returns what
// it said.
func tokenChild(t *testing.T, args ...string) func() string {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestTokenChild$")
	cmd.Env = append(os.Environ(), childOf+"="+strings.Join(args, " "))
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		in.Close()
		assert.NoError(t, cmd.Wait())
	})
	said := bufio.NewReader(out)
	return func() string {
		_, err := io.WriteString(in, "go\n")
		assert.NoError(t, err)
		line, err := said.ReadString('\n')
		assert.NoError(t, err)
		return strings.TrimSpace(line)
	}
}

// TestTokensOfTwoProcesses revokes the token that two processes share, again and again. Both
// notice at the same time, and the refresh token works once.
func TestTokensOfTwoProcesses(t *testing.T) {
	t.Parallel()
	svc := servicetest.New(t)
	ada, app := svc.User("ada"), svc.OAuthApplication("terminal")
	grant := app.Authorize(ada)
	name := filepath.Join(t.TempDir(), "token.json")
	require.NoError(t, serviceapi.NewTokenFile(name).Save(t.Context(),
		&oauth2.Token{AccessToken: grant.AccessToken(), RefreshToken: grant.RefreshToken()}))
	var children []func() string
	for range 2 {
		children = append(children, tokenChild(t, svc.URL(), app.ClientID(), app.ClientSecret(), name))
	}
	const rounds = 10
	for round := range rounds {
		var calls sync.WaitGroup
		for _, call := range children {
			calls.Go(func() { assert.Equal(t, "called as ada", call(), round) })
		}
		calls.Wait()
		grant.RevokeAccessToken()
	}
	assert.Equal(t, rounds-1, grant.Refreshes(), "once for each token that was revoked")
	stored, err := serviceapi.NewTokenFile(name).Load(t.Context())
	require.NoError(t, err)
	assert.Equal(t, grant.RefreshToken(), stored.RefreshToken)
}

// memoryStore is a store whose methods can be replaced.
type memoryStore struct {
	mu    sync.Mutex
	token *oauth2.Token
	load  func() (*oauth2.Token, error)
	save  func(*oauth2.Token) error
}

func (m *memoryStore) Load(context.Context) (*oauth2.Token, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.load != nil {
		return m.load()
	}
	return m.token, nil
}

func (m *memoryStore) Save(_ context.Context, token *oauth2.Token) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.save != nil {
		if err := m.save(token); err != nil {
			return err
		}
	}
	m.token = token
	return nil
}

func TestTokenStore(t *testing.T) {
	t.Parallel()
	svc := servicetest.New(t)
	ada, app := svc.User("ada"), svc.OAuthApplication("terminal")
	config := oauth2.Config{ClientID: app.ClientID(), ClientSecret: app.ClientSecret()}
	tokenOf := func(g *servicetest.OAuthGrant) *oauth2.Token {
		return &oauth2.Token{AccessToken: g.AccessToken(), RefreshToken: g.RefreshToken()}
	}
	calls := func(client *serviceapi.Client) error {
		_, _, err := client.Users.Current(t.Context())
		return err
	}
	t.Run("has the argument if it was empty", func(t *testing.T) {
		grant, store := app.Authorize(ada), &memoryStore{}
		first := tokenOf(grant)
		require.NoError(t, calls(sharing(t, svc.URL(), config, store, first)))
		assert.Equal(t, first.AccessToken, store.token.AccessToken)
		assert.Zero(t, grant.Refreshes())
	})
	t.Run("has the argument renewed if that has expired", func(t *testing.T) {
		grant, store := app.Authorize(ada), &memoryStore{}
		first := &oauth2.Token{RefreshToken: grant.RefreshToken()}
		require.NoError(t, calls(sharing(t, svc.URL(), config, store, first)))
		assert.Equal(t, grant.AccessToken(), store.token.AccessToken)
		assert.Equal(t, 1, grant.Refreshes())
	})
	t.Run("comes before the argument", func(t *testing.T) {
		grant, old := app.Authorize(ada), app.Authorize(ada)
		store := &memoryStore{token: tokenOf(grant)}
		old.Revoke()
		require.NoError(t, calls(sharing(t, svc.URL(), config, store, tokenOf(old))))
		assert.Equal(t, grant.AccessToken(), store.token.AccessToken)
	})
	t.Run("is waited for", func(t *testing.T) {
		grant := app.Authorize(ada)
		used := tokenOf(grant)
		other := sharing(t, svc.URL(), config, &memoryStore{}, used)
		grant.RevokeAccessToken()
		require.NoError(t, calls(other), "the other process has the new token")
		loads, store := 0, &memoryStore{}
		store.load = func() (*oauth2.Token, error) {
			if loads++; loads < 4 {
				return used, nil // and has not saved it yet
			}
			return tokenOf(grant), nil
		}
		require.NoError(t, calls(sharing(t, svc.URL(), config, store, nil)))
		assert.Equal(t, 4, loads)
		assert.Equal(t, 1, grant.Refreshes())
	})
	t.Run("has a token that has expired, too", func(t *testing.T) {
		grant, store := app.Authorize(ada), &memoryStore{}
		used, loads := tokenOf(grant), 0
		require.NoError(t, calls(sharing(t, svc.URL(), config, store, &oauth2.Token{RefreshToken: used.RefreshToken})))
		store.load = func() (*oauth2.Token, error) {
			if loads++; loads == 1 {
				return &oauth2.Token{AccessToken: "old", RefreshToken: used.RefreshToken, Expiry: time.Unix(1, 0)}, nil
			}
			return &oauth2.Token{AccessToken: "new", RefreshToken: grant.RefreshToken(), Expiry: time.Unix(2, 0)}, nil
		}
		require.NoError(t, calls(sharing(t, svc.URL(), config, store, nil)))
		assert.Equal(t, 2, grant.Refreshes(), "the newer refresh token is used")
	})
	t.Run("fails", func(t *testing.T) {
		grant, broken := app.Authorize(ada), errors.New("the disk is full")
		store := &memoryStore{token: &oauth2.Token{RefreshToken: grant.RefreshToken()}}
		var fails error = broken
		store.save = func(*oauth2.Token) error { return fails }
		client := sharing(t, svc.URL(), config, store, nil)
		err := calls(client)
		var refresh *serviceapi.RefreshError
		require.ErrorAs(t, err, &refresh)
		assert.ErrorIs(t, err, broken)
		assert.ErrorContains(t, err, "save the new token")
		fails = nil
		require.NoError(t, calls(client), "it is saved later")
		assert.Equal(t, 1, grant.Refreshes(), "without another one")
		assert.Equal(t, grant.RefreshToken(), store.token.RefreshToken)

		store.load = func() (*oauth2.Token, error) { return nil, broken }
		err = calls(sharing(t, svc.URL(), config, store, tokenOf(grant)))
		assert.ErrorIs(t, err, broken)
		assert.ErrorContains(t, err, "load the token")
	})
	t.Run("is empty", func(t *testing.T) {
		before := len(svc.Requests("POST {base_url}/oauth/token"))
		err := calls(sharing(t, svc.URL(), config, &memoryStore{}, nil))
		assert.ErrorContains(t, err, "the user has to sign in")
		assert.Len(t, svc.Requests("POST {base_url}/oauth/token"), before, "nothing is sent")
	})
}

// TestTokenStoreOfNobody checks that a refusal lasts if no other process has a newer token.
func TestTokenStoreOfNobody(t *testing.T) {
	t.Parallel()
	svc := servicetest.New(t)
	app := svc.OAuthApplication("terminal")
	grant := app.Authorize(svc.User("ada"))
	stored := &oauth2.Token{AccessToken: grant.AccessToken(), RefreshToken: grant.RefreshToken()}
	grant.Revoke()
	client := sharing(t, svc.URL(), oauth2.Config{ClientID: app.ClientID(), ClientSecret: app.ClientSecret()},
		&memoryStore{token: stored}, nil)
	_, _, err := client.Users.Current(t.Context())
	var refresh *serviceapi.RefreshError
	require.ErrorAs(t, err, &refresh)
	assertReason(t, serviceapi.ErrorReasonInvalidGrant, refresh.Err, "")
	assert.Len(t, svc.Requests("POST {base_url}/oauth/token"), 1)
}

func TestTokenFile(t *testing.T) {
	t.Parallel()
	ctx, name := t.Context(), filepath.Join(t.TempDir(), "token.json")
	file := serviceapi.NewTokenFile(name)
	none, err := file.Load(ctx)
	require.NoError(t, err)
	assert.Nil(t, none)
	token := &oauth2.Token{
		AccessToken: "a", RefreshToken: "r", TokenType: "Bearer", Expiry: time.Unix(1893456000, 0).UTC(),
	}
	require.NoError(t, file.Save(ctx, token))
	got, err := file.Load(ctx)
	require.NoError(t, err)
	assert.Equal(t, token, got)
	info, err := os.Stat(name)
	require.NoError(t, err)
	assert.Zero(t, info.Mode().Perm()&0o077, "only its owner reads it")
	var refused *serviceapi.ArgumentError
	assert.ErrorAs(t, file.Save(ctx, &oauth2.Token{}), &refused)
	assert.ErrorAs(t, file.Save(ctx, nil), &refused)
	assert.ErrorAs(t, serviceapi.NewTokenFile("").Save(ctx, token), &refused)
	for _, content := range []string{"", "secret-text", `{"access_token":"`, `{"refresh_token":"secret-text"}`,
		`{"access_token":"secret-text"` + strings.Repeat(" ", 300<<10) + "}"} {
		require.NoError(t, os.WriteFile(name, []byte(content), 0o600))
		_, err = file.Load(ctx)
		assert.ErrorContains(t, err, "it is not a file with a token")
		assert.NotContains(t, err.Error(), "secret")
	}
	_, err = serviceapi.NewTokenFile(t.TempDir()).Load(ctx)
	assert.Error(t, err)
	_, err = serviceapi.NewTokenFile("a\x00b").Load(ctx)
	assert.ErrorContains(t, err, "open ")
}
