package serviceapi

import (
	"bytes"
	"fmt"
	"maps"
	"mime/multipart"
	"net/textproto"
	"slices"
	"strings"

	"example.com/serviceapi/internal/source"
	"example.com/serviceapi/internal/text"
)

// Multipart is a body for [Client.Do] that consists of fields and files, sent as
// multipart/form-data.
type Multipart struct {
	// Fields is a struct or a map that is encoded as encoding/json does it. The
	// members of an object in it become name[key], the items of a list name[], and
	// null becomes an empty string. Nil means no fields.
	Fields any
	// Files are the files by the name of their field, at least one. They are sent
	// in the order of these names.
	Files map[string]Upload
}

func (m Multipart) encode(p *payload) error {
	if len(m.Files) == 0 {
		return badArgument("multipart", "has no files; without files, pass the fields themselves")
	}
	return multipartInput{"multipart fields", m.Fields, m.Files}.encode(p)
}

// multipartOf sends a struct with json tags and a file as multipart/form-data. The
// file's part has the name fileField.
func multipartOf(fields any, fileField string, file Upload) input {
	return multipartInput{"options", fields, map[string]Upload{fileField: file}}
}

// jsonOrMultipart sends a struct as JSON or, with a file, as multipart/form-data.
// Both use the names in the struct's json tags.
func jsonOrMultipart(fields any, fileField string, file *Upload) input {
	if file == nil {
		return jsonOf(fields)
	}
	return multipartOf(fields, fileField, *file)
}

type multipartInput struct {
	// name identifies the fields in errors.
	name   string
	fields any
	files  map[string]Upload
}

func (in multipartInput) encode(p *payload) error {
	names := slices.Sorted(maps.Keys(in.files))
	values, err := p.formFields(in.name, in.fields, names...)
	if err != nil {
		return err
	}
	var frame bytes.Buffer
	w := multipart.NewWriter(&frame)
	// written returns what was written since the last call.
	written := func() []byte {
		defer frame.Reset()
		return bytes.Clone(frame.Bytes())
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		for _, value := range values[name] {
			if err := w.WriteField(name, value); err != nil {
				return err
			}
		}
	}
	body := &uploadBody{report: p.progress}
	for _, name := range names {
		file := in.files[name]
		if name == "" || text.HasControl(name) {
			return badArgument("name of a file's field", "is empty or contains a control character")
		}
		if err := file.check(); err != nil {
			return err
		}
		if _, err := w.CreatePart(file.header(name)); err != nil {
			return err
		}
		source, err := source.New(file.Content, file.Size)
		if err != nil {
			return err
		}
		body.files = append(body.files, bodyFile{written(), source})
	}
	if err := w.Close(); err != nil {
		return err
	}
	body.tail = written()
	p.files, p.mediaType = body, w.FormDataContentType()
	return nil
}

// uploadInput sends a file as the whole body.
type uploadInput struct{ file Upload }

func (in uploadInput) encode(p *payload) error {
	if in.file.Filename == "" {
		in.file.Filename = "body" // it is not sent
	}
	if err := in.file.check(); err != nil {
		return err
	}
	if fields := p.fields; len(fields) > 0 {
		return bodyFieldProblem(fields[0].name, "cannot be added: the body is a file")
	}
	source, err := source.New(in.file.Content, in.file.Size)
	if err != nil {
		return err
	}
	p.files = &uploadBody{files: []bodyFile{{source: source}}, report: p.progress}
	p.mediaType = in.file.mediaType()
	return nil
}

// header returns the header of the file's part in a form.
func (u *Upload) header(name string) textproto.MIMEHeader {
	disposition := fmt.Sprintf(`form-data; name="%s"; filename="%s"`, escapeQuotes(name), escapeQuotes(u.Filename))
	return textproto.MIMEHeader{"Content-Disposition": {disposition}, "Content-Type": {u.mediaType()}}
}

func escapeQuotes(s string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s)
}
