package servicetests

import (
	"strings"
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// bodies walks notes and returns their bodies.
func bodies(
	t *testing.T, client *serviceapi.Client, parent serviceapi.NoteOwner, options *serviceapi.ListNotesOptions,
) []string {
	t.Helper()
	notes, err := serviceapi.Collect(client.Notes.All(t.Context(), parent, options))
	require.NoError(t, err)
	var texts []string
	for _, n := range notes {
		texts = append(texts, n.Body)
	}
	return texts
}

func TestServiceNotesOnAnIssue(t *testing.T) {
	c := newCompany(t)
	c.app.AddMember(c.eve, servicetest.Guest)
	issue := c.app.Issue("Crash")
	ctx, parent := t.Context(), teamApp.Issue(issue.IID())

	created, resp, err := c.asEve.Notes.CreateForIssue(ctx, parent,
		serviceapi.CreateIssueNoteOptions{Body: "It crashes."})
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	note := created.Note
	assert.Equal(t, "eve", note.Author.Username)
	assert.Equal(t, []any{new(issue.ID()), new(issue.IID()), serviceapi.NoteableTypeIssue},
		[]any{note.NoteableID, note.NoteableIID, note.NoteableType})
	assert.Equal(t, servicetest.Epoch, note.CreatedAt)
	assert.False(t, note.System || note.Confidential)

	c.svc.Advance(time.Minute)
	updated, _, err := c.asEve.Notes.UpdateForIssue(ctx, parent, note.ID,
		serviceapi.UpdateIssueNoteOptions{Body: new("It crashes twice.")})
	require.NoError(t, err)
	assert.Equal(t, "It crashes twice.", updated.Body)
	assert.Equal(t, servicetest.Epoch.Add(time.Minute), updated.UpdatedAt)
	unchanged, _, err := c.asEve.Notes.UpdateForIssue(ctx, parent, note.ID, serviceapi.UpdateIssueNoteOptions{})
	require.NoError(t, err)
	assert.Equal(t, "It crashes twice.", unchanged.Body)
	_, _, err = c.asEve.Notes.UpdateForIssue(ctx, parent, note.ID, serviceapi.UpdateIssueNoteOptions{Body: new("")})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)

	other := issue.Note("Seen.", servicetest.By(c.ada))
	_, err = c.asEve.Notes.Delete(ctx, parent, other.ID())
	assert.ErrorIs(t, err, serviceapi.ErrForbidden, "the note of somebody else")
	_, err = c.asBob.Notes.Delete(ctx, parent, note.ID)
	require.NoError(t, err, "maintainers delete all notes")
	_, _, err = c.asEve.Notes.Get(ctx, parent, note.ID)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	assert.Len(t, issue.Notes(), 1)
}

func TestServiceNotesInOrder(t *testing.T) {
	c := newCompany(t)
	issue := c.app.Issue("Crash")
	day := func(n int) time.Time { return servicetest.Epoch.AddDate(0, 0, n) }
	issue.Note("second", servicetest.CreatedAt(day(2)))
	issue.Note("first", servicetest.CreatedAt(day(1)), servicetest.NoteUpdatedAt(day(9)))
	issue.Note("third", servicetest.CreatedAt(day(3)))
	parent := teamApp.Issue(issue.IID())
	assert.Equal(t, []string{"third", "second", "first"}, bodies(t, c.asBob, parent, nil))
	assert.Equal(t, []string{"first", "second", "third"},
		bodies(t, c.asBob, parent, &serviceapi.ListNotesOptions{Sort: serviceapi.SortAscending}))
	assert.Equal(t, []string{"first", "third", "second"},
		bodies(t, c.asBob, parent, &serviceapi.ListNotesOptions{OrderBy: serviceapi.NoteOrderByUpdatedAt}))
	_, _, err := c.asBob.Notes.List(t.Context(), parent, &serviceapi.ListNotesOptions{OrderBy: "length"})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)

	for range 20 {
		issue.Note("more")
	}
	page, resp, err := c.asBob.Notes.List(t.Context(), parent, nil)
	require.NoError(t, err)
	assert.Len(t, page, 20)
	assert.Equal(t, 23, resp.Total)
}

