package serviceapi

import (
	"errors"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"unicode"
)

// fileName returns the file name in a Content-Disposition header, without any
// directory that a hostile service may have added, and without characters that
// make it look like another name.
func fileName(disposition string) string {
	_, params, _ := mime.ParseMediaType(disposition) // nil if it is malformed
	name := strings.Map(visible, params["filename"])
	if i := strings.LastIndexAny(name, `/\`); i >= 0 {
		name = name[i+1:]
	}
	if name == "." || name == ".." || hasControl(name) {
		return ""
	}
	return name
}

// visible removes invisible characters that change how a name is displayed,
// such as U+202E, which reverses the rest.
func visible(r rune) rune {
	if unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) {
		return -1
	}
	return r
}

// contentRange is the part of the content that a response has, from start to
// end, the last byte; total is -1 if it is not known.
type contentRange struct{ start, end, total int64 }

var errContentRange = errors.New("malformed Content-Range")

// partOf returns which part of the content a response has.
func partOf(resp *http.Response) (contentRange, error) {
	part, err := parseContentRange(resp.Header.Get("Content-Range"))
	if resp.ContentLength >= 0 && resp.ContentLength != part.end-part.start+1 {
		err = errContentRange
	}
	return part, err
}

// parseContentRange reads "bytes 10-99/100".
func parseContentRange(value string) (contentRange, error) {
	rest, ok := strings.CutPrefix(value, "bytes ")
	if !ok {
		return contentRange{}, errContentRange
	}
	// A number that is missing is empty, which is not one.
	span, whole, _ := strings.Cut(rest, "/")
	from, to, _ := strings.Cut(span, "-")
	part := contentRange{total: -1}
	for _, number := range []struct {
		text string
		to   *int64
	}{{from, &part.start}, {to, &part.end}, {whole, &part.total}} {
		if number.to == &part.total && whole == "*" {
			break
		}
		n, err := strconv.ParseUint(strings.TrimSpace(number.text), 10, 63)
		if err != nil {
			return contentRange{}, errContentRange
		}
		*number.to = int64(n)
	}
	if part.end < part.start || part.total >= 0 && part.total <= part.end {
		return contentRange{}, errContentRange
	}
	return part, nil
}
