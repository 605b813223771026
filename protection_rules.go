package serviceapi

import (
	"context"
	"iter"
	"net/http"
)

// ProtectionRulesService protects packages, and the repositories and tags of a container
// registry: a rule says which role someone needs to push to or delete what its pattern
// matches. If several rules match, the strictest counts. All calls require the Maintainer
// role. [ProtectedTagsService] protects the tags of a Git repository.
//
// Its options are [CreatePackageProtectionRuleOptions],
// [CreateRegistryRepositoryProtectionRuleOptions],
// [CreateRegistryTagProtectionRuleOptions], [ListOptions],
// [UpdatePackageProtectionRuleOptions], [UpdateRegistryRepositoryProtectionRuleOptions]
// and [UpdateRegistryTagProtectionRuleOptions]. See the example ProtectPackages in
// protection_test.go of [example.com/serviceapi/examples/recipes].
type ProtectionRulesService service

const (
	packageRulesPath    = "/projects/:id/packages/protection/rules"
	repositoryRulesPath = "/projects/:id/registry/protection/repository/rules"
	tagRulesPath        = "/projects/:id/registry/protection/tag/rules"
)

// ListPackageRules returns the rules for the packages of a project. The list has only one
// page.
//
//	GET /projects/:id/packages/protection/rules
func (s *ProtectionRulesService) ListPackageRules(
	ctx context.Context, project ProjectRef, options *ListOptions, opts ...RequestOption,
) ([]*PackageProtectionRule, *Response, error) {
	return list[*PackageProtectionRule](ctx, using(s), Route(packageRulesPath, project), queryOf(options), opts)
}

// AllPackageRules returns every rule for the packages of a project.
//
//	GET /projects/:id/packages/protection/rules
func (s *ProtectionRulesService) AllPackageRules(
	ctx context.Context, project ProjectRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*PackageProtectionRule, error] {
	return all[*PackageProtectionRule](ctx, using(s), Route(packageRulesPath, project), queryOf(options), opts)
}

// CreatePackageRule protects packages. The call returns [ErrBadRequest] without a level, and
// [ErrUnprocessable] for a pattern that no package of the type can match, and if the type has
// a rule with this pattern.
//
//	POST /projects/:id/packages/protection/rules
func (s *ProtectionRulesService) CreatePackageRule(
	ctx context.Context, project ProjectRef, options CreatePackageProtectionRuleOptions, opts ...RequestOption,
) (*PackageProtectionRule, *Response, error) {
	return do[PackageProtectionRule](ctx, using(s), http.MethodPost,
		Route(packageRulesPath, project), jsonOf(options), opts)
}

// UpdatePackageRule changes a rule for packages. The call returns [ErrUnprocessable] if the
// rule would have no level, and for patterns that CreatePackageRule refuses.
//
//	PATCH /projects/:id/packages/protection/rules/:package_protection_rule_id
func (s *ProtectionRulesService) UpdatePackageRule(
	ctx context.Context, project ProjectRef, ruleID int64, options UpdatePackageProtectionRuleOptions,
	opts ...RequestOption,
) (*PackageProtectionRule, *Response, error) {
	return do[PackageProtectionRule](ctx, using(s), http.MethodPatch,
		Route(packageRulesPath+"/:package_protection_rule_id", project, ruleID), jsonOf(options), opts)
}

// DeletePackageRule deletes a rule for packages.
//
//	DELETE /projects/:id/packages/protection/rules/:package_protection_rule_id
func (s *ProtectionRulesService) DeletePackageRule(
	ctx context.Context, project ProjectRef, ruleID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete,
		Route(packageRulesPath+"/:package_protection_rule_id", project, ruleID), nil, opts)
}

// ListRepositoryRules returns the rules for the repositories in the registry of a project.
// The list has only one page. The calls for repositories and tags of a registry return
// [ErrForbidden] if it is turned off. Since 17.8.
//
//	GET /projects/:id/registry/protection/repository/rules
func (s *ProtectionRulesService) ListRepositoryRules(
	ctx context.Context, project ProjectRef, options *ListOptions, opts ...RequestOption,
) ([]*RegistryRepositoryProtectionRule, *Response, error) {
	return list[*RegistryRepositoryProtectionRule](ctx, using(s),
		Route(repositoryRulesPath, project), queryOf(options), opts)
}

