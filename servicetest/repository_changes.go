package servicetest

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
	"example.com/serviceapi/servicetest/internal/gitrepo"
)

// findBlob returns the content with the hash of the path.
func (c *call) findBlob() (*Project, *gitrepo.Blob, *reply) {
	project, refusal := c.project()
	if refusal != nil {
		return nil, nil, refusal
	}
	blob := blobsOf(project.repository().Commits())[c.PathString("sha")]
	if blob == nil {
		return nil, nil, frame.NotFound("Blob")
	}
	return project, blob, nil
}

func getBlob(c *call, _ *Project, blob *gitrepo.Blob) *reply {
	return c.OK(object{"size": len(blob.Data), "encoding": "base64", "sha": blob.ID,
		"content": base64.StdEncoding.EncodeToString(blob.Data)})
}

// downloadBlob returns the content of a file by its hash.
func downloadBlob(c *call, project *Project, blob *gitrepo.Blob) *reply {
	kind := "application/octet-stream"
	if blob.IsText() {
		kind = "text/plain; charset=utf-8"
	}
	return textContent(blob.Data, project.createdAt).reply(c, blob.ID, kind)
}

// contributor is the JSON of a commit author.
type contributor struct {
	Name      string `json:"name"`
	Email     string `json:"email"`
	Commits   int    `json:"commits"`
	Additions int    `json:"additions"`
	Deletions int    `json:"deletions"`
}

// listContributors lists the authors of commits that are not merges, by default in the
// order of their first commits.
func listContributors(c *call, project *Project) *reply {
	ref := c.String("ref")
	by, sort := c.StringIn("order_by", "commits", "name", "email"), c.StringIn("sort", "asc", "desc")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	r := project.repository()
	head := r.Resolve(either(ref, "HEAD"))
	if head == nil && ref != "" {
		return frame.NotFound("Ref")
	}
	found := contributorsOf(r.Between(nil, head))
	slices.SortStableFunc(found, func(a, b *contributor) int { return a.compare(b, by) })
	if sort == "desc" {
		slices.Reverse(found)
	}
	return frame.ListOf(c, found, func(found *contributor) *contributor { return found })
}

// contributorsOf returns the authors of commits in the order of their first commits.
// The newest commit must come first.
func contributorsOf(commits []*gitrepo.Commit) (found []*contributor) {
	known := make(map[[2]string]*contributor)
	for _, commit := range slices.Backward(commits) {
		if len(commit.Parents) > 1 {
			continue
		}
		author := [2]string{commit.Author.Name, commit.Author.Email}
		if known[author] == nil {
			known[author] = &contributor{Name: author[0], Email: author[1]}
			found = append(found, known[author])
		}
		known[author].Commits++
	}
	return found
}

func (a *contributor) compare(b *contributor, by string) int {
	switch by {
	case "commits":
		return cmp.Compare(a.Commits, b.Commits)
	case "name":
		return strings.Compare(a.Name, b.Name)
	case "email":
		return strings.Compare(a.Email, b.Email)
	}
	return 0
}

// semanticVersion matches a version. The pre-release group makes it unstable.
var semanticVersion = regexp.MustCompile(`^v?(\d+)\.(\d+)\.(\d+)(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$`)

// getChangelog returns a changelog of the commits that have a trailer.
func getChangelog(c *call, project *Project) *reply {
	notes, refusal := c.changelog(project.repository(), "HEAD")
	if refusal != nil {
		return refusal
	}
	return c.OK(object{"notes": notes})
}

// changelog reads what a changelog covers, and writes it. It ends at head by default.
func (c *call) changelog(r *repository, head string) (notes string, refusal *reply) {
	version, from, to := c.RequiredString("version"), c.String("from"), c.String("to")
	date, trailer := c.Time("date"), either(c.String("trailer"), "Changelog")
	frame.Accept(c.String, "config_file", "config_file_ref")
	if version != "" && !semanticVersion.MatchString(version) {
		c.Invalid("version")
	}
	if refusal := c.Refusal(); refusal != nil {
		return "", refusal
	}
	start, end := r.Commit(from), r.Resolve(either(to, head))
	if from == "" {
		start = r.lastStable(version)
	}
	switch {
	case start == nil && from == "":
		return "", noChangelog(
			"The commit start range is unspecified, and no previous tag could be found to use instead")
	case start == nil || end == nil:
		return "", noChangelog("The commits of the range do not exist")
	}
	if date.IsZero() {
		date = c.now()
	}
	title := fmt.Sprintf("## %s (%s)\n\n", strings.TrimPrefix(version, "v"), date.UTC().Format(time.DateOnly))
	return title + r.changes(r.Between(start, end), trailer), nil
}

