package servicetest

import (
	"net/http"
	"strings"

	"example.com/serviceapi/servicetest/internal/frame"
)

// formerPaths are the paths that projects had before they were renamed or moved.
type formerPaths struct{ of map[string]*Project }

// leave records that the project no longer has its present path. It must be
// called before the path changes.
func (p *Project) leave() {
	all := state[formerPaths](p.svc)
	if all.of == nil {
		all.of = make(map[string]*Project)
	}
	all.of[strings.ToLower(p.fullPath())] = p
}

// leave is like Project.leave, for all projects in the group.
func (g *Group) leave() {
	for i := range g.svc.projects.len() {
		if p := g.svc.projects.at(i); p.within(g) {
			p.leave()
		}
	}
}

// projectNotMoved redirects reads from a path that a project had before, and
// refuses everything else. A new project at that path takes precedence.
func (c *call) projectNotMoved() *reply {
	if !strings.Contains(c.route.template, " /projects/:") || c.pathProject() != nil {
		return nil
	}
	project := state[formerPaths](c.svc).of[strings.ToLower(c.projectName())]
	if project == nil || !c.seesProject(project) {
		return nil
	}
	if c.route.writes() {
		return frame.Message(http.StatusMethodNotAllowed, "Non GET methods are not allowed for moved projects")
	}
	before, after, _ := strings.Cut(c.Self(nil), "/projects/")
	rest := after[strings.IndexAny(after, "/?"):] // without the old path
	address := strings.TrimSuffix(before+"/projects/"+frame.Itoa(project.id)+rest, "?")
	return frame.Message(http.StatusFound, "This resource has been moved temporarily to "+address+".").Set("Location", address)
}
