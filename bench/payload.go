// Package bench measures serviceapi beside its peers: the same work, the same
// answers, in one process and in one run.
package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// fixture reads an answer from the library's own test data, where every field
// of the service's objects is filled, and compacts it as a service sends it.
func fixture(name string) []byte {
	_, file, _, _ := runtime.Caller(0)
	data, err := os.ReadFile(filepath.Join(filepath.Dir(file), "..", "testdata", filepath.FromSlash(name)))
	if err != nil {
		panic(err)
	}
	var b bytes.Buffer
	if err := json.Compact(&b, data); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// JobJSON is one job.
func JobJSON() []byte { return fixture("jobs/job.json") }

// MergeRequestJSON is one merge request.
func MergeRequestJSON() []byte { return fixture("merge_requests/merge_request.json") }

// ListJSON is a list of so many objects, each with an id of its own from first
// on.
func ListJSON(object []byte, first, n int) []byte {
	var b bytes.Buffer
	b.WriteByte('[')
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		rest := object[bytes.IndexByte(object, ','):]
		fmt.Fprintf(&b, `{"id":%d`, first+i)
		b.Write(rest)
	}
	b.WriteByte(']')
	return b.Bytes()
}
