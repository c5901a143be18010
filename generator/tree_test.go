package generator

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"
)

// TestAssetSiblings holds that each asset has its own sibling, the second time too.
func TestAssetSiblings(t *testing.T) {
	for range 2 {
		for _, name := range []string{"assets/one.0000000001.js", "assets/two.0000000002.js"} {
			want := []byte(strings.Repeat(name+"\n", 1000))
			z, err := gzip.NewReader(bytes.NewReader(siblingOf(name, want)))
			must(t, err)
			got, err := io.ReadAll(z)
			must(t, err)
			if !bytes.Equal(got, want) {
				t.Errorf("%s has a sibling of %.30q", name, got)
			}
		}
	}
}
