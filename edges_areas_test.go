package serviceapi

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestQuotedTextIsCut checks how much of a long text each error quotes.
func TestQuotedTextIsCut(t *testing.T) {
	long := strings.Repeat("~", 3000)
	client := handlerClient(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "[]") })
	decode := func(v json.Unmarshaler) error { return v.UnmarshalJSON([]byte(`"` + long + `"`)) }
	for name, tc := range map[string]struct {
		want int
		err  func() error
	}{
		"ref":       {200, func() error { return &ProtectedRefError{Err: &Error{StatusCode: 400}, Ref: long} }},
		"algorithm": {40, func() error { _, err := newChecksum(ChecksumAlgorithm(long), ""); return err }},
		"level":     {40, func() error { _, err := ParseAccessLevel(long); return err }},
		"status":    {100, func() error { return &NotMergeableError{Status: long} }},
		"coverage":  {40, func() error { return decode(new(Coverage)) }},
		"encoding":  {40, (&RepositoryFile{Encoding: ContentEncoding(long)}).verify},
		"day":       {40, func() error { _, err := ParseDate(long); return err }},
		"date":      {40, func() error { return decode(new(Date)) }},
		"user":      {100, func() error { _, _, err := client.Users.Find(t.Context(), long); return err }},
	} {
		err := tc.err()
		require.Error(t, err, name)
		assert.Equal(t, tc.want, strings.Count(err.Error(), "~"), name)
	}
	var dump strings.Builder
	client, _ = scriptedClient(t, RetryPolicy{MaxAttempts: 1}, func(r *http.Request) (*http.Response, error) {
		resp, err := okJob(r)
		resp.Status = long
		return resp, err
	})
	_, err := getJob(t.Context(), client, WithDump(&dump, DumpOptions{}))
	require.NoError(t, err)
	assert.Equal(t, 200, strings.Count(dump.String(), "~"))
}

// TestStatesInErrorsAreCut checks the same for states in which a wait was given up.
func TestStatesInErrorsAreCut(t *testing.T) {
	for name, wait := range map[string]func(context.Context, *Client) error{
		"Wait": func(ctx context.Context, client *Client) error {
			_, err := client.Jobs.Wait(ctx, ProjectID(1), 8)
			return err
		},
		"Follow": func(ctx context.Context, client *Client) error {
			_, err := Collect(client.Jobs.Follow(ctx, ProjectID(1), 8))
			return err
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			client := handlerClient(t, func(w http.ResponseWriter, r *http.Request) {
				if !strings.HasSuffix(r.URL.Path, "/trace") {
					fmt.Fprintf(w, `{"id":8,"status":%q}`, strings.Repeat("~", 3000))
				}
			})
			ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
			defer cancel()
			err := wait(ctx, client)
			require.ErrorIs(t, err, context.DeadlineExceeded, name)
			assert.Contains(t, err.Error(), "in state", name)
			assert.Equal(t, 100, strings.Count(err.Error(), "~"), name)
		})
	}
}

// TestNumbersOfSeveralDigits checks numbers that are written as text.
func TestNumbersOfSeveralDigits(t *testing.T) {
	for text, want := range map[SerialNumber]bool{
		"0": true, "7": true, "10": true, "4711": true, "9": true, "": false, "01": false, "00": false, "1a": false,
		"a": false,
	} {
		assert.Equal(t, want, text.isNumber(), text)
	}
	assert.Error(t, new(SerialNumber).UnmarshalJSON([]byte(`"a`)))
	var id SCIMGroupID
	require.NoError(t, json.Unmarshal([]byte("4711"), &id))
	assert.Equal(t, SCIMGroupID("4711"), id)
	for _, odd := range []string{"true", "{}", "1.5", `"a`} {
		assert.Error(t, id.UnmarshalJSON([]byte(odd)), odd)
	}
	id = "4711"
	data, err := json.Marshal(id)
	require.NoError(t, err)
	assert.Equal(t, "4711", string(data))

	var sent map[string]any
	client := handlerClient(t, func(w http.ResponseWriter, r *http.Request) {
		assert.NoError(t, json.NewDecoder(r.Body).Decode(&sent))
		fmt.Fprint(w, `{"status":"success"}`)
	})
	_, _, err = client.Invitations.Create(t.Context(), ProjectID(4), CreateInvitationOptions{
		UserIDs: []int64{12, 345}, AccessLevel: AccessLevelDeveloper,
	})
	require.NoError(t, err)
	assert.Equal(t, "12,345", sent["user_id"])
}

