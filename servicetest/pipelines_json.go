package servicetest

import (
	"bytes"
	"encoding/xml"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// pipelineSummary is the JSON of a pipeline in jobs.
type pipelineSummary struct {
	ID        int64  `json:"id"`
	ProjectID int64  `json:"project_id"`
	Ref       string `json:"ref"`
	SHA       string `json:"sha"`
	Status    string `json:"status"`
}

func (p *Pipeline) summary() pipelineSummary {
	p.settle()
	return pipelineSummary{p.id, p.project.id, p.ref, p.commit.SHA, p.status}
}

// pipelineDetails is the JSON of a pipeline in bridges and job-token lookups.
type pipelineDetails struct {
	pipelineSummary

	CreatedAt jsonTime `json:"created_at"`
	UpdatedAt jsonTime `json:"updated_at"`
	WebURL    string   `json:"web_url"`
}

func (p *Pipeline) details() *pipelineDetails {
	if p == nil {
		return nil
	}
	return &pipelineDetails{
		pipelineSummary: p.summary(), CreatedAt: jsonTime(p.createdAt), UpdatedAt: jsonTime(p.updatedAt),
		WebURL: p.project.webURL("-/pipelines", strconv.FormatInt(p.id, 10)),
	}
}

// pipelineBrief is the JSON of a pipeline in commits.
type pipelineBrief struct {
	ID        int64    `json:"id"`
	IID       int64    `json:"iid"`
	ProjectID int64    `json:"project_id"`
	Status    string   `json:"status"`
	Source    string   `json:"source"`
	Ref       string   `json:"ref"`
	SHA       string   `json:"sha"`
	WebURL    string   `json:"web_url"`
	CreatedAt jsonTime `json:"created_at"`
	UpdatedAt jsonTime `json:"updated_at"`
}

// pipelineEntry is the JSON of a pipeline in lists.
type pipelineEntry struct {
	pipelineBrief

	Name jsonText `json:"name"`
}

func (p *Pipeline) entry() pipelineEntry {
	d := p.details()
	return pipelineEntry{
		pipelineBrief: pipelineBrief{
			ID: p.id, IID: p.iid, ProjectID: p.project.id, Status: p.status, Source: p.source, Ref: p.ref,
			SHA:    p.commit.SHA,
			WebURL: d.WebURL, CreatedAt: d.CreatedAt, UpdatedAt: d.UpdatedAt,
		},
		Name: jsonText(p.name),
	}
}

// noCommit is the hash that means no commit.
const noCommit = "0000000000000000000000000000000000000000"

// object returns the JSON of a single pipeline.
func (p *Pipeline) object() jsonBytes {
	started, finished := p.period()
	return joined(p.entry(), inOrder("before_sha", noCommit, "tag", p.tag, "yaml_errors", jsonText(p.yamlErrors),
		"user", p.user.summary(), "started_at", jsonTime(started), "finished_at", jsonTime(finished),
		"committed_at", nil, "duration", wholeSeconds(started, finished), "queued_duration", p.queued(),
		"coverage", p.coverage(), "detailed_status", p.detailedStatus()))
}

// wholeSeconds is like seconds, without the fraction: pipelines have none, unlike jobs.
func wholeSeconds(from, to time.Time) *int64 {
	if from.IsZero() || to.IsZero() {
		return nil
	}
	return new(int64(to.Sub(from) / time.Second))
}

// queued returns how long the pipeline waited for its first job, or null if that is less
// than a second or not known yet.
func (p *Pipeline) queued() *int64 {
	started, _ := p.period()
	waited := wholeSeconds(p.createdAt, started)
	if waited == nil || *waited == 0 {
		return nil
	}
	return waited
}

// coverage returns the mean of the coverage of the jobs, or "" if no job
// measured it.
func (p *Pipeline) coverage() jsonText {
	sum, n := 0.0, 0
	for _, job := range p.all() {
		if job.coverage != nil && !job.retried {
			sum, n = sum+*job.coverage, n+1
		}
	}
	if n == 0 {
		return ""
	}
	return jsonText(strconv.FormatFloat(sum/float64(n), 'f', 2, 64))
}

// detailedStatus returns the JSON of the status as the web interface shows it.
func (p *Pipeline) detailedStatus() *collection.Form {
	text := statusLabel(p.status)
	return inOrder("icon", "status_"+p.status, "text", text, "label", text, "group", p.status, "tooltip", text,
		"has_details", true, "details_path", "/"+p.project.fullPath()+"/-/pipelines/"+frame.Itoa(p.id),
		"illustration", nil, "favicon", "/assets/favicon_status_"+p.status+".png")
}

// period returns when the pipeline's jobs started and ended. The times are zero if they
// did not.
func (p *Pipeline) period() (started, finished time.Time) {
	p.settle()
	for _, job := range p.all() {
		if !job.startedAt.IsZero() && (started.IsZero() || job.startedAt.Before(started)) {
			started = job.startedAt
		}
		if job.finishedAt.After(finished) {
			finished = job.finishedAt
		}
	}
	if p.unfinished() || p.status == "manual" {
		finished = time.Time{}
	}
	return started, finished
}

// testCounts are the numbers that reports and suites have in common.
type testCounts struct {
	TotalTime    float64 `json:"total_time"`
	TotalCount   int     `json:"total_count"`
	SuccessCount int     `json:"success_count"`
	FailedCount  int     `json:"failed_count"`
	SkippedCount int     `json:"skipped_count"`
	ErrorCount   int     `json:"error_count"`
}

type testReport struct {
	testCounts

	TestSuites []testSuite `json:"test_suites"`
}

type testSuite struct {
	Name string `json:"name"`
	testCounts

	SuiteError jsonText           `json:"suite_error"`
	TestCases  []*collection.Form `json:"test_cases"`

	job int64
}

// testReport joins the test reports of the jobs that were not retried.
func (p *Pipeline) testReport() testReport {
	report := testReport{TestSuites: []testSuite{}}
	for _, job := range p.jobs {
		job.expire()
		if job.junit == nil || job.retried {
			continue
		}
		suite := readJUnit(job.name, job.junit)
		suite.job = job.id
		report.add(suite.testCounts)
		report.TestSuites = append(report.TestSuites, suite)
	}
	return report
}

func (c *testCounts) add(other testCounts) {
	c.TotalTime += other.TotalTime
	c.TotalCount += other.TotalCount
	c.SuccessCount += other.SuccessCount
	c.FailedCount += other.FailedCount
	c.SkippedCount += other.SkippedCount
	c.ErrorCount += other.ErrorCount
}

// junitCase is a test in a JUnit report.
type junitCase struct {
	Name      string       `xml:"name,attr"`
	Classname string       `xml:"classname,attr"`
	File      string       `xml:"file,attr"`
	Time      float64      `xml:"time,attr"`
	Failure   *junitOutput `xml:"failure"`
	Error     *junitOutput `xml:"error"`
	Skipped   *junitOutput `xml:"skipped"`
}

type junitOutput struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// readJUnit reads the tests of a report, at any depth.
func readJUnit(name string, report *content) testSuite {
	suite := testSuite{Name: name, TestCases: []*collection.Form{}}
	decoder := xml.NewDecoder(bytes.NewReader(report.text))
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return suite
		}
		start, isStart := token.(xml.StartElement)
		if isStart && start.Name.Local == "testcase" {
			var found junitCase
			if err = decoder.DecodeElement(&found, &start); err == nil {
				suite.addCase(found)
			}
		}
		if err != nil {
			return testSuite{Name: name, SuiteError: "The report cannot be parsed", TestCases: []*collection.Form{}}
		}
	}
}

