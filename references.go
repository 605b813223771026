package serviceapi

import (
	"net/url"
	"strconv"
	"strings"

	"example.com/serviceapi/internal/segment"
	"example.com/serviceapi/internal/text"
)

// ProjectRef identifies a project. Make it with [ProjectID] or [ProjectPath].
// The zero ProjectRef is refused.
type ProjectRef struct{ reference }

// GroupRef identifies a group. Make it with [GroupID] or [GroupPath]. The zero
// GroupRef is refused.
type GroupRef struct{ reference }

// UserRef identifies a user. Make it with [UserID] or [Username]. The zero
// UserRef is refused.
type UserRef struct{ reference }

// NamespaceRef identifies a namespace: a group, or a user's own namespace. Make it with
// [NamespaceID] or [NamespacePath]. The zero NamespaceRef stands for none.
type NamespaceRef struct{ reference }

// ProjectID identifies a project by its numeric ID, which must be positive.
func ProjectID(id int64) ProjectRef { return ProjectRef{referenceByID(id)} }

// ProjectPath identifies a project by its full path, with its parent groups and
// without a leading slash: "group/subgroup/app". The library escapes it.
func ProjectPath(path string) ProjectRef { return ProjectRef{referenceByName(path)} }

// GroupID identifies a group by its numeric ID, which must be positive.
func GroupID(id int64) GroupRef { return GroupRef{referenceByID(id)} }

// GroupPath identifies a group by its full path, with its parent groups and
// without a leading slash: "group/subgroup". The library escapes it.
func GroupPath(path string) GroupRef { return GroupRef{referenceByName(path)} }

// UserID identifies a user by numeric ID, which must be positive.
func UserID(id int64) UserRef { return UserRef{referenceByID(id)} }

// Username identifies a user by login name. It is not case-sensitive.
func Username(name string) UserRef { return UserRef{referenceByName(name)} }

// NamespaceID identifies a namespace by its numeric ID, which must be positive. The
// namespace of a group has the ID of the group.
func NamespaceID(id int64) NamespaceRef { return NamespaceRef{referenceByID(id)} }

// NamespacePath identifies a namespace by its full path, without a leading slash:
// "group/subgroup", or the name of a user.
func NamespacePath(path string) NamespaceRef { return NamespaceRef{referenceByName(path)} }

// InstanceOwner is the type of [Instance].
type InstanceOwner struct{}

// String returns "the instance".
func (InstanceOwner) String() string { return "the instance" }

// Instance is the owner of what belongs to the whole instance, such as all of
// its audit events, and of lists that span it, such as all merge requests that
// the caller can see.
var Instance InstanceOwner

// CallerOwner is the type of [Own].
type CallerOwner struct{}

// String returns "the caller".
func (CallerOwner) String() string { return "the caller" }

// Own is the owner of what belongs to the caller, such as the runners that the
// caller may manage and the caller's own access tokens.
var Own CallerOwner

// reference is an ID or a name.
type reference struct {
	kind referenceKind
	id   int64
	name string
}

type referenceKind uint8

const (
	noReference referenceKind = iota
	byID
	byName
)

func referenceByID(id int64) reference { return reference{kind: byID, id: id} }

func referenceByName(name string) reference { return reference{kind: byName, name: name} }

// IsZero reports whether the reference is the zero value.
func (r reference) IsZero() bool { return r.kind == noReference }

// String returns the ID, the path or the name as it was passed.
func (r reference) String() string {
	if r.kind == byID {
		return strconv.FormatInt(r.id, 10)
	}
	return r.name
}

// MarshalJSON encodes the ID as a number, the path or name as a string, and
// the zero reference as null. It returns an error for a reference to nothing,
// such as an empty path.
func (r reference) MarshalJSON() ([]byte, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	switch r.kind {
	case byID:
		return strconv.AppendInt(nil, r.id, 10), nil
	case byName:
		return marshalString(r.name)
	}
	return []byte("null"), nil
}

// EncodeValues writes the ID, the path or the name into a query. It returns an
// error for a reference to nothing, such as an empty path.
func (r reference) EncodeValues(key string, v *url.Values) error {
	if err := r.check(); err != nil {
		return err
	}
	if !r.IsZero() {
		v.Set(key, r.String())
	}
	return nil
}

// LabelRef identifies a label of a project or a group. Make it with [LabelID] or
// [LabelName]. The zero LabelRef is refused.
type LabelRef struct{ reference }

// LabelID identifies a label by its numeric ID, which must be positive.
func LabelID(id int64) LabelRef { return LabelRef{referenceByID(id)} }

