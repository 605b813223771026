package servicetest_test

import (
	"net/http"
	"testing"

	"example.com/serviceapi/servicetest"
)

func TestCommitFromAForm(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	form := "branch=main&commit_message=Add+two&stats=false" +
		"&actions[][action]=create&actions[][file_path]=a.txt&actions[][content]=a%0A" +
		"&actions%5B%5D%5Baction%5D=move&actions%5B%5D%5Bfile_path%5D=READ.md&actions%5B%5D%5Bprevious_path%5D=README.md"
	type commit struct {
		ID    string `json:"id"`
		Title string `json:"title"`
		Stats any    `json:"stats"`
	}
	made := into[commit](t, call(t, svc, "POST", "/projects/1/repository/commits", form,
		"Content-Type", "application/x-www-form-urlencoded"), http.StatusCreated)
	if made.ID != app.Head("main") || made.Title != "Add two" || made.Stats != nil {
		t.Errorf("%+v", made)
	}
	for path, want := range map[string]string{"a.txt": "a\n", "READ.md": "# App\n"} {
		if got, _ := app.File("main", path); got != want {
			t.Errorf("%s holds %q, want %q", path, got, want)
		}
	}
}

// TestPipelinesMakeRefs checks that a ref exists even if only a pipeline names
// it.
func TestPipelinesMakeRefs(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	branch := app.Pipeline("feature")
	tag := app.Pipeline("v1.0", servicetest.ForTag())
	if app.Head("feature") != branch.SHA() || app.Head("v1.0") != "" {
		t.Errorf("branches %v", app.Branches())
	}
	refs := into[[]map[string]string](t, call(t, svc, "GET", "/projects/1/repository/commits/"+tag.SHA()+"/refs", ""), http.StatusOK)
	if len(refs) != 1 || refs[0]["type"] != "tag" || refs[0]["name"] != "v1.0" {
		t.Errorf("%v", refs)
	}
}