// addChangelog commits a changelog on top of what its file has already.
func addChangelog(c *call, project *Project) *reply {
	r, branch := project.repository(), either(c.String("branch"), project.defaultBranch)
	path, message := either(c.String("file"), "CHANGELOG.md"), c.String("message")
	notes, refusal := c.changelog(r, branch)
	switch {
	case refusal != nil:
		return refusal
	case !project.mayPush(c.user, branch):
		return frame.Forbidden("You are not allowed to commit a changelog on this branch")
	case r.Branch(branch) == nil:
		return noChangelog("The branch does not exist")
	}
	action := gitrepo.Action{Kind: gitrepo.Create, Path: path, Content: []byte(notes), HasContent: true}
	if before := r.Branch(branch).Tree[path]; before.Exists() {
		action.Kind, action.Content = gitrepo.Update, append(append(action.Content, '\n'), before.Data...)
	}
	by := c.user.signature(c.now())
	_, refusal, err := r.apply(gitrepo.Request{
		Branch: branch, Message: either(message, "Add changelog for version "+c.String("version")),
		Author: by, Committer: by, Actions: []gitrepo.Action{action},
	})
	switch {
	case err != nil:
		return noChangelog(commitProblem(err, branch))
	case refusal != nil:
		return refusal
	}
	return &reply{Status: 200}
}

// getMergeBase returns the last commit that all refs have.
func getMergeBase(c *call, project *Project) *reply {
	c.RequireGiven("refs")
	refs := c.Strings("refs")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	r := project.repository()
	var commits []*gitrepo.Commit
	var lost []string
	for _, ref := range refs {
		if found := r.Resolve(ref); found != nil {
			commits = append(commits, found)
		} else {
			lost = append(lost, ref)
		}
	}
	switch base := r.MergeBase(commits...); {
	case len(refs) < 2:
		return frame.Message(400, "Provide at least 2 refs")
	case len(lost) == 1:
		return frame.Message(400, "Could not find ref: "+lost[0])
	case len(lost) > 1:
		return frame.Message(400, "Could not find refs: "+strings.Join(lost, ", "))
	case base == nil:
		return frame.NotFound("Merge Base")
	default:
		return c.OK(r.commitObject(base))
	}
}

// updateSubmodule commits another commit of a submodule.
func updateSubmodule(c *call, project *Project) *reply {
	path, branch, sha := c.PathString("submodule"), c.RequiredString("branch"), c.RequiredString("commit_sha")
	message := either(c.String("commit_message"), fmt.Sprintf("Update submodule %s with oid %s", path, sha))
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	r := project.repository()
	head := r.Branch(branch)
	switch {
	case len(r.Branches()) == 0:
		return frame.Message(400, "The repository is empty")
	case head == nil:
		return frame.Message(400, commitProblem(gitrepo.ErrNoBranch, branch))
	case !project.mayPush(c.user, branch):
		return frame.Message(400, notPushable)
	case !head.Tree[path].IsSubmodule():
		return frame.Message(400, "Invalid submodule path")
	}
	draft := gitrepo.Draft{Tree: maps.Clone(head.Tree), Message: message, Parents: []*gitrepo.Commit{head}}
	draft.Tree[path] = gitrepo.NewSubmodule(sha)
	draft.Author = c.user.signature(c.now())
	draft.Committer = draft.Author
	made := r.NewCommit(draft)
	if refusal := project.refuseCommit(branch, made); refusal != nil {
		return refusal
	}
	r.SetBranch(branch, made)
	o := r.commitObject(made)
	o.withStatus(r, made)
	return c.OK(o)
}

// healthReports keeps the last report of each repository, and when reports were asked for.
type healthReports struct {
	of    map[*Project]object
	asked map[*Project][]time.Time
}

// getRepositoryHealth returns the last report, or makes one: at most five in an hour.
func getRepositoryHealth(c *call, project *Project) *reply {
	generate := c.Bool("generate")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	all := state[healthReports](c.svc)
	if all.of == nil {
		all.of, all.asked = make(map[*Project]object), make(map[*Project][]time.Time)
	}
	if generate {
		all.asked[project] = slices.DeleteFunc(all.asked[project], func(at time.Time) bool {
			return c.now().Sub(at) >= time.Hour
		})
		if len(all.asked[project]) == 5 {
			return frame.JSONReply(429, object{"message": object{"error": "This repository health report has been " +
				"requested too many times. Try again later."}})
		}
		all.asked[project] = append(all.asked[project], c.now())
		all.of[project] = project.repository().health(c.now())
	}
	if all.of[project] == nil {
		return frame.NotFound("")
	}
	return c.OK(all.of[project])
}

