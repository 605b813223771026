package servicetest

// runnerSummary is the JSON of a runner in lists and jobs.
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

// runnerDetails is the full JSON of a runner.
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
	RunUntagged    bool            `json:"run_untagged"`
	Locked         bool            `json:"locked"`
	Groups         []runnerGroup   `json:"groups"`
	// MaintenanceNote is for those who may change the runner.
	MaintenanceNote *jsonText `json:"maintenance_note,omitempty"`
}

type runnerGroup struct {
	ID     int64  `json:"id"`
	Name   string `json:"name"`
	WebURL string `json:"web_url"`
}

type runnerProject struct {
	ID                int64  `json:"id"`
	Name              string `json:"name"`
	NameWithNamespace string `json:"name_with_namespace"`
	Path              string `json:"path"`
	PathWithNamespace string `json:"path_with_namespace"`
}

// summary returns the JSON for lists and jobs. It is nil, that is null, for no
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

// runnerDetails returns the full JSON of a runner, as the caller sees it.
func (c *call) runnerDetails(r *Runner) *runnerDetails {
	d := &runnerDetails{
		runnerSummary: *r.summary(), Architecture: jsonText(r.architecture), Platform: jsonText(r.platform),
		Revision: jsonText(r.revision), Version: jsonText(r.version), ContactedAt: jsonTime(r.contactedAt),
		Projects: []runnerProject{}, TagList: append([]string{}, r.tags...), AccessLevel: r.accessLevel,
		RunUntagged: r.runUntagged, Locked: r.locked, Groups: []runnerGroup{},
	}
	for _, g := range r.groups {
		d.Groups = append(d.Groups, runnerGroup{g.id, g.name, g.webURL()})
	}
	if c.manages(r) {
		d.MaintenanceNote = new(jsonText(r.maintenanceNote))
	}
	for _, p := range r.projects {
		d.Projects = append(d.Projects, runnerProject{p.id, p.name, p.fullName(), p.path, p.fullPath()})
	}
	if r.maximumTimeout > 0 {
		d.MaximumTimeout = &r.maximumTimeout
	}
	return d
}
