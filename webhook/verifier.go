package webhook

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// A Verifier checks that a request was sent by a hook that knows a secret. It is safe
// for concurrent use, and does not print its secrets. Make it with [NewVerifier].
type Verifier struct {
	// fmt shows only the address of a function.
	get func() *config
}

type config struct {
	tokens       [][sha256.Size]byte
	signing      []signingKey
	plain        []string // tokens as they are sent, for NewRequest
	unverified   bool
	eitherSecret bool
	prefix       string
	limit        int64
	tolerance    time.Duration
	now          func() time.Time
	report       func(*http.Request, error)
	problems     []error
}

// An Option says which requests a [Verifier] accepts.
type Option func(*config)

// MaxBody is the largest body that an instance sends, and the default of [Limit].
const MaxBody = 25 << 20

// Token accepts requests with the token of the hook. If there are several tokens, any of
// them is accepted, so that a token can be replaced without a gap. An empty token is an
// error, and so is one that no header can have: with blanks at its ends, a line break as at the
// end of a file, or another control character.
func Token(tokens ...string) Option {
	return func(c *config) {
		for _, token := range tokens {
			if problem := tokenProblem(token); problem != "" {
				c.problems = append(c.problems, errors.New("webhook: a token "+problem))
				continue
			}
			c.tokens = append(c.tokens, sha256.Sum256([]byte(token)))
			c.plain = append(c.plain, token)
		}
	}
}

// tokenProblem says why no request can have a token, or "".
func tokenProblem(token string) string {
	isControl := func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }
	switch {
	case token == "":
		return "is empty"
	case strings.Trim(token, " \t\r\n") != token:
		return "begins or ends with white space, which no header can have"
	case strings.ContainsFunc(token, isControl):
		return "has a control character, which no header can have"
	}
	return ""
}

// SigningToken accepts requests that are signed with the signing token of the hook:
// "whsec_" and the Base64 of 32 bytes. If there are several signing tokens, any of them is
// accepted. If there is also a [Token], a request without a signature is still refused
// unless [TokenSuffices] is set. Instances sign requests since 19.0.
func SigningToken(tokens ...string) Option {
	return func(c *config) {
		for _, token := range tokens {
			key, err := parseSigningToken(token)
			if err != nil {
				c.problems = append(c.problems, err)
				continue
			}
			c.signing = append(c.signing, key)
		}
	}
}

// TokenSuffices accepts a request without a signature if its token is right, even though
// there is a [SigningToken]. It is meant for the time until all hooks sign their requests.
// A request with a wrong signature is refused, even if its token is right.
func TokenSuffices() Option {
	return func(c *config) { c.eitherSecret = true }
}

// AcceptUnverified accepts requests from everybody who knows the address. It cannot be
// combined with a secret.
func AcceptUnverified() Option {
	return func(c *config) { c.unverified = true }
}

// HeaderPrefix sets the prefix of the names of headers, such as "X-Acme". By default, it is
// the prefix of the header that ends in "-Event", and the other headers must have the same
// one.
func HeaderPrefix(prefix string) Option {
	return func(c *config) { c.prefix = http.CanonicalHeaderKey(strings.TrimSuffix(prefix, "-")) }
}

// Limit sets the size of the largest body that is accepted. The default is [MaxBody]:
// a smaller limit loses events.
func Limit(bytes int64) Option {
	return func(c *config) {
		if bytes <= 0 {
			c.problems = append(c.problems, errors.New("webhook: the limit is not positive"))
		}
		c.limit = bytes
	}
}

// Tolerance sets how far the time of a signature may be from now, before or after. The
// default is 5 minutes.
func Tolerance(d time.Duration) Option {
	return func(c *config) {
		if d <= 0 {
			c.problems = append(c.problems, errors.New("webhook: the tolerance is not positive"))
		}
		c.tolerance = d
	}
}

// Clock sets the function that returns the time, for the [Tolerance] of signatures and for
// [Once] below a [Handler]. The default is time.Now. A test whose events come from package
// servicetest passes the method Now of its service, unless it has started the service with
// servicetest.WithClock(time.Now).
func Clock(now func() time.Time) Option {
	return func(c *config) { c.now = now }
}

