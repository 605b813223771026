package stub

import (
	"go/importer"
	"go/types"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestListsAreCurrent checks that the lists are those of the library.
func TestListsAreCurrent(t *testing.T) {
	for copied, original := range map[string]string{
		"serviceapi.txt": "../../../api.txt", "webhook.txt": "../../../webhook/api.txt",
	} {
		have, err := os.ReadFile(copied)
		require.NoError(t, err)
		want, err := os.ReadFile(original)
		require.NoError(t, err)
		if string(have) != string(want) {
			t.Errorf("%s is not a copy of %s; run: go generate ./...", copied, original)
		}
	}
}

// listed has every kind of line.
const listed = `const JobStatusFailed JobStatus = "failed"
const Limit = 64 << 20
func (s *JobsService) All(ctx context.Context, owner Owner, o *JobOptions, opts ...Option) iter.Seq2[*Job, error]
func Value[T any](v T) Nullable[T]
type Group struct
type Job struct
type Job struct, ID int64, as id
type Job struct, Owner Owner
type JobOptions struct
type JobOptions struct, embeds ListOptions
type JobOptions struct, Pages func(a, b int) error
type JobOptions struct, Scope []JobStatus, as scope[], only for project, always sent, required
type JobStatus string
type JobsService service
type ListOptions struct
type Narrow interface
type Narrow interface, Owner
type Narrow interface, implemented by Group
type Nullable[T any] struct
type Option func(*config)
type Owner interface
type Owner interface, IsZero() bool
type Owner interface, implemented by *Job, Group
type Sealed interface
type Sealed interface, implemented by unexported types
func (*Job) IsZero() bool
func (Group) IsZero() bool
var Mine *Job
`

func TestSource(t *testing.T) {
	text, err := Source("jobs", listed)
	require.NoError(t, err)
	pkg, err := check("jobs", text, importer.Default())
	require.NoError(t, err)
	lookup := func(name string) types.Type { return pkg.Scope().Lookup(name).Type() }
	owner := lookup("Owner").Underlying().(*types.Interface)
	narrow := lookup("Narrow").Underlying().(*types.Interface)
	assert.True(t, types.Implements(lookup("Mine"), owner))
	assert.False(t, types.Implements(lookup("Job"), owner))
	assert.True(t, types.Implements(lookup("Group"), narrow))
	assert.True(t, types.Implements(lookup("Narrow"), owner))
	assert.False(t, types.Implements(lookup("Mine"), narrow))
	options := lookup("JobOptions").Underlying().(*types.Struct)
	assert.True(t, options.Field(0).Embedded())
	assert.Equal(t, "func(a int, b int) error", options.Field(1).Type().String())
	assert.Equal(t, "[]jobs.JobStatus `json:\"scope[]\" sent:\"always\" required:\"true\"`",
		options.Field(2).Type().String()+" `"+options.Tag(2)+"`")
	assert.Equal(t, "67108864", pkg.Scope().Lookup("Limit").(*types.Const).Val().String())
	assert.Equal(t, "jobs.JobStatus", lookup("JobStatusFailed").String())
	assert.Equal(t, "struct{}", lookup("JobsService").Underlying().String())

	_, err = Source("jobs", "var Own CallerOwner\n")
	assert.ErrorContains(t, err, "nothing declares CallerOwner")
	_, err = Source("jobs", "a line of another kind\n")
	assert.Error(t, err)
	_, err = Check("example.com/other", nil)
	assert.Error(t, err)
}
