// Package wire plays the service for tests of single calls: requests are compared exactly, and
// responses come from a table or a script. It knows nothing of the client, so that the tests
// inside of its package can use it, too.
package wire
