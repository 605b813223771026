package servicetest

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
	"example.com/serviceapi/servicetest/internal/markdown"
)

// A Release is the release of a tag. Make one with Project.Release.
type Release struct {
	svc     *Service
	project *Project

	id                     int64
	tag, name, description string
	author                 *User
	milestones             []*Milestone
	links                  []*releaseLink
	evidences              []evidence
	historical, inCatalog  bool
	createdAt, releasedAt  time.Time
	updatedAt              time.Time
}

// A releaseLink is a link that a release lists.
type releaseLink struct {
	id                    int64
	name, url, path, kind string
}

// evidence is a snapshot of a release and its milestones.
type evidence struct {
	id          int64
	collectedAt time.Time
}

// releases keeps the releases of a service by project, in the order in which they were
// made, and the last IDs.
type releases struct {
	shelf[*Project, Release]

	links, evidences int64
}

func (p *Project) releases() []*Release { return slices.Clone(state[releases](p.svc).of[p]) }

// releaseOf returns the release of a tag, or nil.
func (p *Project) releaseOf(tag string) *Release {
	return one(p.releases(), func(r *Release) bool { return r.tag == tag })
}

// hiddenBelow is the lowest role that sees what reveals the code of a private project.
const hiddenBelow = int(Reporter)

var releaseTable = collection.Table[*call, *Project, Release]{
	Home:    (*call).project,
	Records: (*call).listedReleases,
	Find: func(c *call, p *Project) (*Release, *reply) {
		if r := p.releaseOf(c.PathString("tag_name")); r != nil {
			return r, nil
		}
		if c.route.method == http.MethodPut || c.route.method == http.MethodDelete {
			return nil, frame.Forbidden("")
		}
		return nil, frame.NotFound("")
	},
	Level: func(c *call, p *Project) int {
		if p.visibility != "private" {
			return int(Owner)
		}
		return int(c.svc.projectLevel(c.user, p))
	},
	Fields: []collection.Field[Release]{
		collection.Text("tag_name", func(r *Release) *string { return &r.tag }).Required().Once().SeenBy(hiddenBelow),
		collection.Text("name", func(r *Release) *string { return &r.name }),
		collection.Note("description", func(r *Release) *string { return &r.description }),
		collection.Moment("created_at", func(r *Release) *time.Time { return &r.createdAt }).ReadOnly(),
		collection.Moment("released_at", func(r *Release) *time.Time { return &r.releasedAt }),
		collection.Shown("upcoming_release", (*Release).upcoming),
		collection.Shown("author", (*Release).writer).Omitted(),
		collection.Shown("commit", (*Release).commit).SeenBy(hiddenBelow),
		collection.Shown("milestones", (*Release).shownMilestones).Omitted(),
		collection.Shown("commit_path", (*Release).commitPath).SeenBy(hiddenBelow),
		collection.Shown("tag_path", func(r *Release) string { return r.path("-/tags/" + r.tag) }).SeenBy(hiddenBelow),
		collection.Shown("evidences", (*Release).shownEvidences).SeenBy(hiddenBelow),
	},
	New: func(c *call, p *Project) *Release {
		return &Release{svc: c.svc, project: p, author: c.user, createdAt: c.now(), releasedAt: c.now()}
	},
	Read: func(c *call, _ *Project, r *Release, _ bool) {
		r.name = cmp.Or(r.name, r.tag)
		c.Exclusive("milestones", "milestone_ids")
		frame.Accept(c.SplitStrings, "milestones")
		frame.Accept(c.Int64s, "milestone_ids")
	},
	Check: func(c *call, p *Project, draft, before *Release) *reply {
		if before == nil {
			if refusal := c.checkNewRelease(p, draft); refusal != nil {
				return refusal
			}
		}
		draft.updatedAt = c.now()
		return c.readMilestones(p, draft)
	},
	Extra: func(c *call, p *Project, r *Release, form *collection.Form) {
		links := releaseLinks.Forms(c, r, r.newestLinks())
		assets := object{"count": len(links), "links": links}
		if p.visibility != "private" || int(c.svc.projectLevel(c.user, p)) >= hiddenBelow {
			assets["count"], assets["sources"] = len(links)+4, r.sources()
		}
		form.Add("assets", assets)
		form.Add("_links", r.pages(c.svc.projectLevel(c.user, p) >= Developer))
		if c.Bool("include_html_description") {
			form.Add("description_html", markdown.Render(r.description))
		}
	},
}

