package serviceapi

import (
	"encoding/json"
	"maps"
	"net/url"
	"strconv"
	"strings"

	"example.com/serviceapi/internal/text"
)

// AccessLevel is a role in a project or a group. A higher level includes the
// permissions of the lower ones.
type AccessLevel int

// Access levels. AccessLevelOwner is for groups and, in current releases of the
// service, for projects. In a project in a user's own namespace, that user has
// it; older releases show AccessLevelMaintainer instead. AccessLevelPlanner and
// AccessLevelAdmin exist since 17.7.
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

// String returns the name of the level, such as "Maintainer".
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

// ParseAccessLevel returns the access level with a name or a number, for
// command-line flags and configuration files: "developer", "Developer" and "30"
// are [AccessLevelDeveloper]. "none", "minimal" and "admin" are accepted, too.
// Names are not case-sensitive. Any other string is an [*ArgumentError].
func ParseAccessLevel(s string) (AccessLevel, error) {
	for _, level := range accessLevels() {
		if strings.EqualFold(s, level.String()) || s == strconv.Itoa(int(level)) {
			return level, nil
		}
	}
	switch strings.ToLower(s) {
	case "none":
		return AccessLevelNone, nil
	case "minimal":
		return AccessLevelMinimal, nil
	case "admin":
		return AccessLevelAdmin, nil
	}
	problem := "is unknown: " + strconv.Quote(text.Printable(s, 40))
	return AccessLevelNone, &ArgumentError{Argument: "access level", Problem: problem}
}

// EncodeValues writes the number into a query.
func (l AccessLevel) EncodeValues(key string, v *url.Values) error {
	v.Set(key, strconv.Itoa(int(l)))
	return nil
}

// MemberRole is a custom role: an access level and additional permissions.
type MemberRole struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
	// BaseAccessLevel is the access level that the permissions are added to.
	BaseAccessLevel AccessLevel `json:"base_access_level"`
	// Permissions are the permissions that a role can have, such as "read_code".
	// The value reports whether this role has it.
	Permissions map[string]bool `json:"-"`
	// Extra has the other members of the role, such as a permission that is null,
	// which this role does not have. It is nil if there are none.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON decodes the members that have a field, decodes all other members
// that are true or false as permissions, and keeps the rest.
func (r *MemberRole) UnmarshalJSON(data []byte) error {
	type plain MemberRole
	var p plain
	others, err := decodeWithExtra(data, &p)
	for name, value := range others {
		if text := string(value); text == "true" || text == "false" {
			if p.Permissions == nil {
				p.Permissions = map[string]bool{}
			}
			p.Permissions[name] = text == "true"
			delete(others, name)
		}
	}
	if len(others) > 0 {
		p.Extra = others
	}
	*r = MemberRole(p)
	return err
}

// MarshalJSON encodes each permission and each other member separately, as the
// service does.
func (r MemberRole) MarshalJSON() ([]byte, error) {
	type plain MemberRole
	more := make(map[string]json.RawMessage, len(r.Extra)+len(r.Permissions))
	maps.Copy(more, r.Extra)
	for name, granted := range r.Permissions {
		more[name] = json.RawMessage(strconv.FormatBool(granted))
	}
	return encodeWithExtra(plain(r), more)
}
