package frame

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

// An Encoded is the cached JSON of a record. It is renewed only after a change. The
// bytes are never changed in place, so replies may use them without the lock.
type Encoded struct {
	Data []byte
	sum  uint32
	at   uint64
}

// Get returns the JSON. changed is the newest stamp of the records whose fields are in
// it, such as max(job.Changed, pipeline.Changed).
func (e *Encoded) Get(changed uint64, build func() any) *Encoded {
	if e.Data == nil || e.at != changed {
		e.Data = Encode(build())
		e.sum = crc32.ChecksumIEEE(e.Data)
		e.at = changed
	}
	return e
}

// Encode returns the JSON of a value. It panics if there is none.
func Encode(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("servicetest: cannot encode %T: %v", v, err))
	}
	return data
}

// A JSONTime is encoded as a timestamp with milliseconds in UTC, or as null if
// it is zero.
type JSONTime time.Time

func (t JSONTime) MarshalJSON() ([]byte, error) {
	if time.Time(t).IsZero() {
		return []byte("null"), nil
	}
	return time.Time(t).UTC().AppendFormat(nil, `"2006-01-02T15:04:05.000Z"`), nil
}

// A JSONDate is encoded as a calendar date, or as null if it is zero.
type JSONDate time.Time

func (d JSONDate) MarshalJSON() ([]byte, error) {
	if time.Time(d).IsZero() {
		return []byte("null"), nil
	}
	return time.Time(d).UTC().AppendFormat(nil, `"2006-01-02"`), nil
}

// A JSONText is a string that is encoded as null if it is empty.
type JSONText string

func (t JSONText) MarshalJSON() ([]byte, error) {
	if t == "" {
		return []byte("null"), nil
	}
	return json.Marshal(string(t))
}

// An Object is a JSON object without a type of its own.
type Object map[string]any

// Itoa returns an ID in decimal.
func Itoa(id int64) string { return strconv.FormatInt(id, 10) }

// SHA returns a commit hash derived from strings.
func SHA(texts ...string) string {
	sum := sha1.Sum([]byte(strings.Join(texts, "\x00")))
	return hex.EncodeToString(sum[:])
}

// SHA256Hex returns the checksum of strings.
func SHA256Hex(texts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(texts, "\x00")))
	return hex.EncodeToString(sum[:])
}
