package servicetest

import (
	"errors"
	"net/http"
	"slices"

	"example.com/serviceapi/servicetest/internal/frame"
	"example.com/serviceapi/servicetest/internal/gitrepo"
)

func listTags(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	r := project.repository()
	names := c.search(r.Tags())
	by := either(c.OneOf("order_by", "updated", "name", "version"), "updated")
	sort := c.OneOf("sort", "asc", "desc")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	r.sortTags(names, by)
	if sort != "asc" {
		slices.Reverse(names)
	}
	return nameList(c, names, r.tagObject)
}

// findTag returns the tag of the path.
func (c *call) findTag() (*repository, string, *reply) {
	project, refusal := c.project()
	if refusal != nil {
		return nil, "", refusal
	}
	r, name := project.repository(), c.PathText("tag_name")
	if r.Tag(name) == nil {
		return nil, "", frame.NotFound("Tag")
	}
	return r, name, nil
}

func getTag(c *call) *reply {
	r, name, refusal := c.findTag()
	if refusal != nil {
		return refusal
	}
	return c.OK(r.tagObject(name))
}

func createTag(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	name, ref, text := c.Required("tag_name"), c.Required("ref"), c.Str("message")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	r := project.repository()
	start := r.Resolve(ref)
	if start == nil {
		return frame.Message(http.StatusBadRequest, "Target "+ref+" is invalid")
	}
	if project.protectsTag(name) && c.svc.projectLevel(c.user, project) < Maintainer {
		return frame.Message(http.StatusBadRequest, "You are not allowed to create this tag as it is protected.")
	}
	switch _, err := r.CreateTag(name, start, text, c.user.signature(c.now())); {
	case errors.Is(err, gitrepo.ErrRefExists):
		return frame.Message(http.StatusBadRequest, "Tag "+name+" already exists")
	case err != nil:
		return frame.Message(http.StatusBadRequest, "Tag name invalid")
	}
	return c.Created(r.tagObject(name))
}

func deleteTag(c *call) *reply {
	r, name, refusal := c.findTag()
	if refusal != nil {
		return refusal
	}
	if refusal := c.Unchanged(taggedAt(r.Tag(name))); refusal != nil {
		return refusal
	}
	if r.project.protectsTag(name) {
		return frame.Forbidden("Protected tags cannot be deleted")
	}
	r.DeleteTag(name)
	return c.NoContent()
}
