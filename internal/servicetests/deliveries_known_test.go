package servicetests

import (
	"bytes"
	stdjson "encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/serviceapi"
	"example.com/serviceapi/internal/inventory"
	"example.com/serviceapi/servicetest"
	"example.com/serviceapi/webhook"
)

// An eventCheck compares what hooks sent with the types of package webhook. It has, for
// each field, "value", or "null" if no event had more, or "" if no event had the member.
type eventCheck struct{ values map[string]string }

// checkDelivery decodes a delivery and notes what it has. Neither may a member lack a
// field, nor may a value be lost.
func (c *eventCheck) checkDelivery(t *testing.T, d servicetest.Delivery) string {
	t.Helper()
	require.NoError(t, d.Err)
	event, err := webhook.Decode(webhook.Kind(d.Event), d.Body)
	require.NoError(t, err)
	require.NoError(t, event.Info().Problem, string(d.Body))
	name := reflect.TypeOf(event).Elem().Name()
	require.NotEqual(t, "UnknownEvent", name, string(d.Body))
	var raw, again any
	decodeNumbers(t, d.Body, &raw)
	c.walk(t, raw, reflect.TypeOf(event).Elem(), name)
	encoded, err := json.Marshal(event)
	require.NoError(t, err)
	decodeNumbers(t, encoded, &again)
	for _, problem := range sameJSON(name, withPlainTimes(raw), again) {
		assert.Fail(t, problem)
	}
	return name
}

// checkDeliveries checks all deliveries of a test.
func (w *world) checkDeliveries(t *testing.T) {
	t.Helper()
	check := &eventCheck{map[string]string{}}
	for _, d := range w.svc.Deliveries() {
		check.checkDelivery(t, d)
	}
}

func decodeNumbers(t *testing.T, data []byte, v any) {
	t.Helper()
	decoder := stdjson.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	require.NoError(t, decoder.Decode(v))
}

// withPlainTimes writes the times of hooks as types write them.
func withPlainTimes(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name := range v {
			v[name] = withPlainTimes(v[name])
		}
	case []any:
		for i := range v {
			v[i] = withPlainTimes(v[i])
		}
	case string:
		for _, layout := range []string{"2006-01-02 15:04:05 UTC", "2006-01-02 15:04:05 -0700"} {
			if at, err := time.Parse(layout, v); err == nil {
				return at.Format(time.RFC3339)
			}
		}
	}
	return v
}

// walk notes which fields a value has members for.
func (c *eventCheck) walk(t *testing.T, raw any, typ reflect.Type, path string) {
	t.Helper()
	for typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	if list, ok := raw.([]any); ok && typ.Kind() == reflect.Slice && typ.Elem().Kind() != reflect.Uint8 {
		for _, item := range list {
			c.walk(t, item, typ.Elem(), path)
		}
	}
	object, ok := raw.(map[string]any)
	if !ok || typ.Kind() != reflect.Struct {
		return
	}
	fields := map[string]reflect.Type{}
	for name, field := range inventory.JSONFields(typ) {
		if name == "Extra" || len(field.Index) > 1 {
			continue
		}
		fields[name] = field.Type
		if strings.HasPrefix(typ.Name(), "Change[") {
			continue // always both
		}
		value, has := object[name]
		at := typ.Name() + "." + field.Name
		switch {
		case has && value != nil:
			c.values[at] = "value"
		case c.values[at] == "" && has:
			c.values[at] = "null"
		case c.values[at] == "":
			c.values[at] = ""
		}
	}
	for name, value := range object {
		if assert.Contains(t, fields, name, path) {
			c.walk(t, value, fields[name], path+"."+name)
		}
	}
}

// unsent are the fields that no event has a value for, by the reason.
var unsent = map[string][]string{
	"only very old releases": {
		"Issue.BranchName", "Issue.DeletedAt", "Issue.Position", "MergeRequest.ApprovalsBeforeMerge",
		"MergeRequest.Assignee",
		"MergeRequest.DeletedAt", "MergeRequest.InProgressMergeCommitSHA", "MergeRequest.LockVersion",
		"MergeRequest.LockedAt",
		"MergeRequest.Position", "MergeRequest.RebaseCommitSHA", "MergeRequestEvent.Assignee", "Project.Visibility",
		"GroupEvent.OwnerEmail", "GroupEvent.OwnerName", "Note.StDiff", "ReleaseLink.External",
	},
	"only some releases":                       {"MergeRequestEvent.EventName", "MergeRequestChanges.ActionedAt"},
	"only the hosted offering":                 {"MemberEvent.GroupPlan"},
	"branches have no messages":                {"PushEvent.Message"},
	"hooks of groups cannot ask for the event": {"DeployTokenEvent.Group"},
	"always null":                              {"Snippet.ExpiresAt", "Note.ChangePosition"},
	"the service has no duplicates, policies, health, start dates, files in comments or merge trains": {
		"Issue.DuplicatedToID", "IssueChanges.DuplicatedToID", "Issue.EscalationPolicy", "Issue.HealthStatus",
		"IssueChanges.HealthStatus", "Issue.StartDate", "IssueChanges.StartDate", "Note.Attachment",
		"MergeParams.TrainRef",
	},
	"no call changes the time that was spent": {
		"Issue.HumanTimeChange", "IssueChanges.HumanTimeChange", "MergeRequest.HumanTimeChange",
		"MergeRequestChanges.HumanTimeChange",
	},
	"no push withdraws approvals":                        {"MergeRequest.System", "MergeRequest.SystemAction"},
	"only if a project is moved while it waits to merge": {"MergeRequest.MergeError", "MergeRequestChanges.MergeError"},
	"nobody signs in with a password":                    {"UserEvent.State"},
	"commits have no reactions":                          {"EmojiEvent.Commit"},
}

