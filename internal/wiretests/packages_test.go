package wiretests

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const appPackages = "/projects/acme%2Fapp/packages"

// buildPipeline is packages/pipeline.json.
func buildPipeline(t testing.TB) *serviceapi.PackagePipeline {
	return &serviceapi.PackagePipeline{
		ID: 8, IID: new(int64(3)), ProjectID: new(int64(4)), Status: serviceapi.PipelineStatusSuccess, Ref: "main",
		SHA: "6104942438c14ec7bd21c6cd5bd995272b3faff6", Source: serviceapi.PipelineSourcePush,
		WebURL:    "https://service.test/acme/app/-/pipelines/8",
		CreatedAt: *at(t, "2026-01-05T08:30:00Z"), UpdatedAt: *at(t, "2026-01-05T08:40:00Z"),
		User: &serviceapi.UserSummary{
			ID: 8, Name: "Ada Lovelace", Username: "ada", State: serviceapi.UserStateActive,
			AvatarURL: "https://service.test/uploads/ada.png", WebURL: "https://service.test/ada",
		},
	}
}

// appPackage is packages/package.json.
func appPackage(t testing.TB) *serviceapi.Package {
	tags := []*serviceapi.PackageTag{{
		ID: 5, PackageID: 2, Name: "latest",
		CreatedAt: *at(t, "2026-01-05T08:45:00Z"), UpdatedAt: *at(t, "2026-01-05T08:46:00Z"),
	}}
	return &serviceapi.Package{
		PackageVersion: serviceapi.PackageVersion{
			ID: 2, Version: "1.0.0", CreatedAt: *at(t, "2026-01-05T08:45:00Z"), Tags: tags,
			Pipeline: buildPipeline(t), Pipelines: []*serviceapi.PackagePipeline{buildPipeline(t)},
		},
		Name: "app", ConanPackageName: "app", PackageType: serviceapi.PackageTypeGeneric,
		Status: serviceapi.PackageStatusDefault,
		Paths: &serviceapi.PackagePaths{
			WebPath: "/acme/app/-/packages/2", DeleteAPIPath: "/api/v4/projects/4/packages/2",
		},
		LastDownloadedAt: at(t, "2026-01-06T08:45:00Z"),
		Versions: []*serviceapi.PackageVersion{{
			ID: 1, Version: "0.9.0", CreatedAt: *at(t, "2026-01-04T08:45:00Z"), Tags: tags,
			Pipeline: buildPipeline(t), Pipelines: []*serviceapi.PackagePipeline{buildPipeline(t)},
		}},
		ProjectID: new(int64(4)), ProjectPath: "acme/app",
	}
}

const contentSHA256 = "ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73" // of "content"

// zipFile is packages/file.json.
func zipFile(t testing.TB) *serviceapi.PackageFile {
	return &serviceapi.PackageFile{
		ID: 7, PackageID: 2, CreatedAt: *at(t, "2026-01-05T08:45:00Z"), FileName: "app.zip", Size: 7,
		FileMD5: "9a0364b9e99bb480dd25e1f0284c8555", FileSHA1: "040f06fd774092478d450774f5ba30c5da78acc8",
		FileSHA256: contentSHA256, Pipelines: []*serviceapi.PackagePipeline{buildPipeline(t)},
	}
}

func TestPackagesLists(t *testing.T) {
	owners := map[string]serviceapi.PackageOwner{
		appPackages:          serviceapi.ProjectPath("acme/app"),
		"/groups/7/packages": serviceapi.GroupID(7),
	}
	for path, owner := range owners {
		options := &serviceapi.ListPackagesOptions{
			ListOptions: serviceapi.ListOptions{
				Page: 2,
			}, OrderBy: serviceapi.PackageOrderByVersion, Sort: serviceapi.SortDescending,
			PackageType: serviceapi.PackageTypeGeneric, PackageName: "ap", PackageVersion: "1.0.0",
			IncludeVersionless: true,
			Status:             serviceapi.PackageStatusHidden,
		}
		query := "include_versionless=true&order_by=version&package_name=ap&package_type=generic" +
			"&package_version=1.0.0&page=2&sort=desc&status=hidden"
		if owner == serviceapi.GroupID(7) {
			options.ExcludeSubgroups, query = true, "exclude_subgroups=true&"+query
		}
		body := "[" + fixture(t, "packages/package.json") + `,{"id":1,"version":null,"last_downloaded_at":null}]`
		client := onWire(t,
			exchange{Method: "GET", Path: path, Query: query, Body: body},
			exchange{Method: "GET", Path: path, Query: "per_page=100", Body: body})
		s, ctx, want := client.Packages, t.Context(), []*serviceapi.Package{
			appPackage(t),
			{PackageVersion: serviceapi.PackageVersion{ID: 1}},
		}
		packages, _, err := s.List(ctx, owner, options)
		require.NoError(t, err)
		assert.Equal(t, want, packages)
		assertFilled(t, packages[0])
		packages, err = serviceapi.Collect(s.All(ctx, owner, nil))
		require.NoError(t, err)
		assert.Equal(t, want, packages)
	}
	_, _, err := onWire(
		t,
	).Packages.List(
		t.Context(),
		serviceapi.ProjectID(1),
		&serviceapi.ListPackagesOptions{ExcludeSubgroups: true},
	)
	assertRefused(t, "ExcludeSubgroups", err)
}

