package interop

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestIssuesStatistics(t *testing.T) {
	e := start(t)
	project := e.svc.Project(app)
	project.Issue("Slow").Close()
	project.Issue("Broken", servicetest.Labels("bug"))
	s, labels := e.admin.IssuesStatistics, &clientgo.LabelOptions{"bug"}
	all := got(s.GetIssuesStatistics(nil)).ok(e, 200)
	assert.Equal(t, clientgo.IssuesStatisticsCounts{All: 2, Closed: 1, Opened: 1}, all.Statistics.Counts)
	ofGroup := got(s.GetGroupIssuesStatistics(acme,
		&clientgo.GetGroupIssuesStatisticsOptions{Labels: labels})).ok(e, 200)
	assert.Equal(t, int64(1), ofGroup.Statistics.Counts.All)
	ofProject := got(s.GetProjectIssuesStatistics(app,
		&clientgo.GetProjectIssuesStatisticsOptions{Labels: labels})).ok(e, 200)
	assert.Equal(t, int64(1), ofProject.Statistics.Counts.Opened)
}

func TestUserAgentDetails(t *testing.T) {
	e := start(t)
	e.svc.Project(app)
	issue := got(e.admin.Issues.CreateIssue(app, &clientgo.CreateIssueOptions{Title: new("Slow")})).ok(e, 201)
	files := &[]*clientgo.CreateSnippetFileOptions{{FilePath: new("a"), Content: new("a")}}
	own := got(e.admin.Snippets.CreateSnippet(&clientgo.CreateSnippetOptions{
		Title: new("A"), Files: files, Visibility: new(clientgo.PrivateVisibility),
	})).ok(e, 201)
	ofProject := got(e.admin.ProjectSnippets.CreateSnippet(app, &clientgo.CreateProjectSnippetOptions{
		Title: new("A"), Files: files, Visibility: new(clientgo.PrivateVisibility),
	})).ok(e, 201)
	for _, path := range []string{
		fmt.Sprintf("projects/1/issues/%d", issue.IID), fmt.Sprintf("snippets/%d", own.ID),
		fmt.Sprintf("projects/1/snippets/%d", ofProject.ID),
	} {
		detail := request[map[string]any](e.admin, http.MethodGet, path+"/user_agent_detail", nil).raw(e)
		assert.Equal(t, "127.0.0.1", detail["ip_address"], path)
		assert.NotEmpty(t, detail["user_agent"], path)
	}
}

func TestMetricImages(t *testing.T) {
	e := start(t)
	issue := e.svc.Project(app).Issue("Outage", servicetest.IssueType("incident"))
	path := fmt.Sprintf("projects/1/issues/%d/metric_images", issue.IID())
	type image = clientgo.MetricImage
	req, err := e.admin.UploadRequest(http.MethodPost, path, strings.NewReader("pixels"), "a.png", clientgo.UploadFile,
		&clientgo.UploadMetricImageOptions{URLText: new("A")}, nil)
	assert.NoError(t, err)
	made := new(image)
	resp, err := e.admin.Do(req, made)
	assert.Equal(t, "a.png", got(made, resp, err).ok(e, 201).Filename)
	changed := request[*image](e.admin, http.MethodPut, fmt.Sprint(path, "/", made.ID),
		map[string]string{"url_text": "B"}).ok(e, 200)
	assert.Equal(t, "B", changed.URLText)
	assert.Len(t, request[[]*image](e.admin, http.MethodGet, path, nil).ok(e, 200), 1)
	deleted := request[any](e.admin, http.MethodDelete, fmt.Sprint(path, "/", made.ID), nil)
	done(deleted.resp, nil).ok(e, 204)
}

func TestBurndownEvents(t *testing.T) {
	e := start(t)
	project := e.svc.Project(app)
	span := servicetest.Between(servicetest.Epoch.AddDate(0, 0, -7), servicetest.Epoch.AddDate(0, 0, 7))
	ofGroup, own := project.Group().Milestone("Q1", span), project.Milestone("1.0", span)
	project.Issue("Slow", servicetest.InMilestone(ofGroup), servicetest.Weight(3)).Close()
	project.Issue("Broken", servicetest.InMilestone(own))
	events := got(e.admin.GroupMilestones.GetGroupMilestoneBurndownChartEvents(acme, ofGroup.ID(), nil)).ok(e, 200)
	assert.Len(t, events, 2)
	assert.Equal(t, "closed", *events[1].Action)
	path := fmt.Sprintf("projects/1/milestones/%d/burndown_events", own.ID())
	assert.Len(t, request[[]*clientgo.BurndownChartEvent](e.admin, http.MethodGet, path, nil).ok(e, 200), 1)
}
