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

// calls are the calls that are measured, in this order. The first makes none.
var calls = []struct {
	name, title string
	call        func(context.Context, *serviceapi.Client, serviceapi.ProjectRef) error
}{
	{"none", "no call", func(context.Context, *serviceapi.Client, serviceapi.ProjectRef) error { return nil }},
	{"get", "one GET", func(ctx context.Context, client *serviceapi.Client, project serviceapi.ProjectRef) error {
		_, _, err := client.Jobs.Get(ctx, project, 7)
		return err
	}},
	{"list", "a list of three pages", func(ctx context.Context, client *serviceapi.Client, project serviceapi.ProjectRef) error {
		jobs := 0
		for _, err := range client.Jobs.All(ctx, project, nil) {
			if err != nil {
				return err
			}
			jobs++
		}
		return want(jobs == 3, "three jobs")
	}},
	{"post", "a POST that meets a 429", func(ctx context.Context, client *serviceapi.Client, project serviceapi.ProjectRef) error {
		_, _, err := client.Branches.Create(ctx, project, serviceapi.CreateBranchOptions{Branch: "b", Ref: "main"})
		return err
	}},
	{"download", "a download", func(ctx context.Context, client *serviceapi.Client, project serviceapi.ProjectRef) error {
		download, _, err := client.JobArtifacts.Download(ctx, project, 7)
		if err != nil {
			return err
		}
		_, err = io.Copy(io.Discard, download)
		return errors.Join(err, download.Close())
	}},
	{"error", "an error", func(ctx context.Context, client *serviceapi.Client, project serviceapi.ProjectRef) error {
		_, _, err := client.Jobs.Get(ctx, project, 9)
		return want(errors.Is(err, serviceapi.ErrNotFound) && err.Error() != "", "an error")
	}},
}

func want(fine bool, what string) error {
	if fine {
		return nil
	}
	return errors.New("want " + what)
}

// makeCall makes one of the calls.
func makeCall(name string) error {
	server := httptest.NewServer(service())
	defer server.Close()
	client, err := serviceapi.NewClient(server.URL, serviceapi.PrivateToken("not-a-real-token"))
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for _, c := range calls {
		if c.name == name {
			return c.call(ctx, client, serviceapi.ProjectID(42))
		}
	}
	return fmt.Errorf("there is no call %q", name)
}

// service responds to the calls.
func service() http.Handler {
	const project = "/api/v4/projects/42"
	const job = `{"id":7,"name":"test","status":"success"}`
	created := 0
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+project+"/jobs/7", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, job)
	})
	mux.HandleFunc("GET "+project+"/jobs", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if page, _ := strconv.Atoi(r.URL.Query().Get("page")); page < 3 {
			next := fmt.Sprintf("http://%s%s?page=%d&per_page=100", r.Host, r.URL.Path, max(page, 1)+1)
			w.Header().Set("Link", "<"+next+`>; rel="next"`)
		}
		fmt.Fprint(w, "["+job+"]")
	})
	mux.HandleFunc("POST "+project+"/repository/branches", func(w http.ResponseWriter, _ *http.Request) {
		if created++; created == 1 {
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusTooManyRequests)
			fmt.Fprint(w, `{"message":"slow down"}`)
			return
		}
		w.WriteHeader(http.StatusCreated)
		fmt.Fprint(w, `{"name":"b","default":false}`)
	})
	mux.HandleFunc("GET "+project+"/jobs/7/artifacts", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/zip")
		w.Header().Set("ETag", `"a"`)
		fmt.Fprint(w, "the archive")
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, `{"message":"404 Not found"}`)
	})
	return mux
}

// reportCalls prints the lines and the files that each call executes.
func reportCalls() error {
	dir, err := os.MkdirTemp("", "figures")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "figures")
	if err := run(nil, "go", "build", "-cover", "-covermode=atomic", "-coverpkg="+module+","+module+"/internal/...",
		"-o", program, "./internal/figures"); err != nil {
		return err
	}
	var none map[string]int
	for _, c := range calls {
		counts, err := coverage(dir, program, c.name)
		if err != nil {
			return err
		}
		if c.name == "none" {
			none = counts
			continue
		}
		executed := map[string]map[int]bool{}
		for block, count := range counts {
			if count > none[block] {
				if err := addLines(executed, block); err != nil {
					return err
				}
			}
		}
		lines := 0
		for _, numbers := range executed {
			lines += len(numbers)
		}
		fmt.Printf("%s: %d lines in %d files\n", c.title, lines, len(executed))
	}
	return nil
}

func run(env []string, name string, args ...string) error {
	command := exec.Command(name, args...)
	command.Env = append(os.Environ(), env...)
	out, err := command.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", name, err, out)
	}
	return nil
}

// coverage runs the program and returns how many times it executed each block, such
// as "jobs.go:12.2,14.9".
func coverage(dir, program, call string) (map[string]int, error) {
	data := filepath.Join(dir, call)
	profile := data + ".txt"
	err := errors.Join(
		os.Mkdir(data, 0o700),
		run([]string{"GOCOVERDIR=" + data}, program, "-call", call),
		run(nil, "go", "tool", "covdata", "textfmt", "-i="+data, "-o="+profile),
	)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(profile)
	counts := map[string]int{}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		block, ours := strings.CutPrefix(fields[0], module+"/")
		if !ours || strings.HasPrefix(block, "internal/figures/") {
			continue
		}
		if counts[block], err = strconv.Atoi(fields[2]); err != nil {
			return nil, err
		}
	}
	return counts, err
}

var blockOf = regexp.MustCompile(`^(.+):(\d+)\.\d+,(\d+)\.\d+$`)

// addLines adds the lines of a block, but empty ones, comments and lone brackets.
func addLines(executed map[string]map[int]bool, block string) error {
	match := blockOf.FindStringSubmatch(block)
	if match == nil {
		return fmt.Errorf("the profile has %q", block)
	}
	name := match[1]
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	first, _ := strconv.Atoi(match[2])
	last, _ := strconv.Atoi(match[3])
	lines := strings.Split(string(text), "\n")
	for number := first; number <= last; number++ {
		line := strings.TrimSpace(lines[number-1])
		if strings.Trim(line, "{})") == "" || strings.HasPrefix(line, "//") {
			continue
		}
		if executed[name] == nil {
			executed[name] = map[int]bool{}
		}
		executed[name][number] = true
	}
	return nil
}
