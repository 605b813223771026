package serviceapi

import (
	"encoding/json"
	"time"
)

// Package is a version of a package.
type Package struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
	// ConanPackageName is set only for conan packages.
	ConanPackageName string        `json:"conan_package_name"`
	Version          string        `json:"version"`
	PackageType      PackageType   `json:"package_type"`
	Status           PackageStatus `json:"status"`
	// Paths is nil only if the service does not send them.
	Paths     *PackagePaths `json:"_links"`
	CreatedAt time.Time     `json:"created_at"`
	// LastDownloadedAt is nil before the first download. Since about 15.5.
	LastDownloadedAt *time.Time    `json:"last_downloaded_at"`
	Tags             []*PackageTag `json:"tags"`
	// Pipeline and Pipelines published the package. Pipeline is nil if no job did.
	//
	// Deprecated: use [PackagesService.AllPipelines] since 16.1.
	Pipeline *PackagePipeline `json:"pipeline"`
	// Pipelines are empty in later releases.
	//
	// Deprecated: use [PackagesService.AllPipelines] since 16.1.
	Pipelines []*PackagePipeline `json:"pipelines"`
	// Versions are the other versions of the name, only by Get.
	Versions []*PackageVersion `json:"versions"`
	// ProjectID and ProjectPath identify the project, only in the list of a group;
	// ProjectID is nil elsewhere.
	ProjectID   *int64 `json:"project_id"`
	ProjectPath string `json:"project_path"`
}

// PackagePaths are paths about a package, without the address of the instance.
type PackagePaths struct {
	// WebPath is a page of the web interface. It may be empty for a hidden package.
	WebPath string `json:"web_path"`
	// DeleteAPIPath is the path that deletes the package, empty for those who may not.
	DeleteAPIPath string `json:"delete_api_path"`
}

// PackageTag is a name for a version of a package, as npm has them.
type PackageTag struct {
	ID        int64     `json:"id"`
	PackageID int64     `json:"package_id"`
	Name      string    `json:"name"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
}

// PackageVersion is another version of a package.
type PackageVersion struct {
	ID        int64         `json:"id"`
	Version   string        `json:"version"`
	CreatedAt time.Time     `json:"created_at"`
	Tags      []*PackageTag `json:"tags"`
	// Pipeline and Pipelines published the version. Pipeline is nil if no job did.
	//
	// Deprecated: use [PackagesService.AllPipelines] since 16.1.
	Pipeline *PackagePipeline `json:"pipeline"`
	// Pipelines are empty in later releases.
	//
	// Deprecated: use [PackagesService.AllPipelines] since 16.1.
	Pipelines []*PackagePipeline `json:"pipelines"`
}

// PackagePipeline is a pipeline that published a package.
type PackagePipeline struct {
	ID int64 `json:"id"`
	// IID and ProjectID are nil in responses of older releases.
	IID       *int64         `json:"iid"`
	ProjectID *int64         `json:"project_id"`
	Status    PipelineStatus `json:"status"`
	Ref       string         `json:"ref"`
	SHA       string         `json:"sha"`
	// Source is empty in responses of older releases.
	Source    PipelineSource `json:"source"`
	WebURL    string         `json:"web_url"`
	CreatedAt time.Time      `json:"created_at"`
	UpdatedAt time.Time      `json:"updated_at"`
	// User is who started the pipeline, nil if the user is gone. Some releases send only
	// the name and the avatar.
	User *UserSummary `json:"user"`
}

// PackageFile is a file of a package. [PackageFile.Verify] checks a download against it.
type PackageFile struct {
	ID        int64     `json:"id"`
	PackageID int64     `json:"package_id"`
	CreatedAt time.Time `json:"created_at"`
	FileName  string    `json:"file_name"`
	// Size is in bytes.
	Size int64 `json:"size"`
	// FileMD5, FileSHA1 and FileSHA256 are checksums in hexadecimal, empty if they are
	// not known.
	FileMD5    string `json:"file_md5"`
	FileSHA1   string `json:"file_sha1"`
	FileSHA256 string `json:"file_sha256"`
	// Pipelines published the file.
	Pipelines []*PackagePipeline `json:"pipelines"`
}

// UploadedPackageFile is what the service has stored of an upload.
type UploadedPackageFile struct {
	ID        int64     `json:"id"`
	PackageID int64     `json:"package_id"`
	FileName  string    `json:"file_name"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
	// Size is in bytes.
	Size int64 `json:"size"`
	// FileStore is where the file is stored, an internal number.
	FileStore int64 `json:"file_store"`
	// FileMD5, FileSHA1 and FileSHA256 are checksums in hexadecimal, empty if they are
	// not known.
	FileMD5    string `json:"file_md5"`
	FileSHA1   string `json:"file_sha1"`
	FileSHA256 string `json:"file_sha256"`
	// File has the address of the file, nil if the service does not send it.
	File *PackageFileURL `json:"file"`
	// Status is a string or a number, by release. Older releases do not send it.
	Status json.RawMessage `json:"status,omitzero"`
	// VerificationRetryAt and the following fields are the internal state of replication,
	// nil if there is none.
	VerificationRetryAt *time.Time `json:"verification_retry_at"`
	// VerifiedAt is nil if the file was not verified.
	VerifiedAt *time.Time `json:"verified_at"`
	// VerificationStartedAt is nil if the verification has not begun.
	VerificationStartedAt *time.Time `json:"verification_started_at"`
	// VerificationRetryCount is nil before the first attempt.
	VerificationRetryCount *int `json:"verification_retry_count"`
	// VerificationState is an internal number, nil if there is none.
	VerificationState *int `json:"verification_state"`
	// VerificationFailure, VerificationChecksum and NewFilePath are internal, too, and
	// mostly empty.
	VerificationFailure  string `json:"verification_failure"`
	VerificationChecksum string `json:"verification_checksum"`
	NewFilePath          string `json:"new_file_path"`
}

