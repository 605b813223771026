package wiretests

import (
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// refusedRule is how the service refuses a rule.
const refusedRule = `{"message":{"error":["Package name pattern has already been taken"]}}`

func TestProtectionRulesOfPackages(t *testing.T) {
	const path, whole = "/projects/acme%2Fapp/packages/protection/rules", "protection_rules/package_rule.json"
	listed := "[" + fixture(t, whole) + `,{"id":8,"minimum_access_level_for_push":null}]`
	client := onWire(t,
		exchange{Method: "GET", Path: path, Query: "per_page=50", Body: listed},
		exchange{Method: "GET", Path: path, Query: "per_page=70", Body: listed},
		exchange{Method: "POST", Path: path, Status: 201, Fixture: whole, JSON: `{"package_name_pattern":"@acme/*",
			"package_type":"npm","minimum_access_level_for_push":"maintainer",
			"minimum_access_level_for_delete":"admin"}`},
		exchange{Method: "PATCH", Path: path + "/7", Fixture: whole, JSON: `{"package_name_pattern":"@acme/*",
			"package_type":"npm","minimum_access_level_for_push":null,"minimum_access_level_for_delete":"admin"}`},
		exchange{Method: "PATCH", Path: path + "/7", Status: 422, JSON: `{}`, Body: refusedRule},
		exchange{Method: "DELETE", Path: path + "/7", Status: 204})
	s, ctx, app := client.ProtectionRules, t.Context(), serviceapi.ProjectPath("acme/app")
	want := &serviceapi.PackageProtectionRule{
		ID: 7, ProjectID: 3, PackageNamePattern: "@acme/*", PackageType: serviceapi.PackageTypeNPM,
		MinimumAccessLevelForPush:   serviceapi.ProtectionRuleLevelMaintainer,
		MinimumAccessLevelForDelete: serviceapi.ProtectionRuleLevelAdmin,
	}
	assertFilled(t, want)
	rules, _, err := s.ListPackageRules(ctx, app, &serviceapi.ListOptions{PerPage: 50})
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.PackageProtectionRule{want, {ID: 8}}, rules)
	rules, err = serviceapi.Collect(s.AllPackageRules(ctx, app, &serviceapi.ListOptions{PerPage: 70}))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.PackageProtectionRule{want, {ID: 8}}, rules)
	rule, _, err := s.CreatePackageRule(ctx, app, serviceapi.CreatePackageProtectionRuleOptions{
		PackageNamePattern: "@acme/*", PackageType: serviceapi.PackageTypeNPM,
		MinimumAccessLevelForPush:   new(serviceapi.ProtectionRuleLevelMaintainer),
		MinimumAccessLevelForDelete: new(serviceapi.ProtectionRuleLevelAdmin),
	})
	require.NoError(t, err)
	assert.Equal(t, want, rule)
	rule, _, err = s.UpdatePackageRule(ctx, app, 7, serviceapi.UpdatePackageProtectionRuleOptions{
		PackageNamePattern: new("@acme/*"), PackageType: new(serviceapi.PackageTypeNPM),
		MinimumAccessLevelForPush:   serviceapi.Null[serviceapi.ProtectionRuleLevel](),
		MinimumAccessLevelForDelete: serviceapi.Value(serviceapi.ProtectionRuleLevelAdmin),
	})
	require.NoError(t, err)
	assert.Equal(t, want, rule)
	_, _, err = s.UpdatePackageRule(ctx, app, 7, serviceapi.UpdatePackageProtectionRuleOptions{})
	require.ErrorIs(t, err, serviceapi.ErrUnprocessable)
	assert.ErrorContains(t, err, "Package name pattern has already been taken")
	_, err = s.DeletePackageRule(ctx, app, 7)
	require.NoError(t, err)
}

