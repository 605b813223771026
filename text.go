package serviceapi

import (
	"maps"
	"slices"

	"example.com/serviceapi/internal/text"
)

func printable(s string, limit int) string { return text.Printable(s, limit) }

func excerpt(s string, limit int) string { return text.Excerpt(s, limit) }

func hasControl(s string) bool { return text.HasControl(s) }

// sortedKeys returns the names of a query in order.
func sortedKeys(values map[string][]string) []string {
	return slices.Sorted(maps.Keys(values))
}
