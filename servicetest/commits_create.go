package servicetest

import (
	"encoding/base64"
	"errors"

	"example.com/serviceapi/servicetest/internal/frame"
	"example.com/serviceapi/servicetest/internal/gitrepo"
)

func createCommit(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	r := project.repository()
	req := c.commitRequest()
	req.Force = c.Bool("force", false)
	stats := c.Bool("stats", true)
	if !c.Has("actions") || c.Null("actions") {
		c.Problem("actions is missing")
	}
	for _, f := range c.Subs("actions") {
		req.Actions = append(req.Actions, commitAction(f))
	}
	if c.Str("start_branch") != "" && c.Str("start_sha") != "" {
		c.Problem("start_branch, start_sha are mutually exclusive")
	}
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if !project.mayPush(c.user, req.Branch) {
		return frame.Forbidden(notPushable)
	}
	if refusal := c.findStart(r, &req); refusal != nil {
		return refusal
	}
	made, err := r.Apply(req)
	if err != nil {
		return frame.Message(400, commitProblem(err, req.Branch))
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
	author.Name = either(c.Str("author_name"), by.Name)
	author.Email = either(c.Str("author_email"), by.Email)
	return gitrepo.Request{
		Branch: c.Required("branch"), Message: c.Required("commit_message"), Author: author, Committer: by,
	}
}

// commitProblems are the messages of the service for what can be wrong with a
// commit.
var commitProblems = []struct {
	err  error
	text string
}{
	{gitrepo.ErrNoBranch, "You can only create or edit files when you are on a branch"},
	{gitrepo.ErrPath, "The path is not valid"},
	{gitrepo.ErrNoFile, "A file with this name doesn't exist"},
	{gitrepo.ErrFileExists, "A file with this name already exists"},
	{gitrepo.ErrFileChanged, "The file has changed since you started editing it"},
	{gitrepo.ErrBlocked, "A file cannot be where a directory is"},
	{gitrepo.ErrEmptyChange, "The commit would change nothing"},
}

// commitProblem says why a commit to a branch was not made.
func commitProblem(err error, branch string) string {
	text := "A branch called '" + branch + "' already exists"
	for _, known := range commitProblems {
		if errors.Is(err, known.err) {
			text = known.text
		}
	}
	return text
}

// findStart finds the commit that a new branch starts from, which may be in
// another project.
func (c *call) findStart(r *repository, req *gitrepo.Request) *reply {
	name := either(c.Str("start_branch"), c.Str("start_sha"))
	if name == "" {
		return nil
	}
	from := r
	if other := c.Str("start_project"); other != "" {
		project := c.svc.findProject(other)
		if project == nil || !c.svc.canSeeProject(c.user, project) {
			return frame.NotFound("Project")
		}
		from = project.repository()
	}
	if c.Str("start_branch") != "" {
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
		Kind: gitrepo.ActionKind(f.OneOf("action", "create", "delete", "move", "update", "chmod")),
		Path: f.Str("file_path"), Previous: f.Str("previous_path"), LastCommit: f.Str("last_commit_id"),
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
	encoding := f.OneOf("encoding", "text", "base64")
	if !f.Has("content") || f.Null("content") {
		return nil, false
	}
	text := f.Str("content")
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
	if !f.Has("execute_filemode") || f.Null("execute_filemode") {
		return nil
	}
	return new(f.Bool("execute_filemode", false))
}
