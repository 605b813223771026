package servicetest

import (
	"slices"

	"example.com/serviceapi/servicetest/internal/frame"
	"example.com/serviceapi/servicetest/internal/gitrepo"
)

func listSnippets(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	found := state[snippetState](c.svc).snippets.all(func(s *Snippet) bool { return s.project == project && s.visibleTo(c.user) })
	slices.Reverse(found)
	return frame.ListOf(c, found, c.snippetJSON)
}

func getSnippet(c *call) *reply {
	on, refusal := noteableSnippet(c)
	if refusal != nil {
		return refusal
	}
	return c.OK(c.snippetJSON(on.snippet))
}

func createSnippet(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	s := &Snippet{
		project: project, title: c.Required("title"), description: c.Str("description"), author: c.user,
		visibility: either(c.OneOf("visibility", "private", "internal", "public"), "private"), createdAt: c.now(), updatedAt: c.now(),
	}
	for _, f := range c.Subs("files") {
		f.Require("file_path", "content")
		s.files = append(s.files, snippetFile{f.Str("file_path"), f.Str("content")})
	}
	if name := c.Str("file_name"); name != "" && len(s.files) == 0 {
		s.files = []snippetFile{{name, c.Required("content")}}
	}
	if len(s.files) == 0 {
		c.Problem("files, content are missing, exactly one parameter must be provided")
	}
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	for i, file := range s.files {
		taken := slices.ContainsFunc(s.files[:i], func(other snippetFile) bool { return other.path == file.path })
		if taken || !gitrepo.ValidPath(file.path) {
			return frame.Unprocessable("Snippet files have an invalid path: " + file.path)
		}
	}
	s.id, _ = state[snippetState](c.svc).snippets.add(0, s)
	return c.Created(c.snippetJSON(s))
}
