package servicetest

import (
	"cmp"
	"fmt"
	"html"
	"maps"
	"path"
	"slices"
	"strings"

	"example.com/serviceapi/servicetest/internal/frame"
	"example.com/serviceapi/servicetest/internal/gitrepo"
	"example.com/serviceapi/servicetest/internal/markdown"
)

// wikiState keeps the wikis of projects and groups.
type wikiState struct {
	wikis map[wikiHome]*wiki
	last  int64 // the number of the last page
}

// A wikiHome is the project or the group that has a wiki.
type wikiHome struct {
	project *Project
	group   *Group
}

func (h wikiHome) service() *Service {
	if h.group != nil {
		return h.group.svc
	}
	return h.project.svc
}

func (h wikiHome) fullPath() string {
	if h.group != nil {
		return h.group.fullPath()
	}
	return h.project.fullPath()
}

// exists reports whether the home has not been removed.
func (h wikiHome) exists() bool { return h.service().exists(h.project) || h.service().exists(h.group) }

// wikiHome returns the project or the group of the path.
func (c *call) wikiHome() (wikiHome, *reply) {
	home, refusal := c.tokenHome()
	project, _ := home.(*Project)
	group, _ := home.(*Group)
	return wikiHome{project, group}, refusal
}

// A wiki has pages and the history of their changes.
type wiki struct {
	pages   []*WikiPage
	commits []wikiCommit // oldest first

	attached int64 // how many files were attached
}

// A wikiCommit is the state of the wiki after a change.
type wikiCommit struct {
	sha   string
	pages map[string]wikiText // by slug
}

// wikiBranch is the only branch of a wiki.
const wikiBranch = "main"

// A wikiText is the text of a page, with its title and format.
type wikiText struct{ title, content, format string }

// A WikiPage is a page of a wiki. Make one with Project.WikiPage or Group.WikiPage.
type WikiPage struct {
	wikiHome
	discussion

	id   int64
	slug string
	wikiText
	author  *User  // who changed it last
	version string // the commit that changed it last
}

// WikiPage adds a page in Markdown to the wiki of the project, written by Root. The
// title may have directories before it.
func (p *Project) WikiPage(title, content string) *WikiPage {
	defer p.svc.lock()()
	return wikiHome{project: p}.seedPage(title, content)
}

// WikiPage adds a page in Markdown to the wiki of the group, written by Root, as
// Project.WikiPage does. Hooks do not hear of the pages of groups.
func (g *Group) WikiPage(title, content string) *WikiPage {
	defer g.svc.lock()()
	return wikiHome{group: g}.seedPage(title, content)
}

func (h wikiHome) seedPage(title, content string) *WikiPage {
	svc := h.service()
	page := &WikiPage{wikiHome: h, slug: wikiSlug(title), wikiText: wikiText{"", content, "markdown"},
		author: svc.admin}
	if h.wiki().page(page.slug) != nil {
		svc.fail("a page %s of the wiki of %s already exists", page.slug, h.fullPath())
	}
	h.wiki().add(page)
	return page
}

// ID returns the ID of the page, which identifies it in the whole instance.
func (w *WikiPage) ID() int64 { return w.id }

// Slug returns the slug, which identifies the page in its wiki.
func (w *WikiPage) Slug() string { return read(w.service(), &w.slug) }

// Content returns the content of the page.
func (w *WikiPage) Content() string { return read(w.service(), &w.content) }

// Version returns the hash of the commit that last changed the page.
func (w *WikiPage) Version() string { return read(w.service(), &w.version) }

// wiki returns the wiki of the project.
func (p *Project) wiki() *wiki { return wikiHome{project: p}.wiki() }

func (h wikiHome) wiki() *wiki { return kept(&state[wikiState](h.service()).wikis, h) }

// wikiPages returns the pages of all wikis.
func (s *Service) wikiPages() (all []*WikiPage) {
	for _, p := range s.projects.all(nil) {
		all = append(all, p.wiki().pages...)
	}
	for _, g := range s.groups.all(nil) {
		all = append(all, wikiHome{group: g}.wiki().pages...)
	}
	return all
}

func wikiSlug(title string) string { return strings.ReplaceAll(strings.Trim(title, "/"), " ", "-") }

// page returns the page with a slug, or nil.
func (w *wiki) page(slug string) *WikiPage {
	return one(w.pages, func(page *WikiPage) bool { return page.slug == slug })
}

func (w *wiki) add(page *WikiPage) {
	all := state[wikiState](page.service())
	all.last++
	page.id = all.last
	w.pages = append(w.pages, page)
	w.commit(page)
	page.belongTo(page.service(), page)
}

