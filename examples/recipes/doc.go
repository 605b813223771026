// Package recipes has the recipes of the cookbook, docs/cookbook.md in the
// repository, and examples for every area and for most options of a client or a
// call, beside those on the page of package serviceapi. All run as tests, against
// the embedded service.
package recipes
