package servicetests

import (
	"fmt"
	"regexp"
	"strconv"
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// closes finds the issues that a merge request has closed: AllClosedIssues has only
// those that a merge would still close.
var closes = regexp.MustCompile(`Closes #(\d+)`)

// TestReleaseFlow does what tools do that release by themselves: it finds the last
// release, the commits since then with their merge requests and issues, makes the next
// release with a link and a comment on each of them.
func TestReleaseFlow(t *testing.T) {
	svc := servicetest.New(t)
	bot := svc.User("bot")
	app := svc.Project("acme/app", servicetest.Member(bot, servicetest.Developer))
	app.Tag("v1.1.0-rc.1", "main")
	app.Release("v1.0.0", "The first.", servicetest.CreatedAt(servicetest.Epoch.Add(-time.Hour)))
	crash := app.Issue("Crash")
	app.Commit("fix", "fix: do not crash", servicetest.Write("fix.txt", "fixed\n"))
	request := app.MergeRequest("fix", servicetest.Description(fmt.Sprintf("Closes #%d", crash.IID())))
	request.Merge()
	client, ctx, project := as(t, svc, bot), t.Context(), serviceapi.ProjectPath("acme/app")

	latest, _, err := client.Releases.Latest(ctx, project, nil)
	require.NoError(t, err)
	tags, err := serviceapi.Collect(client.Tags.All(ctx, project, &serviceapi.ListTagsOptions{Search: "^v1"}))
	require.NoError(t, err)
	released := 0
	for _, tag := range tags {
		if tag.Release != nil {
			released++
			assert.Equal(t, latest.TagName, tag.Release.TagName)
		}
	}
	assert.Equal(t, []int{2, 1}, []int{len(tags), released})

	changes, _, err := client.Repository.Compare(ctx, project, &serviceapi.CompareOptions{From: latest.TagName,
		To: "main"})
	require.NoError(t, err)
	requests := map[int64]*serviceapi.MergeRequest{}
	for _, commit := range changes.Commits {
		for mr, err := range client.Commits.AllMergeRequests(ctx, project, commit.ID, nil) {
			require.NoError(t, err)
			requests[mr.IID] = mr
		}
	}
	require.Len(t, requests, 1)

	next, _, err := client.Releases.Create(ctx, project, serviceapi.CreateReleaseOptions{
		TagName: "v1.0.1", Ref: new("main"), TagMessage: new("v1.0.1"), Description: new("## Fixed\n\n- do not crash"),
		Assets: &serviceapi.CreateReleaseAssets{Links: []serviceapi.CreateReleaseLinkOptions{
			{Name: "app.zip", URL: "https://store.test/app.zip", LinkType: new(serviceapi.ReleaseLinkTypePackage)},
		}},
	})
	require.NoError(t, err)
	body := "Released in [" + next.TagName + "](" + next.URLs.Self + ")"
	for iid := range requests {
		of := project.MergeRequest(iid)
		_, _, err := client.Notes.CreateForMergeRequest(ctx, of, serviceapi.CreateMergeRequestNoteOptions{Body: body})
		require.NoError(t, err)
		for _, closed := range closes.FindAllStringSubmatch(requests[iid].Description, -1) {
			number, err := strconv.ParseInt(closed[1], 10, 64)
			require.NoError(t, err)
			in := project.Issue(number)
			_, _, err = client.Notes.CreateForIssue(ctx, in, serviceapi.CreateIssueNoteOptions{Body: body})
			require.NoError(t, err)
		}
	}
	assert.Contains(t, bodiesOf(request.Notes()), body)
	assert.Contains(t, bodiesOf(crash.Notes()), body)
	latest, _, err = client.Releases.Latest(ctx, project, nil)
	require.NoError(t, err)
	assert.Equal(t, []any{"v1.0.1", "app.zip"}, []any{latest.TagName, latest.Assets.Links[0].Name})
}

func bodiesOf(notes []*servicetest.Note) (bodies []string) {
	for _, n := range notes {
		bodies = append(bodies, n.Body())
	}
	return bodies
}
