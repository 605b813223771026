package serviceapi

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const scimUsersPath = "/api/scim/v2/groups/acme%2Fplatform/Users"

var scimGroup = GroupPath("acme/platform")

var scimAccept = map[string]string{"Accept": "application/scim+json, application/json;q=0.9"}

func adaOfSCIM(t testing.TB) *SCIMUser {
	return &SCIMUser{
		Schemas: []string{SCIMUserSchema}, ID: "0b1d5c1e-0001", ExternalID: "idp-7", UserName: "ada",
		Name: &SCIMName{
			Formatted: "Countess Ada K. Lovelace I", FamilyName: "Lovelace", GivenName: "Ada", MiddleName: "King",
			HonorificPrefix: "Countess", HonorificSuffix: "I",
		},
		DisplayName: "Ada",
		Emails: []*SCIMEmail{
			{Value: "ada@example.com", Display: "Ada at work", Type: "work", Primary: true},
			{Value: "ada@home.example.com", Type: "home"},
		},
		Active: new(true),
		Meta: &SCIMMeta{
			ResourceType: "User", Created: at(t, "2026-03-01T10:00:00Z"),
			LastModified: at(t, "2026-03-02T11:30:00.250Z"),
			Location:     "https://service.test/api/scim/v2/groups/acme/Users/0b1d5c1e-0001", Version: `W/"3"`,
		},
	}
}

func TestSCIMGet(t *testing.T) {
	client := onWire(t, exchange{
		Method: "GET", Root: true, Path: scimUsersPath + "/0b1d5c1e-0001", Header: scimAccept,
		Fixture: "scim/user.json",
	}, exchange{
		Method: "GET", Root: true, Path: scimUsersPath + "/x%2Fy", Header: scimAccept,
		Body: `{"id":"x/y","externalId":null,"name":null,"emails":null,"active":null,"meta":null,` +
			`"urn:example:ext":{"a":1}}`,
	})
	user, _, err := client.SCIM.Get(t.Context(), scimGroup, "0b1d5c1e-0001")
	require.NoError(t, err)
	assert.Equal(t, adaOfSCIM(t), user)

	user, _, err = client.SCIM.Get(t.Context(), scimGroup, "x/y")
	require.NoError(t, err)
	assert.Equal(t, &SCIMUser{ID: "x/y"}, user)
}

func TestSCIMList(t *testing.T) {
	client := onWire(t, exchange{
		Method: "GET", Root: true, Path: scimUsersPath, Header: scimAccept,
		Query: "count=0&filter=userName+eq+%22ada%22&startIndex=3",
		Body: `{"schemas":["` + SCIMListResponseSchema +
			`"],"totalResults":7,"startIndex":3,"itemsPerPage":1,"Resources":[` + fixture(t, "scim/user.json") + `]}`,
		ResponseHeader: map[string]string{"Content-Type": "application/scim+json"},
	}, exchange{
		Method: "GET", Root: true, Path: scimUsersPath, Header: scimAccept,
		Body: `{"schemas":["` + SCIMListResponseSchema + `"],"totalResults":0}`,
	})
	page, resp, err := client.SCIM.List(t.Context(), scimGroup, &ListSCIMUsersOptions{
		Filter: SCIMEqual(SCIMAttributeUserName, "ada"), StartIndex: 3, Count: new(0),
	})
	require.NoError(t, err)
	assert.Equal(t, 200, resp.StatusCode)
	assert.Equal(t, &SCIMUserList{
		Schemas: []string{SCIMListResponseSchema}, TotalResults: 7, StartIndex: 3, ItemsPerPage: 1,
		Resources: []*SCIMUser{adaOfSCIM(t)}, received: 1,
	}, page)

	page, _, err = client.SCIM.List(t.Context(), scimGroup, nil)
	require.NoError(t, err)
	assert.Empty(t, page.Resources)

	client, _ = scriptedClient(t, RetryPolicy{}, status(404, `{"detail":"no such group"}`))
	page, resp, err = client.SCIM.List(t.Context(), scimGroup, nil)
	require.ErrorIs(t, err, ErrNotFound)
	assert.Nil(t, page)
	assert.Equal(t, 404, resp.StatusCode)

	client, _ = scriptedClient(t, RetryPolicy{}, status(200, `{"message":"hello"}`))
	page, _, err = client.SCIM.List(t.Context(), scimGroup, nil)
	require.ErrorIs(t, err, errNotListResponse)
	assert.Nil(t, page)
}

