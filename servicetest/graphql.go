package servicetest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"example.com/serviceapi/servicetest/internal/frame"
	"example.com/serviceapi/servicetest/internal/graphql"
)

// graphQLState holds the messages of failing fields, by Type.field.
type graphQLState struct{ failing map[string]string }

// FailGraphQLField makes a field of the GraphQL API fail with a message. The field is
// null in all responses, which contain an error with its path, and the rest of the
// data. Name the field with its type: "Project.pipelines", "Query.group". An empty
// message makes the field work again.
func (s *Service) FailGraphQLField(field, message string) {
	defer s.lock()()
	if !s.graphQLSchema().HasField(field) {
		s.fail("the GraphQL schema has no field %q", field)
	}
	put(&state[graphQLState](s).failing, field, message)
}

// graphQLErrors returns a response with only errors.
func graphQLErrors(status int, errs ...graphql.Error) *reply {
	return frame.JSONReply(status, graphql.Response{Errors: errs})
}

// postGraphQL returns 200 for every document that it can read, even if there are
// errors.
func postGraphQL(c *call) *reply {
	var body struct {
		Query         string
		Variables     map[string]any
		OperationName string
	}
	decoder := json.NewDecoder(bytes.NewReader(c.Body))
	decoder.UseNumber()
	if err := decoder.Decode(&body); err != nil {
		return graphQLErrors(http.StatusBadRequest, graphql.Error{Message: "The body is no GraphQL request"})
	}
	operation, refusal := graphql.Parse(body.Query, body.OperationName)
	if refusal != nil {
		return graphQLErrors(http.StatusOK, *refusal)
	}
	if operation.IsMutation() && c.token != nil && !slices.Contains(c.token.scopes, "api") {
		return insufficientScope("api")
	}
	return c.OK(c.svc.graphQLSchema().Execute(c, operation, body.Variables))
}

type (
	gqlType  = graphql.Type[*call]
	gqlField = graphql.Field[*call]
)

// graphQLSchema returns the schema of the service, which services of an edition share.
func (s *Service) graphQLSchema() *graphql.Schema[*call] {
	if s.settings.tier < Premium {
		return freeSchema()
	}
	return premiumSchema()
}

var (
	freeSchema    = sync.OnceValue(func() *graphql.Schema[*call] { return newSchema(false) })
	premiumSchema = sync.OnceValue(func() *graphql.Schema[*call] { return newSchema(true) })
)

func newSchema(premium bool) *graphql.Schema[*call] {
	types := gqlTypes{
		user:     &gqlType{Name: "User"},
		group:    &gqlType{Name: "Group"},
		project:  &gqlType{Name: "Project"},
		pipeline: &gqlType{Name: "Pipeline"},
		job:      &gqlType{Name: "Job"},

		namespace: &gqlType{Name: "Namespace"},
		workItem:  &gqlType{Name: "WorkItem"},
		itemType:  &gqlType{Name: "WorkItemType", Fields: workItemTypeFields()},

		targetRule: targetRuleType(),
		premium:    premium,
	}
	types.user.Fields = types.userFields()
	types.group.Fields = types.groupFields()
	types.terraform = types.terraformType()
	types.project.Fields = types.projectFields()
	types.pipeline.Fields = types.pipelineFields()
	types.job.Fields = types.jobFields()
	types.namespace.Fields = types.namespaceFields()
	types.workItem.Fields = types.workItemFields()
	mutations := types.mutationFields()
	maps.Copy(mutations, types.workItemMutations())
	if premium {
		maps.Copy(mutations, targetRuleMutations(types.targetRule))
	}
	return &graphql.Schema[*call]{
		Query:    &gqlType{Name: "Query", Fields: types.queryFields()},
		Mutation: &gqlType{Name: "Mutation", Fields: mutations},
		Before:   graphQLFailure,

		MaxComplexity: maxComplexity,
	}
}

// maxComplexity returns the highest complexity of an operation of the caller.
func maxComplexity(c *call) int {
	switch {
	case c.user == nil:
		return 200
	case c.admin():
		return 300
	}
	return 250
}

// gqlTypes are the types that refer to one another.
type gqlTypes struct {
	user, group, project, pipeline, job *gqlType

	namespace, workItem, itemType, terraform, targetRule *gqlType

	premium bool
}

// graphQLFailure returns the error of a field that is set to fail.
func graphQLFailure(c *call, field string) error {
	if message := state[graphQLState](c.svc).failing[field]; message != "" {
		return graphql.Failure(message)
	}
	return nil
}

// gqlScalar defines a field without arguments whose value is sent as it is.
func gqlScalar[T any](value func(T) any) *gqlField { return graphql.Scalar[*call](value) }

