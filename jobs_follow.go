package serviceapi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strconv"
	"time"

	"example.com/serviceapi/internal/header"
	"example.com/serviceapi/internal/loglines"
	"example.com/serviceapi/internal/text"
)

// ErrLogRewritten ends the lines of [JobsService.Follow] if the service changed
// lines that were already yielded. All lines of the log were yielded, but the
// lines from the first change on were yielded more than once, in their old and
// their new form.
var ErrLogRewritten = errors.New("the service rewrote the log while it was followed")

// Follow yields the lines of a job's log while the job writes them, until the
// job has ended: tail -f for CI. The lines have no line ending. Follow waits
// for a job that has not started yet. A job that is manual, or that has ended
// without a log, has no lines. A failed job is not an error of Follow: get the
// job afterwards.
//
// Follow polls at the intervals of [WithPollInterval], which start again after
// each new line, and observers of [WithPollObserver] see the status of the job.
// If the service supports ranges, only new parts of the log are transferred. If
// a connection breaks off, Follow continues, and no line is lost or repeated. A
// line of more than 1 MiB is yielded in pieces. Every error ends the lines.
//
// If the service rewrites the log, Follow reads it again, continues with the
// first line that differs from those it has yielded, and ends with
// [ErrLogRewritten] when the job has ended. It does not notice a change that
// leaves the end of what it has read in place.
//
// A retry is a separate job with its own log, so the lines end with the job
// that was followed. To continue, follow the job that [JobsService.Retry]
// returns.
//
//	GET /projects/:id/jobs/:job_id
//	GET /projects/:id/jobs/:job_id/trace
func (s *JobsService) Follow(
	ctx context.Context, project ProjectRef, jobID int64, opts ...RequestOption,
) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		job, err := newCall(ctx, s.client, http.MethodGet,
			Route("/projects/:id/jobs/:job_id", project, jobID), nil, opts)
		trace, traceErr := newCall(ctx, s.client, http.MethodGet,
			Route("/projects/:id/jobs/:job_id/trace", project, jobID).withoutHTML(), nil, opts)
		if err = cmp.Or(err, traceErr); err != nil {
			yield("", err)
			return
		}
		trace.use = streamBody
		f := &follower{
			jobs:  waiter[Job]{first: job, target: jobTarget(jobID), state: jobState, began: time.Now()},
			trace: trace,
			log:   loglines.New(func(line string) bool { return yield(line, nil) }),
		}
		if err := f.run(); err != nil && err != loglines.ErrStopped {
			yield("", err)
		}
	}
}

// follower polls a log until its job has ended.
type follower struct {
	jobs  waiter[Job]
	trace *call
	log   *loglines.Reader

	etag string
	// whole is set if the service does not send usable parts.
	whole bool
	// failures is the number of reads that broke off since the log was last read
	// past furthest.
	failures int
	furthest int64
}

func (f *follower) run() error {
	first, most := f.jobs.intervals()
	interval := first
	for {
		// The job is polled first: if it has ended, the log that is read afterwards
		// is complete.
		ended, err := f.jobs.look()
		if err != nil {
			return err
		}
		before := f.log.Len()
		complete, err := f.read(ended)
		if err != nil {
			return err
		}
		if complete && ended {
			return f.end()
		}
		if f.log.Len() != before {
			interval = first
		}
		if err := pause(f.trace.ctx, jitter(interval)); err != nil {
			return fmt.Errorf("serviceapi: gave up following the log of %s in state %q: %w",
				f.jobs.target, text.Printable(f.jobs.poll.State, 100), err)
		}
		interval = min(interval+interval/2, most)
	}
}

// end ends the lines.
func (f *follower) end() error {
	rewritten, err := f.log.End()
	if err == nil && rewritten {
		return ErrLogRewritten
	}
	return err
}

// read reads what is new in the log, and reports whether it reached the end. If
// not, the next read continues, or starts again if the log has changed.
func (f *follower) read(last bool) (complete bool, err error) {
	cl, from := f.next(last)
	s, err := cl.send()
	defer s.text.Release()
	switch {
	case errors.Is(err, ErrNotModified), errors.Is(err, ErrNotFound):
		return true, nil // not found: there is no log yet, or no longer
	case isUnsatisfiable(err) && from > 0:
		f.restart() // the log is shorter than it was
		return false, nil
	case err != nil:
		return false, err
	}
	defer s.resp.Body.Close()
	return f.take(s, from)
}

// next returns the call for what is new, and where it begins: a little before
// the known end, to see whether the log is still the same.
func (f *follower) next(last bool) (cl *call, from int64) {
	cl = f.trace.at(f.trace.parent, f.trace.query)
	cl.options.header = cl.options.header.Clone()
	if f.etag != "" && !last {
		cl.options.setHeader("If-None-Match", f.etag)
	}
	if from = f.log.Resume(); f.whole || from <= 0 {
		return cl, 0
	}
	cl.options.setHeader("Range", "bytes="+strconv.FormatInt(from, 10)+"-")
	return cl, from
}

// take reads the response to a call for a part of the log.
func (f *follower) take(s *sending, from int64) (complete bool, err error) {
	complete = true
	if s.resp.StatusCode != http.StatusPartialContent {
		f.log.Rewind()
	} else {
		part, err := header.PartOf(s.resp)
		if err != nil || part.Start != from {
			if from == 0 {
				return false, s.decodeError(errWrongPart)
			}
			f.whole = true
			f.restart()
			return false, nil
		}
		f.log.Continue(from)
		complete = part.Total < 0 || part.End == part.Total-1
	}
	err = f.log.Read(s.resp.Body)
	if f.log.Len() > f.furthest || err == nil && complete {
		f.failures, f.furthest = 0, f.log.Len()
	}
	switch {
	case errors.Is(err, loglines.ErrChanged):
		f.restart()
		return false, nil
	case err == loglines.ErrStopped:
		return false, err
	case err != nil:
		return false, f.brokeOff(s, err)
	case !complete:
		return false, f.brokeOff(s, io.ErrUnexpectedEOF)
	}
	f.etag = s.resp.Header.Get("Etag")
	f.log.Settle()
	return true, nil
}

// restart makes the next read start at the beginning of the log.
func (f *follower) restart() {
	f.log.Rewind()
	f.etag = ""
}

// brokeOff returns the error of a read that broke off, if as many reads as the
// policy has attempts made no progress.
func (f *follower) brokeOff(s *sending, cause error) error {
	if f.failures++; f.failures < f.trace.options.retry.MaxAttempts {
		return nil
	}
	return s.failure(cause)
}
