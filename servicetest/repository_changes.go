package servicetest

import (
	"cmp"
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

// downloadBlob returns the content of a file by its hash.
func downloadBlob(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	blob := blobsOf(project.repository().Commits())[c.PathString("sha")]
	if blob == nil {
		return frame.NotFound("Blob")
	}
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
func listContributors(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
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
func getChangelog(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	version, from, to := c.RequiredString("version"), c.String("from"), c.String("to")
	date, trailer := c.Time("date"), either(c.String("trailer"), "Changelog")
	frame.Accept(c.String, "config_file", "config_file_ref")
	if version != "" && !semanticVersion.MatchString(version) {
		c.Invalid("version")
	}
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	r := project.repository()
	start, end := r.Commit(from), r.Resolve(either(to, "HEAD"))
	if from == "" {
		start = r.lastStable(version)
	}
	switch {
	case start == nil && from == "":
		return noChangelog("The commit start range is unspecified, and no previous tag could be found to use instead")
	case start == nil || end == nil:
		return noChangelog("The commits of the range do not exist")
	}
	if date.IsZero() {
		date = c.now()
	}
	title := fmt.Sprintf("## %s (%s)\n\n", strings.TrimPrefix(version, "v"), date.UTC().Format(time.DateOnly))
	return c.OK(object{"notes": title + r.changes(r.Between(start, end), trailer)})
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
