package serviceapi

// BranchesService gives access to the branches of a repository.
type BranchesService service
