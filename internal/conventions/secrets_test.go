package conventions

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/internal/inventory"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	leaked = "a-secret-of-the-response" // what every Secret of a response is
	plain  = "a-member-of-the-response" // what every response has in addition
)

// A secretService responds to everything with one body, and to a call that goes on
// for long with 404.
type secretService struct {
	client   *serviceapi.Client
	dump     strings.Builder
	body     string
	requests int
}

func newSecretService(t *testing.T) *secretService {
	t.Helper()
	s := &secretService{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		if s.requests++; s.requests > 3 {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		_, _ = io.WriteString(w, s.body)
	}))
	t.Cleanup(server.Close)
	var err error
	s.client, err = serviceapi.NewClient(server.URL, serviceapi.PrivateToken("not-a-real-token"),
		serviceapi.WithRetry(serviceapi.RetryPolicy{MaxAttempts: 1}),
		serviceapi.WithPollInterval(time.Millisecond, time.Millisecond))
	require.NoError(t, err)
	return s
}

// call makes one call and returns its error and its dump.
func (s *secretService) call(body string, call func(serviceapi.RequestOption) error) (string, error) {
	s.body, s.requests = body, 0
	s.dump.Reset()
	err := call(serviceapi.WithDump(&s.dump, serviceapi.DumpOptions{Bodies: true, MaxBody: 1 << 20}))
	return s.dump.String(), err
}

// TestResponsesWithSecretsAreNotShown calls every method with a response that has a
// secret in every Secret that it can hold, whole, cut off, and with lists where the
// secrets should be. No dump has such a body, and no error quotes it. Every other
// response is in the dump, and quoted where it cannot be decoded.
func TestResponsesWithSecretsAreNotShown(t *testing.T) {
	s := newSecretService(t)
	services := reflect.ValueOf(s.client).Elem()
	responses := responsesOfMethods(t)
	hidden, shown, quoted := 0, 0, 0
	for service, method := range inventory.Methods(clientType) {
		name := service.Name + "." + method.Name
		response := responses[service.Type.Elem().Name()+"."+method.Name]
		receiver := services.FieldByIndex(service.Index)
		holdsSecret := strings.Contains(response, leaked)
		for _, body := range []string{response, response[:len(response)-1], strings.ReplaceAll(response, `"`+leaked+`"`,
			`["`+leaked+`"]`)} {
			dump, err := s.call(body, func(option serviceapi.RequestOption) error {
				return callMethod(t, t.Context(), receiver, method, func() bool { return s.requests > 0 }, option)
			})
			if !assert.Positive(t, s.requests, "%s: %v", name, err) {
				break
			}
			assert.NotContains(t, dump, leaked, "%s: the dump has a secret", name)
			excerpt := excerptOf(err)
			assert.NotContains(t, excerpt, leaked, "%s: the error quotes a secret", name)
			if err != nil {
				assert.NotContains(t, err.Error(), leaked, name)
			}
			switch {
			case holdsSecret:
				hidden++
				assert.NotContains(t, dump, plain, "%s: the dump has the response", name)
				assert.Empty(t, excerpt, "%s: the error quotes the response", name)
			case isDownload(method.Type), strings.Contains(dump, "> HEAD "):
			default:
				shown++
				assert.Contains(t, dump, plain, "%s: the dump lacks the response", name)
				if excerpt != "" {
					quoted++
				}
			}
		}
	}
	assert.Positive(t, hidden, "calls whose responses have secrets")
	assert.Positive(t, shown, "calls whose responses have none")
	assert.Positive(t, quoted, "errors that quote a response")
}