// check compares the fields that had no value with those that need none.
func (c *eventCheck) check(t *testing.T) {
	t.Helper()
	reasons := map[string]string{}
	for reason, fields := range unsent {
		for _, at := range fields {
			reasons[at] = reason
			assert.NotEqual(t, "value", c.values[at], "%s has a value, so it is no longer true: %s", at, reason)
		}
	}
	for at, value := range c.values {
		if reasons[at] == "" {
			assert.Equal(t, "value", value, "no event had a value for %s", at)
		}
	}
	assert.Greater(t, len(c.values), 500)
}

// TestEverythingSentIsKnown decodes what the service sends, and finds neither members
// without a field, nor fields without a member, nor values that are lost.
func TestEverythingSentIsKnown(t *testing.T) {
	w := newWorld(t)
	w.sendEverything(t)
	w.svc.Flush()
	check, seen := &eventCheck{map[string]string{}}, map[string]bool{}
	for _, d := range w.svc.Deliveries() {
		seen[check.checkDelivery(t, d)] = true
	}
	check.check(t)
	for _, name := range []string{
		"PushEvent", "TagPushEvent", "MergeRequestEvent", "NoteEvent", "IssueEvent", "PipelineEvent", "JobEvent",
		"DeploymentEvent",
		"MilestoneEvent", "EmojiEvent", "AccessTokenEvent", "MemberEvent", "SubgroupEvent", "ProjectEvent",
		"GroupEvent",
		"UserEvent",
		"ProjectMemberEvent", "KeyEvent", "RepositoryUpdateEvent", "DeployTokenEvent",
		"ReleaseEvent",
	} {
		assert.True(t, seen[name], name)
	}
}

func (w *world) sendEverything(t *testing.T) {
	t.Helper()
	w.sendCode(t)
	w.sendPlans(t)
	w.sendPlaces(t)
	w.sendSamples(t)
}

// sendSamples tests the hooks of the project and the group.
func (w *world) sendSamples(t *testing.T) {
	t.Helper()
	w.app.AccessToken(servicetest.Developer, servicetest.ExpiresAt(w.svc.Now().AddDate(1, 0, 0)))
	tested := 0
	for _, owner := range []serviceapi.HookLogOwner{w.project, serviceapi.GroupID(w.acme.ID())} {
		hooks, err := serviceapi.Collect(w.client.Hooks.All(w.ctx, owner, nil))
		require.NoError(t, err)
		for _, trigger := range []serviceapi.HookTrigger{
			serviceapi.HookTriggerPush, serviceapi.HookTriggerTagPush, serviceapi.HookTriggerIssues,
			serviceapi.HookTriggerNote,
			serviceapi.HookTriggerMergeRequests, serviceapi.HookTriggerJob, serviceapi.HookTriggerPipeline,
			serviceapi.HookTriggerEmoji, serviceapi.HookTriggerResourceAccessToken, serviceapi.HookTriggerMilestone,
		} {
			if tested++; tested%5 == 0 {
				w.svc.Advance(time.Minute)
			}
			_, err := w.client.Hooks.Test(w.ctx, owner, hooks[0].ID, trigger)
			require.NoError(t, err, trigger)
		}
	}
}

