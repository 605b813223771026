package servicetest

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"example.com/serviceapi/servicetest/internal/graphql"
)

// terraformType returns the type of a Terraform state without its content.
func (t *gqlTypes) terraformType() *gqlType {
	job := &gqlType{Name: "TerraformJob", Fields: map[string]*gqlField{
		"id": gqlScalar(func(j *Job) any { return j.pipeline.project.svc.gid("Ci::Build", j.id) }),
	}}
	version := &gqlType{Name: "TerraformStateVersion", Fields: map[string]*gqlField{
		"id":            gqlScalar(func(v stateVersion) any { return v.of.svc().gid("Terraform::StateVersion", v.id) }),
		"serial":        gqlScalar(func(v stateVersion) any { return v.serial }),
		"downloadPath":  gqlScalar(func(v stateVersion) any { return v.path() }),
		"createdAt":     gqlScalar(func(v stateVersion) any { return jsonTime(v.content.modified) }),
		"updatedAt":     gqlScalar(func(v stateVersion) any { return jsonTime(v.content.modified) }),
		"createdByUser": graphql.Object(t.user, func(v stateVersion) any { return orNull(v.by.shown()) }),
		"job":           graphql.Object(job, func(v stateVersion) any { return orNull(v.job) }),
	}}
	return &gqlType{Name: "TerraformState", Fields: map[string]*gqlField{
		"id":            gqlScalar(func(s *TerraformState) any { return s.svc().gid("Terraform::State", s.id) }),
		"name":          gqlScalar(func(s *TerraformState) any { return s.name }),
		"createdAt":     gqlScalar(func(s *TerraformState) any { return jsonTime(s.made) }),
		"updatedAt":     gqlScalar(func(s *TerraformState) any { return jsonTime(s.changed()) }),
		"lockedAt":      gqlScalar(func(s *TerraformState) any { return jsonTime(s.held().at) }),
		"deletedAt":     gqlScalar(func(*TerraformState) any { return nil }),
		"lockedByUser":  graphql.Object(t.user, func(s *TerraformState) any { return orNull(s.held().by.shown()) }),
		"latestVersion": graphql.Object(version, latestVersion),
	}}
}

func (t *TerraformState) svc() *Service { return t.project.svc }

// held returns the lock, or an empty one. There may be no state.
func (t *TerraformState) held() terraformLock {
	if t == nil || t.lock == nil {
		return terraformLock{}
	}
	return *t.lock
}

// changed returns when the state was last written.
func (t *TerraformState) changed() time.Time {
	if v := t.newest(); v != nil {
		return v.content.modified
	}
	return t.made
}

// A stateVersion is a version with its state.
type stateVersion struct {
	*terraformVersion
	of *TerraformState
}

func (v stateVersion) path() string {
	return fmt.Sprintf("/api/v4/projects/%d/terraform/state/%s/versions/%d", v.of.project.id, v.of.name, v.serial)
}

func latestVersion(t *TerraformState) any {
	if v := t.newest(); v != nil {
		return stateVersion{v, t}
	}
	return nil
}

// terraformStatesOf returns the states of a project that the caller can see, by name.
func (c *call) terraformStatesOf(p *Project) []*TerraformState {
	if c.svc.projectLevel(c.user, p) < Developer {
		return nil
	}
	byName := func(a, b *TerraformState) int { return cmp.Compare(a.name, b.name) }
	return slices.SortedFunc(maps.Values(state[terraformStates](c.svc).named[p]), byName)
}

func listTerraformStates(c *call, of any, args graphql.Args) (any, error) {
	return graphql.PageInOrder(args, c.terraformStatesOf(of.(*Project)))
}

func getTerraformState(c *call, of any, args graphql.Args) (any, error) {
	name, err := args.String("name")
	for _, t := range c.terraformStatesOf(of.(*Project)) {
		if t.name == name {
			return t, nil
		}
	}
	return nil, err
}

// A targetRule gives merge requests from some branches their target.
type targetRule struct {
	svc          *Service
	project      *Project
	id           int64
	name, target string
	createdAt    time.Time
}

// targetRules keeps the rules of all projects.
type targetRules struct{ table[*targetRule] }

