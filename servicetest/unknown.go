package servicetest

// FailOnUnknownRoute makes the test fail at its end if the service received a
// request for an endpoint that the API does not have. Without it, code that
// takes a 404 for "there is none" passes its tests with a misspelled path. The
// responses stay the same: 404, or 405 if only the method is wrong. A request
// that a fault responds to does not count. FailOnUnknownRoute works with a TB
// that has the method Errorf, such as *testing.T, and does nothing otherwise.
func FailOnUnknownRoute() Option {
	return func(s *settings) { s.strict = true }
}

// failOnUnknown implements FailOnUnknownRoute at the end of a test.
func (s *Service) failOnUnknown() {
	tb, ok := s.tb.(interface {
		Errorf(format string, args ...any)
	})
	if lines := s.unknown.List(); ok && lines != "" {
		tb.Errorf("servicetest: the API has no such route:\n%s", lines)
	}
}
