package servicetest

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"example.com/serviceapi/servicetest/internal/frame"
)

const (
	maxTitle       = 255
	maxDescription = 1 << 20 // characters
)

// changeTopic applies the parameters that issues and merge requests share to a draft.
// Storing the draft makes new labels; see keepLabels.
func (c *call) changeTopic(t *topic, p *Project) *reply {
	if c.Has("title") {
		t.title = strings.TrimSpace(c.String("title"))
	}
	given(c, "description", c.String, &t.description)
	c.changeAssignees(t)
	c.changeLabels(t)
	t.locked = c.BoolOr("discussion_locked", t.locked)
	milestone := c.Int64("milestone_id")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if c.Has("milestone_id") {
		if t.milestone = p.milestoneWith(milestone); t.milestone == nil && milestone != 0 {
			return frame.FieldErrors("milestone_id", "is invalid")
		}
	}
	return t.problem()
}

// problem refuses an invalid title or description.
func (t *topic) problem() *reply {
	switch {
	case t.title == "":
		return frame.FieldErrors("title", "can't be blank")
	case utf8.RuneCountInString(t.title) > maxTitle:
		return frame.FieldErrors("title", fmt.Sprintf("is too long (maximum is %d characters)", maxTitle))
	case utf8.RuneCountInString(t.description) > maxDescription:
		return frame.FieldErrors("description", fmt.Sprintf("is too long (maximum is %d characters)", maxDescription))
	}
	return nil
}

// changeAssignees reads assignee_ids and its older form. Unknown IDs are
// ignored, and 0 means nobody. More than one assignee requires the Premium
// tier.
func (c *call) changeAssignees(t *topic) {
	given(c, "assignee_id", c.usersOf, &t.assignees)
	given(c, "assignee_ids", c.usersOf, &t.assignees)
	if len(t.assignees) > 1 && !c.hasTier(Premium) {
		t.assignees = t.assignees[:1]
	}
}

// usersOf returns the users whose IDs are in a parameter.
func (c *call) usersOf(name string) []*User {
	var users []*User
	for _, id := range c.Int64s(name) {
		if user, ok := c.svc.users.get(id); ok && !slices.Contains(users, user) {
			users = append(users, user)
		}
	}
	return users
}

func (c *call) changeLabels(t *topic) {
	before, all, more := t.labels, c.SplitStrings("labels"), c.SplitStrings("add_labels")
	if c.Has("labels") {
		t.labels = nil
		t.addLabels(all)
	}
	t.addLabels(more)
	if names := c.SplitStrings("remove_labels"); len(names) > 0 {
		t.removeLabels(names)
	}
	c.svc.excludeLabels(t, before, slices.Concat(more, all))
}

// excludeLabels removes the labels that have the scope of one that is new: of those with
// one scope, a topic keeps the last of the names that it did not have before.
func (s *Service) excludeLabels(t *topic, before, names []string) {
	if s.settings.tier < Premium {
		return
	}
	kept := make(map[string]string)
	for _, name := range names {
		scope, scoped := scopeOf(name)
		if scoped && slices.Contains(t.labels, name) && !slices.Contains(before, name) {
			kept[scope] = name
		}
	}
	if len(kept) == 0 {
		return
	}
	t.labels = slices.DeleteFunc(slices.Clone(t.labels), func(name string) bool {
		scope, scoped := scopeOf(name)
		one, decided := kept[scope]
		return scoped && decided && name != one
	})
}

// scopeOf returns the scope of a label, which ends at the last "::" of its name.
func scopeOf(name string) (scope string, scoped bool) {
	at := strings.LastIndex(name, "::")
	return name[:max(at, 0)], at >= 0
}

// changesNothing refuses an update without any of these parameters.
func (c *call) changesNothing(names ...string) *reply {
	if slices.ContainsFunc(names, c.Has) {
		return nil
	}
	return frame.JSONReply(400, object{"error": strings.Join(names, ", ") + " are missing, at least one parameter " +
		"must be provided"})
}

// A topical record has a topic: an issue, a merge request or an epic.
type topical interface{ subject() *topic }

func (t *topic) subject() *topic { return t }

