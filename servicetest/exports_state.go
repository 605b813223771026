package servicetest

import (
	"io"
	"strings"
	"time"
)

// How long an export stays in each of its states, by the service's clock.
const (
	ExportQueuedFor  = 1 * time.Second
	ExportStartedFor = 4 * time.Second
)

// exports holds the exports of a service.
type exports struct {
	of      map[*Project]*export
	maxSize int64 // of an archive; 0: unlimited
}

// An export is what a project knows of its exports.
type export struct {
	step    string   // queued or started while one is under way, or empty
	archive *content // of the last that finished, nil if there is none
	name    string   // of the archive
	fails   bool     // the next one is given up
	content *content // of the next one, nil for the project's own
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

// status returns the export's state as the API names it.
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

// exportOrder is what a call asks of an export.
type exportOrder struct {
	description string
	uploadTo    string // empty: nowhere
}

func (s *Service) beginExport(p *Project, order exportOrder) {
	defer s.lock()()
	s.exportOf(p).step = "started"
	s.after(ExportStartedFor, func() { s.finishExport(p, order) })
}

func (s *Service) finishExport(p *Project, order exportOrder) {
	defer s.lock()()
	e, limit := s.exportOf(p), state[exports](s).maxSize
	made, fails := e.content, e.fails
	e.step, e.content, e.fails = "", nil, false
	if made == nil {
		made = textContent(p.archive(order.description), s.now())
	}
	if fails || limit > 0 && made.size > limit {
		return
	}
	e.archive = made
	e.name = s.now().Format("2006-01-02_15-04-05_") + strings.ReplaceAll(p.fullPath(), "/", "_") + "_export.tar.gz"
	if order.uploadTo != "" {
		s.putRemote(order.uploadTo, remoteFile{contentType: gzipType, length: made.size, content: made})
	}
}

// FailNextExport makes the service give up the next export of the project. The
// API has no state for that: the status becomes what it was before.
func (p *Project) FailNextExport() {
	defer p.svc.lock()()
	p.svc.exportOf(p).fails = true
}

// ExportFrom makes the archive of the project's next export one of any size
// that is not held in memory. The source must not change and must allow
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

// ExportedArchive returns an archive of the project as it is now, as an export
// would make it, for imports.
func (p *Project) ExportedArchive() []byte {
	defer p.svc.lock()()
	return p.archive("")
}

// SetMaxExportSize limits the size of exported archives, in bytes. Larger
// exports are given up. 0, the default, means no limit.
func (s *Service) SetMaxExportSize(bytes int64) {
	defer s.lock()()
	state[exports](s).maxSize = bytes
}
