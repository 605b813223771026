package servicetest

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
)

// RegistryDeletionDelay is the time between a call that deletes a repository or many
// tags and the deletion, by the service's clock.
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
	repository, ok := state[registryState](c.svc).repositories.get(c.PathInt64("repository_id"))
	if !ok || repository.project != project {
		return nil, frame.NotFound("")
	}
	return repository, nil
}

func listRegistryRepositories(c *call, project *Project) *reply {
	shown := registryShown{tags: c.Bool("tags"), count: c.Bool("tags_count")}
	found := state[registryState](c.svc).repositories.all(func(r *RegistryRepository) bool {
		return r.project == project
	})
	return frame.ListOf(c, found, shown.form)
}

// purgeDependencyProxy has nothing to delete: no image is cached.
func purgeDependencyProxy(c *call, _ *Group) *reply { return c.Accepted(http.StatusAccepted) }

// listGroupRegistryRepositories lists the repositories of all projects below
// the group whose registry the caller may read.
func listGroupRegistryRepositories(c *call, group *Group) *reply {
	found := state[registryState](c.svc).repositories.all(func(r *RegistryRepository) bool {
		return r.project.within(group) && c.svc.canSeeProject(c.user, r.project) &&
			c.svc.canReadRegistry(c.user, r.project)
	})
	return frame.ListOf(c, found, registryShown{}.form)
}

func getRegistryRepository(c *call) *reply {
	repository, ok := state[registryState](c.svc).repositories.get(c.PathInt64("id"))
	if !ok || !c.svc.canSeeProject(c.user, repository.project) {
		return frame.NotFound("")
	}
	if !c.svc.canReadRegistry(c.user, repository.project) {
		return frame.Forbidden("")
	}
	shown := registryShown{tags: c.Bool("tags"), count: c.Bool("tags_count"), size: c.Bool("size")}
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	return c.OK(shown.form(repository))
}

func deleteRegistryRepository(c *call, repository *RegistryRepository) *reply {
	if repositoryRuleKind.forbids(repository.project, c.user, "", repository.path(), toDelete) {
		return frame.Forbidden("Deleting protected container repository forbidden.")
	}
	svc := c.svc
	svc.later(RegistryDeletionDelay, func() {
		state[registryState](svc).repositories.remove(repository.id)
		repository.deleted = true
	})
	return c.Accepted(nil)
}

func listRegistryTags(c *call, repository *RegistryRepository) *reply {
	tags := repository.byName()
	if c.WantsKeyset() {
		return tokenPage(c, tags, func(t *registryTag) string { return t.name }, (*registryTag).summary)
	}
	return frame.ListOf(c, tags, (*registryTag).summary)
}

func getRegistryTag(c *call, repository *RegistryRepository) *reply {
	tag := repository.tags[c.PathString("tag_name")]
	if tag == nil {
		return frame.NotFound("Tag")
	}
	return c.OK(tag.detail())
}

func deleteRegistryTag(c *call, repository *RegistryRepository) *reply {
	name := c.PathString("tag_name")
	switch tag := repository.tags[name]; {
	case tag == nil:
		return frame.NotFound("Tag")
	case !tag.mayBeDeleted(c.user):
		return frame.Forbidden("")
	}
	delete(repository.tags, name)
	return c.NoContent()
}

// deleteRegistryTags schedules the removal of many tags, once an hour for each
// repository.
func deleteRegistryTags(c *call, repository *RegistryRepository) *reply {
	rule := readBulkRule(c)
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if c.now().Before(repository.bulkFrom) {
		return frame.Message(http.StatusBadRequest,
			"This request has already been made. You can run this at most once an hour "+
				"for a given container repository")
	}
	repository.bulkFrom = c.now().Add(time.Hour)
	svc, user := c.svc, c.user
	svc.later(RegistryDeletionDelay, func() {
		for _, tag := range rule.choose(repository, state[registryState](svc).bulkLimit) {
			if tag.mayBeDeleted(user) {
				delete(repository.tags, tag.name)
			}
		}
	})
	return c.Accepted(nil)
}

