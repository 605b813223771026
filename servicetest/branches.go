package servicetest

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"example.com/serviceapi/servicetest/internal/frame"
	"example.com/serviceapi/servicetest/internal/gitrepo"
)

func listBranches(c *call, project *Project) *reply {
	r := project.repository()
	c.Exclusive("search", "regex")
	names := c.search(r.Branches())
	if pattern, err := regexp.Compile(c.String("regex")); err != nil {
		c.Problem("regex is invalid")
	} else {
		names = slices.DeleteFunc(names, func(name string) bool { return !pattern.MatchString(name) })
	}
	sort := c.StringIn("sort", "name_asc", "updated_asc", "updated_desc")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if sort == "updated_asc" || sort == "updated_desc" {
		r.sortByHead(names, sort == "updated_desc")
	}
	return nameList(c, names, func(name string) *branchObject { return r.branchObject(name, c.user) })
}

// search keeps the names that the parameter search matches.
func (c *call) search(names []string) []string {
	term := c.String("search")
	start, atStart := strings.CutPrefix(term, "^")
	end, atEnd := strings.CutSuffix(term, "$")
	return slices.DeleteFunc(names, func(name string) bool {
		switch {
		case atStart:
			return !strings.HasPrefix(strings.ToLower(name), strings.ToLower(start))
		case atEnd:
			return !strings.HasSuffix(strings.ToLower(name), strings.ToLower(end))
		}
		return !frame.ContainsFold(name, term)
	})
}

// sortByHead orders branches by the time of their newest commit.
func (r *repository) sortByHead(names []string, newestFirst bool) {
	slices.SortStableFunc(names, func(a, b string) int {
		order := r.Branch(a).Committer.At.Compare(r.Branch(b).Committer.At)
		if newestFirst {
			order = -order
		}
		return cmp.Or(order, cmp.Compare(a, b))
	})
}

// nameList returns a page of named things: by page number, or those after the name in
// page_token.
func nameList[J any](c *call, names []string, form func(name string) J) *reply {
	if !c.WantsKeyset() {
		return frame.ListOf(c, names, form)
	}
	return tokenPage(c, names, func(name string) string { return name }, form)
}

// tokenPage returns a page of the items after the one with the token in page_token.
func tokenPage[T, J any](c *call, items []T, token func(T) string, form func(T) J) *reply {
	_, perPage := c.PageNumbers()
	after := c.String("page_token")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	from := 0
	if after != "" {
		from = slices.IndexFunc(items, func(item T) bool { return token(item) == after }) + 1
		if from == 0 {
			return frame.Unprocessable("Invalid page token: " + after)
		}
	}
	to := min(from+perPage, len(items))
	r := frame.Assemble(to-from, func(i int) *encoded { return &encoded{Data: frame.Encode(form(items[from+i]))} })
	r.Header["X-Per-Page"] = []string{fmt.Sprint(perPage)}
	if to < len(items) {
		next := c.Self(map[string]string{"page_token": token(items[to-1])})
		r.Header["Link"] = []string{fmt.Sprintf(`<%s>; rel="next"`, next)}
	}
	return r
}

// findBranch returns the branch of the path.
func (c *call) findBranch() (*repository, string, *reply) {
	project, refusal := c.project()
	if refusal != nil {
		return nil, "", refusal
	}
	r, name := project.repository(), c.PathString("branch")
	if r.Branch(name) == nil {
		return nil, "", frame.NotFound("Branch")
	}
	return r, name, nil
}

func getBranch(c *call, r *repository, name string) *reply {
	return c.OK(r.branchObject(name, c.user))
}

func headBranch(c *call) *reply {
	if _, _, refusal := c.findBranch(); refusal != nil {
		return refusal
	}
	return c.NoContent()
}

