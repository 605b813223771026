// Artifact-mirror downloads the artifacts of a project's jobs to a directory, "artifacts" if
// there is no -dir, several at a time. If you run it again, it downloads what is new and
// continues what was interrupted.
//
//	export SERVICE_BASE_URL=https://service.example.com SERVICE_TOKEN=…
//	go run ./examples/artifact-mirror -dir artifacts -n 8 group/project
//
// Without these variables, it calls an embedded service with a sample project.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"example.com/serviceapi"
	"example.com/serviceapi/examples/internal/demo"
)

func main() { demo.Main("artifact-mirror", run) }

func run(ctx context.Context, args []string, out, notes io.Writer) error {
	flags := demo.Flags("artifact-mirror [flags] group/project", notes)
	dir := flags.String("dir", "artifacts", "the `directory` to fill")
	workers := flags.Int("n", 4, "download `n` archives at once, 16 at most")
	newest := flags.Int("newest", 0, "stop after the `n` newest archives; 0 is all")
	if err := demo.Parse(flags, args); err != nil {
		return err
	}
	if *workers < 1 || *workers > 16 || *newest < 0 {
		return demo.Usage("-n must be from 1 to 16, and -newest not negative")
	}
	project, err := demo.Project(flags.Args())
	if err != nil {
		return err
	}
	client, closeService, err := demo.Connect(notes)
	if err != nil {
		return err
	}
	defer closeService()
	fmt.Fprintln(notes, "downloading to", *dir)
	if err := os.MkdirAll(*dir, 0o777); err != nil {
		return err
	}

	archives, err := survey(ctx, client, project, *dir, *newest)
	if err != nil {
		return err
	}
	m := &mirror{client: client, project: project, board: newBoard(notes, archives)}
	err = m.fetchAll(ctx, archives, *workers)
	m.board.finish(out)
	if ctx.Err() != nil {
		fmt.Fprintln(notes, "Run it again to go on.")
	}
	return err
}

// An archive is an artifacts archive to download, with the name of its file.
type archive struct {
	jobID int64
	size  int64
	file  string
}

// survey lists the archives of a project, newest first. It keeps only what is
// needed of each job, because there can be very many.
func survey(
	ctx context.Context, client *serviceapi.Client, project serviceapi.ProjectRef, dir string, newest int,
) ([]archive, error) {
	var archives []archive
	for job, err := range client.Jobs.All(ctx, project, nil, serviceapi.WithConcurrentPages(4)) {
		if err != nil {
			return nil, err
		}
		if job.ArtifactsFile == nil {
			continue
		}
		name := strings.Map(safe, job.Name)
		file := fmt.Sprintf("%d-%s.zip", job.ID, name[:min(len(name), 100)])
		archives = append(archives, archive{job.ID, job.ArtifactsFile.Size, filepath.Join(dir, file)})
		if len(archives) == newest {
			break
		}
	}
	return archives, nil
}

// safe replaces all characters that could do harm in a file name: the name of a
// job can be anything.
func safe(r rune) rune {
	if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '.' {
		return r
	}
	return '_'
}

type mirror struct {
	client  *serviceapi.Client
	project serviceapi.ProjectRef
	board   *board
}

// fetchAll downloads archives, several at a time. If one fails, the others are
// still downloaded.
func (m *mirror) fetchAll(ctx context.Context, archives []archive, workers int) error {
	queue := make(chan archive)
	failures := make([]error, workers)
	var group sync.WaitGroup
	for w := range workers {
		group.Go(func() {
			for a := range queue {
				if err := m.fetch(ctx, a); err != nil {
					failures[w] = errors.Join(failures[w], fmt.Errorf("job %d: %w", a.jobID, err))
				}
			}
		})
	}
	for _, a := range archives {
		if ctx.Err() != nil {
			break
		}
		queue <- a
	}
	close(queue)
	group.Wait()
	return errors.Join(append(failures, context.Cause(ctx))...)
}
