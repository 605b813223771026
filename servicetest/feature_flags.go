package servicetest

import (
	"cmp"
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// maxFlags is the maximum number of feature flags in a project.
const maxFlags = 200

// A featureFlag is a feature flag of a project. Nothing here asks for whom it is on.
type featureFlag struct {
	project              *Project
	id                   int64 // only for the order
	name, description    string
	active               bool
	createdAt, changedAt time.Time
	strategies           []*flagStrategy
	problem              *reply // what is wrong with the strategies of a draft
}

// A flagStrategy says for whom a flag is on.
type flagStrategy struct {
	ID         int64             `json:"id"`
	Name       string            `json:"name"`
	Parameters map[string]string `json:"parameters"`
	Scopes     []flagScope       `json:"scopes"`
	UserList   *collection.Form  `json:"user_list"`
	list       *flagUserList
}

type flagScope struct {
	ID          int64  `json:"id"`
	Environment string `json:"environment_scope"`
}

// A flagUserList is a list of users that strategies name.
type flagUserList struct {
	project              *Project
	id, iid              int64
	name, users          string
	createdAt, changedAt time.Time
}

// flagState keeps the feature flags and the lists of users of a service.
type flagState struct {
	flags              table[*featureFlag]
	lists              table[*flagUserList]
	strategies, scopes int64              // IDs given
	numbers            map[*Project]int64 // IIDs given to lists
}

var featureFlags = collection.Table[*call, *Project, featureFlag]{
	Param: "feature_flag_name", Key: func(f *featureFlag) string { return f.name },
	Home:    (*call).projectOfFlags,
	Records: func(_ *call, p *Project) []*featureFlag { return p.flags() },
	Filters: []collection.Filter[featureFlag]{
		collection.Equal("scope", func(f *featureFlag) string {
			if f.active {
				return "enabled"
			}
			return "disabled"
		}, "enabled", "disabled"),
	},
	Fields: []collection.Field[featureFlag]{
		collection.Text("name", func(f *featureFlag) *string { return &f.name }).Required().Max(63).Unique().
			Match(flagName, "can contain only lowercase letters, digits, '_' and '-'. "+
				"Must start with a letter, and cannot end with '-' or '_'"),
		collection.Note("description", func(f *featureFlag) *string { return &f.description }).Max(255),
		collection.Flag("active", func(f *featureFlag) *bool { return &f.active }),
		collection.Shown("version", func(*featureFlag) string { return "new_version_flag" }),
		collection.Moment("created_at", func(f *featureFlag) *time.Time { return &f.createdAt }).ReadOnly(),
		collection.Moment("updated_at", func(f *featureFlag) *time.Time { return &f.changedAt }).ReadOnly(),
		collection.Shown("scopes", func(*featureFlag) []int { return []int{} }),
		collection.Shown("strategies", (*featureFlag).shownStrategies),
	},
	New: func(c *call, p *Project) *featureFlag {
		return &featureFlag{project: p, active: true, createdAt: c.now(), changedAt: c.now()}
	},
	Read: func(c *call, _ *Project, draft *featureFlag, making bool) {
		draft.readStrategies(c.Fields)
		if version := c.String("version"); making && version != "" && version != "new_version_flag" {
			draft.problem = frame.Message(http.StatusBadRequest, "Version is invalid")
		}
	},
	Check:  (*call).checkFlag,
	Refuse: refuseFlagField,
	Add:    func(c *call, _ *Project, f *featureFlag) { f.id, _ = state[flagState](c.svc).flags.add(0, f) },
	Remove: func(c *call, _ *Project, f *featureFlag) { state[flagState](c.svc).flags.remove(f.id) },
}

// projectOfFlags refuses projects without feature flags or a repository.
func (c *call) projectOfFlags() (*Project, *reply) {
	p, refusal := c.project()
	if refusal == nil && (!p.has("feature_flags") || !p.has("repository")) {
		return nil, frame.Forbidden("")
	}
	return p, refusal
}

// flags returns the feature flags of the project by name.
func (p *Project) flags() []*featureFlag {
	found := state[flagState](p.svc).flags.all(func(f *featureFlag) bool { return f.project == p })
	slices.SortFunc(found, func(a, b *featureFlag) int { return cmp.Compare(a.name, b.name) })
	return found
}

// deleteFlag responds with the flag.
func deleteFlag(c *call, p *Project, f *featureFlag) *reply {
	featureFlags.Remove(c, p, f)
	return c.OK(featureFlags.Form(c, p, f))
}

// refusedFlag refuses with a list of sentences.
func refusedFlag(problems ...string) *reply {
	return frame.JSONReply(http.StatusBadRequest, object{"message": problems})
}

var flagName = regexp.MustCompile(`^[a-z]([a-z0-9_-]*[a-z0-9])$`)

// refuseFlagField is refusedFlag for a field of a table.
func refuseFlagField(field, problem string) *reply {
	return refusedFlag(frame.Sentence(field, problem))
}

func (c *call) checkFlag(p *Project, draft, before *featureFlag) *reply {
	switch {
	case draft.problem != nil:
		return draft.problem
	case before == nil && len(p.flags()) >= maxFlags:
		return refusedFlag("Maximum number of project feature flags (200) exceeded")
	}
	draft.number()
	draft.changedAt = c.now()
	return nil
}

// number gives new strategies and scopes their IDs.
func (f *featureFlag) number() {
	all := state[flagState](f.project.svc)
	for _, s := range f.strategies {
		if s.ID == 0 {
			all.strategies++
			s.ID = all.strategies
		}
		for i := range s.Scopes {
			if s.Scopes[i].ID == 0 {
				all.scopes++
				s.Scopes[i].ID = all.scopes
			}
		}
	}
}

// shownStrategies returns the strategies with their lists of users as they are now.
func (f *featureFlag) shownStrategies() []*flagStrategy {
	for _, s := range f.strategies {
		if s.UserList = nil; s.list != nil {
			s.UserList = collection.Show(flagUserListFields[:4], s.list)
		}
	}
	return append([]*flagStrategy{}, f.strategies...)
}

// readStrategies adds, changes and removes strategies of a draft. It works on copies.
func (f *featureFlag) readStrategies(given fields) {
	before := f.strategies
	f.strategies, f.problem = nil, nil
	for _, s := range before {
		own := *s
		own.Scopes = slices.Clone(s.Scopes)
		f.strategies = append(f.strategies, &own)
	}
	for _, item := range given.Subs("strategies") {
		id := item.Int64("id")
		at := slices.IndexFunc(f.strategies, func(s *flagStrategy) bool { return s.ID == id && id != 0 })
		switch destroy := item.Bool("_destroy"); {
		case at < 0 && item.Has("id"):
			f.refuse(frame.NotFound(""))
		case destroy && at >= 0:
			f.strategies = slices.Delete(f.strategies, at, at+1)
		case at < 0:
			item.Require("name")
			f.strategies = append(f.strategies, &flagStrategy{Scopes: []flagScope{}})
			f.readStrategy(item, f.strategies[len(f.strategies)-1])
		default:
			f.readStrategy(item, f.strategies[at])
		}
	}
}

// refuse keeps the first problem.
func (f *featureFlag) refuse(problem *reply) {
	if f.problem == nil {
		f.problem = problem
	}
}

func (f *featureFlag) readStrategy(item fields, s *flagStrategy) {
	s.Name = either(item.String("name"), s.Name)
	if item.Has("parameters") {
		s.Parameters = flagParameters(item.Values["parameters"])
	}
	if item.Has("user_list_id") {
		list, exists := state[flagState](f.project.svc).lists.get(item.Int64("user_list_id"))
		if !exists {
			f.refuse(frame.NotFound(""))
		}
		s.list = list
	}
	s.readScopes(item)
	if problem := s.wrong(f.project); problem != "" {
		f.refuse(refusedFlag("Strategies " + problem))
	}
}

func (s *flagStrategy) readScopes(given fields) {
	for _, item := range given.Subs("scopes") {
		id, environment := item.Int64("id"), item.String("environment_scope")
		at := slices.IndexFunc(s.Scopes, func(scope flagScope) bool { return scope.ID == id && id != 0 })
		switch destroy := item.Bool("_destroy"); {
		case destroy && at >= 0:
			s.Scopes = slices.Delete(s.Scopes, at, at+1)
		case at >= 0:
			s.Scopes[at].Environment = either(environment, s.Scopes[at].Environment)
		default:
			item.Require("environment_scope")
			s.Scopes = append(s.Scopes, flagScope{Environment: environment})
		}
	}
}

// flagParameters reads an object, or its JSON. It is nil for anything else. A value that is
// no string becomes an empty one, which no parameter may have.
func flagParameters(given any) map[string]string {
	if text, isText := given.(string); isText {
		if json.Unmarshal([]byte(text), &given) != nil {
			return nil
		}
	}
	members, isObject := given.(map[string]any)
	if !isObject {
		return nil
	}
	parameters := make(map[string]string, len(members))
	for name, value := range members {
		parameters[name], _ = value.(string)
	}
	return parameters
}

// parametersOf lists the parameters of strategies, which must all be there.
var parametersOf = map[string][]string{
	"default": {}, "gradualRolloutUserId": {"groupId", "percentage"}, "userWithId": {"userIds"},
	"flexibleRollout": {"groupId", "rollout", "stickiness"}, "serviceUserList": {},
}

var flagGroup = regexp.MustCompile(`^[a-z]{1,32}$`)

// wrong says what is wrong with a strategy, or returns "".
func (s *flagStrategy) wrong(p *Project) string {
	wanted, known := parametersOf[s.Name]
	if !known {
		return "name strategy name is invalid"
	}
	if s.Parameters == nil || len(s.Parameters) != len(wanted) {
		return "parameters parameters are invalid"
	}
	for _, name := range wanted {
		value, given := s.Parameters[name]
		if !given {
			return "parameters parameters are invalid"
		}
		if problem := wrongParameter(name, value); problem != "" {
			return "parameters " + problem
		}
	}
	seen := map[string]bool{}
	for _, scope := range s.Scopes {
		if seen[scope.Environment] {
			return "scopes environment scope has already been taken"
		}
		seen[scope.Environment] = true
	}
	switch named := s.Name == "serviceUserList"; {
	case named && s.list == nil:
		return "user list can't be blank"
	case named && s.list.project != p:
		return "user list must belong to the same project"
	case !named:
		s.list = nil
	}
	return ""
}

func wrongParameter(name, value string) string {
	switch name {
	case "percentage", "rollout":
		n, _ := strconv.Atoi(value)
		if n < 0 || n > 100 || value != strconv.Itoa(n) {
			return name + " must be a string between 0 and 100 inclusive"
		}
	case "stickiness":
		if !slices.Contains([]string{"default", "userId", "sessionId", "random"}, value) {
			return "stickiness parameter must be default, userId, sessionId, or random"
		}
	case "groupId":
		if !flagGroup.MatchString(value) {
			return "groupId parameter is invalid"
		}
	case "userIds":
		if wrongUsers(value) {
			return "userIds must be a string of unique comma separated values each 256 characters or less"
		}
	}
	return ""
}

// wrongUsers reports whether a list of users has a blank, a long or a repeated one.
func wrongUsers(list string) bool {
	seen := map[string]bool{}
	for user := range strings.SplitSeq(list, ",") {
		user = strings.TrimSpace(user)
		if user == "" || seen[user] || utf8.RuneCountInString(user) > 256 {
			return true
		}
		seen[user] = true
	}
	return false
}

var flagUserListFields = []collection.Field[flagUserList]{
	collection.Shown("id", func(l *flagUserList) int64 { return l.id }),
	collection.Shown("iid", func(l *flagUserList) int64 { return l.iid }),
	collection.Text("name", func(l *flagUserList) *string { return &l.name }).Max(255).Unique(),
	collection.Text("user_xids", func(l *flagUserList) *string { return &l.users }),
	collection.Shown("project_id", func(l *flagUserList) int64 { return l.project.id }),
	collection.Moment("created_at", func(l *flagUserList) *time.Time { return &l.createdAt }).ReadOnly(),
	collection.Moment("updated_at", func(l *flagUserList) *time.Time { return &l.changedAt }).ReadOnly(),
	collection.Shown("path", (*flagUserList).path),
	collection.Shown("edit_path", func(l *flagUserList) string { return l.path() + "/edit" }),
}

func (l *flagUserList) path() string {
	return "/" + l.project.fullPath() + "/-/feature_flags_user_lists/" + frame.Itoa(l.iid)
}

var flagUserLists = collection.Table[*call, *Project, flagUserList]{
	Param: "iid", ID: func(l *flagUserList) int64 { return l.iid },
	Home:    (*call).projectOfFlags,
	Records: func(_ *call, p *Project) []*flagUserList { return p.userLists() },
	Filters: []collection.Filter[flagUserList]{
		collection.Search("search", func(l *flagUserList) string { return l.name }),
	},
	Fields: flagUserListFields,
	New: func(c *call, p *Project) *flagUserList {
		return &flagUserList{project: p, createdAt: c.now(), changedAt: c.now()}
	},
	Check:  (*call).checkUserList,
	Refuse: refuseFlagField,
	Add: func(c *call, p *Project, l *flagUserList) {
		all := state[flagState](c.svc)
		l.iid = nextIID(&all.numbers, p)
		l.id, _ = all.lists.add(0, l)
	},
	Remove: func(c *call, _ *Project, l *flagUserList) { state[flagState](c.svc).lists.remove(l.id) },
}

func (p *Project) userLists() []*flagUserList {
	return state[flagState](p.svc).lists.all(func(l *flagUserList) bool { return l.project == p })
}

func (c *call) checkUserList(p *Project, draft, before *flagUserList) *reply {
	for _, name := range []string{"name", "user_xids"} {
		if before == nil && !c.Has(name) {
			return frame.Message(http.StatusBadRequest, name+" is missing")
		}
	}
	switch {
	case strings.TrimSpace(draft.name) == "":
		return refusedFlag("Name can't be blank")
	case wrongUsers(draft.users):
		return refusedFlag("User xids must be a string of unique comma separated values each 256 characters or less")
	}
	if before != nil && *draft != *before {
		draft.changedAt = c.now()
	}
	return nil
}

// deleteUserList refuses to delete a list that a strategy names.
func deleteUserList(c *call, p *Project, l *flagUserList) *reply {
	names := func(s *flagStrategy) bool { return s.list == l }
	for _, f := range p.flags() {
		if slices.ContainsFunc(f.strategies, names) {
			return frame.JSONReply(http.StatusConflict,
				object{"message": []string{"User list is associated with a strategy"}})
		}
	}
	flagUserLists.Remove(c, p, l)
	return c.NoContent()
}