// LabelName identifies a label by its name, such as "bug" or "kind/bug". The library
// escapes it. The service first tries the name as an ID: a label whose name has only digits
// can be found by its name only while no label of the owner has that ID. Names that cannot
// be part of a path, such as "." and "/bug", are refused; use the ID of the label.
func LabelName(name string) LabelRef { return LabelRef{referenceByName(name)} }

// self returns the underlying reference.
func (r reference) self() reference { return r }

// anyReference is a [ProjectRef], a [GroupRef], a [UserRef], a [NamespaceRef] or a
// [LabelRef].
type anyReference interface{ self() reference }

// idOnly is a reference where the service accepts only an ID.
type idOnly struct{ anyReference }

// onlyID is an argument of [Route] for a reference where the service accepts only
// an ID. A name or a path is refused.
func onlyID(ref anyReference) idOnly { return idOnly{ref} }

// check returns an error for a name or a path.
func (r idOnly) check() error {
	if r.self().kind != byName {
		return nil
	}
	kind, problem := "reference", "is a path"
	remedy := "read the object by its path first, and take the ID from it"
	switch r.anyReference.(type) {
	case UserRef:
		kind, problem, remedy = "user", "is a name", "Users.Find finds the ID of a name"
	case NamespaceRef:
		kind, remedy = "namespace", "Namespaces.All finds the ID of a path"
	case ProjectRef:
		kind, remedy = "project", "Projects.Get finds the ID of a path"
	case GroupRef:
		kind, remedy = "group", "Groups.Get finds the ID of a path"
	}
	return badArgument(kind, problem+", but this endpoint accepts only IDs; "+remedy)
}

// check refuses a reference that cannot identify an object. The zero reference stands for
// none.
func (r reference) check() error {
	if r.IsZero() {
		return nil
	}
	_, err := referenceSegment("reference", "reference", r)
	return err
}

func referenceSegment(name, whenNamed string, r reference) (string, error) {
	switch r.kind {
	case byID:
		if strings.HasSuffix(name, "_path") && name != "id_or_path" {
			return "", badArgument(name, "must be a path, but is an ID: this endpoint does not accept IDs")
		}
		return numberSegment(name, r.id)
	case byName:
		if problem := segment.NameProblem(r.name); problem != "" {
			return "", badArgument(whenNamed, problem)
		}
		return textSegment(whenNamed, r.name, false)
	}
	return "", badArgument(name, "is missing: the reference is empty; make one, such as ProjectID(7)")
}

func textSegment(name, text string, keepSlashes bool) (string, error) {
	if problem := segment.Problem(text); problem != "" {
		return "", badArgument(name, problem)
	}
	return segment.Escape(text, keepSlashes), nil
}

func numberSegment(name string, n int64) (string, error) {
	if n <= 0 {
		return "", badArgument(name, "must be a positive number, but is "+strconv.FormatInt(n, 10))
	}
	return strconv.FormatInt(n, 10), nil
}

// ParseProjectRef returns the project that a command line or a configuration file names: an
// ID, such as "42", or a path, such as "acme/shop". It returns an [*ArgumentError] for
// anything that cannot be either, such as an address.
func ParseProjectRef(s string) (ProjectRef, error) {
	r, err := parseReference("project", s)
	return ProjectRef{r}, err
}

// ParseGroupRef returns the group that a command line or a configuration file names: an ID,
// such as "7", or a path, such as "acme/platform". It returns an [*ArgumentError] for
// anything that cannot be either. For a group whose path has only digits, use [GroupPath].
func ParseGroupRef(s string) (GroupRef, error) {
	r, err := parseReference("group", s)
	return GroupRef{r}, err
}

// ParseUserRef returns the user that a command line or a configuration file names: an ID,
// such as "3", or a username, such as "ada" or "@ada". It returns an [*ArgumentError] for
// anything that cannot be either. For a user whose name has only digits, use [Username].
func ParseUserRef(s string) (UserRef, error) {
	r, err := parseReference("user", strings.TrimPrefix(s, "@"))
	if err == nil && strings.ContainsAny(r.name, "/\\@ ") {
		problem := "is neither an ID nor a username: " + text.Printable(s, 100)
		return UserRef{}, &ArgumentError{Argument: "user", Problem: problem}
	}
	return UserRef{r}, err
}

// ParseNamespaceRef returns the namespace that a command line or a configuration file
// names: an ID, such as "7", or a path, such as "acme/platform" or "ada". It returns an
// [*ArgumentError] for anything that cannot be either.
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
