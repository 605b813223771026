package servicetest

import (
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"strings"

	"example.com/serviceapi/servicetest/internal/gitrepo"
)

// A position is a place in the diff of a merge request, as JSON.
type position struct {
	BaseSHA      string     `json:"base_sha"`
	StartSHA     string     `json:"start_sha"`
	HeadSHA      string     `json:"head_sha"`
	PositionType string     `json:"position_type"`
	OldPath      string     `json:"old_path"`
	NewPath      string     `json:"new_path"`
	OldLine      *int64     `json:"old_line"`
	NewLine      *int64     `json:"new_line"`
	LineRange    *lineRange `json:"line_range"`
	Width        *int64     `json:"width,omitempty"`
	Height       *int64     `json:"height,omitempty"`
	X            *float64   `json:"x,omitempty"`
	Y            *float64   `json:"y,omitempty"`
}

// A lineRange is the beginning and the end of a place of several lines.
type lineRange struct {
	Start lineEnd `json:"start"`
	End   lineEnd `json:"end"`
}

type lineEnd struct {
	LineCode string `json:"line_code"`
	Type     string `json:"type"`
	OldLine  *int64 `json:"old_line"`
	NewLine  *int64 `json:"new_line"`
}

// readPosition reads the position of a new discussion. Nil means none.
func (c *call) readPosition(m *MergeRequest) (*position, *reply) {
	f := c.Sub("position")
	if f.Values == nil {
		return nil, c.Refusal()
	}
	f.Require("base_sha", "start_sha", "head_sha", "position_type")
	p := &position{
		BaseSHA: f.Str("base_sha"), StartSHA: f.Str("start_sha"), HeadSHA: f.Str("head_sha"),
		PositionType: f.OneOf("position_type", "text", "image", "file"), OldPath: f.Str("old_path"), NewPath: f.Str("new_path"),
		OldLine: f.Number64("old_line"), NewLine: f.Number64("new_line"), Width: f.Number64("width"), Height: f.Number64("height"),
		X: f.Fraction("x"), Y: f.Fraction("y"),
	}
	if p.PositionType == "text" {
		f.Require("new_path", "old_path")
	}
	if r := f.Sub("line_range"); r.Values != nil {
		p.LineRange = &lineRange{readLineEnd(r.Sub("start")), readLineEnd(r.Sub("end"))}
	}
	if refusal := c.Refusal(); refusal != nil {
		return nil, refusal
	}
	if problem := m.misplaced(p); problem != "" {
		return nil, invalidNote("position", problem)
	}
	return p, nil
}

func readLineEnd(f fields) lineEnd {
	f.Require("line_code", "type")
	return lineEnd{f.Str("line_code"), f.OneOf("type", "new", "old"), f.Number64("old_line"), f.Number64("new_line")}
}

// misplaced says why a position is not in the diff of the merge request, "" if
// it is.
func (m *MergeRequest) misplaced(p *position) string {
	var found *diffVersion
	for _, v := range m.history() {
		if v.base.SHA == p.BaseSHA && v.start.SHA == p.StartSHA && v.head.SHA == p.HeadSHA {
			found = v
		}
	}
	if found == nil {
		return "is not of a version of the diff"
	}
	for _, change := range gitrepo.DiffTrees(found.base.Tree, found.head.Tree) {
		if change.NewPath != p.NewPath && change.OldPath != p.OldPath {
			continue
		}
		if p.PositionType == "text" {
			return p.lineProblem(change)
		}
		return ""
	}
	return "names a file that did not change"
}

// lineProblem says which lines of a position a change does not have.
func (p *position) lineProblem(change gitrepo.Change) string {
	if r := p.LineRange; r != nil && !(r.Start.matches(p) && r.End.matches(p)) {
		return "has a line code that is not of its lines"
	}
	switch {
	case p.OldLine == nil && p.NewLine == nil:
		return "has no line"
	case p.OldLine == nil && !edited(change, *p.NewLine, false):
		return "has a new line that was not added"
	case p.NewLine == nil && !edited(change, *p.OldLine, true):
		return "has an old line that was not removed"
	case p.OldLine != nil && p.NewLine != nil && shifted(change, *p.OldLine) != *p.NewLine:
		return "has lines that are not the same"
	}
	return ""
}

// edited reports whether a line was added or, if old is true, removed.
func edited(change gitrepo.Change, line int64, old bool) bool {
	at := int(line) - 1
	for _, e := range change.Edits() {
		if old && e.Old <= at && at < e.OldEnd || !old && e.New <= at && at < e.NewEnd {
			return true
		}
	}
	return false
}

// shifted returns the number of a line after a change, or 0 if it was removed
// or never existed.
func shifted(change gitrepo.Change, line int64) int64 {
	at := int(line) - 1
	if at < 0 || at >= len(change.Old.Lines()) || edited(change, line, true) {
		return 0
	}
	shift := 0
	for _, e := range change.Edits() {
		if e.OldEnd <= at {
			shift = e.NewEnd - e.OldEnd
		}
	}
	return line + int64(shift)
}

// matches reports whether a line code belongs to the position's file. A line
// code is the SHA-1 of the name, then the numbers of the line before and after
// the change.
func (e lineEnd) matches(p *position) bool {
	sum := sha1.Sum([]byte(either(p.NewPath, p.OldPath)))
	var before, after int64
	rest, ok := strings.CutPrefix(e.LineCode, hex.EncodeToString(sum[:]))
	n, err := fmt.Sscanf(rest, "_%d_%d", &before, &after)
	return ok && n == 2 && err == nil && (e.OldLine == nil || *e.OldLine == before) && (e.NewLine == nil || *e.NewLine == after)
}
