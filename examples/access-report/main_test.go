package main

import (
	"encoding/csv"
	"strings"
	"testing"

	"example.com/serviceapi"
	"example.com/serviceapi/examples/internal/demo/demotest"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEmbedded(t *testing.T) {
	demotest.Clear(t)
	got := demotest.Run(t, run)
	assert.Equal(t, 0, got.Status, got.Notes)
	demotest.Shown(t, "access-report", got.Notes+got.Out)
	assert.Contains(t, got.Out, "\nacme/shop\n")
	assert.Contains(t, got.Out, "Developer or above: ada, grace")
}

// tree makes a group whose project has every kind of protection, and returns the token of one
// of its developers.
func tree(t *testing.T) string {
	t.Helper()
	shop := demotest.Shop(t)
	svc, ctx := shop.Service, t.Context()
	security := svc.Group("security", servicetest.Public(), servicetest.Member(svc.User("sue"), servicetest.Developer),
		servicetest.Member(svc.User("gone", servicetest.Blocked()), servicetest.Owner))
	svc.Group("acme/web").Variable("WEB", "1")
	dev := svc.User("dev")
	project := svc.Project("acme/web/site", servicetest.Member(svc.User("max"), servicetest.Maintainer),
		servicetest.Member(dev, servicetest.Developer))
	project.Variable("PLAIN", "1")
	client, err := serviceapi.NewClient(svc.URL(), serviceapi.PrivateToken(shop.Token))
	require.NoError(t, err)
	t.Cleanup(client.CloseIdleConnections)
	app := serviceapi.ProjectPath("acme/web/site")
	done := func(_ any, _ *serviceapi.Response, err error) {
		t.Helper()
		require.NoError(t, err)
	}
	done(client.Projects.Share(ctx, app, serviceapi.ShareProjectOptions{
		GroupID: security.ID(), GroupAccess: serviceapi.AccessLevelDeveloper}))
	done(client.ProtectedBranches.Create(ctx, app, serviceapi.CreateProtectedBranchOptions{
		Name: "main", PushAccessLevel: new(serviceapi.AccessLevelNone),
		AllowedToMerge: []serviceapi.NewProtectionLevel{
			{AccessLevel: new(serviceapi.AccessLevelMaintainer)}, {GroupID: security.ID()}, {UserID: dev.ID()}},
	}))
	done(client.ProtectedTags.Create(ctx, app, serviceapi.CreateProtectedTagOptions{
		Name: "v*", CreateAccessLevel: new(serviceapi.AccessLevelMaintainer)}))
	done(client.ProtectedEnvironments.Create(ctx, app, serviceapi.CreateProtectedEnvironmentOptions{
		Name: "production", DeployAccessLevels: []serviceapi.NewEnvironmentAccessLevel{
			{AccessLevel: new(serviceapi.AccessLevelMaintainer)}, {GroupID: security.ID()}, {UserID: dev.ID()}},
	}))
	done(client.Approvals.CreateRule(ctx, app, serviceapi.CreateApprovalRuleOptions{
		Name: "security", ApprovalsRequired: 2, UserIDs: []int64{dev.ID()}, GroupIDs: []int64{security.ID()}}))
	done(client.Variables.Create(ctx, app, serviceapi.CreateVariableOptions{
		Key: "GUARDED", Value: serviceapi.NewSecret("12345678"), Protected: new(true)}))
	return svc.Token(dev)
}

func TestReport(t *testing.T) {
	developer := tree(t)
	got := demotest.Run(t, run, "-format", "csv", "acme/web")
	require.Equal(t, 0, got.Status, got.Notes)
	lines, err := csv.NewReader(strings.NewReader(got.Out)).ReadAll()
	require.NoError(t, err)
	said := make([]string, len(lines))
	for i, line := range lines {
		said[i] = strings.TrimPrefix(strings.Join(line, " | "), "acme/web/site | ")
	}
	assert.Equal(t, []string{
		"project | may | what | who | because",
		"acme/web | read secrets | 1 in settings | ada | Owner or above",
		"push | other branches | ada | Developer or above",
		"push | other branches | dev | Developer or above",
		"push | other branches | max | Developer or above",
		"push | other branches | sue | Developer or above",
		"push | main | - | nobody",
		"merge | main | ada | Maintainer or above",
		"merge | main | max | Maintainer or above",
		"merge | main | sue | group Security",
		"merge | main | dev | by name",
		"create tags | v* | ada | Maintainer or above",
		"create tags | v* | max | Maintainer or above",
		"approve | security | dev | 2 needed",
		"approve | security | sue | 2 needed",
		"deploy | other environments | ada | Developer or above",
		"deploy | other environments | dev | Developer or above",
		"deploy | other environments | max | Developer or above",
		"deploy | other environments | sue | Developer or above",
		"deploy | production | ada | Maintainer or above",
		"deploy | production | max | Maintainer or above",
		"deploy | production | sue | group Security",
		"deploy | production | dev | by name",
		"read secrets | 2 in settings | ada | Maintainer or above",
		"read secrets | 2 in settings | max | Maintainer or above",
		"read secrets | 1 on protected refs | ada | Maintainer or above",
		"read secrets | 1 on protected refs | max | Maintainer or above",
		"read secrets | 1 on protected refs | sue | group Security",
		"read secrets | 1 on protected refs | dev | by name",
		"read secrets | 2 through any job | ada | Developer or above",
		"read secrets | 2 through any job | dev | Developer or above",
		"read secrets | 2 through any job | max | Developer or above",
		"read secrets | 2 through any job | sue | Developer or above",
	}, said)

	got = demotest.Run(t, run, "acme/web")
	assert.Equal(t, 0, got.Status, got.Notes)
	assert.Contains(t, got.Out, "\nacme/web/site\n  push ")
	assert.Contains(t, got.Out, "  push          main                 nobody: -\n")
	assert.Contains(t, got.Out, "  merge         main                 Maintainer or above: ada, max\n"+
		"                                     group Security: sue\n"+
		"                                     by name: dev\n")

	t.Setenv("SERVICE_TOKEN", developer)
	got = demotest.Run(t, run, "acme/web")
	assert.Equal(t, 1, got.Status, got.Out)
	assert.Contains(t, got.Notes, "the report is not complete: acme, variables: ", "the group above")
	assert.Contains(t, got.Notes, "\nacme/web, variables: ")
	assert.Contains(t, got.Notes, "acme/web/site, variables: ")
	assert.Contains(t, got.Out, "  push     other branches      Developer or above: ada, dev, max, sue\n")
}

func TestArguments(t *testing.T) {
	demotest.Shop(t)
	for _, args := range [][]string{{}, {"a", "b"}, {"-format", "html", "a"}} {
		assert.Equal(t, 2, demotest.Run(t, run, args...).Status, args)
	}
	assert.Equal(t, 1, demotest.Run(t, run, "nothing").Status)
}
