package servicetest

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"strconv"
	"strings"
	"time"
)

// A stamp says when a record last changed, as a count of all changes in the
// service. Records embed it.
type stamp struct{ changed uint64 }

// An encoded is the cached JSON of a record. It is encoded again only after a
// change. The bytes are never changed in place, so replies may use them without
// the lock.
type encoded struct {
	data []byte
	sum  uint32
	at   uint64
}

// get returns the JSON. changed is the newest stamp of the records whose fields
// are in it, such as max(job.changed, pipeline.changed).
func (e *encoded) get(changed uint64, build func() any) *encoded {
	if e.data == nil || e.at != changed {
		e.data = encode(build())
		e.sum = crc32.ChecksumIEEE(e.data)
		e.at = changed
	}
	return e
}

func encode(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("servicetest: cannot encode %T: %v", v, err))
	}
	return data
}

// A jsonTime is encoded as a timestamp with milliseconds in UTC, or as null if
// it is zero.
type jsonTime time.Time

func (t jsonTime) MarshalJSON() ([]byte, error) {
	if time.Time(t).IsZero() {
		return []byte("null"), nil
	}
	return time.Time(t).UTC().AppendFormat(nil, `"2006-01-02T15:04:05.000Z"`), nil
}

// A jsonDate is encoded as a calendar date, or as null if it is zero.
type jsonDate time.Time

func (d jsonDate) MarshalJSON() ([]byte, error) {
	if time.Time(d).IsZero() {
		return []byte("null"), nil
	}
	return time.Time(d).UTC().AppendFormat(nil, `"2006-01-02"`), nil
}

// A jsonText is a string that is encoded as null if it is empty.
type jsonText string

func (t jsonText) MarshalJSON() ([]byte, error) {
	if t == "" {
		return []byte("null"), nil
	}
	return json.Marshal(string(t))
}

// An object is a JSON object that has no type of its own.
type object map[string]any

func itoa(id int64) string { return strconv.FormatInt(id, 10) }

// sha returns a commit hash that is derived from strings.
func sha(texts ...string) string {
	sum := sha1.Sum([]byte(strings.Join(texts, "\x00")))
	return hex.EncodeToString(sum[:])
}

// sha256Hex returns the checksum of strings.
func sha256Hex(texts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(texts, "\x00")))
	return hex.EncodeToString(sum[:])
}
