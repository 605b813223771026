package servicetest

import (
	"cmp"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// A badge is a badge of a project or a group.
type badge struct {
	id                int64
	home              any // *Project or *Group
	name, link, image string
}

// badgeState keeps the badges of a service.
type badgeState struct{ badges table[*badge] }

var badges = collection.Table[*call, any, badge]{
	Param: "badge_id", ID: func(b *badge) int64 { return b.id },
	Home: (*call).tokenHome,
	Records: func(c *call, home any) []*badge {
		return state[badgeState](c.svc).badges.all(func(b *badge) bool { return b.shownBy(home) })
	},
	Find: func(c *call, home any) (*badge, *reply) {
		b, ok := state[badgeState](c.svc).badges.get(c.PathInt64("badge_id"))
		if !ok || b.home != home {
			return nil, frame.NotFound("")
		}
		return b, nil
	},
	Fields: []collection.Field[badge]{
		collection.Note("name", func(b *badge) *string { return &b.name }),
		collection.Text("link_url", func(b *badge) *string { return &b.link }).Required(),
		collection.Text("image_url", func(b *badge) *string { return &b.image }).Required(),
		collection.Shown("id", func(b *badge) int64 { return b.id }),
		collection.Shown("kind", func(b *badge) string {
			if _, ofGroup := b.home.(*Group); ofGroup {
				return "group"
			}
			return "project"
		}),
	},
	Filters: []collection.Filter[badge]{collection.Equal("name", func(b *badge) string { return b.name })},
	New:     func(_ *call, home any) *badge { return &badge{home: home} },
	Check:   func(_ *call, _ any, draft, _ *badge) *reply { return draft.tidy() },
	Add:     func(c *call, _ any, b *badge) { b.id, _ = state[badgeState](c.svc).badges.add(0, b) },
	Remove:  func(c *call, _ any, b *badge) { state[badgeState](c.svc).badges.remove(b.id) },
	Extra:   func(_ *call, home any, b *badge, form *collection.Form) { b.render(home, form.Add) },
}

// shownBy reports whether a project or a group lists the badge: a project also has those of the
// groups above.
func (b *badge) shownBy(home any) bool {
	if p, isProject := home.(*Project); isProject && b.home != home {
		for g := p.group; g != nil; g = g.parent {
			if b.home == g {
				return true
			}
		}
	}
	return b.home == home
}

// placeholders matches the placeholders of URLs.
var placeholders = regexp.MustCompile(`%\{(\w+)\}`)

// tidy cuts off blanks around the URLs, and refuses those that are not of a page.
func (b *badge) tidy() *reply {
	b.link, b.image = strings.TrimSpace(b.link), strings.TrimSpace(b.image)
	for _, field := range [][2]string{{"link_url", b.link}, {"image_url", b.image}} {
		if !isWebAddress(placeholders.ReplaceAllString(field[1], "x")) {
			return frame.FieldErrors(field[0], "is blocked: Only allowed schemes are http, https")
		}
	}
	return nil
}

// render adds the URLs with values instead of placeholders. Those of a group are the values of
// its first project.
func (b *badge) render(home any, add func(name string, value any)) {
	p, _ := home.(*Project)
	if g, isGroup := home.(*Group); isGroup {
		if all := g.svc.projects.all(func(p *Project) bool { return badgeOf(g).shownBy(p) }); len(all) > 0 {
			p = all[0]
		}
	}
	link, image := b.link, b.image
	if p != nil {
		fill := func(placeholder string) string {
			value, known := p.placeholder(strings.Trim(placeholder, "%{}"))
			if !known {
				return placeholder
			}
			return (&url.URL{Path: value}).EscapedPath()
		}
		link = placeholders.ReplaceAllStringFunc(link, fill)
		image = placeholders.ReplaceAllStringFunc(image, fill)
	}
	add("rendered_link_url", link)
	add("rendered_image_url", image)
}

func badgeOf(home any) *badge { return &badge{home: home} }

// placeholder returns what a placeholder stands for.
func (p *Project) placeholder(word string) (value string, known bool) {
	vendor := strings.ToLower(either(p.svc.settings.vendor, "Service"))
	path, r := p.fullPath(), p.repository()
	namespace := path[:strings.LastIndex(path, "/")]
	group, sha, tag := "", "", ""
	if p.group != nil {
		group = p.group.name
	}
	if head := r.Resolve("HEAD"); head != nil {
		sha = head.SHA
	}
	if tags := r.Tags(); len(tags) > 0 {
		tag = slices.MaxFunc(tags, func(a, b string) int {
			return cmp.Compare(r.Tag(a).Commit.Committer.At.Unix(),
				r.Tag(b).Commit.Committer.At.Unix())
		})
	}
	host := p.svc.webURL()
	if u, err := url.Parse(host); err == nil {
		host = u.Host
	}
	value, known = map[string]string{
		"project_path": path, "project_title": p.name, "project_name": p.path, "project_id": frame.Itoa(p.id),
		"project_namespace": namespace, "group_name": group, "default_branch": p.defaultBranch, "commit_sha": sha,
		"latest_tag": tag, vendor + "_server": host, vendor + "_pages_domain": "pages.example",
	}[word]
	return value, known
}

func renderBadge(c *call, home any) *reply {
	b := &badge{link: c.RequiredString("link_url"), image: c.RequiredString("image_url")}
	if refusal := cmp.Or(c.Refusal(), b.tidy()); refusal != nil {
		return refusal
	}
	form := object{"name": nil, "link_url": b.link, "image_url": b.image}
	b.render(home, func(name string, value any) { form[name] = value })
	return c.OK(form)
}
