package serviceapi

// EpicsService gives access to the epics of a group.
type EpicsService service
