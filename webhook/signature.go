package webhook

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// The headers of a signature, as Standard Webhooks names them.
const (
	headerID        = "Webhook-Id"
	headerTimestamp = "Webhook-Timestamp"
	headerSignature = "Webhook-Signature"
)

// A signingKey is the key in a signing token. It is a pointer so that fmt does not
// show it.
type signingKey struct{ bytes *[sha256.Size]byte }

// parseSigningToken returns the key of a signing token, with or without "whsec_".
func parseSigningToken(token string) (signingKey, error) {
	key, err := base64.StdEncoding.Strict().DecodeString(strings.TrimPrefix(token, "whsec_"))
	if err != nil || len(key) != sha256.Size || strings.ContainsAny(token, "\r\n") {
		return signingKey{}, errors.New(`webhook: a signing token is not "whsec_" and the Base64 of 32 bytes`)
	}
	return signingKey{(*[sha256.Size]byte)(key)}, nil
}

// sum returns the HMAC of a message.
func (k signingKey) sum(id, timestamp string, body []byte) []byte {
	mac := hmac.New(sha256.New, k.bytes[:])
	_, _ = io.WriteString(mac, id+"."+timestamp+".")
	mac.Write(body)
	return mac.Sum(nil)
}

// A Message has the parts of a request that a signature covers.
type Message struct {
	ID     string // webhook-id
	SentAt time.Time
	Body   []byte
}

// Sign returns the value of the header webhook-signature for a message, for tests and for
// programs that send events. The signing token is as in [SigningToken].
func Sign(signingToken string, m Message) (string, error) {
	key, err := parseSigningToken(signingToken)
	if err != nil {
		return "", err
	}
	return key.sign(m), nil
}

func (k signingKey) sign(m Message) string {
	return "v1," + base64.StdEncoding.EncodeToString(k.sum(m.ID, strconv.FormatInt(m.SentAt.Unix(), 10), m.Body))
}

// isSigned reports whether a request has any part of a signature.
func isSigned(h http.Header) bool {
	return len(h.Values(headerID))+len(h.Values(headerTimestamp))+len(h.Values(headerSignature)) > 0
}

// checkSignatureHeaders checks all but the signature itself.
func (c *config) checkSignatureHeaders(h http.Header) error {
	for _, name := range []string{headerID, headerTimestamp, headerSignature} {
		switch values := h.Values(name); {
		case len(values) == 0 || values[0] == "":
			return ErrSignatureMissing
		case len(values) > 1 && name != headerSignature:
			return ErrSignatureWrong
		}
	}
	sent, ok := sentAt(h)
	now := c.now()
	switch {
	case !ok:
		return ErrSignatureWrong
	case sent.Before(now.Add(-c.tolerance)):
		return ErrTimestampOld
	case sent.After(now.Add(c.tolerance)):
		return ErrTimestampFuture
	}
	return nil
}

// maxUnix is a second that time.Time can still add durations to.
const maxUnix = 1 << 40

// sentAt returns the time of the signature: Unix seconds in decimal, without a sign.
func sentAt(h http.Header) (time.Time, bool) {
	text := h.Get(headerTimestamp)
	seconds, err := strconv.ParseInt(text, 10, 64)
	if err != nil || seconds < 0 || seconds > maxUnix || strconv.FormatInt(seconds, 10) != text {
		return time.Time{}, false
	}
	return time.Unix(seconds, 0).UTC(), true
}

// checkSignature checks that one of the signatures matches one of the keys.
func (c *config) checkSignature(h http.Header, body []byte) error {
	var sums [][]byte
	for _, key := range c.signing {
		sums = append(sums, key.sum(h.Get(headerID), h.Get(headerTimestamp), body))
	}
	right := false
	for _, value := range h.Values(headerSignature) {
		for signature := range strings.FieldsSeq(value) {
			text, ok := strings.CutPrefix(signature, "v1,")
			given, err := base64.StdEncoding.Strict().DecodeString(text)
			if !ok || err != nil {
				continue
			}
			for _, sum := range sums {
				if hmac.Equal(given, sum) {
					right = true
				}
			}
		}
	}
	if !right {
		return ErrSignatureWrong
	}
	return nil
}

// NewRequest returns a request like those that hooks send, for tests of a handler. It has
// the first token and the first signing token of the options, which are those of [Parse]
// and [NewVerifier]. It is signed at the time of [Clock]: with another one, the signature is old.
//
//	r, err := webhook.NewRequest("/hook", webhook.KindMergeRequest, body, webhook.Token("secret"))
func NewRequest(url string, kind Kind, body []byte, opts ...Option) (*http.Request, error) {
	v, err := NewVerifier(opts...)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	c := v.get()
	prefix := c.prefix
	if prefix == "" {
		prefix = "X-Service"
	}
	m := Message{ID: newUUID(), SentAt: c.now(), Body: body}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set(prefix+eventSuffix, string(kind))
	r.Header.Set(prefix+"-Event-UUID", newUUID())
	r.Header.Set(prefix+"-Webhook-UUID", newUUID())
	r.Header.Set("Idempotency-Key", m.ID)
	if len(c.plain) > 0 {
		r.Header.Set(prefix+"-Token", c.plain[0])
	}
	if len(c.signing) > 0 {
		r.Header.Set(headerID, m.ID)
		r.Header.Set(headerTimestamp, strconv.FormatInt(m.SentAt.Unix(), 10))
		r.Header.Set(headerSignature, c.signing[0].sign(m))
	}
	return r, nil
}

// newUUID returns a random UUID.
func newUUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:])
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
