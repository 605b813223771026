package servicetest

import (
	"bytes"
	"encoding/base64"
	"maps"
	"net/http"
	"path"
	"strconv"
	"strings"
)

// A foundFile is a file as it was asked for.
type foundFile struct {
	repository *repository
	commit     *commit
	entry      treeEntry
	ref, path  string
}

// repositoryFile returns the file of the path, from a ref. fallback is the ref where
// none was given; without one it must be given.
func (c *call) repositoryFile(fallback string) (foundFile, *reply) {
	project, refusal := c.project()
	if refusal != nil {
		return foundFile{}, refusal
	}
	if fallback == "" {
		c.require("ref")
	}
	f := foundFile{repository: project.repository(), ref: either(c.str("ref"), fallback), path: c.pathText("file_path")}
	if refusal := c.refusal(); refusal != nil {
		return f, refusal
	}
	if f.commit = f.repository.resolve(f.ref); f.commit == nil {
		return f, notFound("Commit")
	}
	var exists bool
	if f.entry, exists = f.commit.tree[f.path]; !exists {
		return f, notFound("File")
	}
	return f, nil
}

type fileObject struct {
	FileName        string `json:"file_name"`
	FilePath        string `json:"file_path"`
	Size            int    `json:"size"`
	Encoding        string `json:"encoding"`
	ContentSHA256   string `json:"content_sha256"`
	Ref             string `json:"ref"`
	BlobID          string `json:"blob_id"`
	CommitID        string `json:"commit_id"`
	LastCommitID    string `json:"last_commit_id"`
	ExecuteFilemode bool   `json:"execute_filemode"`
	Content         string `json:"content"`
}

// describe returns all about a file but its content.
func (f foundFile) describe() *fileObject {
	return &fileObject{
		FileName: path.Base(f.path), FilePath: f.path, Size: len(f.entry.data), Encoding: "base64",
		ContentSHA256: f.entry.sha256(), Ref: f.ref, BlobID: f.entry.id, CommitID: f.commit.sha,
		LastCommitID: f.repository.lastChange(f.commit, f.path).sha, ExecuteFilemode: f.entry.executable,
	}
}

// headers returns the same as headers.
func (f foundFile) headers() http.Header {
	o := f.describe()
	return http.Header{
		"X-Service-File-Name":        {o.FileName},
		"X-Service-File-Path":        {o.FilePath},
		"X-Service-Size":             {strconv.Itoa(o.Size)},
		"X-Service-Encoding":         {o.Encoding},
		"X-Service-Content-Sha256":   {o.ContentSHA256},
		"X-Service-Ref":              {o.Ref},
		"X-Service-Blob-Id":          {o.BlobID},
		"X-Service-Commit-Id":        {o.CommitID},
		"X-Service-Last-Commit-Id":   {o.LastCommitID},
		"X-Service-Execute-Filemode": {strconv.FormatBool(o.ExecuteFilemode)},
	}
}

func getFile(c *call) *reply {
	f, refusal := c.repositoryFile("")
	if refusal != nil {
		return refusal
	}
	o := f.describe()
	o.Content = base64.StdEncoding.EncodeToString(f.entry.data)
	return c.ok(o)
}

func headFile(c *call) *reply {
	f, refusal := c.repositoryFile("")
	if refusal != nil {
		return refusal
	}
	return &reply{status: http.StatusOK, header: f.headers()}
}

func rawFile(c *call) *reply {
	f, refusal := c.repositoryFile("HEAD")
	if refusal != nil {
		return refusal
	}
	kind := "application/octet-stream"
	if f.entry.isText() {
		kind = "text/plain; charset=utf-8"
	}
	sent := c.file(path.Base(f.path), kind, `"`+f.entry.id+`"`, f.commit.committedAt,
		bytes.NewReader(f.entry.data), int64(len(f.entry.data)))
	serve, headers := sent.stream, f.headers()
	sent.stream = func(w http.ResponseWriter, r *http.Request) {
		maps.Copy(w.Header(), headers)
		serve(w, r)
	}
	return sent
}

