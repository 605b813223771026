package interop

import (
	"testing"

	"github.com/stretchr/testify/assert"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestPages(t *testing.T) {
	e := start(t)
	project := e.svc.Project(app)
	project.PublishPages("mr1")
	p := e.admin.Pages
	changed := got(p.UpdatePages(app, clientgo.UpdatePagesOptions{PagesHTTPSOnly: new(true)})).ok(e, 200)
	assert.True(t, changed.ForceHTTPS)
	assert.Equal(t, changed, got(p.GetPages(app)).ok(e, 200))
	assert.Equal(t, "mr1", changed.Deployments[0].PathPrefix)
	done(p.UnpublishPages(app)).ok(e, 204)
	assert.Empty(t, got(p.GetPages(app)).ok(e, 200).Deployments)
}

func TestPagesDomains(t *testing.T) {
	e := start(t)
	e.svc.Project(app)
	p := e.admin.PagesDomains
	for _, name := range []string{"a.example", "b.example", "c.example"} {
		made := got(p.CreatePagesDomain(app, &clientgo.CreatePagesDomainOptions{Domain: &name})).ok(e, 201)
		assert.Equal(t, []any{"http://" + name, false}, []any{made.URL, made.Verified})
	}
	domains := walk1[any](e, p.ListPagesDomains, app, &clientgo.ListPagesDomainsOptions{})
	assert.Len(t, domains, 3)
	all := walk(e, func(opts ...clientgo.RequestOptionFunc) ([]*clientgo.PagesDomain, *clientgo.Response, error) {
		return p.ListAllPagesDomains(opts...)
	})
	assert.Equal(t, []int64{1, 1, 1}, each(all, func(d *clientgo.PagesDomain) int64 { return d.ProjectID }))
	options := &clientgo.UpdatePagesDomainOptions{AutoSslEnabled: new(true)}
	assert.True(t, got(p.UpdatePagesDomain(app, "a.example", options)).ok(e, 200).AutoSslEnabled)
	assert.True(t, got(p.GetPagesDomain(app, "a.example")).ok(e, 200).AutoSslEnabled)
	done(p.DeletePagesDomain(app, "a.example")).ok(e, 204)
	got(p.GetPagesDomain(app, "a.example")).refused(e, 404)
}
