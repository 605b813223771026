package interop

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestWalksOfPlans(t *testing.T) {
	e := start(t)
	project, group := e.svc.Project(app), e.svc.Group(acme)
	ofProject, ofGroup := project.Milestone("v1"), group.Milestone("Q1")
	for n := range 3 {
		name := fmt.Sprint("work-", n)
		project.Issue(name, servicetest.InMilestone(ofProject))
		project.Issue(name, servicetest.InMilestone(ofGroup))
		project.MergeRequest(name, servicetest.InMilestone(ofProject))
		project.MergeRequest(name+"-too", servicetest.InMilestone(ofGroup))
		group.Iteration(servicetest.Iteration{
			Title: name, Start: servicetest.Epoch.AddDate(0, 0, 7*n).Truncate(24 * time.Hour),
			Due: servicetest.Epoch.AddDate(0, 0, 7*n+6).Truncate(24 * time.Hour),
		})
	}
	m, g := e.admin.Milestones, e.admin.GroupMilestones
	assert.Len(t, walk2(e, m.GetMilestoneIssues, any(app), ofProject.ID(), nil), 3)
	assert.Len(t, walk2(e, m.GetMilestoneMergeRequests, any(app), ofProject.ID(), nil), 3)
	assert.Len(t, walk2(e, g.GetGroupMilestoneIssues, any(acme), ofGroup.ID(), nil), 3)
	assert.Len(t, walk2(e, g.GetGroupMilestoneMergeRequests, any(acme), ofGroup.ID(), nil), 3)
	assert.Len(t, walk1(e, e.admin.GroupIterations.ListGroupIterations, any(acme), nil), 3)
	assert.Len(t, walk1(e, e.admin.ProjectIterations.ListProjectIterations, any(app), nil), 3)
	promote := fmt.Sprintf("projects/1/milestones/%d/promote", ofProject.ID())
	req, err := e.admin.NewRequest("POST", promote, nil, nil)
	require.NoError(t, err)
	done(e.admin.Do(req, nil)).ok(e, 200)
}

func TestWalksOfWhatHappened(t *testing.T) {
	e := start(t)
	root := e.svc.Root()
	for n := range 3 {
		e.svc.Project(app).Issue(fmt.Sprint("Leak ", n), servicetest.AssignedTo(root),
			servicetest.By(e.svc.User("grace")))
	}
	assert.Len(t, walk0(e, e.admin.Todos.ListTodos, nil), 3)
	assert.Len(t, walk1(e, e.admin.Events.ListProjectVisibleEvents, any(app), nil), 4) // one is the project
	for n := range 3 {
		options := &clientgo.CreateIssueOptions{Title: new(fmt.Sprint("Mine ", n))}
		got(e.admin.Issues.CreateIssue(app, options)).ok(e, 201)
	}
	mine := walk0(e, e.admin.Events.ListCurrentUserContributionEvents, nil)
	assert.Len(t, walk1(e, e.admin.Users.ListUserContributionEvents, any("root"), nil), len(mine))
}

func TestWalksOfUploads(t *testing.T) {
	e := start(t)
	e.svc.Project(app)
	s := e.admin.ProjectMarkdownUploads
	var made *clientgo.ProjectMarkdownUploadedFile
	for n := range 3 {
		made = got(s.UploadProjectMarkdown(app, strings.NewReader("pixels"), fmt.Sprint(n, ".png"))).ok(e, 201)
	}
	assert.Len(t, walk(e, func(opts ...clientgo.RequestOptionFunc) (
		[]*clientgo.ProjectMarkdownUpload, *clientgo.Response, error,
	) {
		return s.ListProjectMarkdownUploads(app, opts...)
	}), 3)
	parts := strings.Split(made.URL, "/")
	secret, name := parts[len(parts)-2], parts[len(parts)-1]
	for _, content := range []io.Reader{
		got(s.DownloadProjectMarkdownUploadByID(app, made.ID)).raw(e),
		got(s.DownloadProjectMarkdownUploadBySecretAndFilename(app, secret, name)).raw(e),
	} {
		data, err := io.ReadAll(content)
		require.NoError(t, err)
		assert.Equal(t, "pixels", string(data))
	}
	done(s.DeleteProjectMarkdownUploadBySecretAndFilename(app, secret, name)).ok(e, 204)
}

func TestWalksOfAccounts(t *testing.T) {
	e := start(t)
	ada := e.svc.User("ada")
	for n := range 3 {
		email := &clientgo.AddEmailOptions{Email: new(fmt.Sprintf("%d@home.example", n))}
		got(e.as(ada).Users.AddEmail(email)).ok(e, 201)
		got(e.admin.Applications.CreateApplication(&clientgo.CreateApplicationOptions{
			Name: new(fmt.Sprint("wiki ", n)), RedirectURI: new("https://wiki.example"), Scopes: new("openid"),
		})).ok(e, 201)
	}
	assert.Len(t, walk(e, func(opts ...clientgo.RequestOptionFunc) ([]*clientgo.Email, *clientgo.Response, error) {
		return e.as(ada).Users.ListEmails(opts...)
	}), 3)
	assert.Len(t, got(e.admin.Applications.ListApplications(nil)).ok(e, 200), 3)
	license := got(e.admin.License.AddLicense(&clientgo.AddLicenseOptions{
		License: new(servicetest.License{Plan: "premium", UserLimit: 50}.Text()),
	})).ok(e, 201)
	all := request[[]*clientgo.License](e.admin, "GET", "licenses", nil).ok(e, 200)
	assert.Equal(t, license.ID, all[0].ID)
	one := request[clientgo.License](e.admin, "GET", fmt.Sprint("license/", license.ID), nil).ok(e, 200)
	assert.Equal(t, license.ID, one.ID)
}
