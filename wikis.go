package serviceapi

import (
	"context"
	"iter"
	"net/http"
)

// WikisService manages the pages of a wiki. Its owner is a [ProjectRef], or a [GroupRef], which
// is premium. A page has a slug, which the service derives from its title: "guides/Set up"
// becomes "guides/Set-up". Pages of a public wiki can be read without a credential.
// [NotesService] has the notes on a page.
//
// Its options are [CreateWikiAttachmentOptions], [CreateWikiPageOptions], [GetWikiPageOptions],
// [ListWikiPagesOptions] and [UpdateWikiPageOptions]. See the example of [WikisService.Update].
type WikisService service

// WikiOwner is an owner of a wiki: a [ProjectRef] or a [GroupRef].
type WikiOwner interface{ hasWiki() }

func (ProjectRef) hasWiki() {}
func (GroupRef) hasWiki()   {}

// oneWikiPage is the path of a page below its owner.
const oneWikiPage = "/wikis/:slug"

// List returns the pages of a wiki. The service sends all of them at once, so
// Page and PerPage of the options have no effect.
//
//	GET /projects/:id/wikis
//	GET /groups/:id/wikis
func (s *WikisService) List(
	ctx context.Context, owner WikiOwner, options *ListWikiPagesOptions, opts ...RequestOption,
) ([]*WikiPage, *Response, error) {
	return list[*WikiPage](ctx, using(s), below(owner, "/wikis"), queryFor(owner, options), opts)
}

// All returns every page of a wiki.
//
//	GET /projects/:id/wikis
//	GET /groups/:id/wikis
func (s *WikisService) All(
	ctx context.Context, owner WikiOwner, options *ListWikiPagesOptions, opts ...RequestOption,
) iter.Seq2[*WikiPage, error] {
	return all[*WikiPage](ctx, using(s), below(owner, "/wikis"), queryFor(owner, options), opts)
}

// Get returns one page of a wiki, identified by its slug, such as "guides/Set-up".
//
//	GET /projects/:id/wikis/:slug
//	GET /groups/:id/wikis/:slug
func (s *WikisService) Get(
	ctx context.Context, owner WikiOwner, slug string, options *GetWikiPageOptions, opts ...RequestOption,
) (*WikiPage, *Response, error) {
	return do[WikiPage](ctx, using(s), http.MethodGet, below(owner, oneWikiPage, slug), queryFor(owner, options), opts)
}

// Create adds a page to a wiki; the first page creates the wiki. It requires the Developer
// role. The call returns [ErrBadRequest] if a page already has that title, or if the title
// is longer than 245 bytes.
//
//	POST /projects/:id/wikis
//	POST /groups/:id/wikis
func (s *WikisService) Create(
	ctx context.Context, owner WikiOwner, options CreateWikiPageOptions, opts ...RequestOption,
) (*WikiPage, *Response, error) {
	return do[WikiPage](ctx, using(s), http.MethodPost, below(owner, "/wikis"), jsonFor(owner, options), opts)
}

// Update changes a page of a wiki. It requires the Developer role. A new title changes the
// slug of the page: the result has the new slug, and the old one no longer works.
// Therefore, the call is not repeated after an error if the change may have happened.
//
//	PUT /projects/:id/wikis/:slug
//	PUT /groups/:id/wikis/:slug
func (s *WikisService) Update(
	ctx context.Context, owner WikiOwner, slug string, options UpdateWikiPageOptions, opts ...RequestOption,
) (*WikiPage, *Response, error) {
	return do[WikiPage](ctx, using(s), http.MethodPut,
		below(owner, oneWikiPage, slug).notRepeatable(), jsonFor(owner, options), opts)
}

// Delete deletes a page of a wiki. It requires the Maintainer role.
//
//	DELETE /projects/:id/wikis/:slug
//	DELETE /groups/:id/wikis/:slug
func (s *WikisService) Delete(
	ctx context.Context, owner WikiOwner, slug string, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, below(owner, oneWikiPage, slug), nil, opts)
}

// CreateAttachment adds a file to the repository of a wiki, for links in its pages. It requires
// the Developer role.
//
//	POST /projects/:id/wikis/attachments
//	POST /groups/:id/wikis/attachments
func (s *WikisService) CreateAttachment(
	ctx context.Context, owner WikiOwner, options CreateWikiAttachmentOptions, opts ...RequestOption,
) (*WikiAttachment, *Response, error) {
	return do[WikiAttachment](ctx, using(s), http.MethodPost,
		below(owner, "/wikis/attachments"), multipartOf(options, "file", options.File), opts)
}

