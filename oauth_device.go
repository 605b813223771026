package serviceapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"example.com/serviceapi/internal/pace"
	"golang.org/x/oauth2"
)

// SignInOnDeviceOptions are the options of [SignInOnDevice].
type SignInOnDeviceOptions struct {
	// ClientID is the ID of the application. It is required.
	ClientID string
	// ClientSecret is the secret of a confidential application.
	ClientSecret Secret
	// Scope has the scopes that the application asks for. It is required.
	Scope OAuthScopes
}

// SignInOnDevice signs a user in on a device without a browser (RFC 8628), such as a terminal,
// and returns the token. The function show tells the user which page to open and which code
// to enter there. If it returns an error, that ends the sign-in. The client needs no
// credential: make it with [Anonymous]. Since 17.3.
//
// SignInOnDevice polls at the interval that the service asks for, and slows down when the
// service says so or does not respond. [WithPollObserver] is called after each poll, with
// the reason of the refusal as the state.
//
// If the user does not sign in before the code expires, which takes five minutes by default,
// the error is [ErrSignInExpired], and if the user declines, its reason is
// [ErrorReasonAccessDenied]: begin again in both cases. A code works once. When a response
// was lost, the token may be lost with it, and the reason is [ErrorReasonInvalidGrant].
//
// Pass the token to [NewTokenSource], which renews it.
//
//	POST {base_url}/oauth/authorize_device
//	POST {base_url}/oauth/token
func SignInOnDevice(
	ctx context.Context, client *Client, options SignInOnDeviceOptions, show func(*DeviceAuthorization) error,
	opts ...RequestOption,
) (*oauth2.Token, error) {
	if client == nil || show == nil {
		return nil, badArgument("client or show", "is nil")
	}
	device, _, err := client.OAuth.AuthorizeDevice(ctx,
		AuthorizeDeviceOptions{ClientID: options.ClientID, Scope: options.Scope}, opts...)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	if err := show(device); err != nil {
		return nil, err
	}
	grant := deviceGrant{deviceGrantType, device.DeviceCode, options.ClientID, options.ClientSecret}
	first, err := newCall(ctx, client, http.MethodPost,
		instanceRoute("/oauth/token"), formOf(grant), asApplication(opts))
	if err != nil {
		return nil, err
	}
	w := deviceWait{first: first, interval: devicePoll, began: began}
	if device.Interval != nil {
		w.interval = max(time.Duration(*device.Interval)*time.Second, time.Second)
	}
	return w.run(began.Add(time.Duration(device.ExpiresIn) * time.Second))
}

const deviceGrantType = "urn:ietf:params:oauth:grant-type:device_code"

// deviceGrant is the body of a request for the token of a device.
type deviceGrant struct {
	GrantType    string `json:"grant_type"`
	DeviceCode   Secret `json:"device_code"`
	ClientID     string `json:"client_id"`
	ClientSecret Secret `json:"client_secret,omitzero"`
}

// tokenAnswer is a response with a token.
type tokenAnswer struct {
	AccessToken  Secret      `json:"access_token"`
	TokenType    string      `json:"token_type"`
	RefreshToken Secret      `json:"refresh_token"`
	ExpiresIn    int64       `json:"expires_in"`
	CreatedAt    int64       `json:"created_at"`
	Scope        OAuthScopes `json:"scope"`
	IDToken      Secret      `json:"id_token"`
}

func (t *tokenAnswer) token() *oauth2.Token {
	made := &oauth2.Token{
		AccessToken: t.AccessToken.Reveal(), TokenType: t.TokenType, RefreshToken: t.RefreshToken.Reveal(),
		ExpiresIn: t.ExpiresIn,
	}
	if t.ExpiresIn > 0 {
		made.Expiry = time.Now().Add(time.Duration(t.ExpiresIn) * time.Second)
	}
	extra := map[string]any{"scope": strings.Join(t.Scope, " "), "created_at": t.CreatedAt}
	if id := t.IDToken.Reveal(); id != "" {
		extra["id_token"] = id
	}
	return made.WithExtra(extra)
}

// Waits between two polls for the token of a device.
const (
	devicePoll        = 5 * time.Second
	slowerPoll        = 5 * time.Second
	longestDevicePoll = time.Minute
)

// ErrSignInExpired means that the user has not signed in before the code of a device expired.
// If the service has said so, the error is an [*Error], too.
var ErrSignInExpired = errors.New("the code expired before the user signed in")

// deviceWait polls for the token of a device.
type deviceWait struct {
	first    *call
	interval time.Duration
	began    time.Time
	polls    int
}

func (w *deviceWait) run(deadline time.Time) (*oauth2.Token, error) {
	for {
		if !time.Now().Add(w.interval).Before(deadline) {
			return nil, fmt.Errorf("serviceapi: gave up signing in: %w", ErrSignInExpired)
		}
		if err := pace.Pause(w.first.ctx, w.interval); err != nil {
			return nil, fmt.Errorf("serviceapi: gave up signing in: %w", err)
		}
		token, _, err := fetch(w.first.at(w.first.ctx, ""), hasToken)
		if err == nil {
			w.report("granted", true)
			return token.token(), nil
		}
		if err := w.afterRefusal(err); err != nil {
			return nil, err
		}
	}
}

// hasToken refuses a response that has no token.
func hasToken(sent *outcome, token *tokenAnswer) error {
	if token.AccessToken.IsEmpty() {
		return sent.decodeError(errNoToken)
	}
	return nil
}

// afterRefusal sets the interval after a poll without a token. It returns an error if no
// other poll can have one.
func (w *deviceWait) afterRefusal(err error) error {
	refused, responded := errors.AsType[*Error](err)
	switch {
	case !responded && !hasType[*TransportError](err) || w.first.ctx.Err() != nil:
		return err
	case !responded, refused.StatusCode >= 500, refused.StatusCode == http.StatusTooManyRequests:
		w.interval = min(2*w.interval, longestDevicePoll)
		w.report("no response", false)
		return nil
	}
	w.report(string(refused.Reason), false)
	switch refused.Reason {
	case ErrorReasonAuthorizationPending:
		return nil
	case ErrorReasonSlowDown:
		w.interval += slowerPoll
		return nil
	case ErrorReasonExpiredToken:
		return fmt.Errorf("%w: %w", ErrSignInExpired, err)
	}
	return err
}

func (w *deviceWait) report(state string, done bool) {
	w.polls++
	if observe := w.first.options.poll.observe; observe != nil {
		observe(Poll{Target: "sign-in", State: state, Done: done, Count: w.polls, Elapsed: time.Since(w.began)})
	}
}
