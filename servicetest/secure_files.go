package servicetest

import (
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

const (
	maxSecureFiles    = 100     // number in a project
	maxSecureFileSize = 5 << 20 // every file must be smaller
)

// A SecureFile is a file outside the repository that a project's jobs need. Make one
// with Project.SecureFile.
type SecureFile struct {
	svc       *Service
	project   *Project
	id        int64
	name      string
	checksum  string
	content   *content
	size      int64
	createdAt time.Time
}

// secureFileState keeps the secure files of a service.
type secureFileState struct{ files table[*SecureFile] }

var secureFiles = collection.Table[*call, *Project, SecureFile]{
	Param: "id",
	ID:    func(f *SecureFile) int64 { return f.id },
	Home: func(c *call) (*Project, *reply) {
		if !c.svc.feature("ci_secure_files") {
			return nil, frame.NotFound("") // without the feature flag, the path does not exist
		}
		return c.project()
	},
	Records: func(_ *call, p *Project) []*SecureFile { return p.secureFiles() },
	Fields: []collection.Field[SecureFile]{
		collection.Shown("id", func(f *SecureFile) int64 { return f.id }),
		collection.Text("name", func(f *SecureFile) *string { return &f.name }).Required(),
		collection.Shown("checksum", func(f *SecureFile) string { return f.checksum }),
		collection.Shown("checksum_algorithm", func(*SecureFile) string { return "sha256" }),
		collection.Moment("created_at", func(f *SecureFile) *time.Time { return &f.createdAt }).ReadOnly(),
	},
	New: func(_ *call, p *Project) *SecureFile { return p.newSecureFile("", nil) },
	Read: func(c *call, _ *Project, f *SecureFile, _ bool) {
		if file := c.RequiredFile("file"); file != nil {
			f.fill(file.Content, file.Size)
		}
	},
	Check: func(_ *call, p *Project, f, _ *SecureFile) *reply {
		switch {
		case f.size >= maxSecureFileSize:
			return frame.FieldErrors("file", "must be smaller than 5 MB")
		case p.secureFileNamed(f.name) != nil:
			return frame.FieldErrors("name", "has already been taken")
		case len(p.secureFiles()) >= maxSecureFiles:
			return frame.FieldErrors("base", "Maximum number of secure files (100) exceeded")
		}
		return nil
	},
	Add:     func(_ *call, _ *Project, f *SecureFile) { f.store() },
	Remove:  func(c *call, _ *Project, f *SecureFile) { state[secureFileState](c.svc).files.remove(f.id) },
	Changed: func(f *SecureFile) time.Time { return f.createdAt },
}

func downloadSecureFile(c *call, _ *Project, f *SecureFile) *reply {
	return f.content.reply(c, f.name, "application/octet-stream")
}

// A SecureFileOption sets a property of a secure file: CreatedAt and ID are
// SecureFileOptions.
type SecureFileOption interface{ applySecureFile(f *SecureFile) }

func (o IDOption) applySecureFile(f *SecureFile) { f.id = int64(o) }

func (o CreatedAtOption) applySecureFile(f *SecureFile) { f.createdAt = time.Time(o) }

// SecureFile makes a secure file of the project.
func (p *Project) SecureFile(name, content string, opts ...SecureFileOption) *SecureFile {
	defer p.svc.lock()()
	if p.secureFileNamed(name) != nil {
		p.svc.fail("a secure file %q already exists in %q", name, p.fullPath())
	}
	f := p.newSecureFile(name, []byte(content))
	apply(f, opts, SecureFileOption.applySecureFile)
	f.store()
	return f
}

// SecureFiles returns the project's secure files, oldest first.
func (p *Project) SecureFiles() []*SecureFile { return locked(p.svc, p.secureFiles) }

// ID returns the file's ID.
func (f *SecureFile) ID() int64 { return f.id }

// Name returns the file's name.
func (f *SecureFile) Name() string { return f.name }

// Content returns the content that downloads of the file get.
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
	f := &SecureFile{svc: p.svc, project: p, name: name, createdAt: p.svc.now()}
	f.fill(text, int64(len(text)))
	return f
}

// fill sets the content. A file that is too large has only a size.
func (f *SecureFile) fill(text []byte, size int64) {
	f.content, f.checksum, f.size = textContent(text, f.createdAt), frame.SHA256Hex(string(text)), size
}

// store stores the file and gives it its ID.
func (f *SecureFile) store() {
	seed(f.svc, &state[secureFileState](f.svc).files, &f.id, f, "a secure file")
}

func (p *Project) secureFiles() []*SecureFile {
	return state[secureFileState](p.svc).files.all(func(f *SecureFile) bool { return f.project == p })
}

func (p *Project) secureFileNamed(name string) *SecureFile {
	return one(p.secureFiles(), func(f *SecureFile) bool { return f.name == name })
}