// TestSCIMPagesAreObserved, the one that ends a walk with an error too.
func TestSCIMPagesAreObserved(t *testing.T) {
	client, _ := scriptedClient(t, RetryPolicy{}, status(200, `{"totalResults":2,"Resources":[{"id":"a"}]}`),
		status(403, `{}`))
	var pages []int
	users, err := Collect(client.SCIM.All(t.Context(), scimGroup, nil,
		WithPageObserver(func(r *Response) { pages = append(pages, r.StatusCode) })))
	require.ErrorIs(t, err, ErrForbidden)
	assert.Len(t, users, 1)
	assert.Equal(t, []int{200, 403}, pages)
}

func TestSCIMCreate(t *testing.T) {
	client := onWire(t, exchange{
		Method: "POST", Root: true, Path: scimUsersPath, Header: scimAccept, ContentType: "application/scim+json",
		JSON: `{"schemas":["urn:ietf:params:scim:schemas:core:2.0:User"],"userName":"ada","externalId":"idp-7",
			"name":{"familyName":"Lovelace"},"displayName":"Ada","active":false,
			"emails":[{"value":"ada@example.com","type":"work","primary":true},{"value":"b@example.com"}]}`,
		Status: 201, Fixture: "scim/user.json",
	}, exchange{
		Method: "POST", Root: true, Path: scimUsersPath, Header: scimAccept, ContentType: "application/scim+json",
		JSON: `{"schemas":["urn:ietf:params:scim:schemas:core:2.0:User"],"userName":"ada",
			"emails":[{"value":"b@example.com"}]}`,
		Status: 409, Body: `{"schemas":["urn:ietf:params:scim:api:messages:2.0:Error"],"scimType":"uniqueness",` +
			`"detail":"userName is taken","status":"409"}`,
	})
	user, resp, err := client.SCIM.Create(t.Context(), scimGroup, CreateSCIMUserOptions{
		UserName: "ada", ExternalID: "idp-7", Name: &SCIMName{FamilyName: "Lovelace"}, DisplayName: "Ada",
		Active: new(false),
		Emails: []SCIMEmail{{Value: "ada@example.com", Type: "work", Primary: true}, {Value: "b@example.com"}},
	})
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, adaOfSCIM(t), user)

	_, _, err = client.SCIM.Create(t.Context(), scimGroup, CreateSCIMUserOptions{
		UserName: "ada", Emails: []SCIMEmail{{Value: "b@example.com"}},
	})
	require.ErrorIs(t, err, ErrConflict)
	var reply *Error
	require.ErrorAs(t, err, &reply)
	assert.Equal(t, "userName is taken", reply.Message)
	assert.Equal(t, ErrorCodeUniqueness, reply.Code)
	assert.Equal(t, "/api/scim/v2/groups/:group_path/Users", reply.Operation)
}

func TestSCIMPatch(t *testing.T) {
	client := onWire(t, exchange{
		Method: "PATCH", Root: true, Path: scimUsersPath + "/7", Header: scimAccept,
		ContentType: "application/scim+json",
		JSON: `{"schemas":["urn:ietf:params:scim:api:messages:2.0:PatchOp"],"Operations":[
			{"op":"replace","path":"active","value":false},
			{"op":"add","value":{"displayName":"Ada"}},
			{"op":"replace","path":"emails","value":[{"value":"ada@example.com","primary":true}]},
			{"op":"remove","path":"name.familyName"}]}`,
		Status: 204,
	}, exchange{
		Method: "PATCH", Root: true, Path: scimUsersPath + "/7", Header: scimAccept,
		ContentType: "application/scim+json",
		JSON:        `{"schemas":["urn:ietf:params:scim:api:messages:2.0:PatchOp"],"Operations":[{"op":"remove"}]}`,
		Status:      400, Body: `{"scimType":"noTarget","detail":"a path is missing","status":400}`,
	})
	resp, err := client.SCIM.Patch(t.Context(), scimGroup, "7", PatchSCIMUserOptions{Operations: []SCIMOperation{
		{Op: SCIMOperatorReplace, Path: "active", Value: false},
		{Op: SCIMOperatorAdd, Value: map[string]any{"displayName": "Ada"}},
		{Op: SCIMOperatorReplace, Path: "emails", Value: []SCIMEmail{{Value: "ada@example.com", Primary: true}}},
		{Op: SCIMOperatorRemove, Path: "name.familyName"},
	}})
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)

	_, err = client.SCIM.Patch(t.Context(), scimGroup, "7",
		PatchSCIMUserOptions{Operations: []SCIMOperation{{Op: SCIMOperatorRemove}}})
	require.ErrorIs(t, err, ErrBadRequest)
	assert.Contains(t, err.Error(), "a path is missing")
}