// gid returns the global ID of an object.
func (s *Service) gid(kind string, id int64) string {
	return s.gidPrefix(kind) + strconv.FormatInt(id, 10)
}

func (s *Service) gidPrefix(kind string) string {
	return "gid://" + s.settings.globalIDWord + "/" + kind + "/"
}

// numberOf returns the number in the global ID of an object of one of these kinds.
func (s *Service) numberOf(id string, kinds ...string) (int64, error) {
	rest, isID := strings.CutPrefix(id, "gid://")
	parts := strings.Split(rest, "/")
	if !isID || len(parts) != 3 {
		return 0, graphql.Failure(strconv.Quote(id) + " is not a valid Global ID")
	}
	number, err := strconv.ParseInt(parts[2], 10, 64)
	switch {
	case err != nil:
		return 0, graphql.Failure(strconv.Quote(id) + " is not a valid Global ID")
	case parts[0] != s.settings.globalIDWord:
		return 0, graphql.Failure(strconv.Quote(id) + " is not a Global ID of this service")
	case !slices.Contains(kinds, parts[1]):
		return 0, graphql.Failure(strconv.Quote(id) + " does not represent an instance of " + kinds[0])
	}
	return number, nil
}

// orNull turns a nil handle into null.
func orNull[T any](handle *T) any {
	if handle == nil {
		return nil
	}
	return handle
}

func (t *gqlTypes) queryFields() map[string]*gqlField {
	fullPath := map[string]string{"fullPath": "ID!"}
	return map[string]*gqlField{
		"currentUser": {Type: t.user, Resolve: func(c *call, _ any, _ graphql.Args) (any, error) {
			return orNull(c.user), nil
		}},
		"project": {Type: t.project, Args: fullPath, Resolve: func(c *call, _ any, args graphql.Args) (any, error) {
			path, err := args.String("fullPath")
			p := c.svc.findProject(path)
			if p == nil || !strings.EqualFold(p.fullPath(), path) || !c.svc.canSeeProject(c.user, p) {
				return nil, err
			}
			return p, err
		}},
		"group": {Type: t.group, Args: fullPath, Resolve: func(c *call, _ any, args graphql.Args) (any, error) {
			path, err := args.String("fullPath")
			g := c.svc.findGroup(path)
			if g == nil || !strings.EqualFold(g.fullPath(), path) {
				return nil, err
			}
			return c.visible(g), err
		}},
		"namespace": {Type: t.namespace, Args: fullPath, Resolve: func(c *call, _ any, args graphql.Args) (any, error) {
			path, err := args.String("fullPath")
			return c.findNamespace(path), err
		}},
		"accessTokenPermissions": {Type: permissionType(), Resolve: listPermissions},
		"projects": {Type: graphql.Connection(t.project), Args: graphql.PageArgs(),
			Resolve: func(c *call, _ any, args graphql.Args) (any, error) {
				return c.graphQLProjects(args, nil)
			}},
		"echo": {Args: map[string]string{"text": "String!"}, Resolve: func(_ *call, _ any, args graphql.Args) (any,
			error) {
			return args.String("text")
		}},
	}
}

// visible returns a group if the caller can see it, and null otherwise.
func (c *call) visible(g *Group) any {
	if g == nil || !c.svc.canSeeGroup(c.user, g) {
		return nil
	}
	return g
}

// graphQLProjects returns the projects below a group that the caller can see. A
// nil group means all projects.
func (c *call) graphQLProjects(args graphql.Args, below *Group) (any, error) {
	visible := c.svc.projects.all(func(p *Project) bool {
		return (below == nil || p.within(below)) && c.svc.canSeeProject(c.user, p)
	})
	return graphql.PageOf(args, visible, false, func(p *Project) int64 { return p.id })
}

func (t *gqlTypes) userFields() map[string]*gqlField {
	return map[string]*gqlField{
		"id":          gqlScalar(func(u *User) any { return u.svc.gid("User", u.id) }),
		"username":    gqlScalar(func(u *User) any { return u.username }),
		"name":        gqlScalar(func(u *User) any { return u.name }),
		"state":       gqlScalar(func(u *User) any { return u.state }),
		"publicEmail": gqlScalar(func(u *User) any { return jsonText(u.publicEmail) }),
		"webUrl":      gqlScalar(func(u *User) any { return u.svc.webURL(u.username) }),
		"bot":         gqlScalar(func(u *User) any { return u.bot }),
		"createdAt":   gqlScalar(func(u *User) any { return jsonTime(u.createdAt) }),
		"avatarUrl":   gqlScalar(func(u *User) any { return u.summary().AvatarURL }),
		"namespace":   graphql.Object(t.namespace, func(u *User) any { return &workItemNamespace{user: u} }),
		"groupCount": {Resolve: func(c *call, of any, _ graphql.Args) (any, error) {
			if u := of.(*User); u == c.user || c.admin() {
				return u.groupCount(), nil
			}
			return nil, nil
		}},
	}
}

