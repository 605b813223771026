package servicetest

import (
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
)

// These are how long an import stays in each of its states, by the service's
// clock.
const (
	ImportScheduledFor = 1 * time.Second
	ImportStartedFor   = 4 * time.Second
)

func importStatus(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
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
	file := c.FileNamed("file")
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
	file, problem := c.svc.getRemote(c.Str("url"))
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
	key := objectKey{c.Str("region"), c.Str("bucket_name"), c.Str("file_key")}
	credential := [2]string{c.Str("access_key_id"), c.Str("secret_access_key")}
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

// startImport makes the project, which the import fills later.
func (c *call) startImport(i *projectImport, remote bool) *reply {
	path := c.Str("path")
	overwrite := c.Bool("overwrite", false)
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
	project := c.svc.newProject(group, owner, path, []ProjectOption{Name(either(c.Str("name"), path)), EmptyRepository()})
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
	name := c.Str("namespace")
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

// namespaceOwner returns the user whose personal namespace has an ID or path.
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
	above := ""
	if owner != nil {
		above = owner.username
	} else {
		above = group.fullPath()
	}
	taken := c.svc.findProject(above + "/" + path)
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
	if all.of == nil {
		all.of = make(map[*Project]*projectImport)
	}
	all.started++
	i.status, i.kind, i.correlation = "scheduled", "project_export", fmt.Sprintf("import-%d", all.started)
	for _, opt := range all.next {
		opt(s, i)
	}
	all.next = nil
	all.of[p] = i
	s.after(ImportScheduledFor, func() { s.beginImport(p, i) })
}

func (s *Service) beginImport(p *Project, i *projectImport) {
	defer s.lock()()
	i.status = "started"
	s.after(ImportStartedFor, func() { s.finishImport(p, i) })
}

// finishImport reads the archive without the lock, because that takes long.
func (s *Service) finishImport(p *Project, i *projectImport) {
	unlock := s.lock()
	data, parser := i.archive, &state[imports](s).parser
	unlock()
	if data != nil {
		i.read, i.readErr = parser.parse(data, i.sha256)
	}
	defer s.lock()()
	err := i.fill(p)
	i.status, i.archive, i.read = "finished", nil, nil
	if err != nil {
		i.status, i.failure = "failed", err.Error()
	} else {
		p.protectDefault()
	}
	s.touch(&p.stamp)
}

// fill applies what was imported to the project.
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

// override sets the fields that the call gave, which take precedence over the
// archive. Fields that the embedded service does not have are ignored.
func (i *projectImport) override(p *Project) {
	for _, f := range []parameter[string]{
		{"name", &p.name}, {"description", &p.description}, {"visibility", &p.visibility},
		{"default_branch", &p.defaultBranch}, {"container_registry_access_level", &p.registry},
	} {
		if i.overrides.Has(f.name) {
			*f.into = i.overrides.Str(f.name)
		}
	}
	if i.overrides.Has("archived") {
		p.archived = i.overrides.Bool("archived", false)
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
		return []byte(http.StatusText(http.StatusBadGateway)) // no archive
	}
	return data
}
