package serviceapi

// PipelinesService gives access to CI/CD pipelines.
type PipelinesService service
