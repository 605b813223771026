package serviceapi

import (
	"strconv"
	"strings"

	"example.com/serviceapi/internal/segment"
	"example.com/serviceapi/internal/text"
)

// ParseMergeRequestRef returns the merge request that people write as "acme/shop!7" or, with
// the ID of the project, "42!7". It returns an [*ArgumentError] for anything else.
// [Client.ParseMergeRequestRef] also accepts the address of its page.
func ParseMergeRequestRef(s string) (MergeRequestRef, error) {
	return parseWithin(s, mergeRequestForm, ParseProjectRef, mergeRequestOf)
}

// ParseIssueRef returns the issue that people write as "acme/shop#3" or, with the ID of the
// project, "42#3". It returns an [*ArgumentError] for anything else. [Client.ParseIssueRef]
// also accepts the address of its page.
func ParseIssueRef(s string) (IssueRef, error) {
	return parseWithin(s, issueForm, ParseProjectRef, issueOf)
}

// ParseSnippetRef returns the snippet that people write as "acme/shop$3" or, with the ID of
// the project, "42$3". It returns an [*ArgumentError] for anything else.
// [Client.ParseSnippetRef] also accepts the address of its page.
func ParseSnippetRef(s string) (SnippetRef, error) {
	return parseWithin(s, snippetForm, ParseProjectRef, snippetOf)
}

// ParseCommitRef returns the commit that people write as "acme/shop@1f3a" or, with the ID of
// the project, "42@1f3a". It returns an [*ArgumentError] for anything else.
// [Client.ParseCommitRef] also accepts the address of its page.
func ParseCommitRef(s string) (CommitRef, error) {
	return parseWithin(s, commitForm, ParseProjectRef, commitOf)
}

// ParseEpicRef returns the epic that people write as "acme&5" or, with the ID of the group,
// "7&5". It returns an [*ArgumentError] for anything else. [Client.ParseEpicRef] also accepts
// the address of its page.
func ParseEpicRef(s string) (EpicRef, error) {
	return parseWithin(s, epicForm, ParseGroupRef, epicOf)
}

// ParseMergeRequestRef is [ParseMergeRequestRef] that also accepts the address of a page of
// the merge request in the web application of this client's instance, such as
// "https://service.example.com/acme/shop/-/merge_requests/7/diffs#note_12". The address of
// another instance is an [*ArgumentError].
func (c *Client) ParseMergeRequestRef(s string) (MergeRequestRef, error) {
	return parseAt(c, s, mergeRequestForm, ParseProjectRef, mergeRequestOf)
}

// ParseIssueRef is [ParseIssueRef] that also accepts the address of a page of the issue in
// the web application of this client's instance, such as
// "https://service.example.com/acme/shop/-/issues/3". The address of another instance is an
// [*ArgumentError].
func (c *Client) ParseIssueRef(s string) (IssueRef, error) {
	return parseAt(c, s, issueForm, ParseProjectRef, issueOf)
}

// ParseSnippetRef is [ParseSnippetRef] that also accepts the address of the snippet's page in
// the web application of this client's instance, such as
// "https://service.example.com/acme/shop/-/snippets/3". The address of another instance, and
// of a snippet that belongs to no project, is an [*ArgumentError].
func (c *Client) ParseSnippetRef(s string) (SnippetRef, error) {
	return parseAt(c, s, snippetForm, ParseProjectRef, snippetOf)
}

// ParseCommitRef is [ParseCommitRef] that also accepts the address of the commit's page in the
// web application of this client's instance, such as
// "https://service.example.com/acme/shop/-/commit/1f3a". The address of another instance is an
// [*ArgumentError].
func (c *Client) ParseCommitRef(s string) (CommitRef, error) {
	return parseAt(c, s, commitForm, ParseProjectRef, commitOf)
}

// ParseEpicRef is [ParseEpicRef] that also accepts the address of the epic's page in the web
// application of this client's instance, such as
// "https://service.example.com/groups/acme/-/epics/5". The address of another instance is an
// [*ArgumentError].
func (c *Client) ParseEpicRef(s string) (EpicRef, error) {
	return parseAt(c, s, epicForm, ParseGroupRef, epicOf)
}

