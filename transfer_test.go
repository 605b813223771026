package serviceapi

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"math/rand/v2"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// noise is long content that needs no memory: blocks of the same random bytes,
// each preceded by its number.
type noise struct{ size, pos int64 }

const noiseBlock = 64 << 10

var noisePattern = func() []byte {
	random := rand.NewChaCha8([32]byte{1})
	block := make([]byte, noiseBlock)
	random.Read(block)
	return block
}()

func (n *noise) Read(p []byte) (int, error) {
	if n.pos >= n.size {
		return 0, io.EOF
	}
	p = p[:min(int64(len(p)), n.size-n.pos)]
	block, at := n.pos/noiseBlock, n.pos%noiseBlock
	if at < 8 {
		var number [8]byte
		binary.LittleEndian.PutUint64(number[:], uint64(block))
		p = p[:copy(p, number[at:])]
	} else {
		p = p[:copy(p, noisePattern[at:])]
	}
	n.pos += int64(len(p))
	return len(p), nil
}

func (n *noise) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += n.pos
	case io.SeekEnd:
		offset += n.size
	}
	n.pos = offset
	return offset, nil
}

func sumOf(t testing.TB, size int64) string {
	t.Helper()
	h := sha256.New()
	_, err := io.Copy(h, &noise{size: size})
	require.NoError(t, err)
	return fmt.Sprintf("%x", h.Sum(nil))
}

// hashWriter is a file that keeps only a checksum.
type hashWriter struct {
	hash.Hash
	n int64
}

func (w *hashWriter) Write(p []byte) (int, error) {
	w.n += int64(len(p))
	return w.Hash.Write(p)
}

const large = 64 << 20

func TestLargeDownloadNeedsNoMemory(t *testing.T) {
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "a.zip", time.Time{}, &noise{size: large})
	})
	w := &hashWriter{Hash: sha256.New()}
	grown := heapGrowth(t, func() {
		d, _, err := client.JobArtifacts.Download(t.Context(), ProjectID(1), 8)
		require.NoError(t, err)
		defer d.Close()
		assert.EqualValues(t, large, d.Size)
		n, err := io.Copy(w, d)
		require.NoError(t, err)
		assert.EqualValues(t, large, n)
	})
	assert.Equal(t, sumOf(t, large), fmt.Sprintf("%x", w.Sum(nil)))
	assert.Less(t, grown, uint64(4<<20))
}

// uploadTo sends a file with two fields to a path.
func uploadTo(ctx context.Context, c *Client, file Upload, opts ...RequestOption) error {
	fields := struct {
		Name string `json:"name"`
		Path string `json:"path"`
	}{"app", "a/b"}
	_, err := exec(ctx, c, http.MethodPost, Route("/upload"), multipartOf(fields, "file", file), opts)
	return err
}

// received is the part of an upload that a server received.
type received struct {
	size     int64
	length   int64
	filename string
	sum      string
	fields   string
	err      error
}

func receiveUpload(r *http.Request) (got received) {
	got.length = r.ContentLength
	reader, err := r.MultipartReader()
	if err != nil {
		got.err = err
		return got
	}
	for {
		part, err := reader.NextPart()
		if err != nil {
			if err != io.EOF {
				got.err = err
			}
			return got
		}
		if got.err = got.take(part); got.err != nil {
			return got
		}
	}
}

func (got *received) take(part *multipart.Part) error {
	if part.FormName() != "file" {
		value, err := io.ReadAll(part)
		got.fields += part.FormName() + "=" + string(value) + ";"
		return err
	}
	got.filename = part.FileName()
	h := sha256.New()
	n, err := io.Copy(h, part)
	got.size, got.sum = n, fmt.Sprintf("%x", h.Sum(nil))
	return err
}

func TestLargeUploadNeedsNoMemory(t *testing.T) {
	var got received
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) { got = receiveUpload(r) })
	for name, content := range map[string]io.Reader{
		"seekable": &noise{size: large},
		"stream":   io.MultiReader(&noise{size: large}),
	} {
		grown := heapGrowth(t, func() {
			require.NoError(t, uploadTo(t.Context(), client, Upload{Filename: "big.tar.gz", Content: content}))
		})
		require.NoError(t, got.err)
		assert.EqualValues(t, large, got.size)
		assert.Equal(t, sumOf(t, large), got.sum)
		assert.Equal(t, name == "seekable", got.length > large, "a known length is announced")
		assert.Equal(t, "name=app;path=a/b;", got.fields)
		assert.Less(t, grown, uint64(4<<20), name)
	}
}

