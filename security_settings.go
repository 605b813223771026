package serviceapi

import (
	"context"
	"net/http"
	"time"
)

// SecuritySettingsService manages the security settings of projects, and which group has the security
// policies of the whole instance. Ultimate. Since about 17.4.
//
// Its options are [UpdateCompliancePolicyOptions], [UpdateSecuritySettingsBelowOptions] and
// [UpdateSecuritySettingsOptions]. See the example of
// [SecuritySettingsService.Get].
type SecuritySettingsService service

const securitySettings = "/projects/:id/security_settings"

// Get returns the security settings of a project, nil if they were never changed. It requires
// the Developer role.
//
//	GET /projects/:id/security_settings
func (s *SecuritySettingsService) Get(
	ctx context.Context, project ProjectRef, opts ...RequestOption,
) (*SecuritySettings, *Response, error) {
	return orNone(do[SecuritySettings](ctx, using(s), http.MethodGet,
		Route(securitySettings, project).forbiddenBy401(), nil, opts))
}

// Update changes the security settings of a project. It requires the Maintainer role. The call
// returns [ErrForbidden] if the instance lacks the feature or the project is archived.
//
//	PUT /projects/:id/security_settings
func (s *SecuritySettingsService) Update(
	ctx context.Context, project ProjectRef, options UpdateSecuritySettingsOptions, opts ...RequestOption,
) (*SecuritySettings, *Response, error) {
	return do[SecuritySettings](ctx, using(s), http.MethodPut,
		Route(securitySettings, project).forbiddenBy401(), jsonOf(options), opts)
}

// UpdateBelow changes the security settings of all projects below a group, in the background: the result
// only repeats the input. It requires the Maintainer role: without it, the call returns [ErrUnauthorized],
// and [ErrForbidden] if the instance lacks the feature. Since 17.7.
//
//	PUT /groups/:id/security_settings
func (s *SecuritySettingsService) UpdateBelow(
	ctx context.Context, group GroupRef, options UpdateSecuritySettingsBelowOptions, opts ...RequestOption,
) (*GroupSecuritySettings, *Response, error) {
	return do[GroupSecuritySettings](ctx, using(s), http.MethodPut,
		Route("/groups/:id/security_settings", group).forbiddenBy401(), jsonOf(options), opts)
}

const compliancePolicy = "/admin/security/compliance_policy_settings"

// GetCompliancePolicy says which group has the security policies of the whole instance. Administrators
// only, on a self-managed instance. The call returns [ErrForbidden] without the feature. Since 18.5.
//
//	GET /admin/security/compliance_policy_settings
func (s *SecuritySettingsService) GetCompliancePolicy(
	ctx context.Context, opts ...RequestOption,
) (*CompliancePolicySettings, *Response, error) {
	return do[CompliancePolicySettings](ctx, using(s), http.MethodGet, Route(compliancePolicy), nil, opts)
}

// UpdateCompliancePolicy chooses the group that has the security policies of the whole instance. The call
// returns [ErrUnprocessable] if it is no group at the top. Since 18.5.
//
//	PUT /admin/security/compliance_policy_settings
func (s *SecuritySettingsService) UpdateCompliancePolicy(
	ctx context.Context, options UpdateCompliancePolicyOptions, opts ...RequestOption,
) (*CompliancePolicySettings, *Response, error) {
	return do[CompliancePolicySettings](ctx, using(s), http.MethodPut, Route(compliancePolicy), jsonOf(options), opts)
}

// GroupSecuritySettings are the result of [SecuritySettingsService.UpdateBelow].
type GroupSecuritySettings struct {
	SecretPushProtectionEnabled bool     `json:"secret_push_protection_enabled"`
	Errors                      []string `json:"errors"`
}

// UpdateSecuritySettingsBelowOptions changes the security settings of projects.
type UpdateSecuritySettingsBelowOptions struct {
	// SecretPushProtectionEnabled refuses pushes that contain secrets.
	SecretPushProtectionEnabled bool `json:"secret_push_protection_enabled"`
	// ProjectsToExclude are the IDs of projects that stay as they are.
	ProjectsToExclude []int64 `json:"projects_to_exclude,omitzero"`
}

// CompliancePolicySettings say which group has the security policies of the whole instance.
type CompliancePolicySettings struct {
	// CSPNamespaceID is the ID of the group, nil if there is none.
	CSPNamespaceID *int64 `json:"csp_namespace_id"`
}

// UpdateCompliancePolicyOptions chooses a group. CSPNamespaceID is required.
type UpdateCompliancePolicyOptions struct {
	// CSPNamespaceID is the ID of a group at the top. Null means none.
	CSPNamespaceID Nullable[int64] `json:"csp_namespace_id,omitzero" required:"true"`
}

// SecuritySettings are the security settings of a project. Newer releases have more.
type SecuritySettings struct {
	ProjectID int64     `json:"project_id"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
	// The next four fields report whether a scanner may open merge requests that fix what
	// it finds.
	AutoFixContainerScanning  bool `json:"auto_fix_container_scanning"`
	AutoFixDAST               bool `json:"auto_fix_dast"`
	AutoFixDependencyScanning bool `json:"auto_fix_dependency_scanning"`
	AutoFixSAST               bool `json:"auto_fix_sast"`
	// ContinuousVulnerabilityScansEnabled reports whether the project is scanned again when a
	// new vulnerability becomes known.
	ContinuousVulnerabilityScansEnabled bool `json:"continuous_vulnerability_scans_enabled"`
	// ContainerScanningForRegistryEnabled reports whether images that are pushed to the
	// registry are scanned.
	ContainerScanningForRegistryEnabled bool `json:"container_scanning_for_registry_enabled"`
	// SecretPushProtectionEnabled reports whether pushes that contain secrets are refused.
	SecretPushProtectionEnabled bool `json:"secret_push_protection_enabled"`
}

// UpdateSecuritySettingsOptions changes security settings.
type UpdateSecuritySettingsOptions struct {
	// SecretPushProtectionEnabled refuses pushes that contain secrets. Releases before 17.11
	// call the parameter pre_receive_secret_detection_enabled: set it with [WithBodyField].
	SecretPushProtectionEnabled bool `json:"secret_push_protection_enabled"`
}
