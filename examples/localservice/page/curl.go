package page

import (
	"bytes"
	"maps"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"example.com/serviceapi/servicetest"
)

// credentialHeaders are those for which curl gets the token of the environment.
var credentialHeaders = map[string]string{
	"Private-Token": "PRIVATE-TOKEN: $SERVICE_TOKEN", "Job-Token": "JOB-TOKEN: $SERVICE_TOKEN",
	"Deploy-Token": "DEPLOY-TOKEN: $SERVICE_TOKEN", "Authorization": "Authorization: Bearer $SERVICE_TOKEN",
}

// ownHeaders are those that curl sets itself.
var ownHeaders = []string{"Accept-Encoding", "Connection", "Content-Length", "Host", "User-Agent"}

// curl returns a command that sends a request again. In place of its credential, it has
// the variable SERVICE_TOKEN, and other credentials are left out. A body that is no text
// or not all there comes from the file body.
func curl(base string, r *servicetest.Request) string {
	args := []string{"curl --globoff"}
	switch {
	case r.Method == http.MethodHead:
		args = append(args, "--head")
	case r.Method != http.MethodGet || len(r.Body) > 0:
		args = append(args, "--request "+quote(r.Method))
	}
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		args = append(args, headerArgs(name, r.Header[name])...)
	}
	const recorded = 64 << 10
	isText := utf8.Valid(r.Body) && !bytes.ContainsRune(r.Body, 0) &&
		!strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/")
	switch {
	case len(r.Body) == 0:
	case !isText || len(r.Body) >= recorded:
		args = append(args, "--data-binary @body")
	default:
		args = append(args, "--data-raw "+quote(string(r.Body)))
	}
	return strings.Join(append(args, quote(base+r.Path+query(r))), " \\\n  ")
}

func headerArgs(name string, values []string) (args []string) {
	if slices.Contains(ownHeaders, name) {
		return nil
	}
	for _, value := range values {
		switch {
		case credentialHeaders[name] != "":
			return []string{`--header "` + credentialHeaders[name] + `"`} // for the shell to fill in
		case !strings.Contains(value, redacted):
			args = append(args, "--header "+quote(name+": "+value))
		}
	}
	return args
}

// query returns the query without credentials.
func query(r *servicetest.Request) string {
	kept := maps.Clone(r.Query)
	maps.DeleteFunc(kept, func(_ string, values []string) bool { return slices.Contains(values, redacted) })
	if len(kept) == 0 {
		return ""
	}
	return "?" + kept.Encode()
}

// quote quotes text for a POSIX shell.
func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
