package wiretests

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func secureFile(t *testing.T) *serviceapi.SecureFile {
	return &serviceapi.SecureFile{
		ID: 1, Name: "release.jks", FileExtension: "jks",
		Checksum:          "16630b189ab34b2e3504f4758e1054d2e478deda510b2b08cc0ef38d12e80aac",
		ChecksumAlgorithm: serviceapi.ChecksumAlgorithmSHA256,
		CreatedAt:         *at(t, "2026-02-22T22:22:22.222Z"),
		ExpiresAt:         at(t, "2027-02-22T22:22:22Z"),
		Metadata: &serviceapi.SecureFileMetadata{
			ID: "75949910542696343243264405377658443914",
			Issuer: &serviceapi.CertificateName{Country: "US", Organization: "Authority", CommonName: "Authority CA",
				OrganizationalUnit: "G3"},
			Subject: &serviceapi.CertificateName{Country: "GB", Organization: "Acme", CommonName: "Acme Distribution",
				OrganizationalUnit: "ABC123XYZ", UserID: "ABC123"},
			ExpiresAt: *at(t, "2027-02-22T22:22:22Z"),
		},
	}
}

func TestSecureFiles(t *testing.T) {
	const path = "/projects/acme%2Fapp/secure_files"
	list := "[" + fixture(t, "secure_files/file.json") + "]"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Query: "page=2", Body: list},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: list},
		exchange{Method: "GET", Path: path + "/1", Fixture: "secure_files/file.json"},
		exchange{
			Method: "POST", Path: path, Status: 201, Fixture: "secure_files/file.json",
			Multipart: []string{"name=release.jks", `file[key "1".jks;application/octet-stream]=content`},
		},
		exchange{Method: "DELETE", Path: path + "/1", Status: 204},
	)
	app, expected := serviceapi.ProjectPath("acme/app"), secureFile(t)
	files, _, err := client.SecureFiles.List(t.Context(), app, &serviceapi.ListOptions{Page: 2})
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.SecureFile{expected}, files)

	files, err = serviceapi.Collect(client.SecureFiles.All(t.Context(), app, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.SecureFile{expected}, files)

	file, _, err := client.SecureFiles.Get(t.Context(), app, 1)
	require.NoError(t, err)
	assert.Equal(t, expected, file)

	file, resp, err := client.SecureFiles.Create(t.Context(), app, serviceapi.CreateSecureFileOptions{
		Name: "release.jks", File: serviceapi.Upload{Filename: `key "1".jks`, Content: strings.NewReader("content")},
	})
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, expected, file)

	_, err = client.SecureFiles.Delete(t.Context(), app, 1)
	require.NoError(t, err)
}

func TestSecureFilesRefuseBeforeSending(t *testing.T) {
	client := onWire(t)
	for name, call := range map[string]func() error{
		"no file": func() error {
			_, _, err := client.SecureFiles.Create(t.Context(), serviceapi.ProjectID(1),
				serviceapi.CreateSecureFileOptions{Name: "a"})
			return err
		},
		"no id": func() error {
			_, err := client.SecureFiles.Delete(t.Context(), serviceapi.ProjectID(1), 0)
			return err
		},
		"no project": func() error {
			_, _, err := client.SecureFiles.Download(t.Context(), serviceapi.ProjectRef{}, 1)
			return err
		},
	} {
		var argument *serviceapi.ArgumentError
		assert.ErrorAs(t, call(), &argument, name)
	}
}

// download returns the response to a download of a secure file.
func download(t *testing.T, content string) *serviceapi.Download {
	t.Helper()
	client := onWire(t, exchange{
		Method: "GET", Path: "/projects/3/secure_files/1/download", Body: content,
		ResponseHeader: map[string]string{"Content-Type": "application/octet-stream",
			"Content-Disposition": `attachment; filename="release.jks"`},
	})
	d, _, err := client.SecureFiles.Download(t.Context(), serviceapi.ProjectID(3), 1)
	require.NoError(t, err)
	t.Cleanup(func() { d.Close() })
	assert.Equal(t, "release.jks", d.Name)
	return d
}

func sha256Of(content string) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:])
}

