package serviceapi

// Visibility says who can see a project, a group or a snippet.
type Visibility string

// Visibilities. VisibilityPrivate is for members, which for a snippet are those
// of its project, VisibilityInternal for all signed-in users except external
// ones, and VisibilityPublic for everyone.
const (
	VisibilityPrivate  Visibility = "private"
	VisibilityInternal Visibility = "internal"
	VisibilityPublic   Visibility = "public"
)

// FeatureAccessLevel says who may use a part of a project, such as its
// container registry.
type FeatureAccessLevel string

// Access levels of a part of a project. FeatureAccessLevelEnabled is for
// everyone who may see the project, FeatureAccessLevelPrivate only for its
// members, and FeatureAccessLevelDisabled for no one. FeatureAccessLevelPublic
// is for everyone; only a few parts can have it.
const (
	FeatureAccessLevelDisabled FeatureAccessLevel = "disabled"
	FeatureAccessLevelPrivate  FeatureAccessLevel = "private"
	FeatureAccessLevelEnabled  FeatureAccessLevel = "enabled"
	FeatureAccessLevelPublic   FeatureAccessLevel = "public"
)

// MergeMethod is how the merge requests of a project are merged.
type MergeMethod string

// Merge methods. MergeMethodMerge always creates a merge commit,
// MergeMethodRebaseMerge creates one after a fast-forward check, and
// MergeMethodFastForward creates none.
const (
	MergeMethodMerge       MergeMethod = "merge"
	MergeMethodRebaseMerge MergeMethod = "rebase_merge"
	MergeMethodFastForward MergeMethod = "ff"
)

// SquashOption says whether the commits of a merge request are squashed.
type SquashOption string

// Rules for squashing. With SquashOptionDefaultOn and SquashOptionDefaultOff,
// the author of the merge request decides.
const (
	SquashOptionNever      SquashOption = "never"
	SquashOptionAlways     SquashOption = "always"
	SquashOptionDefaultOn  SquashOption = "default_on"
	SquashOptionDefaultOff SquashOption = "default_off"
)

// GitStrategy is how a job gets the repository.
type GitStrategy string

// Git strategies. GitStrategyFetch reuses the working copy of an earlier job.
const (
	GitStrategyFetch GitStrategy = "fetch"
	GitStrategyClone GitStrategy = "clone"
)

// AutoCancelPipelines says whether pipelines for older commits of a branch are
// canceled.
type AutoCancelPipelines string

// Values of [AutoCancelPipelines].
const (
	AutoCancelPipelinesEnabled  AutoCancelPipelines = "enabled"
	AutoCancelPipelinesDisabled AutoCancelPipelines = "disabled"
)

// AutoDevOpsStrategy is how a predefined pipeline deploys.
type AutoDevOpsStrategy string

// Deployment strategies.
const (
	AutoDevOpsStrategyContinuous       AutoDevOpsStrategy = "continuous"
	AutoDevOpsStrategyManual           AutoDevOpsStrategy = "manual"
	AutoDevOpsStrategyTimedIncremental AutoDevOpsStrategy = "timed_incremental"
)

// PipelineVariablesRole is the lowest role that may set variables when it
// starts a pipeline.
type PipelineVariablesRole string

// Roles that may set pipeline variables.
const (
	PipelineVariablesRoleOwner      PipelineVariablesRole = "owner"
	PipelineVariablesRoleMaintainer PipelineVariablesRole = "maintainer"
	PipelineVariablesRoleDeveloper  PipelineVariablesRole = "developer"
	PipelineVariablesRoleNobody     PipelineVariablesRole = "no_one_allowed"
)

// ObjectFormat is the hash function that a repository uses.
type ObjectFormat string

// Hash functions of repositories.
const (
	ObjectFormatSHA1   ObjectFormat = "sha1"
	ObjectFormatSHA256 ObjectFormat = "sha256"
)

// ProjectOrderBy is an order of a list of projects. Administrators can also order
// by the sizes in [ProjectStatistics], such as "storage_size".
type ProjectOrderBy string

// Orders of projects. ProjectOrderByCreatedAt is the default. ProjectOrderByID
// is the only order for keyset pagination. ProjectOrderBySimilarity requires a
// search.
const (
	ProjectOrderByID             ProjectOrderBy = "id"
	ProjectOrderByName           ProjectOrderBy = "name"
	ProjectOrderByPath           ProjectOrderBy = "path"
	ProjectOrderByCreatedAt      ProjectOrderBy = "created_at"
	ProjectOrderByUpdatedAt      ProjectOrderBy = "updated_at"
	ProjectOrderByLastActivityAt ProjectOrderBy = "last_activity_at"
	ProjectOrderBySimilarity     ProjectOrderBy = "similarity"
	ProjectOrderByStarCount      ProjectOrderBy = "star_count"
)
