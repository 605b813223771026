package servicetest

import (
	"cmp"
	"net/http"
	"slices"

	"example.com/serviceapi/servicetest/internal/frame"
)

// Star marks the project as a favorite of a user.
func (p *Project) Star(user *User) {
	defer p.svc.lock()()
	p.star(user)
}

// Starred reports whether a project is a favorite of a user.
func (p *Project) Starred(user *User) bool {
	defer p.svc.lock()()
	return p.starredBy(user)
}

func (p *Project) starredBy(user *User) bool {
	_, starred := p.stars[user]
	return starred
}

// star and unstar report whether they changed something.
func (p *Project) star(user *User) bool {
	if p.starredBy(user) {
		return false
	}
	put(&p.stars, user, p.svc.now())
	p.svc.touch(p)
	return true
}

func (p *Project) unstar(user *User) bool {
	if !p.starredBy(user) {
		return false
	}
	delete(p.stars, user)
	p.svc.touch(p)
	return true
}

func starProject(c *call) *reply { return c.changeStar((*Project).star) }

func unstarProject(c *call) *reply { return c.changeStar((*Project).unstar) }

func (c *call) changeStar(change func(*Project, *User) bool) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	if !change(project, c.user) {
		return &reply{Status: http.StatusNotModified}
	}
	return c.projectReply(project, c.Created)
}

// starrer is the JSON of a user who has starred a project.
type starrer struct {
	StarredSince jsonTime     `json:"starred_since"`
	User         *userSummary `json:"user"`
}

// listStarrers lists the users who have starred a project, in the order in which they
// did.
func listStarrers(c *call, project *Project) *reply {
	search := c.String("search")
	var found []*User
	for user := range project.stars {
		if c.seesProfile(user) && (frame.ContainsFold(user.name, search) || frame.ContainsFold(user.username, search)) {
			found = append(found, user)
		}
	}
	slices.SortFunc(found, func(a, b *User) int {
		return cmp.Or(project.stars[a].Compare(project.stars[b]), cmp.Compare(a.id, b.id))
	})
	return frame.ListOf(c, found, func(user *User) starrer {
		return starrer{jsonTime(project.stars[user]), user.summary()}
	})
}

// seesProfile reports whether the caller sees a user's activity.
func (c *call) seesProfile(user *User) bool {
	return !user.privateProfile || user == c.user || c.admin()
}

// listContributedProjects lists the projects in which a user did something in the last year.
func listContributedProjects(c *call) *reply {
	user := c.svc.findUser(c.PathString("user_id"))
	if user == nil {
		return frame.NotFound("User")
	}
	since := c.now().AddDate(-1, 0, 0)
	in := make(map[*Project]bool)
	for _, e := range state[eventState](c.svc).events.all(nil) {
		in[e.project] = in[e.project] || e.author == user && e.at.After(since)
	}
	return c.projectList(func(p *Project) bool {
		return in[p] && c.seesProfile(user) && c.svc.canSeeProject(c.user, p)
	})
}

func listStarredProjects(c *call) *reply {
	user := c.svc.findUser(c.PathString("user_id"))
	if user == nil {
		return frame.NotFound("User")
	}
	return c.projectList(func(p *Project) bool {
		return p.starredBy(user) && c.seesProfile(user) && c.svc.canSeeProject(c.user, p)
	})
}