// flaky serves content in pieces and cuts each connection after a number of
// bytes.
type flaky struct {
	size, piece int64
	etag        string
	ranges      bool
	requests    atomic.Int32
}

func (f *flaky) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.requests.Add(1)
	if f.etag != "" {
		w.Header().Set("ETag", f.etag)
	}
	if !f.ranges {
		r.Header.Del("Range")
	}
	http.ServeContent(&cutter{ResponseWriter: w, left: f.piece}, r, "", time.Time{}, &noise{size: f.size})
}

// cutter breaks the connection off after some bytes.
type cutter struct {
	http.ResponseWriter
	left int64
}

func (c *cutter) Write(p []byte) (int, error) {
	if int64(len(p)) >= c.left {
		c.ResponseWriter.Write(p[:c.left])
		http.NewResponseController(c.ResponseWriter).Flush()
		panic(http.ErrAbortHandler)
	}
	c.left -= int64(len(p))
	return c.ResponseWriter.Write(p)
}

func TestCutDownloadIsResumed(t *testing.T) {
	const size = 1 << 20
	f := &flaky{size: size, piece: 100_000, etag: `"v1"`, ranges: true}
	server := httptest.NewServer(f)
	defer server.Close()
	client := clientOf(t, server.URL)
	var last Progress
	d, _, err := client.JobArtifacts.Download(t.Context(), ProjectID(1), 8, WithProgress(func(p Progress) {
		assert.Greater(t, p.Done, last.Done)
		last = p
	}))
	require.NoError(t, err)
	w := &hashWriter{Hash: sha256.New()}
	n, err := d.WriteTo(w)
	require.NoError(t, err)
	require.NoError(t, d.Close())
	assert.EqualValues(t, size, n)
	assert.Equal(t, sumOf(t, size), fmt.Sprintf("%x", w.Sum(nil)))
	assert.Equal(t, Progress{size, size}, last)
	assert.InDelta(t, 1.0, last.Fraction(), 0)
	assert.EqualValues(t, 11, f.requests.Load())
}

// TestCutDownloadThatCannotBeResumed checks that it is an error, never a short
// success.
func TestCutDownloadThatCannotBeResumed(t *testing.T) {
	const size, piece = 1 << 20, 100_000
	for name, handler := range map[string]http.Handler{
		"no validator": &flaky{size: size, piece: piece, ranges: true},
		"weak tag":     &flaky{size: size, piece: piece, ranges: true, etag: `W/"v1"`},
		"no ranges":    &flaky{size: size, piece: piece, etag: `"v1"`},
		"changed": &changing{func(n int32, w http.ResponseWriter, r *http.Request) {
			(&flaky{size: size, piece: piece, ranges: true, etag: fmt.Sprintf(`"v%d"`, n)}).ServeHTTP(w, r)
		}, atomic.Int32{}},
		"other part": &changing{func(n int32, w http.ResponseWriter, r *http.Request) {
			if n > 1 {
				w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", 5, size-1, size))
				w.WriteHeader(206)
				return
			}
			(&flaky{size: size, piece: piece, etag: `"v1"`}).ServeHTTP(w, r)
		}, atomic.Int32{}},
		"other size": &changing{func(n int32, w http.ResponseWriter, r *http.Request) {
			s := int64(size)
			if n > 1 {
				s = size / 2
			}
			(&flaky{size: s, piece: piece, ranges: true, etag: `"v1"`}).ServeHTTP(w, r)
		}, atomic.Int32{}},
		"gone": &changing{func(n int32, w http.ResponseWriter, r *http.Request) {
			if n > 1 {
				w.WriteHeader(404)
				return
			}
			(&flaky{size: size, piece: piece, etag: `"v1"`}).ServeHTTP(w, r)
		}, atomic.Int32{}},
		"no byte more": &changing{func(n int32, w http.ResponseWriter, r *http.Request) {
			p := int64(piece)
			if n > 1 {
				p = 0
			}
			(&flaky{size: size, piece: p, ranges: true, etag: `"v1"`}).ServeHTTP(w, r)
		}, atomic.Int32{}},
		"chunked": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			io.CopyN(w, &noise{size: size}, piece)
			http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		}),
		"unknown length": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			conn, buf, _ := http.NewResponseController(w).Hijack()
			buf.WriteString("HTTP/1.1 200 OK\r\n\r\n")
			io.CopyN(buf, &noise{size: size}, piece)
			buf.Flush()
			conn.Close()
		}),
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(handler)
			defer server.Close()
			client := clientOf(t, server.URL)
			d, _, err := client.JobArtifacts.Download(t.Context(), ProjectID(1), 8)
			require.NoError(t, err)
			defer d.Close()
			var b bytes.Buffer
			n, err := io.Copy(&b, d)
			require.Error(t, err)
			assert.GreaterOrEqual(t, n, int64(piece))
			assert.Less(t, n, int64(size))
			switch name {
			case "unknown length":
				assert.ErrorIs(t, err, ErrUnknownLength)
			case "no ranges":
				assert.ErrorIs(t, err, errChanged)
			}
			_, again := d.Read(make([]byte, 1))
			assert.Equal(t, err, again, "the error stays")
		})
	}
}

