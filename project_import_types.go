package serviceapi

import "time"

// ImportState is the state of the import of a project.
type ImportState string

// States of an import.
const (
	// ImportNone: the project was not imported.
	ImportNone      ImportState = "none"
	ImportScheduled ImportState = "scheduled"
	ImportStarted   ImportState = "started"
	ImportFinished  ImportState = "finished"
	// ImportFailed: see [ProjectImportStatus.ImportError].
	ImportFailed ImportState = "failed"
)

// ProjectImportStatus is the state of the import of a project. The ID is that
// of the new project, which exists from the beginning.
type ProjectImportStatus struct {
	ProjectSummary
	ImportStatus ImportState `json:"import_status"`
	// ImportType names where the project came from. It is "" in the responses
	// that start an import.
	ImportType string `json:"import_type"`
	// CorrelationID finds the import in the service's own logs.
	CorrelationID string `json:"correlation_id"`
	// ImportError says why the import failed, nil if it did not.
	ImportError *string `json:"import_error"`
	// FailedRelations is what could not be imported, at most 100 of it. It may
	// be filled of an import that started, finished or failed.
	FailedRelations []FailedRelation `json:"failed_relations"`
	// Stats is nil unless the import is from an external source.
	Stats *ImportStats `json:"stats"`
}

// FailedRelation is something of a project that could not be imported.
type FailedRelation struct {
	// ID is that of the record of the failure, not of what failed.
	ID               int64      `json:"id"`
	CreatedAt        *time.Time `json:"created_at"`
	ExceptionClass   string     `json:"exception_class"`
	ExceptionMessage string     `json:"exception_message"`
	Source           string     `json:"source"`
	// RelationName says what it belongs to, such as "merge_requests".
	RelationName string `json:"relation_name"`
	// LineNumber is its place in the file of the relation.
	LineNumber int64 `json:"line_number"`
}

// ImportStats counts what an import from an external source has done.
type ImportStats struct {
	Fetched  ImportCounts `json:"fetched"`
	Imported ImportCounts `json:"imported"`
}

// ImportCounts are numbers of objects by their kind.
type ImportCounts map[ImportedKind]int64

// ImportedKind is a kind of object that an import from an external source
// counts.
type ImportedKind string

// Kinds of objects. The service may send others.
const (
	ImportedDiffNote            ImportedKind = "diff_note"
	ImportedIssue               ImportedKind = "issue"
	ImportedLabel               ImportedKind = "label"
	ImportedNote                ImportedKind = "note"
	ImportedPullRequest         ImportedKind = "pull_request"
	ImportedPullRequestMergedBy ImportedKind = "pull_request_merged_by"
	ImportedPullRequestReview   ImportedKind = "pull_request_review"
)

// ProjectOverrides are fields of a project by their names, such as
// "description" or "visibility". A value is a text, a number, a boolean, nil,
// or a slice or map of such.
type ProjectOverrides map[string]any

// ImportFromFileOptions describes an import from a file.
type ImportFromFileOptions struct {
	// File is an archive as [ProjectExportService.Download] gives it. An
	// instance can limit its size; by default it does not.
	File Upload `json:"-" url:"file"`
	// Path is the last element of the new project's path.
	Path string `json:"path"`
	// Namespace is the group to import into, or the [Path] of a user. Nil is
	// the caller's own.
	Namespace GroupRef `json:"namespace,omitzero"`
	// Name is the new project's name. Default Path.
	Name *string `json:"name,omitzero"`
	// Overwrite replaces a project that has the same path. Default false.
	Overwrite *bool `json:"overwrite,omitzero"`
	// OverrideParams win over what the archive says of the project.
	OverrideParams ProjectOverrides `json:"override_params,omitzero"`
}

// ImportFromURLOptions describes an import from a URL.
type ImportFromURLOptions struct {
	// URL is where the service gets the archive. The response there must have a
	// valid Content-Length, of at most 10 GB, and the Content-Type
	// application/gzip. It is a Secret since a pre-signed URL holds a
	// credential.
	URL Secret `json:"url"`
	// Path is the last element of the new project's path.
	Path string `json:"path"`
	// Namespace is the group to import into, or the [Path] of a user. Nil is
	// the caller's own.
	Namespace GroupRef `json:"namespace,omitzero"`
	// Name is the new project's name. Default Path.
	Name *string `json:"name,omitzero"`
	// Overwrite replaces a project that has the same path. Default false.
	Overwrite *bool `json:"overwrite,omitzero"`
	// OverrideParams win over what the archive says of the project.
	OverrideParams ProjectOverrides `json:"override_params,omitzero"`
}

// ImportFromObjectStoreOptions describes an import from an object store.
type ImportFromObjectStoreOptions struct {
	// Path is the last element of the new project's path.
	Path string `json:"path"`
	// Region, BucketName and FileKey say where the archive is.
	Region     string `json:"region"`
	BucketName string `json:"bucket_name"`
	FileKey    string `json:"file_key"`
	// AccessKeyID and SecretAccessKey are the credential for the bucket.
	AccessKeyID     Secret `json:"access_key_id"`
	SecretAccessKey Secret `json:"secret_access_key"`
	// Namespace is the group to import into, or the [Path] of a user. Nil is
	// the caller's own.
	Namespace GroupRef `json:"namespace,omitzero"`
	// Name is the new project's name. Default Path.
	Name *string `json:"name,omitzero"`
}
