package serviceapi

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"time"

	"example.com/serviceapi/internal/text"
)

// ProjectExportService exports projects to archives, which
// [ProjectImportService] imports. [MigrateProject] does both.
//
// Its options are [ScheduleExportOptions]. See the example ProjectExportDownload in
// people_test.go of [example.com/serviceapi/examples/recipes].
type ProjectExportService service

// ExportState is the state of the export of a project.
type ExportState string

// States of an export.
const (
	// ExportStateNone means that no export is queued, in progress or finished.
	ExportStateNone   ExportState = "none"
	ExportStateQueued ExportState = "queued"
	// ExportStateStarted includes the steps after the archive was written, such as
	// its upload.
	ExportStateStarted ExportState = "started"
	// ExportStateFinished means that the archive can be downloaded, or has been uploaded,
	// and the user has been notified.
	ExportStateFinished ExportState = "finished"
	// ExportStateRegenerating means that an earlier archive can be downloaded, and a new
	// one is being written.
	ExportStateRegenerating ExportState = "regeneration_in_progress"
)

// ProjectExportStatus is the state of the export of a project. CreatedAt is
// when the project was created, not the export.
type ProjectExportStatus struct {
	ID                int64       `json:"id"`
	Description       string      `json:"description"`
	Name              string      `json:"name"`
	NameWithNamespace string      `json:"name_with_namespace"`
	Path              string      `json:"path"`
	PathWithNamespace string      `json:"path_with_namespace"`
	CreatedAt         time.Time   `json:"created_at"`
	ExportStatus      ExportState `json:"export_status"`
	// Links is nil until the export has finished.
	Links *ProjectExportLinks `json:"_links"`
}

// ProjectExportLinks are the addresses at which an archive can be downloaded.
type ProjectExportLinks struct {
	// APIURL is the address that [ProjectExportService.Download] uses. WebURL is the
	// address for browsers.
	APIURL string `json:"api_url"`
	WebURL string `json:"web_url"`
}

// ScheduleExportOptions says how to export a project.
type ScheduleExportOptions struct {
	// Description replaces the project's own description in the archive.
	Description *string `json:"description,omitzero"`
	// Upload makes the service also upload the archive to a URL.
	Upload *ExportUpload `json:"upload,omitzero"`
}

// ExportUpload says where the service uploads an archive. It sends the header
// Content-Type: application/gzip, which a pre-signed URL must allow.
type ExportUpload struct {
	// URL is required. It is a Secret because a pre-signed URL contains a
	// credential.
	URL Secret `json:"url" required:"true"`
	// HTTPMethod is "PUT", which is the default, or "POST".
	HTTPMethod string `json:"http_method,omitzero"`
}

// Schedule starts the export of a project, which the service executes later (202).
// [ProjectExportService.ScheduleAndWait] waits until it has finished. An instance can limit
// the size of exports; by default, there is no limit.
//
//	POST /projects/:id/export
func (s *ProjectExportService) Schedule(
	ctx context.Context, project ProjectRef, options ScheduleExportOptions, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodPost, Route("/projects/:id/export", project), jsonOf(options), opts)
}

// Status returns the state of the export of a project.
//
//	GET /projects/:id/export
func (s *ProjectExportService) Status(
	ctx context.Context, project ProjectRef, opts ...RequestOption,
) (*ProjectExportStatus, *Response, error) {
	return do[ProjectExportStatus](ctx, using(s), http.MethodGet, Route("/projects/:id/export", project), nil, opts)
}

// Download returns the archive, a gzipped tar file, as a stream. The call
// returns [ErrNotFound] if there is none.
//
//	GET /projects/:id/export/download
func (s *ProjectExportService) Download(
	ctx context.Context, project ProjectRef, opts ...RequestOption,
) (*Download, *Response, error) {
	return stream(ctx, using(s), http.MethodGet,
		Route("/projects/:id/export/download", project).withoutHTML(), nil, opts)
}

// ScheduleAndWait calls [ProjectExportService.Schedule] and polls, at growing intervals,
// until the new export has finished. If there is an archive of an earlier export, the new
// one is recognized by its entity tag or its date: ScheduleAndWait starts the download and
// closes it to read them. If the service sends neither, the new archive is recognized by a
// change of the state. ScheduleAndWait returns a [*ProjectExportError] if the service
// abandoned the new export. On error, it also returns the status as last seen, or nil.
//
//	GET /projects/:id/export
//	POST /projects/:id/export
//	GET /projects/:id/export/download
func (s *ProjectExportService) ScheduleAndWait(
	ctx context.Context, project ProjectRef, options ScheduleExportOptions, opts ...RequestOption,
) (*ProjectExportStatus, error) {
	// What Schedule would refuse is refused before the state is read.
	if _, err := newCall(ctx, using(s), http.MethodPost,
		Route("/projects/:id/export", project), jsonOf(options), opts); err != nil {
		return nil, err
	}
	polls := forPolls(options, opts)
	before, _, err := s.Status(ctx, project, polls...)
	if err != nil {
		return nil, err
	}
	stamp := func() (archiveStamp, error) { return s.archive(ctx, project, polls) }
	isNew := func(bool) (bool, error) { return true, nil }
	if before.ExportStatus == ExportStateFinished || before.ExportStatus == ExportStateRegenerating {
		earlier, err := stamp()
		if err != nil {
			return before, err
		}
		isNew = earlier.replaced(stamp)
	}
	if _, err := s.Schedule(ctx, project, options, opts...); err != nil {
		return before, err
	}
	status, err := s.wait(ctx, project, isNew, polls)
	return status, executed("the export", err)
}

