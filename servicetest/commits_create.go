package servicetest

import (
	"encoding/base64"
	"errors"
	"fmt"

	"example.com/serviceapi/servicetest/internal/gitrepo"
)

func createCommit(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	r := project.repository()
	req := c.commitRequest()
	req.Force = c.bool("force", false)
	stats := c.bool("stats", true)
	if !c.has("actions") || c.null("actions") {
		c.problem("actions is missing")
	}
	for i, f := range c.subs("actions") {
		req.Actions = append(req.Actions, commitAction(f, fmt.Sprintf("actions[%d]", i)))
	}
	if c.str("start_branch") != "" && c.str("start_sha") != "" {
		c.problem("start_branch, start_sha are mutually exclusive")
	}
	if refusal := c.refusal(); refusal != nil {
		return refusal
	}
	if !project.mayPush(c.user, req.Branch) {
		return forbidden(notPushable)
	}
	if refusal := c.findStart(r, &req); refusal != nil {
		return refusal
	}
	made, err := r.Apply(req)
	if err != nil {
		return message(400, commitProblem(err, req.Branch))
	}
	o := r.commitObject(made)
	o.withStatus(r, made)
	if stats {
		o.withStats(r, made)
	}
	return c.created(o)
}

// commitRequest reads what all commits have in common.
func (c *call) commitRequest() gitrepo.Request {
	by := c.user.signature(c.now())
	author := by
	author.Name = either(c.str("author_name"), by.Name)
	author.Email = either(c.str("author_email"), by.Email)
	return gitrepo.Request{
		Branch: c.required("branch"), Message: c.required("commit_message"), Author: author, Committer: by,
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
	if action := new(gitrepo.ActionError); errors.As(err, &action) {
		return action.Path + ": " + text
	}
	return text
}

// findStart finds the commit that a new branch starts from, which may be in
// another project.
func (c *call) findStart(r *repository, req *gitrepo.Request) *reply {
	name := either(c.str("start_branch"), c.str("start_sha"))
	if name == "" {
		return nil
	}
	from := r
	if other := c.str("start_project"); other != "" {
		project := c.svc.findProject(other)
		if project == nil || !c.svc.canSeeProject(c.user, project) {
			return notFound("Project")
		}
		from = project.repository()
	}
	if c.str("start_branch") != "" {
		req.Start = from.Branch(name)
	} else {
		req.Start = from.Commit(name)
	}
	if req.Start == nil {
		return message(400, "Cannot find what the branch is to start from")
	}
	r.Fetch(from.Repository, req.Start)
	return nil
}

// commitAction reads one action of a commit. The name is used in messages about
// problems.
func commitAction(f fields, name string) gitrepo.Action {
	for _, required := range []string{"action", "file_path"} {
		if f.str(required) == "" {
			f.problem(name + "[" + required + "] is missing")
		}
	}
	a := gitrepo.Action{
		Kind: gitrepo.ActionKind(f.oneOf("action", "create", "delete", "move", "update", "chmod")),
		Path: f.str("file_path"), Previous: f.str("previous_path"), LastCommit: f.str("last_commit_id"),
	}
	a.Content, a.HasContent = fileContent(f, name + "[content]")
	switch a.Kind {
	case gitrepo.Create, gitrepo.Update:
		if !a.HasContent {
			f.problem(name + "[content] is missing")
		}
	case gitrepo.Move:
		if a.Previous == "" {
			f.problem(name + "[previous_path] is missing")
		}
	case gitrepo.Chmod:
		if !f.has("execute_filemode") {
			f.problem(name + "[execute_filemode] is missing")
		}
		a.Executable = executable(f)
	}
	return a
}

// fileContent reads the content of a file. The name is used in messages about
// problems.
func fileContent(f fields, name string) (content []byte, given bool) {
	encoding := f.oneOf("encoding", "text", "base64")
	if !f.has("content") || f.null("content") {
		return nil, false
	}
	text := f.str("content")
	if encoding != "base64" {
		return []byte(text), true
	}
	content, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		f.problem(name + " is invalid")
	}
	return content, true
}

// executable reads the file mode. It is nil if it was not given.
func executable(f fields) *bool {
	if !f.has("execute_filemode") || f.null("execute_filemode") {
		return nil
	}
	return new(f.bool("execute_filemode", false))
}