// TestShortBodyWithACleanEnd checks that a short download is an error even if
// the transport ends the body without one.
func TestShortBodyWithACleanEnd(t *testing.T) {
	client, _ := scriptedClient(t, RetryPolicy{}, func(r *http.Request) (*http.Response, error) {
		resp, err := status(200, "0123456789")(r)
		resp.ContentLength = 20
		return resp, err
	})
	d, _, err := client.JobArtifacts.Download(t.Context(), ProjectID(1), 8)
	require.NoError(t, err)
	data, err := io.ReadAll(d)
	assert.Equal(t, "0123456789", string(data))
	assert.ErrorIs(t, err, io.ErrUnexpectedEOF)
}

type changing struct {
	serve func(int32, http.ResponseWriter, *http.Request)
	n     atomic.Int32
}

func (c *changing) ServeHTTP(w http.ResponseWriter, r *http.Request) { c.serve(c.n.Add(1), w, r) }

func TestDownloadGoesOnWhereAnotherStopped(t *testing.T) {
	const size = 300_000
	etag := `"v1"`
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", etag)
		http.ServeContent(w, r, "", time.Time{}, &noise{size: size})
	})
	for _, tc := range []struct {
		offset, want int64
		etag         string
	}{{100_000, 100_000, `"v1"`}, {100_000, 0, `"v0"`}, {size, 0, `"v1"`}, {0, 0, `"v1"`}} {
		d, _, err := client.JobArtifacts.Download(t.Context(), ProjectID(1), 8, WithDownloadOffset(tc.offset, tc.etag))
		require.NoError(t, err)
		assert.Equal(t, tc.want, d.Offset)
		assert.EqualValues(t, size, d.Size)
		n, err := io.Copy(io.Discard, d)
		require.NoError(t, err)
		assert.Equal(t, size-tc.want, n)
		assert.Equal(t, `"v1"`, d.ETag)
		d.Close()
	}
}

var errDisk = errors.New("the disk is full")

