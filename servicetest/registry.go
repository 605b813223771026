package servicetest

import (
	"cmp"
	"net/http"
	"slices"
	"time"
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
		return nil, forbidden("")
	}
	return project, nil
}

// registryRepository returns the repository of the path.
func (c *call) registryRepository() (*RegistryRepository, *reply) {
	project, refusal := c.registryProject()
	if refusal != nil {
		return nil, refusal
	}
	repository, ok := state[registryState](c.svc).repositories.get(c.pathID("repository_id"))
	if !ok || repository.project != project {
		return nil, notFound("")
	}
	return repository, nil
}

func listRegistryRepositories(c *call) *reply {
	project, refusal := c.registryProject()
	if refusal != nil {
		return refusal
	}
	shown := registryShown{tags: c.bool("tags", false), count: c.bool("tags_count", false)}
	found := state[registryState](c.svc).repositories.all(func(r *RegistryRepository) bool { return r.project == project })
	return listOf(c, found, shown.form)
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
	return listOf(c, found, registryShown{}.form)
}

func getRegistryRepository(c *call) *reply {
	repository, ok := state[registryState](c.svc).repositories.get(c.pathID("id"))
	if !ok || !c.svc.canSeeProject(c.user, repository.project) {
		return notFound("")
	}
	if !c.svc.canReadRegistry(c.user, repository.project) {
		return forbidden("")
	}
	shown := registryShown{tags: c.bool("tags", false), count: c.bool("tags_count", false), size: c.bool("size", false)}
	if refusal := c.refusal(); refusal != nil {
		return refusal
	}
	return c.ok(shown.form(repository))
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
	return c.accepted(nil)
}

func listRegistryTags(c *call) *reply {
	repository, refusal := c.registryRepository()
	if refusal != nil {
		return refusal
	}
	tags := repository.byName()
	if c.wantsKeyset() {
		return tokenPage(c, tags, func(t *registryTag) string { return t.name }, (*registryTag).summary)
	}
	return listOf(c, tags, (*registryTag).summary)
}

func getRegistryTag(c *call) *reply {
	repository, refusal := c.registryRepository()
	if refusal != nil {
		return refusal
	}
	tag := repository.tags[c.pathText("tag_name")]
	if tag == nil {
		return notFound("Tag")
	}
	return c.ok(tag.detail())
}

func deleteRegistryTag(c *call) *reply {
	repository, refusal := c.registryRepository()
	if refusal != nil {
		return refusal
	}
	name := c.pathText("tag_name")
	if repository.tags[name] == nil {
		return notFound("Tag")
	}
	delete(repository.tags, name)
	return c.noContent()
}

// deleteRegistryTags schedules the removal of many tags, once an hour for each
// repository.
func deleteRegistryTags(c *call) *reply {
	repository, refusal := c.registryRepository()
	if refusal != nil {
		return refusal
	}
	rule := readBulkRule(c)
	if refusal := c.refusal(); refusal != nil {
		return refusal
	}
	if c.now().Before(repository.bulkFrom) {
		return message(http.StatusBadRequest,
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
	return c.accepted(nil)
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
