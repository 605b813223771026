package webhook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/serviceapi"
	"example.com/serviceapi/internal/racing"
)

// A sample is an event as an instance sends it, with all members of the specification.
type sample struct {
	kind Kind
	typ  string
	body []byte
}

// samples are the events in testdata/events.txt: a line with the header and the type,
// and a line of JSON.
func samples(t testing.TB) []sample {
	t.Helper()
	data, err := os.ReadFile("testdata/events.txt")
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	var all []sample
	for i := 0; i < len(lines); i += 2 {
		kind, typ, ok := strings.Cut(strings.TrimPrefix(lines[i], "-- "), ": ")
		require.True(t, ok, lines[i])
		all = append(all, sample{Kind(kind), typ, []byte(lines[i+1])})
	}
	require.Greater(t, len(all), 50)
	return all
}

func typeName(event Event) string { return reflect.TypeOf(event).Elem().Name() }

// TestEvents decodes every event of the specification. Each member has a field, each
// field has a member in some event, and no value is lost.
func TestEvents(t *testing.T) {
	seen := map[string]bool{}
	types := map[string]bool{}
	for _, s := range samples(t) {
		name := string(s.kind) + " " + s.typ
		event, err := Decode(s.kind, s.body)
		require.NoError(t, err, name)
		require.Equal(t, s.typ, typeName(event), name)
		require.NoError(t, event.Info().Problem, name)
		types[s.typ] = true
		findExtra(t, reflect.ValueOf(event), s.typ)
		noteFields(reflect.ValueOf(event), seen)
		assert.JSONEq(t, withoutBlanks(t, s.body), withoutBlanks(t, encode(t, event)), name)
	}
	for _, made := range [...]map[string]func() Event{byObject, byName} {
		for word, event := range made {
			assert.True(t, types[typeName(event())], word)
		}
	}
	for field, came := range seen {
		assert.True(t, came, "no event has %s", field)
	}
	assert.Greater(t, len(seen), 400)
}

// findExtra reports members without a field. Only the location of a vulnerability has
// members that are not known.
func findExtra(t *testing.T, v reflect.Value, path string) {
	t.Helper()
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			findExtra(t, v.Elem(), path)
		}
	case reflect.Slice:
		for i := range v.Len() {
			findExtra(t, v.Index(i), path)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			field := v.Type().Field(i)
			switch {
			case field.Name == "Delivery" || !field.IsExported():
			case field.Name == "Extra":
				if !strings.HasSuffix(path, ".Location") {
					assert.Zero(t, v.Field(i).Len(), "%s: %v", path, v.Field(i))
				}
			default:
				findExtra(t, v.Field(i), path+"."+field.Name)
			}
		}
	}
}

// noteFields notes the fields that are not zero.
func noteFields(v reflect.Value, seen map[string]bool) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			noteFields(v.Elem(), seen)
		}
	case reflect.Slice:
		for i := range v.Len() {
			noteFields(v.Index(i), seen)
		}
	case reflect.Struct:
		if v.Type().PkgPath() != reflect.TypeFor[Delivery]().PkgPath() || v.Type() == reflect.TypeFor[Delivery]() {
			return
		}
		for i := range v.NumField() {
			field := v.Type().Field(i)
			if field.Name == "Extra" || field.Name == "Delivery" || strings.HasPrefix(v.Type().Name(), "Change[") ||
				alwaysZero[v.Type().Name()+"."+field.Name] {
				continue
			}
			name := v.Type().Name() + "." + field.Name
			seen[name] = seen[name] || !v.Field(i).IsZero()
			noteFields(v.Field(i), seen)
		}
	}
}

// alwaysZero are fields that no event fills.
var alwaysZero = map[string]bool{"Note.System": true, "PushEvent.Message": true}

func encode(t *testing.T, v any) []byte {
	t.Helper()
	data, err := marshalEvent(v)
	require.NoError(t, err)
	return data
}

// withoutBlanks returns JSON without null, zero and empty values, and with all times
// in one form: those are what an event does not tell apart.
func withoutBlanks(t *testing.T, data []byte) string {
	t.Helper()
	var v any
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	require.NoError(t, decoder.Decode(&v))
	encoded, err := json.Marshal(normal(v))
	require.NoError(t, err)
	return string(encoded)
}