func TestServiceConfidentialNotes(t *testing.T) {
	c := newCompany(t)
	c.app.AddMember(c.eve, servicetest.Guest)
	issue := c.app.Issue("Crash")
	ctx, parent := t.Context(), teamApp.Issue(issue.IID())
	created, _, err := c.asBob.Notes.CreateForIssue(ctx, parent, serviceapi.CreateIssueNoteOptions{Body: "Between us",
		Confidential: new(true)})
	require.NoError(t, err)
	assert.True(t, created.Note.Confidential)
	assert.True(t, issue.Notes()[0].Confidential())
	_, _, err = c.asEve.Notes.Get(ctx, parent, created.Note.ID)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	assert.Empty(t, bodies(t, c.asEve, parent, nil))
	assert.Equal(t, []string{"Between us"}, bodies(t, c.asAda, parent, nil))
	_, _, err = c.asBob.Notes.UpdateForIssue(ctx, parent, created.Note.ID,
		serviceapi.UpdateIssueNoteOptions{Confidential: new(false)})
	require.NoError(t, err)
	assert.Equal(t, []string{"Between us"}, bodies(t, c.asEve, parent, nil))
}

func TestServiceNotesDatedBack(t *testing.T) {
	c := newCompany(t)
	issue := c.app.Issue("Crash")
	parent := teamApp.Issue(issue.IID())
	create := func(client *serviceapi.Client, at time.Time) (*serviceapi.CreatedNote, error) {
		created, _, err := client.Notes.CreateForIssue(t.Context(), parent,
			serviceapi.CreateIssueNoteOptions{Body: "Old", CreatedAt: &at})
		return created, err
	}
	past := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
	_, err := create(c.asBob, past)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden, "a maintainer is no owner")
	for _, client := range []*serviceapi.Client{c.asAda, asRoot(t, c.svc)} {
		created, err := create(client, past)
		require.NoError(t, err)
		assert.Equal(t, past, created.Note.CreatedAt)
	}
	_, err = create(c.asAda, time.Unix(0, 0).UTC())
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
}

func TestServiceNotesOfEveryKind(t *testing.T) {
	c := newCompany(t)
	ctx := t.Context()
	snippet := c.app.Snippet("Greeting", servicetest.SnippetFile("greet.sh"))
	request := c.app.MergeRequest("greeting")
	c.acme.Epic("Other")
	epic := c.platform.Epic("Growth")
	require.NotEqual(t, epic.ID(), epic.IID())

	snippets := teamApp.Snippet(snippet.ID())
	created, _, err := c.asBob.Notes.CreateForSnippet(ctx, snippets, serviceapi.CreateSnippetNoteOptions{Body: "Nice"})
	require.NoError(t, err)
	assert.Equal(t, []string{"Greeting", "greet.sh", "Snippet"}, []string{created.Note.Title, created.Note.FileName,
		string(created.Note.NoteableType)})
	note, _, err := c.asBob.Notes.UpdateForSnippet(ctx, snippets, created.Note.ID,
		serviceapi.UpdateSnippetNoteOptions{Body: "Very nice"})
	require.NoError(t, err)
	assert.Equal(t, "Very nice", note.Body)

	requests := teamApp.MergeRequest(request.IID())
	created, _, err = c.asBob.Notes.CreateForMergeRequest(ctx, requests,
		serviceapi.CreateMergeRequestNoteOptions{Body: "LGTM"})
	require.NoError(t, err)
	assert.Equal(t, serviceapi.NoteableTypeMergeRequest, created.Note.NoteableType)
	_, _, err = c.asBob.Notes.UpdateForMergeRequest(ctx, requests, created.Note.ID,
		serviceapi.UpdateMergeRequestNoteOptions{Body: "Hm"})
	require.NoError(t, err)
	seen, _, err := c.asBob.MergeRequests.Get(ctx, teamApp.MergeRequest(request.IID()), nil)
	require.NoError(t, err)
	assert.Equal(t, 1, seen.UserNotesCount)

	epics := platform.EpicByID(epic.ID())
	created, _, err = c.asAda.Notes.CreateForEpic(ctx, epics, serviceapi.CreateEpicNoteOptions{Body: "Go",
		Confidential: new(true)})
	require.NoError(t, err)
	assert.True(t, created.Note.Confidential)
	_, _, err = c.asAda.Notes.UpdateForEpic(ctx, epics, created.Note.ID,
		serviceapi.UpdateEpicNoteOptions{Body: "Go on"})
	require.NoError(t, err)
	assert.Equal(t, "Go on", epic.Notes()[0].Body())
	_, _, err = c.asAda.Notes.List(ctx, platform.EpicByID(epic.IID()), nil)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound, "the IID is not the ID")
	elsewhere := c.svc.Project("acme/other").Snippet("Other")
	for _, id := range []int64{99, elsewhere.ID()} {
		_, _, err = c.asAda.Notes.List(ctx, teamApp.Snippet(id), nil)
		assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	}
}

