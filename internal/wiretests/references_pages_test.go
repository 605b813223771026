package wiretests

import (
	"encoding"
	"strings"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// placeParsers parse references to what is addressed by itself.
var placeParsers = map[string]refParser{
	"project":   parserOf(serviceapi.ParseProjectRef, (*serviceapi.Client).ParseProjectRef),
	"group":     parserOf(serviceapi.ParseGroupRef, (*serviceapi.Client).ParseGroupRef),
	"user":      parserOf(serviceapi.ParseUserRef, (*serviceapi.Client).ParseUserRef),
	"namespace": parserOf(serviceapi.ParseNamespaceRef, (*serviceapi.Client).ParseNamespaceRef),
}

// placeClients returns clients of instances at all kinds of base URLs.
func placeClients(t *testing.T) map[string]*serviceapi.Client {
	clients := map[string]*serviceapi.Client{}
	for _, base := range []string{"https://service.test", "https://service.test/sub/path", "http://service.test:8080",
		"https://[2001:db8::1]:8443/sub", "https://[2001:db8::1]"} {
		clients[base] = parsingClient(t, base)
	}
	return clients
}

// TestParsePlacesAlone checks that a client reads what is no address as the functions do.
func TestParsePlacesAlone(t *testing.T) {
	client := parsingClient(t, "https://service.test/sub")
	for kind, parser := range placeParsers {
		for _, s := range []string{"42", "acme/shop", "acme/a/shop", "acme", "ada", "@ada", "@42", "", "0", "a//b",
			"/acme", "a b", "acme%2Fshop", "99999999999999999999", "service.test/acme/shop", "groups/acme"} {
			want, wantErr := parser.alone(s)
			got, err := parser.at(client, s)
			assert.Equal(t, wantErr, err, "%s %q", kind, s)
			assert.Equal(t, want, got, "%s %q", kind, s)
		}
	}
}

// TestParsePlaces checks the addresses of pages.
func TestParsePlaces(t *testing.T) {
	for base, client := range placeClients(t) {
		for _, tc := range []struct {
			kind, path string
			want       any
		}{
			{"project", "/acme/shop", serviceapi.ProjectPath("acme/shop")},
			{"project", "/acme/shop/", serviceapi.ProjectPath("acme/shop")},
			{"project", "/acme/shop?tab=readme#usage", serviceapi.ProjectPath("acme/shop")},
			{"project", "/acme/shop.git", serviceapi.ProjectPath("acme/shop")},
			{"project", "/acme/a/b/shop.git/", serviceapi.ProjectPath("acme/a/b/shop")},
			{"project", "/acme/shop.wiki", serviceapi.ProjectPath("acme/shop.wiki")},
			{"project", "/acme/issues", serviceapi.ProjectPath("acme/issues")},
			{"project", "/acme/a/issues/-/issues", serviceapi.ProjectPath("acme/a/issues")},
			{"project", "/7/7/-/settings/ci_cd", serviceapi.ProjectPath("7/7")},
			{"project", "/acme/shop/-/", serviceapi.ProjectPath("acme/shop")},
			{"project", "/acme/shop/-/merge_requests/7/diffs#note_12", serviceapi.ProjectPath("acme/shop")},
			{"project", "/acme/a/shop/-/tree/feature/-/x?ref_type=heads", serviceapi.ProjectPath("acme/a/shop")},
			{"project", "/acme/shop/-/blob/main/100%25.txt", serviceapi.ProjectPath("acme/shop")},
			{"project", "/acme/shop/-/branches/feature%2Fa", serviceapi.ProjectPath("acme/shop")},
			{"project", "/acme/%73hop", serviceapi.ProjectPath("acme/shop")},
			{"group", "/acme", serviceapi.GroupPath("acme")},
			{"group", "/acme/tools/", serviceapi.GroupPath("acme/tools")},
			{"group", "/groups/acme", serviceapi.GroupPath("acme")},
			{"group", "/groups/acme/tools?x#y", serviceapi.GroupPath("acme/tools")},
			{"group", "/groups/acme/tools/-/epics/5", serviceapi.GroupPath("acme/tools")},
			{"group", "/groups/acme/-/wikis/a%2Fb", serviceapi.GroupPath("acme")},
			{"group", "/groups/acme/issues/-/issues", serviceapi.GroupPath("acme/issues")},
			{"user", "/ada", serviceapi.Username("ada")},
			{"user", "/ada.b/?tab=x", serviceapi.Username("ada.b")},
			{"user", "/42", serviceapi.Username("42")},
			{"user", "/users/ada/projects", serviceapi.Username("ada")},
			{"user", "/users/ada", serviceapi.Username("ada")}, {"user", "/users/42/", serviceapi.Username("42")},
			{"namespace", "/users/ada", serviceapi.NamespacePath("ada")},
			{"user", "/users/ada/activity/", serviceapi.Username("ada")},
			{"namespace", "/ada", serviceapi.NamespacePath("ada")},
			{"namespace", "/groups/acme/tools/-/epics", serviceapi.NamespacePath("acme/tools")},
			{"namespace", "/acme/tools", serviceapi.NamespacePath("acme/tools")},
			{"namespace", "/users/ada/snippets", serviceapi.NamespacePath("ada")},
		} {
			got, err := placeParsers[tc.kind].at(client, base+tc.path)
			require.NoError(t, err, tc.path)
			assert.Equal(t, tc.want, got, tc.path)
			got, err = placeParsers[tc.kind].at(client, strings.Replace(base, "://", "://ada@", 1)+tc.path)
			require.NoError(t, err, "with the name of a user: %s", tc.path)
			assert.Equal(t, tc.want, got, tc.path)
			_, err = placeParsers[tc.kind].alone(base + tc.path)
			assert.Error(t, err, "only a client knows its instance")
		}
	}
}

// TestParsePlacesOfHosts checks which addresses are those of the instance.
func TestParsePlacesOfHosts(t *testing.T) {
	for _, tc := range []struct {
		base, address string
		same          bool
	}{
		{"https://service.test", "HTTPS://SERVICE.test:443/acme/shop", true},
		{"https://Service.TEST:443/sub", "https://service.test/sub/acme/shop", true},
		{"http://service.test:8080", "http://Service.Test:8080/acme/shop", true},
		{"https://[2001:DB8::1]:8443/sub", "https://[2001:db8::1]:8443/sub/acme/shop.git", true},
		{"https://[2001:db8::1]", "https://[2001:db8::1]:443/acme/shop", true},
		{"https://service.test", "http://service.test/acme/shop", false},
		{"https://service.test", "https://service.test:8443/acme/shop", false},
		{"https://service.test:8443", "https://service.test/acme/shop", false},
		{"https://service.test/sub", "https://service.test/acme/shop", false},
		{"https://service.test/sub", "https://service.test/subway/acme/shop", false},
		{"https://service.test/sub", "https://service.test/Sub/acme/shop", false},
		{"https://service.test", "https://service.test.evil.test/acme/shop", false},
		{"https://service.test", "https://evil.test/service.test/acme/shop", false},
		{"https://[2001:db8::1]", "https://[2001:db8::2]/acme/shop", false},
		{"https://service.test", "://acme/shop", false}, {"https://service.test", "//service.test/x://", false},
		{"https://service.test", "git://service.test/acme/shop", false},
		{"https://service.test", "git+ssh://git@service.test/acme/shop", false},
	} {
		project, err := parsingClient(t, tc.base).ParseProjectRef(tc.address)
		if !tc.same {
			assertRefused(t, "project", err)
			assert.Zero(t, project, tc.address)
			continue
		}
		require.NoError(t, err, tc.address)
		assert.Equal(t, serviceapi.ProjectPath("acme/shop"), project)
	}
}

// TestParsePlacesRefused checks the addresses that are not clear.
func TestParsePlacesRefused(t *testing.T) {
	const (
		noProject   = "is not the address of a page of a project; write its path, such as acme/shop, or its ID: "
		noGroup     = "is not the address of a page of a group; write its path, such as acme/tools, or its ID: "
		noUser      = "is not the address of a page of a user; write the username or the ID: "
		noNamespace = "is not the address of a page of a namespace; write its path, such as acme/tools, or its ID: "
		digits      = "has a path of digits, which would be taken for an ID; write the ID: "
	)
	for base, client := range placeClients(t) {
		for _, tc := range []struct{ kind, path, problem string }{
			{"project", "", noProject}, {"project", "/", noProject}, {"project", "/acme", noProject},
			{"project", "/acme/-/issues", noProject}, {"project", "/-/snippets/3", noProject},
			{"project", "/groups/acme/-/epics/5", noProject}, {"project", "/groups/acme", noProject},
			{"project", "/dashboard/projects", noProject}, {"project", "/explore/projects/-/x", noProject},
			{"project", "/api/v4/projects/42", noProject}, {"project", "/projects/42", noProject},
			{"project", "/users/sign_in", noProject}, {"project", "/acme/shop/issues/3", noProject},
			{"project", "/acme/a/shop/merge_requests/7", noProject}, {"project", "/acme/a/issues", noProject},
			{"project", "/acme/shop/tree/main", noProject}, {"project", "/acme/shop/blob/main/x.git", noProject},
			{"project", "/acme/shop.wiki.git", noProject}, {"project", "/acme/shop.design.git", noProject},
			{"project", "/acme/shop.git/info/refs", noProject}, {"project", "/acme/shop.git/x", noProject},
			{"project", "/acme/shop.atom", noProject}, {"project", "/acme/shop/snippets/3.git", noProject},
			{"project", "/snippets/3.git", noProject},
			{"project", "/acme/shop.git/-/tree/main", noProject}, {"project", "/acme%2Fshop", noProject},
			{"project", "/acme//shop", noProject}, {"project", "//acme/shop", noProject},
			{"project", "/acme/shop//", noProject}, {"project", "/acme/.git", noProject},
			{"project", "/acme/../shop", "only dots"}, {"project", "/acme/%2e%2e/shop", "only dots"},
			{"project", "/acme/sh%00op", "control character"},
			{"project", "/acme/shop%zz", "is not the address of a page"},
			{"group", "/", noGroup}, {"group", "/acme%2Ftools", noGroup}, {"user", "/ada%2Fb", noUser},
			{"group", "/groups", noGroup}, {"group", "/groups/", noGroup},
			{"group", "/groups/-/x", noGroup}, {"group", "/groups/new", noGroup}, {"group", "/groups/groups", noGroup},
			{"group", "/acme/shop/-/issues/3", noGroup}, {"group", "/acme/shop.git", noGroup},
			{"group", "/groups/acme/issues", noGroup}, {"group", "/acme/shop/issues/3", noGroup},
			{"group", "/explore/groups", noGroup}, {"group", "/admin/groups/acme", noGroup},
			{"group", "/users/ada/projects", noGroup}, {"group", "/7", digits}, {"group", "/groups/7/-/epics", digits},
			{"user", "/", noUser}, {"user", "/acme/shop", noUser}, {"user", "/-/profile", noUser},
			{"user", "/groups/ada", noUser}, {"user", "/users", noUser}, {"user", "/users/sign_in", noUser},
			{"user", "/users/ada/x", noUser}, {"user", "/users/ada/projects/x", noUser},
			{"user", "/users//projects", noUser}, {"user", "/admin", noUser}, {"user", "/ada.keys", noUser},
			{"user", "/ada.gpg", noUser},
			{"user", "/ada.atom", noUser}, {"user", "/ada.git", noUser}, {"user", "/a%20b", "contains ' '"},
			{"project", "/acme/sh%40op", "contains '@'"}, {"group", "/acme/-tools", `begins with "-"`},
			{"namespace", "/users/7", digits},
			{"namespace", "/", noNamespace}, {"namespace", "/acme/shop/-/issues", noNamespace},
			{"namespace", "/acme/shop.git", noNamespace}, {"namespace", "/users/7/projects", digits},
			{"namespace", "/7", digits}, {"namespace", "/users/sign_in", noNamespace},
		} {
			ref, err := placeParsers[tc.kind].at(client, base+tc.path)
			assertRefused(t, tc.kind, err)
			assert.ErrorContains(t, err, tc.problem, tc.path)
			assert.Zero(t, ref, tc.path)
		}
		_, err := client.ParseGroupRef("https://other.test/acme?private_token=hunter2#hunter2")
		assert.EqualError(t, err, "serviceapi: group is an address of another instance; this client talks to "+base+
			": https://other.test/acme")
	}
}

// TestParseRepositories checks the addresses that git clones from over SSH.
func TestParseRepositories(t *testing.T) {
	for base, host := range map[string]string{"https://service.test": "Service.test",
		"https://SERVICE.test:8443/sub/path": "service.TEST", "http://[2001:db8::1]:8080": "[2001:DB8::1]"} {
		client := parsingClient(t, base)
		for _, s := range []string{"git@" + host + ":acme/shop.git", "git@" + host + ":/acme/shop.git/",
			"git@" + host + ":acme/shop", "ssh://git@" + host + "/acme/shop.git",
			"SSH://git@" + host + ":2222/acme/shop.git", "ssh://" + host + "/acme/shop",
			"other@" + host + ":acme/shop.git", host + ":acme/shop"} {
			project, err := client.ParseProjectRef(s)
			require.NoError(t, err, s)
			assert.Equal(t, serviceapi.ProjectPath("acme/shop"), project)
			for _, kind := range []string{"group", "user", "namespace"} {
				_, err := placeParsers[kind].at(client, s)
				assertRefused(t, kind, err)
				assert.ErrorContains(t, err, "is the address of the repository of a project; write ")
			}
		}
		other := "is an address for SSH of another host than that of " + client.BaseURL() + "; write its path"
		const noProject = "is not the address of a page of a project; "
		const port = "has what may be a port before its path; begin it with ssh:// or https://, or write its path"
		for path, want := range map[string]string{"7/7.git": "7/7", "/2222/acme/shop.git": "2222/acme/shop",
			"65536/acme/shop.git": "65536/acme/shop"} {
			project, err := client.ParseProjectRef("git@" + host + ":" + path)
			require.NoError(t, err, path)
			assert.Equal(t, serviceapi.ProjectPath(want), project)
		}
		for s, problem := range map[string]string{
			"git@other.test:acme/shop.git":                 other,
			"ssh://git@other.test/acme/shop.git":           other,
			"git@" + host + ".evil.test:acme/shop.git":     other,
			"ssh:///acme/shop.git":                         other,
			":acme/shop":                                   other,
			"git@:acme/shop":                               other,
			"git@[:acme/shop":                              other,
			"C:\\acme\\shop":                               other,
			"git@" + host + ":41113:acme/shop.git":         port,
			"git@" + host + ":22:/acme/shop.git":           port,
			"git@" + host + ":2222/acme/shop.git":          port,
			host + ":443/acme/shop":                        port,
			host + ":443/acme/shop/":                       port,
			"git@" + host + ":acme:shop.git":               noProject,
			"git@" + host + ":acme/a:shop.git":             "contains ':'",
			"[git@" + host + ":2222]:acme/shop.git":        "",
			"git@" + host + ":shop.git":                    noProject,
			"git@" + host + ":":                            noProject,
			"git@" + host + ":acme/shop/-/issues":          noProject,
			"git@" + host + ":acme/shop.wiki.git":          noProject,
			"git@" + host + ":snippets/3.git":              noProject,
			"ssh://git@" + host + "/acme%2Fshop.git":       noProject,
			"git@" + host + ":acme/../shop.git":            "only dots",
			"ssh://git@" + host + ":x/acme/shop.git":       "is not the address of a repository",
			"git@" + host + ":acme/x://shop":               "is not the address of a repository",
			"git:hunter2@" + host + ":acme/shop.git":       "is an address with a password",
			"ssh://git:hunter2@" + host + "/acme/shop.git": "is an address with a password",
		} {
			_, err := client.ParseProjectRef(s)
			assertRefused(t, "project", err)
			assert.ErrorContains(t, err, problem, s)
			assert.NotContains(t, err.Error(), "hunter2")
		}
	}
}

// TestAddressesWithPasswords checks that no error shows a password.
func TestAddressesWithPasswords(t *testing.T) {
	client := parsingClient(t, "https://service.test")
	for _, s := range []string{"https://ada:hunter2@service.test/acme/shop/-/issues/3",
		"https://hunter2@other.test/acme", "https://ada:hunter2@other.test/acme", "https://ada:@service.test/acme",
		"https://ada:hunter2?x@service.test/", "https://ada:hunter2/%zz@service.test/",
		"https://:hunter2@service.test", "https://service.test/-/x?job_token=hunter2",
		"https://other.test/a#token=hunter2"} {
		for _, parsers := range []map[string]refParser{refParsers, placeParsers} {
			for kind, parser := range parsers {
				_, err := parser.at(client, s)
				assertRefused(t, kind, err)
				assert.NotContains(t, err.Error(), "hunter2", s)
			}
		}
	}
}

// FuzzParsePlaces checks that what can be parsed stands for the same object when it is written.
func FuzzParsePlaces(f *testing.F) {
	for _, seed := range []string{"42", "acme/shop", "@ada", "@42", "://", "%", ":", "git@service.test:acme/shop.git",
		"git@[::1]:a/b", "git@[", "ssh://git@service.test:2222/acme/shop.git", "https://service.test/sub/acme/shop.git",
		"https://service.test/sub/groups/acme/-/epics/5", "https://service.test/sub/42", "https://service.test/sub",
		"https://service.test/sub/users/ada/projects", "https://service.test/sub/a/b/-/tree/%41",
		"https://[::1]/sub/a"} {
		f.Add(seed)
	}
	client := parsingClient(f, "https://service.test/sub")
	f.Fuzz(func(t *testing.T, s string) {
		for kind, parser := range placeParsers {
			ref, err := parser.at(client, s)
			if err != nil {
				continue
			}
			written, err := ref.(encoding.TextMarshaler).MarshalText()
			if err != nil {
				t.Fatalf("%s %q was parsed as %v: %v", kind, s, ref, err)
			}
			again, err := parser.alone(string(written))
			if err != nil || again != ref {
				t.Fatalf("%s %q: %v became %v: %v", kind, s, ref, again, err)
			}
		}
	})
}