type blameCommit struct {
	ID             string   `json:"id"`
	Message        string   `json:"message"`
	ParentIDs      []string `json:"parent_ids"`
	AuthoredDate   jsonTime `json:"authored_date"`
	AuthorName     string   `json:"author_name"`
	AuthorEmail    string   `json:"author_email"`
	CommittedDate  jsonTime `json:"committed_date"`
	CommitterName  string   `json:"committer_name"`
	CommitterEmail string   `json:"committer_email"`
}

type blameRange struct {
	Commit blameCommit `json:"commit"`
	Lines  []string    `json:"lines"`
}

func blameFile(c *call) *reply {
	f, refusal := c.repositoryFile("")
	if refusal != nil {
		return refusal
	}
	lines := f.entry.lines()
	from, to, refusal := c.lineRange(len(lines))
	if refusal != nil {
		return refusal
	}
	ranges := []blameRange{}
	var last *commit
	for i, origin := range f.repository.blame(f.commit, f.path)[from:to] {
		if origin != last {
			ranges = append(ranges, blameRange{Commit: origin.blame()})
			last = origin
		}
		at := &ranges[len(ranges)-1]
		at.Lines = append(at.Lines, strings.TrimSuffix(lines[from+i], "\n"))
	}
	return listOf(c, ranges, func(r blameRange) blameRange { return r })
}

// lineRange reads range[start] and range[end], which count from 1; all lines if
// they are not given.
func (c *call) lineRange(count int) (from, to int, refusal *reply) {
	if !c.has("range") {
		return 0, count, nil
	}
	asked := c.sub("range")
	for _, end := range []string{"start", "end"} {
		if asked.str(end) == "" {
			c.problem("range[" + end + "] is missing")
		}
	}
	start, end := asked.int64("start"), asked.int64("end")
	if refusal := c.refusal(); refusal != nil {
		return 0, 0, refusal
	}
	if start < 1 || end < start {
		return 0, 0, badRequest("range[start] must be positive, and not above range[end]")
	}
	return int(min(start-1, int64(count))), int(min(end, int64(count))), nil
}

func (c *commit) blame() blameCommit {
	return blameCommit{
		ID: c.sha, Message: c.message, ParentIDs: append([]string{}, c.parents...),
		AuthoredDate: jsonTime(c.authoredAt), AuthorName: c.authorName, AuthorEmail: c.authorEmail,
		CommittedDate: jsonTime(c.committedAt), CommitterName: c.committerName, CommitterEmail: c.committerEmail,
	}
}

func createFile(c *call) *reply { return c.changeFile("create", http.StatusCreated) }
func updateFile(c *call) *reply { return c.changeFile("update", http.StatusOK) }
func deleteFile(c *call) *reply { return c.changeFile("delete", http.StatusNoContent) }

// changeFile commits one change to the file of the path. What is wrong with it
// is not said.
func (c *call) changeFile(kind string, status int) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	r := project.repository()
	req := c.commitRequest()
	a := fileAction{kind: kind, path: c.pathText("file_path"), executable: c.executable()}
	a.content, a.hasContent = c.content("content")
	if kind != "create" {
		a.lastCommit = c.str("last_commit_id")
	}
	if kind != "delete" && !a.hasContent {
		c.problem("content is missing")
	}
	if refusal := c.refusal(); refusal != nil {
		return refusal
	}
	req.actions = []fileAction{a}
	start := c.str("start_branch")
	if req.start = r.branch(start); start != "" && req.start == nil {
		return notCommitted()
	}
	if _, problem := r.perform(req); problem != "" {
		return notCommitted()
	}
	if status == http.StatusNoContent {
		return c.noContent()
	}
	return jsonReply(status, object{"file_path": a.path, "branch": req.branch})
}

func notCommitted() *reply {
	return message(http.StatusBadRequest, "Your changes could not be committed")
}