// TestServiceGetsAndDeletesNotesOfEveryKind checks that each note is found only
// below its own parent.
func TestServiceGetsAndDeletesNotesOfEveryKind(t *testing.T) {
	c := newCompany(t)
	ctx := t.Context()
	issue, snippet, request, epic := c.app.Issue("Crash"), c.app.Snippet("Greeting"), c.app.MergeRequest("greeting"),
		c.acme.Epic("Growth")
	placed := map[*servicetest.Note]serviceapi.NoteOwner{
		issue.Note("issue"):     teamApp.Issue(issue.IID()),
		snippet.Note("snippet"): teamApp.Snippet(snippet.ID()),
		request.Note("request"): teamApp.MergeRequest(request.IID()),
		epic.Note("epic"):       acme.EpicByID(epic.ID()),
	}
	for note, own := range placed {
		for _, parent := range placed {
			got, _, err := c.asAda.Notes.Get(ctx, parent, note.ID())
			if parent != own {
				assert.ErrorIs(t, err, serviceapi.ErrNotFound, note.Body())
				continue
			}
			require.NoError(t, err)
			assert.Equal(t, note.Body(), got.Body)
		}
	}
	for note, own := range placed {
		_, err := c.asAda.Notes.Delete(ctx, own, note.ID())
		require.NoError(t, err)
		_, _, err = c.asAda.Notes.Get(ctx, own, note.ID())
		assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	}
	assert.Empty(t, issue.Notes())
	assert.Empty(t, snippet.Notes())
	assert.Empty(t, request.Notes())
	assert.Empty(t, epic.Notes())
}

func TestServiceNotesRefused(t *testing.T) {
	c := newCompany(t)
	ctx := t.Context()
	issue, request := c.app.Issue("Crash"), c.app.MergeRequest("greeting")
	parent := teamApp.Issue(issue.IID())
	create := func(client *serviceapi.Client, body string) error {
		_, _, err := client.Notes.CreateForIssue(ctx, parent, serviceapi.CreateIssueNoteOptions{Body: body})
		return err
	}
	assert.ErrorIs(t, create(c.asEve, "Hi"), serviceapi.ErrNotFound, "she does not see the project")
	assert.ErrorIs(t, create(c.asNobody, "Hi"), serviceapi.ErrUnauthorized)
	assert.NoError(t, create(c.asBob, strings.Repeat("ü", 1_000_000)))
	assert.ErrorIs(t, create(c.asBob, strings.Repeat("u", 1_000_001)), serviceapi.ErrBadRequest)

	remark := request.Note("merged", servicetest.SystemNote())
	requests := teamApp.MergeRequest(request.IID())
	_, _, err := c.asBob.Notes.UpdateForMergeRequest(ctx, requests, remark.ID(),
		serviceapi.UpdateMergeRequestNoteOptions{Body: "No"})
	assert.ErrorIs(t, err, serviceapi.ErrForbidden, "nobody changes what the service wrote")
	_, err = c.asBob.Notes.Delete(ctx, parent, remark.ID())
	assert.ErrorIs(t, err, serviceapi.ErrNotFound, "a note on something else")

	mine := issue.Note("Mine", servicetest.By(c.bob))
	c.svc.Advance(time.Hour)
	_, _, err = c.asBob.Notes.UpdateForIssue(ctx, parent, mine.ID(),
		serviceapi.UpdateIssueNoteOptions{Body: new("Changed")})
	require.NoError(t, err)
	_, err = c.asBob.Notes.Delete(ctx, parent, mine.ID(), serviceapi.WithIfUnmodifiedSince(servicetest.Epoch))
	assert.ErrorIs(t, err, serviceapi.ErrPreconditionFailed)

	free := newCompany(t, servicetest.WithTier(servicetest.Free))
	_, _, err = free.asAda.Notes.List(ctx, platform.EpicByID(free.platform.Epic("Growth").ID()), nil)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden, "epics are for a higher tier")
}

