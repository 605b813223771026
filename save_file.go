package serviceapi

import (
	"errors"
	"io/fs"
	"net/http"

	"example.com/serviceapi/internal/header"
	"example.com/serviceapi/internal/savefile"
)

// ErrFileInUse is returned by [SaveFile] if another call is saving to the same
// name, in this program or in another one.
var ErrFileInUse = errors.New("another download is being saved to this name")

// SaveFile writes the stream to a file, which appears under its name only when
// it is complete. Until then, the bytes are in a temporary file in the same
// directory, which is removed on error. SaveFile returns the number of bytes,
// and closes the stream. The bytes are on disk when it returns, as far as the
// file system can tell.
//
// An existing file is replaced, and its permissions are kept. A new file has the
// permissions 0666 before umask. A secure file always ends up with 0600 or less: to let
// others read it, change its permissions afterwards. A symbolic link is followed. A device
// or a named pipe is written to directly.
//
// On Windows, the only permission is the read-only attribute. A file that has
// it, or that is open in a program, cannot be replaced, and SaveFile returns an
// error after the transfer. Names that Windows treats in a special way, such as
// NUL, are not refused; see [Download.Name].
//
// To continue a file that an earlier run of the program left unfinished, use
// the function [SaveFile].
func (d *Download) SaveFile(name string) (n int64, err error) {
	defer d.Close()
	t, err := targetOf(name)
	if err != nil {
		return 0, err
	}
	return t.Save(d.content())
}

func targetOf(name string) (savefile.Target, error) {
	if name == "" {
		return savefile.Target{}, &ArgumentError{Argument: "file name", Problem: "is empty"}
	}
	return savefile.At(name)
}

// content describes what is saved.
func (d *Download) content() savefile.Content {
	c := savefile.Content{WriteTo: d.WriteTo, Private: d.private, Offset: d.Offset, ETag: d.ETag}
	if d.checksum != nil {
		c.Sum = d.checksum.hash
	}
	return c
}

// OpenDownload starts a download with the given options, in addition to its
// own:
//
//	open := func(opts ...serviceapi.RequestOption) (
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
// changed, or the service refuses the request to continue, it starts again from
// the beginning.
//
// SaveFile returns the length of the file in bytes, even if it is not complete.
// On error, the part is kept unless it cannot be continued: if the service does
// not identify the version of the content by a strong entity tag, if the length
// of the content is not known, or if its checksum is wrong ([SecureFile.Verify]
// may be called in open).
//
// Only one call at a time can save to a name. The others, even in other programs, return
// [ErrFileInUse] at once. The lock is a file with the suffix ".part.lock". A system or a
// file system without file locks, such as that of WebAssembly, cannot refuse a second call:
// there, the program has to make sure that there is none. After a power failure, remove the
// part: the file system may not have kept everything that was written.
func SaveFile(name string, open OpenDownload) (n int64, err error) {
	if open == nil {
		return 0, &ArgumentError{Argument: "open", Problem: "is nil"}
	}
	t, err := targetOf(name)
	if err != nil {
		return 0, err
	}
	p, err := savefile.Open(t)
	if errors.Is(err, savefile.ErrInUse) {
		return 0, &fs.PathError{Op: "save", Path: name, Err: ErrFileInUse}
	}
	if err != nil {
		return 0, err
	}
	defer p.Close()
	d, err := openAfter(p, open)
	if err != nil {
		return 0, err
	}
	defer d.Close()
	n, err = p.Save(d.content())
	if errors.Is(err, ErrUnknownLength) || hasType[*ChecksumError](err) {
		p.Remove() // it can never be completed
	}
	return n, err
}

// openAfter starts the download after the part, if that can be continued.
func openAfter(p *savefile.Part, open OpenDownload) (*Download, error) {
	size, etag := p.Leftover()
	if size == 0 || !header.IsStrongTag(etag) {
		return opened(open())
	}
	d, err := opened(open(requestOption(func(o *callOptions) error {
		o.resume = resumePoint{offset: size, etag: etag, primed: true}
		return nil
	})))
	switch {
	case err == nil && d.private && p.IsShared():
		d.Close() // somebody else may have the part open
	case err == nil || !isRefusedOffset(err):
		return d, err
	}
	return opened(open())
}

func opened(d *Download, _ *Response, err error) (*Download, error) {
	if err == nil && d == nil {
		err = &ArgumentError{Argument: "open", Problem: "returned no download"}
	}
	return d, err
}

// isRefusedOffset reports whether the same download without an offset may
// succeed: the service ignores the version, or cannot read the headers that a
// damaged entity tag leads to.
func isRefusedOffset(err error) bool {
	if errors.Is(err, errOtherVersion) || errors.Is(err, errWrongPart) {
		return true
	}
	e := errorResponse(err)
	if e == nil {
		return false
	}
	switch e.StatusCode {
	case http.StatusBadRequest, http.StatusPreconditionFailed,
		http.StatusRequestedRangeNotSatisfiable, http.StatusRequestHeaderFieldsTooLarge:
		return true
	}
	return false
}
