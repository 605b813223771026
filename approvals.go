package serviceapi

// ApprovalsService gives access to the approvals of merge requests.
type ApprovalsService service
