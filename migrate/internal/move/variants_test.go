package move

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// External tests use what the tests inside of a package declare, also where other packages are compiled
// again for them. Nothing of them is set aside.
func TestExternalTests(t *testing.T) {
	dir := writeModule(t, map[string]string{
		"a/a.go": "package a\n\n" + importOld + `
func Version(client *gitlab.Client) (string, error) {
	v, _, err := client.Version.GetVersion()
	if err != nil {
		return "", err
	}
	return v.Version, nil
}

func Name() string { return "a" }
`,
		"a/export_test.go": "package a\n\nfunc NameForTest() string { return Name() }\n",
		"a/a_test.go":      externalTest("a", "if a.NameForTest() != b.Name() {\n\t\tt.Error(b.Name())\n\t}", "b"),
		"b/b.go":           "package b\n\nimport \"" + goldenPath + "/a\"\n\nfunc Name() string { return a.Name() }\n",
		"c/c.go": "package c\n\n" + importOld +
			"func Client() (*gitlab.Client, error) { return gitlab.NewClient(\"x\") }\n",
		"c/export_test.go": "package c\n\nvar ForTest = 7\n",
		"c/c_test.go":      externalTest("c", "if c.ForTest != 7 {\n\t\tt.Error(c.ForTest)\n\t}"),
	})
	result, texts := moveFiles(t, dir, "./a", "./b", "./c")
	assert.Equal(t, 2, result.Report.Moved)
	assert.NotContains(t, texts, "a/a_test.go")
	assert.NotContains(t, texts, "c/c_test.go")
	for _, note := range result.Report.Notes {
		assert.NotEqual(t, "test", note.Reason, "%s", note)
	}
	writeBack(t, dir, result)
}

// externalTest returns a test of a package from outside, which may import others.
func externalTest(name, body string, others ...string) string {
	imports := ""
	for _, path := range append([]string{name}, others...) {
		imports += "\t\"" + goldenPath + "/" + path + "\"\n"
	}
	return "package " + name + "_test\n\nimport (\n\t\"testing\"\n\n" + imports +
		")\n\nfunc TestIt(t *testing.T) {\n\t" + body + "\n}\n"
}
