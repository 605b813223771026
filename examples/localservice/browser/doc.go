// Package browser has the tests of the page of localservice in a real browser, headless
// Chromium. They are in a module of their own, so that users of the library do not depend on
// what drives the browser. Where there is no Chromium, they are skipped.
//
// The screenshots of the README are made by
//
//	go test -run Screenshots . -args -screenshots ..
package browser
