package servicetest

import (
	"encoding/json"
	"fmt"
	"strings"
)

var badFilter = &scimProblem{"invalidFilter", `The filter is not of the form: attribute eq "value"`}

// parseSCIMFilter reads a filter of comparisons with eq that are joined by and.
// The attributes are id, externalId, userName, displayName, emails (any
// address) and active. An empty filter matches every user.
func parseSCIMFilter(filter string) (func(*SCIMUser) bool, *scimProblem) {
	var tests []func(*SCIMUser) bool
	for rest := strings.TrimSpace(filter); rest != ""; {
		if tests != nil {
			var word string
			word, rest = cutWord(rest)
			if !strings.EqualFold(word, "and") {
				return nil, badFilter
			}
		}
		attribute, tail := cutWord(rest)
		operator, tail := cutWord(tail)
		if !strings.EqualFold(operator, "eq") {
			return nil, badFilter
		}
		var value any
		decoder := json.NewDecoder(strings.NewReader(tail))
		if decoder.Decode(&value) != nil {
			return nil, badFilter
		}
		rest = strings.TrimSpace(tail[decoder.InputOffset():])
		test, problem := scimTest(attribute, fmt.Sprint(value))
		if problem != nil {
			return nil, problem
		}
		tests = append(tests, test)
	}
	return func(u *SCIMUser) bool {
		for _, test := range tests {
			if !test(u) {
				return false
			}
		}
		return true
	}, nil
}

func cutWord(text string) (word, rest string) {
	word, rest, _ = strings.Cut(text, " ")
	return word, strings.TrimLeft(rest, " ")
}

// scimTest compares one attribute. Ids are compared exactly, the rest without
// regard to case.
func scimTest(attribute, value string) (func(*SCIMUser) bool, *scimProblem) {
	switch strings.ToLower(attribute) {
	case "id":
		return func(u *SCIMUser) bool { return u.id == value }, nil
	case "externalid":
		return func(u *SCIMUser) bool { return u.attributes.ExternalID == value }, nil
	case "username":
		return func(u *SCIMUser) bool { return strings.EqualFold(u.attributes.UserName, value) }, nil
	case "displayname":
		return func(u *SCIMUser) bool { return strings.EqualFold(u.attributes.DisplayName, value) }, nil
	case "active":
		return func(u *SCIMUser) bool { return fmt.Sprint(u.attributes.Active) == value }, nil
	case "emails", "emails.value":
		return func(u *SCIMUser) bool {
			for _, email := range u.attributes.Emails {
				if strings.EqualFold(email.Value, value) {
					return true
				}
			}
			return false
		}, nil
	}
	return nil, &scimProblem{"invalidFilter", "Users cannot be found by " + attribute}
}
