package serviceapi

import (
	"encoding/json"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"

	"example.com/serviceapi/internal/address"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestRouteArguments checks how each kind of argument is written into the path.
func TestRouteArguments(t *testing.T) {
	for want, e := range map[string]Endpoint{
		"/a":                       Route("/a"),
		"/projects/7/x":            Route("/projects/:id/x", 7),
		"/projects/8/x":            Route("/projects/:id/x", int64(8)),
		"/projects/9/x":            Route("/projects/:id/x", ProjectID(9)),
		"/projects/a%2Fb/x":        Route("/projects/:id/x", ProjectPath("a/b")),
		"/groups/10":               Route("/groups/:id", GroupID(10)),
		"/groups/a%2Fb%2Fc":        Route("/groups/:id", GroupPath("a/b/c")),
		"/users/11":                Route("/users/:id", UserID(11)),
		"/users/ada":               Route("/users/:id", Username("ada")),
		"/tags/v1%2F2%20%C3%BC":    Route("/tags/:name", "v1/2 ü"),
		"/files/a/b%20c%3F/d":      Route("/files/*path", "a/b c?/d"),
		"/a/1/b/x%2Fy/c/d/e":       Route("/a/:one/b/:two/c/*three", 1, "x/y", "d/e"),
		"/p/9223372036854775807":   Route("/p/:id", int64(9223372036854775807)),
		"/p/%25zz":                 Route("/p/:name", "%zz"),
		"/p/100%25":                Route("/p/:name", "100%"),
		"/p/...":                   Route("/p/:name", "..."),
		"/p/a%5Cb":                 Route("/p/:name", `a\b`),
		"/p/%2Fa%2F":               Route("/p/:name", "/a/"),
		"/p/a%2F%2Fb":              Route("/p/:name", "a//b"),
		"/p/%5Ca%5C":               Route("/p/:name", `\a\`),
		"/p/https:%2F%2Fx.y":       Route("/p/:name", LabelName("https://x.y")),
		"/p/50%252Foff":            Route("/p/:name", LabelName("50%2Foff")),
		"/v4-style/with.dots/~and": Route("/v4-style/with.dots/~and"),
		"/archive.tar.gz/x":        Route("/archive.:format/x", "tar.gz"),
		"/a.b.7":                   Route("/a.b.:id", 7),
		"/.:id":                    Route("/.:id"),
		"/a:b/c*d":                 Route("/a:b/c*d"),
	} {
		require.NoError(t, e.err, want)
		assert.Equal(t, "/api/v4"+want, e.path)
	}
	root := instanceRoute("/oauth/:name", "token")
	assert.Equal(t, Endpoint{template: "/oauth/:name", path: "/oauth/token"}, root)
	assert.Equal(t, Endpoint{template: "/a", path: "/api/v4/a", repeatUnsafe: true}, Route("/a").notRepeatable())
	assert.Equal(t, Endpoint{template: "/a", path: "/api/v4/a", forbidsBy401: true}, Route("/a").forbiddenBy401())
	assert.Equal(t, Endpoint{template: "(custom)", path: "/api/v4/a%2Fb"}, EscapedPath("/a%2Fb"))
	assert.Equal(t, Endpoint{template: "(custom)", path: "/api/v4/a"}, EscapedPath("/a"), "the shortest there is")
}

// TestLabelsInPaths checks a reference by ID or by name.
func TestLabelsInPaths(t *testing.T) {
	for path, label := range map[string]LabelRef{
		"/api/v4/a/7": LabelID(7), "/api/v4/a/to%20do%2Fnow": LabelName("to do/now"),
	} {
		e := Route("/a/:label", label)
		require.NoError(t, e.err)
		assert.Equal(t, path, e.path)
	}
	assertRefused(t, "label", Route("/a/:label", LabelRef{}).err)
	assertRefused(t, "label", Route("/a/:label", LabelID(0)).err)
	assertRefused(t, "label name", Route("/a/:label", LabelName("..")).err)
}

// TestRouteProblems checks that the error names the problem and the argument.
func TestRouteProblems(t *testing.T) {
	const template = "is not a template such as /projects/:id/packages: "
	const control, dots, empty = "contains a control character",
		"contains a segment that is only dots, which would shorten the path", "contains an empty segment"
	const slashes = "has only slashes, which would shorten the path"
	const zero = "is missing: the reference is empty; make one, such as "
	long := "/" + strings.Repeat("é", 200)
	kinds := func(typ string) string {
		return "cannot be part of a path: its type is " + typ +
			"; pass an int, an int64, a string or a reference such as ProjectID(7)"
	}
	for _, tc := range []struct {
		e    Endpoint
		want string
	}{
		{Route(""), "route " + template}, {Route("/"), "route " + template + "/"},
		{Route("a"), "route " + template + "a"}, {Route("ab"), "route " + template + "ab"},
		{Route("/a//b"), "route " + template + "/a//b"}, {Route("/a?b"), "route " + template + "/a?b"},
		{Route("/a#b"), "route " + template + "/a#b"},
		{Route(long + "?"), "route " + template + "/" + strings.Repeat("é", 99) + "…"},
		{Route("/a/:id"), "id is missing: the route has no argument for it"},
		{Route("/a/:id/:name", 1), "name is missing: the route has no argument for it"},
		{Route("/a.:format"), "format is missing: the route has no argument for it"},
		{Route("/a.:format", ""), "format is empty"},
		{Route("/a", 1), "route has more arguments than /a takes"},
		{Route("/a/:id", 1, 2), "route has more arguments than /a/:id takes"},
		{Route(long, 1), "route has more arguments than /" + strings.Repeat("é", 99) + "… takes"},
		{Route("/a/:id", nil), "id is missing"}, {Route("/a/:id", 1.5), "id " + kinds("float64")},
		{Route("/a/:id", new(ProjectID(1))), "id " + kinds("*serviceapi.ProjectRef")},
		{Route("/a/:id", ProjectID(1).Issue(2)), "id " + kinds("serviceapi.IssueRef")},
		{Route("/api/v4/projects"), "route must not begin with /api/v4, which the library adds"},
		{Route("/api/v4"), "route must not begin with /api/v4, which the library adds"},
		{EscapedPath("/api/v4/projects"), "path must not begin with /api/v4, which the library adds"},
		{Route("/a/:id", ProjectRef{}), "id " + zero + `ProjectID(7) or ProjectPath("acme/shop")`},
		{Route("/a/:id", GroupRef{}), "id " + zero + `GroupID(7) or GroupPath("acme")`},
		{Route("/a/:id", UserRef{}), "id " + zero + `UserID(7) or Username("ada")`},
		{Route("/a/:id", NamespaceRef{}), "id " + zero + `NamespaceID(7) or NamespacePath("acme")`},
		{Route("/a/:id", LabelRef{}), "id " + zero + `LabelID(7) or LabelName("bug")`},
		{Route("/a/:id", 0), "id must be a positive number, but is 0"},
		{Route("/a/:id", -15), "id must be a positive number, but is -15"},
		{Route("/a/:id", int64(-1)), "id must be a positive number, but is -1"},
		{Route("/a/:id", ProjectID(0)), "id must be a positive number, but is 0"},
		{Route("/a/:group_path", GroupID(3)),
			"group_path must be a path, but is an ID: this endpoint does not accept IDs"},
		{Route("/a/:name", ""), "name is empty"}, {Route("/a/:name", "a\nb"), "name " + control},
		{Route("/a/:name", "a\x7f"), "name " + control},
		{Route("/a/:name", "."), "name " + dots}, {Route("/a/:name", "a/../b"), "name " + dots},
		{Route("/a/:name", "%2e%2E"), "name " + dots}, {Route("/a/:name", `a\.\b`), "name " + dots},
		{Route("/a/:name", "%25252e"), "name " + dots}, {Route("/a/:name", "/a/.."), "name " + dots},
		{Route("/a/:name", "/"), "name " + slashes}, {Route("/a/:name", `/\/`), "name " + slashes},
		{Route("/a/*name", "a//b"), "name " + empty}, {Route("/a/*name", "/a"), "name " + empty},
		{Route("/a/*name", "a/"), "name " + empty}, {Route("/a/*name", "/"), "name " + empty},
		{Route("/a/:name", LabelName("..")), "label name " + dots + "; write LabelID(7) with the ID of the label"},
		{Route("/a/:name", LabelName("/")), "label name " + slashes + "; write LabelID(7) with the ID of the label"},
		{Route("/a/:id", ProjectPath("")), "project path is empty"},
		{Route("/a/:id", ProjectPath("a\nb")), "project path " + control},
		{Route("/a/:id", ProjectPath("https://service.test/a/b")),
			`project path is an address; write the path alone, such as "group/app"`},
		{Route("/a/:id", ProjectPath("a%2Fb%2fc")), `project path is escaped; write "a/b/c"`},
		{Route("/a/:id", GroupPath("/a/b")), `group path begins or ends with a slash; write "a/b"`},
		{Route("/a/:id", GroupPath("a/b//")), `group path begins or ends with a slash; write "a/b"`},
		{Route("/a/:id", GroupPath("//")), "group path " + empty},
		{Route("/a/:id", Username("/ada")), `user name begins or ends with a slash; write "ada"`},
		{EscapedPath(""), "path must start with a slash"}, {EscapedPath("/"), "path must start with a slash"},
		{EscapedPath("ab"), "path must start with a slash"}, {EscapedPath("a/b"), "path must start with a slash"},
		{EscapedPath("/a%z"), "path is not escaped correctly"}, {EscapedPath("/a%"), "path is not escaped correctly"},
		{EscapedPath("/ab?c"), "path contains a character that must be escaped, at byte 2"},
		{EscapedPath("/a/../b"), "path " + dots}, {EscapedPath("/a//b"), "path " + empty},
		{EscapedPath("/a/%2e%2e/b"), "path " + dots}, {EscapedPath("/a/"), "path " + empty},
	} {
		assert.EqualError(t, tc.e.err, "serviceapi: "+tc.want, "%+v", tc.e)
		var argument *ArgumentError
		assert.ErrorAs(t, tc.e.err, &argument)
	}
}

// TestEscapedPathCharacters checks every ASCII character and one other.
func TestEscapedPathCharacters(t *testing.T) {
	for c := range rune(0x81) {
		path := "/a" + string(c) + "b"
		bad := c <= ' ' || c > '~' || strings.ContainsRune(`?#"<>\^{|}%`, c)
		assert.Equal(t, bad, EscapedPath(path).err != nil, "%q", path)
		if bad && c != '%' {
			assert.ErrorContains(t, EscapedPath("/"+string(c)+"b").err, "at byte 0", "%q", path)
		}
	}
}

// TestRoutesSurviveTheWire checks that the service receives any string argument
// unchanged, as one segment or with its slashes.
func TestRoutesSurviveTheWire(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	alphabet := []string{"a", "B", "7", "/", "\\", ".", "..", "%", "%2", "%2e", "%2F", " ", "+", "?", "#", "&", "=",
		";", ":", "@", "*", "ü", "👍", "~", "-", "_", "\"", "'", "<", "|", "\u202e", "\xff"}
	accepted := 0
	for range 20000 {
		var b strings.Builder
		for range 1 + random.IntN(8) {
			b.WriteString(alphabet[random.IntN(len(alphabet))])
		}
		arg := b.String()
		e := Route("/projects/:name/files/*path", arg, arg)
		if e.err != nil {
			assert.Empty(t, e.path)
			continue
		}
		accepted++
		path := strings.TrimPrefix(e.path, address.APIPrefix)
		require.NotContains(t, path, "//", "%q", arg)
		require.False(t, strings.Contains(path, "/../"), "%q", arg)
		u, err := url.Parse("https://service.test/api/v4" + path)
		require.NoError(t, err, "%q", arg)
		require.Empty(t, u.RawQuery+u.Fragment, "%q", arg)
		require.Equal(t, "/api/v4/projects/"+arg+"/files/"+arg, u.Path, "%q", arg)
		segments := strings.Split(path, "/")
		require.Equal(t, "files", segments[3], "%q is one segment", arg)
		require.Equal(t, strings.Count(arg, "/"), len(segments)-5, "%q keeps its slashes", arg)
		require.NoError(t, EscapedPath(path).err, "%q", arg)
	}
	assert.Greater(t, accepted, 2000)
}

func TestReferences(t *testing.T) {
	for _, tc := range []struct {
		ref interface {
			String() string
			IsZero() bool
			EncodeValues(string, *url.Values) error
			MarshalJSON() ([]byte, error)
		}
		text, json string
		zero       bool
	}{
		{ProjectID(12), "12", "12", false}, {GroupID(13), "13", "13", false}, {UserID(14), "14", "14", false},
		{NamespaceID(15), "15", "15", false}, {NamespacePath("a/b"), "a/b", `"a/b"`, false},
		{NamespaceRef{}, "", "null", true},
		{ProjectPath("a/b"), "a/b", `"a/b"`, false}, {GroupPath("a\"b"), `a"b`, `"a\"b"`, false},
		{Username("ada"), "ada", `"ada"`, false},
		{LabelID(16), "16", "16", false}, {LabelName("a/b"), "a/b", `"a/b"`, false}, {LabelRef{}, "", "null", true},
		{ProjectRef{}, "", "null", true}, {GroupRef{}, "", "null", true}, {UserRef{}, "", "null", true},
	} {
		assert.Equal(t, tc.text, tc.ref.String())
		assert.Equal(t, tc.zero, tc.ref.IsZero())
		data, err := json.Marshal(tc.ref)
		require.NoError(t, err)
		assert.Equal(t, tc.json, string(data))
		values := url.Values{"other": {"x"}}
		require.NoError(t, tc.ref.EncodeValues("id", &values))
		want := url.Values{"other": {"x"}}
		if !tc.zero {
			want["id"] = []string{tc.text}
		}
		assert.Equal(t, want, values)
	}
}

// TestBelow checks the same object under each kind of owner, and without an
// owner.
func TestBelow(t *testing.T) {
	for _, tc := range []struct {
		owner          any
		template, path string
		kind           string
	}{
		{ProjectPath("a/b"), "/projects/:id/things/:thing_id", "/projects/a%2Fb/things/7", "project"},
		{GroupID(3), "/groups/:id/things/:thing_id", "/groups/3/things/7", "group"},
		{Instance, "/things/:thing_id", "/things/7", "instance"},
		{ProjectPath("a/b").Issue(4), "/projects/:id/issues/:issue_iid/things/:thing_id",
			"/projects/a%2Fb/issues/4/things/7", "issue"},
		{ProjectID(2).MergeRequest(4), "/projects/:id/merge_requests/:merge_request_iid/things/:thing_id",
			"/projects/2/merge_requests/4/things/7", "merge_request"},
		{ProjectID(2).Snippet(4), "/projects/:id/snippets/:snippet_id/things/:thing_id",
			"/projects/2/snippets/4/things/7", "snippet"},
		{GroupID(3).EpicByID(4), "/groups/:id/epics/:epic_id/things/:thing_id", "/groups/3/epics/4/things/7", "epic"},
		{ProjectID(2).Commit("a/b"), "/projects/:id/repository/commits/:sha/things/:thing_id",
			"/projects/2/repository/commits/a%2Fb/things/7", "commit"},
	} {
		e := below(tc.owner, "/things/:thing_id", 7)
		require.NoError(t, e.err)
		assert.Equal(t, Endpoint{template: tc.template, path: "/api/v4" + tc.path}, e)
		assert.Equal(t, tc.kind, kindOfOwner(tc.owner))
	}
	assert.Equal(t, "user", kindOfOwner(UserID(1)))
	assert.Equal(t, "own", kindOfOwner(Own))
	for _, owner := range []any{nil, new(ProjectRef), "text", new(Instance)} {
		assert.Empty(t, kindOfOwner(owner))
		assert.Equal(t, Endpoint{template: "/things/:thing_id",
			err: &ArgumentError{Argument: "owner", Problem: "is missing"}}, below(owner, "/things/:thing_id", 7))
	}
	for name, owner := range map[string]any{"issue": IssueRef{}, "merge request": MergeRequestRef{},
		"snippet": SnippetRef{}, "epic": EpicRef{}, "commit": CommitRef{}} {
		assertRefused(t, name, below(owner, "/things", 7).err)
	}
}

// TestOnlyIDs checks that a name is refused where the service accepts only IDs, in
// a route and in options.
func TestOnlyIDs(t *testing.T) {
	e := Route("/users/:id/block", onlyID(UserID(7)))
	require.NoError(t, e.err)
	assert.Equal(t, "/api/v4/users/7/block", e.path)
	assert.EqualError(t, Route("/users/:id/block", onlyID(UserRef{})).err,
		`serviceapi: id is missing: the reference is empty; make one, such as UserID(7) or Username("ada")`)
	assert.EqualError(t, Route("/users/:id/block", onlyID(UserID(-1))).err,
		"serviceapi: id must be a positive number, but is -1")
	for ref, want := range map[anyReference]string{
		Username("ada"): "serviceapi: user is a name, but this endpoint accepts only IDs; Users.Find finds " +
			"the ID of a name",
		NamespacePath("acme"): "serviceapi: namespace is a path, but this endpoint accepts only IDs; " +
			"Namespaces.All finds the ID of a path",
		ProjectPath("a/b"): "serviceapi: project is a path, but this endpoint accepts only IDs; Projects.Get " +
			"finds the ID of a path",
		GroupPath("a"): "serviceapi: group is a path, but this endpoint accepts only IDs; Groups.Get finds " +
			"the ID of a path",
	} {
		assert.EqualError(t, Route("/users/:id/block", onlyID(ref)).err, want)
		assert.EqualError(t, onlyID(ref).check(), want)
	}
	for _, ref := range []anyReference{UserID(1), UserRef{}} {
		assert.NoError(t, onlyID(ref).check(), "IDs and zero references pass")
	}
}

type ownedOptions struct {
	ListOptions
	Both  string `url:"both,omitempty" json:"both,omitempty" only:"project,group"`
	Mine  bool   `url:"mine,omitempty" json:"mine,omitempty" only:"own,instance"`
	Every string `url:"every,omitempty" json:"every,omitempty"`
}

// TestOwnedOptions checks that a field that an owner does not take is refused,
// unless it is empty.
func TestOwnedOptions(t *testing.T) {
	client, err := NewClient("https://service.test", Anonymous())
	require.NoError(t, err)
	const both, mine = "serviceapi: Both has no effect for this owner: it applies only to a project or a group",
		"serviceapi: Mine has no effect for this owner: it applies only to Own or Instance"
	for _, tc := range []struct {
		owner   any
		options ownedOptions
		want    string
	}{
		{ProjectID(1), ownedOptions{Both: "x", Every: "y"}, ""}, {GroupID(1), ownedOptions{Both: "x"}, ""},
		{UserID(1), ownedOptions{Every: "x"}, ""},
		{Instance, ownedOptions{Mine: true}, ""}, {Own, ownedOptions{Mine: true}, ""},
		{UserID(1), ownedOptions{Both: "x"}, both}, {Instance, ownedOptions{Both: "x"}, both},
		{ProjectID(1), ownedOptions{Mine: true}, mine}, {UserID(1), ownedOptions{Mine: true}, mine},
	} {
		for _, in := range []input{queryFor(tc.owner, &tc.options), queryFor(tc.owner, tc.options),
			jsonFor(tc.owner, tc.options)} {
			cl, err := newCall(t.Context(), client, "POST", Route("/x"), in, nil)
			if tc.want != "" {
				assert.EqualError(t, err, strings.Replace(tc.want, ": ", ": POST /x: ", 1))
				continue
			}
			require.NoError(t, err)
			assert.True(t, cl.query != "" || cl.mediaType != "", "it is encoded")
		}
	}
	_, err = newCall(t.Context(), client, "GET", Route("/x"), queryFor(Own, (*ownedOptions)(nil)), nil)
	assert.NoError(t, err)
	type embeds struct{ *ownedOptions }
	_, err = newCall(t.Context(), client, "GET", Route("/x"), queryFor(UserID(1), &embeds{}), nil)
	assert.NoError(t, err, "a nil pointer has no fields")
	for _, in := range []input{jsonFor(ProjectID(1), make(chan int)), queryFor(ProjectID(1), 7)} {
		_, err = newCall(t.Context(), client, "POST", Route("/x"), in, nil)
		assertRefused(t, "options", err)
	}
	_, err = newCall(t.Context(), client, "GET", Route("/x"), queryFor(UserID(1), url.Values{"a": {"b"}}), nil)
	assert.NoError(t, err)
}

// TestURL checks the addresses of endpoints: escaped as they are sent, below the path of the
// base URL, and refused for the reasons for which a call is.
func TestURL(t *testing.T) {
	c, err := NewClient("https://service.test/sub/", PrivateToken("secret-token"))
	require.NoError(t, err)
	got, err := c.URL(Route("/projects/:id/packages/generic/:name/:version/:file", ProjectPath("acme/shop"), "app",
		"1.0", "a/b c.zip"))
	require.NoError(t, err)
	assert.Equal(t, "https://service.test/sub/api/v4/projects/acme%2Fshop/packages/generic/app/1.0/a%2Fb%20c.zip", got)
	got, err = c.URL(EscapedPath("/version"))
	require.NoError(t, err)
	assert.Equal(t, "https://service.test/sub/api/v4/version", got)
	for _, e := range []Endpoint{{}, Route("/projects/:id", ProjectPath(""))} {
		got, err := c.URL(e)
		assert.ErrorAs(t, err, new(*ArgumentError))
		assert.Empty(t, got)
	}
}
