package serviceapi

// MilestonesService gives access to the milestones of projects and groups.
type MilestonesService service