func TestPackages(t *testing.T) {
	const files = appPackages + "/2/package_files"
	body := "[" + fixture(t, "packages/file.json") + `,{"id":6,"file_md5":null}]`
	pipeline := "[" + fixture(t, "packages/pipeline.json") + "]"
	next := `<` + wireHost + `/api/v4` + appPackages + `/2/pipelines?cursor=eyJ&per_page=100>; rel="next"`
	client := onWire(t,
		exchange{Method: "GET", Path: appPackages + "/2", Fixture: "packages/package.json"},
		exchange{Method: "GET", Path: files, Query: "order_by=file_name&page=2&sort=desc", Body: body},
		exchange{Method: "GET", Path: files, Query: "per_page=100", Body: body},
		exchange{Method: "GET", Path: appPackages + "/2/pipelines", Query: "per_page=5", Body: pipeline},
		exchange{
			Method: "GET", Path: appPackages + "/2/pipelines", Query: "per_page=100", Body: pipeline,
			ResponseHeader: map[string]string{"Link": next},
		},
		exchange{
			Method: "GET", Path: appPackages + "/2/pipelines", Query: "cursor=eyJ&per_page=100", Body: `[{"id":7}]`,
		},
		exchange{Method: "DELETE", Path: files + "/7", Status: 204},
		exchange{Method: "DELETE", Path: appPackages + "/2", Status: 204})
	s, ctx, app := client.Packages, t.Context(), serviceapi.ProjectPath("acme/app")
	one, _, err := s.Get(ctx, app, 2)
	require.NoError(t, err)
	assert.Equal(t, appPackage(t), one)
	list, _, err := s.ListFiles(ctx, app, 2, &serviceapi.ListPackageFilesOptions{
		ListOptions: serviceapi.ListOptions{
			Page: 2,
		}, OrderBy: serviceapi.PackageFileOrderByFileName, Sort: serviceapi.SortDescending,
	})
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.PackageFile{zipFile(t), {ID: 6}}, list)
	assertFilled(t, list[0])
	list, err = serviceapi.Collect(s.AllFiles(ctx, app, 2, nil))
	require.NoError(t, err)
	assert.Len(t, list, 2)
	pipelines, _, err := s.ListPipelines(ctx, app, 2, &serviceapi.ListOptions{PerPage: 5})
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.PackagePipeline{buildPipeline(t)}, pipelines)
	assertFilled(t, pipelines[0])
	pipelines, err = serviceapi.Collect(s.AllPipelines(ctx, app, 2, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.PackagePipeline{buildPipeline(t), {ID: 7}}, pipelines)
	_, err = s.DeleteFile(ctx, app, 2, 7)
	require.NoError(t, err)
	_, err = s.Delete(ctx, app, 2)
	require.NoError(t, err)
}

var linuxApp = serviceapi.GenericPackageFile{PackageName: "app", PackageVersion: "1.0.0", FileName: "linux/app.zip"}