// Wait polls the status of an export, at growing intervals, until it has
// finished. It returns a [*ProjectExportError] if the service abandoned the
// export. On error, it also returns the status as last seen, or nil.
//
// An export that has finished before the first poll may be an earlier one, because an
// export that was just scheduled can take a moment to appear. Wait then polls several
// times, for about 4 seconds by default, to see whether the state changes.
// [ProjectExportService.ScheduleAndWait] always waits for the new export.
//
//	GET /projects/:id/export
func (s *ProjectExportService) Wait(
	ctx context.Context, project ProjectRef, opts ...RequestOption,
) (*ProjectExportStatus, error) {
	return s.wait(ctx, project, nil, opts)
}

// wait implements Wait. If isNew is not nil, a finished export counts only if
// isNew reports true. Its argument says whether the state was seen to change.
func (s *ProjectExportService) wait(
	ctx context.Context, project ProjectRef, isNew func(changed bool) (bool, error), opts []RequestOption,
) (*ProjectExportStatus, error) {
	var idle idleLooks
	var first ExportState
	var failure error
	done := isNew == nil
	return waitFor(ctx, using(s),
		"the export of project "+project.String(), Route("/projects/:id/export", project), nil, opts,
		func(status *ProjectExportStatus) (string, bool) {
			state := status.ExportStatus
			first = cmp.Or(first, state)
			idle.begun = idle.begun || state != first
			over := idle.over(state == ExportStateNone || state == ExportStateFinished)
			if state != ExportStateFinished || isNew == nil {
				return string(state), over
			}
			done, failure = isNew(idle.begun)
			return string(state), over || done || failure != nil
		},
		func(seen *outcome, status *ProjectExportStatus) error {
			if failure == nil && (!done || status.ExportStatus != ExportStateFinished) {
				return &ProjectExportError{Status: hidden(seen, status)}
			}
			return failure
		})
}

// archiveStamp identifies the archive of an export. The zero stamp means no
// archive.
type archiveStamp struct {
	exists         bool
	etag, modified string
}

// archive returns the stamp of the archive that can be downloaded.
func (s *ProjectExportService) archive(
	ctx context.Context, project ProjectRef, opts []RequestOption,
) (archiveStamp, error) {
	archive, resp, err := s.Download(ctx, project, opts...)
	if errors.Is(err, ErrNotFound) {
		return archiveStamp{}, nil
	}
	if err != nil {
		return archiveStamp{}, err
	}
	defer archive.Close()
	return archiveStamp{true, resp.Header.Get("Etag"), resp.Header.Get("Last-Modified")}, nil
}

// replaced returns a function that reports whether there is a new archive or,
// if archives cannot be distinguished, whether the state has changed.
func (earlier archiveStamp) replaced(stamp func() (archiveStamp, error)) func(changed bool) (bool, error) {
	return func(changed bool) (bool, error) {
		if earlier == (archiveStamp{exists: true}) {
			return changed, nil
		}
		now, err := stamp()
		return err == nil && now.exists && now != earlier, err
	}
}

// ProjectExportError means that the service abandoned an export, which is no
// longer in progress and has not finished. The service does not say why.
type ProjectExportError struct {
	// Status is the status as last seen, with the secrets of the call redacted, never nil in
	// an error that the library returns. It may describe an earlier export, whose archive can
	// still be downloaded.
	Status *ProjectExportStatus
}

// Error describes the project.
func (e *ProjectExportError) Error() string {
	return "serviceapi: the service abandoned the export of " +
		text.Printable(orZero(e.Status).PathWithNamespace, maxErrorText)
}

// idleLooks is the number of times a waiter found nothing in progress.
type idleLooks struct {
	count int
	begun bool
}

// maxIdleLooks is the maximum at the beginning of a wait: an export or import
// that was accepted can take a moment to appear.
const maxIdleLooks = 5

// over reports whether the wait is over.
func (l *idleLooks) over(idle bool) bool {
	if !idle {
		l.begun = true
		return false
	}
	l.count++
	return l.begun || l.count >= maxIdleLooks
}