func normal(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, value := range v {
			value = normal(value)
			switch name {
			case "force_remove_source_branch", "should_remove_source_branch":
				if value = value == "1" || value == true; value == false {
					value = nil
				}
			case "value":
				value = "secret"
			}
			if v[name] = value; value == nil {
				delete(v, name)
			}
		}
		if len(v) == 0 {
			return nil
		}
	case []any:
		for i := range v {
			v[i] = normal(v[i])
		}
		if len(v) == 0 {
			return nil
		}
	case string:
		if v == "" || strings.HasPrefix(v, "0001-01-01") {
			return nil
		}
		var at time.Time
		if len(v) > 10 && decode([]byte(`"`+v+`"`), &at) == nil {
			return at.UTC().Format(time.RFC3339Nano)
		}
	case json.Number:
		if v == "0" {
			return nil
		}
	case bool:
		if !v {
			return nil
		}
	}
	return v
}

// TestBodiesDecideWithoutHeader checks that events without their header are of the
// same type, but for what only the header tells.
func TestBodiesDecideWithoutHeader(t *testing.T) {
	for _, s := range samples(t) {
		event, err := Decode("", s.body)
		require.NoError(t, err)
		assert.Equal(t, s.typ, typeName(event), s.kind)
	}
}

func TestUnknownEventsAreKept(t *testing.T) {
	for _, c := range []struct {
		kind Kind
		body string
	}{
		{"Telepathy Hook", `{"object_kind":"telepathy","event_name":"thought","event_type":"t","text":"hi"}`},
		{KindSystem, `{"object_kind":"telepathy","event_name":"thought","event_type":"t","text":"hi"}`},
		{"", `{"object_kind":"telepathy","event_name":"thought","event_type":"t","text":"hi"}`},
	} {
		event, err := Decode(c.kind, []byte(c.body))
		require.NoError(t, err)
		unknown, ok := event.(*UnknownEvent)
		require.True(t, ok, c.kind)
		assert.Equal(t, [3]string{"telepathy", "t", "thought"}, [3]string{unknown.ObjectKind, unknown.EventType,
			unknown.EventName})
		assert.JSONEq(t, `"hi"`, string(unknown.Extra["text"]))
		assert.JSONEq(t, c.body, string(unknown.Body))
	}
}

// TestUnknownMembersAreKept adds a member to every object of every event.
func TestUnknownMembersAreKept(t *testing.T) {
	for _, s := range samples(t) {
		var tree any
		require.NoError(t, json.Unmarshal(s.body, &tree))
		for _, p := range placesOf(tree, nil) {
			if object, ok := p.get(tree).(map[string]any); ok {
				object["a new member"] = map[string]any{"previous": "x", "current": "y"}
			}
		}
		tree.(map[string]any)["a new member"] = 7
		body, err := json.Marshal(tree)
		require.NoError(t, err)
		event, err := Decode(s.kind, body)
		require.NoError(t, err)
		require.NoError(t, event.Info().Problem, s.typ)
		extra := reflect.ValueOf(event).Elem().FieldByName("Extra").Interface().(map[string]json.RawMessage)
		assert.JSONEq(t, "7", string(extra["a new member"]), s.typ)
		if m, ok := event.(*MergeRequestEvent); ok && len(m.Changes.Extra) > 0 {
			assert.JSONEq(t, `"y"`, string(m.Changes.Extra["a new member"].Current))
		}
	}
}

// A place is the path to a value in a tree of JSON.
type place []any

func (p place) get(tree any) any {
	for _, step := range p {
		switch step := step.(type) {
		case string:
			tree = tree.(map[string]any)[step]
		case int:
			tree = tree.([]any)[step]
		}
	}
	return tree
}

func (p place) set(tree, value any) {
	switch last := p[len(p)-1].(type) {
	case string:
		p[:len(p)-1].get(tree).(map[string]any)[last] = value
	case int:
		p[:len(p)-1].get(tree).([]any)[last] = value
	}
}

func (p place) String() string {
	var b strings.Builder
	for _, step := range p {
		fmt.Fprintf(&b, "/%v", step)
	}
	return b.String()
}

// placesOf returns the places below a value, in a fixed order.
func placesOf(v any, at place) (all []place) {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			p := append(slices.Clone(at), name)
			all = append(append(all, p), placesOf(v[name], p)...)
		}
	case []any:
		for i := range v {
			p := append(slices.Clone(at), i)
			all = append(append(all, p), placesOf(v[i], p)...)
		}
	}
	return all
}

