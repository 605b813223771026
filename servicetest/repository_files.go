package servicetest

import (
	"bytes"
	"encoding/base64"
	"errors"
	"maps"
	"net/http"
	"path"
	"strconv"
	"strings"

	"example.com/serviceapi/servicetest/internal/frame"
	"example.com/serviceapi/servicetest/internal/gitrepo"
)

// A foundFile is a file with the path and the ref from the call.
type foundFile struct {
	repository *repository
	commit     *gitrepo.Commit
	entry      gitrepo.Entry
	ref, path  string
}

// fileAtRef returns the file of the path at a ref, which is required.
func (c *call) fileAtRef() (foundFile, *reply) {
	c.Require("ref")
	return c.repositoryFile()
}

// repositoryFile returns the file of the path at a ref, which is HEAD by default.
func (c *call) repositoryFile() (foundFile, *reply) {
	project, refusal := c.project()
	if refusal != nil {
		return foundFile{}, refusal
	}
	ref := either(c.String("ref"), "HEAD")
	f := foundFile{repository: project.repository(), ref: ref, path: c.PathString("file_path")}
	if refusal := c.Refusal(); refusal != nil {
		return f, refusal
	}
	if f.commit = f.repository.Resolve(f.ref); f.commit == nil {
		return f, frame.NotFound("Commit")
	}
	var exists bool
	if f.entry, exists = f.commit.Tree[f.path]; !exists || f.entry.Submodule {
		return f, frame.NotFound("File")
	}
	return f, nil
}

func getFile(c *call, f foundFile) *reply {
	o := f.describe()
	o.Content = base64.StdEncoding.EncodeToString(f.entry.Data)
	return c.OK(o)
}

func headFile(c *call, f foundFile) *reply {
	return &reply{Status: http.StatusOK, Header: f.headers()}
}

func rawFile(c *call) *reply {
	frame.Accept(c.Bool, "lfs") // no file here is a pointer
	f, refusal := c.repositoryFile()
	if refusal != nil {
		return refusal
	}
	kind := "application/octet-stream"
	if f.entry.IsText() {
		kind = "text/plain; charset=utf-8"
	}
	sent := c.File(path.Base(f.path), kind, `"`+f.entry.ID+`"`, f.commit.Committer.At,
		bytes.NewReader(f.entry.Data), int64(len(f.entry.Data)))
	serve, headers := sent.Stream, f.headers()
	sent.Stream = func(w http.ResponseWriter, r *http.Request) {
		maps.Copy(w.Header(), headers)
		serve(w, r)
	}
	return sent
}

func blameFile(c *call, f foundFile) *reply {
	lines := f.entry.Lines()
	from, to, refusal := c.lineRange(len(lines))
	if refusal != nil {
		return refusal
	}
	ranges := []blameRange{}
	var last *gitrepo.Commit
	for i, origin := range f.repository.Blame(f.commit, f.path)[from:to] {
		if origin != last {
			ranges = append(ranges, blameRange{Commit: blameOf(origin)})
			last = origin
		}
		at := &ranges[len(ranges)-1]
		at.Lines = append(at.Lines, strings.TrimSuffix(lines[from+i], "\n"))
	}
	return frame.ListOf(c, ranges, func(r blameRange) blameRange { return r })
}

// lineRange reads range[start] and range[end], which count from 1. Without them, it
// returns all lines.
func (c *call) lineRange(count int) (from, to int, refusal *reply) {
	if !c.Has("range") {
		return 0, count, nil
	}
	asked := c.Sub("range")
	for _, end := range []string{"start", "end"} {
		if asked.String(end) == "" {
			c.Problem("range[" + end + "] is missing")
		}
	}
	start, end := asked.Int64("start"), asked.Int64("end")
	if refusal := c.Refusal(); refusal != nil {
		return 0, 0, refusal
	}
	if start < 1 || end < start {
		return 0, 0, frame.BadRequest("range[start] must be positive, and not above range[end]")
	}
	return int(min(start-1, int64(count))), int(min(end, int64(count))), nil
}

