package serviceapi

// LabelsService gives access to the labels of projects and groups.
type LabelsService service
