package interop

import (
	"testing"

	"github.com/stretchr/testify/assert"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestAppearance(t *testing.T) {
	e := start(t)
	options := &clientgo.ChangeAppearanceOptions{Title: new("Engines")}
	changed := got(e.admin.Appearance.ChangeAppearance(options)).ok(e, 200)
	assert.Equal(t, []string{"Engines", "#FFFFFF"}, []string{changed.Title, changed.MessageFontColor})
	assert.Equal(t, changed, got(e.admin.Appearance.GetAppearance()).ok(e, 200))
}
