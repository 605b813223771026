package conventions

import (
	"os"
	"reflect"
	"regexp"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEveryServiceHasAnExample(t *testing.T) {
	entries, err := os.ReadDir(".")
	require.NoError(t, err)
	shown := map[string]bool{}
	for _, entry := range entries {
		if !regexp.MustCompile(`example.*_test\.go$`).MatchString(entry.Name()) {
			continue
		}
		source, err := os.ReadFile(entry.Name())
		require.NoError(t, err)
		for _, match := range regexp.MustCompile(`(?m)^func Example(\w+Service)_`).FindAllSubmatch(source, -1) {
			shown[string(match[1])] = true
		}
	}
	services := 0
	for field := range reflect.TypeFor[serviceapi.Client]().Fields() {
		if field.IsExported() {
			services++
			assert.True(t, shown[field.Type.Elem().Name()], "no example shows %s", field.Type.Elem().Name())
		}
	}
	assert.Greater(t, services, 20)
}
