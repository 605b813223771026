package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/bench"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

// transfers measures downloads and uploads of long files, each in a separate
// process, so that its memory can be measured.
func (l *lab) transfers() []experiment {
	const idleMargin = 3 << 20
	mib := l.rounds(256, 64)
	download := fmt.Sprintf("%d MiB download to a file (net/http: io.Copy and Sync)", mib)
	upload := fmt.Sprintf("%d MiB multipart upload (net/http: a raw stream of known length)", mib)
	return []experiment{
		{
			name: download, rounds: l.rounds(7, 3), ways: l.children("download", mib),
			short: "256 MiB download to a file",
			goals: []goal{
				ratio(seconds, bench.Bare, 1), beside(seconds, bench.Peer),
				shown(memory), limit(memoryOver, idleMargin),
			},
		},
		{
			name: upload, rounds: l.rounds(7, 3), ways: l.children("upload", mib),
			short: "256 MiB upload",
			goals: []goal{
				ratio(seconds, bench.Bare, 1.2), beside(seconds, bench.Peer),
				shown(memory), limit(memoryOver, idleMargin),
			},
		},
	}
}

func (l *lab) children(direction string, mib int) map[bench.Contender]way {
	ways := map[bench.Contender]way{}
	for _, who := range []bench.Contender{bench.Ours, bench.Peer, bench.Bare} {
		ways[who] = func(ctx context.Context) (s sample, err error) {
			cmd := exec.CommandContext(ctx, l.self, "-"+transferFlag, direction, string(who), l.base, strconv.Itoa(mib))
			cmd.Stderr = os.Stderr
			output, err := cmd.Output()
			if err != nil {
				return nil, err
			}
			return s, json.Unmarshal(output, &s)
		}
	}
	return ways
}

// transferChild makes one transfer and writes its costs as JSON.
func transferChild(ctx context.Context, args []string) error {
	if len(args) != 4 {
		return fmt.Errorf("a transfer needs a direction, a contender, an address and a size, not %q", args)
	}
	mib, err := strconv.ParseInt(args[3], 10, 32)
	if err != nil {
		return err
	}
	t, err := newTransfer(bench.Contender(args[1]), args[2])
	if err != nil {
		return err
	}
	if err := t.get(ctx); err != nil { // so that there is a connection
		return err
	}
	idle, err := peakMemory()
	if err != nil {
		return err
	}
	start := time.Now()
	switch args[0] {
	case "download":
		err = t.toFile(ctx, mib)
	case "upload":
		err = t.upload(ctx, mib)
	case "hostile":
		err = t.hostile(ctx)
	default:
		err = fmt.Errorf("no direction %q", args[0])
	}
	if err != nil {
		return err
	}
	took := time.Since(start)
	peak, err := peakMemory()
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(sample{seconds: took.Seconds(), memory: peak, memoryOver: peak - idle})
}

// peakMemory is the maximum resident memory so far, in bytes.
func peakMemory() (float64, error) {
	text, _ := strings.CutSuffix(fieldOf("/proc/self/status", "VmHWM"), " kB")
	kib, err := strconv.ParseFloat(text, 64)
	return kib * 1024, err
}

// transfer is how a contender transfers files.
type transfer struct {
	get      bench.Way
	list     bench.Way
	download func(ctx context.Context, mib int64, path string) error
	send     func(ctx context.Context, size int64, content io.Reader) error
}

func newTransfer(who bench.Contender, base string) (transfer, error) {
	switch who {
	case bench.Ours:
		return ourTransfer(bench.NewOurs(base, nil)), nil
	case bench.Peer:
		return peerTransfer(bench.NewPeer(base, nil)), nil
	case bench.Bare:
		return plainTransfer(bench.NewPlain(base, nil)), nil
	}
	return transfer{}, fmt.Errorf("%s makes no transfers", who)
}

