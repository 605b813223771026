package interop

import (
	"io"
	"testing"

	"github.com/hashicorp/go-retryablehttp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestTerraformStates(t *testing.T) {
	e := start(t)
	e.svc.Project(app).TerraformState("app", `{"serial":1}`, `{"serial":2}`)
	s := e.admin.TerraformStates
	newest, err := io.ReadAll(got(s.DownloadLatest(app, "app")).raw(e))
	require.NoError(t, err)
	assert.Equal(t, `{"serial":2}`, string(newest))
	const state = "projects/acme%2Fapp/terraform/state/app"
	upload := func(req *retryablehttp.Request) error { return req.SetBody([]byte(`{"serial":3}`)) }
	first, err := e.admin.NewRequest("POST", state, nil, []clientgo.RequestOptionFunc{upload})
	require.NoError(t, err)
	_, err = e.admin.Do(first, nil)
	require.NoError(t, err)
	third, err := io.ReadAll(got(s.Download(app, "app", 3)).raw(e))
	require.NoError(t, err)
	assert.Equal(t, `{"serial":3}`, string(third))
	done(s.DeleteVersion(app, "app", 2)).ok(e, 204)
	done(s.Lock(app, "app")).refused(e, 400) // it sends no lock
	lock := func(req *retryablehttp.Request) error {
		req.Header.Set("Content-Type", "application/json")
		return req.SetBody([]byte(`{"ID":"1","Operation":"","Info":"","Who":"","Version":"","Created":"","Path":""}`))
	}
	done(s.Lock(app, "app", clientgo.RequestOptionFunc(lock))).ok(e, 200)
	done(s.Unlock(app, "app")).ok(e, 200)
	done(s.Delete(app, "app")).ok(e, 200)
	got(s.DownloadLatest(app, "app")).refused(e, 404)
}
