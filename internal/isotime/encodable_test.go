package isotime

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestParsedTimesCanBeEncoded checks that what was decoded can be stored and read again.
func TestParsedTimesCanBeEncoded(t *testing.T) {
	for _, text := range []string{"2026-03-01T10:20:30+24:00", "2026-03-01T10:20:30-24:00",
		"2026-03-01T10:20:30+23:59", "2026-03-01 10:20:30 +2400", "2026-03-01T10:20:30Z"} {
		parsed, err := Parse(text)
		require.NoError(t, err, text)
		data, err := parsed.MarshalJSON()
		require.NoError(t, err, text)
		var read time.Time
		require.NoError(t, read.UnmarshalJSON(data))
		assert.True(t, read.Equal(parsed), text)
	}
	for _, text := range []string{"9999-12-31T23:59:59-24:00", "0000-01-01T00:00:00+24:00"} {
		_, err := Parse(text)
		assert.ErrorIs(t, err, ErrNoTime, text)
	}
}
