package main

import (
	"bytes"
	"context"
	"io"
	"net"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A line is a connection to Redis that can be cut.
type line struct {
	address string
	target  string

	mu     sync.Mutex
	broken bool
	open   []net.Conn
}

func newLine(t *testing.T, target string) *line {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	l := &line{address: listener.Addr().String(), target: target}
	t.Cleanup(func() {
		listener.Close()
		l.cut()
	})
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go l.carry(conn)
		}
	}()
	return l
}

func (l *line) carry(conn net.Conn) {
	defer conn.Close()
	far, err := net.Dial("tcp", l.target)
	if err != nil || !l.add(conn, far) {
		return
	}
	defer far.Close()
	go func() {
		io.Copy(far, conn)
		far.Close()
	}()
	io.Copy(conn, far)
}

// add adds the two ends of a connection, unless the line is cut.
func (l *line) add(ends ...net.Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open = append(l.open, ends...)
	if l.broken {
		ends[1].Close()
	}
	return !l.broken
}

// cut closes all connections, and new ones at once.
func (l *line) cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, conn := range l.open {
		conn.Close()
	}
	l.broken, l.open = true, nil
}

func (l *line) mend() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.broken = false
}

// everyRedis starts each kind of Redis that there is, and returns their addresses: the
// embedded one, and those whose programs are installed.
func everyRedis(t *testing.T) map[string]string {
	server, err := startRedis()
	require.NoError(t, err)
	t.Cleanup(server.stop)
	all := map[string]string{"miniredis": server.address}
	for _, name := range []string{"redis-server", "valkey-server"} {
		if path, err := exec.LookPath(name); err == nil {
			all[name] = startProgram(t, path)
		}
	}
	return all
}

// startProgram starts a Redis that keeps nothing on disk.
func startProgram(t *testing.T, path string) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := listener.Addr().String()
	require.NoError(t, listener.Close())
	_, port, err := net.SplitHostPort(address)
	require.NoError(t, err)
	program := exec.Command(path, "--port", port, "--bind", "127.0.0.1",
		"--save", "", "--appendonly", "no", "--dir", t.TempDir())
	require.NoError(t, program.Start())
	t.Cleanup(func() {
		program.Process.Kill()
		program.Wait()
	})
	db, err := dialRedis(address)
	require.NoError(t, err)
	defer db.Close()
	responds := func() bool { return db.Ping(context.Background()).Err() == nil }
	require.Eventually(t, responds, 10*time.Second, 20*time.Millisecond)
	return address
}

// A lockedBuffer is written by several processes.
type lockedBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return strings.Clone(b.text.String())
}
