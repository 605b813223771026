package servicetest

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// maxFlags is the maximum number of feature flags in a project.
const maxFlags = 200

// A featureFlag is a feature flag of a project. Nothing here asks for whom it is on.
type featureFlag struct {
	record[*Project]

	name, description string
	active            bool
	strategies        []*flagStrategy
	problem           *reply // what is wrong with the strategies of a draft
}

// A flagStrategy says for whom a flag is on.
type flagStrategy struct {
	ID         int64             `json:"id"`
	Name       string            `json:"name"`
	Parameters map[string]string `json:"parameters"`
	Scopes     []*flagScope      `json:"scopes"`
	UserList   *flagUserList     `json:"user_list"`
}

type flagScope struct {
	ID          int64  `json:"id"`
	Environment string `json:"environment_scope"`
}

// A flagUserList is a list of users that strategies name.
type flagUserList struct {
	record[*Project]

	iid         int64
	name, users string
}

// flagNumbers are the last IDs and IIDs of what belongs to flags.
type flagNumbers struct {
	strategies, scopes int64
	lists              map[*Project]int64
}

// projectOfFlags refuses projects without feature flags or a repository.
var projectOfFlags = unless((*call).project, forbidden, func(_ *call, p *Project) bool {
	return !p.has("feature_flags") || !p.has("repository")
})

var featureFlags = shelved(collection.Table[*call, *Project, featureFlag]{
	Param: "feature_flag_name", Key: func(f *featureFlag) string { return f.name },
	Home:    projectOfFlags,
	Records: func(_ *call, p *Project) []*featureFlag { return p.flags() },
	Filters: []collection.Filter[featureFlag]{collection.Equal("scope", func(f *featureFlag) string {
		return map[bool]string{true: "enabled", false: "disabled"}[f.active]
	}, "enabled", "disabled")},
	Fields: []collection.Field[featureFlag]{
		collection.Text("name", func(f *featureFlag) *string { return &f.name }).Required().Max(63).Unique().
			Match(flagName, "can contain only lowercase letters, digits, '_' and '-'. "+
				"Must start with a letter, and cannot end with '-' or '_'"),
		collection.Note("description", func(f *featureFlag) *string { return &f.description }).Max(255),
		collection.Flag("active", func(f *featureFlag) *bool { return &f.active }),
		collection.Shown("version", func(*featureFlag) string { return "new_version_flag" }),
		collection.Shown("created_at", func(f *featureFlag) jsonTime { return jsonTime(f.createdAt) }),
		collection.Shown("updated_at", func(f *featureFlag) jsonTime { return jsonTime(f.updatedAt) }),
		collection.Shown("scopes", func(*featureFlag) []int { return []int{} }),
		collection.Shown("strategies", func(f *featureFlag) []*flagStrategy { return f.strategies }),
	},
	New: func(*call, *Project) *featureFlag { return &featureFlag{active: true} },
	Read: func(c *call, p *Project, draft *featureFlag, making bool) {
		draft.problem = nil
		draft.strategies = editList(draft.strategies, c.Subs("strategies"),
			func(s *flagStrategy) int64 { return s.ID },
			func(item fields, s *flagStrategy) { draft.readStrategy(p, item, s) })
		if version := c.String("version"); making && version != "" && version != "new_version_flag" {
			draft.problem = frame.Message(http.StatusBadRequest, "Version is invalid")
		}
	},
	Check:  (*call).checkFlag,
	Refuse: refuseFlagField,
})

// flags returns the feature flags of the project by name.
func (p *Project) flags() []*featureFlag {
	all := slices.Values(recordsOf[featureFlag](p.svc, p))
	return slices.SortedFunc(all, func(a, b *featureFlag) int { return cmp.Compare(a.name, b.name) })
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
	last := state[flagNumbers](c.svc)
	for _, s := range draft.strategies {
		numberNew(&s.ID, &last.strategies)
		for _, scope := range s.Scopes {
			numberNew(&scope.ID, &last.scopes)
		}
	}
	return nil
}

// numberNew gives a new record the next ID.
func numberNew(id, last *int64) {
	if *id == 0 {
		*last++
		*id = *last
	}
}

// editList returns a list of copies after the changes of a call. An item with the ID of a record changes it,
// or removes it by _destroy. Any other item is a new record, whose ID is still 0.
func editList[T any](records []*T, items []fields, id func(*T) int64, read func(item fields, record *T)) []*T {
	records = mapped(records, func(record *T) *T { return new(*record) })
	for _, item := range items {
		wanted, destroy := item.Int64("id"), item.Bool("_destroy")
		record := one(records, func(record *T) bool { return id(record) == wanted && wanted != 0 })
		switch {
		case record != nil && destroy:
			records = without(records, record)
			continue
		case record == nil:
			record = new(T)
			records = append(records, record)
		}
		read(item, record)
	}
	return records
}

// readStrategy reads a strategy of a draft. The draft keeps the first problem.
func (f *featureFlag) readStrategy(p *Project, item fields, s *flagStrategy) {
	if s.ID == 0 && item.Has("id") {
		f.problem = cmp.Or(f.problem, frame.NotFound(""))
	} else if s.ID == 0 {
		item.Require("name")
	}
	s.Name = either(item.String("name"), s.Name)
	if item.Has("parameters") {
		s.Parameters = flagParameters(item.Values["parameters"])
	}
	if item.Has("user_list_id") {
		id := item.Int64("user_list_id")
		s.UserList = state[shelf[*Project, flagUserList]](p.svc).find(func(l *flagUserList) bool { return l.id == id })
		if s.UserList == nil {
			f.problem = cmp.Or(f.problem, frame.NotFound(""))
		}
	}
	s.Scopes = editList(s.Scopes, item.Subs("scopes"), func(s *flagScope) int64 { return s.ID }, readFlagScope)
	if problem := s.wrong(p); problem != "" {
		f.problem = cmp.Or(f.problem, refusedFlag("Strategies "+problem))
	}
}

