package servicetest

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// A scimProblem is why an operation cannot be applied or a filter not be read.
type scimProblem struct{ kind, detail string }

func badPath(path string) *scimProblem {
	return &scimProblem{"invalidPath", "There is no attribute " + path}
}

func badValue(path string) *scimProblem {
	return &scimProblem{"invalidValue", "The value does not fit " + path}
}

// apply carries the operation out: add, replace or remove, of an attribute or,
// without a path, of all that the value holds.
func (o scimOperation) apply(a *scimAttributes) *scimProblem {
	switch strings.ToLower(o.Op) {
	case "add", "replace":
		if o.Path != "" {
			return a.set(o.Path, o.Value, strings.EqualFold(o.Op, "add"))
		}
		var members map[string]json.RawMessage
		if json.Unmarshal(o.Value, &members) != nil {
			return badValue("a user")
		}
		for path, value := range members {
			if problem := a.set(path, value, strings.EqualFold(o.Op, "add")); problem != nil {
				return problem
			}
		}
		return nil
	case "remove":
		if o.Path == "" {
			return &scimProblem{"noTarget", "To remove something needs a path"}
		}
		return a.unset(o.Path)
	}
	return &scimProblem{"invalidSyntax", "There is no operation " + o.Op}
}

// oneEmail is a path to one email address or its value.
var oneEmail = regexp.MustCompile(`(?i)^emails\[(type|primary) eq "?(\w+)"?\](\.value)?$`)

func (a *scimAttributes) set(path string, value json.RawMessage, add bool) *scimProblem {
	if target := a.text(path); target != nil {
		return decodeSCIM(path, value, target)
	}
	switch strings.ToLower(path) {
	case "active":
		return decodeSCIM(path, value, &a.Active)
	case "name":
		if !add {
			a.Name = scimName{}
		}
		return decodeSCIM(path, value, &a.Name)
	case "emails":
		var emails []scimEmail
		problem := decodeSCIM(path, value, &emails)
		if add {
			emails = append(a.Emails, emails...)
		}
		a.Emails = emails
		return problem
	}
	return a.setEmail(path, value)
}

// setEmail changes the addresses that a path such as emails[type eq "work"]
// picks, or adds one of that type.
func (a *scimAttributes) setEmail(path string, value json.RawMessage) *scimProblem {
	match := oneEmail.FindStringSubmatch(path)
	if match == nil {
		return badPath(path)
	}
	at := slices.IndexFunc(a.Emails, func(e scimEmail) bool { return e.matches(match) })
	if at < 0 {
		if !strings.EqualFold(match[1], "type") {
			return &scimProblem{"noTarget", "No address matches " + path}
		}
		a.Emails = append(a.Emails, scimEmail{Type: match[2]})
		at = len(a.Emails) - 1
	}
	if match[3] == "" {
		return decodeSCIM(path, value, &a.Emails[at])
	}
	return decodeSCIM(path, value, &a.Emails[at].Value)
}

// matches reports whether the expression in a path picks an address.
func (e scimEmail) matches(match []string) bool {
	if strings.EqualFold(match[1], "type") {
		return strings.EqualFold(e.Type, match[2])
	}
	return bool(e.Primary) == strings.EqualFold(match[2], "true")
}

func (a *scimAttributes) unset(path string) *scimProblem {
	if target := a.text(path); target != nil {
		*target = ""
		return nil
	}
	switch strings.ToLower(path) {
	case "name":
		a.Name = scimName{}
		return nil
	case "emails":
		a.Emails = nil
		return nil
	}
	match := oneEmail.FindStringSubmatch(path)
	if match == nil {
		return badPath(path)
	}
	a.Emails = slices.DeleteFunc(a.Emails, func(e scimEmail) bool { return e.matches(match) })
	return nil
}

// text returns the text that a path leads to, nil if it leads to none.
func (a *scimAttributes) text(path string) *string {
	switch strings.ToLower(strings.TrimPrefix(path, scimUserSchema+":")) {
	case "username":
		return &a.UserName
	case "externalid":
		return &a.ExternalID
	case "displayname":
		return &a.DisplayName
	case "name.formatted":
		return &a.Name.Formatted
	case "name.familyname":
		return &a.Name.FamilyName
	case "name.givenname":
		return &a.Name.GivenName
	case "name.middlename":
		return &a.Name.MiddleName
	case "name.honorificprefix":
		return &a.Name.HonorificPrefix
	case "name.honorificsuffix":
		return &a.Name.HonorificSuffix
	}
	return nil
}

func decodeSCIM(path string, value json.RawMessage, into any) *scimProblem {
	if len(value) == 0 || json.Unmarshal(value, into) != nil {
		return badValue(path)
	}
	return nil
}
