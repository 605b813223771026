package serviceapi

import (
	"context"
	"net/http"

	"example.com/serviceapi/internal/text"
)

// ProjectImportService creates projects from archives that
// [ProjectExportService] wrote. [MigrateProject] does both.
type ProjectImportService service

// FromFile starts the import of a project from a file, which is streamed. The
// service executes it later: [ProjectImportService.Wait] waits until it has
// finished.
//
//	POST /projects/import
func (s *ProjectImportService) FromFile(
	ctx context.Context, options ImportFromFileOptions, opts ...RequestOption,
) (*ProjectImportStatus, *Response, error) {
	return do[ProjectImportStatus](ctx, s.client, http.MethodPost,
		Route("/projects/import"), nestedMultipart{options, "file", options.File}, opts)
}

// FromURL starts the import of a project from an archive that the service
// fetches from a URL. The service executes it later:
// [ProjectImportService.Wait] waits until it has finished. The endpoint is in
// beta, behind the feature flag import_project_from_remote_file, which is
// enabled by default.
//
//	POST /projects/remote-import
func (s *ProjectImportService) FromURL(
	ctx context.Context, options ImportFromURLOptions, opts ...RequestOption,
) (*ProjectImportStatus, *Response, error) {
	return do[ProjectImportStatus](ctx, s.client, http.MethodPost,
		Route("/projects/remote-import"), jsonOf(options), opts)
}

// FromObjectStore starts the import of a project from an archive that the
// service fetches from an object store. The service executes it later:
// [ProjectImportService.Wait] waits until it has finished. The endpoint is in
// beta, behind the feature flag import_project_from_remote_file_objstore, which
// is disabled by default on self-managed instances. Instances under another
// product name have another path for it: see
// [ImportFromObjectStoreOptions.RemoteImportS3].
//
//	POST /projects/remote-import-objstore
func (s *ProjectImportService) FromObjectStore(
	ctx context.Context, options ImportFromObjectStoreOptions, opts ...RequestOption,
) (*ProjectImportStatus, *Response, error) {
	return do[ProjectImportStatus](ctx, s.client, http.MethodPost,
		options.route(), jsonOf(options), opts)
}

func (o ImportFromObjectStoreOptions) route() Endpoint {
	if o.RemoteImportS3 {
		return Route("/projects/remote-import-s3")
	}
	return Route("/projects/remote-import-objstore")
}

// Status returns the state of the import of a project.
//
//	GET /projects/:id/import
func (s *ProjectImportService) Status(
	ctx context.Context, project ProjectRef, opts ...RequestOption,
) (*ProjectImportStatus, *Response, error) {
	return do[ProjectImportStatus](ctx, s.client, http.MethodGet, Route("/projects/:id/import", project), nil, opts)
}

// Wait polls the status of an import, at growing intervals, until it has
// finished. A finished import can be incomplete: see
// [ProjectImportStatus.FailedRelations]. Wait returns a [*ProjectImportError]
// if the import failed or there is none. On error, it also returns the status
// as last seen, or nil.
//
//	GET /projects/:id/import
func (s *ProjectImportService) Wait(
	ctx context.Context, project ProjectRef, opts ...RequestOption,
) (*ProjectImportStatus, error) {
	var idle idleLooks
	status, err := wait(ctx, s.client,
		"the import of project "+project.String(), Route("/projects/:id/import", project), nil, opts,
		func(status *ProjectImportStatus) (string, bool) {
			gone := idle.over(status.ImportStatus == ImportStateNone)
			ended := status.ImportStatus == ImportStateFinished || status.ImportStatus == ImportStateFailed
			return string(status.ImportStatus), gone || ended
		})
	if err == nil && status.ImportStatus != ImportStateFinished {
		err = &ProjectImportError{Status: status}
	}
	return status, err
}

// ProjectImportError means that an import failed or does not exist.
type ProjectImportError struct {
	// Status is the status as last seen. Its ImportError and FailedRelations say
	// what went wrong.
	Status *ProjectImportStatus
}

// Error describes the project and what happened.
func (e *ProjectImportError) Error() string {
	status := orZero(e.Status)
	message := "serviceapi: the import of " + text.Printable(status.PathWithNamespace, maxErrorText)
	if status.ImportStatus == ImportStateNone {
		return message + " does not exist"
	}
	message += " failed"
	if reason := status.ImportError; reason != "" {
		message += ": " + text.Printable(reason, maxErrorText)
	}
	return message
}
