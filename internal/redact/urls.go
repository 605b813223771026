package redact

import "strings"

// HideURLs hides what URLs in a string let others do: user names and passwords,
// the queries and fragments of URLs of other origins, which may be presigned, and
// the values of parameters that are credentials or signatures. It finds a URL
// wherever it stands, in a header, in text, or in JSON, also if it is escaped. own
// reports whether an origin is that of the service; the scheme is "" if the URL
// has none.
func HideURLs(s string, own func(scheme, host string) bool) string {
	if !strings.ContainsAny(s, "/%\\=") {
		return s
	}
	s = hideParams(s)
	var b strings.Builder
	for {
		start, length := find(s, slashes)
		if start < 0 {
			b.WriteString(s)
			return b.String()
		}
		after := start + length
		scheme := schemeBefore(s[:start])
		if scheme == "" && start > 0 && strings.IndexByte(" \t\n\"'<(=,;", s[start-1]) < 0 {
			b.WriteString(s[:after]) // in the middle of a path
			s = s[after:]
			continue
		}
		var ends []string
		if s[start] == '%' { // it is the value of a parameter
			ends = []string{"&"}
		}
		b.WriteString(s[:after])
		s = s[after:]
		host := s[:reach(s, authorityEnds)]
		s = s[len(host):]
		if at := strings.LastIndexByte(host, '@'); at >= 0 {
			b.WriteString(Placeholder + "@")
			host = host[at+1:]
		}
		b.WriteString(host)
		if own(scheme, host) {
			continue
		}
		path := reach(s, queries)
		b.WriteString(s[:path])
		s = s[path:]
		if mark := beginsWith(s, queries); mark > 0 {
			b.WriteString(s[:mark] + Placeholder)
			s = s[reach(s, ends):]
		}
	}
}

// The characters that divide a URL, plain and in the forms that JSON and queries
// write them in.
var (
	slashes       = []string{"//", `\/\/`, "%2f%2f", `\u002f\u002f`}
	colons        = []string{":", "%3a", `\u003a`}
	queries       = []string{"?", "#", "%3f", "%23", `\u003f`, `\u0023`}
	authorityEnds = append([]string{"/", `\`, "%2f"}, queries...)
	equals        = []string{"=", "%3d", `\u003d`}
	ampersands    = []string{"&", "%26", `\u0026`}
)

// find returns where the first of several strings begins, in any case, and its
// length; -1 if there is none.
func find(s string, forms []string) (start, length int) {
	for i := range len(s) {
		if length := beginsWith(s[i:], forms); length > 0 {
			return i, length
		}
	}
	return -1, 0
}

// beginsWith returns the length of the form that s begins with, 0 if there is
// none.
func beginsWith(s string, forms []string) int {
	for _, form := range forms {
		if len(s) >= len(form) && strings.EqualFold(s[:len(form)], form) {
			return len(form)
		}
	}
	return 0
}

// schemeBefore returns the scheme that s ends with, if a colon follows it.
func schemeBefore(s string) string {
	for _, colon := range colons {
		before, ok := cutSuffixFold(s, colon)
		if !ok {
			continue
		}
		switch scheme := strings.ToLower(wordAtEnd(before)); {
		case strings.HasSuffix(scheme, "https"): // after an escaped mark, the word is longer
			return "https"
		case strings.HasSuffix(scheme, "http"):
			return "http"
		default:
			return scheme
		}
	}
	return ""
}

func cutSuffixFold(s, suffix string) (before string, found bool) {
	rest := len(s) - len(suffix)
	if rest < 0 || !strings.EqualFold(s[rest:], suffix) {
		return "", false
	}
	return s[:rest], true
}

// wordAtEnd returns the letters, hyphens and underscores that s ends with.
func wordAtEnd(s string) string {
	begin := len(s)
	for begin > 0 {
		if c := s[begin-1] | 0x20; (c < 'a' || c > 'z') && s[begin-1] != '-' && s[begin-1] != '_' {
			break
		}
		begin--
	}
	return s[begin:]
}

// reach returns how far a URL, or the part of it before one of the marks, reaches:
// to white space, a quote or a bracket, or to a backslash that does not escape a
// character of the URL.
func reach(s string, marks []string) int {
	for i := range len(s) {
		switch c := s[i]; {
		case c <= ' ', strings.IndexByte("\"'`<>", c) >= 0:
			return i
		case c == '\\' && (i+1 == len(s) || s[i+1] != '/' && s[i+1] != 'u'):
			return i
		}
		if beginsWith(s[i:], marks) > 0 {
			return i
		}
	}
	return len(s)
}

// hideParams hides the values of parameters that are credentials or signatures.
func hideParams(s string) string {
	var b strings.Builder
	for {
		start, length := find(s, equals)
		if start < 0 {
			b.WriteString(s)
			return b.String()
		}
		name := s[:start]
		b.WriteString(s[:start+length])
		s = s[start+length:]
		if !carriesSecret(name) {
			continue
		}
		end := reach(s, ampersands)
		if end > 0 {
			b.WriteString(Placeholder)
		}
		s = s[end:]
	}
}

// carriesSecret reports whether a string ends with the name of a parameter that
// is a credential or part of a signature, as services sign URLs.
func carriesSecret(s string) bool {
	name := wordAtEnd(s)
	if strings.HasSuffix(s[:len(s)-len(name)], "3") {
		name = strings.TrimLeft(name, "fF") // the end of an escaped question mark
	}
	name = strings.ToLower(strings.ReplaceAll(name, "_", "-"))
	switch name {
	case "private-token", "access-token", "job-token", "token", "sig", "signature",
		"awsaccesskeyid", "googleaccessid", "key-pair-id", "policy":
		return true
	}
	return strings.HasPrefix(name, "x-amz-") || strings.HasPrefix(name, "x-goog-")
}
