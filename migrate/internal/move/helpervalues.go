package move

import "maps"

func init() { maps.Copy(helpers, valueHelpers) }

// valueHelpers are the helpers for fields that have another form here.
var valueHelpers = map[string]helper{
	"owned": {text: `
// owned gives *p a copy of what it points to, or a zero value if it is nil, and returns the copy.
func owned[T any](p **T) *T {
	var v T
	if *p != nil {
		v = **p
	}
	*p = &v
	return &v
}`},
	"pointerTo": {text: `
// pointerTo returns a pointer to a text or to a time, or nil for an empty one: the service sends null
// then, or nothing.
func pointerTo[T comparable](value T) *T {
	var empty T
	if value == empty {
		return nil
	}
	return &value
}`},
	"decodeEvent": {imports: []string{webhookLib, "fmt"}, text: `
// decodeEvent decodes the body of a request. As with client-go, an unknown event is an error, and so is
// an unknown kind, whatever the body says.
func decodeEvent(kind webhook.Kind, body []byte) (webhook.Event, error) {
	if kind != webhook.KindSystem && kind != webhook.KindService {
		empty, _ := webhook.Decode(kind, []byte("{}"))
		if _, isUnknown := empty.(*webhook.UnknownEvent); isUnknown {
			return nil, fmt.Errorf("unexpected event type: %s", kind)
		}
	}
	event, err := webhook.Decode(kind, body)
	if _, isUnknown := event.(*webhook.UnknownEvent); isUnknown && err == nil {
		return nil, fmt.Errorf("unexpected event type: %s", kind)
	}
	return event, err
}`},
	"failureIn": {imports: []string{lib, "errors"}, text: `
// failureIn returns the failure in an error. As with client-go, a 404 is none: it is
// serviceapi.ErrNotFound.
func failureIn(err error) (*serviceapi.Error, bool) {
	failure, ok := errors.AsType[*serviceapi.Error](err)
	if !ok || failure.StatusCode == 404 {
		return nil, false
	}
	return failure, true
}`},
	"failureAs": {imports: []string{lib}, needs: []string{"failureIn"}, text: `
// failureAs sets *to to the failure in an error. As with client-go, a 404 is none: it is
// serviceapi.ErrNotFound.
func failureAs(err error, to **serviceapi.Error) bool {
	failure, ok := failureIn(err)
	if ok {
		*to = failure
	}
	return ok
}`},
	"numberedTree": {imports: []string{lib}, text: `
// numberedTree returns options with the number of the first page, if they have none: the service sends
// numbers of pages then, as client-go gets them.
func numberedTree(options *serviceapi.ListTreeOptions) *serviceapi.ListTreeOptions {
	numbered := serviceapi.ListTreeOptions{}
	if options != nil {
		numbered = *options
	}
	if numbered.Page == 0 && numbered.PageToken == "" && numbered.Pagination == "" {
		numbered.Page = 1
	}
	return &numbered
}`},
	"timeText": {imports: []string{"time"}, text: `
// timeText returns the text that the service sends for a time, or "" for none.
func timeText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format("2006-01-02T15:04:05.000Z07:00")
}`},
	"eventTime": {imports: []string{"time"}, text: `
// eventTime returns the text that most events have for a time, or "" for none.
func eventTime(t time.Time) string {
	_, offset := t.Zone()
	switch {
	case t.IsZero():
		return ""
	case t.Nanosecond() != 0:
		return t.Format("2006-01-02T15:04:05.000Z07:00")
	case offset == 0:
		return t.Format("2006-01-02 15:04:05 UTC")
	}
	return t.Format("2006-01-02 15:04:05 -0700")
}`},
	"dateText": {imports: []string{"time"}, text: `
// dateText returns the text that the service sends for a day, or "" for none.
func dateText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.DateOnly)
}`},
}
