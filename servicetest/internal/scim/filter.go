package scim

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// A Filter selects users. The zero value selects every user.
type Filter struct{ tests []test }

// A test compares one attribute of a user with an ID.
type test func(id string, u *User) bool

// Matches reports whether the filter selects the user with this ID.
func (f Filter) Matches(id string, u *User) bool {
	return !slices.ContainsFunc(f.tests, func(holds test) bool { return !holds(id, u) })
}

// ParseFilter reads a filter: eq comparisons joined by and. The attributes are id,
// externalId, userName, displayName, emails (any address) and active. An empty filter
// selects every user.
func ParseFilter(filter string) (Filter, *Problem) {
	var parsed Filter
	for rest := strings.TrimSpace(filter); rest != ""; {
		if parsed.tests != nil {
			var word string
			if word, rest = cutWord(rest); !strings.EqualFold(word, "and") {
				return Filter{}, badFilter()
			}
		}
		attribute, tail := cutWord(rest)
		operator, tail := cutWord(tail)
		if !strings.EqualFold(operator, "eq") {
			return Filter{}, badFilter()
		}
		var value any
		decoder := json.NewDecoder(strings.NewReader(tail))
		decoder.UseNumber()
		if decoder.Decode(&value) != nil {
			return Filter{}, badFilter()
		}
		rest = strings.TrimSpace(tail[decoder.InputOffset():])
		compared := testOf(attribute, fmt.Sprint(value))
		if compared == nil {
			return Filter{}, &Problem{"invalidFilter", "Users cannot be found by " + attribute}
		}
		parsed.tests = append(parsed.tests, compared)
	}
	return parsed, nil
}

func badFilter() *Problem {
	return &Problem{"invalidFilter", `The filter is not of the form: attribute eq "value"`}
}

func cutWord(str string) (word, rest string) {
	word, rest, _ = strings.Cut(str, " ")
	return word, strings.TrimLeft(rest, " ")
}

// testOf returns the test of one attribute, or nil if there is no such attribute. Only
// IDs are case-sensitive.
func testOf(attribute, value string) test {
	switch strings.ToLower(strings.TrimPrefix(attribute, UserSchema+":")) {
	case "id": // many clients mean the external ID
		return func(id string, u *User) bool { return id == value || value != "" && u.ExternalID == value }
	case "externalid":
		return func(_ string, u *User) bool { return u.ExternalID == value }
	case "username":
		return func(_ string, u *User) bool { return strings.EqualFold(u.UserName, value) }
	case "displayname":
		return func(_ string, u *User) bool { return strings.EqualFold(u.DisplayName, value) }
	case "active":
		return func(_ string, u *User) bool { return strings.EqualFold(fmt.Sprint(u.Active), value) }
	case "emails", "emails.value":
		return func(_ string, u *User) bool {
			return slices.ContainsFunc(u.Emails, func(e Email) bool { return strings.EqualFold(e.Value, value) })
		}
	}
	return nil
}
