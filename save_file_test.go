package serviceapi

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/serviceapi/internal/savefile"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// archiveOf serves content with an entity tag, and cuts the first responses
// after some bytes.
type archiveOf struct {
	content, etag string
	cuts          []int64
	ranges        []string
}

func (a *archiveOf) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.ranges = append(a.ranges, r.Header.Get("Range"))
	if a.etag != "" {
		w.Header().Set("ETag", a.etag)
	}
	if len(a.cuts) > 0 {
		w = &cutter{ResponseWriter: w, left: a.cuts[0]}
		a.cuts = a.cuts[1:]
	}
	http.ServeContent(w, r, "", time.Time{}, strings.NewReader(a.content))
}

// archiveClient never resumes by itself.
func archiveClient(t *testing.T, handler http.Handler) *Client {
	t.Helper()
	client, _ := serve(t, handler.ServeHTTP, WithRetry(RetryPolicy{MaxAttempts: 1}))
	return client
}

func downloadOf(t *testing.T, client *Client) *Download {
	t.Helper()
	d, _, err := client.JobArtifacts.Download(t.Context(), ProjectID(1), 8)
	require.NoError(t, err)
	return d
}

func openerOf(t *testing.T, client *Client) OpenDownload {
	return func(opts ...RequestOption) (*Download, *Response, error) {
		return client.JobArtifacts.Download(t.Context(), ProjectID(1), 8, opts...)
	}
}

func contentOf(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(data)
}

func namesIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

// longestName is the maximum length of a file name, in bytes.
const longestName = 255

func TestSaveFileTakesLongNames(t *testing.T) {
	client := archiveClient(t, &archiveOf{content: "all", etag: `"v1"`})
	dir := t.TempDir()
	long, longer := strings.Repeat("n", longestName), strings.Repeat("n", longestName+1)
	_, err := downloadOf(t, client).SaveFile(filepath.Join(dir, long))
	require.NoError(t, err)
	assert.Equal(t, "all", contentOf(t, filepath.Join(dir, long)))
	_, err = SaveFile(filepath.Join(dir, long), openerOf(t, client))
	require.NoError(t, err)
	_, err = downloadOf(t, client).SaveFile(filepath.Join(dir, longer))
	require.Error(t, err)
	_, err = SaveFile(filepath.Join(dir, longer), openerOf(t, client))
	require.Error(t, err)
	assert.Equal(t, []string{long}, namesIn(t, dir))
}

func TestSaveFileFailures(t *testing.T) {
	client := archiveClient(t, &archiveOf{content: "all", etag: `"v1"`})
	dir := t.TempDir()
	directory := filepath.Join(dir, "directory")
	require.NoError(t, os.Mkdir(directory, 0o777))
	for name, want := range map[string]string{
		filepath.Join(dir, "missing", "file"): filepath.Join(dir, "missing"),
		directory:                             "save " + directory + ": is a directory",
		"":                                    "serviceapi: file name is empty",
	} {
		d := downloadOf(t, client)
		n, err := d.SaveFile(name)
		assert.ErrorContains(t, err, want)
		assert.Zero(t, n)
		_, err = d.Read(make([]byte, 1))
		assert.Equal(t, os.ErrClosed, err, "it closes the stream in any case")
		n, err = SaveFile(name, openerOf(t, client))
		assert.ErrorContains(t, err, want)
		assert.Zero(t, n)
	}
	n, err := SaveFile(filepath.Join(dir, "x"), nil)
	assert.Equal(t, &ArgumentError{Argument: "open", Problem: "is nil"}, err)
	assert.Zero(t, n)
	_, err = SaveFile(filepath.Join(dir, "x"), func(...RequestOption) (*Download, *Response, error) {
		return nil, nil,
			nil
	})
	assertRefused(t, "open", err)
	n, err = SaveFile(filepath.Join(dir, "x"), func(...RequestOption) (*Download, *Response, error) {
		return nil, nil,
			errDisk
	})
	assert.Equal(t, errDisk, err)
	assert.Zero(t, n)
	assert.Equal(t, []string{"directory"}, namesIn(t, dir))
}

