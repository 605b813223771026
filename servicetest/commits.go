package servicetest

import (
	"errors"
	"slices"
	"strings"

	"example.com/serviceapi/servicetest/internal/gitrepo"
)

// commitObject is the form of a commit on its own.
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
	Trailers       any       `json:"trailers,omitempty"`
}

func (r *repository) commitObject(c *gitrepo.Commit) *commitObject {
	return &commitObject{
		ID: c.SHA, ShortID: summaryOf(c).ShortID, CreatedAt: jsonTime(c.Committer.At),
		ParentIDs: append([]string{}, c.Parents...), Title: c.Title(), Message: c.Message,
		AuthorName: c.Author.Name, AuthorEmail: c.Author.Email, AuthoredDate: jsonTime(c.Author.At),
		CommitterName: c.Committer.Name, CommitterEmail: c.Committer.Email, CommittedDate: jsonTime(c.Committer.At),
		WebURL: r.project.webURL("-/commit", c.SHA),
	}
}

// withStats adds how many lines a commit changed.
func (o *commitObject) withStats(r *repository, c *gitrepo.Commit) {
	o.Stats = statsOf(gitrepo.DiffTrees(r.ParentTree(c), c.Tree))
}

// withStatus adds the status of the last pipeline.
func (o *commitObject) withStatus(r *repository, c *gitrepo.Commit) {
	o.Status = new(jsonText)
	if p := r.lastPipeline(c); p != nil {
		*o.Status = jsonText(p.summary().Status)
	}
}

// pipelineBrief is the form of a pipeline in commits.
type pipelineBrief struct {
	ID     int64  `json:"id"`
	Ref    string `json:"ref"`
	SHA    string `json:"sha"`
	Status string `json:"status"`
}

// withLastPipeline adds the last pipeline, null where there was none.
func (o *commitObject) withLastPipeline(r *repository, c *gitrepo.Commit) {
	var brief *pipelineBrief
	if p := r.lastPipeline(c); p != nil {
		s := p.summary()
		brief = &pipelineBrief{s.ID, s.Ref, s.SHA, s.Status}
	}
	o.LastPipeline = brief
}

func (r *repository) lastPipeline(c *gitrepo.Commit) *Pipeline {
	for _, p := range slices.Backward(r.project.pipelines) {
		if p.commit.SHA == c.SHA {
			return p
		}
	}
	return nil
}

// commitOf returns the commit of the path, and its repository.
func (c *call) commitOf() (*repository, *gitrepo.Commit, *reply) {
	project, refusal := c.project()
	if refusal != nil {
		return nil, nil, refusal
	}
	r := project.repository()
	found := r.Resolve(c.pathText("sha"))
	if found == nil {
		return nil, nil, notFound("Commit")
	}
	return r, found, nil
}

func getCommit(c *call) *reply {
	r, found, refusal := c.commitOf()
	if refusal != nil {
		return refusal
	}
	stats := c.bool("stats", true)
	if refusal := c.refusal(); refusal != nil {
		return refusal
	}
	o := r.commitObject(found)
	o.withStatus(r, found)
	o.withLastPipeline(r, found)
	if stats {
		o.withStats(r, found)
	}
	return c.ok(o)
}

func listCommits(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	r := project.repository()
	commits, found := r.choose(c)
	withStats, trailers := c.bool("with_stats", false), c.bool("trailers", false)
	if refusal := c.refusal(); refusal != nil {
		return refusal
	}
	if !found {
		return notFound("Commit")
	}
	return listOf(c, commits, func(commit *gitrepo.Commit) *commitObject {
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

// choose returns the commits that a list asks for; false if there is no such
// ref.
func (r *repository) choose(c *call) ([]*gitrepo.Commit, bool) {
	commits, heads, found := r.history(c.str("ref_name"), c.bool("all", false))
	if path := strings.Trim(c.str("path"), "/"); path != "" {
		commits = r.Touching(commits, heads, path)
	}
	if c.bool("first_parent", false) {
		commits = r.FirstParents(commits, heads)
	}
	since, until := c.time("since"), c.time("until")
	commits = slices.DeleteFunc(slices.Clone(commits), func(commit *gitrepo.Commit) bool {
		at := commit.Committer.At
		return !since.IsZero() && at.Before(since) || !until.IsZero() && at.After(until)
	})
	if c.oneOf("order", "default", "topo") == "topo" {
		commits = r.Topological(commits)
	}
	return commits, found
}

// history returns the commits of a ref, a range or everything, and where they
// begin. An empty repository has none.
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

type refObject struct {
	Type string `json:"type"`
	Name string `json:"name"`
}

func listCommitRefs(c *call) *reply {
	r, found, refusal := c.commitOf()
	if refusal != nil {
		return refusal
	}
	kind := c.oneOf("type", "branch", "tag", "all")
	var refs []refObject
	add := func(of, name string, head *gitrepo.Commit) {
		if (kind == "" || kind == "all" || kind == of) && r.Contains(head, found) {
			refs = append(refs, refObject{of, name})
		}
	}
	for _, name := range r.Branches() {
		add("branch", name, r.Branch(name))
	}
	for _, name := range r.Tags() {
		add("tag", name, r.Tag(name).Commit)
	}
	return listOf(c, refs, func(ref refObject) refObject { return ref })
}

func listCommitDiffs(c *call) *reply {
	r, found, refusal := c.commitOf()
	if refusal != nil {
		return refusal
	}
	return listOf(c, gitrepo.DiffTrees(r.ParentTree(found), found.Tree), diffOf)
}

func cherryPick(c *call) *reply {
	return applyChangeset(c, func(r *repository, picked, head *gitrepo.Commit, by gitrepo.Signature) (*gitrepo.Commit, error) {
		message := picked.Message
		if c.has("message") && !c.null("message") {
			message = c.str("message")
		}
		return r.CherryPick(picked, head, message, by)
	})
}

func revertCommit(c *call) *reply {
	return applyChangeset(c, func(r *repository, reverted, head *gitrepo.Commit, by gitrepo.Signature) (*gitrepo.Commit, error) {
		return r.Revert(reverted, head, by)
	})
}

// applyChangeset answers a cherry-pick or a revert.
func applyChangeset(c *call, apply func(r *repository, from, head *gitrepo.Commit, by gitrepo.Signature) (*gitrepo.Commit, error)) *reply {
	r, from, refusal := c.commitOf()
	if refusal != nil {
		return refusal
	}
	branch := c.required("branch")
	dryRun := c.bool("dry_run", false)
	if refusal := c.refusal(); refusal != nil {
		return refusal
	}
	head := r.Branch(branch)
	if head == nil {
		return notFound("Branch")
	}
	made, err := apply(r, from, head, c.user.signature(c.now()))
	switch {
	case errors.Is(err, gitrepo.ErrEmptyChange):
		return changesetRefusal("The branch has this change already, or has changed since", "empty")
	case err != nil:
		return changesetRefusal("The change conflicts with what the branch holds", "conflict")
	case dryRun:
		return c.ok(object{"dry_run": "success"})
	}
	r.SetBranch(branch, made)
	return c.created(r.commitObject(made))
}

func changesetRefusal(text, code string) *reply {
	return jsonReply(400, object{"message": text, "error_code": code})
}

type statsObject struct {
	Additions int `json:"additions"`
	Deletions int `json:"deletions"`
	Total     int `json:"total"`
}

// statsOf counts the lines of changes.
func statsOf(changes []gitrepo.Change) *statsObject {
	added, removed := gitrepo.CountLines(changes)
	return &statsObject{added, removed, added + removed}
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

// diffOf returns the form of a change of a file.
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
