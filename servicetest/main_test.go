package servicetest_test

import (
	"os"
	"testing"
	"time"
)

// TestMain runs the tests in a time zone that no value may show: all times that the service
// writes are in UTC.
func TestMain(m *testing.M) {
	time.Local = time.FixedZone("far", 5*3600+1800)
	os.Exit(m.Run())
}
