package frame

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"
)

const (
	maxBody  = 64 << 20 // of a JSON body or a form
	maxField = 1 << 20  // of one field of a multipart form
)

// An Upload is a file in a multipart form.
type Upload struct {
	Name    string // file name, as sent
	Size    int64
	SHA256  string // hexadecimal
	Content []byte // nil if the file is too large to keep
}

// DecodeBody reads the body of a request into the parameters of the call. It keeps the
// content of files of up to keep bytes. It runs without the lock of the service.
func (c *Call) DecodeBody(keep int64) *Reply {
	if c.Request.Body == nil || c.Request.Body == http.NoBody {
		return nil
	}
	kind, params, err := mime.ParseMediaType(c.Request.Header.Get("Content-Type"))
	if err != nil {
		return nil
	}
	switch {
	case kind == "application/json" || strings.HasSuffix(kind, "+json"):
		err = c.decodeJSON()
	case kind == "application/x-www-form-urlencoded":
		err = c.decodeForm()
	case kind == "multipart/form-data":
		err = c.decodeMultipart(params["boundary"], keep)
	}
	if tooLarge := new(http.MaxBytesError); errors.As(err, &tooLarge) {
		return Message(http.StatusRequestEntityTooLarge, "413 Request Entity Too Large")
	}
	if err != nil {
		return unreadable(err)
	}
	return nil
}

// KeepBody keeps the body of a request as a file without a name.
func (c *Call) KeepBody(keep int64) *Reply {
	file, err := readUpload(c.Request.Body, "", keep, c.Request.ContentLength)
	if err != nil {
		return unreadable(err)
	}
	c.Files = map[string]*Upload{"": file}
	return nil
}

// unreadable returns 400 for a body that does not match its type or breaks off.
func unreadable(err error) *Reply {
	return JSONReply(http.StatusBadRequest, Object{"error": "The request body cannot be read: " + err.Error()})
}

func (c *Call) readBody() ([]byte, error) {
	return io.ReadAll(http.MaxBytesReader(nil, c.Request.Body, maxBody))
}

func (c *Call) decodeJSON() error {
	body, err := c.readBody()
	if err != nil || len(bytes.TrimSpace(body)) == 0 {
		return err
	}
	c.Body = body
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return err
	}
	if _, err := decoder.Token(); err != io.EOF {
		return errors.New("text after the JSON value")
	}
	members, _ := value.(map[string]any)
	maps.Copy(c.Values, members)
	return nil
}

func (c *Call) decodeForm() error {
	body, err := c.readBody()
	if err != nil {
		return err
	}
	return nest(c.Values, string(body))
}

func (c *Call) decodeMultipart(boundary string, keep int64) error {
	c.Files = make(map[string]*Upload)
	reader := multipart.NewReader(c.Request.Body, boundary)
	for {
		part, err := reader.NextRawPart()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := c.decodePart(part, keep); err != nil {
			return err
		}
	}
}

func (c *Call) decodePart(part *multipart.Part, keep int64) error {
	_, params, _ := mime.ParseMediaType(part.Header.Get("Content-Disposition"))
	if _, isFile := params["filename"]; isFile {
		file, err := readUpload(part, params["filename"], keep, c.Request.ContentLength)
		c.Files[part.FormName()] = file
		return err
	}
	value, err := io.ReadAll(http.MaxBytesReader(nil, part, maxField))
	if err != nil {
		return err
	}
	set(c.Values, part.FormName(), string(value))
	return nil
}

// readUpload reads a file and keeps it if it is no larger than keep. announced is the
// length of the whole body, or negative if unknown.
func readUpload(part io.Reader, name string, keep, announced int64) (*Upload, error) {
	sum := sha256.New()
	var kept bytes.Buffer
	kept.Grow(int(max(0, min(keep, announced)) + bytes.MinRead))
	content := io.TeeReader(part, sum)
	size, err := io.CopyN(&kept, content, keep+1)
	if err == io.EOF {
		err = nil
	}
	file := &Upload{Name: name, Content: kept.Bytes()}
	if size > keep && err == nil {
		file.Content = nil
		var rest int64
		rest, err = io.Copy(io.Discard, content)
		size += rest
	}
	file.Size = size
	file.SHA256 = hex.EncodeToString(sum.Sum(nil))
	return file, err
}

// RequiredFile returns an uploaded file, or notes that it is missing.
func (c *Call) RequiredFile(name string) *Upload {
	file := c.Files[name]
	if file == nil {
		c.Problem(name + " is missing")
	}
	return file
}
