package servicetest

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
	"example.com/serviceapi/servicetest/internal/gitrepo"
)

// A diffVersion is the diff of a merge request after a push, or after a change
// of the target branch.
type diffVersion struct {
	id int64
	diffRefs
	createdAt time.Time
	target    string // the target branch
}

// diffVersions numbers the versions of all merge requests.
type diffVersions struct{ last int64 }

// observe records a new version of the diff if it has changed.
func (m *MergeRequest) observe(refs diffRefs) {
	if refs.head == nil || refs.base == nil || refs.start == nil || m.preparing {
		return
	}
	if n := len(m.versions); n > 0 {
		last := m.versions[n-1]
		if last.head == refs.head && last.base == refs.base && last.target == m.targetBranch {
			return
		}
	}
	ids := state[diffVersions](m.svc)
	ids.last++
	m.versions = append(m.versions, &diffVersion{ids.last, refs, m.svc.now(), m.targetBranch})
}

// history returns the versions of the diff, oldest first.
func (m *MergeRequest) history() []*diffVersion {
	m.check()
	return m.versions
}

// commits returns the commits of the merge request, newest first. It returns none until
// the diff is computed.
func (m *MergeRequest) commits() []*gitrepo.Commit {
	refs := m.refs()
	if m.preparing || refs.head == nil || refs.base == nil {
		return nil
	}
	return m.project.repository().Between(refs.base, refs.head)
}

func hasSHA(sha string) func(*gitrepo.Commit) bool {
	return func(c *gitrepo.Commit) bool { return c.SHA == sha }
}

// changes returns the changes of the merge request.
func (m *MergeRequest) changes() []gitrepo.Change {
	refs := m.refs()
	if m.preparing || refs.head == nil || refs.base == nil {
		return nil
	}
	return gitrepo.DiffTrees(refs.base.Tree, refs.head.Tree)
}

func listMergeRequestCommits(c *call, m *MergeRequest) *reply {
	return frame.ListOf(c, m.commits(), m.project.repository().commitObject)
}

// requestDiff is the JSON of a change in a merge request.
type requestDiff struct {
	diffObject

	GeneratedFile bool `json:"generated_file"`
}

func listMergeRequestDiffs(c *call, m *MergeRequest) *reply {
	unidiff := c.Bool("unidiff")
	return frame.ListOf(c, m.changes(), func(change gitrepo.Change) requestDiff {
		return requestDiff{diffObject: unified(diffOf(change), unidiff)}
	})
}

// unified adds the header lines that name the files, if unidiff is true.
func unified(d diffObject, unidiff bool) diffObject {
	if !unidiff || d.Diff == "" {
		return d
	}
	before, after := "a/"+d.OldPath, "b/"+d.NewPath
	if d.NewFile {
		before = "/dev/null"
	}
	if d.DeletedFile {
		after = "/dev/null"
	}
	d.Diff = "--- " + before + "\n+++ " + after + "\n" + d.Diff
	return d
}

// requestChanges is the JSON of a merge request with its changes.
type requestChanges struct {
	*mergeRequestDetails

	Changes  []diffObject `json:"changes"`
	Overflow bool         `json:"overflow"`
}

func getMergeRequestChanges(c *call, m *MergeRequest) *reply {
	unidiff := c.Bool("unidiff")
	frame.Accept(c.Bool, "access_raw_diffs") // there are no limits here
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	form := requestChanges{mergeRequestDetails: c.details(m), Changes: []diffObject{}}
	for _, change := range m.changes() {
		form.Changes = append(form.Changes, unified(diffOf(change), unidiff))
	}
	return c.OK(form)
}

// versionJSON is the JSON of a version of a diff.
type versionJSON struct {
	ID             int64    `json:"id"`
	HeadCommitSHA  string   `json:"head_commit_sha"`
	BaseCommitSHA  string   `json:"base_commit_sha"`
	StartCommitSHA string   `json:"start_commit_sha"`
	CreatedAt      jsonTime `json:"created_at"`
	MergeRequestID int64    `json:"merge_request_id"`
	State          string   `json:"state"`
	RealSize       string   `json:"real_size"`
	PatchIDSHA     string   `json:"patch_id_sha"`
}

// versionDetails is the JSON of a single version, with its commits and changes.
type versionDetails struct {
	versionJSON

	Commits []*commitObject `json:"commits"`
	Diffs   []diffObject    `json:"diffs"`
}

// json returns the JSON of a version of the diff of a merge request.
func (v *diffVersion) json(m *MergeRequest) versionJSON {
	form := versionJSON{
		ID: v.id, HeadCommitSHA: v.head.SHA, BaseCommitSHA: v.base.SHA, StartCommitSHA: v.start.SHA,
		CreatedAt:      jsonTime(v.createdAt),
		MergeRequestID: m.id, State: "collected", RealSize: strconv.Itoa(gitrepo.CountFiles(v.base.Tree, v.head.Tree)),
	}
	var patch []string
	for _, change := range gitrepo.DiffTrees(v.base.Tree, v.head.Tree) {
		patch = append(patch, change.OldPath, change.NewPath, change.Unified())
	}
	if form.PatchIDSHA = frame.SHA(patch...); len(patch) == 0 {
		form.State = "empty"
	}
	return form
}

func listMergeRequestVersions(c *call, m *MergeRequest) *reply {
	versions := slices.Clone(m.history())
	slices.Reverse(versions)
	return frame.ListOf(c, versions, func(v *diffVersion) versionJSON { return v.json(m) })
}

func getMergeRequestVersion(c *call, m *MergeRequest) *reply {
	unidiff := c.Bool("unidiff")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	history := m.history()
	at := slices.IndexFunc(history, func(v *diffVersion) bool { return v.id == c.PathInt64("version_id") })
	if at < 0 {
		return frame.NotFound("")
	}
	v := history[at]
	form := versionDetails{versionJSON: v.json(m), Commits: []*commitObject{}, Diffs: []diffObject{}}
	for _, commit := range m.project.repository().Between(v.base, v.head) {
		form.Commits = append(form.Commits, m.project.repository().commitObject(commit))
	}
	for _, change := range gitrepo.DiffTrees(v.base.Tree, v.head.Tree) {
		form.Diffs = append(form.Diffs, unified(diffOf(change), unidiff))
	}
	return c.OK(form)
}

// downloadRawDiffs sends the changes in the format of git diff.
func downloadRawDiffs(c *call, m *MergeRequest) *reply {
	var text strings.Builder
	for _, change := range m.changes() {
		text.WriteString(gitDiff(change))
	}
	name := "merge-request-" + frame.Itoa(m.iid) + ".diff"
	return c.File(name, "text/plain; charset=utf-8", "", time.Time{}, strings.NewReader(text.String()),
		int64(text.Len()))
}

// gitDiff returns a change with the lines that git writes before it.
func gitDiff(change gitrepo.Change) string {
	lines := "diff --git a/" + change.OldPath + " b/" + change.NewPath + "\n"
	switch {
	case change.Added():
		lines += "new file mode " + change.New.Mode() + "\n"
	case change.Removed():
		lines += "deleted file mode " + change.Old.Mode() + "\n"
	case change.Old.Mode() != change.New.Mode():
		lines += "old mode " + change.Old.Mode() + "\nnew mode " + change.New.Mode() + "\n"
	}
	if change.Renamed() {
		lines += "rename from " + change.OldPath + "\nrename to " + change.NewPath + "\n"
	}
	if change.IsBinary() {
		return lines + change.Unified()
	}
	return lines + unified(diffOf(change), true).Diff
}
