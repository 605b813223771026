package serviceapi

// Some resources exist under several parents: members of a project or of a
// group, notes on an issue or on a merge request. Their methods take the parent
// as a value. Each kind of parent has a type of its own, so that what a parent
// does not have does not compile.

// ProjectParent is a project that has members and audit events. Make it with
// [InProject].
type ProjectParent struct{ project ProjectRef }

// GroupParent is a group that has members and audit events. Make it with
// [InGroup].
type GroupParent struct{ group GroupRef }

// InstanceParent is the whole service, which has audit events. Make it with
// [Instance].
type InstanceParent struct{}

// InProject makes a call apply to a project: its members, its audit events.
func InProject(project ProjectRef) ProjectParent { return ProjectParent{project} }

// InGroup makes a call apply to a group: its members, its audit events.
func InGroup(group GroupRef) GroupParent { return GroupParent{group} }

// Instance makes a call apply to the whole service: its audit events.
func Instance() InstanceParent { return InstanceParent{} }

// below returns an endpoint of a project.
func (p ProjectParent) below(suffix string, args ...any) endpoint {
	return route("/projects/:id"+suffix, append([]any{p.project}, args...)...)
}

// below returns an endpoint of a group.
func (p GroupParent) below(suffix string, args ...any) endpoint {
	return route("/groups/:id"+suffix, append([]any{p.group}, args...)...)
}

// noParent is the endpoint of a call whose parent is nil.
func noParent(template string) endpoint {
	return endpoint{template: template, err: &ArgumentError{Argument: "parent", Problem: "is missing"}}
}