// sendCode changes repositories, merge requests and pipelines.
func (w *world) sendCode(t *testing.T) {
	t.Helper()
	w.acme.Label("group", "#ff0000", "Of the group")
	w.app.ApprovalSwitch("merge_requests_author_approval", true)
	bob := w.svc.User("bob", servicetest.PublicEmail("bob@service.test"))
	w.app.AddMember(bob, servicetest.Maintainer)
	must := func(_ any, _ *serviceapi.Response, err error) {
		t.Helper()
		require.NoError(t, err)
	}
	must(as(t, w.svc, bob).Tags.Create(w.ctx, w.project, serviceapi.CreateTagOptions{TagName: "v1", Ref: "main",
		Message: new("One")}))
	must(as(t, w.svc, bob).Branches.Create(w.ctx, w.project, serviceapi.CreateBranchOptions{Branch: "copy",
		Ref: "main"}))

	runner := w.svc.Runner("linux", servicetest.Tags("linux"))
	production := w.app.Environment("production", servicetest.ExternalURL("https://acme.test"))
	w.app.CI(servicetest.PlanJob("build", servicetest.Archive(map[string]string{"a": "b"}), servicetest.RunOn(runner)),
		servicetest.PlanJob("fail", servicetest.AllowFailure(), servicetest.Failed("script_failure")))
	made := w.mergeRequest(t, "topic")
	on := w.project.MergeRequest(made.IID)
	update := func(options serviceapi.UpdateMergeRequestOptions) {
		t.Helper()
		must(w.client.MergeRequests.Update(w.ctx, w.project.MergeRequest(made.IID), options))
	}
	update(serviceapi.UpdateMergeRequestOptions{
		Title: new("Draft: Better"), Description: new("Longer"), AddLabels: []string{"bug", "group"},
		AssigneeIDs: []int64{bob.ID()}, ReviewerIDs: []int64{w.ada.ID()}, MilestoneID: new(w.app.Milestone("1.0").ID()),
	})
	w.app.Commit("topic", "Say more", servicetest.Write("README.md", "A shop.\n"))
	details, _, err := w.client.MergeRequests.Get(w.ctx, w.project.MergeRequest(made.IID), nil)
	require.NoError(t, err)
	line := serviceapi.DiffPosition{
		BaseSHA: details.DiffRefs.BaseSHA, StartSHA: details.DiffRefs.StartSHA, HeadSHA: details.DiffRefs.HeadSHA,
		PositionType: serviceapi.PositionTypeText, OldPath: "README.md", NewPath: "README.md", OldLine: new(1),
	}
	end := &serviceapi.DiffLineRangeEnd{LineCode: serviceapi.LineCode("README.md", 1, 1), Type: "old", OldLine: new(1)}
	line.LineRange = &serviceapi.DiffLineRange{Start: end, End: end}
	thread, _, err := w.client.Discussions.Create(w.ctx, on, serviceapi.CreateDiscussionOptions{
		Body: "Why?", CommitID: &details.SHA, Position: &line,
	})
	require.NoError(t, err)
	line.LineRange, line.OldPath, line.NewPath, line.OldLine, line.NewLine = nil, "topic.txt", "topic.txt", nil, new(1)
	must(w.client.Discussions.Create(w.ctx, on,
		serviceapi.CreateDiscussionOptions{Body: "And this?", Position: &line}))
	must(w.client.Discussions.Resolve(w.ctx, on, thread.ID))
	must(w.client.Discussions.UpdateNote(w.ctx, on, thread.ID, thread.Notes[0].ID,
		serviceapi.UpdateDiscussionNoteOptions{Body: new("Why not?")}))
	must(w.client.Notes.CreateForMergeRequest(w.ctx, on, serviceapi.CreateMergeRequestNoteOptions{Body: ":rocket:"}))
	must(w.client.Commits.CreateComment(w.ctx, w.project, details.SHA,
		serviceapi.CreateCommitCommentOptions{Note: "Good."}))

	must(w.client.Pipelines.Create(w.ctx, w.project, serviceapi.CreatePipelineOptions{
		Ref: "main", Variables: []serviceapi.PipelineVariable{{Key: "A", Value: serviceapi.NewSecret("b")}},
	}))
	must(w.client.MergeRequests.CreatePipeline(w.ctx, w.project.MergeRequest(made.IID),
		serviceapi.CreateMergeRequestPipelineOptions{}))
	update(serviceapi.UpdateMergeRequestOptions{Title: new("Better")})
	must(w.client.MergeRequests.Merge(w.ctx, w.project.MergeRequest(made.IID),
		serviceapi.MergeOptions{AutoMerge: new(true), Squash: new(true)}))
	update(serviceapi.UpdateMergeRequestOptions{Description: new("Even longer")})
	w.app.Commit("topic", "More", servicetest.Write("topic.txt", "more\n"))
	w.svc.Advance(time.Hour)
	must(w.client.Approvals.Approve(w.ctx, w.project.MergeRequest(made.IID), serviceapi.ApproveOptions{}))
	must(as(t, w.svc, bob).MergeRequests.Merge(w.ctx, w.project.MergeRequest(made.IID),
		serviceapi.MergeOptions{Squash: new(true)}))
	w.app.MergeRequest("timed", servicetest.TimeTracked(time.Hour, time.Minute))

	parent := w.app.Pipeline("main", servicetest.PipelineName("Nightly"))
	deploy := parent.Child("children", servicetest.PipelineName("Child")).Job("deploy", servicetest.Running())
	production.Deployment(servicetest.DeployedBy(deploy))
	deploy.Succeed()
}

