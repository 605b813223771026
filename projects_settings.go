package serviceapi

import "time"

// ContainerExpirationPolicy is the policy by which the service removes tags
// from the container registry of a project.
type ContainerExpirationPolicy struct {
	Enabled bool `json:"enabled"`
	// Cadence is the time between two runs, such as "1d".
	Cadence string `json:"cadence"`
	// KeepN is the number of tags of each image that are kept, nil for none.
	KeepN *int `json:"keep_n"`
	// OlderThan is the age from which tags are removed, such as "90d", "" for
	// any.
	OlderThan string `json:"older_than"`
	// NameRegex and NameRegexKeep match the names of tags to remove and to keep,
	// "" for none.
	NameRegex     string `json:"name_regex"`
	NameRegexKeep string `json:"name_regex_keep"`
	// NextRunAt is when the service applies the policy next, nil if it is not
	// going to.
	NextRunAt *time.Time `json:"next_run_at"`
}