// commit sorts the pages by slug, and records the state of the wiki after a change of a
// page.
func (w *wiki) commit(page *WikiPage) {
	slices.SortFunc(w.pages, func(a, b *WikiPage) int { return cmp.Compare(a.slug, b.slug) })
	c := wikiCommit{pages: make(map[string]wikiText, len(w.pages))}
	for _, other := range w.pages {
		c.pages[other.slug] = other.wikiText
	}
	c.sha = frame.SHA("wiki", page.fullPath(), frame.Itoa(int64(len(w.commits))), fmt.Sprint(c.pages))
	page.version = c.sha
	page.service().touch(page)
	w.commits = append(w.commits, c)
}

// shownTitle returns the title in the front matter, or the title that follows from the
// slug.
func (t wikiText) shownTitle(slug string) string {
	if t.title != "" {
		return t.title
	}
	return strings.ReplaceAll(slug[strings.LastIndex(slug, "/")+1:], "-", " ")
}

// json returns the JSON of the page, with or without its content.
func (w *WikiPage) json(slug string, text wikiText, withContent bool) object {
	form := object{"format": text.format, "slug": slug, "title": text.shownTitle(slug), "wiki_page_meta_id": w.id}
	if withContent {
		matter := object{}
		if text.title != "" {
			matter["title"] = text.title
		}
		maps.Copy(form, object{"content": text.content, "encoding": "UTF-8", "front_matter": matter})
	}
	return form
}

// listWikiPages lists all pages of the wiki at once.
func listWikiPages(c *call, home wikiHome) *reply {
	withContent := c.Bool("with_content")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	return c.OK(mapped(home.wiki().pages, func(page *WikiPage) object {
		return page.json(page.slug, page.wikiText, withContent)
	}))
}

// wikiPage returns the page of the path.
func (c *call) wikiPage() (*WikiPage, *reply) {
	home, refusal := c.wikiHome()
	if refusal != nil {
		return nil, refusal
	}
	page := home.wiki().page(c.PathString("slug"))
	if page == nil {
		return nil, frame.NotFound("Wiki Page")
	}
	return page, nil
}

func getWikiPage(c *call) *reply {
	version, asHTML := c.String("version"), c.Bool("render_html")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	page, refusal := c.wikiPage()
	if refusal != nil {
		return refusal
	}
	text := page.wikiText
	if version != "" {
		then, ok := page.wiki().at(version).pages[page.slug]
		if !ok {
			return frame.NotFound("Wiki Page")
		}
		text = then
	}
	if asHTML {
		text.content = text.rendered()
	}
	return c.OK(page.json(page.slug, text, true))
}

// rendered returns the text as HTML. Of the formats, only Markdown is known.
func (t wikiText) rendered() string {
	if t.format == "markdown" {
		return markdown.Render(t.content)
	}
	return "<pre>" + html.EscapeString(t.content) + "</pre>"
}

// wikiSuffixes are the suffixes of the files of pages, by format.
var wikiSuffixes = map[string]string{"markdown": ".md", "rdoc": ".rdoc", "asciidoc": ".asciidoc", "org": ".org"}

// tree returns the files of the wiki after a commit. If ref is empty or the branch,
// they are the current ones. The tree is empty if there is no such commit.
func (w *wiki) tree(ref string) gitrepo.Tree {
	pages := w.at(ref).pages
	if n := len(w.commits); n > 0 && (ref == "" || ref == wikiBranch) {
		pages = w.commits[n-1].pages
	}
	files := make(gitrepo.Tree, len(pages))
	for slug, text := range pages {
		files[slug+wikiSuffixes[text.format]] = gitrepo.NewEntry([]byte(text.content))
	}
	return files
}

// at returns the wiki after a commit. It is empty if there is no such commit.
func (w *wiki) at(sha string) wikiCommit {
	at := slices.IndexFunc(w.commits, func(c wikiCommit) bool { return c.sha == sha })
	if at < 0 {
		return wikiCommit{}
	}
	return w.commits[at]
}

func createWikiPage(c *call, home wikiHome) *reply {
	c.Require("title")
	c.RequireGiven("content")
	page := &WikiPage{wikiHome: home, author: c.user, slug: wikiSlug(c.String("title")),
		wikiText: c.wikiText(wikiText{})}
	if refusal := c.wikiProblem(page, nil); refusal != nil {
		return refusal
	}
	home.wiki().add(page)
	return c.Created(page.json(page.slug, page.wikiText, true))
}

// wikiText reads the parameters of a page, and keeps the rest of its text. The default
// format is Markdown.
func (c *call) wikiText(before wikiText) wikiText {
	given(c, "content", c.String, &before.content)
	before.format = either(c.StringIn("format", "markdown", "rdoc", "asciidoc", "org"), "markdown")
	if matter := c.Sub("front_matter"); matter.Values != nil {
		before.title = matter.String("title")
	}
	return before
}

