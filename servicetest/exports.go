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
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
	"example.com/serviceapi/servicetest/internal/gitrepo"
)

// scheduleExport starts an export. While one is in progress, another call
// changes nothing.
func scheduleExport(c *call, project *Project) *reply {
	order := exportOrder{description: c.String("description")}
	// An empty object means none: some clients always send one.
	if upload := c.Sub("upload"); len(upload.Values) > 0 {
		if order.uploadTo = upload.String("url"); order.uploadTo == "" {
			c.Problem("upload[url] is missing")
		}
		frame.AcceptIn(upload.StringIn, "http_method", "PUT", "POST")
	}
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if e := c.svc.exportOf(project); e.step == "" {
		e.step = "queued"
		c.svc.later(ExportQueuedFor, func() { c.svc.beginExport(project, order) })
	}
	return c.Accepted(object{"message": "202 Accepted"})
}

func exportStatus(c *call, project *Project) *reply {
	o := exportObject{projectSummary: project.summary(), ExportStatus: c.svc.exportOf(project).status()}
	if o.ExportStatus == "finished" {
		o.Links = &exportLinks{
			APIURL: c.base() + strings.TrimSuffix(c.Request.URL.EscapedPath(), "/") + "/download",
			WebURL: project.webURL("download_export"),
		}
	}
	return c.OK(o)
}

// base returns the origin at which the caller reached the service.
func (c *call) base() string {
	if c.Request.TLS != nil {
		return "https://" + c.Request.Host
	}
	return "http://" + c.Request.Host
}

func downloadExport(c *call, project *Project) *reply {
	e := c.svc.exportOf(project)
	if e.archive == nil {
		return frame.Message(http.StatusNotFound, "404 Not Found - The project export file does not exist yet")
	}
	archive, name := e.archive, e.name
	return &reply{Stream: func(w http.ResponseWriter, r *http.Request) {
		archive().reply(c, name, gzipType).Write(w, r)
	}}
}

// How long an export stays in each of its states, by the service's clock.
const (
	ExportQueuedFor  = 1 * time.Second
	ExportStartedFor = 4 * time.Second
)

// exports keeps the exports of a service.
type exports struct {
	of      map[*Project]*export
	maxSize int64 // of an archive; 0 means unlimited
}

// An export is the state of a project's exports.
type export struct {
	step    string          // queued or started while one is in progress, otherwise empty
	archive func() *content // of the last finished export, or nil
	name    string          // of the archive
	fails   bool            // the next export is abandoned
	content *content        // of the next export; nil for the project's own
}

func (s *Service) exportOf(p *Project) *export { return kept(&state[exports](s).of, p) }

// status returns the name of the export's state in the API.
func (e *export) status() string {
	switch {
	case e.step != "" && e.archive != nil:
		return "regeneration_in_progress"
	case e.step != "":
		return e.step
	case e.archive != nil:
		return "finished"
	}
	return "none"
}

type exportObject struct {
	*projectSummary

	ExportStatus string       `json:"export_status"`
	Links        *exportLinks `json:"_links,omitempty"`
}

type exportLinks struct {
	APIURL string `json:"api_url"`
	WebURL string `json:"web_url"`
}

// An exportOrder is what a caller asks an export for.
type exportOrder struct {
	description string
	uploadTo    string // empty means nowhere
}

func (s *Service) beginExport(p *Project, order exportOrder) {
	s.exportOf(p).step = "started"
	s.after(ExportStartedFor, func() { s.finishExport(p, order) })
}

