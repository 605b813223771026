package interop

import (
	"fmt"
	"strings"
	"testing"

	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestPackages(t *testing.T) {
	e := start(t)
	project := e.svc.Project(app)
	generic, packages := e.admin.GenericPackages, e.admin.Packages
	for _, version := range []string{"1.0", "1.1", "1.2"} {
		content := strings.NewReader("app " + version)
		options := &clientgo.PublishPackageFileOptions{
			Select: new(clientgo.SelectPackageFile), Status: new(clientgo.PackageDefault),
		}
		made := got(generic.PublishPackageFile(app, "app", version, "app.zip", content, options)).ok(e, 200)
		assert.Equal(t, []any{"app.zip", int64(7)}, []any{made.FileName, made.Size})
	}
	for _, name := range []string{"a.txt", "b.txt"} {
		got(generic.PublishPackageFile(app, "app", "1.0", name, strings.NewReader(name), nil)).ok(e, 201)
	}
	got(generic.PublishPackageFile(app, "a b", "1.0", "c", strings.NewReader("c"), nil)).refused(e, 400)
	assert.Equal(t, "app 1.1", string(got(generic.DownloadPackageFile(app, "app", "1.1", "app.zip")).raw(e)))
	got(generic.DownloadPackageFile(app, "app", "2", "app.zip")).refused(e, 404)

	runs := []*servicetest.Pipeline{project.Pipeline("main"), project.Pipeline("main"), project.Pipeline("main")}
	built := project.Package("built", "1", servicetest.PublishedBy(runs...), servicetest.PackageTags("latest"))
	newest := &clientgo.ListProjectPackagesOptions{OrderBy: new("version"), Sort: new("desc"), PackageName: new("app")}
	list := walk1(e, packages.ListProjectPackages, app, newest)
	assert.Equal(t, []string{"1.2", "1.1", "1.0"}, each(list, func(p *clientgo.Package) string { return p.Version }))
	grouped := walk1(e, packages.ListGroupPackages, acme,
		&clientgo.ListGroupPackagesOptions{PackageType: new("generic")})
	assert.Equal(t, app, grouped[3].ProjectPath)
	one := request[any](e.admin, "GET", "projects/acme%2Fapp/packages/1", nil).ok(e, 200)
	assert.Len(t, one.(map[string]any)["versions"], 2)
	files := walk2(e, packages.ListPackageFiles, app, int64(1), nil)
	assert.Equal(t, []string{"app.zip", "a.txt", "b.txt"},
		each(files, func(f *clientgo.PackageFile) string { return f.FileName }))
	type run = *clientgo.PackagePipeline
	pipelines := walk(e, func(opts ...clientgo.RequestOptionFunc) ([]run, *clientgo.Response, error) {
		path := fmt.Sprintf("projects/acme%%2Fapp/packages/%d/pipelines", built.ID())
		a := request[[]run](e.admin, "GET", path, nil, opts...)
		return a.value, a.resp, a.err
	})
	assert.Equal(t, []int64{runs[2].ID(), runs[1].ID(), runs[0].ID()},
		each(pipelines, func(p run) int64 { return p.ID }))
	done(packages.DeletePackageFile(app, 1, files[0].ID)).ok(e, 204)
	done(packages.DeleteProjectPackage(app, 1)).ok(e, 204)
	done(packages.DeleteProjectPackage(app, 1)).refused(e, 404)
}
