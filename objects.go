package serviceapi

import "time"

// UserSummary is the short form of a user in other objects.
type UserSummary struct {
	ID       int64     `json:"id"`
	Name     string    `json:"name"`
	Username string    `json:"username"`
	State    UserState `json:"state"`
	// Locked reports whether the user cannot sign in after too many failed
	// attempts. Since about 16.x.
	Locked bool `json:"locked"`
	// PublicEmail is the email address that everyone can see, in later releases.
	// It is empty if there is none.
	PublicEmail string `json:"public_email"`
	// AvatarURL is empty if the user has no picture.
	AvatarURL string `json:"avatar_url"`
	WebURL    string `json:"web_url"`
}

// CommitSummary is the short form of a commit, as part of jobs and deployments.
// In jobs, older releases leave out the fields from ParentIDs on.
type CommitSummary struct {
	// ID is the full commit hash.
	ID          string    `json:"id"`
	ShortID     string    `json:"short_id"`
	Title       string    `json:"title"`
	Message     string    `json:"message"`
	AuthorName  string    `json:"author_name"`
	AuthorEmail string    `json:"author_email"`
	CreatedAt   time.Time `json:"created_at"`

	ParentIDs []string `json:"parent_ids"`
	// AuthoredDate is when the change was made, nil except in deployments.
	AuthoredDate   *time.Time `json:"authored_date"`
	CommitterName  string     `json:"committer_name"`
	CommitterEmail string     `json:"committer_email"`
	// CommittedDate is when the commit was made, nil except in deployments.
	CommittedDate *time.Time `json:"committed_date"`
	WebURL        string     `json:"web_url"`
	// ExtendedTrailers are as in [Commit]. Since about 15.11.
	ExtendedTrailers map[string][]string `json:"extended_trailers"`
}

// PipelineSummary is the short form of a pipeline in other objects. Some
// objects leave out IID, ProjectID, Source, CreatedAt, UpdatedAt and WebURL,
// which are then 0, empty or nil.
type PipelineSummary struct {
	ID int64 `json:"id"`
	// IID is the number of the pipeline in its project.
	IID       int64 `json:"iid"`
	ProjectID int64 `json:"project_id"`
	// Source is what started the pipeline.
	Source PipelineSource `json:"source"`
	Ref    string         `json:"ref"`
	SHA    string         `json:"sha"`
	Status PipelineStatus `json:"status"`
	// CreatedAt is nil in objects that leave it out.
	CreatedAt *time.Time `json:"created_at"`
	// UpdatedAt is nil in objects that leave it out.
	UpdatedAt *time.Time `json:"updated_at"`
	WebURL    string     `json:"web_url"`
}

// ProjectSummary is the short form of a project in other objects.
type ProjectSummary struct {
	ID int64 `json:"id"`
	// Description is empty if the project has none.
	Description       string `json:"description"`
	Name              string `json:"name"`
	NameWithNamespace string `json:"name_with_namespace"`
	Path              string `json:"path"`
	PathWithNamespace string `json:"path_with_namespace"`
	// CreatedAt is nil for the projects of a runner.
	CreatedAt *time.Time `json:"created_at"`
}
