package servicetest

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/gitrepo"
)

// releases are the descriptions of releases, by project and tag.
type releases struct {
	of map[*Project]map[string]string
}

// Release makes a release of a tag. If the tag does not exist, it is made at
// the default branch.
func (p *Project) Release(tag, description string) {
	defer p.svc.lock()()
	if r := p.repository(); r.Tag(tag) == nil {
		r.SetTag(tag, p.revision(""))
	}
	all := state[releases](p.svc)
	if all.of == nil {
		all.of = make(map[*Project]map[string]string)
	}
	if all.of[p] == nil {
		all.of[p] = make(map[string]string)
	}
	all.of[p][tag] = description
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
	if description, released := state[releases](r.project.svc).of[r.project][name]; released {
		o.Release = &releaseObject{name, description}
	}
	return o
}

// taggedAt returns when a tag was last changed: the time of an annotated tag,
// or that of the commit.
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

// compareVersions compares two names, with the numbers in them compared as
// numbers.
func compareVersions(a, b string) int {
	return slices.CompareFunc(versionParts.FindAllString(a, -1), versionParts.FindAllString(b, -1), func(a, b string) int {
		m, errA := strconv.Atoi(a)
		n, errB := strconv.Atoi(b)
		if errA == nil && errB == nil {
			return cmp.Compare(m, n)
		}
		return strings.Compare(a, b)
	})
}