// AllRepositoryRules returns every rule for the repositories in the registry of a project.
//
//	GET /projects/:id/registry/protection/repository/rules
func (s *ProtectionRulesService) AllRepositoryRules(
	ctx context.Context, project ProjectRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*RegistryRepositoryProtectionRule, error] {
	return all[*RegistryRepositoryProtectionRule](ctx, using(s),
		Route(repositoryRulesPath, project), queryOf(options), opts)
}

// CreateRepositoryRule protects repositories of a registry. The call returns [ErrBadRequest]
// without a level, and [ErrUnprocessable] for a pattern that does not begin with the path of
// the project, and if there is a rule with this pattern.
//
//	POST /projects/:id/registry/protection/repository/rules
func (s *ProtectionRulesService) CreateRepositoryRule(
	ctx context.Context, project ProjectRef, options CreateRegistryRepositoryProtectionRuleOptions,
	opts ...RequestOption,
) (*RegistryRepositoryProtectionRule, *Response, error) {
	return do[RegistryRepositoryProtectionRule](ctx, using(s), http.MethodPost,
		Route(repositoryRulesPath, project), jsonOf(options), opts)
}

// UpdateRepositoryRule changes a rule for repositories. The call returns [ErrUnprocessable]
// if the rule would have no level, and for patterns that CreateRepositoryRule refuses.
//
//	PATCH /projects/:id/registry/protection/repository/rules/:protection_rule_id
func (s *ProtectionRulesService) UpdateRepositoryRule(
	ctx context.Context, project ProjectRef, ruleID int64, options UpdateRegistryRepositoryProtectionRuleOptions,
	opts ...RequestOption,
) (*RegistryRepositoryProtectionRule, *Response, error) {
	return do[RegistryRepositoryProtectionRule](ctx, using(s), http.MethodPatch,
		Route(repositoryRulesPath+"/:protection_rule_id", project, ruleID), jsonOf(options), opts)
}

// DeleteRepositoryRule deletes a rule for repositories.
//
//	DELETE /projects/:id/registry/protection/repository/rules/:protection_rule_id
func (s *ProtectionRulesService) DeleteRepositoryRule(
	ctx context.Context, project ProjectRef, ruleID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete,
		Route(repositoryRulesPath+"/:protection_rule_id", project, ruleID), nil, opts)
}

// ListTagRules returns the rules for the tags in the registry of a project, without those
// that make tags immutable. The list has only one page. Since 18.7; the other calls for tags
// exist since 18.9.
//
//	GET /projects/:id/registry/protection/tag/rules
func (s *ProtectionRulesService) ListTagRules(
	ctx context.Context, project ProjectRef, options *ListOptions, opts ...RequestOption,
) ([]*RegistryTagProtectionRule, *Response, error) {
	return list[*RegistryTagProtectionRule](ctx, using(s), Route(tagRulesPath, project), queryOf(options), opts)
}

// AllTagRules returns every rule for the tags in the registry of a project. See
// [ProtectionRulesService.ListTagRules].
//
//	GET /projects/:id/registry/protection/tag/rules
func (s *ProtectionRulesService) AllTagRules(
	ctx context.Context, project ProjectRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*RegistryTagProtectionRule, error] {
	return all[*RegistryTagProtectionRule](ctx, using(s), Route(tagRulesPath, project), queryOf(options), opts)
}

// CreateTagRule protects tags of a registry. The call returns [ErrUnprocessable] if there is
// a rule with this pattern, and for the sixth rule of a project.
//
//	POST /projects/:id/registry/protection/tag/rules
func (s *ProtectionRulesService) CreateTagRule(
	ctx context.Context, project ProjectRef, options CreateRegistryTagProtectionRuleOptions, opts ...RequestOption,
) (*RegistryTagProtectionRule, *Response, error) {
	return do[RegistryTagProtectionRule](ctx, using(s), http.MethodPost,
		Route(tagRulesPath, project), jsonOf(options), opts)
}

