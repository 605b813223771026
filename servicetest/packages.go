package servicetest

import (
	"cmp"
	"crypto/md5"
	"crypto/sha1"
	"encoding/hex"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// A Package is a version of a package. Make one with Project.Package.
type Package struct {
	svc     *Service
	project *Project

	id                          int64
	name, version, kind, status string
	createdAt, downloadedAt     time.Time
	files                       []*packageFile
	pipelines                   []*Pipeline
	tags                        []string
}

// A packageFile is a file of a package.
type packageFile struct {
	id              int64
	name            string
	content         *content // nil if it is too large to keep
	size            int64
	md5, sha1, sha2 string
	createdAt       time.Time
	pipeline        *Pipeline // nil if no job uploaded it
}

// packageState keeps the packages of a service.
type packageState struct {
	packages table[*Package]
	files    int64 // the last ID of a file
	single   map[*Project]bool
	limits   map[*Project]int64
}

var (
	packageTypes = []string{
		"composer", "conan", "generic", "golang", "helm", "maven", "npm", "nuget", "pypi", "terraform_module", "debian",
		"rubygems", "ml_model", "rpm",
	}
	packageStatuses = []string{"default", "hidden", "processing", "error", "pending_destruction", "deprecated"}
)

// packageHome returns the project or the group of the path. A project can turn packages
// off.
func (c *call) packageHome() (any, *reply) {
	home, refusal := c.tokenHome()
	if p, ok := home.(*Project); ok && refusal == nil && !p.hasPackages() {
		return nil, frame.Forbidden("")
	}
	return home, refusal
}

func (p *Project) hasPackages() bool {
	on, _ := p.preferences.value(projectPreferences, "packages_enabled").(bool)
	return on
}

var packages = collection.Table[*call, any, Package]{
	Param:   "package_id",
	ID:      func(p *Package) int64 { return p.id },
	Home:    (*call).packageHome,
	Records: (*call).listedPackages,
	Find: func(c *call, home any) (*Package, *reply) {
		p, _ := state[packageState](c.svc).packages.get(c.PathInt64("package_id"))
		if p == nil || p.project != home {
			return nil, frame.NotFound("Package")
		}
		return p, nil
	},
	Fields: []collection.Field[Package]{
		collection.Shown("id", func(p *Package) int64 { return p.id }),
		collection.Shown("name", func(p *Package) string { return p.name }),
		collection.Shown("version", func(p *Package) any { return jsonText(p.version) }),
		collection.Shown("package_type", func(p *Package) string { return p.kind }),
		collection.Shown("status", func(p *Package) string { return p.status }),
		collection.Moment("created_at", func(p *Package) *time.Time { return &p.createdAt }).ReadOnly(),
		collection.Moment("last_downloaded_at", func(p *Package) *time.Time { return &p.downloadedAt }).ReadOnly(),
		collection.Shown("tags", (*Package).shownTags),
		collection.Shown("pipeline", (*Package).lastPipeline).Omitted(),
		collection.Shown("pipelines", (*Package).shownPipelines).Omitted(),
	},
	Filters: []collection.Filter[Package]{
		collection.Equal("package_type", func(p *Package) string { return p.kind }, packageTypes...),
		collection.Search("package_name", func(p *Package) string { return p.name }),
		collection.Equal("package_version", func(p *Package) string { return p.version }),
		collection.Equal("status", func(p *Package) string { return p.status }, packageStatuses...),
	},
	Remove: func(c *call, _ any, p *Package) { state[packageState](c.svc).packages.remove(p.id) },
	Changed: func(p *Package) time.Time {
		if len(p.files) == 0 {
			return p.createdAt
		}
		return p.files[len(p.files)-1].createdAt
	},
	Extra: func(c *call, home any, p *Package, form *collection.Form) {
		paths := object{"web_path": "/" + p.project.fullPath() + "/-/packages/" + frame.Itoa(p.id)}
		if c.svc.projectLevel(c.user, p.project) >= Maintainer {
			paths["delete_api_path"] = "/api/v4/projects/" + frame.Itoa(p.project.id) + "/packages/" + frame.Itoa(p.id)
		}
		form.Add("_links", paths)
		if _, inGroup := home.(*Group); inGroup {
			form.Add("project_id", p.project.id)
			form.Add("project_path", p.project.fullPath())
		}
		if strings.HasSuffix(c.route.template, "/:package_id") {
			form.Add("versions", p.otherVersions())
		}
	},
}

// listedPackages returns the packages of a project or a group that a list shows, in its
// order.
func (c *call) listedPackages(home any) []*Package {
	by := c.StringIn("order_by", packageOrders(home)...)
	sort, any := c.StringIn("sort", "asc", "desc"), c.String("status") != ""
	versionless := c.Bool("include_versionless")
	group, _ := home.(*Group)
	direct := group != nil && c.Bool("exclude_subgroups")
	found := state[packageState](c.svc).packages.all(func(p *Package) bool {
		switch {
		case group != nil && (!p.project.within(group) || direct && p.project.group != group),
			group != nil && (!c.svc.canSeeProject(c.user, p.project) || !p.project.hasPackages()),
			group == nil && p.project != home, p.version == "" && !versionless:
			return false
		}
		return any || slices.Contains([]string{"default", "error", "deprecated"}, p.status)
	})
	slices.SortStableFunc(found, func(a, b *Package) int {
		order := map[string]int{
			"name": cmp.Compare(a.name, b.name), "version": compareVersions(a.version, b.version),
			"type":         cmp.Compare(a.kind, b.kind),
			"project_path": cmp.Compare(a.project.fullPath(), b.project.fullPath()),
			"created_at":   a.createdAt.Compare(b.createdAt), "": a.createdAt.Compare(b.createdAt),
		}[by]
		return cmp.Or(order, cmp.Compare(a.id, b.id))
	})
	if sort == "desc" {
		slices.Reverse(found)
	}
	return found
}

func packageOrders(home any) []string {
	orders := []string{"created_at", "name", "version", "type"}
	if _, ok := home.(*Group); ok {
		orders = append(orders, "project_path")
	}
	return orders
}

func getPackage(c *call) *reply {
	_, p, refusal := packages.One(c)
	if refusal == nil && !p.ready() {
		return frame.NotFound("Package")
	}
	return packages.Get(c)
}

func (p *Package) ready() bool { return p.status == "default" || p.status == "deprecated" }

func (p *Package) shownTags() any {
	tags := []object{}
	for i, name := range p.tags {
		tags = append(tags, object{
			"id": p.id*100 + int64(i), "package_id": p.id, "name": name,
			"created_at": jsonTime(p.createdAt), "updated_at": jsonTime(p.createdAt),
		})
	}
	return tags
}

func (p *Pipeline) packageForm() object {
	p.settle()
	return object{
		"id": p.id, "iid": p.iid, "project_id": p.project.id, "status": p.status, "ref": p.ref, "sha": shaOf(p.commit),
		"source": p.source, "web_url": p.project.webURL("-/pipelines", frame.Itoa(p.id)),
		"created_at": jsonTime(p.createdAt), "updated_at": jsonTime(p.updatedAt), "user": p.user.summary(),
	}
}

func (p *Package) lastPipeline() any {
	if len(p.pipelines) == 0 {
		return nil
	}
	return p.pipelines[len(p.pipelines)-1].packageForm()
}

func (p *Package) shownPipelines() any {
	if len(p.pipelines) == 0 {
		return nil
	}
	return mapped(p.pipelines, (*Pipeline).packageForm)
}

// otherVersions returns the other packages with the same name and type.
func (p *Package) otherVersions() []*collection.Form {
	others := only(p.project.packages(), func(other *Package) bool {
		return other != p && other.name == p.name && other.kind == p.kind
	})
	return mapped(others, func(other *Package) *collection.Form {
		form := new(collection.Form)
		form.Add("id", other.id)
		form.Add("version", other.version)
		form.Add("created_at", jsonTime(other.createdAt))
		form.Add("tags", other.shownTags())
		if len(other.pipelines) > 0 {
			form.Add("pipeline", other.lastPipeline())
			form.Add("pipelines", other.shownPipelines())
		}
		return form
	})
}

// listPackagePipelines uses only keyset pagination, without the usual parameters.
func listPackagePipelines(c *call, _ any, p *Package) *reply {
	frame.Accept(c.String, "pagination", "cursor")
	c.Values["order_by"], c.Values["sort"] = "id", "desc"
	pipelines := slices.Clone(p.pipelines)
	slices.SortFunc(pipelines, func(a, b *Pipeline) int { return cmp.Compare(a.id, b.id) })
	return frame.KeysetPage(c, frame.Keyset[*Pipeline]{
		OrderBy: "id", Sorts: []string{"desc"}, Param: "cursor", Items: pipelines,
		Key:  func(p *Pipeline) string { return frame.Itoa(1_000_000_000_000 + p.id) }, // as a string in the same order
		JSON: func(p *Pipeline) *encoded { return &encoded{Data: frame.Encode(p.packageForm())} },
	})
}

var packageFiles = collection.Table[*call, *Package, packageFile]{
	Param: "package_file_id",
	ID:    func(f *packageFile) int64 { return f.id },
	Home:  packages.Record,
	Records: func(c *call, p *Package) []*packageFile {
		by, sort := c.StringIn("order_by", "id", "created_at", "file_name"), c.StringIn("sort", "asc", "desc")
		files := slices.Clone(p.files)
		if by == "file_name" {
			slices.SortStableFunc(files, func(a, b *packageFile) int { return cmp.Compare(a.name, b.name) })
		}
		if sort == "desc" {
			slices.Reverse(files)
		}
		return files
	},
	Fields: []collection.Field[packageFile]{
		collection.Shown("id", func(f *packageFile) int64 { return f.id }),
		collection.Moment("created_at", func(f *packageFile) *time.Time { return &f.createdAt }).ReadOnly(),
		collection.Shown("file_name", func(f *packageFile) string { return f.name }),
		collection.Shown("size", func(f *packageFile) int64 { return f.size }),
		collection.Shown("file_md5", func(f *packageFile) any { return jsonText(f.md5) }),
		collection.Shown("file_sha1", func(f *packageFile) any { return jsonText(f.sha1) }),
		collection.Shown("file_sha256", func(f *packageFile) string { return f.sha2 }),
		collection.Shown("pipelines", func(f *packageFile) any {
			if f.pipeline == nil {
				return nil
			}
			return []object{f.pipeline.packageForm()}
		}).Omitted(),
	},
	Remove: func(_ *call, p *Package, f *packageFile) { p.files = without(p.files, f) },
	Extra:  func(_ *call, p *Package, _ *packageFile, form *collection.Form) { form.Add("package_id", p.id) },
}

func downloadPackageFile(c *call, home any) *reply {
	p, _ := state[packageState](c.svc).packages.get(c.PathInt64("package_id"))
	if p != nil && p.project == home && p.ready() {
		for _, f := range p.files {
			if f.id == c.PathInt64("package_file_id") && f.content != nil {
				return p.send(c, f)
			}
		}
	}
	return frame.NotFoundUnnamed()
}

// send sends a file of the package.
func (p *Package) send(c *call, f *packageFile) *reply {
	p.downloadedAt = c.now()
	return f.content.reply(c, lastElement(f.name), "application/octet-stream")
}

// serveModel reads or writes a file of the version of a model, which is a package of its own
// type. There are no runs: they come from another protocol.
func serveModel(c *call) *reply {
	home, refusal := c.packageHome()
	status := c.StringIn("status", "default", "hidden")
	if refusal = cmp.Or(refusal, c.Refusal()); refusal != nil {
		return refusal
	}
	id, _ := strconv.ParseInt(c.PathString("model_version_id"), 10, 64)
	all, name := state[packageState](c.svc), c.PathString("file_path")
	p, _ := all.packages.get(id)
	switch {
	case c.Request.Header.Get("Authorization") == "":
		return frame.Unauthorized()
	case p == nil || p.project != home || p.kind != "ml_model":
		return frame.NotFound("")
	case !modelFileIn.MatchString(name):
		c.Invalid("file_name")
	}
	if f := p.newest(name); !c.route.file && c.Refusal() == nil {
		if f == nil || f.content == nil {
			return frame.NotFound("")
		}
		return p.send(c, f)
	}
	file := c.RequiredFile("")
	switch limit := all.limits[p.project]; {
	case c.Refusal() != nil:
		return c.Refusal()
	case limit > 0 && file.Size > limit:
		return frame.BadRequest("Artifact file is too large")
	}
	p.status = either(status, p.status)
	p.add(name, file.Content, file.Size, file.SHA256)
	return frame.Message(http.StatusCreated, "201 Created")
}

var (
	modelFileIn    = regexp.MustCompile(`^([\w.+ -]+/)?[\w.+ -]+$`)
	packageName    = regexp.MustCompile(`^[\w.+~-]+$`)
	packageVersion = regexp.MustCompile(`^(\.?[\w+-]+\.?)+$`)
	packageFileIn  = regexp.MustCompile(`^([\w.+~-]+/)*[\w.+~-]+$`)
)

// genericFile returns the project of the path, and checks the names of the package and
// the file.
func (c *call) genericFile() (*Project, *reply) {
	home, refusal := c.packageHome()
	if refusal != nil {
		return nil, refusal
	}
	for name, valid := range map[string]*regexp.Regexp{
		"package_name": packageName, "package_version": packageVersion, "file_name": packageFileIn,
	} {
		if !valid.MatchString(c.PathString(name)) {
			c.Invalid(name)
		}
	}
	return home.(*Project), c.Refusal()
}

// generic returns the generic package of the path, or nil.
func (c *call) generic(project *Project) *Package {
	return one(project.packages(), func(p *Package) bool {
		isNamed := p.name == c.PathString("package_name") && p.version == c.PathString("package_version")
		return isNamed && p.kind == "generic" && p.status != "pending_destruction"
	})
}

// newest returns the file that a download by name gets, or nil.
func (p *Package) newest(name string) *packageFile {
	for _, f := range slices.Backward(p.files) {
		if f.name == name {
			return f
		}
	}
	return nil
}

func publishGeneric(c *call) *reply {
	status, selected := c.StringIn("status", "default", "hidden"), c.StringIn("select", "package_file")
	project, refusal := c.genericFile()
	if refusal != nil {
		return refusal
	}
	file, all, name := c.RequiredFile(""), state[packageState](c.svc), c.PathString("file_name")
	p := c.generic(project)
	switch limit := all.limits[project]; {
	case packageRuleKind.forbids(project, c.user, "generic", c.PathString("package_name"), toPush):
		return frame.Forbidden("Package protected.")
	case limit > 0 && file.Size > limit:
		return frame.BadRequest("File is too large")
	case p != nil && all.single[project] && p.newest(name) != nil:
		return frame.BadRequest("Duplicate package is not allowed")
	case p == nil:
		p = project.newPackage(c.PathString("package_name"), c.PathString("package_version"))
		p.store()
	}
	p.status = either(status, p.status)
	stored := p.add(name, file.Content, file.Size, file.SHA256)
	if job := c.job(); job != nil {
		stored.pipeline = job.pipeline
		if !slices.Contains(p.pipelines, job.pipeline) {
			p.pipelines = append(p.pipelines, job.pipeline)
		}
	}
	if selected == "" {
		return frame.Message(http.StatusCreated, "201 Created")
	}
	return c.OK(stored.uploaded(p))
}

// uploaded returns the response to an upload that asks for the file.
func (f *packageFile) uploaded(p *Package) object {
	return object{
		"id": f.id, "package_id": p.id, "file_name": f.name, "created_at": jsonTime(f.createdAt),
		"updated_at": jsonTime(f.createdAt), "size": f.size, "file_store": 1, "file_md5": jsonText(f.md5),
		"file_sha1": jsonText(f.sha1), "file_sha256": f.sha2, "status": p.status,
		"file":                  object{"url": p.project.webURL("-/package_files", frame.Itoa(f.id), "download")},
		"verification_retry_at": nil, "verified_at": nil, "verification_started_at": nil,
		"verification_retry_count": nil, "verification_state": 0, "verification_failure": nil,
		"verification_checksum": nil, "new_file_path": nil,
	}
}

func downloadGeneric(c *call, project *Project) *reply {
	p := c.generic(project)
	if p == nil {
		return frame.NotFound("Package")
	}
	f := p.newest(c.PathString("file_name"))
	if f == nil || f.content == nil {
		return frame.NotFound("")
	}
	answer := p.send(c, f)
	send := answer.Stream
	answer.Stream = func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Checksum-SHA256", f.sha2)
		send(w, r)
	}
	return answer
}

