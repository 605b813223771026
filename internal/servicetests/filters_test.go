package servicetests

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// TestServiceFiltersOfToday checks the filters that newer releases have added
// to older lists.
func TestServiceFiltersOfToday(t *testing.T) {
	svc, app, dev := newApp(t)
	ctx := t.Context()
	ada := svc.User("ada", servicetest.Name("Ada Lovelace"), servicetest.Email("countess@example.com"))

	t.Run("jobs by keyset", func(t *testing.T) {
		pipeline := app.Pipeline("main")
		for n := range 45 {
			options := []servicetest.JobOption{servicetest.Failed("script_failure")}
			pipeline.Job("test", options[:n%2]...)
		}
		for sort, first := range map[serviceapi.Sort]int64{serviceapi.SortAscending: 1, serviceapi.SortDescending: 45} {
			var ids []int64
			options := &serviceapi.ListJobsOptions{
				Pagination: serviceapi.PaginationKeyset, OrderBy: serviceapi.JobOrderByID, Sort: sort,
				Scope: []serviceapi.JobStatus{serviceapi.JobStatusSuccess},
			}
			for job, err := range dev.Jobs.All(ctx, acmeApp, options) {
				require.NoError(t, err)
				ids = append(ids, job.ID)
			}
			require.Len(t, ids, 23, sort)
			assert.Equal(t, []int64{first, 46 - first}, []int64{ids[0], ids[22]}, sort)
		}
	})
	t.Run("runners by version", func(t *testing.T) {
		svc.Runner("fast", servicetest.RunnerVersion("17.2.1"))
		fast, _, err := asRoot(t, svc).Runners.List(ctx, serviceapi.Instance,
			&serviceapi.ListRunnersOptions{VersionPrefix: "17.2"})
		require.NoError(t, err)
		require.Len(t, fast, 1)
		assert.Equal(t, "fast", fast[0].Description)
	})
	t.Run("commits by author", func(t *testing.T) {
		app.Commit("main", "Count", servicetest.Write("a.txt", "a"), servicetest.CommitAuthor(ada))
		for author, want := range map[string]int{"lovelace": 1, "countess@": 1, "nobody": 0, "": 2} {
			commits, _, err := dev.Commits.List(ctx, acmeApp, &serviceapi.ListCommitsOptions{Author: author})
			require.NoError(t, err)
			assert.Len(t, commits, want, author)
		}
	})
	t.Run("notes by activity", func(t *testing.T) {
		issue := app.Issue("Crash")
		issue.Note("Seen.")
		issue.Note("changed the title", servicetest.SystemNote())
		for filter, want := range map[serviceapi.NoteActivity]string{
			serviceapi.NoteActivityComments: "Seen.", serviceapi.NoteActivitySystem: "changed the title",
		} {
			notes, _, err := dev.Notes.List(ctx, acmeApp.Issue(issue.IID()),
				&serviceapi.ListNotesOptions{ActivityFilter: filter})
			require.NoError(t, err)
			require.Len(t, notes, 1, filter)
			assert.Equal(t, want, notes[0].Body)
		}
		_, _, err := dev.Notes.List(ctx, acmeApp.Issue(issue.IID()),
			&serviceapi.ListNotesOptions{ActivityFilter: "some"})
		assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
	})
	t.Run("deployments by their end", func(t *testing.T) {
		production := app.Environment("production")
		for range 3 {
			production.Deployment()
			svc.Advance(time.Hour)
		}
		production.Deployment(servicetest.DeploymentStatus("running"))
		options := serviceapi.ListDeploymentsOptions{FinishedAfter: svc.Now().Add(-2 * time.Hour),
			FinishedBefore: svc.Now().Add(-time.Hour)}
		_, _, err := dev.Deployments.List(ctx, acmeApp, &options)
		require.ErrorContains(t, err, "`success` status filter")
		options.Status = serviceapi.DeploymentStatusSuccess
		_, _, err = dev.Deployments.List(ctx, acmeApp, &options)
		require.ErrorContains(t, err, "`finished_at` sort")
		options.OrderBy, options.Sort = serviceapi.DeploymentOrderByFinishedAt, serviceapi.SortDescending
		deployments, _, err := dev.Deployments.List(ctx, acmeApp, &options)
		require.NoError(t, err)
		require.Len(t, deployments, 2)
		assert.Equal(t, []int64{3, 2}, []int64{deployments[0].ID, deployments[1].ID}, "bounds are included")
	})
}
