package serviceapi

import "time"

// RegistryRepositoryStatus is the progress of the deletion of a repository.
type RegistryRepositoryStatus string

// Steps of the deletion of a repository. The service may send others.
const (
	RegistryRepositoryStatusDeleteScheduled RegistryRepositoryStatus = "delete_scheduled"
	RegistryRepositoryStatusDeleteOngoing   RegistryRepositoryStatus = "delete_ongoing"
	RegistryRepositoryStatusDeleteFailed    RegistryRepositoryStatus = "delete_failed"
)

// RegistryRepository is a repository of container images.
type RegistryRepository struct {
	ID int64 `json:"id"`
	// Name is empty for the repository that has the path of the project
	// itself.
	Name string `json:"name"`
	// Path is the full path, "group/app/name".
	Path      string `json:"path"`
	ProjectID int64  `json:"project_id"`
	// Location is the name of the repository for container tools: the host of the
	// registry and the path.
	Location  string    `json:"location"`
	CreatedAt time.Time `json:"created_at"`
	// CleanupPolicyStartedAt is when the cleanup policy last started, nil if it
	// never did.
	CleanupPolicyStartedAt *time.Time `json:"cleanup_policy_started_at"`
	// Status is empty unless the repository is being deleted. Since about 15.3.
	Status RegistryRepositoryStatus `json:"status"`
	// DeleteAPIPath is the address of [RegistryService.DeleteRepository] for this
	// repository, empty if the caller may not delete it. Since about 15.x.
	DeleteAPIPath string `json:"delete_api_path"`

	// Tags are set if the options ask for them.
	Tags []*RegistryTag `json:"tags"`
	// TagsCount is nil unless the options ask for it.
	TagsCount *int `json:"tags_count"`
	// Size is the total size of all images in bytes; layers that they share count
	// once. It is nil unless the options ask for it. Only the hosted offering has
	// it, for repositories created after a certain date.
	Size *int64 `json:"size"`
}

// RegistryTag is a tag in a list.
type RegistryTag struct {
	Name string `json:"name"`
	// Path and Location are those of the repository, followed by ":" and the name.
	Path     string `json:"path"`
	Location string `json:"location"`
}

// RegistryTagDetails is a [RegistryTag] with details of its image.
type RegistryTagDetails struct {
	Name string `json:"name"`
	// Path and Location are those of the repository, followed by ":" and the name.
	Path     string `json:"path"`
	Location string `json:"location"`
	// Revision is the hash of the image's configuration. ShortRevision is an
	// abbreviation of it.
	Revision      string `json:"revision"`
	ShortRevision string `json:"short_revision"`
	// Digest is that of the image's manifest: "sha256:" and a hash.
	Digest string `json:"digest"`
	// CreatedAt is when the manifest was created, not when it was pushed.
	CreatedAt time.Time `json:"created_at"`
	// TotalSize is in bytes.
	TotalSize int64 `json:"total_size"`
}

// SetRegistryAccessLevelOptions says who may use a project's container registry.
type SetRegistryAccessLevelOptions struct {
	// AccessLevel is required. The default of a project is
	// [FeatureAccessLevelEnabled].
	AccessLevel FeatureAccessLevel `json:"container_registry_access_level"`
}

func (o SetRegistryAccessLevelOptions) check() error {
	return missing("AccessLevel", o.AccessLevel == "")
}

// ListRegistryRepositoriesOptions selects what is returned about repositories.
type ListRegistryRepositoriesOptions struct {
	ListOptions
	// Tags sets [RegistryRepository.Tags]. Only for a [ProjectRef].
	Tags bool `url:"tags,omitempty" only:"project"`
	// TagsCount sets [RegistryRepository.TagsCount]. Only for a [ProjectRef].
	TagsCount bool `url:"tags_count,omitempty" only:"project"`
}

// ListRegistryTagsOptions selects a page of tags.
type ListRegistryTagsOptions struct {
	ListOptions
	// Pagination is [PaginationOffset] by default. [PaginationKeyset] is faster for
	// long lists. Since about 16.x.
	Pagination Pagination `url:"pagination,omitempty"`
}

// GetRegistryRepositoryOptions selects what is returned about a repository.
type GetRegistryRepositoryOptions struct {
	// Tags sets [RegistryRepository.Tags].
	Tags bool `url:"tags,omitempty"`
	// Size sets [RegistryRepository.Size].
	Size bool `url:"size,omitempty"`
	// TagsCount sets [RegistryRepository.TagsCount].
	TagsCount bool `url:"tags_count,omitempty"`
}

// DeleteRegistryTagsOptions selects the tags that [RegistryService.DeleteTags]
// removes. The expressions have the RE2 syntax, as in package regexp. The
// service does not say whether an expression must match the whole name: write ^
// and $ around a whole name, and .* around a part of one.
type DeleteRegistryTagsOptions struct {
	// NameRegexDelete matches the names of tags to delete: ".*" matches all.
	// It is required.
	NameRegexDelete string `url:"name_regex_delete,omitempty"`
	// NameRegex is the old name of NameRegexDelete.
	//
	// Deprecated: use NameRegexDelete.
	NameRegex string `url:"name_regex,omitempty"`
	// NameRegexKeep matches the names of tags to keep. It takes precedence over
	// NameRegexDelete: with ".*", nothing is deleted. Empty keeps none by name.
	NameRegexKeep string `url:"name_regex_keep,omitempty"`
	// KeepN is the number of matching tags to keep: those whose manifests were
	// created last. 0 keeps none.
	KeepN int `url:"keep_n,omitempty"`
	// OlderThan deletes only tags whose manifest is older than this span, such as
	// "1h", "1d" or "1month". Empty deletes tags of any age.
	OlderThan string `url:"older_than,omitempty"`
}

// check refuses options that do not say what to delete.
func (o *DeleteRegistryTagsOptions) check() error {
	if o == nil || o.NameRegexDelete == "" && o.NameRegex == "" {
		return &ArgumentError{Argument: "name_regex_delete", Problem: `is missing; ".*" deletes all tags`}
	}
	return nil
}