// groupCount counts the groups that a user is a member of, and those of the user's projects.
func (u *User) groupCount() int {
	counted := make(map[*Group]bool)
	for _, g := range u.svc.groups.all(nil) {
		counted[g] = has(&g.members, u.id)
	}
	for _, p := range u.svc.projects.all(func(p *Project) bool { return p.group != nil && has(&p.members, u.id) }) {
		counted[p.group] = true
	}
	maps.DeleteFunc(counted, func(_ *Group, isMember bool) bool { return !isMember })
	return len(counted)
}

func (t *gqlTypes) groupFields() map[string]*gqlField {
	return map[string]*gqlField{
		"id":          gqlScalar(func(g *Group) any { return g.svc.gid("Group", g.id) }),
		"fullPath":    gqlScalar(func(g *Group) any { return g.fullPath() }),
		"name":        gqlScalar(func(g *Group) any { return g.name }),
		"description": gqlScalar(func(g *Group) any { return jsonText(g.description) }),
		"visibility":  gqlScalar(func(g *Group) any { return g.visibility }),
		"webUrl":      gqlScalar(func(g *Group) any { return g.svc.webURL("groups", g.fullPath()) }),
		"parent": {Type: t.group, Resolve: func(c *call, of any, _ graphql.Args) (any, error) {
			return c.visible(of.(*Group).parent), nil
		}},
		"projects": {Type: graphql.Connection(t.project), Args: graphql.PageArgs(),
			Resolve: func(c *call, of any, args graphql.Args) (any, error) {
				return c.graphQLProjects(args, of.(*Group))
			}},
	}
}

func (t *gqlTypes) projectFields() map[string]*gqlField {
	fields := map[string]*gqlField{
		"id":          gqlScalar(func(p *Project) any { return p.svc.gid("Project", p.id) }),
		"fullPath":    gqlScalar(func(p *Project) any { return p.fullPath() }),
		"name":        gqlScalar(func(p *Project) any { return p.name }),
		"description": gqlScalar(func(p *Project) any { return jsonText(p.description) }),
		"visibility":  gqlScalar(func(p *Project) any { return p.visibility }),
		"archived":    gqlScalar(func(p *Project) any { return p.archived }),
		"webUrl":      gqlScalar(func(p *Project) any { return p.webURL() }),
		"createdAt":   gqlScalar(func(p *Project) any { return jsonTime(p.createdAt) }),
		"group": {Type: t.group, Resolve: func(c *call, of any, _ graphql.Args) (any, error) {
			return c.visible(of.(*Project).group), nil
		}},
		"pipelines": {Type: graphql.Connection(t.pipeline), Args: graphql.PageArgs("ref", "String", "status", "String"),
			Resolve: projectPipelines},
		"jobs": {Type: graphql.Connection(t.job), Args: graphql.PageArgs("statuses", "[String]"),
			Resolve: func(_ *call, of any, args graphql.Args) (any, error) {
				return jobPageOf(args, of.(*Project).jobs)
			}},
		"terraformState": {Type: t.terraform, Args: map[string]string{"name": "String!"}, Resolve: getTerraformState},
		"terraformStates": {Type: graphql.Connection(t.terraform), Args: graphql.PageArgs(),
			Resolve: listTerraformStates},
	}
	if t.premium {
		fields["targetBranchRules"] = &gqlField{Type: graphql.Connection(t.targetRule), Args: graphql.PageArgs(),
			Resolve: listTargetRules}
	}
	return fields
}

func projectPipelines(_ *call, of any, args graphql.Args) (any, error) {
	ref, err := args.String("ref")
	status, wrong := args.String("status")
	if err = errors.Join(err, wrong); err != nil {
		return nil, err
	}
	var found []*Pipeline
	for _, p := range slices.Backward(of.(*Project).pipelines) {
		if p.settle(); (ref == "" || p.ref == ref) && (status == "" || strings.EqualFold(p.status, status)) {
			found = append(found, p)
		}
	}
	return graphql.PageOf(args, found, true, func(p *Pipeline) int64 { return p.id })
}

