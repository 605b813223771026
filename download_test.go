package serviceapi

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// cutOff responds with less than the 20 bytes of the content.
func cutOff(code int, body string, header ...string) func(*http.Request) (*http.Response, error) {
	return func(r *http.Request) (*http.Response, error) {
		resp, err := status(code, body, header...)(r)
		resp.ContentLength = 20
		if code == http.StatusPartialContent {
			resp.ContentLength = -1
		}
		return resp, err
	}
}

// unannounced responds with a complete body whose length is not announced.
func unannounced(code int, body string, header ...string) func(*http.Request) (*http.Response, error) {
	return func(r *http.Request) (*http.Response, error) {
		resp, err := status(code, body, header...)(r)
		resp.ContentLength, resp.TransferEncoding = -1, []string{"chunked"}
		return resp, err
	}
}

// readAll downloads the content.
func readAll(t *testing.T, client *Client, opts ...RequestOption) (string, error) {
	t.Helper()
	d, _, err := client.JobArtifacts.Download(t.Context(), ProjectID(1), 8, opts...)
	require.NoError(t, err)
	defer d.Close()
	data, err := io.ReadAll(d)
	return string(data), err
}

// TestReadsOfADownload checks reads that do not reach the service.
func TestReadsOfADownload(t *testing.T) {
	client, _ := scriptedClient(t, RetryPolicy{}, status(200, "0123456789"))
	d := downloadOf(t, client)
	n, err := d.Read(nil)
	require.NoError(t, err)
	assert.Zero(t, n)
	n, err = d.Read(make([]byte, 4))
	require.NoError(t, err)
	assert.Equal(t, 4, n)
	require.NoError(t, d.Close())
	n, err = d.Read(make([]byte, 4))
	assert.Equal(t, os.ErrClosed, err)
	assert.Zero(t, n)

	d = downloadOf(t, client)
	_, err = io.ReadAll(d)
	require.NoError(t, err)
	n, err = d.Read(make([]byte, 4))
	assert.Equal(t, io.EOF, err, "the end stays")
	assert.Zero(t, n)
	d.Close()

	d = downloadOf(t, client)
	d.body = io.NopCloser(iotest.OneByteReader(d.body))
	var b strings.Builder
	written, err := d.WriteTo(writerFunc(func(p []byte) (int, error) {
		assert.NotEmpty(t, p)
		return b.Write(p)
	}))
	require.NoError(t, err)
	assert.EqualValues(t, 10, written)
	assert.Equal(t, "0123456789", b.String())
	d.Close()

	d = downloadOf(t, client)
	d.body = &interrupted{ReadCloser: io.NopCloser(iotest.DataErrReader(d.body)), before: func() { d.Close() }}
	data := make([]byte, 10)
	n, err = d.Read(data)
	assert.Equal(t, "0123456789", string(data[:n]))
	assert.Equal(t, io.EOF, err, "what is whole is whole, although it was closed")
}

// closingOnce fails to close a second time.
type closingOnce struct {
	io.Reader
	closed int
}

func (c *closingOnce) Close() error {
	if c.closed++; c.closed > 1 {
		return os.ErrClosed
	}
	return errDisk
}

// TestClosingTwice closes the body once, and says how that went.
func TestClosingTwice(t *testing.T) {
	body := &closingOnce{Reader: strings.NewReader("0123456789")}
	client, _ := scriptedClient(t, RetryPolicy{}, func(r *http.Request) (*http.Response, error) {
		resp, err := status(200, "0123456789")(r)
		resp.Body = body
		return resp, err
	})
	d := downloadOf(t, client)
	assert.Equal(t, errDisk, d.Close())
	assert.NoError(t, d.Close())
	assert.Equal(t, 1, body.closed)
}

// TestRefusedOffsets checks that the content is requested from its beginning
// only if there is nothing at the offset.
func TestRefusedOffsets(t *testing.T) {
	for code, want := range map[int]int{416: 2, 403: 1, 404: 1} {
		client, s := scriptedClient(t, RetryPolicy{}, status(code, `{}`))
		for offset, want := range map[int64]int{0: 1, 4: want} {
			s.Times = nil
			_, _, err := client.JobArtifacts.Download(t.Context(), ProjectID(1), 8, WithDownloadOffset(offset, `"v1"`))
			require.Error(t, err)
			assert.Len(t, s.Times, want, "%d at %d", code, offset)
		}
	}
}

