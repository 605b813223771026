package header

import (
	"errors"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// FileName returns the file name in a Content-Disposition header, without any
// directory that a hostile service may have added, and without characters that
// make it look like another name. It is neither that of a hidden file nor an
// option of a command.
func FileName(disposition string) string {
	_, params, _ := mime.ParseMediaType(disposition) // nil if it is malformed
	name := strings.Map(visible, params["filename"])
	if i := strings.LastIndexAny(name, `/\`); i >= 0 {
		name = name[i+1:]
	}
	if name == "." || name == ".." || strings.ContainsFunc(name, unicode.IsControl) {
		return ""
	}
	if strings.HasPrefix(name, ".") || strings.HasPrefix(name, "-") {
		name = "_" + name[1:]
	}
	return name
}

// IsHTML reports whether a header is that of a web page.
func IsHTML(h http.Header) bool {
	kind, _, _ := strings.Cut(First(h, "Content-Type"), ";")
	kind = strings.TrimSpace(kind)
	return strings.EqualFold(kind, "text/html") || strings.EqualFold(kind, "application/xhtml+xml")
}

// visible removes invisible characters that change how a name is displayed,
// such as U+202E, which reverses the rest.
func visible(r rune) rune {
	if unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) {
		return -1
	}
	return r
}

// Range is the part of a content that a response has, from Start to End, the last
// byte. Total is -1 if it is not known.
type Range struct{ Start, End, Total int64 }

var errRange = errors.New("malformed Content-Range")

// PartOf returns which part of the content a response has.
func PartOf(resp *http.Response) (Range, error) {
	part, err := parseRange(resp.Header.Get("Content-Range"))
	if resp.ContentLength >= 0 && resp.ContentLength != part.End-part.Start+1 {
		err = errRange
	}
	return part, err
}

// parseRange reads "bytes 10-99/100".
func parseRange(value string) (Range, error) {
	rest, ok := strings.CutPrefix(value, "bytes ")
	if !ok {
		return Range{}, errRange
	}
	// A number that is missing is empty, which is not one.
	span, whole, _ := strings.Cut(rest, "/")
	from, to, _ := strings.Cut(span, "-")
	part := Range{Total: -1}
	for _, number := range []struct {
		text string
		to   *int64
	}{{from, &part.Start}, {to, &part.End}, {whole, &part.Total}} {
		if number.to == &part.Total && whole == "*" {
			break
		}
		n, err := strconv.ParseUint(strings.TrimSpace(number.text), 10, 63)
		if err != nil {
			return Range{}, errRange
		}
		*number.to = int64(n)
	}
	if part.End < part.Start || part.Total >= 0 && part.Total <= part.End {
		return Range{}, errRange
	}
	return part, nil
}

// Version identifies a version of the content.
type Version struct {
	// Validator is the If-Range value for resuming, a strong entity tag or a date;
	// "" if the version is unknown.
	Validator string
	// tag is the entity tag in the response, which may be weak.
	tag string
}

// VersionOf returns the version that a response has.
func VersionOf(h http.Header) Version {
	v := Version{tag: h.Get("ETag")}
	if IsStrongTag(v.tag) {
		v.Validator = v.tag
	} else {
		v.Validator = strongDate(h)
	}
	return v
}

// Admits reports whether a part with this header belongs to the version. A part
// must have the same entity tag as the whole (RFC 9110, 15.3.7); it may lack
// the date.
func (v Version) Admits(h http.Header) bool {
	etag := h.Get("ETag")
	if strings.HasPrefix(v.Validator, `"`) {
		return etag == v.Validator
	}
	modified := h.Get("Last-Modified")
	return (etag == "" || v.tag == "" || etag == v.tag) && (modified == "" || modified == v.Validator)
}

// strongDate returns Last-Modified if it is old enough to distinguish two
// versions of the content (RFC 9110, 8.8.2.2).
func strongDate(h http.Header) string {
	modified, err := http.ParseTime(h.Get("Last-Modified"))
	if err != nil {
		return ""
	}
	date, _ := http.ParseTime(h.Get("Date")) // on error, the zero time
	if date.Sub(modified) < time.Minute {
		return ""
	}
	return h.Get("Last-Modified")
}

// IsStrongTag reports whether a string is a strong entity tag.
func IsStrongTag(etag string) bool {
	return len(etag) >= 2 && etag[0] == '"' && strings.IndexByte(etag[1:], '"') == len(etag)-2 && IsValue(etag)
}