func TestSCIMDelete(t *testing.T) {
	client := onWire(t,
		exchange{Method: "DELETE", Root: true, Path: scimUsersPath + "/7", Header: scimAccept, Status: 204},
		exchange{Method: "DELETE", Root: true, Path: scimUsersPath + "/7", Header: scimAccept, Status: 404,
			Body: `{"detail":"User not found","status":"404"}`},
	)
	resp, err := client.SCIM.Delete(t.Context(), scimGroup, "7")
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)
	_, err = client.SCIM.Delete(t.Context(), scimGroup, "7")
	require.ErrorIs(t, err, ErrNotFound)
	assert.Contains(t, err.Error(), "User not found")
}

func TestSCIMPathArguments(t *testing.T) {
	client := onWire(t)
	ctx := t.Context()
	var argument *ArgumentError
	for _, group := range []GroupRef{{}, GroupID(7), GroupPath(""), GroupPath(".."), GroupPath("acme/../x"),
		GroupPath("/acme")} {
		_, _, err := client.SCIM.List(ctx, group, nil)
		require.ErrorAs(t, err, &argument, "%v", group)
		_, err = Collect(client.SCIM.All(ctx, group, nil))
		require.ErrorAs(t, err, &argument, "%v", group)
		_, _, err = client.SCIM.Create(ctx, group, CreateSCIMUserOptions{})
		require.ErrorAs(t, err, &argument, "%v", group)
	}
	_, err := client.SCIM.Patch(ctx, GroupPath("acme"), "7",
		PatchSCIMUserOptions{Operations: []SCIMOperation{{Op: SCIMOperatorAdd, Value: make(chan int)}}})
	assertRefused(t, "options", err)
	for _, id := range []string{"", "..", "%2e%2e", "a\nb"} {
		_, _, err := client.SCIM.Get(ctx, GroupPath("acme"), id)
		require.ErrorAs(t, err, &argument, id)
		_, err = client.SCIM.Patch(ctx, GroupPath("acme"), id, PatchSCIMUserOptions{})
		require.ErrorAs(t, err, &argument, id)
		_, err = client.SCIM.Delete(ctx, GroupPath("acme"), id)
		require.ErrorAs(t, err, &argument, id)
	}
}

func TestSCIMEqualQuotes(t *testing.T) {
	for value, want := range map[string]string{
		"ada":            `userName eq "ada"`,
		`a" or "1" eq "`: `userName eq "a\" or \"1\" eq \""`,
		`back\slash`:     `userName eq "back\\slash"`,
		"line\nbreak":    `userName eq "line\nbreak"`,
		"Zoë <z@x>":      `userName eq "Zoë <z@x>"`,
		"bad\xff":        "userName eq \"bad\uFFFD\"",
		"":               `userName eq ""`,
	} {
		assert.Equal(t, want, SCIMEqual(SCIMAttributeUserName, value))
	}
}

// scimPages serves lists of users by index, as broken services do.
func scimPages(t *testing.T, reply func(start, count string) string) *Client {
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		assert.True(t, strings.HasPrefix(r.Header.Get("Accept"), scimMediaType+","), r.Header.Get("Accept"))
		io.WriteString(w, reply(r.FormValue("startIndex"), r.FormValue("count")))
	})
	return client
}

