// Package conventions has the tests of the code itself: that every endpoint and
// every parameter is served, that names, types and comments follow the conventions
// in CONTRIBUTING.md, and that the pages say what the code does.
package conventions
