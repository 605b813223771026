package serviceapi

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"mime/multipart"
	"net/textproto"
	"strings"

	"example.com/serviceapi/internal/header"
)

// Upload is a file to send. It is streamed from Content, never held in memory.
//
// If Content is an io.Seeker, it is sent from its current position, with its
// length announced, and can be sent again from there if the first attempt was
// certainly not executed. If the call fails, Content is set back to that
// position, so that the same Upload can be passed to another call. Any other
// Content is sent only once.
type Upload struct {
	// Filename is the file's name as sent to the service. It must not contain
	// control characters.
	Filename string
	// Content is read to its end. The call does not close it. If Content cannot
	// seek, a call that is canceled, or refused early, does not wait for a Read
	// that blocks, as that of a terminal or a pipe may: such a Read is abandoned,
	// and may still take bytes after the call has returned. Close the source to
	// end it.
	Content io.Reader
	// Size is the number of bytes in Content. If it is 0, the size is taken from
	// Content if possible, and otherwise not announced. If Content has fewer or
	// more bytes than announced, the call fails and the service sees a broken
	// request.
	Size int64
	// ContentType is the media type; "" means "application/octet-stream".
	ContentType string
}

func (u *Upload) check() error {
	switch {
	case u.Content == nil:
		return &ArgumentError{Argument: "upload", Problem: "has no content"}
	case u.Filename == "" || hasControl(u.Filename):
		return &ArgumentError{Argument: "Filename", Problem: "is empty or contains a control character"}
	case !header.IsValue(u.ContentType):
		return &ArgumentError{Argument: "ContentType", Problem: "contains a control character"}
	case u.Size < 0:
		return negative("Size")
	}
	return nil
}

// multipartOf sends the fields of a struct and a file as multipart/form-data.
// The file's part has the name fileField.
func multipartOf(fields any, fileField string, file Upload) input {
	return multipartInput{fields, fileField, file}
}

type multipartInput struct {
	fields    any
	fileField string
	file      Upload
}

func (in multipartInput) encode(cl *call) error {
	if err := in.file.check(); err != nil {
		return err
	}
	var frame bytes.Buffer
	w := multipart.NewWriter(&frame)
	if err := in.writeHead(w, cl.options.bodyFields); err != nil {
		return err
	}
	head := bytes.Clone(frame.Bytes())
	frame.Reset()
	if err := w.Close(); err != nil {
		return err
	}
	source, err := newSource(in.file.Content, in.file.Size)
	if err != nil {
		return err
	}
	cl.body = &multipartBody{
		head: head, tail: frame.Bytes(),
		mediaType: w.FormDataContentType(),
		source:    source,
		report:    cl.options.progress,
	}
	return nil
}

// writeHead writes the fields and the header of the file's part.
func (in multipartInput) writeHead(w *multipart.Writer, more []bodyField) error {
	values, err := queryValues(in.fields)
	if err != nil {
		return err
	}
	if values, err = withFormFields(values, more); err != nil {
		return err
	}
	for _, name := range sortedKeys(values) {
		for _, value := range values[name] {
			if err := w.WriteField(name, value); err != nil {
				return err
			}
		}
	}
	contentType := in.file.ContentType
	if contentType == "" {
		contentType = "application/octet-stream"
	}
	_, err = w.CreatePart(textproto.MIMEHeader{
		"Content-Disposition": {fmt.Sprintf(`form-data; name="%s"; filename="%s"`, in.fileField, escapeQuotes(in.file.Filename))},
		"Content-Type":        {contentType},
	})
	return err
}

func escapeQuotes(s string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s)
}

// multipartBody is a body whose file is streamed between two pieces in memory.
type multipartBody struct {
	head, tail []byte
	mediaType  string
	source     *source
	report     func(Progress)
}

func (b *multipartBody) open(ctx context.Context) (io.Reader, error) {
	file, err := b.source.open(ctx, b.report)
	if err != nil {
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(b.head), file, bytes.NewReader(b.tail)), file}, nil
}

func (b *multipartBody) rewindable() bool    { return b.source.rewindable() }
func (b *multipartBody) finish(failed bool)  { b.source.detach(failed) }
func (b *multipartBody) contentType() string { return b.mediaType }

func (b *multipartBody) length() int64 {
	if b.source.size < 0 {
		return -1
	}
	return int64(len(b.head)+len(b.tail)) + b.source.size
}