// TestNoDownload checks what is printed of a download that a failed call returned.
func TestNoDownload(t *testing.T) {
	assert.Equal(t, "serviceapi.Download(none)", fmt.Sprint((*Download)(nil)))
	assert.Equal(t, "serviceapi.Download(none)", fmt.Sprint(new(Download)))
	assert.Equal(t, "(a file, 0 bytes: the body is left out)", withoutFile(0))
	assert.Equal(t, "(a file, of unknown size: the body is left out)", withoutFile(-1))
}

// TestMoreThanNothing checks that content where none was announced is an error.
func TestMoreThanNothing(t *testing.T) {
	client, s := scriptedClient(t, RetryPolicy{MinWait: 1}, func(r *http.Request) (*http.Response, error) {
		resp, err := status(200, "x", "ETag", `"a"`)(r)
		resp.ContentLength = 0
		return resp, err
	})
	_, err := readAll(t, client)
	assert.ErrorContains(t, err, "more bytes than it announced")
	assert.Len(t, s.times, 1)
}

// TestDumpOfARedirectWithoutItsRequest checks a transport of the caller's own whose responses
// do not say which request they are for.
func TestDumpOfARedirectWithoutItsRequest(t *testing.T) {
	without := func(reply func(*http.Request) (*http.Response, error)) func(*http.Request) (*http.Response, error) {
		return func(r *http.Request) (*http.Response, error) {
			resp, err := reply(r)
			resp.Request = nil
			return resp, err
		}
	}
	var dump strings.Builder
	client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1},
		without(status(302, "", "Location", "/moved")), without(okJob))
	job, err := getJob(t.Context(), client, WithDump(&dump, DumpOptions{}))
	require.NoError(t, err)
	assert.EqualValues(t, 8, job.ID)
	assert.Contains(t, dump.String(), "> GET https://service.test/moved\n")
}

// TestGraphQLWithoutData checks that nothing is decoded where the service sent null, that a
// body which is cut off is no list of errors, and that names in a path stay names.
func TestGraphQLWithoutData(t *testing.T) {
	query := func(code int, body string) (thing struct{ Name string }, err error) {
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, status(code, body))
		thing.Name = "as before"
		_, err = client.GraphQL.Query(t.Context(), GraphQLRequest{Query: "{a}"}, &thing)
		return thing, err
	}
	thing, err := query(200, `{"data":null,"errors":[{"message":"x"}]}`)
	require.ErrorAs(t, err, new(*GraphQLError))
	assert.Equal(t, "as before", thing.Name)
	_, err = query(400, `{"errors":[{"message":"x"}]}`)
	assert.True(t, hasType[*GraphQLError](err))
	_, err = query(400, `{"errors":[{"message":"x"}],`)
	require.ErrorIs(t, err, ErrBadRequest)
	assert.False(t, hasType[*GraphQLError](err))

	data, err := json.Marshal(GraphQLPath{"a", "12", "true", "null", "[]", "1a", `"b"`})
	require.NoError(t, err)
	assert.Equal(t, `["a",12,"true","null","[]","1a","\"b\""]`, string(data))
}

// TestPageTokenKeepsItsSize checks that the size of a page is not added to a token, which has
// one.
func TestPageTokenKeepsItsSize(t *testing.T) {
	assert.Equal(t, maxLogsPerPage, (*ListHookLogsOptions)(nil).whole().PerPage)
	options := ListHookLogsOptions{ListOptions: ListOptions{PageToken: "x"}}
	assert.Equal(t, &options, options.whole())
	options = ListHookLogsOptions{ListOptions: ListOptions{PerPage: 7}}
	assert.Equal(t, &options, options.whole())
}

