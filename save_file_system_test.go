package serviceapi

import (
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	osexec "os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"example.com/serviceapi/internal/posix"
	"example.com/serviceapi/internal/savefile"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// onPOSIX skips a test where files have no modes, links and devices.
func onPOSIX(t *testing.T) {
	t.Helper()
	if !posix.Supported {
		t.Skip("not on this system")
	}
}

func modeOf(t *testing.T, name string) fs.FileMode {
	t.Helper()
	info, err := os.Lstat(name)
	require.NoError(t, err)
	return info.Mode()
}

// saves are the two ways to save, which have the same rules.
func saves(t *testing.T, client *Client) map[string]func(name string) error {
	return map[string]func(string) error{
		"Download.SaveFile": func(name string) error {
			_, err := downloadOf(t, client).SaveFile(name)
			return err
		},
		"SaveFile": func(name string) error {
			_, err := SaveFile(name, openerOf(t, client))
			return err
		},
	}
}

func TestSaveFileModes(t *testing.T) {
	onPOSIX(t)
	defer posix.Umask(posix.Umask(0))
	client := archiveClient(t, &archiveOf{content: "all", etag: `"v1"`})
	for way, save := range saves(t, client) {
		dir := t.TempDir()
		file := filepath.Join(dir, "file")
		for umask, want := range map[int]fs.FileMode{0: 0o666, 0o002: 0o664, 0o022: 0o644, 0o027: 0o640} {
			posix.Umask(umask)
			require.NoError(t, save(file))
			assert.Equal(t, want, modeOf(t, file), "%s: a new file has what the umask leaves", way)
			require.NoError(t, os.Remove(file))
		}
		require.NoError(t, save(file))
		for _, mode := range []fs.FileMode{0o600, 0o644, 0o755, 0o444, 0o666} {
			require.NoError(t, os.Chmod(file, mode))
			require.NoError(t, save(file))
			assert.Equal(t, mode, modeOf(t, file), "%s: a file that is replaced keeps its permissions", way)
		}
		assert.Len(t, namesIn(t, dir), 1)
	}
}

// TestSecureFilesAreTheirOwnersAlone checks new files, files that are continued
// and files that are replaced.
func TestSecureFilesAreTheirOwnersAlone(t *testing.T) {
	onPOSIX(t)
	defer posix.Umask(posix.Umask(0o022))
	a := &archiveOf{content: "a secret key", etag: `"v1"`}
	client := archiveClient(t, a)
	open := func(opts ...RequestOption) (*Download, *Response, error) {
		return client.SecureFiles.Download(t.Context(), ProjectID(1), 8, opts...)
	}
	dir := t.TempDir()
	for i, mode := range []fs.FileMode{0o600, 0o644} {
		file := filepath.Join(dir, fmt.Sprint("continued", i))
		a.cuts, a.ranges = []int64{4}, nil
		_, err := SaveFile(file, open)
		require.Error(t, err)
		assert.Equal(t, fs.FileMode(0o600), modeOf(t, file+".part"))
		require.NoError(t, os.Chmod(file+".part", mode))
		_, err = SaveFile(file, open)
		require.NoError(t, err)
		assert.Equal(t, fs.FileMode(0o600), modeOf(t, file))
		assert.Equal(t, a.content, contentOf(t, file))
		assert.Equal(t, [][]string{{"", "bytes=4-"}, {"", "bytes=4-", ""}}[i], a.ranges,
			"others may have the part open")
	}
	for way, save := range map[string]func(name string) error{
		"Download.SaveFile": func(name string) error {
			d, _, err := open()
			require.NoError(t, err)
			_, err = d.SaveFile(name)
			return err
		},
		"SaveFile": func(name string) error {
			_, err := SaveFile(name, open)
			return err
		},
	} {
		file := filepath.Join(dir, way)
		for mode, want := range map[fs.FileMode]fs.FileMode{
			0o600: 0o600, 0o640: 0o600, 0o644: 0o600, 0o755: 0o600, 0o444: 0o400,
		} {
			require.NoError(t, os.WriteFile(file, []byte("old"), 0o600))
			require.NoError(t, os.Chmod(file, mode))
			require.NoError(t, save(file))
			assert.Equal(t, want, modeOf(t, file), "%s replaces a file of mode %o", way, mode)
			require.NoError(t, os.Remove(file))
		}
	}
}

// TestSaveFileFollowsLinks checks links to files that exist and to files that
// do not.
func TestSaveFileFollowsLinks(t *testing.T) {
	onPOSIX(t)
	client := archiveClient(t, &archiveOf{content: "all", etag: `"v1"`})
	for way, save := range saves(t, client) {
		dir := t.TempDir()
		at := func(name string) string { return filepath.Join(dir, name) }
		require.NoError(t, os.Mkdir(at("store"), 0o777))
		require.NoError(t, os.WriteFile(at("store/old"), []byte("old"), 0o600))
		require.NoError(t, os.Symlink(at("store/old"), at("absolute")))
		require.NoError(t, os.Symlink("store/old", at("relative")))
		require.NoError(t, os.Symlink("relative", at("twice")))
		require.NoError(t, os.Symlink("store/new", at("dangling")))
		require.NoError(t, os.Symlink("dangling", at("dangling-twice")))
		require.NoError(t, os.Symlink("store", at("directory")))
		for name, target := range map[string]string{
			"absolute": "store/old", "relative": "store/old", "twice": "store/old", "dangling": "store/new",
			"dangling-twice": "store/new", "directory/x": "store/x",
		} {
			os.Remove(at("store/new"))
			require.NoError(t, os.WriteFile(at("store/old"), []byte("old"), 0o600))
			require.NoError(t, save(at(name)), "%s: %s", way, name)
			assert.Equal(t, "all", contentOf(t, at(target)), "%s: %s", way, name)
			if !strings.Contains(name, "/") {
				assert.Equal(t, fs.ModeSymlink, modeOf(t, at(name)).Type(), "%s: %s is a link still", way, name)
			}
		}
		assert.Equal(t, fs.FileMode(0o600), modeOf(t, at("store/old")))
		require.NoError(t, os.Symlink("loop", at("loop")))
		assert.ErrorIs(t, save(at("loop")), syscall.ELOOP, way)
		assert.ErrorIs(t, save(at("store/old/x")), syscall.ENOTDIR, way)
	}
}

// TestSaveFileToADevice checks that a device is written to, and not replaced by
// a file.
func TestSaveFileToADevice(t *testing.T) {
	onPOSIX(t)
	a := &archiveOf{content: "all", etag: `"v1"`}
	client := archiveClient(t, a)
	for way, save := range saves(t, client) {
		fifo := filepath.Join(t.TempDir(), "fifo")
		require.NoError(t, posix.MakeFIFO(fifo))
		read := make(chan string)
		go func() {
			data, _ := os.ReadFile(fifo)
			read <- string(data)
		}()
		before := len(a.ranges)
		require.NoError(t, os.WriteFile(fifo+".part", []byte("al"), 0o600))
		require.NoError(t, os.WriteFile(fifo+".part.etag", []byte(a.etag), 0o600))
		require.NoError(t, save(fifo), way)
		assert.Equal(t, "all", <-read, way)
		assert.Equal(t, []string{""}, a.ranges[before:], "%s: nothing is continued there", way)
		assert.Equal(t, fs.ModeNamedPipe, modeOf(t, fifo).Type(), way)
		if full := fullDevice(t); full != "" {
			assert.ErrorIs(t, save(full), syscall.ENOSPC, way)
			assert.NotZero(t, modeOf(t, full)&fs.ModeDevice, way)
		}
	}
}

// TestSaveFileCountsWhatADeviceTook checks that the number of bytes is right
// for a device, too.
func TestSaveFileCountsWhatADeviceTook(t *testing.T) {
	onPOSIX(t)
	client := archiveClient(t, &archiveOf{content: "all", etag: `"v1"`})
	for way, save := range map[string]func(name string) (int64, error){
		"Download.SaveFile": func(name string) (int64, error) { return downloadOf(t, client).SaveFile(name) },
		"SaveFile":          func(name string) (int64, error) { return SaveFile(name, openerOf(t, client)) },
	} {
		fifo := filepath.Join(t.TempDir(), "fifo")
		require.NoError(t, posix.MakeFIFO(fifo))
		read := make(chan struct{})
		go func() {
			_, _ = os.ReadFile(fifo)
			close(read)
		}()
		n, err := save(fifo)
		require.NoError(t, err, way)
		assert.EqualValues(t, 3, n, way)
		<-read
	}
}

// fullDevice returns a device that is always full, "" if there is none. Root gets
// one of its own: if the code were wrong, root could replace that of the system.
func fullDevice(t *testing.T) string {
	t.Helper()
	if runtime.GOOS != "linux" {
		return ""
	}
	if os.Getuid() != 0 {
		return "/dev/full"
	}
	name := filepath.Join(t.TempDir(), "full")
	const major, minor = 1, 7
	if err := posix.MakeDevice(name, major, minor); err != nil {
		return ""
	}
	if f, err := os.OpenFile(name, os.O_WRONLY, 0); err != nil {
		return "" // the file system has no devices
	} else {
		f.Close()
	}
	return name
}

// TestSaveFileToASocket fails, since none can be opened like a file.
func TestSaveFileToASocket(t *testing.T) {
	onPOSIX(t)
	dir, err := os.MkdirTemp("", "s") // the name of a socket is short
	require.NoError(t, err)
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "socket")
	listener, err := net.Listen("unix", name)
	require.NoError(t, err)
	defer listener.Close()
	n, err := downloadOf(t, archiveClient(t, &archiveOf{content: "all"})).SaveFile(name)
	assert.ErrorAs(t, err, new(*fs.PathError))
	assert.Zero(t, n)
	assert.Equal(t, fs.ModeSocket, modeOf(t, name).Type())
}

