package servicetest

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A requestFilter is what a merge request must meet to be listed.
type requestFilter []func(*MergeRequest) bool

func (f *requestFilter) add(keep func(*MergeRequest) bool) { *f = append(*f, keep) }

func (f requestFilter) apply(requests []*MergeRequest) []*MergeRequest {
	var kept []*MergeRequest
	for _, m := range requests {
		if !slices.ContainsFunc(f, func(keep func(*MergeRequest) bool) bool { return !keep(m) }) {
			kept = append(kept, m)
		}
	}
	return kept
}

// A facet is what merge requests have none, one or several of, as text.
type facet func(*MergeRequest) []string

func milestoneOf(m *MergeRequest) []string {
	if m.milestone == nil {
		return nil
	}
	return []string{m.milestone.title}
}

func idsOf(users func(*MergeRequest) []*User) facet {
	return func(m *MergeRequest) []string {
		var ids []string
		for _, user := range users(m) {
			ids = append(ids, strconv.FormatInt(user.id, 10))
		}
		return ids
	}
}

func usernamesOf(users func(*MergeRequest) []*User) facet {
	return func(m *MergeRequest) []string {
		var names []string
		for _, user := range users(m) {
			names = append(names, strings.ToLower(user.username))
		}
		return names
	}
}

func authors(m *MergeRequest) []*User {
	author := m.author.shown()
	if author == nil {
		return nil
	}
	return []*User{author}
}

func assignees(m *MergeRequest) []*User    { return m.assignees }
func reviewers(m *MergeRequest) []*User    { return m.reviewers }
func approvers(m *MergeRequest) []*User    { return m.approvers }
func approvedBy(m *MergeRequest) []*User   { return m.approvedBy }
func labelsOf(m *MergeRequest) []string    { return m.labels }
func titleOf(m *MergeRequest) string       { return m.title }
func descriptionOf(m *MergeRequest) string { return m.description }

// has keeps those that have all of some values, or none or any at all if that
// is the word.
func (f *requestFilter) has(of facet, wanted []string) {
	if len(wanted) == 0 {
		return
	}
	word := ""
	if len(wanted) == 1 {
		word = strings.ToLower(wanted[0])
	}
	f.add(func(m *MergeRequest) bool {
		values := of(m)
		switch word {
		case "none":
			return len(values) == 0
		case "any":
			return len(values) > 0
		}
		return !slices.ContainsFunc(wanted, func(value string) bool { return !slices.Contains(values, value) })
	})
}

// lacks leaves out those that have one of some values.
func (f *requestFilter) lacks(of facet, unwanted []string) {
	if len(unwanted) == 0 {
		return
	}
	f.add(func(m *MergeRequest) bool {
		values := of(m)
		return !slices.ContainsFunc(unwanted, func(value string) bool { return slices.Contains(values, value) })
	})
}

// within keeps those whose time is not outside two parameters.
func (f *requestFilter) within(after, before time.Time, at func(*MergeRequest) time.Time) {
	if !after.IsZero() {
		f.add(func(m *MergeRequest) bool { return !at(m).Before(after) })
	}
	if !before.IsZero() {
		f.add(func(m *MergeRequest) bool { return !at(m).After(before) })
	}
}

// mergeRequestFilter reads the parameters that filter. The list of all projects
// has some that a project's list has not, and the other way round.
func (c *call) mergeRequestFilter(global bool) (requestFilter, *reply) {
	var f requestFilter
	c.exclusive("author_id", "author_username")
	c.exclusive("reviewer_id", "reviewer_username")
	c.filterState(&f)
	c.filterScope(&f, global)
	c.filterUsers(&f)
	c.filterTexts(&f, global)
	c.filterDeployments(&f, global)
	c.filterNot(&f)
	f.has(milestoneOf, c.word("milestone"))
	f.has(labelsOf, c.list("labels"))
	f.within(c.time("created_after"), c.time("created_before"), func(m *MergeRequest) time.Time { return m.createdAt })
	f.within(c.time("updated_after"), c.time("updated_before"), func(m *MergeRequest) time.Time { return m.updatedAt })
	if c.has("iids") && !global {
		iids := c.int64s("iids")
		f.add(func(m *MergeRequest) bool { return slices.Contains(iids, m.iid) })
	}
	if refusal := c.filterApprovals(&f); refusal != nil {
		return nil, refusal
	}
	return f, c.refusal()
}

// exclusive notes parameters that must not come together.
func (c *call) exclusive(a, b string) {
	if c.has(a) && c.has(b) {
		c.problem(a + ", " + b + " are mutually exclusive")
	}
}

// word returns a parameter as a list of one, empty if it is absent.
func (f fields) word(name string) []string {
	if text := f.str(name); text != "" {
		return []string{text}
	}
	return nil
}

// folded is word for names that are compared without regard to case.
func (f fields) folded(name string) []string {
	words := f.word(name)
	for i := range words {
		words[i] = strings.ToLower(words[i])
	}
	return words
}

// id is word for an id, or for None and Any.
func (f fields) id(name string) []string { return f.ids(name, f.word(name)) }

// number is word for an id that cannot be None or Any.
func (f fields) number(name string) []string {
	f.int64(name)
	return f.word(name)
}

func (f fields) ids(name string, words []string) []string {
	single := len(words) == 1 && (strings.EqualFold(words[0], "none") || strings.EqualFold(words[0], "any"))
	for _, word := range words {
		if _, err := strconv.ParseInt(word, 10, 64); err != nil && !single {
			f.problem(name + " is invalid")
		}
	}
	return words
}

