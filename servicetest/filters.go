package servicetest

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// A filter is the conditions that a record must meet to be listed.
type filter[T any] []func(T) bool

func (f *filter[T]) add(keep func(T) bool) { *f = append(*f, keep) }

func (f filter[T]) apply(records []T) []T {
	var kept []T
	for _, record := range records {
		if !slices.ContainsFunc(f, func(keep func(T) bool) bool { return !keep(record) }) {
			kept = append(kept, record)
		}
	}
	return kept
}

// has keeps the records that have all of the given values, or none or any value
// if that is the word. A facet is a property of which records have zero, one or
// several values, as strings.
func (f *filter[T]) has(facet func(T) []string, wanted []string) {
	if len(wanted) == 0 {
		return
	}
	word := ""
	if len(wanted) == 1 {
		word = strings.ToLower(wanted[0])
	}
	f.add(func(record T) bool {
		values := facet(record)
		switch word {
		case "none":
			return len(values) == 0
		case "any":
			return len(values) > 0
		}
		return !slices.ContainsFunc(wanted, func(value string) bool { return !slices.Contains(values, value) })
	})
}

// lacks leaves out the records that have one of the given values.
func (f *filter[T]) lacks(facet func(T) []string, unwanted []string) {
	if len(unwanted) == 0 {
		return
	}
	f.add(func(record T) bool {
		values := facet(record)
		return !slices.ContainsFunc(unwanted, func(value string) bool { return slices.Contains(values, value) })
	})
}

// within keeps the records whose time is in the span that two parameters give.
func (f *filter[T]) within(after, before time.Time, at func(T) time.Time) {
	if !after.IsZero() {
		f.add(func(record T) bool { return !at(record).Before(after) })
	}
	if !before.IsZero() {
		f.add(func(record T) bool { return !at(record).After(before) })
	}
}

// A topical record has a topic: an issue, a merge request or an epic.
type topical interface{ subject() *topic }

func (t *topic) subject() *topic { return t }

func milestoneOf[T topical](record T) []string {
	if m := record.subject().milestone; m != nil {
		return []string{m.title}
	}
	return nil
}

func labelsOf[T topical](record T) []string { return record.subject().labels }

func authors[T topical](record T) []*User {
	author := record.subject().author.shown()
	if author == nil {
		return nil
	}
	return []*User{author}
}

func assignees[T topical](record T) []*User { return record.subject().assignees }

// reactionsBy returns the facet of the emojis that a user reacted with.
func reactionsBy[T topical](user *User) func(T) []string {
	return func(record T) []string { return record.subject().reactionsOf(user) }
}

func idsOf[T any](users func(T) []*User) func(T) []string {
	return func(record T) []string {
		var ids []string
		for _, user := range users(record) {
			ids = append(ids, strconv.FormatInt(user.id, 10))
		}
		return ids
	}
}

func usernamesOf[T any](users func(T) []*User) func(T) []string {
	return func(record T) []string {
		var names []string
		for _, user := range users(record) {
			names = append(names, strings.ToLower(user.username))
		}
		return names
	}
}

// filterTopics reads the parameters that all lists of topics have: labels,
// milestone, author_id, author_username, my_reaction_emoji, times and search,
// and the same with not.
func filterTopics[T topical](c *call, f *filter[T]) {
	c.exclusive("author_id", "author_username")
	f.has(labelsOf[T], c.list("labels"))
	f.has(milestoneOf[T], c.word("milestone"))
	f.has(idsOf(authors[T]), c.number("author_id"))
	f.has(usernamesOf(authors[T]), c.folded("author_username"))
	f.has(reactionsBy[T](c.user), c.word("my_reaction_emoji"))
	f.within(c.time("created_after"), c.time("created_before"), func(record T) time.Time { return record.subject().createdAt })
	f.within(c.time("updated_after"), c.time("updated_before"), func(record T) time.Time { return record.subject().updatedAt })
	not := c.sub("not")
	f.lacks(labelsOf[T], not.list("labels"))
	f.lacks(milestoneOf[T], not.word("milestone"))
	f.lacks(idsOf(authors[T]), not.number("author_id"))
	f.lacks(usernamesOf(authors[T]), not.folded("author_username"))
	f.lacks(reactionsBy[T](c.user), not.word("my_reaction_emoji"))
}

// filterSearch reads search and, if the list has it, in.
func filterSearch[T topical](c *call, f *filter[T], hasIn bool) {
	search := c.str("search")
	if search == "" {
		return
	}
	in := []string{"title", "description"}
	if hasIn && c.str("in") != "" {
		in = c.list("in")
	}
	for _, place := range in {
		if place != "title" && place != "description" {
			c.problem("in does not have a valid value")
			return
		}
	}
	f.add(func(record T) bool {
		t := record.subject()
		return slices.Contains(in, "title") && containsFold(t.title, search) ||
			slices.Contains(in, "description") && containsFold(t.description, search)
	})
}

// filterScope reads the scope. In lists of all projects, the default is the
// caller's own.
func filterScope[T topical](c *call, f *filter[T], global bool) {
	scope := c.oneOf("scope", "created_by_me", "assigned_to_me", "all")
	if scope == "" && global {
		scope = "created_by_me"
	}
	switch scope {
	case "created_by_me":
		f.add(func(record T) bool { return record.subject().author == c.user })
	case "assigned_to_me":
		f.add(func(record T) bool { return slices.Contains(record.subject().assignees, c.user) })
	}
}

// exclusive reports parameters that must not be used together.
func (c *call) exclusive(a, b string) {
	if c.has(a) && c.has(b) {
		c.problem(a + ", " + b + " are mutually exclusive")
	}
}

// word returns a parameter as a list with one item, or an empty list if it is
// absent.
func (f fields) word(name string) []string {
	if text := f.str(name); text != "" {
		return []string{text}
	}
	return nil
}

// folded is like word, for names that are not case-sensitive.
func (f fields) folded(name string) []string {
	words := f.word(name)
	for i := range words {
		words[i] = strings.ToLower(words[i])
	}
	return words
}

// ID is word for an ID, or for None and Any.
func (f fields) id(name string) []string { return f.ids(name, f.word(name)) }

// number is like word, for an ID that cannot be None or Any.
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

// containsFold reports whether a string contains another, ignoring case.
func containsFold(text, part string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(part))
}
