package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"example.com/serviceapi"
)

// calls are the calls that are measured, and what they are called. The first makes
// none.
var calls = [][2]string{
	{"none", "no call"}, {"get", "one GET"}, {"list", "a list of three pages"},
	{"post", "a POST that meets a 429"}, {"download", "a download"}, {"error", "an error"},
}

// makeCall makes one of the calls.
func makeCall(name string) error {
	server := httptest.NewServer(service())
	defer server.Close()
	client, err := serviceapi.NewClient(server.URL, serviceapi.PrivateToken("not-a-real-token"))
	if err != nil {
		return err
	}
	ctx, project := context.Background(), serviceapi.ProjectID(42)
	switch name {
	case "get":
		_, _, err = client.Jobs.Get(ctx, project, 7)
	case "list":
		for _, problem := range client.Jobs.All(ctx, project, nil) {
			err = errors.Join(err, problem)
		}
	case "post":
		_, _, err = client.Branches.Create(ctx, project, serviceapi.CreateBranchOptions{Branch: "b", Ref: "main"})
	case "download":
		var download *serviceapi.Download
		if download, _, err = client.JobArtifacts.Download(ctx, project, 7); err == nil {
			_, err = io.Copy(io.Discard, download)
			err = errors.Join(err, download.Close())
		}
	case "error":
		_, _, err = client.Jobs.Get(ctx, project, 9)
		_, err = fmt.Fprintln(os.Stderr, err.Error())
	}
	return err
}

// service responds to the calls.
func service() http.Handler {
	const job = `{"id":7,"name":"test","status":"success"}`
	created := 0
	respond := func(w http.ResponseWriter, status int, kind, body string) {
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.Method + " " + strings.TrimPrefix(r.URL.Path, "/api/v4/projects/42/") {
		case "GET jobs/7":
			respond(w, http.StatusOK, "application/json", job)
		case "GET jobs":
			if page, _ := strconv.Atoi(r.URL.Query().Get("page")); page < 3 {
				next := fmt.Sprintf("http://%s%s?page=%d&per_page=100", r.Host, r.URL.Path, max(page, 1)+1)
				w.Header().Set("Link", "<"+next+`>; rel="next"`)
			}
			respond(w, http.StatusOK, "application/json", "["+job+"]")
		case "POST repository/branches":
			if created++; created == 1 {
				w.Header().Set("Retry-After", "0")
				respond(w, http.StatusTooManyRequests, "application/json", `{"message":"slow down"}`)
				return
			}
			respond(w, http.StatusCreated, "application/json", `{"name":"b","default":false}`)
		case "GET jobs/7/artifacts":
			w.Header().Set("ETag", `"a"`)
			respond(w, http.StatusOK, "application/zip", "the archive")
		default:
			respond(w, http.StatusNotFound, "application/json", `{"message":"404 Not found"}`)
		}
	})
}

// reportCalls prints the lines and the files that each call executes.
func reportCalls() error {
	dir, err := os.MkdirTemp("", "figures")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "figures")
	if _, err := output("go", "build", "-cover", "-coverpkg="+module+","+module+"/internal/...",
		"-o", program, "./internal/figures"); err != nil {
		return err
	}
	var none map[string]bool
	for _, c := range calls {
		blocks, err := coverage(dir, program, c[0])
		if err != nil {
			return err
		}
		if none == nil {
			none = blocks
			continue
		}
		files, lines := map[string]bool{}, map[string]bool{}
		for block := range blocks {
			if !none[block] {
				addLines(files, lines, block)
			}
		}
		fmt.Printf("%s: %d lines in %d files\n", c[1], len(lines), len(files))
	}
	return nil
}

// coverage runs the program and returns the blocks that it executed, such as
// "jobs.go:12.2,14.9".
func coverage(dir, program, name string) (map[string]bool, error) {
	data := filepath.Join(dir, name)
	command := exec.Command(program, "-call", name)
	command.Env = append(os.Environ(), "GOCOVERDIR="+data)
	if err := errors.Join(os.Mkdir(data, 0o700), command.Run()); err != nil {
		return nil, err
	}
	_, err := output("go", "tool", "covdata", "textfmt", "-i="+data, "-o="+data+".txt")
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(data + ".txt")
	blocks := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		block, ours := strings.CutPrefix(fields[0], module+"/")
		if ours && !strings.HasPrefix(block, "internal/figures/") && fields[2] != "0" {
			blocks[block] = true
		}
	}
	return blocks, err
}

var blockOf = regexp.MustCompile(`^(.+):(\d+)\.\d+,(\d+)\.\d+$`)

// addLines adds the lines of a block, but empty ones, comments and lone brackets.
func addLines(files, lines map[string]bool, block string) {
	match := blockOf.FindStringSubmatch(block)
	text, _ := os.ReadFile(match[1])
	first, _ := strconv.Atoi(match[2])
	last, _ := strconv.Atoi(match[3])
	for i, line := range strings.Split(string(text), "\n")[first-1 : last] {
		line = strings.TrimSpace(line)
		if strings.Trim(line, "{})") != "" && !strings.HasPrefix(line, "//") {
			files[match[1]] = true
			lines[fmt.Sprint(match[1], ":", first+i)] = true
		}
	}
}
