package gitrepo

import (
	"cmp"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
)

// A Tree is the content of a commit: its files by path. It must not change once
// a commit has it.
type Tree map[string]Entry

// An Entry is a file in a tree. The zero value is a file that does not exist.
type Entry struct {
	*Blob

	Executable bool
}

// NewEntry returns a file that is not executable.
func NewEntry(data []byte) Entry { return Entry{Blob: NewBlob(data)} }

// NewSubmodule returns a submodule at a commit.
func NewSubmodule(sha string) Entry {
	return Entry{Blob: &Blob{ID: sha, Data: []byte("Subproject commit " + sha + "\n"), Submodule: true}}
}

// IsSubmodule reports whether the entry is a submodule.
func (e Entry) IsSubmodule() bool { return e.Exists() && e.Submodule }

// Exists reports whether there is a file.
func (e Entry) Exists() bool { return e.Blob != nil }

// With returns the entry with other content.
func (e Entry) With(data []byte) Entry { return Entry{NewBlob(data), e.Executable} }

// Equal reports whether two entries are the same file. Two files that do not exist are
// equal.
func (e Entry) Equal(other Entry) bool {
	if !e.Exists() || !other.Exists() {
		return e.Exists() == other.Exists()
	}
	return e.ID == other.ID && e.Executable == other.Executable
}

// directoryMode is the file mode of directories.
const directoryMode = "040000"

// Mode returns the file mode as git writes it: 100755, 100644, or 160000 for a submodule.
func (e Entry) Mode() string {
	if e.IsSubmodule() {
		return "160000"
	}
	if e.Executable {
		return "100755"
	}
	return "100644"
}

// Paths returns the paths of all files in alphabetical order.
func (t Tree) Paths() []string { return slices.Sorted(maps.Keys(t)) }

// Hash returns the same string for the same files.
func (t Tree) Hash() string { return t.hashBelow("") }

// hashBelow is like Hash, for the files below a prefix, which it cuts off.
func (t Tree) hashBelow(prefix string) string {
	hash := sha1.New()
	for _, path := range t.Paths() {
		if tail, inside := strings.CutPrefix(path, prefix); inside {
			fmt.Fprintf(hash, "%s %s %s\n", t[path].Mode(), t[path].ID, tail)
		}
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// Equal reports whether two trees hold the same files.
func (t Tree) Equal(other Tree) bool { return maps.EqualFunc(t, other, Entry.Equal) }

// Has reports whether there is a file or a directory at a path.
func (t Tree) Has(path string) bool { return t[path].Exists() || t.HasDirectory(path) }

// HasDirectory reports whether there is a directory at a path. The root, "", is
// always there.
func (t Tree) HasDirectory(path string) bool { return path == "" || len(t.Below(path)) > 0 }

// Below returns the files in a directory and its subdirectories, by their full
// paths.
func (t Tree) Below(directory string) Tree {
	inside := make(Tree)
	for path, entry := range t {
		if directory == "" || strings.HasPrefix(path, directory+"/") {
			inside[path] = entry
		}
	}
	return inside
}

// A Node is a file or a directory in a listing.
type Node struct {
	ID    string // hash
	Path  string
	Mode  string // that of the entry, or 040000 for a directory
	Entry Entry  // the file; the zero value for a directory
}

// Name returns the last element of the path.
func (n Node) Name() string { return path.Base(n.Path) }

// IsDirectory reports whether the node is a directory.
func (n Node) IsDirectory() bool { return n.Mode == directoryMode }

// List returns what is in a directory, or everything below it if recursive:
// first the directories, then the files, each in the order of their paths. The
// root is "".
func (t Tree) List(directory string, recursive bool) []Node {
	prefix := ""
	if directory != "" {
		prefix = directory + "/"
	}
	var files []Node
	directories := make(map[string]bool)
	for path, entry := range t.Below(directory) {
		tail := strings.TrimPrefix(path, prefix)
		for i := range len(tail) {
			if tail[i] == '/' && (recursive || !strings.Contains(tail[:i], "/")) {
				directories[prefix+tail[:i]] = true
			}
		}
		if recursive || !strings.Contains(tail, "/") {
			files = append(files, Node{entry.ID, path, entry.Mode(), entry})
		}
	}
	var nodes []Node
	for path := range directories {
		nodes = append(nodes, Node{ID: t.hashBelow(path + "/"), Path: path, Mode: directoryMode})
	}
	byPath := func(a, b Node) int { return cmp.Compare(a.Path, b.Path) }
	slices.SortFunc(nodes, byPath)
	slices.SortFunc(files, byPath)
	return append(nodes, files...)
}

// samePath reports whether a file or a whole directory is the same in two
// trees.
func samePath(a, b Tree, path string) bool {
	return a[path].Equal(b[path]) && a.Below(path).Equal(b.Below(path))
}

// Blocks reports whether a file cannot be put at a path, because one of its directories
// is a file, or the path itself is a directory.
func (t Tree) Blocks(path string) bool {
	for i := strings.LastIndexByte(path, '/'); i > 0; i = strings.LastIndexByte(path[:i], '/') {
		if t[path[:i]].Exists() {
			return true
		}
	}
	return len(t.Below(path)) > 0
}

// ValidPath reports whether a path is valid for a file: relative, without empty
// elements, and inside the directory.
func ValidPath(path string) bool {
	for element := range strings.SplitSeq(path, "/") {
		if element == "" || element == "." || element == ".." || element == ".git" {
			return false
		}
	}
	return !strings.ContainsRune(path, 0)
}
