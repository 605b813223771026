package serviceapi

import (
	"context"
	"errors"
	"net/http"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// checksItself has the methods that refuse an argument before they make a call,
// so that the error does not name it.
var checksItself = map[string]bool{
	"JobArtifacts.DownloadLatest": true, "JobArtifacts.DownloadLatestFile": true, "Members.Add": true,
	"Members.AddSeveral": true, "Projects.Transfer": true, "Registry.DeleteTags": true,
}

// TestEveryArgumentIsChecked calls each method of each service with one argument
// after the other that refers to nothing: no ID, no name, no owner, no context. Each is
// refused with an error that names the call, and nothing is sent.
func TestEveryArgumentIsChecked(t *testing.T) {
	client, _ := scriptedClient(t, RetryPolicy{}, func(r *http.Request) (*http.Response, error) {
		t.Error("sent:", r.Method, r.URL)
		return nil, errors.New("sent")
	})
	services := reflect.ValueOf(client).Elem()
	tried := 0
	eachMethod(func(service reflect.StructField, method reflect.Method) {
		name := service.Name + "." + method.Name
		good, err := arguments(t, method.Type)
		require.NoError(t, err, name)
		receiver := services.FieldByIndex(service.Index)
		refused := func(receiver reflect.Value, in ...reflect.Value) {
			tried++
			var argument *ArgumentError
			if assert.ErrorAs(t, lastError(method.Func.Call(append([]reflect.Value{receiver}, in...))), &argument,
				name) && !checksItself[name] {
				assert.NotEmpty(t, argument.Method, "%s: the error names the call: %v", name, argument)
				assert.NotEmpty(t, argument.Operation, "%s: the error names the call: %v", name, argument)
			}
		}
		for i, arg := range good {
			for _, bad := range nothings(arg, method.Type.In(i+1)) {
				in := append([]reflect.Value(nil), good...)
				in[i] = bad
				refused(receiver, in...)
			}
		}
		refused(reflect.New(service.Type.Elem()), good...)
	})
	assert.Greater(t, tried, 1000)
}

// nothings returns values of a parameter's type that refer to nothing.
func nothings(arg reflect.Value, param reflect.Type) []reflect.Value {
	switch {
	case param == reflect.TypeFor[any]():
		return nil // the result of a query may be discarded
	case param == reflect.TypeFor[context.Context]():
		return []reflect.Value{reflect.Zero(param)}
	case param.Kind() == reflect.Interface:
		return []reflect.Value{reflect.Zero(param), reflect.Zero(reflect.PointerTo(arg.Elem().Type()))}
	case param.Kind() == reflect.Int64:
		return []reflect.Value{reflect.ValueOf(int64(0)), reflect.ValueOf(int64(-1))}
	case param == reflect.TypeFor[ProjectRef]():
		return []reflect.Value{reflect.Zero(param), reflect.ValueOf(ProjectPath("")), reflect.ValueOf(ProjectID(-1))}
	case param == reflect.TypeFor[GroupRef]():
		return []reflect.Value{reflect.Zero(param), reflect.ValueOf(GroupPath("")), reflect.ValueOf(GroupID(-1))}
	case param.Kind() == reflect.String, ownerOf(param).IsValid():
		return []reflect.Value{reflect.Zero(param)}
	}
	return nil
}

// lastError returns the error of a call, or of the sequence that it returned.
func lastError(out []reflect.Value) (err error) {
	if walk := out[0]; walk.Kind() == reflect.Func {
		for _, e := range walk.Seq2() {
			err, _ = e.Interface().(error)
		}
		return err
	}
	err, _ = out[len(out)-1].Interface().(error)
	return err
}

// TestMigrationNeedsTwoClients checks that a client that was not made by NewClient is refused, and
// that the size of an archive is announced only if it is known.
func TestMigrationNeedsTwoClients(t *testing.T) {
	client, _ := scriptedClient(t, RetryPolicy{})
	for _, pair := range [][2]*Client{{nil, client}, {client, nil}, {new(Client), client}, {client, new(Client)}} {
		_, err := MigrateProject(t.Context(), pair[0], ProjectID(4), pair[1], MigrateProjectOptions{})
		assertRefused(t, "client", err)
	}
	for size, want := range map[int64]int64{-1: 0, 0: 0, 1: 1, 7: 7} {
		assert.Equal(t, want, archiveUpload(&Download{Size: size}).Size)
	}
}
