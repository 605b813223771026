package servicetest

import (
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
)

const (
	maxSecureFiles    = 100     // in a project
	maxSecureFileSize = 5 << 20 // every file is smaller
)

// A SecureFile is a file that a project's jobs need and that is not in its
// repository. Make one with Project.SecureFile.
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

func (o IDOption) applySecureFile(f *SecureFile) { f.id = int64(o) }

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

// ID returns the file's ID.
func (f *SecureFile) ID() int64 { return f.id }

// Name returns the file's name.
func (f *SecureFile) Name() string { return f.name }

// Content returns the content that a download of the file returns.
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
		checksum: frame.SHA256Hex(string(text)), content: textContent(text, now),
	}
}

// store gives the file its ID.
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