func TestWritersErrorStopsTheDownload(t *testing.T) {
	var sent atomic.Int64
	gone := make(chan struct{})
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		defer close(gone)
		piece := make([]byte, 64<<10)
		for {
			n, err := w.Write(piece)
			sent.Add(int64(n))
			if err != nil {
				return
			}
		}
	})
	d, _, err := client.JobArtifacts.Download(t.Context(), ProjectID(1), 8)
	require.NoError(t, err)
	writes := 0
	n, err := d.WriteTo(writerFunc(func(p []byte) (int, error) {
		if writes++; writes == 3 {
			return 7, errDisk
		}
		return len(p), nil
	}))
	assert.Equal(t, errDisk, err)
	assert.Positive(t, n)
	require.NoError(t, d.Close())
	require.NoError(t, d.Close())
	<-gone
	assert.Less(t, sent.Load(), int64(32<<20))
	_, err = d.Read(make([]byte, 1))
	assert.ErrorIs(t, err, os.ErrClosed)
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func TestCancellingADownload(t *testing.T) {
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "1000000")
		w.Header().Set("ETag", `"v1"`)
		w.Write(make([]byte, 10))
		http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	ctx, cancel := context.WithCancelCause(t.Context())
	d, _, err := client.JobArtifacts.Download(ctx, ProjectID(1), 8)
	require.NoError(t, err)
	defer d.Close()
	reason := errors.New("enough")
	time.AfterFunc(20*time.Millisecond, func() { cancel(reason) })
	_, err = io.Copy(io.Discard, d)
	assert.ErrorIs(t, err, context.Canceled)
	assert.ErrorIs(t, err, reason)
}