// deleteMergedBranches deletes them at once: there is no background.
func deleteMergedBranches(c *call, project *Project) *reply {
	r := project.repository()
	used := make(map[string]bool)
	for _, m := range project.mergeRequests().all(func(m *MergeRequest) bool { return m.state == "opened" }) {
		used[m.targetBranch] = true
		used[m.sourceBranch] = used[m.sourceBranch] || m.source == project
	}
	for _, name := range r.Branches() {
		if !used[name] && r.isMerged(r.Branch(name)) && !project.isProtected(name) {
			r.DeleteBranch(name)
		}
	}
	return c.Accepted(object{"message": "202 Accepted"})
}

func createBranch(c *call, project *Project) *reply {
	name, ref := c.RequiredString("branch"), c.RequiredString("ref")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	r := project.repository()
	start := r.Resolve(ref)
	if start == nil {
		return frame.Message(http.StatusBadRequest, fmt.Sprintf(
			"Failed to create branch '%s': invalid reference name '%s'", name, ref))
	}
	if !project.mayPush(c.user, name) {
		return frame.Message(http.StatusBadRequest, "You are not allowed to create protected branches on this project.")
	}
	if refusal := project.refuseBranch(name); refusal != nil {
		return refusal
	}
	switch err := r.CreateBranch(name, start); {
	case errors.Is(err, gitrepo.ErrRefExists):
		return frame.Message(http.StatusBadRequest, "Branch already exists")
	case err != nil:
		return frame.Message(http.StatusBadRequest, "Branch name is invalid")
	}
	return c.Created(r.branchObject(name, c.user))
}

func deleteBranch(c *call, r *repository, name string) *reply {
	if refusal := c.Unchanged(r.Branch(name).Committer.At); refusal != nil {
		return refusal
	}
	if name == r.project.defaultBranch {
		return frame.Message(http.StatusBadRequest, "The default branch of a project cannot be deleted.")
	}
	if r.project.isProtected(name) {
		return frame.Message(http.StatusBadRequest, "Protected branches cannot be deleted.")
	}
	r.DeleteBranch(name)
	return c.NoContent()
}

// notPushable is the message for a caller who may not push to a branch.
const notPushable = "You are not allowed to push into this branch"

// branchObject is the JSON of a branch.
type branchObject struct {
	Name               string        `json:"name"`
	Commit             *commitObject `json:"commit"`
	Merged             bool          `json:"merged"`
	Protected          bool          `json:"protected"`
	DevelopersCanPush  bool          `json:"developers_can_push"`
	DevelopersCanMerge bool          `json:"developers_can_merge"`
	CanPush            bool          `json:"can_push"`
	Default            bool          `json:"default"`
	WebURL             string        `json:"web_url"`
}

// branchObject returns the JSON of a branch as a user sees it.
func (r *repository) branchObject(name string, user *User) *branchObject {
	p, head := r.project, r.Branch(name)
	rules := p.branchRules(name)
	developers := func(levels func(*protectedBranch) []protectionLevel) bool {
		return slices.ContainsFunc(rules, func(b *protectedBranch) bool {
			return slices.ContainsFunc(levels(b), protectionLevel.forDevelopers)
		})
	}
	isDefault := name == p.defaultBranch
	return &branchObject{
		Name: name, Commit: r.commitObject(head), Merged: !isDefault && r.isMerged(head), Protected: len(rules) > 0,
		DevelopersCanPush:  developers(func(b *protectedBranch) []protectionLevel { return b.push }),
		DevelopersCanMerge: developers(func(b *protectedBranch) []protectionLevel { return b.merge }),
		CanPush:            p.mayPush(user, name), Default: isDefault, WebURL: p.webURL("-/tree", name),
	}
}

// isMerged reports whether the default branch contains the head of a branch and
// more. A branch that was just made is not merged.
func (r *repository) isMerged(head *gitrepo.Commit) bool {
	merged := r.Branch(r.project.defaultBranch)
	return head != merged && r.Contains(merged, head)
}
