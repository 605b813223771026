package servicetest

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"example.com/serviceapi/servicetest/internal/gitrepo"
)

// Names of what is in an archive of a project.
const (
	archiveProject    = "tree/project.json"
	archiveRepository = "tree/repository.json"
	archiveBlobs      = "blobs/"
)

// An archivedProject is what an archive says of a project.
type archivedProject struct {
	Description                  string `json:"description"`
	Visibility                   string `json:"visibility"`
	DefaultBranch                string `json:"default_branch"`
	Archived                     bool   `json:"archived"`
	ContainerRegistryAccessLevel string `json:"container_registry_access_level"`
}

// An archivedRepository is what an archive says of the commits of a project,
// parents before their children.
type archivedRepository struct {
	Commits  []archivedCommit  `json:"commits"`
	Branches map[string]string `json:"branches"`
	Tags     map[string]string `json:"tags"`
}

type archivedCommit struct {
	SHA            string         `json:"sha"`
	Message        string         `json:"message"`
	AuthorName     string         `json:"author_name"`
	AuthorEmail    string         `json:"author_email"`
	AuthoredAt     time.Time      `json:"authored_at"`
	CommitterName  string         `json:"committer_name"`
	CommitterEmail string         `json:"committer_email"`
	CommittedAt    time.Time      `json:"committed_at"`
	Parents        []string       `json:"parents"`
	Files          []archivedFile `json:"files"`
}

type archivedFile struct {
	Path       string `json:"path"`
	Blob       string `json:"blob"`
	Executable bool   `json:"executable,omitempty"`
}

// archive writes a project into a gzip tarball, always the same for the same
// project. The description replaces the project's own if it is not empty.
func (p *Project) archive(description string) []byte {
	var buffer bytes.Buffer
	zip := gzip.NewWriter(&buffer)
	w := &archiveWriter{tar: tar.NewWriter(zip), modified: p.svc.now()}
	repository := p.repository()
	w.add("VERSION", []byte("0.2.4\n"))
	w.add(archiveProject, encode(archivedProject{
		Description: either(description, p.description), Visibility: p.visibility, DefaultBranch: p.defaultBranch,
		Archived: p.archived, ContainerRegistryAccessLevel: p.registry,
	}))
	w.add(archiveRepository, encode(repository.archived()))
	blobs := repository.blobs()
	for _, id := range slices.Sorted(maps.Keys(blobs)) {
		w.add(archiveBlobs+id, blobs[id].Data)
	}
	if err := errors.Join(w.err, w.tar.Close(), zip.Close()); err != nil {
		panic("servicetest: cannot write an archive: " + err.Error())
	}
	return buffer.Bytes()
}

// archiveWriter writes files until the first error.
type archiveWriter struct {
	tar      *tar.Writer
	modified time.Time
	err      error
}

func (w *archiveWriter) add(name string, data []byte) {
	if w.err != nil {
		return
	}
	w.err = w.tar.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(data)), ModTime: w.modified})
	if w.err == nil {
		_, w.err = w.tar.Write(data)
	}
}

func (r *repository) archived() archivedRepository {
	a := archivedRepository{Branches: make(map[string]string), Tags: make(map[string]string)}
	for _, name := range r.Branches() {
		a.Branches[name] = r.Branch(name).SHA
	}
	for _, name := range r.Tags() {
		a.Tags[name] = r.Tag(name).Commit.SHA
	}
	for _, c := range r.Commits() {
		made := archivedCommit{
			SHA: c.SHA, Message: c.Message, Parents: c.Parents,
			AuthorName: c.Author.Name, AuthorEmail: c.Author.Email, AuthoredAt: c.Author.At,
			CommitterName: c.Committer.Name, CommitterEmail: c.Committer.Email, CommittedAt: c.Committer.At,
		}
		for _, path := range c.Tree.Paths() {
			file := c.Tree[path]
			made.Files = append(made.Files, archivedFile{Path: path, Blob: file.ID, Executable: file.Executable})
		}
		a.Commits = append(a.Commits, made)
	}
	return a
}

// blobs returns the contents of all files of all commits.
func (r *repository) blobs() map[string]*gitrepo.Blob {
	found := make(map[string]*gitrepo.Blob)
	for _, c := range r.Commits() {
		for _, file := range c.Tree {
			found[file.ID] = file.Blob
		}
	}
	return found
}

// A parsedArchive is an archive that was read.
type parsedArchive struct {
	project    archivedProject
	repository archivedRepository
	blobs      map[string]*gitrepo.Blob
}

// maxUnpacked bounds what an archive may unpack to.
const maxUnpacked = 256 << 20

func parseArchive(data []byte) (*parsedArchive, error) {
	unzipped, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("not a gzip file: %w", err)
	}
	a := &parsedArchive{blobs: make(map[string]*gitrepo.Blob)}
	known := false
	for r := tar.NewReader(io.LimitReader(unzipped, maxUnpacked)); ; {
		header, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("not a tarball: %w", err)
		}
		content, err := io.ReadAll(r)
		if err == nil {
			err = a.take(header.Name, content)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", header.Name, err)
		}
		known = known || header.Name == archiveProject
	}
	if !known {
		return nil, errors.New(archiveProject + " is missing")
	}
	return a, nil
}

func (a *parsedArchive) take(name string, content []byte) error {
	switch name {
	case archiveProject:
		return json.Unmarshal(content, &a.project)
	case archiveRepository:
		return json.Unmarshal(content, &a.repository)
	}
	if len(name) > len(archiveBlobs) && name[:len(archiveBlobs)] == archiveBlobs {
		b := gitrepo.NewBlob(content)
		a.blobs[b.ID] = b
	}
	return nil
}

// restore makes the commits of an archive in a repository. They keep their
// hashes.
func (a *parsedArchive) restore(r *repository) error {
	for _, from := range a.repository.Commits {
		draft := gitrepo.Draft{
			Tree: gitrepo.Tree{}, Message: from.Message,
			Author:    gitrepo.Signature{Name: from.AuthorName, Email: from.AuthorEmail, At: from.AuthoredAt},
			Committer: gitrepo.Signature{Name: from.CommitterName, Email: from.CommitterEmail, At: from.CommittedAt},
		}
		for _, file := range from.Files {
			data := a.blobs[file.Blob]
			if data == nil {
				return fmt.Errorf("the file %s of commit %s is missing", file.Path, from.SHA)
			}
			draft.Tree[file.Path] = gitrepo.Entry{Blob: data, Executable: file.Executable}
		}
		for _, hash := range from.Parents {
			parent := r.Commit(hash)
			if parent == nil {
				return fmt.Errorf("the parent %s of commit %s is missing", hash, from.SHA)
			}
			draft.Parents = append(draft.Parents, parent)
		}
		if made := r.NewCommit(draft); made.SHA != from.SHA {
			return fmt.Errorf("commit %s is damaged", from.SHA)
		}
	}
	return errors.Join(r.point(r.SetBranch, a.repository.Branches), r.point(r.SetTag, a.repository.Tags))
}

// point makes refs of one kind point at commits by their hashes.
func (r *repository) point(set func(string, *gitrepo.Commit), names map[string]string) error {
	for name, hash := range names {
		c := r.Commit(hash)
		if c == nil {
			return fmt.Errorf("%s points at %s, which is missing", name, hash)
		}
		set(name, c)
	}
	return nil
}