// TestShortWrites checks that a writer that writes less than it was given,
// without an error, is an error.
func TestShortWrites(t *testing.T) {
	client := archiveClient(t, &archiveOf{content: "all"})
	d := downloadOf(t, client)
	defer d.Close()
	n, err := d.WriteTo(writerFunc(func(p []byte) (int, error) { return len(p) - 1, nil }))
	assert.Equal(t, io.ErrShortWrite, err)
	assert.EqualValues(t, 2, n)
	for _, count := range []int{0, -1} {
		d := downloadOf(t, client)
		n, err := d.WriteTo(writerFunc(func([]byte) (int, error) { return count, errDisk }))
		assert.Equal(t, errDisk, err)
		assert.Zero(t, n)
		d.Close()
	}
	d = downloadOf(t, client)
	defer d.Close()
	_, err = d.WriteTo(writerFunc(func(p []byte) (int, error) {
		assert.NotEmpty(t, p)
		return len(p), nil
	}))
	assert.NoError(t, err)
}

// TestSaveFileContinues checks what a program sees that is started repeatedly.
func TestSaveFileContinues(t *testing.T) {
	content := strings.Repeat("0123456789", 10_000)
	a := &archiveOf{content: content, etag: `"v1"`, cuts: []int64{30_000, 20_000}}
	client := archiveClient(t, a)
	dir := t.TempDir()
	name := filepath.Join(dir, "a.zip")
	var seen []Progress
	save := func() (int64, error) {
		return SaveFile(name, func(opts ...RequestOption) (*Download, *Response, error) {
			opts = append(opts, WithProgress(func(p Progress) { seen = append(seen, p) }))
			return client.JobArtifacts.Download(t.Context(), ProjectID(1), 8, opts...)
		})
	}
	n, err := save()
	require.Error(t, err)
	assert.EqualValues(t, 30_000, n)
	assert.Equal(t, []string{"a.zip.part", "a.zip.part.etag"}, namesIn(t, dir))
	assert.Equal(t, `"v1"`, contentOf(t, name+".part.etag"))
	n, err = save()
	require.Error(t, err)
	assert.EqualValues(t, 50_000, n)
	assert.Equal(t, content[:50_000], contentOf(t, name+".part"))
	n, err = save()
	require.NoError(t, err)
	assert.EqualValues(t, len(content), n)
	assert.Equal(t, content, contentOf(t, name))
	assert.Equal(t, []string{"a.zip"}, namesIn(t, dir))
	assert.Equal(t, []string{"", "bytes=30000-", "bytes=50000-"}, a.ranges)
	assert.Equal(t, Progress{100_000, 100_000}, seen[len(seen)-1])
	n, err = save()
	require.NoError(t, err, "an existing file is replaced")
	assert.EqualValues(t, len(content), n)
}

// TestSaveFileBeginsAnewWhereItMust checks that a part is not continued if the
// content has changed, or if its version is unknown.
func TestSaveFileBeginsAnewWhereItMust(t *testing.T) {
	for name, spoil := range map[string]func(a *archiveOf, part string) error{
		"changed": func(a *archiveOf, _ string) error {
			a.etag, a.content = `"v2"`,
				strings.ToUpper(a.content)
			return nil
		},
		"no tag": func(_ *archiveOf, part string) error { return os.Remove(part + ".etag") },
		"torn tag": func(_ *archiveOf,
			part string) error {
			return os.WriteFile(part+".etag", []byte("\"v\n"), 0o666)
		},
		"no part":        func(_ *archiveOf, part string) error { return os.Remove(part) },
		"empty part":     func(_ *archiveOf, part string) error { return os.Truncate(part, 0) },
		"part too long":  func(_ *archiveOf, part string) error { return os.Truncate(part, 1000) },
		"now without it": func(a *archiveOf, _ string) error { a.etag = ""; return nil },
	} {
		t.Run(name, func(t *testing.T) {
			a := &archiveOf{content: "abcdefghij", etag: `"v1"`, cuts: []int64{4}}
			client := archiveClient(t, a)
			dir := t.TempDir()
			file := filepath.Join(dir, "file")
			_, err := SaveFile(file, openerOf(t, client))
			require.Error(t, err)
			require.NoError(t, spoil(a, file+".part"))
			n, err := SaveFile(file, openerOf(t, client))
			require.NoError(t, err)
			assert.EqualValues(t, 10, n)
			assert.Equal(t, a.content, contentOf(t, file))
			assert.Equal(t, []string{"file"}, namesIn(t, dir))
		})
	}
}

