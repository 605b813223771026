package serviceapi

// ErrorCode is the code of an [*Error]: the response's error_code, the scimType of
// SCIM, or the code of the first error of GraphQL. The constants are those that a
// program can act on; the service may send others.
type ErrorCode string

// Codes of an [*Error].
const (
	// ErrorCodeEmpty: a cherry-pick or a revert would not change the branch. The
	// commit has already been applied or reverted there, so there is nothing to do.
	// The error is a [*ChangesetError].
	ErrorCodeEmpty ErrorCode = "empty"
	// ErrorCodeConflict: a cherry-pick or a revert conflicts with the branch, and
	// will again. Somebody has to resolve the conflict in a merge request. The error
	// is a [*ChangesetError].
	ErrorCodeConflict ErrorCode = "conflict"

	// ErrorCodeUniqueness: SCIM, the user is in the group already, or the name is
	// taken. Find the user with a filter and update it.
	ErrorCodeUniqueness ErrorCode = "uniqueness"
	// ErrorCodeInvalidFilter: SCIM, the filter is malformed, or the service does not
	// support it. Use a simpler one, and select among the users that it finds.
	ErrorCodeInvalidFilter ErrorCode = "invalidFilter"
	// ErrorCodeInvalidPath: SCIM, the path of a patch is malformed. Mend the patch.
	ErrorCodeInvalidPath ErrorCode = "invalidPath"
	// ErrorCodeInvalidSyntax: SCIM, the body is not what the schema says. Mend it.
	ErrorCodeInvalidSyntax ErrorCode = "invalidSyntax"
	// ErrorCodeInvalidValue: SCIM, a value is missing or is not one that the attribute
	// takes. The message names it.
	ErrorCodeInvalidValue ErrorCode = "invalidValue"
	// ErrorCodeNoTarget: SCIM, the path of a patch matches nothing. Read the user, and
	// patch what it has.
	ErrorCodeNoTarget ErrorCode = "noTarget"
)

// ErrorReason is the reason of an [*Error]: the response's error. For a credential it
// is one of the constants, as OAuth2 defines them. For a bad parameter, the service
// sends a sentence, such as "name is missing", which is also the Message.
type ErrorReason string

// Reasons of an [*Error].
const (
	// ErrorReasonInsufficientScope: the token lacks the scope that [Error.Scope] names.
	// Create a token that has it. The error is an [*InsufficientScopeError].
	ErrorReasonInsufficientScope ErrorReason = "insufficient_scope"
	// ErrorReasonInvalidToken: the token has expired, was revoked, or never existed.
	// Use another one. With [OAuth2], the client has already tried to renew it.
	ErrorReasonInvalidToken ErrorReason = "invalid_token"

	// ErrorReasonInvalidGrant: the refresh token, the code or the password is not
	// valid, or was used before. The user has to sign in again.
	ErrorReasonInvalidGrant ErrorReason = "invalid_grant"
	// ErrorReasonInvalidClient: the service does not know the application, or its
	// secret is wrong. Check the configuration: no user can help.
	ErrorReasonInvalidClient ErrorReason = "invalid_client"
	// ErrorReasonInvalidRequest: a parameter of a request for a token is missing or
	// malformed. The Description names it.
	ErrorReasonInvalidRequest ErrorReason = "invalid_request"
	// ErrorReasonInvalidScope: the application may not ask for the scopes. Register
	// them with the application, or ask for fewer.
	ErrorReasonInvalidScope ErrorReason = "invalid_scope"
	// ErrorReasonUnauthorizedClient: the application may not ask for a token in this
	// way. Allow the grant in its settings.
	ErrorReasonUnauthorizedClient ErrorReason = "unauthorized_client"
	// ErrorReasonUnsupportedGrantType: the service gives no tokens in this way. Use
	// another grant.
	ErrorReasonUnsupportedGrantType ErrorReason = "unsupported_grant_type"
)
