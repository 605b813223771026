// Package recipes has the recipes of docs/cookbook.md and examples for every area
// and for most options of a client or a call, beside those on the page of package
// serviceapi. All run as tests, against the embedded service.
package recipes
