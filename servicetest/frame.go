package servicetest

import "example.com/serviceapi/servicetest/internal/frame"

// These are the types of the frame that every area uses.
type (
	reply    = frame.Reply
	object   = frame.Object
	fields   = frame.Fields
	encoded  = frame.Encoded
	stamp    = frame.Stamp
	upload   = frame.Upload
	jsonTime = frame.JSONTime
	jsonDate = frame.JSONDate
	jsonText = frame.JSONText

	filter[T any] = frame.Filter[T]
)
