package servicetest

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/tls"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A Delivery is a request that a hook sent.
type Delivery struct {
	// ID is the hookLogID of the client's Hooks.Resend, which sends the request again.
	ID   int64
	Hook *Hook
	URL  string
	// Event is the header that names the kind of event, such as "Push Hook".
	Event string
	// Header is the header of the request, with its secrets.
	Header http.Header
	Body   []byte
	// Status is the status of the response, or 0 if there was none. Then Err says why.
	Status int
	Err    error
	// Hint says that a receiver which refused the request with 401 may have found its signature
	// too old or too new, because its clock is not that of the service. It is empty otherwise.
	Hint string
	// ResponseHeader and ResponseBody are the response. Only the first 8 KiB of the
	// body are kept.
	ResponseHeader http.Header
	ResponseBody   []byte
	SentAt         time.Time // by the clock of the service
	Duration       time.Duration

	address string   // with the variables filled in
	custom  []string // names of the hook's own headers
	payload []byte   // the event, before a template changes the body
}

// Deliveries returns the completed requests of hooks, oldest first. Flush waits for
// those that are under way.
func (s *Service) Deliveries() []Delivery {
	defer s.lock()()
	var all []Delivery
	for _, d := range state[hookState](s).logs.all(nil) {
		all = append(all, *d)
	}
	return all
}

// Deliveries returns the requests that the hook has sent, oldest first.
func (h *Hook) Deliveries() []Delivery {
	return slices.DeleteFunc(h.svc.Deliveries(), func(d Delivery) bool { return d.Hook != h })
}

// Flush waits until no hook has anything left to send. That includes the effects of
// calls that receivers make before they respond. Flush returns at once when the service
// is closed.
func (s *Service) Flush() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.underWay > 0 && !s.closed() {
		s.quiet.Wait()
	}
}

// WithHookTimeout sets how long a hook waits for a response. The default is 10 seconds,
// in real time.
func WithHookTimeout(d time.Duration) Option {
	return func(s *settings) { s.hookTimeout = d }
}

// AllowRemoteHooks lets hooks send requests to other machines. By default, only
// requests to loopback addresses are sent, and others fail.
func AllowRemoteHooks() Option {
	return func(s *settings) { s.remoteHooks = true }
}

// sending is a delivery that waits for its turn. A hook sends its deliveries one after
// the other.
type sending struct {
	event   string
	chain   string // X-Service-Event-UUID
	key     string // Idempotency-Key
	payload []byte
	tests   bool // sent even if the hook is disabled
	done    func(*Delivery)
}

// maxPayload is the largest body that a hook sends.
const maxPayload = 25 << 20

// enqueue puts a delivery into the queue of its hook.
func (h *Hook) enqueue(d *sending) {
	h.svc.starting.Lock()
	defer h.svc.starting.Unlock()
	if h.svc.closed() {
		return
	}
	h.svc.underWay++
	h.queue = append(h.queue, d)
	if !h.busy {
		h.busy = true
		h.svc.senders.Go(h.drain)
	}
}

// drain sends everything in the queue.
func (h *Hook) drain() {
	s := h.svc
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(h.queue) > 0 {
		next := h.queue[0]
		h.queue = h.queue[1:]
		if !s.closed() && (next.tests || h.runs()) {
			h.deliver(next)
		}
		s.underWay--
		s.quiet.Broadcast()
	}
	h.busy = false
}

// runs reports whether the hook is still switched on.
func (h *Hook) runs() bool { return h.alertStatus() == "executable" }

// deliver sends a request, without the lock, and records it.
func (h *Hook) deliver(d *sending) {
	s := h.svc
	made := &Delivery{Hook: h, URL: h.url, Event: d.event, Body: h.filledIn(d.payload), SentAt: s.now(),
		payload: d.payload}
	made.address, _ = h.address()
	made.Header = h.requestHeader(d, made)
	for _, own := range h.headers {
		made.custom = append(made.custom, own.key)
	}
	client, timeout := hookClient(s.settings.remoteHooks, h.checksTLS), s.settings.hookTimeout
	s.mu.Unlock()
	made.send(s.hooksRun, client, timeout)
	s.mu.Lock()
	made.Hint = made.clockHint(time.Now())
	made.ID, _ = state[hookState](s).logs.add(0, made)
	s.recorder.Feeds.Push(made)
	h.count(made, d.tests)
	if d.done != nil {
		d.done(made)
	}
}

// signedFor is how long most receivers accept a signature.
const signedFor = 5 * time.Minute