// listedReleases returns the releases of a project in the order that a list selects.
func (c *call) listedReleases(p *Project) []*Release {
	by, sort := c.StringIn("order_by", "released_at", "created_at"), c.StringIn("sort", "asc", "desc")
	var wanted frame.Filter[*Release]
	wanted.Within(c.Time("updated_after"), c.Time("updated_before"), func(r *Release) time.Time { return r.updatedAt })
	frame.Accept(c.Bool, "include_html_description")
	found := wanted.Apply(p.releases())
	slices.SortFunc(found, func(a, b *Release) int {
		order := a.releasedAt.Compare(b.releasedAt)
		if by == "created_at" {
			order = a.createdAt.Compare(b.createdAt)
		}
		order = cmp.Or(order, cmp.Compare(a.id, b.id))
		if sort != "asc" {
			return -order
		}
		return order
	})
	return found
}

// byRelease compares releases by their dates.
func byRelease(a, b *Release) int {
	return cmp.Or(a.releasedAt.Compare(b.releasedAt), cmp.Compare(a.id, b.id))
}

// listGroupReleases lists the releases of the projects in a group that the caller can see.
func listGroupReleases(c *call, group *Group) *reply {
	shown, found := releaseTable, []*Release{}
	if c.Bool("simple") {
		shown.Fields, shown.Extra = shown.Fields[:6], nil
	}
	for _, p := range c.svc.projects.all(nil) {
		if p.within(group) && c.svc.canSeeProject(c.user, p) && p.serves(c.user, "releases") {
			found = append(found, p.releases()...)
		}
	}
	slices.SortFunc(found, byRelease)
	if c.StringIn("sort", "asc", "desc") != "asc" {
		slices.Reverse(found)
	}
	c.Uncounted = true
	return frame.ListOf(c, found, func(r *Release) *collection.Form { return shown.Form(c, r.project, r) })
}

// downloadReleaseFile redirects to what a link leads to.
func downloadReleaseFile(c *call, r *Release) *reply {
	for _, l := range r.links {
		if l.path == "/"+c.PathString("direct_asset_path") {
			return (&reply{Status: http.StatusFound}).Set("Location", l.url)
		}
	}
	return frame.NotFoundUnnamed()
}

func getRelease(c *call) *reply {
	frame.Accept(c.Bool, "include_html_description")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	return releaseTable.Get(c)
}

// getLatestRelease redirects to the newest release.
func getLatestRelease(c *call, project *Project) *reply {
	frame.Accept(c.Bool, "include_html_description")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	all := project.releases()
	if len(all) == 0 {
		return frame.NotFound("")
	}
	newest := slices.MaxFunc(all, byRelease)
	query := c.Request.URL.Query()
	query.Del("order_by")
	location := c.svc.settings.basePath + "/api/v4/projects/" + frame.Itoa(project.id)
	location += "/releases/" + url.PathEscape(newest.tag)
	if len(query) > 0 {
		location += "?" + query.Encode()
	}
	return (&reply{Status: http.StatusFound}).Set("Location", location)
}