// TestResponsesOfCallersAreNotShown does the same for calls of the caller's own,
// with every type that holds a secret and with types around it.
func TestResponsesOfCallersAreNotShown(t *testing.T) {
	s := newSecretService(t)
	hidden, shown := 0, 0
	for _, typ := range structsOfResults() {
		one := responseOf(t, typ)
		for shape, v := range map[string]any{
			one:                   reflect.New(typ).Interface(),
			"[" + one + "]":       reflect.New(reflect.SliceOf(reflect.PointerTo(typ))).Interface(),
			`{"key":` + one + `}`: reflect.New(reflect.MapOf(reflect.TypeFor[string](), typ)).Interface(),
			`{"Inner":` + one + `}`: reflect.New(reflect.StructOf([]reflect.StructField{
				{Name: "Inner", Type: reflect.PointerTo(typ)},
			})).Interface(),
		} {
			for _, body := range []string{shape, shape[:len(shape)-1]} {
				dump, err := s.call(body, func(option serviceapi.RequestOption) error {
					_, err := s.client.Do(t.Context(), http.MethodGet, serviceapi.Route("/things"), nil, v, option)
					return err
				})
				require.Positive(t, s.requests)
				assert.NotContains(t, dump+excerptOf(err), leaked, "%T", v)
				if strings.Contains(shape, leaked) {
					hidden++
					assert.NotContains(t, dump+excerptOf(err), plain, "%T", v)
					continue
				}
				if !strings.Contains(body, plain) {
					continue // no object
				}
				shown++
				assert.Contains(t, dump, plain, "%T", v)
				assert.Equal(t, body != shape, excerptOf(err) != "", "%T: %v", v, err)
			}
		}
	}
	assert.Positive(t, hidden)
	assert.Positive(t, shown)
}

// TestGenericResponsesAreNotShown does the same for the functions with a type
// parameter.
func TestGenericResponsesAreNotShown(t *testing.T) {
	s := newSecretService(t)
	one := responseOf(t, reflect.TypeFor[serviceapi.AccessToken]())
	route := serviceapi.Route("/things")
	for name, call := range map[string]func(serviceapi.RequestOption) error{
		"Get": func(option serviceapi.RequestOption) error {
			_, _, err := serviceapi.Get[serviceapi.AccessToken](t.Context(), s.client, route, option)
			return err
		},
		"List": func(option serviceapi.RequestOption) error {
			_, _, err := serviceapi.List[serviceapi.Variable](t.Context(), s.client, route, nil, option)
			return err
		},
		"All": func(option serviceapi.RequestOption) error {
			_, err := serviceapi.Collect(serviceapi.All[*serviceapi.Project](t.Context(), s.client, route, nil, option))
			return err
		},
		"Query": func(option serviceapi.RequestOption) error {
			_, err := s.client.GraphQL.Query(t.Context(), serviceapi.GraphQLRequest{Query: "{a}"},
				new(serviceapi.Project), option)
			return err
		},
	} {
		for _, body := range []string{one, "[" + one + "]", `{"data":` + one + `}`, one[:len(one)-1], "[" + one} {
			dump, err := s.call(body, call)
			require.Positive(t, s.requests, "%s: %v", name, err)
			assert.NotContains(t, dump+excerptOf(err), leaked, "%s of %s", name, body)
		}
	}
	dump, err := s.call(one[:len(one)-1], func(option serviceapi.RequestOption) error {
		_, _, err := serviceapi.Get[serviceapi.Job](t.Context(), s.client, route, option)
		return err
	})
	assert.Contains(t, dump, plain)
	assert.Contains(t, excerptOf(err), plain)
}

// byPathAndID are owners, for methods that take only one of the two forms.
var byPathAndID = [][]any{
	{serviceapi.GroupPath("acme"), serviceapi.ProjectPath("acme/app")},
	{serviceapi.GroupID(1), serviceapi.ProjectID(1)},
}

// callMethod calls a method of a service: with a group's path, and with its ID if the
// method refuses the path, so that nothing was sent.
func callMethod(
	t *testing.T, ctx context.Context, receiver reflect.Value, method reflect.Method, sent func() bool,
	opts ...serviceapi.RequestOption,
) (err error) {
	t.Helper()
	for _, owners := range byPathAndID {
		in, problem := inventory.Arguments(ctx, method.Type, append(slices.Clip(owners), knownValues()...))
		require.NoError(t, problem)
		in = append([]reflect.Value{receiver}, in...)
		for _, option := range opts {
			in = append(in, reflect.ValueOf(option))
		}
		if err = outcomeOf(method.Func.Call(in)); sent() {
			break
		}
	}
	return err
}

