package bench

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// members are new values for members of a JSON object, by their pointers.
type members map[string]any

// replace returns an object with new values for some of its members, in the
// same order. All of them must exist.
func replace(object string, with members) string {
	var b bytes.Buffer
	decoder := jsontext.NewDecoder(bytes.NewReader([]byte(object)))
	encoder := jsontext.NewEncoder(&b, jsontext.CanonicalizeRawFloats(false))
	replaced := 0
	for {
		// After the name of a member, the pointer is that of its value.
		value, found := with[string(decoder.StackPointer())]
		_, length := decoder.StackIndex(decoder.StackDepth())
		var err error
		if found && length%2 == 1 {
			replaced++
			if err = decoder.SkipValue(); err == nil {
				err = json.MarshalEncode(encoder, value)
			}
		} else {
			var token jsontext.Token
			if token, err = decoder.ReadToken(); err == nil {
				err = encoder.WriteToken(token)
			}
		}
		switch {
		case err == io.EOF && replaced == len(with):
			return string(bytes.TrimSpace(b.Bytes()))
		case err == io.EOF:
			panic(fmt.Sprintf("%d of %d members were found", replaced, len(with)))
		case err != nil:
			panic(err)
		}
	}
}

// hash returns 40 hexadecimal digits, like the hash of a commit.
func hash(kind string, n int) string {
	sum := sha256.Sum256([]byte(kind + strconv.Itoa(n)))
	return hex.EncodeToString(sum[:20])
}

// epoch is the time of the objects.
var epoch = time.Date(2026, time.March, 1, 10, 0, 0, 0, time.UTC)

// moment returns the time this many minutes later, as the service formats it.
func moment(minutes int) string {
	t := epoch.Add(time.Duration(minutes)*time.Minute + time.Duration(minutes*7919%60000)*time.Millisecond)
	return t.Format("2006-01-02T15:04:05.000Z07:00")
}

func day(minutes int) string { return moment(minutes)[:len(time.DateOnly)] }

// one returns one of several values.
func one[T any](n int, of ...T) T { return of[n%len(of)] }

// unless returns null if the condition is true, and otherwise the value.
func unless(null bool, value any) any {
	if null {
		return nil
	}
	return value
}