func (t transfer) toFile(ctx context.Context, mib int64) error {
	dir, err := os.MkdirTemp("", "serviceapi-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "artifacts.zip")
	if err := t.download(ctx, mib, path); err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err == nil && info.Size() != mib<<20 {
		err = fmt.Errorf("%d bytes came", info.Size())
	}
	return err
}

// hostile reads a list that is too long. For a contender that reads all of it,
// that is not an error.
func (t transfer) hostile(ctx context.Context) error {
	err := t.list(ctx)
	if decode, ok := errors.AsType[*serviceapi.DecodeError](err); ok &&
		strings.Contains(decode.Error(), "longer than") {
		return nil
	}
	return err
}

func (t transfer) upload(ctx context.Context, mib int64) error {
	return t.send(ctx, mib<<20, content(mib<<20))
}

func ourTransfer(c *serviceapi.Client) transfer {
	return transfer{
		get: func(ctx context.Context) error {
			_, _, err := c.Jobs.Get(ctx, serviceapi.ProjectID(1), 8)
			return err
		},
		list: func(ctx context.Context) error {
			jobs, _, err := c.Jobs.List(ctx, serviceapi.ProjectID(hostileProjects*kinds), nil)
			if err == nil {
				err = fmt.Errorf("%d jobs came of what is too long", len(jobs))
			}
			return err
		},
		download: func(ctx context.Context, mib int64, path string) error {
			d, _, err := c.JobArtifacts.Download(ctx, serviceapi.ProjectID(1), mib)
			if err != nil {
				return err
			}
			defer d.Close()
			_, err = d.SaveFile(path)
			return err
		},
		send: func(ctx context.Context, _ int64, content io.Reader) error {
			_, _, err := c.ProjectImport.FromFile(ctx, serviceapi.ImportFromFileOptions{
				Path: "app", File: serviceapi.Upload{Filename: "app.tar.gz", Content: content},
			})
			return err
		},
	}
}

func peerTransfer(c *clientgo.Client) transfer {
	return transfer{
		get: func(ctx context.Context) error {
			_, _, err := c.Jobs.GetJob(1, 8, clientgo.WithContext(ctx))
			return err
		},
		list: func(ctx context.Context) error {
			_, _, err := c.Jobs.ListProjectJobs(hostileProjects*kinds, nil, clientgo.WithContext(ctx))
			return err
		},
		download: func(ctx context.Context, mib int64, path string) error {
			r, _, err := c.Jobs.GetJobArtifacts(1, mib, clientgo.WithContext(ctx))
			if err != nil {
				return err
			}
			return writeFile(path, r)
		},
		send: func(ctx context.Context, _ int64, content io.Reader) error {
			options := &clientgo.ImportFileOptions{Path: new("app")}
			_, _, err := c.ProjectImportExport.ImportFromFile(content, options, clientgo.WithContext(ctx))
			return err
		},
	}
}

func plainTransfer(p bench.Plain) transfer {
	return transfer{
		get: func(ctx context.Context) error {
			return p.Call(ctx, http.MethodGet, "/projects/1/jobs/8", nil, bench.PlainJob())
		},
		list: func(ctx context.Context) error {
			return p.Call(ctx, http.MethodGet, fmt.Sprintf("/projects/%d/jobs", hostileProjects*kinds), nil,
				bench.PlainJobs())
		},
		download: func(ctx context.Context, mib int64, path string) error {
			resp, err := p.Send(ctx, http.MethodGet, fmt.Sprintf("/projects/1/jobs/%d/artifacts", mib), nil)
			if err != nil {
				return err
			}
			defer resp.Body.Close()
			return writeFile(path, resp.Body)
		},
		send: func(ctx context.Context, size int64, content io.Reader) error {
			return p.Upload(ctx, "/projects/import", size, content)
		},
	}
}

func writeFile(path string, r io.Reader) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, r)
	if err == nil {
		err = f.Sync() // as SaveFile does
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	return err
}