// finishExport keeps the current state of the project. The archive is written
// later, when it is first needed, without the lock.
func (s *Service) finishExport(p *Project, order exportOrder) {
	archive, limit := s.nextArchive(p, order)
	fits := limit <= 0 || archive().size <= limit
	var sent *content
	if fits && order.uploadTo != "" {
		sent = archive()
	}
	defer s.lock()()
	e := s.exportOf(p)
	fails := e.fails || !fits
	e.step, e.content, e.fails = "", nil, false
	if fails {
		return
	}
	e.archive = archive
	e.name = s.now().Format("2006-01-02_15-04-05_") + strings.ReplaceAll(p.fullPath(), "/", "_") + "_export.tar.gz"
	if order.uploadTo != "" {
		s.putRemote(order.uploadTo, remoteFile{contentType: gzipType, length: sent.size, content: sent})
	}
}

// nextArchive returns the function that makes the archive of a project's next
// export, and the maximum size of the archive.
func (s *Service) nextArchive(p *Project, order exportOrder) (archive func() *content, limit int64) {
	defer s.lock()()
	limit = state[exports](s).maxSize
	if given := s.exportOf(p).content; given != nil {
		return func() *content { return given }, limit
	}
	draft := p.draftArchive(order.description)
	return sync.OnceValue(func() *content { return textContent(draft.write(), draft.at) }), limit
}

// FailNextExport makes the service abandon the next export of the project. The API has no
// state for that: the status returns to what it was before.
func (p *Project) FailNextExport() {
	defer p.svc.lock()()
	p.svc.exportOf(p).fails = true
}

// ExportFrom sets the archive of the project's next export. It can have any
// size and is not kept in memory. The source must not change and must allow
// concurrent reads.
func (p *Project) ExportFrom(size int64, source io.ReaderAt) {
	defer p.svc.lock()()
	p.svc.exportOf(p).content = sourceContent(size, source, p.svc.now())
}

// ExportStatus returns the state of the project's export: none, queued,
// started, finished or regeneration_in_progress.
func (p *Project) ExportStatus() string {
	defer p.svc.lock()()
	return p.svc.exportOf(p).status()
}

// ExportedArchive returns an archive of the project in its current state, as an
// export would write it. Use it for imports.
func (p *Project) ExportedArchive() []byte {
	unlock := p.svc.lock()
	draft := p.draftArchive("")
	unlock()
	return draft.write()
}

// SetMaxExportSize limits the size of exported archives, in bytes. Larger
// exports are abandoned. 0, the default, means no limit.
func (s *Service) SetMaxExportSize(bytes int64) {
	defer s.lock()()
	state[exports](s).maxSize = bytes
}

// Names of the files in an archive of a project.
const (
	archiveProject    = "tree/project.json"
	archiveRepository = "tree/repository.json"
	archiveBlobs      = "blobs/"
)

// An archivedProject is the description of a project in an archive.
type archivedProject struct {
	Description                  string `json:"description"`
	Visibility                   string `json:"visibility"`
	DefaultBranch                string `json:"default_branch"`
	Archived                     bool   `json:"archived"`
	ContainerRegistryAccessLevel string `json:"container_registry_access_level"`
}

// An archivedRepository is the commits of a project in an archive, parents
// before their children.
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
	Submodule  bool   `json:"submodule,omitempty"`
}

// An archiveDraft is a project at the time of an export. It does not change, so
// it can be written without the lock.
type archiveDraft struct {
	at         time.Time
	project    archivedProject
	repository archivedRepository // without commits
	commits    []*gitrepo.Commit
}

// draftArchive returns the content of an archive of the project. The
// description replaces the project's own if it is not empty.
func (p *Project) draftArchive(description string) *archiveDraft {
	repository := p.repository()
	return &archiveDraft{
		at: p.svc.now(),
		project: archivedProject{
			Description: either(description, p.description), Visibility: p.visibility, DefaultBranch: p.defaultBranch,
			Archived: p.archived, ContainerRegistryAccessLevel: p.registry,
		},
		repository: repository.refs(), commits: repository.Commits(),
	}
}