// TestDownloadThatFailsLeavesNothing checks that the context has ended, and
// that the refused body is closed.
func TestDownloadThatFailsLeavesNothing(t *testing.T) {
	for name, reply := range map[string]func(*http.Request) (*http.Response, error){
		"refused":    status(404, `{}`),
		"encoded":    status(206, "abc", "ETag", `"v1"`, "Content-Range", "bytes 4-6/7", "Content-Encoding", "gzip"),
		"wrong part": status(206, "abc", "ETag", `"v1"`, "Content-Range", "bytes 5-7/8"),
	} {
		var ctx context.Context
		body := &closeNoted{}
		client, _ := scriptedClient(t, RetryPolicy{}, func(r *http.Request) (*http.Response, error) {
			ctx = r.Context()
			resp, err := reply(r)
			body.Reader = resp.Body
			resp.Body = body
			return resp, err
		})
		_, _, err := client.JobArtifacts.Download(t.Context(), ProjectID(1), 8, WithDownloadOffset(4, `"v1"`))
		require.Error(t, err, name)
		assert.Error(t, ctx.Err(), name)
		assert.True(t, body.closed.Load(), name)
	}
}

// TestPartThatNobodyAskedFor checks that an unrequested part is the content if
// it starts at the beginning.
func TestPartThatNobodyAskedFor(t *testing.T) {
	client, _ := scriptedClient(t, RetryPolicy{},
		status(206, "0123456789", "Last-Modified", longAgo, "Content-Range", "bytes 0-9/10"))
	data, err := readAll(t, client)
	require.NoError(t, err)
	assert.Equal(t, "0123456789", data)
}

// TestOffsetOfOneByte checks the smallest offset.
func TestOffsetOfOneByte(t *testing.T) {
	client, _ := scriptedClient(t, RetryPolicy{}, status(206, "abc", "ETag", `"v2"`, "Content-Range", "bytes 1-3/4"))
	_, _, err := client.JobArtifacts.Download(t.Context(), ProjectID(1), 8, WithDownloadOffset(1, `"v1"`))
	assert.ErrorIs(t, err, errOtherVersion)
}

// TestEndsOfUnknownLength checks that the protocol determines the end, if it
// can.
func TestEndsOfUnknownLength(t *testing.T) {
	const tag = `"v1"`
	unframed := func(code int, body string, header ...string) func(*http.Request) (*http.Response, error) {
		return func(r *http.Request) (*http.Response, error) {
			resp, err := status(code, body, header...)(r)
			resp.ContentLength = -1
			return resp, err
		}
	}
	for name, tc := range map[string]struct {
		replies []func(*http.Request) (*http.Response, error)
		want    string
		err     error
	}{
		"chunked": {[]func(*http.Request) (*http.Response, error){unannounced(200, "0123456789")}, "0123456789", nil},
		"HTTP/2": {[]func(*http.Request) (*http.Response, error){func(r *http.Request) (*http.Response, error) {
			resp, err := unframed(200, "0123456789")(r)
			resp.Proto, resp.ProtoMajor, resp.ProtoMinor = "HTTP/2.0", 2, 0
			return resp, err
		}}, "0123456789", nil},
		"until the connection ends": {[]func(*http.Request) (*http.Response, error){unframed(200, "0123456789")},
			"0123456789", ErrUnknownLength},
		"empty": {[]func(*http.Request) (*http.Response, error){status(200, "")}, "", nil},
		"part": {[]func(*http.Request) (*http.Response, error){
			breakingOff(unannounced(200, "0123456789", "ETag", tag)),
			unannounced(206, "abcdefghij", "ETag", tag, "Content-Range", "bytes 10-19/20"),
		}, "0123456789abcdefghij", nil},
		"two parts": {[]func(*http.Request) (*http.Response, error){
			breakingOff(unannounced(200, "0123456789", "ETag", tag)),
			status(206, "abcde", "ETag", tag, "Content-Range", "bytes 10-14/20"),
			status(206, "fghij", "ETag", tag, "Content-Range", "bytes 15-19/20"),
		}, "0123456789abcdefghij", nil},
		"part of a content of unknown length": {[]func(*http.Request) (*http.Response, error){
			breakingOff(unannounced(200, "0123456789", "ETag", tag)),
			status(206, "abcde", "ETag", tag, "Content-Range", "bytes 10-14/*"),
		}, "0123456789abcde", ErrUnknownLength},
		"chunked part of a content of unknown length": {[]func(*http.Request) (*http.Response, error){
			breakingOff(unannounced(200, "0123456789", "ETag", tag)),
			unannounced(206, "abcde", "ETag", tag, "Content-Range", "bytes 10-14/*"),
		}, "0123456789abcde", ErrUnknownLength},
		"part of a content of known length": {[]func(*http.Request) (*http.Response, error){
			cutOff(200, "0123456789", "ETag", tag),
			status(206, "abcdefghij", "ETag", tag, "Content-Range", "bytes 10-19/*"),
		}, "0123456789abcdefghij", nil},
	} {
		client, s := scriptedClient(t, RetryPolicy{MinWait: time.Nanosecond}, tc.replies...)
		data, err := readAll(t, client)
		assert.Equal(t, tc.want, data, name)
		assert.ErrorIs(t, err, tc.err, name)
		assert.Equal(t, tc.err != nil, hasType[*TransportError](err), "%s: the error names the call", name)
		assert.Len(t, s.Times, len(tc.replies), name)
	}
}

