package serviceapi

import (
	"context"
	"net/http"
)

// ProjectExportService writes projects into archives, which
// [ProjectImportService] reads. [MigrateProject] does both.
type ProjectExportService service

// ExportState is the state of the export of a project.
type ExportState string

// States of an export.
const (
	// ExportNone: nothing is queued, under way or finished.
	ExportNone   ExportState = "none"
	ExportQueued ExportState = "queued"
	// ExportStarted also covers what follows the writing, such as the upload of
	// the archive.
	ExportStarted  ExportState = "started"
	ExportFinished ExportState = "finished"
	// ExportRegenerating: an earlier archive can be downloaded, and a new one
	// is being written.
	ExportRegenerating ExportState = "regeneration_in_progress"
)

// ProjectExportStatus is the state of the export of a project. CreatedAt is
// when the project was created, not the export.
type ProjectExportStatus struct {
	ProjectSummary
	ExportStatus ExportState `json:"export_status"`
	// Links is nil until the export has finished.
	Links *ProjectExportLinks `json:"_links"`
}

// ProjectExportLinks are where an archive can be downloaded.
type ProjectExportLinks struct {
	// APIURL is what [ProjectExportService.Download] asks for, WebURL is for
	// people.
	APIURL string `json:"api_url"`
	WebURL string `json:"web_url"`
}

// ScheduleExportOptions says how to export.
type ScheduleExportOptions struct {
	// Description stands in the archive instead of the project's own.
	Description *string `json:"description,omitzero"`
	// Upload has the service send the archive elsewhere, too.
	Upload *ExportUpload `json:"upload,omitzero"`
}

// ExportUpload is where the service sends an archive. It does so with the
// header Content-Type: application/gzip, which a pre-signed URL must have been
// signed with.
type ExportUpload struct {
	// URL is where to send it. It is a Secret since a pre-signed URL holds a
	// credential.
	URL Secret `json:"url"`
	// HTTPMethod is "PUT", which is the default, or "POST".
	HTTPMethod string `json:"http_method,omitzero"`
}

// Schedule starts the export of a project; the service finishes it later (202).
// [ProjectExportService.Wait] waits for that. An instance can limit the size of
// exports; by default it does not.
//
// POST /projects/:id/export
func (s *ProjectExportService) Schedule(ctx context.Context, project ProjectRef, options ScheduleExportOptions, opts ...RequestOption) (*Response, error) {
	return exec(ctx, s.client, http.MethodPost, route("/projects/:id/export", project), jsonOf(options), opts)
}

// Status returns how far the export of a project is.
//
// GET /projects/:id/export
func (s *ProjectExportService) Status(ctx context.Context, project ProjectRef, opts ...RequestOption) (*ProjectExportStatus, *Response, error) {
	return do[ProjectExportStatus](ctx, s.client, http.MethodGet, route("/projects/:id/export", project), nil, opts)
}

// Download returns the archive, a gzip tarball. The call returns [ErrNotFound]
// if there is none.
//
// GET /projects/:id/export/download
func (s *ProjectExportService) Download(ctx context.Context, project ProjectRef, opts ...RequestOption) (*Download, *Response, error) {
	return stream(ctx, s.client, http.MethodGet, route("/projects/:id/export/download", project), nil, opts)
}

// Wait asks for the status of an export, more and more slowly, until it has
// finished. It returns a [*ProjectExportError] if the service gave it up, and
// the status as it was last seen beside any error.
//
// GET /projects/:id/export
func (s *ProjectExportService) Wait(ctx context.Context, project ProjectRef, opts ...RequestOption) (*ProjectExportStatus, error) {
	var idle idleLooks
	status, err := poll(ctx, func(ctx context.Context) (*ProjectExportStatus, bool, error) {
		status, _, err := s.Status(ctx, project, opts...)
		if err != nil {
			return nil, false, err
		}
		gone := idle.over(status.ExportStatus == ExportNone)
		return status, gone || status.ExportStatus == ExportFinished, nil
	})
	if err == nil && status.ExportStatus != ExportFinished {
		err = &ProjectExportError{Status: status}
	}
	return status, err
}

// ProjectExportError is an export that the service was expected to finish, and
// that is not there any more. The service does not say why.
type ProjectExportError struct {
	Status *ProjectExportStatus
}

// Error names the project.
func (e *ProjectExportError) Error() string {
	return "serviceapi: the service gave up the export of " + printable(e.Status.PathWithNamespace, maxErrorText)
}

// idleLooks counts how often a waiter found that nothing is queued.
type idleLooks struct {
	count int
	begun bool
}

// maxIdleLooks is how often that may be at the beginning: what the service has
// accepted can take a moment to show.
const maxIdleLooks = 5

// over reports whether nothing is to be expected any more.
func (l *idleLooks) over(idle bool) bool {
	if !idle {
		l.begun = true
		return false
	}
	l.count++
	return l.begun || l.count >= maxIdleLooks
}
