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

// mergeRequest labels and greets new merge requests.
func (b *bot) mergeRequest(_ context.Context, event *webhook.MergeRequestEvent) error {
	if event.User.ID == b.me || event.ObjectAttributes.Action != webhook.MergeRequestActionOpen {
		return nil
	}
	opened := event.Ref()
	return b.add(fmt.Sprintf("labeled and greeted %v", opened), func(ctx context.Context) error {
		labels := serviceapi.UpdateMergeRequestOptions{AddLabels: []string{"needs review"}}
		if _, _, err := b.client.MergeRequests.Update(ctx, opened, labels); err != nil {
			return err
		}
		return b.comment(ctx, opened, "Thank you, "+event.User.Name+"! Comment `/approve` to have this approved.")
	})
}

// note approves a merge request on a command. The event is only a hint: the bot reads
// the merge request again before it acts.
func (b *bot) note(_ context.Context, event *webhook.NoteEvent) error {
	if event.User.ID == b.me || event.MergeRequest == nil ||
		event.ObjectAttributes.Action == webhook.NoteActionUpdate ||
		strings.TrimSpace(event.ObjectAttributes.Note) != "/approve" {
		return nil
	}
	mergeRequest := event.MergeRequestRef()
	return b.add(fmt.Sprintf("approved %v for %s", mergeRequest, event.User.Username),
		func(ctx context.Context) error {
			current, _, err := b.client.MergeRequests.Get(ctx, mergeRequest, nil)
			if err != nil {
				return err
			}
			if current.State != serviceapi.MergeRequestStateOpened {
				return b.comment(ctx, mergeRequest, "This is not open.")
			}
			approve := serviceapi.ApproveOptions{SHA: &current.SHA}
			_, _, err = b.client.Approvals.Approve(ctx, mergeRequest, approve)
			return err
		})
}

func (b *bot) comment(ctx context.Context, mr serviceapi.MergeRequestRef, text string) error {
	_, _, err := b.client.Notes.CreateForMergeRequest(ctx, mr, serviceapi.CreateMergeRequestNoteOptions{Body: text})
	return err
}
