package servicetest

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
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

func listMergeRequestDiffs(c *call, m *MergeRequest) *reply {
	unidiff := c.Bool("unidiff")
	return frame.ListOf(c, m.changes(), func(change gitrepo.Change) jsonBytes {
		return joined(unified(diffOf(change), unidiff), object{"generated_file": false})
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

// diffsOf returns the JSON of changes of files.
func diffsOf(changes []gitrepo.Change, unidiff bool) []diffObject {
	return mapped(changes, func(change gitrepo.Change) diffObject { return unified(diffOf(change), unidiff) })
}

func getMergeRequestChanges(c *call, m *MergeRequest) *reply {
	unidiff := c.Bool("unidiff")
	frame.Accept(c.Bool, "access_raw_diffs") // there are no limits here
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	form := c.details(m)
	return c.OK(jsonBytes(joined(form, object{"changes": diffsOf(m.changes(), unidiff), "overflow": false})))
}

// json returns the JSON of a version of the diff of a merge request.
func (v *diffVersion) json(m *MergeRequest) *collection.Form {
	state := "collected"
	var patch []string
	for _, change := range gitrepo.DiffTrees(v.base.Tree, v.head.Tree) {
		patch = append(patch, change.OldPath, change.NewPath, change.Unified())
	}
	if len(patch) == 0 {
		state = "empty"
	}
	return inOrder("id", v.id, "head_commit_sha", v.head.SHA, "base_commit_sha", v.base.SHA,
		"start_commit_sha", v.start.SHA, "created_at", jsonTime(v.createdAt), "merge_request_id", m.id,
		"state", state, "real_size", strconv.Itoa(gitrepo.CountFiles(v.base.Tree, v.head.Tree)),
		"patch_id_sha", frame.SHA(patch...))
}

func listMergeRequestVersions(c *call, m *MergeRequest) *reply {
	versions := slices.Clone(m.history())
	slices.Reverse(versions)
	return frame.ListOf(c, versions, func(v *diffVersion) *collection.Form { return v.json(m) })
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
	form, r := v.json(m), m.project.repository()
	form.Add("commits", mapped(r.Between(v.base, v.head), r.commitObject))
	form.Add("diffs", diffsOf(gitrepo.DiffTrees(v.base.Tree, v.head.Tree), unidiff))
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