func (s *testSuite) addCase(found junitCase) {
	status, text := "success", ""
	counts := testCounts{TotalTime: found.Time, TotalCount: 1}
	output := found.Failure
	switch {
	case found.Failure != nil:
		status, counts.FailedCount = "failed", 1
	case found.Error != nil:
		status, counts.ErrorCount, output = "error", 1, found.Error
	case found.Skipped != nil:
		status, counts.SkippedCount, output = "skipped", 1, found.Skipped
	default:
		counts.SuccessCount = 1
	}
	if output != nil {
		text = either(strings.TrimSpace(output.Text), output.Message)
	}
	s.add(counts)
	s.TestCases = append(s.TestCases, inOrder("status", status, "name", found.Name, "classname", found.Classname,
		"execution_time", found.Time, "system_output", jsonText(text), "stack_trace", nil,
		"file", jsonText(found.File), "attachment_url", nil, "recent_failures", nil))
}

// pipelineStatuses are the values of the parameter status.
var pipelineStatuses = []string{
	"created", "waiting_for_resource", "preparing", "pending", "running", "success", "failed", "canceled", "skipped",
	"manual", "scheduled",
	"canceling", "waiting_for_callback",
}

// choosePipelines returns the pipelines that a list selects, in its order.
func (c *call) choosePipelines(project *Project) []*Pipeline {
	scope := c.StringIn("scope", "running", "pending", "finished", "branches", "tags")
	status, source := c.StringIn("status", pipelineStatuses...), c.String("source")
	ref, sha, username, name := c.String("ref"), c.String("sha"), c.String("username"), c.String("name")
	updated, created := c.during("updated"), c.during("created")
	broken := c.Bool("yaml_errors")
	var found []*Pipeline
	for _, p := range project.pipelines {
		p.settle()
		kept := (status == "" || p.status == status) && (ref == "" || p.ref == ref) &&
			(sha == "" || p.commit.SHA == sha) &&
			(username == "" || p.user != nil && p.user.username == username) && (name == "" || p.name == name) &&
			(source == p.source || source == "" && p.source != "parent_pipeline") &&
			(!c.Has("yaml_errors") || broken == (p.yamlErrors != "")) &&
			updated.includes(p.updatedAt) && created.includes(p.createdAt) && p.inScope(scope)
		if kept {
			found = append(found, p)
		}
	}
	if scope == "branches" || scope == "tags" {
		found = latestOfEach(found)
	}
	collection.Sort(c.Fields, found, "desc", (*Pipeline).ID, pipelineOrders)
	return found
}