func (t *gqlTypes) pipelineFields() map[string]*gqlField {
	return map[string]*gqlField{
		"id":        gqlScalar(func(p *Pipeline) any { return p.project.svc.gid("Ci::Pipeline", p.id) }),
		"ref":       gqlScalar(func(p *Pipeline) any { return p.ref }),
		"sha":       gqlScalar(func(p *Pipeline) any { return p.commit.SHA }),
		"status":    gqlScalar(func(p *Pipeline) any { p.settle(); return strings.ToUpper(p.status) }),
		"createdAt": gqlScalar(func(p *Pipeline) any { return jsonTime(p.createdAt) }),
		"updatedAt": gqlScalar(func(p *Pipeline) any { return jsonTime(p.updatedAt) }),
		"user":      graphql.Object(t.user, func(p *Pipeline) any { return orNull(p.user) }),
		"project":   graphql.Object(t.project, func(p *Pipeline) any { return p.project }),
		"jobs": {Type: graphql.Connection(t.job), Args: graphql.PageArgs("statuses", "[String]"),
			Resolve: func(_ *call, of any, args graphql.Args) (any, error) {
				return jobPageOf(args, of.(*Pipeline).jobs)
			}},
	}
}

// jobPageOf returns a page of jobs. The jobs must be in ascending order.
func jobPageOf(args graphql.Args, jobs []*Job) (any, error) {
	statuses, isList := args["statuses"].([]any)
	if !isList && args["statuses"] != nil {
		statuses = []any{args["statuses"]} // a single value stands for a list
	}
	var found []*Job
	for _, j := range slices.Backward(jobs) {
		isAsked := func(status any) bool { return strings.EqualFold(fmt.Sprint(status), j.status) }
		if args["statuses"] == nil || slices.ContainsFunc(statuses, isAsked) {
			found = append(found, j)
		}
	}
	return graphql.PageOf(args, found, true, func(j *Job) int64 { return j.id })
}

func (t *gqlTypes) jobFields() map[string]*gqlField {
	return map[string]*gqlField{
		"id":           gqlScalar(func(j *Job) any { return j.pipeline.project.svc.gid("Ci::Build", j.id) }),
		"name":         gqlScalar(func(j *Job) any { return j.name }),
		"stage":        gqlScalar(func(j *Job) any { return j.stage }),
		"status":       gqlScalar(func(j *Job) any { return strings.ToUpper(j.status) }),
		"allowFailure": gqlScalar(func(j *Job) any { return j.allowFailure }),
		"createdAt":    gqlScalar(func(j *Job) any { return jsonTime(j.createdAt) }),
		"startedAt":    gqlScalar(func(j *Job) any { return jsonTime(j.startedAt) }),
		"finishedAt":   gqlScalar(func(j *Job) any { return jsonTime(j.finishedAt) }),
		"pipeline":     graphql.Object(t.pipeline, func(j *Job) any { return j.pipeline }),
	}
}

// A gqlJobPayload is the result of a mutation of a job.
type gqlJobPayload struct {
	job      *Job
	problems []string
	clientID any
}

func (t *gqlTypes) mutationFields() map[string]*gqlField {
	payload := &gqlType{Name: "JobPayload", Fields: map[string]*gqlField{
		"job":              graphql.Object(t.job, func(p *gqlJobPayload) any { return orNull(p.job) }),
		"errors":           gqlScalar(func(p *gqlJobPayload) any { return p.problems }),
		"clientMutationId": gqlScalar(func(p *gqlJobPayload) any { return p.clientID }),
	}}
	input := map[string]string{"input": "JobInput!"}
	return map[string]*gqlField{
		"jobCancel": {Type: payload, Args: input, Resolve: jobMutation(func(_ *call, j *Job) (*Job, string) {
			j.cancel()
			return j, ""
		})},
		"jobRetry": {Type: payload, Args: input, Resolve: jobMutation(func(c *call, j *Job) (*Job, string) {
			if !j.retryable() {
				return nil, "Job is not retryable"
			}
			return j.retry(c.user), ""
		})},
	}
}

const noResource = graphql.Failure("The resource that you are attempting to access does not exist or you don't " +
	"have permission to perform this action")

// jobMutation makes a mutation from a function that changes a job. If the state of the
// job forbids the change, the error is in the payload and not among the errors of the
// response.
func jobMutation(change func(*call, *Job) (*Job, string)) func(*call, any, graphql.Args) (any, error) {
	return func(c *call, _ any, args graphql.Args) (any, error) {
		input, _ := args["input"].(map[string]any)
		name, err := graphql.Args(input).String("id")
		if err != nil {
			return nil, err
		}
		number, _ := strings.CutPrefix(name, c.svc.gidPrefix("Ci::Build"))
		id, _ := strconv.ParseInt(number, 10, 64)
		job, ok := state[jobState](c.svc).jobs.get(id)
		if !ok || job.bridge || job.external != nil || c.svc.projectLevel(c.user, job.pipeline.project) < Developer {
			return nil, noResource
		}
		if job.pipeline.project.archived {
			return nil, noResource
		}
		payload := &gqlJobPayload{problems: []string{}, clientID: input["clientMutationId"]}
		changed, problem := change(c, job)
		if payload.job = changed; problem != "" {
			payload.problems = append(payload.problems, problem)
		}
		return payload, nil
	}
}
