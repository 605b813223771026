package wiretests

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// namedInPaths are calls with a name in their path, of each kind of name.
func namedInPaths(ctx context.Context, client *serviceapi.Client) map[string]func(name string) error {
	project := serviceapi.ProjectID(7)
	ref := &serviceapi.GetRepositoryFileOptions{Ref: "main"}
	download := func(d *serviceapi.Download, _ *serviceapi.Response, err error) error {
		if d != nil {
			_ = d.Close()
		}
		return err
	}
	generic := func(change func(*serviceapi.GenericPackageFile, string)) func(string) error {
		return func(name string) error {
			file := serviceapi.GenericPackageFile{PackageName: "tool", PackageVersion: "1.0", FileName: "tool.zip"}
			change(&file, name)
			return download(client.Packages.DownloadGeneric(ctx, project, file))
		}
	}
	return map[string]func(string) error{
		"label": func(s string) error {
			return errorOf(client.Labels.Get(ctx, project, serviceapi.LabelName(s), nil))
		},
		"branch": func(s string) error { return errorOf(client.Branches.Get(ctx, project, s)) },
		"tag":    func(s string) error { return errorOf(client.Tags.Get(ctx, project, s)) },
		"commit": func(s string) error { return errorOf(client.Commits.Get(ctx, project, s, nil)) },
		"file":   func(s string) error { return errorOf(client.RepositoryFiles.Get(ctx, project, s, ref)) },
		"protected branch": func(s string) error {
			return errorOf(client.ProtectedBranches.Get(ctx, project, s))
		},
		"protected tag": func(s string) error { return errorOf(client.ProtectedTags.Get(ctx, project, s)) },
		"protected environment": func(s string) error {
			return errorOf(client.ProtectedEnvironments.Get(ctx, project, s))
		},
		"wiki page": func(s string) error { return errorOf(client.Wikis.Get(ctx, project, s, nil)) },
		"variable":  func(s string) error { return errorOf(client.Variables.Get(ctx, project, s, nil)) },
		"package":   generic(func(f *serviceapi.GenericPackageFile, s string) { f.PackageName = s }),
		"version":   generic(func(f *serviceapi.GenericPackageFile, s string) { f.PackageVersion = s }),
		"package's file": generic(func(f *serviceapi.GenericPackageFile, s string) {
			f.FileName = s
		}),
		"release": func(s string) error { return errorOf(client.Releases.Get(ctx, project, s, nil)) },
		"attribute": func(s string) error {
			return errorOf(client.CustomAttributes.Get(ctx, project, s))
		},
	}
}

// TestNamesInPaths checks that a server gets each name as it is, and that only those names are
// refused that a server or a proxy would make another path of.
func TestNamesInPaths(t *testing.T) {
	var seen []string
	mux := http.NewServeMux() // which redirects a path that it would change
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r.URL.EscapedPath())
		_, _ = io.WriteString(w, `{"id":8}`)
	})
	client, _ := serve(t, mux.ServeHTTP)
	calls := namedInPaths(t.Context(), client)
	for name, problem := range map[string]string{
		"/area": "", "area/": "", "a//b": "", "https://x.y": "", "50%2Foff": "", "a..b": "", "...": "",
		".a": "", "a.": "", "..a/b": "", `a\b`: "", `\a`: "", "%": "", "%2": "", "ü/ 7?#": "", "a%2fb": "",
		".": "only dots", "..": "only dots", "a/../b": "only dots", "../..": "only dots", "a/.": "only dots",
		"%2e%2E": "only dots", "a%2f..%2fb": "only dots", "%252e": "only dots", `a\..\b`: "only dots",
		"/": "only slashes", "//": "only slashes", "": "is empty", "a\nb": "control character",
	} {
		for kind, call := range calls {
			seen = nil
			err := call(name)
			var argument *serviceapi.ArgumentError
			if problem != "" && assert.ErrorAs(t, err, &argument, "%s %q", kind, name) {
				assert.Empty(t, seen, "%s %q was sent", kind, name)
				if kind == "label" {
					assert.ErrorContains(t, err, problem)
					assert.ErrorContains(t, err, "write LabelID(7)", "the way out")
				}
				continue
			}
			require.Len(t, seen, 1, "%s %q: %v", kind, name, err)
			assert.True(t, slices.Contains(strings.Split(seen[0], "/"), url.PathEscape(name)), "%s %q: %s", kind, name,
				seen[0])
		}
	}
}
