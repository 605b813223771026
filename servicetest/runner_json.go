package servicetest

import "strconv"

// runnerSummary is the form of a runner in lists and jobs.
type runnerSummary struct {
	ID          int64    `json:"id"`
	Description string   `json:"description"`
	IPAddress   string   `json:"ip_address"`
	Active      bool     `json:"active"`
	Paused      bool     `json:"paused"`
	IsShared    bool     `json:"is_shared"`
	RunnerType  string   `json:"runner_type"`
	Name        jsonText `json:"name"`
	Online      *bool    `json:"online"`
	Status      string   `json:"status"`
}

// runnerDetails is the full form of a runner.
type runnerDetails struct {
	runnerSummary

	Architecture   jsonText        `json:"architecture"`
	Platform       jsonText        `json:"platform"`
	Revision       jsonText        `json:"revision"`
	Version        jsonText        `json:"version"`
	ContactedAt    jsonTime        `json:"contacted_at"`
	Projects       []runnerProject `json:"projects"`
	TagList        []string        `json:"tag_list"`
	AccessLevel    string          `json:"access_level"`
	MaximumTimeout *int64          `json:"maximum_timeout"`
}

type runnerProject struct {
	ID                int64  `json:"id"`
	Name              string `json:"name"`
	NameWithNamespace string `json:"name_with_namespace"`
	Path              string `json:"path"`
	PathWithNamespace string `json:"path_with_namespace"`
}

// summary returns the form in lists and jobs; nil, which is null, for no
// runner.
func (r *Runner) summary() *runnerSummary {
	if r == nil {
		return nil
	}
	return &runnerSummary{
		ID: r.id, Description: r.description, IPAddress: r.ipAddress,
		Active: !r.paused, Paused: r.paused, IsShared: r.kind == "instance_type",
		RunnerType: r.kind, Name: jsonText(r.name), Online: r.online, Status: r.status,
	}
}

func (r *Runner) details() *runnerDetails {
	d := &runnerDetails{
		runnerSummary: *r.summary(), Architecture: jsonText(r.architecture), Platform: jsonText(r.platform),
		Revision: jsonText(r.revision), Version: jsonText(r.version), ContactedAt: jsonTime(r.contactedAt),
		Projects: []runnerProject{}, TagList: append([]string{}, r.tags...), AccessLevel: r.accessLevel,
	}
	for _, p := range r.projects {
		d.Projects = append(d.Projects, runnerProject{p.id, p.name, p.fullName(), p.path, p.fullPath()})
	}
	if r.maximumTimeout > 0 {
		d.MaximumTimeout = &r.maximumTimeout
	}
	return d
}

// changedAt returns the stamp of a runner that may be nil.
func (r *Runner) changedAt() uint64 {
	if r == nil {
		return 0
	}
	return r.changed
}

func itoa(id int64) string { return strconv.FormatInt(id, 10) }
