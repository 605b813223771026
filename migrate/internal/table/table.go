// Package table pairs what programs use of client-go with its counterpart in this
// library: methods, types, constants and functions. It is data, in the text files
// beside this one, and is checked against the sources of both libraries.
//
// # methods.txt
//
// A line is a method of client-go, without its request options, and the call that
// replaces it, without its context and request options:
//
//	Jobs.GetJob(pid, jobID) = Jobs.Get(project(pid), jobID)
//	Jobs.ListProjectJobs(pid, opts) = Jobs.List(project(pid), options(opts)) all Jobs.All
//
// "all" names the method that returns every item, which takes the same arguments.
// A comment follows after " # ", and is shown on the page about moving programs.
// A method that no rule moves has a reason instead of a call:
//
//	Jobs.GetJobTokensJob(opts) = by hand: the token is a credential
//
// The parameters have the names of the latest version that has the method. A method that only
// some versions have says so before the equals sign: "only x v0". If the parameters differ in
// number or order, each form has a line of its own.
//
// An argument is one of these:
//
//	jobID             the parameter, converted if the types differ
//	opt.UserID        a field of options, which a call must set
//	project(pid)      a reference, by the type of what is passed: an ID or a path;
//	                  also group, user, namespace and label
//	number(rid)       what has the type any and must be a number, or, with text, a string
//	Instance          a value of this library
//	ProjectID(id)     a function of this library
//	project(pid).MergeRequest(mergeRequest)
//	                  a method of what a reference or a function makes
//	Upload(Content: content, Filename: "archive.tar.gz")
//	                  a struct of this library; texts are in quotes
//	options(opts)     options, field by field: see types.txt
//	options(opts, Ref: ref)
//	                  the same, and a field with an argument
//	options(Ref: ref) options of which client-go has none
//
// A parameter that is named on the left but not on the right has no counterpart: a
// call that passes something other than nil or a zero value cannot be moved.
//
// A method may have several lines. The first line applies whose fields the call sets and whose
// condition, if any, holds: "when opt.Resolved", "when not opt.Resolved".
//
// Headings begin with "== ". A line that begins with "|" is a row for the page that
// belongs to no method.
//
// # types.txt
//
//	ListJobsOptions = ListJobsOptions
//		IncludeRetried = - # not for the jobs of a project
//
// A line is a type of each library. The first line with a type of client-go is what the type
// becomes by default. The others are for options whose type depends on the method. Fields
// follow on indented lines, unless they have the same name in both. A hyphen marks a field
// without a counterpart: a call that sets it cannot be moved. An underscore marks a field that
// can be dropped. "* = Note" says that everything is in that field, and "... = -" stands for
// all other fields without a counterpart. The fields of ListOptions hold for every type that
// embeds it and has no field of that name itself.
//
// # constants.txt and functions.txt
//
// Constants are pairs of names. Functions have the form of methods; names in lower
// case on the right are what depends on the program, such as "context": see Meaning.
package table

import (
	"slices"
	"strings"
)

// A Version is a major version of client-go.
type Version string

// Versions, oldest first.
const (
	X  Version = "x"  // github.com/xanzy/go-gitlab
	V0 Version = "v0" // gitlab.com/gitlab-org/api/client-go, before version 1
	V1 Version = "v1" // gitlab.com/gitlab-org/api/client-go
	V2 Version = "v2" // gitlab.com/gitlab-org/api/client-go/v2
)

// Versions returns every version that the table covers, oldest first.
func Versions() []Version { return []Version{X, V0, V1, V2} }

// A Table holds the lines of all files, in their order.
type Table struct {
	Methods   []Method
	Types     []Type
	Constants []Constant
	Functions []Function
	Page      []Row

	methods   map[string][]int
	types     map[string][]int
	constants map[string][]int
	functions map[string][]int
}

// A Method is a method of client-go and its replacement.
type Method struct {
	Old    string    // service and method of client-go: "Jobs.GetJob"
	Params []string  // its parameters, without the request options
	Only   []Version // the versions with this form, nil for all
	Call             // the call of this library, with a service and a method: "Jobs.Get"
	All    string    // the method that returns every item, "" if it is not a list: "Jobs.All"
	When   Condition // what must hold for this form
	Pos    Position
}

// A Condition is about a field of options that is true or false. The zero Condition
// always holds.
type Condition struct {
	Param string
	Field string
	Not   bool // the field must be false
}

// A Function is a function of client-go and its replacement. It has several lines if
// its forms differ.
type Function struct {
	Old    string
	Params []string
	Only   []Version
	Call   // a function of this library, or a name in lower case
	Pos    Position
}

// A Call is the right side of a line.
type Call struct {
	New    string // "" if it is moved by hand
	Args   []Arg
	ByHand string // why no rule moves it, "" if one does
	Note   string // for whoever moves it, in Markdown
}

// A Kind says how an argument is made.
type Kind int

// Kinds of arguments.
const (
	Param   Kind = iota // Param, or its field Field
	Ref                 // Name, such as "project", is the kind of reference made from Args[0]
	Value               // Name, a value of this library
	Text                // Name, a string
	Make                // Name, a function of this library, of Args
	Chain               // Name, a method of what Args[0] makes, of the other Args
	Struct              // Name, a struct of this library, with Fields
	Options             // the options Param, or new ones if that is "", with Fields
	Special             // Name, a name in lower case, of Args; only in functions
)