func readFlagScope(item fields, scope *flagScope) {
	if scope.ID == 0 {
		item.Require("environment_scope")
	}
	scope.Environment = either(item.String("environment_scope"), scope.Environment)
}

// flagParameters reads an object, or its JSON. It is nil for anything else. A value that is
// no string becomes an empty one, which no parameter may have.
func flagParameters(given any) map[string]string {
	if text, isText := given.(string); isText {
		_ = json.Unmarshal([]byte(text), &given) // otherwise it stays a text
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

var isPercentage = regexp.MustCompile(`^(\d|[1-9]\d|100)$`).MatchString

// flagParameterRules say which values a parameter takes, and what is wrong with others.
var flagParameterRules = map[string]struct {
	takes   func(value string) bool
	problem string
}{
	"percentage": {isPercentage, "must be a string between 0 and 100 inclusive"},
	"rollout":    {isPercentage, "must be a string between 0 and 100 inclusive"},
	"stickiness": {regexp.MustCompile(`^(default|userId|sessionId|random)$`).MatchString,
		"parameter must be default, userId, sessionId, or random"},
	"groupId": {regexp.MustCompile(`^[a-z]{1,32}$`).MatchString, "parameter is invalid"},
	"userIds": {isUserList, userListProblem},
}

// wrong says what is wrong with a strategy, or returns "".
func (s *flagStrategy) wrong(p *Project) string {
	wanted, known := parametersOf[s.Name]
	if !known {
		return "name strategy name is invalid"
	}
	if s.Parameters == nil || !slices.Equal(slices.Sorted(maps.Keys(s.Parameters)), wanted) {
		return "parameters parameters are invalid"
	}
	for _, name := range wanted {
		if rule := flagParameterRules[name]; !rule.takes(s.Parameters[name]) {
			return "parameters " + name + " " + rule.problem
		}
	}
	environments := slices.Sorted(slices.Values(mapped(s.Scopes, func(o *flagScope) string { return o.Environment })))
	switch named := s.Name == "serviceUserList"; {
	case len(slices.Compact(environments)) < len(s.Scopes):
		return "scopes environment scope has already been taken"
	case named && s.UserList == nil:
		return "user list can't be blank"
	case named && s.UserList.home != p:
		return "user list must belong to the same project"
	case !named:
		s.UserList = nil
	}
	return ""
}

const userListProblem = "must be a string of unique comma separated values each 256 characters or less"

// isUserList reports whether a list of users has no blank, long or repeated one.
func isUserList(list string) bool {
	seen := map[string]bool{}
	for user := range strings.SplitSeq(list, ",") {
		user = strings.TrimSpace(user)
		if user == "" || seen[user] || utf8.RuneCountInString(user) > 256 {
			return false
		}
		seen[user] = true
	}
	return true
}

var flagUserListFields = append(dated(
	collection.Shown("iid", func(l *flagUserList) int64 { return l.iid }),
	collection.Text("name", func(l *flagUserList) *string { return &l.name }).Max(255).Unique(),
	collection.Text("user_xids", func(l *flagUserList) *string { return &l.users }),
	collection.Shown("project_id", func(l *flagUserList) int64 { return l.home.id }),
), collection.Shown("path", (*flagUserList).path),
	collection.Shown("edit_path", func(l *flagUserList) string { return l.path() + "/edit" }))

func (l *flagUserList) path() string {
	return "/" + l.home.fullPath() + "/-/feature_flags_user_lists/" + frame.Itoa(l.iid)
}

// MarshalJSON returns what a strategy shows of its list.
func (l *flagUserList) MarshalJSON() ([]byte, error) {
	return collection.Show(flagUserListFields[:4], l).MarshalJSON()
}

var flagUserLists = shelved(collection.Table[*call, *Project, flagUserList]{
	Param: "iid", Key: func(l *flagUserList) string { return frame.Itoa(l.iid) },
	Home: projectOfFlags,
	Filters: []collection.Filter[flagUserList]{
		collection.Search("search", func(l *flagUserList) string { return l.name }),
	},
	Fields: flagUserListFields,
	Check:  (*call).checkUserList,
	Refuse: refuseFlagField,
	Add: func(c *call, p *Project, l *flagUserList) {
		l.iid = nextIID(&state[flagNumbers](c.svc).lists, p)
		shelve(c.svc, p, l)
	},
})

func (c *call) checkUserList(_ *Project, draft, before *flagUserList) *reply {
	for _, name := range []string{"name", "user_xids"} {
		if before == nil && !c.Has(name) {
			return frame.Message(http.StatusBadRequest, name+" is missing")
		}
	}
	switch {
	case strings.TrimSpace(draft.name) == "":
		return refusedFlag("Name can't be blank")
	case !isUserList(draft.users):
		return refusedFlag("User xids " + userListProblem)
	}
	return nil
}

// deleteUserList refuses to delete a list that a strategy names.
func deleteUserList(c *call, p *Project, l *flagUserList) *reply {
	names := func(s *flagStrategy) bool { return s.UserList == l }
	for _, f := range p.flags() {
		if slices.ContainsFunc(f.strategies, names) {
			return frame.JSONReply(http.StatusConflict,
				object{"message": []string{"User list is associated with a strategy"}})
		}
	}
	return flagUserLists.Delete(c)
}
