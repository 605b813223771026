package line

import (
	"bytes"
	"io"
	"math"
	"net"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

const roundTrip = 80 * time.Millisecond

// arrivals is a receiver that notes when bytes come.
type arrivals struct {
	began time.Time
	data  []byte
	last  time.Duration
}

func (a *arrivals) Write(p []byte) (int, error) {
	a.data = append(a.data, p...)
	a.last = time.Since(a.began)
	return len(p), nil
}

// transfer sends segments, some of which are lost, and returns when the last one came.
func transfer(t *testing.T, segments int, lost func(n int) bool) time.Duration {
	t.Helper()
	var took time.Duration
	synctest.Test(t, func(t *testing.T) {
		data := make([]byte, segments*segmentSize)
		for i := range data {
			data[i] = byte(i * 31)
		}
		n := 0
		dst := &arrivals{began: time.Now()}
		carry(t.Context(), dst, bytes.NewReader(data), newSender(roundTrip, func() bool {
			n++
			return lost(n)
		}))
		if !bytes.Equal(dst.data, data) {
			t.Error("other bytes came than were sent")
		}
		took = dst.last
	})
	return took
}

// TestSender checks the model by hand: how many round trips a transfer takes, and what
// one lost segment costs.
func TestSender(t *testing.T) {
	for _, c := range []struct {
		name     string
		segments int
		lost     []int // in the order in which segments are sent
		halves   int   // of round trips
		more     time.Duration
	}{
		{"one window", 10, nil, 1, 0},
		{"a window and a segment", 11, nil, 3, 0},
		{"10, 20 and 40", 70, nil, 5, 0},
		{"10, 20, 40 and one", 71, nil, 7, 0},
		{"the first, noticed by those behind it", 10, []int{1}, 3, 0},
		{"the last but two, noticed late", 10, []int{8}, 5, 0},
		{"the last, noticed late", 10, []int{10}, 5, 0},
		{"the first, twice", 10, []int{1, 5}, 3, roundTrip + minTimeout},
		// After a round trip, the window is 5, one of which is the first again: 11 to 14
		// are sent, then 15 to 19, then 20.
		{"the first of more than a window", 20, []int{1}, 7, 0},
	} {
		got := transfer(t, c.segments, func(n int) bool { return slices.Contains(c.lost, n) })
		if want := time.Duration(c.halves)*roundTrip/2 + c.more; got != want {
			t.Errorf("%s: the last byte came after %v, want %v", c.name, got, want)
		}
	}
}

// TestThroughput compares the model with the formula of Mathis and others for a long
// transfer: segment size / round trip * sqrt(3/2) / sqrt(loss).
func TestThroughput(t *testing.T) {
	const segments = 8000
	for _, loss := range []float64{0.01, 0.03} {
		next := Line{Loss: loss, Seed: 7}.losses(1)
		took := transfer(t, segments, func(int) bool { return next() })
		want := math.Sqrt(1.5/loss) / roundTrip.Seconds() // segments each second
		if got := segments / took.Seconds(); got < want*0.7 || got > want*1.3 {
			t.Errorf("with a loss of %v, %.0f segments came in a second, want about %.0f", loss, got, want)
		}
	}
}

// TestProxy checks that bytes come through in both directions, late, and that closing
// the proxy ends what is open.
func TestProxy(t *testing.T) {
	service, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer service.Close()
	go func() {
		for {
			conn, err := service.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				io.Copy(conn, conn) // what comes goes back
			}()
		}
	}()
	const trip = 10 * time.Millisecond
	proxy, err := Line{RoundTrip: trip, Loss: 0.02, Seed: 1}.Start(service.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	conn, err := net.Dial("tcp", proxy.Addr())
	if err != nil {
		t.Fatal(err)
	}
	sent := bytes.Repeat([]byte("0123456789"), 20_000)
	go func() {
		conn.Write(sent)
		conn.(*net.TCPConn).CloseWrite()
	}()
	got, err := io.ReadAll(conn)
	if err != nil || !bytes.Equal(got, sent) {
		t.Errorf("%d bytes came back of %d, error %v", len(got), len(sent), err)
	}
	if took := time.Since(start); took < 2*trip {
		t.Errorf("a handshake and a round trip took %v", took)
	}
	open, err := net.Dial("tcp", proxy.Addr())
	if err != nil {
		t.Fatal(err)
	}
	for proxy.Connections() < 2 {
		time.Sleep(time.Millisecond)
	}
	if err := proxy.Close(); err != nil {
		t.Error(err)
	}
	io.ReadAll(open) // ends, with or without an error
}
