package serviceapi

import (
	"bytes"
	"encoding/json"

	"example.com/serviceapi/internal/jsonx"
	"github.com/go-json-experiment/json/jsontext"
)

// TestReport is what the tests of a pipeline's jobs reported.
type TestReport struct {
	// TotalTime is in seconds.
	TotalTime    float64 `json:"total_time"`
	TotalCount   int     `json:"total_count"`
	SuccessCount int     `json:"success_count"`
	FailedCount  int     `json:"failed_count"`
	SkippedCount int     `json:"skipped_count"`
	// ErrorCount is the number of tests that ended with an error rather than a
	// failure.
	ErrorCount int          `json:"error_count"`
	TestSuites []*TestSuite `json:"test_suites"`
}

// TestSuite is what the tests of one job reported.
type TestSuite struct {
	// Name is the name of the job.
	Name string `json:"name"`
	// TotalTime is in seconds.
	TotalTime    float64 `json:"total_time"`
	TotalCount   int     `json:"total_count"`
	SuccessCount int     `json:"success_count"`
	FailedCount  int     `json:"failed_count"`
	SkippedCount int     `json:"skipped_count"`
	ErrorCount   int     `json:"error_count"`
	// SuiteError says why the report of the job could not be read, empty if it
	// could be read.
	SuiteError string      `json:"suite_error"`
	TestCases  []*TestCase `json:"test_cases"`
}

// TestCaseStatus is the outcome of a test.
type TestCaseStatus string

// Outcomes of a test. The service may send others.
const (
	TestCaseStatusSuccess TestCaseStatus = "success"
	TestCaseStatusFailed  TestCaseStatus = "failed"
	TestCaseStatusSkipped TestCaseStatus = "skipped"
	TestCaseStatusError   TestCaseStatus = "error"
)

// TestCase is one test.
type TestCase struct {
	Status    TestCaseStatus `json:"status"`
	Name      string         `json:"name"`
	Classname string         `json:"classname"`
	// ExecutionTime is in seconds.
	ExecutionTime float64 `json:"execution_time"`
	// SystemOutput is a JSON string, an object or null: what the test wrote, or
	// why it failed. It is nil if the service did not send it. [TestCase.Output]
	// returns it as a Go string.
	SystemOutput json.RawMessage `json:"system_output,omitzero"`
	// StackTrace, File and AttachmentURL are empty if the report has none.
	StackTrace    string `json:"stack_trace"`
	File          string `json:"file"`
	AttachmentURL string `json:"attachment_url"`
	// RecentFailures is nil if the service does not know.
	RecentFailures *RecentFailures `json:"recent_failures"`
}

// Output returns what the test wrote, or why it failed. It returns the JSON if
// the service sent an object, and "" if it sent null.
func (c *TestCase) Output() string {
	data := bytes.TrimSpace(c.SystemOutput)
	switch {
	case jsonx.IsNull(data):
		return ""
	case len(data) > 0 && data[0] == '"':
		return jsonx.Text(jsontext.Value(data))
	}
	return string(data)
}

// RecentFailures says how unreliable a test is.
type RecentFailures struct {
	// Count is the number of recent failures of the test on BaseBranch.
	Count      int    `json:"count"`
	BaseBranch string `json:"base_branch"`
}
