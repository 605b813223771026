package serviceapi

import (
	"crypto/sha1"
	"encoding/hex"
	"strconv"
)

// PositionType is a kind of [DiffPosition].
type PositionType string

// Kinds of positions in a diff.
const (
	PositionTypeText  PositionType = "text"
	PositionTypeImage PositionType = "image"
	// PositionTypeFile is a changed file as a whole. Since 16.4.
	PositionTypeFile PositionType = "file"
)

// Discussion is a thread of notes.
type Discussion struct {
	// ID is a string, unlike other IDs.
	ID string `json:"id"`
	// IndividualNote reports whether this is a single note without replies.
	IndividualNote bool `json:"individual_note"`
	// Notes are in the order in which they were written.
	Notes []*Note `json:"notes"`
}

// DiffPosition is a place in a diff: a line, a range of lines or a point of an
// image. BaseSHA, StartSHA, HeadSHA and PositionType are required; the hashes
// are those of the newest [DiffVersion], or of [MergeRequestDetails.DiffRefs].
// For a line, NewPath and OldPath are also required, and NewLine for a line
// that was added, OldLine for one that was removed, and both for one that was
// not changed.
type DiffPosition struct {
	BaseSHA      string       `json:"base_sha"`
	StartSHA     string       `json:"start_sha"`
	HeadSHA      string       `json:"head_sha"`
	PositionType PositionType `json:"position_type"`
	// OldPath and NewPath differ only if the file was renamed.
	OldPath string `json:"old_path,omitzero"`
	NewPath string `json:"new_path,omitzero"`
	// OldLine is nil for a line that was added. Lines are counted from 1.
	OldLine *int `json:"old_line"`
	// NewLine is nil for a line that was removed.
	NewLine *int `json:"new_line"`
	// LineRange is nil if the position is a single line.
	LineRange *DiffLineRange `json:"line_range"`
	// Width is the width of an image in pixels, nil for a line.
	Width *int `json:"width,omitzero"`
	// Height is the height of an image in pixels, nil for a line.
	Height *int `json:"height,omitzero"`
	// X is a point in an image, in pixels from the left, nil for a line.
	X *float64 `json:"x,omitzero"`
	// Y is a point in an image, in pixels from the top, nil for a line.
	Y *float64 `json:"y,omitzero"`
}

// DiffLineRange is a range of lines of a diff. It includes both ends, which are
// required.
type DiffLineRange struct {
	// Start and End are the first and the last line, nil if the service does not
	// send them.
	Start *DiffLineRangeEnd `json:"start"`
	End   *DiffLineRangeEnd `json:"end"`
}

// DiffLineRangeEnd is one end of a [DiffLineRange]. LineCode and Type are required.
type DiffLineRangeEnd struct {
	// LineCode is what [LineCode] returns for the line.
	LineCode string `json:"line_code"`
	// Type says on which side of the diff the line is.
	Type LineType `json:"type"`
	// OldLine is nil for a line that was added.
	OldLine *int `json:"old_line"`
	// NewLine is nil for a line that was removed.
	NewLine *int `json:"new_line"`
}

// LineCode returns the name of a line of a diff, made from the path of the file
// and the numbers of the line before and after the change.
func LineCode(path string, oldLine, newLine int) string {
	sum := sha1.Sum([]byte(path))
	return hex.EncodeToString(sum[:]) + "_" + strconv.Itoa(oldLine) + "_" + strconv.Itoa(newLine)
}