func TestServiceNotesOnALockedDiscussion(t *testing.T) {
	svc := servicetest.New(t)
	stranger, member := svc.User("stranger"), svc.User("member")
	app := svc.Project("acme/app", servicetest.Public(), servicetest.Member(member, servicetest.Guest))
	request := app.MergeRequest("greeting", servicetest.DiscussionLocked())
	create := func(user *servicetest.User) error {
		_, _, err := as(t, svc, user).Notes.CreateForMergeRequest(t.Context(),
			serviceapi.ProjectPath("acme/app").MergeRequest(request.IID()),
			serviceapi.CreateMergeRequestNoteOptions{Body: "Hi"})
		return err
	}
	assert.ErrorIs(t, create(stranger), serviceapi.ErrForbidden)
	assert.NoError(t, create(member))
}

func TestServiceAwardEmoji(t *testing.T) {
	c := newCompany(t)
	issue := c.app.Issue("Crash")
	parent := teamApp.Issue(issue.IID())
	create := func() (*serviceapi.CreatedNote, error) {
		created, _, err := c.asBob.Notes.CreateForIssue(t.Context(), parent,
			serviceapi.CreateIssueNoteOptions{Body: ":tada:\n"})
		return created, err
	}
	created, err := create()
	require.NoError(t, err)
	assert.Nil(t, created.Note)
	assert.Equal(t, "tada", created.Award.Name)
	assert.Equal(t, "bob", created.Award.User.Username)
	assert.Equal(t, []any{issue.ID(), "Issue"}, []any{created.Award.AwardableID, created.Award.AwardableType})
	assert.Equal(t, []string{"tada"}, issue.Reactions(c.bob))
	assert.Empty(t, issue.Notes())
	_, err = create()
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest, "once is enough")
}

func TestServiceQuickActions(t *testing.T) {
	c := newCompany(t)
	ctx := t.Context()
	c.app.AddMember(c.eve, servicetest.Guest)
	issue := c.app.Issue("Crash")
	issues := teamApp.Issue(issue.IID())
	comment := func(client *serviceapi.Client, body string) (*serviceapi.CreatedNote, error) {
		created, _, err := client.Notes.CreateForIssue(ctx, issues, serviceapi.CreateIssueNoteOptions{Body: body})
		return created, err
	}
	_, err := comment(c.asEve, "/close")
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	created, err := comment(c.asBob, "/close")
	require.NoError(t, err)
	assert.Nil(t, created.Note)
	assert.Nil(t, created.Award)
	assert.Equal(t, `"close"`, string(created.CommandsChanges["state_event"]))
	assert.Equal(t, []string{"Closed this issue."}, created.Summary)
	assert.Nil(t, created.Extra)
	assert.Equal(t, "closed", issue.State())
	created, err = comment(c.asBob, "Not yet.\n/reopen\n/tableflip")
	require.NoError(t, err)
	assert.Equal(t, "Not yet.\n/tableflip", created.Note.Body)
	assert.Equal(t, "opened", issue.State())
	remark := issue.Notes()[0]
	assert.True(t, remark.System())
	assert.Equal(t, "closed", remark.Body())

	request := c.app.MergeRequest("greeting")
	requests := teamApp.MergeRequest(request.IID())
	merge := func(client *serviceapi.Client, sha *string) error {
		_, _, err := client.Notes.CreateForMergeRequest(ctx, requests,
			serviceapi.CreateMergeRequestNoteOptions{Body: "/merge", MergeRequestDiffSHA: sha})
		return err
	}
	head := request.SHA()
	assert.ErrorIs(t, merge(c.asBob, nil), serviceapi.ErrBadRequest, "the SHA is required")
	assert.ErrorIs(t, merge(c.asBob, new("0ff3ae198f8601a285adcf5c0fff204ee6fba5fd")), serviceapi.ErrConflict)
	assert.ErrorIs(t, merge(c.asEve, &head), serviceapi.ErrUnauthorized)
	assert.Equal(t, "opened", request.State())
	require.NoError(t, merge(c.asBob, &head))
	assert.Equal(t, "merged", request.State())
}
