// Package interop lets a client that other people wrote, client-go, work
// against the embedded service over real HTTP. Its tests call every endpoint,
// walk every list page by page, hold what the client decoded against what was
// seeded, and against every member of the answer.
//
// Where that client and the specification of the service differ, the
// specification wins: known_test.go lists these places.
package interop
