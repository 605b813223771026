package servicetest

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
	"example.com/serviceapi/servicetest/internal/gitrepo"
)

// treeEntry is the JSON of an entry in a directory.
type treeEntry struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Type string `json:"type"`
	Path string `json:"path"`
	Mode string `json:"mode"`
}

func treeEntryOf(node gitrepo.Node) treeEntry {
	kind := "blob"
	switch {
	case node.IsDirectory():
		kind = "tree"
	case node.Entry.IsSubmodule():
		kind = "commit"
	}
	return treeEntry{node.ID, node.Name(), kind, node.Path, node.Mode}
}

// treeToken returns the page_token of an entry.
func treeToken(node gitrepo.Node) string { return frame.SHA("tree", node.Path)[:16] }

func listTree(c *call, project *Project) *reply {
	path, recursive := strings.Trim(c.String("path"), "/"), c.Bool("recursive")
	commit := project.repository().Resolve(either(c.String("ref"), "HEAD"))
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

func compareRefs(c *call, project *Project) *reply {
	from, to := c.RequiredString("from"), c.RequiredString("to")
	straight, unidiff := c.Bool("straight"), c.Bool("unidiff")
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

// getArchive sends the files of a commit. The standard library has no encoder for
// bzip2, so formats that need one get a 406.
func getArchive(c *call, project *Project) *reply {
	format, ref := either(c.PathString("format"), "tar.gz"), either(c.String("sha"), project.defaultBranch)
	path := strings.Trim(c.String("path"), "/")
	frame.Accept(c.Bool, "include_lfs_blobs")
	excluded := c.SplitStrings("exclude_paths")
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

// A repository is the repository of a project.
type repository struct {
	*gitrepo.Repository

	project *Project
}

// repositories keeps the repositories of a service. It makes each when it is first
// used.
type repositories struct {
	store gitrepo.Store
	of    map[*Project]*repository
}

// repository returns the project's repository. It begins with a README on the default
// branch, unless the project has the option EmptyRepository.
func (p *Project) repository() *repository {
	all := state[repositories](p.svc)
	if r := all.of[p]; r != nil {
		r.SetHead(p.defaultBranch) // the default branch may have changed
		return r
	}
	r := &repository{all.store.New(p.defaultBranch), p}
	put(&all.of, p, r)
	r.Moved = func(ref string) { p.svc.touch(gitRef{p, ref}) }
	r.Moved("")
	if !state[emptyRepositories](p.svc).has[p] {
		r.begin()
	}
	return r
}

// begin makes the first commit in the name of the project's creator.
func (r *repository) begin() {
	author := r.project.creator.signature(r.project.createdAt)
	r.SetBranch(r.project.defaultBranch, r.NewCommit(gitrepo.Draft{
		Tree:    gitrepo.Tree{"README.md": gitrepo.NewEntry([]byte("# " + r.project.name + "\n"))},
		Message: "Initial commit",
		Author:  author, Committer: author,
	}))
}

// signature returns the user's signature for commits.
func (u *User) signature(at time.Time) gitrepo.Signature {
	return gitrepo.Signature{Name: u.name, Email: u.commitEmail, At: at}
}

// makeTag makes a tag for the ref of a pipeline. An existing tag stays as it is.
func (r *repository) makeTag(name string) {
	c := r.Branch(name)
	if c == nil || r.Tag(name) != nil {
		return
	}
	r.SetTag(name, c)
	if name != r.project.defaultBranch {
		r.DeleteBranch(name)
	}
}

// emptyRepositories are the projects that begin without a commit.
type emptyRepositories struct{ has map[*Project]bool }

// EmptyRepository makes a project without commits and branches. By default, a project
// has a README.md on its default branch.
func EmptyRepository() ProjectOption {
	return projectOption(func(p *Project) {
		empty := state[emptyRepositories](p.svc)
		put(&empty.has, p, true)
	})
}

// A CommitOption says what a seeded commit changes, who made it, or when.
type CommitOption interface{ applyCommit(s *seededCommit) }

type commitOption func(*seededCommit)

func (f commitOption) applyCommit(s *seededCommit) { f(s) }

// seededCommit is a commit while its options are applied.
type seededCommit struct {
	tree     gitrepo.Tree
	author   gitrepo.Signature
	problems []string

	signature *commitSignature // nil if not signed
}

// Write creates a file in a commit, or replaces its content.
func Write(path, content string) CommitOption {
	return commitOption(func(s *seededCommit) {
		entry := s.tree[path].With([]byte(content))
		delete(s.tree, path)
		if !gitrepo.ValidPath(path) || s.tree.Blocks(path) {
			s.problems = append(s.problems, "no file can be at "+path)
		}
		s.tree[path] = entry
	})
}

// WriteExecutable is Write for an executable file.
func WriteExecutable(path, content string) CommitOption {
	return commitOption(func(s *seededCommit) {
		Write(path, content).applyCommit(s)
		entry := s.tree[path]
		entry.Executable = true
		s.tree[path] = entry
	})
}

// Submodule puts a submodule into a commit, at a commit of another repository.
func Submodule(path, sha string) CommitOption {
	return commitOption(func(s *seededCommit) {
		Write(path, "").applyCommit(s)
		s.tree[path] = gitrepo.NewSubmodule(sha)
	})
}

// Remove deletes a file in a commit.
func Remove(path string) CommitOption {
	return commitOption(func(s *seededCommit) {
		if _, exists := s.tree[path]; !exists {
			s.problems = append(s.problems, "there is no file at "+path)
		}
		delete(s.tree, path)
	})
}

// CommitAuthor sets the author and committer of a commit. The default is Root.
func CommitAuthor(user *User) CommitOption {
	return commitOption(func(s *seededCommit) { s.author.Name, s.author.Email = user.name, user.commitEmail })
}

// CommittedAt sets when a commit was authored and committed. The default is the
// time of the service's clock.
func CommittedAt(at time.Time) CommitOption {
	return commitOption(func(s *seededCommit) { s.author.At = at.UTC() })
}

// Commit pushes a commit to a branch and returns its hash:
//
//	app.Commit("main", "Add a greeting", servicetest.Write("hello.txt", "Hello\n"))
//
// A new branch starts from the default branch.
func (p *Project) Commit(branch, message string, opts ...CommitOption) string {
	if p.svc.tb != nil {
		p.svc.tb.Helper()
	}
	defer p.svc.lock()()
	r := p.repository()
	head := r.Branch(branch)
	if head == nil {
		head = r.Branch(p.defaultBranch)
	}
	seeded := &seededCommit{tree: make(gitrepo.Tree), author: p.svc.admin.signature(p.svc.now())}
	d := gitrepo.Draft{Message: message}
	if head != nil {
		seeded.tree = maps.Clone(head.Tree)
		d.Parents = []*gitrepo.Commit{head}
	}
	apply(seeded, opts, CommitOption.applyCommit)
	if len(seeded.problems) > 0 {
		p.svc.fail("commit %q: %s", message, strings.Join(seeded.problems, ", "))
	}
	d.Tree, d.Author, d.Committer = seeded.tree, seeded.author, seeded.author
	c := r.NewCommit(d)
	r.SetBranch(branch, c)
	p.svc.sign(c.SHA, seeded.signature)
	return c.SHA
}

// Branch makes a branch at another branch, a tag or a commit. An empty from means the
// default branch.
func (p *Project) Branch(name, from string) {
	defer p.svc.lock()()
	p.repository().SetBranch(name, p.revision(from))
}

// Tag makes a tag at a branch, another tag or a commit. An empty from means the default
// branch.
func (p *Project) Tag(name, from string) {
	defer p.svc.lock()()
	p.repository().SetTag(name, p.revision(from))
}

// revision returns a commit that must exist.
func (p *Project) revision(name string) *gitrepo.Commit {
	if name == "" {
		name = "HEAD"
	}
	c := p.repository().Resolve(name)
	if c == nil {
		p.svc.fail("%s has no branch, tag or commit %q", p.fullPath(), name)
	}
	return c
}

// Head returns the hash of a branch's last commit. It is empty if the branch
// does not exist.
func (p *Project) Head(branch string) string {
	defer p.svc.lock()()
	if c := p.repository().Branch(branch); c != nil {
		return c.SHA
	}
	return ""
}

// Branches returns the names of the project's branches in alphabetical order.
func (p *Project) Branches() []string {
	defer p.svc.lock()()
	return p.repository().Branches()
}

// File returns the content of a file on a branch, at a tag or in a commit, and
// whether the file exists.
func (p *Project) File(ref, path string) (content string, found bool) {
	defer p.svc.lock()()
	c := p.repository().Resolve(ref)
	if c == nil {
		return "", false
	}
	entry, found := c.Tree[path]
	if !found {
		return "", false
	}
	return string(entry.Data), true
}

// archiveWriters has functions that make archives of files in a directory, by format.
var archiveWriters = map[string]func(directory string, files gitrepo.Tree, modified time.Time) []byte{
	"tar":    tarArchive,
	"tar.gz": tarGzArchive,
	"zip":    zipArchive,
}

// archiveDirectory returns the name of the directory in an archive, which is
// also the name of the archive.
func archiveDirectory(project *Project, ref string, commit *gitrepo.Commit, path string) string {
	parts := []string{project.path, strings.ReplaceAll(ref, "/", "-"), commit.SHA}
	if path != "" {
		parts = append(parts, strings.ReplaceAll(path, "/", "-"))
	}
	return strings.Join(parts, "-")
}

// archivedTree returns the files of an archive.
func archivedTree(tree gitrepo.Tree, directory string, excluded []string) gitrepo.Tree {
	files := tree.Below(directory)
	maps.DeleteFunc(files, func(_ string, file gitrepo.Entry) bool { return file.IsSubmodule() })
	for path := range files {
		for _, out := range excluded {
			out = strings.Trim(out, "/")
			if path == out || strings.HasPrefix(path, out+"/") {
				delete(files, path)
			}
		}
	}
	return files
}

func fileMode(entry gitrepo.Entry) int64 {
	if entry.Executable {
		return 0o755
	}
	return 0o644
}

func tarArchive(directory string, files gitrepo.Tree, modified time.Time) []byte {
	var buffer bytes.Buffer
	writeTar(&buffer, directory, files, modified)
	return buffer.Bytes()
}

func tarGzArchive(directory string, files gitrepo.Tree, modified time.Time) []byte {
	var buffer bytes.Buffer
	packed := gzip.NewWriter(&buffer)
	writeTar(packed, directory, files, modified)
	must(packed.Close())
	return buffer.Bytes()
}

func writeTar(to io.Writer, directory string, files gitrepo.Tree, modified time.Time) {
	w := tar.NewWriter(to)
	for _, path := range files.Paths() {
		entry := files[path]
		must(w.WriteHeader(&tar.Header{
			Typeflag: tar.TypeReg, Name: directory + "/" + path, Mode: fileMode(entry), Size: int64(len(entry.Data)),
			ModTime: modified,
		}))
		_, err := w.Write(entry.Data)
		must(err)
	}
	must(w.Close())
}

func zipArchive(directory string, files gitrepo.Tree, modified time.Time) []byte {
	var buffer bytes.Buffer
	w := zip.NewWriter(&buffer)
	for _, path := range files.Paths() {
		entry, err := w.CreateHeader(&zip.FileHeader{Name: directory + "/" + path, Method: zip.Deflate,
			Modified: modified})
		must(err)
		_, err = entry.Write(files[path].Data)
		must(err)
	}
	must(w.Close())
	return buffer.Bytes()
}

// must panics on an error. Writing to memory cannot return one.
func must(err error) {
	if err != nil {
		panic(fmt.Sprintf("servicetest: cannot write an archive: %v", err))
	}
}
