package conventions

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"example.com/serviceapi"
	"example.com/serviceapi/internal/inventory"
	"example.com/serviceapi/internal/racing"
	"github.com/stretchr/testify/require"
)

// TestMain runs the tests in the folder of the module, whose files they read.
func TestMain(m *testing.M) {
	root, err := inventory.Root()
	if err == nil {
		err = os.Chdir(root)
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// readsSource skips a test of what is written, which finds no race and takes many times as
// long with the race detector, where that is on.
func readsSource(t *testing.T) {
	t.Helper()
	if racing.Enabled {
		t.Skip("reads source; run without -race")
	}
}

func parsePackage(t *testing.T) *inventory.Source {
	t.Helper()
	readsSource(t)
	s, err := inventory.Parse()
	require.NoError(t, err)
	return s
}

var clientType = reflect.TypeFor[serviceapi.Client]()

// resultTypes are the structs that methods of services return.
func resultTypes() []reflect.Type {
	return inventory.Results(clientType, reflect.TypeFor[serviceapi.GraphQLErrorDetail]())
}

// structsOfResults are the structs that results consist of.
func structsOfResults() []reflect.Type {
	return inventory.Within(clientType.PkgPath(), resultTypes())
}

// eachMethod visits the exported methods of every service.
func eachMethod(visit func(service reflect.StructField, method reflect.Method)) {
	for service, method := range inventory.Methods(clientType) {
		visit(service, method)
	}
}

// readFile returns the text of a file of the module.
func readFile(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(data)
}

// glob returns the files of the module that match a pattern.
func glob(t *testing.T, pattern string) []string {
	t.Helper()
	names, err := filepath.Glob(pattern)
	require.NoError(t, err)
	return names
}
