package servicetest

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"example.com/serviceapi/servicetest/internal/gitrepo"
)

func listBranches(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	r := project.repository()
	c.exclusive("search", "regex")
	names := c.search(r.Branches())
	if pattern, err := regexp.Compile(c.str("regex")); err != nil {
		c.problem("regex is invalid")
	} else {
		names = slices.DeleteFunc(names, func(name string) bool { return !pattern.MatchString(name) })
	}
	sort := c.oneOf("sort", "name_asc", "updated_asc", "updated_desc")
	if refusal := c.refusal(); refusal != nil {
		return refusal
	}
	if sort == "updated_asc" || sort == "updated_desc" {
		r.sortByHead(names, sort == "updated_desc")
	}
	return nameList(c, names, func(name string) *branchObject { return r.branchObject(name, c.user) })
}

// search keeps the names that the parameter search matches.
func (c *call) search(names []string) []string {
	term := c.str("search")
	start, atStart := strings.CutPrefix(term, "^")
	end, atEnd := strings.CutSuffix(term, "$")
	return slices.DeleteFunc(names, func(name string) bool {
		switch {
		case atStart:
			return !strings.HasPrefix(strings.ToLower(name), strings.ToLower(start))
		case atEnd:
			return !strings.HasSuffix(strings.ToLower(name), strings.ToLower(end))
		}
		return !containsFold(name, term)
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

// nameList returns a page of things that have names: by page number, or after
// the name in page_token.
func nameList[J any](c *call, names []string, form func(name string) J) *reply {
	if !c.wantsKeyset() {
		return listOf(c, names, form)
	}
	return tokenPage(c, names, func(name string) string { return name }, form)
}

// tokenPage returns a page of the items after the one whose token is
// page_token.
func tokenPage[T, J any](c *call, items []T, token func(T) string, form func(T) J) *reply {
	_, perPage := c.pageNumbers()
	after := c.str("page_token")
	if refusal := c.refusal(); refusal != nil {
		return refusal
	}
	from := 0
	if after != "" {
		from = slices.IndexFunc(items, func(item T) bool { return token(item) == after }) + 1
		if from == 0 {
			return unprocessable("Invalid page token: " + after)
		}
	}
	to := min(from+perPage, len(items))
	r := assemble(to-from, func(i int) *encoded { return &encoded{data: encode(form(items[from+i]))} })
	r.header["X-Per-Page"] = []string{fmt.Sprint(perPage)}
	if to < len(items) {
		next := c.self(map[string]string{"page_token": token(items[to-1])})
		r.header["Link"] = []string{fmt.Sprintf(`<%s>; rel="next"`, next)}
	}
	return r
}

// findBranch returns the branch of the path.
func (c *call) findBranch() (*repository, string, *reply) {
	project, refusal := c.project()
	if refusal != nil {
		return nil, "", refusal
	}
	r, name := project.repository(), c.pathText("branch")
	if r.Branch(name) == nil {
		return nil, "", notFound("Branch")
	}
	return r, name, nil
}

func getBranch(c *call) *reply {
	r, name, refusal := c.findBranch()
	if refusal != nil {
		return refusal
	}
	return c.ok(r.branchObject(name, c.user))
}

func createBranch(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	name, ref := c.required("branch"), c.required("ref")
	if refusal := c.refusal(); refusal != nil {
		return refusal
	}
	r := project.repository()
	start := r.Resolve(ref)
	if start == nil {
		return message(http.StatusBadRequest, "Invalid reference name: "+ref)
	}
	if !project.mayPush(c.user, name) {
		return message(http.StatusBadRequest, "You are not allowed to create protected branches on this project.")
	}
	switch err := r.CreateBranch(name, start); {
	case errors.Is(err, gitrepo.ErrRefExists):
		return message(http.StatusBadRequest, "Branch already exists")
	case err != nil:
		return message(http.StatusBadRequest, "Branch name is invalid")
	}
	return c.created(r.branchObject(name, c.user))
}

func deleteBranch(c *call) *reply {
	r, name, refusal := c.findBranch()
	if refusal != nil {
		return refusal
	}
	if refusal := c.unchanged(r.Branch(name).Committer.At); refusal != nil {
		return refusal
	}
	if name == r.project.defaultBranch {
		return message(http.StatusBadRequest, "The default branch of a project cannot be deleted.")
	}
	if _, protected := r.project.protectionOf(name); protected {
		return message(http.StatusBadRequest, "Protected branches cannot be deleted.")
	}
	r.DeleteBranch(name)
	return c.noContent()
}
