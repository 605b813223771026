package jsonx

import (
	"bytes"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// ExceedsObjects reports whether JSON in pieces has more than so many objects. Decoded, an empty
// one may need several hundred times its size. It counts braces first, which is fast, and only
// tells those of objects from those in strings if there are too many.
func ExceedsObjects(limit int, pieces ...[]byte) bool {
	braces := 0
	for _, piece := range pieces {
		if braces += bytes.Count(piece, []byte("{")); braces > limit {
			break
		}
	}
	if braces <= limit {
		return false
	}
	readers := make([]io.Reader, 0, len(pieces))
	for _, piece := range pieces {
		readers = append(readers, bytes.NewReader(piece))
	}
	decoder := jsontext.NewDecoder(io.MultiReader(readers...),
		jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	for objects := 0; ; {
		token, err := decoder.ReadToken()
		if err != nil {
			return false // the decoding of the values reports it
		}
		if token.Kind() == '{' {
			if objects++; objects > limit {
				return true
			}
		}
	}
}
