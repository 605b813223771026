package servicetest

import (
	"os"
	"strings"
	"testing"
)

// TestEveryEndpointIsServed holds the routes against the list of endpoints.
func TestEveryEndpointIsServed(t *testing.T) {
	list, err := os.ReadFile("../testdata/endpoints.tsv")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(string(list)) {
		cells := strings.Split(line, "\t")
		if strings.HasPrefix(line, "#") || len(cells) < 3 {
			continue
		}
		rows++
		template := cells[1] + " " + cells[2]
		if allRoutes().lookup(template) == nil {
			t.Errorf("%s: nothing serves %s", cells[0], template)
		}
	}
	if rows < 100 {
		t.Errorf("only %d endpoints in the list", rows)
	}
}
