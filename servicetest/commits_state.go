package servicetest

import (
	"fmt"
	"slices"

	"example.com/serviceapi/servicetest/internal/gitrepo"
)

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
	ProjectID      int64     `json:"project_id,omitempty"` // of a single one
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

// withStatus adds the project and the status of the last pipeline, which only a
// single commit has.
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