// An Arg is an argument of a call.
type Arg struct {
	Kind   Kind
	Name   string
	Param  string
	Field  string
	Args   []Arg
	Fields []FieldArg
}

// A FieldArg is a field of options that is set to an argument.
type FieldArg struct {
	Name  string
	Value Arg
}

// A Type is a type of client-go and its replacement.
type Type struct {
	Old    string
	New    string
	Within string // the field of the new type with the old value, "" for the value itself
	Fields []Field
	Others string // the mark of fields without a counterpart that are not in Fields
	Note   string
	ByHand string
	Pos    Position
}

// A Field is a field with another name, or none, in the other library. Both names may
// lead through fields: "RangeStart" and "Range.Start".
type Field struct {
	Old  string
	New  string // "" if there is no counterpart
	Note string
	Pos  Position

	// Meaning is a word for what is different, "" if both fields mean the same: base64 for what
	// is decoded here, text for a message without names of members, token for what was an address.
	Meaning string

	// Needless is set if nothing is lost without the field. A call that sets another
	// one without a counterpart cannot be moved.
	Needless bool
}

// A Constant is a constant or variable of client-go and its replacement. It has several
// lines if values of its type become values of several types.
type Constant struct {
	Old    string
	New    string
	Note   string
	ByHand string
	Pos    Position
}

// A Row belongs on the page about moving programs. It is a heading, the index of a
// method, or text.
type Row struct {
	Heading string
	Text    string
	Method  int // index into Table.Methods, if the others are ""
}

// Meaning explains a lower-case name on the right of a function. It returns "" for
// unknown names.
func Meaning(name string) string { return specials[name] }

// Has reports whether the form is in a version.
func (m *Method) Has(v Version) bool { return m.Only == nil || slices.Contains(m.Only, v) }

// Has reports whether the form is in a version.
func (f *Function) Has(v Version) bool { return f.Only == nil || slices.Contains(f.Only, v) }

// Uses returns the fields of a parameter that the line names apart from its options.
func (m *Method) Uses(param string) []string {
	fields := m.Call.Uses(param)
	if m.When.Param == param && m.When.Field != "" {
		fields = append(fields, m.When.Field)
	}
	return fields
}

// Uses returns the fields of a parameter that the arguments of a call name.
func (c Call) Uses(param string) []string {
	var fields []string
	for _, arg := range c.Args {
		fields = arg.uses(param, fields)
	}
	return fields
}

func (a Arg) uses(param string, fields []string) []string {
	if a.Kind == Param && a.Param == param && a.Field != "" {
		fields = append(fields, a.Field)
	}
	for _, arg := range a.Args {
		fields = arg.uses(param, fields)
	}
	for _, field := range a.Fields {
		fields = field.Value.uses(param, fields)
	}
	return fields
}

// Service returns the name of the service of client-go, such as "Jobs".
func (m *Method) Service() string { return before(m.Old) }

// Name returns the name of the method of client-go, such as "GetJob".
func (m *Method) Name() string { return after(m.Old) }

// NewService returns the name of the service of this library, such as "Jobs".
func (m *Method) NewService() string { return before(m.New) }

// NewName returns the name of the method of this library, such as "Get".
func (m *Method) NewName() string { return after(m.New) }

// AllName returns the name of the method that returns every item, or "".
func (m *Method) AllName() string { return after(m.All) }

func before(name string) string { service, _, _ := strings.Cut(name, "."); return service }
func after(name string) string  { _, method, _ := strings.Cut(name, "."); return method }

// Params returns the parameters that an argument uses.
func (a Arg) Params() []string {
	var params []string
	if a.Param != "" {
		params = append(params, a.Param)
	}
	for _, arg := range a.Args {
		params = append(params, arg.Params()...)
	}
	for _, field := range a.Fields {
		params = append(params, field.Value.Params()...)
	}
	return params
}

// Method returns the forms of a method, such as "Jobs.GetJob".
func (t *Table) Method(name string) []*Method { return at(t.Methods, t.methods[name]) }

// Type returns the counterparts of a type, most common first.
func (t *Table) Type(name string) []*Type { return at(t.Types, t.types[name]) }

// Function returns the forms of a function.
func (t *Table) Function(name string) []*Function { return at(t.Functions, t.functions[name]) }

// Constant returns the first counterpart of a constant, or nil.
func (t *Table) Constant(name string) *Constant {
	if all := t.ConstantsOf(name); len(all) > 0 {
		return all[0]
	}
	return nil
}

// ConstantsOf returns the counterparts of a constant. It has several if its type has.
func (t *Table) ConstantsOf(name string) []*Constant { return at(t.Constants, t.constants[name]) }

// Fields returns the fields that differ between options or results of two types, by
// their names in client-go.
func (t *Table) Fields(old, new string) map[string]Field {
	fields := map[string]Field{}
	for _, pair := range t.Type(old) {
		if pair.New == new {
			for _, field := range pair.Fields {
				fields[field.Old] = field
			}
		}
	}
	return fields
}

func at[T any](all []T, indices []int) []*T {
	var found []*T
	for _, i := range indices {
		found = append(found, &all[i])
	}
	return found
}

// Meaning returns what is different about a field of client-go, "" for most.
func (t *Table) Meaning(old, field string) string {
	for _, i := range t.types[old] {
		for _, f := range t.Types[i].Fields {
			if f.Old == field && f.Meaning != "" {
				return f.Meaning
			}
		}
	}
	return ""
}
