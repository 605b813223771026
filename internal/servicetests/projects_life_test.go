package servicetests

import (
	"strings"
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// pathsOf returns the full paths of projects, in their order.
func pathsOf(
	t *testing.T, client *serviceapi.Client, owner serviceapi.ProjectOwner, options *serviceapi.ListProjectsOptions,
) []string {
	t.Helper()
	projects, err := serviceapi.Collect(client.Projects.All(t.Context(), owner, options))
	require.NoError(t, err)
	paths := []string{}
	for _, p := range projects {
		paths = append(paths, p.PathWithNamespace)
	}
	return paths
}

func TestServiceListsProjectsByEveryFilter(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	acme := svc.Group("acme", servicetest.Member(ada, servicetest.Developer))
	svc.Project("acme/shop", servicetest.Topics("go", "web"), servicetest.Description("Sells"),
		servicetest.Public()).Commit("main", "Go", servicetest.Write("main.go", "package main\n"))
	svc.Project("acme/old", servicetest.Archived())
	svc.Project("acme/team/tool", servicetest.Internal())
	own := svc.Project("ada/notes")
	svc.Project("other/lib", servicetest.Public()).ShareWith(acme, servicetest.Reporter)
	svc.Project("other/secret")
	svc.FindProject("acme/shop").Star(ada)
	asAda, instance := as(t, svc, ada), serviceapi.Instance
	group := serviceapi.GroupPath("acme")

	for name, test := range map[string]struct {
		owner   serviceapi.ProjectOwner
		options serviceapi.ListProjectsOptions
		want    string
	}{
		"all that is visible": {instance, serviceapi.ListProjectsOptions{},
			"other/lib ada/notes acme/team/tool acme/old acme/shop"},
		"archived": {instance, serviceapi.ListProjectsOptions{Archived: new(true)}, "acme/old"},
		"not archived": {instance, serviceapi.ListProjectsOptions{Archived: new(false)},
			"other/lib ada/notes acme/team/tool acme/shop"},
		"owned": {instance, serviceapi.ListProjectsOptions{Owned: true}, "ada/notes"},
		"membership": {instance, serviceapi.ListProjectsOptions{Membership: true},
			"other/lib ada/notes acme/team/tool acme/old acme/shop"},
		"least role": {instance,
			serviceapi.ListProjectsOptions{MinAccessLevel: serviceapi.AccessLevelDeveloper},
			"ada/notes acme/team/tool acme/old acme/shop"},
		"starred": {instance, serviceapi.ListProjectsOptions{Starred: true}, "acme/shop"},
		"topic":   {instance, serviceapi.ListProjectsOptions{Topic: "go"}, "acme/shop"},
		"language": {instance, serviceapi.ListProjectsOptions{WithProgrammingLanguage: "Go"},
			"acme/shop"},
		"visibility": {instance, serviceapi.ListProjectsOptions{Visibility: serviceapi.VisibilityInternal},
			"acme/team/tool"},
		"search": {instance, serviceapi.ListProjectsOptions{Search: "SELLS"}, "acme/shop"},
		"search in namespaces": {instance, serviceapi.ListProjectsOptions{Search: "team", SearchNamespaces: true},
			"acme/team/tool"},
		"ids": {instance, serviceapi.ListProjectsOptions{IDAfter: 1, IDBefore: 4},
			"acme/team/tool acme/old"},
		"by name": {instance, serviceapi.ListProjectsOptions{OrderBy: serviceapi.ProjectOrderByName,
			Sort: serviceapi.SortAscending}, "other/lib ada/notes acme/old acme/shop acme/team/tool"},
		"of a user":        {serviceapi.Username("ada"), serviceapi.ListProjectsOptions{}, "ada/notes"},
		"of a group":       {group, serviceapi.ListProjectsOptions{}, "other/lib acme/old acme/shop"},
		"of a group alone": {group, serviceapi.ListProjectsOptions{WithShared: new(false)}, "acme/old acme/shop"},
		"of a group and below": {group, serviceapi.ListProjectsOptions{WithShared: new(false),
			IncludeSubgroups: true}, "acme/team/tool acme/old acme/shop"},
		"active since": {instance,
			serviceapi.ListProjectsOptions{LastActivityAfter: svc.Now().Add(time.Hour)}, ""},
		"with issues": {serviceapi.UserID(ada.ID()), serviceapi.ListProjectsOptions{WithIssuesEnabled: true},
			"ada/notes"},
		"with security findings": {group, serviceapi.ListProjectsOptions{WithSecurityReports: true}, ""},
	} {
		assert.Equal(t, test.want, strings.Join(pathsOf(t, asAda, test.owner, &test.options), " "), name)
	}

	_, _, err := asAda.Projects.Update(t.Context(), serviceapi.ProjectID(own.ID()),
		serviceapi.UpdateProjectOptions{IssuesAccessLevel: new(serviceapi.FeatureAccessLevelDisabled)})
	require.NoError(t, err)
	assert.Empty(t, pathsOf(t, asAda, serviceapi.Username("ada"),
		&serviceapi.ListProjectsOptions{WithIssuesEnabled: true}))
	_, _, err = asAda.Projects.List(t.Context(), serviceapi.Username("nobody"), nil)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}

func TestServiceShowsOfAProjectWhatTheCallerMaySee(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	app := svc.Project("acme/app", servicetest.Public(), servicetest.Member(ada, servicetest.Maintainer),
		servicetest.CustomAttribute("team", "engines"))
	app.Commit("main", "License", servicetest.Write("LICENSE", "MIT License\n"))
	app.Issue("Crash")
	ref, ctx := serviceapi.ProjectPath("acme/app"), t.Context()

	anybody, _, err := asAnybody(t, svc).Projects.Get(ctx, ref, nil)
	require.NoError(t, err)
	assert.Empty(t, anybody.MergeMethod, "settings need a credential")
	assert.Nil(t, anybody.LFSEnabled)
	assert.Nil(t, anybody.Permissions)
	assert.Equal(t, new(1), anybody.OpenIssuesCount)
	assert.Equal(t, serviceapi.VisibilityPublic, anybody.Visibility)

	options := &serviceapi.GetProjectOptions{Statistics: true, License: true, WithCustomAttributes: true}
	maintainer, _, err := as(t, svc, ada).Projects.Get(ctx, ref, options)
	require.NoError(t, err)
	assert.Equal(t, serviceapi.MergeMethodMerge, maintainer.MergeMethod)
	assert.Equal(t, app.RegistrationToken(), maintainer.RunnersToken.Reveal())
	assert.Equal(t, serviceapi.AccessLevelMaintainer, maintainer.Permissions.ProjectAccess.AccessLevel)
	assert.Equal(t, int(2), maintainer.Statistics.CommitCount)
	assert.Equal(t, "mit", maintainer.License.Key)
	assert.Empty(t, maintainer.RepositoryStorage)
	assert.Nil(t, maintainer.CustomAttributes)

	root, _, err := asRoot(t, svc).Projects.Get(ctx, ref, options)
	require.NoError(t, err)
	assert.Equal(t, "default", root.RepositoryStorage)
	assert.Equal(t, map[string]string{"team": "engines"}, root.CustomAttributes.Values)

	projects, _, err := as(t, svc, ada).Projects.List(ctx, serviceapi.Instance,
		&serviceapi.ListProjectsOptions{Simple: true})
	require.NoError(t, err)
	assert.Empty(t, projects[0].MergeMethod)
	assert.Nil(t, projects[0].LFSEnabled)
}

func TestServiceCreatesProjects(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	svc.Group("acme", servicetest.Member(ada, servicetest.Developer))
	locked := svc.Group("locked", servicetest.Member(ada, servicetest.Developer))
	asAda, ctx := as(t, svc, ada), t.Context()

	notes, resp, err := asAda.Projects.Create(ctx, serviceapi.CreateProjectOptions{Name: "My Notes",
		InitializeWithReadme: new(true)})
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, []any{"ada/my-notes", "main", false}, []any{notes.PathWithNamespace, notes.DefaultBranch,
		notes.EmptyRepo})
	assert.Equal(t, "ada", notes.Owner.Username)

	groups, err := serviceapi.Collect(asAda.Namespaces.All(ctx, &serviceapi.ListNamespacesOptions{Search: "acme"}))
	require.NoError(t, err)
	shop, _, err := asAda.Projects.Create(ctx, serviceapi.CreateProjectOptions{
		Path: "shop", Namespace: serviceapi.NamespaceID(groups[0].ID), Topics: []string{"go"},
		MergeMethod:  new(serviceapi.MergeMethodFastForward),
		BuildTimeout: new(int64(60)),
		ImportURL:    serviceapi.NewSecret("https://me:secret@elsewhere.example.com/shop.git"),
		ContainerExpirationPolicy: &serviceapi.ContainerExpirationPolicyOptions{Enabled: new(true),
			KeepN: serviceapi.Null[int]()},
		Avatar: &serviceapi.Upload{Filename: "shop.png", Content: strings.NewReader("pixels")},
	})
	require.NoError(t, err)
	assert.Equal(t, []any{"acme/shop", []string{"go"}, serviceapi.MergeMethodFastForward, new(int64(60)),
		"https://elsewhere.example.com/shop.git", serviceapi.ImportStateScheduled},
		[]any{shop.PathWithNamespace, shop.Topics, shop.MergeMethod, shop.BuildTimeout, shop.ImportURL,
			shop.ImportStatus})
	assert.True(t, strings.HasSuffix(shop.AvatarURL, "shop.png"))
	assert.True(t, shop.ContainerExpirationPolicy.Enabled)
	assert.Nil(t, shop.ContainerExpirationPolicy.KeepN)
	member, _ := svc.FindProject("acme/shop").Membership(ada)
	assert.Equal(t, servicetest.Maintainer, member.Level, "who creates a project maintains it")

	_, _, err = asAda.Projects.Create(ctx, serviceapi.CreateProjectOptions{Path: "shop",
		Namespace: serviceapi.NamespaceID(groups[0].ID)})
	var refused *serviceapi.Error
	require.ErrorAs(t, err, &refused)
	assert.Equal(t, []any{400, []string{"has already been taken"}}, []any{refused.StatusCode, refused.Fields["path"]})
	_, _, err = asAda.Projects.Create(ctx, serviceapi.CreateProjectOptions{Path: "x",
		Namespace: serviceapi.NamespaceID(groups[0].ID), Visibility: new(serviceapi.VisibilityPublic)})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest, "a group is a limit for what is in it")
	_, _, err = asRoot(t, svc).Groups.Update(ctx, serviceapi.GroupID(locked.ID()),
		serviceapi.UpdateGroupOptions{ProjectCreationLevel: new(serviceapi.ProjectCreationLevelMaintainer)})
	require.NoError(t, err)
	id := locked.ID()
	_, _, err = asAda.Projects.Create(ctx, serviceapi.CreateProjectOptions{Path: "x",
		Namespace: serviceapi.NamespaceID(id)})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
	_, _, err = asAda.Projects.Create(ctx, serviceapi.CreateProjectOptions{})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
}

