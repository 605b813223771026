// Package scim implements the users of RFC 7643, and the filters and patches of
// RFC 7644.
package scim

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// The schemas of messages.
const (
	UserSchema  = "urn:ietf:params:scim:schemas:core:2.0:User"
	ListSchema  = "urn:ietf:params:scim:api:messages:2.0:ListResponse"
	PatchSchema = "urn:ietf:params:scim:api:messages:2.0:PatchOp"
	ErrorSchema = "urn:ietf:params:scim:api:messages:2.0:Error"
)

// A User is a user as an identity provider knows it.
type User struct {
	ExternalID  string  `json:"externalId,omitempty"`
	UserName    string  `json:"userName"`
	Name        Name    `json:"name,omitzero"`
	DisplayName string  `json:"displayName,omitempty"`
	Emails      []Email `json:"emails"`
	Active      Bool    `json:"active"`
}

// A Name is the name of a user in parts. Empty names are not sent.
type Name struct {
	Formatted       string `json:"formatted,omitempty"`
	FamilyName      string `json:"familyName,omitempty"`
	GivenName       string `json:"givenName,omitempty"`
	MiddleName      string `json:"middleName,omitempty"`
	HonorificPrefix string `json:"honorificPrefix,omitempty"`
	HonorificSuffix string `json:"honorificSuffix,omitempty"`
}

// An Email is an email address of a user.
type Email struct {
	Value   string `json:"value"`
	Display string `json:"display,omitempty"`
	Type    string `json:"type,omitempty"`
	Primary Bool   `json:"primary,omitempty"`
}

// A Bool is also read from "True" and "False", which some identity providers
// send.
type Bool bool

// UnmarshalJSON reads a boolean with or without quotes.
func (b *Bool) UnmarshalJSON(data []byte) error {
	switch strings.ToLower(string(bytes.Trim(data, `"`))) {
	case "true":
		*b = true
	case "false":
		*b = false
	default:
		return fmt.Errorf("%s is not a boolean", data)
	}
	return nil
}

// A Problem says why an operation cannot be applied, a filter cannot be read, or a user
// cannot be stored. Kind is the scimType of RFC 7644.
type Problem struct{ Kind, Detail string }

// Clone returns a copy that shares nothing with the user.
func (u *User) Clone() User {
	copied := *u
	copied.Emails = slices.Clone(u.Emails)
	return copied
}

// Check says what is missing in a user, or returns nil.
func (u *User) Check() *Problem {
	switch {
	case u.UserName == "":
		return &Problem{"invalidValue", "userName is missing"}
	case u.Email() == "":
		return &Problem{"invalidValue", "emails holds no address"}
	}
	return nil
}

// Email returns the primary address, or the first one, or "" if there is none.
func (u *User) Email() string {
	for _, email := range u.Emails {
		if email.Primary {
			return email.Value
		}
	}
	if len(u.Emails) == 0 {
		return ""
	}
	return u.Emails[0].Value
}

// FullName returns the name to show. It is the first that is not empty of the formatted
// name, given and family name, the display name and the user name.
func (u *User) FullName() string {
	for _, name := range []string{u.Name.Formatted, strings.TrimSpace(u.Name.GivenName + " " + u.Name.FamilyName),
		u.DisplayName} {
		if name != "" {
			return name
		}
	}
	return u.UserName
}

// decode reads the value for a path.
func decode(path string, value json.RawMessage, into any) *Problem {
	if len(value) == 0 || json.Unmarshal(value, into) != nil {
		return badValue(path)
	}
	return nil
}
