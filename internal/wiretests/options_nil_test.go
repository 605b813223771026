package wiretests

import (
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestNilOptionsAreIgnored passes nil where a method has only request options, among other
// options of a call, and to a client.
func TestNilOptionsAreIgnored(t *testing.T) {
	client := onWire(t,
		exchange{Method: "GET", Path: "/projects/4/jobs/8", Body: `{"id":8}`},
		exchange{Method: "GET", Path: "/projects/4/jobs/8", Header: map[string]string{"X-A": "b"}, Body: `{"id":8}`},
		exchange{Method: "GET", Path: "/projects/4/jobs", Query: "per_page=100", Body: `[]`},
		exchange{Method: "DELETE", Path: "/projects/4/jobs/8/artifacts", Status: 204},
		exchange{Method: "POST", Path: "/things", JSON: `null`, Status: 204},
		exchange{Method: "GET", Path: "/projects/4/jobs/8", Header: map[string]string{"X-A": "c"}, Body: `{"id":8}`},
	)
	ctx, app := t.Context(), serviceapi.ProjectID(4)
	job, _, err := client.Jobs.Get(ctx, app, 8, nil)
	require.NoError(t, err)
	assert.Equal(t, int64(8), job.ID)
	_, _, err = client.Jobs.Get(ctx, app, 8, nil, serviceapi.WithHeader("X-A", "b"), nil)
	require.NoError(t, err)
	_, err = serviceapi.Collect(client.Jobs.All(ctx, app, nil, nil))
	require.NoError(t, err)
	_, err = client.Do(ctx, "DELETE", serviceapi.Route("/projects/:id/jobs/:job_id/artifacts", app, 8), nil, nil, nil)
	require.NoError(t, err)
	var body *serviceapi.OtherIntegration // which is sent in another form if it is not nil
	_, err = client.Do(ctx, "POST", serviceapi.Route("/things"), body, nil)
	require.NoError(t, err)
	derived, err := client.With(nil, serviceapi.WithHeader("X-A", "c"), nil)
	require.NoError(t, err)
	_, _, err = derived.Jobs.Get(ctx, app, 8)
	require.NoError(t, err)
	_, err = serviceapi.NewClient("https://service.test", serviceapi.Anonymous(), nil)
	require.NoError(t, err)
}
