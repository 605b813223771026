package servicetest

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
)

// A Project is a project with its repository, pipelines, members and so on. Make one
// with Service.Project.
type Project struct {
	stamp

	svc           *Service
	id            int64
	group         *Group // nil for a personal project
	owner         *User  // only for a personal project
	path          string // the last element
	name          string
	description   string
	visibility    string
	defaultBranch string
	storage       string // name of the repository storage
	archived      bool
	fetches       map[string]int // clones and pulls by day
	kept          time.Time      // when housekeeping was last started
	registry      string         // enabled, private or disabled
	createdAt     time.Time
	activeAt      time.Time // the last activity
	creator       *User
	preferences   preferences
	expiration    expirationPolicy
	topics        []string
	avatar        picture
	importURL     string              // without credentials
	pulled        *RemoteMirror       // the updates of its pull mirror, nil before the first
	forkedFrom    *Project            // nil if it is not a fork
	stars         map[*User]time.Time // since when
	attributes    map[string]string
	marked        time.Time      // when it was marked for deletion; zero if never
	members       table[*member] // by user ID
	shares        []share

	pipelines []*Pipeline // ascending by ID
	jobs      []*Job      // ascending by ID, without bridges

	views [adminView + 1]encoded
}

// A ProjectOption sets a property of a project. CreatedAt, Description, ID,
// Member, Name, Public, Internal, Private and WithoutSharedRunners are
// ProjectOptions, too.
type ProjectOption interface{ applyProject(p *Project) }

type projectOption func(*Project)

func (f projectOption) applyProject(p *Project) { f(p) }

// DefaultBranch sets the default branch. The default is main.
func DefaultBranch(name string) ProjectOption {
	return projectOption(func(p *Project) { p.defaultBranch = name })
}

// Topics sets the topics of a project.
func Topics(topics ...string) ProjectOption {
	return projectOption(func(p *Project) { p.topics = slices.Clone(topics) })
}

// Archived makes an archived project.
func Archived() ProjectOption { return projectOption(func(p *Project) { p.archived = true }) }

// RepositoryStorage sets the name of the storage that holds the repository. The
// default is "default".
func RepositoryStorage(name string) ProjectOption {
	return projectOption(func(p *Project) { p.storage = name })
}

// Project makes a project at a path, such as "acme/app", and makes missing parent
// groups. If the path begins with a username, it is a personal project of that user. If
// the project exists, the options are applied to it.
func (s *Service) Project(path string, opts ...ProjectOption) *Project {
	if s.tb != nil {
		s.tb.Helper()
	}
	defer s.lock()()
	above, last := split(path)
	if above == "" {
		s.fail("the path %q of a project has no namespace", path)
	}
	if p := s.findProject(path); p != nil {
		applyAgain(s, &p.id, "a project "+strconv.Quote(path), func() {
			for _, opt := range opts {
				opt.applyProject(p)
			}
		})
		s.touch(p)
		return p
	}
	if owner := s.ownerOf(above); owner != nil {
		return s.newProject(nil, owner, last, opts)
	}
	return s.newProject(s.groupAt(above, nil), nil, last, opts)
}

// ownerOf returns the owner of the personal namespace at a path.
func (s *Service) ownerOf(path string) *User {
	user := s.findUser(path)
	if user != nil && strings.EqualFold(user.username, path) && s.findGroup(path) == nil {
		return user
	}
	return nil
}

// newProject makes a project in a group, or in the namespace of an owner.
func (s *Service) newProject(group *Group, owner *User, path string, opts []ProjectOption) *Project {
	p := &Project{
		svc: s, group: group, owner: owner, path: path, name: titled(path),
		visibility: "private", defaultBranch: "main", storage: "default",
		registry: "enabled", createdAt: s.now(), creator: s.admin, preferences: make(preferences),
		expiration: expirationPolicy{cadence: "1d", keepN: 10, olderThan: "90d", regex: ".*"},
	}
	if owner != nil {
		p.creator = owner
		s.addMember(&p.members, owner, Owner)
	}
	for _, opt := range opts {
		opt.applyProject(p)
	}
	seed(s, &s.projects, &p.id, p, "a project")
	s.touch(p)
	return p
}

// findProject returns the project with an ID or full path, or nil if there is
// none.
func (s *Service) findProject(name string) *Project {
	if id, err := strconv.ParseInt(name, 10, 64); err == nil {
		project, _ := s.projects.get(id)
		return project
	}
	known := s.paths[strings.ToLower(name)]
	if known != nil && strings.EqualFold(known.fullPath(), name) && s.hasProject(known) {
		return known
	}
	for i := range s.projects.len() {
		if p := s.projects.at(i); strings.EqualFold(p.fullPath(), name) {
			s.paths[strings.ToLower(name)] = p
			return p
		}
	}
	return nil
}

func (s *Service) hasProject(project *Project) bool {
	found, _ := s.projects.get(project.id)
	return found == project
}

