package interop

import (
	"testing"

	"github.com/stretchr/testify/assert"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestCustomAttributes(t *testing.T) {
	e := start(t)
	project, ada := e.svc.Project(app), e.svc.User("ada")
	a, team := e.admin.CustomAttribute, clientgo.CustomAttribute{Key: "team", Value: "engines"}

	assert.Equal(t, &team, got(a.SetCustomUserAttribute(ada.ID(), team)).ok(e, 200))
	assert.Equal(t, &team, got(a.GetCustomUserAttribute(ada.ID(), "team")).ok(e, 200))
	assert.Equal(t, []*clientgo.CustomAttribute{&team}, got(a.ListCustomUserAttributes(ada.ID())).ok(e, 200))
	done(a.DeleteCustomUserAttribute(ada.ID(), "team")).ok(e, 204)
	got(a.GetCustomUserAttribute(ada.ID(), "team")).refused(e, 404)

	group := project.Group().ID()
	assert.Equal(t, &team, got(a.SetCustomGroupAttribute(group, team)).ok(e, 200))
	assert.Equal(t, &team, got(a.GetCustomGroupAttribute(group, "team")).ok(e, 200))
	assert.Equal(t, []*clientgo.CustomAttribute{&team}, got(a.ListCustomGroupAttributes(group)).ok(e, 200))
	done(a.DeleteCustomGroupAttribute(group, "team")).ok(e, 204)

	assert.Equal(t, &team, got(a.SetCustomProjectAttribute(project.ID(), team)).ok(e, 200))
	assert.Equal(t, &team, got(a.GetCustomProjectAttribute(project.ID(), "team")).ok(e, 200))
	assert.Equal(t, []*clientgo.CustomAttribute{&team}, got(a.ListCustomProjectAttributes(project.ID())).ok(e, 200))
	done(a.DeleteCustomProjectAttribute(project.ID(), "team")).ok(e, 204)
}

func TestNamespacesByPath(t *testing.T) {
	e := start(t)
	e.svc.Project(app)
	group := got(e.admin.Namespaces.GetNamespace("acme")).ok(e, 200)
	assert.Equal(t, []string{"acme", "group"}, []string{group.FullPath, group.Kind})
	taken := got(e.admin.Namespaces.NamespaceExists("acme", &clientgo.NamespaceExistsOptions{})).ok(e, 200)
	assert.Equal(t, []any{true, []string{"acme1"}}, []any{taken.Exists, taken.Suggests})
}

func TestRunnersByToken(t *testing.T) {
	e := start(t)
	runner := e.svc.Runner("a runner")
	options := &clientgo.VerifyRegisteredRunnerOptions{Token: new(runner.Token())}
	done(e.admin.Runners.VerifyRegisteredRunner(options)).ok(e, 200)
	done(e.admin.Runners.DeleteRegisteredRunner(&clientgo.DeleteRegisteredRunnerOptions{Token: options.Token})).ok(e,
		204)
	done(e.admin.Runners.VerifyRegisteredRunner(options)).refused(e, 403)
}
