package servicetest

import (
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"strings"

	"example.com/serviceapi/servicetest/internal/gitrepo"
)

// head returns the last commit of a ref. A ref that nobody has pushed to
// becomes a branch with a commit of its own, always the same.
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

// sha makes a commit hash of texts.
func sha(texts ...string) string {
	sum := sha1.Sum([]byte(strings.Join(texts, "\x00")))
	return hex.EncodeToString(sum[:])
}

// shaOf returns the hash of a commit, empty for none.
func shaOf(c *gitrepo.Commit) string {
	if c == nil {
		return ""
	}
	return c.SHA
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

func summaryOf(c *gitrepo.Commit) commitSummary {
	return commitSummary{
		ID: c.SHA, ShortID: c.SHA[:min(8, len(c.SHA))], Title: c.Title(), Message: c.Message,
		AuthorName: c.Author.Name, AuthorEmail: c.Author.Email, CreatedAt: jsonTime(c.Committer.At),
	}
}
