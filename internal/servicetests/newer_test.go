package servicetests

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"example.com/serviceapi"
	"example.com/serviceapi/internal/inventory"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestServiceReadsEveryOption checks that the embedded service has a name in its
// code for each option that is sent, so that it ignores none.
func TestServiceReadsEveryOption(t *testing.T) {
	root, err := inventory.Root()
	require.NoError(t, err)
	var code strings.Builder
	for _, pattern := range []string{"servicetest/*.go", "servicetest/internal/*/*.go"} {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		require.NoError(t, err)
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			source, err := os.ReadFile(name)
			require.NoError(t, err)
			code.WriteString(regexp.MustCompile("(?m)^\\s*//.*$|`json:[^`]*`").ReplaceAllString(string(source), ""))
		}
	}
	read := map[string]bool{}
	for _, literal := range regexp.MustCompile(`"([a-z0-9_]+)"`).FindAllStringSubmatch(code.String(), -1) {
		read[literal[1]] = true
	}
	table, err := os.ReadFile(filepath.Join(root, "servicetest", "settings.tsv"))
	require.NoError(t, err)
	for _, row := range regexp.MustCompile(`(?m)^(\w+)\t`).FindAllStringSubmatch(string(table), -1) {
		read[row[1]] = true
	}
	options := regexp.MustCompile(`(?ms)^type (\w+Options) struct \{$(.*?)^\}$`)
	sent := regexp.MustCompile("`(?:json|url):\"([a-z0-9_]+)[\",\\[]")
	files, err := filepath.Glob(filepath.Join(root, "*.go"))
	require.NoError(t, err)
	checked := 0
	for _, name := range files {
		source, err := os.ReadFile(name)
		require.NoError(t, err)
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		for _, typ := range options.FindAllStringSubmatch(string(source), -1) {
			for _, field := range sent.FindAllStringSubmatch(typ[2], -1) {
				checked++
				assert.True(t, read[field[1]], "%s.%s", typ[1], field[1])
			}
		}
	}
	assert.Greater(t, checked, 400)
}

// TestServiceKeepsPlacesOfEnvironments checks what newer releases take about
// environments.
func TestServiceKeepsPlacesOfEnvironments(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	agent := app.AllowAgent(svc.Project("acme/cluster"))
	environments, project := asRoot(t, svc).Environments, serviceapi.ProjectPath("acme/app")
	made, _, err := environments.Create(t.Context(), project, serviceapi.CreateEnvironmentOptions{
		Name: "review/one", Description: new("One."), ClusterAgentID: &agent, KubernetesNamespace: new("review"),
		FluxResourcePath: new("flux"), AutoStopSetting: new(serviceapi.EnvironmentAutoStopWithAction),
	})
	require.NoError(t, err)
	for range 2 {
		assert.Equal(t, []string{"One.", "review", "flux"}, []string{made.Description, made.KubernetesNamespace,
			made.FluxResourcePath})
		assert.Equal(t, serviceapi.EnvironmentAutoStopWithAction, made.AutoStopSetting)
		require.NotNil(t, made.ClusterAgent)
		assert.Equal(t, []any{agent, "acme/cluster"},
			[]any{made.ClusterAgent.ID, made.ClusterAgent.ConfigProject.PathWithNamespace})
		made, _, err = environments.Get(t.Context(), project, made.ID)
		require.NoError(t, err)
	}
	made, _, err = environments.Update(t.Context(), project, made.ID, serviceapi.UpdateEnvironmentOptions{
		KubernetesNamespace: serviceapi.Null[string](), ClusterAgentID: serviceapi.Null[int64](),
	})
	require.NoError(t, err)
	assert.Empty(t, made.KubernetesNamespace)
	assert.Nil(t, made.ClusterAgent)
	assert.Equal(t, "flux", made.FluxResourcePath)
	_, _, err = environments.Update(t.Context(), project, made.ID,
		serviceapi.UpdateEnvironmentOptions{ClusterAgentID: serviceapi.Value(int64(9))})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
}

