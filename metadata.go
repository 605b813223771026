package serviceapi

// MetadataService gives access to the instance's version.
type MetadataService service
