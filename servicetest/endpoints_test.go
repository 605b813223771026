package servicetest

import (
	"os"
	"strings"
	"testing"
)

// A listed is a row of the list of endpoints.
type listed struct {
	area, template string
	row            int
}

func readEndpoints(t *testing.T) []listed {
	t.Helper()
	list, err := os.ReadFile("../testdata/endpoints.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var rows []listed
	for line := range strings.Lines(string(list)) {
		cells := strings.Split(line, "\t")
		if strings.HasPrefix(line, "#") || len(cells) < 3 {
			continue
		}
		rows = append(rows, listed{cells[0], cells[1] + " " + strings.TrimSpace(cells[2]), len(rows)})
	}
	if len(rows) < 100 {
		t.Fatalf("only %d endpoints in the list", len(rows))
	}
	return rows
}

// TestEveryEndpointIsServed compares the routes with the list of endpoints.
func TestEveryEndpointIsServed(t *testing.T) {
	for _, row := range readEndpoints(t) {
		if _, served := allRoutes().Lookup(row.template); !served {
			t.Errorf("%s: nothing serves %s", row.area, row.template)
		}
	}
}

// TestEndpointsAreInTheOrderOfTheList checks that all routes are listed, and
// that the routes of an area are in the order of the list.
func TestEndpointsAreInTheOrderOfTheList(t *testing.T) {
	rows := make(map[string]listed)
	for _, row := range readEndpoints(t) {
		served, ok := allRoutes().Lookup(row.template)
		if _, seen := rows[served]; ok && !seen {
			rows[served] = row
		}
	}
	last := make(map[string]listed)
	for _, made := range endpoints() {
		row, isListed := rows[made.template]
		if !isListed {
			t.Errorf("%s is not in the list of endpoints", made.template)
			continue
		}
		if before := last[row.area]; before.row > row.row {
			t.Errorf("%s comes before %s in the list", row.template, before.template)
		}
		last[row.area] = row
	}
}
