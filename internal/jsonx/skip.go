//go:build !goexperiment.jsonv2 || go1.27

package jsonx

import "errors"

// ErrSkip is what a function for a type returns to let the decoder do its work.
// It is another error in the encoding/json/v2 of Go 1.26.
var ErrSkip = errors.ErrUnsupported