func TestPublishGeneric(t *testing.T) {
	const path = appPackages + "/generic/app/1.0.0/linux%2Fapp.zip"
	const query, whole = "select=package_file", "packages/uploaded.json"
	client := onWire(t,
		exchange{Method: "PUT", Path: path, Query: query + "&status=hidden", File: "content", Fixture: whole},
		exchange{Method: "PUT", Path: path, Query: query, File: "content", Fixture: whole},
		exchange{Method: "PUT", Path: path, Query: query, File: "altered", Fixture: whole},
		exchange{
			Method: "PUT", Path: path, Query: query, File: "content", Status: 201, Body: `{"message":"201 Created"}`,
		})
	s, ctx, app := client.Packages, t.Context(), serviceapi.ProjectPath("acme/app")
	publish := func(content io.Reader, status serviceapi.PackageStatus) (*serviceapi.UploadedPackageFile, error) {
		file, _, err := s.PublishGeneric(ctx, app, linuxApp, serviceapi.PublishGenericPackageOptions{
			File: serviceapi.Upload{Content: content}, Status: status,
		})
		return file, err
	}
	file, err := publish(strings.NewReader("content"), serviceapi.PackageStatusHidden)
	require.NoError(t, err)
	assertFilled(t, file)
	assert.Equal(t, &serviceapi.UploadedPackageFile{
		ID: 7, PackageID: 2, FileName: "app.zip", CreatedAt: *at(t, "2026-01-05T08:45:00Z"), Size: 7, FileStore: 1,
		UpdatedAt: *at(t, "2026-01-05T08:46:00Z"), FileMD5: "9a0364b9e99bb480dd25e1f0284c8555",
		FileSHA1: "040f06fd774092478d450774f5ba30c5da78acc8", FileSHA256: contentSHA256,
		File: &serviceapi.PackageFileURL{URL: "https://service.test/files/7"}, Status: json.RawMessage(`"default"`),
		VerificationRetryAt: at(t, "2026-01-05T08:47:00Z"), VerifiedAt: at(t, "2026-01-05T08:48:00Z"),
		VerificationStartedAt: at(t, "2026-01-05T08:49:00Z"), VerificationRetryCount: new(1), VerificationState: new(2),
		VerificationFailure: "none", VerificationChecksum: "abc", NewFilePath: "7/app.zip",
	}, file)
	_, err = publish(struct{ io.Reader }{strings.NewReader("content")}, "")
	require.NoError(t, err, "content that cannot seek")

	file, err = publish(strings.NewReader("altered"), "")
	var mismatch *serviceapi.ChecksumError
	require.ErrorAs(t, err, &mismatch)
	assert.Equal(
		t,
		&serviceapi.ChecksumError{
			Algorithm: serviceapi.ChecksumAlgorithmSHA256,
			Expected:  sha256Of("altered"),
			Actual:    contentSHA256,
		},
		mismatch,
	)
	assert.EqualValues(t, 7, file.ID, "what is wrong can be deleted")
	file, err = publish(strings.NewReader("content"), "")
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.UploadedPackageFile{}, file, "a service that does not know select")

	s = onWire(t).Packages
	assertRefused(t, "File", errorOf(s.PublishGeneric(ctx, app, linuxApp, serviceapi.PublishGenericPackageOptions{})))
	nameless := serviceapi.GenericPackageFile{PackageName: "a", PackageVersion: "1"}
	assertRefused(t, "file_name", errorOf(s.DownloadGeneric(ctx, app, nameless)))
}

// TestPublishGenericAnnouncesItsSize checks that content that knows its length is not sent in
// chunks, although it is read for its checksum on the way.
func TestPublishGenericAnnouncesItsSize(t *testing.T) {
	for name, content := range map[string]io.Reader{
		"of a string":    strings.NewReader("content"),
		"without a seek": lenReader{strings.NewReader("content")},
	} {
		client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
			assert.EqualValues(t, 7, r.ContentLength, name)
			assert.Empty(t, r.TransferEncoding, name)
			io.WriteString(w, `{"id":7}`)
		})
		_, _, err := client.Packages.PublishGeneric(t.Context(), serviceapi.ProjectID(1), linuxApp,
			serviceapi.PublishGenericPackageOptions{File: serviceapi.Upload{Content: content}})
		require.NoError(t, err, name)
	}
}

// lenReader is content that knows its length, and cannot seek.
type lenReader struct{ content *strings.Reader }

func (r lenReader) Read(p []byte) (int, error) { return r.content.Read(p) }
func (r lenReader) Len() int                   { return r.content.Len() }

func TestDownloadGeneric(t *testing.T) {
	const path = appPackages + "/generic/app/1.0.0/linux%2Fapp.zip"
	got := func(sum string) exchange {
		header := map[string]string{"Content-Type": "application/octet-stream"}
		if sum != "" {
			header["X-Checksum-Sha256"] = sum
		}
		return exchange{Method: "GET", Path: path, Body: "content", ResponseHeader: header}
	}
	client := onWire(t, got(contentSHA256), got(sha256Of("other")), got(""), got("no checksum"), got(""))
	read := func() (string, error) {
		d, _, err := client.Packages.DownloadGeneric(t.Context(), serviceapi.ProjectPath("acme/app"), linuxApp)
		require.NoError(t, err)
		defer d.Close()
		content, err := io.ReadAll(d)
		return string(content), err
	}
	content, err := read()
	require.NoError(t, err)
	assert.Equal(t, "content", content)
	_, err = read()
	var mismatch *serviceapi.ChecksumError
	require.ErrorAs(t, err, &mismatch)
	for range 2 {
		_, err = read()
		require.NoError(t, err)
	}
	d, _, err := client.Packages.DownloadGeneric(t.Context(), serviceapi.ProjectPath("acme/app"), linuxApp)
	require.NoError(t, err)
	defer d.Close()
	require.NoError(t, (&serviceapi.PackageFile{FileSHA256: sha256Of("other")}).Verify(d))
	_, err = io.ReadAll(d)
	assert.ErrorAs(t, err, &mismatch)
}
