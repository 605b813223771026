package servicetest

import (
	"encoding/base64"
	"fmt"
)

func createCommit(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	r := project.repository()
	req := c.commitRequest()
	req.force = c.bool("force", false)
	stats := c.bool("stats", true)
	if !c.has("actions") || c.null("actions") {
		c.problem("actions is missing")
	}
	for i, f := range c.subs("actions") {
		req.actions = append(req.actions, f.action(fmt.Sprintf("actions[%d]", i)))
	}
	if c.str("start_branch") != "" && c.str("start_sha") != "" {
		c.problem("start_branch, start_sha are mutually exclusive")
	}
	if refusal := c.refusal(); refusal != nil {
		return refusal
	}
	if refusal := c.findStart(r, &req); refusal != nil {
		return refusal
	}
	made, problem := r.perform(req)
	if problem != "" {
		return message(400, problem)
	}
	o := r.commitObject(made)
	o.withStatus(r, made)
	if stats {
		o.withStats(r, made)
	}
	return c.created(o)
}

// commitRequest reads what all commits have in common.
func (c *call) commitRequest() commitRequest {
	by := c.user.signature(c.now())
	author := by
	author.name = either(c.str("author_name"), by.name)
	author.email = either(c.str("author_email"), by.email)
	return commitRequest{
		branch: c.required("branch"), message: c.required("commit_message"), author: author, by: by,
	}
}

// findStart finds the commit that a new branch starts from, which may be in
// another project.
func (c *call) findStart(r *repository, req *commitRequest) *reply {
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
		req.start = from.branch(name)
	} else {
		req.start = from.commits[name]
	}
	if req.start == nil {
		return message(400, "Cannot find what the branch is to start from")
	}
	r.fetch(from, req.start)
	return nil
}

// action reads one action of a commit. The name stands in what it finds wrong.
func (f fields) action(name string) fileAction {
	for _, required := range []string{"action", "file_path"} {
		if f.str(required) == "" {
			f.problem(name + "[" + required + "] is missing")
		}
	}
	a := fileAction{
		kind: f.oneOf("action", "create", "delete", "move", "update", "chmod"),
		path: f.str("file_path"), previous: f.str("previous_path"), lastCommit: f.str("last_commit_id"),
	}
	a.content, a.hasContent = f.content(name + "[content]")
	switch a.kind {
	case "create", "update":
		if !a.hasContent {
			f.problem(name + "[content] is missing")
		}
	case "move":
		if a.previous == "" {
			f.problem(name + "[previous_path] is missing")
		}
	case "chmod":
		if !f.has("execute_filemode") {
			f.problem(name + "[execute_filemode] is missing")
		}
		a.executable = f.executable()
	}
	return a
}

// content reads the content of a file. The name stands in what it finds wrong.
func (f fields) content(name string) (content []byte, given bool) {
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

// executable reads the file mode; nil if it was not given.
func (f fields) executable() *bool {
	if !f.has("execute_filemode") || f.null("execute_filemode") {
		return nil
	}
	return new(f.bool("execute_filemode", false))
}
