package recipes_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// A download is a stream. Read it line by line, and stop at any time.
func Example_download() {
	service, err := servicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	client, err := serviceapi.NewClient(service.URL(),
		serviceapi.PrivateToken(service.AdminToken()))
	if err != nil {
		log.Fatal(err)
	}
	service.Project("acme/shop").Pipeline("main").Job("test",
		servicetest.Trace(strings.Repeat("ok\n", 100)+
			"--- FAIL: TestCheckout\nmore\n"))

	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")
	trace, _, err := client.Jobs.Trace(ctx, shop, 1)
	if err != nil {
		log.Fatal(err)
	}
	defer trace.Close()
	lines := bufio.NewScanner(trace)
	for lines.Scan() {
		if strings.Contains(lines.Text(), "FAIL") {
			fmt.Println(lines.Text())
			return
		}
	}
	if err := lines.Err(); err != nil {
		log.Fatal(err)
	}
	// Output: --- FAIL: TestCheckout
}

// The file appears when it is complete, and not before.
func Example_downloadSaveFile() {
	service, err := servicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	client, err := serviceapi.NewClient(service.URL(),
		serviceapi.PrivateToken(service.AdminToken()))
	if err != nil {
		log.Fatal(err)
	}
	files := map[string]string{"VERSION": "1.0"}
	service.Project("acme/shop").Pipeline("main").
		Job("build", servicetest.Archive(files))
	name := filepath.Join(os.TempDir(), "artifacts.zip")
	defer os.Remove(name)

	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")
	archive, _, err := client.JobArtifacts.Download(ctx, shop, 1)
	if err != nil {
		log.Fatal(err)
	}
	n, err := archive.SaveFile(name)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(n == archive.Size, archive.Name, archive.ContentType)
	// Output: true artifacts.zip application/zip
}

// Continue where an earlier run ended, if the content is the same.
func Example_withDownloadOffset() {
	service, err := servicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	client, err := serviceapi.NewClient(service.URL(),
		serviceapi.PrivateToken(service.AdminToken()))
	if err != nil {
		log.Fatal(err)
	}
	service.Project("acme/shop").Pipeline("main").
		Job("test", servicetest.Trace("one two three"))
	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")

	first, _, err := client.Jobs.Trace(ctx, shop, 1)
	if err != nil {
		log.Fatal(err)
	}
	part := make([]byte, len("one "))
	if _, err := io.ReadFull(first, part); err != nil {
		log.Fatal(err)
	}
	etag := first.ETag // to be stored with what was read
	first.Close()

	rest, _, err := client.Jobs.Trace(ctx, shop, 1,
		serviceapi.WithDownloadOffset(int64(len(part)), etag))
	if err != nil {
		log.Fatal(err)
	}
	defer rest.Close()
	text, err := io.ReadAll(rest)
	if err != nil {
		log.Fatal(err)
	}
	// An offset of 0 would mean that the content has changed.
	fmt.Printf("%d %q\n", rest.Offset, text)
	// Output: 4 "two three"
}

// Uploads and downloads report their progress.
func Example_withProgress() {
	service, err := servicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	client, err := serviceapi.NewClient(service.URL(),
		serviceapi.PrivateToken(service.AdminToken()))
	if err != nil {
		log.Fatal(err)
	}
	service.Project("acme/shop").Pipeline("main").
		Job("test", servicetest.Trace(strings.Repeat("x", 1_000_000)))

	var seen serviceapi.Progress
	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")
	trace, _, err := client.Jobs.Trace(ctx, shop, 1,
		serviceapi.WithProgress(func(p serviceapi.Progress) { seen = p }))
	if err != nil {
		log.Fatal(err)
	}
	defer trace.Close()
	if _, err := io.Copy(io.Discard, trace); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d of %d bytes, %.0f%%\n",
		seen.Done, seen.Total, 100*seen.Fraction())
	// Output: 1000000 of 1000000 bytes, 100%
}

// Compare a download with the checksum that the service has.
func Example_secureFileVerify() {
	service, err := servicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	client, err := serviceapi.NewClient(service.URL(),
		serviceapi.PrivateToken(service.AdminToken()))
	if err != nil {
		log.Fatal(err)
	}
	stored := service.Project("acme/shop").SecureFile("release.jks", "a keystore")
	stored.Corrupt("another one")
	ctx, shop := context.Background(), serviceapi.ProjectPath("acme/shop")

	file, _, err := client.SecureFiles.Get(ctx, shop, 1)
	if err != nil {
		log.Fatal(err)
	}
	download, _, err := client.SecureFiles.Download(ctx, shop, file.ID)
	if err != nil {
		log.Fatal(err)
	}
	if err := file.Verify(download); err != nil {
		log.Fatal(err)
	}
	_, err = download.SaveFile(filepath.Join(os.TempDir(), download.Name))
	fmt.Println("saved:", err == nil)
	// Output: saved: false
}