// maxWikiTitle is the maximum number of bytes in the title of a page.
const maxWikiTitle = 245

// wikiProblem refuses a page with a wrong parameter, a long title, or the slug of
// another page.
func (c *call) wikiProblem(page, before *WikiPage) *reply {
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if len(page.slug[strings.LastIndex(page.slug, "/")+1:]) > maxWikiTitle {
		return frame.FieldErrors("title", fmt.Sprintf("exceeds the limit of %d bytes", maxWikiTitle))
	}
	if other := page.wiki().page(page.slug); other != nil && other != before {
		return frame.FieldErrors("base", "Duplicate page: A page with that title already exists in the file "+page.slug)
	}
	return nil
}

func updateWikiPage(c *call, page *WikiPage) *reply {
	if refusal := c.changesNothing("title", "content", "format", "front_matter"); refusal != nil {
		return refusal
	}
	edited := *page
	if c.Has("title") {
		c.Require("title")
		edited.slug = wikiSlug(c.String("title"))
		if folder := strings.LastIndex(page.slug, "/"); folder >= 0 && !strings.Contains(edited.slug, "/") {
			edited.slug = page.slug[:folder+1] + edited.slug
		}
	}
	edited.wikiText = c.wikiText(page.wikiText)
	if refusal := c.wikiProblem(&edited, page); refusal != nil {
		return refusal
	}
	edited.author = c.user
	*page = edited
	page.wiki().commit(page)
	return c.OK(page.json(page.slug, page.wikiText, true))
}

func deleteWikiPage(c *call, page *WikiPage) *reply {
	w := page.wiki()
	w.pages = slices.DeleteFunc(w.pages, func(other *WikiPage) bool { return other == page })
	page.author = c.user
	w.commit(page)
	return c.NoContent()
}

// createWikiAttachment adds a file to the repository of a wiki.
func createWikiAttachment(c *call, home wikiHome) *reply {
	file, branch := c.RequiredFile("file"), either(c.String("branch"), wikiBranch)
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	w, name := home.wiki(), unusual.ReplaceAllString(path.Base(file.Name), "_")
	w.attached++
	address := "uploads/" + frame.SHA("attachment", home.fullPath(), frame.Itoa(w.attached))[:32] + "/" + name
	mark := ""
	if slices.Contains(shownInTexts, strings.ToLower(path.Ext(name))) {
		mark = "!"
	}
	return c.Created(object{
		"file_name": name, "file_path": address, "branch": branch,
		"link": object{"url": address, "markdown": mark + "[" + name + "](" + address + ")"},
	})
}

// wikiPageByID returns the page whose notes the path means.
func (c *call) wikiPageByID() (*WikiPage, *reply) {
	home, refusal := c.wikiHome()
	if refusal != nil {
		return nil, refusal
	}
	pages := home.wiki().pages
	at := slices.IndexFunc(pages, func(page *WikiPage) bool { return page.id == c.PathInt64("wiki_page_meta_id") })
	if at < 0 {
		return nil, frame.NotFound("Wiki Page")
	}
	c.found(pages[at])
	return pages[at], nil
}

// lookAtWikiPage reports a page that was made or changed.
func (w *hookWatch) lookAtWikiPage(page *WikiPage) {
	switch before, known := w.saw(page, page.version); {
	case !known:
		w.tellWikiPage(page, "create")
	case before != page.version:
		w.tellWikiPage(page, "update")
	}
}

func (w *hookWatch) tellWikiPage(page *WikiPage, action string) {
	if page.project == nil {
		return
	}
	w.tell(hookEvent{header: "Wiki Page Hook", on: "wiki_page_events", project: page.project,
		body: func() object { return page.pageBody(page.author, action) }})
}

// pageBody returns the event about a page.
func (w *WikiPage) pageBody(by *User, action string) object {
	p := w.project
	url, title := p.webURL("-/wikis", w.slug), w.shownTitle(w.slug)
	repository := p.fullPath() + ".wiki"
	return object{
		"object_kind": "wiki_page", "user": by.hookUser(), "project": p.hookProject(true),
		"wiki": object{
			"web_url": p.webURL("-/wikis/home"), "git_ssh_url": p.svc.sshURL(repository + ".git"),
			"git_http_url": p.svc.webURL(repository + ".git"), "path_with_namespace": repository,
			"default_branch": wikiBranch,
		},
		"object_attributes": object{
			"title": title, "content": w.content, "format": w.format, "slug": w.slug, "url": url, "action": action,
			"message":  action + " page: " + title,
			"diff_url": url + "/diff?version_id=" + w.version, "version_id": w.version,
		},
	}
}
