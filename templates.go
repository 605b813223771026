package serviceapi

import (
	"context"
	"iter"
	"net/http"
)

// TemplatesService reads templates of files: those that come with the service, of [Instance],
// and those that a project can use, which are its own, its group's and the instance's. They
// need no credential, unless the project is not public. A template has a key, which can have
// slashes, such as "Jobs/Build":
//
//	client.Templates.Get(ctx, serviceapi.Instance,
//		serviceapi.TemplateKindGitignores, "Go", nil)
//
// Its options are [GetLicenseTemplateOptions], [GetTemplateOptions],
// [ListLicenseTemplatesOptions] and [ListOptions]. See the example of
// [TemplatesService.GetLicense].
type TemplatesService service

// TemplateOwner is an owner of templates: [Instance] or a [ProjectRef].
type TemplateOwner interface{ hasTemplates() }

func (InstanceOwner) hasTemplates() {}
func (ProjectRef) hasTemplates()    {}

// TemplateKind is a kind of templates.
type TemplateKind string

// Kinds of templates. Only projects have those of issues and merge requests: they are the
// files in a directory of the default branch. What TemplateKindServiceCIYMLs is called depends
// on the vendor of the instance.
const (
	TemplateKindDockerfiles   TemplateKind = "dockerfiles"
	TemplateKindGitignores    TemplateKind = "gitignores"
	TemplateKindServiceCIYMLs TemplateKind = "service_ci_ymls"
	TemplateKindLicenses      TemplateKind = "licenses"
	TemplateKindIssues        TemplateKind = "issues"
	TemplateKindMergeRequests TemplateKind = "merge_requests"
)

// templatesOf returns the endpoint with a suffix below the templates of a kind.
func templatesOf(owner TemplateOwner, kind TemplateKind, suffix string, key ...any) Endpoint {
	switch kind {
	case TemplateKindDockerfiles, TemplateKindGitignores, TemplateKindServiceCIYMLs, TemplateKindLicenses:
		if owner == Instance {
			return Route("/templates/"+string(kind)+suffix, key...)
		}
	}
	return below(owner, "/templates/:type"+suffix, append([]any{string(kind)}, key...)...)
}

// List returns one page of the keys and names of templates. [ErrForbidden] means that the
// caller may not read the code of the project.
//
//	GET /templates/dockerfiles
//	GET /templates/gitignores
//	GET /templates/service_ci_ymls
//	GET /projects/:id/templates/:type
func (s *TemplatesService) List(
	ctx context.Context, owner TemplateOwner, kind TemplateKind, options *ListOptions, opts ...RequestOption,
) ([]*TemplateEntry, *Response, error) {
	return list[*TemplateEntry](ctx, using(s), templatesOf(owner, kind, ""), queryOf(options), opts)
}

// All returns the keys and names of all templates. See [TemplatesService.List].
//
//	GET /templates/dockerfiles
//	GET /templates/gitignores
//	GET /templates/service_ci_ymls
//	GET /projects/:id/templates/:type
func (s *TemplatesService) All(
	ctx context.Context, owner TemplateOwner, kind TemplateKind, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*TemplateEntry, error] {
	return all[*TemplateEntry](ctx, using(s), templatesOf(owner, kind, ""), queryOf(options), opts)
}

// Get returns a template. For more of a license, see [TemplatesService.GetLicense]. The
// instance finds only keys of letters, digits, ".", "_" and "-": others need a project.
//
//	GET /templates/dockerfiles/:name
//	GET /templates/gitignores/:name
//	GET /templates/service_ci_ymls/:name
//	GET /projects/:id/templates/:type/:name
func (s *TemplatesService) Get(
	ctx context.Context, owner TemplateOwner, kind TemplateKind, key string, options *GetTemplateOptions,
	opts ...RequestOption,
) (*Template, *Response, error) {
	return do[Template](ctx, using(s), http.MethodGet,
		templatesOf(owner, kind, "/:name", key), queryFor(owner, options), opts)
}

// ListLicenses returns one page of the licenses that come with the service.
//
//	GET /templates/licenses
func (s *TemplatesService) ListLicenses(
	ctx context.Context, options *ListLicenseTemplatesOptions, opts ...RequestOption,
) ([]*LicenseTemplate, *Response, error) {
	return list[*LicenseTemplate](ctx, using(s), Route("/templates/licenses"), queryOf(options), opts)
}

