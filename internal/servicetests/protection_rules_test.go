package servicetests

import (
	"testing"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestServiceProtectsPackages(t *testing.T) {
	r := newReviewTeam(t)
	old := r.app.Package("app", "0.9")
	ada, bob, ctx := as(t, r.svc, r.ada), as(t, r.svc, r.bob), t.Context()
	rule, _, err := ada.ProtectionRules.CreatePackageRule(ctx, mergeApp, serviceapi.CreatePackageProtectionRuleOptions{
		PackageNamePattern: "a*", PackageType: serviceapi.PackageTypeGeneric,
		MinimumAccessLevelForPush:   new(serviceapi.ProtectionRuleLevelMaintainer),
		MinimumAccessLevelForDelete: new(serviceapi.ProtectionRuleLevelAdmin),
	})
	require.NoError(t, err)
	_, _, err = bob.Packages.PublishGeneric(ctx, mergeApp, genericFile("1", "x"), publishing("x"))
	assert.ErrorContains(t, err, "Package protected.")
	_, _, err = ada.Packages.PublishGeneric(ctx, mergeApp, genericFile("1", "x"), publishing("x"))
	require.NoError(t, err)
	_, err = ada.Packages.Delete(ctx, mergeApp, old.ID())
	assert.ErrorContains(t, err, "Package is deletion protected.")

	rule, _, err = ada.ProtectionRules.UpdatePackageRule(ctx, mergeApp, rule.ID,
		serviceapi.UpdatePackageProtectionRuleOptions{
			MinimumAccessLevelForDelete: serviceapi.Null[serviceapi.ProtectionRuleLevel](),
		})
	require.NoError(t, err)
	assert.Empty(t, rule.MinimumAccessLevelForDelete)
	assert.Equal(t, serviceapi.ProtectionRuleLevelMaintainer, rule.MinimumAccessLevelForPush)
	_, err = ada.Packages.Delete(ctx, mergeApp, old.ID())
	require.NoError(t, err)
	rules, err := serviceapi.Collect(ada.ProtectionRules.AllPackageRules(ctx, mergeApp, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.PackageProtectionRule{rule}, rules)
	_, err = ada.ProtectionRules.DeletePackageRule(ctx, mergeApp, rule.ID)
	require.NoError(t, err)
	_, _, err = bob.Packages.PublishGeneric(ctx, mergeApp, genericFile("1", "y"), publishing("y"))
	require.NoError(t, err)
}

func TestServiceProtectsRegistries(t *testing.T) {
	r := newReviewTeam(t)
	images := r.app.RegistryRepository("Images").Push("v1").Push("v2").Push("old").Push("kept")
	ada, ctx := as(t, r.svc, r.ada), t.Context()
	s := ada.ProtectionRules
	rule, _, err := s.CreateRepositoryRule(ctx, mergeApp, serviceapi.CreateRegistryRepositoryProtectionRuleOptions{
		RepositoryPathPattern: "Acme/app/im*", MinimumAccessLevelForPush: new(serviceapi.ProtectionRuleLevelOwner),
		MinimumAccessLevelForDelete: new(serviceapi.ProtectionRuleLevelOwner),
	})
	require.NoError(t, err)
	_, err = ada.Registry.DeleteRepository(ctx, mergeApp, images.ID())
	assert.ErrorContains(t, err, "Deleting protected container repository forbidden.")

	tag, _, err := s.CreateTagRule(ctx, mergeApp, serviceapi.CreateRegistryTagProtectionRuleOptions{
		TagNamePattern: `^v\d$`, MinimumAccessLevelForPush: serviceapi.ProtectionRuleLevelMaintainer,
		MinimumAccessLevelForDelete: serviceapi.ProtectionRuleLevelOwner,
	})
	require.NoError(t, err)
	immutable := r.app.ImmutableRegistryTags("^kept$")
	_, err = ada.Registry.DeleteTag(ctx, mergeApp, images.ID(), "v1")
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, err = asRoot(t, r.svc).Registry.DeleteTag(ctx, mergeApp, images.ID(), "kept")
	assert.ErrorIs(t, err, serviceapi.ErrForbidden, "nobody deletes it")
	_, err = ada.Registry.DeleteTags(ctx, mergeApp, images.ID(),
		&serviceapi.DeleteRegistryTagsOptions{NameRegexDelete: ".*"})
	require.NoError(t, err)
	r.svc.Advance(servicetest.RegistryDeletionDelay)
	assert.Equal(t, []string{"kept", "v1", "v2"}, images.Tags(), "those that the caller may not delete stay")
	rules, err := serviceapi.Collect(s.AllTagRules(ctx, mergeApp, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.RegistryTagProtectionRule{tag}, rules, "without the immutable ones")

	_, err = s.DeleteTagRule(ctx, mergeApp, immutable)
	require.NoError(t, err)
	_, err = ada.Registry.DeleteTag(ctx, mergeApp, images.ID(), "kept")
	require.NoError(t, err)
	rule, _, err = s.UpdateRepositoryRule(ctx, mergeApp, rule.ID,
		serviceapi.UpdateRegistryRepositoryProtectionRuleOptions{
			MinimumAccessLevelForDelete: new(serviceapi.ProtectionRuleLevel("")),
		})
	require.NoError(t, err)
	assert.Equal(t, []serviceapi.ProtectionRuleLevel{"owner", ""},
		[]serviceapi.ProtectionRuleLevel{rule.MinimumAccessLevelForPush, rule.MinimumAccessLevelForDelete})
	_, err = ada.Registry.DeleteRepository(ctx, mergeApp, images.ID())
	require.NoError(t, err)
	r.svc.Advance(servicetest.RegistryDeletionDelay)
	assert.False(t, images.Exists())
}
