package serviceapi

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	partSize = 100_000
	partCut  = 30_000
)

// twoVersions sends the first bytes of one version of the content, and then a
// part of another one, whatever was requested.
type twoVersions struct {
	// first and second set the headers of the two responses.
	first, second func(h http.Header)
	// start is where the second response begins; size is that of the second
	// version.
	start, size int64
	requests    []http.Header
}

func (v *twoVersions) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	v.requests = append(v.requests, r.Header.Clone())
	h := w.Header()
	if len(v.requests) == 1 && r.Header.Get("Range") == "" {
		v.first(h)
		h.Set("Content-Length", strconv.Itoa(partSize))
		(&cutter{ResponseWriter: w, left: partCut}).Write(bytes.Repeat([]byte{'1'}, partSize))
		return
	}
	v.second(h)
	h.Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", v.start, v.size-1, v.size))
	h.Set("Content-Length", strconv.FormatInt(v.size-v.start, 10))
	w.WriteHeader(http.StatusPartialContent)
	w.Write(bytes.Repeat([]byte{'2'}, int(v.size-v.start)))
}

func headers(pairs ...string) func(http.Header) {
	return func(h http.Header) {
		for i := 0; i+1 < len(pairs); i += 2 {
			h.Set(pairs[i], pairs[i+1])
		}
	}
}

const (
	longAgo     = "Thu, 01 Jan 2026 10:00:00 GMT"
	laterOn     = "Thu, 01 Jan 2026 10:00:01 GMT"
	hoursAfter  = "Thu, 01 Jan 2026 12:00:00 GMT"
	secondsGone = "Thu, 01 Jan 2026 10:00:59 GMT"
	minuteGone  = "Thu, 01 Jan 2026 10:01:00 GMT"
)

// TestPartsOfTwoVersionsAreNotJoined checks that a file does not get parts of
// two versions if a service or a proxy ignores If-Range.
func TestPartsOfTwoVersionsAreNotJoined(t *testing.T) {
	for name, tc := range map[string]struct {
		first, second []string
		start, size   int64
		want          string // "" if the part is the right one
	}{
		"same tag": {[]string{"ETag", `"v1"`}, []string{"ETag", `"v1"`}, partCut, partSize, ""},
		"other tag": {[]string{"ETag", `"v1"`}, []string{"ETag", `"v2"`}, partCut, partSize,
			"another version"},
		"weak tag": {[]string{"ETag", `"v1"`}, []string{"ETag", `W/"v1"`}, partCut, partSize,
			"another version"},
		"no tag": {[]string{"ETag", `"v1"`}, nil, partCut, partSize, "another version"},
		"other start": {[]string{"ETag", `"v1"`}, []string{"ETag", `"v1"`}, partCut - 1, partSize,
			"a different part"},
		"beginning": {[]string{"ETag", `"v1"`}, []string{"ETag", `"v1"`}, 0, partSize, "a different part"},
		"other size": {[]string{"ETag", `"v1"`}, []string{"ETag", `"v1"`}, partCut, partSize + 1,
			"a different part"},
		"same date": {[]string{"Last-Modified", longAgo, "Date", hoursAfter},
			[]string{"Last-Modified", longAgo}, partCut, partSize, ""},
		"part without a date": {[]string{"Last-Modified", longAgo, "Date", hoursAfter}, nil, partCut, partSize, ""},
		"other date": {[]string{"Last-Modified", longAgo, "Date", hoursAfter},
			[]string{"Last-Modified", laterOn}, partCut, partSize, "another version"},
		"other weak tag": {[]string{"Last-Modified", longAgo, "Date", hoursAfter, "ETag", `W/"1"`},
			[]string{"ETag", `W/"2"`}, partCut, partSize, "another version"},
		"same weak tag": {[]string{"Last-Modified", longAgo, "Date", hoursAfter, "ETag", `W/"1"`},
			[]string{"ETag", `W/"1"`}, partCut, partSize, ""},
		"date that is none": {[]string{"Last-Modified", "long ago", "Date", hoursAfter}, nil, partCut, partSize,
			"broke off after 30000 bytes"},
		"weak tag, part without": {[]string{"Last-Modified", longAgo, "Date", hoursAfter, "ETag", `W/"1"`}, nil,
			partCut, partSize, ""},
		"no tag, part with one": {[]string{"Last-Modified", longAgo, "Date", hoursAfter}, []string{"ETag", `"1"`},
			partCut, partSize, ""},
		"date a minute old": {[]string{"Last-Modified", longAgo, "Date", minuteGone},
			[]string{"Last-Modified", longAgo}, partCut, partSize, ""},
		"date not a minute old": {[]string{"Last-Modified", longAgo, "Date", secondsGone},
			[]string{"Last-Modified", longAgo}, partCut, partSize, "broke off after 30000 bytes"},
		"no validator": {nil, nil, partCut, partSize, "broke off after 30000 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			v := &twoVersions{first: headers(tc.first...), second: headers(tc.second...), start: tc.start,
				size: tc.size}
			client, _ := serve(t, v.ServeHTTP)
			d, _, err := client.JobArtifacts.Download(t.Context(), ProjectID(1), 8)
			require.NoError(t, err)
			defer d.Close()
			data, err := io.ReadAll(d)
			if tc.want != "" {
				require.ErrorContains(t, err, tc.want)
				assert.Equal(t, strings.Repeat("1", partCut), string(data), "nothing of the other part is read")
				return
			}
			require.NoError(t, err)
			assert.Equal(t, strings.Repeat("1", partCut)+strings.Repeat("2", partSize-partCut), string(data))
			require.Len(t, v.requests, 2)
			assert.Equal(t, "bytes=30000-", v.requests[1].Get("Range"))
			assert.Equal(t, tc.first[1], v.requests[1].Get("If-Range"))
		})
	}
}