// byName returns the tags of a repository in alphabetical order.
func (r *RegistryRepository) byName() []*registryTag {
	return r.sorted(func(a, b *registryTag) int { return cmp.Compare(a.name, b.name) })
}

func (r *RegistryRepository) sorted(order func(a, b *registryTag) int) []*registryTag {
	return slices.SortedFunc(maps.Values(r.tags), order)
}

// A bulkRule says which tags of a repository to delete.
type bulkRule struct {
	remove, keep *regexp.Regexp // keep is nil if no tag is kept by name
	keepN        int64
	before       time.Time // zero means any age
}

// readBulkRule reads the parameters of a bulk deletion. Expressions have the
// syntax of RE2 and match whole names.
func readBulkRule(c *call) bulkRule {
	rule := bulkRule{
		remove: wholeName(c, "name_regex_delete"),
		keep:   wholeName(c, "name_regex_keep"),
		keepN:  c.Int64("keep_n"),
	}
	if old := wholeName(c, "name_regex"); rule.remove == nil {
		rule.remove = old
	}
	if c.String("name_regex_delete") == "" && c.String("name_regex") == "" {
		c.Require("name_regex_delete")
	}
	if rule.keepN < 0 {
		c.Problem("keep_n is invalid")
	}
	if text := c.String("older_than"); text != "" {
		span, ok := parseSpan(text)
		if !ok {
			c.Problem("older_than is invalid")
		}
		rule.before = c.now().Add(-span)
	}
	return rule
}

// wholeName returns the expression of a parameter, or nil if it is absent.
func wholeName(c *call, name string) *regexp.Regexp {
	text := c.String(name)
	if text == "" {
		return nil
	}
	// Compile it on its own first, so that a parenthesis cannot close the group below.
	if _, err := regexp.Compile(text); err != nil {
		c.Problem(name + " is an invalid regexp")
		return nil
	}
	return regexp.MustCompile(`\A(?:` + text + `)\z`)
}

// choose returns the tags to delete, at most limit of them if limit is not 0. It never
// chooses the tag latest. Of the tags that match by name, it keeps the newest keepN, by
// the creation time of their manifests. Of the rest, it keeps those that are not old
// enough.
func (b bulkRule) choose(r *RegistryRepository, limit int) []*registryTag {
	newestFirst := func(x, y *registryTag) int {
		return cmp.Or(y.createdAt.Compare(x.createdAt), cmp.Compare(y.pushed, x.pushed))
	}
	var chosen []*registryTag
	kept := int64(0)
	for _, tag := range r.sorted(newestFirst) {
		switch {
		case !b.matches(tag.name):
		case kept < b.keepN:
			kept++
		case !b.before.IsZero() && !tag.createdAt.Before(b.before):
		default:
			chosen = append(chosen, tag)
		}
	}
	if limit > 0 && len(chosen) > limit {
		chosen = chosen[len(chosen)-limit:] // keep the oldest
	}
	return chosen
}

func (b bulkRule) matches(name string) bool {
	return name != "latest" && b.remove.MatchString(name) && (b.keep == nil || !b.keep.MatchString(name))
}

const (
	oneDay = 24 * time.Hour
	// maxSpan makes sure that sums of spans fit into a time.Duration.
	maxSpan = 100 * 365 * oneDay
)

// spanUnits are the units of a span. A month has 30 days, a year 365.
var spanUnits = map[string]time.Duration{
	"s": time.Second, "sec": time.Second, "second": time.Second,
	"m": time.Minute, "min": time.Minute, "minute": time.Minute,
	"h": time.Hour, "hr": time.Hour, "hour": time.Hour,
	"d": oneDay, "day": oneDay,
	"w": 7 * oneDay, "week": 7 * oneDay,
	"mo": 30 * oneDay, "mon": 30 * oneDay, "month": 30 * oneDay,
	"y": 365 * oneDay, "yr": 365 * oneDay, "year": 365 * oneDay,
}

var spanPart = regexp.MustCompile(`^(\d{1,9})\s*([a-z]+)[\s,]*`)

