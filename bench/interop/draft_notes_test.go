package interop

import (
	"testing"

	"github.com/stretchr/testify/assert"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestDraftNotes(t *testing.T) {
	e := start(t)
	request := e.svc.Project(app).MergeRequest("topic")
	d, iid := e.admin.DraftNotes, request.IID()
	var ids []int64
	for _, note := range []string{"first", "second", "third", "fourth"} {
		made := got(d.CreateDraftNote(app, iid, &clientgo.CreateDraftNoteOptions{Note: &note})).ok(e, 201)
		assert.Equal(t, []any{note, request.ID()}, []any{made.Note, made.MergeRequestID})
		ids = append(ids, made.ID)
	}
	all := got(d.ListDraftNotes(app, iid, nil)).ok(e, 200) // it has no pages
	assert.Equal(t, ids, each(all, func(d *clientgo.DraftNote) int64 { return d.ID }))
	assert.Equal(t, "second", got(d.GetDraftNote(app, iid, ids[1])).ok(e, 200).Note)
	changed := got(d.UpdateDraftNote(app, iid, ids[1], &clientgo.UpdateDraftNoteOptions{Note: new("2nd")})).ok(e, 200)
	assert.Equal(t, "2nd", changed.Note)
	done(d.DeleteDraftNote(app, iid, ids[0])).ok(e, 204)
	done(d.PublishDraftNote(app, iid, ids[1])).ok(e, 204)
	done(d.PublishAllDraftNotes(app, iid)).ok(e, 204)
	assert.Len(t, request.Notes(), 3)
}