func (p *Project) packages() []*Package {
	return state[packageState](p.svc).packages.all(func(pkg *Package) bool { return pkg.project == p })
}

func (p *Project) newPackage(name, version string) *Package {
	return &Package{
		svc: p.svc, project: p, name: name, version: version, kind: "generic", status: "default",
		createdAt: p.svc.now(),
	}
}

func (p *Package) key() int64 { return p.id }

func (p *Package) store() { seed(p.svc, &state[packageState](p.svc).packages, &p.id, p, "a package") }

// add adds a file. text is nil if it is too large to keep.
func (p *Package) add(name string, text []byte, size int64, sum string) *packageFile {
	all := state[packageState](p.svc)
	all.files++
	f := &packageFile{id: all.files, name: name, size: size, sha2: sum, createdAt: p.svc.now()}
	if int64(len(text)) == size {
		f.content = textContent(text, f.createdAt)
		first, second := md5.Sum(text), sha1.Sum(text)
		f.md5, f.sha1 = hex.EncodeToString(first[:]), hex.EncodeToString(second[:])
	}
	p.files = append(p.files, f)
	return f
}

// A PackageOption sets a property of a package. CreatedAt and ID are PackageOptions.
type PackageOption interface{ applyPackage(p *Package) }

type packageOption func(*Package)

