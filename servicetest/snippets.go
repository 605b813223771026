package servicetest

import (
	"slices"

	"example.com/serviceapi/servicetest/internal/gitrepo"
)

func listSnippets(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	found := state[snippetState](c.svc).snippets.all(func(s *Snippet) bool { return s.project == project && s.visibleTo(c.user) })
	slices.Reverse(found)
	return listOf(c, found, c.snippetJSON)
}

func getSnippet(c *call) *reply {
	on, refusal := noteableSnippet(c)
	if refusal != nil {
		return refusal
	}
	return c.ok(c.snippetJSON(on.snippet))
}

func createSnippet(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	s := &Snippet{
		project: project, title: c.required("title"), description: c.str("description"), author: c.user,
		visibility: either(c.oneOf("visibility", "private", "internal", "public"), "private"), createdAt: c.now(), updatedAt: c.now(),
	}
	for _, f := range c.subs("files") {
		f.require("file_path", "content")
		s.files = append(s.files, snippetFile{f.str("file_path"), f.str("content")})
	}
	if name := c.str("file_name"); name != "" && len(s.files) == 0 {
		s.files = []snippetFile{{name, c.required("content")}}
	}
	if len(s.files) == 0 {
		c.problem("files, content are missing, exactly one parameter must be provided")
	}
	if refusal := c.refusal(); refusal != nil {
		return refusal
	}
	for i, file := range s.files {
		taken := slices.ContainsFunc(s.files[:i], func(other snippetFile) bool { return other.path == file.path })
		if taken || !gitrepo.ValidPath(file.path) {
			return unprocessable("Snippet files have an invalid path: " + file.path)
		}
	}
	s.id, _ = state[snippetState](c.svc).snippets.add(0, s)
	return c.created(c.snippetJSON(s))
}
