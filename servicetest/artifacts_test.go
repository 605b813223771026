package servicetest_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi/servicetest"
)

var report = map[string]string{"report.txt": "all well", "out/index.html": "<p>"}

func TestArchiveDownload(t *testing.T) {
	svc := servicetest.New(t)
	pipe := svc.Project("acme/app").Pipeline("main")
	pipe.Job("build", servicetest.Archive(report))
	pipe.Job("empty")
	a := call(t, svc, "GET", "/projects/1/jobs/1/artifacts", "")
	files, err := zip.NewReader(strings.NewReader(a.body), int64(len(a.body)))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, file := range files.File {
		names = append(names, file.Name)
	}
	if got := strings.Join(names, " "); got != "out/ out/index.html report.txt" || !files.File[0].FileInfo().IsDir() {
		t.Errorf("files %s", got)
	}
	if a.ContentLength != int64(len(a.body)) || a.Header.Get("Etag") == "" || a.Header.Get("Last-Modified") == "" ||
		a.Header.Get("Content-Disposition") != `attachment; filename="artifacts.zip"` {
		t.Errorf("length %d, headers %v", a.ContentLength, a.Header)
	}
	part := call(t, svc, "GET", "/projects/1/jobs/1/artifacts", "", "Range", "bytes=10-19", "If-Range",
		a.Header.Get("Etag"))
	if part.StatusCode != 206 || part.body != a.body[10:20] {
		t.Errorf("range: %d %q", part.StatusCode, part.body)
	}
	for _, path := range []string{"/projects/1/jobs/2/artifacts", "/projects/1/jobs/9/artifacts"} {
		refused(t, call(t, svc, "GET", path, ""), 404, `{"message":"404 Not found"}`)
	}
}

func TestSingleFile(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app").Pipeline("main").Job("build", servicetest.Archive(report))
	tests := []struct {
		path   string
		status int
		body   string
	}{
		{"report.txt", 200, "all well"},
		{"out/index.html", 200, "<p>"},
		{"out", 404, `{"message":"404 Not found"}`},
		{"missing.txt", 404, `{"message":"404 Not found"}`},
		{"%2E%2E/report.txt", 400, `{"message":"400 Bad request"}`},
		{"%2Fetc%2Fpasswd", 400, `{"message":"400 Bad request"}`},
		{"out//index.html", 400, `{"message":"400 Bad request"}`},
	}
	for _, test := range tests {
		refused(t, call(t, svc, "GET", "/projects/1/jobs/1/artifacts/"+test.path, ""), test.status, test.body)
		refused(t, call(t, svc, "GET", "/projects/1/jobs/artifacts/main/raw/"+test.path+"?job=build", ""), test.status,
			test.body)
	}
	large := strings.Repeat("0123456789", 10_000)
	svc.Project("acme/large").Pipeline("main").Job("build", servicetest.Archive(map[string]string{"large.bin": large}))
	a := call(t, svc, "GET", "/projects/2/jobs/2/artifacts/large.bin", "")
	if a.ContentLength != int64(len(large)) || a.body != large ||
		a.Header.Get("Content-Type") != "application/octet-stream" {
		t.Errorf("a large file: %d of %d bytes, %s", len(a.body), a.ContentLength, a.Header.Get("Content-Type"))
	}
}

func TestLatestArchive(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	archived := func(text string) servicetest.JobOption {
		return servicetest.Archive(map[string]string{"from": text})
	}
	app.Pipeline("main").Job("build", archived("older"))
	latest := app.Pipeline("main")
	child := latest.Child("trigger")
	child.Job("build", archived("child"))
	child.Job("docs", archived("child docs"))
	latest.Job("build", archived("latest"))
	failed := app.Pipeline("main")
	failed.Job("build", archived("failed"))
	failed.Job("test", servicetest.Failed("script_failure"))
	app.Pipeline("feature/x").Job("build", archived("feature"))
	flaky := app.Pipeline("flaky")
	flaky.Job("build", archived("first try")).Retry().Succeed()
	tests := []struct{ ref, job, want string }{
		{"main", "build", "latest"},
		{"main", "docs", "child docs"},
		{"feature%2Fx", "build", "feature"},
		{"flaky", "build", `{"message":"404 Not found"}`},
		{"main", "absent", `{"message":"404 Not found"}`},
		{latest.SHA(), "build", `{"message":"404 Not found"}`},
		{"HEAD", "build", `{"message":"404 Not found"}`},
	}
	for _, test := range tests {
		base := "/projects/1/jobs/artifacts/" + test.ref
		if got := call(t, svc, "GET", base+"/raw/from?job="+test.job, ""); got.body != test.want {
			t.Errorf("%s of %s: %s, want %s", test.job, test.ref, got.body, test.want)
		}
		status := 200
		if strings.Contains(test.want, "404") {
			status = 404
		}
		if got := call(t, svc, "GET", base+"/download?job="+test.job, ""); got.StatusCode != status {
			t.Errorf("archive of %s of %s: %d, want %d", test.job, test.ref, got.StatusCode, status)
		}
	}
	refused(t, call(t, svc, "GET", "/projects/1/jobs/artifacts/main/download", ""), 400, `{"error":"job is missing"}`)
	same(t, asked(t, svc, fmt.Sprint("DELETE /projects/1/pipelines/", latest.ID())), "204") // its child stays
	same(t, call(t, svc, "GET", "/projects/1/jobs/artifacts/main/raw/from?job=docs", "").body, "child docs")
}