// TestSaveFileOfAServiceThatIgnoresTheVersion checks that saving does not fail
// forever.
func TestSaveFileOfAServiceThatIgnoresTheVersion(t *testing.T) {
	a := &archiveOf{content: "abcdefghij", etag: `"v1"`, cuts: []int64{4}}
	client := archiveClient(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Del("If-Range")
		a.ServeHTTP(w, r)
	}))
	file := filepath.Join(t.TempDir(), "file")
	_, err := SaveFile(file, openerOf(t, client))
	require.Error(t, err)
	a.content, a.etag = "ABCDEFGHIJ", `"v2"`
	_, err = SaveFile(file, openerOf(t, client))
	require.NoError(t, err)
	assert.Equal(t, "ABCDEFGHIJ", contentOf(t, file))
	assert.Equal(t, []string{"", "bytes=4-", ""}, a.ranges)
}

// TestSaveFileWithoutATag checks that no part is left that could not be
// continued.
func TestSaveFileWithoutATag(t *testing.T) {
	client := archiveClient(t, &archiveOf{content: "abcdefghij", etag: `W/"v1"`, cuts: []int64{4}})
	dir := t.TempDir()
	_, err := SaveFile(filepath.Join(dir, "file"), openerOf(t, client))
	require.Error(t, err)
	assert.Empty(t, namesIn(t, dir))
	n, err := SaveFile(filepath.Join(dir, "file"), openerOf(t, client))
	require.NoError(t, err)
	assert.EqualValues(t, 10, n)
}

// TestSaveFileOfUnknownLength checks content without a length to compare with
// that of a part.
func TestSaveFileOfUnknownLength(t *testing.T) {
	client := archiveClient(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		conn, buf, err := http.NewResponseController(w).Hijack()
		if assert.NoError(t, err) {
			buf.WriteString("HTTP/1.1 200 OK\r\nETag: \"v1\"\r\n\r\nabc")
			buf.Flush()
			conn.Close()
		}
	}))
	dir := t.TempDir()
	_, err := SaveFile(filepath.Join(dir, "file"), openerOf(t, client))
	assert.ErrorIs(t, err, ErrUnknownLength)
	assert.Empty(t, namesIn(t, dir))
}

// TestSaveFileChecksAllOfAContinuedFile checks that the checksum includes the
// part that an earlier call left.
func TestSaveFileChecksAllOfAContinuedFile(t *testing.T) {
	const content = "abcdefghij"
	for name, tc := range map[string]struct {
		spoil func(part string) error
		good  bool
	}{
		"as it was": {func(string) error { return nil }, true},
		"changed":   {func(part string) error { return os.WriteFile(part, []byte("abXd"), 0o666) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			a := &archiveOf{content: content, etag: `"v1"`, cuts: []int64{4}}
			client := archiveClient(t, a)
			dir := t.TempDir()
			file := filepath.Join(dir, "key")
			described := SecureFile{Checksum: fmt.Sprintf("%x", sha256.Sum256([]byte(content))),
				ChecksumAlgorithm: ChecksumAlgorithmSHA256}
			save := func() (int64, error) {
				return SaveFile(file, func(opts ...RequestOption) (*Download, *Response, error) {
					d, resp, err := client.SecureFiles.Download(t.Context(), ProjectID(1), 8, opts...)
					if err == nil {
						err = described.Verify(d)
					}
					return d, resp, err
				})
			}
			_, err := save()
			require.Error(t, err)
			require.NoError(t, tc.spoil(file+".part"))
			_, err = save()
			assert.Equal(t, []string{"", "bytes=4-"}, a.ranges)
			if !tc.good {
				var sum *ChecksumError
				require.ErrorAs(t, err, &sum)
				assert.Empty(t, namesIn(t, dir), "the part would be wrong for ever")
				_, err = save()
			}
			require.NoError(t, err)
			assert.Equal(t, content, contentOf(t, file))
		})
	}
}

