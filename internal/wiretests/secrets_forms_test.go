package wiretests

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// mark is in the middle of every secret here, so that most forms of it can be seen.
const mark = "M4rk3r7q9Z"

// randomSecret is a mark between random characters that a credential may have.
func randomSecret(r *rand.Rand, alphabet string) string {
	part := func() string {
		b := make([]byte, 4+r.IntN(20))
		for i := range b {
			b[i] = alphabet[r.IntN(len(alphabet))]
		}
		return string(b)
	}
	return part() + mark + part()
}

const (
	printable = "&<>='\"\\/+%#~!$()*-.:?@[]^_`{|}aZ09"
	anything  = printable + " \t\n;,\x00\x7f"
)

// echoes are the forms in which a service may repeat a secret.
var echoes = map[string]func(string) string{
	"raw": func(s string) string { return s },
	"JSON": func(s string) string {
		data, _ := json.Marshal(s)
		return string(data[1 : len(data)-1])
	},
	"JSON with slashes": func(s string) string {
		data, _ := json.Marshal(s)
		return strings.ReplaceAll(string(data[1:len(data)-1]), "/", `\/`)
	},
	"percent": func(s string) string {
		var b strings.Builder
		for _, c := range []byte(s) {
			fmt.Fprintf(&b, "%%%02x", c)
		}
		return b.String()
	},
	"query":  url.QueryEscape,
	"path":   url.PathEscape,
	"HTML":   html.EscapeString,
	"Basic":  func(s string) string { return base64.StdEncoding.EncodeToString([]byte("user:" + s)) },
	"Base64": func(s string) string { return base64.URLEncoding.EncodeToString([]byte(s)) },
	"twice": func(s string) string {
		data, _ := json.Marshal(url.QueryEscape(s) + "&" + s)
		return string(data[1 : len(data)-1])
	},
}

// secretCalls are calls that send a secret, each in another place.
func secretCalls(secret string) map[string]func(*serviceapi.Client, ...serviceapi.RequestOption) error {
	s, project := serviceapi.NewSecret(secret), serviceapi.ProjectID(1)
	do := func(body any) func(*serviceapi.Client, ...serviceapi.RequestOption) error {
		return func(c *serviceapi.Client, opts ...serviceapi.RequestOption) error {
			return second(c.Do(context.Background(), http.MethodPost, serviceapi.Route("/things"), body, nil, opts...))
		}
	}
	presigned := serviceapi.NewSecret("https://store.test/x.tar.gz?X-Amz-Expires=60&X-Amz-Signature=" +
		url.QueryEscape(secret) + "&X-Amz-Date=2026")
	return map[string]func(*serviceapi.Client, ...serviceapi.RequestOption) error{
		"field": do(map[string]any{"token": s}),
		"multipart": do(serviceapi.Multipart{
			Fields: map[string]any{"token": s},
			Files:  map[string]serviceapi.Upload{"file": {Filename: "a", Content: strings.NewReader("x")}},
		}),
		"body field": func(c *serviceapi.Client, opts ...serviceapi.RequestOption) error {
			return do(map[string]any{"a": 1})(c, append(opts, serviceapi.WithBodyField("token", s))...)
		},
		"URL": func(c *serviceapi.Client, opts ...serviceapi.RequestOption) error {
			options := serviceapi.ImportFromURLOptions{URL: presigned, Path: "x"}
			return third(c.ProjectImport.FromURL(context.Background(), options, opts...))
		},
		"user information": func(c *serviceapi.Client, opts ...serviceapi.RequestOption) error {
			address := url.URL{Scheme: "https", User: url.UserPassword("ada", secret), Host: "git.test", Path: "/x.git"}
			options := serviceapi.CreateRemoteMirrorOptions{URL: serviceapi.NewSecret(address.String())}
			return third(c.Mirrors.Create(context.Background(), project, options, opts...))
		},
		"variable": func(c *serviceapi.Client, opts ...serviceapi.RequestOption) error {
			options := serviceapi.CreatePipelineOptions{
				Ref: "main", Variables: []serviceapi.PipelineVariable{{Key: "TOKEN", Value: s}},
			}
			return third(c.Pipelines.Create(context.Background(), project, options, opts...))
		},
		"trigger": func(c *serviceapi.Client, opts ...serviceapi.RequestOption) error {
			options := serviceapi.RunTriggerOptions{Ref: "main", Token: s,
				Variables: map[string]serviceapi.Secret{"A": s}}
			return third(c.Triggers.Run(context.Background(), project, options, opts...))
		},
		"GraphQL": func(c *serviceapi.Client, opts ...serviceapi.RequestOption) error {
			request := serviceapi.GraphQLRequest{Query: "mutation { x }", Variables: map[string]any{"token": s}}
			return second(c.GraphQL.Query(context.Background(), request, nil, opts...))
		},
	}
}