func (c *call) filterState(f *requestFilter) {
	if state := c.oneOf("state", "opened", "closed", "locked", "merged", "all"); state != "" && state != "all" {
		f.add(func(m *MergeRequest) bool { return m.state == state })
	}
	if wip := c.oneOf("wip", "yes", "no"); wip != "" {
		f.add(func(m *MergeRequest) bool { return m.isDraft() == (wip == "yes") })
	}
}

func (c *call) filterScope(f *requestFilter, global bool) {
	scope := c.oneOf("scope", "created_by_me", "assigned_to_me", "all")
	if scope == "" && global {
		scope = "created_by_me"
	}
	switch scope {
	case "created_by_me":
		f.add(func(m *MergeRequest) bool { return m.author == c.user })
	case "assigned_to_me":
		f.add(func(m *MergeRequest) bool { return slices.Contains(m.assignees, c.user) })
	}
}

func (c *call) filterUsers(f *requestFilter) {
	f.has(idsOf(authors), c.number("author_id"))
	f.has(usernamesOf(authors), c.folded("author_username"))
	f.has(idsOf(assignees), c.id("assignee_id"))
	f.has(idsOf(reviewers), c.id("reviewer_id"))
	f.has(usernamesOf(reviewers), c.folded("reviewer_username"))
	f.has(c.reactions, c.word("my_reaction_emoji"))
}

// reactions are the emoji that the caller gave.
func (c *call) reactions(m *MergeRequest) []string { return m.reactionsOf(c.user) }

func (c *call) filterTexts(f *requestFilter, global bool) {
	for name, of := range map[string]func(*MergeRequest) string{
		"source_branch": func(m *MergeRequest) string { return m.sourceBranch },
		"target_branch": func(m *MergeRequest) string { return m.targetBranch },
	} {
		if branch := c.str(name); branch != "" {
			f.add(func(m *MergeRequest) bool { return of(m) == branch })
		}
	}
	search := c.str("search")
	if search == "" {
		return
	}
	places := map[string]func(*MergeRequest) string{"title": titleOf, "description": descriptionOf}
	in := []string{"title", "description"}
	if global && c.str("in") != "" {
		in = c.list("in")
	}
	for _, place := range in {
		if places[place] == nil {
			c.problem("in does not have a valid value")
			return
		}
	}
	f.add(func(m *MergeRequest) bool {
		return slices.ContainsFunc(in, func(place string) bool { return containsFold(places[place](m), search) })
	})
}

func (c *call) filterDeployments(f *requestFilter, global bool) {
	environment := c.str("environment")
	var after, before time.Time
	if global {
		after, before = c.time("deployed_after"), c.time("deployed_before")
	}
	if environment == "" && after.IsZero() && before.IsZero() {
		return
	}
	f.add(func(m *MergeRequest) bool {
		return slices.ContainsFunc(m.deployments, func(d arrival) bool {
			return (environment == "" || d.environment == environment) &&
				(after.IsZero() || !d.at.Before(after)) && (before.IsZero() || !d.at.After(before))
		})
	})
}

// filterNot reads not[…], whose members leave out what they apply to.
func (c *call) filterNot(f *requestFilter) {
	not := c.sub("not")
	f.lacks(labelsOf, not.list("labels"))
	f.lacks(milestoneOf, not.word("milestone"))
	f.lacks(idsOf(authors), not.number("author_id"))
	f.lacks(usernamesOf(authors), not.folded("author_username"))
	f.lacks(idsOf(assignees), not.number("assignee_id"))
	f.lacks(usernamesOf(assignees), not.folded("assignee_username"))
	f.lacks(idsOf(reviewers), not.number("reviewer_id"))
	f.lacks(usernamesOf(reviewers), not.folded("reviewer_username"))
	f.lacks(c.reactions, not.word("my_reaction_emoji"))
}

// maxApprovedBy is the limit of approved_by_ids.
const maxApprovedBy = 5

func (c *call) filterApprovals(f *requestFilter) *reply {
	if !c.has("approver_ids") && !c.has("approved_by_ids") {
		return nil
	}
	if refusal := c.requireTier(Premium); refusal != nil {
		return refusal
	}
	approvedIDs := c.ids("approved_by_ids", c.list("approved_by_ids"))
	if len(approvedIDs) > maxApprovedBy {
		c.problem("approved_by_ids has more than 5 ids")
	}
	f.has(idsOf(approvers), c.ids("approver_ids", c.list("approver_ids")))
	f.has(idsOf(approvedBy), approvedIDs)
	return nil
}

// sortMergeRequests orders them as the parameters say, the newest first
// otherwise.
func (c *call) sortMergeRequests(requests []*MergeRequest) {
	orderBy := c.oneOf("order_by", "created_at", "title", "updated_at")
	ascending := c.oneOf("sort", "asc", "desc") == "asc"
	slices.SortFunc(requests, func(a, b *MergeRequest) int {
		if !ascending {
			a, b = b, a
		}
		return cmp.Or(compareRequests(a, b, orderBy), cmp.Compare(a.id, b.id))
	})
}

func compareRequests(a, b *MergeRequest, orderBy string) int {
	switch orderBy {
	case "title":
		return cmp.Compare(strings.ToLower(a.title), strings.ToLower(b.title))
	case "updated_at":
		return a.updatedAt.Compare(b.updatedAt)
	}
	return a.createdAt.Compare(b.createdAt)
}