// clockHint returns the Hint of a delivery that was sent at a real time.
func (d *Delivery) clockHint(now time.Time) string {
	off := now.Sub(d.SentAt)
	if d.Status != http.StatusUnauthorized || d.Header.Get("Webhook-Signature") == "" || off.Abs() <= signedFor {
		return ""
	}
	return fmt.Sprintf("the receiver answered 401, maybe because the request was signed at %s, by the clock of the "+
		"service, and the real time is %s; give the verifier the clock of the service, webhook.Clock(svc.Now), or "+
		"start the service with servicetest.WithClock(time.Now)", d.SentAt.Format(time.RFC3339),
		now.UTC().Format(time.RFC3339))
}

// logHint writes the first Hint to the log of the test, if it has one.
func (s *Service) logHint() {
	tb, ok := s.tb.(interface {
		Logf(format string, args ...any)
	})
	if !ok {
		return
	}
	for _, d := range s.Deliveries() {
		if d.Hint != "" {
			tb.Logf("servicetest: %s to %s: %s", d.Event, d.URL, d.Hint)
			return
		}
	}
}

// succeeded reports whether the receiver took the event.
func (d *Delivery) succeeded() bool { return d.Status >= 200 && d.Status < 400 }

// send sends the request once.
func (d *Delivery) send(ctx context.Context, client *http.Client, timeout time.Duration) {
	began := time.Now()
	defer func() { d.Duration = time.Since(began) }()
	if len(d.Body) > maxPayload || !json.Valid(d.Body) {
		d.Err = errors.New("the body is too large or not JSON")
		return
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	u, err := url.Parse(d.address)
	if err != nil {
		d.Err = err
		return
	}
	u.User = nil
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), bytes.NewReader(d.Body))
	if err != nil {
		d.Err = err
		return
	}
	req.Header = d.Header.Clone()
	defer client.CloseIdleConnections()
	resp, err := client.Do(req)
	if err != nil {
		d.Err = err
		return
	}
	defer resp.Body.Close()
	d.Status, d.ResponseHeader = resp.StatusCode, resp.Header
	d.ResponseBody, _ = io.ReadAll(io.LimitReader(resp.Body, 8<<10))
}

var errRemote = errors.New("hooks are sent only to loopback addresses; see AllowRemoteHooks")

// hookTLS returns the TLS configuration of a hook, with or without the check of
// certificates.
func hookTLS(checks bool) *tls.Config {
	return &tls.Config{InsecureSkipVerify: !checks} //nolint:gosec // as the hook's setting says
}

// hookClient returns a client that does not follow redirects, and that connects only to
// loopback addresses unless others are allowed.
func hookClient(remote, checksTLS bool) *http.Client {
	dialer := &net.Dialer{}
	transport := &http.Transport{
		TLSClientConfig: hookTLS(checksTLS),
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			if remote {
				return dialer.DialContext(ctx, network, address)
			}
			host, port, err := net.SplitHostPort(address)
			if err != nil {
				return nil, err
			}
			ips, err := loopbackOf(host)
			if err != nil {
				return nil, err
			}
			return dialer.DialContext(ctx, network, net.JoinHostPort(ips.String(), port))
		},
	}
	return &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
}