func third[T any](_ T, _ *serviceapi.Response, err error) error { return err }

// replies are the ways in which a service may repeat a text.
var replies = map[string]func(http.ResponseWriter, string){
	"message": func(w http.ResponseWriter, text string) {
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprintf(w, `{"message":{"base":["%s is wrong"]},"error":"%s"}`, text, text)
	},
	"name of a field": func(w http.ResponseWriter, text string) {
		w.WriteHeader(http.StatusUnprocessableEntity)
		fmt.Fprintf(w, `{"message":{"%s":["is wrong"]}}`, text)
	},
	"text": func(w http.ResponseWriter, text string) {
		w.WriteHeader(http.StatusForbidden)
		_, _ = io.WriteString(w, "not with "+text)
	},
	"page": func(w http.ResponseWriter, text string) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<html><title>%s</title>%s</html>", text, text)
	},
	"good response": func(w http.ResponseWriter, text string) { fmt.Fprintf(w, `{"id":{"%s":1,"%s":1`, text, text) },
	"broken off": func(w http.ResponseWriter, text string) {
		w.Header().Set("Content-Length", "100000")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, "not with "+text[:len(text)*3/4])
	},
	"headers": func(w http.ResponseWriter, text string) {
		w.Header()["X-Request-Id"], w.Header()["Content-Type"] = []string{text}, []string{"text/" + text}
		w.Header()["X-Echo"], w.Header()["Content-Encoding"] = []string{"is " + text}, []string{text}
		w.WriteHeader(http.StatusConflict)
	},
	"redirect": func(w http.ResponseWriter, text string) {
		w.Header()["Location"] = []string{"ftp://x/" + text + "?a=" + text}
		w.WriteHeader(http.StatusFound)
	},
}

// shown is everything that a program may print of a call.
func shown(err error, logs ...*bytes.Buffer) string {
	var b strings.Builder
	for _, log := range logs {
		b.WriteString(log.String())
	}
	var walk func(error)
	walk = func(err error) {
		if err == nil {
			return
		}
		fmt.Fprintf(&b, "%v\n%+v\n%#v\n%q\n", err, err, err, err)
		var e *serviceapi.Error
		if errors.As(err, &e) {
			fmt.Fprintf(&b, "%s %s %q %v\n", e.Body, e.Header("X-Echo"), e.Fields, e.LogValue())
		}
		slog.New(slog.NewJSONHandler(&b, nil)).Error("x", "err", err)
		slog.New(slog.NewTextHandler(&b, nil)).Error("x", "err", err)
		if data, failed := json.Marshal(err); failed == nil {
			b.Write(data)
		}
		switch e := err.(type) {
		case interface{ Unwrap() error }:
			walk(e.Unwrap())
		case interface{ Unwrap() []error }:
			for _, one := range e.Unwrap() {
				walk(one)
			}
		}
	}
	walk(err)
	return b.String()
}

// TestSecretsInAnyForm sends secrets of random characters in every place, and lets a service repeat
// them in every form and in every place.
func TestSecretsInAnyForm(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	var reply func(http.ResponseWriter)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		reply(w)
	}))
	defer server.Close()
	check := func(secret, place string, credential serviceapi.Credential,
		call func(*serviceapi.Client, ...serviceapi.RequestOption) error) {
		for way, write := range replies {
			for form, escape := range echoes {
				text := escape(secret)
				if way != "text" && form == "raw" || way == "headers" && strings.ContainsAny(text, "\x00\r\n\x7f") {
					continue
				}
				reply = func(w http.ResponseWriter) { write(w, text) }
				var log, dump bytes.Buffer
				handler := slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})
				client, err := serviceapi.NewClient(server.URL, credential, serviceapi.WithLogger(slog.New(handler)),
					serviceapi.WithRetry(serviceapi.RetryPolicy{MaxAttempts: 1}),
					serviceapi.WithHTTPClient(server.Client()))
				require.NoError(t, err)
				err = call(client, serviceapi.WithDump(&dump, serviceapi.DumpOptions{Bodies: true, MaxBody: 1 << 20}))
				if way != "good response" {
					require.Error(t, err, "%s, %s", place, way)
				}
				all := shown(err, &log, &dump)
				hidden := []string{mark}
				if middle := text[len(text)/3 : len(text)/2]; len(middle) >= 8 {
					hidden = append(hidden, middle)
				}
				for _, part := range hidden {
					if i := strings.Index(all, part); i >= 0 {
						t.Errorf("%q in %s, echoed as %s in %s: …%s…", secret, place, form, way,
							all[max(0, i-60):min(len(all), i+60)])
						break
					}
				}
			}
		}
	}
	for range 2 {
		secret := randomSecret(random, anything)
		for place, call := range secretCalls(secret) {
			check(secret, place, serviceapi.PrivateToken("another-token"), call)
		}
		secret = randomSecret(random, strings.NewReplacer(`"`, "").Replace(printable))
		get := func(c *serviceapi.Client, opts ...serviceapi.RequestOption) error {
			return third(c.Jobs.Get(t.Context(), somewhere, 8, opts...))
		}
		for place, credential := range map[string]serviceapi.Credential{
			"private token": serviceapi.PrivateToken(secret), "bearer": serviceapi.BearerToken(secret),
			"job token": serviceapi.JobToken(secret), "cookie": serviceapi.SessionCookie(secret),
		} {
			check(secret, place, credential, get)
		}
	}
}

