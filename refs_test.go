package serviceapi

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestReferencesInside checks how references to things in a project or a group
// print, and that the zero value of each prints nothing.
func TestReferencesInside(t *testing.T) {
	shop, acme := ProjectPath("acme/shop"), GroupPath("acme")
	for _, tc := range []struct {
		ref  fmt.Stringer
		want string
	}{
		{IssueIn(shop, 12), "acme/shop#12"}, {IssueIn(ProjectID(42), 12), "42#12"}, {IssueRef{}, ""},
		{MergeRequestIn(shop, 7), "acme/shop!7"}, {MergeRequestRef{}, ""},
		{SnippetIn(shop, 3), "acme/shop$3"}, {SnippetRef{}, ""},
		{EpicIn(acme, 5), "acme&5"}, {EpicRef{}, ""},
		{CommitIn(shop, "1f3a"), "acme/shop@1f3a"}, {CommitRef{}, ""},
	} {
		assert.Equal(t, tc.want, tc.ref.String())
		assert.Equal(t, tc.want, fmt.Sprint(tc.ref))
	}
	assert.Equal(t, IssueIn(shop, 12), IssueIn(ProjectPath("acme/shop"), 12),
		"they can be compared, and be keys of a map")
}

// TestParseReferences checks what a flag can hold.
func TestParseReferences(t *testing.T) {
	project := func(s string) (any, error) { return ParseProjectRef(s) }
	group := func(s string) (any, error) { return ParseGroupRef(s) }
	user := func(s string) (any, error) { return ParseUserRef(s) }
	namespace := func(s string) (any, error) { return ParseNamespaceRef(s) }
	for _, tc := range []struct {
		parse func(string) (any, error)
		text  string
		want  any
	}{
		{project, "42", ProjectID(42)}, {project, "acme/shop", ProjectPath("acme/shop")},
		{project, "acme/42", ProjectPath("acme/42")},
		{group, "7", GroupID(7)}, {group, "acme", GroupPath("acme")}, {group, "acme/7up", GroupPath("acme/7up")},
		{user, "3", UserID(3)}, {user, "ada", Username("ada")}, {user, "@ada", Username("ada")},
		{user, "ada.lovelace", Username("ada.lovelace")},
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
		{user, "ada lovelace", "user is neither an ID nor a username: ada lovelace", UserRef{}},
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
	assert.Equal(t, IssueIn(ProjectID(4), 12), decoded[Issue](t, `{"id":9,"iid":12,"project_id":4}`).Ref())
	assert.Equal(t, MergeRequestIn(ProjectID(4), 7), decoded[MergeRequest](t, `{"id":9,"iid":7,"project_id":4}`).Ref())
	assert.Equal(t, MergeRequestIn(ProjectID(4), 7),
		decoded[MergeRequestDetails](t, `{"id":9,"iid":7,"project_id":4}`).Ref())
	assert.Equal(t, EpicIn(GroupID(5), 9), decoded[Epic](t, `{"id":9,"iid":2,"group_id":5}`).Ref())
	assert.Equal(t, EpicIn(GroupID(5), 9), decoded[EpicSummary](t, `{"id":9,"iid":2,"group_id":5}`).Ref())
	assert.Equal(t, LabelID(9), decoded[Label](t, `{"id":9,"name":"bug"}`).Ref())
	assert.Equal(t, LabelID(9), decoded[LabelSummary](t, `{"id":9,"name":"bug"}`).Ref())
	assert.Equal(t, LabelName("bug"), decoded[LabelSummary](t, `"bug"`).Ref(), "no more is known")
	assert.Equal(t, LabelRef{}, (*LabelSummary)(nil).Ref())
	assert.Equal(t, GroupID(7), decoded[Group](t, `{"id":7,"full_path":"acme"}`).Ref())
	assert.Equal(t, UserID(3), decoded[User](t, `{"id":3,"username":"ada"}`).Ref())
	assert.Equal(t, UserID(3), decoded[UserSummary](t, `{"id":3,"username":"ada"}`).Ref())
	assert.Equal(t, NamespaceID(8), decoded[Namespace](t, `{"id":8,"path":"acme"}`).Ref())
	assert.Equal(t, NamespaceID(8), decoded[NamespaceSummary](t, `{"id":8,"path":"acme"}`).Ref())
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
