package servicetest

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// A pagesDomain is a domain of the static site of a project.
type pagesDomain struct {
	project      *Project
	name         string
	autoSSL      bool
	certificate  string // PEM; empty if there is none
	key          string
	parsed       *x509.Certificate // the parsed certificate
	verified     bool
	enabledUntil time.Time
}

// A pagesDeployment is a published version of a static site.
type pagesDeployment struct {
	prefix    string
	createdAt time.Time
}

// projectPages has the static site of a project.
type projectPages struct {
	unique, https bool
	primary       string
	deployments   []pagesDeployment
}

// pagesState keeps the static sites and the domains of all projects.
type pagesState struct {
	of      map[*Project]*projectPages
	domains []*pagesDomain
}

var domainName = regexp.MustCompile(`^(?i:[a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+(?i:[a-z]{2,})$`)

var pagesDomains = collection.Table[*call, *Project, pagesDomain]{
	Name: "PagesDomain", Param: "domain", Key: func(d *pagesDomain) string { return d.name },
	Home: (*call).pagesProject,
	Records: func(c *call, p *Project) []*pagesDomain {
		return c.svc.pagesDomains(func(d *pagesDomain) bool { return d.project == p })
	},
	Fields: []collection.Field[pagesDomain]{
		collection.Text("domain", func(d *pagesDomain) *string { return &d.name }).Required().Once().
			Match(domainName, "is invalid"),
		collection.Shown("url", (*pagesDomain).url),
		collection.Shown("verified", func(d *pagesDomain) bool { return d.verified }),
		collection.Shown("verification_code", func(d *pagesDomain) string { return frame.SHA("pages", d.name)[:32] }),
		collection.Shown("enabled_until", func(d *pagesDomain) jsonTime { return jsonTime(d.enabledUntil) }),
		collection.Flag("auto_ssl_enabled", func(d *pagesDomain) *bool { return &d.autoSSL }),
	},
	New:   func(_ *call, p *Project) *pagesDomain { return &pagesDomain{project: p} },
	Read:  (*call).readPagesCertificate,
	Check: func(c *call, _ *Project, d, before *pagesDomain) *reply { return d.problem(c.svc, before) },
	Add:   func(c *call, _ *Project, d *pagesDomain) { c.svc.addPagesDomain(d) },
	Remove: func(c *call, _ *Project, d *pagesDomain) {
		all := state[pagesState](c.svc)
		all.domains = without(all.domains, d)
	},
	Extra: func(c *call, _ *Project, d *pagesDomain, form *collection.Form) {
		if d.parsed != nil {
			form.Add("certificate", object{
				"subject": d.parsed.Subject.String(), "expired": d.expired(c.now()), "certificate": d.certificate,
				"certificate_text": fmt.Sprintf("Certificate:\n    Subject: %s\n", d.parsed.Subject),
			})
		}
	},
}

// listPagesDomains lists the domains of all projects in a form of their own.
func listPagesDomains(c *call) *reply {
	wanted := c.String("domain")
	found := c.svc.pagesDomains(func(d *pagesDomain) bool { return wanted == "" || strings.EqualFold(d.name, wanted) })
	return frame.ListOf(c, found, func(d *pagesDomain) *collection.Form {
		form := collection.Show(pagesDomains.Fields, d)
		form.Add("project_id", d.project.id)
		if d.parsed != nil {
			form.Add("certificate_expiration", object{
				"expired": d.expired(c.now()), "expiration": jsonTime(d.parsed.NotAfter),
			})
		}
		return form
	})
}

// pagesProject returns the project of the path, if its pages are turned on.
func (c *call) pagesProject() (*Project, *reply) {
	p, refusal := c.project()
	if refusal == nil && !p.has("pages") {
		return nil, frame.NotFound("")
	}
	return p, refusal
}

// readPagesCertificate reads the certificate and its key, which may be strings or
// files.
func (c *call) readPagesCertificate(_ *Project, d *pagesDomain, _ bool) {
	for name, at := range map[string]*string{"certificate": &d.certificate, "key": &d.key} {
		if file := c.Files[name]; file != nil {
			*at = string(file.Content)
		} else if c.Has(name) {
			*at = c.String(name)
		}
	}
}