func targetRuleType() *gqlType {
	return &gqlType{Name: "ProjectTargetBranchRule", Fields: map[string]*gqlField{
		"id":           gqlScalar(func(r *targetRule) any { return r.svc.gid("Projects::TargetBranchRule", r.id) }),
		"name":         gqlScalar(func(r *targetRule) any { return r.name }),
		"targetBranch": gqlScalar(func(r *targetRule) any { return r.target }),
		"createdAt":    gqlScalar(func(r *targetRule) any { return jsonTime(r.createdAt) }),
	}}
}

func listTargetRules(c *call, of any, args graphql.Args) (any, error) {
	return graphql.PageInOrder(args, of.(*Project).targetRules())
}

func (p *Project) targetRules() []*targetRule {
	return state[targetRules](p.svc).all(func(r *targetRule) bool { return r.project == p })
}

// A targetRulePayload is the result of a mutation of a rule.
type targetRulePayload struct {
	rule     *targetRule
	problems []string
	clientID any
}

func targetRuleMutations(rule *gqlType) map[string]*gqlField {
	mutation := func(name string, change func(*call, graphql.Args) (*targetRulePayload, error)) *gqlField {
		fields := map[string]*gqlField{
			"errors":           gqlScalar(func(p *targetRulePayload) any { return append([]string{}, p.problems...) }),
			"clientMutationId": gqlScalar(func(p *targetRulePayload) any { return p.clientID }),
		}
		if name == "Create" {
			fields["targetBranchRule"] = graphql.Object(rule, func(p *targetRulePayload) any { return orNull(p.rule) })
		}
		return &gqlField{
			Type: &gqlType{Name: "ProjectTargetBranchRule" + name + "Payload", Fields: fields},
			Args: map[string]string{"input": "ProjectTargetBranchRule" + name + "Input!"},
			Resolve: func(c *call, _ any, args graphql.Args) (any, error) {
				in, _ := args["input"].(map[string]any)
				made, err := change(c, in)
				if err != nil {
					return nil, err
				}
				made.clientID = in["clientMutationId"]
				return made, nil
			},
		}
	}
	return map[string]*gqlField{
		"projectTargetBranchRuleCreate":  mutation("Create", (*call).createTargetRule),
		"projectTargetBranchRuleDestroy": mutation("Destroy", (*call).destroyTargetRule),
	}
}

var targetRuleName = regexp.MustCompile(`^[\w/.*-]+$`)

func (c *call) createTargetRule(in graphql.Args) (*targetRulePayload, error) {
	number, err := c.svc.numberOf(fmt.Sprint(in["projectId"]), "Project")
	if err != nil {
		return nil, err
	}
	p, ok := c.svc.projects.get(number)
	if !ok || p.archived || c.svc.projectLevel(c.user, p) < Maintainer {
		return nil, noResource
	}
	r := &targetRule{svc: c.svc, project: p, name: fmt.Sprint(in["name"]), target: fmt.Sprint(in["targetBranch"]),
		createdAt: c.now()}
	taken := slices.ContainsFunc(p.targetRules(), func(other *targetRule) bool { return other.name == r.name })
	switch {
	case taken:
		return &targetRulePayload{problems: []string{"Name has already been taken"}}, nil
	case !targetRuleName.MatchString(r.name) || strings.Contains(r.name, "../"):
		return &targetRulePayload{problems: []string{"Name is invalid"}}, nil
	case utf8.RuneCountInString(r.target) > 255:
		return &targetRulePayload{problems: []string{"Target branch is too long (maximum is 255 characters)"}}, nil
	}
	r.id, _ = state[targetRules](c.svc).add(0, r)
	return &targetRulePayload{rule: r}, nil
}

func (c *call) destroyTargetRule(in graphql.Args) (*targetRulePayload, error) {
	number, err := c.svc.numberOf(fmt.Sprint(in["id"]), "Projects::TargetBranchRule")
	if err != nil {
		return nil, err
	}
	r, ok := state[targetRules](c.svc).get(number)
	if !ok || r.project.archived || c.svc.projectLevel(c.user, r.project) < Maintainer {
		return nil, noResource
	}
	state[targetRules](c.svc).remove(r.id)
	return &targetRulePayload{}, nil
}
