// Package wire prepares the embedded service and notes what programs send to it.
package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"example.com/serviceapi/servicetest"
)

// A Result is what a program sent and returned.
type Result struct {
	Output   string
	Requests []string
}

// Seed makes what the programs expect.
func Seed(service *servicetest.Service) {
	project := service.Project("acme/shop")
	for i := range 45 {
		service.Project(fmt.Sprintf("acme/part-%02d", i))
	}
	project.Pipeline("main").Job("test", servicetest.Failed("script_failure"), servicetest.Trace("the log"))
	for i := range 5 {
		project.Issue(fmt.Sprintf("Issue %d", i+1))
	}
	project.Commit("work", "Work", servicetest.Write("work.txt", "work\n"))
	project.MergeRequest("work", servicetest.ApprovableBy(1, service.User("reviewer")))
}

// Requests returns the requests in the order of their arrival. Both libraries write the
// same JSON in different orders of members, and the same query in different orders of
// parameters; neither matters to the service.
func Requests(service *servicetest.Service) []string {
	var lines []string
	for _, r := range service.Requests() {
		// client-go escapes dots, which means the same.
		line := r.Method + " " + strings.ReplaceAll(r.Path, "%2E", ".")
		query := r.Query
		for name, texts := range query {
			text := strings.Join(texts, "")
			if text == "" || name == "page" && text == "1" { // a filter that does not filter, the first page
				delete(query, name)
			}
		}
		if encoded := query.Encode(); encoded != "" {
			line += "?" + encoded
		}
		if len(r.Body) > 0 {
			line += " " + body(r.Body)
		}
		lines = append(lines, line)
	}
	return lines
}

func body(data []byte) string {
	var value any
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	if decoder.Decode(&value) != nil {
		return strings.ReplaceAll(string(data), "\n", `\n`)
	}
	if fields, ok := value.(map[string]any); ok {
		likeLinks(fields)
	}
	text, _ := json.Marshal(value)
	return string(text)
}

// likeLinks gives the body of a link of issues one form: client-go sends null for a type that is not
// set, and the number of the issue as a text.
func likeLinks(fields map[string]any) {
	if text, ok := fields["target_issue_iid"].(string); ok {
		fields["target_issue_iid"] = json.Number(text)
	}
	if fields["link_type"] == nil {
		delete(fields, "link_type")
	}
}
