package recipes_test

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"log"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// readDirectory returns the files below a directory in the archive of a job, by
// their paths. The service reads the archive, and sends nothing else.
func readDirectory(ctx context.Context, client *serviceapi.Client,
	project serviceapi.ProjectRef, jobID int64,
	directory string) (map[string][]byte, error) {
	files := map[string][]byte{}
	tree := &serviceapi.ListArtifactTreeOptions{
		Path: directory, Recursive: true,
	}
	entries := client.JobArtifacts.AllTree(ctx, project, jobID, tree)
	for entry, err := range entries {
		if err != nil {
			return nil, err
		}
		if entry.Type != serviceapi.ArtifactEntryTypeFile {
			continue
		}
		file, _, err := client.JobArtifacts.DownloadFile(ctx, project, jobID,
			entry.Path)
		if err != nil {
			return nil, err
		}
		content, err := io.ReadAll(file)
		if err = errors.Join(err, file.Close()); err != nil {
			return nil, err
		}
		files[entry.Path] = content
	}
	return files, nil
}

// A remoteArchive reads parts of the archive of a job. A read that goes on
// where the last one ended continues its response; any other one is a request
// for the whole rest of the archive, which ends early. It is not for several
// goroutines at the same time.
type remoteArchive struct {
	ctx     context.Context
	client  *serviceapi.Client
	project serviceapi.ProjectRef
	jobID   int64
	size    int64
	etag    string // of the version that all parts must be of

	part *serviceapi.Download
	at   int64 // where the next byte of the part belongs
}

// errNoParts means that the archive must be saved as a whole.
var errNoParts = errors.New("the service sends no parts of the archive")

// openArchive finds out how large the archive is. The caller closes it. The
// error is errNoParts if the service sends only the whole archive.
func openArchive(ctx context.Context, client *serviceapi.Client,
	project serviceapi.ProjectRef, jobID int64) (*remoteArchive, error) {
	d, _, err := client.JobArtifacts.Download(ctx, project, jobID)
	if err != nil {
		return nil, err
	}
	a := &remoteArchive{ctx: ctx, client: client, project: project,
		jobID: jobID, size: d.Size, etag: d.ETag, part: d}
	if a.size < 0 || a.etag == "" {
		return nil, errors.Join(a.Close(), errNoParts)
	}
	return a, nil
}

// ReadAt implements io.ReaderAt. A damaged archive can point before its start.
func (a *remoteArchive) ReadAt(p []byte, offset int64) (int, error) {
	switch {
	case offset < 0:
		return 0, zip.ErrFormat
	case offset >= a.size:
		return 0, io.EOF
	}
	if a.part == nil || a.at != offset {
		if err := a.seek(offset); err != nil {
			return 0, err
		}
	}
	n, err := io.ReadFull(a.part, p)
	a.at += int64(n)
	if errors.Is(err, io.ErrUnexpectedEOF) && a.at == a.size {
		err = io.EOF
	}
	return n, err
}

// seek begins a part. The service sends it only if the archive has not changed.
func (a *remoteArchive) seek(offset int64) error {
	if err := a.Close(); err != nil {
		return err
	}
	d, _, err := a.client.JobArtifacts.Download(a.ctx, a.project, a.jobID,
		serviceapi.WithDownloadOffset(offset, a.etag))
	if err != nil {
		return err
	}
	a.part, a.at = d, offset
	if d.Offset != offset {
		return errors.Join(a.Close(), errors.New("the archive has changed"))
	}
	return nil
}

// Close ends the response of the last part.
func (a *remoteArchive) Close() error {
	if a.part == nil {
		return nil
	}
	d := a.part
	a.part = nil
	return d.Close()
}

// Read a directory of an archive, and then the archive itself without keeping
// it.
func Example_remoteArchive() {
	service, err := servicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	pipeline := service.Project("acme/shop").Pipeline("main")
	job := pipeline.Job("build", servicetest.Archive(map[string]string{
		"report.txt": "all good", "trace/1.log": "a", "trace/2.log": "b",
	}))
	client, err := serviceapi.NewClient(service.URL(),
		serviceapi.PrivateToken(service.AdminToken()))
	if err != nil {
		log.Fatal(err)
	}
	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")
	traces, err := readDirectory(ctx, client, shop, job.ID(), "trace")
	fmt.Println(len(traces), string(traces["trace/2.log"]), err)

	archive, err := openArchive(ctx, client, shop, job.ID())
	if err != nil {
		log.Fatal(err)
	}
	defer archive.Close()
	files, err := zip.NewReader(archive, archive.size)
	if err != nil {
		log.Fatal(err)
	}
	for _, file := range files.File {
		fmt.Println(file.Name, file.UncompressedSize64)
	}
	report, err := files.Open("report.txt")
	if err != nil {
		log.Fatal(err)
	}
	content, err := io.ReadAll(report)
	fmt.Println(string(content), err)
	// Output:
	// 2 b <nil>
	// report.txt 8
	// trace/ 0
	// trace/1.log 1
	// trace/2.log 1
	// all good <nil>
}