// TestSecretsThatAreCut checks that nothing is left of a secret that is cut before it is shown: at
// the end of a response that is limited or breaks off, and in the text of an error.
func TestSecretsThatAreCut(t *testing.T) {
	secret := strings.Repeat(mark+"-", 20)
	for name, body := range map[string]string{
		"limited": `{"id":"` + strings.Repeat("x", 580) + secret + `"}`,
		"pointer": `{"` + secret + `":{"` + secret + `":tru}}`,
	} {
		for limit := int64(600); limit < 620; limit++ {
			var dump bytes.Buffer
			client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				if name == "limited" {
					w.Header().Set("Content-Length", "100000")
				}
				_, _ = io.WriteString(w, body)
			}, serviceapi.WithCredential(serviceapi.BearerToken(secret)), serviceapi.WithMaxResponseSize(limit),
				serviceapi.WithRetry(serviceapi.RetryPolicy{MaxAttempts: 1}),
				serviceapi.WithDump(&dump, serviceapi.DumpOptions{Bodies: true}))
			_, _, err := client.Jobs.Get(t.Context(), somewhere, 8)
			require.Error(t, err, name)
			assert.NotContains(t, shown(err, &dump), mark[:8], name)
		}
	}
}

// TestSecretsInDescriptionsOfFiles lets a service repeat the credential in the headers and the
// members that describe a file.
func TestSecretsInDescriptionsOfFiles(t *testing.T) {
	const secret = mark + "-s3cr3t-t0ken"
	for _, name := range []string{"Content-Type", "X-Service-Size", "X-Service-Execute-Filemode", "member"} {
		client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			w.Header().Set("X-Service-File-Name", "a")
			if name != "member" {
				w.Header().Set(name, "x "+secret)
			}
			fmt.Fprintf(w, `{"file_name":"a","size":1,"encoding":"base64","content":"YWI=","content_sha256":%q,`+
				`"id":1,"file_sha256":%q}`, secret, secret)
		}, serviceapi.WithCredential(serviceapi.PrivateToken(secret)))
		options := &serviceapi.GetFileMetadataOptions{Ref: "main"}
		_, _, raw := client.RepositoryFiles.RawMetadata(t.Context(), somewhere, "a", options)
		_, _, err := client.RepositoryFiles.Metadata(t.Context(), somewhere, "a", options)
		_, _, get := client.RepositoryFiles.Get(t.Context(), somewhere, "a",
			&serviceapi.GetRepositoryFileOptions{Ref: "main"})
		_, _, publish := client.Packages.PublishGeneric(t.Context(), somewhere,
			serviceapi.GenericPackageFile{PackageName: "p", PackageVersion: "1", FileName: "f"},
			serviceapi.PublishGenericPackageOptions{File: serviceapi.Upload{Content: strings.NewReader("x")}})
		for call, err := range map[string]error{"raw": raw, "metadata": err, "get": get, "publish": publish} {
			require.Error(t, err, "%s, %s", name, call)
			assert.NotContains(t, shown(err), mark, "%s, %s", name, call)
		}
		var e *serviceapi.DecodeError
		require.ErrorAs(t, raw, &e)
		assert.Contains(t, e.URL, "/projects/4/repository/files/a/raw")
	}
}