// TestWrongKindsCostOneMember replaces every member of every type of event with values of
// all kinds, one at a time. Only that member is lost, and the problem says which.
func TestWrongKindsCostOneMember(t *testing.T) {
	swaps, seen := []any{"swap", -7.5, true, map[string]any{"a": 1}, []any{"swap"}, nil}, map[string]bool{}
	for n, s := range samples(t) {
		var tree any
		require.NoError(t, json.Unmarshal(s.body, &tree))
		places := slices.DeleteFunc(placesOf(tree, nil), func(p place) bool {
			at := s.typ + p.String() // other samples of the type may have it, too
			if s.decides(p) || seen[at] {
				return true
			}
			seen[at] = true
			return false
		})
		t.Run(fmt.Sprint(n, s.typ), func(t *testing.T) {
			t.Parallel()
			for m, p := range places {
				old, tried := p.get(tree), swaps
				switch {
				case m%16 == n%16:
				case racing.Enabled: // an event takes ten times as long, and no goroutine is involved
					continue
				default:
					tried = swaps[(n+m)%len(swaps):][:1]
				}
				for _, swap := range tried {
					p.set(tree, swap)
					checkSwap(t, s, p, swap, tree)
				}
				p.set(tree, old)
			}
		})
	}
	assert.Greater(t, len(seen), 1000)
}

// decides reports whether a member says what the event is.
func (s sample) decides(p place) bool {
	return len(p) == 1 && (p[0] == "event_name" || p[0] == "object_kind")
}

func checkSwap(t *testing.T, s sample, p place, swap, tree any) {
	t.Helper()
	body, err := json.Marshal(tree)
	require.NoError(t, err)
	event, err := Decode(s.kind, body)
	require.NoError(t, err)
	name := fmt.Sprintf("%s%s = %v", s.typ, p, swap)
	require.Equal(t, s.typ, typeName(event), name)
	problem := event.Info().Problem
	if problem != nil {
		var member *MemberError
		require.ErrorAs(t, problem, &member, name)
		assert.NotContains(t, problem.Error(), "swap", name)
		assert.NotNil(t, swap, "%s: null is never wrong", name)
		require.True(t, strings.HasPrefix(member.Pointer, p.String()) || strings.Contains(p.String(), "/changes/"),
			"%s: %s",
			name, member.Pointer)
	}
	if member := new(MemberError); swap != nil && (!errors.As(problem, &member) || member.Pointer != p.String()) {
		return // the value fits, or a part of it
	}
	p.set(tree, nil)
	body, err = json.Marshal(tree)
	require.NoError(t, err)
	without, err := Decode(s.kind, body)
	require.NoError(t, err)
	*event.Info(), *without.Info() = Delivery{}, Delivery{}
	_, inList := p[len(p)-1].(int)
	if !reflect.DeepEqual(event, without) && !inList && !strings.Contains(p.String(), "/line_range") {
		got, want := withoutBlanks(t, encode(t, event)), withoutBlanks(t, encode(t, without))
		assert.Equal(t, want, got, "%s: costs more than the member", name)
	}
}

func TestTimesOfAllForms(t *testing.T) {
	for text, want := range map[string]string{
		"2017-09-15 16:50:55 UTC":   "2017-09-15T16:50:55Z",
		"2022-06-28 16:08:11 +0200": "2022-06-28T14:08:11Z",
		"2013-12-03T17:15:43Z":      "2013-12-03T17:15:43Z",
		"2021-11-30T08:52:57.746Z":  "2021-11-30T08:52:57.746Z",
		"2011-12-12T14:27:31+02:00": "2011-12-12T12:27:31Z",
	} {
		event, err := Decode(KindMergeRequest, fmt.Appendf(nil,
			`{"object_attributes":{"created_at":%q,"merged_at":%q},"changes":{"created_at":{"previous":null,`+
				`"current":%q}}}`,
			text, text, text))
		require.NoError(t, err)
		require.NoError(t, event.Info().Problem, text)
		m := event.(*MergeRequestEvent)
		assert.Equal(t, want, m.ObjectAttributes.CreatedAt.UTC().Format(time.RFC3339Nano))
		assert.True(t, m.ObjectAttributes.MergedAt.Equal(m.ObjectAttributes.CreatedAt))
		assert.Nil(t, m.Changes.CreatedAt.Previous)
		assert.True(t, m.Changes.CreatedAt.Current.Equal(m.ObjectAttributes.CreatedAt))
	}
	event, err := Decode(KindIssue, []byte(`{"object_attributes":{"due_date":"2025-06-30"}}`))
	require.NoError(t, err)
	assert.Equal(t, serviceapi.NewDate(2025, time.June, 30), *event.(*IssueEvent).ObjectAttributes.DueDate)
}

