package wiretests

import (
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// wholeEvent is testdata/events/event.json.
func wholeEvent(t *testing.T) *serviceapi.Event {
	const from, to = "50d4420237a9de7be1304607147aec22e4a14af7", "c5feabde2d8cd023215af4d2ceeb7a64839fc428"
	return &serviceapi.Event{
		ID: 1055, Title: "An event", ProjectID: new(int64(7)), ActionName: serviceapi.EventActionNameCommentedOn,
		TargetID: new(int64(302)), TargetIID: new(int64(303)), TargetType: serviceapi.EventTargetNote, AuthorID: 1,
		TargetTitle: "Crash", CreatedAt: *at(t, "2026-03-01T10:00:00.880Z"),
		Author: &serviceapi.UserSummary{
			ID: 1, Name: "Ada Lovelace", Username: "ada", State: "active",
			AvatarURL: "https://service.test/a.png", WebURL: "https://service.test/ada",
		},
		AuthorUsername: "ada",
		Note: &serviceapi.Note{
			ID:           302,
			Body:         "Why?",
			NoteableType: serviceapi.NoteableTypeIssue,
			NoteableID:   new(int64(34)),
			NoteableIID:  new(int64(12)),
		},
		PushData: &serviceapi.EventPushData{
			CommitCount: 2, Action: serviceapi.EventPushActionPushed, RefType: serviceapi.GitRefTypeBranch,
			CommitFrom: from, CommitTo: to,
			Ref: "main", CommitTitle: "Add b", RefCount: new(1),
		},
		WikiPage: &serviceapi.EventWikiPage{
			Format:         "markdown",
			Slug:           "home",
			Title:          "Home",
			WikiPageMetaID: new(int64(5)),
		},
		Imported: true, ImportedFrom: "github",
		Data: &serviceapi.EventData{
			Before: from, After: to, Ref: "refs/heads/main", UserID: 1, UserName: "Ada Lovelace",
			Repository: &serviceapi.EventRepository{
				Name: "App", URL: "git@service.test:acme/app.git", Description: "An app.",
				Homepage: "https://service.test/acme/app",
			},
			Commits: []*serviceapi.EventCommit{{
				ID: to, Message: "Add b", Timestamp: *at(t, "2026-03-01T09:59:00Z"),
				URL:    "https://service.test/acme/app/-/commit/c5fe",
				Author: &serviceapi.EventCommitAuthor{Name: "Ada Lovelace", Email: "ada@example.com"},
			}},
			TotalCommitsCount: 2,
		},
	}
}

func TestEvents(t *testing.T) {
	body := "[" + fixture(t, "events/event.json") + `,{"id":1054,"project_id":null,"target_id":null,"target_iid":null,
		"target_type":null,"target_title":null,"data":null,"push_data":{"commit_count":0,"commit_from":null,
		"ref":null}}]`
	const filters = "action=commented&after=2026-05-31&before=2026-07-01&page=2&sort=asc&target_type=note"
	for path, owner := range map[string]serviceapi.EventOwner{
		"/events": serviceapi.Own, "/users/ada/events": serviceapi.Username("ada"),
		"/users/3/events":             serviceapi.UserID(3),
		"/projects/acme%2Fapp/events": serviceapi.ProjectPath("acme/app"),
	} {
		query := filters
		options := &serviceapi.ListEventsOptions{
			ListOptions: serviceapi.ListOptions{
				Page: 2,
			}, Action: serviceapi.EventActionCommented, TargetType: serviceapi.EventTargetTypeNote,
			After: serviceapi.NewDate(
				2026,
				5,
				31,
			), Before: serviceapi.NewDate(2026, 7, 1), Sort: serviceapi.SortAscending,
		}
		if owner == serviceapi.Own {
			options.Scope = serviceapi.EventScopeAll
			query = "action=commented&after=2026-05-31&before=2026-07-01&page=2&scope=all&sort=asc&target_type=note"
		}
		client := onWire(t,
			exchange{Method: "GET", Path: path, Query: query, Body: body},
			exchange{Method: "GET", Path: path, Query: "per_page=100", Body: body})
		want := []*serviceapi.Event{wholeEvent(t), {ID: 1054, PushData: &serviceapi.EventPushData{}}}
		events, _, err := client.Events.List(t.Context(), owner, options)
		require.NoError(t, err)
		assert.Equal(t, want, events)
		assertFilled(t, events[0])
		events, err = serviceapi.Collect(client.Events.All(t.Context(), owner, nil))
		require.NoError(t, err)
		assert.Equal(t, want, events)
	}
}

func TestEventsArguments(t *testing.T) {
	s, ctx := onWire(t).Events, t.Context()
	for _, owner := range []serviceapi.EventOwner{nil, serviceapi.UserRef{}, serviceapi.ProjectRef{}, &someone} {
		_, _, err := s.List(ctx, owner, nil)
		require.ErrorAs(t, err, new(*serviceapi.ArgumentError))
	}
	for _, owner := range []serviceapi.EventOwner{serviceapi.Username("ada"), serviceapi.ProjectID(7)} {
		_, _, err := s.List(ctx, owner, &serviceapi.ListEventsOptions{Scope: serviceapi.EventScopeAll})
		assertRefused(t, "Scope", err)
	}
}