// parseSpan parses a human-readable span: "1h", "7d", "1month", "2 weeks", "1h
// 30m".
func parseSpan(text string) (time.Duration, bool) {
	text = strings.ToLower(strings.TrimSpace(text))
	total := time.Duration(0)
	for text != "" {
		part := spanPart.FindStringSubmatch(text)
		if part == nil {
			return 0, false
		}
		unit := cmp.Or(spanUnits[part[2]], spanUnits[strings.TrimSuffix(part[2], "s")])
		n, err := strconv.ParseInt(part[1], 10, 64)
		if unit == 0 || err != nil || n > int64(maxSpan/unit) {
			return 0, false
		}
		if total += time.Duration(n) * unit; total > maxSpan {
			return 0, false
		}
		text = text[len(part[0]):]
	}
	return total, total > 0
}

// RegistryTokenLifetime is the lifetime of a token of the registry, by the service's
// clock.
const RegistryTokenLifetime = 5 * time.Minute

const (
	defaultCatalogPage = 100
	maxCatalogPage     = 1000
)

// registryLogin returns the user of basic authentication. The password is the user's
// own or a personal access token. With a token, any username works.
func (c *call) registryLogin() *User {
	username, password, given := c.Request.BasicAuth()
	if !given || username == "" || password == "" {
		return nil
	}
	user := c.svc.findUser(username)
	if tok := c.svc.tokenOf(password, personal); tok != nil {
		if !c.usable(tok) || !slices.Contains(tok.scopes, "api") && !slices.Contains(tok.scopes, "read_registry") {
			return nil
		}
		user = tok.user
	} else if user == nil || user.password != password {
		return nil
	}
	if user.barred() != "" {
		return nil
	}
	return user
}

// issueRegistryToken issues a token for the catalog to an administrator who
// uses basic authentication: registry-1, registry-2 and so on.
func issueRegistryToken(c *call) *reply {
	user := c.registryLogin()
	if user == nil {
		return frame.Unauthorized().Set("Www-Authenticate", `Basic realm="service"`)
	}
	if !user.admin {
		return frame.Forbidden("")
	}
	c.Require("service", "scope")
	frame.AcceptIn(c.StringIn, "service", "container_registry")
	frame.AcceptIn(c.StringIn, "scope", "registry:catalog:*")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	registry := state[registryState](c.svc)
	token := fmt.Sprintf("registry-%d", len(registry.tokens)+1)
	put(&registry.tokens, token, c.now().Add(RegistryTokenLifetime))
	return c.OK(object{"token": token})
}

// listRegistryCatalog responds as the distribution API does, with its own error bodies
// and pages.
func listRegistryCatalog(c *call) *reply {
	secret, _ := strings.CutPrefix(c.Request.Header.Get("Authorization"), "Bearer ")
	if !c.now().Before(state[registryState](c.svc).tokens[secret]) {
		return registryError(http.StatusUnauthorized, "UNAUTHORIZED", "authentication required").
			Set("Www-Authenticate", fmt.Sprintf(`Bearer realm="%s/jwt/auth",service="container_registry",`+
				`scope="registry:catalog:*"`, c.svc.URL()))
	}
	n := defaultCatalogPage
	if text := c.Query.Get("n"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil || n < 1 || n > maxCatalogPage {
			return registryError(http.StatusBadRequest, "PAGINATION_NUMBER_INVALID",
				"invalid number of results requested")
		}
	}
	names := c.svc.registryCatalog()
	start, found := slices.BinarySearch(names, c.Query.Get("last"))
	if found {
		start++
	}
	names = names[start:]
	if len(names) <= n {
		return c.OK(object{"repositories": append([]string{}, names...)})
	}
	names = names[:n]
	next := url.Values{"last": {names[n-1]}, "n": {strconv.Itoa(n)}}
	return c.OK(object{"repositories": names}).Set("Link", "<"+c.Request.URL.EscapedPath()+"?"+next.Encode()+
		`>; rel="next"`)
}

func registryError(status int, code, text string) *reply {
	return frame.JSONReply(status, object{"errors": []object{{"code": code, "message": text}}})
}
