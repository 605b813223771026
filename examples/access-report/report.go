package main

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"example.com/serviceapi"
)

// A row says who may do something in a project.
type row struct {
	project, may, what string
	grants             []grant
}

// A grant is a reason why people may do it: their role, a group, or their own name.
type grant struct {
	because string
	people  []string
}

// nobody is who may do what no one may do, so that it has a line, too.
var nobody = grant{"nobody", []string{"-"}}

// report reads who may do what. What it may not read is in unread.
type report struct {
	client *serviceapi.Client
	ctx    context.Context
	groups map[int64][]string // members by group, read once
	shared map[string]secrets // variables by the path of their group
	unread []error
}

// secrets are numbers of variables: those that only jobs of protected branches and tags may read,
// and those that any job may read.
type secrets struct{ guarded, open int }

// ofGroup reads the projects of a group and of all groups below, in the order of their paths.
func (r *report) ofGroup(group serviceapi.GroupRef) ([]row, error) {
	options := &serviceapi.ListProjectsOptions{
		IncludeSubgroups: true, WithShared: new(false), Archived: new(false),
		OrderBy: serviceapi.ProjectOrderByID,
	}
	projects, err := serviceapi.Collect(r.client.Projects.All(r.ctx, group, options))
	if err != nil {
		return nil, err
	}
	rows, err := r.ofGroups(group)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(projects, func(a, b *serviceapi.Project) int {
		return cmp.Compare(a.PathWithNamespace, b.PathWithNamespace)
	})
	for _, p := range projects {
		of, err := r.ofProject(p)
		if err != nil {
			return nil, err
		}
		rows = append(rows, of...)
	}
	return rows, nil
}

// ofGroups reads the variables of the groups, which their projects have, too.
func (r *report) ofGroups(group serviceapi.GroupRef) (rows []row, err error) {
	top, _, err := r.client.Groups.Get(r.ctx, group, nil)
	if err != nil {
		return nil, err
	}
	if err := r.ofParents(top.ParentID); err != nil {
		return nil, err
	}
	groups, err := serviceapi.Collect(r.client.Groups.AllDescendants(r.ctx, group, nil))
	if err != nil {
		return nil, err
	}
	for _, g := range append([]*serviceapi.Group{top}, groups...) {
		p := &project{report: r, path: g.FullPath}
		if err := p.readMembers(g.Ref()); err != nil {
			return nil, err
		}
		r.shared[g.FullPath] = p.variables(g.Ref())
		p.settings(r.shared[g.FullPath], serviceapi.AccessLevelOwner)
		rows = append(rows, p.rows...)
	}
	return rows, nil
}

// ofParents counts the variables of the groups above, which the projects have, too.
func (r *report) ofParents(id *int64) error {
	for id != nil {
		g, _, err := r.client.Groups.Get(r.ctx, serviceapi.GroupID(*id), nil)
		if err != nil {
			return err
		}
		r.shared[g.FullPath] = (&project{report: r, path: g.FullPath}).variables(g.Ref())
		id = g.ParentID
	}
	return nil
}

// A project is what the parts of a report have in common.
type project struct {
	*report
	serviceapi.ProjectRef
	path    string
	members []*serviceapi.Member
	rows    []row
	// guards are who can run jobs of protected branches and tags.
	guards []grant
}

func (r *report) ofProject(of *serviceapi.Project) ([]row, error) {
	p := &project{report: r, ProjectRef: of.Ref(), path: of.PathWithNamespace}
	if err := p.readMembers(p.ProjectRef); err != nil {
		return nil, err
	}
	push := []grant{p.atLeast(serviceapi.AccessLevelDeveloper)}
	each(p, "deploy keys", p.client.DeployKeys.All(p.ctx, p.ProjectRef, nil), func(k *serviceapi.DeployKey) {
		if k.CanPush != nil && *k.CanPush {
			push = append(push, grant{"deploy key", []string{fmt.Sprint("key ", k.ID)}})
		}
	})
	p.add("push", "other branches", push...)
	p.branches()
	p.tags()
	p.approvals()
	p.add("deploy", "other environments", p.atLeast(serviceapi.AccessLevelDeveloper))
	p.environments()
	p.secrets()
	return p.rows, r.ctx.Err()
}

func (p *project) readMembers(of serviceapi.MemberOwner) error {
	members, err := serviceapi.Collect(p.client.Members.AllInherited(p.ctx, of, nil))
	p.members = slices.DeleteFunc(members, func(m *serviceapi.Member) bool { return m.State != "active" })
	return err
}

func (p *project) add(may, what string, grants ...grant) {
	grants = slices.DeleteFunc(grants, func(g grant) bool { return len(g.people) == 0 })
	for _, g := range grants {
		slices.Sort(g.people)
	}
	if len(grants) == 0 {
		grants = []grant{nobody}
	}
	p.rows = append(p.rows, row{p.path, may, what, grants})
}

// each visits a list, and notes why it cannot be read.
func each[T any](p *project, what string, list iter.Seq2[T, error], visit func(T)) (complete bool) {
	for item, err := range list {
		if err != nil {
			p.unread = append(p.unread, fmt.Errorf("%s, %s: %w", p.path, what, err))
			return false
		}
		visit(item)
	}
	return true
}

// atLeast are the members with a role, or one above it.
func (p *project) atLeast(level serviceapi.AccessLevel) grant {
	g := grant{because: level.String() + " or above"}
	if level == serviceapi.AccessLevelNone {
		return g
	}
	for _, m := range p.members {
		if m.AccessLevel >= level {
			g.people = append(g.people, m.Username)
		}
	}
	return g
}

