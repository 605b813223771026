package serviceapi

// SnippetsService gives access to the snippets of a project.
type SnippetsService service
