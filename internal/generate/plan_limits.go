package main

import (
	"fmt"
	"go/format"
	"os"
	"path/filepath"
	"strings"
)

const (
	planLimitsHead = `// Code generated from testdata/plan-limits.tsv by go generate; DO NOT EDIT.

package serviceapi

// PlanLimits are the limits of a plan. 0 means no limit. A limit that a release does not have is nil:
// older ones have only the sizes of packages.
type PlanLimits struct {
`
	planLimitsMiddle = `	// LimitsHistory has former values of the limits of storage, by their names in the API.
	LimitsHistory map[string][]*PlanLimitChange ` + "`json:\"limits_history\"`" + `
}

// ChangePlanLimitsOptions changes the limits of a plan. PlanName is required. Nil fields are left
// unchanged, and 0 lifts a limit. See [PlanLimits] for the units.
type ChangePlanLimitsOptions struct {
	PlanName string ` + "`json:\"plan_name\" required:\"true\"`" + `
`
)

// typesOfPlanLimits returns the source of the two types that have all limits of a plan.
func typesOfPlanLimits(root string) (map[string]string, error) {
	data, err := os.ReadFile(filepath.Join(root, "testdata", "plan-limits.tsv"))
	if err != nil {
		return nil, err
	}
	var result, options strings.Builder
	for line := range strings.Lines(string(data)) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if strings.HasPrefix(line, "#") {
			continue
		}
		if c[2] != "" {
			result.WriteString("\t// " + c[2] + "\n")
		}
		field := fieldOfSetting(c[0]) + " *" + c[1]
		fmt.Fprintf(&result, "\t%s `json:%q`\n", field, c[0])
		fmt.Fprintf(&options, "\t%s `json:%q`\n", field, c[0]+",omitzero")
	}
	text, err := format.Source([]byte(planLimitsHead + result.String() + planLimitsMiddle + options.String() + "}\n"))
	return map[string]string{"plan_limits.go": string(text)}, err
}