func TestSaveFile(t *testing.T) {
	cut := false
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Disposition", `attachment; filename="../../etc/artifacts \"x\".zip"`)
		w.Header().Set("Content-Length", "20")
		w.Write(make([]byte, 10))
		if cut {
			http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		}
		w.Write(make([]byte, 10))
	})
	dir := t.TempDir()
	for _, cut = range []bool{false, true} {
		d, _, err := client.JobArtifacts.Download(t.Context(), ProjectID(1), 8)
		require.NoError(t, err)
		assert.Equal(t, `artifacts "x".zip`, d.Name)
		name := filepath.Join(dir, fmt.Sprint(cut))
		n, err := d.SaveFile(name)
		if cut {
			require.Error(t, err)
			assert.NoFileExists(t, name)
		} else {
			require.NoError(t, err)
			assert.EqualValues(t, 20, n)
			assert.FileExists(t, name)
		}
	}
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, entries, 1, "no temporary file is left")
}

func TestUploadFileNames(t *testing.T) {
	var got received
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) { got = receiveUpload(r) })
	for _, name := range []string{`plain.txt`, `with "quotes".txt`, `back\slash.txt`, `tail\`, `both\"`,
		`ümlaut ✓.txt`, `semi;colon=.txt`, `%22.txt`} {
		require.NoError(t, uploadTo(t.Context(), client, Upload{Filename: name, Content: strings.NewReader("x")}))
		want := name
		if i := strings.LastIndexAny(name, `\`); i >= 0 && os.PathSeparator == '\\' {
			want = name[i+1:]
		}
		assert.Equal(t, want, got.filename)
	}
	got = received{}
	for argument, files := range map[string][]Upload{
		"Filename": {
			{Filename: "a\r\nX: y", Content: strings.NewReader("x")},
			{Filename: "a\x00", Content: strings.NewReader("x")}, {Filename: "", Content: strings.NewReader("x")},
		},
		"upload":      {{Filename: "a"}},
		"ContentType": {{Filename: "a", Content: strings.NewReader("x"), ContentType: "a\r\nb"}},
		"Size":        {{Filename: "a", Content: strings.NewReader("x"), Size: -1}},
	} {
		for _, file := range files {
			assertRefused(t, argument, uploadTo(t.Context(), client, file))
		}
	}
	assert.Equal(t, received{}, got, "nothing was sent")
}

// TestUploadIsSentAgainFromWhereItStood checks that a retry starts at the
// original position, and that there is none if the source cannot seek.
func TestUploadIsSentAgainFromWhereItStood(t *testing.T) {
	for name, tc := range map[string]struct {
		content func() io.Reader
		again   bool
	}{
		"seekable": {func() io.Reader {
			r := strings.NewReader("skipped" + strings.Repeat("x", 100_000))
			r.Seek(7, io.SeekStart)
			return r
		}, true},
		"stream": {func() io.Reader { return io.MultiReader(strings.NewReader(strings.Repeat("x", 100_000))) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			var sizes []int64
			client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
				got := receiveUpload(r)
				sizes = append(sizes, got.size)
				if len(sizes) == 1 {
					w.Header().Set("Retry-After", "0")
					w.WriteHeader(429)
				}
			})
			err := uploadTo(t.Context(), client, Upload{Filename: "a", Content: tc.content()})
			if tc.again {
				require.NoError(t, err)
				assert.Equal(t, []int64{100_000, 100_000}, sizes)
				return
			}
			assert.ErrorIs(t, err, ErrRateLimited)
			assert.Equal(t, []int64{100_000}, sizes)
		})
	}
}

// TestUnreadStreamIsSentAfterAll checks that a stream is sent again if it was
// refused before its first byte was read.
func TestUnreadStreamIsSentAfterAll(t *testing.T) {
	hits := 0
	var got received
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if hits++; hits == 1 {
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(429) // without reading: the client waits for 100-continue
			return
		}
		got = receiveUpload(r)
	})
	require.NoError(t, uploadTo(t.Context(), client, Upload{Filename: "a",
		Content: io.MultiReader(&noise{size: 4 << 20})}))
	assert.Equal(t, 2, hits)
	assert.EqualValues(t, 4<<20, got.size)
}

// TestUploadsAreWholeOrBroken checks that content that is not as long as
// announced, or fails, does not look complete to the service.
func TestUploadsAreWholeOrBroken(t *testing.T) {
	boom := errors.New("boom")
	for name, tc := range map[string]struct {
		file Upload
		want string
	}{
		"short": {Upload{Content: io.MultiReader(&noise{size: 50_000}), Size: 60_000},
			"ended after 50000 of 60000"},
		"short by 1": {Upload{Content: io.MultiReader(&noise{size: 59_999}), Size: 60_000},
			"ended after 59999 of 60000"},
		"long file": {Upload{Content: &noise{size: 70_000}, Size: 60_000}, "longer than the announced 60000"},
		"not empty": {Upload{Content: &growing{}}, "longer than the announced 0"},
		"long": {Upload{Content: io.MultiReader(&noise{size: 70_000}), Size: 60_000},
			"longer than the announced 60000"},
		"fails":       {Upload{Content: io.MultiReader(&noise{size: 50_000}, &failing{boom})}, "boom"},
		"fails early": {Upload{Content: &failing{boom}}, "boom"},
		"shrinks":     {Upload{Content: &shrinking{noise{size: 60_000}}}, "ended after"},
	} {
		t.Run(name, func(t *testing.T) {
			got := make(chan received, 10)
			client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) { got <- receiveUpload(r) })
			tc.file.Filename = "a"
			err := uploadTo(t.Context(), client, tc.file)
			require.Error(t, err)
			assert.Contains(t, err.Error(), tc.want)
			client.CloseIdleConnections()
			select {
			case r := <-got:
				assert.Error(t, r.err, "the service got something that looked whole: %+v", r)
			case <-time.After(50 * time.Millisecond):
			}
		})
	}
}

// growing is a file that was empty when its length was taken.
type growing struct{ noise }

func (g *growing) Read(p []byte) (int, error) { return len(p), nil }

type failing struct{ err error }

func (f *failing) Read([]byte) (int, error) { return 0, f.err }

// shrinking is a file that somebody truncates after its length was taken.
type shrinking struct{ noise }

func (s *shrinking) Seek(offset int64, whence int) (int64, error) {
	if whence == io.SeekEnd {
		return s.size * 2, nil
	}
	return s.noise.Seek(offset, whence)
}

// TestEarlyResponseToAnUpload checks a refusal while the body is being sent. The
// caller's reader must not be used after the call.
func TestEarlyResponseToAnUpload(t *testing.T) {
	var early atomic.Int32
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		early.Add(1)
		io.CopyN(io.Discard, r.Body, 10_000)
		w.WriteHeader(413)
	})
	for range 20 {
		content := &watched{noise: noise{size: 900_000}}
		err := uploadTo(t.Context(), client, Upload{Filename: "a", Content: content})
		content.over.Store(true)
		require.Error(t, err)
		time.Sleep(2 * time.Millisecond)
		assert.False(t, content.late.Load(), "the reader was used after the call returned")
	}
	assert.EqualValues(t, 20, early.Load())
}

type watched struct {
	noise
	over, late atomic.Bool
}

func (w *watched) Read(p []byte) (int, error) {
	if w.over.Load() {
		w.late.Store(true)
	}
	return w.noise.Read(p)
}

// TestBlockedReaderDoesNotHoldUpARefusal checks a refusal while the caller's
// reader blocks, like a terminal.
func TestBlockedReaderDoesNotHoldUpARefusal(t *testing.T) {
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(413) })
	terminal, keyboard := io.Pipe()
	defer terminal.Close()
	go func() { keyboard.Write(make([]byte, 100)) }()
	done := make(chan error, 1)
	go func() { done <- uploadTo(t.Context(), client, Upload{Filename: "a", Content: terminal}) }()
	select {
	case err := <-done:
		var e *Error
		require.ErrorAs(t, err, &e)
		assert.Equal(t, 413, e.StatusCode)
	case <-time.After(10 * time.Second):
		t.Fatal("the call waits for a reader that blocks")
	}
}

func TestUploadProgress(t *testing.T) {
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) { receiveUpload(r) })
	var last Progress
	file := Upload{Filename: "a", Content: &noise{size: 500_000}}
	require.NoError(t, uploadTo(t.Context(), client, file, WithProgress(func(p Progress) { last = p })))
	assert.Equal(t, Progress{500_000, 500_000}, last)
	file.Content = io.MultiReader(&noise{size: 500_000})
	require.NoError(t, uploadTo(t.Context(), client, file, WithProgress(func(p Progress) { last = p })))
	assert.Equal(t, Progress{500_000, -1}, last)
	assert.Zero(t, last.Fraction())
}

func TestEmptyTransfers(t *testing.T) {
	var got received
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == "POST" {
			got = receiveUpload(r)
		}
	})
	require.NoError(t, uploadTo(t.Context(), client, Upload{Filename: "a", Content: strings.NewReader("")}))
	assert.Zero(t, got.size)
	assert.Positive(t, got.length, "the length is known")
	assert.Equal(t, "a", got.filename)
	require.NoError(t, got.err)
	d, _, err := client.Jobs.Trace(t.Context(), ProjectID(1), 8)
	require.NoError(t, err)
	data, err := io.ReadAll(d)
	require.NoError(t, err)
	assert.Empty(t, data)
	d.Close()
}

// TestPresignedDownload follows a redirect to an object store, resumes there
// through the service, and gives the store nothing of the caller's.
func TestPresignedDownload(t *testing.T) {
	const size = 200_000
	store := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		assert.Empty(t, r.Header.Get("Private-Token"))
		(&flaky{size: size, piece: 80_000, etag: `"v1"`, ranges: true}).ServeHTTP(w, r)
	}))
	defer store.Close()
	var asked atomic.Int32
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, fmt.Sprintf("%s/object?sig=%d", store.URL, asked.Add(1)), http.StatusFound)
	})
	d, _, err := client.JobArtifacts.Download(t.Context(), ProjectID(1), 8)
	require.NoError(t, err)
	w := &hashWriter{Hash: sha256.New()}
	_, err = d.WriteTo(w)
	require.NoError(t, err)
	d.Close()
	assert.Equal(t, sumOf(t, size), fmt.Sprintf("%x", w.Sum(nil)))
	assert.EqualValues(t, 3, asked.Load(), "every presigned address is a fresh one")
}

// TestTransfersLeaveNothingBehind checks that no goroutine and no connection is
// left.
func TestTransfersLeaveNothingBehind(t *testing.T) {
	var open atomic.Int32
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == "POST" {
			io.CopyN(io.Discard, r.Body, 1000)
			w.WriteHeader(400)
			return
		}
		http.ServeContent(w, r, "", time.Time{}, &noise{size: 10 << 20})
	}))
	countConnections(server, &open)
	server.Start()
	client := clientOf(t, server.URL)
	for range 10 {
		d, _, err := client.JobArtifacts.Download(t.Context(), ProjectID(1), 8)
		require.NoError(t, err)
		io.CopyN(io.Discard, d, 1000)
		d.Close()
		require.Error(t, uploadTo(t.Context(), client, Upload{Filename: "a", Content: &noise{size: 5 << 20}}))
	}
	client.CloseIdleConnections()
	server.Close()
	assertNoGoroutines(t)
	assert.Zero(t, open.Load())
}
