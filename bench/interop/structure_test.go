package interop

import (
	"testing"
	"time"

	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestProjectLifeCycle(t *testing.T) {
	e := start(t)
	ada := e.svc.User("ada")
	group := e.svc.Group(acme, servicetest.Member(ada, servicetest.Owner))
	guests := e.svc.Group("guests")
	projects := e.as(ada).Projects
	groupID := group.ID()

	made := got(projects.CreateProject(&clientgo.CreateProjectOptions{
		Name: new("The App"), Path: new("app"), NamespaceID: &groupID, InitializeWithReadme: new(true),
		Topics: new([]string{"go"}), MergeMethod: new(clientgo.FastForwardMerge), BuildTimeout: new(int64(60)),
	})).ok(e, 201)
	assert.Equal(t, []any{app, "main", clientgo.FastForwardMerge, int64(60)},
		[]any{made.PathWithNamespace, made.DefaultBranch, made.MergeMethod, made.BuildTimeout})
	edited := got(projects.EditProject(app, &clientgo.EditProjectOptions{
		Description: new("Does it"), WikiAccessLevel: new(clientgo.DisabledAccessControl), PublicJobs: new(false),
	})).ok(e, 200)
	assert.Equal(t, []any{"Does it", clientgo.DisabledAccessControl, false},
		[]any{edited.Description, edited.WikiAccessLevel, edited.PublicJobs})

	fork := got(projects.ForkProject(app, &clientgo.ForkProjectOptions{NamespacePath: new("ada")})).ok(e, 201)
	assert.Equal(t, made.ID, fork.ForkedFromProject.ID)
	e.svc.Project("ada/notes")
	e.svc.Project("ada/more")
	byPath := func(p *clientgo.Project) string { return p.PathWithNamespace }
	assert.Equal(t, []string{"ada/more", "ada/notes", "ada/app"},
		each(walk1[any](e, projects.ListUserProjects, "ada", nil), byPath))

	assert.True(t, got(projects.ArchiveProject(app)).ok(e, 201).Archived)
	assert.False(t, got(projects.UnarchiveProject(app)).ok(e, 201).Archived)
	done(projects.ShareProjectWithGroup(app, &clientgo.ShareWithGroupOptions{GroupID: new(guests.ID()),
		GroupAccess: new(clientgo.ReporterPermissions)})).refused(e, 404)
	share := &clientgo.ShareWithGroupOptions{GroupID: new(guests.ID()), GroupAccess: new(clientgo.ReporterPermissions),
		ExpiresAt: new("2026-06-01")}
	done(e.admin.Projects.ShareProjectWithGroup(app, share)).ok(e, 201)
	shared := got(projects.GetProject(app, nil)).ok(e, 200)
	require.Len(t, shared.SharedWithGroups, 1)
	assert.Equal(t, "guests", shared.SharedWithGroups[0].GroupFullPath)
	done(projects.DeleteSharedProjectFromGroup(app, guests.ID())).ok(e, 204)

	e.svc.Group("other", servicetest.Member(ada, servicetest.Owner))
	moved := got(projects.TransferProject(app, &clientgo.TransferProjectOptions{Namespace: "other"})).ok(e, 200)
	assert.Equal(t, "other/app", moved.PathWithNamespace)
	done(projects.DeleteProject("other/app", nil)).ok(e, 202)
	got(projects.GetProject("other/app", nil)).refused(e, 404)
}

func TestGroupLifeCycle(t *testing.T) {
	e := start(t)
	groups := e.admin.Groups
	made := got(groups.CreateGroup(&clientgo.CreateGroupOptions{
		Name: new("Acme"), Path: new(acme), Visibility: new(clientgo.PublicVisibility), LFSEnabled: new(false),
	})).ok(e, 201)
	assert.Equal(t, []any{"Acme", false}, []any{made.Name, made.LFSEnabled})
	for _, path := range []string{"a", "b", "c"} {
		got(groups.CreateGroup(&clientgo.CreateGroupOptions{Name: new(path), Path: new(path), ParentID: &made.ID})).ok(
			e, 201)
		e.svc.Project("acme/p" + path)
	}
	byPath := func(g *clientgo.Group) string { return g.FullPath }
	assert.Equal(t, []string{"acme/a", "acme/b", "acme/c"}, each(walk1[any](e, groups.ListSubGroups, acme, nil),
		byPath))
	assert.Len(t, walk1[any](e, groups.ListGroupProjects, acme, nil), 3)
	changed := got(groups.UpdateGroup("acme/c", &clientgo.UpdateGroupOptions{Description: new("Makes")})).ok(e, 200)
	assert.Equal(t, "Makes", changed.Description)
	assert.Len(t, got(groups.GetGroup(acme, nil)).ok(e, 200).Projects, 3)
	done(groups.DeleteGroup(acme, nil)).ok(e, 202)
	got(groups.GetGroup("acme/c", nil)).refused(e, 404)

	for _, name := range []string{"ada", "bob", "cy"} {
		e.svc.User(name)
	}
	namespaces := walk0(e, e.admin.Namespaces.ListNamespaces, nil)
	assert.Equal(t, []string{"ada", "bob", "cy", "root"},
		each(namespaces, func(n *clientgo.Namespace) string { return n.FullPath }))
}

// inSummer is a day by the service's clock.
var inSummer = new(clientgo.ISOTime(time.Date(2026, time.July, 1, 0, 0, 0, 0, time.UTC)))

func TestProjectAccessTokens(t *testing.T) {
	e := start(t)
	e.svc.Project(app)
	tokens := e.admin.ProjectAccessTokens
	var last int64
	for _, name := range []string{"one", "two", "three"} {
		made := got(tokens.CreateProjectAccessToken(app, &clientgo.CreateProjectAccessTokenOptions{
			Name: &name, Scopes: new([]string{"api"}), AccessLevel: new(clientgo.DeveloperPermissions),
			ExpiresAt: inSummer,
		})).ok(e, 201)
		assert.True(t, e.svc.TokenWorks(made.Token))
		last = made.ID
	}
	names := each(walk1[any](e, tokens.ListProjectAccessTokens, app, nil),
		func(t *clientgo.ProjectAccessToken) string { return t.Name })
	assert.Equal(t, []string{"one", "two", "three"}, names)
	next := got(tokens.RotateProjectAccessToken(app, last, nil)).ok(e, 200)
	assert.True(t, e.svc.TokenWorks(next.Token))
	assert.Equal(t, "three", got(tokens.GetProjectAccessToken(app, next.ID)).ok(e, 200).Name)
	done(tokens.RevokeProjectAccessToken(app, next.ID)).ok(e, 204)
	assert.False(t, e.svc.TokenWorks(next.Token))
}

func TestGroupAccessTokens(t *testing.T) {
	e := start(t)
	e.svc.Group(acme)
	tokens := e.admin.GroupAccessTokens
	var last int64
	for _, name := range []string{"one", "two", "three"} {
		last = got(tokens.CreateGroupAccessToken(acme, &clientgo.CreateGroupAccessTokenOptions{
			Name: &name, Scopes: new([]string{"read_api"}), ExpiresAt: inSummer,
		})).ok(e, 201).ID
	}
	assert.Len(t, walk1[any](e, tokens.ListGroupAccessTokens, acme, nil), 3)
	next := got(tokens.RotateGroupAccessToken(acme, last,
		&clientgo.RotateGroupAccessTokenOptions{ExpiresAt: inSummer})).ok(e, 200)
	assert.Equal(t, inSummer, next.ExpiresAt)
	assert.Equal(t, "three", got(tokens.GetGroupAccessToken(acme, next.ID)).ok(e, 200).Name)
	done(tokens.RevokeGroupAccessToken(acme, next.ID)).ok(e, 204)
}

func TestPersonalAccessTokens(t *testing.T) {
	e := start(t)
	ada := e.svc.User("ada")
	made := got(e.admin.Users.CreatePersonalAccessToken(ada.ID(), &clientgo.CreatePersonalAccessTokenOptions{
		Name: new("laptop"), Scopes: new([]string{"api"}), ExpiresAt: inSummer,
	})).ok(e, 201)
	own := e.client(made.Token)
	self := got(own.PersonalAccessTokens.GetSinglePersonalAccessToken()).ok(e, 200)
	assert.Equal(t, made.ID, self.ID)
	assert.Equal(t, "laptop", got(own.PersonalAccessTokens.GetSinglePersonalAccessTokenByID(made.ID)).ok(e, 200).Name)
	e.svc.Token(ada)
	e.svc.Token(ada)
	assert.Len(t, walk0(e, own.PersonalAccessTokens.ListPersonalAccessTokens, nil), 3)
	next := got(own.PersonalAccessTokens.RotatePersonalAccessTokenByID(made.ID, nil)).ok(e, 200)
	done(e.client(next.Token).PersonalAccessTokens.RevokePersonalAccessTokenByID(next.ID)).ok(e, 204)
	last := got(e.client(e.svc.Token(ada)).PersonalAccessTokens.RotatePersonalAccessTokenSelf(nil)).ok(e, 200)
	done(e.client(last.Token).PersonalAccessTokens.RevokePersonalAccessTokenSelf()).ok(e, 204)
	assert.False(t, e.svc.TokenWorks(next.Token))
}

func TestOwnAccessTokens(t *testing.T) {
	e := start(t)
	users := e.as(e.svc.User("ada")).Users
	options := &clientgo.CreatePersonalAccessTokenForCurrentUserOptions{
		Name: new("cluster"), Scopes: new([]string{"k8s_proxy"}), ExpiresAt: inSummer,
	}
	made := got(users.CreatePersonalAccessTokenForCurrentUser(options)).ok(e, 201)
	assert.True(t, e.svc.TokenWorks(made.Token))
	options.Scopes = new([]string{"api"})
	got(users.CreatePersonalAccessTokenForCurrentUser(options)).refused(e, 400)
}

func TestImpersonationTokens(t *testing.T) {
	e := start(t)
	ada := e.svc.User("ada").ID()
	users := e.admin.Users
	var last *clientgo.ImpersonationToken
	for _, name := range []string{"one", "two", "three"} {
		last = got(users.CreateImpersonationToken(ada, &clientgo.CreateImpersonationTokenOptions{
			Name: &name, Scopes: new([]string{"api"}), ExpiresAt: new(time.Time(*inSummer)),
		})).ok(e, 201)
	}
	assert.Equal(t, ada, got(e.client(last.Token).Users.CurrentUser()).ok(e, 200).ID)
	assert.Equal(t, "three", got(users.GetImpersonationToken(ada, last.ID)).ok(e, 200).Name)
	done(users.RevokeImpersonationToken(ada, last.ID)).ok(e, 204)
	assert.False(t, e.svc.TokenWorks(last.Token))
	assert.Len(t, walk1(e, users.GetAllImpersonationTokens, ada, nil), 3)
	options := &clientgo.GetAllImpersonationTokensOptions{State: new("active")}
	assert.Len(t, got(users.GetAllImpersonationTokens(ada, options)).ok(e, 200), 2)
}

func TestServiceAccounts(t *testing.T) {
	e := start(t)
	groups := e.admin.Groups
	e.svc.Group(acme)
	made := got(groups.CreateServiceAccount(acme, &clientgo.CreateServiceAccountOptions{
		Name: new("Deployer"), Username: new("deployer"),
	})).ok(e, 201)
	assert.Equal(t, []string{"Deployer", "deployer"}, []string{made.Name, made.UserName})
	changed := got(groups.UpdateServiceAccount(acme, made.ID,
		&clientgo.UpdateServiceAccountOptions{Name: new("New")})).ok(e, 200)
	assert.Equal(t, "New", changed.Name)
	var token *clientgo.PersonalAccessToken
	for _, name := range []string{"a", "b", "c"} {
		token = got(groups.CreateServiceAccountPersonalAccessToken(acme, made.ID,
			&clientgo.CreateServiceAccountPersonalAccessTokenOptions{Name: &name, Scopes: new([]string{"api"})})).ok(e,
			201)
	}
	assert.Equal(t, made.ID, got(e.client(token.Token).Users.CurrentUser()).ok(e, 200).ID)
	tokens := walk(e, func(opts ...clientgo.RequestOptionFunc) ([]*clientgo.PersonalAccessToken, *clientgo.Response,
		error) {
		return groups.ListServiceAccountPersonalAccessTokens(acme, made.ID, nil, opts...)
	})
	assert.Len(t, tokens, 3)
	done(groups.RevokeServiceAccountPersonalAccessToken(acme, made.ID, token.ID)).ok(e, 204)
	assert.False(t, e.svc.TokenWorks(token.Token))
	done(groups.DeleteServiceAccount(acme, made.ID, nil)).ok(e, 204)
	got(groups.UpdateServiceAccount(acme, made.ID, nil)).refused(e, 404)

	robot := got(e.admin.Users.CreateServiceAccountUser(&clientgo.CreateServiceAccountUserOptions{
		Username: new("robot")})).ok(e, 201)
	assert.Equal(t, "Service account user", robot.Name)
	of := e.svc.User("of-project", servicetest.ServiceAccountOf(e.svc.Project(app)))
	options := &clientgo.CreateProjectServiceAccountPersonalAccessTokenOptions{Name: new("ci"),
		Scopes: new([]string{"api"})}
	assert.Equal(t, of.ID(), got(e.admin.Projects.CreateProjectServiceAccountPersonalAccessToken(app, of.ID(),
		options)).ok(e, 201).UserID)
}

func TestProjectVariables(t *testing.T) {
	e := start(t)
	e.svc.Project(app)
	variables := e.admin.ProjectVariables
	for _, scope := range []string{"*", "review/*", "test"} {
		got(variables.CreateVariable(app, &clientgo.CreateProjectVariableOptions{Key: new("KEY"),
			Value: new("in " + scope), EnvironmentScope: &scope})).ok(e, 201)
	}
	assert.Len(t, walk1[any](e, variables.ListVariables, app, nil), 3)
	got(variables.GetVariable(app, "KEY", nil)).refused(e, 409)
	filter := &clientgo.VariableFilter{EnvironmentScope: "test"}
	one := got(variables.GetVariable(app, "KEY", &clientgo.GetProjectVariableOptions{Filter: filter})).ok(e, 200)
	assert.Equal(t, "in test", one.Value)
	changed := got(variables.UpdateVariable(app, "KEY", &clientgo.UpdateProjectVariableOptions{Filter: filter,
		Value: new("long enough"), Protected: new(true)})).ok(e, 200)
	assert.True(t, changed.Protected)
	done(variables.RemoveVariable(app, "KEY", &clientgo.RemoveProjectVariableOptions{Filter: filter})).ok(e, 204)
}

func TestGroupVariables(t *testing.T) {
	e := start(t)
	e.svc.Group(acme)
	variables := e.admin.GroupVariables
	for _, key := range []string{"A", "B", "C"} {
		got(variables.CreateVariable(acme, &clientgo.CreateGroupVariableOptions{Key: &key, Value: new("value-of-it"),
			MaskedAndHidden: new(key == "C")})).ok(e, 201)
	}
	assert.Len(t, walk1[any](e, variables.ListVariables, acme, nil), 3)
	assert.True(t, got(variables.GetVariable(acme, "C", nil)).ok(e, 200).Hidden)
	assert.Equal(t, "new", got(variables.UpdateVariable(acme, "A",
		&clientgo.UpdateGroupVariableOptions{Value: new("new")})).ok(e, 200).Value)
	done(variables.RemoveVariable(acme, "A", nil)).ok(e, 204)
}

func TestInstanceVariables(t *testing.T) {
	e := start(t)
	variables := e.admin.InstanceVariables
	for _, key := range []string{"A", "B", "C"} {
		options := &clientgo.CreateInstanceVariableOptions{Key: &key, Value: new("value-of-it"), Masked: new(true)}
		got(variables.CreateVariable(options)).ok(e, 201)
	}
	all := walk(e, func(opts ...clientgo.RequestOptionFunc) ([]*clientgo.InstanceVariable, *clientgo.Response, error) {
		return variables.ListVariables(nil, opts...)
	})
	assert.Len(t, all, 3)
	assert.True(t, got(variables.GetVariable("C")).ok(e, 200).Masked)
	options := &clientgo.UpdateInstanceVariableOptions{Value: new("another value"), Raw: new(true), Masked: new(false)}
	assert.True(t, got(variables.UpdateVariable("A", options)).ok(e, 200).Raw)
	done(variables.RemoveVariable("A")).ok(e, 204)
	got(variables.GetVariable("A")).refused(e, 404)
}

func TestSSHKeys(t *testing.T) {
	e := start(t)
	ada := e.svc.User("ada")
	ada.SSHKey("desktop")
	ada.SSHKey("tablet")
	users := e.as(ada).Users
	made := got(users.AddSSHKey(&clientgo.AddSSHKeyOptions{
		Title: new("laptop"), Key: new("ssh-ed25519 " +
			"AAAAC3NzaC1lZDI1NTE5AAAAIHfsTAAkxwkBB4mXBIHAoAjRdiKIS8LLZ8fXlQoIEmGK ada"), ExpiresAt: inSummer,
	})).ok(e, 201)
	assert.Len(t, walk0(e, users.ListSSHKeys, nil), 3)
	assert.Equal(t, "laptop", got(users.GetSSHKey(made.ID)).ok(e, 200).Title)
	done(users.DeleteSSHKey(made.ID)).ok(e, 204)
	assert.Equal(t, []string{"desktop", "tablet"}, ada.SSHKeys())
}

func TestSSHKeysOfUsers(t *testing.T) {
	e := start(t)
	ada := e.svc.User("ada")
	ada.SSHKey("desktop")
	ada.SSHKey("tablet")
	users := e.admin.Users
	made := got(users.AddSSHKeyForUser(ada.ID(), &clientgo.AddSSHKeyOptions{
		Title: new("laptop"), Key: new("ssh-ed25519 " +
			"AAAAC3NzaC1lZDI1NTE5AAAAIHfsTAAkxwkBB4mXBIHAoAjRdiKIS8LLZ8fXlQoIEmGK ada"),
	})).ok(e, 201)
	all := walk(e, func(opts ...clientgo.RequestOptionFunc) ([]*clientgo.SSHKey, *clientgo.Response, error) {
		return users.ListSSHKeysForUser("ada", nil, opts...)
	})
	assert.Len(t, all, 3)
	assert.Equal(t, "laptop", got(users.GetSSHKeyForUser(ada.ID(), made.ID)).ok(e, 200).Title)
	assert.Equal(t, "ada", got(e.admin.Keys.GetKeyWithUser(made.ID)).ok(e, 200).User.Username)
	key := e.svc.Project(app).DeployKey("machine")
	deploy := got(e.admin.DeployKeys.GetDeployKey(app, key.ID())).ok(e, 200)
	options := &clientgo.GetKeyByFingerprintOptions{Fingerprint: deploy.FingerprintSHA256}
	assert.Equal(t, "root", got(e.admin.Keys.GetKeyByFingerprint(options)).ok(e, 200).User.Username)
	done(users.DeleteSSHKeyForUser(ada.ID(), made.ID)).ok(e, 204)
}

func TestEmails(t *testing.T) {
	e := start(t)
	ada := e.svc.User("ada")
	own, users := e.as(ada).Users, e.admin.Users
	made := got(own.AddEmail(&clientgo.AddEmailOptions{Email: new("ada@home.example")})).ok(e, 201)
	assert.Nil(t, made.ConfirmedAt)
	got(users.AddEmailForUser(ada.ID(), &clientgo.AddEmailOptions{Email: new("a@b.example")})).ok(e, 201)
	options := &clientgo.AddEmailOptions{Email: new("ada@work.example"), SkipConfirmation: new(true)}
	work := got(users.AddEmailForUser(ada.ID(), options)).ok(e, 201)
	assert.NotNil(t, work.ConfirmedAt)
	assert.Len(t, got(own.ListEmails()).ok(e, 200), 3)
	all := walk(e, func(opts ...clientgo.RequestOptionFunc) ([]*clientgo.Email, *clientgo.Response, error) {
		return users.ListEmailsForUser(ada.ID(), nil, opts...)
	})
	assert.Len(t, all, 3)
	assert.Equal(t, "ada@home.example", got(own.GetEmail(made.ID)).ok(e, 200).Email)
	done(own.DeleteEmail(made.ID)).ok(e, 204)
	done(users.DeleteEmailForUser(ada.ID(), work.ID)).ok(e, 204)
	got(own.GetEmail(made.ID)).refused(e, 404)
}
