package servicetest

import (
	"archive/zip"
	"io"
	"iter"
	"mime"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
)

// archiveName is the file name of every artifacts archive.
const archiveName = "artifacts.zip"

// archivedJob returns the job of the path. It refuses one without an archive.
func (c *call) archivedJob() (*Job, *reply) {
	if refusal := c.requireJobTokenTier(); refusal != nil {
		return nil, refusal
	}
	job, refusal := c.findJob()
	if refusal != nil {
		return nil, refusal
	}
	if job.archive == nil {
		return job, frame.NotFound("")
	}
	return job, nil
}

// requireJobTokenTier refuses job tokens for downloads below the premium tier.
func (c *call) requireJobTokenTier() *reply {
	if c.job() == nil {
		return nil
	}
	return c.requireTier(Premium)
}

// latestJob returns the job that the ref of the path and the parameter job name. It
// looks in the most recent successful pipeline, and in parent pipelines before child
// pipelines.
func (c *call) latestJob() (*Job, *reply) {
	if refusal := c.requireJobTokenTier(); refusal != nil {
		return nil, refusal
	}
	project, refusal := c.project()
	if refusal != nil {
		return nil, refusal
	}
	name, search := c.RequiredString("job"), c.Bool("search_recent_successful_pipelines")
	if refusal := c.Refusal(); refusal != nil {
		return nil, refusal
	}
	for pipeline := range project.successes(c.PathString("ref_name")) {
		for _, p := range pipeline.family() {
			if job := p.archivedJob(name); job != nil {
				return job, nil
			}
		}
		if !search {
			break
		}
	}
	return nil, frame.NotFound("")
}

// latestSuccess returns the most recent successful pipeline of a branch or tag,
// or nil if there is none.
func (p *Project) latestSuccess(ref string) *Pipeline {
	for pipeline := range p.successes(ref) {
		return pipeline
	}
	return nil
}

// successes returns the successful pipelines of a branch or tag, the most recent
// first.
func (p *Project) successes(ref string) iter.Seq[*Pipeline] {
	return func(yield func(*Pipeline) bool) {
		for _, pipeline := range slices.Backward(p.pipelines) {
			if pipeline.parent != nil || pipeline.ref != ref {
				continue
			}
			if pipeline.settle(); pipeline.status == "success" && !yield(pipeline) {
				return
			}
		}
	}
}

// archivedJob returns the newest job of that name that has an archive.
func (p *Pipeline) archivedJob(name string) *Job {
	for i := len(p.jobs) - 1; i >= 0; i-- {
		job := p.jobs[i]
		job.expire()
		if job.name == name && !job.retried && job.archive != nil {
			return job
		}
	}
	return nil
}

func downloadArchive(c *call, job *Job) *reply {
	return job.archive.reply(c, archiveName, "application/zip")
}

func downloadLatestArchive(c *call, job *Job) *reply {
	return job.archive.reply(c, archiveName, "application/zip")
}

func downloadFile(c *call, job *Job) *reply { return c.fileOf(job.archive) }

func downloadLatestFile(c *call, job *Job) *reply { return c.fileOf(job.archive) }

// fileOf sends the file in an archive that the path names.
func (c *call) fileOf(archive *content) *reply {
	name := c.PathString("artifact_path")
	if !validArchivePath(name) {
		return frame.BadRequest("")
	}
	return &reply{Stream: func(w http.ResponseWriter, r *http.Request) {
		entry := archive.entry(name)
		if entry == nil {
			frame.NotFound("").Write(w, r)
			return
		}
		sendEntry(w, entry)
	}}
}

// validArchivePath reports whether a path can name a file in an archive.
func validArchivePath(name string) bool {
	if strings.ContainsAny(name, "\x00\\") {
		return false
	}
	for segment := range strings.SplitSeq(name, "/") {
		if segment == ".." || segment == "." || segment == "" {
			return false
		}
	}
	return true
}

// kept returns a file of a zip file, or nil if there is none with that name.
func (c *content) entry(name string) *zip.File {
	files, err := zip.NewReader(c.source, c.size)
	if err != nil {
		return nil
	}
	return one(files.File, func(f *zip.File) bool { return f.Name == name && !f.FileInfo().IsDir() })
}

