package serviceapi

import (
	"io"
	"reflect"

	"example.com/serviceapi/internal/redact"
)

// secrets returns what hides the secrets that the call has sent.
func (s *sending) secrets() *redact.Redactor {
	if s.redactor == nil {
		s.redactor = new(redact.Redactor)
		s.redactor.Add(s.secret)
		s.addSecrets(s.redactor)
	}
	return s.redactor
}

// addSecrets adds the secrets of a call, except that of its header.
func (cl *call) addSecrets(r *redact.Redactor) {
	r.Add(cl.sentSecrets()...)
	if source, ok := cl.options.credential.(interface{ secrets() []string }); ok {
		r.Add(source.secrets()...)
	}
}

// sentSecrets returns the secrets in the body of the call.
func (cl *call) sentSecrets() (found []string) {
	if cl.sent != nil {
		found = secretsIn(found, reflect.ValueOf(cl.sent), 0)
	}
	for _, f := range cl.fields {
		found = secretsIn(found, reflect.ValueOf(f.value), 0)
	}
	return found
}

// sealError hides the secrets in all parts of an error that come from the
// service.
func (s *sending) sealError(e *Error) {
	r := s.secrets()
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
	e.URL, e.Location = s.secrets().Hide(e.URL), s.secrets().Hide(e.Location)
}

// secretsIn appends the secrets in the value that a body was made of.
func secretsIn(found []string, v reflect.Value, depth int) []string {
	if depth > maxSecretDepth {
		return found
	}
	if v.IsValid() && v.CanInterface() {
		switch x := v.Interface().(type) {
		case Secret:
			return append(found, x.Reveal())
		case nullable:
			return secretsIn(found, reflect.ValueOf(x.content()), depth+1)
		case io.Reader:
			return found // the content of an upload, which others may be reading
		}
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return secretsIn(found, v.Elem(), depth+1)
	case reflect.Struct:
		for i := range v.NumField() {
			// JSON has the fields of an embedded struct even if its type is not
			// exported.
			if f := v.Type().Field(i); f.IsExported() || f.Anonymous {
				found = secretsIn(found, v.Field(i), depth+1)
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			found = secretsIn(found, v.Index(i), depth+1)
		}
	case reflect.Map:
		for iter := v.MapRange(); iter.Next(); {
			found = secretsIn(found, iter.Value(), depth+1)
		}
	}
	return found
}

// maxSecretDepth limits the walk of a value that contains itself.
const maxSecretDepth = 16
