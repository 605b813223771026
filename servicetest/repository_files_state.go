package servicetest

import (
	"net/http"
	"path"
	"strconv"

	"example.com/serviceapi/servicetest/internal/gitrepo"
)

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

// headers returns the same as headers.
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