func TestArtifactsExpire(t *testing.T) {
	svc := servicetest.New(t)
	pipe := svc.Project("acme/app").Pipeline("main")
	gone := pipe.Job("gone", servicetest.Archive(report), servicetest.ExpireIn(time.Hour), servicetest.Trace("log"))
	kept := pipe.Job("kept", servicetest.Archive(report), servicetest.ExpireIn(time.Hour))
	forever := pipe.Job("forever", servicetest.ExpireIn(0), servicetest.Archive(report))
	answer := into[map[string]any](t, call(t, svc, "POST", "/projects/1/jobs/2/artifacts/keep", ""), 200)
	if answer["artifacts_expire_at"] != nil || !strings.HasSuffix(answer["download_url"].(string),
		"/-/jobs/2/artifacts/download") {
		t.Errorf("kept: %v", answer)
	}
	svc.Advance(time.Hour)
	if gone.HasArchive() || !kept.HasArchive() || !forever.HasArchive() {
		t.Errorf("archives: %v %v %v", gone.HasArchive(), kept.HasArchive(), forever.HasArchive())
	}
	job := into[map[string]any](t, call(t, svc, "GET", "/projects/1/jobs/1", ""), 200)
	if _, ok := job["artifacts_file"]; ok || len(job["artifacts"].([]any)) != 1 {
		t.Errorf("expired: %v", job)
	}
	refused(t, call(t, svc, "GET", "/projects/1/jobs/1/artifacts", ""), 404, `{"message":"404 Not found"}`)
	refused(t, call(t, svc, "POST", "/projects/1/jobs/1/artifacts/keep", ""), 404, `{"message":"404 Not found"}`)
}

func TestDeleteArtifacts(t *testing.T) {
	svc := servicetest.New(t)
	dev := svc.User("dev")
	app := svc.Project("acme/app", servicetest.Member(dev, servicetest.Developer))
	old := app.Pipeline("main").Job("build", servicetest.Archive(report), servicetest.Trace("log"))
	newest := app.Pipeline("main")
	latest := newest.Job("build", servicetest.Archive(report))
	child := newest.Child("trigger").Job("docs", servicetest.Archive(report), servicetest.ID(100))
	branch := app.Pipeline("feature").Job("build", servicetest.Archive(report))
	failed := app.Pipeline("broken").Job("build", servicetest.Failed("script_failure"), servicetest.Archive(report),
		servicetest.ExpireIn(0))
	single := app.Pipeline("main", servicetest.PipelineStatus("failed")).Job("build", servicetest.Archive(report),
		servicetest.ID(5))
	for _, path := range []string{"/projects/1/jobs/5/artifacts", "/projects/1/artifacts"} {
		refused(t, call(t, svc, "DELETE", path, "", "Sudo", "dev"), 403, `{"message":"403 Forbidden"}`)
	}
	refused(t, call(t, svc, "DELETE", "/projects/1/jobs/5/artifacts", ""), 204, "")
	if single.HasArchive() || !old.HasArchive() {
		t.Error("the wrong archive was deleted")
	}
	refused(t, call(t, svc, "DELETE", "/projects/1/artifacts", ""), 202, "")
	if old.HasArchive() || failed.HasArchive() || !latest.HasArchive() || !branch.HasArchive() || !child.HasArchive() {
		t.Errorf("archives left: %v %v, lost: %v %v %v", old.HasArchive(), failed.HasArchive(), !latest.HasArchive(),
			!branch.HasArchive(), !child.HasArchive())
	}
	if old.Trace() != "log" {
		t.Error("the log is gone")
	}
}

// zeros is an endless source of zero bytes.
type zeros struct{}

