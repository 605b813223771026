package servicetest

import (
	"net/http"
	"strings"

	"example.com/serviceapi/servicetest/internal/frame"
	"example.com/serviceapi/servicetest/internal/gitrepo"
)

// treeEntry is the JSON of an entry of a directory.
type treeEntry struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Type string `json:"type"`
	Path string `json:"path"`
	Mode string `json:"mode"`
}

func treeEntryOf(node gitrepo.Node) treeEntry {
	kind := "blob"
	if node.IsDirectory() {
		kind = "tree"
	}
	return treeEntry{node.ID, node.Name(), kind, node.Path, node.Mode}
}

// treeToken returns the page_token of an entry.
func treeToken(node gitrepo.Node) string { return frame.SHA("tree", node.Path)[:16] }

func listTree(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	path, recursive := strings.Trim(c.Str("path"), "/"), c.Bool("recursive", false)
	commit := project.repository().Resolve(either(c.Str("ref"), "HEAD"))
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if commit == nil {
		return frame.NotFound("Tree")
	}
	nodes := commit.Tree.List(path, recursive)
	if c.WantsKeyset() {
		return tokenPage(c, nodes, treeToken, treeEntryOf)
	}
	return frame.ListOf(c, nodes, treeEntryOf)
}

// comparison is the JSON of the differences between two commits.
type comparison struct {
	Commit         *commitObject   `json:"commit"`
	Commits        []*commitObject `json:"commits"`
	Diffs          []diffObject    `json:"diffs"`
	CompareTimeout bool            `json:"compare_timeout"`
	CompareSameRef bool            `json:"compare_same_ref"`
	WebURL         string          `json:"web_url"`
}

func compareRefs(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	from, to := c.Required("from"), c.Required("to")
	straight, unidiff := c.Bool("straight", false), c.Bool("unidiff", false)
	source, refusal := c.comparedProject(project)
	if refusal != nil {
		return refusal
	}
	r := project.repository()
	start, end := source.repository().Resolve(from), r.Resolve(to)
	if start == nil || end == nil {
		return frame.NotFound("Ref")
	}
	r.Fetch(source.repository().Repository, start)
	found := r.Compare(start, end, straight)
	o := &comparison{
		Commits: []*commitObject{}, Diffs: []diffObject{}, CompareSameRef: source == project && from == to,
		WebURL: project.webURL("-/compare", from+"..."+to),
	}
	for _, commit := range found.Commits {
		o.Commit = r.commitObject(commit)
		o.Commits = append(o.Commits, o.Commit)
	}
	for _, change := range found.Changes {
		diff := diffOf(change)
		if unidiff {
			diff.Diff = withFileNames(diff)
		}
		o.Diffs = append(o.Diffs, diff)
	}
	return c.OK(o)
}

// comparedProject returns the project of the first commit of a comparison.
func (c *call) comparedProject(project *Project) (*Project, *reply) {
	id := c.Int64("from_project_id")
	if refusal := c.Refusal(); refusal != nil {
		return nil, refusal
	}
	if id == 0 {
		return project, nil
	}
	other, ok := c.svc.projects.get(id)
	if !ok || !c.svc.canSeeProject(c.user, other) {
		return nil, frame.NotFound("Project")
	}
	return other, nil
}

// withFileNames returns a diff with the header lines that name its file.
func withFileNames(diff diffObject) string {
	if diff.Diff == "" {
		return ""
	}
	before, after := "a/"+diff.OldPath, "b/"+diff.NewPath
	if diff.NewFile {
		before = "/dev/null"
	}
	if diff.DeletedFile {
		after = "/dev/null"
	}
	return "--- " + before + "\n+++ " + after + "\n" + diff.Diff
}

// getArchive returns the files of a commit. The standard library has no encoder
// for bzip2, so the formats that need it are 406.
func getArchive(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	format, ref := either(c.PathText("format"), "tar.gz"), either(c.Str("sha"), project.defaultBranch)
	path := strings.Trim(c.Str("path"), "/")
	c.Bool("include_lfs_blobs", true)
	excluded := c.List("exclude_paths")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	commit := project.repository().Resolve(ref)
	if commit == nil || !commit.Tree.HasDirectory(path) {
		return frame.NotFound("File")
	}
	write := archiveWriters[format]
	if write == nil {
		return frame.Message(http.StatusNotAcceptable, "406 Not Acceptable")
	}
	name := archiveDirectory(project, ref, commit, path)
	data := write(name, archivedTree(commit.Tree, path, excluded), commit.Committer.At)
	return textContent(data, commit.Committer.At).reply(c, name+"."+format, "application/octet-stream")
}