// TestFirstReadOfALog checks that it is unconditional, and that a log up to a limit is read
// at every poll.
func TestFirstReadOfALog(t *testing.T) {
	f := &followed{logs: []string{"a\n", "a\nb\n", "a\nb\nc\n"}, tag: true}
	client := handlerClient(t, f.ServeHTTP)
	for _, err := range client.Jobs.Follow(t.Context(), ProjectID(1), 8,
		WithPollInterval(time.Millisecond, time.Millisecond)) {
		require.NoError(t, err)
	}
	require.NotEmpty(t, f.requests)
	assert.NotContains(t, f.requests[0], "If-None-Match")
	later := &follower{}
	later.postpone(time.Now(), cheapLog-1)
	assert.Zero(t, later.due)
	later.postpone(time.Now(), cheapLog)
	assert.NotZero(t, later.due)
}

// TestWhoIsQueued checks which responses are about users who wait for an administrator.
func TestWhoIsQueued(t *testing.T) {
	for body, want := range map[string][]string{
		`{"queued_users":["ada"],"status":"success"}`:      {"ada"},
		`{"queued_users":["ada","bob"]}`:                   {"ada", "bob"},
		`{"queued_users":{"ada":"x"}}`:                     {"ada"},
		`{"queued_users":[]}`:                              nil,
		`{"message":{"ada":"x"}}`:                          {"ada"},
		`{"message":{"ada":"x"},"status":"error"}`:         nil,
		`{"id":7,"username":"ada","message":{"ada":"x"}}`:  nil,
		`{"id":7,"username":"ada","message":{"ada":"x"} }`: nil,
	} {
		var response membershipResponse
		require.NoError(t, unmarshal([]byte(body), &response), body)
		assert.Equal(t, want, slices.Sorted(maps.Keys(response.queued())), body)
	}
}

// TestWhenAMergeRequestIsPrepared checks both ways in which the service says so.
func TestWhenAMergeRequestIsPrepared(t *testing.T) {
	now := time.Now()
	both := &DiffRefs{BaseSHA: "a", HeadSHA: "b"}
	for _, tc := range []struct {
		mr   MergeRequestDetails
		want bool
	}{
		{MergeRequestDetails{}, false},
		{MergeRequestDetails{MergeRequest: MergeRequest{PreparedAt: &now}}, true},
		{MergeRequestDetails{MergeRequest: MergeRequest{PreparedAt: &now}, DiffRefs: both}, true},
		{MergeRequestDetails{DiffRefs: both}, true},
		{MergeRequestDetails{DiffRefs: both,
			MergeRequest: MergeRequest{DetailedMergeStatus: DetailedMergeStatusPreparing}}, false},
		{MergeRequestDetails{DiffRefs: &DiffRefs{BaseSHA: "a"}}, false},
		{MergeRequestDetails{DiffRefs: &DiffRefs{HeadSHA: "b"}}, false},
	} {
		_, got := preparedState(&tc.mr)
		assert.Equal(t, tc.want, got, "%+v", tc.mr)
	}
}

// TestWhenAnArchiveIsReplaced checks that an archive that is gone was not replaced.
func TestWhenAnArchiveIsReplaced(t *testing.T) {
	none, plain := archiveStamp{}, archiveStamp{exists: true}
	a, b := archiveStamp{true, "a", ""}, archiveStamp{true, "b", ""}
	for _, tc := range []struct {
		earlier, now  archiveStamp
		changed, want bool
	}{
		{none, none, true, false}, {none, a, false, true}, {a, a, true, false}, {a, b, false, true},
		{a, none, true, false}, {plain, plain, false, false}, {plain, plain, true, true},
	} {
		got, err := tc.earlier.replaced(func() (archiveStamp, error) { return tc.now, nil })(tc.changed)
		require.NoError(t, err)
		assert.Equal(t, tc.want, got, "%+v", tc)
	}
}

