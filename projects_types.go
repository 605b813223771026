package serviceapi

import "time"

// Project is a repository with its merge requests, pipelines and members.
//
// Which fields are set depends on the call and the caller. Lists with
// [ListProjectsOptions.Simple], and calls without a credential, do not set the
// settings, the owner, the statistics, the permissions and the import fields.
type Project struct {
	ProjectSummary
	ProjectSettings
	// DescriptionHTML is the description as shown on the project's page.
	DescriptionHTML string     `json:"description_html"`
	Visibility      Visibility `json:"visibility"`
	// DefaultBranch is "" while the repository is empty.
	DefaultBranch string `json:"default_branch"`
	SSHURLToRepo  string `json:"ssh_url_to_repo"`
	HTTPURLToRepo string `json:"http_url_to_repo"`
	WebURL        string `json:"web_url"`
	// ReadmeURL is nil if the repository has no README file.
	ReadmeURL *string  `json:"readme_url"`
	Topics    []string `json:"topics"`
	// TagList is the older name of Topics.
	//
	// Deprecated: use Topics.
	TagList []string `json:"tag_list"`
	// Owner is nil for projects of groups.
	Owner *UserSummary `json:"owner"`
	// Namespace is the group or the user that the project belongs to.
	Namespace *NamespaceSummary `json:"namespace"`
	// Archived projects are read-only, and their repositories cannot be moved to
	// another storage: see [StorageMovesService].
	Archived bool `json:"archived"`
	// EmptyRepo reports whether the repository has no commit.
	EmptyRepo bool `json:"empty_repo"`
	// AvatarURL is nil if the project has no picture.
	AvatarURL      *string    `json:"avatar_url"`
	LastActivityAt *time.Time `json:"last_activity_at"`
	// UpdatedAt is set since 16.x.
	UpdatedAt *time.Time `json:"updated_at"`
	// CreatorID is the ID of the user who created the project.
	CreatorID  int64 `json:"creator_id"`
	StarCount  int   `json:"star_count"`
	ForksCount int   `json:"forks_count"`
	// OpenIssuesCount is nil if issues are disabled.
	OpenIssuesCount *int `json:"open_issues_count"`
	// ForkedFromProject has the fields of a list with Simple. It is nil if the
	// project is not a fork, or if the caller cannot see the original project.
	ForkedFromProject *Project `json:"forked_from_project"`
	// CanCreateMergeRequestIn reports whether the caller may open merge requests.
	CanCreateMergeRequestIn bool `json:"can_create_merge_request_in"`
	// LicenseURL and License are nil if [GetProjectOptions.License] does not ask
	// for them, or if the repository has no known license.
	LicenseURL *string         `json:"license_url"`
	License    *ProjectLicense `json:"license"`
	// ServiceDeskAddress is the email address that creates issues from emails. It
	// is nil if that is disabled.
	ServiceDeskAddress *string `json:"service_desk_address"`
	// ContainerRegistryImagePrefix is the prefix of the names of the project's
	// images.
	ContainerRegistryImagePrefix string `json:"container_registry_image_prefix"`
	// SharedWithGroups are the groups that the project was shared with: see
	// [ProjectsService.Share].
	SharedWithGroups []SharedGroup `json:"shared_with_groups"`
	// Permissions are the caller's own, nil without a credential.
	Permissions *ProjectPermissions `json:"permissions"`
	// Statistics are nil unless the options ask for them and the caller has the
	// Reporter role.
	Statistics *ProjectStatistics `json:"statistics"`
	Links      *ProjectLinks      `json:"_links"`
	// ImportURL is nil if the project was not copied from a repository elsewhere.
	ImportURL *string `json:"import_url"`
	// ImportType names the source of an import, nil if there was none.
	ImportType *string `json:"import_type"`
	// ImportStatus is [ImportStateNone] if the project was not imported. A fork has the
	// states of an import while the service copies the repository:
	// [ProjectImportService.Wait] waits for it.
	ImportStatus ImportState `json:"import_status"`
	// ImportError says why the import failed. Only Maintainers see it.
	ImportError *string `json:"import_error"`
	// RunnersToken registers runners of the project. Only Maintainers see it.
	RunnersToken Secret `json:"runners_token"`
	// RepositoryStorage is the name of the storage that holds the repository, ""
	// if the service does not show it. Only administrators see it.
	RepositoryStorage string `json:"repository_storage"`
	// MarkedForDeletionOn is the day on which the project was marked, nil if it is
	// not going to be deleted. MarkedForDeletionAt is its older name.
	MarkedForDeletionOn *Date `json:"marked_for_deletion_on"`
	MarkedForDeletionAt *Date `json:"marked_for_deletion_at"`
	// ComplianceFrameworks are the names of the project's compliance frameworks.
	// Premium.
	ComplianceFrameworks []string `json:"compliance_frameworks"`
	// CustomAttributes is nil unless WithCustomAttributes asked for them.
	CustomAttributes *CustomAttributes `json:"custom_attributes"`
}