// createRelease makes a release, and its tag if there is none.
func createRelease(c *call, project *Project, draft *Release) *reply {
	for _, item := range c.Sub("assets").Subs("links") {
		of := *c
		of.Fields = item
		link, refusal := releaseLinks.DraftIn(&of, draft)
		if refusal != nil {
			return refusal
		}
		draft.links = append(draft.links, link)
	}
	if r := project.repository(); r.Tag(draft.tag) == nil {
		_, err := r.CreateTag(draft.tag, r.Resolve(c.String("ref")), c.String("tag_message"), c.user.signature(c.now()))
		if err != nil {
			return frame.Message(http.StatusBadRequest, "Tag name invalid")
		}
	}
	for _, link := range draft.links {
		link.id = c.svc.nextLinkID()
	}
	draft.historical = draft.releasedAt.Before(draft.createdAt)
	draft.store()
	if !draft.historical && !draft.upcoming() {
		draft.collectEvidence()
	}
	return c.Created(releaseTable.Form(c, project, draft))
}

// checkNewRelease refuses a release if its tag already has one or cannot be made.
func (c *call) checkNewRelease(p *Project, draft *Release) *reply {
	ref := c.String("ref")
	frame.Accept(c.String, "tag_message")
	frame.Accept(c.Sub, "assets")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	r := p.repository()
	switch {
	case p.releaseOf(draft.tag) != nil:
		return frame.Conflict("Release already exists")
	case r.Tag(draft.tag) != nil:
		return nil
	case ref == "":
		return frame.Unprocessable("Ref is not specified")
	case !p.mayCreateTag(c.user, draft.tag):
		return frame.Forbidden("")
	case r.Resolve(ref) == nil:
		return frame.Message(http.StatusBadRequest, "Target "+ref+" is invalid")
	}
	return nil
}

// readMilestones reads the milestones of a release.
func (c *call) readMilestones(p *Project, draft *Release) *reply {
	var missing []string
	find := func(text string, is func(*Milestone) bool) {
		found := state[milestoneState](c.svc).milestones.all(func(m *Milestone) bool {
			ofGroup := m.group != nil && p.within(m.group) && c.hasTier(Premium)
			return is(m) && (m.project == p || ofGroup)
		})
		if len(found) == 0 {
			missing = append(missing, text)
			return
		}
		draft.milestones = append(draft.milestones, found[0])
	}
	if c.Has("milestones") || c.Has("milestone_ids") {
		draft.milestones = nil
	}
	for _, title := range c.SplitStrings("milestones") {
		find(title, func(m *Milestone) bool { return m.title == title })
	}
	for _, id := range c.Int64s("milestone_ids") {
		find(frame.Itoa(id), func(m *Milestone) bool { return m.id == id })
	}
	if len(missing) > 0 {
		return frame.Message(http.StatusBadRequest, "Milestone(s) not found: "+strings.Join(missing, ", "))
	}
	return nil
}

func updateRelease(c *call, _ *Project) *reply {
	if !slices.ContainsFunc([]string{"name", "description", "milestones", "milestone_ids", "released_at"}, c.Has) {
		return frame.Message(http.StatusBadRequest, "params is empty")
	}
	return releaseTable.Update(c)
}

func deleteRelease(c *call, project *Project, r *Release) *reply {
	shown := releaseTable.Form(c, project, r)
	r.remove()
	return c.OK(shown)
}

func collectReleaseEvidence(c *call, _ *Project, r *Release) *reply {
	r.collectEvidence()
	return c.OK(1)
}

