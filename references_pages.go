package serviceapi

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"example.com/serviceapi/internal/text"
)

// refForm is how people write a reference to something in a project or a group.
type refForm struct {
	// argument names the reference in errors. The mark is between the owner and the object.
	argument, mark, example string
	// pages are the names of its pages in the web application.
	pages []string
	// inGroup is set if the owner is a group.
	inGroup bool
}

var (
	mergeRequestForm = refForm{"merge request", "!", "acme/shop!7", []string{"merge_requests"}, false}
	issueForm        = refForm{"issue", "#", "acme/shop#3", []string{"issues", "work_items"}, false}
	snippetForm      = refForm{"snippet", "$", "acme/shop$3", []string{"snippets"}, false}
	commitForm       = refForm{"commit", "@", "acme/shop@1f3a", []string{"commit"}, false}
	epicForm         = refForm{"epic", "&", "acme&5", []string{"epics", "work_items"}, true}
)

// placeForm is which addresses are those of a project, a group, a user or a namespace.
type placeForm struct {
	// argument names the reference in errors. The remedy says what to write instead.
	argument, remedy string
	// repository is set if the addresses of repositories are those of such objects, too.
	repository bool
	// page returns what the function that parses the reference alone takes for the same object.
	page func(segments []string) (string, bool)
}

var (
	projectPlace   = placeForm{"project", "write its path, such as acme/shop, or its ID", true, projectOfPage}
	groupPlace     = placeForm{"group", "write its path, such as acme/tools, or its ID", false, groupOfPage}
	userPlace      = placeForm{"user", "write the username or the ID", false, userOfPage}
	namespacePlace = placeForm{"namespace", "write its path, such as acme/tools, or its ID", false, namespaceOfPage}
)

// parsePlace reads what parse does, and the address of a page of the client's instance.
func parsePlace[R any](c *Client, s string, form placeForm, parse func(string) (R, error)) (R, error) {
	if !c.made() {
		return *new(R), badArgument("client", "was not made by NewClient")
	}
	var segments []string
	var err error
	page := form.page
	switch {
	case isSSH(s):
		segments, err = c.repositorySegments(form, s)
		page = projectOfRepository
	case strings.Contains(s, "://"):
		segments, err = c.pageSegments(form.argument, s)
	default:
		return parse(s)
	}
	if err != nil {
		return *new(R), err
	}
	name, ok := page(segments)
	switch {
	case !ok:
		problem := "is not the address of a page of a " + form.argument + "; " + form.remedy
		return *new(R), addressProblem(form.argument, problem, s)
	case isDigits(name):
		problem := "has a path of digits, which would be taken for an ID; write the ID"
		return *new(R), addressProblem(form.argument, problem, s)
	}
	return parse(name)
}

// pageSegments returns the segments of the path of a page, below that of the client's instance,
// without a slash at the end.
func (c *Client) pageSegments(argument, s string) ([]string, error) {
	u, err := url.Parse(s)
	switch {
	case err != nil:
		return nil, addressProblem(argument, "is not the address of a page", s)
	case hasPassword(u):
		return nil, addressProblem(argument, "is an address with a password; write it without", s)
	}
	path, below := strings.CutPrefix(strings.TrimSuffix(u.EscapedPath(), "/")+"/", c.config.base.Path+"/")
	if !c.config.base.Has(u) || !below {
		return nil, addressProblem(argument, "is an address of another instance; this client talks to "+c.BaseURL(), s)
	}
	return pathSegments(strings.TrimSuffix(path, "/")), nil
}

// isSSH reports whether git takes a string for an address for SSH: one with that scheme, or one
// such as "git@service.example.com:acme/shop.git", which has no slash before its first colon.
func isSSH(s string) bool {
	start, rest, found := strings.Cut(s, ":")
	if strings.HasPrefix(rest, "//") {
		return strings.EqualFold(start, "ssh")
	}
	return found && !strings.Contains(start, "/")
}

