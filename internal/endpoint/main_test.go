package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.com/serviceapi/internal/inventory"
	"example.com/serviceapi/internal/racing"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// moreRows are endpoints that the library does not have, one of each kind.
const moreRows = `lamps	GET	/projects/:id/lamps	color tags[] created_after		Lamp[]
lamps	GET	/projects/:id/lamps/:lamp_id			Lamp
lamps	POST	/projects/:id/lamps		title watts socket{kind} user_ids[]	Lamp
lamps	PUT	/projects/:id/lamps/:lamp_id		title description	Lamp
lamps	DELETE	/projects/:id/lamps/:lamp_id			none 204
lamps	GET	/projects/:id/lamps/:lamp_id/photo			stream
pipelines	PUT	/projects/:id/pipelines/:pipeline_id/color		name	Pipeline
merge_requests	POST	/projects/:id/merge_requests/:merge_request_iid/shine		form brightness	none 201
commits	GET	/projects/:id/repository/commits/:sha/weight	ref_name		{title,project_id,created_at,grams}
commits	GET	/projects/:id/repository/commits/:sha/height	first_parent ref		{project_id,title}
license	GET	/license/color			{name}
`

// copyOfModule copies what the command reads and changes, with the rows above.
func copyOfModule(t *testing.T) string {
	t.Helper()
	root, err := inventory.Root()
	require.NoError(t, err)
	to := t.TempDir()
	for _, pattern := range []string{
		"*.go", "go.mod", "go.sum", "testdata/endpoints.tsv", "internal/*/*.go", "internal/roles/*.txt",
		"servicetest/*.go", "servicetest/testdata/rules/*.txt",
	} {
		names, err := filepath.Glob(filepath.Join(root, pattern))
		require.NoError(t, err)
		for _, name := range names {
			rel, err := filepath.Rel(root, name)
			require.NoError(t, err)
			data, err := os.ReadFile(name)
			require.NoError(t, err)
			require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(to, rel)), 0o755))
			require.NoError(t, os.WriteFile(filepath.Join(to, rel), data, 0o644))
		}
	}
	table := filepath.Join(to, "testdata", "endpoints.tsv")
	require.NoError(t, os.WriteFile(table, []byte(textOf(t, to, "testdata/endpoints.tsv")+moreRows), 0o644))
	return to
}

func textOf(t *testing.T, root, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, name))
	require.NoError(t, err)
	return string(data)
}

// TestSkeletons writes an endpoint of each kind in a copy of the module. What is written is
// the code but for what only a person knows: nothing else keeps it from compiling.
func TestSkeletons(t *testing.T) {
	if racing.Enabled {
		t.Skip("reads source; run without -race")
	}
	root := copyOfModule(t)
	for line := range strings.Lines(moreRows) {
		columns := strings.Split(line, "\t")
		changed, err := write(root, columns[1]+" "+columns[2], "", "", []string{"title", "name"})
		require.NoError(t, err, line)
		wanted := []string{columns[0] + ".go", "internal/wiretests/" + columns[0] + "_test.go", routesFile,
			"internal/servicetests/" + columns[0] + "_test.go", "servicetest/testdata/rules/" + columns[0] + ".txt"}
		assert.Subset(t, changed, wanted, line)
	}
	for name, parts := range written {
		text := textOf(t, root, name)
		for _, part := range parts {
			assert.True(t, strings.Contains(text, part), "%s has no part\n%s", name, part)
		}
	}
	build := exec.CommandContext(t.Context(), "go", "build", "-gcflags=-e", ".")
	build.Dir = root
	output, err := build.CombinedOutput()
	assert.Error(t, err)
	for line := range strings.Lines(string(output)) {
		if !strings.HasPrefix(line, "#") {
			assert.Contains(t, line, "undefined: FILL_IN")
		}
	}
}

