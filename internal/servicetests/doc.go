// Package servicetests has the tests of the client and the embedded service
// together. After them, everything that the service sent is compared with the
// types of the library.
package servicetests
