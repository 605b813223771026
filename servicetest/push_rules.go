package servicetest

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
	"example.com/serviceapi/servicetest/internal/gitrepo"
)

// A pushRule is the set of push rules of a project or a group.
type pushRule struct {
	id        int64
	createdAt time.Time

	keepsTags, membersOnly, noSecrets, ownName bool

	message, notMessage, branch, email, file string // regular expressions

	maxSize                     int64 // of a file, in MB; 0 means no limit
	ownEmail, signed, signedOff *bool // nil if never set
}

// pushRuleState keeps the push rules of projects and groups.
type pushRuleState struct {
	of   map[any]*pushRule
	last int64
}

func (s *Service) pushRules() *pushRuleState { return state[pushRuleState](s) }

var pushRules = collection.Table[*call, any, pushRule]{
	Home: (*call).pushRuleHome,
	Find: func(c *call, home any) (*pushRule, *reply) {
		if rule := c.svc.pushRules().of[home]; rule != nil {
			return rule, nil
		}
		if c.route.method == http.MethodPut {
			return nil, frame.NotFound("Push rule")
		}
		return nil, frame.NotFound("")
	},
	Fields: []collection.Field[pushRule]{
		collection.Shown("id", func(r *pushRule) int64 { return r.id }),
		collection.Moment("created_at", func(r *pushRule) *time.Time { return &r.createdAt }).ReadOnly(),
		collection.Flag("deny_delete_tag", func(r *pushRule) *bool { return &r.keepsTags }),
		collection.Flag("member_check", func(r *pushRule) *bool { return &r.membersOnly }),
		collection.Flag("prevent_secrets", func(r *pushRule) *bool { return &r.noSecrets }),
		pattern("commit_message_regex", func(r *pushRule) *string { return &r.message }),
		pattern("commit_message_negative_regex", func(r *pushRule) *string { return &r.notMessage }),
		pattern("branch_name_regex", func(r *pushRule) *string { return &r.branch }),
		pattern("author_email_regex", func(r *pushRule) *string { return &r.email }),
		pattern("file_name_regex", func(r *pushRule) *string { return &r.file }),
		collection.Shown("max_file_size", func(r *pushRule) int64 { return r.maxSize }),
		collection.Flag("commit_committer_name_check", func(r *pushRule) *bool { return &r.ownName }),
		collection.Shown("commit_committer_check", func(r *pushRule) *bool { return r.ownEmail }),
		collection.Shown("reject_unsigned_commits", func(r *pushRule) *bool { return r.signed }),
		collection.Shown("reject_non_dco_commits", func(r *pushRule) *bool { return r.signedOff }),
	},
	New:   func(c *call, _ any) *pushRule { return &pushRule{createdAt: c.now()} },
	Read:  (*call).readPushRule,
	Check: func(_ *call, _ any, r, _ *pushRule) *reply { return r.check() },
	Add: func(c *call, home any, r *pushRule) {
		all := c.svc.pushRules()
		all.last++
		r.id = all.last
		put(&all.of, home, r)
	},
	Remove: func(c *call, home any, _ *pushRule) { delete(c.svc.pushRules().of, home) },
	Extra: func(_ *call, home any, _ *pushRule, form *collection.Form) {
		if project, ok := home.(*Project); ok {
			form.Add("project_id", project.id)
		}
	},
}

func pattern(name string, at func(*pushRule) *string) collection.Field[pushRule] {
	return collection.Note(name, at).Max(511)
}

// pushRuleHome returns the project or the group of the path. Lower tiers have no push
// rules, and only owners see those of a group.
func (c *call) pushRuleHome() (any, *reply) {
	if !c.hasTier(Premium) {
		return nil, frame.NotFound("")
	}
	home, refusal := c.tokenHome()
	if group, ok := home.(*Group); ok && refusal == nil && c.svc.groupLevel(c.user, group) < Owner {
		return nil, frame.NotFound("")
	}
	return home, refusal
}

// pushRuleNames lists the parameters of push rules. A call must set at least one.
var pushRuleNames = []string{
	"deny_delete_tag", "member_check", "prevent_secrets", "commit_message_regex", "commit_message_negative_regex",
	"branch_name_regex", "author_email_regex", "file_name_regex", "max_file_size", "commit_committer_check",
	"commit_committer_name_check", "reject_unsigned_commits", "reject_non_dco_commits",
}

func (c *call) readPushRule(_ any, r *pushRule, _ bool) {
	if !slices.ContainsFunc(pushRuleNames, c.Has) {
		c.Problem(strings.Join(pushRuleNames, ", ") + " are missing, at least one parameter must be provided")
	}
	if n := c.Int64OrNil("max_file_size"); n != nil {
		r.maxSize = *n
	}
	for name, at := range map[string]**bool{
		"commit_committer_check": &r.ownEmail, "reject_unsigned_commits": &r.signed,
		"reject_non_dco_commits": &r.signedOff,
	} {
		if c.Has(name) {
			*at = new(c.Bool(name))
		}
	}
}

