// Package safety shows what this client and client-go do without any option where a client
// can do harm. What its tests say of client-go is what docs/safe-by-default.md says of it.
package safety
