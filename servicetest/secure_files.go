package servicetest

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"
)

const (
	maxSecureFiles    = 100     // in a project
	maxSecureFileSize = 5 << 20 // every file is smaller
)

// A SecureFile is a file of a project that jobs need and the repository does
// not hold. Make one with Project.SecureFile.
type SecureFile struct {
	svc       *Service
	project   *Project
	id        int64
	name      string
	checksum  string
	content   *content
	createdAt time.Time
}

// secureFileState keeps the secure files of a service.
type secureFileState struct{ files table[*SecureFile] }

// A SecureFileOption sets a property of a secure file: CreatedAt and ID are
// SecureFileOptions.
type SecureFileOption interface{ applySecureFile(f *SecureFile) }

func (o IDOption) applySecureFile(f *SecureFile)        { f.id = int64(o) }
func (o CreatedAtOption) applySecureFile(f *SecureFile) { f.createdAt = time.Time(o) }

// SecureFile makes a secure file of the project.
func (p *Project) SecureFile(name, content string, opts ...SecureFileOption) *SecureFile {
	defer p.svc.lock()()
	if p.secureFileNamed(name) != nil {
		p.svc.fail("a secure file %q exists already in %q", name, p.fullPath())
	}
	f := p.newSecureFile(name, []byte(content))
	for _, opt := range opts {
		opt.applySecureFile(f)
	}
	f.store()
	return f
}

// SecureFiles returns the project's secure files, oldest first.
func (p *Project) SecureFiles() []*SecureFile {
	defer p.svc.lock()()
	return p.secureFiles()
}

// ID returns the file's id.
func (f *SecureFile) ID() int64 { return f.id }

// Name returns the file's name.
func (f *SecureFile) Name() string { return f.name }

// Content returns what a download of the file gives.
func (f *SecureFile) Content() string {
	defer f.svc.lock()()
	return string(f.content.text)
}

// Corrupt replaces the content of the file but not its checksum, as a broken
// disk would.
func (f *SecureFile) Corrupt(content string) {
	defer f.svc.lock()()
	f.content = textContent([]byte(content), f.createdAt)
}

func (p *Project) newSecureFile(name string, text []byte) *SecureFile {
	now := p.svc.now()
	return &SecureFile{
		svc: p.svc, project: p, name: name, createdAt: now,
		checksum: sha256Hex(string(text)), content: textContent(text, now),
	}
}

// store gives the file its id.
func (f *SecureFile) store() {
	seed(f.svc, &state[secureFileState](f.svc).files, &f.id, f, "a secure file")
}

func (p *Project) secureFiles() []*SecureFile {
	return state[secureFileState](p.svc).files.all(func(f *SecureFile) bool { return f.project == p })
}

func (p *Project) secureFileNamed(name string) *SecureFile {
	for _, f := range p.secureFiles() {
		if f.name == name {
			return f
		}
	}
	return nil
}

type secureFileForm struct {
	ID                int64    `json:"id"`
	Name              string   `json:"name"`
	Checksum          string   `json:"checksum"`
	ChecksumAlgorithm string   `json:"checksum_algorithm"`
	CreatedAt         jsonTime `json:"created_at"`
}

func (f *SecureFile) form() secureFileForm {
	return secureFileForm{f.id, f.name, f.checksum, "sha256", jsonTime(f.createdAt)}
}

// secureProject returns the project of the path: Developers read secure files,
// Maintainers change them. Without the feature there is no such path.
func (c *call) secureProject() (*Project, *reply) {
	if !c.svc.feature("ci_secure_files") {
		return nil, notFound("")
	}
	return c.project()
}

func (c *call) secureFile() (*SecureFile, *reply) {
	project, refusal := c.secureProject()
	if refusal != nil {
		return nil, refusal
	}
	f, ok := state[secureFileState](c.svc).files.get(c.pathID("id"))
	if !ok || f.project != project {
		return nil, notFound("")
	}
	return f, nil
}

func listSecureFiles(c *call) *reply {
	project, refusal := c.secureProject()
	if refusal != nil {
		return refusal
	}
	return listOf(c, project.secureFiles(), (*SecureFile).form)
}

func getSecureFile(c *call) *reply {
	f, refusal := c.secureFile()
	if refusal != nil {
		return refusal
	}
	return c.ok(f.form())
}

func createSecureFile(c *call) *reply {
	project, refusal := c.secureProject()
	if refusal != nil {
		return refusal
	}
	name, file := c.required("name"), c.fileNamed("file")
	if refusal := c.refusal(); refusal != nil {
		return refusal
	}
	switch {
	case file.size >= maxSecureFileSize:
		return fieldErrors("file", "must be smaller than 5 MB")
	case project.secureFileNamed(name) != nil:
		return fieldErrors("name", "has already been taken")
	case len(project.secureFiles()) >= maxSecureFiles:
		return fieldErrors("base", "Maximum number of secure files (100) exceeded")
	}
	f := project.newSecureFile(name, file.content)
	f.store()
	return c.created(f.form())
}

func downloadSecureFile(c *call) *reply {
	f, refusal := c.secureFile()
	if refusal != nil {
		return refusal
	}
	return f.content.reply(c, f.name, "application/octet-stream")
}

func deleteSecureFile(c *call) *reply {
	f, refusal := c.secureFile()
	if refusal != nil {
		return refusal
	}
	if refusal := c.unchanged(f.createdAt); refusal != nil {
		return refusal
	}
	state[secureFileState](c.svc).files.remove(f.id)
	return c.noContent()
}

// sha256Hex returns the checksum of texts.
func sha256Hex(texts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(texts, "\x00")))
	return hex.EncodeToString(sum[:])
}