// TestDurationsOfPipelines reads whole seconds, which the service sends, and fractions.
func TestDurationsOfPipelines(t *testing.T) {
	for body, want := range map[string]*float64{"17": new(17.0), "17.5": new(17.5), "null": nil} {
		event, err := Decode(KindPipeline, []byte(`{"object_attributes":{"duration":`+body+`,"queued_duration":`+body+
			`}}`))
		require.NoError(t, err)
		require.NoError(t, event.Info().Problem)
		pipeline := event.(*PipelineEvent)
		assert.Equal(t, want, pipeline.ObjectAttributes.Duration, body)
		assert.Equal(t, want, pipeline.ObjectAttributes.QueuedDuration, body)
		event, err = Decode(KindJob, []byte(`{"object_kind":"build","build_duration":1.5,"commit":{"duration":`+body+
			`}}`))
		require.NoError(t, err)
		require.NoError(t, event.Info().Problem)
		assert.Equal(t, want, event.(*JobEvent).Commit.Duration, body)
	}
}

func TestChanges(t *testing.T) {
	event, err := Decode(KindMergeRequest, []byte(`{"changes":{
		"title":{"previous":"a","current":"b"},"draft":{"previous":null,"current":true},
		"reviewers":[[{"id":1}],[{"id":2,"state":"unreviewed"}]],
		"labels":{"previous":"wrong","current":[{"title":"bug"}]},
		"unheard":{"previous":[1],"current":{"a":2}}}}`))
	require.NoError(t, err)
	c := event.(*MergeRequestEvent).Changes
	assert.Equal(t, &Change[string]{"a", "b"}, c.Title)
	assert.Equal(t, &Change[*bool]{nil, new(true)}, c.Draft)
	assert.Equal(t, &Change[[]Reviewer]{[]Reviewer{{ID: 1}}, []Reviewer{{ID: 2, State: ReviewStateUnreviewed}}},
		c.Reviewers)
	assert.Equal(t, &Change[[]Label]{nil, []Label{{Title: "bug"}}}, c.Labels)
	assert.JSONEq(t, `{"a":2}`, string(c.Extra["unheard"].Current))
	assert.Nil(t, c.State)
	assert.EqualError(t, event.Info().Problem, `webhook: the member at "/changes/labels/previous" is of the wrong kind`)
}

func TestFlags(t *testing.T) {
	for text, want := range map[string]Flag{
		`true`: true, `"1"`: true, `"true"`: true, `1`: true, `false`: false, `"0"`: false, `""`: false, `null`: false,
		`0`: false,
	} {
		f := !want
		require.NoError(t, f.UnmarshalJSON([]byte(text)), text)
		assert.Equal(t, want, f, text)
	}
	assert.Error(t, new(Flag).UnmarshalJSON([]byte(`"maybe"`)))
	assert.Error(t, new(Flag).UnmarshalJSON([]byte(`{}`)))
}

