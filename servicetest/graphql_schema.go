package servicetest

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// The types of the schema. Those that refer to one another get their fields in
// init.
var (
	gqlQuery    = &gqlType{name: "Query"}
	gqlMutation = &gqlType{name: "Mutation"}
	gqlUser     = &gqlType{name: "User"}
	gqlGroup    = &gqlType{name: "Group"}
	gqlProject  = &gqlType{name: "Project"}
	gqlPipeline = &gqlType{name: "Pipeline"}
	gqlJob      = &gqlType{name: "Job"}
	gqlChanged  = &gqlType{name: "JobPayload"}
)

func knownGraphQLField(field string) bool {
	name, member, _ := strings.Cut(field, ".")
	for _, typ := range []*gqlType{gqlQuery, gqlMutation, gqlUser, gqlGroup, gqlProject, gqlPipeline, gqlJob, gqlChanged} {
		if typ.name == name {
			return typ.fields[member] != nil
		}
	}
	return false
}

func init() {
	gqlQuery.fields = queryFields()
	gqlMutation.fields = mutationFields()
	gqlUser.fields = userFields()
	gqlGroup.fields = groupFields()
	gqlProject.fields = projectFields()
	gqlPipeline.fields = pipelineFields()
	gqlJob.fields = jobFields()
}

func gid(kind string, id int64) string { return fmt.Sprintf("gid://service/%s/%d", kind, id) }

// orNull turns a nil handle into null.
func orNull[T any](handle *T) any {
	if handle == nil {
		return nil
	}
	return handle
}

func queryFields() map[string]*gqlDefinition {
	fullPath := map[string]string{"fullPath": "ID!"}
	return map[string]*gqlDefinition{
		"currentUser": {typ: gqlUser, resolve: func(x *gqlExecution, _ any, _ gqlArgs) (any, error) { return orNull(x.c.user), nil }},
		"project": {typ: gqlProject, args: fullPath, resolve: func(x *gqlExecution, _ any, args gqlArgs) (any, error) {
			path, err := args.text("fullPath")
			p := x.c.svc.findProject(path)
			if p == nil || !strings.EqualFold(p.fullPath(), path) || !x.c.svc.canSeeProject(x.c.user, p) {
				return nil, err
			}
			return p, err
		}},
		"group": {typ: gqlGroup, args: fullPath, resolve: func(x *gqlExecution, _ any, args gqlArgs) (any, error) {
			path, err := args.text("fullPath")
			g := x.c.svc.findGroup(path)
			if g == nil || !strings.EqualFold(g.fullPath(), path) {
				return nil, err
			}
			return x.visible(g), err
		}},
		"projects": {typ: connectionOf(gqlProject), args: pageArgs, resolve: func(x *gqlExecution, _ any, args gqlArgs) (any, error) {
			return x.projects(args, nil)
		}},
		"echo": {args: map[string]string{"text": "String!"}, resolve: func(_ *gqlExecution, _ any, args gqlArgs) (any, error) {
			return args.text("text")
		}},
	}
}

// visible returns a group if the caller may see it, and null otherwise.
func (x *gqlExecution) visible(g *Group) any {
	if g == nil || !x.c.svc.canSeeGroup(x.c.user, g) {
		return nil
	}
	return g
}

// projects returns the projects below a group, all if it is nil, that the
// caller may see.
func (x *gqlExecution) projects(args gqlArgs, below *Group) (any, error) {
	visible := x.c.svc.projects.all(func(p *Project) bool {
		return (below == nil || p.within(below)) && x.c.svc.canSeeProject(x.c.user, p)
	})
	return gqlPageOf(args, visible, false, func(p *Project) int64 { return p.id })
}

func userFields() map[string]*gqlDefinition {
	return map[string]*gqlDefinition{
		"id":          gqlScalar(func(u *User) any { return gid("User", u.id) }),
		"username":    gqlScalar(func(u *User) any { return u.username }),
		"name":        gqlScalar(func(u *User) any { return u.name }),
		"state":       gqlScalar(func(u *User) any { return u.state }),
		"publicEmail": gqlScalar(func(u *User) any { return jsonText(u.publicEmail) }),
		"webUrl":      gqlScalar(func(u *User) any { return webURL(u.username) }),
	}
}

