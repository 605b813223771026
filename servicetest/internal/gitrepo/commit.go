package gitrepo

import (
	"strings"
	"time"
)

// A Commit is a state of all files and its history.
type Commit struct {
	SHA               string
	Message           string
	Author, Committer Signature
	Parents           []string // hashes
	Tree              Tree

	seq int // the commit's number in the store, in the order of creation
}

// A Signature says who wrote or made a commit, and when.
type Signature struct {
	Name, Email string
	At          time.Time
}

// Title returns the first line of the message.
func (c *Commit) Title() string {
	title, _, _ := strings.Cut(c.Message, "\n")
	return title
}

// Trailers returns the lines of the last paragraph of the message, such as
// "Signed-off-by: Ada", by name. The map is empty if they are not trailers.
func (c *Commit) Trailers() map[string]string {
	found := make(map[string]string)
	paragraphs := strings.Split(strings.TrimSpace(c.Message), "\n\n")
	if len(paragraphs) < 2 {
		return found
	}
	for line := range strings.SplitSeq(paragraphs[len(paragraphs)-1], "\n") {
		name, value, isTrailer := strings.Cut(line, ": ")
		if !isTrailer || name == "" || strings.ContainsAny(name, " \t") {
			return map[string]string{}
		}
		found[name] = value
	}
	return found
}
