package servicetest

import "example.com/serviceapi/servicetest/internal/frame"

func moveProjects(c *call) *reply {
	return c.scheduleMoves(func(source, destination string) {
		for _, p := range c.svc.projects.all(func(p *Project) bool { return p.storage == source }) {
			c.svc.scheduleMove(&StorageMove{Project: p, Source: source, Destination: destination})
		}
	})
}

func moveSnippets(c *call) *reply {
	return c.scheduleMoves(func(source, destination string) {
		all := state[storageMoves](c.svc)
		all.snippets = append(all.snippets, SnippetMove{source, destination})
	})
}

func moveGroups(c *call) *reply {
	return c.scheduleMoves(func(source, destination string) {
		for _, g := range c.svc.groups.all(func(g *Group) bool { return c.svc.wikiStorage(g) == source }) {
			c.svc.scheduleMove(&StorageMove{Group: g, Source: source, Destination: destination})
		}
	})
}

// scheduleMoves implements what the three calls have in common.
func (c *call) scheduleMoves(schedule func(source, destination string)) *reply {
	source, destination := c.Required("source_storage_name"), c.Str("destination_storage_name")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if destination == "" {
		if destination = c.svc.otherStorage(source); destination == "" {
			return c.Accepted(object{"message": "202 Accepted"}) // without effect
		}
	}
	if source == destination {
		return frame.BadRequest("The destination is the source")
	}
	schedule(source, destination)
	return c.Accepted(object{"message": "202 Accepted"})
}

// writesRepository are the routes that change the repository of their project.
// Merges and rebases check this themselves, because they can be started by a
// note, happen later, or change the repository of a fork.
var writesRepository = map[string]bool{
	"POST /projects/:id/repository/commits":                  true,
	"POST /projects/:id/repository/commits/:sha/cherry_pick": true,
	"POST /projects/:id/repository/commits/:sha/revert":      true,
	"POST /projects/:id/repository/files/:file_path":         true,
	"PUT /projects/:id/repository/files/:file_path":          true,
	"DELETE /projects/:id/repository/files/:file_path":       true,
	"POST /projects/:id/repository/branches":                 true,
	"DELETE /projects/:id/repository/branches/:branch":       true,
	"POST /projects/:id/repository/tags":                     true,
	"DELETE /projects/:id/repository/tags/:tag_name":         true,
}

// readOnly is the message for a change of a repository that is being moved.
const readOnly = "the repository is read-only until its move to another storage completes"

// repositoryAtRest refuses changes of a repository that is being moved.
func (c *call) repositoryAtRest() *reply {
	if !writesRepository[c.route.template] {
		return nil
	}
	project := c.svc.findProject(c.PathText("id"))
	if project == nil || !c.svc.canSeeProject(c.user, project) || !c.svc.moving(project) {
		return nil
	}
	return frame.Forbidden(readOnly)
}
