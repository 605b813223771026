package servicetests

import (
	"strconv"
	"testing"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"example.com/serviceapi/webhook"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestServiceLabelsChange makes, changes and deletes labels. What has a label follows
// silently: hooks and notes say nothing of it.
func TestServiceLabelsChange(t *testing.T) {
	c := newCompany(t)
	crash := c.app.Issue("Crash", servicetest.Labels("seen", "kind/bug"))
	request := c.app.MergeRequest("feature", servicetest.Labels("kind/bug"))
	c.app.Hook(serve(t, new(inbox), webhook.AcceptUnverified()))
	c.svc.Flush()
	told := len(c.svc.Deliveries())
	s, ctx := c.asBob.Labels, t.Context()
	bug, _, err := s.Get(ctx, teamApp, serviceapi.LabelName("kind/bug"), nil)
	require.NoError(t, err)
	assert.Equal(t, []any{"#6699cc", ""}, []any{bug.Color, bug.Description}, "it was made by naming it")

	changed, _, err := s.Update(ctx, teamApp, serviceapi.LabelName("kind/bug"), serviceapi.UpdateLabelOptions{
		NewName: new(" defect "), Color: new("Red"), Description: new("Wrong"), Priority: serviceapi.Value(3),
		Archived: new(true),
	})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.Label{
		ID: bug.ID, Name: "defect", Color: "#ff0000", TextColor: "#FFFFFF", Description: "Wrong",
		DescriptionHTML: "Wrong",
		Priority:        new(3), IsProjectLabel: new(true), Archived: true,
	}, changed)
	assert.Equal(t, []string{"seen", "defect"}, crash.LabelNames())
	assert.Equal(t, []string{"defect"}, request.LabelNames())
	changed, _, err = s.Update(ctx, teamApp, bug.Ref(), serviceapi.UpdateLabelOptions{Priority: serviceapi.Null[int]()})
	require.NoError(t, err)
	assert.Nil(t, changed.Priority)
	made, resp, err := s.Create(ctx, teamApp, serviceapi.CreateLabelOptions{
		Name: "easy", Color: "#fff", Description: new("Begin here"), Priority: new(0),
	})
	require.NoError(t, err)
	assert.Equal(t, []any{201, "#fff", "#333333", 0}, []any{resp.StatusCode, made.Color, made.TextColor,
		*made.Priority})
	_, _, err = s.Update(ctx, teamApp, made.Ref(), serviceapi.UpdateLabelOptions{NewName: new("defect")})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
	_, _, err = s.Create(ctx, teamApp, serviceapi.CreateLabelOptions{Name: "easy", Color: "red"})
	require.ErrorIs(t, err, serviceapi.ErrConflict)

	_, err = s.Delete(ctx, teamApp, bug.Ref())
	require.NoError(t, err)
	_, _, err = s.Get(ctx, teamApp, bug.Ref(), nil)
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	assert.Equal(t, []string{"seen"}, crash.LabelNames())
	assert.Empty(t, request.LabelNames())
	assert.Empty(t, crash.Notes())
	c.svc.Flush()
	assert.Len(t, c.svc.Deliveries(), told, "hooks are not told of labels")
	_, _, err = c.asBob.Issues.Update(ctx, teamApp.Issue(crash.IID()),
		serviceapi.UpdateIssueOptions{Title: new("Crashes")})
	require.NoError(t, err)
	c.svc.Flush()
	assert.Len(t, c.svc.Deliveries(), told+1, "but of what happens afterwards")
}

