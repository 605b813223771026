package serviceapi

// RunnerType says whose runner it is.
type RunnerType string

// Types of runners.
const (
	RunnerInstance RunnerType = "instance_type"
	RunnerGroup    RunnerType = "group_type"
	RunnerProject  RunnerType = "project_type"
)

// RunnerStatus is the state of a runner.
type RunnerStatus string

// States of a runner. RunnerPaused is seen in old answers only: see
// [Runner.Paused].
const (
	RunnerOnline         RunnerStatus = "online"
	RunnerOffline        RunnerStatus = "offline"
	RunnerStale          RunnerStatus = "stale"
	RunnerNeverContacted RunnerStatus = "never_contacted"
	RunnerPaused         RunnerStatus = "paused"
)

// Runner is an agent that runs jobs.
type Runner struct {
	ID          int64  `json:"id"`
	Description string `json:"description"`
	IPAddress   string `json:"ip_address"`
	// Deprecated: use Paused, which says the opposite.
	Active bool `json:"active"`
	// Paused tells whether the runner takes no jobs.
	Paused     bool       `json:"paused"`
	IsShared   bool       `json:"is_shared"`
	RunnerType RunnerType `json:"runner_type"`
	// Name is nil if the runner has not said it yet.
	Name *string `json:"name"`
	// Online is nil where the service does not know.
	Online *bool        `json:"online"`
	Status RunnerStatus `json:"status"`
}
