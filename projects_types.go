package serviceapi

// Project is a repository with its merge requests, pipelines and members.
type Project struct {
	ProjectSummary
	// ContainerRegistryAccessLevel says who may use the project's container
	// registry.
	ContainerRegistryAccessLevel RegistryAccessLevel `json:"container_registry_access_level"`
	// Archived projects are read-only. The move of their repository to another
	// storage fails: see [StorageMovesService].
	Archived bool `json:"archived"`
	// RepositoryStorage names the storage that holds the repository; "" where
	// the service does not show it.
	RepositoryStorage string `json:"repository_storage"`
}

// RegistryAccessLevel says who may use a project's container registry.
type RegistryAccessLevel string

// Access levels of a container registry. RegistryEnabled is the default:
// everybody who may see the project. RegistryPrivate is members alone.
const (
	RegistryEnabled  RegistryAccessLevel = "enabled"
	RegistryPrivate  RegistryAccessLevel = "private"
	RegistryDisabled RegistryAccessLevel = "disabled"
)