// TestServiceLabelsAbove checks what projects and groups can do with labels of the groups
// above.
func TestServiceLabelsAbove(t *testing.T) {
	c := newCompany(t)
	c.acme.AddMember(c.bob, servicetest.Guest)
	epic := c.acme.Epic("Grow", servicetest.Labels("goal"))
	crash := c.app.Issue("Crash", servicetest.Labels("goal"))
	s, ctx, goal := c.asAda.Labels, t.Context(), serviceapi.LabelName("goal")
	ofProject, _, err := s.Get(ctx, teamApp, goal, nil)
	require.NoError(t, err)
	assert.False(t, *ofProject.IsProjectLabel)
	ofGroup, _, err := s.Get(ctx, platform, goal, nil)
	require.NoError(t, err)
	assert.Nil(t, ofGroup.IsProjectLabel)
	_, _, err = s.Get(ctx, teamApp, goal, &serviceapi.GetLabelOptions{IncludeAncestorGroups: new(false)})
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	_, _, err = s.Update(ctx, teamApp, goal, serviceapi.UpdateLabelOptions{Color: new("red")})
	require.ErrorIs(t, err, serviceapi.ErrNotFound, "only the group can change it")
	_, _, err = s.Promote(ctx, teamApp, goal)
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	_, _, err = s.Create(ctx, platform, serviceapi.CreateLabelOptions{Name: "goal", Color: "red"})
	require.ErrorIs(t, err, serviceapi.ErrConflict)
	_, _, err = c.asBob.Labels.Update(ctx, acme, goal, serviceapi.UpdateLabelOptions{Color: new("red")})
	require.ErrorIs(t, err, serviceapi.ErrForbidden)

	got, _, err := c.asBob.Labels.Subscribe(ctx, acme, goal)
	require.NoError(t, err)
	assert.True(t, got.Label.Subscribed)
	got, resp, err := c.asBob.Labels.Subscribe(ctx, acme, goal)
	require.NoError(t, err)
	assert.Equal(t, 304, resp.StatusCode)
	assert.Equal(t, &serviceapi.LabelSubscription{Unchanged: true}, got)
	ofGroup, _, err = s.Get(ctx, acme, goal, nil)
	require.NoError(t, err)
	assert.False(t, ofGroup.Subscribed, "only Bob is")
	got, _, err = c.asBob.Labels.Unsubscribe(ctx, acme, goal)
	require.NoError(t, err)
	assert.False(t, got.Label.Subscribed)
	got, _, err = c.asBob.Labels.Unsubscribe(ctx, acme, goal)
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.LabelSubscription{Unchanged: true}, got)

	_, _, err = s.Update(ctx, acme, goal, serviceapi.UpdateLabelOptions{NewName: new("aim")})
	require.NoError(t, err)
	read, _, err := c.asAda.Epics.Get(ctx, acme.Epic(epic.IID()))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.LabelSummary{{Name: "aim"}}, read.Labels)
	_, err = s.Delete(ctx, acme, read.Labels[0].Ref())
	require.NoError(t, err)
	read, _, err = c.asAda.Epics.Get(ctx, acme.Epic(epic.IID()))
	require.NoError(t, err)
	assert.Empty(t, read.Labels)
	assert.Empty(t, crash.LabelNames())
}

// TestServiceLabelsPromote makes the labels of two projects one of their group, which
// keeps their priorities and subscriptions.
func TestServiceLabelsPromote(t *testing.T) {
	c := newCompany(t)
	ctx, bug := t.Context(), serviceapi.LabelName("bug")
	c.app.Label("bug", "#ff0000", "Wrong", servicetest.LabelPriority(4))
	other := c.svc.Project("acme/platform/other")
	other.Label("bug", "#00ff00", "Also wrong", servicetest.LabelPriority(5))
	crash, _, err := c.asAda.Issues.Create(ctx, teamApp,
		serviceapi.CreateIssueOptions{Title: "Crash", Labels: serviceapi.LabelNames{"bug"}})
	require.NoError(t, err)
	before, _, err := c.asAda.Labels.Get(ctx, teamApp, bug, nil)
	require.NoError(t, err)
	_, _, err = c.asBob.Labels.Subscribe(ctx, teamApp, bug)
	require.NoError(t, err)
	_, _, err = c.asBob.Labels.Promote(ctx, teamApp, bug)
	require.ErrorIs(t, err, serviceapi.ErrForbidden, "Bob has no role in the group")

	promoted, _, err := c.asAda.Labels.Promote(ctx, teamApp, bug)
	require.NoError(t, err)
	assert.NotEqual(t, before.ID, promoted.ID)
	assert.Equal(t, []any{"bug", "#ff0000", "Wrong"}, []any{promoted.Name, promoted.Color, promoted.Description})
	assert.Nil(t, promoted.IsProjectLabel)
	assert.Empty(t, c.app.LabelNames())
	assert.Empty(t, other.LabelNames())
	for path, priority := range map[string]int{"acme/platform/app": 4, "acme/platform/other": 5} {
		label, _, err := c.asAda.Labels.Get(ctx, serviceapi.ProjectPath(path), bug, nil)
		require.NoError(t, err)
		assert.Equal(t, []any{promoted.ID, priority, false}, []any{label.ID, *label.Priority, *label.IsProjectLabel})
	}
	seen, _, err := c.asBob.Labels.Get(ctx, teamApp, bug, nil)
	require.NoError(t, err)
	assert.True(t, seen.Subscribed)
	events, err := serviceapi.Collect(c.asAda.ResourceEvents.AllLabelEvents(ctx, crash.Ref(), nil))
	require.NoError(t, err)
	assert.Equal(t, promoted.ID, *events[0].Label.ID)

	c.svc.Project("ada/notes").Label("bug", "#ff0000", "")
	_, _, err = asRoot(t, c.svc).Labels.Promote(ctx, serviceapi.ProjectPath("ada/notes"), bug)
	assert.ErrorContains(t, err, "Failed to promote project label to group label")
}

