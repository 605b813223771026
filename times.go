package serviceapi

import (
	"errors"
	"reflect"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
)

// isoTimes decodes a time.Time from every form that [parseTime] knows. A
// function for one type costs a lookup for each value of any type, so it is
// used only for responses that have a time in a form other than RFC 3339.
var isoTimes = json.WithUnmarshalers(json.UnmarshalFunc(decodeTime))

var isoOptions = json.JoinOptions(decodeOptions, isoTimes)

// unmarshal decodes JSON of the service.
func unmarshal(data []byte, v any) error {
	err := json.Unmarshal(data, v, decodeOptions)
	if err != nil && isTimeError(err) {
		err = json.Unmarshal(data, v, isoOptions)
	}
	return err
}

// unmarshalMembers is unmarshal for a nested object: a member of the wrong type
// is left out, and the error is about the first one.
func unmarshalMembers(data []byte, v any) error {
	err := unmarshal(data, v)
	if err != nil {
		_ = json.Unmarshal(data, v, legacyOptions) // the first error says it all
	}
	return err
}

// isTimeError reports whether a string could not be decoded as a time.Time.
func isTimeError(err error) bool {
	var wrong *json.SemanticError
	for errors.As(err, &wrong) {
		if wrong.GoType == reflect.TypeFor[time.Time]() {
			return true
		}
		err = wrong.Err
	}
	return false
}

func decodeTime(data []byte, t *time.Time) error {
	if isNull(data) {
		*t = time.Time{}
		return nil
	}
	var text string
	if err := decodeString(data, &text); err != nil {
		return errNoTime
	}
	parsed, err := parseTime(text)
	if err == nil {
		*t = parsed
	}
	return err
}

var errNoTime = errors.New("not an ISO 8601 timestamp")

// parseTime parses an ISO 8601 timestamp with a calendar date: extended or
// basic, with minutes or seconds, with any zone or none, or a date without a
// time. The default zone is UTC.
func parseTime(text string) (time.Time, error) {
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return t, nil
	}
	s := isoScanner{rest: text}
	s.date()
	s.clock()
	s.zone()
	if s.rest != "" {
		return time.Time{}, errNoTime
	}
	t, err := time.Parse(time.RFC3339, string(s.out))
	if err != nil {
		return time.Time{}, errNoTime // its message would quote the value
	}
	if s.endOfDay {
		t = t.AddDate(0, 0, 1)
	}
	return t, nil
}

// isoScanner rewrites an ISO 8601 timestamp as RFC 3339. Whether its numbers
// are there and in range is checked when the result is parsed.
type isoScanner struct {
	rest     string
	out      []byte
	endOfDay bool // 24:00, which RFC 3339 does not have
}

// take moves n digits to the output, if they are there.
func (s *isoScanner) take(n int) {
	if len(s.rest) >= n && strings.Trim(s.rest[:n], "0123456789") == "" {
		s.put(s.rest[:n])
		s.rest = s.rest[n:]
	}
}

// skip skips one of the characters and reports whether it was there.
func (s *isoScanner) skip(characters string) bool {
	if s.rest == "" || strings.IndexByte(characters, s.rest[0]) < 0 {
		return false
	}
	s.rest = s.rest[1:]
	return true
}

func (s *isoScanner) put(text string) { s.out = append(s.out, text...) }

// digit reports whether a digit is next.
func (s *isoScanner) digit() bool {
	return s.rest != "" && '0' <= s.rest[0] && s.rest[0] <= '9'
}

func (s *isoScanner) date() {
	s.take(4)
	s.skip("-")
	s.put("-")
	s.take(2)
	s.skip("-")
	s.put("-")
	s.take(2)
}

func (s *isoScanner) clock() {
	if s.rest == "" {
		s.put("T00:00:00")
		return
	}
	if !s.skip("Tt ") {
		return
	}
	s.put("T")
	start := len(s.out)
	s.take(2)
	s.optional()
	if s.optional() && s.skip(".,") {
		s.put(".")
		for s.digit() {
			s.take(1)
		}
	}
	if clock := s.out[start:]; strings.Trim(string(clock), ":.0") == "24" {
		s.endOfDay = true
		copy(clock, "00")
	}
}

// optional takes two digits after a colon, which the basic form leaves out, or
// writes 00, and reports whether the digits were there.
func (s *isoScanner) optional() bool {
	s.put(":")
	if !s.skip(":") && !s.digit() {
		s.put("00")
		return false
	}
	s.take(2)
	return true
}

func (s *isoScanner) zone() {
	s.skip(" ")
	if s.rest == "" || s.skip("Zz") {
		s.put("Z")
		return
	}
	if s.rest[0] != '+' && s.rest[0] != '-' {
		return
	}
	s.put(s.rest[:1])
	s.rest = s.rest[1:]
	s.take(2)
	s.optional()
}