// loopbackOf returns the loopback address of a host, without asking a name server.
func loopbackOf(host string) (net.IP, error) {
	if host == "localhost" {
		return net.IPv4(127, 0, 0, 1), nil
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsLoopback() {
		return ip, nil
	}
	return nil, errRemote
}

// requestHeader returns the header of a request.
func (h *Hook) requestHeader(d *sending, made *Delivery) http.Header {
	s, header := h.svc, http.Header{}
	for _, v := range h.headers {
		header.Set(v.key, v.value)
	}
	header.Set("Content-Type", "application/json")
	header.Set("User-Agent", "Service/"+s.settings.version)
	header.Set(s.settings.header("Event"), d.event)
	header.Set(s.settings.header("Event-UUID"), d.chain)
	header.Set(s.settings.header("Instance"), s.address())
	header.Set(s.settings.header("Webhook-UUID"), s.newUUID())
	header.Set("Idempotency-Key", d.key)
	header.Del(s.settings.header("Token"))
	if h.token != "" {
		header.Set(s.settings.header("Token"), h.token)
	}
	for _, name := range []string{"Webhook-Id", "Webhook-Timestamp", "Webhook-Signature", "Authorization"} {
		header.Del(name)
	}
	if key := h.signingKey(); key != nil {
		at := strconv.FormatInt(s.now().Unix(), 10)
		mac := hmac.New(sha256.New, key)
		fmt.Fprintf(mac, "%s.%s.", d.key, at)
		mac.Write(made.Body)
		header.Set("Webhook-Id", d.key)
		header.Set("Webhook-Timestamp", at)
		header.Set("Webhook-Signature", "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	}
	if u, err := url.Parse(made.address); err == nil && u.User != nil {
		password, _ := u.User.Password()
		header.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(u.User.Username()+":"+password)))
	}
	return header
}

// filledIn returns the body that the hook's template makes of a payload, or the payload
// itself without one.
func (h *Hook) filledIn(payload []byte) []byte {
	if h.template == "" {
		return payload
	}
	var tree any
	decoder := json.NewDecoder(bytes.NewReader(payload))
	decoder.UseNumber()
	if decoder.Decode(&tree) != nil {
		return payload
	}
	return []byte(placeholder.ReplaceAllStringFunc(h.template, func(name string) string {
		value := tree
		for step := range strings.SplitSeq(strings.Trim(name, "{} "), ".") {
			members, _ := value.(map[string]any)
			value = members[step]
		}
		text, _ := json.Marshal(value)
		switch value.(type) {
		case nil, []any, map[string]any:
			return ""
		case string:
			text = text[1 : len(text)-1] // the template has the quotes
		}
		return string(text)
	}))
}

// newUUID returns the next UUID of a predictable series.
func (s *Service) newUUID() string {
	s.uuids++
	return fmt.Sprintf("00000000-0000-4000-8000-%012x", s.uuids)
}

// count counts consecutive failures, which switch off any hook except a system hook.
func (h *Hook) count(d *Delivery, tests bool) {
	if d.succeeded() {
		h.failures, h.disabledUntil, h.disabled = 0, time.Time{}, false
		return
	}
	if h.home() == any(h.svc) || tests {
		return
	}
	switch h.failures++; {
	case h.failures >= 40:
		h.disabled, h.disabledUntil = true, time.Time{}
	case h.failures >= 4:
		pause := time.Minute << min(h.failures-4, 20)
		h.disabledUntil = h.svc.now().Add(min(pause, 24*time.Hour))
	}
}

// alertStatus says whether the hook is switched off.
func (h *Hook) alertStatus() string {
	switch {
	case h.disabled:
		return "disabled"
	case h.disabledUntil.After(h.svc.now()):
		return "temporarily_disabled"
	}
	return "executable"
}

// json returns the delivery as the list of a hook's requests shows it.
func (d *Delivery) json() object {
	h := maps.Clone(d.Header)
	s := d.Hook.svc
	if token := s.settings.header("Token"); h.Get(token) != "" {
		h.Set(token, "[REDACTED]")
	}
	for _, v := range d.Hook.headers {
		h.Set(v.key, "[REDACTED]")
	}
	h.Del("Authorization")
	status := "internal error"
	if d.Status != 0 {
		status = strconv.Itoa(d.Status)
	}
	return object{
		"id": d.ID, "url": d.URL, "trigger": triggerOf(d.Event), "request_headers": flat(h),
		"request_data": json.RawMessage(d.payload), "response_headers": flat(d.ResponseHeader),
		"response_body": strings.ToValidUTF8(string(d.ResponseBody), ""), "execution_duration": d.Duration.Seconds(),
		"response_status": status, "created_at": jsonTime(d.SentAt),
	}
}

// triggerOf returns the name that lists use for a kind of event, such as "push_hooks".
func triggerOf(event string) string {
	return strings.ToLower(strings.ReplaceAll(event, " ", "_")) + "s"
}

func flat(h http.Header) map[string]string {
	values := map[string]string{}
	for name := range h {
		values[name] = h.Get(name)
	}
	return values
}

// closed reports whether the service was closed.
func (s *Service) closed() bool {
	select {
	case <-s.done:
		return true
	default:
		return false
	}
}

// endHooks ends all requests of hooks and waits for them, including one that is just
// starting. It does not need the state's lock, because a handle that panicked may still
// hold it.
func (s *Service) endHooks() {
	s.starting.Lock() // later senders see that the service is closed
	s.stopHooks()
	s.starting.Unlock()
	go func() {
		s.mu.Lock() // so that no Flush is about to wait
		defer s.mu.Unlock()
		s.quiet.Broadcast()
	}()
	s.senders.Wait()
}

// hookWork is the work that hooks have under way.
type hookWork struct {
	starting  sync.Mutex // held while a sender starts
	senders   sync.WaitGroup
	quiet     *sync.Cond // uses the service's lock
	hooksRun  context.Context
	stopHooks context.CancelFunc // ends hooksRun
	underWay  int
	uuids     int64
	watch     *hookWatch
	actor     *User  // the caller of the call being served; nil outside calls
	chain     string // of the call being served; "" outside calls
}
