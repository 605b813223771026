// Nosend finds tests that pass although the client sends nothing.
//
// It runs each test of a package of the module by itself, with a client whose calls fail before
// they are sent. A test that makes such a call and passes all the same would not notice if the
// client stopped working: it needs an assertion about something that did happen. From the folder
// tools:
//
//	go run ./nosend                          # the package of the client
//	go run ./nosend ./internal/servicetests
//
// The exit status is 1 if there are such tests.
package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

// refusal is a file that the package of the client gets in addition.
//
//go:embed refusal.txt
var refusal string

const (
	sends   = "\t\tdefer func() { cl.files.finish(failed) }()\n\t}\n"
	refuses = "\tif err := refuseToSend(); err != nil {\n\t\treturn s, err\n\t}\n"
	// patience is how long a test may wait for what never comes. Then it has not passed.
	patience = 20 * time.Second
)

func main() {
	log.SetFlags(0)
	pkg := "."
	if len(os.Args) > 1 {
		pkg = os.Args[1]
	}
	passed, total, err := check("..", pkg)
	if err != nil {
		log.Fatal(err)
	}
	for _, name := range passed {
		fmt.Println(name)
	}
	fmt.Printf("%d tests make a call; %d pass although nothing is sent\n", total, len(passed))
	if len(passed) > 0 {
		os.Exit(1)
	}
}

// check returns the tests of a package that make a call and pass, and how many make one.
func check(root, pkg string) (passed []string, total int, err error) {
	dir, err := os.MkdirTemp("", "nosend")
	if err != nil {
		return nil, 0, err
	}
	defer os.RemoveAll(dir)
	binary, err := build(root, dir, pkg)
	if err != nil {
		return nil, 0, err
	}
	home := filepath.Join(root, pkg)
	list := exec.Command(binary, "-test.list", "^Test")
	list.Dir = home
	names, err := list.Output()
	if err != nil {
		return nil, 0, err
	}
	var mu sync.Mutex
	each(strings.Fields(string(names)), func(name string) {
		called, passes := try(binary, home, name)
		mu.Lock()
		defer mu.Unlock()
		if called {
			total++
		}
		if called && passes {
			passed = append(passed, name)
		}
	})
	slices.Sort(passed)
	if total == 0 {
		return nil, 0, errors.New("no test makes a call")
	}
	return passed, total, nil
}

// each calls f for all names, with as many at a time as there are processors.
func each(names []string, f func(string)) {
	var all sync.WaitGroup
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	for _, name := range names {
		free <- struct{}{}
		all.Go(func() {
			defer func() { <-free }()
			f(name)
		})
	}
	all.Wait()
}

// try runs a test, and reports whether it made a call and whether it passed.
func try(binary, dir, name string) (called, passes bool) {
	calls, err := os.CreateTemp(filepath.Dir(binary), "calls")
	if err != nil {
		log.Fatal(err)
	}
	defer calls.Close()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	test := exec.CommandContext(ctx, binary, "-test.run", "^"+name+"$")
	test.Dir = dir
	test.Env = append(os.Environ(), "NOSEND_CALLS="+calls.Name())
	err = test.Run()
	written, _ := calls.Stat()
	return written.Size() > 0, err == nil
}

// build compiles the tests of a package with a client that refuses to send.
func build(root, dir, pkg string) (string, error) {
	overlay, err := overlay(root, dir)
	if err != nil {
		return "", err
	}
	binary := filepath.Join(dir, "tests")
	compile := exec.Command("go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", binary, pkg)
	compile.Dir, compile.Stderr = root, os.Stderr
	return binary, compile.Run()
}

// overlay writes the files that the client has instead, and returns the file that lists them.
func overlay(root, dir string) (string, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return "", err
	}
	sender := filepath.Join(root, "send.go")
	code, err := os.ReadFile(sender)
	if err != nil {
		return "", err
	}
	if bytes.Count(code, []byte(sends)) != 1 {
		return "", fmt.Errorf("%s does not send in the way that this program changes", sender)
	}
	replaced := map[string]string{}
	for name, text := range map[string]string{
		sender:                            strings.Replace(string(code), sends, sends+refuses, 1),
		filepath.Join(root, "refusal.go"): refusal,
	} {
		replaced[name] = filepath.Join(dir, filepath.Base(name))
		if err := os.WriteFile(replaced[name], []byte(text), 0o600); err != nil {
			return "", err
		}
	}
	list, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "overlay.json")
	return file, os.WriteFile(file, list, 0o600)
}
