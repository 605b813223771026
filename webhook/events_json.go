package webhook

import (
	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// encodeOptions write lists and maps that are nil as null, as encoding/json does.
var encodeOptions = jsonv2.JoinOptions(strictOptions, jsonv2.FormatNilSliceAsNull(true),
	jsonv2.FormatNilMapAsNull(true))

// decodeEvent decodes a body into an event without its methods. A member of the wrong kind is left
// out, and the error is about the first one.
func decodeEvent(body []byte, event any) error {
	err := strictly(body, event)
	if err == nil {
		return nil
	}
	if !jsontext.Value(body).IsValid(strictOptions) {
		return ErrNotJSON
	}
	leniently(body, event) // strictly may have ended at a member of the wrong kind
	return memberError(err)
}

// UnmarshalJSON decodes a body, with all forms of times. See [Decode], which also finds the type.
func (e *UnknownEvent) UnmarshalJSON(body []byte) error {
	type plain UnknownEvent
	return decodeEvent(body, (*plain)(e))
}

// MarshalJSON encodes the members of the body, also those that no field has.
func (e UnknownEvent) MarshalJSON() ([]byte, error) {
	type plain UnknownEvent
	return jsonv2.Marshal(plain(e), encodeOptions)
}

// UnmarshalJSON decodes a body, with all forms of times. See [Decode], which also finds the type.
func (e *PushEvent) UnmarshalJSON(body []byte) error {
	type plain PushEvent
	return decodeEvent(body, (*plain)(e))
}

// MarshalJSON encodes the members of the body, also those that no field has.
func (e PushEvent) MarshalJSON() ([]byte, error) {
	type plain PushEvent
	return jsonv2.Marshal(plain(e), encodeOptions)
}

// UnmarshalJSON decodes a body, with all forms of times. See [Decode], which also finds the type.
func (e *TagPushEvent) UnmarshalJSON(body []byte) error {
	type plain TagPushEvent
	return decodeEvent(body, (*plain)(e))
}

// MarshalJSON encodes the members of the body, also those that no field has.
func (e TagPushEvent) MarshalJSON() ([]byte, error) {
	type plain TagPushEvent
	return jsonv2.Marshal(plain(e), encodeOptions)
}

// UnmarshalJSON decodes a body, with all forms of times. See [Decode], which also finds the type.
func (e *PipelineEvent) UnmarshalJSON(body []byte) error {
	type plain PipelineEvent
	return decodeEvent(body, (*plain)(e))
}

// MarshalJSON encodes the members of the body, also those that no field has.
func (e PipelineEvent) MarshalJSON() ([]byte, error) {
	type plain PipelineEvent
	return jsonv2.Marshal(plain(e), encodeOptions)
}

// UnmarshalJSON decodes a body, with all forms of times. See [Decode], which also finds the type.
func (e *JobEvent) UnmarshalJSON(body []byte) error {
	type plain JobEvent
	return decodeEvent(body, (*plain)(e))
}

// MarshalJSON encodes the members of the body, also those that no field has.
func (e JobEvent) MarshalJSON() ([]byte, error) {
	type plain JobEvent
	return jsonv2.Marshal(plain(e), encodeOptions)
}

// UnmarshalJSON decodes a body, with all forms of times. See [Decode], which also finds the type.
func (e *DeploymentEvent) UnmarshalJSON(body []byte) error {
	type plain DeploymentEvent
	return decodeEvent(body, (*plain)(e))
}

// MarshalJSON encodes the members of the body, also those that no field has.
func (e DeploymentEvent) MarshalJSON() ([]byte, error) {
	type plain DeploymentEvent
	return jsonv2.Marshal(plain(e), encodeOptions)
}

// UnmarshalJSON decodes a body, with all forms of times. See [Decode], which also finds the type.
func (e *ReleaseEvent) UnmarshalJSON(body []byte) error {
	type plain ReleaseEvent
	return decodeEvent(body, (*plain)(e))
}

// MarshalJSON encodes the members of the body, also those that no field has.
func (e ReleaseEvent) MarshalJSON() ([]byte, error) {
	type plain ReleaseEvent
	return jsonv2.Marshal(plain(e), encodeOptions)
}

// UnmarshalJSON decodes a body, with all forms of times. See [Decode], which also finds the type.
func (e *FeatureFlagEvent) UnmarshalJSON(body []byte) error {
	type plain FeatureFlagEvent
	return decodeEvent(body, (*plain)(e))
}

// MarshalJSON encodes the members of the body, also those that no field has.
func (e FeatureFlagEvent) MarshalJSON() ([]byte, error) {
	type plain FeatureFlagEvent
	return jsonv2.Marshal(plain(e), encodeOptions)
}

// UnmarshalJSON decodes a body, with all forms of times. See [Decode], which also finds the type.
func (e *MergeRequestEvent) UnmarshalJSON(body []byte) error {
	type plain MergeRequestEvent
	return decodeEvent(body, (*plain)(e))
}

// MarshalJSON encodes the members of the body, also those that no field has.
func (e MergeRequestEvent) MarshalJSON() ([]byte, error) {
	type plain MergeRequestEvent
	return jsonv2.Marshal(plain(e), encodeOptions)
}

// UnmarshalJSON decodes a body, with all forms of times. See [Decode], which also finds the type.
func (e *EmojiEvent) UnmarshalJSON(body []byte) error {
	type plain EmojiEvent
	return decodeEvent(body, (*plain)(e))
}

// MarshalJSON encodes the members of the body, also those that no field has.
func (e EmojiEvent) MarshalJSON() ([]byte, error) {
	type plain EmojiEvent
	return jsonv2.Marshal(plain(e), encodeOptions)
}

// UnmarshalJSON decodes a body, with all forms of times. See [Decode], which also finds the type.
func (e *IssueEvent) UnmarshalJSON(body []byte) error {
	type plain IssueEvent
	return decodeEvent(body, (*plain)(e))
}

// MarshalJSON encodes the members of the body, also those that no field has.
func (e IssueEvent) MarshalJSON() ([]byte, error) {
	type plain IssueEvent
	return jsonv2.Marshal(plain(e), encodeOptions)
}

// UnmarshalJSON decodes a body, with all forms of times. See [Decode], which also finds the type.
func (e *NoteEvent) UnmarshalJSON(body []byte) error {
	type plain NoteEvent
	return decodeEvent(body, (*plain)(e))
}

// MarshalJSON encodes the members of the body, also those that no field has.
func (e NoteEvent) MarshalJSON() ([]byte, error) {
	type plain NoteEvent
	return jsonv2.Marshal(plain(e), encodeOptions)
}

// UnmarshalJSON decodes a body, with all forms of times. See [Decode], which also finds the type.
func (e *WikiPageEvent) UnmarshalJSON(body []byte) error {
	type plain WikiPageEvent
	return decodeEvent(body, (*plain)(e))
}

// MarshalJSON encodes the members of the body, also those that no field has.
func (e WikiPageEvent) MarshalJSON() ([]byte, error) {
	type plain WikiPageEvent
	return jsonv2.Marshal(plain(e), encodeOptions)
}

// UnmarshalJSON decodes a body, with all forms of times. See [Decode], which also finds the type.
func (e *MilestoneEvent) UnmarshalJSON(body []byte) error {
	type plain MilestoneEvent
	return decodeEvent(body, (*plain)(e))
}

// MarshalJSON encodes the members of the body, also those that no field has.
func (e MilestoneEvent) MarshalJSON() ([]byte, error) {
	type plain MilestoneEvent
	return jsonv2.Marshal(plain(e), encodeOptions)
}

// UnmarshalJSON decodes a body, with all forms of times. See [Decode], which also finds the type.
func (e *AccessTokenEvent) UnmarshalJSON(body []byte) error {
	type plain AccessTokenEvent
	return decodeEvent(body, (*plain)(e))
}

// MarshalJSON encodes the members of the body, also those that no field has.
func (e AccessTokenEvent) MarshalJSON() ([]byte, error) {
	type plain AccessTokenEvent
	return jsonv2.Marshal(plain(e), encodeOptions)
}

// UnmarshalJSON decodes a body, with all forms of times. See [Decode], which also finds the type.
func (e *DeployTokenEvent) UnmarshalJSON(body []byte) error {
	type plain DeployTokenEvent
	return decodeEvent(body, (*plain)(e))
}

// MarshalJSON encodes the members of the body, also those that no field has.
func (e DeployTokenEvent) MarshalJSON() ([]byte, error) {
	type plain DeployTokenEvent
	return jsonv2.Marshal(plain(e), encodeOptions)
}

// UnmarshalJSON decodes a body, with all forms of times. See [Decode], which also finds the type.
func (e *VulnerabilityEvent) UnmarshalJSON(body []byte) error {
	type plain VulnerabilityEvent
	return decodeEvent(body, (*plain)(e))
}

// MarshalJSON encodes the members of the body, also those that no field has.
func (e VulnerabilityEvent) MarshalJSON() ([]byte, error) {
	type plain VulnerabilityEvent
	return jsonv2.Marshal(plain(e), encodeOptions)
}

// UnmarshalJSON decodes a body, with all forms of times. See [Decode], which also finds the type.
func (e *MemberEvent) UnmarshalJSON(body []byte) error {
	type plain MemberEvent
	return decodeEvent(body, (*plain)(e))
}

// MarshalJSON encodes the members of the body, also those that no field has.
func (e MemberEvent) MarshalJSON() ([]byte, error) {
	type plain MemberEvent
	return jsonv2.Marshal(plain(e), encodeOptions)
}

// UnmarshalJSON decodes a body, with all forms of times. See [Decode], which also finds the type.
func (e *SubgroupEvent) UnmarshalJSON(body []byte) error {
	type plain SubgroupEvent
	return decodeEvent(body, (*plain)(e))
}

// MarshalJSON encodes the members of the body, also those that no field has.
func (e SubgroupEvent) MarshalJSON() ([]byte, error) {
	type plain SubgroupEvent
	return jsonv2.Marshal(plain(e), encodeOptions)
}

// UnmarshalJSON decodes a body, with all forms of times. See [Decode], which also finds the type.
func (e *ProjectEvent) UnmarshalJSON(body []byte) error {
	type plain ProjectEvent
	return decodeEvent(body, (*plain)(e))
}

// MarshalJSON encodes the members of the body, also those that no field has.
func (e ProjectEvent) MarshalJSON() ([]byte, error) {
	type plain ProjectEvent
	return jsonv2.Marshal(plain(e), encodeOptions)
}

// UnmarshalJSON decodes a body, with all forms of times. See [Decode], which also finds the type.
func (e *GroupEvent) UnmarshalJSON(body []byte) error {
	type plain GroupEvent
	return decodeEvent(body, (*plain)(e))
}

// MarshalJSON encodes the members of the body, also those that no field has.
func (e GroupEvent) MarshalJSON() ([]byte, error) {
	type plain GroupEvent
	return jsonv2.Marshal(plain(e), encodeOptions)
}

// UnmarshalJSON decodes a body, with all forms of times. See [Decode], which also finds the type.
func (e *UserEvent) UnmarshalJSON(body []byte) error {
	type plain UserEvent
	return decodeEvent(body, (*plain)(e))
}

// MarshalJSON encodes the members of the body, also those that no field has.
func (e UserEvent) MarshalJSON() ([]byte, error) {
	type plain UserEvent
	return jsonv2.Marshal(plain(e), encodeOptions)
}

// UnmarshalJSON decodes a body, with all forms of times. See [Decode], which also finds the type.
func (e *ProjectMemberEvent) UnmarshalJSON(body []byte) error {
	type plain ProjectMemberEvent
	return decodeEvent(body, (*plain)(e))
}

// MarshalJSON encodes the members of the body, also those that no field has.
func (e ProjectMemberEvent) MarshalJSON() ([]byte, error) {
	type plain ProjectMemberEvent
	return jsonv2.Marshal(plain(e), encodeOptions)
}

// UnmarshalJSON decodes a body, with all forms of times. See [Decode], which also finds the type.
func (e *KeyEvent) UnmarshalJSON(body []byte) error {
	type plain KeyEvent
	return decodeEvent(body, (*plain)(e))
}

// MarshalJSON encodes the members of the body, also those that no field has.
func (e KeyEvent) MarshalJSON() ([]byte, error) {
	type plain KeyEvent
	return jsonv2.Marshal(plain(e), encodeOptions)
}

// UnmarshalJSON decodes a body, with all forms of times. See [Decode], which also finds the type.
func (e *RepositoryUpdateEvent) UnmarshalJSON(body []byte) error {
	type plain RepositoryUpdateEvent
	return decodeEvent(body, (*plain)(e))
}

// MarshalJSON encodes the members of the body, also those that no field has.
func (e RepositoryUpdateEvent) MarshalJSON() ([]byte, error) {
	type plain RepositoryUpdateEvent
	return jsonv2.Marshal(plain(e), encodeOptions)
}

// UnmarshalJSON decodes a body, with all forms of times. See [Decode], which also finds the type.
func (e *MemberApprovalEvent) UnmarshalJSON(body []byte) error {
	type plain MemberApprovalEvent
	return decodeEvent(body, (*plain)(e))
}

// MarshalJSON encodes the members of the body, also those that no field has.
func (e MemberApprovalEvent) MarshalJSON() ([]byte, error) {
	type plain MemberApprovalEvent
	return jsonv2.Marshal(plain(e), encodeOptions)
}

// UnmarshalJSON decodes a body, with all forms of times. See [Decode], which also finds the type.
func (e *MemberApprovalsEvent) UnmarshalJSON(body []byte) error {
	type plain MemberApprovalsEvent
	return decodeEvent(body, (*plain)(e))
}

// MarshalJSON encodes the members of the body, also those that no field has.
func (e MemberApprovalsEvent) MarshalJSON() ([]byte, error) {
	type plain MemberApprovalsEvent
	return jsonv2.Marshal(plain(e), encodeOptions)
}