func TestProtectionRulesOfRepositories(t *testing.T) {
	const path, whole = "/projects/3/registry/protection/repository/rules", "protection_rules/repository_rule.json"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Body: "[" + fixture(t, whole) + "]"},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: "[" + fixture(t, whole) + "]"},
		exchange{Method: "POST", Path: path, Status: 201, Fixture: whole, JSON: `{"repository_path_pattern":
			"acme/app/image*","minimum_access_level_for_push":"owner","minimum_access_level_for_delete":"admin"}`},
		exchange{Method: "PATCH", Path: path + "/8", Fixture: whole, JSON: `{"repository_path_pattern":
			"acme/app/image*","minimum_access_level_for_push":"owner","minimum_access_level_for_delete":""}`},
		exchange{Method: "DELETE", Path: path + "/8", Status: 204})
	s, ctx, app := client.ProtectionRules, t.Context(), serviceapi.ProjectID(3)
	want := &serviceapi.RegistryRepositoryProtectionRule{
		ID: 8, ProjectID: 3, RepositoryPathPattern: "acme/app/image*",
		MinimumAccessLevelForPush:   serviceapi.ProtectionRuleLevelOwner,
		MinimumAccessLevelForDelete: serviceapi.ProtectionRuleLevelAdmin,
	}
	assertFilled(t, want)
	rules, _, err := s.ListRepositoryRules(ctx, app, nil)
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.RegistryRepositoryProtectionRule{want}, rules)
	rules, err = serviceapi.Collect(s.AllRepositoryRules(ctx, app, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.RegistryRepositoryProtectionRule{want}, rules)
	rule, _, err := s.CreateRepositoryRule(ctx, app, serviceapi.CreateRegistryRepositoryProtectionRuleOptions{
		RepositoryPathPattern:       "acme/app/image*",
		MinimumAccessLevelForPush:   new(serviceapi.ProtectionRuleLevelOwner),
		MinimumAccessLevelForDelete: new(serviceapi.ProtectionRuleLevelAdmin),
	})
	require.NoError(t, err)
	assert.Equal(t, want, rule)
	rule, _, err = s.UpdateRepositoryRule(ctx, app, 8, serviceapi.UpdateRegistryRepositoryProtectionRuleOptions{
		RepositoryPathPattern:       new("acme/app/image*"),
		MinimumAccessLevelForPush:   new(serviceapi.ProtectionRuleLevelOwner),
		MinimumAccessLevelForDelete: new(serviceapi.ProtectionRuleLevel("")),
	})
	require.NoError(t, err)
	assert.Equal(t, want, rule)
	_, err = s.DeleteRepositoryRule(ctx, app, 8)
	require.NoError(t, err)
}

func TestProtectionRulesOfTags(t *testing.T) {
	const path, whole = "/projects/3/registry/protection/tag/rules", "protection_rules/tag_rule.json"
	const asked = `{"tag_name_pattern":"^v.*","minimum_access_level_for_push":"maintainer",
		"minimum_access_level_for_delete":"owner"}`
	client := onWire(t,
		exchange{Method: "GET", Path: path, Body: "[" + fixture(t, whole) + "]"},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: "[" + fixture(t, whole) + "]"},
		exchange{Method: "POST", Path: path, Status: 201, Fixture: whole, JSON: asked},
		exchange{Method: "PATCH", Path: path + "/9", Fixture: whole, JSON: asked},
		exchange{Method: "DELETE", Path: path + "/9", Status: 204})
	s, ctx, app := client.ProtectionRules, t.Context(), serviceapi.ProjectID(3)
	want := &serviceapi.RegistryTagProtectionRule{
		ID: 9, ProjectID: 3, TagNamePattern: "^v.*",
		MinimumAccessLevelForPush:   serviceapi.ProtectionRuleLevelMaintainer,
		MinimumAccessLevelForDelete: serviceapi.ProtectionRuleLevelOwner,
	}
	assertFilled(t, want)
	rules, _, err := s.ListTagRules(ctx, app, nil)
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.RegistryTagProtectionRule{want}, rules)
	rules, err = serviceapi.Collect(s.AllTagRules(ctx, app, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.RegistryTagProtectionRule{want}, rules)
	rule, _, err := s.CreateTagRule(ctx, app, serviceapi.CreateRegistryTagProtectionRuleOptions{
		TagNamePattern: "^v.*", MinimumAccessLevelForPush: serviceapi.ProtectionRuleLevelMaintainer,
		MinimumAccessLevelForDelete: serviceapi.ProtectionRuleLevelOwner,
	})
	require.NoError(t, err)
	assert.Equal(t, want, rule)
	rule, _, err = s.UpdateTagRule(ctx, app, 9, serviceapi.UpdateRegistryTagProtectionRuleOptions{
		TagNamePattern:              new("^v.*"),
		MinimumAccessLevelForPush:   new(serviceapi.ProtectionRuleLevelMaintainer),
		MinimumAccessLevelForDelete: new(serviceapi.ProtectionRuleLevelOwner),
	})
	require.NoError(t, err)
	assert.Equal(t, want, rule)
	_, err = s.DeleteTagRule(ctx, app, 9)
	require.NoError(t, err)
}

