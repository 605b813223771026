package servicetest

import (
	"cmp"
	"errors"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
	"example.com/serviceapi/servicetest/internal/gitrepo"
)

func listTags(c *call, project *Project) *reply {
	r := project.repository()
	names := c.search(r.Tags())
	by := either(c.StringIn("order_by", "updated", "name", "version"), "updated")
	sort := c.StringIn("sort", "asc", "desc")
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
	r, name := project.repository(), c.PathString("tag_name")
	if r.Tag(name) == nil {
		return nil, "", frame.NotFound("Tag")
	}
	return r, name, nil
}

func getTag(c *call, r *repository, name string) *reply {
	return c.OK(r.tagObject(name))
}

func createTag(c *call, project *Project) *reply {
	name, ref, text := c.RequiredString("tag_name"), c.RequiredString("ref"), c.String("message")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	r := project.repository()
	start := r.Resolve(ref)
	if start == nil {
		return frame.Message(http.StatusBadRequest, "Target "+ref+" is invalid")
	}
	if !project.mayCreateTag(c.user, name) {
		return frame.Forbidden("You are not allowed to create this tag as it is protected.")
	}
	switch _, err := r.CreateTag(name, start, text, c.user.signature(c.now())); {
	case errors.Is(err, gitrepo.ErrRefExists):
		return frame.Message(http.StatusBadRequest, "Tag "+name+" already exists")
	case err != nil:
		return frame.Message(http.StatusBadRequest, "Tag name invalid")
	}
	return c.Created(r.tagObject(name))
}

func deleteTag(c *call, r *repository, name string) *reply {
	if refusal := c.Unchanged(taggedAt(r.Tag(name))); refusal != nil {
		return refusal
	}
	if r.project.protectsTag(name) {
		return frame.Forbidden("Protected tags cannot be deleted")
	}
	r.DeleteTag(name)
	if release := r.project.releaseOf(name); release != nil {
		release.remove()
	}
	return c.NoContent()
}

// Tags returns the names of the project's tags in alphabetical order.
func (p *Project) Tags() []string {
	defer p.svc.lock()()
	return p.repository().Tags()
}

// tagObject is the JSON of a tag.
type tagObject struct {
	Name      string         `json:"name"`
	Message   jsonText       `json:"message"`
	Target    string         `json:"target"`
	Commit    *commitObject  `json:"commit"`
	Release   *releaseObject `json:"release"`
	Protected bool           `json:"protected"`
	CreatedAt jsonTime       `json:"created_at"`
}

type releaseObject struct {
	TagName     string `json:"tag_name"`
	Description string `json:"description"`
}

func (r *repository) tagObject(name string) *tagObject {
	tag := r.Tag(name)
	o := &tagObject{
		Name: name, Message: jsonText(tag.Message), Target: tag.ID, Commit: r.commitObject(tag.Commit),
		Protected: r.project.protectsTag(name), CreatedAt: jsonTime(tag.Tagger.At),
	}
	if release := r.project.releaseOf(name); release != nil {
		o.Release = &releaseObject{name, release.description}
	}
	return o
}

// taggedAt returns when a tag was last changed: the time of an annotated tag, or of its
// commit.
func taggedAt(tag *gitrepo.Tag) time.Time {
	if tag.Annotated() {
		return tag.Tagger.At
	}
	return tag.Commit.Committer.At
}

// sortTags sorts tags in ascending order.
func (r *repository) sortTags(names []string, by string) {
	slices.SortStableFunc(names, func(a, b string) int {
		order := 0
		switch by {
		case "updated":
			order = taggedAt(r.Tag(a)).Compare(taggedAt(r.Tag(b)))
		case "version":
			order = compareVersions(a, b)
		}
		return cmp.Or(order, cmp.Compare(a, b))
	})
}

var versionParts = regexp.MustCompile(`\d+|\D+`)

// compareVersions compares two names. It compares numbers in them as numbers.
func compareVersions(a, b string) int {
	return slices.CompareFunc(versionParts.FindAllString(a, -1), versionParts.FindAllString(b, -1),
		func(a, b string) int {
			m, errA := strconv.Atoi(a)
			n, errB := strconv.Atoi(b)
			if errA == nil && errB == nil {
				return cmp.Compare(m, n)
			}
			return strings.Compare(a, b)
		})
}
