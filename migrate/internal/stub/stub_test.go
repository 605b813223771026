package stub

import (
	"bytes"
	"os"
	"testing"
)

// The stubs are what the library exports today.
func TestStubsAreCurrent(t *testing.T) {
	texts, err := Generate("../../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		have, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if want := texts[name]; want == nil || !bytes.Equal(have, want) {
			t.Errorf("%s is not what the library exports: run go generate in internal/stub", name)
		}
	}
}
