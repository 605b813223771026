package serviceapi

import (
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// Names of the schemas that SCIM messages carry (RFC 7643, RFC 7644).
const (
	SCIMUserSchema         = "urn:ietf:params:scim:schemas:core:2.0:User"
	SCIMListResponseSchema = "urn:ietf:params:scim:api:messages:2.0:ListResponse"
	SCIMPatchOpSchema      = "urn:ietf:params:scim:api:messages:2.0:PatchOp"
)

// SCIMUser is a user as the identity provider of a group knows it.
type SCIMUser struct {
	// Schemas names the schemas that the object follows.
	Schemas []string `json:"schemas"`
	// ID is given by the service. It is not the numeric ID of the user account.
	ID string `json:"id"`
	// ExternalID is given by the identity provider.
	ExternalID string `json:"externalId"`
	// UserName is unique in the group, without regard to case.
	UserName string `json:"userName"`
	// Name is nil if the service tells nothing about it.
	Name        *SCIMName `json:"name"`
	DisplayName string    `json:"displayName"`
	// Emails holds one address with Primary set, and perhaps others.
	Emails []SCIMEmail `json:"emails"`
	// Active reports whether the user may use the group. It is nil if the
	// service does not tell.
	Active *bool `json:"active"`
	// Meta is nil if the service tells nothing about the object itself.
	Meta *SCIMMeta `json:"meta"`
}

// SCIMName holds the parts of a person's name. Parts that are empty are not
// sent.
type SCIMName struct {
	// Formatted is the whole name as it is displayed.
	Formatted       string `json:"formatted,omitzero"`
	FamilyName      string `json:"familyName,omitzero"`
	GivenName       string `json:"givenName,omitzero"`
	MiddleName      string `json:"middleName,omitzero"`
	HonorificPrefix string `json:"honorificPrefix,omitzero"`
	HonorificSuffix string `json:"honorificSuffix,omitzero"`
}

// SCIMEmail is an email address of a user. Parts that are zero are not sent.
type SCIMEmail struct {
	// Value is the address.
	Value string `json:"value"`
	// Display is a name for it.
	Display string `json:"display,omitzero"`
	// Type is for example "work" or "home".
	Type string `json:"type,omitzero"`
	// Primary marks one address of the user.
	Primary bool `json:"primary,omitzero"`
}

// SCIMMeta tells about an object itself.
type SCIMMeta struct {
	// ResourceType is "User".
	ResourceType string `json:"resourceType"`
	// Created and LastModified are nil if the service does not tell.
	Created      *time.Time `json:"created"`
	LastModified *time.Time `json:"lastModified"`
	// Location is the address of the object in the SCIM API.
	Location string `json:"location"`
	// Version is an entity tag.
	Version string `json:"version"`
}

// SCIMUserList is one page of users: the ListResponse of RFC 7644.
type SCIMUserList struct {
	// Schemas holds [SCIMListResponseSchema].
	Schemas []string `json:"schemas"`
	// TotalResults is the number of users on all pages.
	TotalResults int `json:"totalResults"`
	// StartIndex is the place of the page's first user in the list, from 1.
	StartIndex int `json:"startIndex"`
	// ItemsPerPage is the number of users on the page.
	ItemsPerPage int `json:"itemsPerPage"`
	// Resources are the users of the page.
	Resources []*SCIMUser `json:"Resources"`

	// received counts the items, null ones too.
	received int
}

// ListSCIMUsersOptions selects users of a group.
type ListSCIMUsersOptions struct {
	// Filter is an expression of RFC 7644, section 3.4.2.2, such as
	// [SCIMEqual] makes.
	Filter string `url:"filter,omitempty"`
	// StartIndex is the place in the list to begin at, from 1. 0 is the first.
	StartIndex int `url:"startIndex,omitempty"`
	// Count is the number of users on a page. Nil leaves it to the service
	// ([SCIMService.All] asks for 100 then), which may also return fewer. 0
	// returns no users, but their number.
	Count *int `url:"count,omitempty"`
}

// SCIMAttribute names an attribute of a user in a filter.
type SCIMAttribute string

// Attributes that users can be found by.
const (
	SCIMAttributeID         SCIMAttribute = "id"
	SCIMAttributeExternalID SCIMAttribute = "externalId"
	SCIMAttributeUserName   SCIMAttribute = "userName"
)

// SCIMEqual returns the filter for users whose attribute has a value, quoted as
// SCIM wants it: userName eq "ada".
func SCIMEqual(attribute SCIMAttribute, value string) string {
	quoted, _ := jsontext.AppendQuote(nil, value) // invalid UTF-8 becomes U+FFFD
	return string(attribute) + " eq " + string(quoted)
}

// CreateSCIMUserOptions describes a user to be added to a group.
type CreateSCIMUserOptions struct {
	// UserName must be unique in the group.
	UserName string `json:"userName"`
	// ExternalID is the identity provider's own ID of the user.
	ExternalID string `json:"externalId,omitzero"`
	// Name is optional.
	Name        *SCIMName `json:"name,omitzero"`
	DisplayName string    `json:"displayName,omitzero"`
	// Emails holds at least one address.
	Emails []SCIMEmail `json:"emails,omitzero"`
	// Active is true by default.
	Active *bool `json:"active,omitzero"`
}

// SCIMOperator is what an operation of a patch does.
type SCIMOperator string

// The operators of patches.
const (
	SCIMAdd     SCIMOperator = "add"
	SCIMReplace SCIMOperator = "replace"
	SCIMRemove  SCIMOperator = "remove"
)

// SCIMOperation is one change of a patch, for example
//
//	SCIMOperation{Op: SCIMReplace, Path: "active", Value: false}
type SCIMOperation struct {
	Op SCIMOperator `json:"op"`
	// Path names an attribute, such as "active", "name.familyName" or
	// `emails[type eq "work"].value`. Without it Value is an object of
	// attributes. To remove something needs a path.
	Path string `json:"path,omitzero"`
	// Value is the new value, of the attribute's own type: a string, a bool,
	// an [SCIMName], a slice of [SCIMEmail] or a map. Nil is not sent.
	Value any `json:"value,omitzero"`
}

// PatchSCIMUserOptions are changes of a user, made in order and either all of
// them or none.
type PatchSCIMUserOptions struct {
	Operations []SCIMOperation `json:"Operations"`
}
