package servicetest

import (
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// A tree is the content of a commit: its files by path. It does not change.
type tree map[string]treeEntry

// A treeEntry is a file in a tree. Equal entries are equal files.
type treeEntry struct {
	*blob
	executable bool
}

// A blob is what a file holds.
type blob struct {
	id   string // hash, the same for the same content
	data []byte
}

func newEntry(data []byte) treeEntry { return treeEntry{blob: newBlob(data)} }

func newBlob(data []byte) *blob {
	hash := sha1.New()
	fmt.Fprintf(hash, "blob %d\x00", len(data))
	hash.Write(data)
	return &blob{hex.EncodeToString(hash.Sum(nil)), data}
}

// sha256 returns the checksum of the content.
func (b *blob) sha256() string {
	sum := sha256.Sum256(b.data)
	return hex.EncodeToString(sum[:])
}

// isText reports whether the content can be compared by lines.
func (b *blob) isText() bool {
	return utf8.Valid(b.data) && bytes.IndexByte(b.data, 0) < 0
}

// lines returns the content's lines, each with the newline at its end; the last
// may have none.
func (b *blob) lines() []string {
	if b == nil || len(b.data) == 0 {
		return nil
	}
	lines := strings.SplitAfter(string(b.data), "\n")
	if last := len(lines) - 1; lines[last] == "" {
		lines = lines[:last]
	}
	return lines
}

// with returns the entry with another content.
func (e treeEntry) with(data []byte) treeEntry { return treeEntry{newBlob(data), e.executable} }

// equal reports whether two entries are the same file; both may be absent.
func (e treeEntry) equal(other treeEntry) bool {
	if e.blob == nil || other.blob == nil {
		return e.blob == other.blob
	}
	return e.id == other.id && e.executable == other.executable
}

func (e treeEntry) mode() string {
	if e.executable {
		return "100755"
	}
	return "100644"
}

// paths returns the paths of all files in alphabetical order.
func (t tree) paths() []string { return slices.Sorted(maps.Keys(t)) }

// hash returns the same text for the same files.
func (t tree) hash() string {
	hash := sha1.New()
	for _, path := range t.paths() {
		fmt.Fprintf(hash, "%s %s %s\n", t[path].mode(), t[path].id, path)
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// equal reports whether two trees hold the same files.
func (t tree) equal(other tree) bool { return maps.EqualFunc(t, other, treeEntry.equal) }

// samePath reports whether a file, or all of a directory, is the same in two
// trees.
func samePath(a, b tree, path string) bool {
	if !a[path].equal(b[path]) {
		return false
	}
	return a.below(path).equal(b.below(path))
}

// below returns the files in a directory, by their full paths.
func (t tree) below(directory string) tree {
	inside := make(tree)
	for path, entry := range t {
		if strings.HasPrefix(path, directory+"/") {
			inside[path] = entry
		}
	}
	return inside
}

// blocks reports whether a file cannot be put at a path, because one of the
// directories on the way is a file, or the path is a directory.
func (t tree) blocks(path string) bool {
	for i := strings.LastIndexByte(path, '/'); i > 0; i = strings.LastIndexByte(path[:i], '/') {
		if _, isFile := t[path[:i]]; isFile {
			return true
		}
	}
	return len(t.below(path)) > 0
}

// validFilePath reports whether a file may have a path: relative, without empty
// segments and without those that leave the directory.
func validFilePath(path string) bool {
	for segment := range strings.SplitSeq(path, "/") {
		if segment == "" || segment == "." || segment == ".." || segment == ".git" {
			return false
		}
	}
	return !strings.ContainsRune(path, 0)
}