// TestFirstPartIsChecked checks that the response has the part that
// WithDownloadOffset requested.
func TestFirstPartIsChecked(t *testing.T) {
	for name, tc := range map[string]struct {
		etag  string
		start int64
		want  error
	}{
		"right":         {`"v1"`, partCut, nil},
		"other version": {`"v2"`, partCut, errOtherVersion},
		"no version":    {"", partCut, errOtherVersion},
		"other start":   {`"v1"`, partCut + 1, errWrongPart},
	} {
		t.Run(name, func(t *testing.T) {
			second := headers()
			if tc.etag != "" {
				second = headers("ETag", tc.etag)
			}
			v := &twoVersions{second: second, start: tc.start, size: partSize}
			client, _ := serve(t, v.ServeHTTP)
			d, resp, err := client.JobArtifacts.Download(t.Context(), ProjectID(1), 8,
				WithDownloadOffset(partCut, `"v1"`))
			require.NotNil(t, resp)
			assert.Equal(t, http.StatusPartialContent, resp.StatusCode)
			assert.Equal(t, `"v1"`, v.requests[0].Get("If-Range"))
			if tc.want != nil {
				require.ErrorIs(t, err, tc.want)
				var decode *DecodeError
				assert.ErrorAs(t, err, &decode)
				return
			}
			require.NoError(t, err)
			defer d.Close()
			data, err := io.ReadAll(d)
			require.NoError(t, err)
			assert.Len(t, data, partSize-partCut)
			assert.EqualValues(t, partCut, d.Offset)
			assert.EqualValues(t, partSize, d.Size)
		})
	}
}

