package move

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A name that hides package context does not keep a function.
func TestHiddenContext(t *testing.T) {
	result, changed := moveFiles(t, writeModule(t, map[string]string{"a.go": "package a\n\n" + importOld + `
type app struct{ name string }

func version(context *app, client *gitlab.Client) string {
	v, _, err := client.Version.GetVersion()
	if err != nil {
		return context.name
	}
	return v.Version
}
`}), "./...")
	assert.Equal(t, 1, result.Report.Moved, "%v", result.Report.Items)
	assert.Contains(t, changed["a.go"], "client.Metadata.Version(todoContext())")
	assert.Contains(t, changed["serviceapi_helpers.go"],
		"func todoContext() context.Context { return context.TODO() }")
}

// HasStatusCode is what it was, also for the errors of calls that stay.
func TestStatusOfErrors(t *testing.T) {
	result, changed := moveFiles(t, writeModule(t, map[string]string{"a.go": "package a\n\n" + importOld + `
func conflicts(client *gitlab.Client) bool {
	_, _, err := client.Projects.GetProject(1, nil)
	return gitlab.HasStatusCode(err, 409) || gitlab.HasStatusCode(err, 404)
}

func nodes(client *gitlab.Client) error {
	_, _, err := client.GeoNodes.ListGeoNodes(nil)
	return err
}

func any(client *gitlab.Client, first bool) bool {
	err := nodes(client)
	if first {
		_, _, err = client.Projects.GetProject(1, nil)
	}
	return gitlab.HasStatusCode(err, 409)
}
`}), "./...")
	assert.Contains(t, changed["a.go"], "return hasStatusCode(err, 409) || hasStatusCode(err, 404)")
	assert.Contains(t, changed["a.go"], "return hasStatusCode(serviceErrorOf(err), 409)")
	assert.Equal(t, 2, result.Report.Moved, "%v", result.Report.Items)
}

// An adapter is only for an interface that moves.
func TestInterfacesThatStayHaveNoAdapter(t *testing.T) {
	result, _ := moveFiles(t, writeModule(t, map[string]string{"a.go": "package a\n\n" + importOld + `
type lister interface {
	ListGeoNodes(opt *gitlab.ListGeoNodesOptions, options ...gitlab.RequestOptionFunc) ([]*gitlab.GeoNode, *gitlab.Response, error)
}

type getter interface {
	GetProject(pid interface{}, opt *gitlab.GetProjectOptions, options ...gitlab.RequestOptionFunc) (*gitlab.Project, *gitlab.Response, error)
	nodes() *gitlab.GeoNode
}

func name(g getter) string { return g.nodes().Name }

func version(client *gitlab.Client) { client.Version.GetVersion() }
`}), "./...")
	assert.Equal(t, 1, result.Report.Moved, "%v", result.Report.Items)
}

// A variable that only the options point to is no reason to keep a function.
func TestOptionsThatOwnTheirValue(t *testing.T) {
	result, changed := moveFiles(t, writeModule(t, map[string]string{"a.go": "package a\n\n" + importOld + `
func create(client *gitlab.Client, names []string) error {
	labels := make(gitlab.LabelOptions, 0)
	opts := &gitlab.CreateIssueOptions{Title: gitlab.Ptr("x"), Labels: &labels}
	for _, name := range names {
		*opts.Labels = append(*opts.Labels, name)
	}
	_, _, err := client.Issues.CreateIssue(1, opts)
	return err
}
`}), "./...")
	assert.Equal(t, 1, result.Report.Moved, "%v", result.Report.Items)
	assert.Contains(t, changed["a.go"], "append(opts.Labels, ")
}
