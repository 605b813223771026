package servicetest

import (
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
	"example.com/serviceapi/servicetest/internal/gitrepo"
)

// commitOf returns the commit of the path, and its repository.
func (c *call) commitOf() (*repository, *gitrepo.Commit, *reply) {
	project, refusal := c.project()
	if refusal != nil {
		return nil, nil, refusal
	}
	r := project.repository()
	found := r.Resolve(c.PathString("sha"))
	if found == nil {
		return nil, nil, frame.NotFound("Commit")
	}
	return r, found, nil
}

func getCommit(c *call, r *repository, found *gitrepo.Commit) *reply {
	stats := c.BoolOr("stats", true)
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	o := r.commitObject(found)
	o.withStatus(r, found)
	o.withLastPipeline(r, found)
	o.Trailers = found.Trailers()
	if stats {
		o.withStats(r, found)
	}
	return c.OK(o)
}

func listCommits(c *call, project *Project) *reply {
	r := project.repository()
	commits, found := r.choose(c)
	withStats, trailers := c.Bool("with_stats"), c.Bool("trailers")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if !found {
		return frame.NotFound("Commit")
	}
	return frame.ListOf(c, commits, func(commit *gitrepo.Commit) *commitObject {
		o := r.commitObject(commit)
		if withStats {
			o.withStats(r, commit)
		}
		if trailers {
			o.Trailers = commit.Trailers()
		}
		return o
	})
}

// choose returns the commits that a list selects, or false if the ref does not exist.
func (r *repository) choose(c *call) ([]*gitrepo.Commit, bool) {
	commits, heads, found := r.history(c.String("ref_name"), c.Bool("all"))
	if path := strings.Trim(c.String("path"), "/"); path != "" {
		commits = r.Touching(commits, heads, path)
	}
	if c.Bool("first_parent") {
		commits = r.FirstParents(commits, heads)
	}
	since, until, author := c.Time("since"), c.Time("until"), c.String("author")
	commits = slices.DeleteFunc(slices.Clone(commits), func(commit *gitrepo.Commit) bool {
		at := commit.Committer.At
		return !frame.ContainsFold(commit.Author.Name, author) && !frame.ContainsFold(commit.Author.Email, author) ||
			!since.IsZero() && at.Before(since) || !until.IsZero() && at.After(until)
	})
	if c.StringIn("order", "default", "topo") == "topo" {
		commits = r.Topological(commits)
	}
	return commits, found
}

// history returns the commits of a ref, a range or everything, and the heads that they
// start from. An empty repository has none.
func (r *repository) history(ref string, all bool) (commits, heads []*gitrepo.Commit, found bool) {
	if all {
		commits, heads = r.All()
		return commits, heads, true
	}
	if ref == "" && len(r.Branches()) == 0 {
		return nil, nil, true
	}
	commits, heads = r.Range(either(ref, "HEAD"))
	return commits, heads, heads != nil
}

func listCommitRefs(c *call, r *repository, found *gitrepo.Commit) *reply {
	kind := c.StringIn("type", "branch", "tag", "all")
	var refs []*collection.Form
	add := func(of, name string, head *gitrepo.Commit) {
		if (kind == "" || kind == "all" || kind == of) && r.Contains(head, found) {
			refs = append(refs, inOrder("type", of, "name", name))
		}
	}
	for _, name := range r.Branches() {
		add("branch", name, r.Branch(name))
	}
	for _, name := range r.Tags() {
		add("tag", name, r.Tag(name).Commit)
	}
	return frame.ListOf(c, refs, func(ref *collection.Form) *collection.Form { return ref })
}

func listCommitDiffs(c *call, r *repository, found *gitrepo.Commit) *reply {
	unidiff := c.Bool("unidiff")
	return frame.ListOf(c, gitrepo.DiffTrees(r.ParentTree(found), found.Tree), func(change gitrepo.Change) diffObject {
		return unified(diffOf(change), unidiff)
	})
}

