package servicetest

// deploymentObject is the form of a deployment. The members from
// PendingApprovalCount on are there in the premium tier alone.
type deploymentObject struct {
	ID          int64            `json:"id"`
	IID         int64            `json:"iid"`
	Ref         string           `json:"ref"`
	SHA         string           `json:"sha"`
	CreatedAt   jsonTime         `json:"created_at"`
	UpdatedAt   jsonTime         `json:"updated_at"`
	Status      string           `json:"status"`
	User        *userSummary     `json:"user"`
	Environment deploymentTarget `json:"environment"`
	Deployable  *deployable      `json:"deployable"`

	PendingApprovalCount *int64           `json:"pending_approval_count,omitempty"`
	Approvals            *[]approval      `json:"approvals,omitempty"`
	ApprovalSummary      *approvalSummary `json:"approval_summary,omitempty"`
}

type deploymentTarget struct {
	ID          int64    `json:"id"`
	Name        string   `json:"name"`
	ExternalURL jsonText `json:"external_url"`
}

// deployable is the form of a job in its deployment.
type deployable struct {
	ID                int64            `json:"id"`
	Status            string           `json:"status"`
	Stage             string           `json:"stage"`
	Name              string           `json:"name"`
	Ref               string           `json:"ref"`
	Tag               bool             `json:"tag"`
	Coverage          *float64         `json:"coverage"`
	CreatedAt         jsonTime         `json:"created_at"`
	StartedAt         jsonTime         `json:"started_at"`
	FinishedAt        jsonTime         `json:"finished_at"`
	User              *userExtended    `json:"user"`
	Commit            deployedCommit   `json:"commit"`
	Pipeline          *pipelineDetails `json:"pipeline"`
	WebURL            string           `json:"web_url"`
	Artifacts         []artifactObject `json:"artifacts"`
	Runner            *runnerSummary   `json:"runner"`
	ArtifactsExpireAt jsonTime         `json:"artifacts_expire_at"`
}

// deployedCommit is the form of a commit in deployments.
type deployedCommit struct {
	commitSummary

	ParentIDs      []string `json:"parent_ids"`
	AuthoredDate   jsonTime `json:"authored_date"`
	CommitterName  string   `json:"committer_name"`
	CommitterEmail string   `json:"committer_email"`
	CommittedDate  jsonTime `json:"committed_date"`
}

func (d *Deployment) object() *deploymentObject {
	e := d.environment
	o := &deploymentObject{
		ID: d.id, IID: d.iid, Ref: d.ref, SHA: d.sha, CreatedAt: jsonTime(d.createdAt), UpdatedAt: jsonTime(d.updatedAt),
		Status: d.status, User: d.user.summary(), Environment: deploymentTarget{e.id, e.name, jsonText(e.externalURL)},
		Deployable: d.job.deployable(),
	}
	if d.svc.settings.tier >= Premium {
		d.showApprovals(o)
	}
	return o
}

// deployable returns the form of a job in its deployment, nil for no job.
func (j *Job) deployable() *deployable {
	if j == nil {
		return nil
	}
	j.expire()
	core, c := j.core(), j.pipeline.commit
	return &deployable{
		ID: core.ID, Status: core.Status, Stage: core.Stage, Name: core.Name, Ref: core.Ref, Tag: core.Tag,
		Coverage: core.Coverage, CreatedAt: core.CreatedAt, StartedAt: core.StartedAt, FinishedAt: core.FinishedAt,
		User: core.User, Pipeline: j.pipeline.details(), WebURL: core.WebURL, Artifacts: j.artifacts(),
		Runner: j.runner.summary(), ArtifactsExpireAt: jsonTime(j.expireAt),
		Commit: deployedCommit{
			commitSummary: summaryOf(c), ParentIDs: append([]string{}, c.Parents...), AuthoredDate: jsonTime(c.Author.At),
			CommitterName: c.Committer.Name, CommitterEmail: c.Committer.Email, CommittedDate: jsonTime(c.Committer.At),
		},
	}
}
