//go:build goexperiment.jsonv2 && !go1.27

package jsonx

import "encoding/json/v2"

// ErrSkip is what a function for a type returns to let the decoder do its work.
var ErrSkip = json.SkipFunc
