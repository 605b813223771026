package servicetest

import (
	"bytes"
	"encoding/base64"
	"errors"
	"maps"
	"net/http"
	"path"
	"strings"

	"example.com/serviceapi/servicetest/internal/frame"
	"example.com/serviceapi/servicetest/internal/gitrepo"
)

// A foundFile is a file with the path and the ref that were asked for.
type foundFile struct {
	repository *repository
	commit     *gitrepo.Commit
	entry      gitrepo.Entry
	ref, path  string
}

// repositoryFile returns the file of the path at a ref. fallback is the default
// ref. If it is empty, the ref is required.
func (c *call) repositoryFile(fallback string) (foundFile, *reply) {
	project, refusal := c.project()
	if refusal != nil {
		return foundFile{}, refusal
	}
	if fallback == "" {
		c.Require("ref")
	}
	f := foundFile{repository: project.repository(), ref: either(c.Str("ref"), fallback), path: c.PathText("file_path")}
	if refusal := c.Refusal(); refusal != nil {
		return f, refusal
	}
	if f.commit = f.repository.Resolve(f.ref); f.commit == nil {
		return f, frame.NotFound("Commit")
	}
	var exists bool
	if f.entry, exists = f.commit.Tree[f.path]; !exists {
		return f, frame.NotFound("File")
	}
	return f, nil
}

func getFile(c *call) *reply {
	f, refusal := c.repositoryFile("")
	if refusal != nil {
		return refusal
	}
	o := f.describe()
	o.Content = base64.StdEncoding.EncodeToString(f.entry.Data)
	return c.OK(o)
}

func headFile(c *call) *reply {
	f, refusal := c.repositoryFile("")
	if refusal != nil {
		return refusal
	}
	return &reply{Status: http.StatusOK, Header: f.headers()}
}

func rawFile(c *call) *reply {
	f, refusal := c.repositoryFile("HEAD")
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

func blameFile(c *call) *reply {
	f, refusal := c.repositoryFile("")
	if refusal != nil {
		return refusal
	}
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

// lineRange reads range[start] and range[end], which count from 1. The default
// is all lines.
func (c *call) lineRange(count int) (from, to int, refusal *reply) {
	if !c.Has("range") {
		return 0, count, nil
	}
	asked := c.Sub("range")
	for _, end := range []string{"start", "end"} {
		if asked.Str(end) == "" {
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

// changeFile commits one change to the file of the path. The response to an
// invalid change says only whether the file exists.
func (c *call) changeFile(kind gitrepo.ActionKind, status int) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	r := project.repository()
	req := c.commitRequest()
	a := gitrepo.Action{Kind: kind, Path: c.PathText("file_path"), Executable: executable(c.Fields)}
	a.Content, a.HasContent = fileContent(c.Fields)
	if kind != gitrepo.Create {
		a.LastCommit = c.Str("last_commit_id")
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
	start := c.Str("start_branch")
	if req.Start = r.Branch(start); start != "" && req.Start == nil {
		return notCommitted()
	}
	_, err := r.Apply(req)
	switch {
	case errors.Is(err, gitrepo.ErrFileExists), errors.Is(err, gitrepo.ErrNoFile):
		return frame.Message(http.StatusBadRequest, commitProblem(err, req.Branch))
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