func TestDownloadOffsetArguments(t *testing.T) {
	client, _ := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("something was sent") })
	for _, option := range []RequestOption{
		WithDownloadOffset(-1, `"v1"`), WithDownloadOffset(1, ""), WithDownloadOffset(1, "v1"),
		WithDownloadOffset(1, `W/"v1"`),
		WithDownloadOffset(1, `"v1", "v2"`), WithDownloadOffset(1, "\"a\r\nb\""), WithDownloadOffset(1, `"`),
	} {
		_, _, err := client.JobArtifacts.Download(t.Context(), ProjectID(1), 8, option)
		var argument *ArgumentError
		assert.ErrorAs(t, err, &argument)
	}
}

// TestErrorResponseToAResume checks that the stream ends with the error
// response.
func TestErrorResponseToAResume(t *testing.T) {
	v := &twoVersions{first: headers("ETag", `"v1"`)}
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if len(v.requests) > 0 {
			w.Header().Set("X-Request-Id", "r2")
			w.WriteHeader(http.StatusForbidden)
			io.WriteString(w, `{"message":"403 Forbidden"}`)
			return
		}
		v.ServeHTTP(w, r)
	})
	d, _, err := client.JobArtifacts.Download(t.Context(), ProjectID(1), 8)
	require.NoError(t, err)
	defer d.Close()
	n, err := io.Copy(io.Discard, d)
	assert.EqualValues(t, partCut, n)
	assert.ErrorIs(t, err, ErrForbidden)
	var e *Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, "r2", e.RequestID)
}

// TestResumeAtEveryByte checks that the content is the same and complete,
// wherever the connection breaks off.
func TestResumeAtEveryByte(t *testing.T) {
	const content = "the quick brown fox jumps over the lazy dog"
	for piece := int64(1); piece <= int64(len(content)); piece++ {
		var requests atomic.Int32
		client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
			requests.Add(1)
			w.Header().Set("ETag", `"v1"`)
			http.ServeContent(&cutter{ResponseWriter: w, left: piece}, r, "", time.Time{}, strings.NewReader(content))
		}, WithRetry(RetryPolicy{MinWait: time.Nanosecond, MaxWait: time.Nanosecond}))
		d, _, err := client.JobArtifacts.Download(t.Context(), ProjectID(1), 8)
		require.NoError(t, err)
		data, err := io.ReadAll(d)
		require.NoError(t, err, "pieces of %d bytes", piece)
		require.NoError(t, d.Close())
		assert.Equal(t, content, string(data))
		assert.EqualValues(t, (int64(len(content))+piece-1)/piece, requests.Load())
	}
}

// contextDepth returns the number of contexts that a context consists of.
func contextDepth(ctx context.Context) int {
	return strings.Count(fmt.Sprint(ctx), ".With")
}

