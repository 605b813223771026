package serviceapi

// IssuesService gives access to issues.
type IssuesService service
