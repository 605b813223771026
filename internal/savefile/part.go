package savefile

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// Part is the beginning of a file that an interrupted call has left. While it is
// open, no other call can use it.
type Part struct {
	Target
	// name is the name of the file with the beginning of the content, and tag is
	// that of the file with the entity tag.
	name, tag string
	unlock    func()
}

const (
	// maxFileName is the maximum length of a file name, in bytes.
	maxFileName = 255
	// maxTag is the maximum length of an entity tag that is kept. A longer one
	// would make requests too large.
	maxTag = 1 << 10
)

// Open opens the part of a target, which may be empty. It returns [ErrInUse] if
// another call is using the part.
func Open(t Target) (*Part, error) {
	const suffix, tagSuffix, lockSuffix = ".part", ".part.etag", ".part.lock"
	p := &Part{Target: t, unlock: func() {}}
	if t.special {
		return p, nil
	}
	dir, base := filepath.Split(t.path)
	if len(base)+len(tagSuffix) > maxFileName {
		base = fmt.Sprintf(".%x", sha256.Sum256([]byte(base)))
	}
	p.name, p.tag = filepath.Join(dir, base+suffix), filepath.Join(dir, base+tagSuffix)
	unlock, err := lock(filepath.Join(dir, base+lockSuffix))
	if err != nil {
		return nil, err
	}
	p.unlock = unlock
	return p, nil
}

// Close allows other calls to use the part.
func (p *Part) Close() { p.unlock() }

// Leftover returns how much of the file an earlier call has left, and the entity
// tag of its version. The size is 0 if there is nothing to continue.
func (p *Part) Leftover() (size int64, etag string) {
	info, ok := p.stat(p.name)
	if !ok {
		return 0, ""
	}
	if tag, ok := p.stat(p.tag); !ok || tag.Size() > maxTag {
		return 0, ""
	}
	data, err := os.ReadFile(p.tag)
	if err != nil {
		return 0, ""
	}
	return info.Size(), string(data)
}

func (p *Part) stat(name string) (info fs.FileInfo, ok bool) {
	if p.special {
		return nil, false
	}
	info, err := os.Lstat(name)
	return info, err == nil && info.Mode().IsRegular()
}

// IsShared reports whether other people than its owner may read the part. On
// Windows, permissions do not say so.
func (p *Part) IsShared() bool {
	info, ok := p.stat(p.name)
	return ok && info.Mode().Perm()&^ownerOnly != 0 && runtime.GOOS != "windows"
}

// Save completes the file: it appends the content to the part, or begins a new
// one if the offset is 0. On error, the part stays, if it can be continued. Save
// returns the length of the file so far.
func (p *Part) Save(c Content) (n int64, err error) {
	if p.special {
		return p.Target.Save(c)
	}
	if c.ETag == "" || len(c.ETag) > maxTag {
		if err := p.Remove(); err != nil {
			return 0, err
		}
		return p.Target.Save(c)
	}
	f, err := p.file(c)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	if n, err = c.WriteTo(f); err == nil {
		err = p.complete(f, c.Private)
	}
	return c.Offset + n, err
}

// file opens the part for writing where the content begins.
func (p *Part) file(c Content) (*os.File, error) {
	if c.Offset == 0 {
		return p.begin(c)
	}
	f, err := os.OpenFile(p.name, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	if err := p.position(f, c); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// begin creates a new part. The old one is removed, not overwritten, because
// somebody may have it open.
func (p *Part) begin(c Content) (*os.File, error) {
	if err := p.Remove(); err != nil {
		return nil, err
	}
	f, err := p.create(p.name, c.Private)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(p.tag, []byte(c.ETag), 0o666); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// ErrChanged means that a part is not what it was when the call began. It is
// wrapped in a [*fs.PathError].
var ErrChanged = errors.New("was changed during the download")

// position makes sure that the part ends where the content begins.
func (p *Part) position(f *os.File, c Content) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if info.Size() != c.Offset {
		return &fs.PathError{Op: "save", Path: p.name, Err: ErrChanged}
	}
	if c.Sum != nil {
		if _, err := io.CopyN(c.Sum, f, c.Offset); err != nil {
			return err
		}
	}
	_, err = f.Seek(c.Offset, io.SeekStart)
	return err
}

// complete renames the part to the file.
func (p *Part) complete(f *os.File, private bool) error {
	ours, err := f.Stat()
	if err != nil {
		return err
	}
	if there, err := os.Lstat(p.name); err != nil || !os.SameFile(ours, there) {
		return &fs.PathError{Op: "save", Path: p.name, Err: ErrChanged}
	}
	if err := p.Target.complete(f, private); err != nil {
		return err
	}
	return removeFile(p.tag)
}

// Remove removes the part, in an order that never leaves the beginning of a file
// with the entity tag of another one.
func (p *Part) Remove() error {
	return cmp.Or(removeFile(p.name), removeFile(p.tag))
}

// removeFile removes a file if it exists, and nothing that is not a regular
// file.
func removeFile(name string) error {
	info, err := os.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.IsDir():
		return &fs.PathError{Op: "remove", Path: name, Err: ErrIsDirectory}
	case !info.Mode().IsRegular():
		return &fs.PathError{Op: "remove", Path: name, Err: ErrNotRegular}
	}
	return os.Remove(name)
}