func groupFields() map[string]*gqlDefinition {
	return map[string]*gqlDefinition{
		"id":          gqlScalar(func(g *Group) any { return gid("Group", g.id) }),
		"fullPath":    gqlScalar(func(g *Group) any { return g.fullPath() }),
		"name":        gqlScalar(func(g *Group) any { return g.name }),
		"description": gqlScalar(func(g *Group) any { return jsonText(g.description) }),
		"visibility":  gqlScalar(func(g *Group) any { return g.visibility }),
		"webUrl":      gqlScalar(func(g *Group) any { return webURL("groups", g.fullPath()) }),
		"parent": {typ: gqlGroup, resolve: func(x *gqlExecution, of any, _ gqlArgs) (any, error) {
			return x.visible(of.(*Group).parent), nil
		}},
		"projects": {typ: connectionOf(gqlProject), args: pageArgs, resolve: func(x *gqlExecution, of any, args gqlArgs) (any, error) {
			return x.projects(args, of.(*Group))
		}},
	}
}

func projectFields() map[string]*gqlDefinition {
	return map[string]*gqlDefinition{
		"id":          gqlScalar(func(p *Project) any { return gid("Project", p.id) }),
		"fullPath":    gqlScalar(func(p *Project) any { return p.fullPath() }),
		"name":        gqlScalar(func(p *Project) any { return p.name }),
		"description": gqlScalar(func(p *Project) any { return jsonText(p.description) }),
		"visibility":  gqlScalar(func(p *Project) any { return p.visibility }),
		"archived":    gqlScalar(func(p *Project) any { return p.archived }),
		"webUrl":      gqlScalar(func(p *Project) any { return p.webURL() }),
		"createdAt":   gqlScalar(func(p *Project) any { return jsonTime(p.createdAt) }),
		"group": {typ: gqlGroup, resolve: func(x *gqlExecution, of any, _ gqlArgs) (any, error) {
			return x.visible(of.(*Project).group), nil
		}},
		"pipelines": {typ: connectionOf(gqlPipeline), args: with(pageArgs, "ref", "String", "status", "String"), resolve: projectPipelines},
		"jobs": {typ: connectionOf(gqlJob), args: with(pageArgs, "statuses", "[String]"), resolve: func(_ *gqlExecution, of any, args gqlArgs) (any, error) {
			return jobPageOf(args, of.(*Project).jobs)
		}},
	}
}

func with(args map[string]string, pairs ...string) map[string]string {
	more := maps.Clone(args)
	for i := 0; i < len(pairs); i += 2 {
		more[pairs[i]] = pairs[i+1]
	}
	return more
}

func projectPipelines(_ *gqlExecution, of any, args gqlArgs) (any, error) {
	ref, err := args.text("ref")
	status, wrong := args.text("status")
	if err = errors.Join(err, wrong); err != nil {
		return nil, err
	}
	var found []*Pipeline
	for _, p := range slices.Backward(of.(*Project).pipelines) {
		if p.settle(); (ref == "" || p.ref == ref) && (status == "" || strings.EqualFold(p.status, status)) {
			found = append(found, p)
		}
	}
	return gqlPageOf(args, found, true, func(p *Pipeline) int64 { return p.id })
}

func pipelineFields() map[string]*gqlDefinition {
	return map[string]*gqlDefinition{
		"id":        gqlScalar(func(p *Pipeline) any { return gid("Ci::Pipeline", p.id) }),
		"ref":       gqlScalar(func(p *Pipeline) any { return p.ref }),
		"sha":       gqlScalar(func(p *Pipeline) any { return p.commit.SHA }),
		"status":    gqlScalar(func(p *Pipeline) any { p.settle(); return strings.ToUpper(p.status) }),
		"createdAt": gqlScalar(func(p *Pipeline) any { return jsonTime(p.createdAt) }),
		"updatedAt": gqlScalar(func(p *Pipeline) any { return jsonTime(p.updatedAt) }),
		"user":      {typ: gqlUser, resolve: gqlResolve(func(p *Pipeline) any { return orNull(p.user) })},
		"project":   {typ: gqlProject, resolve: gqlResolve(func(p *Pipeline) any { return p.project })},
		"jobs": {typ: connectionOf(gqlJob), args: with(pageArgs, "statuses", "[String]"), resolve: func(_ *gqlExecution, of any, args gqlArgs) (any, error) {
			return jobPageOf(args, of.(*Pipeline).jobs)
		}},
	}
}

