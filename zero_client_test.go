package serviceapi

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestClientsThatWereNotMade calls every method of every service of a client that was not
// made by NewClient, and every method of such a client itself.
func TestClientsThatWereNotMade(t *testing.T) {
	zero := reflect.ValueOf(new(Client)).Elem()
	tried := 0
	eachMethod(func(service reflect.StructField, method reflect.Method) {
		name := service.Name + "." + method.Name
		good, err := arguments(t, method.Type)
		require.NoError(t, err, name)
		for _, receiver := range []reflect.Value{zero.FieldByIndex(service.Index), reflect.New(service.Type.Elem())} {
			tried++
			assert.NotPanics(t, func() {
				out := method.Func.Call(append([]reflect.Value{receiver}, good...))
				assertRefused(t, "client", lastError(out))
			}, name)
		}
	})
	assert.Greater(t, tried, 1000)

	for name, client := range map[string]*Client{"zero": new(Client), "nil": nil} {
		ctx, path := t.Context(), EscapedPath("/x")
		_, err := client.With()
		assertRefused(t, "client", err)
		_, err = client.With(WithSudo(UserID(1)))
		assertRefused(t, "client", err)
		_, err = client.Do(ctx, "GET", path, nil, nil)
		assertRefused(t, "client", err)
		assertRefused(t, "client", errorOf(Get[Project](ctx, client, path)))
		assertRefused(t, "client", errorOf(List[*Project](ctx, client, path, nil)))
		_, err = Collect(All[*Project](ctx, client, path, nil))
		assertRefused(t, "client", err)
		_, err = Collect(GraphQLAll(ctx, client, GraphQLRequest{Query: pagesQuery}, itemsOf))
		assertRefused(t, "client", err)
		assert.Empty(t, client.BaseURL(), name)
		_, err = client.URL(path)
		assertRefused(t, "client", err)
		assert.NotPanics(t, client.CloseIdleConnections)
		assert.Equal(t, "serviceapi.Client(none)", client.LogValue().String())
	}
}

// TestMethodsOfClient names the methods of a client that the test above has to call.
func TestMethodsOfClient(t *testing.T) {
	var names []string
	for method := range reflect.TypeFor[*Client]().Methods() {
		names = append(names, method.Name)
	}
	assert.Equal(t, []string{"BaseURL", "CloseIdleConnections", "Do", "Format", "LogValue", "ParseCommitRef",
		"ParseEpicRef", "ParseGroupRef", "ParseIssueRef", "ParseMergeRequestRef", "ParseNamespaceRef",
		"ParseProjectRef", "ParseSnippetRef", "ParseUserRef", "URL", "With"}, names)
}