// breakingOff makes a body end in an error.
func breakingOff(reply func(*http.Request) (*http.Response, error)) func(*http.Request) (*http.Response, error) {
	return func(r *http.Request) (*http.Response, error) {
		resp, err := reply(r)
		resp.Body = io.NopCloser(io.MultiReader(resp.Body, &failing{io.ErrUnexpectedEOF}))
		return resp, err
	}
}

// TestCancelingBetweenTwoConnections checks that canceling ends the wait for
// the next connection.
func TestCancelingBetweenTwoConnections(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, s := scriptedClient(t, RetryPolicy{MinWait: 10 * time.Hour, MaxWait: 100 * time.Hour},
			cutOff(200, "0123456789", "ETag", `"v1"`))
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		d, _, err := client.JobArtifacts.Download(ctx, ProjectID(1), 8)
		require.NoError(t, err)
		defer d.Close()
		_, err = io.ReadAll(d)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		assert.NotContains(t, err.Error(), "broke off")
		assert.Len(t, s.Times, 1)
	})
}

// TestErrorIsThatOfTheLatestResponse checks that it is not that of the response
// that started the stream.
func TestErrorIsThatOfTheLatestResponse(t *testing.T) {
	const tag = `"v1"`
	client, s := scriptedClient(t, RetryPolicy{MinWait: time.Nanosecond, MaxAttempts: 2},
		cutOff(200, "0123456789", "ETag", tag), cutOff(206, "abcde", "ETag", tag, "Content-Range", "bytes 10-19/20"),
		status(503, ``), cutOff(206, "", "ETag", tag, "Content-Range", "bytes 15-19/20"))
	data, err := readAll(t, client)
	assert.Equal(t, "0123456789abcde", data)
	var transport *TransportError
	require.ErrorAs(t, err, &transport)
	assert.Equal(t, 2, transport.Attempts)
	assert.Len(t, s.Times, 4)
}

// TestMoreThanAnnounced checks that more bytes than announced are an error,
// because it is unknown which of them are the content.
func TestMoreThanAnnounced(t *testing.T) {
	const tag = `"v1"`
	first := &closeNoted{Reader: strings.NewReader("0123456789")}
	client, s := scriptedClient(t, RetryPolicy{MinWait: time.Nanosecond},
		func(r *http.Request) (*http.Response, error) {
			resp, err := status(200, "", "ETag", tag)(r)
			resp.Body, resp.ContentLength = first, 20
			return resp, err
		}, unannounced(206, "abcdefghijklmno", "ETag", tag, "Content-Range", "bytes 10-19/20"))
	_, err := readAll(t, client)
	assert.ErrorContains(t, err, "more bytes than it announced")
	assert.True(t, hasType[*TransportError](err), "the error names the call")
	assert.Len(t, s.Times, 2)
	assert.True(t, first.closed.Load(), "a body that broke off is closed")
}

