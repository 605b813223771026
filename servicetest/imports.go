package servicetest

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
)

// How long an import stays in each of its states, by the service's clock.
const (
	ImportScheduledFor = 1 * time.Second
	ImportStartedFor   = 4 * time.Second
)

func importStatus(c *call, project *Project) *reply {
	i := state[imports](c.svc).of[project]
	if i == nil {
		i = &projectImport{status: "none"}
	}
	o := i.object(project)
	kind, failure := jsonText(i.kind), jsonText(i.failure)
	o.ImportType, o.ImportError, o.Stats = &kind, &failure, i.stats
	return c.OK(o)
}

func importFile(c *call) *reply {
	c.Require("path")
	file := c.RequiredFile("file")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if limit := state[imports](c.svc).maxSize; limit > 0 && file.Size > limit {
		return frame.Unprocessable("The archive is larger than the maximum import size")
	}
	return c.startImport(&projectImport{archive: file.Content, size: file.Size, sha256: file.SHA256}, false)
}

func importURL(c *call) *reply {
	if !c.svc.feature("import_project_from_remote_file") {
		return frame.NotFound("")
	}
	c.Require("url", "path")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	file, problem := c.svc.getRemote(c.String("url"))
	if problem != "" {
		return frame.BadRequest(problem)
	}
	return c.startImport(&projectImport{archive: file.read(), size: file.content.size}, true)
}

func importObject(c *call) *reply {
	if !c.svc.feature("import_project_from_remote_file_objstore") {
		return frame.NotFound("")
	}
	c.Require("path", "region", "bucket_name", "file_key", "access_key_id", "secret_access_key")
	key := objectKey{c.String("region"), c.String("bucket_name"), c.String("file_key")}
	credential := [2]string{c.String("access_key_id"), c.String("secret_access_key")}
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	i := &projectImport{}
	stored, ok := state[imports](c.svc).objects[key]
	switch {
	case !ok:
		i.refusal = "The object store has no such file"
	case stored.credential != credential:
		i.refusal = "The object store refused the access key"
	default:
		i.archive, i.size = stored.content, int64(len(stored.content))
	}
	return c.startImport(i, true)
}

