package serviceapi

import (
	"fmt"
	"go/ast"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestReferencesInside checks how references to users and to things in a project or a group
// print, and that the zero value of each prints nothing.
func TestReferencesInside(t *testing.T) {
	shop, acme := ProjectPath("acme/shop"), GroupPath("acme")
	for _, tc := range []struct {
		ref  fmt.Stringer
		want string
	}{
		{shop.Issue(12), "acme/shop#12"}, {ProjectID(42).Issue(12), "42#12"}, {IssueRef{}, ""},
		{shop.MergeRequest(7), "acme/shop!7"}, {MergeRequestRef{}, ""},
		{shop.Snippet(3), "acme/shop$3"}, {SnippetRef{}, ""},
		{acme.Epic(5), "acme&5"}, {acme.EpicByID(105), "acme, epic 105"}, {EpicRef{}, ""},
		{shop.Commit("1f3a"), "acme/shop@1f3a"}, {CommitRef{}, ""},
		{UserID(3), "3"}, {Username("3"), "@3"}, {Username("ada"), "ada"}, {Username("@3"), "@3"}, {UserRef{}, ""},
	} {
		assert.Equal(t, tc.want, tc.ref.String())
		assert.Equal(t, tc.want, fmt.Sprint(tc.ref))
	}
	assert.Equal(t, shop.Issue(12), ProjectPath("acme/shop").Issue(12),
		"they can be compared, and be keys of a map")
}

// TestParseReferences checks what a flag can hold.
func TestParseReferences(t *testing.T) {
	project := func(s string) (any, error) { return ParseProjectRef(s) }
	group := func(s string) (any, error) { return ParseGroupRef(s) }
	user := func(s string) (any, error) { return ParseUserRef(s) }
	namespace := func(s string) (any, error) { return ParseNamespaceRef(s) }
	const (
		suffix = " ends with .git or .atom, which no path does; write it without"
		dash   = ` has a part that begins with "-", which no path has`
	)
	noPath := func(kind, char string) string {
		return kind + " contains '" + char + `', which no path has: write the path alone, such as "group/app"`
	}
	long := strings.Repeat("a", 99)
	for _, tc := range []struct {
		parse func(string) (any, error)
		text  string
		want  any
	}{
		{project, "42", ProjectID(42)}, {project, "acme/shop", ProjectPath("acme/shop")},
		{project, "acme/42", ProjectPath("acme/42")},
		{group, "7", GroupID(7)}, {group, "acme", GroupPath("acme")}, {group, "acme/7up", GroupPath("acme/7up")},
		{user, "3", UserID(3)}, {user, "ada", Username("ada")}, {user, "@ada", Username("ada")},
		{user, "ada.lovelace", Username("ada.lovelace")}, {user, "_ada-", Username("_ada-")},
		{project, "Åcme/शॉप_1.x-y", ProjectPath("Åcme/शॉप_1.x-y")},
		{project, "acme/.github", ProjectPath("acme/.github")},
		{project, "acme/shop.wiki", ProjectPath("acme/shop.wiki")}, {project, "acme/git", ProjectPath("acme/git")},
		{namespace, "9", NamespaceID(9)}, {namespace, "acme/platform", NamespacePath("acme/platform")},
	} {
		got, err := tc.parse(tc.text)
		require.NoError(t, err, tc.text)
		assert.Equal(t, tc.want, got)
	}
	for _, tc := range []struct {
		parse       func(string) (any, error)
		text, error string
		want        any
	}{
		{project, "", "project is empty", ProjectRef{}},
		{project, "0", "project must be a positive number, but is 0", ProjectRef{}},
		{project, "https://service.test/acme/shop", `project is an address; write the path alone, such as "group/app"`,
			ProjectRef{}},
		{project, "/acme/shop", `project begins or ends with a slash; write "acme/shop"`, ProjectRef{}},
		{project, "acme/../shop", "project contains a segment that is only dots, which would shorten the path",
			ProjectRef{}},
		{group, "99999999999999999999", "group is too large to be an ID: 99999999999999999999", GroupRef{}},
		{project, "git@other.example.com:acme/app.git", noPath("project", "@"), ProjectRef{}},
		{project, "git:hunter2", noPath("project", ":"), ProjectRef{}},
		{project, "https:/acme/app", noPath("project", ":"), ProjectRef{}},
		{project, "acme/app!3", noPath("project", "!"), ProjectRef{}},
		{project, "acme/app#3", noPath("project", "#"), ProjectRef{}},
		{project, " acme/app ", noPath("project", " "), ProjectRef{}},
		{project, "acme/app\u00a0", noPath("project", `\u00a0`), ProjectRef{}},
		{project, "acme/app.git", "project" + suffix, ProjectRef{}},
		{project, "acme.git/app", "project" + suffix, ProjectRef{}},
		{project, "acme/app.atom", "project" + suffix, ProjectRef{}},
		{project, "acme/-/issues", "project" + dash, ProjectRef{}},
		{group, "@acme", noPath("group", "@"), GroupRef{}}, {group, "-1", "group" + dash, GroupRef{}},
		{namespace, "-1", "namespace" + dash, NamespaceRef{}},
		{namespace, "a b", noPath("namespace", " "), NamespaceRef{}},
		{user, "-1", "user" + dash, UserRef{}}, {user, "+5", noPath("user", "+"), UserRef{}},
		{user, "@@ada", noPath("user", "@"), UserRef{}}, {user, `acme\ada`, noPath("user", `\\`), UserRef{}},
		{user, "ada lovelace", noPath("user", " "), UserRef{}},
		{user, "acme/" + long, "user is neither an ID nor a username: acme/" + long[:95] + "…", UserRef{}},
		{user, "acme/ada", "user is neither an ID nor a username: acme/ada", UserRef{}},
		{user, "@", "user is empty", UserRef{}},
		{namespace, "a%2Fb", `namespace is escaped; write "a/b"`, NamespaceRef{}},
	} {
		got, err := tc.parse(tc.text)
		assert.EqualError(t, err, "serviceapi: "+tc.error)
		assert.Equal(t, tc.want, got, "the zero value, which every call refuses")
	}
}

// TestReferencesOfResults checks that results identify themselves, and that a nil
// result identifies nothing.
func TestReferencesOfResults(t *testing.T) {
	assert.Equal(t, ProjectID(4), decoded[Project](t, `{"id":4}`).Ref())
	assert.Equal(t, ProjectID(4), decoded[ProjectSummary](t, `{"id":4}`).Ref())
	assert.Equal(t, ProjectID(4).Issue(12), decoded[Issue](t, `{"id":9,"iid":12,"project_id":4}`).Ref())
	assert.Equal(t, ProjectID(4).MergeRequest(7), decoded[MergeRequest](t, `{"id":9,"iid":7,"project_id":4}`).Ref())
	assert.Equal(t, ProjectID(4).MergeRequest(7),
		decoded[MergeRequestDetails](t, `{"id":9,"iid":7,"project_id":4}`).Ref())
	assert.Equal(t, EpicRef{GroupID(5), 2, 9}, decoded[Epic](t, `{"id":9,"iid":2,"group_id":5}`).Ref())
	assert.Equal(t, EpicRef{GroupID(5), 2, 9}, decoded[EpicSummary](t, `{"id":9,"iid":2,"group_id":5}`).Ref())
	assert.Equal(t, LabelID(9), decoded[Label](t, `{"id":9,"name":"bug"}`).Ref())
	assert.Equal(t, LabelID(9), decoded[LabelSummary](t, `{"id":9,"name":"bug"}`).Ref())
	assert.Equal(t, LabelName("bug"), decoded[LabelSummary](t, `"bug"`).Ref(), "no more is known")
	assert.Equal(t, LabelRef{}, (*LabelSummary)(nil).Ref())
	assert.Equal(t, GroupID(7), decoded[Group](t, `{"id":7,"full_path":"acme"}`).Ref())
	assert.Equal(t, UserID(3), decoded[User](t, `{"id":3,"username":"ada"}`).Ref())
	assert.Equal(t, UserID(3), decoded[UserSummary](t, `{"id":3,"username":"ada"}`).Ref())
	assert.Equal(t, NamespaceID(8), decoded[Namespace](t, `{"id":8,"path":"acme"}`).Ref())
	assert.Equal(t, NamespaceID(8), decoded[NamespaceSummary](t, `{"id":8,"path":"acme"}`).Ref())
	assert.Equal(t, GroupID(0).EpicByID(0), (*EpicSummary)(nil).Ref())
	assert.Equal(t, ProjectID(0), (*ProjectSummary)(nil).Ref())
	client := onWire(t)
	var nobody *User
	assertRefused(t, "id", Route("/users/:id", nobody.Ref()).err)
	var nothing *Issue
	_, _, err := client.Notes.Get(t.Context(), nothing.Ref(), 1)
	assertRefused(t, "id", err)
}

func decoded[T any](t *testing.T, text string) *T {
	t.Helper()
	v := new(T)
	require.NoError(t, unmarshal([]byte(text), v))
	return v
}

// A pointer to a reference has the methods of the reference, so it compiles as
// an owner. But it may be nil.
var (
	somewhere  = ProjectID(4)
	someTeam   = GroupID(7)
	someone    = UserID(3)
	everything = Instance
	mine       = Own
)

func TestKindsOfOwners(t *testing.T) {
	for kind, owners := range map[string][]any{
		"project":       {ProjectID(1), ProjectPath("a/b"), ProjectRef{}},
		"group":         {GroupID(1), GroupPath("a"), GroupRef{}},
		"user":          {UserID(1), Username("a"), UserRef{}},
		"instance":      {Instance},
		"own":           {Own},
		"issue":         {ProjectID(1).Issue(2), IssueRef{}},
		"merge_request": {ProjectID(1).MergeRequest(2), MergeRequestRef{}},
		"snippet":       {ProjectID(1).Snippet(2), SnippetRef{}}, "epic": {GroupID(1).EpicByID(2), EpicRef{}},
		"commit": {ProjectID(1).Commit("main"), CommitRef{}},
		"":       {nil, &somewhere, &someTeam, &someone, &everything, &mine, (*ProjectRef)(nil), int64(1), "a"},
	} {
		for _, owner := range owners {
			assert.Equal(t, kind, kindOfOwner(owner), "%T", owner)
		}
	}
}

func TestOptionsOfOtherOwnersAreRefused(t *testing.T) {
	type inner struct {
		Deep string `only:"own"`
	}
	type options struct {
		inner
		Free   int
		Narrow bool  `only:"project"`
		Wide   *bool `only:"instance,group"`
		Work   bool  `only:"issue,epic,merge_request"`
	}
	for _, test := range []struct {
		owner   any
		options any
		want    string
	}{
		{GroupID(1), &options{Free: 1}, ""},
		{GroupID(1), (*options)(nil), ""},
		{GroupID(1), nil, ""},
		{ProjectID(1), &options{Narrow: true}, ""},
		{ProjectID(1), options{Narrow: true}, ""},
		{GroupID(1), &options{Narrow: true},
			"serviceapi: Narrow has no effect for this owner: it applies only to a project"},
		{GroupID(1), &options{Work: true},
			"serviceapi: Work has no effect for this owner: it applies only to an issue or an epic or a merge request"},
		{GroupID(1), &options{Wide: new(false)}, ""},
		{Instance, &options{Wide: new(false)}, ""},
		{Own, &options{Wide: new(false)},
			"serviceapi: Wide has no effect for this owner: it applies only to Instance or a group"},
		{Own, &options{inner: inner{Deep: "x"}}, ""},
		{UserID(1), &options{inner: inner{Deep: "x"}},
			"serviceapi: Deep has no effect for this owner: it applies only to Own"},
	} {
		err := ownedInput{test.owner, test.options, queryOf(nil)}.encode(&payload{types: new(typeFacts)})
		if test.want == "" {
			assert.NoError(t, err)
			continue
		}
		assert.EqualError(t, err, test.want)
	}
}

// TestOwnersWithoutIDPrintTheirName checks that Instance and Own are no numbers,
// which would print as 0 and could be converted from any other number.
func TestOwnersWithoutIDPrintTheirName(t *testing.T) {
	assert.Equal(t, "the instance, the caller", fmt.Sprintf("%v, %s", Instance, Own))
	for _, owner := range []any{Instance, Own} {
		assert.Equal(t, reflect.Struct, reflect.TypeOf(owner).Kind())
	}
}

// TestForgottenArguments checks that nothing is sent for an argument that is
// part of the body or the query and refers to nothing.
func TestForgottenArguments(t *testing.T) {
	client, _ := scriptedClient(t, RetryPolicy{}, func(r *http.Request) (*http.Response, error) {
		t.Error("sent:", r.Method, r.URL)
		return okJob(r)
	})
	ctx, app := t.Context(), ProjectPath("acme/app")
	for want, calls := range map[string][]error{
		"RunnerID": {errorOf(client.Runners.Enable(ctx, app, EnableRunnerOptions{})),
			errorOf(client.Runners.Enable(ctx, app, EnableRunnerOptions{RunnerID: -1}))},
		"ToProjectID": {
			errorOf(client.Issues.Move(ctx, app.Issue(1), MoveIssueOptions{})),
			errorOf(client.Issues.Move(ctx, app.Issue(1), MoveIssueOptions{ToProjectID: -1})),
		},
		"GroupID":     {errorOf(client.Projects.Share(ctx, app, ShareProjectOptions{GroupAccess: AccessLevelGuest}))},
		"AccessLevel": {errorOf(client.Registry.SetAccessLevel(ctx, app, SetRegistryAccessLevelOptions{}))},
		"Before":      {second(client.Environments.StopStale(ctx, app, StopStaleEnvironmentsOptions{}))},
		"user": {
			errorOf(client.Members.Add(ctx, app, UserID(-1), AccessLevelNone, AddMemberOptions{})),
			errorOf(client.Members.AddSeveral(ctx, app, []UserRef{UserID(1), UserID(0)}, AccessLevelNone,
				AddMemberOptions{})),
		},
		"user name": {
			errorOf(client.Members.Add(ctx, app, Username("ada,eve"), AccessLevelNone, AddMemberOptions{})),
			errorOf(client.Members.AddSeveral(ctx, app, []UserRef{Username("ada"), Username("bob,eve")},
				AccessLevelNone, AddMemberOptions{})),
		},
		"TagList": {errorOf(client.Runners.List(ctx, Own, &ListRunnersOptions{TagList: []string{"a", "b,c"}}))},
		"ExcludePaths": {errorOf(client.Repository.DownloadArchive(ctx, app, ArchiveFormatZip,
			&DownloadArchiveOptions{ExcludePaths: []string{"b,c"}}))},
		"Namespace": {
			errorOf(client.ProjectImport.FromFile(ctx, ImportFromFileOptions{
				File: Upload{Filename: "x", Content: strings.NewReader("x")}, Path: "x", Namespace: NamespaceID(0),
			})),
			errorOf(client.ProjectImport.FromURL(ctx,
				ImportFromURLOptions{URL: NewSecret("https://x.test"), Path: "x", Namespace: NamespacePath("")})),
			errorOf(client.ProjectImport.FromObjectStore(ctx,
				ImportFromObjectStoreOptions{
					Path: "x", Region: "r", BucketName: "b", FileKey: "k", AccessKeyID: NewSecret("i"),
					SecretAccessKey: NewSecret("s"), Namespace: NamespacePath("https://x.test/acme"),
				})),
		},
		"options": {
			errorOf(client.Issues.List(ctx, app, &ListIssuesOptions{Labels: LabelsAre("a,b")})),
			errorOf(client.MergeRequests.List(ctx, app,
				&ListMergeRequestsOptions{Not: MergeRequestExclusions{Labels: LabelNames{"a,b"}}})),
			errorOf(client.Epics.List(ctx, GroupID(1), &ListEpicsOptions{Labels: LabelsAre("a,b")})),
			errorOf(client.Commits.Create(ctx, app, CreateCommitOptions{
				Branch: "b", CommitMessage: "m", Actions: []CommitAction{DeleteFileAction("a")},
				StartProject: ProjectID(-4),
			})),
		},
	} {
		for _, err := range calls {
			assertRefused(t, want, err)
		}
	}
	assert.EqualError(t, errorOf(client.Members.Add(ctx, app, UserRef{}, AccessLevelGuest, AddMemberOptions{})),
		"serviceapi: POST /projects/:id/members: user is missing: the reference is empty; "+
			`make one, such as UserID(7) or Username("ada")`)
}

func second(_ *Response, err error) error { return err }

// TestReferencesToNothing checks that only a reference that can be that of an
// object is encoded.
func TestReferencesToNothing(t *testing.T) {
	for _, r := range []interface {
		MarshalJSON() ([]byte, error)
		EncodeValues(string, *url.Values) error
	}{ProjectID(0), ProjectID(-1), GroupPath(""), GroupPath("/acme"), GroupPath("a%2Fb"), Username("."),
		Username("a\n")} {
		_, err := r.MarshalJSON()
		assertRefused(t, "reference", err)
		values := url.Values{}
		assertRefused(t, "reference", r.EncodeValues("x", &values))
		assert.Empty(t, values)
	}
	values := url.Values{}
	require.NoError(t, GroupPath("acme/sub").EncodeValues("path", &values))
	require.NoError(t, UserID(3).EncodeValues("id", &values))
	require.NoError(t, GroupRef{}.EncodeValues("none", &values))
	assert.Equal(t, url.Values{"path": {"acme/sub"}, "id": {"3"}}, values)
}

// TestLabelNamesInQueries checks that names are sent as one value.
func TestLabelNamesInQueries(t *testing.T) {
	values, err := new(typeFacts).queryValues(&ListIssuesOptions{Labels: LabelsAre("a", "b c"),
		Not: IssueExclusions{Labels: LabelNames{"Any"}}})
	require.NoError(t, err)
	assert.Equal(t, url.Values{"labels": {"a,b c"}, "not[labels]": {"Any"}}, values)
}

// TestMethodsOfNothing calls the methods without arguments of every result on a nil
// pointer, which a program has after a call that failed. They return what they return for
// an empty result, which is the zero value of a reference.
func TestMethodsOfNothing(t *testing.T) {
	called := 0
	for _, typ := range responseTypes(t) {
		pointer := reflect.PointerTo(typ)
		method, ok := pointer.MethodByName("Ref")
		if !ok || !ast.IsExported(typ.Name()) {
			continue
		}
		called++
		var got []reflect.Value
		require.NotPanics(t, func() { got = method.Func.Call([]reflect.Value{reflect.Zero(pointer)}) }, typ.Name())
		want := method.Func.Call([]reflect.Value{reflect.New(typ)})
		assert.Equal(t, want[0].Interface(), got[0].Interface(), typ.Name())
	}
	assert.Greater(t, called, 10)
}
