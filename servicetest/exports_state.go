package servicetest

import (
	"io"
	"strings"
	"sync"
	"time"
)

// These are how long an export stays in each of its states, by the service's
// clock.
const (
	ExportQueuedFor  = 1 * time.Second
	ExportStartedFor = 4 * time.Second
)

// exports has the exports of a service.
type exports struct {
	of      map[*Project]*export
	maxSize int64 // of an archive; 0 means unlimited
}

// An export is the state of a project's exports.
type export struct {
	step    string          // queued or started while one is in progress, otherwise empty
	archive func() *content // of the last that finished, or nil if there is none
	name    string          // of the archive
	fails   bool            // the next one is abandoned
	content *content        // of the next one, nil for the project's own
}

func (s *Service) exportOf(p *Project) *export {
	all := state[exports](s)
	if all.of == nil {
		all.of = make(map[*Project]*export)
	}
	if all.of[p] == nil {
		all.of[p] = new(export)
	}
	return all.of[p]
}

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

// exportOrder is what a call asks for.
type exportOrder struct {
	description string
	uploadTo    string // empty means nowhere
}

func (s *Service) beginExport(p *Project, order exportOrder) {
	defer s.lock()()
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

// FailNextExport makes the service abandon the next export of the project. The
// API has no state for that: the status becomes what it was before.
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
