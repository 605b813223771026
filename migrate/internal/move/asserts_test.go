package move

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What tells events by their type stays with what parses them, and so does what takes other values of any
// type apart with what makes them.
func TestValuesOfAnyTypeStayTogether(t *testing.T) {
	result := moveText(t, `package lines

import gitlab "gitlab.com/gitlab-org/api/client-go"

func parse(client *gitlab.Client, body []byte) (any, error) {
	client.InstanceCluster.ListClusters()
	return gitlab.ParseHook(gitlab.EventTypePush, body)
}

func handle(event any) string {
	switch e := event.(type) {
	case *gitlab.PushEvent:
		return e.Ref
	}
	return ""
}

func cached(client *gitlab.Client, cache map[string]any) {
	client.InstanceCluster.ListClusters()
	cache["project"] = &gitlab.Project{}
}

func name(cache map[string]any) string { return cache["project"].(*gitlab.Project).Name }

func here(body []byte) string {
	event, err := gitlab.ParseHook(gitlab.EventTypePush, body)
	if err != nil {
		return ""
	}
	if e, ok := event.(*gitlab.PushEvent); ok {
		return e.Ref
	}
	return ""
}

func version(client *gitlab.Client) { client.Version.GetVersion() }
`)
	require.NotEmpty(t, result.Files)
	text := string(result.Files[0].New)
	for _, line := range []string{
		"\tcase *gitlab.PushEvent:",
		`cache["project"].(*gitlab.Project).Name`,
		"if e, ok := event.(*webhook.PushEvent); ok {",
		"client.Metadata.Version(",
	} {
		assert.Contains(t, text, line)
	}
}

// A test moves with what it takes apart.
func TestTestsOfValuesOfAnyTypeMove(t *testing.T) {
	dir := writeModule(t, map[string]string{
		"a/a.go": "package a\n\n" + importOld + `
func Parse(body []byte) (any, error) {
	event, err := gitlab.ParseHook(gitlab.EventTypePush, body)
	if err != nil {
		return nil, err
	}
	return event, nil
}
`,
		"a/a_test.go": "package a\n\nimport (\n\t\"testing\"\n\n" +
			"\tgitlab \"gitlab.com/gitlab-org/api/client-go\"\n)\n" + `
func TestParse(t *testing.T) {
	event, err := Parse([]byte("{\"ref\":\"main\"}"))
	if err != nil || event.(*gitlab.PushEvent).Ref != "main" {
		t.Error(event, err)
	}
}
`,
	})
	_, texts := moveFiles(t, dir, "./a")
	assert.Contains(t, texts["a/a_test.go"], "event.(*webhook.PushEvent).Ref")
}

// Values of any type that are tested for being one of client-go have lines in the report.
func TestAssertedValuesAreReported(t *testing.T) {
	result := moveText(t, `package lines

import gitlab "gitlab.com/gitlab-org/api/client-go"

func Text(v any) string {
	switch v := v.(type) {
	case *gitlab.ISOTime:
		return v.String()
	case *gitlab.PushEvent:
		return v.Ref
	}
	return v.(*gitlab.Commit).ID
}
`)
	var found []string
	for _, text := range noteTexts(result, "value") {
		before, _, _ := strings.Cut(text, ":")
		found = append(found, before)
	}
	assert.Equal(t, []string{"v is tested for being *gitlab.ISOTime", "v is tested for being *gitlab.Commit"}, found)
}
