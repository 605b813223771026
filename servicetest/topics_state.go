package servicetest

import (
	"slices"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
)

// A topic has the fields that issues, merge requests and epics have in common.
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
	subscribers map[*User]bool
	locked      bool // only members may comment
	estimate    time.Duration
	spent       time.Duration
}

// A TopicOption sets a property that issues, merge requests and epics have in
// common.
type TopicOption func(*topic)

func (o TopicOption) applyIssue(i *Issue)               { o(&i.topic) }
func (o TopicOption) applyMergeRequest(m *MergeRequest) { o(&m.topic) }
func (o TopicOption) applyEpic(e *Epic)                 { o(&e.topic) }

// AssignedTo sets the assignees of an issue or a merge request.
func AssignedTo(users ...*User) TopicOption {
	return func(t *topic) { t.assignees = users }
}

// Labels sets the names of the labels of an issue, a merge request or an epic.
// Labels that do not exist are made; see Project.Label for their colors.
func Labels(names ...string) TopicOption {
	return func(t *topic) { t.labels = names }
}

// InMilestone adds an issue or a merge request to a milestone.
func InMilestone(m *Milestone) TopicOption {
	return func(t *topic) { t.milestone = m }
}

// UpdatedAt sets when an issue, a merge request or an epic last changed. The
// default is when it was created.
func UpdatedAt(at time.Time) TopicOption {
	return func(t *topic) { t.updatedAt = at.UTC() }
}

// Reaction adds a user's award emoji, such as "thumbsup", to an issue, a merge
// request or an epic.
func Reaction(user *User, emoji string) TopicOption {
	return func(t *topic) { t.addReaction(user, emoji) }
}

// SubscribedBy sets the users who are subscribed to an issue, a merge request
// or an epic. By default, nobody is.
func SubscribedBy(users ...*User) TopicOption {
	return func(t *topic) {
		for _, user := range users {
			t.subscribe(user)
		}
	}
}

// DiscussionLocked makes an issue or a merge request on which only members may
// comment.
func DiscussionLocked() TopicOption { return func(t *topic) { t.locked = true } }

// TimeTracked sets the estimated and the spent time of an issue or a merge
// request.
func TimeTracked(estimate, spent time.Duration) TopicOption {
	return func(t *topic) { t.estimate, t.spent = estimate, spent }
}

func (t *topic) subscribe(user *User) {
	if t.subscribers == nil {
		t.subscribers = make(map[*User]bool)
	}
	t.subscribers[user] = true
}

// lockedFlag is null unless the discussion is locked.
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