func TestSCIMAll(t *testing.T) {
	page := `{"totalResults":5,"startIndex":%s,"Resources":[{"id":"%[1]sa"},{"id":"%[1]sb"}]}`
	var asked []string
	client := scimPages(t, func(start, count string) string {
		asked = append(asked, start+"/"+count)
		if start == "5" {
			return `{"totalResults":5,"startIndex":5,"Resources":[{"id":"5a"}]}`
		}
		return fmt.Sprintf(page, start)
	})
	ids := func(options *ListSCIMUsersOptions) (ids []string) {
		users, err := Collect(client.SCIM.All(t.Context(), scimGroup, options))
		require.NoError(t, err)
		for _, user := range users {
			ids = append(ids, user.ID)
		}
		return ids
	}
	assert.Equal(t, []string{"1a", "1b", "3a", "3b", "5a"}, ids(nil))
	assert.Equal(t, []string{"3a", "3b", "5a"}, ids(&ListSCIMUsersOptions{StartIndex: 3, Count: new(2)}))
	assert.Equal(t, []string{"1/100", "3/100", "5/100", "3/2", "5/2"}, asked)

	asked = nil
	for _, err := range client.SCIM.All(t.Context(), scimGroup, nil) {
		require.NoError(t, err)
		break
	}
	assert.Equal(t, []string{"1/100"}, asked, "pages are fetched when they are needed")
}

func TestSCIMAllNeverEndsSilently(t *testing.T) {
	for name, tc := range map[string]struct {
		reply string
		users int
		want  any
	}{
		"the same page again": {`{"totalResults":9,"Resources":[{"id":"a"},{"id":"b"}]}`, 4, new(*PaginationError)},
		"users without an ID": {`{"totalResults":9,"Resources":[{"userName":"a"}]}`, 2, new(*PaginationError)},
		"another place": {`{"totalResults":9,"startIndex":4,"Resources":[{"id":"a"}]}`, 1,
			new(*PaginationError)},
		"empty page": {`{"totalResults":9,"startIndex":1,"Resources":[]}`, 0, new(*PaginationError)},
		"more than there are": {`{"totalResults":1,"startIndex":1,"Resources":[{"id":"a"},{"id":"b"}]}`, 2,
			new(*PaginationError)},
		"only a total":   {`{"totalResults":1}`, 0, new(*PaginationError)},
		"no total":       {`{"Resources":[{"id":"a"}]}`, 1, new(*PaginationError)},
		"another object": {`{"message":"hello"}`, 0, new(*DecodeError)},
		"not an object":  {`[]`, 0, new(*DecodeError)},
		"HTML":           {`<html></html>`, 0, new(*DecodeError)},
		"a null user": {`{"totalResults":2,"startIndex":1,"Resources":[null,{"id":"b"}]}`, 1,
			new(*DecodeError)},
		"a member of wrong kind": {`{"totalResults":2,"startIndex":1,"Resources":[{"id":7},{"id":"b"}]}`, 2,
			new(*DecodeError)},
	} {
		t.Run(name, func(t *testing.T) {
			client := scimPages(t, func(string, string) string { return tc.reply })
			users, err := Collect(client.SCIM.All(t.Context(), scimGroup, nil))
			require.ErrorAs(t, err, tc.want)
			assert.Len(t, users, tc.users)
			if problem, ok := errors.AsType[*PaginationError](err); ok {
				assert.Equal(t, "/api/scim/v2/groups/:group_path/Users", problem.Operation)
			}
		})
	}
}

func TestSCIMAllWithoutUsers(t *testing.T) {
	for _, reply := range []string{
		`{"schemas":["` + SCIMListResponseSchema + `"],"totalResults":0}`,
		`{"schemas":["` + SCIMListResponseSchema + `"],"totalResults":0,"startIndex":1,"Resources":[]}`,
		`{"schemas":["` + SCIMListResponseSchema + `"],"totalResults":0,"startIndex":5,"Resources":[]}`,
	} {
		client := scimPages(t, func(string, string) string { return reply })
		users, err := Collect(client.SCIM.All(t.Context(), scimGroup, nil))
		require.NoError(t, err)
		assert.Empty(t, users)
	}
	client := scimPages(t, func(string, string) string { return `{"totalResults":9,"startIndex":1}` })
	users, err := Collect(client.SCIM.All(t.Context(), scimGroup, &ListSCIMUsersOptions{Count: new(0)}))
	require.NoError(t, err)
	assert.Empty(t, users)
}