// TestResumesDoNotNestContexts checks that the context of the hundredth request
// is not deeper than that of the first.
func TestResumesDoNotNestContexts(t *testing.T) {
	const content = 300
	var depths []int
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"v1"`)
		http.ServeContent(&cutter{ResponseWriter: w, left: 3}, r, "", time.Time{}, &noise{size: content})
	}, WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
		return roundTrip(func(r *http.Request) (*http.Response, error) {
			depths = append(depths, contextDepth(r.Context()))
			return next.RoundTrip(r)
		})
	}), WithRetry(RetryPolicy{MinWait: time.Nanosecond, MaxWait: time.Nanosecond}))
	d, _, err := client.JobArtifacts.Download(t.Context(), ProjectID(1), 8)
	require.NoError(t, err)
	defer d.Close()
	n, err := io.Copy(io.Discard, d)
	require.NoError(t, err)
	assert.EqualValues(t, content, n)
	require.Len(t, depths, content/3)
	assert.Positive(t, depths[1])
	assert.Equal(t, depths[1], depths[len(depths)-1])
}

// TestResumesAreBounded checks that a download from a service that always
// breaks off without a byte fails after the attempts and waits of the policy.
func TestResumesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		attempts := 0
		var waits []time.Duration
		last := time.Now()
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 4, MinWait: time.Hour, MaxWait: 10 * time.Hour},
			func(r *http.Request) (*http.Response, error) {
				attempts++
				waits = append(waits, time.Since(last))
				last = time.Now()
				code, body := 206, ""
				if attempts == 1 {
					code, body = 200, "0123456789"
				}
				resp, err := status(code, body, "ETag", `"v1"`, "Content-Range", "bytes 10-19/20")(r)
				if resp.ContentLength = 20; attempts > 1 {
					resp.ContentLength = 10
				}
				return resp, err
			})
		d, _, err := client.JobArtifacts.Download(t.Context(), ProjectID(1), 8)
		require.NoError(t, err)
		defer d.Close()
		data, err := io.ReadAll(d)
		assert.Equal(t, "0123456789", string(data))
		assert.ErrorIs(t, err, io.ErrUnexpectedEOF)
		assert.Equal(t, 4, attempts)
		assert.Greater(t, waits[1]+waits[2]+waits[3], time.Minute, "it waits as the policy says")
	})
}

// TestEachByteStartsTheCountAnew checks that a download goes on for as long as bytes arrive, without
// anything from the budget, and that it is never resumed if a call is sent only once.
func TestEachByteStartsTheCountAnew(t *testing.T) {
	for attempts, want := range map[int]string{1: "0", 2: "0123456789"} {
		synctest.Test(t, func(t *testing.T) {
			requests := 0
			send := func(r *http.Request) (*http.Response, error) {
				code, at := 206, fmt.Sprintf("bytes %d-9/10", requests)
				if requests == 0 {
					code, at = 200, ""
				}
				resp, err := status(code, strconv.Itoa(requests), "ETag", `"v1"`, "Content-Range", at)(r)
				resp.ContentLength = int64(10 - requests)
				requests++
				return resp, err
			}
			client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: attempts}, send)
			client, err := client.With(WithRetryBudget(0))
			require.NoError(t, err)
			d, _, err := client.JobArtifacts.Download(t.Context(), ProjectID(1), 8)
			require.NoError(t, err)
			defer d.Close()
			data, err := io.ReadAll(d)
			assert.Equal(t, want, string(data))
			assert.Equal(t, attempts == 1, err != nil, err)
		})
	}
}

// TestPartOfAnotherLength checks that the length of a part must match its
// header.
func TestPartOfAnotherLength(t *testing.T) {
	for _, length := range []int{0, 5, 9, 11} {
		body := &closeNoted{Reader: strings.NewReader(strings.Repeat("x", length))}
		part := func(r *http.Request) (*http.Response, error) {
			resp, err := status(206, "", "ETag", `"v1"`, "Content-Range", "bytes 10-19/20")(r)
			resp.Body, resp.ContentLength = body, int64(length)
			return resp, err
		}
		client, _ := scriptedClient(t, RetryPolicy{}, part)
		_, _, err := client.JobArtifacts.Download(t.Context(), ProjectID(1), 8, WithDownloadOffset(10, `"v1"`))
		assert.ErrorIs(t, err, errWrongPart)
		assert.True(t, body.closed.Load())
		body.closed.Store(false)
		client, _ = scriptedClient(t, RetryPolicy{MinWait: time.Nanosecond}, cutOff(200, "0123456789", "ETag",
			`"v1"`), part)
		data, err := readAll(t, client)
		assert.ErrorIs(t, err, errWrongPart)
		assert.True(t, hasType[*TransportError](err), "the error names the call")
		assert.Equal(t, "0123456789", data)
		assert.True(t, body.closed.Load(), "nothing of it is read")
	}
}

// TestShortPartsAreContinued checks services that send less than was requested.
func TestShortPartsAreContinued(t *testing.T) {
	const content = "0123456789abcdefghij"
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"v1"`)
		var from int
		fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &from)
		to := min(from+7, len(content))
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, to-1, len(content)))
		w.WriteHeader(http.StatusPartialContent)
		io.WriteString(w, content[from:to])
	})
	d, _, err := client.JobArtifacts.Download(t.Context(), ProjectID(1), 8, WithDownloadOffset(3, `"v1"`))
	require.NoError(t, err)
	defer d.Close()
	data, err := io.ReadAll(d)
	require.NoError(t, err)
	assert.Equal(t, content[3:], string(data))
}

