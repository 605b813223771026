package webhook

import (
	"cmp"
	"encoding/json"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/internal/jsonx"
	jsonv2 "github.com/go-json-experiment/json"
)

// Project is a project as events show it.
type Project struct {
	ID          int64  `json:"id"` // 0 in events of very old releases
	Name        string `json:"name"`
	Description string `json:"description"`
	WebURL      string `json:"web_url"`
	AvatarURL   string `json:"avatar_url"`
	GitSSHURL   string `json:"git_ssh_url"`
	GitHTTPURL  string `json:"git_http_url"`
	// Namespace is the name of the namespace, not its path.
	Namespace         string          `json:"namespace"`
	VisibilityLevel   VisibilityLevel `json:"visibility_level"`
	PathWithNamespace string          `json:"path_with_namespace"`
	DefaultBranch     string          `json:"default_branch"`
	CIConfigPath      string          `json:"ci_config_path"`
	// Homepage, URL, SSHURL and HTTPURL are old names of the addresses. Events of
	// pipelines and jobs do not have them.
	Homepage string `json:"homepage"`
	URL      string `json:"url"`
	SSHURL   string `json:"ssh_url"`
	HTTPURL  string `json:"http_url"`
	// Visibility is sent by very old releases instead of VisibilityLevel.
	Visibility serviceapi.Visibility `json:"visibility"`
	// Extra has the members without a field.
	Extra map[string]json.RawMessage `json:",inline,embed"`
}

// Ref identifies the project by its ID, or by its path in events of very old
// releases, which have no ID.
func (p *Project) Ref() serviceapi.ProjectRef {
	switch {
	case p == nil:
		return serviceapi.ProjectRef{}
	case p.ID == 0 && p.PathWithNamespace != "":
		return serviceapi.ProjectPath(p.PathWithNamespace)
	}
	return serviceapi.ProjectID(p.ID)
}

// A VisibilityLevel says who can see a project, as a number.
type VisibilityLevel int

// Levels of visibility.
const (
	VisibilityLevelPrivate  VisibilityLevel = 0
	VisibilityLevelInternal VisibilityLevel = 10
	VisibilityLevelPublic   VisibilityLevel = 20
)

// Group is a group as events show it.
type Group struct {
	ID       int64  `json:"group_id"`
	Name     string `json:"group_name"`
	Path     string `json:"group_path"`
	FullPath string `json:"full_path"` // since 17.4
}

// Ref identifies the group by its ID.
func (g *Group) Ref() serviceapi.GroupRef {
	if g == nil {
		return serviceapi.GroupRef{}
	}
	return serviceapi.GroupID(g.ID)
}

// Repository is a short form of the project in older events. Use [Project].
type Repository struct {
	Name        string `json:"name"`
	URL         string `json:"url"`
	Description string `json:"description"`
	Homepage    string `json:"homepage"`
	// GitHTTPURL, GitSSHURL and VisibilityLevel are sent only by events of pushes
	// and jobs.
	GitHTTPURL      string           `json:"git_http_url"`
	GitSSHURL       string           `json:"git_ssh_url"`
	VisibilityLevel *VisibilityLevel `json:"visibility_level"`
}

// User is a user as events show it.
type User struct {
	ID        int64  `json:"id"` // 0 in events of very old releases
	Name      string `json:"name"`
	Username  string `json:"username"`
	AvatarURL string `json:"avatar_url"`
	Email     string `json:"email"` // "[REDACTED]" if it is not public
}

// Ref identifies the user by ID, or by name in events of very old releases, which
// have no ID.
func (u *User) Ref() serviceapi.UserRef {
	switch {
	case u == nil:
		return serviceapi.UserRef{}
	case u.ID == 0 && u.Username != "":
		return serviceapi.Username(u.Username)
	}
	return serviceapi.UserID(u.ID)
}

// Reviewer is a reviewer of a merge request.
type Reviewer struct {
	ID        int64  `json:"id"`
	Name      string `json:"name"`
	Username  string `json:"username"`
	AvatarURL string `json:"avatar_url"`
	Email     string `json:"email"`
	// State and ReRequested are sent since 18.x.
	State       ReviewState `json:"state"`
	ReRequested *bool       `json:"re_requested"`
}

// Ref identifies the user by ID.
func (r *Reviewer) Ref() serviceapi.UserRef {
	if r == nil {
		return serviceapi.UserRef{}
	}
	return serviceapi.UserID(r.ID)
}

// A ReviewState says how far a review has come.
type ReviewState string

// States of a review.
const (
	ReviewStateUnreviewed       ReviewState = "unreviewed"
	ReviewStateReviewStarted    ReviewState = "review_started"
	ReviewStateReviewed         ReviewState = "reviewed"
	ReviewStateRequestedChanges ReviewState = "requested_changes"
	ReviewStateApproved         ReviewState = "approved"
	ReviewStateUnapproved       ReviewState = "unapproved"
)

