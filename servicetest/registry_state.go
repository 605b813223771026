package servicetest

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// registryState keeps the container registry of a service.
type registryState struct {
	repositories table[*RegistryRepository]
	bulkLimit    int                  // maximum number of tags that a call deletes; 0 means all
	tokens       map[string]time.Time // tokens of the registry, with their expiry
	pushes       int
}

// A RegistryRepository is a repository of container images. Make one with
// Project.RegistryRepository.
type RegistryRepository struct {
	svc       *Service
	project   *Project
	id        int64
	name      string
	createdAt time.Time
	cleanedAt time.Time // zero means never
	size      *int64
	deleted   bool
	tags      map[string]*registryTag
	bulkFrom  time.Time // when the next bulk deletion is allowed
}

// A registryTag is a tag and its image.
type registryTag struct {
	repository *RegistryRepository
	name       string
	createdAt  time.Time // when the manifest was created
	pushed     int       // order of pushes; later ones are larger
	size       int64
}

// A RegistryRepositoryOption sets a property of a repository of images.
// CreatedAt and ID are RegistryRepositoryOptions, too.
type RegistryRepositoryOption interface{ applyRegistryRepository(r *RegistryRepository) }

type registryRepositoryOption func(*RegistryRepository)

func (f registryRepositoryOption) applyRegistryRepository(r *RegistryRepository) { f(r) }

func (o IDOption) applyRegistryRepository(r *RegistryRepository)        { r.id = int64(o) }
func (o CreatedAtOption) applyRegistryRepository(r *RegistryRepository) { r.createdAt = time.Time(o) }

// CleanupStartedAt sets when the cleanup policy last began to delete tags of a
// repository. The default is null.
func CleanupStartedAt(at time.Time) RegistryRepositoryOption {
	return registryRepositoryOption(func(r *RegistryRepository) { r.cleanedAt = at })
}

// RegistrySize sets the total size of a repository's images in bytes. The default is
// null. Only the hosted offering returns a size.
func RegistrySize(bytes int64) RegistryRepositoryOption {
	return registryRepositoryOption(func(r *RegistryRepository) { r.size = &bytes })
}

// A RegistryTagOption sets a property of a tag of an image. CreatedAt is a
// RegistryTagOption, too.
type RegistryTagOption interface{ applyRegistryTag(t *registryTag) }

type registryTagOption func(*registryTag)

func (f registryTagOption) applyRegistryTag(t *registryTag) { f(t) }

func (o CreatedAtOption) applyRegistryTag(t *registryTag) { t.createdAt = time.Time(o) }

// ImageSize sets the size of a tag's image in bytes. The default is 10,000,000.
func ImageSize(bytes int64) RegistryTagOption {
	return registryTagOption(func(t *registryTag) { t.size = bytes })
}

// RegistryAccess sets who may use a project's container registry: "enabled" (the
// default), "private" or "disabled".
func RegistryAccess(level string) ProjectOption {
	return projectOption(func(p *Project) { p.registry = level })
}

// RegistryRepository makes a repository of images in the project. An empty name means
// the repository at the path of the project itself. If the repository exists, the
// options are applied to it.
func (p *Project) RegistryRepository(name string, opts ...RegistryRepositoryOption) *RegistryRepository {
	defer p.svc.lock()()
	r := &RegistryRepository{svc: p.svc, project: p, name: name, createdAt: p.svc.now(),
		tags: make(map[string]*registryTag)}
	repositories := &state[registryState](p.svc).repositories
	for _, r := range repositories.all(func(other *RegistryRepository) bool { return other.path() == r.path() }) {
		applyAgain(p.svc, &r.id, "a registry repository "+strconv.Quote(r.path()), func() {
			apply(r, opts, RegistryRepositoryOption.applyRegistryRepository)
		})
		return r
	}
	apply(r, opts, RegistryRepositoryOption.applyRegistryRepository)
	seed(p.svc, repositories, &r.id, r, "a registry repository")
	return r
}

// Push pushes a new image with a tag, and returns the repository. If the tag exists, it
// moves to the new image. CreatedAt sets the creation time of the image's manifest,
// which bulk deletions use.
func (r *RegistryRepository) Push(tag string, opts ...RegistryTagOption) *RegistryRepository {
	defer r.svc.lock()()
	registry := state[registryState](r.svc)
	registry.pushes++
	t := &registryTag{repository: r, name: tag, createdAt: r.svc.now(), pushed: registry.pushes, size: 10_000_000}
	apply(t, opts, RegistryTagOption.applyRegistryTag)
	r.tags[tag] = t
	return r
}

// ID returns the repository's ID.
func (r *RegistryRepository) ID() int64 { return r.id }

// Path returns the repository's full path, for example "acme/app/releases".
func (r *RegistryRepository) Path() string { return locked(r.svc, r.path) }

// Tags returns the names of the tags in alphabetical order.
func (r *RegistryRepository) Tags() []string {
	defer r.svc.lock()()
	return slices.Sorted(maps.Keys(r.tags))
}

// Exists reports whether the repository exists, that is, has not been deleted.
// The service deletes it RegistryDeletionDelay after the call.
func (r *RegistryRepository) Exists() bool { return locked(r.svc, func() bool { return !r.deleted }) }

// RegistryAccess returns who may use the project's container registry:
// "enabled", "private" or "disabled".
func (p *Project) RegistryAccess() string { return read(p.svc, &p.registry) }

// SetMaxBulkTagDeletion limits how many tags a bulk deletion deletes, oldest first, as
// the hosted offering does. 0, the default, means no limit.
func (s *Service) SetMaxBulkTagDeletion(tags int) {
	defer s.lock()()
	state[registryState](s).bulkLimit = tags
}

func (r *RegistryRepository) path() string {
	return strings.TrimSuffix(r.project.fullPath()+"/"+r.name, "/")
}

// location returns the name of the repository for programs that pull images: the
// registry's host and the path, without a scheme.
func (r *RegistryRepository) location() string { return r.svc.host() + "/" + r.path() }

// registryShown says which optional members of a repository to return.
type registryShown struct{ tags, count, size bool }

func (s registryShown) form(r *RegistryRepository) *collection.Form {
	form := inOrder("id", r.id, "name", r.name, "path", r.path(), "project_id", r.project.id,
		"location", r.location(), "created_at", jsonTime(r.createdAt),
		"cleanup_policy_started_at", jsonTime(r.cleanedAt))
	if s.size && r.size != nil {
		form.Add("size", r.size)
	}
	if s.count {
		form.Add("tags_count", len(r.tags))
	}
	if s.tags {
		form.Add("tags", mapped(r.byName(), (*registryTag).summary))
	}
	return form
}

func (t *registryTag) summary() *collection.Form {
	return inOrder("name", t.name, "path", t.repository.path()+":"+t.name,
		"location", t.repository.location()+":"+t.name)
}

func (t *registryTag) detail() *collection.Form {
	revision := frame.SHA256Hex(t.repository.path(), t.name, t.createdAt.Format(time.RFC3339Nano))
	form := t.summary()
	form.Add("revision", revision)
	form.Add("short_revision", revision[:9])
	form.Add("digest", "sha256:"+frame.SHA256Hex(revision, "manifest"))
	form.Add("created_at", jsonTime(t.createdAt))
	form.Add("total_size", t.size)
	return form
}

// registryCatalog returns the paths of all repositories in alphabetical order.
func (s *Service) registryCatalog() []string {
	paths := mapped(state[registryState](s).repositories.all(nil), (*RegistryRepository).path)
	slices.Sort(paths)
	return paths
}