// PackageFileURL is the address of a file.
type PackageFileURL struct {
	URL string `json:"url"`
}

// PackageType is the kind of a package.
type PackageType string

// Types of packages. The service may send others.
const (
	PackageTypeComposer        PackageType = "composer"
	PackageTypeConan           PackageType = "conan"
	PackageTypeGeneric         PackageType = "generic"
	PackageTypeGolang          PackageType = "golang"
	PackageTypeHelm            PackageType = "helm"
	PackageTypeMaven           PackageType = "maven"
	PackageTypeNPM             PackageType = "npm"
	PackageTypeNuGet           PackageType = "nuget"
	PackageTypePyPI            PackageType = "pypi"
	PackageTypeTerraformModule PackageType = "terraform_module"
)

// PackageStatus is the state of a package.
type PackageStatus string

// States of a package. The service may send others.
const (
	PackageStatusDefault PackageStatus = "default"
	// PackageStatusHidden is the state of packages that are in no list unless it asks
	// for them.
	PackageStatusHidden             PackageStatus = "hidden"
	PackageStatusProcessing         PackageStatus = "processing"
	PackageStatusError              PackageStatus = "error"
	PackageStatusPendingDestruction PackageStatus = "pending_destruction"
	// PackageStatusDeprecated exists in newer releases.
	PackageStatusDeprecated PackageStatus = "deprecated"
)

// PackageOrderBy is the order of a list of packages.
type PackageOrderBy string

// Orders of packages.
const (
	// PackageOrderByCreatedAt is the default.
	PackageOrderByCreatedAt PackageOrderBy = "created_at"
	PackageOrderByName      PackageOrderBy = "name"
	PackageOrderByVersion   PackageOrderBy = "version"
	PackageOrderByType      PackageOrderBy = "type"
	// PackageOrderByProjectPath works only for a group.
	PackageOrderByProjectPath PackageOrderBy = "project_path"
)

// PackageFileOrderBy is the order of a list of files.
type PackageFileOrderBy string

// Orders of files.
const (
	// PackageFileOrderByID is the default.
	PackageFileOrderByID        PackageFileOrderBy = "id"
	PackageFileOrderByCreatedAt PackageFileOrderBy = "created_at"
	PackageFileOrderByFileName  PackageFileOrderBy = "file_name"
)

// ListPackagesOptions selects packages. Empty fields do not filter.
type ListPackagesOptions struct {
	ListOptions
	// OrderBy is PackageOrderByCreatedAt if it is empty.
	OrderBy PackageOrderBy `url:"order_by,omitempty"`
	// Sort is SortAscending, which is the default, or SortDescending.
	Sort        Sort        `url:"sort,omitempty"`
	PackageType PackageType `url:"package_type,omitempty"`
	// PackageName selects names that contain this text, or are similar.
	PackageName string `url:"package_name,omitempty"`
	// PackageVersion is the exact version. Since 16.6.
	PackageVersion string `url:"package_version,omitempty"`
	// IncludeVersionless includes packages without a version.
	IncludeVersionless bool `url:"include_versionless,omitempty"`
	// Status selects one state. Empty means PackageStatusDefault, PackageStatusError and
	// PackageStatusDeprecated.
	Status PackageStatus `url:"status,omitempty"`
	// ExcludeSubgroups leaves out the packages of subgroups. Only for a [GroupRef].
	ExcludeSubgroups bool `url:"exclude_subgroups,omitempty" only:"group"`
}

// ListPackageFilesOptions orders the files of a package. Older releases than about 17.x
// ignore the order.
type ListPackageFilesOptions struct {
	ListOptions
	// OrderBy is PackageFileOrderByID if it is empty.
	OrderBy PackageFileOrderBy `url:"order_by,omitempty"`
	// Sort is SortAscending, which is the default, or SortDescending.
	Sort Sort `url:"sort,omitempty"`
}

// GenericPackageFile names a file of a generic package. All three are required.
type GenericPackageFile struct {
	// PackageName has letters, digits, periods, hyphens and underscores.
	PackageName string
	// PackageVersion is a version such as 1.10.3 or 2026-03-31.
	PackageVersion string
	// FileName has the characters of PackageName. In newer releases, it may be a path:
	// "linux/app".
	FileName string
}

// PublishGenericPackageOptions is the content of a file.
type PublishGenericPackageOptions struct {
	// File is the content. It is required. Its Filename is not sent.
	File Upload `json:"-"`
	// Status is that of the whole package: PackageStatusDefault or PackageStatusHidden.
	// If it is empty, it stays as it is.
	Status PackageStatus `url:"status,omitempty"`
}

// publishQuery is sent with the content. Without Select, the response has no checksum.
type publishQuery struct {
	Status PackageStatus `url:"status,omitempty"`
	Select string        `url:"select"`
}