// repositorySegments returns the segments of the path of a repository, from its address for SSH.
// That is below nothing, even if the instance is below a path.
func (c *Client) repositorySegments(form placeForm, s string) ([]string, error) {
	u, err := parseSSH(s)
	if err != nil {
		return nil, addressProblem(form.argument, "is not the address of a repository", s)
	}
	switch {
	case hasPassword(u):
		return nil, addressProblem(form.argument, "is an address with a password; write it without", s)
	case !form.repository:
		return nil, addressProblem(form.argument, "is the address of the repository of a project; "+form.remedy, s)
	case !c.config.base.HasHost(u):
		problem := "is an address for SSH of another host than that of " + c.BaseURL() + "; " + form.remedy
		return nil, addressProblem(form.argument, problem, s)
	case !strings.Contains(s, "://") && beginsWithPort(u.Path):
		problem := "has what may be a port before its path; begin it with ssh:// or https://, or " + form.remedy
		return nil, addressProblem(form.argument, problem, s)
	}
	path := strings.TrimPrefix(strings.TrimSuffix(u.EscapedPath(), "/"), "/")
	return pathSegments(path), nil
}

// hasPassword reports whether an address has a password, even an empty one.
func hasPassword(u *url.URL) bool {
	_, password := u.User.Password()
	return password
}

// beginsWithPort reports whether the path of an address for SSH without a scheme begins with what
// its writer probably means as a port, as in "git@service.example.com:2222:acme/shop.git" and
// "service.example.com:443/acme/shop". Git takes that for a part of the path. A path of two parts
// is one: "7/shop".
func beginsWithPort(path string) bool {
	end := strings.IndexAny(path, ":/")
	if end < 0 || !isDigits(path[:end]) {
		return false
	}
	_, err := strconv.ParseUint(path[:end], 10, 16)
	return err == nil && (path[end] == ':' || strings.Contains(strings.Trim(path[end:], "/"), "/"))
}

// parseSSH parses an address for SSH, in either form.
func parseSSH(s string) (*url.URL, error) {
	if strings.Contains(s, "://") {
		return url.Parse(s)
	}
	user, rest, marked := strings.Cut(s, "@")
	if !marked {
		user, rest = "", s
	}
	host, path, _ := strings.Cut(rest, ":")
	if strings.HasPrefix(rest, "[") {
		host, path, _ = strings.Cut(rest, "]:")
		host += "]"
	}
	u := &url.URL{Scheme: "ssh", User: url.User(user), Host: host, Path: path}
	if name, password, found := strings.Cut(user, ":"); found {
		u.User = url.UserPassword(name, password)
	}
	return u, nil
}

// pathSegments returns the segments of an escaped path, unescaped. One with an escaped slash
// becomes empty: names of branches have it, and no path of a project, a group or a user.
func pathSegments(path string) []string {
	segments := strings.Split(path, "/")
	for i, s := range segments {
		plain, err := url.PathUnescape(s)
		if err != nil || strings.Contains(plain, "/") {
			plain = ""
		}
		segments[i] = plain
	}
	return segments
}

// addressProblem is the error for an address. It does not show what may be a password or a
// token: those are before the sign "@", and in a query or a fragment.
func addressProblem(argument, problem, s string) error {
	if !strings.Contains(s, "@") {
		if end := strings.IndexAny(s, "?#"); end >= 0 {
			s = s[:end]
		}
		problem += ": " + text.Printable(s, 100)
	}
	return badArgument(argument, problem)
}

// The functions below return the path or the name of the object that the segments of an address
// are of, and report whether that is clear.

func projectOfPage(segments []string) (string, bool) {
	if dash := slices.Index(segments, "-"); dash >= 0 {
		return ownerPath(segments[:dash], 2)
	}
	return projectOfRepository(segments)
}

// projectOfRepository takes the address of the repository of a wiki for unclear: a project can
// have that path, too.
func projectOfRepository(segments []string) (string, bool) {
	path, cloned := strings.CutSuffix(strings.Join(segments, "/"), ".git")
	if cloned && (strings.HasSuffix(path, ".wiki") || strings.HasSuffix(path, ".design")) {
		return "", false
	}
	return mainPage(strings.Split(path, "/"), 2, 2)
}

func groupOfPage(segments []string) (string, bool) {
	if segments[0] != "groups" {
		return mainPage(segments, 1, 2)
	}
	segments = segments[1:]
	if dash := slices.Index(segments, "-"); dash >= 0 {
		return ownerPath(segments[:dash], 1)
	}
	path, ok := mainPage(segments, 1, 1)
	return path, ok && path != "new" // the page that creates a group
}