// TestReferences checks what events are about.
func TestReferences(t *testing.T) {
	refs := map[string]string{}
	for _, s := range samples(t) {
		event, err := Decode(s.kind, s.body)
		require.NoError(t, err)
		v := reflect.ValueOf(event)
		for i := range v.NumMethod() {
			name := v.Type().Method(i).Name
			if strings.HasSuffix(name, "Ref") && v.Type().Method(i).Type.NumIn() == 1 {
				refs[s.typ+"."+name] += fmt.Sprint(v.Method(i).Call(nil)[0]) + ";"
			}
		}
	}
	commit := "4@" + strings.Repeat("a", 40) + ";"
	assert.Equal(t, map[string]string{
		"MergeRequestEvent.Ref": "4!1;4!1;", "IssueEvent.Ref": "4#23;;",
		"PushEvent.CommitRef":    commit + "acme/shop@" + commit[2:] + commit + commit,
		"TagPushEvent.CommitRef": commit + commit, "NoteEvent.MergeRequestRef": "4!1;;;;",
		"NoteEvent.CommitRef":  ";" + commit + ";;",
		"NoteEvent.SnippetRef": ";;4$53;;", "NoteEvent.IssueRef": ";;;4#23;", "PipelineEvent.MergeRequestRef": "4!1;",
		"JobEvent.ProjectRef": "4;0;",
		"EmojiEvent.IssueRef": "4#23;;;;", "EmojiEvent.MergeRequestRef": ";4!1;;;",
		"EmojiEvent.NoteRef": "4#23, note 1244;;;;", "EmojiEvent.SnippetRef": ";;;4$53;",
		"EmojiEvent.CommitRef": ";;" + commit + ";",
		"NoteEvent.NoteRef":    "4!1, note 1244;;4$53, note 1244;4#23, note 1244;",
		"JobEvent.CommitRef":   commit + ";", "PipelineEvent.CommitRef": commit, "ReleaseEvent.CommitRef": commit,
		"VulnerabilityEvent.ProjectRef": "4;",
		"MemberEvent.GroupRef":          "3;3;3;3;3;3;", "MemberEvent.UserRef": "7;7;7;7;7;7;",
		"SubgroupEvent.GroupRef":  "10;",
		"ProjectEvent.ProjectRef": "4;4;4;4;4;4;", "GroupEvent.GroupRef": "3;3;3;", "UserEvent.UserRef": "7;7;7;7;",
		"ProjectMemberEvent.ProjectRef": "4;4;4;4;4;", "ProjectMemberEvent.UserRef": "7;7;7;7;7;",
	}, refs)
	assert.Equal(t, "5!1", (&MergeRequest{TargetProjectID: 5, IID: 1}).Ref().String())
	assert.True(t, (&MergeRequest{IID: 1}).Ref().IsZero())
	assert.True(t, (*MergeRequest)(nil).Ref().IsZero())
	assert.Equal(t, "5#1", (&Issue{ProjectID: new(int64(5)), IID: 1}).Ref().String())
	assert.True(t, (&Issue{IID: 1}).Ref().IsZero())
	assert.True(t, (*Issue)(nil).Ref().IsZero())
	assert.True(t, (*Project)(nil).Ref().IsZero())
	assert.True(t, (*User)(nil).Ref().IsZero())
	assert.True(t, (*Reviewer)(nil).Ref().IsZero())
	assert.True(t, (*Group)(nil).Ref().IsZero())
	assert.True(t, (*SourceProject)(nil).Ref().IsZero())
	assert.Equal(t, "ada", (&User{Username: "ada"}).Ref().String())
	assert.Equal(t, "3", (&Group{ID: 3}).Ref().String())
	assert.Equal(t, "5", (&SourceProject{ID: 5}).Ref().String())
	assert.Equal(t, "8", (&Reviewer{ID: 8}).Ref().String())
}

func TestQuestionsAboutEvents(t *testing.T) {
	made := func(kind Kind, body string) Event {
		event, err := Decode(kind, []byte(body))
		require.NoError(t, err)
		return event
	}
	push := made(KindPush, `{"ref":"refs/heads/a/b","before":"0000","after":"12"}`).(*PushEvent)
	assert.Equal(t, "a/b", push.Branch())
	assert.True(t, push.Created())
	assert.False(t, push.Deleted())
	tag := made(KindTagPush, `{"ref":"refs/tags/v1","before":"12","after":"0000","checkout_sha":null}`).(*TagPushEvent)
	assert.Equal(t, "v1", tag.Tag())
	assert.True(t, tag.Deleted())
	assert.False(t, tag.Created())
	assert.Zero(t, tag.CommitRef())
	assert.False(t, (&PushEvent{}).Deleted())
	assert.True(t, made(KindConfidentialIssue, `{}`).(*IssueEvent).Confidential())
	assert.True(t, made("", `{"object_kind":"issue","event_type":"confidential_issue"}`).(*IssueEvent).Confidential())
	assert.False(t, made(KindIssue, `{}`).(*IssueEvent).Confidential())
	assert.True(t, made(KindConfidentialNote, `{}`).(*NoteEvent).Confidential())
	assert.False(t, made(KindNote, `{}`).(*NoteEvent).Confidential())
	assert.True(t, made(KindMergeRequest, `{"object_attributes":{"oldrev":"1"}}`).(*MergeRequestEvent).HasNewCommits())
}

// TestChangesKeepWhatCanBeRead checks that a change with one side that is null, and one of the
// wrong kind, is still a change.
func TestChangesKeepWhatCanBeRead(t *testing.T) {
	for _, body := range []string{
		`{"changes":{"iid":{"previous":null,"current":"x"}}}`, `{"changes":{"iid":{"previous":{},"current":null}}}`,
		`{"changes":{"title":{"previous":null,"current":7}}}`,
	} {
		event, err := Decode(KindMergeRequest, []byte(body))
		require.NoError(t, err)
		require.Error(t, event.Info().Problem, body)
		changes := event.(*MergeRequestEvent).Changes
		require.True(t, changes.IID != nil || changes.Title != nil, "%s: both sides are lost", body)
	}
	event, err := Decode(KindMergeRequest, []byte(`{"changes":{"iid":7,"title":"x"}}`))
	require.NoError(t, err)
	changes := event.(*MergeRequestEvent).Changes
	assert.True(t, changes.IID == nil && changes.Title == nil, "no changes at all")
}