func (zeros) ReadAt(p []byte, _ int64) (int, error) {
	clear(p)
	return len(p), nil
}

func TestSyntheticArchiveAndTrace(t *testing.T) {
	const size = 256 << 20
	svc := servicetest.New(t)
	svc.Project("acme/app").Pipeline("main").Job("build", servicetest.ArchiveFrom(size, zeros{}),
		servicetest.TraceFrom(size, zeros{}))
	for _, path := range []string{"/projects/1/jobs/1/artifacts", "/projects/1/jobs/1/trace"} {
		req, err := http.NewRequestWithContext(t.Context(), "GET", svc.URL()+"/api/v4"+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("PRIVATE-TOKEN", svc.AdminToken())
		response, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		n, err := io.Copy(io.Discard, response.Body)
		response.Body.Close()
		if n != size || err != nil || response.ContentLength != size {
			t.Errorf("%s: %d bytes of %d, error %v", path, n, response.ContentLength, err)
		}
	}
	a := call(t, svc, "GET", "/projects/1/jobs/1/artifacts", "", "Range", "bytes=-5")
	if a.StatusCode != 206 || !bytes.Equal([]byte(a.body), make([]byte, 5)) {
		t.Errorf("the last bytes: %d %q", a.StatusCode, a.body)
	}
	refused(t, call(t, svc, "GET", "/projects/1/jobs/1/artifacts/any.txt", ""), 404, `{"message":"404 Not found"}`)
}

// TestContentOfAnySize: content outside memory also has an entity tag.
func TestContentOfAnySize(t *testing.T) {
	svc := servicetest.New(t)
	pipeline := svc.Project("acme/app").Pipeline("main")
	for _, text := range []string{"one", "three"} {
		pipeline.Job("build", servicetest.ArchiveFrom(int64(len(text)), strings.NewReader(text)),
			servicetest.TraceFrom(int64(len(text)), strings.NewReader(text)))
	}
	tags := map[string]bool{}
	for _, path := range []string{"/projects/1/jobs/1/trace", "/projects/1/jobs/2/trace"} {
		a := call(t, svc, "GET", path, "")
		tag := a.Header.Get("Etag")
		if tag == "" || tags[tag] || call(t, svc, "GET", path, "", "If-None-Match", tag).StatusCode != 304 {
			t.Errorf("%s has the entity tag %q", path, tag)
		}
		tags[tag] = true
	}
}

// TestArchivesThatStay: archives expire by default, but not if ExpireIn is zero.
func TestArchivesThatStay(t *testing.T) {
	svc := servicetest.New(t)
	pipeline := svc.Project("acme/app").Pipeline("main")
	files := servicetest.Archive(map[string]string{"a": "a"})
	ends := func(job *servicetest.Job) bool {
		view := into[map[string]any](t, call(t, svc, "GET", fmt.Sprintf("/projects/1/jobs/%d", job.ID()), ""), 200)
		return view["artifacts_expire_at"] != nil
	}
	same(t, spaced(ends(pipeline.Job("a", files)), ends(pipeline.Job("b", files, servicetest.ExpireIn(0))),
		ends(pipeline.Job("c", files, servicetest.ExpireIn(time.Nanosecond)))), "true false true")
}

// TestDamagedArchives: an unreadable file in an archive is an error, and a damaged one
// does not end as if it were complete.
func TestDamagedArchives(t *testing.T) {
	archive := func(method uint16, text string) []byte {
		var buffer bytes.Buffer
		w := zip.NewWriter(&buffer)
		entry, err := w.CreateRaw(&zip.FileHeader{Name: "a.txt", Method: method, CompressedSize64: 4,
			UncompressedSize64: 4, CRC32: 1})
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(entry, text)
		w.Close()
		return buffer.Bytes()
	}
	unknown, damaged := archive(99, "text"), archive(zip.Store, "text")
	svc := servicetest.New(t)
	pipe := svc.Project("acme/app").Pipeline("main")
	pipe.Job("unknown", servicetest.ArchiveFrom(int64(len(unknown)), bytes.NewReader(unknown)))
	pipe.Job("damaged", servicetest.ArchiveFrom(int64(len(damaged)), bytes.NewReader(damaged)))
	same(t, call(t, svc, "GET", "/projects/1/jobs/1/artifacts/a.txt", "").StatusCode, 500)
	status, body, err := try(t, svc, "GET", "/projects/1/jobs/2/artifacts/a.txt")
	if err == nil {
		t.Errorf("a damaged file: %d %q", status, body)
	}
}