// listArtifactTree lists a folder of an archive, which has entries for its folders.
func listArtifactTree(c *call) *reply {
	job, refusal := c.archivedJob()
	switch {
	case refusal != nil && job != nil:
		return frame.NotFound("Artifacts")
	case refusal != nil:
		return refusal
	}
	files, err := zip.NewReader(job.archive.source, job.archive.size)
	if err != nil {
		return frame.NotFound("Artifacts metadata")
	}
	folder, all := c.String("path"), c.Bool("recursive")
	if folder != "" {
		folder = strings.TrimSuffix(folder, "/") + "/"
	}
	exists, folders, entries := folder == "", []object{}, []object{}
	for _, f := range files.File {
		below, inside := strings.CutPrefix(f.Name, folder)
		exists = exists || f.Name == folder
		entry := object{"name": path.Base(f.Name), "path": f.Name, "type": "directory", "mode": "040755"}
		switch dir, _ := path.Split(strings.TrimSuffix(below, "/")); {
		case !inside || below == "" || dir != "" && !all:
		case f.FileInfo().IsDir():
			folders = append(folders, entry)
		default:
			entry["type"], entry["mode"], entry["size"] = "file", "100644", f.UncompressedSize64
			entries = append(entries, entry)
		}
	}
	if !exists {
		return frame.NotFound("Path")
	}
	return frame.ListOf(c, append(folders, entries...), func(entry object) object { return entry })
}

func sendEntry(w http.ResponseWriter, entry *zip.File) {
	file, err := entry.Open()
	if err != nil {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	defer file.Close()
	kind := mime.TypeByExtension(path.Ext(entry.Name))
	if kind == "" {
		kind = "application/octet-stream"
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Length", strconv.FormatUint(entry.UncompressedSize64, 10))
	if _, err := io.Copy(w, file); err != nil {
		panic(http.ErrAbortHandler)
	}
}

func keepArtifacts(c *call, job *Job) *reply {
	if job.archive == nil {
		return frame.NotFound("")
	}
	job.expireAt = time.Time{}
	job.change()
	return c.OK(keptJob{jobObject: *job.object(), DownloadURL: jsonText(job.downloadURL())})
}

func (j *Job) downloadURL() string {
	return j.pipeline.project.webURL("-/jobs", strconv.FormatInt(j.id, 10), "artifacts/download")
}

func deleteArtifacts(c *call, job *Job) *reply {
	job.erase()
	return c.NoContent()
}

// deleteProjectArtifacts expires all archives except those of the most recent
// successful pipeline of each ref.
func deleteProjectArtifacts(c *call, project *Project) *reply {
	kept := make(map[string]*Pipeline)
	for _, job := range project.jobs {
		root := job.pipeline.root()
		latest, known := kept[root.ref]
		if !known {
			latest = project.latestSuccess(root.ref)
			kept[root.ref] = latest
		}
		if (job.archive != nil || job.junit != nil) && root != latest {
			job.expireAt = c.now()
			job.change()
		}
	}
	return c.Accepted(nil)
}

// HasArchive reports whether the job has an artifacts archive that was not
// deleted and has not expired.
func (j *Job) HasArchive() bool {
	defer j.svc.lock()()
	j.expire()
	return j.archive != nil
}

// ArtifactsExpireAt returns when the artifacts expire, or the zero time if they
// do not.
func (j *Job) ArtifactsExpireAt() time.Time { return read(j.svc, &j.expireAt) }

// expire deletes the artifacts if they have expired.
func (j *Job) expire() {
	if (j.archive != nil || j.junit != nil) && !j.expireAt.IsZero() && !j.expireAt.After(j.svc.now()) {
		j.erase()
	}
}

// erase deletes the artifacts, but not the log.
func (j *Job) erase() {
	j.archive, j.junit = nil, nil
	j.change()
}

// dateArtifacts sets when the artifacts expire, unless an option already has.
func (j *Job) dateArtifacts() {
	if j.archive != nil && j.expireAt.IsZero() && !j.keeps {
		j.expireAt = j.svc.now().Add(30 * 24 * time.Hour)
	}
}
