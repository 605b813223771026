package serviceapi

import (
	"reflect"

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
	for _, f := range cl.fields {
		r.Add(secretsIn(nil, reflect.ValueOf(f.value), 0)...)
	}
	if source, ok := cl.options.credential.(interface{ secrets() []string }); ok {
		r.Add(source.secrets()...)
	}
}

// sealError hides the secrets in all parts of an error that come from the
// service.
func (s *sending) sealError(e *Error) {
	r := s.redaction()
	e.Body = r.HideBytes(e.Body)
	for _, s := range []*string{&e.Message, &e.Reason, &e.Description, &e.Code, &e.Scope} {
		*s = r.Hide(*s)
	}
	for name, messages := range e.Fields {
		for i := range messages {
			messages[i] = r.Hide(messages[i])
		}
		if hidden := r.Hide(name); hidden != name {
			delete(e.Fields, name)
			e.Fields[hidden] = messages
		}
	}
}

func (s *sending) sealRedirect(e *RedirectError) {
	e.URL, e.Location = s.redaction().Hide(e.URL), s.redaction().Hide(e.Location)
}
