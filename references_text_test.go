package serviceapi

import (
	"bytes"
	"encoding"
	"encoding/json"
	"flag"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPathsThatAreIDs checks that a path which the service would take as an ID is refused
// wherever it would, and only there.
func TestPathsThatAreIDs(t *testing.T) {
	const asID = " has only digits, which the service would take as an ID; write "
	for _, tc := range []struct {
		ref  any
		want string
	}{
		{ProjectPath("7"), "project path" + asID + "ProjectID(7)"},
		{ProjectPath("app"), `project path has no slash: app; write the full path, such as "group/app", or the ID`},
		{ProjectPath("7up"), `project path has no slash: 7up; write the full path, such as "group/app", or the ID`},
		{GroupPath("7"), "group path" + asID + "GroupID(7) with the ID of the group"},
		{NamespacePath("7"), "namespace path" + asID + "NamespaceID(7) with the ID of the namespace"},
		{Username("7"), "user name" + asID + "UserID(7) with the ID of the user, which Users.Find finds"},
		{ProjectPath("7/7"), ""}, {GroupPath("7/7"), ""}, {GroupPath("7up"), ""}, {NamespacePath("7up"), ""},
		{Username("7up"), ""}, {LabelName("7"), ""}, {ProjectID(7), ""}, {GroupID(7), ""},
	} {
		err := Route("/things/:id", tc.ref).err
		if tc.want == "" {
			assert.NoError(t, err, "%v", tc.ref)
			continue
		}
		assert.EqualError(t, err, "serviceapi: "+tc.want)
		if ref, ok := tc.ref.(interface {
			MarshalJSON() ([]byte, error)
			EncodeValues(string, *url.Values) error
		}); ok {
			_, err := ref.MarshalJSON()
			assertRefused(t, "reference", err)
			if tc.ref != Username("7") {
				assertRefused(t, "reference", ref.EncodeValues("x", &url.Values{}))
			}
		}
	}
	assert.NoError(t, Route("/scim/:group_path", GroupPath("7")).err, "only a path is accepted there")

	client, _ := scriptedClient(t, RetryPolicy{}, func(r *http.Request) (*http.Response, error) {
		t.Error("sent:", r.Method, r.URL)
		return okJob(r)
	})
	ctx := t.Context()
	_, err := client.Projects.Delete(ctx, ProjectPath("7"), nil)
	assertRefused(t, "project path", err)
	_, err = client.Groups.Delete(ctx, GroupPath("7"), nil)
	assertRefused(t, "group path", err)
	assertRefused(t, "Namespace", errorOf(client.Projects.Transfer(ctx, ProjectID(1),
		TransferProjectOptions{Namespace: NamespacePath("7")})))
	_, err = client.With(WithSudo(Username("7")))
	assertRefused(t, "sudo", err)
	assertRefused(t, "options", errorOf(client.Commits.Create(ctx, ProjectID(1),
		CreateCommitOptions{Branch: "a", CommitMessage: "b", StartProject: ProjectPath("7"),
			Actions: []CommitAction{DeleteFileAction("c")}})))
}

// TestUsernamesOfDigitsInBodies checks that a name of digits is sent where it cannot be taken
// as an ID.
func TestUsernamesOfDigitsInBodies(t *testing.T) {
	client := onWire(t, exchange{Method: "POST", Path: "/projects/1/members",
		JSON: `{"username":"7","access_level":10}`, Body: `{"id":3}`})
	_, _, err := client.Members.Add(t.Context(), ProjectID(1), Username("7"), AccessLevelGuest, AddMemberOptions{})
	require.NoError(t, err)
}

// settings are those of a program.
type settings struct {
	Project   ProjectRef
	Group     GroupRef
	User      UserRef
	Namespace NamespaceRef
	Level     AccessLevel
	Day       Date
	Projects  []ProjectRef
	Extra     *ProjectRef
}

// TestSettingsInJSON checks that JSON of a program's own settings comes back as it was, with
// either package.
func TestSettingsInJSON(t *testing.T) {
	for _, tc := range []struct {
		value settings
		want  string
	}{
		{settings{}, `{"Project":null,"Group":null,"User":null,"Namespace":null,"Level":0,"Day":"0001-01-01",` +
			`"Projects":null,"Extra":null}`},
		{settings{ProjectPath("acme/shop"), GroupID(7), UserID(42), NamespacePath("ada"), AccessLevelMaintainer,
			NewDate(2026, 1, 31), []ProjectRef{ProjectID(42)}, new(ProjectID(1))},
			`{"Project":"acme/shop","Group":7,"User":42,"Namespace":"ada","Level":40,"Day":"2026-01-31",` +
				`"Projects":[42],"Extra":1}`},
	} {
		for name, c := range codecs {
			data, err := c.marshal(tc.value)
			require.NoError(t, err)
			if name == "encoding/json" { // the other one has no null for lists
				assert.Equal(t, tc.want, string(data))
			}
			var got settings
			require.NoError(t, c.unmarshal([]byte(tc.want), &got), name)
			assert.Equal(t, tc.value, got, name)
		}
	}
}

// TestSettingsAsKeys checks that a reference or a level can be the key of a map.
func TestSettingsAsKeys(t *testing.T) {
	roles := map[UserRef]map[AccessLevel]int{Username("7"): {AccessLevelOwner: 1}, UserID(7): {AccessLevelNone: 2}}
	const text = `{"7":{"none":2},"@7":{"owner":1}}`
	data, err := json.Marshal(roles)
	require.NoError(t, err)
	assert.Equal(t, text, string(data))
	var got map[UserRef]map[AccessLevel]int
	require.NoError(t, json.Unmarshal([]byte(text), &got))
	assert.Equal(t, roles, got)
	body, _, err := encodeJSON(struct {
		Roles  any
		Hidden Secret
	}{roles, NewSecret("x")}, true)
	require.NoError(t, err)
	assert.JSONEq(t, `{"Roles":`+text+`,"Hidden":"x"}`, string(body), "also beside a secret in a body")
}

// TestSettingsWrittenByHand checks what people write in JSON.
func TestSettingsWrittenByHand(t *testing.T) {
	before := settings{Project: ProjectID(1), Group: GroupID(1), User: UserID(1), Namespace: NamespaceID(1), Level: 40}
	for text, want := range map[string]settings{
		`{"Project":"42","Group":"7","User":"@ada","Namespace":"9","Level":"maintainer"}`: {Project: ProjectID(42),
			Group: GroupID(7), User: Username("ada"), Namespace: NamespaceID(9), Level: AccessLevelMaintainer},
		`{"Project":"","Group":"","User":"","Namespace":"","Level":"40"}`:         {Level: AccessLevelMaintainer},
		`{"Project":null,"Group":null,"User":null,"Namespace":null,"Level":null}`: before,
		`{"Project":"acme\/shop","Level": 31 }`: {Project: ProjectPath("acme/shop"), Group: GroupID(1),
			User: UserID(1), Namespace: NamespaceID(1), Level: 31},
	} {
		got := before
		require.NoError(t, json.Unmarshal([]byte(text), &got), text)
		assert.Equal(t, want, got, text)
	}
	for text, argument := range map[string]string{
		`{"Project":true}`: "reference", `{"Project":1.5}`: "reference", `{"Project":-1}`: "reference",
		`{"Project":{}}`: "reference", `{"Project":"shop"}`: "project", `{"Project":0}`: "project",
		`{"Group":"a//b"}`: "group", `{"User":"a b"}`: "user", `{"User":[]}`: "reference",
		`{"Namespace":"/"}`: "namespace",
		`{"Level":"boss"}`:  "access level", `{"Level":true}`: "access level", `{"Level":1.5}`: "access level",
		`{"Level":"31"}`: "access level", `{"Day":"31/1/2026"}`: "date",
	} {
		got := before
		err := json.Unmarshal([]byte(text), &got)
		assertRefused(t, argument, err)
		assert.Equal(t, before, got, "%s changes nothing", text)
	}
}

// TestTextFlags checks flags with their defaults, which the flag package prints.
func TestTextFlags(t *testing.T) {
	var s settings
	var output bytes.Buffer
	flags := flag.NewFlagSet("report", flag.ContinueOnError)
	flags.SetOutput(&output)
	flags.TextVar(&s.Project, "project", ProjectPath("acme/shop"), "a `project`")
	flags.TextVar(&s.Group, "group", GroupRef{}, "a `group`")
	flags.TextVar(&s.User, "user", Username("42"), "a `user`")
	flags.TextVar(&s.Namespace, "namespace", NamespaceID(9), "a `namespace`")
	flags.TextVar(&s.Level, "level", AccessLevelDeveloper, "a `level`")
	flags.TextVar(&s.Day, "day", NewDate(2026, 1, 31), "a `day`")
	flags.PrintDefaults()
	assert.Equal(t, `  -day day
    	a day (default 2026-01-31)
  -group group
    	a group
  -level level
    	a level (default developer)
  -namespace namespace
    	a namespace (default 9)
  -project project
    	a project (default acme/shop)
  -user user
    	a user (default @42)
`, output.String())
	assert.Equal(t, settings{Project: ProjectPath("acme/shop"), User: Username("42"), Namespace: NamespaceID(9),
		Level: AccessLevelDeveloper, Day: NewDate(2026, 1, 31)}, s)
	require.NoError(t, flags.Parse([]string{"-project=42", "-group=acme", "-user=@ada", "-namespace=ada", "-level=40",
		"-day=2026-02-01"}))
	assert.Equal(t, settings{Project: ProjectID(42), Group: GroupPath("acme"), User: Username("ada"),
		Namespace: NamespacePath("ada"), Level: AccessLevelMaintainer, Day: NewDate(2026, 2, 1)}, s)
	require.NoError(t, flags.Parse([]string{"-project="}))
	assert.Equal(t, ProjectRef{}, s.Project)
	assert.ErrorContains(t, flags.Parse([]string{"-level=boss"}), `invalid value "boss" for flag -level: serviceapi: `+
		`access level is unknown: "boss"; write one of none (0), minimal (5), guest (10), planner (15), `+
		`reporter (20), developer (30), maintainer (40), owner (50), admin (60)`)
	assert.Equal(t, AccessLevelMaintainer, s.Level, "an error changes nothing")
}

// TestTextsOfSettings checks that each text stands for what it was made of. YAML is encoded
// and decoded by these methods alone.
func TestTextsOfSettings(t *testing.T) {
	for _, tc := range []struct {
		value encoding.TextMarshaler
		want  string
	}{
		{ProjectRef{}, ""}, {ProjectID(42), "42"}, {ProjectPath("acme/shop"), "acme/shop"},
		{GroupRef{}, ""}, {GroupID(7), "7"}, {GroupPath("acme"), "acme"},
		{UserRef{}, ""}, {UserID(3), "3"}, {Username("ada"), "ada"}, {Username("3"), "@3"},
		{NamespaceRef{}, ""}, {NamespaceID(9), "9"}, {NamespacePath("ada"), "ada"},
		{AccessLevelNone, "none"}, {AccessLevelMinimal, "minimal"}, {AccessLevelPlanner, "planner"},
		{AccessLevelMaintainer, "maintainer"}, {AccessLevelAdmin, "admin"},
		{Date{}, "0001-01-01"}, {NewDate(2026, 1, 31), "2026-01-31"},
	} {
		data, err := tc.value.MarshalText()
		require.NoError(t, err)
		assert.Equal(t, tc.want, string(data))
		assert.NotNil(t, data)
		again := reflect.New(reflect.TypeOf(tc.value))
		require.NoError(t, again.Interface().(encoding.TextUnmarshaler).UnmarshalText(data))
		assert.Equal(t, tc.value, again.Elem().Interface())
	}
	for _, value := range []encoding.TextMarshaler{ProjectID(0), ProjectPath(""), ProjectPath("shop"),
		ProjectPath("7"), GroupPath("7"), NamespacePath("7"), Username("@ada"), Username("a b"), UserID(-1),
		GroupID(-1)} {
		data, err := value.MarshalText()
		var refused *ArgumentError
		assert.ErrorAs(t, err, &refused, "%#v", value)
		assert.Empty(t, data)
	}
	data, err := AccessLevel(25).MarshalText()
	require.NoError(t, err, "a result of a later release can be written")
	assert.Equal(t, "25", string(data))
}

// TestLevelsOfResults checks that the level of a result is what the service sends, and that
// one of another kind costs only its member.
func TestLevelsOfResults(t *testing.T) {
	client := onWire(t, exchange{Method: "GET", Path: "/projects/1/members/2", Body: `{"id":2,"access_level":25}`},
		exchange{Method: "GET", Path: "/projects/1/members/2", Body: `{"id":2,"access_level":null}`},
		exchange{Method: "POST", Path: "/projects/1/members", JSON: `{"user_id":2,"access_level":10}`,
			Body: `{"access_level":"boss","id":2}`})
	ctx := t.Context()
	member, _, err := client.Members.Get(ctx, ProjectID(1), UserID(2))
	require.NoError(t, err)
	assert.Equal(t, AccessLevel(25), member.AccessLevel)
	member, _, err = client.Members.Get(ctx, ProjectID(1), UserID(2))
	require.NoError(t, err)
	assert.Equal(t, AccessLevelNone, member.AccessLevel)
	member, _, err = client.Members.Add(ctx, ProjectID(1), UserID(2), AccessLevelGuest, AddMemberOptions{})
	var decode *DecodeError
	require.ErrorAs(t, err, &decode)
	assert.Equal(t, "/access_level", decode.Pointer)
	assert.EqualError(t, decode.Err, "a JSON string does not fit serviceapi.AccessLevel")
	assert.Equal(t, int64(2), member.ID)
	assert.True(t, MayHaveExecuted(err))
}

// FuzzParseReferences checks that what can be parsed is printed as it was, and stands for
// the same again.
func FuzzParseReferences(f *testing.F) {
	for _, seed := range []string{"42", "acme/shop", "@ada", "@3", "maintainer", "2026-01-31", "", "007", "a b", "-1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, value := range []encoding.TextUnmarshaler{new(ProjectRef), new(GroupRef), new(UserRef),
			new(NamespaceRef), new(AccessLevel), new(Date)} {
			if value.UnmarshalText([]byte(s)) != nil {
				continue
			}
			data, err := value.(encoding.TextMarshaler).MarshalText()
			if err != nil {
				t.Fatalf("%q was parsed as %v: %v", s, value, err)
			}
			again := reflect.New(reflect.TypeOf(value).Elem())
			if err := again.Interface().(encoding.TextUnmarshaler).UnmarshalText(data); err != nil {
				t.Fatal(err)
			}
			if got, want := again.Elem().Interface(), reflect.ValueOf(value).Elem().Interface(); got != want {
				if day, isDay := want.(Date); isDay && got == DateOf(day.Time) {
					continue // a timestamp
				}
				t.Fatalf("%q: %v became %v", s, want, got)
			}
		}
	})
}

// Every level can be parsed in both forms.
func TestAccessLevels(t *testing.T) {
	levels := accessLevels()
	assert.Len(t, levels, 9)
	assert.True(t, slices.IsSorted(levels))
	for _, level := range levels {
		assert.NotContains(t, level.String(), "AccessLevel(")
		parsed, err := ParseAccessLevel(level.String())
		require.NoError(t, err)
		assert.Equal(t, level, parsed)
	}
}
