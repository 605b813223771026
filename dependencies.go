package serviceapi

import (
	"context"
	"iter"
	"net/http"
	"strconv"
	"time"
)

// DependenciesService lists the packages that projects use, as their scanners have found them, and
// exports these lists to files. Ultimate. It requires the Developer role; below it, calls return
// [ErrForbidden].
//
// Its options are [CreateDependencyExportOptions] and [ListDependenciesOptions]. See the example of
// [DependenciesService.WaitForExport].
type DependenciesService service

// List returns one page of the dependencies of a project.
//
//	GET /projects/:id/dependencies
func (s *DependenciesService) List(
	ctx context.Context, project ProjectRef, options *ListDependenciesOptions, opts ...RequestOption,
) ([]*Dependency, *Response, error) {
	return list[*Dependency](ctx, using(s), Route("/projects/:id/dependencies", project), queryOf(options), opts)
}

// All returns every dependency of a project.
//
//	GET /projects/:id/dependencies
func (s *DependenciesService) All(
	ctx context.Context, project ProjectRef, options *ListDependenciesOptions, opts ...RequestOption,
) iter.Seq2[*Dependency, error] {
	return all[*Dependency](ctx, using(s), Route("/projects/:id/dependencies", project), queryOf(options), opts)
}

// DependencyExportOwner is a [ProjectRef], a [GroupRef] or a [PipelineRef].
type DependencyExportOwner interface{ hasDependencyExports() }

func (ProjectRef) hasDependencyExports()  {}
func (GroupRef) hasDependencyExports()    {}
func (PipelineRef) hasDependencyExports() {}

// PipelineRef identifies a pipeline of any project, as the owner of an export. Make it with
// [PipelineID]. The zero PipelineRef is refused.
type PipelineRef struct{ id int64 }

// PipelineID identifies a pipeline by its ID, [Pipeline.ID], which must be positive.
func PipelineID(id int64) PipelineRef { return PipelineRef{id} }

// IsZero reports whether the reference is the zero value.
func (r PipelineRef) IsZero() bool { return r == PipelineRef{} }

// String returns the ID.
func (r PipelineRef) String() string { return strconv.FormatInt(r.id, 10) }

const oneDependencyExport = "/dependency_list_exports/:export_id"

// CreateExport starts an export of the dependencies of a project, of a group with its subgroups, or of
// those that a pipeline has found, which the service writes in the background. The call returns
// [ErrBadRequest] for a type that the owner does not have.
//
//	POST /projects/:id/dependency_list_exports
//	POST /groups/:id/dependency_list_exports
//	POST /pipelines/:id/dependency_list_exports
func (s *DependenciesService) CreateExport(
	ctx context.Context, owner DependencyExportOwner, options CreateDependencyExportOptions, opts ...RequestOption,
) (*DependencyExport, *Response, error) {
	endpoint := below(owner, "/dependency_list_exports")
	if pipeline, ok := owner.(PipelineRef); ok {
		endpoint = Route("/pipelines/:id/dependency_list_exports", pipeline.id)
	}
	return do[DependencyExport](ctx, using(s), http.MethodPost, endpoint, jsonOf(options), opts)
}

// GetExport returns the state of an export. Only who asked for it can read it.
//
//	GET /dependency_list_exports/:export_id
func (s *DependenciesService) GetExport(
	ctx context.Context, exportID int64, opts ...RequestOption,
) (*DependencyExport, *Response, error) {
	return do[DependencyExport](ctx, using(s), http.MethodGet, Route(oneDependencyExport, exportID), nil, opts)
}

// WaitForExport polls an export, at growing intervals, until it has finished. It returns a
// [*DependencyExportError] if the service could not write the file. On error, it also returns the export
// as last seen, or nil.
//
//	GET /dependency_list_exports/:export_id
func (s *DependenciesService) WaitForExport(
	ctx context.Context, exportID int64, opts ...RequestOption,
) (*DependencyExport, error) {
	return waitForFile(ctx, using(s), "dependency export", exportID, oneDependencyExport, opts,
		func(e *DependencyExport) FileExportStatus {
			if e.Status == "" && e.HasFinished {
				return FileExportStatusFinished
			}
			return e.Status
		},
		func(seen *outcome, e *DependencyExport) error { return &DependencyExportError{Export: hidden(seen, e)} })
}