func (f packageOption) applyPackage(p *Package)   { f(p) }
func (o IDOption) applyPackage(p *Package)        { p.id = int64(o) }
func (o CreatedAtOption) applyPackage(p *Package) { p.createdAt = time.Time(o) }

// PackageType sets the type of a package, such as "npm". The default is generic.
func PackageType(kind string) PackageOption { return packageOption(func(p *Package) { p.kind = kind }) }

// PackageStatus sets the state of a package, such as "hidden".
func PackageStatus(status string) PackageOption {
	return packageOption(func(p *Package) { p.status = status })
}

// PackageTags sets the tags of a package.
func PackageTags(names ...string) PackageOption {
	return packageOption(func(p *Package) { p.tags = slices.Clone(names) })
}

// PublishedBy sets the pipelines that published a package.
func PublishedBy(pipelines ...*Pipeline) PackageOption {
	return packageOption(func(p *Package) { p.pipelines = pipelines })
}

// Package makes a package without files in the project.
func (p *Project) Package(name, version string, opts ...PackageOption) *Package {
	defer p.svc.lock()()
	made := p.newPackage(name, version)
	apply(made, opts, PackageOption.applyPackage)
	made.store()
	return made
}

// Packages returns the project's packages, oldest first.
func (p *Project) Packages() []*Package { return locked(p.svc, p.packages) }

