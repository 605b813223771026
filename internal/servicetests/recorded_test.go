package servicetests

import (
	"bytes"
	"context"
	stdjson "encoding/json"
	"flag"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/internal/inventory"
	"github.com/go-json-experiment/json"
)

// recorded are the responses of the embedded service in all tests.
var recorded = &recordedResponses{bodies: map[recordedBody]bool{}}

// TestMain compares what the embedded service sent with the types of the
// library after all tests: neither has members that the other lacks.
func TestMain(m *testing.M) {
	code := m.Run()
	if code == 0 {
		if problems := recorded.problems(isWholeSuite()); len(problems) > 0 {
			fmt.Printf("--- FAIL: the embedded service and the library differ:\n\t%s\n", strings.Join(problems, "\n\t"))
			code = 1
		}
	}
	os.Exit(code)
}

// isWholeSuite reports whether all tests have run, so that a field that no
// response had is missing in the embedded service.
func isWholeSuite() bool {
	for _, name := range []string{"test.run", "test.skip", "test.bench", "test.fuzz", "test.list"} {
		if f := flag.Lookup(name); f != nil && f.Value.String() != "" {
			return false
		}
	}
	return !testing.Short()
}

// placeholder is what a [serviceapi.Secret] is encoded as.
const placeholder = "[redacted]"

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

type recordedResponses struct {
	mu     sync.Mutex
	bodies map[recordedBody]bool
}

// A recordedBody is JSON that was received from an endpoint, such as "GET
// /projects/:id/jobs".
type recordedBody struct{ endpoint, json string }

// Middleware keeps the bodies of good responses that arrive in full.
func (r *recordedResponses) Middleware(next http.RoundTripper) http.RoundTripper {
	return roundTrip(func(req *http.Request) (*http.Response, error) {
		resp, err := next.RoundTrip(req)
		if err != nil || resp.StatusCode >= 300 || req.Method == http.MethodHead {
			return resp, err
		}
		kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
		template := serviceapi.Operation(req.Context())
		if template == "" || kind != "application/json" && !strings.HasSuffix(kind, "+json") {
			return resp, nil
		}
		resp.Body = &keptBody{ReadCloser: resp.Body, keep: func(body string) { r.keep(req.Method+" "+template, body) }}
		return resp, nil
	})
}

func (r *recordedResponses) keep(endpoint, body string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.bodies[recordedBody{endpoint, body}] = true
}

// A keptBody reports what was read from it when it ends.
type keptBody struct {
	io.ReadCloser

	read bytes.Buffer
	keep func(string)
}

func (b *keptBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.read.Write(p[:n])
	if err == io.EOF && b.keep != nil {
		b.keep(b.read.String())
		b.keep = nil
	}
	return n, err
}

// problems returns the differences between the responses and the types.
func (r *recordedResponses) problems(all bool) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.bodies) == 0 {
		return nil
	}
	source, err := inventory.Parse()
	if err != nil {
		return []string{err.Error()}
	}
	c := &comparison{seen: map[reflect.Type]map[string]bool{}, found: map[string]bool{}}
	types := resultsByEndpoint(source)
	for body := range r.bodies {
		c.compare(body, types[body.endpoint])
	}
	if all {
		c.unseen(source)
	}
	var problems []string
	for problem := range c.found {
		problems = append(problems, problem)
	}
	slices.Sort(problems)
	return problems
}

const graphQL = "POST /api/graphql"

// resultsByEndpoint are the types into which the methods of services decode what
// an endpoint responds with. An endpoint can have several methods.
func resultsByEndpoint(source *inventory.Source) map[string][]reflect.Type {
	results := map[string]reflect.Type{}
	for service, method := range inventory.Methods(reflect.TypeFor[serviceapi.Client]()) {
		typ := inventory.ResultOf(method.Type)
		if other, ok := decodedAs[typ]; ok {
			typ = other
		}
		results[service.Type.Elem().Name()+"."+method.Name] = typ
	}
	found := map[string][]reflect.Type{}
	for _, f := range source.Funcs {
		if f.Recv == nil {
			continue
		}
		typ := results[inventory.Receiver(f)+"."+f.Name.Name]
		if typ == nil || !inventory.IsDecoded(typ) {
			continue
		}
		for _, line := range inventory.EndpointLines(f) {
			if line == graphQL { // each document has results of its own
				continue
			}
			if !slices.Contains(found[line], typ) {
				found[line] = append(found[line], typ)
			}
		}
	}
	return found
}

// A comparison collects differences.
type comparison struct {
	seen  map[reflect.Type]map[string]bool // members of structs, and whether a response had them
	found map[string]bool
}

