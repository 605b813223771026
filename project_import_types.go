package serviceapi

import "time"

// ImportState is the state of the import of a project.
type ImportState string

// States of an import.
const (
	// ImportStateNone: the project was not imported.
	ImportStateNone      ImportState = "none"
	ImportStateScheduled ImportState = "scheduled"
	ImportStateStarted   ImportState = "started"
	ImportStateFinished  ImportState = "finished"
	// ImportStateFailed: see [ProjectImportStatus.ImportError].
	ImportStateFailed ImportState = "failed"
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
	// File is an archive such as [ProjectExportService.Download] returns. An
	// instance can limit its size; by default there is no limit.
	File Upload `json:"-" url:"file"`
	// Path is the last element of the new project's path.
	Path string `json:"path"`
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

// ImportFromURLOptions describes an import from a URL. URL and Path are required.
type ImportFromURLOptions struct {
	// URL is where the service fetches the archive. It must be served with a valid
	// Content-Length, of at most 10 GB, and the Content-Type application/gzip. It
	// is a Secret because a pre-signed URL contains a credential.
	URL Secret `json:"url"`
	// Path is the last element of the new project's path.
	Path string `json:"path"`
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

// ImportFromObjectStoreOptions describes an import from an object store. Path,
// Region, BucketName, FileKey, AccessKeyID and SecretAccessKey are required.
type ImportFromObjectStoreOptions struct {
	// Path is the last element of the new project's path.
	Path string `json:"path"`
	// Region, BucketName and FileKey are the location of the archive.
	Region     string `json:"region"`
	BucketName string `json:"bucket_name"`
	FileKey    string `json:"file_key"`
	// AccessKeyID and SecretAccessKey are the credentials for the bucket.
	AccessKeyID     Secret `json:"access_key_id"`
	SecretAccessKey Secret `json:"secret_access_key"`
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