func userOfPage(segments []string) (string, bool) {
	if len(segments) >= 2 && segments[0] == "users" {
		switch {
		case len(segments) == 2 && !isUsersPage(segments[1]):
			segments = segments[1:]
		case len(segments) > 2 && isUserPage(segments[2]):
			segments = slices.Concat(segments[1:2], segments[3:])
		}
	}
	name, ok := mainPage(segments, 1, 1)
	listsKeys := strings.HasSuffix(name, ".keys") || strings.HasSuffix(name, ".gpg")
	return "@" + name, ok && !strings.Contains(name, "/") && !listsKeys // digits are a name, too
}

func namespaceOfPage(segments []string) (string, bool) {
	if path, ok := groupOfPage(segments); ok {
		return path, true
	}
	name, ok := userOfPage(segments)
	return strings.TrimPrefix(name, "@"), ok
}

// mainPage is ownerPath for an address without "-". Older addresses of other pages lack it as
// well: the name of one makes it unclear, from the given segment on.
func mainPage(segments []string, least, pages int) (string, bool) {
	for _, s := range segments[min(pages, len(segments)):] {
		for _, form := range []refForm{mergeRequestForm, issueForm, snippetForm, commitForm, epicForm} {
			if slices.Contains(form.pages, s) {
				return "", false
			}
		}
	}
	return ownerPath(segments, least)
}

// ownerPath joins the segments of the path of a project, a group or a user. It reports false for
// fewer than the least number of them, and for names that the service keeps for other pages.
func ownerPath(segments []string, least int) (string, bool) {
	if len(segments) < least || isInstancePage(segments[0]) || slices.ContainsFunc(segments[1:], isPageWithin) {
		return "", false
	}
	for _, s := range segments {
		if s == "" || strings.HasSuffix(s, ".git") || strings.HasSuffix(s, ".atom") {
			return "", false
		}
	}
	return strings.Join(segments, "/"), true
}

// isInstancePage reports whether a path begins with a name that no group and no user can have.
func isInstancePage(name string) bool {
	switch name {
	case "-", ".well-known", "admin", "api", "assets", "dashboard", "explore", "files", "groups", "health_check",
		"help", "import", "jwt", "login", "oauth", "profile", "projects", "public", "s", "search", "snippets",
		"unsubscribes", "uploads", "users", "v2":
		return true
	}
	return false
}

// isPageWithin reports whether no project, and no group within another, can have a name.
func isPageWithin(name string) bool {
	switch name {
	case "-", "badges", "blame", "blob", "builds", "commits", "create", "create_dir", "edit", "files", "find_file",
		"new", "preview", "raw", "refs", "tree", "update", "wikis":
		return true
	}
	return false
}

// isUsersPage reports whether the address of a page that is of no user has this name behind "users".
func isUsersPage(name string) bool {
	switch name {
	case "almost_there", "auth", "confirmation", "password", "sign_in", "sign_out", "sign_up", "terms", "unlock":
		return true
	}
	return false
}

// isUserPage reports whether the address of a user has this name behind "users" and the username.
func isUserPage(name string) bool {
	switch name {
	case "activity", "contributed", "followers", "following", "groups", "projects", "snippets", "starred":
		return true
	}
	return false
}

// split divides the segments of the path of a page into the path of the owner and the object.
// Older addresses lack the "-" between the two, and pages such as "diffs" may follow.
func (f refForm) split(segments []string) (owner, object string, ok bool) {
	first := 2 // a project is in a group
	if f.inGroup {
		if segments[0] != "groups" {
			return "", "", false
		}
		first, segments = 1, segments[1:]
	}
	dash := slices.Index(segments, "-")
	for i := first; i+1 < len(segments); i++ {
		if !slices.Contains(f.pages, segments[i]) || dash >= 0 && dash != i-1 {
			continue
		}
		end := i
		if dash >= 0 {
			end = dash
		}
		owner = strings.Join(segments[:end], "/")
		if slices.Contains(segments[:end], "") || isInstancePage(segments[0]) || isDigits(owner) {
			return "", "", false // digits are a path, which would be taken for an ID
		}
		return owner, segments[i+1], true
	}
	return "", "", false
}