// problem refuses a domain that another project has, and a certificate that does not
// match its key.
func (d *pagesDomain) problem(svc *Service, before *pagesDomain) *reply {
	if len(svc.pagesDomains(func(o *pagesDomain) bool {
		return o != before &&
			strings.EqualFold(o.name, d.name)
	})) > 0 {
		return frame.FieldErrors("domain", "has already been taken")
	}
	d.parsed = nil
	switch {
	case d.certificate == "" && d.key == "":
		return nil
	case d.certificate == "":
		return frame.FieldErrors("certificate", "can't be blank")
	case d.key == "":
		return frame.FieldErrors("key", "can't be blank")
	}
	block, _ := pem.Decode([]byte(d.certificate))
	if block == nil {
		return frame.FieldErrors("certificate", "must be a valid PEM certificate")
	}
	parsed, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return frame.FieldErrors("certificate", "must be a valid PEM certificate")
	}
	if _, err := tls.X509KeyPair([]byte(d.certificate), []byte(d.key)); err != nil {
		return frame.FieldErrors("key", "doesn't match the certificate")
	}
	d.parsed = parsed
	return nil
}

func (d *pagesDomain) expired(now time.Time) bool { return d.parsed.NotAfter.Before(now) }

func (d *pagesDomain) url() string {
	if d.parsed != nil {
		return "https://" + d.name
	}
	return "http://" + d.name
}

// pagesDomains returns domains, sorted by name.
func (s *Service) pagesDomains(keep func(*pagesDomain) bool) []*pagesDomain {
	return slices.DeleteFunc(slices.Clone(state[pagesState](s).domains), func(d *pagesDomain) bool { return !keep(d) })
}

func (s *Service) addPagesDomain(d *pagesDomain) {
	all := state[pagesState](s)
	all.domains = append(all.domains, d)
	slices.SortStableFunc(all.domains, func(a, b *pagesDomain) int { return cmp.Compare(a.name, b.name) })
}

// pages returns the static site of the project.
func (p *Project) pages() *projectPages {
	return kept(&state[pagesState](p.svc).of, p)
}

func getPages(c *call, p *Project) *reply { return c.OK(p.pagesForm()) }

func updatePages(c *call, p *Project) *reply {
	if !c.admin() {
		return frame.Forbidden("")
	}
	after := *p.pages()
	after.unique = c.BoolOr("pages_unique_domain_enabled", after.unique)
	after.https = c.BoolOr("pages_https_only", after.https)
	given(c, "pages_primary_domain", c.String, &after.primary)
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	ours := c.svc.pagesDomains(func(d *pagesDomain) bool { return d.project == p && d.url() == after.primary })
	if c.String("pages_primary_domain") != "" && len(ours) == 0 {
		return frame.Message(http.StatusBadRequest, "The domain is not associated with the project.")
	}
	*p.pages() = after
	return c.OK(p.pagesForm())
}

// unpublishPages removes the published site, but keeps the domains.
func unpublishPages(c *call, p *Project) *reply {
	p.pages().deployments = nil
	return c.NoContent()
}

func (p *Project) pagesForm() object {
	pages, deployments := p.pages(), []object{}
	for _, d := range pages.deployments {
		deployments = append(deployments, object{
			"created_at": jsonTime(d.createdAt), "url": strings.TrimSuffix(p.pagesURL()+"/"+d.prefix, "/"),
			"path_prefix": jsonText(d.prefix), "root_directory": "public",
		})
	}
	return object{
		"url": p.pagesURL(), "is_unique_domain_enabled": pages.unique, "force_https": pages.https,
		"deployments": deployments, "primary_domain": jsonText(pages.primary),
	}
}

// pagesURL returns the address of the static site: a host of its own, or a path below
// the host of its namespace.
func (p *Project) pagesURL() string {
	scheme := "http://"
	if p.pages().https {
		scheme = "https://"
	}
	if p.pages().unique {
		return fmt.Sprintf("%s%s-%d.pages.example", scheme, p.path, p.id)
	}
	namespace, rest, _ := strings.Cut(p.fullPath(), "/")
	return scheme + namespace + ".pages.example/" + rest
}

// PublishPages publishes the static site of the project. If prefix is not empty, the
// site is below it.
func (p *Project) PublishPages(prefix string) {
	defer p.svc.lock()()
	pages := p.pages()
	pages.deployments = append(pages.deployments, pagesDeployment{prefix, p.svc.now()})
}

// PagesDomain gives the static site of the project a verified domain that stays enabled
// for another week.
func (p *Project) PagesDomain(name string) {
	defer p.svc.lock()()
	until := p.svc.now().Add(7 * 24 * time.Hour)
	p.svc.addPagesDomain(&pagesDomain{project: p, name: name, verified: true, enabledUntil: until})
}