// write writes a gzipped tar file. The same project at the same time always makes the
// same bytes.
func (d *archiveDraft) write() []byte {
	var buffer bytes.Buffer
	zip, err := gzip.NewWriterLevel(&buffer, gzip.BestSpeed)
	w := &archiveWriter{tar: tar.NewWriter(zip), modified: d.at, err: err}
	w.add("VERSION", []byte("0.2.4\n"))
	w.add(archiveProject, frame.Encode(d.project))
	for _, c := range d.commits {
		d.repository.add(c)
	}
	w.add(archiveRepository, frame.Encode(d.repository))
	blobs := blobsOf(d.commits)
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

// refs returns the branches and tags for an archive.
func (r *repository) refs() archivedRepository {
	a := archivedRepository{Branches: make(map[string]string), Tags: make(map[string]string)}
	for _, name := range r.Branches() {
		a.Branches[name] = r.Branch(name).SHA
	}
	for _, name := range r.Tags() {
		a.Tags[name] = r.Tag(name).Commit.SHA
	}
	return a
}

func (a *archivedRepository) add(c *gitrepo.Commit) {
	made := archivedCommit{
		SHA: c.SHA, Message: c.Message, Parents: c.Parents,
		AuthorName: c.Author.Name, AuthorEmail: c.Author.Email, AuthoredAt: c.Author.At,
		CommitterName: c.Committer.Name, CommitterEmail: c.Committer.Email, CommittedAt: c.Committer.At,
	}
	for _, path := range c.Tree.Paths() {
		file := c.Tree[path]
		made.Files = append(made.Files, archivedFile{path, file.ID, file.Executable, file.Submodule})
	}
	a.Commits = append(a.Commits, made)
}

// blobsOf returns the contents of all files of some commits.
func blobsOf(commits []*gitrepo.Commit) map[string]*gitrepo.Blob {
	found := make(map[string]*gitrepo.Blob)
	for _, c := range commits {
		for _, file := range c.Tree {
			if !file.Submodule {
				found[file.ID] = file.Blob
			}
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

// An archiveParser reads archives one at a time, so that only one at a time is
// unpacked in memory. It keeps the last one, because programs often import the
// same archive again.
type archiveParser struct {
	mu     sync.Mutex
	sum    string // of the last archive
	last   *parsedArchive
	failed error
}

// parse reads an archive with a checksum. The result must not be changed.
func (p *archiveParser) parse(data []byte, sum string) (*parsedArchive, error) {
	if sum == "" {
		sum = frame.SHA256Hex(string(data))
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if sum != p.sum {
		p.last, p.failed = parseArchive(data)
		p.sum = sum
	}
	return p.last, p.failed
}

// maxUnpacked is the maximum size of an unpacked archive.
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
		content, err := readEntry(r, header.Size)
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

// readEntry reads a file of a tar file into memory, unless its size is
// implausible.
func readEntry(r io.Reader, size int64) ([]byte, error) {
	if size < 0 || size > maxUnpacked {
		return nil, fmt.Errorf("%d bytes are too many", size)
	}
	var content bytes.Buffer
	content.Grow(int(min(size, maxReadArchive)) + bytes.MinRead)
	_, err := content.ReadFrom(r)
	return content.Bytes(), err
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

// restore adds the commits of an archive to a repository. Their hashes stay the same.
func (a *parsedArchive) restore(r *repository) error {
	for _, from := range a.repository.Commits {
		draft := gitrepo.Draft{
			Tree: gitrepo.Tree{}, Message: from.Message,
			Author:    gitrepo.Signature{Name: from.AuthorName, Email: from.AuthorEmail, At: from.AuthoredAt},
			Committer: gitrepo.Signature{Name: from.CommitterName, Email: from.CommitterEmail, At: from.CommittedAt},
		}
		for _, file := range from.Files {
			data := a.blobs[file.Blob]
			if file.Submodule {
				data = gitrepo.NewSubmodule(file.Blob).Blob
			}
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

// point sets refs of one kind to commits by their hashes.
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
