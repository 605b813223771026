package webhook

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
)

// Parse verifies a request and returns its event. It reads the body, up to a limit, but
// only if the headers are right. The options are those of [NewVerifier]; a program that
// serves many requests should make a [Verifier] once.
//
// Events and members that this package does not know are not errors: see [UnknownEvent] and
// [Delivery.Problem]. [StatusCode] returns the status to respond with to an error.
func Parse(r *http.Request, opts ...Option) (Event, error) {
	v, err := NewVerifier(opts...)
	if err != nil {
		return nil, err
	}
	return v.Parse(r)
}

// Parse verifies a request and returns its event, as the function [Parse] does.
func (v *Verifier) Parse(r *http.Request) (Event, error) {
	c, err := v.of()
	if err != nil {
		return nil, err
	}
	if r.Method != http.MethodPost {
		return nil, ErrMethod
	}
	h, by, err := c.checkHeaders(r.Header)
	if err != nil {
		return nil, err
	}
	if r.ContentLength > c.limit {
		return nil, ErrTooLarge
	}
	body, err := c.read(r.Body)
	if err != nil {
		return nil, err
	}
	return c.event(h, by, body)
}

// ParseBody verifies a request that was read by other means, such as by a server without
// net/http, and returns its event. The body must be exactly as it was sent.
func (v *Verifier) ParseBody(header http.Header, body []byte) (Event, error) {
	c, err := v.of()
	if err != nil {
		return nil, err
	}
	h, by, err := c.checkHeaders(header)
	if err != nil {
		return nil, err
	}
	if int64(len(body)) > c.limit {
		return nil, ErrTooLarge
	}
	return c.event(h, by, body)
}

var errNoVerifier = errors.New("webhook: the Verifier was not made with NewVerifier")

func (v *Verifier) of() (*config, error) {
	if v == nil || v.get == nil {
		return nil, errNoVerifier
	}
	return v.get(), nil
}

// checkHeaders checks everything before the body is read.
func (c *config) checkHeaders(header http.Header) (h headers, by Verification, err error) {
	if !isJSON(header.Get("Content-Type")) {
		return h, by, ErrContentType
	}
	if h, err = c.headersOf(header); err != nil {
		return h, by, err
	}
	by, err = c.admit(h)
	return h, by, err
}

// read reads a body up to the limit. The error does not quote it.
func (c *config) read(body io.Reader) ([]byte, error) {
	if body == nil {
		return nil, ErrNotJSON
	}
	data, err := io.ReadAll(io.LimitReader(body, c.limit+1))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge) || int64(len(data)) > c.limit:
		return nil, ErrTooLarge
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrBody, err)
	}
	return data, nil
}

// event checks the signature, if that is how the request is verified, and decodes the
// body.
func (c *config) event(h headers, by Verification, body []byte) (Event, error) {
	if by == VerificationSignature {
		if err := c.checkSignature(h.Header, body); err != nil {
			return nil, err
		}
	}
	event, err := Decode(h.kind(), body)
	if err != nil {
		return nil, err
	}
	d := event.Info()
	d.Verified = by
	d.IdempotencyKey = h.Get("Idempotency-Key")
	d.EventUUID, d.WebhookUUID, d.Instance = h.own("Event-UUID"), h.own("Webhook-UUID"), h.own("Instance")
	if by == VerificationSignature {
		d.MessageID = h.Get(headerID)
		d.SentAt, _ = sentAt(h.Header)
	}
	return event, nil
}

// isJSON reports whether a content type is JSON, with any parameters.
func isJSON(contentType string) bool {
	kind, _, err := mime.ParseMediaType(contentType)
	return err == nil && (kind == "application/json" || strings.HasSuffix(kind, "+json"))
}