// check refuses invalid rules.
func (r *pushRule) check() *reply {
	if r.maxSize < 0 {
		return frame.FieldErrors("max_file_size", "must be greater than or equal to 0")
	}
	for _, one := range []struct{ name, pattern string }{
		{"commit_message_regex", r.message}, {"commit_message_negative_regex", r.notMessage},
		{"branch_name_regex", r.branch}, {"author_email_regex", r.email}, {"file_name_regex", r.file},
	} {
		if _, err := regexp.Compile(one.pattern); err != nil {
			return frame.FieldErrors(one.name, "not valid RE2 syntax: "+err.Error())
		}
	}
	return nil
}

// getPushRule responds with null for a project without rules.
func getPushRule(c *call) *reply {
	answer := pushRules.Get(c)
	home, refusal := c.pushRuleHome()
	if project, ok := home.(*Project); ok && refusal == nil && c.svc.pushRules().of[project] == nil {
		return c.OK(nil)
	}
	return answer
}

func createPushRule(c *call) *reply {
	home, refusal := c.pushRuleHome()
	if refusal != nil || c.svc.pushRules().of[home] == nil {
		return pushRules.Create(c)
	}
	if _, ok := home.(*Group); ok {
		return frame.Unprocessable("Group push rule exists, try updating")
	}
	return frame.Unprocessable("Project push rule exists")
}

// refuseBranch refuses the name of a branch if the push rules of the project do. The
// default branch may have any name.
func (p *Project) refuseBranch(name string) *reply {
	rule := p.svc.pushRules().of[p]
	if rule == nil || name == p.defaultBranch || fits(rule.branch, name) {
		return nil
	}
	return notAsRuled("Branch name '%s' does not follow the pattern '%s'", name, rule.branch)
}

// refuseCommit refuses a new commit if the push rules of the project do. The rules
// about tags, secrets, committers and signatures have no effect: the caller is the
// committer of commits through the API, and the service signs them.
func (p *Project) refuseCommit(branch string, made *gitrepo.Commit) *reply {
	rule := p.svc.pushRules().of[p]
	if rule == nil {
		return nil
	}
	if refusal := p.refuseBranch(branch); refusal != nil {
		return refusal
	}
	email := made.Author.Email
	byEmail := func(u *User) bool { return strings.EqualFold(u.email, email) }
	switch {
	case !fits(rule.message, made.Message):
		return notAsRuled("Commit message does not follow the pattern '%s'", rule.message)
	case rule.notMessage != "" && fits(rule.notMessage, made.Message):
		return notAsRuled("Commit message contains the forbidden pattern '%s'", rule.notMessage)
	case rule.signedOff != nil && *rule.signedOff && !strings.Contains(made.Message, "Signed-off-by: "):
		return notAsRuled("Commit message must contain a DCO signoff")
	case !fits(rule.email, email):
		return notAsRuled("Author's email '%s' does not follow the pattern '%s'", email, rule.email)
	case rule.membersOnly && len(p.svc.users.all(byEmail)) == 0:
		return notAsRuled("Author '%s' is not a member of team", email)
	}
	return rule.refuseFiles(gitrepo.DiffTrees(p.repository().ParentTree(made), made.Tree))
}

func (r *pushRule) refuseFiles(changes []gitrepo.Change) *reply {
	for _, change := range changes {
		switch {
		case change.Removed():
		case r.file != "" && fits(r.file, change.NewPath):
			return notAsRuled("File name %s was prohibited by the pattern '%s'.", change.NewPath, r.file)
		case r.maxSize > 0 && int64(len(change.New.Data)) > r.maxSize<<20:
			return notAsRuled("File %s is larger than the allowed size of %d MiB. Use Git LFS to manage this file.",
				change.NewPath, r.maxSize)
		}
	}
	return nil
}

// fits reports whether a string matches a rule. An empty rule matches everything.
func fits(rule, text string) bool { return regexp.MustCompile(rule).MatchString(text) }

func notAsRuled(format string, args ...any) *reply {
	return frame.Message(http.StatusBadRequest, fmt.Sprintf(format, args...))
}

// apply makes a commit unless the push rules of the project refuse it.
func (r *repository) apply(req gitrepo.Request) (made *gitrepo.Commit, refusal *reply, err error) {
	head := r.Branch(req.Branch)
	if made, err = r.Apply(req); err != nil {
		return nil, nil, err
	}
	if refusal = r.project.refuseCommit(req.Branch, made); refusal == nil {
		return made, nil, nil
	}
	if head == nil {
		r.DeleteBranch(req.Branch)
	} else {
		r.SetBranch(req.Branch, head)
	}
	return nil, refusal, nil
}