// Commit is a commit as events show it.
type Commit struct {
	ID        string    `json:"id"` // the hash
	Message   string    `json:"message"`
	Title     string    `json:"title"`
	Timestamp time.Time `json:"timestamp"` // with the author's offset
	URL       string    `json:"url"`
	Author    Author    `json:"author"`
	// Added, Modified and Removed are paths. Only events of pushes have them.
	Added    []string `json:"added"`
	Modified []string `json:"modified"`
	Removed  []string `json:"removed"`
}

func (c *Commit) ref(project *Project) serviceapi.CommitRef {
	if c == nil {
		return serviceapi.CommitRef{}
	}
	return commitIn(project.Ref(), c.ID)
}

// Author is the author of a commit.
type Author struct {
	Name  string `json:"name"`
	Email string `json:"email"`
}

// Label is a label of an issue or a merge request.
type Label struct {
	ID          int64     `json:"id"`
	Title       string    `json:"title"` // the name of the label, which results of calls have in the field Name
	Color       string    `json:"color"`
	ProjectID   *int64    `json:"project_id"` // nil for the label of a group
	GroupID     *int64    `json:"group_id"`   // nil for the label of a project
	CreatedAt   time.Time `json:"created_at"`
	UpdatedAt   time.Time `json:"updated_at"`
	Template    bool      `json:"template"`
	Description string    `json:"description"`
	Type        LabelType `json:"type"`
}

// A LabelType says what a label belongs to.
type LabelType string

// Types of labels.
const (
	LabelTypeProject LabelType = "ProjectLabel"
	LabelTypeGroup   LabelType = "GroupLabel"
)

// Runner is the runner of a job.
type Runner struct {
	ID          int64                 `json:"id"`
	Description string                `json:"description"`
	RunnerType  serviceapi.RunnerType `json:"runner_type"`
	Active      bool                  `json:"active"`
	IsShared    bool                  `json:"is_shared"`
	Tags        []string              `json:"tags"`
}

// Environment is the environment of a job.
type Environment struct {
	Name           string                     `json:"name"`
	Action         EnvironmentAction          `json:"action"`
	DeploymentTier serviceapi.EnvironmentTier `json:"deployment_tier"`
}

// An EnvironmentAction says what a job does with its environment.
type EnvironmentAction string

// Actions of jobs on environments. There are others.
const (
	EnvironmentActionStart EnvironmentAction = "start"
	EnvironmentActionStop  EnvironmentAction = "stop"
)

// SourcePipeline is the pipeline that started another one.
type SourcePipeline struct {
	Project    SourceProject `json:"project"`
	PipelineID int64         `json:"pipeline_id"`
	JobID      *int64        `json:"job_id"`
}

// SourceProject is the project of a [SourcePipeline].
type SourceProject struct {
	ID                int64  `json:"id"`
	WebURL            string `json:"web_url"`
	PathWithNamespace string `json:"path_with_namespace"`
}

// Ref identifies the project by its ID.
func (p *SourceProject) Ref() serviceapi.ProjectRef {
	if p == nil {
		return serviceapi.ProjectRef{}
	}
	return serviceapi.ProjectID(p.ID)
}

// A Change has a value as it was before an event and as it is now. Null is the zero value
// of T.
type Change[T any] struct {
	Previous T `json:"previous"`
	Current  T `json:"current"`
}

// MarshalJSON encodes an object with previous and current, as UnmarshalJSON decodes it: the
// members without a field are among the others, also for encoding/json.
func (c Change[T]) MarshalJSON() ([]byte, error) {
	type plain Change[T]
	return jsonv2.Marshal(plain(c), jsonv2.FormatNilSliceAsNull(true), jsonv2.FormatNilMapAsNull(true))
}

// UnmarshalJSON decodes an object with previous and current, or an array of the two, which
// some releases send for reviewers. If one of them is of the wrong kind, the other is kept.
func (c *Change[T]) UnmarshalJSON(data []byte) error {
	*c = Change[T]{}
	type object Change[T]                         // without this method
	_, isRaw := any(c).(*Change[json.RawMessage]) // which would keep a null
	if !isRaw && strictly(data, (*object)(c)) == nil {
		return nil
	}
	*c = Change[T]{}
	if list := []json.RawMessage(nil); strictly(data, &list) == nil && len(list) == 2 {
		return cmp.Or(within("/0", decodeIfSet(list[0], &c.Previous)), within("/1", decodeIfSet(list[1], &c.Current)))
	}
	var sides map[string]json.RawMessage
	if err := strictly(data, &sides); err != nil {
		return jsonx.ErrWrongKind
	}
	return cmp.Or(within("/previous", decodeIfSet(sides["previous"], &c.Previous)),
		within("/current", decodeIfSet(sides["current"], &c.Current)))
}

// Flag is a boolean that some releases send as a string, such as "1".
type Flag bool

// UnmarshalJSON decodes a boolean, a string, a number or null.
func (f *Flag) UnmarshalJSON(data []byte) error {
	text := string(data)
	if jsonx.IsString(data) {
		text = jsonx.Text(data)
	}
	switch text {
	case "true", "1", "yes", "on":
		*f = true
	case "false", "0", "no", "off", "", "null":
		*f = false
	default:
		return jsonx.ErrWrongKind
	}
	return nil
}
