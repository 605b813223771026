package servicetest

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// createUserProject creates a project as another user would.
func createUserProject(c *call, user *User) *reply {
	defer func(caller *User) { c.user = caller }(c.user)
	c.user = user
	return createProject(c)
}

// Fetched counts clones and pulls of the project on the day of a time.
func (p *Project) Fetched(at time.Time, times int) {
	defer p.svc.lock()()
	day := at.UTC().Format(time.DateOnly)
	put(&p.fetches, day, p.fetches[day]+times)
}

// getFetchStatistics counts the clones and pulls of the last 30 days.
func getFetchStatistics(c *call, project *Project) *reply {
	first, total, days := c.now().AddDate(0, 0, -29).UTC().Format(time.DateOnly), 0, []object{}
	newest := func(a, b string) int { return cmp.Compare(b, a) }
	for _, day := range slices.SortedFunc(maps.Keys(project.fetches), newest) {
		if day >= first {
			total += project.fetches[day]
			days = append(days, object{"count": project.fetches[day], "date": day})
		}
	}
	return c.OK(object{"fetches": object{"total": total, "days": days}})
}

func getProjectStorage(c *call, project *Project) *reply {
	sum := fmt.Sprintf("%x", sha256.Sum256([]byte(frame.Itoa(project.id))))
	return c.OK(object{
		"project_id": project.id, "disk_path": "@hashed/" + sum[:2] + "/" + sum[2:4] + "/" + sum,
		"created_at": jsonTime(project.createdAt), "repository_storage": project.storage,
	})
}

func listProjectInvitedGroups(c *call, project *Project) *reply {
	found, refusal := c.invitedGroups(project.shares, project.group)
	if refusal != nil {
		return refusal
	}
	return c.groupSummaries(found)
}

// listShareLocations lists the groups that a project can be shared with.
func listShareLocations(c *call, project *Project) *reply {
	in := project.group
	found := c.svc.groups.all(func(g *Group) bool {
		return c.svc.projectLevel(c.user, project) >= Maintainer && c.svc.groupMembership(c.user, g) >= Guest &&
			!in.within(g) && !project.sharedWith(g) && (in == nil || in.mayInvite(g))
	})
	sortGroups(found, "name", "asc", "")
	return c.groupSummaries(found)
}

// restoreProject keeps a project that is marked for deletion.
func restoreProject(c *call, project *Project) *reply {
	if project.marked.IsZero() {
		return frame.Message(http.StatusBadRequest, "Project has not been marked for deletion")
	}
	project.marked = time.Time{}
	c.svc.touch(project)
	return c.projectReply(project, c.Created)
}

// housekeepingPause is how long housekeeping cannot be started again.
const housekeepingPause = 1440 * time.Minute

func startHousekeeping(c *call, project *Project) *reply {
	frame.AcceptIn(c.StringIn, "task", "eager", "prune")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if !project.kept.IsZero() && c.now().Sub(project.kept) < housekeepingPause {
		return frame.Conflict("Somebody already triggered housekeeping for this resource in the past 1440 minutes")
	}
	project.kept = c.now()
	return c.Created(nil)
}

func recalculateSize(c *call, _ *Project) *reply { return c.Created(nil) }

// importMembers copies the direct members of another project.
func importMembers(c *call) *reply {
	var homes [2]*Project
	for i, param := range []string{"id", "project_id"} {
		p, ok := c.svc.projects.get(c.PathInt64(param))
		switch {
		case !ok || !c.seesProject(p):
			return frame.NotFound("Project")
		case c.svc.projectLevel(c.user, p) < c.route.role && i == 0:
			return frame.Forbidden("")
		case c.svc.projectLevel(c.user, p) < c.route.role:
			return frame.Forbidden("Project")
		}
		homes[i] = p
	}
	target, members, problems := homes[0], homes[1].members.all(nil), object{}
	level := c.svc.projectLevel(c.user, target)
	h := &home{target, target.group, &target.members, target.shares, level}
	for _, m := range members {
		if _, there := c.svc.currentMember(h.members, m.user.id); there {
			continue
		}
		draft := member{level: min(m.level, level), expiresAt: m.expiresAt}
		if _, _, problem := c.addOne(h, m.user.id, draft); problem != "" {
			problems[m.user.username] = problem
		}
	}
	c.svc.touch(target)
	if len(problems) > 0 {
		return c.Created(object{"status": "error", "message": problems, "total_members_count": len(members)})
	}
	return c.Created(object{"status": "success"})
}

// A projectAlias is another name of a project for Git over SSH, which this service does not have.
type projectAlias struct {
	id      int64
	project *Project
	name    string
}

type projectAliasState struct{ aliases table[*projectAlias] }

// projectAliases returns the aliases of projects that exist.
func (s *Service) projectAliases() []*projectAlias {
	return state[projectAliasState](s).aliases.all(func(a *projectAlias) bool {
		_, exists := s.projects.get(a.project.id)
		return exists
	})
}

var projectAliases = collection.Table[*call, any, projectAlias]{
	Home:    func(*call) (any, *reply) { return nil, nil },
	Records: func(c *call, _ any) []*projectAlias { return c.svc.projectAliases() },
	Find: func(c *call, _ any) (*projectAlias, *reply) {
		for _, a := range c.svc.projectAliases() {
			if a.name == c.PathString("name") {
				return a, nil
			}
		}
		return nil, frame.NotFound("")
	},
	Fields: []collection.Field[projectAlias]{
		collection.Shown("id", func(a *projectAlias) int64 { return a.id }),
		collection.Shown("project_id", func(a *projectAlias) int64 { return a.project.id }),
		collection.Text("name", func(a *projectAlias) *string { return &a.name }).Required().Unique().
			Match(validProjectPath, "is invalid"),
	},
	New: func(*call, any) *projectAlias { return new(projectAlias) },
	Read: func(c *call, _ any, draft *projectAlias, _ bool) {
		draft.project = c.svc.findProject(c.RequiredString("project_id"))
	},
	Check: func(_ *call, _ any, draft, _ *projectAlias) *reply {
		if draft.project == nil {
			return frame.NotFound("Project")
		}
		return nil
	},
	Add: func(c *call, _ any, a *projectAlias) {
		a.id, _ = state[projectAliasState](c.svc).aliases.add(0, a)
	},
	Remove: func(c *call, _ any, a *projectAlias) { state[projectAliasState](c.svc).aliases.remove(a.id) },
}
