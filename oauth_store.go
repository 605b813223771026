package serviceapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"example.com/serviceapi/internal/pace"
	"example.com/serviceapi/internal/savefile"
	"golang.org/x/oauth2"
)

// TokenStore keeps the token of a [NewTokenSource] where several processes find it, such as
// the file of [NewTokenFile], or a row of a database. A refresh token works once, so processes that
// renew a token without a common store sign each other out.
//
// A store may be used by several goroutines at the same time. Its methods should not take
// longer than some seconds. Their errors are shown to whoever makes a call, so they must
// not contain a token.
type TokenStore interface {
	// Load returns the token that was saved last. It returns nil without an error if none
	// was saved.
	Load(ctx context.Context) (*oauth2.Token, error)
	// Save replaces the token. Another process must find either the old token or the new
	// one, and never a part of one.
	Save(ctx context.Context, token *oauth2.Token) error
}

// TokenFile is a [TokenStore] in a file that only its owner can read. The file has the
// JSON form of an [oauth2.Token].
type TokenFile struct{ name string }

// NewTokenFile returns the store in the file with this name. Its directory must exist.
func NewTokenFile(name string) *TokenFile { return &TokenFile{name} }

// maxTokenFile is the maximum size of a file with a token, in bytes.
const maxTokenFile = 256 << 10

// Load reads the file. It returns nil without an error if there is none.
func (f *TokenFile) Load(context.Context) (*oauth2.Token, error) {
	file, err := os.Open(f.name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxTokenFile+1))
	if err != nil {
		return nil, err
	}
	var token oauth2.Token
	if len(data) > maxTokenFile || json.Unmarshal(data, &token) != nil || token.AccessToken == "" {
		// The error of the decoder could quote a token.
		return nil, &fs.PathError{Op: "load", Path: f.name, Err: errNoTokenFile}
	}
	return &token, nil
}

var errNoTokenFile = errors.New("it is not a file with a token")

// Save replaces the file at once. A new file has the permissions 0600.
func (f *TokenFile) Save(_ context.Context, token *oauth2.Token) error {
	if token == nil || token.AccessToken == "" {
		return &ArgumentError{Argument: "token", Problem: "is empty"}
	}
	if f.name == "" {
		return &ArgumentError{Argument: "file name", Problem: "is empty"}
	}
	t, err := savefile.At(f.name)
	if err != nil {
		return err
	}
	data, err := json.Marshal(token)
	if err != nil {
		return fmt.Errorf("serviceapi: save a token: %w", err)
	}
	_, err = t.Save(savefile.Content{WriteTo: bytes.NewReader(append(data, '\n')).WriteTo, Private: true})
	return err
}

// sharedToken renews a token that other processes may have renewed, or renew at the same
// time. It needs no lock: whoever comes second is refused by the service, and finds the
// new token in the store.
type sharedToken struct {
	store TokenStore
	// token is the one to continue with: at first that of the program, then that of the store.
	token *oauth2.Token
	// exchange exchanges a refresh token.
	exchange func(ctx context.Context, refresh, stale string) (*oauth2.Token, error)
	// unsaved is a token that could not be saved. It is saved before anything else, because
	// the token in the store no longer works.
	unsaved *oauth2.Token
}

// Waits for a token that another process has got and not saved yet.
const (
	firstLook = 50 * time.Millisecond
	lastLook  = 2 * time.Second
)

// renew returns a token in place of the stale one: that of the store, or a new one.
func (h *sharedToken) renew(ctx context.Context, stale string) (*oauth2.Token, error) {
	if h.unsaved != nil {
		return h.save(ctx, h.unsaved)
	}
	stored, err := h.store.Load(ctx)
	if err != nil {
		return nil, fmt.Errorf("load the token: %w", err)
	}
	if stored == nil && h.canSend(h.token, stale) {
		return h.save(ctx, h.token)
	}
	if stored != nil {
		h.token = stored
	}
	if h.canSend(h.token, stale) {
		return h.token, nil
	}
	if h.token.RefreshToken == "" {
		return nil, errNothingStored
	}
	token, err := h.exchange(ctx, h.token.RefreshToken, stale)
	if isInvalidGrant(err) {
		if stored = h.renewedByOther(ctx, h.token.RefreshToken); stored == nil {
			return nil, err
		}
		if h.token = stored; h.canSend(stored, stale) {
			return stored, nil
		}
		token, err = h.exchange(ctx, stored.RefreshToken, stale)
	}
	if err != nil {
		return nil, err
	}
	return h.save(ctx, token)
}

func (h *sharedToken) canSend(token *oauth2.Token, stale string) bool {
	return token.Valid() && token.AccessToken != stale
}

var errNothingStored = errors.New("the store has no refresh token: the user has to sign in")

// renewedByOther returns the token of another process that has used the refresh token, or
// nil if there is none in time.
func (h *sharedToken) renewedByOther(ctx context.Context, used string) *oauth2.Token {
	for wait := firstLook; wait <= lastLook; wait *= 2 {
		stored, err := h.store.Load(ctx)
		if err == nil && stored != nil && stored.RefreshToken != used {
			return stored
		}
		if pace.Pause(ctx, wait) != nil {
			return nil
		}
	}
	return nil
}

func (h *sharedToken) save(ctx context.Context, token *oauth2.Token) (*oauth2.Token, error) {
	h.unsaved, h.token = nil, token
	if err := h.store.Save(ctx, token); err != nil {
		h.unsaved = token
		return nil, fmt.Errorf("save the new token: %w", err)
	}
	return token, nil
}

func isInvalidGrant(err error) bool {
	refused, ok := errors.AsType[*Error](err)
	return ok && refused.Reason == ErrorReasonInvalidGrant
}