// TestVerifyNeedsTheBeginning checks that a part without the beginning cannot
// be verified.
func TestVerifyNeedsTheBeginning(t *testing.T) {
	client := archiveClient(t, &archiveOf{content: "abcdefghij", etag: `"v1"`})
	described := SecureFile{Checksum: strings.Repeat("0", 64), ChecksumAlgorithm: ChecksumAlgorithmSHA256}
	for _, offset := range []int64{1, 4} {
		d, _, err := client.SecureFiles.Download(t.Context(), ProjectID(1), 8, WithDownloadOffset(offset, `"v1"`))
		require.NoError(t, err)
		assertRefused(t, "download", described.Verify(d))
		d.Close()
	}
	for _, content := range []string{"", "abc"} {
		d := downloadOf(t, archiveClient(t, &archiveOf{content: content}))
		_, err := io.ReadAll(d)
		require.NoError(t, err)
		assertRefused(t, "download", described.Verify(d))
		d.Close()
	}
}

// TestChecksumsThatCannotBeCompared are refused before anything is read.
func TestChecksumsThatCannotBeCompared(t *testing.T) {
	d := downloadOf(t, archiveClient(t, &archiveOf{content: "abc"}))
	defer d.Close()
	good := strings.Repeat("a1", 32)
	for _, sum := range []string{"", "a", good[:63], good + "a", good + "a1", good[:63] + "x"} {
		err := (&SecureFile{Checksum: sum, ChecksumAlgorithm: ChecksumAlgorithmSHA256}).Verify(d)
		assertRefused(t, "checksum", err)
		assert.EqualError(t, err, "serviceapi: checksum is not a hexadecimal sha256 checksum")
	}
	err := (&SecureFile{Checksum: good, ChecksumAlgorithm: "md5"}).Verify(d)
	assert.EqualError(t, err, "serviceapi: checksum algorithm is not known: md5")
}

// TestSaveFileInTwoPlaces checks that a call does not disturb another one that
// saves to the same name.
func TestSaveFileInTwoPlaces(t *testing.T) {
	a := &archiveOf{content: "abcdefghij", etag: `"v1"`}
	client := archiveClient(t, a)
	file := filepath.Join(t.TempDir(), "file")
	_, err := SaveFile(file, func(opts ...RequestOption) (*Download, *Response, error) {
		d, resp, err := openerOf(t, client)(opts...)
		require.NoError(t, err)
		d.body = &interrupted{ReadCloser: d.body, before: func() {
			a.content, a.etag = "ABCDEFGHIJ", `"v2"`
			n, err := SaveFile(file, openerOf(t, client))
			assert.Equal(t, &fs.PathError{Op: "save", Path: file, Err: ErrFileInUse}, err)
			assert.Zero(t, n)
		}}
		return d, resp, err
	})
	require.NoError(t, err)
	assert.Equal(t, "abcdefghij", contentOf(t, file))
	assert.Len(t, a.ranges, 1, "the other call sent nothing")
}

