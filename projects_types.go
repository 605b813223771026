package serviceapi

// Project is a repository with its merge requests, pipelines and members.
type Project struct {
	ProjectSummary
	// ContainerRegistryAccessLevel says who may use the project's container
	// registry.
	ContainerRegistryAccessLevel RegistryAccessLevel `json:"container_registry_access_level"`
	// Archived projects are read-only, and their repositories cannot be moved to
	// another storage: see [StorageMovesService].
	Archived bool `json:"archived"`
	// RepositoryStorage is the name of the storage that holds the repository, ""
	// if the service does not show it.
	RepositoryStorage string `json:"repository_storage"`
}

// RegistryAccessLevel says who may use a project's container registry.
type RegistryAccessLevel string

// Access levels of a container registry. RegistryEnabled, the default, is for
// everybody who may see the project, RegistryPrivate only for its members.
const (
	RegistryEnabled  RegistryAccessLevel = "enabled"
	RegistryPrivate  RegistryAccessLevel = "private"
	RegistryDisabled RegistryAccessLevel = "disabled"
)