func createFile(c *call) *reply { return c.changeFile(gitrepo.Create, http.StatusCreated) }

func updateFile(c *call) *reply { return c.changeFile(gitrepo.Update, http.StatusOK) }

func deleteFile(c *call) *reply { return c.changeFile(gitrepo.Delete, http.StatusNoContent) }

// changeFile commits one change to the file of the path. The response to an invalid
// change only says whether the file exists.
func (c *call) changeFile(kind gitrepo.ActionKind, status int) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	r := project.repository()
	req := c.commitRequest()
	a := gitrepo.Action{Kind: kind, Path: c.PathString("file_path"), Executable: executable(c.Fields)}
	a.Content, a.HasContent = fileContent(c.Fields)
	if kind != gitrepo.Create {
		a.LastCommit = c.String("last_commit_id")
	}
	if kind != gitrepo.Delete && !a.HasContent {
		c.Problem("content is missing")
	}
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if !project.mayPush(c.user, req.Branch) {
		return frame.Forbidden(notPushable)
	}
	req.Actions = []gitrepo.Action{a}
	start := c.String("start_branch")
	if req.Start = r.Branch(start); start != "" && req.Start == nil {
		return notCommitted()
	}
	_, refusal, err := r.apply(req)
	switch {
	case refusal != nil:
		return refusal
	case errors.Is(err, gitrepo.ErrFileExists), errors.Is(err, gitrepo.ErrNoFile):
		return frame.Message(http.StatusBadRequest, commitProblem(err, req.Branch))
	case errors.Is(err, gitrepo.ErrFileChanged) && kind == gitrepo.Delete:
		return frame.Message(http.StatusBadRequest,
			"You are attempting to delete a file that has been previously updated.")
	case errors.Is(err, gitrepo.ErrFileChanged):
		return frame.Message(http.StatusBadRequest,
			"You are attempting to update a file that has changed since you started editing it.")
	case err != nil:
		return notCommitted()
	}
	if status == http.StatusNoContent {
		return c.NoContent()
	}
	return frame.JSONReply(status, object{"file_path": a.Path, "branch": req.Branch})
}

func notCommitted() *reply {
	return frame.Message(http.StatusBadRequest, "Your changes could not be committed")
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

// describe returns everything about a file except its content.
func (f foundFile) describe() *fileObject {
	return &fileObject{
		FileName: path.Base(f.path), FilePath: f.path, Size: len(f.entry.Data), Encoding: "base64",
		ContentSHA256: f.entry.SHA256(), Ref: f.ref, BlobID: f.entry.ID, CommitID: f.commit.SHA,
		LastCommitID: f.repository.LastChange(f.commit, f.path).SHA, ExecuteFilemode: f.entry.Executable,
	}
}

// headers returns the same data as describe in headers.
func (f foundFile) headers() http.Header {
	o, h := f.describe(), f.repository.project.svc.settings.header
	return http.Header{
		h("File-Name"):        {o.FileName},
		h("File-Path"):        {o.FilePath},
		h("Size"):             {strconv.Itoa(o.Size)},
		h("Encoding"):         {o.Encoding},
		h("Content-Sha256"):   {o.ContentSHA256},
		h("Ref"):              {o.Ref},
		h("Blob-Id"):          {o.BlobID},
		h("Commit-Id"):        {o.CommitID},
		h("Last-Commit-Id"):   {o.LastCommitID},
		h("Execute-Filemode"): {strconv.FormatBool(o.ExecuteFilemode)},
	}
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

func blameOf(c *gitrepo.Commit) blameCommit {
	return blameCommit{
		ID: c.SHA, Message: c.Message, ParentIDs: append([]string{}, c.Parents...),
		AuthoredDate: jsonTime(c.Author.At), AuthorName: c.Author.Name, AuthorEmail: c.Author.Email,
		CommittedDate: jsonTime(c.Committer.At), CommitterName: c.Committer.Name, CommitterEmail: c.Committer.Email,
	}
}