func TestSecureFileVerify(t *testing.T) {
	const content = "the content of a keystore"
	right := &serviceapi.SecureFile{
		Checksum:          strings.ToUpper(sha256Of(content)),
		ChecksumAlgorithm: serviceapi.ChecksumAlgorithmSHA256,
	}
	wrong := &serviceapi.SecureFile{
		Checksum:          sha256Of("another content"),
		ChecksumAlgorithm: serviceapi.ChecksumAlgorithmSHA256,
	}
	ways := map[string]func(d *serviceapi.Download) (string, error){
		"Read": func(d *serviceapi.Download) (string, error) {
			data, err := io.ReadAll(struct{ io.Reader }{d})
			return string(data), err
		},
		"WriteTo": func(d *serviceapi.Download) (string, error) {
			var b bytes.Buffer
			_, err := d.WriteTo(&b)
			return b.String(), err
		},
	}
	for name, read := range ways {
		t.Run(name, func(t *testing.T) {
			d := download(t, content)
			require.NoError(t, right.Verify(d))
			got, err := read(d)
			require.NoError(t, err)
			assert.Equal(t, content, got)

			d = download(t, content)
			require.NoError(t, wrong.Verify(d))
			_, err = read(d)
			var mismatch *serviceapi.ChecksumError
			require.ErrorAs(t, err, &mismatch)
			assert.Equal(
				t,
				&serviceapi.ChecksumError{
					Algorithm: serviceapi.ChecksumAlgorithmSHA256,
					Expected:  wrong.Checksum,
					Actual:    sha256Of(content),
				},
				mismatch,
			)
			assert.ErrorContains(t, err,
				"GET https://service.test/api/v4/projects/3/secure_files/1/download: "+
					"the content has the sha256 checksum "+sha256Of(content))
			_, err = d.Read(make([]byte, 1))
			assert.ErrorAs(t, err, &mismatch, "the error stays")
		})
	}
}

func TestSecureFileVerifyLeavesNoWrongFile(t *testing.T) {
	d := download(t, "tampered")
	file := &serviceapi.SecureFile{
		Checksum:          sha256Of("original"),
		ChecksumAlgorithm: serviceapi.ChecksumAlgorithmSHA256,
	}
	require.NoError(t, file.Verify(d))
	dir := t.TempDir()
	_, err := d.SaveFile(filepath.Join(dir, "release.jks"))
	var mismatch *serviceapi.ChecksumError
	require.ErrorAs(t, err, &mismatch)
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Empty(t, left)
}

func TestSecureFileVerifyRefuses(t *testing.T) {
	good := sha256Of("content")
	for name, file := range map[string]*serviceapi.SecureFile{
		"unknown algorithm": {Checksum: good, ChecksumAlgorithm: "crc32"},
		"no algorithm":      {Checksum: good},
		"no checksum":       {ChecksumAlgorithm: serviceapi.ChecksumAlgorithmSHA256},
		"short checksum":    {Checksum: good[2:], ChecksumAlgorithm: serviceapi.ChecksumAlgorithmSHA256},
		"no number":         {Checksum: strings.Repeat("z", 64), ChecksumAlgorithm: serviceapi.ChecksumAlgorithmSHA256},
	} {
		d := download(t, "content")
		var argument *serviceapi.ArgumentError
		assert.ErrorAs(t, file.Verify(d), &argument, name)
		data, err := io.ReadAll(d)
		assert.NoError(t, err, name)
		assert.Equal(t, "content", string(data), "%s: nothing was read before", name)
	}
	t.Run("too late", func(t *testing.T) {
		d := download(t, "content")
		_, err := d.Read(make([]byte, 1))
		require.NoError(t, err)
		var argument *serviceapi.ArgumentError
		assert.ErrorAs(
			t,
			(&serviceapi.SecureFile{Checksum: good, ChecksumAlgorithm: serviceapi.ChecksumAlgorithmSHA256}).Verify(d),
			&argument,
		)
	})
}

// TestSecureFileVerifyOfUnknownLength checks that without a length, the
// checksum shows whether the content is complete.
func TestSecureFileVerifyOfUnknownLength(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if assert.NoError(t, err) {
			io.WriteString(conn, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\ncontent")
			conn.Close()
		}
	}))
	defer server.Close()
	client, err := serviceapi.NewClient(server.URL, serviceapi.Anonymous())
	require.NoError(t, err)
	read := func(file *serviceapi.SecureFile) error {
		d, _, err := client.SecureFiles.Download(t.Context(), serviceapi.ProjectID(3), 1)
		require.NoError(t, err)
		defer d.Close()
		if file != nil {
			require.NoError(t, file.Verify(d))
		}
		_, err = io.ReadAll(d)
		return err
	}
	assert.ErrorIs(t, read(nil), serviceapi.ErrUnknownLength)
	assert.NoError(
		t,
		read(
			&serviceapi.SecureFile{
				Checksum:          sha256Of("content"),
				ChecksumAlgorithm: serviceapi.ChecksumAlgorithmSHA256,
			},
		),
	)
	var mismatch *serviceapi.ChecksumError
	assert.ErrorAs(t, read(&serviceapi.SecureFile{Checksum: sha256Of("content and more"),
		ChecksumAlgorithm: serviceapi.ChecksumAlgorithmSHA256}), &mismatch)
}