// written are parts of the files that the test above writes.
var written = map[string][]string{
	"client.go":   {"\t// Lamps FILL_IN.\n\tLamps *LampsService\n"},
	"services.go": {"\tc.Lamps = (*LampsService)(s)\n"},
	"lamps.go": {
		"// List FILL_IN: what it does and returns, for whom, and which errors mean what.\n" +
			"//\n//\tGET /projects/:id/lamps\n" +
			"func (s *LampsService) List(\n" +
			"\tctx context.Context, project ProjectRef, options *ListLampsOptions, opts ...RequestOption,\n" +
			") ([]*Lamp, *Response, error) {\n",
		"\treturn all[*Lamp](ctx, using(s), Route(\"/projects/:id/lamps\", project), queryOf(options), opts)\n",
		"type ListLampsOptions struct {\n\tListOptions\n\t// Color FILL_IN.\n",
		"\tColor FILL_IN `url:\"color,omitempty\"`\n",
		"\tCreatedAfter time.Time `url:\"created_after,omitempty\" layout:",
		"type Lamp struct {\n\tFILL_IN\n}\n",
		"project ProjectRef, lampID int64, opts ...RequestOption,\n) (*Lamp, *Response, error) {\n" +
			"\treturn do[Lamp](ctx, using(s), http.MethodGet,\n" +
			"\t\tRoute(\"/projects/:id/lamps/:lamp_id\", project, lampID), nil, opts)\n",
		"\t// Title is required. FILL_IN.\n\tTitle string `json:\"title\" required:\"true\"`\n",
		"\tWatts *FILL_IN `json:\"watts,omitzero\"`\n",
		"\tSocket *FILL_IN `json:\"socket,omitzero\"`\n",
		"\tUserIDs []int64 `json:\"user_ids,omitzero\"`\n",
		"project ProjectRef, lampID int64, options UpdateLampOptions, opts ...RequestOption,\n",
		"\tDescription *string `json:\"description,omitzero\"`\n",
		"\treturn exec(ctx, using(s), http.MethodDelete,\n",
		") (*Download, *Response, error) {\n\treturn stream(ctx, using(s), http.MethodGet,\n",
	},
	"internal/wiretests/lamps_test.go": {
		"\t\t\tMethod: \"POST\", Path: \"/projects/acme%2Fapp/lamps\",\n" +
			"\t\t\tJSON:    `FILL_IN`,\n\t\t\tStatus:  201,\n\t\t\tFixture: \"lamps/lamp.json\",\n",
		"\tgot, err = serviceapi.Collect(client.Lamps.All(t.Context(), serviceapi.ProjectPath(\"acme/app\"),\n" +
			"\t\t&serviceapi.ListLampsOptions{FILL_IN}))\n",
		"\tassert.Equal(t, &serviceapi.Lamp{FILL_IN}, got)\n",
	},
	"testdata/lamps/lamp.json": {"FILL_IN\n"},
	"pipelines.go": {
		"func (s *PipelinesService) UpdateColor(\n",
		"\treturn do[PipelineDetails](ctx, using(s), http.MethodPut,\n",
	},
	"merge_requests.go": {
		"mergeRequest MergeRequestRef, options ShineMergeRequestOptions, opts ...RequestOption,\n",
		"below(mergeRequest, \"/shine\"), formOf(options), opts)\n",
	},
	"commits.go": {
		"project ProjectRef, sha string, options *GetCommitWeightOptions, opts ...RequestOption,\n" +
			") (*CommitWeight, *Response, error) {\n\treturn do[CommitWeight](ctx, using(s), http.MethodGet,\n",
		"\n}\n\n// GetCommitWeightOptions FILL_IN.\ntype GetCommitWeightOptions struct {\n",
	},
	"commits_types.go": {
		"// CommitWeight FILL_IN.\ntype CommitWeight struct {\n\t// Title FILL_IN.\n\tTitle string `json:\"title\"`\n",
		"\tProjectID int64 `json:\"project_id\"`\n\t// CreatedAt FILL_IN.\n" +
			"\tCreatedAt time.Time `json:\"created_at\"`\n",
		"\t// Grams FILL_IN.\n\tGrams FILL_IN `json:\"grams\"`\n}\n",
	},
	"testdata/commits/weight.json": {"\"title\": \"some\",\n  \"project_id\": 8,\n", "\n  \"grams\": FILL_IN\n}\n"},
	"internal/wiretests/commits_test.go": {
		"Path: \"/projects/acme%2Fapp/repository/commits/a%20b/height\",\n" +
			"\t\t\tQuery:   \"first_parent=true&ref=some\",\n\t\t\tFixture: \"commits/height.json\",\n",
		"&serviceapi.GetCommitHeightOptions{FirstParent: true, Ref: \"some\"})\n",
		"\tassert.Equal(t, &serviceapi.CommitHeight{ProjectID: 8, Title: \"some\"}, got)\n",
		"\tassert.Equal(t, &serviceapi.CommitWeight{FILL_IN}, got)\n",
	},
	"internal/servicetests/commits_test.go": {"\tassert.Equal(t, &serviceapi.CommitHeight{FILL_IN}, got)\n"},
	"internal/wiretests/license_test.go":    {"\tgot, _, err := client.License.GetColor(t.Context())\n"},
	routesFile: {
		"\n\n\t\t// lamps\n\t\ton(\"GET /projects/:id/lamps\", lamps.List),\n" +
			"\t\ton(\"GET /projects/:id/lamps/:lamp_id\", lamps.Get),\n" +
			"\t\ton(\"POST /projects/:id/lamps\", lamps.Create, role(FILL_IN)),\n",
		"\t\ton(\"PUT /projects/:id/pipelines/:pipeline_id/color\", updatePipelineColor, role(FILL_IN)),\n",
	},
	"servicetest/lamps.go":     {"var lamps = collection.Table[*call, FILL_IN, lamp]{\n"},
	"servicetest/pipelines.go": {"func updatePipelineColor(c *call) *reply {\n\tFILL_IN\n}\n"},
	"servicetest/testdata/rules/lamps.txt": {
		"## FILL_IN.\nPUT /projects/1/lamps/1 {\"title\":FILL_IN,\"description\":FILL_IN} | FILL_IN\n\t200 FILL_IN\n",
	},
	"internal/servicetests/lamps_test.go": {
		"\t_, err := client.Lamps.Delete(t.Context(), serviceapi.ProjectPath(\"acme/app\"), 8)\n",
	},
}

