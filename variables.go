package serviceapi

// VariablesService gives access to the CI/CD variables of projects and groups.
type VariablesService service