// WikiPage is a page of a wiki.
type WikiPage struct {
	Format WikiFormat `json:"format"`
	// Slug identifies the page in its wiki. It includes the directories.
	Slug string `json:"slug"`
	// Title is the last part of the slug in a readable form.
	Title string `json:"title"`
	// Content is the text of the page, or HTML with [GetWikiPageOptions.RenderHTML].
	// Lists set it, Encoding and FrontMatter only with
	// [ListWikiPagesOptions.WithContent].
	Content string `json:"content"`
	// Encoding is the encoding of the text, such as "UTF-8".
	Encoding string `json:"encoding"`
	// FrontMatter has the settings above the text, nil in older releases.
	FrontMatter *WikiFrontMatter `json:"front_matter"`
	// WikiPageMetaID is the ID of the page in the whole instance, nil in older releases. It stays
	// the same if the page is renamed, and identifies the page for [ProjectRef.WikiPage].
	WikiPageMetaID *int64 `json:"wiki_page_meta_id"`
}

// WikiFrontMatter is the front matter of a page: the settings above its text.
type WikiFrontMatter struct {
	// Title is shown instead of the title that is derived from the slug, empty if there is
	// none.
	Title string `json:"title"`
}

// WikiFormat is the markup language of a page.
type WikiFormat string

// Formats of pages.
const (
	WikiFormatMarkdown WikiFormat = "markdown"
	WikiFormatRDoc     WikiFormat = "rdoc"
	WikiFormatAsciiDoc WikiFormat = "asciidoc"
	WikiFormatOrg      WikiFormat = "org"
)

// ListWikiPagesOptions selects optional fields of pages.
type ListWikiPagesOptions struct {
	ListOptions
	// WithContent also returns the text of each page.
	WithContent bool `url:"with_content,omitempty"`
}

// GetWikiPageOptions selects the version and the format of a page.
type GetWikiPageOptions struct {
	// Version is the hash of a commit of the wiki. Empty means the newest one.
	Version string `url:"version,omitempty"`
	// RenderHTML returns the text as HTML.
	RenderHTML bool `url:"render_html,omitempty"`
}

// CreateWikiPageOptions describes a new page. Title is required, and Content may be empty.
type CreateWikiPageOptions struct {
	// Title is the title, which may have directories before it: "guides/Set up".
	Title   string `json:"title" required:"true"`
	Content string `json:"content"`
	// Format is WikiFormatMarkdown if it is nil.
	Format *WikiFormat `json:"format,omitzero"`
	// FrontMatter is supported only by later releases.
	FrontMatter *WikiFrontMatter `json:"front_matter,omitzero"`
}

// UpdateWikiPageOptions changes a page. Format is required: without it, the service
// would turn the page into Markdown. Nil fields are left unchanged.
type UpdateWikiPageOptions struct {
	// Format is the markup language of the page after the change.
	Format WikiFormat `json:"format" required:"true"`
	// Title renames the page. With directories before it, it also moves the page there.
	Title   *string `json:"title,omitzero"`
	Content *string `json:"content,omitzero"`
	// FrontMatter is supported only by later releases.
	FrontMatter *WikiFrontMatter `json:"front_matter,omitzero"`
}

// CreateWikiAttachmentOptions describes a file. File is required.
type CreateWikiAttachmentOptions struct {
	File Upload `json:"-" url:"file" required:"true"`
	// Branch of the wiki's repository gets the file. Nil means its default branch.
	Branch *string `json:"branch,omitzero"`
}

// WikiAttachment is a file in the repository of a wiki.
type WikiAttachment struct {
	FileName string `json:"file_name"`
	// FilePath is the path in the repository, "uploads/" with 32 digits and the name.
	FilePath string `json:"file_path"`
	Branch   string `json:"branch"`
	// Link is how pages refer to the file.
	Link *WikiAttachmentLink `json:"link"`
}

// WikiAttachmentLink is a link to a file in a wiki.
type WikiAttachmentLink struct {
	URL string `json:"url"`
	// Markdown shows a picture, and links to other files.
	Markdown string `json:"markdown"`
}
