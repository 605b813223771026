package bench

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"io"
	"net/http"

	"example.com/serviceapi"
	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

// Contender is one way to do a piece of work.
type Contender string

// These are the contenders. Ours is this library and Peer is client-go.
// Decoding is what a program would write with only net/http and encoding/json.
// Floor is the same with our JSON library: sending and decoding cannot cost
// less. Bare is net/http without decoding the response.
const (
	Ours     Contender = "serviceapi"
	Peer     Contender = "client-go"
	Decoding Contender = "encoding-json"
	Floor    Contender = "same-json"
	Bare     Contender = "net-http"
)

// Contenders are all of them, in the order in which they take turns.
var Contenders = []Contender{Ours, Peer, Decoding, Floor, Bare}

// token is as long as a real one, because the library searches responses for
// it.
const token = "not-a-real-token-4Vk2Zq9w"

// Way is the work as one contender does it.
type Way func(context.Context) error

// Case is a piece of work that all contenders do.
type Case struct {
	Name string
	Ways map[Contender]Way
	// memory is where the ways send their requests, nil if they send none.
	memory *memory
}

// NewOurs returns this library's client, with its own transport if hc is nil.
func NewOurs(base string, hc *http.Client) *serviceapi.Client {
	var opts []serviceapi.Option
	if hc != nil {
		opts = append(opts, serviceapi.WithHTTPClient(hc))
	}
	c, err := serviceapi.NewClient(base, serviceapi.PrivateToken(token), opts...)
	if err != nil {
		panic(err)
	}
	return c
}

// NewPeer returns client-go's client, with its own transport if hc is nil.
func NewPeer(base string, hc *http.Client) *clientgo.Client {
	opts := []clientgo.ClientOptionFunc{clientgo.WithBaseURL(base)}
	if hc != nil {
		opts = append(opts, clientgo.WithHTTPClient(hc))
	}
	c, err := clientgo.NewClient(token, opts...)
	if err != nil {
		panic(err)
	}
	return c
}

// Plain calls the service with only net/http.
type Plain struct {
	Base   string // what paths are appended to
	Client *http.Client
	// Encode and Decode are those of a JSON library.
	Encode func(in any) ([]byte, error)
	Decode func(r io.Reader, out any) error
}

// NewPlain returns a Plain with encoding/json, and with its own transport if hc
// is nil.
func NewPlain(base string, hc *http.Client) Plain {
	if hc == nil {
		hc = &http.Client{Transport: http.DefaultTransport.(*http.Transport).Clone()}
	}
	decode := func(r io.Reader, out any) error { return json.NewDecoder(r).Decode(out) }
	return Plain{base + "/api/v4", hc, json.Marshal, decode}
}

// NewFloor is like NewPlain, with the JSON library that serviceapi uses.
func NewFloor(base string, hc *http.Client) Plain {
	p := NewPlain(base, hc)
	p.Encode = func(in any) ([]byte, error) { return jsonv2.Marshal(in) }
	p.Decode = func(r io.Reader, out any) error { return jsonv2.UnmarshalRead(r, out, jsontext.AllowInvalidUTF8(true)) }
	return p
}

// Tuned returns an http.Client with the limits that many concurrent calls need,
// which are not the defaults of net/http. It trusts every certificate.
func Tuned() *http.Client {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxConnsPerHost, t.MaxIdleConnsPerHost, t.MaxIdleConns = 64, 64, 128
	t.TLSClientConfig = &tls.Config{InsecureSkipVerify: true}
	return &http.Client{Transport: t}
}

// Trusting returns an http.Client with the default transport of serviceapi,
// except that it trusts every certificate.
func Trusting() *http.Client {
	t := serviceapi.DefaultTransport()
	t.TLSClientConfig = &tls.Config{InsecureSkipVerify: true}
	return &http.Client{Transport: t}
}

// Send makes a call. The caller closes the body of the response.
func (p Plain) Send(ctx context.Context, method, path string, body io.Reader) (*http.Response, error) {
	req, err := p.request(ctx, method, path, body)
	if err != nil {
		return nil, err
	}
	return p.Client.Do(req)
}

func (p Plain) request(ctx context.Context, method, path string, body io.Reader) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, method, p.Base+path, body)
	if err != nil {
		return nil, err
	}
	req.Header.Set("PRIVATE-TOKEN", token)
	return req, nil
}

// Upload sends content of known length as it is.
func (p Plain) Upload(ctx context.Context, path string, size int64, content io.Reader) error {
	req, err := p.request(ctx, http.MethodPost, path, content)
	if err != nil {
		return err
	}
	req.ContentLength = size
	resp, err := p.Client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

// Call makes a call with a JSON body and decodes the response into out,
// whatever its status. If out is nil, the response is discarded.
func (p Plain) Call(ctx context.Context, method, path string, in, out any) error {
	var body io.Reader
	if in != nil {
		data, err := p.Encode(in)
		if err != nil {
			return err
		}
		body = bytes.NewReader(data)
	}
	req, err := p.request(ctx, method, path, body)
	if err != nil {
		return err
	}
	req.Header.Set("Accept", "application/json")
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := p.Client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if out == nil {
		_, err = io.Copy(io.Discard, resp.Body)
		return err
	}
	return p.Decode(resp.Body, out)
}
