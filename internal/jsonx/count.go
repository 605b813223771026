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
	decoder := decoderOf(pieces)
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

func decoderOf(pieces [][]byte) *jsontext.Decoder {
	readers := make([]io.Reader, 0, len(pieces))
	for _, piece := range pieces {
		readers = append(readers, bytes.NewReader(piece))
	}
	return jsontext.NewDecoder(io.MultiReader(readers...),
		jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// ExceedsItems reports whether JSON in pieces is an array with more than so many items. It looks
// only if there are that many objects: an item that is none needs little more memory than its text.
func ExceedsItems(limit int, pieces ...[]byte) bool {
	if !ExceedsObjects(limit, pieces...) {
		return false
	}
	decoder := decoderOf(pieces)
	if token, err := decoder.ReadToken(); err != nil || token.Kind() != '[' {
		return false
	}
	for items := 0; decoder.PeekKind() != ']'; {
		if decoder.SkipValue() != nil {
			return false // the decoding of the values reports it
		}
		if items++; items > limit {
			return true
		}
	}
	return false
}

// maxLenient is the number of items in all arrays of a value that is decoded past those of the
// wrong kind: each of these becomes an empty object, which may need a thousand times its size.
const maxLenient = 100_000

// IsLenient reports whether a value has few enough items to be decoded past those of the wrong
// kind, with [LenientTypes].
func IsLenient(data []byte) bool {
	// The number of items is at most that of commas and of beginnings.
	if bytes.Count(data, []byte(","))+bytes.Count(data, []byte("[")) <= maxLenient {
		return true
	}
	decoder := decoderOf([][]byte{data})
	for items := 0; items <= maxLenient; {
		if kind, _ := decoder.StackIndex(decoder.StackDepth()); kind == '[' && decoder.PeekKind() != ']' {
			items++
		}
		if _, err := decoder.ReadToken(); err != nil {
			return true
		}
	}
	return false
}
