// Package interop tests the embedded service with a client that other people
// wrote, client-go, over real HTTP. Its tests call every endpoint, read every
// list page by page, and compare what the client decoded with what was seeded
// and with every member of the response.
//
// If that client and the specification of the service differ, the specification
// counts; known_test.go lists the differences.
package interop