// changedAt returns the newest stamp of the records that the project's names
// and addresses depend on.
func (p *Project) changedAt() uint64 {
	changed := max(p.Changed, p.owner.changedAt())
	changed = max(changed, p.group.changedAt())
	for _, sh := range p.shares {
		changed = max(changed, sh.group.changedAt())
	}
	return changed
}

// ID returns the project's ID.
func (p *Project) ID() int64 { return p.id }

// Path returns the project's full path, for example "acme/app".
func (p *Project) Path() string {
	defer p.svc.lock()()
	return p.fullPath()
}

// Group returns the group that contains the project, or nil for a personal
// project.
func (p *Project) Group() *Group { return p.group }

// AddMember gives a user a role in the project, or changes the user's role.
func (p *Project) AddMember(user *User, level AccessLevel, opts ...MembershipOption) {
	defer p.svc.lock()()
	p.svc.addMember(&p.members, user, level, opts...)
	p.svc.touch(p)
}

// ShareWith gives all members of a group the roles that they have there, but at most
// level.
func (p *Project) ShareWith(group *Group, level AccessLevel) {
	defer p.svc.lock()()
	p.shares = append(p.shares, p.svc.newShare(group, level, time.Time{}))
	p.svc.touch(p)
}

// Jobs returns the project's jobs, oldest first.
func (p *Project) Jobs() []*Job {
	defer p.svc.lock()()
	return append([]*Job(nil), p.jobs...)
}

func (p *Project) fullPath() string {
	if p.group == nil {
		return p.owner.username + "/" + p.path
	}
	return p.group.fullPath() + "/" + p.path
}

func (p *Project) fullName() string {
	if p.group == nil {
		return p.owner.name + " / " + p.name
	}
	return p.group.fullName() + " / " + p.name
}

// within reports whether a project is in a group or below it.
func (p *Project) within(group *Group) bool { return p.group.within(group) }

// webURL returns a URL of the project in the web interface.
func (p *Project) webURL(elements ...string) string {
	return p.svc.webURL(append([]string{p.fullPath()}, elements...)...)
}

// projectSummary is the short JSON of a project in other objects.
type projectSummary struct {
	ID                int64    `json:"id"`
	Description       jsonText `json:"description"`
	Name              string   `json:"name"`
	NameWithNamespace string   `json:"name_with_namespace"`
	Path              string   `json:"path"`
	PathWithNamespace string   `json:"path_with_namespace"`
	CreatedAt         jsonTime `json:"created_at"`
}

func (p *Project) summary() *projectSummary {
	return &projectSummary{
		ID: p.id, Description: jsonText(p.description), Name: p.name,
		NameWithNamespace: p.fullName(), Path: p.path, PathWithNamespace: p.fullPath(),
		CreatedAt: jsonTime(p.createdAt),
	}
}

// Archive makes the project read-only.
func (p *Project) Archive() { p.setArchived(true) }

// Unarchive makes an archived project writable again.
func (p *Project) Unarchive() { p.setArchived(false) }

func (p *Project) setArchived(archived bool) {
	defer p.svc.lock()()
	p.archived = archived
	p.svc.touch(p)
}

// Archived reports whether the project is archived.
func (p *Project) Archived() bool { return read(p.svc, &p.archived) }

// Exists reports whether the project exists, that is, has not been deleted.
func (p *Project) Exists() bool {
	defer p.svc.lock()()
	return p.svc.hasProject(p)
}

// partsOfAreas maps the segment of the path after the project to the part of the
// project that can be turned off.
var partsOfAreas = map[string]string{
	"issues": "issues", "merge_requests": "merge_requests", "repository": "repository", "snippets": "snippets",
	"merge_trains": "merge_requests", "jobs": "builds", "pipeline": "builds", "pipelines": "builds",
	"artifacts":          "builds",
	"pipeline_schedules": "builds", "ci": "builds",
	"environments": "environments", "deployments": "environments", "releases": "releases",
	"wikis": "wiki",
}

// serves reports whether a user has access to a part of the project: issues,
// merge_requests, builds, repository, snippets and so on.
func (p *Project) serves(user *User, part string) bool {
	if (part == "merge_requests" || part == "builds") && !p.serves(user, "repository") {
		return false
	}
	switch p.preferences.choice(projectPreferences, part+"_access_level") {
	case "disabled":
		return false
	case "private":
		return p.svc.projectLevel(user, p) >= Guest
	}
	return true
}

// area returns the segment of the route's path after the project, or "" if the
// route is about the project itself or about something else.
func (c *call) area() string {
	_, path, _ := strings.Cut(c.route.template, "/projects/:")
	_, path, _ = strings.Cut(path, "/")
	area, _, _ := strings.Cut(path, "/")
	return area
}

// partTurnedOn refuses calls for parts of a project that the caller has no access to.
func (c *call) partTurnedOn() *reply {
	part := partsOfAreas[c.area()]
	if part == "" {
		return nil
	}
	project := c.pathProject()
	if project == nil || !c.svc.canSeeProject(c.user, project) || project.serves(c.user, part) {
		return nil
	}
	return frame.Forbidden("")
}

// writes reports whether the route may change something.
func (r *route) writes() bool { return r.method != http.MethodGet && r.method != http.MethodHead }