// UpdateTagRule changes a rule for tags. The call returns [ErrUnprocessable] if the rule
// would have only one level, and for patterns that CreateTagRule refuses.
//
//	PATCH /projects/:id/registry/protection/tag/rules/:protection_rule_id
func (s *ProtectionRulesService) UpdateTagRule(
	ctx context.Context, project ProjectRef, ruleID int64, options UpdateRegistryTagProtectionRuleOptions,
	opts ...RequestOption,
) (*RegistryTagProtectionRule, *Response, error) {
	return do[RegistryTagProtectionRule](ctx, using(s), http.MethodPatch,
		Route(tagRulesPath+"/:protection_rule_id", project, ruleID), jsonOf(options), opts)
}

// DeleteTagRule deletes a rule for tags.
//
//	DELETE /projects/:id/registry/protection/tag/rules/:protection_rule_id
func (s *ProtectionRulesService) DeleteTagRule(
	ctx context.Context, project ProjectRef, ruleID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete,
		Route(tagRulesPath+"/:protection_rule_id", project, ruleID), nil, opts)
}

// ProtectionRuleLevel is the lowest role that a rule allows something. In a result, empty
// means the usual role, and in the update of a rule for a registry, it removes the level.
type ProtectionRuleLevel string

// Levels of protection rules.
const (
	// ProtectionRuleLevelMaintainer is no level for the deletion of packages, which requires
	// the Maintainer role anyway.
	ProtectionRuleLevelMaintainer ProtectionRuleLevel = "maintainer"
	ProtectionRuleLevelOwner      ProtectionRuleLevel = "owner"
	ProtectionRuleLevelAdmin      ProtectionRuleLevel = "admin"
)

// PackageProtectionRule protects the packages of a type whose name matches a pattern.
type PackageProtectionRule struct {
	ID                 int64       `json:"id"`
	ProjectID          int64       `json:"project_id"`
	PackageNamePattern string      `json:"package_name_pattern"`
	PackageType        PackageType `json:"package_type"`
	// MinimumAccessLevelForPush is empty if Developers may push.
	MinimumAccessLevelForPush ProtectionRuleLevel `json:"minimum_access_level_for_push"`
	// MinimumAccessLevelForDelete is empty if Maintainers may delete. Since 17.11, and always
	// empty where the feature is not enabled.
	MinimumAccessLevelForDelete ProtectionRuleLevel `json:"minimum_access_level_for_delete"`
}

// CreatePackageProtectionRuleOptions describes a rule for packages. PackageNamePattern,
// PackageType and at least one of the levels are required.
type CreatePackageProtectionRuleOptions struct {
	// PackageNamePattern has at most 255 characters. An asterisk stands for any characters.
	PackageNamePattern string      `json:"package_name_pattern" required:"true"`
	PackageType        PackageType `json:"package_type" required:"true"`
	// MinimumAccessLevelForPush may be nil, for Developer.
	MinimumAccessLevelForPush *ProtectionRuleLevel `json:"minimum_access_level_for_push,omitzero"`
	// MinimumAccessLevelForDelete may be nil, for Maintainer. Since 17.11, if the feature is
	// enabled.
	MinimumAccessLevelForDelete *ProtectionRuleLevel `json:"minimum_access_level_for_delete,omitzero"`
}

// UpdatePackageProtectionRuleOptions changes a rule for packages. Zero fields are left
// unchanged.
type UpdatePackageProtectionRuleOptions struct {
	// PackageNamePattern has at most 255 characters. An asterisk stands for any characters.
	PackageNamePattern *string      `json:"package_name_pattern,omitzero"`
	PackageType        *PackageType `json:"package_type,omitzero"`
	// MinimumAccessLevelForPush is removed by null.
	MinimumAccessLevelForPush Nullable[ProtectionRuleLevel] `json:"minimum_access_level_for_push,omitzero"`
	// MinimumAccessLevelForDelete is removed by null. Since 17.11, if the feature is enabled.
	MinimumAccessLevelForDelete Nullable[ProtectionRuleLevel] `json:"minimum_access_level_for_delete,omitzero"`
}