// OnError sets a function that [Handler] calls for each request that it refuses and for
// each error of its receiver, for example to log them. By default, the errors of the
// receiver are logged with package slog. The function may be called concurrently.
func OnError(report func(r *http.Request, err error)) Option {
	return func(c *config) { c.report = report }
}

// NewVerifier returns a Verifier. Without a [Token] or a [SigningToken], it returns an
// error, unless [AcceptUnverified] is set.
func NewVerifier(opts ...Option) (*Verifier, error) {
	c := &config{limit: MaxBody, tolerance: 5 * time.Minute, now: time.Now}
	for _, opt := range opts {
		opt(c)
	}
	secrets := len(c.tokens) + len(c.signing)
	switch {
	case len(c.problems) > 0:
		return nil, errors.Join(c.problems...)
	case c.unverified && secrets > 0:
		return nil, errors.New("webhook: there is a secret, and unverified requests are accepted")
	case !c.unverified && secrets == 0:
		return nil, errors.New("webhook: there is no secret; set a token, or accept unverified requests")
	case c.eitherSecret && (len(c.tokens) == 0 || len(c.signing) == 0):
		return nil, errors.New("webhook: TokenSuffices needs both a token and a signing token")
	case c.now == nil:
		return nil, errors.New("webhook: the clock is nil")
	}
	return &Verifier{func() *config { return c }}, nil
}

// headers are the headers of one request, with the prefix of their names.
type headers struct {
	http.Header
	prefix string
}

// own returns a header whose name has the prefix.
func (h headers) own(name string) string { return h.Get(h.prefix + "-" + name) }

// kind returns the kind of the event.
func (h headers) kind() Kind { return Kind(h.own("Event")) }

const eventSuffix = "-Event"

// headersOf finds the prefix of the headers of a request.
func (c *config) headersOf(h http.Header) (headers, error) {
	if c.prefix != "" {
		found := headers{h, c.prefix}
		return found, found.check()
	}
	found := headers{Header: h}
	for name := range h {
		prefix, ok := strings.CutSuffix(name, eventSuffix)
		if !ok || !strings.HasPrefix(prefix, "X-") || len(prefix) == len("X-") {
			continue
		}
		if found.prefix != "" {
			return headers{}, ErrAmbiguousHeaders
		}
		found.prefix = prefix
	}
	return found, found.check()
}

// check refuses a request without exactly one kind of event.
func (h headers) check() error {
	switch values := h.Values(h.prefix + eventSuffix); {
	case h.prefix == "" || len(values) == 0 || values[0] == "":
		return ErrNoEventHeader
	case len(values) > 1:
		return ErrAmbiguousHeaders
	}
	return nil
}

// checkToken checks the token of a request, in a time that depends neither on its
// content nor on its length.
func (c *config) checkToken(h headers) error {
	values := h.Values(h.prefix + "-Token")
	if len(values) == 0 || values[0] == "" {
		return ErrTokenMissing
	}
	sum, right := sha256.Sum256([]byte(values[0])), 0
	for i := range c.tokens {
		right |= subtle.ConstantTimeCompare(sum[:], c.tokens[i][:])
	}
	if right != 1 || len(values) > 1 {
		return ErrTokenWrong
	}
	return nil
}

// admit checks what can be checked before the body is read. If it returns
// VerificationSignature, the signature must be checked once the body has been read.
func (c *config) admit(h headers) (by Verification, err error) {
	switch {
	case c.unverified:
		return VerificationNone, nil
	case len(c.signing) > 0 && (isSigned(h.Header) || !c.eitherSecret):
		return VerificationSignature, c.checkSignatureHeaders(h.Header)
	}
	return VerificationToken, c.checkToken(h)
}

// String says how many secrets there are, without showing them.
func (v *Verifier) String() string {
	c, err := v.of()
	if err != nil {
		return "webhook.Verifier without secrets"
	}
	return fmt.Sprintf("webhook.Verifier with %d tokens and %d signing tokens", len(c.tokens), len(c.signing))
}
