package serviceapi

import (
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// Schemas of SCIM messages (RFC 7643, RFC 7644), as in [SCIMUser.Schemas].
const (
	SCIMUserSchema         = "urn:ietf:params:scim:schemas:core:2.0:User"
	SCIMListResponseSchema = "urn:ietf:params:scim:api:messages:2.0:ListResponse"
)

const scimPatchOpSchema = "urn:ietf:params:scim:api:messages:2.0:PatchOp"

// SCIMUser is a user as known to the identity provider of a group.
type SCIMUser struct {
	// Schemas are the schemas that the object follows.
	Schemas []string `json:"schemas"`
	// ID is assigned by the service. It is not the numeric ID of the user account.
	ID string `json:"id"`
	// ExternalID is assigned by the identity provider.
	ExternalID string `json:"externalId"`
	// UserName is unique in the group. It is not case-sensitive.
	UserName string `json:"userName"`
	// Name is nil if the service does not send it.
	Name        *SCIMName `json:"name"`
	DisplayName string    `json:"displayName"`
	// Emails has one address with Primary set, and possibly others.
	Emails []*SCIMEmail `json:"emails"`
	// Active reports whether the user has access to the group. It is nil if the
	// service does not say.
	Active *bool `json:"active"`
	// Meta is nil if the service does not send it.
	Meta *SCIMMeta `json:"meta"`
}

// SCIMName has the parts of a person's name. Empty parts are not sent.
type SCIMName struct {
	// Formatted is the whole name as it is displayed.
	Formatted       string `json:"formatted,omitzero"`
	FamilyName      string `json:"familyName,omitzero"`
	GivenName       string `json:"givenName,omitzero"`
	MiddleName      string `json:"middleName,omitzero"`
	HonorificPrefix string `json:"honorificPrefix,omitzero"`
	HonorificSuffix string `json:"honorificSuffix,omitzero"`
}

// SCIMEmail is an email address of a user. Zero fields are not sent.
type SCIMEmail struct {
	// Value is the address.
	Value string `json:"value"`
	// Display is the address in a form for display.
	Display string `json:"display,omitzero"`
	// Type is for example "work" or "home".
	Type string `json:"type,omitzero"`
	// Primary reports whether this is the user's primary address.
	Primary bool `json:"primary,omitzero"`
}

// SCIMMeta is metadata about a SCIM object.
type SCIMMeta struct {
	// ResourceType is "User".
	ResourceType string `json:"resourceType"`
	// Created is nil if the service does not send it.
	Created *time.Time `json:"created"`
	// LastModified is nil like Created.
	LastModified *time.Time `json:"lastModified"`
	// Location is the address of the object in the SCIM API.
	Location string `json:"location"`
	// Version is an entity tag.
	Version string `json:"version"`
}

// SCIMUserList is one page of users: the ListResponse of RFC 7644.
type SCIMUserList struct {
	// Schemas is [SCIMListResponseSchema].
	Schemas []string `json:"schemas"`
	// TotalResults is the number of users on all pages.
	TotalResults int `json:"totalResults"`
	// StartIndex is the position of the page's first user in the list, counted
	// from 1.
	StartIndex int `json:"startIndex"`
	// ItemsPerPage is the number of users on the page.
	ItemsPerPage int `json:"itemsPerPage"`
	// Resources are the users of the page.
	Resources []*SCIMUser `json:"Resources"`

	// received is the number of items, including null.
	received int
}

// ListSCIMUsersOptions selects users of a group.
type ListSCIMUsersOptions struct {
	// Filter is an expression of RFC 7644, section 3.4.2.2, such as
	// [SCIMEqual] makes.
	Filter string `url:"filter,omitempty"`
	// StartIndex is the position in the list to begin at, counted from 1. 0 means
	// 1.
	StartIndex int `url:"startIndex,omitempty"`
	// Count is the number of users on a page; the service may return fewer. Nil
	// leaves it to the service, except for [SCIMService.All], which then asks for
	// 100. 0 returns no users, only their number.
	Count *int `url:"count,omitempty"`
}

// SCIMAttribute is the name of an attribute of a user in a filter.
type SCIMAttribute string

// Attributes that users can be found by.
const (
	SCIMAttributeID         SCIMAttribute = "id"
	SCIMAttributeExternalID SCIMAttribute = "externalId"
	SCIMAttributeUserName   SCIMAttribute = "userName"
)

// SCIMEqual returns a filter for users whose attribute has a value, correctly
// quoted: userName eq "ada".
func SCIMEqual(attribute SCIMAttribute, value string) string {
	quoted, _ := jsontext.AppendQuote(nil, value) // invalid UTF-8 becomes U+FFFD
	return string(attribute) + " eq " + string(quoted)
}

// CreateSCIMUserOptions describes a user to add to a group. UserName and Emails
// are required.
type CreateSCIMUserOptions struct {
	// UserName must be unique in the group.
	UserName string `json:"userName"`
	// ExternalID is the identity provider's ID of the user.
	ExternalID string `json:"externalId,omitzero"`
	// Name is optional.
	Name        *SCIMName `json:"name,omitzero"`
	DisplayName string    `json:"displayName,omitzero"`
	// Emails must have at least one address.
	Emails []SCIMEmail `json:"emails,omitzero"`
	// Active is true by default.
	Active *bool `json:"active,omitzero"`
}

// SCIMOperator is the kind of an operation of a patch.
type SCIMOperator string

// Kinds of operations of a patch.
const (
	SCIMOperatorAdd     SCIMOperator = "add"
	SCIMOperatorReplace SCIMOperator = "replace"
	SCIMOperatorRemove  SCIMOperator = "remove"
)

// SCIMOperation is one change of a patch, for example
//
//	SCIMOperation{Op: SCIMOperatorReplace, Path: "active", Value: false}
type SCIMOperation struct {
	Op SCIMOperator `json:"op"`
	// Path is the path of an attribute, such as "active", "name.familyName" or
	// `emails[type eq "work"].value`. Without it, Value is an object of
	// attributes. It is required for SCIMOperatorRemove.
	Path string `json:"path,omitzero"`
	// Value is the new value, which has the type of the attribute: a string, a
	// bool, an [SCIMName], a slice of [SCIMEmail] or a map. Nil is not sent.
	Value any `json:"value,omitzero"`
}

// PatchSCIMUserOptions changes a user. At least one operation is required. The
// operations are applied in order, all of them or none.
type PatchSCIMUserOptions struct {
	Operations []SCIMOperation `json:"Operations"`
}
