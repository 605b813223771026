package servicetest

import (
	"bytes"
	"encoding/xml"
	"io"
	"strings"
)

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

	SuiteError jsonText   `json:"suite_error"`
	TestCases  []testCase `json:"test_cases"`
}

type testCase struct {
	Status         string   `json:"status"`
	Name           string   `json:"name"`
	Classname      string   `json:"classname"`
	ExecutionTime  float64  `json:"execution_time"`
	SystemOutput   jsonText `json:"system_output"`
	StackTrace     jsonText `json:"stack_trace"`
	File           jsonText `json:"file"`
	AttachmentURL  jsonText `json:"attachment_url"`
	RecentFailures any      `json:"recent_failures"`
}

// testReport joins the reports of the jobs that have not been retried.
func (p *Pipeline) testReport() testReport {
	report := testReport{TestSuites: []testSuite{}}
	for _, job := range p.jobs {
		job.expire()
		if job.junit == nil || job.retried {
			continue
		}
		suite := readJUnit(job.name, job.junit)
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

// junitCase is a test in a report of JUnit.
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
	suite := testSuite{Name: name, TestCases: []testCase{}}
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
			return testSuite{Name: name, SuiteError: "The report cannot be parsed", TestCases: []testCase{}}
		}
	}
}

func (s *testSuite) addCase(found junitCase) {
	made := testCase{Status: "success", Name: found.Name, Classname: found.Classname, ExecutionTime: found.Time, File: jsonText(found.File)}
	counts := testCounts{TotalTime: found.Time, TotalCount: 1}
	output := found.Failure
	switch {
	case found.Failure != nil:
		made.Status, counts.FailedCount = "failed", 1
	case found.Error != nil:
		made.Status, counts.ErrorCount, output = "error", 1, found.Error
	case found.Skipped != nil:
		made.Status, counts.SkippedCount, output = "skipped", 1, found.Skipped
	default:
		counts.SuccessCount = 1
	}
	if output != nil {
		made.SystemOutput = jsonText(either(strings.TrimSpace(output.Text), output.Message))
	}
	s.add(counts)
	s.TestCases = append(s.TestCases, made)
}