// TestSaveFileInManyPlaces checks that the file is never less than the content,
// although some calls are interrupted and others continue.
func TestSaveFileInManyPlaces(t *testing.T) {
	content := strings.Repeat("0123456789", 20_000)
	var n atomic.Int32
	client := archiveClient(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"v1"`)
		if n.Add(1)%3 == 0 {
			w = &cutter{ResponseWriter: w, left: 70_000}
		}
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader(content))
	}))
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	var saved, refused atomic.Int32
	for range 25 {
		var calls sync.WaitGroup
		for range 4 {
			calls.Go(func() {
				switch _, err := SaveFile(file, openerOf(t, client)); {
				case errors.Is(err, ErrFileInUse):
					refused.Add(1)
				case err == nil:
					saved.Add(1)
					data, err := os.ReadFile(file)
					assert.NoError(t, err)
					assert.Len(t, data, len(content))
				default:
					assert.NotErrorIs(t, err, savefile.ErrChanged)
				}
			})
		}
		calls.Wait()
	}
	assert.NotZero(t, saved.Load())
	assert.NotZero(t, refused.Load())
}

// TestSaveFileWithADamagedTag checks that the download begins anew if the service
// cannot read what is left of the entity tag.
func TestSaveFileWithADamagedTag(t *testing.T) {
	for name, tag := range map[string]string{
		"long":        `"` + strings.Repeat("x", 2<<20) + `"`,
		"other bytes": "\"\xff\xfe\"",
		"other tag":   `"x"`,
	} {
		for _, code := range []int{400, 412, 416, 431} {
			a := &archiveOf{content: "abcdefghij", etag: `"v1"`, cuts: []int64{4}}
			client := archiveClient(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if tag := r.Header.Get("If-Range"); tag != "" && tag != a.etag {
					w.WriteHeader(code)
					return
				}
				a.ServeHTTP(w, r)
			}))
			dir := t.TempDir()
			file := filepath.Join(dir, "file")
			_, err := SaveFile(file, openerOf(t, client))
			require.Error(t, err)
			require.NoError(t, os.WriteFile(file+".part.etag", []byte(tag), 0o666))
			_, err = SaveFile(file, openerOf(t, client))
			require.NoError(t, err, "%s: %d", name, code)
			assert.Equal(t, a.content, contentOf(t, file), name)
			assert.Equal(t, []string{"file"}, namesIn(t, dir), name)
		}
	}
}

// TestSaveFileWhosePartChanges changes the part between the request and the
// response.
func TestSaveFileWhosePartChanges(t *testing.T) {
	for name, change := range map[string]func(part string) error{
		"shorter": func(part string) error { return os.Truncate(part, 3) },
		"longer":  func(part string) error { return os.Truncate(part, 5) },
		"gone":    os.Remove,
	} {
		a := &archiveOf{content: "abcdefghij", etag: `"v1"`, cuts: []int64{4}}
		client := archiveClient(t, a)
		file := filepath.Join(t.TempDir(), "file")
		_, err := SaveFile(file, openerOf(t, client))
		require.Error(t, err)
		_, err = SaveFile(file, func(opts ...RequestOption) (*Download, *Response, error) {
			d, resp, err := openerOf(t, client)(opts...)
			require.NoError(t, change(file+".part"))
			return d, resp, err
		})
		var failed *fs.PathError
		require.ErrorAs(t, err, &failed, name)
		assert.Equal(t, file+".part", failed.Path, name)
		assert.Equal(t, name != "gone",
			*failed == fs.PathError{Op: "save", Path: file + ".part", Err: savefile.ErrChanged}, name)
		assert.NoFileExists(t, file, name)
		_, err = SaveFile(file, openerOf(t, client))
		require.NoError(t, err, name)
		assert.Equal(t, len(a.content), len(contentOf(t, file)), name)
	}
}

// interrupted does something before its first Read.
type interrupted struct {
	io.ReadCloser
	before func()
}

func (r *interrupted) Read(p []byte) (int, error) {
	if before := r.before; before != nil {
		r.before = nil
		before()
	}
	return r.ReadCloser.Read(p)
}

// TestSaveFileRemovesNothingElse checks that something that has the name of a
// part but is not one is not removed.
func TestSaveFileRemovesNothingElse(t *testing.T) {
	a := &archiveOf{content: "abc"}
	client := archiveClient(t, a)
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	require.NoError(t, os.Mkdir(file+".part", 0o777))
	for _, a.etag = range []string{"", `"v1"`} {
		var d *Download
		n, err := SaveFile(file, func(opts ...RequestOption) (_ *Download, resp *Response, err error) {
			d, resp, err = openerOf(t, client)(opts...)
			return d, resp, err
		})
		_, closed := d.Read(make([]byte, 1))
		assert.Equal(t, os.ErrClosed, closed)
		assert.EqualError(t, err, "remove "+file+".part: is a directory")
		assert.ErrorIs(t, err, savefile.ErrIsDirectory)
		assert.Zero(t, n)
		assert.DirExists(t, file+".part")
		assert.NoFileExists(t, file)
	}
	require.NoError(t, os.Remove(file+".part"))
	precious := filepath.Join(dir, "precious")
	require.NoError(t, os.WriteFile(precious, []byte("precious"), 0o666))
	if err := os.Symlink(precious, file+".part"); err != nil {
		t.Skip("no symbolic links here")
	}
	_, err := SaveFile(file, openerOf(t, client))
	assert.EqualError(t, err, "remove "+file+".part: is not a regular file")
	assert.ErrorIs(t, err, savefile.ErrNotRegular)
	assert.Equal(t, "precious", contentOf(t, precious))
}

// TestSaveFileKeepsNothingAfterAnError checks that nothing is left after an
// error of the stream.
func TestSaveFileKeepsNothingAfterAnError(t *testing.T) {
	client := archiveClient(t, &archiveOf{content: "abcdefghij", etag: `"v1"`, cuts: []int64{4}})
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(file, []byte("old"), 0o666))
	n, err := downloadOf(t, client).SaveFile(file)
	require.Error(t, err)
	assert.False(t, errors.Is(err, fs.ErrNotExist))
	assert.EqualValues(t, 4, n)
	assert.Equal(t, []string{"file"}, namesIn(t, dir))
	assert.Equal(t, "old", contentOf(t, file), "the old file stays")
}

// TestPartsOfLongNames have the name of the file if there is room for the suffix,
// and can be continued in any case.
func TestPartsOfLongNames(t *testing.T) {
	for length, plain := range map[int]bool{longestName - 10: true, longestName - 9: false, longestName: false} {
		a := &archiveOf{content: "abcdefghij", etag: `"v1"`, cuts: []int64{4}}
		client := archiveClient(t, a)
		dir := t.TempDir()
		name := strings.Repeat("n", length)
		_, err := SaveFile(filepath.Join(dir, name), openerOf(t, client))
		require.Error(t, err)
		parts := namesIn(t, dir)
		require.Len(t, parts, 2, length)
		assert.Equal(t, plain, parts[0] == name+".part", length)
		assert.Equal(t, parts[0]+".etag", parts[1], length)
		_, err = SaveFile(filepath.Join(dir, name), openerOf(t, client))
		require.NoError(t, err, length)
		assert.Equal(t, []string{"", "bytes=4-"}, a.ranges, length)
		assert.Equal(t, []string{name}, namesIn(t, dir), length)
	}
}

// TestSaveFileToAPlaceThatIsTakenMeanwhile is an error: the complete file cannot
// get its name.
func TestSaveFileToAPlaceThatIsTakenMeanwhile(t *testing.T) {
	for _, etag := range []string{"", `"v1"`} {
		client := archiveClient(t, &archiveOf{content: "abcdefghij", etag: etag})
		file := filepath.Join(t.TempDir(), "file")
		_, err := SaveFile(file, func(opts ...RequestOption) (*Download, *Response, error) {
			d, resp, err := openerOf(t, client)(opts...)
			require.NoError(t, err)
			d.body = &interrupted{ReadCloser: d.body,
				before: func() { require.NoError(t, os.MkdirAll(filepath.Join(file, "x"), 0o777)) }}
			return d, resp, err
		})
		assert.ErrorAs(t, err, new(*os.LinkError))
		assert.DirExists(t, file)
	}
}

// TestSaveFileOfARefusedContinuation keeps the part for another time.
func TestSaveFileOfARefusedContinuation(t *testing.T) {
	a := &archiveOf{content: "abcdefghij", etag: `"v1"`, cuts: []int64{4}}
	refusing := false
	client := archiveClient(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if refusing {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		a.ServeHTTP(w, r)
	}))
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	_, err := SaveFile(file, openerOf(t, client))
	require.Error(t, err)
	refusing = true
	n, err := SaveFile(file, openerOf(t, client))
	assert.ErrorIs(t, err, ErrForbidden)
	assert.Zero(t, n)
	assert.Equal(t, []string{"file.part", "file.part.etag"}, namesIn(t, dir))
	refusing = false
	_, err = SaveFile(file, openerOf(t, client))
	require.NoError(t, err)
	assert.Equal(t, []string{"", "bytes=4-"}, a.ranges)
}

// TestTemporaryFiles are hidden while the content comes, and have a name of their
// own, or that of the file.
func TestTemporaryFiles(t *testing.T) {
	for etag, pattern := range map[string]string{"": `^\.[0-9a-f]{16}\.part$`, `"v1"`: `^file\.part$`} {
		client := archiveClient(t, &archiveOf{content: "abcdefghij", etag: etag})
		dir := t.TempDir()
		var seen []string
		_, err := SaveFile(filepath.Join(dir, "file"), func(opts ...RequestOption) (*Download, *Response, error) {
			d, resp, err := openerOf(t, client)(opts...)
			require.NoError(t, err)
			d.body = &interrupted{ReadCloser: d.body, before: func() { seen = namesIn(t, dir) }}
			return d, resp, err
		})
		require.NoError(t, err)
		require.NotEmpty(t, seen)
		assert.Regexp(t, pattern, seen[0])
		assert.Equal(t, []string{"file"}, namesIn(t, dir))
	}
}

// TestSaveFileWhoseTagCannotBeRemoved has the file, and says what is left.
func TestSaveFileWhoseTagCannotBeRemoved(t *testing.T) {
	client := archiveClient(t, &archiveOf{content: "abcdefghij", etag: `"v1"`})
	file := filepath.Join(t.TempDir(), "file")
	tag := file + ".part.etag"
	_, err := SaveFile(file, func(opts ...RequestOption) (*Download, *Response, error) {
		d, resp, err := openerOf(t, client)(opts...)
		require.NoError(t, err)
		d.body = &interrupted{ReadCloser: d.body, before: func() {
			require.NoError(t, os.Remove(tag))
			require.NoError(t, os.Mkdir(tag, 0o777))
		}}
		return d, resp, err
	})
	assert.EqualError(t, err, "remove "+tag+": is a directory")
	assert.Equal(t, "abcdefghij", contentOf(t, file))
}

// TestSaveFileContinuesAfterOneByte, too.
func TestSaveFileContinuesAfterOneByte(t *testing.T) {
	a := &archiveOf{content: "abcdefghij", etag: `"v1"`, cuts: []int64{1}}
	client := archiveClient(t, a)
	file := filepath.Join(t.TempDir(), "file")
	n, err := SaveFile(file, openerOf(t, client))
	require.Error(t, err)
	assert.EqualValues(t, 1, n)
	_, err = SaveFile(file, openerOf(t, client))
	require.NoError(t, err)
	assert.Equal(t, []string{"", "bytes=1-"}, a.ranges)
	assert.Equal(t, a.content, contentOf(t, file))
}

// TestSaveFileWhosePartIsReplaced does not take what is there now for its own.
func TestSaveFileWhosePartIsReplaced(t *testing.T) {
	client := archiveClient(t, &archiveOf{content: "abcdefghij", etag: `"v1"`})
	file := filepath.Join(t.TempDir(), "file")
	_, err := SaveFile(file, func(opts ...RequestOption) (*Download, *Response, error) {
		d, resp, err := openerOf(t, client)(opts...)
		require.NoError(t, err)
		d.body = &interrupted{ReadCloser: d.body, before: func() {
			require.NoError(t, os.Rename(file+".part", file+".old"))
			require.NoError(t, os.WriteFile(file+".part", []byte("other"), 0o666))
		}}
		return d, resp, err
	})
	assert.ErrorIs(t, err, savefile.ErrChanged)
	assert.NoFileExists(t, file)
	assert.Equal(t, "other", contentOf(t, file+".part"))
}