// releaseLinks are the links of a release. Links of a new release have no ID yet.
var releaseLinks = collection.Table[*call, *Release, releaseLink]{
	Param: "link_id",
	ID:    func(l *releaseLink) int64 { return l.id },
	Home: func(c *call) (*Release, *reply) {
		project, refusal := c.project()
		if refusal != nil {
			return nil, refusal
		}
		if r := project.releaseOf(c.PathString("tag_name")); r != nil {
			return r, nil
		}
		return nil, frame.NotFound("")
	},
	Records: func(_ *call, r *Release) []*releaseLink { return r.newestLinks() },
	Fields: []collection.Field[releaseLink]{
		collection.Shown("id", func(l *releaseLink) int64 { return l.id }),
		collection.Text("name", func(l *releaseLink) *string { return &l.name }).Required().Unique(),
		collection.Text("url", func(l *releaseLink) *string { return &l.url }).Required().Unique(),
		collection.Text("filepath", func(l *releaseLink) *string { return &l.path }).Unseen().Max(128),
		collection.Text("direct_asset_path", func(l *releaseLink) *string { return &l.path }).Unseen().Max(128),
		collection.Choice("link_type", func(l *releaseLink) *string { return &l.kind },
			"other", "runbook", "image", "package"),
	},
	New: func(*call, *Release) *releaseLink { return &releaseLink{kind: "other"} },
	Check: func(_ *call, r *Release, draft, before *releaseLink) *reply {
		scheme, _, _ := strings.Cut(draft.url, "://")
		taken := func(l *releaseLink) bool { return l != before && l.path == draft.path }
		switch {
		case !slices.Contains([]string{"http", "https", "ftp"}, scheme):
			return frame.FieldErrors("url", "is blocked: Only allowed schemes are http, https, ftp")
		case draft.path != "" && draft.path[0] != '/':
			return frame.FieldErrors("filepath", "is in an invalid format")
		case draft.path != "" && slices.ContainsFunc(r.links, taken):
			return frame.FieldErrors("filepath", "has already been taken")
		}
		return nil
	},
	Add: func(c *call, r *Release, l *releaseLink) {
		l.id = c.svc.nextLinkID()
		r.links = append(r.links, l)
	},
	Extra: func(_ *call, r *Release, l *releaseLink, form *collection.Form) {
		form.Add("direct_asset_url", l.url)
		if l.path != "" {
			form.Add("direct_asset_url", r.project.webURL("-/releases", r.tag, "downloads")+l.path)
		}
	},
}

func updateReleaseLink(c *call) *reply {
	if !c.Has("name") && !c.Has("url") {
		c.Problem("name, url are missing, at least one parameter must be provided")
	}
	return releaseLinks.Update(c)
}

func deleteReleaseLink(c *call, r *Release, link *releaseLink) *reply {
	r.links = slices.DeleteFunc(slices.Clone(r.links), func(l *releaseLink) bool { return l == link })
	return c.OK(releaseLinks.Form(c, r, link))
}

func (s *Service) nextLinkID() int64 {
	state[releases](s).links++
	return state[releases](s).links
}

func (r *Release) newestLinks() []*releaseLink {
	links := slices.Clone(r.links)
	slices.Reverse(links)
	return links
}

// upcoming reports whether the release date is in the future.
func (r *Release) upcoming() bool { return r.releasedAt.After(r.svc.now()) }

// collectEvidence takes a snapshot after the call.
func (r *Release) collectEvidence() {
	r.svc.later(0, func() {
		all := state[releases](r.svc)
		all.evidences++
		r.evidences = append(r.evidences, evidence{all.evidences, r.svc.now()})
	})
}

func (r *Release) writer() any {
	if r.author == nil || r.author.gone {
		return nil
	}
	return r.author.summary()
}

func (r *Release) commit() any {
	if tag := r.project.repository().Tag(r.tag); tag != nil {
		return r.project.repository().commitObject(tag.Commit)
	}
	return nil
}

func (r *Release) commitPath() any {
	if tag := r.project.repository().Tag(r.tag); tag != nil {
		return r.path("-/commit/" + tag.Commit.SHA)
	}
	return nil
}

// path returns a path of the project in the web interface.
func (r *Release) path(below string) string { return "/" + r.project.fullPath() + "/" + below }

func (r *Release) shownMilestones() any {
	if len(r.milestones) == 0 {
		return nil
	}
	all := []*collection.Form{}
	for _, m := range r.milestones {
		form, total, closed := m.json(), 0, 0
		for _, i := range state[issueState](r.svc).issues.all(func(i *Issue) bool { return i.milestone == m }) {
			if total++; i.state == "closed" {
				closed++
			}
		}
		form.Add("issue_stats", object{"total": total, "closed": closed})
		all = append(all, form)
	}
	return all
}