func milestoneOf[T topical](record T) []string {
	return facet(record.subject().milestone, (*Milestone).Title)
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

// reactionsBy returns the facet with the emojis of a user's reactions.
func reactionsBy[T topical](user *User) func(T) []string {
	return func(record T) []string { return record.subject().reactionsOf(user) }
}

func idsOf[T any](users func(T) []*User) func(T) []string {
	return func(record T) []string {
		return mapped(users(record), func(u *User) string { return frame.Itoa(u.id) })
	}
}

func usernamesOf[T any](users func(T) []*User) func(T) []string {
	return func(record T) []string {
		return mapped(users(record), func(u *User) string { return strings.ToLower(u.username) })
	}
}

// filterTopics reads the parameters that all lists of topics have: labels,
// milestone, author_id, author_username, my_reaction_emoji, times and search,
// and the same with not.
func filterTopics[T topical](c *call, f *filter[T]) {
	c.Exclusive("author_id", "author_username")
	f.Has(labelsOf[T], c.SplitStrings("labels"))
	f.Has(milestoneOf[T], c.WantedString("milestone"))
	f.Has(idsOf(authors[T]), c.WantedID("author_id"))
	f.Has(usernamesOf(authors[T]), c.WantedFold("author_username"))
	f.Has(reactionsBy[T](c.user), c.WantedString("my_reaction_emoji"))
	f.Within(c.Time("created_after"), c.Time("created_before"),
		func(record T) time.Time { return record.subject().createdAt })
	f.Within(c.Time("updated_after"), c.Time("updated_before"),
		func(record T) time.Time { return record.subject().updatedAt })
	not := c.Sub("not")
	f.Lacks(labelsOf[T], not.SplitStrings("labels"))
	f.Lacks(milestoneOf[T], not.WantedString("milestone"))
	f.Lacks(idsOf(authors[T]), not.WantedID("author_id"))
	f.Lacks(usernamesOf(authors[T]), not.WantedFold("author_username"))
	f.Lacks(reactionsBy[T](c.user), not.WantedString("my_reaction_emoji"))
}

// filterSearch reads search and not[search] and, if the list has it, in and not[in].
func filterSearch[T topical](c *call, f *filter[T], hasIn bool) {
	if search := c.String("search"); search != "" {
		places := []string{"title", "description"}
		if hasIn && c.String("in") != "" {
			places = c.searchPlaces(c.SplitStrings("in"))
		}
		f.Add(func(record T) bool { return record.subject().mentions(search, places) })
	}
	not := c.Sub("not")
	if search := not.String("search"); search != "" {
		places := []string{"title", "description"}
		if not.String("in") != "" {
			places = c.searchPlaces(not.SplitStrings("in"))
		}
		f.Add(func(record T) bool { return !record.subject().mentions(search, places) })
	}
}

// searchPlaces returns the values of in, and refuses unknown ones.
func (c *call) searchPlaces(in []string) []string {
	for _, place := range in {
		if place != "title" && place != "description" {
			c.Problem("in does not have a valid value")
		}
	}
	return in
}

// mentions reports whether one of the places contains a string.
func (t *topic) mentions(text string, places []string) bool {
	return slices.Contains(places, "title") && frame.ContainsFold(t.title, text) ||
		slices.Contains(places, "description") && frame.ContainsFold(t.description, text)
}

// filterScope reads the scope. In lists of all projects, the default is the caller's
// own topics.
func filterScope[T topical](c *call, f *filter[T], global bool) {
	scope := c.StringIn("scope", "created_by_me", "assigned_to_me", "all")
	if scope == "" && global {
		scope = "created_by_me"
	}
	switch scope {
	case "created_by_me":
		f.Add(func(record T) bool { return record.subject().author == c.user })
	case "assigned_to_me":
		f.Add(func(record T) bool { return slices.Contains(record.subject().assignees, c.user) })
	}
}

// A topic has the common fields of issues, merge requests and epics.
type topic struct {
	discussion

	title       string
	description string
	author      *User
	assignees   []*User
	labels      []string
	milestone   *Milestone
	createdAt   time.Time
	updatedAt   time.Time
	closedBy    *User
	closedAt    time.Time
	subscribers map[*User]bool // who subscribed, and who unsubscribed: false
	locked      bool           // only members may comment
	estimate    time.Duration
	spent       time.Duration
	updatedBy   *User
	editedBy    *User // who last edited the title or the description
	editedAt    time.Time
}

// edited records who has changed the topic in a call.
func (t *topic) edited(before topic, by *User) {
	t.updatedBy = by
	if before.title != t.title || before.description != t.description {
		t.editedBy, t.editedAt = by, by.svc.now()
	}
}

// A TopicOption sets a common property of issues, merge requests and epics.
type TopicOption func(*topic)

func (o TopicOption) applyIssue(i *Issue)               { o(&i.topic) }
func (o TopicOption) applyMergeRequest(m *MergeRequest) { o(&m.topic) }
func (o TopicOption) applyEpic(e *Epic)                 { o(&e.topic) }

// AssignedTo sets the assignees of an issue or a merge request.
func AssignedTo(users ...*User) TopicOption {
	return func(t *topic) { t.assignees = slices.Clone(users) }
}

// Labels sets the names of the labels of an issue, a merge request or an epic.
// Labels that do not exist are made; see Project.Label for their colors. Of labels with the
// same scope, such as size::small and size::big, the last one counts.
func Labels(names ...string) TopicOption {
	return func(t *topic) { t.labels = slices.Clone(names) }
}

// InMilestone adds an issue or a merge request to a milestone.
func InMilestone(m *Milestone) TopicOption {
	return func(t *topic) { t.milestone = m }
}

// UpdatedAt sets when an issue, a merge request or an epic last changed. The default is
// its creation time.
func UpdatedAt(at time.Time) TopicOption {
	return func(t *topic) { t.updatedAt = at.UTC() }
}

// SubscribedBy sets the users who are subscribed to an issue, a merge request
// or an epic. By default, those who take part in it are: the author, the assignees and the
// reviewers, and whoever commented or is mentioned.
func SubscribedBy(users ...*User) TopicOption {
	return func(t *topic) {
		for _, user := range users {
			t.subscribe(user, true)
		}
	}
}

// DiscussionLocked lets only members comment on an issue or a merge request.
func DiscussionLocked() TopicOption { return func(t *topic) { t.locked = true } }

// TimeTracked sets the time estimated for an issue or a merge request, and the time spent
// on it.
func TimeTracked(estimate, spent time.Duration) TopicOption {
	return func(t *topic) { t.estimate, t.spent = estimate, spent }
}

func (t *topic) subscribe(user *User, wanted bool) {
	put(&t.subscribers, user, wanted)
}

// subscribed reports whether a user is told of what happens to the topic: everybody who
// takes part in it is, until they say what they want.
func (t *topic) subscribed(user *User) bool {
	if wanted, said := t.subscribers[user]; said || user == nil {
		return wanted
	}
	return t.author == user || slices.Contains(t.assignees, user) || t.reviewedBy(user) ||
		user.isMentionedIn(t.description) || slices.ContainsFunc(t.notes, func(n *Note) bool {
		return !n.system && (n.author == user || user.isMentionedIn(n.body) && (!n.confidential || t.shownTo(user)))
	})
}

func (t *topic) reviewedBy(user *User) bool {
	m, is := t.of.(*MergeRequest)
	return is && slices.Contains(m.reviewers, user)
}

// shownTo reports whether a user can see the confidential notes of others.
func (t *topic) shownTo(user *User) bool {
	switch of := t.of.(type) {
	case *Issue:
		return user.svc.projectLevel(user, of.project) >= Reporter
	case *Epic:
		return user.svc.groupLevel(user, of.group) >= Reporter
	}
	return false
}

// lockedFlag returns true if the discussion is locked, and null otherwise.
func (t *topic) lockedFlag() *bool {
	if !t.locked {
		return nil
	}
	return &t.locked
}

func (t *topic) timeStats() timeStats {
	return timeStats{
		TimeEstimate: int64(t.estimate / time.Second), TotalTimeSpent: int64(t.spent / time.Second),
		HumanTimeEstimate: jsonText(workingTime(t.estimate)), HumanTotalTimeSpent: jsonText(workingTime(t.spent)),
	}
}

// references returns the ways to refer to a topic. The sign before its number
// is "#", "!" or "&".
func references(sign string, iid int64, path string) object {
	short := sign + frame.Itoa(iid)
	return object{"short": short, "relative": short, "full": path + short}
}

// addLabels adds labels that the topic does not have yet.
func (t *topic) addLabels(names []string) {
	for _, name := range names {
		if !slices.Contains(t.labels, name) {
			t.labels = append(slices.Clip(t.labels), name)
		}
	}
}

func (t *topic) removeLabels(names []string) {
	t.labels = slices.DeleteFunc(slices.Clone(t.labels), func(name string) bool { return slices.Contains(names, name) })
}
