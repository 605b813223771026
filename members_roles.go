package serviceapi

import (
	"encoding/json"
	"net/url"
	"strconv"
)

// AccessLevel is a role in a project or a group. A higher level includes the
// rights of the lower ones.
type AccessLevel int

// Access levels. OwnerAccess is for groups and, in current releases of the
// service, for projects; a project in a user's own namespace shows it, where
// older releases showed MaintainerAccess. PlannerAccess and AdminAccess are
// known since 17.7.
const (
	NoAccess         AccessLevel = 0
	MinimalAccess    AccessLevel = 5
	GuestAccess      AccessLevel = 10
	PlannerAccess    AccessLevel = 15
	ReporterAccess   AccessLevel = 20
	DeveloperAccess  AccessLevel = 30
	MaintainerAccess AccessLevel = 40
	OwnerAccess      AccessLevel = 50
	AdminAccess      AccessLevel = 60
)

// String returns the name of the level, such as "Maintainer".
func (l AccessLevel) String() string {
	switch l {
	case NoAccess:
		return "No access"
	case MinimalAccess:
		return "Minimal access"
	case GuestAccess:
		return "Guest"
	case PlannerAccess:
		return "Planner"
	case ReporterAccess:
		return "Reporter"
	case DeveloperAccess:
		return "Developer"
	case MaintainerAccess:
		return "Maintainer"
	case OwnerAccess:
		return "Owner"
	case AdminAccess:
		return "Administrator"
	}
	return "AccessLevel(" + strconv.Itoa(int(l)) + ")"
}

// EncodeValues writes the number into a query.
func (l AccessLevel) EncodeValues(key string, v *url.Values) error {
	v.Set(key, strconv.Itoa(int(l)))
	return nil
}

// MemberRole is a custom role: an access level and further permissions.
type MemberRole struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
	// BaseAccessLevel is the access level that the permissions add to.
	BaseAccessLevel AccessLevel `json:"base_access_level"`
	// Permissions are the permissions that the role can have, such as "read_code",
	// and whether it has them.
	Permissions map[string]bool `json:"-"`
}

// UnmarshalJSON decodes the members that have a field, and takes all others
// that are true or false for permissions.
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
		}
	}
	*r = MemberRole(p)
	return err
}

// MarshalJSON encodes each permission as a member of its own, as the service
// does.
func (r MemberRole) MarshalJSON() ([]byte, error) {
	type plain MemberRole
	permissions := map[string]json.RawMessage{}
	for name, granted := range r.Permissions {
		permissions[name] = json.RawMessage(strconv.FormatBool(granted))
	}
	return encodeWithExtra(plain(r), permissions)
}