func (r *Release) shownEvidences() any {
	return mapped(r.evidences, func(e evidence) object {
		return object{
			"sha":          frame.SHA256Hex("evidence", frame.Itoa(e.id), r.tag),
			"filepath":     r.project.webURL("-/releases", r.tag, "evidences", frame.Itoa(e.id)+".json"),
			"collected_at": jsonTime(e.collectedAt),
		}
	})
}

// sources returns the archives of the tag.
func (r *Release) sources() []object {
	file := r.project.path + "-" + strings.ReplaceAll(r.tag, "/", "-")
	return mapped([]string{"zip", "tar.gz", "tar.bz2", "tar"}, func(format string) object {
		return object{"format": format, "url": r.project.webURL("-/archive", r.tag, file+"."+format)}
	})
}

// pages returns the pages of the web interface about the release.
func (r *Release) pages(edits bool) object {
	self := r.project.webURL("-/releases", url.PathEscape(r.tag))
	o := object{"self": self}
	if edits {
		o["edit_url"] = self + "/edit"
	}
	for name, page := range map[string]string{
		"closed_issues_url": "issues?state=closed", "opened_issues_url": "issues?state=opened",
		"closed_merge_requests_url": "merge_requests?state=closed",
		"merged_merge_requests_url": "merge_requests?state=merged",
		"opened_merge_requests_url": "merge_requests?state=opened",
	} {
		o[name] = r.project.webURL("-/" + page + "&release_tag=" + url.QueryEscape(r.tag))
	}
	return o
}

// A ReleaseOption sets a property of a release: By, CreatedAt and Name are
// ReleaseOptions. CreatedAt also sets the release date.
type ReleaseOption interface{ applyRelease(r *Release) }

func (o ByOption) applyRelease(r *Release)   { r.author = o.user }
func (o NameOption) applyRelease(r *Release) { r.name = string(o) }
func (o CreatedAtOption) applyRelease(r *Release) {
	r.createdAt, r.releasedAt, r.updatedAt = time.Time(o), time.Time(o), time.Time(o)
}

// Release makes a release of a tag. If there is no such tag, Release makes it at the
// default branch.
func (p *Project) Release(tag, description string, opts ...ReleaseOption) *Release {
	defer p.svc.lock()()
	if r := p.repository(); r.Tag(tag) == nil {
		r.SetTag(tag, p.revision(""))
	}
	if p.releaseOf(tag) != nil {
		p.svc.fail("the tag %q of %q has a release", tag, p.fullPath())
	}
	now := p.svc.now()
	r := &Release{
		svc: p.svc, project: p, tag: tag, name: tag, description: description, author: p.creatorOrRoot(),
		createdAt: now, releasedAt: now, updatedAt: now,
	}
	apply(r, opts, ReleaseOption.applyRelease)
	r.store()
	return r
}

func (r *Release) store() {
	r.id = state[releases](r.svc).add(r.project, r)
	r.svc.touch(r)
}

func (r *Release) remove() {
	state[releases](r.svc).remove(r.project, r)
	r.svc.touch(r)
}

// Releases returns the project's releases, in the order in which they were made.
func (p *Project) Releases() []*Release { return locked(p.svc, p.releases) }

// Link adds a link to the release.
func (r *Release) Link(name, address string) {
	defer r.svc.lock()()
	r.links = append(r.links, &releaseLink{id: r.svc.nextLinkID(), name: name, url: address, kind: "other"})
}

// Links returns the URLs of the release's links by name.
func (r *Release) Links() map[string]string {
	defer r.svc.lock()()
	links := make(map[string]string)
	for _, l := range r.links {
		links[l.name] = l.url
	}
	return links
}

// TagName returns the tag of the release.
func (r *Release) TagName() string { return r.tag }

// Name returns the name of the release.
func (r *Release) Name() string { return read(r.svc, &r.name) }

// Description returns the description of the release.
func (r *Release) Description() string { return read(r.svc, &r.description) }
