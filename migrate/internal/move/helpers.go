package move

import (
	"go/format"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// A helper is a function that the new text of a program calls where no expression says
// the same.
type helper struct {
	imports []string
	needs   []string
	text    string
}

var helpers = map[string]helper{
	"valueOf": {text: `
// valueOf returns what p points to, or the zero value if p is nil: what the service did
// not send was the zero value before.
func valueOf[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}`},
	"mapPointer": {text: `
// mapPointer converts what p points to. It returns nil for nil.
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
// nullableOf returns what p points to as a value that can also be null. Nil sends nothing.
func nullableOf[T any](p *T) serviceapi.Nullable[T] {
	if p == nil {
		return serviceapi.Nullable[T]{}
	}
	return serviceapi.Value(*p)
}`},
	"withoutResult": {imports: []string{lib}, text: `
// withoutResult drops the object that a call returns.
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
	"labelNames": {imports: []string{lib}, text: `
// labelNames returns the names of labels.
func labelNames(labels []*serviceapi.LabelSummary) []string {
	var names []string
	for _, label := range labels {
		names = append(names, label.Name)
	}
	return names
}`},
	"leveledLogger": {imports: []string{"context", "log/slog"}, text: `
// leveledLogger lets a logger with a method for each level log the requests.
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
// printfLogger lets a logger with the method Printf log the requests.
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
	"clientOption": {imports: []string{lib}, text: `
// A clientOption is an option of newServiceClient.
type clientOption func(*clientOptions)

type clientOptions struct {
	baseURL string
	options []serviceapi.Option
}

// withBaseURL sets the address of the instance.
func withBaseURL(baseURL string) clientOption {
	return func(o *clientOptions) { o.baseURL = baseURL }
}

// withOption adds an option of the library.
func withOption(option serviceapi.Option) clientOption {
	return func(o *clientOptions) { o.options = append(o.options, option) }
}

// newServiceClient returns a client with options that are known at run time.
func newServiceClient(cred serviceapi.Credential, options ...clientOption) (*serviceapi.Client, error) {
	o := clientOptions{baseURL: ` + defaultBaseURL + `}
	for _, option := range options {
		option(&o)
	}
	return serviceapi.NewClient(o.baseURL, cred, o.options...)
}`},
	"projectOf": reference("project", "Project", "ProjectID", "ProjectPath"),
	"groupOf":   reference("group", "Group", "GroupID", "GroupPath"),
	"userOf":    reference("user", "User", "UserID", "Username"),
}

const lib = "example.com/serviceapi"

// reference returns the helper that makes a reference of a value of any type.
func reference(what, name, byID, byName string) helper {
	return helper{imports: []string{lib}, text: strings.NewReplacer("WHAT", what, "NAME", name, "BYID", byID,
		"BYNAME", byName).Replace(`
// WHATOf makes a reference of an ID or a name. Other values become one that no call accepts.
func WHATOf(id any) serviceapi.NAMERef {
	switch id := id.(type) {
	case int:
		return serviceapi.BYID(int64(id))
	case int64:
		return serviceapi.BYID(id)
	case string:
		return serviceapi.BYNAME(id)
	}
	return serviceapi.NAMERef{}
}`)}
}

// helper returns a helper. One that unwraps a result is named by its function, the
// field, and the type of this.
func (p *program) helper(name string) helper {
	parts := strings.Fields(name)
	if len(parts) != 3 {
		return helpers[name]
	}
	if parts[0] == "copy" {
		return p.copier(parts[1], parts[2])
	}
	return helper{imports: []string{lib}, text: strings.NewReplacer("NAME", parts[0], "FIELD", parts[1],
		"TYPE", parts[2], "RESULT", strings.TrimPrefix(parts[0], "unwrap")).Replace(`
// NAME returns what was created, without what else the service says about it.
func NAME(r *serviceapi.RESULT, resp *serviceapi.Response, err error) (TYPE, *serviceapi.Response, error) {
	if r == nil {
		return nil, resp, err
	}
	return r.FIELD, resp, err
}`)}
}

// copier returns the helper that makes one type of another with the same fields.
func (p *program) copier(from, to string) helper {
	a, b := p.newType(from), p.newType(to)
	var fields strings.Builder
	if a != nil && b != nil {
		source, _ := a.Underlying().(*types.Struct)
		target, _ := b.Underlying().(*types.Struct)
		for f := range target.Fields() {
			if other := structField(source, f.Name()); other != nil && types.Identical(other.Type(), f.Type()) {
				fields.WriteString("\t\t" + f.Name() + ": v." + f.Name() + ",\n")
			}
		}
	}
	return helper{imports: []string{lib}, text: strings.NewReplacer("NAME", copierName(to), "FROM", from, "TO", to,
		"FIELDS", fields.String()).Replace(`
// NAME copies the fields that both have.
func NAME(v serviceapi.FROM) serviceapi.TO {
	return serviceapi.TO{
FIELDS	}
}`)}
}

func copierName(to string) string { return "as" + to }

// helperText returns the file of helpers with some names.
func (p *program) helperText(pkg string, names map[string]bool) string {
	all := map[string]bool{}
	imports := map[string]bool{}
	var add func(name string)
	add = func(name string) {
		if all[name] {
			return
		}
		all[name] = true
		for _, path := range p.helper(name).imports {
			imports[path] = true
		}
		for _, need := range p.helper(name).needs {
			add(need)
		}
	}
	for name := range names {
		add(name)
	}
	var b strings.Builder
	b.WriteString("package " + pkg + "\n\nimport (\n")
	for _, path := range slices.Sorted(maps.Keys(imports)) {
		if !strings.Contains(path, ".") {
			b.WriteString("\t\"" + path + "\"\n")
		}
	}
	b.WriteString("\n")
	for _, path := range slices.Sorted(maps.Keys(imports)) {
		if strings.Contains(path, ".") {
			b.WriteString("\t\"" + path + "\"\n")
		}
	}
	b.WriteString(")\n")
	for _, name := range slices.Sorted(maps.Keys(all)) {
		b.WriteString(p.helper(name).text + "\n")
	}
	text := strings.Replace(b.String(), "\nimport (\n\n)\n", "", 1)
	formatted, err := format.Source([]byte(text))
	if err != nil {
		return text
	}
	return string(formatted)
}