// AllLicenses returns every license that comes with the service.
//
//	GET /templates/licenses
func (s *TemplatesService) AllLicenses(
	ctx context.Context, options *ListLicenseTemplatesOptions, opts ...RequestOption,
) iter.Seq2[*LicenseTemplate, error] {
	return all[*LicenseTemplate](ctx, using(s), Route("/templates/licenses"), queryOf(options), opts)
}

// GetLicense returns a license, such as "mit", with the year and what the options say in it.
//
//	GET /templates/licenses/:name
//	GET /projects/:id/templates/:type/:name
func (s *TemplatesService) GetLicense(
	ctx context.Context, owner TemplateOwner, key string, options *GetLicenseTemplateOptions, opts ...RequestOption,
) (*LicenseTemplate, *Response, error) {
	return do[LicenseTemplate](ctx, using(s), http.MethodGet,
		templatesOf(owner, TemplateKindLicenses, "/:name", key), queryFor(owner, options), opts)
}

// TemplateEntry is a template in a list.
type TemplateEntry struct {
	Key string `json:"key"`
	// Name is the key, unless the template is a license.
	Name string `json:"name"`
}

// Template is the template of a file.
type Template struct {
	Name    string `json:"name"`
	Content string `json:"content"`
}

// LicenseTemplate is a license. Its SourceURL is empty since 17.x.
type LicenseTemplate struct {
	ProjectLicense

	// Popular reports whether many projects have the license.
	Popular     bool   `json:"popular"`
	Description string `json:"description"`
	// Conditions, Permissions and Limitations are keywords, such as "include-copyright".
	Conditions  []string `json:"conditions"`
	Permissions []string `json:"permissions"`
	Limitations []string `json:"limitations"`
	Content     string   `json:"content"`
}

// GetTemplateOptions says where to look for a template.
type GetTemplateOptions struct {
	// SourceTemplateProjectID is the ID of the project that has the template, for templates of
	// the same key. Only for a ProjectRef.
	SourceTemplateProjectID int64 `url:"source_template_project_id,omitempty" only:"project"`
}

// ListLicenseTemplatesOptions selects licenses.
type ListLicenseTemplatesOptions struct {
	ListOptions
	// Popular selects only popular licenses.
	Popular bool `url:"popular,omitempty"`
}

// GetLicenseTemplateOptions says what a license contains.
type GetLicenseTemplateOptions struct {
	// Project is the name of the licensed project.
	Project string `url:"project,omitempty"`
	// Fullname is the name of the owner of the copyright. Empty means the caller.
	Fullname string `url:"fullname,omitempty"`
	// SourceTemplateProjectID is as in [GetTemplateOptions]. Only for a ProjectRef.
	SourceTemplateProjectID int64 `url:"source_template_project_id,omitempty" only:"project"`
}

// MarkdownService renders texts in Markdown as the pages of the service show them.
//
// Its options are [RenderMarkdownOptions]. See the example of [MarkdownService.Render].
type MarkdownService service

// Render returns a text in Markdown as HTML. [ErrNotFound] means that there is no such project.
//
//	POST /markdown
func (s *MarkdownService) Render(
	ctx context.Context, options RenderMarkdownOptions, opts ...RequestOption,
) (*RenderedMarkdown, *Response, error) {
	return do[RenderedMarkdown](ctx, using(s), http.MethodPost, Route("/markdown"), jsonOf(options), opts)
}

// RenderMarkdownOptions is a text to render. Text is required.
type RenderMarkdownOptions struct {
	Text string `json:"text" required:"true"`
	// GFM renders references, such as #1 and @ada, tasks and what else the service adds to
	// Markdown. Nil means false.
	GFM *bool `json:"gfm,omitzero"`
	// Project is where references begin. The API accepts only a path, so an ID is refused.
	Project ProjectRef `json:"project,omitzero"`
}

func (o RenderMarkdownOptions) check() error {
	if o.Project.kind == byID {
		return badArgument("Project", "must be a path: the API has no IDs here")
	}
	return nil
}

// RenderedMarkdown is a text as HTML.
type RenderedMarkdown struct {
	HTML string `json:"html"`
}
