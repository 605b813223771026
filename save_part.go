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
)

// OpenDownload starts a download with the given options beside its own, such as
//
//	func(opts ...serviceapi.RequestOption) (
//		*serviceapi.Download, *serviceapi.Response, error) {
//		return client.JobArtifacts.Download(ctx, project, jobID, opts...)
//	}
type OpenDownload func(opts ...RequestOption) (*Download, *Response, error)

// SaveFile downloads to a file, like [Download.SaveFile], and continues where an
// earlier run of the program, or an earlier call, was interrupted. Until the
// file is complete, its beginning is in a file beside it whose name has ".part"
// appended, and the entity tag of its version in one with ".part.etag"; both
// have other names if those would be too long. SaveFile calls open with the
// options that continue there; if the content has changed, it begins anew.
//
// It returns the length of the file in bytes, also of an unfinished one. An
// error keeps the part, unless the part is of no use: if the service does not
// identify the version of the content by a strong entity tag, if the length of
// the content is not known, and if its checksum is wrong ([SecureFile.Verify]
// may be called in open).
//
// Only one call at a time may save to a name. If the machine lost power, remove
// the part: the file system may not have kept all that was written.
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

// saveWithoutPart is for content that a later run could not continue.
func (d *Download) saveWithoutPart(t target, p part) (int64, error) {
	if t.special {
		return d.saveInto(t)
	}
	if err := p.remove(); err != nil {
		return 0, err
	}
	return d.SaveFile(t.path)
}

// savePart writes the stream behind what there is of the file.
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

// isUseless reports whether an error means that a part cannot become the whole.
func isUseless(err error) bool {
	return errors.Is(err, ErrUnknownLength) || hasType[*ChecksumError](err)
}

// part is what an interrupted call leaves of a file.
type part struct {
	target
	// name is that of the beginning of the file, and tag that of the file with
	// its entity tag.
	name, tag string
}

// maxFileName is what file systems take, in bytes.
const maxFileName = 255

func partFor(t target) part {
	const suffix, tagSuffix = ".part", ".part.etag"
	dir, base := filepath.Split(t.path)
	if len(base)+len(tagSuffix) > maxFileName {
		base = fmt.Sprintf(".%x", sha256.Sum256([]byte(base)))
	}
	return part{target: t, name: filepath.Join(dir, base+suffix), tag: filepath.Join(dir, base+tagSuffix)}
}

// start starts the download, behind what there is of the file if that is of the
// same version.
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

// leftover returns how much of the file an earlier call has left, and of which
// version. Its offset is 0 if there is nothing to go on with.
func (p part) leftover() resumePoint {
	info, err := os.Lstat(p.name)
	if err != nil || !info.Mode().IsRegular() || p.special {
		return resumePoint{}
	}
	etag, err := os.ReadFile(p.tag)
	if err != nil || !isStrongTag(string(etag)) {
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

// begin makes a new part. The old one is removed, not overwritten, in case
// somebody still writes to it.
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

var errPartChanged = errors.New("was changed while the download was under way")

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

// complete makes the part the file.
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

// remove removes the part, in an order that leaves no beginning of a file with
// the entity tag of another one.
func (p part) remove() error {
	return cmp.Or(removeFile(p.name), removeFile(p.tag))
}

var errNotRegular = errors.New("is not a regular file")

// removeFile removes a file if it is there, and nothing that is not a file.
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
