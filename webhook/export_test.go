package webhook

import "github.com/go-json-experiment/json"

// marshalEvent encodes an event with the members that it came with.
func marshalEvent(v any) ([]byte, error) { return json.Marshal(v) }