// compare compares a body with the type of the endpoint that fits best.
func (c *comparison) compare(body recordedBody, types []reflect.Type) {
	if len(types) == 0 {
		return
	}
	var raw any
	decoder := stdjson.NewDecoder(strings.NewReader(body.json))
	decoder.UseNumber()
	if decoder.Decode(&raw) != nil {
		return // as the test intended
	}
	items, isList := raw.([]any)
	if !isList {
		items = []any{raw}
	}
	for _, item := range items {
		object, isObject := item.(map[string]any)
		if !isObject || len(object) == 0 || len(object) == 1 && (object["message"] != nil || object["dry_run"] != nil) {
			continue // empty, not JSON, or not returned
		}
		var best []string
		for i, typ := range types {
			problems := c.compareItem(body.endpoint, object, typ)
			if i == 0 || len(problems) < len(best) {
				best = problems
			}
		}
		for _, problem := range best {
			c.found[problem] = true
		}
	}
}

func (c *comparison) compareItem(endpoint string, item map[string]any, typ reflect.Type) []string {
	problems := c.walk(item, typ)
	if problems != nil {
		return problems
	}
	data, err := stdjson.Marshal(item)
	if err != nil {
		return []string{err.Error()}
	}
	v := reflect.New(typ)
	if err := c.decode(data, v.Interface()); err != nil {
		return []string{fmt.Sprintf("%s: %v: %v", endpoint, typ, err)}
	}
	encoded, err := json.Marshal(v.Interface())
	if err != nil {
		return []string{fmt.Sprintf("%s: %v: %v", endpoint, typ, err)}
	}
	var again any
	decoder := stdjson.NewDecoder(bytes.NewReader(encoded))
	decoder.UseNumber()
	if err := decoder.Decode(&again); err != nil {
		return []string{fmt.Sprintf("%s: %v: %v", endpoint, typ, err)}
	}
	return sameJSON(endpoint+": "+typ.Name(), item, again)
}

// decode decodes a body as a client does.
func (c *comparison) decode(data []byte, v any) error {
	transport := roundTrip(func(req *http.Request) (*http.Response, error) {
		return &http.Response{
			StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: req,
			Header: http.Header{"Content-Type": {"application/json"}},
			Body:   io.NopCloser(bytes.NewReader(data)), ContentLength: int64(len(data)),
		}, nil
	})
	client, err := serviceapi.NewClient("https://service.test", serviceapi.Anonymous(),
		serviceapi.WithHTTPClient(&http.Client{Transport: transport}))
	if err != nil {
		return err
	}
	_, err = client.Do(context.Background(), http.MethodGet, serviceapi.Route("/recorded"), nil, v)
	return err
}

// walk records which members the response has, and returns those that the types
// lack.
func (c *comparison) walk(raw any, typ reflect.Type) (problems []string) {
	switch raw := raw.(type) {
	case []any:
		for _, item := range raw {
			if typ.Kind() == reflect.Slice {
				problems = append(problems, c.walk(item, typ.Elem())...)
			}
		}
	case map[string]any:
		if typ.Kind() == reflect.Pointer {
			return c.walk(raw, typ.Elem())
		}
		if typ.Kind() != reflect.Struct || !inventory.HasMembers(typ) {
			return nil
		}
		fields := map[string]reflect.StructField{}
		for name, field := range inventory.JSONFields(typ) {
			fields[name] = field
			c.note(inventory.Declaring(typ, field), name, false)
		}
		for name, value := range raw {
			field, ok := fields[name]
			if _, open := typ.FieldByName("Extra"); !ok && open {
				continue // such as the permissions of a role
			}
			if !ok {
				problems = append(problems, fmt.Sprintf("%s has no field for %q, which the service sends", typ.Name(),
					name))
				continue
			}
			c.note(inventory.Declaring(typ, field), name, true)
			problems = append(problems, c.walk(value, field.Type)...)
		}
	}
	return problems
}

// note records that a response had a member of a struct.
func (c *comparison) note(typ reflect.Type, name string, came bool) {
	if c.seen[typ] == nil {
		c.seen[typ] = map[string]bool{}
	}
	c.seen[typ][name] = c.seen[typ][name] || came
}

// sameJSON returns where a value differs after it was decoded and encoded. Null
// may have become the zero value of its type.
func sameJSON(at string, raw, again any) []string {
	switch raw := raw.(type) {
	case nil:
		if isBlank(again) || again == placeholder {
			return nil
		}
	case map[string]any:
		object, ok := again.(map[string]any)
		if !ok {
			break
		}
		var problems []string
		for name, value := range raw {
			problems = append(problems, sameJSON(at+"."+name, value, object[name])...)
		}
		return problems
	case []any:
		list, ok := again.([]any)
		if !ok || len(list) != len(raw) {
			break
		}
		var problems []string
		for i, value := range raw {
			problems = append(problems, sameJSON(at+"[]", value, list[i])...)
		}
		return problems
	case string:
		if text := fmt.Sprint(again); text == raw || text == placeholder || sameTime(text, raw) ||
			sameNumber(text, strings.ReplaceAll(raw, ",", "")) { // with commas for thousands
			return nil
		}
	case stdjson.Number:
		if sameNumber(fmt.Sprint(again), raw.String()) {
			return nil
		}
	default:
		if raw == again {
			return nil
		}
	}
	if isBlank(raw) && isBlank(again) {
		return nil
	}
	return []string{fmt.Sprintf("%s: %v became %v", at, raw, again)}
}

