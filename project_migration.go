package serviceapi

import (
	"context"
	"fmt"
	"io"
)

// MigrateProjectOptions says how a project is to arrive.
type MigrateProjectOptions struct {
	// Path is the last element of the new project's path. Default that of the
	// old one.
	Path string
	// Namespace is the group to import into, or the [Path] of a user. Nil is
	// the own namespace of the target's caller.
	Namespace GroupRef
	// Name is the new project's name. Default Path.
	Name *string
	// Overwrite replaces a project that has the same path. Default false.
	Overwrite *bool
	// OverrideParams win over what the archive says of the project.
	OverrideParams ProjectOverrides
	// Description stands in the archive instead of the project's own.
	Description *string
	// Progress is told the bytes that went from one service to the other; nil
	// is nobody.
	Progress func(Progress)
}

// MigrateProject moves a project from one service to another: it exports it,
// waits, streams the archive from source to target without keeping it on disk
// or in memory, and waits until it is imported. The original stays where it is.
//
// It returns the final status of the import. The error is a
// [*ProjectExportError] or [*ProjectImportError] where a service gave up, and
// otherwise that of the call that failed; the status of the import, as it was
// last seen, is returned beside it. The archive goes over once: when the upload
// breaks off in the middle, call again.
func MigrateProject(ctx context.Context, source *Client, project ProjectRef, target *Client, options MigrateProjectOptions) (*ProjectImportStatus, error) {
	if source == nil || target == nil {
		return nil, &ArgumentError{Argument: "client", Problem: "is nil"}
	}
	if _, err := source.ProjectExport.Schedule(ctx, project, ScheduleExportOptions{Description: options.Description}); err != nil {
		return nil, err
	}
	exported, err := source.ProjectExport.Wait(ctx, project)
	if err != nil {
		return nil, err
	}
	if options.Path == "" {
		options.Path = exported.Path
	}
	started, err := handOver(ctx, source, project, target, options)
	if err != nil {
		return nil, err
	}
	final, err := target.ProjectImport.Wait(ctx, ID(started.ID))
	if final == nil {
		final = started
	}
	return final, err
}

// handOver streams the archive of an export into an import.
func handOver(ctx context.Context, source *Client, project ProjectRef, target *Client, options MigrateProjectOptions) (*ProjectImportStatus, error) {
	archive, _, err := source.ProjectExport.Download(ctx, project)
	if err != nil {
		return nil, err
	}
	defer archive.Close()
	started, _, err := target.ProjectImport.FromFile(ctx, ImportFromFileOptions{
		File:           archiveUpload(archive),
		Path:           options.Path,
		Namespace:      options.Namespace,
		Name:           options.Name,
		Overwrite:      options.Overwrite,
		OverrideParams: options.OverrideParams,
	}, WithProgress(options.Progress))
	return started, err
}

// archiveUpload makes an upload of a download. It announces the length where
// the download tells it.
func archiveUpload(archive *Download) Upload {
	name := archive.Name
	if name == "" {
		name = "export.tar.gz"
	}
	return Upload{
		Filename:    name,
		Content:     archiveReader{archive},
		Size:        max(0, archive.Size),
		ContentType: "application/gzip",
	}
}

// archiveReader says on which side a transfer broke off.
type archiveReader struct{ archive *Download }

func (r archiveReader) Read(p []byte) (int, error) {
	n, err := r.archive.Read(p)
	if err != nil && err != io.EOF {
		err = fmt.Errorf("the export of the source: %w", err)
	}
	return n, err
}
