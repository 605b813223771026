package servicetest

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// A product is another product to import from.
type product struct {
	kind, namespace string // the name in import_sources, and the parameter with the namespace
	required        []string
	errors          bool // refusals are {errors: string}, not {message: {error: string}}
}

var (
	fromGitHub = product{kind: "github", namespace: "target_namespace", errors: true,
		required: []string{"personal_access_token", "repo_id", "target_namespace"}}
	fromBitbucket = product{kind: "bitbucket", namespace: "target_namespace",
		required: []string{"repo_path", "target_namespace"}}
	fromBitbucketServer = product{kind: "bitbucket_server", namespace: "new_namespace",
		required: []string{"bitbucket_server_url", "bitbucket_server_username", "personal_access_token",
			"bitbucket_server_project", "bitbucket_server_repo"}}
)

// refuse refuses in the words of the product.
func (p product) refuse(status int, text string) *reply {
	if p.errors {
		return frame.JSONReply(status, object{"errors": text})
	}
	return frame.JSONReply(status, object{"message": object{"error": text}})
}

// start starts an import. Every token but "wrong" is accepted, and every repository is empty.
func (p product) start(c *call) *reply {
	c.Require(p.required...)
	frame.Accept(c.String, "bitbucket_email", "bitbucket_username", "bitbucket_server_url",
		"bitbucket_server_username", "bitbucket_server_project", "github_hostname")
	repository, source := c.Int64("repo_id"), either(c.String("repo_path"), c.String("bitbucket_server_repo"))
	if p.kind == "github" {
		source = fmt.Sprint("octo/repo-", repository)
		stages := c.Sub("optional_stages")
		frame.Accept(stages.Bool, "single_endpoint_notes_import", "attachments_import", "collaborators_import")
		if n := c.Int64OrNil("pagination_limit"); n != nil && (*n < 1 || *n > 100) {
			c.Problem("pagination_limit does not have a valid value")
		}
	}
	frame.AcceptIn(c.StringIn, "timeout_strategy", "pessimistic", "optimistic")
	name, namespace := c.String("new_name"), c.String(p.namespace)
	token := cmp.Or(c.String("personal_access_token"), c.String("bitbucket_api_token"),
		c.String("bitbucket_app_password"))
	if token == "" {
		c.Problem("bitbucket_api_token, bitbucket_app_password are missing, at least one parameter must be provided")
	}
	allowed := c.svc.instance().list("import_sources")
	group, owner := c.svc.findGroup(namespace), c.user
	switch {
	case c.Refusal() != nil:
		return c.Refusal()
	case !slices.Contains(allowed, p.kind):
		return frame.Forbidden("")
	case token == "wrong":
		return p.refuse(http.StatusUnprocessableEntity, "Access denied to the repository")
	case namespace != "" && namespace != c.user.username && group == nil:
		return p.refuse(http.StatusUnprocessableEntity, "Namespace or group to import repository into does not exist.")
	case group != nil && c.svc.groupLevel(c.user, group) < Maintainer:
		return p.refuse(http.StatusUnprocessableEntity, "You are not allowed to import projects in this namespace.")
	case group != nil:
		owner = nil
	}
	_, last := split(source)
	path := either(name, last)
	if refusal := c.makeRoom(group, owner, path, false); refusal != nil {
		return refusal
	}
	project := c.svc.newProject(group, owner, path, []ProjectOption{EmptyRepository()})
	project.creator = c.user
	i := &projectImport{source: source}
	c.svc.schedule(project, i)
	i.kind = p.kind
	return c.Created(i.product(project))
}

// product is what imports from other products show.
func (i *projectImport) product(p *Project) object {
	return object{"id": p.id, "name": p.name, "full_path": "/" + p.fullPath(), "full_name": p.fullPath(),
		"refs_url": "/" + p.fullPath() + "/refs", "forked": false, "import_source": i.source, "import_status": i.status,
		"human_import_status_name": i.status, "provider_link": "/" + i.source, "import_error": jsonText(i.failure),
		"import_warning": nil, "relation_type": "owned"}
}