// ofUser is a user by name, who need not be a member.
func (p *project) ofUser(id int64, name string) grant {
	for _, m := range p.members {
		if m.ID == id {
			name = m.Username
		}
	}
	return grant{"by name", []string{name}}
}

// ofMembers are the members of a group that was allowed as a whole.
func (p *project) ofMembers(id int64, name string) grant {
	people, known := p.groups[id]
	if !known {
		all := p.client.Members.AllInherited(p.ctx, serviceapi.GroupID(id), nil)
		if !each(p, "group "+name, all, func(m *serviceapi.Member) {
			if m.State == "active" {
				people = append(people, m.Username)
			}
		}) {
			people = append(people, "unknown")
		}
		p.groups[id] = people
	}
	return grant{"group " + name, people}
}

func (p *project) branches() {
	all := p.client.ProtectedBranches.All(p.ctx, p.ProjectRef, nil)
	each(p, "protected branches", all, func(b *serviceapi.ProtectedBranch) {
		push, merge := p.levels(b.PushAccessLevels), p.levels(b.MergeAccessLevels)
		p.add("push", b.Name, push...)
		p.add("merge", b.Name, merge...)
		p.guards = slices.Concat(p.guards, push, merge)
	})
}

func (p *project) tags() {
	all := p.client.ProtectedTags.All(p.ctx, p.ProjectRef, nil)
	each(p, "protected tags", all, func(t *serviceapi.ProtectedTag) {
		create := p.levels(t.CreateAccessLevels)
		p.add("create tags", t.Name, create...)
		p.guards = append(p.guards, create...)
	})
}

func (p *project) levels(levels []*serviceapi.ProtectionLevel) (grants []grant) {
	for _, l := range levels {
		switch name := l.AccessLevelDescription; {
		case l.UserID != nil:
			grants = append(grants, p.ofUser(*l.UserID, name))
		case l.GroupID != nil:
			grants = append(grants, p.ofMembers(*l.GroupID, name))
		case l.DeployKeyID != nil:
			grants = append(grants, grant{"deploy key", []string{fmt.Sprint("key ", *l.DeployKeyID)}})
		case l.AccessLevel != nil:
			grants = append(grants, p.atLeast(*l.AccessLevel))
		}
	}
	return grants
}

func (p *project) approvals() {
	all := p.client.Approvals.AllRules(p.ctx, p.ProjectRef, nil)
	each(p, "approval rules", all, func(rule *serviceapi.ProjectApprovalRule) {
		g := grant{because: fmt.Sprintf("%d needed", rule.ApprovalsRequired)}
		for _, u := range rule.EligibleApprovers {
			if u.State == "active" {
				g.people = append(g.people, u.Username)
			}
		}
		if rule.RuleType == serviceapi.ApprovalRuleTypeAnyApprover {
			g.people = p.atLeast(serviceapi.AccessLevelDeveloper).people
		}
		p.add("approve", cmp.Or(rule.Name, "merge requests"), g)
	})
}

func (p *project) environments() {
	all := p.client.ProtectedEnvironments.All(p.ctx, p.ProjectRef, nil)
	each(p, "protected environments", all, func(e *serviceapi.ProtectedEnvironment) {
		var grants []grant
		for _, l := range e.DeployAccessLevels {
			switch name := l.AccessLevelDescription; {
			case l.UserID != nil:
				grants = append(grants, p.ofUser(*l.UserID, name))
			case l.GroupID != nil:
				grants = append(grants, p.ofMembers(*l.GroupID, name))
			case l.AccessLevel != nil:
				grants = append(grants, p.atLeast(*l.AccessLevel))
			}
		}
		p.add("deploy", e.Name, grants...)
	})
}

// secrets says who may read CI/CD variables: maintainers in the settings, and whoever can run a
// job that prints them. Only jobs of protected branches and tags get those that are protected.
func (p *project) secrets() {
	sum := p.variables(p.ProjectRef)
	p.settings(sum, serviceapi.AccessLevelMaintainer)
	for path, n := range p.shared {
		if strings.HasPrefix(p.path, path+"/") {
			sum.guarded, sum.open = sum.guarded+n.guarded, sum.open+n.open
		}
	}
	if sum.guarded > 0 {
		p.add("read secrets", fmt.Sprintf("%d on protected refs", sum.guarded), joined(p.guards)...)
	}
	if sum.open > 0 {
		p.add("read secrets", fmt.Sprintf("%d through any job", sum.open), p.atLeast(serviceapi.AccessLevelDeveloper))
	}
}

// settings says who may read variables in the settings of their owner, if it has any.
func (p *project) settings(of secrets, least serviceapi.AccessLevel) {
	if all := of.guarded + of.open; all > 0 {
		p.add("read secrets", fmt.Sprintf("%d in settings", all), p.atLeast(least))
	}
}

// joined returns grants with each reason once.
func joined(all []grant) (grants []grant) {
	for _, g := range all {
		i := slices.IndexFunc(grants, func(other grant) bool { return other.because == g.because })
		if i < 0 {
			grants = append(grants, grant{because: g.because})
			i = len(grants) - 1
		}
		for _, name := range g.people {
			if !slices.Contains(grants[i].people, name) {
				grants[i].people = append(grants[i].people, name)
			}
		}
	}
	return grants
}

func (p *project) variables(of serviceapi.VariableOwner) (n secrets) {
	each(p, "variables", p.client.Variables.All(p.ctx, of, nil), func(v *serviceapi.Variable) {
		if v.Protected {
			n.guarded++
		} else {
			n.open++
		}
	})
	return n
}