// TestSCIMAllOfAListThatShrinks ends where the list does by now.
func TestSCIMAllOfAListThatShrinks(t *testing.T) {
	for _, first := range []string{`{"totalResults":5,"Resources":[{"id":"a"},{"id":"b"}]}`,
		`{"totalResults":5,"Resources":[{"userName":"a"},{"userName":"b"}]}`} {
		client := scimPages(t, func(start, _ string) string {
			if start == "1" {
				return first
			}
			return `{"schemas":["` + SCIMListResponseSchema + `"],"totalResults":1,"Resources":[]}`
		})
		users, err := Collect(client.SCIM.All(t.Context(), scimGroup, nil))
		require.NoError(t, err)
		assert.Len(t, users, 2)
	}
}

// TestSCIMAllWithAnOddMember yields all users, and the error last.
func TestSCIMAllWithAnOddMember(t *testing.T) {
	client := scimPages(t, func(start, _ string) string {
		if start == "1" {
			return `{"totalResults":3,"Resources":[{"id":7},{"id":"b"}]}`
		}
		return `{"totalResults":3,"Resources":[{"id":"c"}]}`
	})
	users, err := Collect(client.SCIM.All(t.Context(), scimGroup, nil))
	require.True(t, isPartial(err))
	assert.Len(t, users, 3)
}

// TestSCIMOfTheInstance makes the calls for users of the whole instance.
func TestSCIMOfTheInstance(t *testing.T) {
	const users = "/api/scim/v2/application/Users"
	page := `{"schemas":["` + SCIMListResponseSchema + `"],"totalResults":1,"startIndex":1,"itemsPerPage":1,` +
		`"Resources":[` + fixture(t, "scim/user.json") + `]}`
	client := onWire(t,
		exchange{Method: "GET", Root: true, Path: users, Query: "count=1&startIndex=2", Header: scimAccept, Body: page},
		exchange{Method: "GET", Root: true, Path: users, Query: "count=100&startIndex=1", Header: scimAccept,
			Body: page},
		exchange{Method: "GET", Root: true, Path: users + "/x%2Fy", Header: scimAccept, Fixture: "scim/user.json"},
		exchange{Method: "POST", Root: true, Path: users, Header: scimAccept, Status: 201, Fixture: "scim/user.json",
			ContentType: "application/scim+json",
			JSON:        `{"schemas":["` + SCIMUserSchema + `"],"userName":"ada","emails":[{"value":"a@b.c"}]}`},
		exchange{Method: "PATCH", Root: true, Path: users + "/1", Header: scimAccept, Status: 204,
			ContentType: "application/scim+json",
			JSON: `{"schemas":["` + scimPatchOpSchema + `"],` +
				`"Operations":[{"op":"replace","path":"active","value":false}]}`},
		exchange{Method: "DELETE", Root: true, Path: users + "/1", Header: scimAccept, Status: 412,
			Body: `{"schemas":["urn:ietf:params:scim:api:messages:2.0:Error"],"detail":"no","status":412}`})
	s, ctx := client.SCIM, t.Context()
	list, _, err := s.List(ctx, Instance, &ListSCIMUsersOptions{StartIndex: 2, Count: new(1)})
	require.NoError(t, err)
	assert.Equal(t, []*SCIMUser{adaOfSCIM(t)}, list.Resources)
	all, err := Collect(s.All(ctx, Instance, nil))
	require.NoError(t, err)
	assert.Equal(t, []*SCIMUser{adaOfSCIM(t)}, all)
	user, _, err := s.Get(ctx, Instance, "x/y")
	require.NoError(t, err)
	assert.Equal(t, adaOfSCIM(t), user)
	options := CreateSCIMUserOptions{UserName: "ada", Emails: []SCIMEmail{{Value: "a@b.c"}}}
	user, _, err = s.Create(ctx, Instance, options)
	require.NoError(t, err)
	assert.Equal(t, adaOfSCIM(t), user)
	_, err = s.Patch(ctx, Instance, "1", PatchSCIMUserOptions{Operations: []SCIMOperation{
		{Op: SCIMOperatorReplace, Path: "active", Value: false}}})
	require.NoError(t, err)
	_, err = s.Delete(ctx, Instance, "1")
	require.ErrorIs(t, err, ErrPreconditionFailed)
	assert.ErrorContains(t, err, "no")

	_, _, err = s.Get(ctx, nil, "1")
	var refused *ArgumentError
	require.ErrorAs(t, err, &refused)
	assert.Equal(t, "owner", refused.Argument)
}
