package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/examples/internal/demo"
)

// A target is where events are written: a file with a saved position, or any
// other writer.
type target struct {
	out   io.Writer
	file  *os.File // nil for any other writer
	what  selection
	state state
}

// A state is the saved position of a file.
type state struct {
	// Of is the selection that the file contains.
	Of string `json:"of"`
	// Until is the end of the exported span, and Size the length of the file at
	// that point. The rest of the file was left by an interrupted run.
	Until time.Time `json:"until"`
	Size  int64     `json:"size"`
}

const stateSuffix = ".state"

// open opens a file and truncates it to its saved position. Without a name, the
// target is out.
func open(name string, out io.Writer, what selection) (*target, error) {
	if name == "" {
		return &target{out: out, what: what}, nil
	}
	t := &target{what: what}
	if err := t.loadState(name); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	t.file, t.out = file, file
	err = t.cut()
	if err == nil {
		err = t.saveState() // before the first event, so that every file has a state
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return t, nil
}

func (t *target) loadState(name string) error {
	t.state.Of = strings.Join([]string{t.what.format, t.what.group.String(), t.what.project.String()}, " ")
	text, err := os.ReadFile(name + stateSuffix)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Stat(name); err == nil {
			return fmt.Errorf("%s is there without %s, which would tell how far it goes", name, name+stateSuffix)
		}
		return nil
	}
	if err != nil {
		return err
	}
	wanted := t.state.Of
	if err := json.Unmarshal(text, &t.state); err != nil {
		return fmt.Errorf("%s: %w", name+stateSuffix, err)
	}
	if t.state.Of != wanted {
		return demo.Usage("%s was begun with another -group, -project or -format", name)
	}
	return nil
}

func (t *target) cut() error {
	info, err := t.file.Stat()
	if err != nil {
		return err
	}
	if info.Size() < t.state.Size {
		return fmt.Errorf("%s has become shorter since it was written", t.file.Name())
	}
	if err := t.file.Truncate(t.state.Size); err != nil {
		return err
	}
	_, err = t.file.Seek(t.state.Size, io.SeekStart)
	return err
}

// write writes the events before until, and then saves the position.
func (t *target) write(events []*serviceapi.AuditEvent, until time.Time) error {
	if err := writeEvents(t.out, t.what.format, t.state.Until.IsZero(), events); err != nil {
		return err
	}
	t.state.Until = until
	if t.file == nil {
		return nil
	}
	if err := t.file.Sync(); err != nil {
		return err
	}
	var err error
	if t.state.Size, err = t.file.Seek(0, io.SeekCurrent); err != nil {
		return err
	}
	return t.saveState()
}

// saveState replaces the state atomically, so that it is always complete.
func (t *target) saveState() error {
	text, err := json.Marshal(t.state)
	if err != nil {
		return err
	}
	name := t.file.Name() + stateSuffix
	if err := os.WriteFile(name+".new", text, 0o666); err != nil {
		return err
	}
	return os.Rename(name+".new", name)
}

func (t *target) close() {
	if t.file != nil {
		t.file.Close() // everything that matters was synced before
	}
}