// jobPageOf returns a page of jobs, which are given in ascending order.
func jobPageOf(args gqlArgs, jobs []*Job) (any, error) {
	statuses, isList := args["statuses"].([]any)
	if !isList && args["statuses"] != nil {
		statuses = []any{args["statuses"]} // one value stands for a list
	}
	var found []*Job
	for _, j := range slices.Backward(jobs) {
		isAsked := func(status any) bool { return strings.EqualFold(fmt.Sprint(status), j.status) }
		if args["statuses"] == nil || slices.ContainsFunc(statuses, isAsked) {
			found = append(found, j)
		}
	}
	return gqlPageOf(args, found, true, func(j *Job) int64 { return j.id })
}

func jobFields() map[string]*gqlDefinition {
	return map[string]*gqlDefinition{
		"id":           gqlScalar(func(j *Job) any { return gid("Ci::Build", j.id) }),
		"name":         gqlScalar(func(j *Job) any { return j.name }),
		"stage":        gqlScalar(func(j *Job) any { return j.stage }),
		"status":       gqlScalar(func(j *Job) any { return strings.ToUpper(j.status) }),
		"allowFailure": gqlScalar(func(j *Job) any { return j.allowFailure }),
		"createdAt":    gqlScalar(func(j *Job) any { return jsonTime(j.createdAt) }),
		"startedAt":    gqlScalar(func(j *Job) any { return jsonTime(j.startedAt) }),
		"finishedAt":   gqlScalar(func(j *Job) any { return jsonTime(j.finishedAt) }),
		"pipeline":     {typ: gqlPipeline, resolve: gqlResolve(func(j *Job) any { return j.pipeline })},
	}
}

// A gqlJobPayload is what a mutation of a job answers with.
type gqlJobPayload struct {
	job      *Job
	problems []string
	clientID any
}

func mutationFields() map[string]*gqlDefinition {
	gqlChanged.fields = map[string]*gqlDefinition{
		"job":              {typ: gqlJob, resolve: gqlResolve(func(p *gqlJobPayload) any { return orNull(p.job) })},
		"errors":           gqlScalar(func(p *gqlJobPayload) any { return p.problems }),
		"clientMutationId": gqlScalar(func(p *gqlJobPayload) any { return p.clientID }),
	}
	input := map[string]string{"input": "JobInput!"}
	return map[string]*gqlDefinition{
		"jobCancel": {typ: gqlChanged, args: input, resolve: jobMutation(func(_ *gqlExecution, j *Job) (*Job, string) {
			j.finish("canceled", "")
			return j, ""
		})},
		"jobRetry": {typ: gqlChanged, args: input, resolve: jobMutation(func(x *gqlExecution, j *Job) (*Job, string) {
			if !j.retryable() {
				return nil, "Job is not retryable"
			}
			return j.retry(x.c.user), ""
		})},
	}
}

const noResource = gqlFailure("The resource that you are attempting to access does not exist or you don't have permission to perform this action")

// jobMutation changes a job that the caller may change. What the job itself
// forbids is a problem in the payload, not an error of the response.
func jobMutation(change func(*gqlExecution, *Job) (*Job, string)) func(*gqlExecution, any, gqlArgs) (any, error) {
	return func(x *gqlExecution, _ any, args gqlArgs) (any, error) {
		input, _ := args["input"].(map[string]any)
		name, err := gqlArgs(input).text("id")
		if err != nil {
			return nil, err
		}
		number, _ := strings.CutPrefix(name, "gid://service/Ci::Build/")
		id, _ := strconv.ParseInt(number, 10, 64)
		job, ok := state[jobState](x.c.svc).jobs.get(id)
		if !ok || job.bridge || x.c.svc.projectLevel(x.c.user, job.pipeline.project) < Developer {
			return nil, noResource
		}
		payload := &gqlJobPayload{problems: []string{}, clientID: input["clientMutationId"]}
		changed, problem := change(x, job)
		if payload.job = changed; problem != "" {
			payload.problems = append(payload.problems, problem)
		}
		return payload, nil
	}
}
