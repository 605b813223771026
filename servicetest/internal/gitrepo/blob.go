package gitrepo

import (
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode/utf8"
)

// A Blob is the content of a file.
type Blob struct {
	ID   string // hash, the same for the same content
	Data []byte

	Submodule bool // ID is the hash of a commit elsewhere, and Data what a diff shows of it
}

// NewBlob returns a blob with this content, which must not change afterwards.
func NewBlob(data []byte) *Blob {
	hash := sha1.New()
	fmt.Fprintf(hash, "blob %d\x00", len(data))
	hash.Write(data)
	return &Blob{ID: hex.EncodeToString(hash.Sum(nil)), Data: data}
}

// SHA256 returns the checksum of the content in hexadecimal.
func (b *Blob) SHA256() string {
	sum := sha256.Sum256(b.Data)
	return hex.EncodeToString(sum[:])
}

// IsText reports whether the content can be compared by lines: whether it is UTF-8
// without null bytes.
func (b *Blob) IsText() bool {
	return utf8.Valid(b.Data) && bytes.IndexByte(b.Data, 0) < 0
}

// Lines returns the lines of the content, each with its newline. The last line may have
// none. A nil blob has no lines.
func (b *Blob) Lines() []string {
	if b == nil || len(b.Data) == 0 {
		return nil
	}
	lines := strings.SplitAfter(string(b.Data), "\n")
	if last := len(lines) - 1; lines[last] == "" {
		lines = lines[:last]
	}
	return lines
}
