package scim

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// An Operation is one operation of a patch.
type Operation struct {
	Op, Path string
	Value    json.RawMessage
}

func badPath(path string) *Problem {
	return &Problem{"invalidPath", "There is no attribute " + path}
}

func badValue(path string) *Problem {
	return &Problem{"invalidValue", "The value does not fit " + path}
}

// Apply carries out the operation. It adds, replaces or removes an attribute or,
// without a path, everything in the value. After a problem, the user may be changed in
// part.
func (o Operation) Apply(u *User) *Problem {
	switch strings.ToLower(o.Op) {
	case "add", "replace":
		if o.Path != "" {
			return u.set(o.Path, o.Value, strings.EqualFold(o.Op, "add"))
		}
		var members map[string]json.RawMessage
		if json.Unmarshal(o.Value, &members) != nil {
			return badValue("a user")
		}
		for _, path := range slices.Sorted(maps.Keys(members)) {
			if problem := u.set(path, members[path], strings.EqualFold(o.Op, "add")); problem != nil {
				return problem
			}
		}
		return nil
	case "remove":
		if o.Path == "" {
			return &Problem{"noTarget", "To remove something needs a path"}
		}
		return u.unset(o.Path)
	}
	return &Problem{"invalidSyntax", "There is no operation " + o.Op}
}

// oneEmail matches a path to a single email address or its value.
var oneEmail = regexp.MustCompile(`(?i)^emails\[(type|primary) eq "?(\w+)"?\](\.value)?$`)

func (u *User) set(path string, value json.RawMessage, add bool) *Problem {
	path = strings.TrimPrefix(path, UserSchema+":")
	if target := u.str(path); target != nil {
		return decode(path, value, target)
	}
	switch strings.ToLower(path) {
	case "active":
		return decode(path, value, &u.Active)
	case "name":
		if !add {
			u.Name = Name{}
		}
		return decode(path, value, &u.Name)
	case "emails":
		var emails []Email
		problem := decode(path, value, &emails)
		if add {
			emails = append(u.Emails, emails...)
		}
		u.Emails = emails
		return problem
	}
	return u.setEmail(path, value)
}

// setEmail changes the addresses that a path such as emails[type eq "work"]
// selects, or adds one of that type.
func (u *User) setEmail(path string, value json.RawMessage) *Problem {
	match := oneEmail.FindStringSubmatch(path)
	if match == nil {
		return badPath(path)
	}
	at := slices.IndexFunc(u.Emails, func(e Email) bool { return e.matches(match) })
	if at < 0 {
		if !strings.EqualFold(match[1], "type") {
			return &Problem{"noTarget", "No address matches " + path}
		}
		u.Emails = append(u.Emails, Email{Type: match[2]})
		at = len(u.Emails) - 1
	}
	if match[3] == "" {
		return decode(path, value, &u.Emails[at])
	}
	return decode(path, value, &u.Emails[at].Value)
}

// matches reports whether the expression in a path selects an address.
func (e Email) matches(match []string) bool {
	if strings.EqualFold(match[1], "type") {
		return strings.EqualFold(e.Type, match[2])
	}
	return bool(e.Primary) == strings.EqualFold(match[2], "true")
}

func (u *User) unset(path string) *Problem {
	path = strings.TrimPrefix(path, UserSchema+":")
	if target := u.str(path); target != nil {
		*target = ""
		return nil
	}
	switch strings.ToLower(path) {
	case "name":
		u.Name = Name{}
		return nil
	case "emails":
		u.Emails = nil
		return nil
	}
	match := oneEmail.FindStringSubmatch(path)
	if match == nil {
		return badPath(path)
	}
	u.Emails = slices.DeleteFunc(u.Emails, func(e Email) bool { return e.matches(match) })
	return nil
}

// str returns the string at a path, or nil if there is none.
func (u *User) str(path string) *string {
	switch strings.ToLower(path) {
	case "username":
		return &u.UserName
	case "externalid":
		return &u.ExternalID
	case "displayname":
		return &u.DisplayName
	case "name.formatted":
		return &u.Name.Formatted
	case "name.familyname":
		return &u.Name.FamilyName
	case "name.givenname":
		return &u.Name.GivenName
	case "name.middlename":
		return &u.Name.MiddleName
	case "name.honorificprefix":
		return &u.Name.HonorificPrefix
	case "name.honorificsuffix":
		return &u.Name.HonorificSuffix
	}
	return nil
}
