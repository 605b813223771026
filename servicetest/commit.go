package servicetest

import (
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"strings"
	"time"
)

// A commit is what jobs, pipelines and deployments know of a commit.
type commit struct {
	sha            string
	message        string
	authorName     string
	authorEmail    string
	committerName  string
	committerEmail string
	authoredAt     time.Time
	committedAt    time.Time
	parents        []string
	tree           tree
	seq            int64 // of all commits of the service, in the order they were made
}

// author returns who wrote the commit.
func (c *commit) author() signature { return signature{c.authorName, c.authorEmail, c.authoredAt} }

// head returns the last commit of a ref. A ref that nobody has pushed to
// becomes a branch with a commit of its own, always the same.
func (p *Project) head(ref string) *commit {
	r := p.repository()
	if c := r.resolve(ref); c != nil {
		return c
	}
	author := p.svc.admin.signature(p.createdAt)
	d := commitDraft{
		message: fmt.Sprintf("Update %s\n\nWhat is on %s of %s.", p.name, ref, p.fullPath()),
		author:  author, committer: author,
	}
	if start := r.branch(p.defaultBranch); start != nil {
		d.tree, d.parents = start.tree, []*commit{start}
	}
	c := r.newCommit(d)
	r.setBranch(ref, c)
	return c
}

// sha makes a commit hash of texts.
func sha(texts ...string) string {
	sum := sha1.Sum([]byte(strings.Join(texts, "\x00")))
	return hex.EncodeToString(sum[:])
}

func (c *commit) title() string {
	title, _, _ := strings.Cut(c.message, "\n")
	return title
}

// commitSummary is the form of a commit in jobs.
type commitSummary struct {
	ID          string   `json:"id"`
	ShortID     string   `json:"short_id"`
	Title       string   `json:"title"`
	Message     string   `json:"message"`
	AuthorName  string   `json:"author_name"`
	AuthorEmail string   `json:"author_email"`
	CreatedAt   jsonTime `json:"created_at"`
}

func (c *commit) summary() commitSummary {
	return commitSummary{
		ID: c.sha, ShortID: c.sha[:min(8, len(c.sha))], Title: c.title(), Message: c.message,
		AuthorName: c.authorName, AuthorEmail: c.authorEmail, CreatedAt: jsonTime(c.committedAt),
	}
}
