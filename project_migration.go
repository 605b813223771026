package serviceapi

import (
	"context"
	"fmt"
	"io"
)

// MigrateProjectOptions describes the project to create at the target.
type MigrateProjectOptions struct {
	// Path is the last element of the new project's path. Empty means the same as
	// that of the original project.
	Path string
	// Namespace is the group, or the user's namespace, to import into. The zero
	// NamespaceRef means the caller's own namespace at the target.
	Namespace NamespaceRef
	// Name is the new project's name. Nil means the same as Path.
	Name *string
	// Overwrite replaces a project that has the same path. Nil means false.
	Overwrite *bool
	// OverrideParams replace attributes of the project in the archive.
	OverrideParams ProjectOverrides
	// Description replaces the project's own description in the archive.
	Description *string
	// Progress, if not nil, is called with the progress of the transfer from one
	// instance to the other.
	Progress func(Progress)
}

// MigrateProject copies a project from one instance to another: it exports the
// project, waits, streams the archive from source to target without storing it
// on disk or in memory, and waits until it is imported. The original is not
// deleted.
//
// It returns the final status of the import. If the export or the import
// failed, the error is a [*ProjectExportError] or a [*ProjectImportError];
// otherwise it is the error of the call that failed. On error, MigrateProject
// also returns the status of the import as last seen, or nil. The archive is
// uploaded only once: if the upload breaks off in the middle, call
// MigrateProject again.
func MigrateProject(
	ctx context.Context, source *Client, project ProjectRef, target *Client, options MigrateProjectOptions,
) (*ProjectImportStatus, error) {
	for _, client := range []*Client{source, target} {
		if client == nil || client.ProjectExport == nil {
			return nil, &ArgumentError{Argument: "client", Problem: "was not made by NewClient"}
		}
	}
	// An export can take long: what the import would refuse is refused before it.
	if err := options.Namespace.check(); err != nil {
		return nil, err
	}
	exported, err := source.ProjectExport.ScheduleAndWait(ctx, project,
		ScheduleExportOptions{Description: options.Description})
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
	final, err := target.ProjectImport.Wait(ctx, ProjectID(started.ID))
	if final == nil {
		final = started
	}
	return final, err
}

// handOver streams the archive of an export into an import.
func handOver(
	ctx context.Context, source *Client, project ProjectRef, target *Client, options MigrateProjectOptions,
) (*ProjectImportStatus, error) {
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

// archiveUpload makes an upload of a download. It announces the length if the
// download has one.
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

// archiveReader records on which side a transfer broke off.
type archiveReader struct{ archive *Download }

func (r archiveReader) Read(p []byte) (int, error) {
	n, err := r.archive.Read(p)
	if err != nil && err != io.EOF {
		err = fmt.Errorf("the export of the source: %w", err)
	}
	return n, err
}
