package serviceapi

import (
	"bytes"
	"cmp"
	"strconv"
	"strings"

	"example.com/serviceapi/internal/jsonx"
	"example.com/serviceapi/internal/segment"
	"example.com/serviceapi/internal/text"
)

// References can be fields of a program's own settings: flag.TextVar, YAML and JSON encode
// and decode them. [ParseProjectRef] and the like say what a text stands for. A text is
// encoded only if it stands for the same object again.

// ParseProjectRef returns the project that a command line or a configuration file names: an
// ID, such as "42", or a path, such as "acme/shop". It returns an [*ArgumentError] for
// anything that cannot be either: an address, a path without a slash, and what no path of the
// service has, which are characters other than letters, digits, "_", "-", "." and the slashes
// between, a "-" at the beginning of a part, and ".git" or ".atom" at the end of one.
// [ProjectPath] takes any path.
//
// A [ProjectRef] decodes itself in the same way, so [flag.TextVar] needs no function.
// [Client.ParseProjectRef] also accepts the address of a page.
func ParseProjectRef(s string) (ProjectRef, error) {
	r, err := parseReference("project", toProject, s)
	return ProjectRef{r}, err
}

// ParseGroupRef returns the group that a command line or a configuration file names: an ID,
// such as "7", or a path, such as "acme/platform". It returns an [*ArgumentError] for
// anything that cannot be either, as [ParseProjectRef] does. [Client.ParseGroupRef] also accepts
// the address of a page.
func ParseGroupRef(s string) (GroupRef, error) {
	r, err := parseReference("group", toGroup, s)
	return GroupRef{r}, err
}

// ParseUserRef returns the user that a command line or a configuration file names: an ID,
// such as "3", or a username, such as "ada" or "@ada". It returns an [*ArgumentError] for
// anything that cannot be either, such as "-1". With the sign "@", digits are a username, too: "@3".
// [Client.ParseUserRef] also accepts the address of a page.
func ParseUserRef(s string) (UserRef, error) {
	name, marked := strings.CutPrefix(s, "@")
	if marked && isDigits(name) {
		return Username(name), nil
	}
	r, err := parseReference("user", toUser, name)
	if err == nil && strings.Contains(name, "/") {
		problem := "is neither an ID nor a username: " + text.Printable(name, 100)
		return UserRef{}, &ArgumentError{Argument: "user", Problem: problem}
	}
	return UserRef{r}, err
}

// ParseNamespaceRef returns the namespace that a command line or a configuration file
// names: an ID, such as "7", or a path, such as "acme/platform" or "ada". It returns an
// [*ArgumentError] for anything that cannot be either, as [ParseProjectRef] does.
// [Client.ParseNamespaceRef] also accepts the address of a page.
func ParseNamespaceRef(s string) (NamespaceRef, error) {
	r, err := parseReference("namespace", toNamespace, s)
	return NamespaceRef{r}, err
}

// parseReference returns the reference to an object of this kind. It is for texts that people
// write, where a path that cannot exist is a mistake.
func parseReference(name string, object objectKind, s string) (reference, error) {
	r := referenceByName(object, s)
	if isDigits(s) {
		id, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			problem := "is too large to be an ID: " + text.Printable(s, 100)
			return reference{}, &ArgumentError{Argument: name, Problem: problem}
		}
		r = referenceByID(object, id)
	}
	if cmp.Or(segment.NameProblem(s), segment.PathProblem(s)) == "" { // which have remedies of their own
		if problem := segment.PlaceProblem(s); problem != "" {
			return reference{}, &ArgumentError{Argument: name, Problem: problem}
		}
	}
	if _, err := referenceSegment(name, name, r); err != nil {
		return reference{}, err
	}
	return r, nil
}

// MarshalText encodes the ID or the path, and "" for the zero reference. It returns an
// [*ArgumentError] for a reference to nothing, such as an empty path, and for a path that
// [ParseProjectRef] refuses.
func (r ProjectRef) MarshalText() ([]byte, error) { return encodeRef(r, r.String(), ParseProjectRef) }

// UnmarshalText decodes whatever [ParseProjectRef] accepts. No text is the zero reference.
func (r *ProjectRef) UnmarshalText(data []byte) error { return decodeRef(r, data, ParseProjectRef) }

