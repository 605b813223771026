package servicetest

import (
	"errors"
	"net/http"
	"slices"

	"example.com/serviceapi/servicetest/internal/gitrepo"
)

func listTags(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	r := project.repository()
	names := c.search(r.Tags())
	by := either(c.oneOf("order_by", "updated", "name", "version"), "updated")
	sort := c.oneOf("sort", "asc", "desc")
	if refusal := c.refusal(); refusal != nil {
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
	r, name := project.repository(), c.pathText("tag_name")
	if r.Tag(name) == nil {
		return nil, "", notFound("Tag")
	}
	return r, name, nil
}

func getTag(c *call) *reply {
	r, name, refusal := c.findTag()
	if refusal != nil {
		return refusal
	}
	return c.ok(r.tagObject(name))
}

func createTag(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	name, ref, text := c.required("tag_name"), c.required("ref"), c.str("message")
	if refusal := c.refusal(); refusal != nil {
		return refusal
	}
	r := project.repository()
	start := r.Resolve(ref)
	if start == nil {
		return message(http.StatusBadRequest, "Target "+ref+" is invalid")
	}
	if project.protectsTag(name) && c.svc.projectLevel(c.user, project) < Maintainer {
		return message(http.StatusBadRequest, "You are not allowed to create this tag as it is protected.")
	}
	switch _, err := r.CreateTag(name, start, text, c.user.signature(c.now())); {
	case errors.Is(err, gitrepo.ErrRefExists):
		return message(http.StatusBadRequest, "Tag "+name+" already exists")
	case err != nil:
		return message(http.StatusBadRequest, "Tag name invalid")
	}
	return c.created(r.tagObject(name))
}

func deleteTag(c *call) *reply {
	r, name, refusal := c.findTag()
	if refusal != nil {
		return refusal
	}
	if refusal := c.unchanged(taggedAt(r.Tag(name))); refusal != nil {
		return refusal
	}
	if r.project.protectsTag(name) {
		return forbidden("Protected tags cannot be deleted")
	}
	r.DeleteTag(name)
	return c.noContent()
}
