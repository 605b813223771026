package servicetest

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/gitrepo"
)

// archiveWriters make archives of files in a directory, by format.
var archiveWriters = map[string]func(directory string, files gitrepo.Tree, modified time.Time) []byte{
	"tar":    tarArchive,
	"tar.gz": tarGzArchive,
	"zip":    zipArchive,
}

// archiveDirectory returns the name of the directory in an archive, which is
// also the name of the archive.
func archiveDirectory(project *Project, ref string, commit *gitrepo.Commit, path string) string {
	parts := []string{project.path, strings.ReplaceAll(ref, "/", "-"), commit.SHA}
	if path != "" {
		parts = append(parts, strings.ReplaceAll(path, "/", "-"))
	}
	return strings.Join(parts, "-")
}

// archivedTree returns the files of an archive.
func archivedTree(tree gitrepo.Tree, directory string, excluded []string) gitrepo.Tree {
	files := tree.Below(directory)
	for path := range files {
		for _, out := range excluded {
			out = strings.Trim(out, "/")
			if path == out || strings.HasPrefix(path, out+"/") {
				delete(files, path)
			}
		}
	}
	return files
}

func fileMode(entry gitrepo.Entry) int64 {
	if entry.Executable {
		return 0o755
	}
	return 0o644
}

func tarArchive(directory string, files gitrepo.Tree, modified time.Time) []byte {
	var buffer bytes.Buffer
	writeTar(&buffer, directory, files, modified)
	return buffer.Bytes()
}

func tarGzArchive(directory string, files gitrepo.Tree, modified time.Time) []byte {
	var buffer bytes.Buffer
	packed := gzip.NewWriter(&buffer)
	writeTar(packed, directory, files, modified)
	must(packed.Close())
	return buffer.Bytes()
}

func writeTar(to io.Writer, directory string, files gitrepo.Tree, modified time.Time) {
	w := tar.NewWriter(to)
	for _, path := range files.Paths() {
		entry := files[path]
		must(w.WriteHeader(&tar.Header{
			Typeflag: tar.TypeReg, Name: directory + "/" + path, Mode: fileMode(entry), Size: int64(len(entry.Data)), ModTime: modified,
		}))
		_, err := w.Write(entry.Data)
		must(err)
	}
	must(w.Close())
}

func zipArchive(directory string, files gitrepo.Tree, modified time.Time) []byte {
	var buffer bytes.Buffer
	w := zip.NewWriter(&buffer)
	for _, path := range files.Paths() {
		entry, err := w.CreateHeader(&zip.FileHeader{Name: directory + "/" + path, Method: zip.Deflate, Modified: modified})
		must(err)
		_, err = entry.Write(files[path].Data)
		must(err)
	}
	must(w.Close())
	return buffer.Bytes()
}

// must panics on an error, which writing to memory cannot return.
func must(err error) {
	if err != nil {
		panic(fmt.Sprintf("servicetest: cannot write an archive: %v", err))
	}
}