// TestPartsAreNoMoreOpenThanTheirFile checks that a part is not readable for
// more people than the file. Its owner can always continue it.
func TestPartsAreNoMoreOpenThanTheirFile(t *testing.T) {
	onPOSIX(t)
	defer posix.Umask(posix.Umask(0o022))
	for mode, want := range map[fs.FileMode]fs.FileMode{0o600: 0o600, 0o440: 0o640, 0o400: 0o600, 0o644: 0o644} {
		client := archiveClient(t, &archiveOf{content: "abcdefghij", etag: `"v1"`, cuts: []int64{4}})
		file := filepath.Join(t.TempDir(), "file")
		require.NoError(t, os.WriteFile(file, []byte("old"), 0o600))
		require.NoError(t, os.Chmod(file, mode))
		_, err := SaveFile(file, openerOf(t, client))
		require.Error(t, err)
		assert.Equal(t, want, modeOf(t, file+".part"))
		_, err = SaveFile(file, openerOf(t, client))
		require.NoError(t, err)
		assert.Equal(t, mode, modeOf(t, file))
	}
}

// TestSaveFileLeavesNoFileOpen checks that no file is left open, whatever the
// outcome of the download.
func TestSaveFileLeavesNoFileOpen(t *testing.T) {
	onPOSIX(t)
	if runtime.GOOS != "linux" {
		t.Skip("no list of open files here")
	}
	dir := t.TempDir()
	a := &archiveOf{content: "abcdefghij", etag: `"v1"`}
	client := archiveClient(t, a)
	file := filepath.Join(dir, "file")
	for way, save := range saves(t, client) {
		for _, cuts := range [][]int64{{4}, nil} {
			a.cuts = cuts
			err := save(file)
			assert.Equal(t, cuts != nil, err != nil, way)
			assert.Empty(t, openFilesIn(t, dir), way)
		}
	}
	a.cuts = []int64{4}
	_, err := SaveFile(file, openerOf(t, client))
	require.Error(t, err)
	_, err = SaveFile(file, func(opts ...RequestOption) (*Download, *Response, error) {
		d, resp, err := openerOf(t, client)(opts...)
		require.NoError(t, os.Truncate(file+".part", 3))
		return d, resp, err
	})
	assert.ErrorIs(t, err, savefile.ErrChanged)
	assert.Empty(t, openFilesIn(t, dir))
}

func openFilesIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	for _, fd := range namesIn(t, "/proc/self/fd") {
		if name, err := os.Readlink("/proc/self/fd/" + fd); err == nil && strings.HasPrefix(name, dir+"/") {
			names = append(names, name)
		}
	}
	return names
}

func TestSaveFileWithoutPermission(t *testing.T) {
	onPOSIX(t)
	if os.Getuid() == 0 {
		t.Skip("root may write anywhere")
	}
	client := archiveClient(t, &archiveOf{content: "all", etag: `"v1"`})
	dir := t.TempDir()
	require.NoError(t, os.Chmod(dir, 0o500))
	for way, save := range saves(t, client) {
		assert.ErrorIs(t, save(filepath.Join(dir, "file")), fs.ErrPermission, way)
	}
}

// fullDiskVariable names the directory of TestFullDisk for the process in which
// files cannot become long.
const fullDiskVariable = "SERVICEAPI_TEST_FULL_DISK"

// TestFullDisk runs in a separate process, which may not write long files.
func TestFullDisk(t *testing.T) {
	onPOSIX(t)
	if dir := os.Getenv(fullDiskVariable); dir != "" {
		saveOnAFullDisk(t, dir)
		return
	}
	if testing.CoverMode() != "" {
		t.Skip("the process could not write what it covered")
	}
	dir := t.TempDir()
	command := osexec.Command(os.Args[0], "-test.run=^TestFullDisk$", "-test.timeout=60s")
	command.Env = append(os.Environ(), fullDiskVariable+"="+dir)
	output, err := command.CombinedOutput()
	require.NoError(t, err, "%s", output)
}

