package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"

	"example.com/serviceapi"
)

// What a run leaves of an archive that broke off: its beginning, and the name
// of the version that this is the beginning of.
const (
	partSuffix = ".part"
	etagSuffix = ".etag"
)

// fetch downloads an archive unless it is there. A file has its name only when
// it is whole.
func (m *mirror) fetch(ctx context.Context, a archive) error {
	if _, err := os.Stat(a.file); err == nil {
		m.board.had(a)
		return nil
	}
	err := m.download(ctx, a)
	switch {
	case errors.Is(err, serviceapi.ErrNotFound):
		m.board.gone(a) // it has expired since it was listed
		return nil
	case err != nil:
		m.board.failed()
		return err
	}
	m.board.saved()
	return nil
}

func (m *mirror) download(ctx context.Context, a archive) error {
	options := []serviceapi.RequestOption{serviceapi.WithProgress(m.board.progress())}
	if size, etag := leftover(a.file); size > 0 {
		options = append(options, serviceapi.WithDownloadOffset(size, etag))
	}
	download, _, err := m.client.JobArtifacts.Download(ctx, m.project, a.jobID, options...)
	if err != nil {
		return err
	}
	defer download.Close()
	if err := writePart(a.file, download); err != nil {
		return err
	}
	if err := os.Remove(a.file + etagSuffix); err != nil {
		return err
	}
	return os.Rename(a.file+partSuffix, a.file)
}

// leftover returns how much of a file an earlier run has left, and of which
// version. It is 0 if there is nothing to go on with.
func leftover(file string) (size int64, etag string) {
	text, err := os.ReadFile(file + etagSuffix)
	info, err2 := os.Stat(file + partSuffix)
	if err != nil || err2 != nil || len(text) == 0 {
		return 0, ""
	}
	return info.Size(), string(text)
}

// writePart writes a download behind what is there of it, or from the beginning
// if the service began there.
func writePart(file string, download *serviceapi.Download) (err error) {
	part, err := os.OpenFile(file+partSuffix, os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, part.Close()) }()
	if err := part.Truncate(download.Offset); err != nil {
		return err
	}
	if _, err := part.Seek(download.Offset, io.SeekStart); err != nil {
		return err
	}
	if err := os.WriteFile(file+etagSuffix, []byte(download.ETag), fs.FileMode(0o666)); err != nil {
		return err
	}
	if _, err := io.Copy(part, download); err != nil {
		return err
	}
	return part.Sync()
}
