package serviceapi

import (
	"errors"
	"net/url"
	"strconv"
	"strings"
)

// choice is the part that filters have in common: nothing, a value, or one of
// the words None and Any.
type choice struct {
	value   string
	problem string
}

const (
	noneWord = "None"
	anyWord  = "Any"
)

// IsZero reports whether the filter is the zero value, which does not filter.
func (c choice) IsZero() bool { return c == choice{} }

// String returns the filter as it is sent.
func (c choice) String() string { return c.value }

// EncodeValues writes the filter into a query. It returns an error for an invalid
// filter, such as one by an ID that is not positive.
func (c choice) EncodeValues(key string, v *url.Values) error {
	if c.problem != "" {
		return errors.New(c.problem)
	}
	if c.value != "" {
		v.Set(key, c.value)
	}
	return nil
}

// choiceOf returns a choice of a name. A name that is one of the words is a
// problem, because the service would not take it for a name.
func choiceOf(what, name string) choice {
	switch {
	case name == "":
		return choice{problem: what + " is empty"}
	case strings.EqualFold(name, noneWord), strings.EqualFold(name, anyWord):
		return choice{problem: what + " cannot be " + strconv.Quote(name) + ", which the service takes for none or any"}
	}
	return choice{value: name}
}

// UserFilter filters by a user: [UserIs], [NoUser] or [AnyUser]. The zero
// UserFilter does not filter.
type UserFilter struct{ choice }

// NoUser selects objects without such a user, such as issues without an
// assignee, and AnyUser those with one.
var (
	NoUser  = UserFilter{choice{value: noneWord}}
	AnyUser = UserFilter{choice{value: anyWord}}
)

// UserIs selects the objects of the user with this ID, which must be positive.
func UserIs(id int64) UserFilter {
	if id <= 0 {
		return UserFilter{choice{problem: "the ID of a user must be positive"}}
	}
	return UserFilter{choice{value: strconv.FormatInt(id, 10)}}
}

// UsersFilter filters by several users: [UsersAre], [NoUsers] or [AnyUsers]. The
// zero UsersFilter does not filter.
type UsersFilter struct {
	users []UserFilter
	set   bool
}

// NoUsers selects objects without such users, such as merge requests that
// nobody has approved, and AnyUsers those with at least one.
var (
	NoUsers  = UsersFilter{users: []UserFilter{NoUser}, set: true}
	AnyUsers = UsersFilter{users: []UserFilter{AnyUser}, set: true}
)

// UsersAre selects the objects that have all of the users with these IDs. At least
// one is required.
func UsersAre(ids ...int64) UsersFilter {
	filter := UsersFilter{set: true}
	for _, id := range ids {
		filter.users = append(filter.users, UserIs(id))
	}
	return filter
}

// IsZero reports whether the filter is the zero value, which does not filter.
func (f UsersFilter) IsZero() bool { return !f.set }

// String returns the filter as it is sent, with commas between IDs.
func (f UsersFilter) String() string {
	texts := make([]string, len(f.users))
	for i, user := range f.users {
		texts[i] = user.String()
	}
	return strings.Join(texts, ",")
}

// EncodeValues writes the filter into a query: IDs as a list, and a word as one
// value under the name without brackets. It returns an error if there is no ID,
// or one that is not positive.
func (f UsersFilter) EncodeValues(key string, v *url.Values) error {
	if f.IsZero() {
		return nil
	}
	if len(f.users) == 0 {
		return errors.New("a filter by users names none: use NoUsers, or the zero filter")
	}
	if word := f.users[0]; word == NoUser || word == AnyUser {
		key = strings.TrimSuffix(key, "[]")
	}
	for _, user := range f.users {
		if user.problem != "" {
			return errors.New(user.problem)
		}
		v.Add(key, user.value)
	}
	return nil
}

// NumberFilter filters by a number, such as a weight or the ID of an epic:
// [NumberIs], [NoNumber] or [AnyNumber]. The zero NumberFilter does not filter.
type NumberFilter struct{ choice }

