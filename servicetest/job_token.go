package servicetest

// agents are the cluster agents that a project's jobs may use.
type agents struct {
	last    int64
	allowed map[*Project][]agent
}

type agent struct {
	id     int64
	config *Project
}

// AllowAgent lets the project's jobs use a cluster agent that is configured in
// a project, and returns the agent's ID.
func (p *Project) AllowAgent(config *Project) int64 {
	defer p.svc.lock()()
	all := state[agents](p.svc)
	if all.allowed == nil {
		all.allowed = make(map[*Project][]agent)
	}
	all.last++
	all.allowed[p] = append(all.allowed[p], agent{all.last, config})
	return all.last
}

type allowedAgents struct {
	AllowedAgents []allowedAgent   `json:"allowed_agents"`
	Job           agentJob         `json:"job"`
	Pipeline      *pipelineDetails `json:"pipeline"`
	Project       *projectSummary  `json:"project"`
	User          *userSummary     `json:"user"`
}

type allowedAgent struct {
	ID            int64           `json:"id"`
	ConfigProject *projectSummary `json:"config_project"`
}

type agentJob struct {
	ID          int64  `json:"id"`
	Name        string `json:"name"`
	Stage       string `json:"stage"`
	ProjectID   int64  `json:"project_id"`
	ProjectName string `json:"project_name"`
}

// getTokenJob answers with the job whose token the caller uses.
func getTokenJob(c *call) *reply {
	job := c.job()
	if job == nil {
		return notFound("Job")
	}
	return c.ok(job.json())
}

func getAllowedAgents(c *call) *reply {
	job := c.job()
	if job == nil {
		return notFound("Job")
	}
	project := job.pipeline.project
	list := []allowedAgent{}
	for _, a := range state[agents](c.svc).allowed[project] {
		list = append(list, allowedAgent{a.id, a.config.summary()})
	}
	return c.ok(allowedAgents{
		AllowedAgents: list,
		Job:           agentJob{job.id, job.name, job.stage, project.id, project.name},
		Pipeline:      job.pipeline.details(),
		Project:       project.summary(),
		User:          job.user.summary(),
	})
}
