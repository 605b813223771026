// Package parts changes and hands on parts of results and of events: objects that may be null, structs
// without a name, times and texts that have another type in this library.
package parts

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	gitlab "gitlab.com/gitlab-org/api/client-go"
)

const labelEvents = `[{"id":1,"created_at":"2026-03-01T10:20:30.000Z","resource_type":"Issue","resource_id":3,
"action":"add","user":{"id":5,"username":"ada"},"label":{"id":9,"name":" bug ","color":"#ff0000"}},
{"id":2,"created_at":"2026-03-02T10:20:30.000Z","resource_type":"Issue","resource_id":3,
"action":"add","user":{"id":5,"username":"ada"},"label":null}]`

const build = `{"object_kind":"build","ref":"main","build_id":4,"build_name":"test","build_status":"success",
"build_created_at":"2026-03-01 10:20:30 UTC","build_started_at":null,"project_id":7,
"commit":{"id":4,"sha":"abc"},"repository":{"name":"Shop"}}`

const pipeline = `{"object_kind":"pipeline","object_attributes":{"id":31,"status":"success",
"created_at":"2026-03-01 10:20:30 UTC","finished_at":"2026-03-01 10:25:30 +0200"},
"project":{"id":7,"path_with_namespace":"acme/shop"},"commit":null,
"builds":[{"id":1,"name":"test","created_at":"2026-03-01 10:20:30 UTC","user":{"username":"ada"},
"runner":null}]}`

const issue = `{"object_kind":"issue","user":{"username":"ada"},"project":{"id":7,"visibility_level":20},
"object_attributes":{"id":1,"iid":3,"title":"Slow","state":"opened","created_at":"2026-03-01T10:20:30Z",
"updated_at":"2026-03-01 10:20:31 UTC"}}`

// A labeled event is one of the program, which holds a copy.
type labeled struct{ gitlab.LabelEvent }

// serve answers with texts by path.
func serve() *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch {
		case strings.HasSuffix(r.URL.Path, "/resource_label_events"):
			fmt.Fprint(w, labelEvents)
		case strings.HasSuffix(r.URL.Path, "/commits/none"):
			fmt.Fprint(w, `{"id":"none","status":null}`)
		case strings.HasSuffix(r.URL.Path, "/commits/some"):
			fmt.Fprint(w, `{"id":"some","status":"success","created_at":"2026-03-01T10:20:30Z",
"authored_date":"2026-03-01T10:20:30Z"}`)
		case strings.HasSuffix(r.URL.Path, "/issues/3"):
			fmt.Fprint(w, `{"id":1,"iid":3,"project_id":7,"labels":[]}`)
		}
	}))
}

// labels cleans up the names of labels in copies of events.
func labels(client *gitlab.Client, out *strings.Builder) error {
	events, _, err := client.ResourceLabelEvents.ListIssueLabelEvents(7, 3, nil)
	if err != nil {
		return err
	}
	for _, e := range events {
		clean := labeled{*e}
		clean.Label.Name = strings.TrimSpace(clean.Label.Name)
		clean.Label.ID++
		fmt.Fprintf(out, "%q %d %q\n", clean.Label.Name, clean.Label.ID, e.Label.Name)
		rename(&e.Label.Name)
		fmt.Fprintf(out, "%q %q\n", e.Label.Name, e.Label.Color)
	}
	return nil
}

func rename(name *string) { *name = "new" }

// A check has the state of a commit, which is null without a pipeline, and times that may be missing.
type check struct {
	Status  *gitlab.BuildStateValue
	Created *time.Time
	Author  *time.Time
}

func (c check) hasTimes() bool { return c.Created != nil && c.Author != nil }

func statuses(client *gitlab.Client, out *strings.Builder) error {
	for _, sha := range []string{"none", "some"} {
		commit, _, err := client.Commits.GetCommit(7, sha, nil)
		if err != nil {
			return err
		}
		authored := commit.AuthoredDate
		c := check{Status: commit.Status, Created: commit.CreatedAt}
		c.Author = authored
		fmt.Fprintln(out, c.hasTimes())
		if c.Status == nil {
			fmt.Fprintln(out, "no pipeline")
			continue
		}
		fmt.Fprintln(out, *c.Status)
	}
	found, _, err := client.Issues.GetIssue(7, 3)
	if err != nil {
		return err
	}
	list := []string(found.Labels)
	fmt.Fprintln(out, list == nil, len(list))
	return nil
}

// builds shows the times of jobs as they were sent.
func builds(payload string, out *strings.Builder) error {
	event, err := gitlab.ParseWebhook("Job Hook", []byte(payload))
	if err != nil {
		return err
	}
	job := event.(*gitlab.JobEvent)
	started := job.BuildStartedAt
	created, err := time.Parse("2006-01-02 15:04:05 MST", job.BuildCreatedAt)
	fmt.Fprintf(out, "%s %q %q %v %v\n", job.BuildCreatedAt, started, job.Repository.Name, created.Unix(), err)
	return nil
}

// pipelines reads structs without a name through variables.
func pipelines(payload string, out *strings.Builder) error {
	event, err := gitlab.ParseWebhook("Pipeline Hook", []byte(payload))
	if err != nil {
		return err
	}
	p := event.(*gitlab.PipelineEvent)
	attributes := p.ObjectAttributes
	fmt.Fprintln(out, attributes.ID, attributes.Status, attributes.CreatedAt, attributes.FinishedAt)
	project := p.Project
	fmt.Fprintln(out, project.PathWithNamespace)
	for _, b := range p.Builds {
		runner := b.Runner
		fmt.Fprintln(out, b.ID, b.Name, b.CreatedAt, runner.Description, b.User.Username)
	}
	p.Commit.Message = "m"
	fmt.Fprintln(out, p.Commit.Message, p.Commit.ID)
	return nil
}

// issues reads the attributes of an event through a variable and its address.
func issues(payload string, out *strings.Builder) error {
	event, err := gitlab.ParseWebhook("Issue Hook", []byte(payload))
	if err != nil {
		return err
	}
	e := event.(*gitlab.IssueEvent)
	attributes := &e.ObjectAttributes
	fmt.Fprintln(out, attributes.Title, attributes.State, attributes.UpdatedAt)
	e.Project.Name = "Shop"
	fmt.Fprintln(out, e.Project.Name, e.Project.ID)
	return nil
}

// Run reads what it serves itself, and events.
func Run(_, token string) (string, error) {
	server := serve()
	defer server.Close()
	client, err := gitlab.NewClient(token, gitlab.WithBaseURL(server.URL))
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, show := range []func(*gitlab.Client, *strings.Builder) error{labels, statuses} {
		if err := show(client, &out); err != nil {
			return "", err
		}
	}
	for _, err := range []error{builds(build, &out), pipelines(pipeline, &out), issues(issue, &out)} {
		if err != nil {
			return "", err
		}
	}
	return out.String(), nil
}
