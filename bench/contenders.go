package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"

	"example.com/serviceapi"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

// Contender is one way to do a piece of work.
type Contender string

// The contenders. Ours is this library and Peer is client-go. Decoding is what
// a program would write with net/http and encoding/json alone, and Bare is
// net/http with the answer thrown away: the floor.
const (
	Ours     Contender = "serviceapi"
	Peer     Contender = "client-go"
	Decoding Contender = "encoding-json"
	Bare     Contender = "net-http"
)

// Contenders are all of them, in the order in which they take turns.
var Contenders = []Contender{Ours, Peer, Decoding, Bare}

const token = "token"

// Way is the work as one contender does it.
type Way func(context.Context) error

// Case is a piece of work that contenders do side by side.
type Case struct {
	Name string
	Ways map[Contender]Way
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

// Plain calls the service with net/http alone.
type Plain struct {
	Base   string
	Client *http.Client
}

// NewPlain returns a Plain, with a transport of its own if hc is nil.
func NewPlain(base string, hc *http.Client) Plain {
	if hc == nil {
		hc = &http.Client{Transport: http.DefaultTransport.(*http.Transport).Clone()}
	}
	return Plain{base, hc}
}

// Send makes a call. The caller closes the body of the answer.
func (p Plain) Send(ctx context.Context, method, path string, body io.Reader) (*http.Response, error) {
	req, err := p.request(ctx, method, path, body)
	if err != nil {
		return nil, err
	}
	return p.Client.Do(req)
}

func (p Plain) request(ctx context.Context, method, path string, body io.Reader) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, method, p.Base+"/api/v4"+path, body)
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

// Call makes a call with a JSON body and reads the answer into out, or throws
// it away where out is nil.
func (p Plain) Call(ctx context.Context, method, path string, in, out any) error {
	var body io.Reader
	if in != nil {
		data, err := json.Marshal(in)
		if err != nil {
			return err
		}
		body = bytes.NewReader(data)
	}
	resp, err := p.Send(ctx, method, path, body)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if out == nil {
		_, err = io.Copy(io.Discard, resp.Body)
		return err
	}
	return json.NewDecoder(resp.Body).Decode(out)
}