func TestServiceUpdatesProjects(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	svc.Project("acme/taken")
	app.Commit("trunk", "Begin", servicetest.Write("a", "a"))
	s, ctx, ref := asRoot(t, svc).Projects, t.Context(), serviceapi.ProjectID(app.ID())

	changed, _, err := s.Update(ctx, ref, serviceapi.UpdateProjectOptions{
		Name: new("The App"), Path: new("the-app"), Description: new("Does it"), DefaultBranch: new("trunk"),
		Topics:       []string{"a", "b"},
		SquashOption: new(serviceapi.SquashOptionAlways), WikiAccessLevel: new(serviceapi.FeatureAccessLevelDisabled),
		RepositoryStorage:    new("disk-2"),
		SharedRunnersEnabled: new(false), CIConfigPath: new("ci.yml"), MergeTrainsEnabled: new(true),
		PublicBuilds: new(false),
	})
	require.NoError(t, err)
	assert.Equal(t, []any{"The App", "acme/the-app", "Does it", "trunk", serviceapi.SquashOptionAlways,
		serviceapi.FeatureAccessLevelDisabled, "disk-2", "ci.yml"},
		[]any{changed.Name, changed.PathWithNamespace, changed.Description, changed.DefaultBranch, changed.SquashOption,
			changed.WikiAccessLevel, changed.RepositoryStorage, changed.CIConfigPath})
	assert.Equal(t, []*bool{new(false), new(false), new(true), new(false)},
		[]*bool{changed.WikiEnabled, changed.SharedRunnersEnabled, changed.MergeTrainsEnabled, changed.PublicJobs})

	got, _, err := s.Get(ctx, serviceapi.ProjectPath("acme/the-app"), nil)
	require.NoError(t, err)
	assert.Equal(t, changed, got, "the change lasts")
	cleared, _, err := s.Update(ctx, ref, serviceapi.UpdateProjectOptions{Topics: []string{}, CIConfigPath: new(""),
		RemoveAvatar: true})
	require.NoError(t, err)
	assert.Equal(t, []any{[]string{}, "", ""}, []any{cleared.Topics, cleared.CIConfigPath, cleared.AvatarURL})

	for name, options := range map[string]serviceapi.UpdateProjectOptions{
		"nothing": {}, "a path that is taken": {Path: new("taken")}, "a path that is none": {Path: new("a b")},
		"a branch that is missing": {DefaultBranch: new("gone")},
		"a value that is none":     {MergeMethod: new(serviceapi.MergeMethod("octopus"))},
	} {
		_, _, err := s.Update(ctx, ref, options)
		assert.ErrorIs(t, err, serviceapi.ErrBadRequest, name)
	}
	developer := as(t, svc, svc.User("dev"))
	app.AddMember(svc.FindUser("dev"), servicetest.Developer)
	_, _, err = developer.Projects.Update(ctx, ref, serviceapi.UpdateProjectOptions{Name: new("x")})
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
}

