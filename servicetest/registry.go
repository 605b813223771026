package servicetest

import (
	"cmp"
	"net/http"
	"slices"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
)

// RegistryDeletionDelay is how long after the call the registry deletes a
// repository, or many tags at once, by the service's clock.
const RegistryDeletionDelay = time.Second

// canReadRegistry reports whether a user may see the registry of a project that
// the user can see.
func (s *Service) canReadRegistry(user *User, project *Project) bool {
	switch project.registry {
	case "enabled":
		return true
	case "private":
		return s.projectLevel(user, project) >= Reporter
	}
	return false
}

// registryProject returns the project of the path if the caller may read its
// registry.
func (c *call) registryProject() (*Project, *reply) {
	project, refusal := c.project()
	if refusal != nil {
		return nil, refusal
	}
	if !c.svc.canReadRegistry(c.user, project) {
		return nil, frame.Forbidden("")
	}
	return project, nil
}

// registryRepository returns the repository of the path.
func (c *call) registryRepository() (*RegistryRepository, *reply) {
	project, refusal := c.registryProject()
	if refusal != nil {
		return nil, refusal
	}
	repository, ok := state[registryState](c.svc).repositories.get(c.PathID("repository_id"))
	if !ok || repository.project != project {
		return nil, frame.NotFound("")
	}
	return repository, nil
}

func listRegistryRepositories(c *call) *reply {
	project, refusal := c.registryProject()
	if refusal != nil {
		return refusal
	}
	shown := registryShown{tags: c.Bool("tags", false), count: c.Bool("tags_count", false)}
	found := state[registryState](c.svc).repositories.all(func(r *RegistryRepository) bool { return r.project == project })
	return frame.ListOf(c, found, shown.form)
}

// listGroupRegistryRepositories lists the repositories of all projects below
// the group whose registry the caller may read.
func listGroupRegistryRepositories(c *call) *reply {
	group, refusal := c.group()
	if refusal != nil {
		return refusal
	}
	found := state[registryState](c.svc).repositories.all(func(r *RegistryRepository) bool {
		return r.project.within(group) && c.svc.canSeeProject(c.user, r.project) && c.svc.canReadRegistry(c.user, r.project)
	})
	return frame.ListOf(c, found, registryShown{}.form)
}

func getRegistryRepository(c *call) *reply {
	repository, ok := state[registryState](c.svc).repositories.get(c.PathID("id"))
	if !ok || !c.svc.canSeeProject(c.user, repository.project) {
		return frame.NotFound("")
	}
	if !c.svc.canReadRegistry(c.user, repository.project) {
		return frame.Forbidden("")
	}
	shown := registryShown{tags: c.Bool("tags", false), count: c.Bool("tags_count", false), size: c.Bool("size", false)}
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	return c.OK(shown.form(repository))
}

func deleteRegistryRepository(c *call) *reply {
	repository, refusal := c.registryRepository()
	if refusal != nil {
		return refusal
	}
	svc := c.svc
	svc.after(RegistryDeletionDelay, func() {
		defer svc.lock()()
		state[registryState](svc).repositories.remove(repository.id)
		repository.deleted = true
	})
	return c.Accepted(nil)
}

func listRegistryTags(c *call) *reply {
	repository, refusal := c.registryRepository()
	if refusal != nil {
		return refusal
	}
	tags := repository.byName()
	if c.WantsKeyset() {
		return tokenPage(c, tags, func(t *registryTag) string { return t.name }, (*registryTag).summary)
	}
	return frame.ListOf(c, tags, (*registryTag).summary)
}

func getRegistryTag(c *call) *reply {
	repository, refusal := c.registryRepository()
	if refusal != nil {
		return refusal
	}
	tag := repository.tags[c.PathText("tag_name")]
	if tag == nil {
		return frame.NotFound("Tag")
	}
	return c.OK(tag.detail())
}

func deleteRegistryTag(c *call) *reply {
	repository, refusal := c.registryRepository()
	if refusal != nil {
		return refusal
	}
	name := c.PathText("tag_name")
	if repository.tags[name] == nil {
		return frame.NotFound("Tag")
	}
	delete(repository.tags, name)
	return c.NoContent()
}

// deleteRegistryTags schedules the removal of many tags, once an hour for each
// repository.
func deleteRegistryTags(c *call) *reply {
	repository, refusal := c.registryRepository()
	if refusal != nil {
		return refusal
	}
	rule := readBulkRule(c)
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if c.now().Before(repository.bulkFrom) {
		return frame.Message(http.StatusBadRequest,
			"This request has already been made. You can run this at most once an hour for a given container repository")
	}
	repository.bulkFrom = c.now().Add(time.Hour)
	svc := c.svc
	svc.after(RegistryDeletionDelay, func() {
		defer svc.lock()()
		for _, tag := range rule.choose(repository, state[registryState](svc).bulkLimit) {
			delete(repository.tags, tag.name)
		}
	})
	return c.Accepted(nil)
}

// byName returns the tags of a repository in alphabetical order.
func (r *RegistryRepository) byName() []*registryTag {
	return r.sorted(func(a, b *registryTag) int { return cmp.Compare(a.name, b.name) })
}

func (r *RegistryRepository) sorted(order func(a, b *registryTag) int) []*registryTag {
	tags := make([]*registryTag, 0, len(r.tags))
	for _, tag := range r.tags {
		tags = append(tags, tag)
	}
	slices.SortFunc(tags, order)
	return tags
}