var validProjectPath = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]*$`)

// startImport makes a project that the import fills later.
func (c *call) startImport(i *projectImport, remote bool) *reply {
	path := c.String("path")
	overwrite := c.Bool("overwrite")
	i.overrides = c.Sub("override_params")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if !validProjectPath.MatchString(path) {
		return frame.FieldErrors("path", "can contain only letters, digits, '_', '-' and '.'")
	}
	group, owner, refusal := c.namespace()
	if refusal != nil {
		return refusal
	}
	if refusal := c.makeRoom(group, owner, path, overwrite); refusal != nil {
		return refusal
	}
	project := c.svc.newProject(group, owner, path, []ProjectOption{Name(either(c.String("name"), path)),
		EmptyRepository()})
	project.creator = c.user
	if group != nil {
		c.svc.addMember(&project.members, c.user, Owner)
	}
	c.svc.schedule(project, i)
	o := i.object(project)
	if remote {
		o.ImportError = new(jsonText)
	}
	return c.Created(o)
}

// namespace returns the group or the user that a project is imported to. The
// default is the caller.
func (c *call) namespace() (*Group, *User, *reply) {
	name := c.String("namespace")
	if name == "" {
		return nil, c.user, nil
	}
	if owner := c.svc.namespaceOwner(name); owner != nil {
		if owner != c.user && !c.admin() {
			return nil, nil, frame.NotFound("Namespace")
		}
		return nil, owner, nil
	}
	group := c.svc.findGroup(name)
	if group == nil || !c.svc.canSeeGroup(c.user, group) {
		return nil, nil, frame.NotFound("Namespace")
	}
	if c.svc.groupLevel(c.user, group) < Maintainer {
		return nil, nil, frame.Forbidden("")
	}
	return group, nil, nil
}

// namespaceOwner returns the owner of the personal namespace with an ID or path.
func (s *Service) namespaceOwner(name string) *User {
	if id, err := strconv.ParseInt(name, 10, 64); err == nil {
		owner, _ := s.users.get(id - firstPersonalNamespace)
		return owner
	}
	return s.ownerOf(name)
}

// makeRoom refuses a path that is taken or, to overwrite, removes the project
// there.
func (c *call) makeRoom(group *Group, owner *User, path string, overwrite bool) *reply {
	taken := c.svc.findProject(namespace{group, owner}.form().FullPath + "/" + path)
	switch {
	case taken == nil:
		return nil
	case !overwrite:
		return frame.Conflict("Path has already been taken")
	case c.svc.projectLevel(c.user, taken) < Owner:
		return frame.Forbidden("")
	}
	c.svc.removeProject(taken)
	return nil
}

// schedule starts an import.
func (s *Service) schedule(p *Project, i *projectImport) {
	all := state[imports](s)
	all.started++
	i.status, i.kind, i.correlation = "scheduled", "project_export", fmt.Sprintf("import-%d", all.started)
	for _, opt := range all.next {
		opt(s, i)
	}
	all.next = nil
	put(&all.of, p, i)
	s.later(ImportScheduledFor, func() { s.beginImport(p, i) })
}

func (s *Service) beginImport(p *Project, i *projectImport) {
	if i.status == "canceled" {
		return
	}
	i.status = "started"
	s.after(ImportStartedFor, func() { s.finishImport(p, i) })
}

// finishImport reads the archive without the lock, because reading takes long.
func (s *Service) finishImport(p *Project, i *projectImport) {
	unlock := s.lock()
	data, parser := i.archive, &state[imports](s).parser
	unlock()
	if data != nil {
		i.read, i.readErr = parser.parse(data, i.sha256)
	}
	defer s.lock()()
	if i.status == "canceled" {
		return
	}
	err := i.fill(p)
	i.status, i.archive, i.read = "finished", nil, nil
	if err != nil {
		i.status, i.failure = "failed", err.Error()
	} else {
		p.protectDefault()
	}
	s.touch(p)
}

// fill applies the imported archive to the project.
func (i *projectImport) fill(p *Project) error {
	if i.refusal != "" {
		return fmt.Errorf("%s", i.refusal)
	}
	repository := p.repository()
	if i.fork != nil {
		i.copyFork(p)
		return nil
	}
	if i.archive == nil {
		repository.begin()
	} else if err := i.unpack(p, repository); err != nil {
		return fmt.Errorf("the archive cannot be read: %w", err)
	}
	i.override(p)
	if !slices.Contains(visibilities, p.visibility) { // nothing has checked it before
		p.visibility = "private"
	}
	return nil
}

func (i *projectImport) unpack(p *Project, r *repository) error {
	archive, err := i.read, i.readErr
	if err != nil {
		return err
	}
	from := archive.project
	p.description, p.archived = from.Description, from.Archived
	p.visibility = either(from.Visibility, p.visibility)
	p.defaultBranch = either(from.DefaultBranch, p.defaultBranch)
	p.registry = either(from.ContainerRegistryAccessLevel, p.registry)
	return archive.restore(r)
}

// override sets the fields in the call. They take precedence over the archive. Unknown
// fields are ignored.
func (i *projectImport) override(p *Project) {
	for _, f := range []parameter[string]{
		{"name", &p.name}, {"description", &p.description}, {"visibility", &p.visibility},
		{"default_branch", &p.defaultBranch}, {"container_registry_access_level", &p.registry},
	} {
		if i.overrides.Has(f.name) {
			*f.into = i.overrides.String(f.name)
		}
	}
	if i.overrides.Has("archived") {
		p.archived = i.overrides.Bool("archived")
	}
}

// read returns the content of a remote file, or nil if it is too large.
func (f remoteFile) read() []byte {
	if f.content.size > maxReadArchive {
		return nil
	}
	if f.content.text != nil {
		return f.content.text
	}
	data, err := io.ReadAll(io.NewSectionReader(f.content.source, 0, f.content.size))
	if err != nil {
		return []byte(http.StatusText(http.StatusBadGateway)) // not an archive
	}
	return data
}

// maxReadArchive is the maximum size of an archive that is read. A larger one has only
// a size and a checksum, and its project is empty.
const maxReadArchive = 8 << 20

const gzipType = "application/gzip"

// imports keeps the imports of a service.
type imports struct {
	of      map[*Project]*projectImport
	started int64 // so far
	failure int64 // ID of the last failure record
	maxSize int64 // of an uploaded archive; 0 means unlimited
	next    []ImportOption
	remote  map[string]remoteFile // by URL without query
	objects map[objectKey]storedObject
	parser  archiveParser
}

// A projectImport is the state of a project's import.
type projectImport struct {
	status      string
	kind        string
	correlation string
	failure     string // why it failed
	source      string // the repository of another product
	relations   []failedRelation
	stats       *importStats
	overrides   fields

	archive []byte // nil if it is too large to be read
	read    *parsedArchive
	readErr error
	size    int64
	sha256  string
	refusal string // the error that will make the import fail

	fork     *Project // the project to copy into a fork
	branches []string // to copy into a fork; none means all
}

type failedRelation struct {
	ID               int64    `json:"id"`
	CreatedAt        jsonTime `json:"created_at"`
	ExceptionClass   string   `json:"exception_class"`
	ExceptionMessage string   `json:"exception_message"`
	Source           string   `json:"source"`
	RelationName     string   `json:"relation_name"`
	LineNumber       int64    `json:"line_number"`
}

type importStats struct {
	Fetched  map[string]int `json:"fetched"`
	Imported map[string]int `json:"imported"`
}

// maxFailedRelations is the maximum number of failures in a status.
const maxFailedRelations = 100

type projectImportObject struct {
	*projectSummary

	ImportStatus    string           `json:"import_status"`
	ImportType      *jsonText        `json:"import_type,omitempty"`
	CorrelationID   jsonText         `json:"correlation_id"`
	ImportError     *jsonText        `json:"import_error,omitempty"`
	FailedRelations []failedRelation `json:"failed_relations"`
	Stats           *importStats     `json:"stats,omitempty"`
}

func (i *projectImport) object(p *Project) projectImportObject {
	relations := i.relations[:min(len(i.relations), maxFailedRelations)]
	return projectImportObject{
		projectSummary: p.summary(), ImportStatus: i.status, CorrelationID: jsonText(i.correlation),
		FailedRelations: append([]failedRelation{}, relations...),
	}
}

// maxRemoteArchive is the maximum size of an archive at a URL: 10 GB.
const maxRemoteArchive = 10 << 30

// A remoteFile is a file that the service can get from a URL.
type remoteFile struct {
	contentType string
	length      int64 // as announced; negative for none
	content     *content
}

type objectKey struct{ region, bucket, key string }

type storedObject struct {
	credential [2]string
	content    []byte
}

// A RemoteFileOption sets a property of a file at a URL.
type RemoteFileOption func(*remoteFile)

// RemoteContentType sets the Content-Type of a file at a URL. The default,
// application/gzip, is the only one that the service imports.
func RemoteContentType(mediaType string) RemoteFileOption {
	return func(f *remoteFile) { f.contentType = mediaType }
}

// RemoteContentLength sets the Content-Length of a file at a URL. A negative number
// means none. The service imports up to 10 GB.
func RemoteContentLength(bytes int64) RemoteFileOption {
	return func(f *remoteFile) { f.length = bytes }
}

// RemoteFile puts a file at a URL, from which projects can be imported:
//
//	svc.RemoteFile("https://store.example.com/app.tar.gz", app.ExportedArchive())
//
// The embedded service does not fetch anything. It knows only the files that RemoteFile, or
// an export with an upload, has put at a URL. The query of a URL, which may be a signature,
// is ignored.
func (s *Service) RemoteFile(address string, content []byte, opts ...RemoteFileOption) {
	defer s.lock()()
	file := remoteFile{contentType: gzipType, length: int64(len(content)), content: textContent(content, s.now())}
	for _, opt := range opts {
		opt(&file)
	}
	s.putRemote(address, file)
}

// FindRemoteFile returns the file at a URL, and whether there is one.
func (s *Service) FindRemoteFile(address string) ([]byte, bool) {
	defer s.lock()()
	file, ok := state[imports](s).remote[withoutQuery(address)]
	if !ok {
		return nil, false
	}
	return bytes.Clone(file.read()), true
}

func (s *Service) putRemote(address string, file remoteFile) {
	put(&state[imports](s).remote, withoutQuery(address), file)
}

// getRemote returns the file at a URL, or the reason why it cannot be imported.
func (s *Service) getRemote(address string) (file remoteFile, problem string) {
	if !isWebAddress(address) {
		return file, "The URL is not valid"
	}
	file, ok := state[imports](s).remote[withoutQuery(address)]
	switch {
	case !ok:
		return file, "The file behind the URL cannot be reached"
	case file.contentType != gzipType:
		return file, "Content type '" + file.contentType + "' not allowed. (Allowed: application/gzip)"
	case file.length <= 0:
		return file, "Content-Length is missing or not valid"
	case file.length > maxRemoteArchive:
		return file, "The file is larger than 10 GB"
	}
	return file, ""
}

func withoutQuery(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	u.RawQuery, u.Fragment = "", ""
	return u.String()
}

// StoredObject puts a file into an object store. Projects can be imported from there
// with the access key.
func (s *Service) StoredObject(region, bucket, key, accessKeyID, secretAccessKey string, content []byte) {
	defer s.lock()()
	stored := storedObject{[2]string{accessKeyID, secretAccessKey}, content}
	put(&state[imports](s).objects, objectKey{region, bucket, key}, stored)
}

// An ImportOption sets a property of an import.
type ImportOption func(*Service, *projectImport)

// ImportFails makes an import fail with a reason.
func ImportFails(reason string) ImportOption {
	return func(_ *Service, i *projectImport) { i.refusal = reason }
}

// LosesRelations makes an import lose count objects of a kind, for example
// "merge_requests". The status of the import shows at most 100 of them.
func LosesRelations(kind string, count int) ImportOption {
	return func(s *Service, i *projectImport) {
		all := state[imports](s)
		for n := range count {
			all.failure++
			i.relations = append(i.relations, failedRelation{
				ID: all.failure, CreatedAt: jsonTime(s.now()), ExceptionClass: "RuntimeError",
				ExceptionMessage: "A failure occurred", Source: "process_relation_item!", RelationName: kind,
				LineNumber: int64(n + 1),
			})
		}
	}
}

// ImportCounts makes an import come from an external source of a kind, for example
// "tracker". It sets the numbers of objects that were fetched and imported, by kind:
// diff_note, issue, label, note, pull_request, pull_request_merged_by,
// pull_request_review.
func ImportCounts(kind string, fetched, imported map[string]int) ImportOption {
	return func(_ *Service, i *projectImport) {
		i.kind, i.stats = kind, &importStats{maps.Clone(fetched), maps.Clone(imported)}
	}
}

// NextImport sets properties of the next import that is accepted.
func (s *Service) NextImport(opts ...ImportOption) {
	defer s.lock()()
	all := state[imports](s)
	all.next = append(all.next, opts...)
}

// SetMaxImportSize limits the size of uploaded archives, in bytes. 0, the
// default, means no limit.
func (s *Service) SetMaxImportSize(bytes int64) {
	defer s.lock()()
	state[imports](s).maxSize = bytes
}

// FindProject returns the project with a full path, or nil if there is none. It
// also finds projects that were imported.
func (s *Service) FindProject(path string) *Project {
	defer s.lock()()
	return s.findProject(path)
}

// An ImportRecord is what the service knows about an import.
type ImportRecord struct {
	Status string // none, scheduled, started, finished or failed
	Error  string // why it failed
	Size   int64  // of the archive, in bytes
	SHA256 string // of an uploaded archive, hexadecimal
}

// Import returns what the service knows about the project's import.
func (p *Project) Import() ImportRecord {
	defer p.svc.lock()()
	i := state[imports](p.svc).of[p]
	if i == nil {
		return ImportRecord{Status: "none"}
	}
	return ImportRecord{Status: i.status, Error: i.failure, Size: i.size, SHA256: i.sha256}
}

// Description returns the project's description.
func (p *Project) Description() string { return read(p.svc, &p.description) }
