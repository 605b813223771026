package main

import (
	"context"
	"errors"
	"os"

	"example.com/serviceapi"
)

// fetch downloads an archive unless its file exists. A file appears under its
// name when it is complete. If a download breaks off, the next run continues
// it.
func (m *mirror) fetch(ctx context.Context, a archive) error {
	if _, err := os.Stat(a.file); err == nil {
		m.board.had(a)
		return nil
	}
	progress := serviceapi.WithProgress(m.board.progress())
	_, err := serviceapi.SaveFile(a.file, func(opts ...serviceapi.RequestOption) (*serviceapi.Download,
		*serviceapi.Response, error) {
		return m.client.JobArtifacts.Download(ctx, m.project, a.jobID, append(opts, progress)...)
	})
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
