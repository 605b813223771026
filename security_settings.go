package serviceapi

import (
	"context"
	"net/http"
	"time"
)

// SecuritySettingsService manages the security settings of projects. Ultimate. Since about
// 17.4.
//
// Its options are [UpdateSecuritySettingsOptions]. See the example of
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
