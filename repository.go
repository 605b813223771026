package serviceapi

// RepositoryService gives access to a repository's tree, comparisons and archives.
type RepositoryService service
