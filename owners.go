package serviceapi

import (
	"net/url"
	"reflect"
	"strconv"
	"strings"
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

// NamespaceRef identifies a namespace: a group, or what belongs to a user. Make it
// with [NamespaceID] or [NamespacePath]. The zero NamespaceRef stands for none.
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

func referenceByID(id int64) reference      { return reference{kind: byID, id: id} }
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

// self returns the reference that a type of reference holds.
func (r reference) self() reference { return r }

// anyReference is a [ProjectRef], a [GroupRef], a [UserRef] or a [NamespaceRef].
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
	return &ArgumentError{Argument: kind, Problem: problem + ", but this endpoint accepts only IDs; " + remedy}
}

// withIDs is an input with references in it where the service accepts only IDs.
func withIDs[R anyReference](in input, refs ...R) input {
	for _, ref := range refs {
		if err := onlyID(ref).check(); err != nil {
			return refusedInput{err}
		}
	}
	return in
}

// check refuses a reference that cannot be that of an object. The zero reference
// stands for none.
func (r reference) check() error {
	if r.IsZero() {
		return nil
	}
	_, err := referenceSegment("reference", "reference", r)
	return err
}

// kindOfOwner returns the name of the kind of an owner in the tag "only", "" if
// it is not an owner.
func kindOfOwner(owner any) string {
	switch owner.(type) {
	case ProjectRef:
		return "project"
	case GroupRef:
		return "group"
	case UserRef:
		return "user"
	case InstanceOwner:
		return "instance"
	case CallerOwner:
		return "own"
	case IssueRef:
		return "issue"
	case MergeRequestRef:
		return "merge_request"
	case SnippetRef:
		return "snippet"
	case EpicRef:
		return "epic"
	case CommitRef:
		return "commit"
	}
	return ""
}

// below returns an endpoint that its owners have under the same name.
func below(owner any, suffix string, args ...any) Endpoint {
	switch o := owner.(type) {
	case ProjectRef:
		return Route("/projects/:id"+suffix, append([]any{o}, args...)...)
	case GroupRef:
		return Route("/groups/:id"+suffix, append([]any{o}, args...)...)
	case InstanceOwner:
		return Route(suffix, args...)
	case IssueRef:
		return inside(o == IssueRef{}, "/projects/:id/issues/:issue_iid"+suffix, o.project, o.iid, args)
	case MergeRequestRef:
		return inside(o == MergeRequestRef{}, "/projects/:id/merge_requests/:merge_request_iid"+suffix, o.project, o.iid, args)
	case SnippetRef:
		return inside(o == SnippetRef{}, "/projects/:id/snippets/:snippet_id"+suffix, o.project, o.id, args)
	case EpicRef:
		return inside(o == EpicRef{}, "/groups/:id/epics/:epic_id"+suffix, o.group, o.id, args)
	case CommitRef:
		return inside(o == CommitRef{}, "/projects/:id/repository/commits/:sha"+suffix, o.project, o.sha, args)
	}
	return noOwner(suffix)
}

// inside returns an endpoint below an object of a project or a group.
func inside(missing bool, template string, owner, object any, args []any) Endpoint {
	if missing {
		return noOwner(template)
	}
	return Route(template, append([]any{owner, object}, args...)...)
}

// noOwner is the endpoint of a call whose owner is nil, a zero reference, or a
// pointer.
func noOwner(template string) Endpoint {
	return Endpoint{template: template, err: &ArgumentError{Argument: "owner", Problem: "is missing"}}
}

// queryFor is queryOf for a list with several owners. A field that only some
// owners take lists them in the tag "only", such as `only:"instance,group"`:
// for the others, the service would silently ignore it.
func queryFor(owner, options any) input { return ownedInput{owner, options, queryOf(options)} }

// jsonFor is jsonOf for a call with several owners, with the same tag.
func jsonFor(owner, options any) input { return ownedInput{owner, options, jsonOf(options)} }

type ownedInput struct {
	owner, options any
	input
}

func (in ownedInput) encode(cl *call) error {
	if err := checkOwned(kindOfOwner(in.owner), reflect.ValueOf(in.options)); err != nil {
		return err
	}
	return in.input.encode(cl)
}

// checkOwned refuses a field that this kind of owner does not take.
func checkOwned(kind string, options reflect.Value) error {
	if options.Kind() == reflect.Pointer {
		options = options.Elem()
	}
	if options.Kind() != reflect.Struct {
		return nil
	}
	for _, field := range reflect.VisibleFields(options.Type()) {
		only, ok := field.Tag.Lookup("only")
		if !ok || containsWord(only, kind) {
			continue
		}
		if value, err := options.FieldByIndexErr(field.Index); err == nil && !value.IsZero() {
			return &ArgumentError{Argument: field.Name, Problem: "has no effect for this owner: it applies only to " + ownerNames(only)}
		}
	}
	return nil
}

func containsWord(list, word string) bool {
	for w := range strings.SplitSeq(list, ",") {
		if w == word {
			return true
		}
	}
	return false
}

// ownerNames writes the kinds in the tag "only" in a readable form.
func ownerNames(only string) string {
	names := strings.Split(only, ",")
	for i, name := range names {
		switch name {
		case "instance":
			names[i] = "Instance"
		case "own":
			names[i] = "Own"
		case "issue", "epic":
			names[i] = "an " + name
		default:
			names[i] = "a " + strings.ReplaceAll(name, "_", " ")
		}
	}
	return strings.Join(names, " or ")
}