// ProjectLicense is the license that the service found in a repository.
type ProjectLicense struct {
	// Key is the identifier, such as "mit".
	Key     string `json:"key"`
	Name    string `json:"name"`
	HTMLURL string `json:"html_url"`
	// Nickname and SourceURL are nil if the license has none.
	Nickname  *string `json:"nickname"`
	SourceURL *string `json:"source_url"`
}

// SharedGroup is a group that a project or a group was shared with.
type SharedGroup struct {
	GroupID          int64       `json:"group_id"`
	GroupName        string      `json:"group_name"`
	GroupFullPath    string      `json:"group_full_path"`
	GroupAccessLevel AccessLevel `json:"group_access_level"`
	// ExpiresAt is the day on which the access ends, nil if it does not end.
	ExpiresAt *Date `json:"expires_at"`
}

// ProjectPermissions are the caller's roles in a project. Both are nil for a
// caller who is not a member; the higher one counts.
type ProjectPermissions struct {
	ProjectAccess *ProjectPermission `json:"project_access"`
	GroupAccess   *ProjectPermission `json:"group_access"`
}

// ProjectPermission is a role in a project.
type ProjectPermission struct {
	AccessLevel AccessLevel `json:"access_level"`
	// NotificationLevel is an undocumented number.
	NotificationLevel int `json:"notification_level"`
}

// ProjectStatistics are the sizes of a project or a group in bytes.
type ProjectStatistics struct {
	// CommitCount is a number of commits. It is 0 for a group.
	CommitCount int `json:"commit_count"`
	// StorageSize is the sum of the others.
	StorageSize           int64 `json:"storage_size"`
	RepositorySize        int64 `json:"repository_size"`
	WikiSize              int64 `json:"wiki_size"`
	LFSObjectsSize        int64 `json:"lfs_objects_size"`
	JobArtifactsSize      int64 `json:"job_artifacts_size"`
	PipelineArtifactsSize int64 `json:"pipeline_artifacts_size"`
	PackagesSize          int64 `json:"packages_size"`
	SnippetsSize          int64 `json:"snippets_size"`
	UploadsSize           int64 `json:"uploads_size"`
	ContainerRegistrySize int64 `json:"container_registry_size"`
}

// ProjectLinks are addresses of the API.
type ProjectLinks struct {
	Self string `json:"self"`
	// Issues and MergeRequests are "" if they are disabled.
	Issues        string `json:"issues"`
	MergeRequests string `json:"merge_requests"`
	RepoBranches  string `json:"repo_branches"`
	Labels        string `json:"labels"`
	Events        string `json:"events"`
	Members       string `json:"members"`
	// ClusterAgents is set since 15.0.
	ClusterAgents string `json:"cluster_agents"`
}

// ProjectShare is the result of [ProjectsService.Share].
type ProjectShare struct {
	ID          int64       `json:"id"`
	ProjectID   int64       `json:"project_id"`
	GroupID     int64       `json:"group_id"`
	GroupAccess AccessLevel `json:"group_access"`
	// ExpiresAt is the day on which the access ends, nil if it does not end.
	ExpiresAt *Date `json:"expires_at"`
}