// ParseProjectRef is [ParseProjectRef] that also accepts the address of a page of the project,
// or of something in it, in the web application of this client's instance, such as
// "https://service.example.com/acme/shop/-/issues/3", and the addresses that git clones from:
// "https://service.example.com/acme/shop.git", "git@service.example.com:acme/shop.git" and
// "ssh://git@service.example.com:2222/acme/shop.git".
//
// The address may have a user name, as in "https://ada@service.example.com/acme/shop.git".
//
// Everything else is an [*ArgumentError]: the address of another instance, one with a password,
// of a page of a group, of the repository of a wiki, and of a page of a project whose address
// lacks the "-", which older releases of the service had. An address for SSH must have the host
// of the base URL, on whatever port. A port needs the scheme "ssh://": without a scheme, what may
// be one, as in "git@service.example.com:2222/acme/shop.git", is refused.
//
// The address of the main page of a group within another, "/acme/tools", looks like that of a
// project, and is taken for one: the service then has no such project.
func (c *Client) ParseProjectRef(s string) (ProjectRef, error) {
	return parsePlace(c, s, projectPlace, ParseProjectRef)
}

// ParseGroupRef is [ParseGroupRef] that also accepts the address of a page of the group, or of
// something in it, in the web application of this client's instance, such as
// "https://service.example.com/acme/tools" or
// "https://service.example.com/groups/acme/tools/-/epics/5". Everything else is an
// [*ArgumentError], such as the address of another instance or of a page within a project.
//
// The addresses of the main pages of a user, "/ada", and of a project, "/acme/shop", look like
// those of groups, and are taken for them: the service then has no such group.
func (c *Client) ParseGroupRef(s string) (GroupRef, error) {
	return parsePlace(c, s, groupPlace, ParseGroupRef)
}

// ParseUserRef is [ParseUserRef] that also accepts the address of a page of the user in the web
// application of this client's instance, "https://service.example.com/ada",
// "https://service.example.com/users/ada" or "https://service.example.com/users/ada/projects".
// Everything else is an [*ArgumentError], such as the address of another instance or of a page of a
// project.
//
// The address of a group that is in no other, "/acme", looks like that of a user, and is taken
// for one: the service then has no such user.
func (c *Client) ParseUserRef(s string) (UserRef, error) {
	return parsePlace(c, s, userPlace, ParseUserRef)
}

// ParseNamespaceRef is [ParseNamespaceRef] that also accepts the address of a page of the group
// or of the user in the web application of this client's instance: what
// [Client.ParseGroupRef] and [Client.ParseUserRef] accept. Everything else is an
// [*ArgumentError]. The address of the main page of a project, "/acme/shop", looks like that of
// a group, and is taken for one: the service then has no such namespace.
func (c *Client) ParseNamespaceRef(s string) (NamespaceRef, error) {
	return parsePlace(c, s, namespacePlace, ParseNamespaceRef)
}

// The functions below make a reference of its owner and of what follows the mark, and report
// whether that can identify the object.

func mergeRequestOf(project ProjectRef, iid string) (MergeRequestRef, bool) {
	n, ok := positiveNumber(iid)
	return project.MergeRequest(n), ok
}

func issueOf(project ProjectRef, iid string) (IssueRef, bool) {
	n, ok := positiveNumber(iid)
	return project.Issue(n), ok
}

func snippetOf(project ProjectRef, id string) (SnippetRef, bool) {
	n, ok := positiveNumber(id)
	return project.Snippet(n), ok
}

func commitOf(project ProjectRef, sha string) (CommitRef, bool) {
	return project.Commit(sha), segment.PathProblem(sha) == ""
}

func epicOf(group GroupRef, number string) (EpicRef, bool) {
	n, ok := positiveNumber(number)
	return group.Epic(n), ok
}

func positiveNumber(s string) (int64, bool) {
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil && n > 0 && isDigits(s)
}

// parseWithin reads a reference such as "acme/shop!7".
func parseWithin[O, R any](
	s string, form refForm, parseOwner func(string) (O, error), make func(O, string) (R, bool),
) (R, error) {
	owner, object, found := strings.Cut(s, form.mark)
	if found && !strings.Contains(s, "://") {
		o, err := parseOwner(owner)
		if err != nil {
			return *new(R), err
		}
		if ref, ok := make(o, object); ok {
			return ref, nil
		}
	}
	return *new(R), badArgument(form.argument, "is not written like "+form.example+": "+text.Printable(s, 100))
}

// parseAt is parseWithin that also reads the address of a page of the client's instance.
func parseAt[O, R any](
	c *Client, s string, form refForm, parseOwner func(string) (O, error), make func(O, string) (R, bool),
) (R, error) {
	if !c.made() {
		return *new(R), badArgument("client", "was not made by NewClient")
	}
	if !strings.Contains(s, "://") {
		return parseWithin(s, form, parseOwner, make)
	}
	segments, err := c.pageSegments(form.argument, s)
	if err != nil {
		return *new(R), err
	}
	owner, object, ok := form.split(segments)
	if ok {
		o, err := parseOwner(owner)
		if err != nil {
			return *new(R), err
		}
		if ref, ok := make(o, object); ok {
			return ref, nil
		}
	}
	return *new(R), addressProblem(form.argument, "is not the address of the page of such an object", s)
}
