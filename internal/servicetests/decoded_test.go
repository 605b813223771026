package servicetests

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"reflect"
	"strings"
	"testing"

	"example.com/serviceapi"
	"example.com/serviceapi/internal/inventory"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// decodedAs are the types that the library decodes a response into if the method
// returns another type.
var decodedAs = map[reflect.Type]reflect.Type{
	reflect.TypeFor[serviceapi.CreatedNote]():              reflect.TypeFor[createdNoteResponse](),
	reflect.TypeFor[serviceapi.AddMembersResult]():         reflect.TypeFor[membershipResponse](),
	reflect.TypeFor[serviceapi.MergeRequestSubscription](): reflect.TypeFor[serviceapi.MergeRequestDetails](),
	reflect.TypeFor[serviceapi.IssueStatistics]():          reflect.TypeFor[issueStatisticsBody](),
}

// These are types of the library that it does not export.
type (
	createdNoteResponse struct {
		serviceapi.Note
		Name          string                     `json:"name"`
		User          *serviceapi.UserSummary    `json:"user"`
		AwardableID   int64                      `json:"awardable_id"`
		AwardableType string                     `json:"awardable_type"`
		URL           string                     `json:"url"`
		Summary       []string                   `json:"summary"`
		Extra         map[string]json.RawMessage `json:"-"`
	}
	issueStatisticsBody struct {
		Statistics struct {
			Counts serviceapi.IssueStatistics `json:"counts"`
		} `json:"statistics"`
	}
	membershipResponse struct {
		serviceapi.Member
		Status      string          `json:"status"`
		Message     json.RawMessage `json:"message"`
		QueuedUsers json.RawMessage `json:"queued_users"`
	}
)

// TestDecodedTypesAreTheLibrarys checks that these types have the fields that they
// have in the library.
func TestDecodedTypesAreTheLibrarys(t *testing.T) {
	source, err := inventory.Parse()
	require.NoError(t, err)
	here, err := parser.ParseFile(token.NewFileSet(), "decoded_test.go", nil, parser.SkipObjectResolution)
	require.NoError(t, err)
	compared := 0
	ast.Inspect(here, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok {
			return true
		}
		compared++
		if there := source.Structs[spec.Name.Name]; assert.NotNil(t, there, spec.Name.Name) {
			assert.Equal(t, fieldsOf(t, there), fieldsOf(t, spec.Type.(*ast.StructType)), spec.Name.Name)
		}
		return false
	})
	assert.Equal(t, 3, compared)
}

// fieldsOf returns the fields of a struct as they are written, without the name of
// the library's package.
func fieldsOf(t *testing.T, st *ast.StructType) (fields []string) {
	t.Helper()
	for _, field := range st.Fields.List {
		var text strings.Builder
		for _, name := range field.Names {
			text.WriteString(name.Name + " ")
		}
		require.NoError(t, printer.Fprint(&text, token.NewFileSet(), field.Type))
		if field.Tag != nil {
			text.WriteString(" " + field.Tag.Value)
		}
		fields = append(fields, strings.ReplaceAll(text.String(), "serviceapi.", ""))
	}
	return fields
}
