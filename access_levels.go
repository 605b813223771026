package serviceapi

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// AccessLevel is a role in a project or a group. A higher level includes the
// permissions of the lower ones.
type AccessLevel int

// Access levels. AccessLevelOwner is for groups and, in current releases of the service,
// for projects. Users have it in the projects in their own namespaces; older releases show
// AccessLevelMaintainer instead. AccessLevelPlanner and AccessLevelAdmin were added in 17.7.
const (
	AccessLevelNone       AccessLevel = 0
	AccessLevelMinimal    AccessLevel = 5
	AccessLevelGuest      AccessLevel = 10
	AccessLevelPlanner    AccessLevel = 15
	AccessLevelReporter   AccessLevel = 20
	AccessLevelDeveloper  AccessLevel = 30
	AccessLevelMaintainer AccessLevel = 40
	AccessLevelOwner      AccessLevel = 50
	AccessLevelAdmin      AccessLevel = 60
)

// String returns the name of the level for people, such as "Maintainer", and "No access" for
// [AccessLevelNone]. [AccessLevel.MarshalText] has the names for flags and files.
func (l AccessLevel) String() string {
	switch l {
	case AccessLevelNone:
		return "No access"
	case AccessLevelMinimal:
		return "Minimal access"
	case AccessLevelGuest:
		return "Guest"
	case AccessLevelPlanner:
		return "Planner"
	case AccessLevelReporter:
		return "Reporter"
	case AccessLevelDeveloper:
		return "Developer"
	case AccessLevelMaintainer:
		return "Maintainer"
	case AccessLevelOwner:
		return "Owner"
	case AccessLevelAdmin:
		return "Administrator"
	}
	return "AccessLevel(" + strconv.Itoa(int(l)) + ")"
}

// accessLevels returns all access levels, the lowest first.
func accessLevels() []AccessLevel {
	return []AccessLevel{
		AccessLevelNone, AccessLevelMinimal, AccessLevelGuest, AccessLevelPlanner, AccessLevelReporter,
		AccessLevelDeveloper, AccessLevelMaintainer, AccessLevelOwner, AccessLevelAdmin,
	}
}

// word returns the name of the level as flags and configuration files have it, or the
// number of a level that the library does not know.
func (l AccessLevel) word() string {
	switch l {
	case AccessLevelNone:
		return "none"
	case AccessLevelMinimal:
		return "minimal"
	case AccessLevelAdmin:
		return "admin"
	}
	if slices.Contains(accessLevels(), l) {
		return strings.ToLower(l.String())
	}
	return strconv.Itoa(int(l))
}

// MarshalText encodes the name of the level for flags and files, such as "maintainer", or the
// number of a level that the library does not know. [AccessLevelNone] is "none",
// [AccessLevelMinimal] "minimal" and [AccessLevelAdmin] "admin": [AccessLevel.String] differs.
func (l AccessLevel) MarshalText() ([]byte, error) { return []byte(l.word()), nil }

// MarshalJSON encodes the number of the level.
func (l AccessLevel) MarshalJSON() ([]byte, error) { return strconv.AppendInt(nil, int64(l), 10), nil }

// EncodeValues writes the number into a query.
func (l AccessLevel) EncodeValues(key string, v *url.Values) error {
	v.Set(key, strconv.Itoa(int(l)))
	return nil
}
