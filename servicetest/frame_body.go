package servicetest

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

// An upload is a file in a multipart form.
type upload struct {
	name    string // file name, as sent
	size    int64
	sha256  string // hexadecimal
	content []byte // nil if the file is larger than what is kept
}

// decodeBody reads the body of a request into the parameters of its call. Of a file,
// it keeps the content if it is not larger than keep. It runs without the lock.
func decodeBody(c *frameCall, keep int64) *reply {
	if c.r.Body == nil || c.r.Body == http.NoBody {
		return nil
	}
	kind, params, err := mime.ParseMediaType(c.r.Header.Get("Content-Type"))
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
		return message(http.StatusRequestEntityTooLarge, "413 Request Entity Too Large")
	}
	if err != nil {
		return jsonReply(http.StatusBadRequest, object{"error": "The request body cannot be read: " + err.Error()})
	}
	return nil
}

func (c *frameCall) readBody() ([]byte, error) {
	return io.ReadAll(http.MaxBytesReader(nil, c.r.Body, maxBody))
}

func (c *frameCall) decodeJSON() error {
	body, err := c.readBody()
	if err != nil || len(bytes.TrimSpace(body)) == 0 {
		return err
	}
	c.body = body
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
	maps.Copy(c.values, members)
	return nil
}

func (c *frameCall) decodeForm() error {
	body, err := c.readBody()
	if err != nil {
		return err
	}
	return nest(c.values, string(body))
}

func (c *frameCall) decodeMultipart(boundary string, keep int64) error {
	c.files = make(map[string]*upload)
	reader := multipart.NewReader(c.r.Body, boundary)
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

func (c *frameCall) decodePart(part *multipart.Part, keep int64) error {
	_, params, _ := mime.ParseMediaType(part.Header.Get("Content-Disposition"))
	if _, isFile := params["filename"]; isFile {
		file, err := readUpload(part, params["filename"], keep, c.r.ContentLength)
		c.files[part.FormName()] = file
		return err
	}
	value, err := io.ReadAll(http.MaxBytesReader(nil, part, maxField))
	if err != nil {
		return err
	}
	set(c.values, part.FormName(), string(value))
	return nil
}

// readUpload reads a file and keeps it if it is no larger than keep. announced
// is the length of the whole body, or negative if it is unknown.
func readUpload(part *multipart.Part, name string, keep, announced int64) (*upload, error) {
	sum := sha256.New()
	var kept bytes.Buffer
	kept.Grow(int(max(0, min(keep, announced)) + bytes.MinRead))
	content := io.TeeReader(part, sum)
	size, err := io.CopyN(&kept, content, keep+1)
	if err == io.EOF {
		err = nil
	}
	file := &upload{name: name, content: kept.Bytes()}
	if size > keep && err == nil {
		file.content = nil
		var rest int64
		rest, err = io.Copy(io.Discard, content)
		size += rest
	}
	file.size = size
	file.sha256 = hex.EncodeToString(sum.Sum(nil))
	return file, err
}

// fileNamed returns an uploaded file. If it is missing, that is noted for
// refusal.
func (c *frameCall) fileNamed(name string) *upload {
	file := c.files[name]
	if file == nil {
		c.problem(name + " is missing")
	}
	return file
}
