package serviceapi

// DiscussionsService gives access to the threads of notes on merge requests and issues.
type DiscussionsService service