// TestClosingWhileReading checks that Close on another goroutine ends a Read
// that waits for bytes or for another connection.
func TestClosingWhileReading(t *testing.T) {
	for name, handler := range map[string]http.HandlerFunc{
		"waiting for bytes": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "1000")
			w.Write(make([]byte, 10))
			http.NewResponseController(w).Flush()
			<-r.Context().Done()
		},
		"waiting for another connection": func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Range") != "" {
				<-r.Context().Done()
				return
			}
			w.Header().Set("ETag", `"v1"`)
			w.Header().Set("Content-Length", "1000")
			(&cutter{ResponseWriter: w, left: 10}).Write(make([]byte, 20))
		},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(handler)
			client := clientOf(t, server.URL)
			d, _, err := client.JobArtifacts.Download(t.Context(), ProjectID(1), 8)
			require.NoError(t, err)
			_, err = io.ReadFull(d, make([]byte, 10))
			require.NoError(t, err)
			ended := make(chan error, 1)
			go func() {
				_, err := d.Read(make([]byte, 10))
				ended <- err
			}()
			time.Sleep(20 * time.Millisecond)
			for range 4 {
				go d.Close()
			}
			select {
			case err := <-ended:
				assert.Equal(t, os.ErrClosed, err)
			case <-time.After(10 * time.Second):
				t.Fatal("Read goes on after Close")
			}
			_, err = d.Read(make([]byte, 10))
			assert.Equal(t, os.ErrClosed, err)
			assert.NoError(t, d.Close())
			client.CloseIdleConnections()
			server.Close() // waits for the connections
		})
	}
}

// TestClosingAtRandom finds races between Read, resuming and Close.
func TestClosingAtRandom(t *testing.T) {
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"v1"`)
		http.ServeContent(&cutter{ResponseWriter: w, left: 40_000}, r, "", time.Time{}, &noise{size: 1 << 20})
	}, WithRetry(RetryPolicy{MinWait: 100 * time.Microsecond, MaxWait: 100 * time.Microsecond}))
	for i := range 30 {
		d, _, err := client.JobArtifacts.Download(t.Context(), ProjectID(1), 8)
		require.NoError(t, err)
		time.AfterFunc(time.Duration(i)*200*time.Microsecond, func() { d.Close() })
		if _, err = io.Copy(io.Discard, d); err != nil {
			assert.ErrorIs(t, err, os.ErrClosed)
		}
		d.Close()
	}
}

// TestResponseThatComesAfterClose checks that it is closed, too.
func TestResponseThatComesAfterClose(t *testing.T) {
	body := &closeNoted{Reader: strings.NewReader("abcdefghij")}
	resuming, closed := make(chan struct{}), make(chan struct{})
	client, _ := scriptedClient(t, RetryPolicy{MinWait: time.Nanosecond},
		func(r *http.Request) (*http.Response, error) {
			if r.Header.Get("Range") == "" {
				resp, err := status(200, "0123456789", "ETag", `"v1"`)(r)
				resp.ContentLength = 20
				return resp, err
			}
			close(resuming)
			<-closed // ignores the end of the context
			resp, err := status(206, "abcdefghij", "ETag", `"v1"`, "Content-Range", "bytes 10-19/20")(r)
			resp.Body = body
			return resp, err
		})
	d := downloadOf(t, client)
	go func() {
		<-resuming
		d.Close()
		close(closed)
	}()
	data, err := io.ReadAll(d)
	assert.Equal(t, os.ErrClosed, err)
	assert.Equal(t, "0123456789", string(data))
	assert.True(t, body.closed.Load())
}
