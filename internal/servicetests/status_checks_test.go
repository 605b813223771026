package servicetests

import (
	"testing"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestServiceListsStatusChecks(t *testing.T) {
	for _, tier := range []servicetest.Tier{servicetest.Premium, servicetest.Ultimate} {
		svc := servicetest.New(t, servicetest.WithTier(tier))
		dev := svc.User("dev")
		app := svc.Project("acme/app", servicetest.Member(dev, servicetest.Developer))
		app.ProtectBranch("main")
		app.ProtectBranch("release/*")
		app.StatusCheck("Compliance", "https://check.example/asked", "release/*")
		app.StatusCheck("License", "https://check.example/license")
		checks, err := serviceapi.Collect(asRoot(t, svc).StatusChecks.All(t.Context(), acmeApp, nil))
		if tier < servicetest.Ultimate {
			assert.ErrorIs(t, err, serviceapi.ErrUnauthorized)
			continue
		}
		require.NoError(t, err)
		require.Len(t, checks, 2)
		assert.Equal(t, []any{"Compliance", "https://check.example/asked", app.ID(), 1}, []any{
			checks[0].Name, checks[0].ExternalURL, checks[0].ProjectID, len(checks[0].ProtectedBranches),
		})
		branch := checks[0].ProtectedBranches[0]
		assert.Equal(t, []any{"release/*", app.ID()}, []any{branch.Name, *branch.ProjectID})
		assert.Empty(t, checks[1].ProtectedBranches)
		_, _, err = as(t, svc, dev).StatusChecks.List(t.Context(), acmeApp, nil)
		assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	}
}
