package serviceapi

import (
	"cmp"
	"context"
	"errors"
	"io"
	"iter"
	"net/http"
	"strconv"
	"time"

	"example.com/serviceapi/internal/header"
	"example.com/serviceapi/internal/loglines"
	"example.com/serviceapi/internal/pace"
)

// ErrLogRewritten ends the sequence of [JobsService.Follow] if the service changed
// lines that were already yielded. All lines of the log were yielded, but the lines
// from the first change on were yielded more than once, in their old and their new
// form.
var ErrLogRewritten = errors.New("the service rewrote the log while it was followed")

// Follow yields the lines of a job's log while the job writes them, until the
// job has ended: tail -f for CI. The lines have no line ending. Follow waits
// for a job that has not started yet. A job that is manual, or that has ended
// without a log, has no lines. A failed job is not an error of Follow: get the
// job afterwards.
//
// Follow polls at the intervals of [WithPollInterval], which start again after each
// new line, and observers of [WithPollObserver] see the status of the job. If the
// service supports ranges, only new parts of the log are transferred. If a connection
// breaks, Follow continues, and no line is lost or repeated. A line of more than 1
// MiB is yielded in pieces. Every error ends the sequence. The memory that Follow
// needs does not grow with the log.
//
// Without ranges, a new line means that the whole log is transferred again. A log of
// more than 64 KiB is then read less often the longer it is, so that about 256 KiB a
// second are transferred again, but at least once a minute. This does not delay
// noticing the end of the job.
//
// If the service rewrites the log, Follow reads it again, continues with the
// first line that differs from those it has yielded, and ends with
// [ErrLogRewritten] when the job has ended. In a log of more than 32,768 lines,
// some lines before the first change may be yielded again. Follow does not notice
// a change that leaves the end of what it has read in place.
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
		job, err := newCall(ctx, using(s), http.MethodGet,
			Route("/projects/:id/jobs/:job_id", project, jobID), nil, opts)
		trace, traceErr := newCall(ctx, using(s), http.MethodGet,
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
	// due is when the log may be read again, if that transfers it from its beginning.
	due time.Time
}

func (f *follower) run() error {
	first, longest := f.jobs.intervals()
	interval := first
	for {
		// The job is polled first: if it has ended, the log that is read afterwards
		// is complete.
		ended, err := f.jobs.pollOnce()
		if err != nil {
			return err
		}
		before := f.log.Len()
		if ended || !time.Now().Before(f.due) {
			complete, err := f.read(ended)
			if err != nil {
				return err
			}
			if complete && ended {
				return f.end()
			}
		}
		if f.log.Len() != before {
			interval = first
		}
		if err := pace.Pause(f.trace.ctx, jitter(interval)); err != nil {
			return f.jobs.gaveUp("following the log of", err)
		}
		interval = min(interval+interval/2, longest)
	}
}

// end ends the sequence of lines.
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
	cl = f.trace.at(f.trace.ctx, f.trace.query)
	options := cl.ownOptions()
	if f.etag != "" && !last {
		options.setHeader("If-None-Match", f.etag)
	}
	if from = f.log.Resume(); f.whole || from <= 0 {
		return cl, 0
	}
	options.setHeader("Range", "bytes="+strconv.FormatInt(from, 10)+"-")
	return cl, from
}

// take reads the response to a call for a part of the log.
func (f *follower) take(s *outcome, from int64) (complete bool, err error) {
	if s.resp.StatusCode != http.StatusPartialContent {
		defer f.postpone(time.Now(), f.furthest)
		f.log.Rewind()
		return f.add(s, true)
	}
	part, err := header.PartOf(s.resp)
	switch {
	case err == nil && part.Start == from:
		f.log.Continue(from)
		return f.add(s, part.Total < 0 || part.End == part.Total-1)
	case from == 0:
		return false, s.decodeError(errWrongPart)
	}
	f.whole = true
	f.restart()
	return false, nil
}

// add adds the content of a response, which ends with the log if isEnd is set.
func (f *follower) add(s *outcome, isEnd bool) (complete bool, err error) {
	err = f.log.Read(s.resp.Body)
	if f.log.Len() > f.furthest || err == nil && isEnd {
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
	case !isEnd:
		return false, f.brokeOff(s, io.ErrUnexpectedEOF)
	}
	f.etag = s.resp.Header.Get("Etag")
	if !f.log.Settle() {
		f.restart()
		return false, nil
	}
	return true, nil
}

// Limits for a log that is transferred from its beginning with every read.
const (
	// cheapLog is the length of a log that may be read at every poll.
	cheapLog = 64 << 10
	// repeatRate is the number of bytes in a millisecond that may be transferred
	// again: 256 KiB a second.
	repeatRate = 256 << 10 / 1000
	// maxRepeatWait is the maximum time between two reads.
	maxRepeatWait = time.Minute
)

// postpone sets when to read the log again after a read that transferred known
// content. The longer the log and the read, the less often it is read.
func (f *follower) postpone(began time.Time, known int64) {
	if known < cheapLog {
		return
	}
	now := time.Now()
	cost := max(now.Sub(began), time.Duration(known/repeatRate)*time.Millisecond)
	f.due = now.Add(min(cost, maxRepeatWait))
}

// restart makes the next read start at the beginning of the log.
func (f *follower) restart() {
	f.log.Rewind()
	f.etag = ""
}

// brokeOff returns the error of a read that broke off, if as many reads as the
// policy has attempts made no progress.
func (f *follower) brokeOff(s *outcome, cause error) error {
	if f.failures++; f.failures < f.trace.options.retry.MaxAttempts {
		return nil
	}
	return s.failure(cause)
}
