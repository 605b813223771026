package serviceapi

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// zeroErrors has every error type, as a program's own tests may make it.
var zeroErrors = []error{
	new(ApprovalError), new(ArgumentError), new(ChangesetError), new(ChecksumError), new(DecodeError),
	new(EnvironmentStopError), new(Error), new(GraphQLError), new(InsufficientScopeError), new(InvitationError),
	new(MembershipQueuedError), new(MergeError), new(MergeRequestExistsError), new(NotMergeableError),
	new(PaginationError), new(ProjectExportError), new(ProjectImportError), new(ProtectedRefError),
	new(RateLimitError), new(RebaseError), new(RedirectError), new(RefreshError), new(TerraformLockError),
	new(TransportError), new(UserConflictError),
	(*Error)(nil),
}

// TestZeroErrors checks that an error without its parts can be printed and
// compared.
func TestZeroErrors(t *testing.T) {
	list, err := os.ReadFile("api.txt")
	require.NoError(t, err)
	var listed, tried []string
	for _, match := range regexp.MustCompile(`(?m)^func \(e \*(\w+)\) Error\(\) string$`).FindAllSubmatch(list, -1) {
		listed = append(listed, string(match[1]))
	}
	for _, err := range zeroErrors {
		if !reflect.ValueOf(err).IsNil() {
			tried = append(tried, reflect.TypeOf(err).Elem().Name())
		}
		t.Run(reflect.TypeOf(err).Elem().Name(), func(t *testing.T) {
			assert.NotEmpty(t, err.Error())
			assert.False(t, errors.Is(err, ErrNotFound))
			var response *Error
			if errors.As(err, &response) {
				assert.Empty(t, response.Header("Etag"))
			}
			MayHaveExecuted(err)
		})
	}
	assert.ElementsMatch(t, listed, tried)
}

// TestZeroHandles checks that what was never opened can be closed.
func TestZeroHandles(t *testing.T) {
	for _, client := range []*Client{nil, {}} {
		client.CloseIdleConnections()
	}
	for _, catalog := range []*RegistryCatalog{nil, {}} {
		catalog.CloseIdleConnections()
	}
	download := new(Download)
	_, err := download.Read(make([]byte, 1))
	require.ErrorIs(t, err, os.ErrClosed)
	_, err = download.SaveFile(filepath.Join(t.TempDir(), "a"))
	require.ErrorIs(t, err, os.ErrClosed)
	require.NoError(t, download.Close())
}
