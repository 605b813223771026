package servicetest

import (
	"errors"
	"maps"
	"slices"
	"strings"
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

func (r *repository) commitObject(c *commit) *commitObject {
	return &commitObject{
		ID: c.sha, ShortID: c.summary().ShortID, CreatedAt: jsonTime(c.committedAt),
		ParentIDs: append([]string{}, c.parents...), Title: c.title(), Message: c.message,
		AuthorName: c.authorName, AuthorEmail: c.authorEmail, AuthoredDate: jsonTime(c.authoredAt),
		CommitterName: c.committerName, CommitterEmail: c.committerEmail, CommittedDate: jsonTime(c.committedAt),
		WebURL: r.project.webURL("-/commit", c.sha),
	}
}

// withStats adds how many lines a commit changed.
func (o *commitObject) withStats(r *repository, c *commit) {
	o.Stats = statsOf(diffTrees(r.parentTree(c), c.tree))
}

// withStatus adds the status of the last pipeline.
func (o *commitObject) withStatus(r *repository, c *commit) {
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
func (o *commitObject) withLastPipeline(r *repository, c *commit) {
	var brief *pipelineBrief
	if p := r.lastPipeline(c); p != nil {
		s := p.summary()
		brief = &pipelineBrief{s.ID, s.Ref, s.SHA, s.Status}
	}
	o.LastPipeline = brief
}

func (r *repository) lastPipeline(c *commit) *Pipeline {
	for _, p := range slices.Backward(r.project.pipelines) {
		if p.commit.sha == c.sha {
			return p
		}
	}
	return nil
}

// trailers returns the lines such as "Signed-off-by: Ada" at the end of a
// message.
func (c *commit) trailers() map[string]string {
	found := make(map[string]string)
	paragraphs := strings.Split(strings.TrimSpace(c.message), "\n\n")
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

// commitOf returns the commit of the path, and its repository.
func (c *call) commitOf() (*repository, *commit, *reply) {
	project, refusal := c.project()
	if refusal != nil {
		return nil, nil, refusal
	}
	r := project.repository()
	found := r.resolve(c.pathText("sha"))
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
	return listOf(c, commits, func(commit *commit) *commitObject {
		o := r.commitObject(commit)
		if withStats {
			o.withStats(r, commit)
		}
		if trailers {
			o.Trailers = commit.trailers()
		}
		return o
	})
}

// choose returns the commits that a list asks for; false if there is no such
// ref.
func (r *repository) choose(c *call) ([]*commit, bool) {
	commits, heads, found := r.history(c.str("ref_name"), c.bool("all", false))
	if path := strings.Trim(c.str("path"), "/"); path != "" {
		commits = r.touching(commits, heads, path)
	}
	if c.bool("first_parent", false) {
		commits = r.firstParents(commits, heads)
	}
	since, until := c.time("since"), c.time("until")
	commits = slices.DeleteFunc(slices.Clone(commits), func(commit *commit) bool {
		at := commit.committedAt
		return !since.IsZero() && at.Before(since) || !until.IsZero() && at.After(until)
	})
	if c.oneOf("order", "default", "topo") == "topo" {
		commits = r.topological(commits)
	}
	return commits, found
}

// history returns the commits of a ref, a range or everything, and where they
// begin. An empty repository has none.
func (r *repository) history(ref string, all bool) (commits, heads []*commit, found bool) {
	if all {
		heads = slices.Concat(slices.Collect(maps.Values(r.branches)), slices.Collect(maps.Values(r.tags)))
		return newestFirst(r.reachable(heads...)), heads, true
	}
	if ref == "" && len(r.branches) == 0 {
		return nil, nil, true
	}
	commits, heads = r.commitRange(either(ref, "HEAD"))
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
	add := func(of string, names []string, head map[string]*commit) {
		for _, name := range names {
			if (kind == "" || kind == "all" || kind == of) && r.contains(head[name], found) {
				refs = append(refs, refObject{of, name})
			}
		}
	}
	add("branch", r.branchNames(), r.branches)
	add("tag", r.tagNames(), r.tags)
	return listOf(c, refs, func(ref refObject) refObject { return ref })
}

func listCommitDiffs(c *call) *reply {
	r, found, refusal := c.commitOf()
	if refusal != nil {
		return refusal
	}
	return listOf(c, diffTrees(r.parentTree(found), found.tree), fileChange.json)
}

func cherryPick(c *call) *reply {
	return applyChangeset(c, func(r *repository, picked, head *commit, by signature) (*commit, error) {
		message := picked.message
		if c.has("message") && !c.null("message") {
			message = c.str("message")
		}
		return r.picked(picked, head, message, by)
	})
}

func revertCommit(c *call) *reply {
	return applyChangeset(c, (*repository).reverted)
}

// applyChangeset answers a cherry-pick or a revert.
func applyChangeset(c *call, apply func(r *repository, from, head *commit, by signature) (*commit, error)) *reply {
	r, from, refusal := c.commitOf()
	if refusal != nil {
		return refusal
	}
	branch := c.required("branch")
	dryRun := c.bool("dry_run", false)
	if refusal := c.refusal(); refusal != nil {
		return refusal
	}
	head := r.branch(branch)
	if head == nil {
		return notFound("Branch")
	}
	made, err := apply(r, from, head, c.user.signature(c.now()))
	switch {
	case errors.Is(err, errEmptyChange):
		return changesetRefusal("The branch has this change already, or has changed since", "empty")
	case err != nil:
		return changesetRefusal("The change conflicts with what the branch holds", "conflict")
	case dryRun:
		return c.ok(object{"dry_run": "success"})
	}
	r.setBranch(branch, made)
	return c.created(r.commitObject(made))
}

func changesetRefusal(text, code string) *reply {
	return jsonReply(400, object{"message": text, "error_code": code})
}
