package serviceapi

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"example.com/serviceapi/internal/text"
)

// ProjectImportService creates projects from archives that
// [ProjectExportService] wrote. [MigrateProject] does both.
//
// Its options are [CancelFromGitHubOptions], [ImportFromBitbucketOptions],
// [ImportFromBitbucketServerOptions], [ImportFromFileOptions], [ImportFromGitHubOptions],
// [ImportFromObjectStoreOptions], [ImportFromURLOptions], [ImportGistsOptions],
// [ImportRelationOptions] and [ListOptions]. See the example ProjectImportFromURL in
// people_test.go of [example.com/serviceapi/examples/recipes].
type ProjectImportService service

// FromFile starts the import of a project from a file, which is streamed. The
// service executes it later: [ProjectImportService.Wait] waits until it has
// finished.
//
//	POST /projects/import
func (s *ProjectImportService) FromFile(
	ctx context.Context, options ImportFromFileOptions, opts ...RequestOption,
) (*ProjectImportStatus, *Response, error) {
	return do[ProjectImportStatus](ctx, using(s), http.MethodPost,
		Route("/projects/import"), multipartOf(options, "file", options.File), opts)
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
	return do[ProjectImportStatus](ctx, using(s), http.MethodPost,
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
	return do[ProjectImportStatus](ctx, using(s), http.MethodPost,
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
	return do[ProjectImportStatus](ctx, using(s), http.MethodGet, Route("/projects/:id/import", project), nil, opts)
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
	return waitFor(ctx, using(s),
		"the import of project "+project.String(), Route("/projects/:id/import", project), nil, opts,
		func(status *ProjectImportStatus) (string, bool) {
			gone := idle.over(status.ImportStatus == ImportStateNone)
			ended := status.ImportStatus == ImportStateFinished || status.ImportStatus == ImportStateFailed ||
				status.ImportStatus == ImportStateCanceled
			return string(status.ImportStatus), gone || ended
		}, failedImport)
}

// failedImport returns the error of an import that has ended otherwise than well.
func failedImport(seen *outcome, status *ProjectImportStatus) error {
	if status.ImportStatus == ImportStateFinished {
		return nil
	}
	return &ProjectImportError{Status: hidden(seen, status)}
}

// ProjectImportError means that an import failed or does not exist.
type ProjectImportError struct {
	// Status is the status as last seen, with the secrets of the call redacted, never nil in
	// an error that the library returns. Its ImportError and FailedRelations say what went
	// wrong.
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

// ImportState is the state of the import of a project.
type ImportState string

// States of an import.
const (
	// ImportStateNone means that the project was not imported.
	ImportStateNone      ImportState = "none"
	ImportStateScheduled ImportState = "scheduled"
	ImportStateStarted   ImportState = "started"
	ImportStateFinished  ImportState = "finished"
	// ImportStateFailed means that the import failed: see
	// [ProjectImportStatus.ImportError].
	ImportStateFailed ImportState = "failed"
	// ImportStateCanceled means that an import from another product was canceled.
	ImportStateCanceled ImportState = "canceled"
)

// ProjectImportStatus is the state of the import of a project. The ID is that
// of the new project, which exists as soon as the import is accepted.
type ProjectImportStatus struct {
	ID                int64       `json:"id"`
	Description       string      `json:"description"`
	Name              string      `json:"name"`
	NameWithNamespace string      `json:"name_with_namespace"`
	Path              string      `json:"path"`
	PathWithNamespace string      `json:"path_with_namespace"`
	CreatedAt         time.Time   `json:"created_at"`
	ImportStatus      ImportState `json:"import_status"`
	// ImportType is the source of the import. It is "" in the response to the call
	// that starts it.
	ImportType string `json:"import_type"`
	// CorrelationID identifies the import in the logs of the service.
	CorrelationID string `json:"correlation_id"`
	// ImportError says why the import failed, empty if it did not fail.
	ImportError string `json:"import_error"`
	// FailedRelations are the objects that could not be imported, at most 100 of
	// them. They may be set when the import has started, finished or failed.
	FailedRelations []*FailedRelation `json:"failed_relations"`
	// Stats is nil unless the import is from an external source.
	Stats *ImportStats `json:"stats"`
}

// FailedRelation is an object of a project that could not be imported.
type FailedRelation struct {
	// ID is the ID of the failure record, not of the object.
	ID               int64     `json:"id"`
	CreatedAt        time.Time `json:"created_at"`
	ExceptionClass   string    `json:"exception_class"`
	ExceptionMessage string    `json:"exception_message"`
	Source           string    `json:"source"`
	// RelationName is the kind of object, such as "merge_requests".
	RelationName string `json:"relation_name"`
	// LineNumber is the object's position in the file of the relation.
	LineNumber int `json:"line_number"`
}

// ImportStats counts what an import from an external source has done.
type ImportStats struct {
	Fetched  ImportCounts `json:"fetched"`
	Imported ImportCounts `json:"imported"`
}

// ImportCounts are numbers of objects by their kind.
type ImportCounts map[ImportedKind]int

// ImportedKind is a kind of object that an import from an external source
// counts.
type ImportedKind string

// Kinds of imported objects. The service may send others.
const (
	ImportedKindDiffNote            ImportedKind = "diff_note"
	ImportedKindIssue               ImportedKind = "issue"
	ImportedKindLabel               ImportedKind = "label"
	ImportedKindNote                ImportedKind = "note"
	ImportedKindPullRequest         ImportedKind = "pull_request"
	ImportedKindPullRequestMergedBy ImportedKind = "pull_request_merged_by"
	ImportedKindPullRequestReview   ImportedKind = "pull_request_review"
)

// ProjectOverrides are attributes of a project by name, such as "description"
// or "visibility". Values are strings, numbers, booleans, nil, and slices and
// maps of these.
type ProjectOverrides map[string]any

// ImportFromFileOptions describes an import from a file. File and Path are
// required.
type ImportFromFileOptions struct {
	// File is an archive such as [ProjectExportService.Download] returns. An instance can
	// limit its size; by default, there is no limit.
	File Upload `json:"-" url:"file" required:"true"`
	// Path is the last element of the new project's path.
	Path string `json:"path" required:"true"`
	// Namespace is the group, or the user's namespace, to import into. The zero
	// NamespaceRef means the caller's own namespace.
	Namespace NamespaceRef `json:"namespace,omitzero"`
	// Name is the new project's name. Nil means the same as Path.
	Name *string `json:"name,omitzero"`
	// Overwrite replaces a project that has the same path. Nil means false.
	Overwrite *bool `json:"overwrite,omitzero"`
	// OverrideParams are attributes of the project that take precedence over those
	// in the archive.
	OverrideParams ProjectOverrides `json:"override_params,omitzero"`
}

func (o ImportFromFileOptions) check() error { return o.Namespace.check() }
func (ImportFromFileOptions) holdsValues()   {}

// ImportFromURLOptions describes an import from a URL. URL and Path are required.
type ImportFromURLOptions struct {
	// URL is where the service fetches the archive. It must be served with a valid
	// Content-Length, of at most 10 GB, and the Content-Type application/gzip. It
	// is a Secret because a pre-signed URL contains a credential.
	URL Secret `json:"url" required:"true"`
	// Path is the last element of the new project's path.
	Path string `json:"path" required:"true"`
	// Namespace is the group, or the user's namespace, to import into. The zero
	// NamespaceRef means the caller's own namespace.
	Namespace NamespaceRef `json:"namespace,omitzero"`
	// Name is the new project's name. Nil means the same as Path.
	Name *string `json:"name,omitzero"`
	// Overwrite replaces a project that has the same path. Nil means false.
	Overwrite *bool `json:"overwrite,omitzero"`
	// OverrideParams are attributes of the project that take precedence over those
	// in the archive.
	OverrideParams ProjectOverrides `json:"override_params,omitzero"`
}

func (o ImportFromURLOptions) check() error { return o.Namespace.check() }
func (ImportFromURLOptions) holdsValues()   {}

// ImportFromObjectStoreOptions describes an import from an object store. Path,
// Region, BucketName, FileKey, AccessKeyID and SecretAccessKey are required.
type ImportFromObjectStoreOptions struct {
	// Path is the last element of the new project's path.
	Path string `json:"path" required:"true"`
	// Region, BucketName and FileKey are the location of the archive.
	Region     string `json:"region" required:"true"`
	BucketName string `json:"bucket_name" required:"true"`
	FileKey    string `json:"file_key" required:"true"`
	// AccessKeyID and SecretAccessKey are the credentials for the bucket.
	AccessKeyID     Secret `json:"access_key_id" required:"true"`
	SecretAccessKey Secret `json:"secret_access_key" required:"true"`
	// Namespace is the group, or the user's namespace, to import into. The zero
	// NamespaceRef means the caller's own namespace.
	Namespace NamespaceRef `json:"namespace,omitzero"`
	// Name is the new project's name. Nil means the same as Path.
	Name *string `json:"name,omitzero"`
	// RemoteImportS3 calls POST /projects/remote-import-s3 instead of the path of
	// the API's specification, POST /projects/remote-import-objstore. Instances
	// under another product name have only that path. Set it if the call returns
	// [ErrNotFound].
	RemoteImportS3 bool `json:"-"`
}

func (o ImportFromObjectStoreOptions) check() error { return o.Namespace.check() }

// MigrateProjectOptions describes the project to create at the target.
type MigrateProjectOptions struct {
	// Path is the last element of the new project's path. Empty means the same as in the
	// original project.
	Path string
	// Namespace is the group, or the user's namespace, to import into. The zero
	// NamespaceRef means the caller's own namespace at the target.
	Namespace NamespaceRef
	// Name is the new project's name. Nil means the same as Path.
	Name *string
	// Overwrite replaces a project that has the same path. Nil means false.
	Overwrite *bool
	// OverrideParams replace attributes of the project in the archive.
	OverrideParams ProjectOverrides
	// Description replaces the project's own description in the archive.
	Description *string
	// Progress, if not nil, is called with the progress of the transfer from one
	// instance to the other.
	Progress func(Progress)
}

// MigrateProject copies a project from one instance to another: it exports the
// project, waits, streams the archive from source to target without storing it
// on disk or in memory, and waits until it is imported. The original is not
// deleted.
//
// It returns the final status of the import. If the export or the import
// failed, the error is a [*ProjectExportError] or a [*ProjectImportError];
// otherwise it is the error of the call that failed. On error, MigrateProject
// also returns the status of the import as last seen, or nil. The archive is
// uploaded only once. If [MayHaveExecuted] reports false, nothing was imported:
// call MigrateProject again. Otherwise, first look for the project at the target.
func MigrateProject(
	ctx context.Context, source *Client, project ProjectRef, target *Client, options MigrateProjectOptions,
) (*ProjectImportStatus, error) {
	for _, client := range []*Client{source, target} {
		if client == nil || client.ProjectExport == nil {
			return nil, &ArgumentError{Argument: "client", Problem: "was not made by NewClient"}
		}
	}
	// An export can take a long time, so refuse now what the import would refuse.
	if err := options.Namespace.check(); err != nil {
		return nil, err
	}
	exported, err := source.ProjectExport.ScheduleAndWait(ctx, project,
		ScheduleExportOptions{Description: options.Description})
	if err != nil {
		return nil, err
	}
	if options.Path == "" {
		options.Path = exported.Path
	}
	started, err := handOver(ctx, source, project, target, options)
	if err != nil {
		return nil, err
	}
	final, err := target.ProjectImport.Wait(ctx, ProjectID(started.ID))
	if final == nil {
		final = started
	}
	return final, executed("the import", err)
}

// handOver streams the archive of an export into an import.
func handOver(
	ctx context.Context, source *Client, project ProjectRef, target *Client, options MigrateProjectOptions,
) (*ProjectImportStatus, error) {
	archive, _, err := source.ProjectExport.Download(ctx, project)
	if err != nil {
		return nil, err
	}
	defer archive.Close()
	started, _, err := target.ProjectImport.FromFile(ctx, ImportFromFileOptions{
		File:           archiveUpload(archive),
		Path:           options.Path,
		Namespace:      options.Namespace,
		Name:           options.Name,
		Overwrite:      options.Overwrite,
		OverrideParams: options.OverrideParams,
	}, WithProgress(options.Progress))
	return started, err
}

// archiveUpload turns a download into an upload. It announces the length if the download
// has one.
func archiveUpload(archive *Download) Upload {
	name := archive.Name
	if name == "" {
		name = "export.tar.gz"
	}
	return Upload{
		Filename:    name,
		Content:     archiveReader{archive},
		Size:        max(0, archive.Size),
		ContentType: "application/gzip",
	}
}

// archiveReader makes an error say on which side a transfer broke off.
type archiveReader struct{ archive *Download }

func (r archiveReader) Read(p []byte) (int, error) {
	n, err := r.archive.Read(p)
	if err != nil && err != io.EOF {
		err = fmt.Errorf("the export of the source: %w", err)
	}
	return n, err
}