func TestServiceForksProjects(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	app := svc.Project("acme/app", servicetest.Public(), servicetest.Description("Does it"))
	app.Commit("main", "Begin", servicetest.Write("a.txt", "a"))
	app.Commit("side", "More", servicetest.Write("b.txt", "b"))
	asAda, ctx, source := as(t, svc, ada), t.Context(), serviceapi.ProjectPath("acme/app")

	fork, resp, err := asAda.Projects.Fork(ctx, source, serviceapi.ForkProjectOptions{})
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, []any{"ada/app", serviceapi.ImportStateScheduled, app.ID(), "Does it", true},
		[]any{fork.PathWithNamespace, fork.ImportStatus, fork.ForkedFromProject.ID, fork.Description, fork.EmptyRepo})
	svc.Advance(servicetest.ImportScheduledFor + servicetest.ImportStartedFor)
	status, err := asAda.ProjectImport.Wait(ctx, serviceapi.ProjectID(fork.ID))
	require.NoError(t, err)
	assert.Equal(t, serviceapi.ImportStateFinished, status.ImportStatus)
	file, _, err := asAda.RepositoryFiles.Get(ctx, serviceapi.ProjectID(fork.ID), "b.txt",
		&serviceapi.GetRepositoryFileOptions{Ref: "side"})
	require.NoError(t, err)
	assert.Equal(t, "b", string(file.Content))

	origin, _, err := asAda.Projects.Get(ctx, source, nil)
	require.NoError(t, err)
	assert.Equal(t, int(1), origin.ForksCount)
	_, _, err = asAda.Projects.Fork(ctx, source, serviceapi.ForkProjectOptions{})
	assert.ErrorIs(t, err, serviceapi.ErrConflict)
	one, _, err := asAda.Projects.Fork(ctx, source, serviceapi.ForkProjectOptions{Path: new("one"), Name: new("One"),
		Branches: []string{"main"}, Visibility: new(serviceapi.VisibilityPrivate)})
	require.NoError(t, err)
	svc.Advance(time.Minute)
	_, _, err = asAda.RepositoryFiles.Get(ctx, serviceapi.ProjectID(one.ID), "b.txt",
		&serviceapi.GetRepositoryFileOptions{Ref: "side"})
	assert.ErrorIs(t, err, serviceapi.ErrNotFound, "only main was forked")

	_, _, err = asRoot(t, svc).Projects.Update(ctx, source,
		serviceapi.UpdateProjectOptions{ForkingAccessLevel: new(serviceapi.FeatureAccessLevelDisabled)})
	require.NoError(t, err)
	_, _, err = asAda.Projects.Fork(ctx, source, serviceapi.ForkProjectOptions{Path: new("two")})
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	_, err = asRoot(t, svc).Projects.Delete(ctx, source, nil)
	require.NoError(t, err)
	orphan, _, err := asAda.Projects.Get(ctx, serviceapi.ProjectID(fork.ID), nil)
	require.NoError(t, err)
	assert.Nil(t, orphan.ForkedFromProject)
}

