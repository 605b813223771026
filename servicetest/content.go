package servicetest

import (
	"archive/zip"
	"bytes"
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
)

// A content is a file that the service sends. It does not change; appending
// makes another one.
type content struct {
	size     int64
	source   io.ReaderAt
	text     []byte // nil if the source holds it
	etag     string // quoted
	modified time.Time
}

func textContent(text []byte, modified time.Time) *content {
	sum := md5.Sum(text)
	return &content{
		size: int64(len(text)), source: bytes.NewReader(text), text: slices.Clip(text), // append may not share it
		etag: `"` + hex.EncodeToString(sum[:]) + `"`, modified: modified,
	}
}

func sourceContent(size int64, source io.ReaderAt, modified time.Time) *content {
	etag := fmt.Sprintf(`"%x-%x"`, size, modified.UnixNano())
	return &content{size: size, source: source, etag: etag, modified: modified}
}

// append returns the content with more text appended. Synthetic content is
// replaced.
func (c *content) append(more []byte, modified time.Time) *content {
	if c == nil {
		c = new(content)
	}
	text := append(c.text, more...)
	return &content{
		size: int64(len(text)), source: bytes.NewReader(text), text: text,
		etag: fmt.Sprintf(`"%x-%x"`, len(text), modified.UnixNano()), modified: modified,
	}
}

// reply sends the content, or only the parts that the client asks for.
func (c *content) reply(call *call, name, contentType string) *reply {
	return call.File(name, contentType, c.etag, c.modified, c.source, c.size)
}

// withFolders returns the names of files and their folders in alphabetical order. Names
// of folders end with a slash.
func withFolders(files map[string]string) []string {
	names := make(map[string]bool)
	for name := range files {
		names[name] = true
		for i, char := range name {
			if char == '/' && i > 0 {
				names[name[:i+1]] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// zipped makes a zip file. The same files always make the same bytes, with each release of Go:
// they are stored, because what a compressor writes changes. As in the archives of runners,
// folders have entries, too.
func zipped(files map[string]string, modified time.Time) *content {
	var buffer bytes.Buffer
	w := zip.NewWriter(&buffer)
	for _, name := range withFolders(files) {
		if strings.HasSuffix(name, "/") {
			w.CreateHeader(&zip.FileHeader{Name: name, Modified: modified}) // writes to memory
			continue
		}
		entry, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store, Modified: modified})
		if err == nil {
			_, err = io.WriteString(entry, files[name])
		}
		if err != nil {
			panic(fmt.Sprintf("servicetest: cannot zip %q: %v", name, err))
		}
	}
	if err := w.Close(); err != nil {
		panic("servicetest: cannot zip: " + err.Error())
	}
	return textContent(buffer.Bytes(), modified)
}
