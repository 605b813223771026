package servicetest

import "slices"

// The states of a membership.
const (
	memberActive   = "active"
	memberAwaiting = "awaiting"
)

// memberJSON is the form of a member.
type memberJSON struct {
	*userSummary

	CreatedAt         jsonTime      `json:"created_at"`
	CreatedBy         *userSummary  `json:"created_by"`
	ExpiresAt         jsonTime      `json:"expires_at"`
	AccessLevel       AccessLevel   `json:"access_level"`
	Email             string        `json:"email,omitempty"`
	GroupSAMLIdentity *samlIdentity `json:"group_saml_identity"`
	MembershipState   string        `json:"membership_state"`
}

// samlIdentity is a member's account at the identity provider of a group.
type samlIdentity struct {
	ExternUID      string `json:"extern_uid"`
	Provider       string `json:"provider"`
	SAMLProviderID int64  `json:"saml_provider_id"`
}

// json returns the form that a caller of a home gets.
func (m memberRole) json(h *home) *memberJSON {
	return &memberJSON{
		userSummary: m.user.summary(), CreatedAt: jsonTime(m.createdAt), CreatedBy: m.createdBy.summary(),
		ExpiresAt: jsonTime(m.expiresAt), AccessLevel: m.level, Email: m.user.publicEmail,
		GroupSAMLIdentity: h.samlIdentity(m.user), MembershipState: m.state,
	}
}

// samlIdentity returns a user's account at the identity provider of the home's
// top-level group, which its owners alone see.
func (h *home) samlIdentity(user *User) *samlIdentity {
	if h.group == nil || h.level < Owner {
		return nil
	}
	at := slices.IndexFunc(user.identities, func(i identity) bool { return i.samlProviderID == h.group.top().id })
	if at < 0 {
		return nil
	}
	i := user.identities[at]
	return &samlIdentity{i.externUID, i.provider, i.samlProviderID}
}