// TestMigrationNeedsTwoClients checks that a client that was not made by NewClient is refused, and
// that the size of an archive is announced only if it is known.
func TestMigrationNeedsTwoClients(t *testing.T) {
	client, _ := scriptedClient(t, RetryPolicy{})
	for _, pair := range [][2]*Client{{nil, client}, {client, nil}, {new(Client), client}, {client, new(Client)}} {
		_, err := MigrateProject(t.Context(), pair[0], ProjectID(4), pair[1], MigrateProjectOptions{})
		assertRefused(t, "client", err)
	}
	for size, want := range map[int64]int64{-1: 0, 0: 0, 1: 1, 7: 7} {
		assert.Equal(t, want, archiveUpload(&Download{Size: size}).Size)
	}
}

// TestEveryCallReturnsItsResponse checks that every method that returns a response returns the
// one that came, whether the call succeeded or failed.
func TestEveryCallReturnsItsResponse(t *testing.T) {
	checked := 0
	for _, code := range []int{200, 404} {
		client := handlerClient(t, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(code)
			fmt.Fprint(w, `{"id":1}`)
		})
		services := reflect.ValueOf(client).Elem()
		eachMethod(func(service reflect.StructField, method reflect.Method) {
			last := method.Type.NumOut() - 2
			if last < 0 || method.Type.Out(last) != reflect.TypeFor[*Response]() {
				return
			}
			name := service.Name + "." + method.Name
			in, err := arguments(t, method.Type)
			require.NoError(t, err, name)
			out := method.Func.Call(append([]reflect.Value{services.FieldByIndex(service.Index)}, in...))
			closeResult(out)
			if hasType[*ArgumentError](lastError(out)) {
				return // of this sort of group
			}
			checked++
			if resp := out[last].Interface().(*Response); assert.NotNil(t, resp, "%s: %d", name, code) {
				assert.Equal(t, code, resp.StatusCode, name)
			}
		})
	}
	assert.Greater(t, checked, 800)
}

// TestFiltersForAllAndNone checks the words that stand for all and for none.
func TestFiltersForAllAndNone(t *testing.T) {
	var query string
	client := handlerClient(t, func(w http.ResponseWriter, r *http.Request) {
		query = r.URL.RawQuery
		fmt.Fprint(w, "[]")
	})
	for want, options := range map[string]*ListMergeRequestsOptions{
		"labels=None": {Labels: NoLabel}, "labels=Any": {Labels: AnyLabel},
		"milestone=None": {Milestone: NoMilestone}, "milestone=Any": {Milestone: AnyMilestone},
		"assignee_id=None": {AssigneeID: NoUser}, "assignee_id=Any": {AssigneeID: AnyUser},
		"approved_by_ids=None": {ApprovedByIDs: NoUsers}, "approved_by_ids=Any": {ApprovedByIDs: AnyUsers},
		"wip=yes": {Draft: new(true)}, "wip=no": {Draft: new(false)},
		"approved=yes": {Approved: new(true)}, "approved=no&wip=yes": {Draft: new(true), Approved: new(false)},
	} {
		_, _, err := client.MergeRequests.List(t.Context(), Instance, options)
		require.NoError(t, err)
		assert.Equal(t, want, query)
	}
	_, _, err := client.MergeRequests.List(t.Context(), Instance, &ListMergeRequestsOptions{Labels: LabelsAre("aNy")})
	assert.ErrorContains(t, err, `cannot be "aNy", which the service takes for none or any`)
	_, err = client.Registry.DeleteTags(t.Context(), ProjectID(4), 8, &DeleteRegistryTagsOptions{})
	assert.True(t, strings.HasSuffix(err.Error(), `is missing; ".*" deletes all tags`), "%q", err)
}

