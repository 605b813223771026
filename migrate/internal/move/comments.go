package move

import (
	"go/ast"
	"go/scanner"
	"go/token"
	"strings"
)

// keepComments adds the comments that edits would drop above the statements around
// them.
func (r *rewriter) keepComments(edits []edit) []edit {
	kept := edits
	for _, e := range edits {
		lost := r.lost(e)
		if len(lost) == 0 {
			continue
		}
		pos := r.p.statement(r.u, r.p.fset.File(r.u.node.Pos()).Pos(e.start))
		if r.p.startsLine(r.u.file, pos) {
			at := r.offset(pos)
			kept = append(kept, edit{at, at, strings.Join(lost, "\n") + "\n"})
		}
	}
	return kept
}

// lost returns the comments that an edit drops.
func (r *rewriter) lost(e edit) []string {
	have := map[string]int{}
	for _, text := range commentsIn(e.text) {
		have[text]++
	}
	var lost []string
	for _, c := range r.comments(e.start, e.end) {
		if have[c.Text]--; have[c.Text] < 0 {
			lost = append(lost, c.Text)
		}
	}
	return lost
}

// comments returns the comments of the file between two offsets.
func (r *reader) comments(start, end int) []*ast.Comment {
	var list []*ast.Comment
	for _, group := range r.u.file.syntax.Comments {
		for _, c := range group.List {
			if start <= r.offset(c.Pos()) && r.offset(c.End()) <= end {
				list = append(list, c)
			}
		}
	}
	return list
}

// commentsIn returns the comments in a part of a text.
func commentsIn(text string) []string {
	var s scanner.Scanner
	fset := token.NewFileSet()
	s.Init(fset.AddFile("", -1, len(text)), []byte(text), func(token.Position, string) {}, scanner.ScanComments)
	var list []string
	for {
		_, tok, value := s.Scan()
		switch tok {
		case token.EOF:
			return list
		case token.COMMENT:
			list = append(list, value)
		}
	}
}