// TestProtectionRulesWithOneLevel sends the level that is given and not the other.
func TestProtectionRulesWithOneLevel(t *testing.T) {
	const packages = "/projects/3/packages/protection/rules"
	const repositories = "/projects/3/registry/protection/repository/rules"
	client := onWire(t,
		exchange{Method: "POST", Path: packages, Status: 201, Fixture: "protection_rules/package_rule.json",
			JSON: `{"package_name_pattern":"a","package_type":"npm","minimum_access_level_for_push":"admin"}`},
		exchange{Method: "POST", Path: packages, Status: 201, Fixture: "protection_rules/package_rule.json",
			JSON: `{"package_name_pattern":"a","package_type":"npm","minimum_access_level_for_delete":"admin"}`},
		exchange{Method: "POST", Path: repositories, Status: 201, Fixture: "protection_rules/repository_rule.json",
			JSON: `{"repository_path_pattern":"a","minimum_access_level_for_push":"admin"}`},
		exchange{Method: "POST", Path: repositories, Status: 201, Fixture: "protection_rules/repository_rule.json",
			JSON: `{"repository_path_pattern":"a","minimum_access_level_for_delete":"admin"}`})
	s, ctx, app := client.ProtectionRules, t.Context(), serviceapi.ProjectID(3)
	admin := new(serviceapi.ProtectionRuleLevelAdmin)
	for _, options := range []serviceapi.CreatePackageProtectionRuleOptions{
		{PackageNamePattern: "a", PackageType: serviceapi.PackageTypeNPM, MinimumAccessLevelForPush: admin},
		{PackageNamePattern: "a", PackageType: serviceapi.PackageTypeNPM, MinimumAccessLevelForDelete: admin},
	} {
		_, _, err := s.CreatePackageRule(ctx, app, options)
		require.NoError(t, err)
	}
	for _, options := range []serviceapi.CreateRegistryRepositoryProtectionRuleOptions{
		{RepositoryPathPattern: "a", MinimumAccessLevelForPush: admin},
		{RepositoryPathPattern: "a", MinimumAccessLevelForDelete: admin},
	} {
		_, _, err := s.CreateRepositoryRule(ctx, app, options)
		require.NoError(t, err)
	}
}

func TestProtectionRulesRefuseBeforeSending(t *testing.T) {
	s, ctx, app := onWire(t).ProtectionRules, t.Context(), serviceapi.ProjectID(3)
	_, _, err := s.CreateTagRule(ctx, app, serviceapi.CreateRegistryTagProtectionRuleOptions{
		TagNamePattern: "x", MinimumAccessLevelForPush: serviceapi.ProtectionRuleLevelOwner,
	})
	assertRefused(t, "MinimumAccessLevelForDelete", err)
	_, err = s.DeleteTagRule(ctx, app, 0)
	assertRefused(t, "protection_rule_id", err)
}