func cherryPick(c *call) *reply {
	return applyChangeset(c, func(r *repository, picked, head *gitrepo.Commit, by gitrepo.Signature) (*gitrepo.Commit,
		error) {
		message := picked.Message
		if c.Given("message") {
			message = c.String("message")
		}
		return r.CherryPick(picked, head, message, by)
	})
}

func revertCommit(c *call) *reply {
	return applyChangeset(c, func(r *repository, reverted, head *gitrepo.Commit, by gitrepo.Signature) (*gitrepo.Commit,
		error) {
		return r.Revert(reverted, head, by)
	})
}

// applyChangeset serves a cherry-pick or a revert.
func applyChangeset(
	c *call, apply func(r *repository, from, head *gitrepo.Commit, by gitrepo.Signature) (*gitrepo.Commit, error),
) *reply {
	r, from, refusal := c.commitOf()
	if refusal != nil {
		return refusal
	}
	branch := c.RequiredString("branch")
	dryRun := c.Bool("dry_run")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	head := r.Branch(branch)
	if head == nil {
		return frame.NotFound("Branch")
	}
	if !r.project.mayPush(c.user, branch) {
		return frame.Forbidden(notPushable)
	}
	made, err := apply(r, from, head, c.user.signature(c.now()))
	switch {
	case errors.Is(err, gitrepo.ErrEmptyChange):
		return changesetRefusal("The branch has this change already, or has changed since", "empty")
	case err != nil:
		return changesetRefusal("The change conflicts with what the branch holds", "conflict")
	case dryRun:
		return c.OK(object{"dry_run": "success"})
	}
	if refusal := r.project.refuseCommit(branch, made); refusal != nil {
		return refusal
	}
	r.SetBranch(branch, made)
	return c.Created(r.commitObject(made))
}

func changesetRefusal(text, code string) *reply {
	return frame.JSONReply(400, object{"message": text, "error_code": code})
}

func createCommit(c *call, project *Project) *reply {
	r := project.repository()
	req := c.commitRequest()
	req.Force = c.Bool("force")
	stats := c.BoolOr("stats", true)
	if req.AllowEmpty = c.Bool("allow_empty"); !c.Given("actions") && !req.AllowEmpty {
		c.Problem("actions is missing")
	}
	req.Actions = mapped(c.Subs("actions"), commitAction)
	if c.String("start_branch") != "" && c.String("start_sha") != "" {
		c.Problem("start_branch, start_sha are mutually exclusive")
	}
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if !project.mayPush(c.user, req.Branch) {
		return frame.Forbidden(notPushable)
	}
	if req.Force && r.Branch(req.Branch) != nil && !project.takesForce(req.Branch) {
		return frame.Message(400, "You are not allowed to force push code to a protected branch on this project.")
	}
	if refusal := c.findStart(r, &req); refusal != nil {
		return refusal
	}
	made, refusal, err := r.apply(req)
	switch {
	case err != nil:
		return frame.Message(400, commitProblem(err, req.Branch))
	case refusal != nil:
		return refusal
	}
	o := r.commitObject(made)
	o.withStatus(r, made)
	if stats {
		o.withStats(r, made)
	}
	return c.Created(o)
}

// commitRequest reads what all commits have in common.
func (c *call) commitRequest() gitrepo.Request {
	by := c.user.signature(c.now())
	author := by
	author.Name = either(c.String("author_name"), by.Name)
	author.Email = either(c.String("author_email"), by.Email)
	return gitrepo.Request{
		Branch: c.RequiredString("branch"), Message: c.RequiredString("commit_message"), Author: author, Committer: by,
	}
}

// commitProblems lists the service's messages for commits that fail.
var commitProblems = []struct {
	err  error
	text string
}{
	{gitrepo.ErrNoBranch, "You can only create or edit files when you are on a branch"},
	{gitrepo.ErrPath, "The path is not valid"},
	{gitrepo.ErrNoFile, "A file with this name doesn't exist"},
	{gitrepo.ErrFileExists, "A file with this name already exists"},
	{gitrepo.ErrBlocked, "A file cannot be where a directory is"},
	{gitrepo.ErrEmptyChange, "The commit would change nothing"},
}