// TestServiceLabelsOfDigits checks that a name that looks like an ID is taken for one
// first.
func TestServiceLabelsOfDigits(t *testing.T) {
	c := newCompany(t)
	c.app.Label("bug", "#ff0000", "")
	s, ctx := c.asBob.Labels, t.Context()
	bug, _, err := s.Get(ctx, teamApp, serviceapi.LabelName("bug"), nil)
	require.NoError(t, err)
	c.app.Label(strconv.FormatInt(bug.ID, 10), "#ff0000", "")
	c.app.Label("404", "#ff0000", "")
	taken, _, err := s.Get(ctx, teamApp, serviceapi.LabelName(strconv.FormatInt(bug.ID, 10)), nil)
	require.NoError(t, err)
	assert.Equal(t, "bug", taken.Name)
	free, _, err := s.Get(ctx, teamApp, serviceapi.LabelName("404"), nil)
	require.NoError(t, err)
	assert.Equal(t, "404", free.Name)
}

// TestServiceLabelsWithAnyName checks that a label is found by names that look like paths and
// addresses.
func TestServiceLabelsWithAnyName(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app")
	s, ctx, app := asRoot(t, svc).Labels, t.Context(), serviceapi.ProjectPath("acme/app")
	for _, name := range []string{"/area", "area/", "a//b", "https://x.y", "50%2Foff", "a..b", "..", "a/../b"} {
		made, _, err := s.Create(ctx, app, serviceapi.CreateLabelOptions{Name: name, Color: "#ff0000"})
		require.NoError(t, err, name)
		label := serviceapi.LabelName(name)
		if _, _, err = s.Get(ctx, app, label, nil); err != nil {
			require.ErrorContains(t, err, "LabelID", name)
			label = serviceapi.LabelID(made.ID)
		}
		got, _, err := s.Get(ctx, app, label, nil)
		require.NoError(t, err, name)
		assert.Equal(t, name, got.Name)
		_, err = s.Delete(ctx, app, label)
		require.NoError(t, err, name)
	}
}

// TestServiceScopedLabels checks which tiers let an issue have one label of a scope only.
func TestServiceScopedLabels(t *testing.T) {
	for tier, want := range map[servicetest.Tier][]string{
		servicetest.Free: {"a::b", "a::c"}, servicetest.Premium: {"a::c"}, servicetest.Ultimate: {"a::c"},
	} {
		svc := servicetest.New(t, servicetest.WithTier(tier))
		issue := svc.Project("acme/app").Issue("Slow", servicetest.Labels("a::b"))
		changed, _, err := asRoot(t, svc).Issues.Update(t.Context(),
			serviceapi.ProjectPath("acme/app").Issue(issue.IID()),
			serviceapi.UpdateIssueOptions{AddLabels: serviceapi.LabelNames{"a::c"}})
		require.NoError(t, err)
		var names []string
		for _, label := range changed.Labels {
			names = append(names, label.Name)
		}
		assert.Equal(t, want, names, "%v", tier)
	}
}