func TestServiceTransfersAndShares(t *testing.T) {
	svc := servicetest.New(t)
	ada, bob := svc.User("ada"), svc.User("bob")
	app := svc.Project("ada/app")
	target := svc.Group("acme", servicetest.Member(ada, servicetest.Owner))
	guests := svc.Group("guests", servicetest.Public(), servicetest.Member(bob, servicetest.Maintainer))
	asAda, asBob, ctx, ref := as(t, svc, ada), as(t, svc, bob), t.Context(), serviceapi.ProjectID(app.ID())

	moved, _, err := asAda.Projects.Transfer(ctx, ref,
		serviceapi.TransferProjectOptions{Namespace: serviceapi.NamespaceID(target.ID())})
	require.NoError(t, err)
	assert.Equal(t, "acme/app", moved.PathWithNamespace)
	_, _, err = asAda.Projects.Transfer(ctx, ref,
		serviceapi.TransferProjectOptions{Namespace: serviceapi.NamespacePath("acme")})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest, "it is there already")
	_, _, err = asAda.Projects.Transfer(ctx, ref,
		serviceapi.TransferProjectOptions{Namespace: serviceapi.NamespacePath("guests")})
	assert.ErrorIs(t, err, serviceapi.ErrNotFound, "no right to create projects there")
	back, _, err := asAda.Projects.Transfer(ctx, ref,
		serviceapi.TransferProjectOptions{Namespace: serviceapi.NamespacePath("ada")})
	require.NoError(t, err)
	assert.Equal(t, "ada/app", back.PathWithNamespace)

	options := serviceapi.ShareProjectOptions{GroupID: guests.ID(), GroupAccess: serviceapi.AccessLevelReporter,
		ExpiresAt: new(serviceapi.NewDate(2026, time.March, 1))}
	share, _, err := asAda.Projects.Share(ctx, ref, options)
	require.NoError(t, err)
	assert.Equal(t, []any{app.ID(), guests.ID(), serviceapi.AccessLevelReporter, "2026-03-01"},
		[]any{share.ProjectID, share.GroupID, share.GroupAccess, share.ExpiresAt.String()})
	_, _, err = asAda.Projects.Share(ctx, ref, options)
	assert.ErrorIs(t, err, serviceapi.ErrConflict)
	_, _, err = asAda.Projects.Share(ctx, ref, serviceapi.ShareProjectOptions{GroupID: 999,
		GroupAccess: serviceapi.AccessLevelReporter})
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	seen, _, err := asBob.Projects.Get(ctx, ref, nil)
	require.NoError(t, err)
	assert.Equal(t, "guests", seen.SharedWithGroups[0].GroupFullPath)

	_, err = asAda.Projects.Unshare(ctx, ref, serviceapi.GroupID(guests.ID()))
	require.NoError(t, err)
	_, _, err = asBob.Projects.Get(ctx, ref, nil)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	_, err = asAda.Projects.Unshare(ctx, ref, serviceapi.GroupID(guests.ID()))
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	_, _, err = asAda.Projects.Share(ctx, ref, options)
	require.NoError(t, err)
	svc.Advance(60 * 24 * time.Hour)
	_, _, err = asBob.Projects.Get(ctx, ref, nil)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound, "a share ends on its day")
}

func TestServiceArchivesProjects(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	app := svc.Project("acme/app", servicetest.Member(ada, servicetest.Maintainer))
	s, ctx, ref := asRoot(t, svc).Projects, t.Context(), serviceapi.ProjectID(app.ID())
	_, _, err := as(t, svc, ada).Projects.Archive(ctx, ref)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	archived, _, err := s.Archive(ctx, ref)
	require.NoError(t, err)
	assert.True(t, archived.Archived)
	again, _, err := s.Archive(ctx, ref)
	require.NoError(t, err)
	assert.True(t, again.Archived)
	assert.True(t, app.Archived())
	back, _, err := s.Unarchive(ctx, ref)
	require.NoError(t, err)
	assert.False(t, back.Archived)
}
