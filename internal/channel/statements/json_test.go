package statements

import (
	"sync"
	"testing"

	"colophon/internal/wire"
)

// TestEncodingChangesNothing encodes a document in several goroutines while
// others read it, as builds and answers do with documents that they share. The
// race detector finds an encoder that writes to it.
func TestEncodingChangesNothing(t *testing.T) {
	d := &Document{
		Channel: RSL, URL: "https://a.example/license.xml", Gaps: []Gap{{Channel: RSL, Code: LicenseUnread}}, Links: []Link{{Rel: "license", URL: "https://a.example/", Group: 1}},
		Statements: []Statement{{Channel: RSL, Effect: Priced, Layer: LayerPage, Group: 2, Word: "rag", Terms: Terms{Amount: "1", Currency: "EUR"}}},
	}
	want := string(wire.Append(nil, d))
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if got := string(wire.Append(nil, d)); got != want {
				t.Errorf("it became %s", got)
			}
		})
	}
	all.Wait()
	var back Document
	if err := wire.Decode([]byte(want), &back, wire.Trusted); err != nil {
		t.Fatal(err)
	}
	if s := back.Statements[0]; back.Channel != RSL || back.Gaps[0].Channel != RSL || back.Links[0].Group != 1 || s.Channel != RSL || s.Effect != Priced || s.Layer != LayerPage || s.Group != 2 || s.Terms.Amount != "1" {
		t.Errorf("read back: %+v", back)
	}
}
