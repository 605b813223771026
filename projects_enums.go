package serviceapi

// Visibility says who can see a project or a group.
type Visibility string

// Visibilities. VisibilityPrivate is for members, VisibilityInternal for every
// signed-in user but external ones, VisibilityPublic for everybody.
const (
	VisibilityPrivate  Visibility = "private"
	VisibilityInternal Visibility = "internal"
	VisibilityPublic   Visibility = "public"
)

// Visibilities returns all visibilities, the most restrictive first.
func Visibilities() []Visibility {
	return []Visibility{VisibilityPrivate, VisibilityInternal, VisibilityPublic}
}

// FeatureAccessLevel says who may use a part of a project, such as its
// container registry.
type FeatureAccessLevel string

// Access levels of a part of a project. FeatureEnabled is for everybody who may
// see the project, FeaturePrivate only for its members, FeatureDisabled for
// nobody. FeaturePublic is for everybody; only a few parts can have it.
const (
	FeatureDisabled FeatureAccessLevel = "disabled"
	FeaturePrivate  FeatureAccessLevel = "private"
	FeatureEnabled  FeatureAccessLevel = "enabled"
	FeaturePublic   FeatureAccessLevel = "public"
)

// MergeMethod is how the merge requests of a project are merged.
type MergeMethod string

// Methods of merging. MergeMethodMerge always makes a merge commit,
// MergeMethodRebaseMerge makes one of branches that are up to date,
// MergeMethodFastForward makes none.
const (
	MergeMethodMerge       MergeMethod = "merge"
	MergeMethodRebaseMerge MergeMethod = "rebase_merge"
	MergeMethodFastForward MergeMethod = "ff"
)

// SquashOption says whether the commits of a merge request become one.
type SquashOption string

// Rules for squashing. With SquashDefaultOn and SquashDefaultOff the author of
// the merge request decides.
const (
	SquashNever      SquashOption = "never"
	SquashAlways     SquashOption = "always"
	SquashDefaultOn  SquashOption = "default_on"
	SquashDefaultOff SquashOption = "default_off"
)

// GitStrategy is how a job gets the repository.
type GitStrategy string

// Strategies of a job. GitStrategyFetch reuses what an earlier job left behind.
const (
	GitStrategyFetch GitStrategy = "fetch"
	GitStrategyClone GitStrategy = "clone"
)

// AutoCancelPipelines says whether pipelines for older commits of a branch are
// canceled.
type AutoCancelPipelines string

// Values of [AutoCancelPipelines].
const (
	AutoCancelEnabled  AutoCancelPipelines = "enabled"
	AutoCancelDisabled AutoCancelPipelines = "disabled"
)

// AutoDevOpsStrategy is how a pipeline of the service's own deploys.
type AutoDevOpsStrategy string

// Strategies of deployment.
const (
	AutoDevOpsContinuous       AutoDevOpsStrategy = "continuous"
	AutoDevOpsManual           AutoDevOpsStrategy = "manual"
	AutoDevOpsTimedIncremental AutoDevOpsStrategy = "timed_incremental"
)

// PipelineVariablesRole is the role that may give a pipeline variables of its
// own.
type PipelineVariablesRole string

// Roles for variables of pipelines.
const (
	PipelineVariablesRoleOwner      PipelineVariablesRole = "owner"
	PipelineVariablesRoleMaintainer PipelineVariablesRole = "maintainer"
	PipelineVariablesRoleDeveloper  PipelineVariablesRole = "developer"
	PipelineVariablesRoleNobody     PipelineVariablesRole = "no_one_allowed"
)

// ObjectFormat is the hash that a repository uses.
type ObjectFormat string

// Hashes of repositories.
const (
	ObjectFormatSHA1   ObjectFormat = "sha1"
	ObjectFormatSHA256 ObjectFormat = "sha256"
)

// ProjectOrder is an order of a list of projects. For administrators the sizes
// of [ProjectStatistics] are orders too, such as "storage_size".
type ProjectOrder string

// Orders of projects. ProjectsByCreatedAt is the default. ProjectsByID is the
// one that keyset pagination has. ProjectsBySimilarity requires a search.
const (
	ProjectsByID             ProjectOrder = "id"
	ProjectsByName           ProjectOrder = "name"
	ProjectsByPath           ProjectOrder = "path"
	ProjectsByCreatedAt      ProjectOrder = "created_at"
	ProjectsByUpdatedAt      ProjectOrder = "updated_at"
	ProjectsByLastActivityAt ProjectOrder = "last_activity_at"
	ProjectsBySimilarity     ProjectOrder = "similarity"
	ProjectsByStarCount      ProjectOrder = "star_count"
)