// sendPlans changes issues, comments, milestones and reactions.
func (w *world) sendPlans(t *testing.T) {
	t.Helper()
	sprint := w.acme.Milestone("Sprint", servicetest.Between(w.svc.Now(), w.svc.Now().AddDate(0, 0, 14)),
		servicetest.Description("Two weeks"))
	sprint.Close()
	w.app.Issue("Broken", servicetest.AssignedTo(w.ada), servicetest.Labels("group"), servicetest.Weight(3),
		servicetest.DiscussionLocked(),
		servicetest.DueOn(w.svc.Now()), servicetest.InMilestone(sprint),
		servicetest.TimeTracked(2*time.Hour, time.Hour),
		servicetest.IssueType("incident"))
	issue := w.app.Issue("Slow", servicetest.Reaction(w.ada, "thumbsup"))
	issue.Note("Indeed.", servicetest.Reaction(w.ada, "rocket"))
	tool := w.svc.Project("acme/tool")
	_, _, err := w.client.Issues.Update(w.ctx, w.project.Issue(issue.IID()), serviceapi.UpdateIssueOptions{
		Description: new("Very slow"), AssigneeIDs: []int64{w.ada.ID()}, MilestoneID: new(sprint.ID()),
	})
	require.NoError(t, err)
	_, _, err = w.client.Issues.Move(w.ctx, w.project.Issue(issue.IID()),
		serviceapi.MoveIssueOptions{ToProjectID: tool.ID()})
	require.NoError(t, err)
	snippet := w.project.Snippet(w.app.Snippet("A snippet", servicetest.Description("Short")).ID())
	for _, body := range []string{":tada:", "Nice."} {
		_, _, err = w.client.Notes.CreateForSnippet(w.ctx, snippet, serviceapi.CreateSnippetNoteOptions{Body: body})
		require.NoError(t, err)
	}
}

// sendPlaces changes users, groups, projects, members and keys.
func (w *world) sendPlaces(t *testing.T) {
	t.Helper()
	eve := w.svc.User("eve")
	w.acme.AddMember(eve, servicetest.Developer, servicetest.MemberUntil(w.svc.Now().AddDate(1, 0, 0)))
	eve.SSHKey("laptop")
	team := w.svc.Group("acme/team")
	tool := w.svc.Project("acme/team/tool", servicetest.Description("Cuts"),
		servicetest.Setting("ci_config_path", "ci.yml"))
	_, _, err := w.client.Users.Update(w.ctx, serviceapi.UserID(eve.ID()),
		serviceapi.UpdateUserOptions{Username: new("eva")})
	require.NoError(t, err)
	_, _, err = w.client.Projects.Update(w.ctx, serviceapi.ProjectID(tool.ID()), serviceapi.UpdateProjectOptions{
		Path: new("saw"), Avatar: &serviceapi.Upload{Filename: "saw.png", Content: strings.NewReader("png")},
	})
	require.NoError(t, err)
	_, _, err = w.client.Groups.Update(w.ctx, serviceapi.GroupID(team.ID()),
		serviceapi.UpdateGroupOptions{Path: new("crew")})
	require.NoError(t, err)
	tool.Commit("main", "Cut", servicetest.Write("a.txt", "a\n"))
	bot := tool.AccessToken(servicetest.Developer, servicetest.Name("bot"),
		servicetest.ExpiresAt(w.svc.Now().AddDate(0, 0, 10)))
	_, _, err = withToken(t, w.svc, bot).Projects.Get(w.ctx, serviceapi.ProjectID(tool.ID()), nil)
	require.NoError(t, err)
	w.acme.AccessToken(servicetest.Developer, servicetest.ExpiresAt(w.svc.Now().AddDate(0, 0, 3)))
	_, _, err = w.client.Releases.Create(w.ctx, w.project, serviceapi.CreateReleaseOptions{
		TagName: "v1", Description: new("The first"), Assets: &serviceapi.CreateReleaseAssets{
			Links: []serviceapi.CreateReleaseLinkOptions{{Name: "app", URL: "https://store.test/app"}},
		},
	})
	require.NoError(t, err)
	w.app.DeployToken("cluster", servicetest.ExpiresAt(w.svc.Now().AddDate(0, 0, 3)))
	w.app.DeployToken("other", servicetest.ExpiresAt(w.svc.Now().AddDate(0, 1, 0)))
	w.svc.Advance(5 * 24 * time.Hour)
}