// TestChunkedPart checks that a part is not refused because it has no length.
func TestChunkedPart(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"v1"`)
		w.Header().Set("Content-Range", "bytes 4-9/10")
		w.WriteHeader(http.StatusPartialContent)
		http.NewResponseController(w).Flush()
		io.Copy(w, strings.NewReader("456789"))
	}))
	defer server.Close()
	data, err := readAll(t, clientOf(t, server.URL), WithDownloadOffset(4, `"v1"`))
	require.NoError(t, err)
	assert.Equal(t, "456789", data)
}

// TestReadsBringSomething checks that no Read is empty when a connection is
// replaced by another.
func TestReadsBringSomething(t *testing.T) {
	const tag = `"v1"`
	client, _ := scriptedClient(t, RetryPolicy{MinWait: time.Nanosecond},
		cutOff(200, "0123456789", "ETag", tag),
		status(206, "abcdefghij", "ETag", tag, "Content-Range", "bytes 10-19/20"))
	d := downloadOf(t, client)
	defer d.Close()
	for sum := 0; sum < 20; {
		n, err := d.Read(make([]byte, 4))
		require.NoError(t, err)
		require.Positive(t, n)
		sum += n
	}
}

// TestPageInsteadOfContent checks that the sign-in page of a proxy is neither an
// archive nor a log, also if a download is resumed, unless the caller asks for it.
func TestPageInsteadOfContent(t *testing.T) {
	const page = "<html><title>Sign in</title></html>"
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "Text/HTML; charset=utf-8")
		io.WriteString(w, page)
	})
	ctx, project := t.Context(), ProjectID(1)
	latest := &DownloadLatestArtifactsOptions{Ref: "main", Job: "build"}
	for name, call := range map[string]OpenDownload{
		"artifacts": openerOf(t, client),
		"latest artifacts": func(opts ...RequestOption) (*Download, *Response, error) {
			return client.JobArtifacts.DownloadLatest(ctx, project, latest, opts...)
		},
		"archive": func(opts ...RequestOption) (*Download, *Response, error) {
			return client.Repository.DownloadArchive(ctx, project, ArchiveFormatZip, nil, opts...)
		},
		"export": func(opts ...RequestOption) (*Download, *Response, error) {
			return client.ProjectExport.Download(ctx, project, opts...)
		},
		"secure file": func(opts ...RequestOption) (*Download, *Response, error) {
			return client.SecureFiles.Download(ctx, project, 8, opts...)
		},
		"log": func(opts ...RequestOption) (*Download, *Response, error) {
			return client.Jobs.Trace(ctx, project, 8, opts...)
		},
	} {
		dir := t.TempDir()
		for _, opts := range [][]RequestOption{nil, {WithDownloadOffset(4, `"v1"`)}} {
			_, err := SaveFile(filepath.Join(dir, "file"), func(more ...RequestOption) (*Download, *Response, error) {
				return call(append(opts, more...)...)
			})
			var decode *DecodeError
			require.ErrorAs(t, err, &decode, name)
			assert.ErrorIs(t, err, errPage, name)
			assert.ErrorContains(t, err, "(200 Text/HTML; charset=utf-8): it is a web page", name)
			assert.Empty(t, namesIn(t, dir), name)
		}
		d, _, err := call(WithHeader("Accept", "text/html"))
		require.NoError(t, err, name)
		data, err := io.ReadAll(d)
		require.NoError(t, err, name)
		assert.Equal(t, page, string(data), name)
		d.Close()
	}
	for name, call := range map[string]OpenDownload{
		"file of the artifacts": func(opts ...RequestOption) (*Download, *Response, error) {
			return client.JobArtifacts.DownloadFile(ctx, project, 8, "coverage/index.html", opts...)
		},
		"latest file of the artifacts": func(opts ...RequestOption) (*Download, *Response, error) {
			return client.JobArtifacts.DownloadLatestFile(ctx, project, "coverage/index.html", latest, opts...)
		},
		"file of the repository": func(opts ...RequestOption) (*Download, *Response, error) {
			return client.RepositoryFiles.Raw(ctx, project, "index.html", nil, opts...)
		},
	} {
		d, _, err := call()
		require.NoError(t, err, name)
		d.Close()
	}
}

// TestResumeThatBringsAPage checks that the rest of a download is no page either.
func TestResumeThatBringsAPage(t *testing.T) {
	client, _ := scriptedClient(t, RetryPolicy{MinWait: time.Nanosecond},
		cutOff(200, "0123456789", "ETag", `"v1"`), status(200, "<html>", "Content-Type", "text/html"))
	data, err := readAll(t, client)
	assert.ErrorIs(t, err, errPage)
	assert.Equal(t, "0123456789", data)
}

// TestDownloadsPrintNoSecret checks every way to print a download whose headers
// echo the credential.
func TestDownloadsPrintNoSecret(t *testing.T) {
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		token := r.Header.Get("Private-Token")
		w.Header().Set("ETag", `"`+token+`"`)
		w.Header().Set("Content-Type", "application/"+token)
		w.Header().Set("Content-Disposition", "attachment; filename=a-"+token+".zip")
		io.WriteString(w, "content")
	})
	d := downloadOf(t, client)
	defer d.Close()
	assert.Contains(t, d.Name, testSecret, "the fields are what the service sent")
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		text := fmt.Sprintf(verb, d)
		assert.Equal(t, `serviceapi.Download("a-[redacted].zip", 7 bytes)`, text)
		assert.NotContains(t, fmt.Sprintf(verb, struct{ D *Download }{d}), testSecret)
		assert.Equal(t, "serviceapi.Download(none)", fmt.Sprintf(verb, new(Download)))
	}
	var b bytes.Buffer
	slog.New(slog.NewTextHandler(&b, nil)).Info("x", "download", d)
	slog.New(slog.NewJSONHandler(&b, nil)).Info("x", "download", d)
	require.NoError(t, json.NewEncoder(&b).Encode(struct{ D *Download }{d}))
	assert.Equal(t, 3, strings.Count(b.String(), "a-[redacted].zip"))
	assert.NotContains(t, b.String(), testSecret)
}

// TestNoDownload checks what is printed of a download that a failed call returned.
func TestNoDownload(t *testing.T) {
	assert.Equal(t, "serviceapi.Download(none)", fmt.Sprint((*Download)(nil)))
	assert.Equal(t, "serviceapi.Download(none)", fmt.Sprint(new(Download)))
	assert.Equal(t, "(a file, 0 bytes: the body is left out)", withoutFile(0))
	assert.Equal(t, "(a file, of unknown size: the body is left out)", withoutFile(-1))
}

// TestMoreThanNothing checks that content where none was announced is an error.
func TestMoreThanNothing(t *testing.T) {
	client, s := scriptedClient(t, RetryPolicy{MinWait: 1}, func(r *http.Request) (*http.Response, error) {
		resp, err := status(200, "x", "ETag", `"a"`)(r)
		resp.ContentLength = 0
		return resp, err
	})
	_, err := readAll(t, client)
	assert.ErrorContains(t, err, "more bytes than it announced")
	assert.Len(t, s.Times, 1)
}

// TestFirstReadOfALog checks that it is unconditional, and that a log up to a limit is read
// at every poll.
func TestFirstReadOfALog(t *testing.T) {
	f := &followed{logs: []string{"a\n", "a\nb\n", "a\nb\nc\n"}, tag: true}
	client := handlerClient(t, f.ServeHTTP)
	for _, err := range client.Jobs.Follow(t.Context(), ProjectID(1), 8,
		WithPollInterval(time.Millisecond, time.Millisecond)) {
		require.NoError(t, err)
	}
	require.NotEmpty(t, f.requests)
	assert.NotContains(t, f.requests[0], "If-None-Match")
	later := &follower{}
	later.postpone(time.Now(), cheapLog-1)
	assert.Zero(t, later.due)
	later.postpone(time.Now(), cheapLog)
	assert.NotZero(t, later.due)
}

// TestLogOfOneByte checks that the last line of a log is a line without its newline, too,
// however short it is.
func TestLogOfOneByte(t *testing.T) {
	for log, want := range map[string][]string{"x": {"x"}, "x\ny": {"x", "y"}, "\n": {""}, "x\n": {"x"}} {
		client := handlerClient(t, (&followed{logs: []string{log}}).ServeHTTP)
		var lines []string
		for line, err := range client.Jobs.Follow(t.Context(), ProjectID(1), 8) {
			require.NoError(t, err)
			lines = append(lines, fmt.Sprint(line))
		}
		assert.Equal(t, want, lines, "%q", log)
	}
}
