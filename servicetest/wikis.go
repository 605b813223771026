package servicetest

import (
	"cmp"
	"fmt"
	"html"
	"maps"
	"slices"
	"strings"

	"example.com/serviceapi/servicetest/internal/frame"
	"example.com/serviceapi/servicetest/internal/gitrepo"
)

// wikiState keeps the wikis of projects.
type wikiState struct {
	wikis map[*Project]*wiki
	last  int64 // the number of the last page
}

// A wiki has pages and the history of their changes.
type wiki struct {
	pages   []*WikiPage
	commits []wikiCommit // oldest first
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

// A WikiPage is a page of a project's wiki. Make one with Project.WikiPage.
type WikiPage struct {
	project *Project
	id      int64
	slug    string
	wikiText
	author  *User  // who changed it last
	version string // the commit that changed it last
}

// WikiPage adds a page in Markdown to the wiki of the project, written by Root. The
// title may have directories before it.
func (p *Project) WikiPage(title, content string) *WikiPage {
	defer p.svc.lock()()
	page := &WikiPage{project: p, slug: wikiSlug(title), wikiText: wikiText{"", content, "markdown"},
		author: p.svc.admin}
	if p.wiki().page(page.slug) != nil {
		p.svc.fail("a page %s of the wiki of %s already exists", page.slug, p.fullPath())
	}
	p.wiki().add(page)
	return page
}

// Slug returns the slug, which identifies the page in its wiki.
func (w *WikiPage) Slug() string {
	defer w.project.svc.lock()()
	return w.slug
}

// Content returns the content of the page.
func (w *WikiPage) Content() string {
	defer w.project.svc.lock()()
	return w.content
}

// Version returns the hash of the commit that last changed the page.
func (w *WikiPage) Version() string {
	defer w.project.svc.lock()()
	return w.version
}

// wiki returns the wiki of the project.
func (p *Project) wiki() *wiki {
	all := state[wikiState](p.svc)
	if all.wikis == nil {
		all.wikis = make(map[*Project]*wiki)
	}
	if all.wikis[p] == nil {
		all.wikis[p] = new(wiki)
	}
	return all.wikis[p]
}

func wikiSlug(title string) string { return strings.ReplaceAll(strings.Trim(title, "/"), " ", "-") }

// page returns the page with a slug, or nil.
func (w *wiki) page(slug string) *WikiPage {
	for _, page := range w.pages {
		if page.slug == slug {
			return page
		}
	}
	return nil
}

func (w *wiki) add(page *WikiPage) {
	all := state[wikiState](page.project.svc)
	all.last++
	page.id = all.last
	w.pages = append(w.pages, page)
	w.commit(page)
}

// commit sorts the pages by slug, and records the state of the wiki after a change of a
// page.
func (w *wiki) commit(page *WikiPage) {
	slices.SortFunc(w.pages, func(a, b *WikiPage) int { return cmp.Compare(a.slug, b.slug) })
	c := wikiCommit{pages: make(map[string]wikiText, len(w.pages))}
	for _, other := range w.pages {
		c.pages[other.slug] = other.wikiText
	}
	c.sha = frame.SHA("wiki", page.project.fullPath(), frame.Itoa(int64(len(w.commits))), fmt.Sprint(c.pages))
	page.version = c.sha
	page.project.svc.touch(page)
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
func listWikiPages(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	withContent := c.Bool("with_content")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	forms := []object{}
	for _, page := range project.wiki().pages {
		forms = append(forms, page.json(page.slug, page.wikiText, withContent))
	}
	return c.OK(forms)
}

// wikiPage returns the page of the path.
func (c *call) wikiPage() (*WikiPage, *reply) {
	project, refusal := c.project()
	if refusal != nil {
		return nil, refusal
	}
	page := project.wiki().page(c.PathString("slug"))
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
		then, ok := page.project.wiki().at(version).pages[page.slug]
		if !ok {
			return frame.NotFound("Wiki Page")
		}
		text = then
	}
	if asHTML {
		text.content = "<p>" + html.EscapeString(text.content) + "</p>"
	}
	return c.OK(page.json(page.slug, text, true))
}

// wikiSuffixes has the suffixes of page files by format.
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

func createWikiPage(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	c.Require("title")
	c.RequireGiven("content")
	page := &WikiPage{project: project, author: c.user, slug: wikiSlug(c.String("title")),
		wikiText: c.wikiText(wikiText{})}
	if refusal := c.wikiProblem(page, nil); refusal != nil {
		return refusal
	}
	project.wiki().add(page)
	return c.Created(page.json(page.slug, page.wikiText, true))
}

// wikiText reads the parameters of a page, and keeps the rest of its text. The default
// format is Markdown.
func (c *call) wikiText(before wikiText) wikiText {
	if c.Has("content") {
		before.content = c.String("content")
	}
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
	if other := page.project.wiki().page(page.slug); other != nil && other != before {
		return frame.FieldErrors("base", "Duplicate page: A page with that title already exists in the file "+page.slug)
	}
	return nil
}

func updateWikiPage(c *call) *reply {
	page, refusal := c.wikiPage()
	if refusal != nil {
		return refusal
	}
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
	page.project.wiki().commit(page)
	return c.OK(page.json(page.slug, page.wikiText, true))
}

func deleteWikiPage(c *call) *reply {
	page, refusal := c.wikiPage()
	if refusal != nil {
		return refusal
	}
	w := page.project.wiki()
	w.pages = slices.DeleteFunc(w.pages, func(other *WikiPage) bool { return other == page })
	page.author = c.user
	w.commit(page)
	return c.NoContent()
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