// commitProblem says why a commit to a branch was not made.
func commitProblem(err error, branch string) string {
	text := "A branch called '" + branch + "' already exists"
	if failed := (*gitrepo.ActionError)(nil); errors.As(err, &failed) && errors.Is(err, gitrepo.ErrFileChanged) {
		return "The file has changed since you started editing it: " + failed.Path
	}
	for _, known := range commitProblems {
		if errors.Is(err, known.err) {
			text = known.text
		}
	}
	return text
}

// findStart finds the commit where a new branch starts. It may be in another project.
func (c *call) findStart(r *repository, req *gitrepo.Request) *reply {
	name := either(c.String("start_branch"), c.String("start_sha"))
	if name == "" {
		return nil
	}
	from := r
	if other := c.String("start_project"); other != "" {
		project := c.svc.findProject(other)
		if project == nil || !c.svc.canSeeProject(c.user, project) {
			return frame.NotFound("Project")
		}
		from = project.repository()
	}
	if c.String("start_branch") != "" {
		req.Start = from.Branch(name)
	} else {
		req.Start = from.Commit(name)
	}
	if req.Start == nil {
		return frame.Message(400, "Cannot find what the branch is to start from")
	}
	r.Fetch(from.Repository, req.Start)
	return nil
}

// commitAction reads one action of a commit.
func commitAction(f fields) gitrepo.Action {
	f.Require("action", "file_path")
	a := gitrepo.Action{
		Kind: gitrepo.ActionKind(f.StringIn("action", "create", "delete", "move", "update", "chmod")),
		Path: f.String("file_path"), Previous: f.String("previous_path"), LastCommit: f.String("last_commit_id"),
	}
	a.Content, a.HasContent = fileContent(f)
	switch a.Kind {
	case gitrepo.Create, gitrepo.Update:
		f.RequireGiven("content")
	case gitrepo.Move:
		f.Require("previous_path")
	case gitrepo.Chmod:
		if !f.Has("execute_filemode") {
			f.Require("execute_filemode")
		}
		a.Executable = executable(f)
	}
	return a
}

// fileContent reads the content of a file.
func fileContent(f fields) (content []byte, given bool) {
	encoding := f.StringIn("encoding", "text", "base64")
	if !f.Given("content") {
		return nil, false
	}
	text := f.String("content")
	if encoding != "base64" {
		return []byte(text), true
	}
	content, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		f.Invalid("content")
	}
	return content, true
}

// executable reads the file mode. It is nil if it was not given.
func executable(f fields) *bool {
	if !f.Given("execute_filemode") {
		return nil
	}
	return new(f.Bool("execute_filemode"))
}

// head returns the last commit of a ref. If nobody has pushed to the ref, it
// becomes a branch with its own commit, which is always the same.
func (p *Project) head(ref string) *gitrepo.Commit {
	r := p.repository()
	if c := r.Resolve(ref); c != nil {
		return c
	}
	author := p.svc.admin.signature(p.createdAt)
	d := gitrepo.Draft{
		Message: fmt.Sprintf("Update %s\n\nWhat is on %s of %s.", p.name, ref, p.fullPath()),
		Author:  author, Committer: author,
	}
	if start := r.Branch(p.defaultBranch); start != nil {
		d.Tree, d.Parents = start.Tree, []*gitrepo.Commit{start}
	}
	c := r.NewCommit(d)
	r.SetBranch(ref, c)
	return c
}

// shaOf returns the hash of a commit, or "" for none.
func shaOf(c *gitrepo.Commit) string {
	if c == nil {
		return ""
	}
	return c.SHA
}

func shortID(c *gitrepo.Commit) string { return c.SHA[:min(8, len(c.SHA))] }

