package serviceapi

import (
	"strconv"
	"strings"

	"example.com/serviceapi/internal/text"
)

// ProjectOrGroup is a [ProjectRef] or a [GroupRef], for functions that work with
// both. It is an owner in every area that has both:
//
//	func (a *audit) variables(owner serviceapi.ProjectOrGroup) error {
//		for variable, err := range a.client.Variables.All(a.ctx, owner, nil) {
//
// Unlike them, it may be nil. Calls return an [*ArgumentError] for a nil owner.
type ProjectOrGroup interface {
	AccessTokenOwner
	AuditEventOwner
	IssueOwner
	LabelOwner
	MemberOwner
	MergeRequestOwner
	MilestoneOwner
	NewAccessTokenOwner
	NewRunnerOwner
	RegistryOwner
	RunnerOwner
	VariableOwner

	// IsZero reports whether the reference is the zero value.
	IsZero() bool
	// String returns the ID or the path as it was passed.
	String() string
}

// ParseProjectRef returns the project of a command line or a configuration file:
// an ID, such as "42", or a path, such as "acme/shop". It returns an
// [*ArgumentError] for anything that cannot be either, such as an address.
func ParseProjectRef(s string) (ProjectRef, error) {
	r, err := parseReference("project", s)
	return ProjectRef{r}, err
}

// ParseGroupRef returns the group of a command line or a configuration file: an
// ID, such as "7", or a path, such as "acme/platform". It returns an
// [*ArgumentError] for anything that cannot be either. A group whose path has only
// digits is [GroupPath].
func ParseGroupRef(s string) (GroupRef, error) {
	r, err := parseReference("group", s)
	return GroupRef{r}, err
}

// ParseUserRef returns the user of a command line or a configuration file: an ID,
// such as "3", or a username, such as "ada" or "@ada". It returns an
// [*ArgumentError] for anything that cannot be either. A user whose name has only
// digits is [Username].
func ParseUserRef(s string) (UserRef, error) {
	r, err := parseReference("user", strings.TrimPrefix(s, "@"))
	if err == nil && strings.ContainsAny(r.name, "/\\@ ") {
		problem := "is neither an ID nor a username: " + text.Printable(s, 100)
		return UserRef{}, &ArgumentError{Argument: "user", Problem: problem}
	}
	return UserRef{r}, err
}

// ParseNamespaceRef returns the namespace of a command line or a configuration
// file: an ID, such as "7", or a path, such as "acme/platform" or "ada". It
// returns an [*ArgumentError] for anything that cannot be either.
func ParseNamespaceRef(s string) (NamespaceRef, error) {
	r, err := parseReference("namespace", s)
	return NamespaceRef{r}, err
}

// parseReference returns the reference to the object of this kind.
func parseReference(kind, s string) (reference, error) {
	r := referenceByName(s)
	if s != "" && strings.Trim(s, "0123456789") == "" {
		id, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			problem := "is too large to be an ID: " + text.Printable(s, 100)
			return reference{}, &ArgumentError{Argument: kind, Problem: problem}
		}
		r = referenceByID(id)
	}
	if _, err := referenceSegment(kind, kind, r); err != nil {
		return reference{}, err
	}
	return r, nil
}

// Ref identifies the project by its ID, which stays the same if it moves.
func (p *Project) Ref() ProjectRef { return ProjectID(orZero(p).ID) }

// Ref identifies the project by its ID, which stays the same if it moves.
func (p *ProjectSummary) Ref() ProjectRef { return ProjectID(orZero(p).ID) }

// Ref identifies the group by its ID, which stays the same if it moves.
func (g *Group) Ref() GroupRef { return GroupID(orZero(g).ID) }

// Ref identifies the group by its ID, which stays the same if it moves.
func (g *GroupSummary) Ref() GroupRef { return GroupID(orZero(g).ID) }

// Ref identifies the user by ID, which stays the same if the user is renamed.
func (u *UserSummary) Ref() UserRef { return UserID(orZero(u).ID) }

// Ref identifies the user by ID, which stays the same if the user is renamed.
func (u *User) Ref() UserRef { return UserID(orZero(u).ID) }

// Ref identifies the namespace by its ID, which stays the same if it moves.
func (n *Namespace) Ref() NamespaceRef { return NamespaceID(orZero(n).ID) }

// Ref identifies the namespace by its ID, which stays the same if it moves.
func (n *NamespaceSummary) Ref() NamespaceRef { return NamespaceID(orZero(n).ID) }

// Ref identifies the issue by the ID of its project and its number there.
func (i *Issue) Ref() IssueRef { return IssueIn(ProjectID(orZero(i).ProjectID), orZero(i).IID) }

// Ref identifies the merge request by the ID of its project and its number there.
func (m *MergeRequest) Ref() MergeRequestRef {
	return MergeRequestIn(ProjectID(orZero(m).ProjectID), orZero(m).IID)
}

// Ref identifies the merge request by the ID of its project and its number there.
func (m *MergeRequestDetails) Ref() MergeRequestRef {
	return MergeRequestIn(ProjectID(orZero(m).ProjectID), orZero(m).IID)
}

// Ref identifies the epic by the ID of its group and its own ID.
func (e *Epic) Ref() EpicRef { return EpicIn(GroupID(orZero(e).GroupID), orZero(e).ID) }

// Ref identifies the epic by the ID of its group and its own ID.
func (e *EpicSummary) Ref() EpicRef { return EpicIn(GroupID(orZero(e).GroupID), orZero(e).ID) }