// health reports about a repository that was repacked once, when it was made.
func (r *repository) health(now time.Time) object {
	size, commits := 0, r.Commits()
	blobs := blobsOf(commits)
	for _, blob := range blobs {
		size += len(blob.Data)
	}
	report := object{
		"size": size, "is_object_pool": false, "updated_at": jsonTime(now), "alternates": nil,
		"references": object{"loose_count": len(r.Branches()) + len(r.Tags()), "packed_size": 0,
			"reference_backend": "REFERENCE_BACKEND_FILES"},
		"objects": object{"size": size, "recent_size": size, "stale_size": 0, "keep_size": 0, "packfile_count": 1,
			"reverse_index_count": 1, "cruft_count": 0, "keep_count": 0, "stale_loose_objects_count": 0,
			"loose_objects_count": len(commits) + len(blobs), "loose_objects_garbage_count": 0},
		"commit_graph": object{"commit_graph_chain_length": 1, "has_bloom_filters": true, "has_generation_data": true,
			"has_generation_data_overflow": false},
		"bitmap":                  object{"has_hash_cache": true, "has_lookup_table": false, "version": 1},
		"multi_pack_index":        object{"packfile_count": 1, "version": 1},
		"multi_pack_index_bitmap": object{"has_hash_cache": true, "has_lookup_table": true, "version": 1},
		"last_full_repack":        object{"seconds": r.project.createdAt.Unix(), "nanos": 0},
	}
	if origin := r.project.forkedFrom; origin != nil {
		report["alternates"] = object{"object_directories": []string{"pools/" + frame.Itoa(origin.id)},
			"last_modified": jsonTime(r.project.createdAt)}
	}
	return report
}

func noChangelog(why string) *reply {
	return frame.Unprocessable("Failed to generate the changelog: " + why)
}

// lastStable returns the commit of the newest tag of a stable version below another
// version, or nil if there is none.
func (r *repository) lastStable(before string) *gitrepo.Commit {
	var last *gitrepo.Commit
	var newest []int
	limit := numbersOf(before)
	for _, name := range r.Tags() {
		version := numbersOf(name)
		stable := version != nil && semanticVersion.FindStringSubmatch(name)[4] == ""
		if stable && slices.Compare(version, limit) < 0 && slices.Compare(version, newest) > 0 {
			last, newest = r.Tag(name).Commit, version
		}
	}
	return last
}

// numbersOf returns the numbers of a version, or nil if it is not a version.
func numbersOf(version string) []int {
	parts := semanticVersion.FindStringSubmatch(version)
	if parts == nil {
		return nil
	}
	numbers := make([]int, 3)
	for i := range numbers {
		numbers[i], _ = strconv.Atoi(parts[i+1])
	}
	return numbers
}

// reverts matches the line that the message of a revert has.
var reverts = regexp.MustCompile(`This reverts commit ([0-9a-f]{40})`)

// changes returns the sections of a changelog, one for each value of the trailer. The
// newest commit must come first.
func (r *repository) changes(commits []*gitrepo.Commit, trailer string) string {
	reverted := make(map[string]bool)
	sections := make(map[string][]string)
	for _, commit := range commits {
		if match := reverts.FindStringSubmatch(commit.Message); match != nil && !reverted[commit.SHA] {
			reverted[match[1]] = true
		}
		if value := commit.Trailers()[trailer]; value != "" && !reverted[commit.SHA] {
			line := fmt.Sprintf("- [%s](%s@%s)\n", commit.Title(), r.project.fullPath(), commit.SHA)
			sections[value] = append(sections[value], line)
		}
	}
	if len(sections) == 0 {
		return "No changes.\n"
	}
	var notes []string
	for _, value := range slices.Sorted(maps.Keys(sections)) {
		lines := sections[value]
		slices.Reverse(lines)
		count := strconv.Itoa(len(lines)) + " changes"
		if len(lines) == 1 {
			count = "1 change"
		}
		notes = append(notes, "### "+value+" ("+count+")\n\n"+strings.Join(lines, ""))
	}
	return strings.Join(notes, "\n")
}
