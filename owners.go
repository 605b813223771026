package serviceapi

import "strings"

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

// kindOfOwner returns the name that the tag "only" uses for the kind of an owner, or "" if
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
	case NoteRef:
		return "note"
	case CommitRef:
		return "commit"
	case WikiPageRef:
		return "wiki_page"
	case AlertRef:
		return "alert"
	}
	return ""
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

// below returns the endpoint with this suffix below the path of an owner.
func below(owner any, suffix string, args ...any) Endpoint {
	switch o := owner.(type) {
	case ProjectRef:
		return Route("/projects/:id"+suffix, append([]any{o}, args...)...)
	case GroupRef:
		return Route("/groups/:id"+suffix, append([]any{o}, args...)...)
	case InstanceOwner:
		return Route(suffix, args...)
	case IssueRef:
		return inside(o.IsZero(), "issue", "/projects/:id/issues/:issue_iid"+suffix, o.project, o.iid, args)
	case MergeRequestRef:
		template := "/projects/:id/merge_requests/:merge_request_iid" + suffix
		return inside(o.IsZero(), "merge request", template, o.project, o.iid, args)
	case AlertRef:
		template := "/projects/:id/alert_management_alerts/:alert_iid" + suffix
		return inside(o.IsZero(), "alert", template, o.project, o.iid, args)
	case SnippetRef:
		return inside(o.IsZero(), "snippet", "/projects/:id/snippets/:snippet_id"+suffix, o.project, o.id, args)
	case EpicRef:
		return o.byID(suffix, args)
	case NoteRef:
		return below(o.owner, "/notes/:note_id"+suffix, append([]any{o.id}, args...)...)
	case WikiPageRef:
		return below(o.owner, "/wiki_pages/:wiki_page_meta_id"+suffix, append([]any{o.id}, args...)...)
	case CommitRef:
		template := "/projects/:id/repository/commits/:sha" + suffix
		return inside(o.IsZero(), "commit", template, o.project, o.sha, args)
	}
	return noOwner(suffix)
}

// inside returns an endpoint below an object of a project or a group.
func inside(missing bool, kind, template string, owner, object any, args []any) Endpoint {
	if missing {
		return refusedEndpoint(template, kind, "is missing: the reference is empty")
	}
	return Route(template, append([]any{owner, object}, args...)...)
}

// belowIID is like below, for calls that identify an epic by its number in the group.
func belowIID(owner any, suffix string, args ...any) Endpoint {
	switch o := owner.(type) {
	case EpicRef:
		return o.byIID(suffix, args...)
	case NoteRef:
		return belowIID(o.owner, "/notes/:note_id"+suffix, append([]any{o.id}, args...)...)
	}
	return below(owner, suffix, args...)
}

// byIID returns an endpoint below an epic that is identified by its number in the group.
func (r EpicRef) byIID(suffix string, args ...any) Endpoint {
	template := "/groups/:id/epics/:epic_iid" + suffix
	if r.iid == 0 && r.id != 0 {
		return refusedEndpoint(template, "epic",
			"has no number in its group (IID), which this call needs: use Group.Epic, or the Ref of a result")
	}
	return inside(r.IsZero(), "epic", template, r.group, r.iid, args)
}

// child returns the endpoint of an epic within another one, which is identified by its ID.
func (r EpicRef) child(child EpicRef) Endpoint {
	const suffix = "/epics/:child_epic_id"
	if child.id == 0 && child.iid != 0 {
		return refusedEndpoint("/groups/:id/epics/:epic_iid"+suffix, "child",
			"has no ID, which this call needs: use Group.EpicByID, or the Ref of a result")
	}
	return r.byIID(suffix, child.id)
}

// byID returns an endpoint below an epic that is identified by its ID.
func (r EpicRef) byID(suffix string, args []any) Endpoint {
	template := "/groups/:id/epics/:epic_id" + suffix
	if r.id == 0 && r.iid != 0 {
		return refusedEndpoint(template, "epic",
			"has no ID, which this call needs: read it with Epics.Get, and use the Ref of the result")
	}
	return inside(r.IsZero(), "epic", template, r.group, r.id, args)
}

// noOwner is the endpoint of a call whose owner is nil, a zero reference, or a
// pointer.
func noOwner(template string) Endpoint { return refusedEndpoint(template, "owner", "is missing") }

// refusedEndpoint is the endpoint of a call that is refused because of this argument.
func refusedEndpoint(template, argument, problem string) Endpoint {
	return Endpoint{template: template, err: badArgument(argument, problem)}
}
