// Package a has loops that the tool reports, and loops that it does not.
package a

import "iter"

type named func(yield func(int, error) bool)

func loops(seq iter.Seq2[int, error], own named, pairs iter.Seq2[int, string], single iter.Seq[error]) {
	for v := range seq { // want "drops the errors"
		_ = v
	}
	for range own { // want "drops the errors"
	}
	for v, err := range seq {
		_, _ = v, err
	}
	for v, _ := range seq { // somebody has thought about it
		_ = v
	}
	for k := range pairs {
		_ = k
	}
	for err := range single {
		_ = err
	}
	for i := range []error{nil} {
		_ = i
	}
	for i := range 3 {
		_ = i
	}
}
