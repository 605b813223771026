package servicetests

import (
	"testing"

	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestServiceMetadata(t *testing.T) {
	svc := servicetest.New(t, servicetest.WithVersion("15.2.0"), servicetest.WithTier(servicetest.Free))
	client, ctx := asRoot(t, svc).Metadata, t.Context()
	version, _, err := client.Version(ctx)
	require.NoError(t, err)
	whole, _, err := client.Get(ctx)
	require.NoError(t, err)
	assert.Equal(t, version, whole)
	assert.Equal(t, []any{"15.2.0", false, false}, []any{whole.Version, whole.Enterprise, whole.KAS.Enabled})
	assert.NotEmpty(t, whole.Revision)
}