// knownValues are references, owners and other values that arguments are made of.
func knownValues() []any {
	project, group := serviceapi.ProjectID(1), serviceapi.GroupID(1)
	workItem := &serviceapi.WorkItemSummary{ID: "gid://app/WorkItem/1", IID: 1, NamespacePath: "acme/app"}
	return []any{
		project, group, serviceapi.UserID(1), serviceapi.NamespaceID(1), serviceapi.Instance, serviceapi.Own,
		project.Issue(1), project.MergeRequest(1), project.Snippet(1),
		(&serviceapi.Epic{ID: 1, IID: 1, GroupID: 1}).Ref(), project.Commit("x"),
		serviceapi.LabelID(1), workItem.Ref(),
		serviceapi.GlobalID("gid://app/WorkItem/1"), serviceapi.WorkItemPartWeight,
		project.WikiPage(1), serviceapi.TemplateKindDockerfiles,
		serviceapi.NewSecret("secret"), serviceapi.NewDate(2026, 3, 31), time.Unix(1, 0),
		serviceapi.Upload{Filename: "f", Content: strings.NewReader("{}")},
		// Options with more than one way to be complete.
		serviceapi.CreateInvitationOptions{AccessLevel: serviceapi.AccessLevelGuest, UserIDs: []int64{1}},
		serviceapi.CreateIssueOptions{Title: "x"},
		serviceapi.ImportFromBitbucketOptions{
			BitbucketEmail: new("x"), BitbucketAPIToken: serviceapi.NewSecret("secret"),
			RepoPath: "x", TargetNamespace: "x",
		},
		serviceapi.CreateAccessTokenOptions{Name: "x", Scopes: []serviceapi.AccessScope{serviceapi.AccessScopeAPI}},
		serviceapi.IdentityKindSAML, serviceapi.CreateLDAPLinkOptions{CN: "x", Provider: "x", GroupAccess: 30},
		&serviceapi.DeleteLDAPLinkOptions{CN: "x", Provider: "x"},
		serviceapi.CreateImpersonationTokenOptions{
			Name: "x", Scopes: []serviceapi.AccessScope{serviceapi.AccessScopeAPI},
		},
		serviceapi.CreateCommitOptions{
			Branch: "x", CommitMessage: "x", Actions: []serviceapi.CommitAction{{Action: "create", FilePath: "x"}},
		},
		serviceapi.CreateSnippetOptions{
			Title: "x", Files: []serviceapi.SnippetFileOptions{{FilePath: "x", Content: "x"}},
		},
		serviceapi.CreateWorkItemOptions{Title: "x", TypeID: "gid://app/WorkItems::Type/1"},
		serviceapi.RenderMarkdownOptions{Text: "x", Project: serviceapi.ProjectPath("acme/app")},
		serviceapi.UpdateDiscussionNoteOptions{Body: new("x")},
		serviceapi.CreateBoardListOptions{LabelID: new(int64(1))},
		serviceapi.CreateMergeRequestDependencyOptions{BlockingID: new(int64(1))},
		serviceapi.UpdateCompliancePolicyOptions{CSPNamespaceID: serviceapi.Value(int64(1))},
		serviceapi.UpdateUserStatusOptions{Emoji: new("x")},
		serviceapi.SlackIntegration{Webhook: serviceapi.NewSecret("secret")}, serviceapi.StorageMoveKindProjects,
		// Options with lists that only some owners take.
		serviceapi.CreateApprovalRuleOptions{Name: "x"},
		serviceapi.UpdateApprovalRuleOptions{Name: new("x")},
		&serviceapi.DeleteRegistryTagsOptions{NameRegexDelete: ".*"},
		&serviceapi.GetFileMetadataOptions{Ref: "x"},
	}
}