func cancelGitHubImport(c *call) *reply {
	c.Require("project_id")
	p, ok := c.svc.projects.get(c.Int64("project_id"))
	i := state[imports](c.svc).of[p]
	switch {
	case c.Refusal() != nil:
		return c.Refusal()
	case !ok || !c.svc.canSeeProject(c.user, p) || i == nil:
		return frame.NotFound("Project")
	case c.svc.projectLevel(c.user, p) < Owner:
		return frame.Forbidden("")
	case i.status != "scheduled" && i.status != "started":
		return frame.Message(http.StatusBadRequest, "The import cannot be canceled because it is "+i.status)
	}
	i.status = "canceled"
	return c.OK(i.product(p))
}

// gistState says when the imports of gists end.
type gistState struct{ until map[*User]time.Time }

func importGists(c *call) *reply {
	token := c.RequiredString("personal_access_token")
	all := state[gistState](c.svc)
	switch {
	case c.Refusal() != nil:
		return c.Refusal()
	case token == "wrong":
		return fromGitHub.refuse(http.StatusUnauthorized, "Access denied to the GitHub account.")
	case c.now().Before(all.until[c.user]):
		return fromGitHub.refuse(http.StatusUnprocessableEntity, "Import already in progress")
	}
	put(&all.until, c.user, c.now().Add(ImportStartedFor))
	return c.Accepted(http.StatusAccepted)
}

// A relationImport imports a relation again. Nothing is read from its file.
type relationImport struct {
	record[*Project]

	relation, status string
}

var relationImports = shelved(collection.Table[*call, *Project, relationImport]{
	Home: (*call).project,
	Fields: dated(
		collection.Shown("project_path", func(i *relationImport) string { return i.home.fullPath() }),
		collection.Text("relation", func(i *relationImport) *string { return &i.relation }),
		collection.Text("status", func(i *relationImport) *string { return &i.status }),
	),
})

func importRelation(c *call) *reply {
	frame.Accept(c.RequiredFile, "file")
	c.Require("path", "relation")
	p, relation := c.svc.findProject(c.String("path")), c.String("relation")
	unfinished := func(i *relationImport) bool { return i.status != "finished" }
	switch {
	case c.Refusal() != nil:
		return c.Refusal()
	case p == nil || !c.svc.canSeeProject(c.user, p):
		return frame.Message(http.StatusNotFound, "Project not found")
	case c.svc.projectLevel(c.user, p) < Maintainer:
		return frame.Forbidden("")
	case !slices.Contains([]string{"issues", "merge_requests", "milestones", "ci_pipelines"}, relation):
		return frame.Message(http.StatusBadRequest,
			"Imported relation must be one of issues, merge_requests, milestones, ci_pipelines")
	case slices.ContainsFunc(recordsOf[relationImport](c.svc, p), unfinished):
		return frame.Conflict("A relation import is already in progress for this project")
	}
	i := shelve(c.svc, p, &relationImport{relation: relation, status: "created"})
	c.svc.later(ImportStartedFor, func() {
		i.status, i.updatedAt = "finished", c.svc.now()
	})
	return c.Created(relationImports.Form(c, p, i))
}

// exportUsage shows who has the current license, and how many users there are today.
func exportUsage(c *call) *reply {
	lines := [][]string{{"License Key", "none"}}
	if all := state[licenseState](c.svc).licenses.all(nil); len(all) > 0 {
		l := all[len(all)-1]
		lines = [][]string{{"License Key", l.Text()}, {"Email", l.Email}, {"Company", l.Company}}
	}
	lines = append(lines, []string{"Date", "Billable User Count"},
		[]string{c.now().Format("2006-01-02 15:04:05"), fmt.Sprint(c.svc.activeUsers())})
	return textContent([]byte(csvText(lines)), c.now()).reply(c, "license_usage.csv", "text/csv")
}

func refreshBillable(c *call, _ *license) *reply {
	return c.Accepted(object{"success": true})
}
