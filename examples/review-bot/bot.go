package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/webhook"
)

// bot responds to events. It takes each into a queue and works later, so that the
// service gets its response at once.
type bot struct {
	client *serviceapi.Client
	me     int64 // whose own events are ignored
	out    io.Writer
	queue  chan job
	idle   sync.WaitGroup // what is under way
	done   chan struct{}
	mu     sync.Mutex
	failed error
}

// job is what an event asks for.
type job struct {
	name string
	do   func(ctx context.Context) error
}

var errBusy = errors.New("the queue is full")

func newBot(client *serviceapi.Client, me int64, out io.Writer) *bot {
	b := &bot{client: client, me: me, out: out, queue: make(chan job, 1000), done: make(chan struct{})}
	go b.work()
	return b
}

// mux says which events the bot is interested in. All others are accepted and
// ignored.
func (b *bot) mux() *webhook.Mux {
	mux := new(webhook.Mux)
	webhook.On(mux, b.mergeRequest)
	webhook.On(mux, b.note)
	return mux
}

// add puts a job into the queue. If there is no room, the service gets an error,
// and somebody can send the event again.
func (b *bot) add(name string, do func(ctx context.Context) error) error {
	b.idle.Add(1)
	select {
	case b.queue <- job{name, do}:
		return nil
	default:
		b.idle.Done()
		return errBusy
	}
}

// work does what is in the queue.
func (b *bot) work() {
	defer close(b.done)
	for j := range b.queue {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		err := j.do(ctx)
		cancel()
		b.mu.Lock()
		if err != nil {
			fmt.Fprintf(b.out, "failed: %s: %v\n", j.name, err)
			b.failed = errors.Join(b.failed, err)
		} else {
			fmt.Fprintln(b.out, j.name)
		}
		b.mu.Unlock()
		b.idle.Done()
	}
}

// stop ends the bot when its queue is empty, and returns what failed.
func (b *bot) stop() error {
	close(b.queue)
	<-b.done
	return b.failed
}

// mergeRequest labels and greets new merge requests. The greeting has the username, which is
// one word: a name is whatever its user writes, even a command.
func (b *bot) mergeRequest(_ context.Context, event *webhook.MergeRequestEvent) error {
	if event.User.ID == b.me || event.ObjectAttributes.Action != webhook.MergeRequestActionOpen {
		return nil
	}
	opened, name := event.Ref(), nameOf(event.Project, event.ObjectAttributes.IID)
	return b.add("labeled and greeted "+name, func(ctx context.Context) error {
		labels := serviceapi.UpdateMergeRequestOptions{AddLabels: []string{"needs review"}}
		if _, _, err := b.client.MergeRequests.Update(ctx, opened, labels); err != nil {
			return err
		}
		return b.comment(ctx, opened, "Thank you, @"+event.User.Username+
			"! A developer who is not its author can comment `/approve`.")
	})
}

// note approves a merge request on a command of somebody who may approve.
func (b *bot) note(_ context.Context, event *webhook.NoteEvent) error {
	if event.User.ID == b.me || event.MergeRequest == nil ||
		event.ObjectAttributes.Action == webhook.NoteActionUpdate ||
		strings.TrimSpace(event.ObjectAttributes.Note) != "/approve" {
		return nil
	}
	mergeRequest, head := event.MergeRequestRef(), ""
	if event.MergeRequest.LastCommit != nil {
		head = event.MergeRequest.LastCommit.ID // at the time of the comment
	}
	name := nameOf(event.Project, event.MergeRequest.IID)
	return b.add("answered "+event.User.Username+" on "+name, func(ctx context.Context) error {
		return b.approve(ctx, mergeRequest, serviceapi.UserID(event.User.ID), head)
	})
}

// approve approves a merge request for a user, or comments why it does not. The event was only
// a hint: everything that decides is read again.
func (b *bot) approve(ctx context.Context, mergeRequest serviceapi.MergeRequestRef, user serviceapi.UserRef,
	head string) error {
	current, _, err := b.client.MergeRequests.Get(ctx, mergeRequest, nil)
	if err != nil {
		return err
	}
	reason, err := b.refusal(ctx, current, user)
	if err != nil {
		return err
	}
	if reason == "" && current.SHA != head {
		reason = "there are newer commits than the comment"
	}
	if reason != "" {
		return b.comment(ctx, mergeRequest, "Not approved: "+reason+".")
	}
	// With the SHA, the service refuses if there are commits that nobody has read.
	_, _, err = b.client.Approvals.Approve(ctx, mergeRequest, serviceapi.ApproveOptions{SHA: &head})
	return err
}

// refusal returns why a user may not have a merge request approved, "" if they may. Anyone can
// comment on a public project, so a comment alone says nothing.
func (b *bot) refusal(
	ctx context.Context, mr *serviceapi.MergeRequestDetails, user serviceapi.UserRef,
) (reason string, err error) {
	who, _, err := b.client.Users.Get(ctx, user, nil)
	if err != nil {
		return "", err
	}
	member, _, err := b.client.Members.GetInherited(ctx, serviceapi.ProjectID(mr.ProjectID), user)
	switch {
	case errors.Is(err, serviceapi.ErrNotFound):
		return "@" + who.Username + " is no member of this project", nil
	case err != nil:
		return "", err
	case member.AccessLevel < serviceapi.AccessLevelDeveloper:
		return "@" + who.Username + " is no developer of this project", nil
	case who.Bot == nil || *who.Bot:
		return "@" + who.Username + " is a bot", nil
	case mr.Author == nil || mr.Author.ID == who.ID:
		return "@" + who.Username + " is its author", nil
	case mr.State != serviceapi.MergeRequestStateOpened:
		return "it is not open", nil
	}
	return "", nil
}

func (b *bot) comment(ctx context.Context, mr serviceapi.MergeRequestRef, text string) error {
	_, _, err := b.client.Notes.CreateForMergeRequest(ctx, mr, serviceapi.CreateMergeRequestNoteOptions{Body: text})
	return err
}

// nameOf is how people write a merge request.
func nameOf(project webhook.Project, iid int64) string {
	return fmt.Sprintf("%s!%d", project.PathWithNamespace, iid)
}