// outcomeOf returns the error of a call, or of the sequence that it returned.
func outcomeOf(out []reflect.Value) (err error) {
	if walk := out[0]; walk.Kind() == reflect.Func {
		for _, e := range walk.Seq2() {
			problem, _ := e.Interface().(error)
			err = errors.Join(err, problem)
		}
		return err
	}
	if download, ok := out[0].Interface().(*serviceapi.Download); ok && download != nil {
		_ = download.Close()
	}
	err, _ = out[len(out)-1].Interface().(error)
	return err
}

func excerptOf(err error) string {
	if decode, ok := errors.AsType[*serviceapi.DecodeError](err); ok {
		return decode.Excerpt
	}
	return ""
}

func isDownload(method reflect.Type) bool {
	return method.Out(0) == reflect.TypeFor[*serviceapi.Download]()
}

// responsesOfMethods returns a response for each method, by "JobsService.Get". If the
// result of a method holds no secret, but the object does that testdata/endpoints.tsv
// has as the endpoint's result, the response is that object.
func responsesOfMethods(t *testing.T) map[string]string {
	t.Helper()
	byName := map[string]reflect.Type{}
	for _, typ := range structsOfResults() {
		byName[typ.Name()] = typ
	}
	specified := map[string]reflect.Type{}
	for line := range strings.Lines(readFile(t, "testdata/endpoints.tsv")) {
		columns := strings.Split(strings.TrimSpace(line), "\t")
		if len(columns) == 6 {
			specified[columns[1]+" "+columns[2]] = byName[regexp.MustCompile(`^\w+`).FindString(columns[5])]
		}
	}
	found := map[string]reflect.Type{}
	for _, f := range parsePackage(t).Funcs {
		if f.Recv == nil {
			continue
		}
		for _, line := range inventory.EndpointLines(f) {
			if typ := specified[line]; typ != nil {
				found[inventory.Receiver(f)+"."+f.Name.Name] = typ
			}
		}
	}
	responses := map[string]string{}
	for service, method := range inventory.Methods(clientType) {
		name := service.Type.Elem().Name() + "." + method.Name
		response := `{"marker":"` + plain + `"}`
		typ := inventory.ResultOf(method.Type)
		if typ != nil {
			response = responseOf(t, typ)
		}
		if other := found[name]; other != nil && !strings.Contains(response, leaked) {
			if text := responseOf(t, other); strings.Contains(text, leaked) || typ == nil {
				response = text
			}
		}
		if out := method.Type.Out(0); out.Kind() == reflect.Slice || out.Kind() == reflect.Func {
			response = "[" + response + "]"
		}
		responses[name] = response
	}
	return responses
}

// responseOf returns the JSON of a value of a type in which everything is set, and
// every Secret is one.
func responseOf(t *testing.T, typ reflect.Type) string {
	t.Helper()
	v := reflect.New(typ).Elem()
	inventory.FillAll(v, knownValues())
	data, err := json.Marshal(v.Interface())
	require.NoError(t, err, typ)
	text := strings.ReplaceAll(string(data), `"[redacted]"`, `"`+leaked+`"`)
	require.Equal(t, holdsSecret(typ, map[reflect.Type]bool{}), strings.Contains(text, leaked), typ)
	hasOnlyNumbers := typ == reflect.TypeFor[serviceapi.ElasticsearchCount]()
	if object, ok := strings.CutPrefix(text, "{"); ok && !hasOnlyNumbers {
		return `{"marker":"` + plain + `",` + object
	}
	return text
}

// holdsSecret reports whether a value of a type can hold a Secret in JSON.
func holdsSecret(typ reflect.Type, seen map[reflect.Type]bool) bool {
	if typ == reflect.TypeFor[serviceapi.Secret]() {
		return true
	}
	if seen[typ] {
		return false
	}
	seen[typ] = true
	switch typ.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return holdsSecret(typ.Elem(), seen)
	case reflect.Struct:
		for _, field := range inventory.JSONFields(typ) {
			if holdsSecret(field.Type, seen) {
				return true
			}
		}
	}
	return false
}
