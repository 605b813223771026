package serviceapi

import (
	"errors"
	"reflect"
	"time"

	"github.com/go-json-experiment/json"

	"example.com/serviceapi/internal/isotime"
	"example.com/serviceapi/internal/jsonx"
)

// isoTimes decodes a time.Time from every form that the service is known to send. A
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
		unmarshalRest(data, v)
	}
	return err
}

// unmarshalRest decodes again, past every member of the wrong type, which is
// then zero or nil, as if it were absent.
func unmarshalRest(data []byte, v any) {
	_ = json.Unmarshal(data, v, legacyOptions) // the first error says it all
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
	if jsonx.IsNull(data) {
		*t = time.Time{}
		return nil
	}
	var text string
	if err := decodeString(data, &text); err != nil {
		return isotime.ErrNoTime
	}
	parsed, err := isotime.Parse(text)
	if err == nil {
		*t = parsed
	}
	return err
}