// TestServiceKeepsSettingsOfNewerReleases checks settings of projects and groups
// that newer releases have, and templates of projects.
func TestServiceKeepsSettingsOfNewerReleases(t *testing.T) {
	svc := servicetest.New(t)
	client, ctx := asRoot(t, svc), t.Context()
	group, _, err := client.Groups.Create(ctx, serviceapi.CreateGroupOptions{
		Name: "Acme", Path: "acme", EmailsEnabled: new(false),
		DefaultBranchProtectionDefaults: &serviceapi.BranchProtectionDefaults{
			AllowedToPush:  []*serviceapi.BranchProtectionRole{{AccessLevel: serviceapi.AccessLevelDeveloper}},
			AllowedToMerge: []*serviceapi.BranchProtectionRole{{AccessLevel: serviceapi.AccessLevelDeveloper}},
		},
	})
	require.NoError(t, err)
	assert.Equal(t, []*bool{new(false), new(true)}, []*bool{group.EmailsEnabled, group.EmailsDisabled})
	require.NotNil(t, group.DefaultBranchProtectionDefaults)
	assert.Equal(t, serviceapi.AccessLevelDeveloper, group.DefaultBranchProtectionDefaults.AllowedToPush[0].AccessLevel)
	group, _, err = client.Groups.Update(ctx, serviceapi.GroupPath("acme"),
		serviceapi.UpdateGroupOptions{MaxArtifactsSize: serviceapi.Value(int64(7))})
	require.NoError(t, err)
	assert.Equal(t, new(int64(7)), group.MaxArtifactsSize)

	template := svc.Project("acme/template")
	template.Commit("main", "Add a Makefile", servicetest.Write("Makefile", "all:\n"))
	made, _, err := client.Projects.Create(ctx, serviceapi.CreateProjectOptions{
		Name: "App", Namespace: serviceapi.NamespaceID(group.ID), UseCustomTemplate: new(true),
		TemplateProjectID:   new(template.ID()),
		ReleasesAccessLevel: new(serviceapi.FeatureAccessLevelPrivate), GroupRunnersEnabled: new(false),
		EmailsEnabled: new(false),
	})
	require.NoError(t, err)
	assert.False(t, made.EmptyRepo)
	assert.Equal(t, serviceapi.FeatureAccessLevelPrivate, made.ReleasesAccessLevel)
	assert.Equal(t, []*bool{new(false), new(false), new(true)}, []*bool{made.GroupRunnersEnabled, made.EmailsEnabled,
		made.EmailsDisabled})
	tree, _, err := client.Repository.ListTree(ctx, serviceapi.ProjectID(made.ID), nil)
	require.NoError(t, err)
	assert.Equal(t, "Makefile", tree[0].Path)
	branch, _, err := client.Branches.Get(ctx, serviceapi.ProjectID(made.ID), "main")
	require.NoError(t, err)
	assert.True(t, branch.Protected && branch.DevelopersCanPush, "as the group says")
	changed, _, err := client.Projects.Update(ctx, serviceapi.ProjectID(made.ID),
		serviceapi.UpdateProjectOptions{CIDeletePipelinesInSeconds: serviceapi.Value(int64(3600))})
	require.NoError(t, err)
	assert.Equal(t, new(int64(3600)), changed.CIDeletePipelinesInSeconds)
}

// TestServiceKeepsCustomRoles checks the custom roles of members.
func TestServiceKeepsCustomRoles(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	svc.Group("acme")
	user := serviceapi.UserID(ada.ID())
	role := svc.MemberRole("reader", servicetest.Guest, "read_code")
	members, owner := asRoot(t, svc).Members, serviceapi.GroupPath("acme")
	member, _, err := members.Add(t.Context(), owner, user, serviceapi.AccessLevelGuest,
		serviceapi.AddMemberOptions{MemberRoleID: &role})
	require.NoError(t, err)
	require.NotNil(t, member.MemberRole)
	maps.DeleteFunc(member.MemberRole.Permissions, func(_ serviceapi.MemberPermission, granted bool) bool {
		return !granted
	})
	assert.Equal(t, serviceapi.MemberRole{
		ID: role, Name: "reader", BaseAccessLevel: serviceapi.AccessLevelGuest,
		Permissions: map[serviceapi.MemberPermission]bool{serviceapi.MemberPermissionReadCode: true},
	}, *member.MemberRole)
	_, _, err = members.Update(t.Context(), owner, user, serviceapi.AccessLevelReporter,
		serviceapi.UpdateMemberOptions{MemberRoleID: &role})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
	_, _, err = members.Update(t.Context(), owner, user, serviceapi.AccessLevelGuest,
		serviceapi.UpdateMemberOptions{MemberRoleID: new(int64(9))})
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
}

// TestServiceKeepsInputs checks the inputs of pipelines and of played jobs.
func TestServiceKeepsInputs(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	app.CI(servicetest.PlanJob("deploy", servicetest.Manual()))
	client, project := asRoot(t, svc), serviceapi.ProjectPath("acme/app")
	_, _, err := client.Pipelines.Create(t.Context(), project, serviceapi.CreatePipelineOptions{Ref: "main",
		Inputs: map[string]any{"stage": "prod"}})
	require.NoError(t, err)
	job := app.Jobs()[0]
	assert.Equal(t, map[string]any{"stage": "prod"}, job.Pipeline().Inputs())
	_, _, err = client.Jobs.Play(t.Context(), project, job.ID(),
		serviceapi.PlayJobOptions{Inputs: map[string]any{"force": true, "to": []string{"a"}}})
	require.NoError(t, err)
	assert.Equal(t, map[string]any{"force": true, "to": []any{"a"}}, job.Inputs())
}