// isBlank reports whether a value is null or the zero value of a type.
func isBlank(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return v == ""
	case bool:
		return !v
	case stdjson.Number:
		return v == "0"
	case []any:
		return len(v) == 0
	case map[string]any:
		for _, value := range v {
			if !isBlank(value) {
				return false
			}
		}
		return true
	}
	return false
}

func sameNumber(a, b string) bool {
	first, err := strconv.ParseFloat(a, 64)
	if err != nil {
		return false
	}
	second, err := strconv.ParseFloat(b, 64)
	return err == nil && first == second
}

func sameTime(a, b string) bool {
	first, err := time.Parse(time.RFC3339Nano, a)
	if err != nil {
		return false
	}
	second, err := time.Parse(time.RFC3339Nano, b)
	return err == nil && first.Equal(second)
}

// rareFields are fields of members that the embedded service does not send,
// with the reason.
var rareFields = map[string]string{
	"AccessRequest.CreatedAt":         "only old releases",
	"AuditEventDetails.AuthorClass":   "only releases of today",
	"AuditEventDetails.AuthorEmail":   "only releases of today",
	"AuditEventDetails.Changes":       "only events of kinds that no test seeds",
	"AuditEventDetails.FailedLogin":   "only events of kinds that no test seeds",
	"AuditEventDetails.With":          "only events of kinds that no test seeds",
	"Bridge.Archived":                 "only releases of today",
	"Bridge.Project":                  "only releases of today",
	"Project.Public":                  "only releases before 15.2",
	"GroupSummary.AvatarURL":          "only approval rules",
	"GroupSummary.FullName":           "only approval rules",
	"GroupSummary.FullPath":           "only approval rules",
	"GroupSummary.Path":               "only approval rules",
	"Invitation.ID":                   "only documents have it",
	"Namespace.EndDate":               "only the hosted offering",
	"Namespace.MaxSeatsUsed":          "only the hosted offering",
	"Namespace.MaxSeatsUsedChangedAt": "only the hosted offering",
	"Namespace.ProjectsCount":         "only releases of today",
	"Namespace.RootRepositorySize":    "only releases of today",
	"Namespace.SeatsInUse":            "only the hosted offering",
	"membershipResponse.QueuedUsers":  "only releases of today",
	"Release.EvidenceSHA":             "only old releases",
	"Release.HistoricalRelease":       "only documents have it",
	"ReleaseAssets.EvidenceFilePath":  "only old releases",
	"Package.ConanPackageName":        "only conan packages",
	"Event.Data":                      "only old releases",
	"Event.Title":                     "only old releases",
	"Event.WikiPage":                  "only events of wikis, which the service has none of",
	"DetailedStatus.Action":           "only where the caller can act, which the service does not say",
	"DiffPosition.Height":             "only notes on images",
	"DiffPosition.Width":              "only notes on images",
	"DiffPosition.X":                  "only notes on images",
	"DiffPosition.Y":                  "only notes on images",
	"SCIMEmail.Display":               "only what a provider sent",
	"SCIMMeta.Version":                "optional in the standard",
	"SCIMName.HonorificPrefix":        "only what a provider sent",
	"SCIMName.HonorificSuffix":        "only what a provider sent",
	"SCIMName.MiddleName":             "only what a provider sent",

	// Namespaces of the hosted offering
	"Namespace.AdditionalPurchasedStorageEndsOn": "only the hosted offering",
	"Namespace.AdditionalPurchasedStorageSize":   "only the hosted offering",
	"Namespace.ExtraSharedRunnersMinutesLimit":   "only the hosted offering",
	"Namespace.SharedRunnersMinutesLimit":        "only the hosted offering",
}

// unseen reports the fields that no response had a member for.
func (c *comparison) unseen(source *inventory.Source) {
	for typ, members := range c.seen {
		later := newerFields(source, typ.Name())
		for name, field := range inventory.JSONFields(typ) {
			came, own := members[name]
			if own && !came && !later[field.Name] && rareFields[typ.Name()+"."+field.Name] == "" {
				c.found[fmt.Sprintf("%s.%s: no response had %q", typ.Name(), field.Name, name)] = true
			}
		}
	}
}

// laterField matches the comment of a field that only newer releases have, which
// the embedded service need not send.
var laterField = regexp.MustCompile(
	`(?i)\b(since|nil\s+before|added\s+in)\s+(about\s+)?(\d+\.|a\s+release)|\b(in|only)\s+later\s+releases`)

// newerFields are the fields of a struct that only newer releases have.
func newerFields(source *inventory.Source, name string) map[string]bool {
	later := map[string]bool{}
	st := source.Structs[name]
	if st == nil {
		return later
	}
	doc := ""
	for _, field := range st.Fields.List {
		if field.Doc != nil {
			doc = field.Doc.Text() // also for the following fields
		}
		for _, ident := range field.Names {
			later[ident.Name] = laterField.MatchString(doc)
		}
	}
	return later
}