// DependencyExportError means that the service could not write an export. It does not say why.
type DependencyExportError struct {
	// Export is the export as last seen, never nil in an error that the library returns.
	Export *DependencyExport
}

// Error describes the export.
func (e *DependencyExportError) Error() string {
	return "serviceapi: the dependency export " + strconv.FormatInt(orZero(e.Export).ID, 10) + " failed"
}

// DownloadExport returns the file of an export as a stream, JSON or CSV by its type. The call returns
// [ErrNotFound] until the export has finished.
//
//	GET /dependency_list_exports/:export_id/download
func (s *DependenciesService) DownloadExport(
	ctx context.Context, exportID int64, opts ...RequestOption,
) (*Download, *Response, error) {
	return stream(ctx, using(s), http.MethodGet,
		Route(oneDependencyExport+"/download", exportID).withoutHTML(), nil, opts)
}

// ListDependenciesOptions selects dependencies of a project.
type ListDependenciesOptions struct {
	ListOptions
	// PackageManagers selects those that any of these installs, such as "npm" or "go". Empty means
	// all. The call returns [ErrBadRequest] for a name that the service does not know.
	PackageManagers []string `url:"package_manager[],omitempty"`
}

// CreateDependencyExportOptions says what to export. ExportType is required.
type CreateDependencyExportOptions struct {
	// ExportType is one of those that the owner has.
	ExportType DependencyExportType `json:"export_type" required:"true"`
	// SendEmail tells the caller by email when the file is there. Nil means false. Since about 17.x.
	SendEmail *bool `json:"send_email,omitzero"`
}

// DependencyExportType is the form of the file of an export.
type DependencyExportType string

// Forms of files. A project has DependencyExportTypeList, DependencyExportTypeCSV and
// DependencyExportTypeCycloneDX, a group DependencyExportTypeArray and DependencyExportTypeCSV, and a
// pipeline DependencyExportTypeSBOM.
const (
	DependencyExportTypeList      DependencyExportType = "dependency_list"
	DependencyExportTypeCSV       DependencyExportType = "csv"
	DependencyExportTypeCycloneDX DependencyExportType = "cyclonedx_1_6_json"
	DependencyExportTypeArray     DependencyExportType = "json_array"
	DependencyExportTypeSBOM      DependencyExportType = "sbom"
)

// DependencyExport is an export of dependencies to a file.
type DependencyExport struct {
	ID int64 `json:"id"`
	// Status is "" in releases before 17.x, which only set HasFinished. HasFinished is false if the
	// export failed.
	Status      FileExportStatus     `json:"status"`
	HasFinished bool                 `json:"has_finished"`
	ExportType  DependencyExportType `json:"export_type"`
	SendEmail   bool                 `json:"send_email"`
	// ExpiresAt is when the service deletes the export, nil until it has finished.
	ExpiresAt *time.Time `json:"expires_at"`
	// Self and Download are the addresses of the export and of its file.
	Self     string `json:"self"`
	Download string `json:"download"`
}

// Dependency is a package that a project uses. Text that the scanner does not know is empty.
type Dependency struct {
	Name           string `json:"name"`
	Version        string `json:"version"`
	PackageManager string `json:"package_manager"`
	// DependencyFilePath is the file that asks for the package, such as go.sum.
	DependencyFilePath string `json:"dependency_file_path"`
	// Vulnerabilities and Licenses are nil if the caller may not read them.
	Vulnerabilities []*DependencyVulnerability `json:"vulnerabilities"`
	Licenses        []*DependencyLicense       `json:"licenses"`
}

// DependencyVulnerability is a vulnerability of a dependency.
type DependencyVulnerability struct {
	ID       int64                 `json:"id"`
	Name     string                `json:"name"`
	Severity VulnerabilitySeverity `json:"severity"`
	URL      string                `json:"url"`
}

// DependencyLicense is a license of a dependency.
type DependencyLicense struct {
	Name string `json:"name"`
	URL  string `json:"url"`
	// SPDXIdentifier is empty if the license has none.
	SPDXIdentifier string `json:"spdx_identifier"`
}