// NoNumber selects objects without such a number, such as issues without a
// weight or an epic, and AnyNumber those with one.
var (
	NoNumber  = NumberFilter{choice{value: noneWord}}
	AnyNumber = NumberFilter{choice{value: anyWord}}
)

// NumberIs selects the objects with this number.
func NumberIs(n int64) NumberFilter {
	return NumberFilter{choice{value: strconv.FormatInt(n, 10)}}
}

// LabelFilter filters by labels: [LabelsAre], [NoLabel] or [AnyLabel]. The zero
// LabelFilter does not filter.
type LabelFilter struct{ choice }

// NoLabel selects objects without labels, and AnyLabel those with at least one.
var (
	NoLabel  = LabelFilter{choice{value: noneWord}}
	AnyLabel = LabelFilter{choice{value: anyWord}}
)

// LabelsAre selects the objects that have all of these labels. At least one name
// is required. A name must not contain a comma.
func LabelsAre(names ...string) LabelFilter {
	for _, name := range names {
		if named := choiceOf("the name of a label", name); named.problem != "" {
			return LabelFilter{named}
		}
	}
	switch {
	case len(names) == 0:
		return LabelFilter{choice{problem: "a filter by labels names none: use NoLabel, or the zero filter"}}
	case hasComma(names):
		return LabelFilter{choice{problem: errLabelComma.Error()}}
	}
	return LabelFilter{choice{value: strings.Join(names, ",")}}
}

// MilestoneFilter filters by a milestone: [MilestoneIs], [NoMilestone] or
// [AnyMilestone]. The zero MilestoneFilter does not filter.
type MilestoneFilter struct{ choice }

// NoMilestone selects objects without a milestone, and AnyMilestone those with
// one.
var (
	NoMilestone  = MilestoneFilter{choice{value: noneWord}}
	AnyMilestone = MilestoneFilter{choice{value: anyWord}}
)

// MilestoneIs selects the objects of the milestone with this title.
func MilestoneIs(title string) MilestoneFilter {
	return MilestoneFilter{choiceOf("the title of a milestone", title)}
}

// EmojiFilter filters by an emoji with which the caller reacted: [EmojiIs],
// [NoEmoji] or [AnyEmoji]. The zero EmojiFilter does not filter.
type EmojiFilter struct{ choice }

// NoEmoji selects objects to which the caller did not react, and AnyEmoji those
// to which the caller reacted.
var (
	NoEmoji  = EmojiFilter{choice{value: noneWord}}
	AnyEmoji = EmojiFilter{choice{value: anyWord}}
)

// EmojiIs selects the objects to which the caller reacted with the emoji of this
// name, such as "thumbsup".
func EmojiIs(name string) EmojiFilter {
	return EmojiFilter{choiceOf("the name of an emoji", name)}
}

// HealthStatusFilter filters by a health status: [HealthStatusIs],
// [NoHealthStatus] or [AnyHealthStatus]. The zero HealthStatusFilter does not
// filter.
type HealthStatusFilter struct{ choice }

// NoHealthStatus selects objects without a health status, and AnyHealthStatus
// those with one.
var (
	NoHealthStatus  = HealthStatusFilter{choice{value: noneWord}}
	AnyHealthStatus = HealthStatusFilter{choice{value: anyWord}}
)

// HealthStatusIs selects the objects with this health status, such as
// "on_track".
func HealthStatusIs(status string) HealthStatusFilter {
	return HealthStatusFilter{choiceOf("a health status", status)}
}

// SearchField is a field of issues and merge requests that can be searched.
type SearchField string

// Fields that can be searched.
const (
	SearchFieldTitle       SearchField = "title"
	SearchFieldDescription SearchField = "description"
)

// yesNo is a boolean that the service takes as "yes" or "no".
type yesNo string

// yesNoOf returns the word for a boolean, "" for nil.
func yesNoOf(b *bool) yesNo {
	switch {
	case b == nil:
		return ""
	case *b:
		return "yes"
	}
	return "no"
}