// commitObject is the JSON of a commit.
type commitObject struct {
	ID             string    `json:"id"`
	ShortID        string    `json:"short_id"`
	CreatedAt      jsonTime  `json:"created_at"`
	ParentIDs      []string  `json:"parent_ids"`
	Title          string    `json:"title"`
	Message        string    `json:"message"`
	AuthorName     string    `json:"author_name"`
	AuthorEmail    string    `json:"author_email"`
	AuthoredDate   jsonTime  `json:"authored_date"`
	CommitterName  string    `json:"committer_name"`
	CommitterEmail string    `json:"committer_email"`
	CommittedDate  jsonTime  `json:"committed_date"`
	WebURL         string    `json:"web_url"`
	Stats          any       `json:"stats,omitempty"`
	Status         *jsonText `json:"status,omitempty"`
	LastPipeline   any       `json:"last_pipeline,omitempty"`
	ProjectID      int64     `json:"project_id,omitempty"` // only for a single commit
	Trailers       any       `json:"trailers,omitempty"`
}

func (r *repository) commitObject(c *gitrepo.Commit) *commitObject {
	return &commitObject{
		ID: c.SHA, ShortID: shortID(c), CreatedAt: jsonTime(c.Committer.At),
		ParentIDs: append([]string{}, c.Parents...), Title: c.Title(), Message: c.Message,
		AuthorName: c.Author.Name, AuthorEmail: c.Author.Email, AuthoredDate: jsonTime(c.Author.At),
		CommitterName: c.Committer.Name, CommitterEmail: c.Committer.Email, CommittedDate: jsonTime(c.Committer.At),
		WebURL: r.project.webURL("-/commit", c.SHA),
	}
}

// withStats adds the number of lines that a commit changed.
func (o *commitObject) withStats(r *repository, c *gitrepo.Commit) {
	o.Stats = statsOf(gitrepo.DiffTrees(r.ParentTree(c), c.Tree))
}

// withStatus adds the project and the status of the last pipeline. Only single commits
// have them.
func (o *commitObject) withStatus(r *repository, c *gitrepo.Commit) {
	o.ProjectID = r.project.id
	o.Status = new(jsonText)
	if p := r.lastPipeline(c); p != nil {
		*o.Status = jsonText(p.summary().Status)
	}
}

// withLastPipeline adds the last pipeline, or null if there was none.
func (o *commitObject) withLastPipeline(r *repository, c *gitrepo.Commit) {
	var last *pipelineBrief
	if p := r.lastPipeline(c); p != nil {
		last = new(p.entry().pipelineBrief)
	}
	o.LastPipeline = last
}

func (r *repository) lastPipeline(c *gitrepo.Commit) *Pipeline {
	for _, p := range slices.Backward(r.project.pipelines) {
		if p.commit.SHA == c.SHA {
			return p
		}
	}
	return nil
}

// statsOf counts the lines of changes.
func statsOf(changes []gitrepo.Change) object {
	added, removed := gitrepo.CountLines(changes)
	return object{"additions": added, "deletions": removed, "total": added + removed}
}

type diffObject struct {
	Diff        string   `json:"diff"`
	NewPath     string   `json:"new_path"`
	OldPath     string   `json:"old_path"`
	AMode       jsonText `json:"a_mode"`
	BMode       string   `json:"b_mode"`
	NewFile     bool     `json:"new_file"`
	RenamedFile bool     `json:"renamed_file"`
	DeletedFile bool     `json:"deleted_file"`
}

// diffOf returns the JSON of a change of a file.
func diffOf(change gitrepo.Change) diffObject {
	d := diffObject{
		Diff: change.Unified(), NewPath: change.NewPath, OldPath: change.OldPath, BMode: "0",
		NewFile: change.Added(), RenamedFile: change.Renamed(), DeletedFile: change.Removed(),
	}
	if !d.NewFile {
		d.AMode = jsonText(change.Old.Mode())
	}
	if !d.DeletedFile {
		d.BMode = change.New.Mode()
	}
	return d
}

func getCommitSequence(c *call, r *repository, found *gitrepo.Commit) *reply {
	firstParent := c.Bool("first_parent")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	commits := r.Between(nil, found)
	if firstParent {
		commits = r.FirstParents(commits, []*gitrepo.Commit{found})
	}
	return c.OK(object{"count": len(commits)})
}