// inScope reports whether the pipeline is in a scope. The scopes branches and tags
// depend only on the kind of the ref.
func (p *Pipeline) inScope(scope string) bool {
	switch scope {
	case "running", "pending":
		return p.status == scope
	case "finished":
		return slices.Contains([]string{"success", "failed", "canceled", "skipped"}, p.status)
	case "branches", "tags":
		return p.tag == (scope == "tags")
	}
	return true
}

// latestOfEach keeps the newest pipeline of each ref.
func latestOfEach(pipelines []*Pipeline) []*Pipeline {
	newest := make(map[string]*Pipeline)
	for _, p := range pipelines {
		newest[p.ref] = p
	}
	return slices.DeleteFunc(pipelines, func(p *Pipeline) bool { return newest[p.ref] != p })
}

// A span is the time between two parameters. It includes both ends, and either
// can be zero.
type span struct{ after, before time.Time }

// during reads the parameters name_after and name_before.
func (c *call) during(name string) span {
	return span{c.Time(name + "_after"), c.Time(name + "_before")}
}

func (s span) includes(at time.Time) bool {
	return (s.after.IsZero() || !at.Before(s.after)) && (s.before.IsZero() || !at.After(s.before))
}

// pipelineOrders are the orders of a list of pipelines. The default is by descending ID.
var pipelineOrders = []collection.Order[Pipeline]{
	collection.By("id", (*Pipeline).ID),
	collection.By("status", func(p *Pipeline) string { return p.status }),
	collection.By("ref", (*Pipeline).Ref),
	collection.ByTime("updated_at", func(p *Pipeline) time.Time { return p.updatedAt }),
	collection.By("user_id", (*Pipeline).userID),
}

// userID returns the ID of the user who started the pipeline, or 0 for nobody.
func (p *Pipeline) userID() int64 {
	if p.user == nil {
		return 0
	}
	return p.user.id
}