// RegistryRepositoryProtectionRule protects the repositories of a registry whose path
// matches a pattern.
type RegistryRepositoryProtectionRule struct {
	ID                    int64  `json:"id"`
	ProjectID             int64  `json:"project_id"`
	RepositoryPathPattern string `json:"repository_path_pattern"`
	// MinimumAccessLevelForPush is empty if Developers may push.
	MinimumAccessLevelForPush ProtectionRuleLevel `json:"minimum_access_level_for_push"`
	// MinimumAccessLevelForDelete is empty if the usual roles may delete.
	MinimumAccessLevelForDelete ProtectionRuleLevel `json:"minimum_access_level_for_delete"`
}

// CreateRegistryRepositoryProtectionRuleOptions describes a rule for repositories.
// RepositoryPathPattern and at least one of the levels are required.
type CreateRegistryRepositoryProtectionRuleOptions struct {
	// RepositoryPathPattern begins with the full path of the project, and has at most 255
	// characters. An asterisk stands for any characters, and case does not matter.
	RepositoryPathPattern       string               `json:"repository_path_pattern" required:"true"`
	MinimumAccessLevelForPush   *ProtectionRuleLevel `json:"minimum_access_level_for_push,omitzero"`
	MinimumAccessLevelForDelete *ProtectionRuleLevel `json:"minimum_access_level_for_delete,omitzero"`
}

// UpdateRegistryRepositoryProtectionRuleOptions changes a rule for repositories. Nil fields
// are left unchanged, and a pointer to an empty level removes a level.
type UpdateRegistryRepositoryProtectionRuleOptions struct {
	// RepositoryPathPattern begins with the full path of the project, as in
	// [CreateRegistryRepositoryProtectionRuleOptions].
	RepositoryPathPattern       *string              `json:"repository_path_pattern,omitzero"`
	MinimumAccessLevelForPush   *ProtectionRuleLevel `json:"minimum_access_level_for_push,omitzero"`
	MinimumAccessLevelForDelete *ProtectionRuleLevel `json:"minimum_access_level_for_delete,omitzero"`
}

// RegistryTagProtectionRule protects the tags of a registry whose name matches a pattern.
type RegistryTagProtectionRule struct {
	ID        int64 `json:"id"`
	ProjectID int64 `json:"project_id"`
	// TagNamePattern is a regular expression.
	TagNamePattern              string              `json:"tag_name_pattern"`
	MinimumAccessLevelForPush   ProtectionRuleLevel `json:"minimum_access_level_for_push"`
	MinimumAccessLevelForDelete ProtectionRuleLevel `json:"minimum_access_level_for_delete"`
}

// CreateRegistryTagProtectionRuleOptions describes a rule for tags. Every field is required.
type CreateRegistryTagProtectionRuleOptions struct {
	// TagNamePattern is a regular expression in the syntax of RE2, with at most 100
	// characters, such as "^v.*".
	TagNamePattern              string              `json:"tag_name_pattern" required:"true"`
	MinimumAccessLevelForPush   ProtectionRuleLevel `json:"minimum_access_level_for_push" required:"true"`
	MinimumAccessLevelForDelete ProtectionRuleLevel `json:"minimum_access_level_for_delete" required:"true"`
}

// UpdateRegistryTagProtectionRuleOptions changes a rule for tags. Nil fields are left
// unchanged.
type UpdateRegistryTagProtectionRuleOptions struct {
	// TagNamePattern is a regular expression in the syntax of RE2, with at most 100
	// characters.
	TagNamePattern              *string              `json:"tag_name_pattern,omitzero"`
	MinimumAccessLevelForPush   *ProtectionRuleLevel `json:"minimum_access_level_for_push,omitzero"`
	MinimumAccessLevelForDelete *ProtectionRuleLevel `json:"minimum_access_level_for_delete,omitzero"`
}