func TestWhatIsRefused(t *testing.T) {
	root, err := inventory.Root()
	require.NoError(t, err)
	for line, problem := range map[string]string{
		"GET /no/such/path":              "add it first",
		"GET /projects/:id/pipelines":    "is called by",
		"GET {base_url}/jwt/auth":        "is called by",
		"PUT /projects/:id/lamps/:other": "add it first",
	} {
		changed, err := write(root, line, "", "", nil)
		assert.ErrorContains(t, err, problem)
		assert.Empty(t, changed)
	}
}

func TestNames(t *testing.T) {
	for name, want := range map[string]string{
		"pipeline_id": "PipelineID", "user_ids": "UserIDs", "ssh_url_to_repo": "SSHURLToRepo",
		"usage_export.csv": "UsageExportCSV",
	} {
		assert.Equal(t, want, camel(name))
	}
	for name, want := range map[string]string{"PipelineID": "pipelineID", "SSHKeys": "sshKeys", "ID": "id"} {
		assert.Equal(t, want, lower(name))
	}
	for name, want := range map[string]string{"Policies": "Policy", "Branches": "Branch", "Jobs": "Job"} {
		assert.Equal(t, want, singular(name))
	}
	for method, want := range map[string]string{
		"List": "ListPipelines", "ListVariables": "ListPipelineVariables", "UpdateMetadata": "UpdatePipelineMetadata",
		"Retry": "RetryPipeline", "Create": "CreatePipeline",
	} {
		assert.Equal(t, want, withObject("Pipelines", method))
	}
}
