package serviceapi

import (
	"example.com/serviceapi/internal/redact"
)

// secrets returns what hides the secrets that the call has sent.
func (s *sending) redaction() *redact.Redactor {
	if !s.redacts {
		s.redactor, s.redacts = redact.Redactor{}, true
		s.redactor.Add(s.secret)
		s.addSecrets(&s.redactor)
	}
	return &s.redactor
}

// addSecrets adds the secrets of a call, except that of its header.
func (cl *call) addSecrets(r *redact.Redactor) {
	r.Add(cl.secrets...)
	if source, ok := cl.options.credential.(interface{ secrets() []string }); ok {
		r.Add(source.secrets()...)
	}
}

func (s *sending) sealRedirect(e *RedirectError) {
	e.URL, e.Location = s.redaction().Hide(e.URL), s.redaction().Hide(e.Location)
}
