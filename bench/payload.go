// Package bench compares serviceapi with its peers: the same work, the same
// responses, in one process and in one run.
//
// The benchmarks of this package run in memory. `go run ./report` measures
// over real connections as well, and writes everything into one table.
package bench

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// fixture reads a response from the library's own test data, in which every
// field of the service's objects is set, and compacts it as a service sends it.
func fixture(name string) string {
	return compact([]byte(testdata("testdata", filepath.FromSlash(name))))
}

// testdata reads a file of the library.
func testdata(path ...string) string {
	_, file, _, _ := runtime.Caller(0)
	data, err := os.ReadFile(filepath.Join(append([]string{filepath.Dir(file), ".."}, path...)...))
	if err != nil {
		panic(err)
	}
	return string(data)
}

func compact(data []byte) string {
	var b bytes.Buffer
	if err := json.Compact(&b, data); err != nil {
		panic(err)
	}
	return b.String()
}

const commitMessage = `Test the CI integration on every supported platform

The pipeline ran on one platform only, so that a change which broke the others
was noticed days later, by whoever worked on them next. Run the tests on all of
them, in parallel, and let a failure on one of them not stop the rest: the
report then shows at once whether it is the platform or the change.

Reviewed-by: Charles Babbage <charles@example.com>
Signed-off-by: Ada Lovelace <ada@example.com>
`

const mergeRequestDescription = `## What this does

Computes the Bernoulli numbers with the "variables" of the engine instead of the
table that was typed in by hand, so that B₇ and all behind it are right.

- [x] Program for the first seven numbers
- [x] Tests against the published ones
- [ ] Measure how many cards it takes
- [ ] Say in the handbook how to go on from B₉

## How to check it

Run the example, and compare the last column with the table in the notes. The
rounding of the last digit differs on the older mill <see the notes>.

The old table stays in the repository until the next release, because the
printing program still reads it. It goes together with that program.

Closes #6.
`

const (
	avatar = "https://secure.avatars.example.com/avatar/205e460b479e2e5b48aec07710c08d50?s=80&d=identicon"
	bio    = "Analyst and metaphysician. Writes programs for engines that do not exist yet."
)

// noTrailers stands for the extended trailers, which client-go cannot decode.
var noTrailers = struct{}{}

// JobJSON is one job, of about 2.7 KB. Strings that are short in the test data
// have a realistic length here.
func JobJSON() string {
	return replace(fixture("jobs/job.json"), members{
		"/commit/message": commitMessage, "/user/avatar_url": avatar, "/user/bio": bio,
		"/commit/extended_trailers": noTrailers,
	})
}

// MergeRequestJSON is one merge request, of about 4 KB.
func MergeRequestJSON() string {
	return replace(fixture("merge_requests/merge_request.json"), members{"/description": mergeRequestDescription})
}

// CommitJSON is the response to creating a commit, which has no pipelines yet.
func CommitJSON() string {
	return replace(fixture("commits/commit.json"), members{"/message": commitMessage, "/last_pipeline": nil,
		"/status": nil, "/extended_trailers": noTrailers})
}

// UserJSON is one user, as administrators see it, without the SCIM identities,
// which client-go cannot decode.
func UserJSON() string {
	return replace(fixture("users/user_admin.json"), members{"/scim_identities": []string{}})
}

// SettingsJSON is the response with all settings of the instance, with values that client-go can
// decode where the test data has others.
func SettingsJSON() string {
	return replace(fixture("settings/settings.json"), members{
		"/container_registry_import_created_before": "2022-01-23T00:00:00.000Z",
		"/elasticsearch_shards":                     5, "/elasticsearch_replicas": 1,
	})
}

// event returns the body of a webhook from the library's own test data, in which every member
// is set, and compacts it as an instance sends it.
func event(header string) string {
	for _, sample := range strings.Split(testdata("webhook", "testdata", "events.txt"), "-- ") {
		if head, body, _ := strings.Cut(sample, "\n"); strings.HasPrefix(head, header+":") {
			return compact([]byte(body))
		}
	}
	panic("there is no " + header)
}

// PushJSON is a push of commits, as a webhook sends it.
func PushJSON() string { return event("Push Hook") }

// MergeRequestEventJSON is a change of a merge request, as a webhook sends it, without the
// number of approvals, which client-go takes for text.
func MergeRequestEventJSON() string {
	return replace(event("Merge Request Hook"), members{"/object_attributes/approvals_before_merge": nil})
}

// DeployKeyJSON is the response to creating a deploy key. Lists have more
// members.
const DeployKeyJSON = `{"key":"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJAe8mFKzbgM1NsZ5ywUbbaWWhOHkpvX0DiHDZ2nBXJQ",` +
	`"id":12,"title":"deployer","can_push":true,"created_at":"2026-03-01T12:44:32.561Z"}`
