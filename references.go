package serviceapi

import (
	"cmp"
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
// UserRef is refused. Some calls accept only an ID: [UsersService.Find] returns the user
// of either kind of reference.
type UserRef struct{ reference }

// NamespaceRef identifies a namespace: a group, or a user's own namespace. Make it with
// [NamespaceID] or [NamespacePath]. The zero NamespaceRef stands for none.
type NamespaceRef struct{ reference }

// String returns the ID or the name as it was passed. A name that has only digits begins with the
// sign "@", which tells it from an ID; [ParseUserRef] reads both.
func (r UserRef) String() string {
	if r.kind == byName && isDigits(r.name) {
		return "@" + r.name
	}
	return r.reference.String()
}

// ProjectID identifies a project by its numeric ID, which must be positive.
func ProjectID(id int64) ProjectRef { return ProjectRef{referenceByID(toProject, id)} }

// ProjectPath identifies a project by its full path, with its parent groups and
// without a leading slash: "group/subgroup/app". The library escapes it. A path without
// a slash, such as "7" or "app", is refused: the service would take "7" as an ID, and
// every project is in a group or belongs to a user.
func ProjectPath(path string) ProjectRef { return ProjectRef{referenceByName(toProject, path)} }

// GroupID identifies a group by its numeric ID, which must be positive.
func GroupID(id int64) GroupRef { return GroupRef{referenceByID(toGroup, id)} }

// GroupPath identifies a group by its full path, with its parent groups and
// without a leading slash: "group/subgroup". The library escapes it. A path that has
// only digits is refused, because the service would take it as an ID. For one of the
// rare groups with such a path, use its ID, which [GroupsService.List] finds, or call
// [SCIMService], which accepts only paths.
func GroupPath(path string) GroupRef { return GroupRef{referenceByName(toGroup, path)} }

// UserID identifies a user by numeric ID, which must be positive.
func UserID(id int64) UserRef { return UserRef{referenceByID(toUser, id)} }

// Username identifies a user by login name. It is not case-sensitive. Where the service
// would take a name that has only digits as an ID, in paths and for [WithSudo], it is
// refused; [UsersService.Find] finds the ID of such a name.
func Username(name string) UserRef { return UserRef{referenceByName(toUser, name)} }

// NamespaceID identifies a namespace by its numeric ID, which must be positive. The
// namespace of a group has the ID of the group.
func NamespaceID(id int64) NamespaceRef { return NamespaceRef{referenceByID(toNamespace, id)} }

// NamespacePath identifies a namespace by its full path, without a leading slash:
// "group/subgroup", or the name of a user. A path that has only digits is refused,
// because the service would take it as an ID; [NamespacesService.All] finds the ID.
func NamespacePath(path string) NamespaceRef { return NamespaceRef{referenceByName(toNamespace, path)} }

// reference is an ID or a name of an object.
type reference struct {
	kind   referenceKind
	object objectKind
	id     int64
	name   string
}

type referenceKind uint8

const (
	noReference referenceKind = iota
	byID
	byName
)

// objectKind is what a reference refers to.
type objectKind uint8

const (
	toProject objectKind = iota + 1
	toGroup
	toUser
	toNamespace
	toLabel
)

func referenceByID(object objectKind, id int64) reference {
	return reference{kind: byID, object: object, id: id}
}

func referenceByName(object objectKind, name string) reference {
	return reference{kind: byName, object: object, name: name}
}

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
func LabelID(id int64) LabelRef { return LabelRef{referenceByID(toLabel, id)} }

// LabelName identifies a label by its name, such as "bug" or "kind/bug". The library
// escapes it. The service first tries the name as an ID: a label whose name has only digits
// can be found by its name only while no label of the owner has that ID. Names that a proxy
// would remove from the path, such as ".." and "a/../b", are refused; use the ID of the label.
func LabelName(name string) LabelRef { return LabelRef{referenceByName(toLabel, name)} }

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
		if r.object == toLabel { // which may have any name
			return labelSegment(whenNamed, r.name)
		}
		problem := cmp.Or(segment.NameProblem(r.name), segment.PathProblem(r.name))
		if problem != "" {
			return "", badArgument(whenNamed, problem)
		}
		escaped, err := textSegment(whenNamed, r.name, false)
		if err == nil && (!strings.HasSuffix(name, "_path") || name == "id_or_path") {
			err = r.checkPath(whenNamed)
		}
		return escaped, err
	}
	return "", badArgument(name, emptyReference(whenNamed))
}

// emptyReference says what is missing. The zero reference does not know what it refers to, but
// the name of its argument begins with that.
func emptyReference(whenNamed string) string {
	example := `ProjectID(7) or GroupPath("acme")`
	switch kind, _, _ := strings.Cut(whenNamed, " "); strings.ToLower(kind) {
	case "project":
		example = `ProjectID(7) or ProjectPath("acme/shop")`
	case "group":
		example = `GroupID(7) or GroupPath("acme")`
	case "user":
		example = `UserID(7) or Username("ada")`
	case "namespace":
		example = `NamespaceID(7) or NamespacePath("acme")`
	case "label":
		example = `LabelID(7) or LabelName("bug")`
	}
	return "is missing: the reference is empty; make one, such as " + example
}

// checkPath refuses a path that the service would take as an ID, and the path of a project
// that lacks that of its group.
func (r reference) checkPath(whenNamed string) error {
	const asID = "has only digits, which the service would take as an ID; write "
	digits := isDigits(r.name)
	switch {
	case r.object == toProject && digits:
		return badArgument(whenNamed, asID+"ProjectID("+text.Printable(r.name, 40)+")")
	case r.object == toProject && !strings.Contains(r.name, "/"):
		problem := "has no slash: " + text.Printable(r.name, 100)
		return badArgument(whenNamed, problem+`; write the full path, such as "group/app", or the ID`)
	case r.object == toGroup && digits:
		return badArgument(whenNamed, asID+"GroupID(7) with the ID of the group")
	case r.object == toNamespace && digits:
		return badArgument(whenNamed, asID+"NamespaceID(7) with the ID of the namespace")
	}
	return nil
}

// checkUsername refuses a name where the service would take it as an ID.
func (r UserRef) checkUsername(whenNamed string) error {
	if r.kind == byName && isDigits(r.name) {
		return badArgument(whenNamed, "has only digits, which the service would take as an ID; "+
			"write UserID(7) with the ID of the user, which Users.Find finds")
	}
	return nil
}

// isDigits reports whether a string has digits only.
func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

func textSegment(name, text string, keepSlashes bool) (string, error) {
	problem := segment.Problem(text)
	if keepSlashes {
		problem = segment.PathProblem(text)
	}
	if problem != "" {
		return "", badArgument(name, problem)
	}
	return segment.Escape(text, keepSlashes), nil
}

// labelSegment is textSegment for a label, which an ID names as well.
func labelSegment(name, text string) (string, error) {
	if problem := segment.Problem(text); problem != "" {
		return "", badArgument(name, problem+"; write LabelID(7) with the ID of the label")
	}
	return segment.Escape(text, false), nil
}

func numberSegment(name string, n int64) (string, error) {
	if n <= 0 {
		return "", badArgument(name, "must be a positive number, but is "+strconv.FormatInt(n, 10))
	}
	return strconv.FormatInt(n, 10), nil
}