// RefuseDuplicatePackages makes the project refuse a second file of the same name in a
// version of a generic package.
func (p *Project) RefuseDuplicatePackages() {
	defer p.svc.lock()()
	put(&state[packageState](p.svc).single, p, true)
}

// LimitPackageFiles makes the project refuse files above a size in bytes.
func (p *Project) LimitPackageFiles(bytes int64) {
	defer p.svc.lock()()
	put(&state[packageState](p.svc).limits, p, bytes)
}

// File adds a file to the package.
func (p *Package) File(name, content string) {
	defer p.svc.lock()()
	p.add(name, []byte(content), int64(len(content)), frame.SHA256Hex(content))
}

// Files returns the contents of the package's files by name. If several files have the
// same name, the newest counts.
func (p *Package) Files() map[string]string {
	defer p.svc.lock()()
	files := make(map[string]string)
	for _, f := range p.files {
		if f.content != nil {
			files[f.name] = string(f.content.text)
		}
	}
	return files
}

// Corrupt replaces the content of a file but not its checksum, as a broken disk would.
func (p *Package) Corrupt(name, content string) {
	defer p.svc.lock()()
	if f := p.newest(name); f != nil {
		f.content = textContent([]byte(content), f.createdAt)
	}
}

// ID returns the package's ID.
func (p *Package) ID() int64 { return p.id }

// Name returns the package's name.
func (p *Package) Name() string { return p.name }

// Version returns the package's version.
func (p *Package) Version() string { return p.version }

// Status returns the package's state.
func (p *Package) Status() string { return read(p.svc, &p.status) }