func saveOnAFullDisk(t *testing.T, dir string) {
	const most = 64 << 10
	require.NoError(t, posix.LimitFileSize(most))
	content := strings.Repeat("0123456789", 20_000)
	client := archiveClient(t, &archiveOf{content: content, etag: `"v1"`})
	file := filepath.Join(dir, "file")
	n, err := downloadOf(t, client).SaveFile(file)
	assert.ErrorIs(t, err, syscall.EFBIG)
	assert.EqualValues(t, most, n)
	assert.Empty(t, namesIn(t, dir))
	n, err = SaveFile(file, openerOf(t, client))
	assert.ErrorIs(t, err, syscall.EFBIG)
	assert.EqualValues(t, most, n)
	assert.Equal(t, []string{"file.part", "file.part.etag"}, namesIn(t, dir), "there may be room later")
	assert.Equal(t, content[:most], contentOf(t, file+".part"))
}

// TestSaveFileAsksOnceMoreOnlyWhereItHelps checks that a part is dropped if the service sends
// another part, and kept if it refuses the call for another reason.
func TestSaveFileAsksOnceMoreOnlyWhereItHelps(t *testing.T) {
	for name, tc := range map[string]struct {
		reply http.HandlerFunc
		calls int
	}{
		"another part": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("ETag", `"v1"`)
			w.Header().Set("Content-Range", "bytes 2-9/10")
			w.WriteHeader(http.StatusPartialContent)
			fmt.Fprint(w, "cdefghij")
		}, 2},
		"forbidden": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }, 1},
		"too long":  {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(416) }, 2},
	} {
		a := &archiveOf{content: "abcdefghij", etag: `"v1"`, cuts: []int64{4}}
		calls := -1 // the first one leaves a part
		client := archiveClient(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			calls++
			if r.Header.Get("Range") != "" {
				tc.reply(w, r)
				return
			}
			a.ServeHTTP(w, r)
		}))
		file := filepath.Join(t.TempDir(), "file")
		_, err := SaveFile(file, openerOf(t, client))
		require.Error(t, err)
		_, err = SaveFile(file, openerOf(t, client))
		assert.Equal(t, tc.calls, calls, name)
		if tc.calls == 2 {
			require.NoError(t, err, name)
			assert.Equal(t, a.content, contentOf(t, file))
			continue
		}
		require.ErrorIs(t, err, ErrForbidden)
		assert.Equal(t, "abcd", contentOf(t, file+".part"))
	}
}