// TestNothingElseIsNil checks that what a result has no members for is nil, as in a literal.
func TestNothingElseIsNil(t *testing.T) {
	var role MemberRole
	require.NoError(t, json.Unmarshal([]byte(`{"id":7,"name":"auditor","read_code":true}`), &role))
	assert.Nil(t, role.Extra)
	assert.Equal(t, "a.tgz", archiveUpload(&Download{Name: "a.tgz"}).Filename)
	assert.Equal(t, "export.tar.gz", archiveUpload(&Download{}).Filename)
}

// TestSaveFileAsksOnceMoreOnlyWhereItHelps checks that a part is dropped if the service sends
// another part, and kept if it refuses the call for another reason.
func TestSaveFileAsksOnceMoreOnlyWhereItHelps(t *testing.T) {
	for name, tc := range map[string]struct {
		reply http.HandlerFunc
		calls int
	}{
		"another part": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("ETag", `"v1"`)
			w.Header().Set("Content-Range", "bytes 2-9/10")
			w.WriteHeader(http.StatusPartialContent)
			fmt.Fprint(w, "cdefghij")
		}, 2},
		"forbidden": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }, 1},
		"too long":  {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(416) }, 2},
	} {
		a := &archiveOf{content: "abcdefghij", etag: `"v1"`, cuts: []int64{4}}
		calls := -1 // the first one leaves a part
		client := archiveClient(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			calls++
			if r.Header.Get("Range") != "" {
				tc.reply(w, r)
				return
			}
			a.ServeHTTP(w, r)
		}))
		file := filepath.Join(t.TempDir(), "file")
		_, err := SaveFile(file, openerOf(t, client))
		require.Error(t, err)
		_, err = SaveFile(file, openerOf(t, client))
		assert.Equal(t, tc.calls, calls, name)
		if tc.calls == 2 {
			require.NoError(t, err, name)
			assert.Equal(t, a.content, contentOf(t, file))
			continue
		}
		require.ErrorIs(t, err, ErrForbidden)
		assert.Equal(t, "abcd", contentOf(t, file+".part"))
	}
}

// TestOneBlankSetting checks settings of which all but one have a value: what is written back
// has no other value for it than was read.
func TestOneBlankSetting(t *testing.T) {
	all := map[string]json.RawMessage{}
	for name, value := range new(ApplicationSettings).members() {
		for _, sample := range []string{"1", "true", `"x"`, `["x"]`, `{"a":1}`, `"2026-03-31T10:20:30Z"`} {
			if unmarshal([]byte(sample), reflect.New(value.Type()).Interface()) == nil {
				all[name] = json.RawMessage(sample)
			}
		}
	}
	for _, name := range []string{"home_page_url", "max_artifacts_size", "signup_enabled", "domain_denylist"} {
		require.Contains(t, all, name)
		for _, value := range []json.RawMessage{nil, json.RawMessage("null")} {
			changed := maps.Clone(all)
			if changed[name] = value; value == nil {
				delete(changed, name)
			}
			body, err := json.Marshal(changed)
			require.NoError(t, err)
			var settings ApplicationSettings
			require.NoError(t, json.Unmarshal(body, &settings))
			require.Len(t, settings.blanks, 1)
			body, err = json.Marshal(settings)
			require.NoError(t, err)
			var written map[string]json.RawMessage
			require.NoError(t, json.Unmarshal(body, &written))
			assert.Equal(t, value, written[name], name)
			assert.Len(t, written, len(changed))
		}
	}
}

// TestConflictThatIsCutOff checks that a message in a body that is cut off is not the service's.
func TestConflictThatIsCutOff(t *testing.T) {
	refusal := func(body string) error {
		return &Error{StatusCode: 404, Message: "Email has already been taken", Body: []byte(body)}
	}
	assert.True(t, hasType[*UserConflictError](asUserConflict(refusal(`{"message":"Email has already been taken"}`))))
	assert.False(t, hasType[*UserConflictError](asUserConflict(refusal(`{"message":"Email has already been taken",`))))
}