// UnmarshalJSON decodes an ID, as a number or a string, or a path. It leaves the reference
// as it is for null.
func (r *ProjectRef) UnmarshalJSON(data []byte) error { return decodeRefJSON(r, data) }

// MarshalText encodes the ID or the path, and "" for the zero reference. It returns an
// [*ArgumentError] for a reference to nothing, and for a path that has only digits, which
// would be read as an ID.
func (r GroupRef) MarshalText() ([]byte, error) { return encodeRef(r, r.String(), ParseGroupRef) }

// UnmarshalText decodes whatever [ParseGroupRef] accepts. No text is the zero reference.
func (r *GroupRef) UnmarshalText(data []byte) error { return decodeRef(r, data, ParseGroupRef) }

// UnmarshalJSON decodes an ID, as a number or a string, or a path. It leaves the reference
// as it is for null.
func (r *GroupRef) UnmarshalJSON(data []byte) error { return decodeRefJSON(r, data) }

// MarshalText encodes the ID or the name, and "" for the zero reference. A name that has only
// digits is encoded with the sign "@", so that it is not read as an ID. MarshalText returns
// an [*ArgumentError] for a reference to nothing, such as an empty name.
func (r UserRef) MarshalText() ([]byte, error) { return encodeRef(r, r.String(), ParseUserRef) }

// UnmarshalText decodes whatever [ParseUserRef] accepts. No text is the zero reference.
func (r *UserRef) UnmarshalText(data []byte) error { return decodeRef(r, data, ParseUserRef) }

// MarshalJSON encodes the ID as a number, the name as a string, and the zero reference as
// null. It returns an [*ArgumentError] for a reference to nothing, such as an empty name,
// and for a name that has only digits, which would be read as an ID.
func (r UserRef) MarshalJSON() ([]byte, error) {
	if err := r.checkUsername("reference"); err != nil {
		return nil, err
	}
	return r.reference.MarshalJSON()
}

// UnmarshalJSON decodes an ID, as a number or a string, or a name. It leaves the reference
// as it is for null.
func (r *UserRef) UnmarshalJSON(data []byte) error { return decodeRefJSON(r, data) }

// MarshalText encodes the ID or the path, and "" for the zero reference. It returns an
// [*ArgumentError] for a reference to nothing, and for a path that has only digits, which
// would be read as an ID.
func (r NamespaceRef) MarshalText() ([]byte, error) {
	return encodeRef(r, r.String(), ParseNamespaceRef)
}

// UnmarshalText decodes whatever [ParseNamespaceRef] accepts. No text is the zero reference.
func (r *NamespaceRef) UnmarshalText(data []byte) error {
	return decodeRef(r, data, ParseNamespaceRef)
}

// UnmarshalJSON decodes an ID, as a number or a string, or a path. It leaves the reference
// as it is for null.
func (r *NamespaceRef) UnmarshalJSON(data []byte) error { return decodeRefJSON(r, data) }

// encodeRef returns the text of a reference if it stands for the same reference again.
func encodeRef[R comparable](ref R, s string, parse func(string) (R, error)) ([]byte, error) {
	if ref == *new(R) {
		return []byte{}, nil
	}
	parsed, err := parse(s)
	if err == nil && parsed != ref {
		problem := "cannot be written as text, which would stand for another object: " + text.Printable(s, 100)
		err = &ArgumentError{Argument: "reference", Problem: problem}
	}
	if err != nil {
		return nil, err
	}
	return []byte(s), nil
}

// decodeRef sets a reference to the one that a text stands for.
func decodeRef[R any](ref *R, data []byte, parse func(string) (R, error)) error {
	if len(data) == 0 {
		*ref = *new(R)
		return nil
	}
	parsed, err := parse(string(data))
	if err == nil {
		*ref = parsed
	}
	return err
}

// decodeRefJSON sets a reference to the one that a number or a string stands for.
func decodeRefJSON(ref interface{ UnmarshalText([]byte) error }, data []byte) error {
	data = bytes.TrimSpace(data)
	switch {
	case jsonx.IsNull(data):
		return nil
	case jsonx.IsString(data):
		return ref.UnmarshalText([]byte(jsonx.Text(data)))
	case isDigits(string(data)):
		return ref.UnmarshalText(data)
	}
	problem := "is neither an ID nor a name: " + text.Printable(string(data), 100)
	return &ArgumentError{Argument: "reference", Problem: problem}
}
