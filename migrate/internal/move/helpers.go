package move

import "strings"

// A helper is a function that new text calls where no expression says the same.
type helper struct {
	imports []string
	needs   []string
	text    string
}

var helpers = map[string]helper{
	"valueOf": {text: `
// valueOf returns *p, or the zero value if p is nil, as it was before for a field that the
// service did not send.
func valueOf[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}`},
	"listOf": {text: `
// listOf returns a list of *p, or nil if p is nil.
func listOf[T any](p *T) []T {
	if p == nil {
		return nil
	}
	return []T{*p}
}`},
	"mapPointer": {text: `
// mapPointer returns a pointer to the converted value of *p, or nil if p is nil.
func mapPointer[From, To any](p *From, convert func(From) To) *To {
	if p == nil {
		return nil
	}
	return new(convert(*p))
}`},
	"mapSlice": {text: `
// mapSlice converts each element. It returns nil for nil.
func mapSlice[From, To any](from []From, convert func(From) To) []To {
	if from == nil {
		return nil
	}
	to := make([]To, 0, len(from))
	for _, v := range from {
		to = append(to, convert(v))
	}
	return to
}`},
	"hasStatusCode": {imports: []string{lib, "errors"}, text: `
// hasStatusCode reports whether the service answered with a status. As with client-go, that is
// false for 404, which is serviceapi.ErrNotFound.
func hasStatusCode(err error, statusCode int) bool {
	failure, ok := errors.AsType[*serviceapi.Error](err)
	return ok && failure.StatusCode == statusCode && statusCode != 404
}`},
	"todoContext": {imports: []string{"context"}, text: `
// todoContext returns context.TODO() where context is the name of something else.
func todoContext() context.Context { return context.TODO() }`},
	"isZero": {imports: []string{"reflect"}, text: `
// isZero reports whether the service left an object out.
func isZero(v any) bool { return reflect.ValueOf(v).IsZero() }`},
	"mapValues": {text: `
// mapValues converts each value. It returns nil for nil.
func mapValues[Key comparable, From, To any](from map[Key]From, convert func(From) To) map[Key]To {
	if from == nil {
		return nil
	}
	to := make(map[Key]To, len(from))
	for key, v := range from {
		to[key] = convert(v)
	}
	return to
}`},
	"memberOf": {imports: []string{"encoding/json"}, text: `
// memberOf returns a member of an object, or the zero value if it has none of that name.
func memberOf[T any](object json.RawMessage, name string) T {
	var members map[string]json.RawMessage
	var value T
	if json.Unmarshal(object, &members) == nil && members[name] != nil {
		_ = json.Unmarshal(members[name], &value)
	}
	return value
}`},
	"nullableOf": {imports: []string{lib}, text: `
// nullableOf returns *p as a value that can also be null. If p is nil, nothing is sent.
func nullableOf[T any](p *T) serviceapi.Nullable[T] {
	if p == nil {
		return serviceapi.Nullable[T]{}
	}
	return serviceapi.Value(*p)
}`},
	"withoutResult": {imports: []string{lib}, text: `
// withoutResult drops the first result of a call.
func withoutResult[T any](_ T, resp *serviceapi.Response, err error) (*serviceapi.Response, error) {
	return resp, err
}`},
	"readAll": {imports: []string{lib, "io"}, text: `
// readAll reads a download into memory.
func readAll(d *serviceapi.Download, resp *serviceapi.Response, err error) ([]byte, *serviceapi.Response, error) {
	if err != nil {
		return nil, resp, err
	}
	defer d.Close()
	data, err := io.ReadAll(d)
	return data, resp, err
}`},
	"readerOf": {imports: []string{lib, "bytes"}, needs: []string{"readAll"}, text: `
// readerOf reads a download into memory.
func readerOf(
	d *serviceapi.Download, resp *serviceapi.Response, err error,
) (*bytes.Reader, *serviceapi.Response, error) {
	data, resp, err := readAll(d, resp, err)
	if err != nil {
		return nil, resp, err
	}
	return bytes.NewReader(data), resp, nil
}`},
	"itemsOf": {imports: []string{"iter"}, text: `
// itemsOf returns the items of a list, and a function that returns the error which ended it.
func itemsOf[T any](all iter.Seq2[T, error]) (iter.Seq[T], func() error) {
	var failure error
	items := func(yield func(T) bool) {
		for item, err := range all {
			if failure = err; err != nil || !yield(item) {
				return
			}
		}
	}
	return items, func() error { return failure }
}`},
	"collectAtMost": {imports: []string{"iter"}, text: `
// collectAtMost returns the first n items of a list, or all if n is negative.
func collectAtMost[T any](all iter.Seq2[T, error], n int) ([]T, error) {
	var items []T
	for item, err := range all {
		if err != nil {
			return nil, err
		}
		if n >= 0 && len(items) >= n {
			break
		}
		items = append(items, item)
	}
	return items, nil
}`},
	"withUserAgent": {imports: []string{lib}, text: `
// withUserAgent returns a client that names another product before the library's own. It
// returns client if the product cannot be sent.
func withUserAgent(client *serviceapi.Client, product string) *serviceapi.Client {
	other, err := client.With(serviceapi.WithUserAgent(product))
	if err != nil {
		return client
	}
	return other
}`},
	"requestHook": {imports: []string{lib, "net/http", retryable}, text: `
// requestHook calls a hook before each attempt of a call.
func requestHook(hook func(retryablehttp.Logger, *http.Request, int)) serviceapi.Middleware {
	return func(next http.RoundTripper) http.RoundTripper {
		return serviceapi.RoundTripFunc(func(req *http.Request) (*http.Response, error) {
			hook(nil, req, 0)
			return next.RoundTrip(req)
		})
	}
}`},
	"responseHook": {imports: []string{lib, "net/http", retryable}, text: `
// responseHook calls a hook after each attempt of a call that got a response.
func responseHook(hook func(retryablehttp.Logger, *http.Response)) serviceapi.Middleware {
	return func(next http.RoundTripper) http.RoundTripper {
		return serviceapi.RoundTripFunc(func(req *http.Request) (*http.Response, error) {
			resp, err := next.RoundTrip(req)
			if err == nil {
				hook(nil, resp)
			}
			return resp, err
		})
	}
}`},
	"noteValueWhere": {imports: []string{webhookLib}, text: `
// noteValueWhere returns event as a comment, and whether it is one for which is returns true.
func noteValueWhere(event any, is func(*webhook.NoteEvent) bool) (webhook.NoteEvent, bool) {
	note, ok := event.(webhook.NoteEvent)
	return note, ok && is(&note)
}`},
	"noteWhere": {imports: []string{webhookLib}, text: `
// noteWhere returns event as a comment, and whether it is one for which is returns true.
func noteWhere(event any, is func(*webhook.NoteEvent) bool) (*webhook.NoteEvent, bool) {
	note, ok := event.(*webhook.NoteEvent)
	return note, ok && is(note)
}`},
	"coverageText": {imports: []string{lib, "strconv"}, text: `
// coverageText returns a coverage as the service sends it, "" if there is none.
func coverageText(c *serviceapi.Coverage) string {
	if c == nil {
		return ""
	}
	return strconv.FormatFloat(float64(*c), 'f', -1, 64)
}`},
	"newRequest": {imports: []string{lib, "context", "net/http", "net/url", "slices", "strings", querystring},
		needs: []string{"withContext"}, text: `
// A serviceRequest is a call of an endpoint by its path.
type serviceRequest struct {
	method   string
	endpoint serviceapi.Endpoint
	body     any
	options  []serviceapi.RequestOption
}

// WithContext returns the same call with another context.
func (r *serviceRequest) WithContext(ctx context.Context) *serviceRequest {
	changed := *r
	changed.options = append(slices.Clip(r.options), withContext(ctx))
	return &changed
}

// newRequest prepares a call of an endpoint by its path below /api/v4. The parameters are the
// body of a POST, PUT or PATCH, and the query of other requests.
func newRequest(
	method, path string, parameters any, options []serviceapi.RequestOption,
) (*serviceRequest, error) {
	path, encoded, _ := strings.Cut(strings.TrimPrefix(path, "/"), "?")
	values, err := url.ParseQuery(encoded)
	if err != nil {
		return nil, err
	}
	r := &serviceRequest{method: method, endpoint: serviceapi.EscapedPath("/" + path), options: options}
	switch {
	case method == http.MethodPost, method == http.MethodPut, method == http.MethodPatch:
		r.body = parameters
	case parameters != nil:
		more, err := query.Values(parameters)
		if err != nil {
			return nil, err
		}
		for name, texts := range more {
			values[name] = texts
		}
	}
	for name, texts := range values {
		r.options = append(r.options, serviceapi.WithQuery(name, texts...))
	}
	return r, nil
}

// doRequest calls an endpoint, and decodes the response into out.
func doRequest(
	ctx context.Context, client *serviceapi.Client, r *serviceRequest, out any,
) (*serviceapi.Response, error) {
	return client.Do(callContext(ctx, r.options), r.method, r.endpoint, r.body, out, callOptions(r.options)...)
}`},
	"doGraphQL": {imports: []string{lib, "context", "encoding/json", "errors"}, text: `
// doGraphQL executes a GraphQL operation, and decodes the whole response into out: an object
// with the members data and errors. Errors in a response with status 200 are no error of the
// call.
func doGraphQL(
	ctx context.Context, service *serviceapi.GraphQLService, request serviceapi.GraphQLRequest, out any,
	options ...serviceapi.RequestOption,
) (*serviceapi.Response, error) {
	var data json.RawMessage
	resp, err := service.Query(ctx, request, &data, options...)
	failure, refused := errors.AsType[*serviceapi.GraphQLError](err)
	if err != nil && (!refused || failure.Err.StatusCode != 200) || out == nil {
		return resp, err
	}
	response := map[string]any{"data": data}
	if refused {
		var problems []map[string]any
		for _, e := range failure.Errors {
			problem := map[string]any{"message": e.Message}
			if e.Locations != nil {
				problem["locations"] = e.Locations
			}
			if e.Path != nil {
				problem["path"] = e.Path
			}
			if e.Extensions != nil {
				problem["extensions"] = e.Extensions
			}
			problems = append(problems, problem)
		}
		response["errors"] = problems
	}
	text, err := json.Marshal(response)
	if err != nil {
		return resp, err
	}
	return resp, json.Unmarshal(text, out)
}`},
	"statusOf": {imports: []string{"net/http"}, text: `
// statusOf returns the status of a response, 0 if there is none.
func statusOf(r *http.Response) int {
	if r == nil {
		return 0
	}
	return r.StatusCode
}

// headerOf returns the header of a response, nil if there is none.
func headerOf(r *http.Response) http.Header {
	if r == nil {
		return nil
	}
	return r.Header
}`},
	"newPasswordClient": {imports: []string{lib, "context", "sync", oauth2Lib}, text: `
// newPasswordClient returns a client that exchanges a name and a password for a token.
func newPasswordClient(
	baseURL, username, password string, options ...serviceapi.Option,
) (*serviceapi.Client, error) {
	endpoint, err := serviceapi.OAuth2Endpoint(baseURL)
	if err != nil {
		return nil, err
	}
	source := &passwordSource{config: oauth2.Config{Endpoint: endpoint}, username: username, password: password}
	return serviceapi.NewClient(baseURL, serviceapi.OAuth2(source), options...)
}

type passwordSource struct {
	config             oauth2.Config
	username, password string

	mu     sync.Mutex
	tokens oauth2.TokenSource
}

func (s *passwordSource) Token() (*oauth2.Token, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tokens == nil {
		token, err := s.config.PasswordCredentialsToken(context.Background(), s.username, s.password)
		if err != nil {
			return nil, err
		}
		s.tokens = s.config.TokenSource(context.Background(), token)
	}
	return s.tokens.Token()
}`},
	"decoded": {imports: []string{"encoding/json"}, text: `
// decoded returns the value that data encodes, or the zero value if it has another type.
func decoded[T any](data json.RawMessage) T {
	var value, zero T
	if json.Unmarshal(data, &value) != nil {
		return zero
	}
	return value
}`},
	"notSent": {text: `
// notSent returns the zero value of a field that the service does not send.
func notSent[T any]() T {
	var zero T
	return zero
}`},
	"serviceError": {imports: []string{lib, "errors"}, text: `
// serviceError returns the *serviceapi.Error that err is or wraps. It panics if there is none,
// as the type assertion that it replaces did.
func serviceError(err error) *serviceapi.Error {
	failure, ok := errors.AsType[*serviceapi.Error](err)
	if !ok {
		panic(err)
	}
	return failure
}`},
	"authSource": {imports: []string{lib, "context", "strings", "sync", oauth2Lib}, text: `
// An authSource returns the header that authorizes a call.
type authSource interface {
	Init(ctx context.Context, client *serviceapi.Client) error
	Header(ctx context.Context) (key, value string, err error)
}

// newSourceClient returns a client that sends the token of a source as a bearer token. The
// service accepts any token there but a job token.
func newSourceClient(
	baseURL string, source authSource, options ...serviceapi.Option,
) (*serviceapi.Client, error) {
	tokens := &sourceTokens{source: source}
	client, err := serviceapi.NewClient(baseURL, serviceapi.OAuth2(tokens), options...)
	tokens.client = client
	return client, err
}

type sourceTokens struct {
	source authSource
	client *serviceapi.Client

	mu    sync.Mutex
	ready bool
}

func (s *sourceTokens) Token() (*oauth2.Token, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.ready {
		if err := s.source.Init(context.Background(), s.client); err != nil {
			return nil, err
		}
		s.ready = true
	}
	_, value, err := s.source.Header(context.Background())
	if err != nil {
		return nil, err
	}
	return &oauth2.Token{AccessToken: strings.TrimPrefix(value, "Bearer ")}, nil
}

// An oauthTokenSource is a source of OAuth2 tokens.
type oauthTokenSource struct{ TokenSource oauth2.TokenSource }

func (s oauthTokenSource) Init(context.Context, *serviceapi.Client) error { return nil }

func (s oauthTokenSource) Header(context.Context) (key, value string, err error) {
	token, err := s.TokenSource.Token()
	if err != nil {
		return "", "", err
	}
	return "Authorization", "Bearer " + token.AccessToken, nil
}

// An accessTokenSource returns the same token each time.
type accessTokenSource struct{ Token string }

func (s accessTokenSource) Init(context.Context, *serviceapi.Client) error { return nil }

func (s accessTokenSource) Header(context.Context) (key, value string, err error) {
	return "Private-Token", s.Token, nil
}`},
	"labelNames": {imports: []string{lib}, text: `
// labelNames returns the names of labels. It returns nil for nil.
func labelNames(labels []*serviceapi.LabelSummary) []string {
	if labels == nil {
		return nil
	}
	names := make([]string, 0, len(labels))
	for _, label := range labels {
		names = append(names, label.Name)
	}
	return names
}`},
	"leveledLogger": {imports: []string{"context", "log/slog"}, text: `
// leveledLogger returns a logger that writes to one with a method for each level.
func leveledLogger(logger interface {
	Error(msg string, keysAndValues ...any)
	Info(msg string, keysAndValues ...any)
	Debug(msg string, keysAndValues ...any)
	Warn(msg string, keysAndValues ...any)
}) *slog.Logger {
	return slog.New(leveledHandler{log: func(level slog.Level) func(string, ...any) {
		switch {
		case level >= slog.LevelError:
			return logger.Error
		case level >= slog.LevelWarn:
			return logger.Warn
		case level >= slog.LevelInfo:
			return logger.Info
		}
		return logger.Debug
	}})
}

type leveledHandler struct {
	log    func(slog.Level) func(string, ...any)
	values []any
}

func (h leveledHandler) Enabled(context.Context, slog.Level) bool { return true }

func (h leveledHandler) Handle(_ context.Context, record slog.Record) error {
	values := h.values[:len(h.values):len(h.values)]
	record.Attrs(func(a slog.Attr) bool {
		values = append(values, a.Key, a.Value.Any())
		return true
	})
	h.log(record.Level)(record.Message, values...)
	return nil
}

func (h leveledHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	values := h.values[:len(h.values):len(h.values)]
	for _, a := range attrs {
		values = append(values, a.Key, a.Value.Any())
	}
	return leveledHandler{h.log, values}
}

func (h leveledHandler) WithGroup(string) slog.Handler { return h }`},
	"printfLogger": {imports: []string{"log/slog", "strings"}, text: `
// printfLogger returns a logger that writes to one with the method Printf.
func printfLogger(logger interface{ Printf(string, ...any) }) *slog.Logger {
	return slog.New(slog.NewTextHandler(printfWriter(logger.Printf), nil))
}

type printfWriter func(string, ...any)

func (w printfWriter) Write(line []byte) (int, error) {
	w("%s", strings.TrimSuffix(string(line), "\n"))
	return len(line), nil
}`},
	"baseURLOf": {imports: []string{lib, "net/url"}, text: `
// baseURLOf returns the address of the API.
func baseURLOf(client *serviceapi.Client) *url.URL {
	address, err := url.Parse(client.BaseURL() + "/api/v4/")
	if err != nil {
		return &url.URL{}
	}
	return address
}`},
	"credentialOf": {imports: []string{lib}, text: `
// credentialOf returns the credential of a token. An empty one is none.
func credentialOf(maker func(token string) serviceapi.Credential, token string) serviceapi.Credential {
	if token == "" {
		return serviceapi.Anonymous()
	}
	return maker(token)
}`},
	"projectOf": reference("project", "Project", "ProjectID", "ProjectPath"),
	"groupOf":   reference("group", "Group", "GroupID", "GroupPath"),
	"userOf":    reference("user", "User", "UserID", "Username"),
}

const (
	lib         = "example.com/serviceapi"
	webhookLib  = "example.com/serviceapi/webhook"
	oauth2Lib   = "golang.org/x/oauth2"
	retryable   = "github.com/hashicorp/go-retryablehttp"
	querystring = "github.com/google/go-querystring/query"
)

// reference returns the helper that makes a reference from a value of any type.
func reference(what, name, byID, byName string) helper {
	return helper{imports: []string{lib}, text: strings.NewReplacer("WHAT", what, "NAME", name, "BYID", byID,
		"BYNAME", byName).Replace(`
// WHATOf returns a reference by ID or by name. Digits are an ID. For other values, it returns one
// that calls refuse.
func WHATOf(id any) serviceapi.NAMERef {
	switch id := id.(type) {
	case int:
		return serviceapi.BYID(int64(id))
	case int64:
		return serviceapi.BYID(id)
	case string:
		if ref, err := serviceapi.ParseNAMERef(id); err == nil {
			return ref
		}
		return serviceapi.BYNAME(id)
	}
	return serviceapi.NAMERef{}
}`)}
}
