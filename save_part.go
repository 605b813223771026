package serviceapi

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"example.com/serviceapi/internal/header"
)

// OpenDownload starts a download with the given options, in addition to its
// own:
//
//	func(opts ...serviceapi.RequestOption) (
//		*serviceapi.Download, *serviceapi.Response, error) {
//		return client.JobArtifacts.Download(ctx, project, jobID, opts...)
//	}
type OpenDownload func(opts ...RequestOption) (*Download, *Response, error)

// SaveFile downloads to a file, like [Download.SaveFile], and continues where
// an earlier run of the program, or an earlier call, was interrupted. Until the
// file is complete, its beginning is in a file in the same directory with the
// suffix ".part", and the entity tag of its version is in one with the suffix
// ".part.etag". If these names would be too long, other names are used.
// SaveFile calls open with the options that continue there. If the content has
// changed, it starts again from the beginning.
//
// SaveFile returns the length of the file in bytes, even if it is not complete.
// On error, the part is kept unless it cannot be continued: if the service does
// not identify the version of the content by a strong entity tag, if the length
// of the content is not known, or if its checksum is wrong ([SecureFile.Verify]
// may be called in open).
//
// Only one call at a time may save to a name. After a power failure, remove the
// part: the file system may not have kept everything that was written.
func SaveFile(name string, open OpenDownload) (n int64, err error) {
	if open == nil {
		return 0, &ArgumentError{Argument: "open", Problem: "is nil"}
	}
	t, err := targetOf(name)
	if err != nil {
		return 0, err
	}
	p := partFor(t)
	d, err := p.start(open)
	if err != nil {
		return 0, err
	}
	defer d.Close()
	if d.ETag == "" || t.special {
		return d.saveWithoutPart(t, p)
	}
	return d.savePart(p)
}

// saveWithoutPart saves content that a later run could not continue.
func (d *Download) saveWithoutPart(t target, p part) (int64, error) {
	if t.special {
		return d.saveInto(t)
	}
	if err := p.remove(); err != nil {
		return 0, err
	}
	return d.SaveFile(t.path)
}

// savePart appends the stream to the part.
func (d *Download) savePart(p part) (int64, error) {
	f, err := p.file(d)
	if err != nil {
		return 0, err
	}
	n, err := d.WriteTo(f)
	n += d.Offset
	if err == nil {
		err = p.complete(f)
	}
	f.Close()
	if isUseless(err) {
		err = cmp.Or(err, p.remove())
	}
	return n, err
}

// isUseless reports whether an error means that a part cannot be completed.
func isUseless(err error) bool {
	return errors.Is(err, ErrUnknownLength) || hasType[*ChecksumError](err)
}

// part is the part of a file that an interrupted call has left.
type part struct {
	target
	// name is the name of the file with the beginning of the content, and tag is
	// that of the file with the entity tag.
	name, tag string
}

// maxFileName is the maximum length of a file name, in bytes.
const maxFileName = 255

func partFor(t target) part {
	const suffix, tagSuffix = ".part", ".part.etag"
	dir, base := filepath.Split(t.path)
	if len(base)+len(tagSuffix) > maxFileName {
		base = fmt.Sprintf(".%x", sha256.Sum256([]byte(base)))
	}
	return part{target: t, name: filepath.Join(dir, base+suffix), tag: filepath.Join(dir, base+tagSuffix)}
}

// start starts the download after the part, if the part is of the same version.
func (p part) start(open OpenDownload) (*Download, error) {
	if point := p.leftover(); point.offset > 0 {
		d, err := opened(open(requestOption(func(o *callOptions) error {
			o.resume = point
			return nil
		})))
		// A service that ignores the version would say the same forever.
		if !errors.Is(err, errOtherVersion) && !errors.Is(err, errWrongPart) {
			return d, err
		}
	}
	return opened(open())
}

func opened(d *Download, _ *Response, err error) (*Download, error) {
	if err == nil && d == nil {
		err = &ArgumentError{Argument: "open", Problem: "returned no download"}
	}
	return d, err
}

// leftover returns how much of the file an earlier call has left, and its
// version. The offset is 0 if there is nothing to continue.
func (p part) leftover() resumePoint {
	info, err := os.Lstat(p.name)
	if err != nil || !info.Mode().IsRegular() || p.special {
		return resumePoint{}
	}
	etag, _ := os.ReadFile(p.tag) // what cannot be read is no tag either
	if !header.IsStrongTag(string(etag)) {
		return resumePoint{}
	}
	return resumePoint{offset: info.Size(), etag: string(etag), primed: true}
}

// file opens the part for writing where the download begins.
func (p part) file(d *Download) (*os.File, error) {
	if d.Offset == 0 {
		return p.begin(d)
	}
	f, err := os.OpenFile(p.name, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	if err := p.position(f, d); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// begin creates a new part. The old one is removed, not overwritten, in case
// another process still writes to it.
func (p part) begin(d *Download) (*os.File, error) {
	if err := p.remove(); err != nil {
		return nil, err
	}
	f, err := p.create(p.name, d)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(p.tag, []byte(d.ETag), 0o666); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

var errPartChanged = errors.New("was changed during the download")

// position makes sure that the part ends where the download begins.
func (p part) position(f *os.File, d *Download) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if info.Size() != d.Offset {
		return &fs.PathError{Op: "save", Path: p.name, Err: errPartChanged}
	}
	if d.checksum != nil {
		if _, err := io.CopyN(d.checksum.hash, f, d.Offset); err != nil {
			return err
		}
	}
	_, err = f.Seek(d.Offset, io.SeekStart)
	return err
}

// complete renames the part to the file.
func (p part) complete(f *os.File) error {
	ours, err := f.Stat()
	if err != nil {
		return err
	}
	if there, err := os.Lstat(p.name); err != nil || !os.SameFile(ours, there) {
		return &fs.PathError{Op: "save", Path: p.name, Err: errPartChanged}
	}
	if err := p.target.complete(f); err != nil {
		return err
	}
	return removeFile(p.tag)
}

// remove removes the part, in an order that never leaves the beginning of a
// file with the entity tag of another one.
func (p part) remove() error {
	return cmp.Or(removeFile(p.name), removeFile(p.tag))
}

var errNotRegular = errors.New("is not a regular file")

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
		return &fs.PathError{Op: "remove", Path: name, Err: errIsDirectory}
	case !info.Mode().IsRegular():
		return &fs.PathError{Op: "remove", Path: name, Err: errNotRegular}
	}
	return os.Remove(name)
}
