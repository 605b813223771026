// Package wiretests has the tests of single calls: what each method sends, exactly, and what
// becomes of a response with every field. They use the client as a program does. Tests that need
// something unexported stay beside what they test.
package wiretests
